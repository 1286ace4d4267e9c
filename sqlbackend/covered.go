package sqlbackend

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An entry holds a value and the key of its document. Where the plan of a statement reads no other
// column of the table, it reads no document: its rows are made of entries, where they tell
// the value as the document does; or, where the key alone is read, of keys. Conditions that ranges are exactly are
// not tested, so that what they name need not be read.
//
// A path is chosen before the plan is whole: what it will read is foreseen by the names in the statement (namedUse).
// The plan itself says so in the end, see coveredRule.

// namedUse is where the running statement names the columns of a table.
type namedUse struct {
	elsewhere []bool  // by column: outside of the conjuncts
	conjuncts [][]int // by conjunct: the columns
	keyTells  []bool  // by conjunct: a document's key tells those
}

// use tells where the running statement names the table's columns, beside and in the conjuncts; nil is that it
// needs all of them.
func (t *Table) use(conjuncts []sql.Expression) *namedUse {
	if !t.readsByColumn() {
		return nil
	}
	if t.used == nil {
		return t.useOf(conjuncts)
	}
	u := t.used.Load()
	if u == nil || len(u.conjuncts) != len(conjuncts) {
		u = t.useOf(conjuncts)
		t.used.Store(u)
	}
	return u
}

func (t *Table) useOf(conjuncts []sql.Expression) *namedUse {
	n := t.session.commandNames()
	if n.Natural || n.Stars[""] || n.Stars[t.place.Name] {
		return nil
	}
	u := &namedUse{elsewhere: make([]bool, len(t.columns)), conjuncts: make([][]int, len(conjuncts)),
		keyTells: make([]bool, len(conjuncts))}
	within := make([]int, len(t.columns)) // the conjuncts: how often they name it
	eachNamed := t.eachNamed
	if len(t.columns) > fewColumns {
		eachNamed = t.namedColumns()
	}
	for i, c := range conjuncts {
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && t.place.Holds(f) {
				eachNamed(f.Name(), func(column int) {
					if !slices.Contains(u.conjuncts[i], column) {
						u.conjuncts[i] = append(u.conjuncts[i], column)
					}
					within[column]++
				})
			}
			return true
		})
		u.keyTells[i] = t.keyTellsOf(u.conjuncts[i])
	}
	for _, named := range n.Told() {
		if named.Qualifier != "" && named.Qualifier != t.place.Name {
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

// readsByColumn reports whether the running statement may read of the table less than its documents.
func (t *Table) readsByColumn() bool {
	if t.session == nil || !t.session.OnlySelects() || t.place.ID == 0 {
		return false
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.declared >= 0 && t.def.Columns[c.declared].Virtual {
			return false // it is computed from others
		}
	}
	return true
}

// eachNamed calls f with each column of a name.
func (t *Table) eachNamed(name string, f func(column int)) {
	for i := range t.columns {
		if strings.EqualFold(t.columns[i].name, name) {
			f(i)
		}
	}
}

// fewColumns is how many columns are compared with a name one by one.
const fewColumns = 32

// namedColumns is eachNamed for many names.
func (t *Table) namedColumns() func(name string, f func(column int)) {
	places := make(map[string][]int, len(t.columns))
	for i := range t.columns {
		name := folded(t.columns[i].name)
		places[name] = append(places[name], i)
	}
	return func(name string, f func(column int)) {
		for _, i := range places[folded(name)] {
			f(i)
		}
	}
}

// folded is a text that is the same for all texts that strings.EqualFold takes for equal.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, name)
}

// needed tells which columns are read where those conjuncts are tested; nil is all of them.
func (u *namedUse) needed(tested []int) []bool {
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

// coverable tells costing what a candidate makes of entries: rows, or a part of what others it is intersected with make
// rows of.
func (t *Table) coverable(c *pushdown.Candidate, costed *costing.Candidate, u *namedUse) {
	costed.EntriesOnly, costed.Mergeable = t.coveredBy(c, u.needed(c.Residual)) != nil, t.def.mergeable(c)
	if !costed.Mergeable || u == nil || t.session.wouldContinue() || !t.keysTell(u.elsewhere) {
		return
	}
	costed.KeyTells = true
	for _, i := range c.Residual {
		if !u.keyTells[i] {
			costed.Tested = append(costed.Tested, i)
		}
	}
}

// Selects implements subquery.Session.
func (s *Session) Selects() bool {
	stmt := s.statement()
	if e, ok := stmt.(*ast.Explain); ok {
		stmt = e.Statement
	}
	_, reads := stmt.(ast.SelectStatement)
	return reads
}

// OnlySelects reports whether the running command reads and locks nothing.
func (s *Session) OnlySelects() bool {
	stmt := s.statement()
	if x, ok := stmt.(*ast.Explain); ok {
		stmt = x.Statement
	}
	switch stmt := stmt.(type) {
	case *ast.Select:
		return stmt.Lock == "" && stmt.Into == nil
	case *ast.SetOp:
		return stmt.Lock == "" && stmt.Into == nil
	case *ast.ParenSelect:
		return true
	}
	return false
}

// covered is how rows are made without documents.
type covered struct {
	needed []bool
	column int // the column that the entries tell; -1 if the key is all
	key    bool
}

// coveredBy is how the rows of a candidate are made without documents: nil if they
// can't be.
func (t *Table) coveredBy(c *pushdown.Candidate, needed []bool) *covered {
	if needed == nil || len(c.Parts) == 0 || c.PrimaryKey && c.Spans.IsPoint() && len(t.def.PrimaryKey) == 1 {
		return nil
	}
	out := t.coveredByKey(needed)
	if out == nil || slices.ContainsFunc(c.Parts, func(p pushdown.Part) bool { return p.Declared != nil }) {
		return nil
	}
	if out.column < 0 {
		return out
	}
	col := &t.columns[out.column]
	if len(c.Parts) != 1 || c.PrimaryKey || c.Parts[0].Repeats() || col.keypath.String() != c.Column.Keypath ||
		c.Column.Shape == pushdown.ShapeJSON || !t.readFromEntries(col) {
		return nil
	}
	return out
}

// coverable is how the path's rows are made without documents where those columns are read: nil if they can't be.
func (p *accessPath) coverable(needed []bool) *covered {
	switch {
	case p.order != nil:
		return p.order.coverable(p.table, p.candidate, needed)
	case p.candidate == nil:
		return nil
	case len(p.members) == 0:
		return p.table.coveredBy(p.candidate, needed)
	}
	// Of an entry that is read at an older version nobody knows whether it still stands.
	out := p.table.coveredByKey(needed)
	if out == nil || out.column >= 0 || p.table.session.wouldContinue() {
		return nil
	}
	return out
}

// coveredByKey is how rows are made of keys and one column at most: nil if more is
// needed.
func (t *Table) coveredByKey(needed []bool) *covered {
	if needed == nil {
		return nil
	}
	column, key := -1, false
	for i, is := range needed {
		c := &t.columns[i]
		switch {
		case !is:
		case c.declared >= 0 && t.def.isKey(c.declared):
			key = true
		case column >= 0 || c.document || c.key:
			return nil
		default:
			column = i
		}
	}
	if key && !t.def.keyTells() {
		return nil
	}
	return &covered{needed: needed, column: column, key: key}
}

// keysTell reports whether a document's key tells the needed columns.
func (t *Table) keysTell(needed []bool) bool {
	out := t.coveredByKey(needed)
	return out != nil && out.column < 0
}

// keyTellsOf reports whether a document's key tells those columns.
func (t *Table) keyTellsOf(columns []int) bool {
	key := false
	for _, i := range columns {
		if c := &t.columns[i]; c.declared < 0 || !t.def.isKey(c.declared) {
			return false
		}
		key = true
	}
	return !key || t.def.keyTells()
}

// keyTells reports whether an encoded primary key tells its columns' values as the
// documents do.
func (d *definition) keyTells() bool {
	for _, k := range d.PrimaryKey {
		c := &d.columns[k]
		_, text := c.typ.(value.TextType)
		if c.unsettled || !types.IsInteger(c.typ) && !(text && d.encoder.Collation(c.name).IsIdentity()) {
			return false
		}
	}
	return true
}

// readFromEntries reports whether a column reads the same from its entries as from
// documents, but for single entries that tell that they don't.
func (t *Table) readFromEntries(c *column) bool {
	if c.unsettled || t.def.Rebuilding() {
		return false
	}
	switch c.unit {
	case unitText, unitString, unitInt64, unitNumber, unitDouble, unitFloat, unitDecimal, unitBool:
		return true
	case unitOther:
		class := classOf(c.typ)
		return types.IsEnum(c.typ) || class == catalog.ClassDate || class == catalog.ClassDatetime
	}
	return false // JSON shows literals as they were written
}

// coveredRows reads a path's rows without documents.
func (t *Table) coveredRows(p *accessPath, r kv.Reader) (sql.RowIter, error) {
	if err := p.confirmCertain(r); err != nil {
		return nil, err
	}
	i := &coveredIter{table: t, at: p, from: r, covered: p.covered}
	if p.order != nil {
		return i, t.coveredInOrder(i, p, r)
	}
	if len(p.members) > 0 {
		members, err := p.intersected(t, r)
		if err != nil || members == nil {
			return sql.RowsToRowIter(), err
		}
		i.walk = t.def.collection.IntersectKeys(r, members, tables.IntersectOptions{})
		return i, nil
	}
	part := &p.candidate.Parts[0]
	if len(p.candidate.Parts) > 1 || part.Repeats() {
		i.walk = newKeyUnion(p, t, r)
		return i, nil
	}
	walk, err := p.keysOfPart(t, r, part)
	if err != nil || walk == nil {
		return sql.RowsToRowIter(), err
	}
	i.walk = walk
	if entries, ok := walk.(*tables.Entries); ok {
		i.values = entries
	}
	if i.column >= 0 {
		i.reader = t.def.entryReader(&t.columns[i.column])
	}
	return i, nil
}

// keysOfPart begins the walk of the keys that one part of the candidate leads to; nil if there are none.
func (p *accessPath) keysOfPart(t *Table, r kv.Reader, part *pushdown.Part) (keyWalk, error) {
	if part.PrimaryKey {
		return keysOfDocuments{t.def.collection.ScanKeys(r, part.Spans, tables.ScanOptions{})}, nil
	}
	number, versions, err := p.resolve(t, r, part)
	if err != nil || versions == nil {
		return nil, err
	}
	return t.def.collection.Entries(r, number, versions, tables.ScanOptions{}), nil
}
