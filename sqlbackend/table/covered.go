package table

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An entry holds a value and its document's key. If a statement's plan reads no other column of the table, no
// document is read. Its rows are made from entries, where these hold the value as the document does. If only the key
// is read, they are made from keys. Conditions that ranges answer exactly are not tested, so the columns that they
// name are not needed.
//
// A path is chosen before the plan is complete. The columns that it will read are predicted from the names in the
// statement (NamedUse). In the end the plan itself decides, see order.CoveredRule.

// NamedUse says where the running statement names the columns of a table.
type NamedUse struct {
	elsewhere []bool  // by column: named outside of the conjuncts
	conjuncts [][]int // by conjunct: the columns that it names
	keyCovers []bool  // by conjunct: whether the primary key covers it
}

// Use returns where the running statement names the table's columns, outside and inside of the conjuncts. nil: it
// needs all of them.
func (t *Table) Use(conjuncts []sql.Expression) *NamedUse {
	if !t.ReadsByColumn() {
		return nil
	}
	if t.Used == nil {
		return t.useOf(conjuncts)
	}
	u := t.Used.Load()
	if u == nil || len(u.conjuncts) != len(conjuncts) {
		u = t.useOf(conjuncts)
		t.Used.Store(u)
	}
	return u
}

func (t *Table) useOf(conjuncts []sql.Expression) *NamedUse {
	n := t.Session.Parsed.Names()
	if n.Natural || n.Stars[""] || n.Stars[t.Place.Name] {
		return nil
	}
	u := &NamedUse{elsewhere: make([]bool, len(t.Columns)), conjuncts: make([][]int, len(conjuncts)),
		keyCovers: make([]bool, len(conjuncts))}
	within := make([]int, len(t.Columns)) // by column: how often the conjuncts name it
	eachNamed := t.EachNamed
	if len(t.Columns) > fewColumns {
		eachNamed = t.namedColumns()
	}
	for i, c := range conjuncts {
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && t.Place.Holds(f) {
				eachNamed(f.Name(), func(column int) {
					if !slices.Contains(u.conjuncts[i], column) {
						u.conjuncts[i] = append(u.conjuncts[i], column)
					}
					within[column]++
				})
			}
			return true
		})
		u.keyCovers[i] = t.keyCoversColumns(u.conjuncts[i])
	}
	for _, named := range n.Distinct() {
		if named.Qualifier != "" && named.Qualifier != t.Place.Name {
			continue
		}
		eachNamed(named.Name, func(column int) {
			if within[column] -= named.Times; !named.Filters || within[column] < 0 {
				u.elsewhere[column] = true
			}
		})
	}
	return u
}

// ReadsByColumn reports whether the running statement may read only some columns of the table.
func (t *Table) ReadsByColumn() bool {
	if t.Session == nil || !t.Session.Parsed.OnlySelects() || t.Place.ID == 0 {
		return false
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Declared >= 0 && t.Def.Columns[c.Declared].Virtual {
			return false // it is computed from others
		}
	}
	return true
}

// EachNamed calls f with the index of each column of this name.
func (t *Table) EachNamed(name string, f func(column int)) {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			f(i)
		}
	}
}

// fewColumns is up to how many columns are compared with a name one by one.
const fewColumns = 32

// namedColumns is EachNamed for many names.
func (t *Table) namedColumns() func(name string, f func(column int)) {
	places := make(map[string][]int, len(t.Columns))
	for i := range t.Columns {
		name := Folded(t.Columns[i].Name)
		places[name] = append(places[name], i)
	}
	return func(name string, f func(column int)) {
		for _, i := range places[Folded(name)] {
			f(i)
		}
	}
}

// Folded maps all texts that are equal for strings.EqualFold to one text.
func Folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, name)
}

// Needed returns the columns that are read if these conjuncts are tested; nil: all of them.
func (u *NamedUse) Needed(tested []int) []bool {
	if u == nil {
		return nil
	}
	out := slices.Clone(u.elsewhere)
	for _, i := range tested {
		for _, column := range u.conjuncts[i] {
			out[column] = true
		}
	}
	return out
}

// Coverable sets, for costing, whether a candidate's rows are made from entries, alone or in an intersection.
func (t *Table) Coverable(c *pushdown.Candidate, costed *costing.Candidate, u *NamedUse) {
	costed.EntriesOnly, costed.Mergeable = t.coveredBy(c, u.Needed(c.Residual)) != nil, mergeable(t.Def, c)
	if !costed.Mergeable || u == nil || t.Session.WouldContinue() || !t.KeysCover(u.elsewhere) {
		return
	}
	costed.KeyCovers = true
	for _, i := range c.Residual {
		if !u.keyCovers[i] {
			costed.Tested = append(costed.Tested, i)
		}
	}
}

// coveredBy returns how the rows of a candidate are made without documents; nil if they can't be.
func (t *Table) coveredBy(c *pushdown.Candidate, needed []bool) *session.Covered {
	if needed == nil || len(c.Parts) == 0 || c.PrimaryKey && c.Spans.IsPoint() && len(t.Def.PrimaryKey) == 1 {
		return nil
	}
	out := t.CoveredByKey(needed)
	if out == nil || slices.ContainsFunc(c.Parts, func(p pushdown.Part) bool { return p.Declared != nil }) {
		return nil
	}
	if out.Column < 0 {
		return out
	}
	col := &t.Columns[out.Column]
	if len(c.Parts) != 1 || c.PrimaryKey || c.Parts[0].Repeats() || col.Keypath.String() != c.Column.Keypath ||
		c.Column.Shape == pushdown.ShapeJSON || !t.ReadFromEntries(col) {
		return nil
	}
	return out
}

// Coverable returns how the path's rows are made without documents if these columns are needed; nil if they can't
// be.
func (p *AccessPath) Coverable(needed []bool) *session.Covered {
	switch {
	case p.Order != nil:
		return p.Order.Coverable(p.Table, p.Candidate, needed)
	case p.Candidate == nil:
		return nil
	case len(p.Members) == 0:
		return p.Table.coveredBy(p.Candidate, needed)
	}
	// For an entry read at an older version it is not known whether it still exists.
	out := p.Table.CoveredByKey(needed)
	if out == nil || out.Column >= 0 || p.Table.Session.WouldContinue() {
		return nil
	}
	return out
}

// CoveredByKey returns how rows are made from keys and at most one other column; nil if more is needed.
func (t *Table) CoveredByKey(needed []bool) *session.Covered {
	if needed == nil {
		return nil
	}
	column, key := -1, false
	for i, is := range needed {
		c := &t.Columns[i]
		switch {
		case !is:
		case c.Declared >= 0 && t.Def.IsKey(c.Declared):
			key = true
		case column >= 0 || c.Document || c.Key:
			return nil
		default:
			column = i
		}
	}
	if key && !KeyCovers(t.Def) {
		return nil
	}
	return &session.Covered{Needed: needed, Column: column, Key: key}
}

// KeysCover reports whether the primary key covers the needed columns.
func (t *Table) KeysCover(needed []bool) bool {
	out := t.CoveredByKey(needed)
	return out != nil && out.Column < 0
}

// keyCoversColumns reports whether the primary key covers these columns.
func (t *Table) keyCoversColumns(columns []int) bool {
	key := false
	for _, i := range columns {
		if c := &t.Columns[i]; c.Declared < 0 || !t.Def.IsKey(c.Declared) {
			return false
		}
		key = true
	}
	return !key || KeyCovers(t.Def)
}

// KeyCovers reports whether an encoded primary key has its columns' values as the documents do.
func KeyCovers(d *session.Definition) bool {
	for _, k := range d.PrimaryKey {
		c := &d.SQLColumns[k]
		_, text := c.Typ.(value.TextType)
		if c.Unsettled || !types.IsInteger(c.Typ) && !(text && d.Encoder.Collation(c.Name).IsIdentity()) {
			return false
		}
	}
	return true
}

// ReadFromEntries reports whether a column reads the same from its entries as from documents. Single entries may
// not, but these are recognized.
func (t *Table) ReadFromEntries(c *session.Column) bool {
	if c.Unsettled || t.Def.Rebuilding() {
		return false
	}
	switch c.Unit {
	case session.UnitText, session.UnitString, session.UnitInt64, session.UnitNumber, session.UnitDouble,
		session.UnitFloat, session.UnitDecimal, session.UnitBool:
		return true
	case session.UnitOther:
		class := session.ClassOf(c.Typ)
		return types.IsEnum(c.Typ) || class == catalog.ClassDate || class == catalog.ClassDatetime
	}
	return false // JSON shows literals as they are written in the document
}

// coveredRows reads a path's rows without documents.
func (t *Table) coveredRows(p *AccessPath, r kv.Reader) (sql.RowIter, error) {
	if err := p.ConfirmCertain(r); err != nil {
		return nil, err
	}
	i := &CoveredIter{Table: t, At: p, From: r, Covered: p.Covered}
	if p.Order != nil {
		return i, coveredInOrder(t, i, p, r)
	}
	if len(p.Members) > 0 {
		members, err := p.intersected(t, r)
		if err != nil || members == nil {
			return sql.RowsToRowIter(), err
		}
		i.Walk = t.Def.Collection.IntersectKeys(r, members, tables.IntersectOptions{})
		return i, nil
	}
	part := &p.Candidate.Parts[0]
	if len(p.Candidate.Parts) > 1 || part.Repeats() {
		i.Walk = newKeyUnion(p, t, r)
		return i, nil
	}
	walk, err := p.keysOfPart(t, r, part)
	if err != nil || walk == nil {
		return sql.RowsToRowIter(), err
	}
	i.Walk = walk
	if entries, ok := walk.(*tables.Entries); ok {
		i.Values = entries
	}
	if i.Column >= 0 {
		i.Reader = EntryReaderOf(t.Def, &t.Columns[i.Column])
	}
	return i, nil
}

// keysOfPart starts a walk over the keys of one part of the candidate; nil if there are none.
func (p *AccessPath) keysOfPart(t *Table, r kv.Reader, part *pushdown.Part) (keyWalk, error) {
	if part.PrimaryKey {
		return keysOfDocuments{t.Def.Collection.ScanKeys(r, part.Spans, tables.ScanOptions{})}, nil
	}
	number, versions, err := p.resolve(t, r, part)
	if err != nil || versions == nil {
		return nil, err
	}
	return t.Def.Collection.Entries(r, number, versions, tables.ScanOptions{}), nil
}
