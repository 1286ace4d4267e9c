package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An entry holds a value and the key of its document. A statement that names no other
// column of the table reads no document: its rows are made of entries, where they tell
// the value as the document does; or, where it names the key alone, of keys.

// needed tells which columns of the table the running statement names; nil is all
// of them.
func (t *Table) needed() []bool {
	if t.session == nil || !t.session.onlySelects() || t.place.id == 0 {
		return nil
	}
	n := t.session.commandNames()
	if n.natural || n.stars[""] || n.stars[t.place.name] {
		return nil
	}
	out := make([]bool, len(t.columns))
	for i := range t.columns {
		if c := &t.columns[i]; c.declared >= 0 && t.def.Columns[c.declared].Virtual {
			return nil // it is computed from others
		}
	}
	for _, named := range n.columns {
		if named.qualifier != "" && named.qualifier != t.place.name {
			continue
		}
		for i := range t.columns {
			if strings.EqualFold(t.columns[i].name, named.name) {
				out[i] = true
			}
		}
	}
	return out
}

// onlySelects reports whether the running command reads and locks nothing.
func (s *Session) onlySelects() bool {
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
	if needed == nil || len(c.Parts) != 1 || c.Parts[0].Declared != nil || c.PrimaryKey && c.Spans.IsPoint() && len(t.def.PrimaryKey) == 1 {
		return nil
	}
	out := t.coveredByKey(needed)
	if out == nil || c.PrimaryKey && out.column >= 0 {
		return nil
	}
	if c.PrimaryKey {
		return out
	}
	if c.Parts[0].Repeats() {
		return nil
	}
	if out.column < 0 {
		return out
	}
	col := &t.columns[out.column]
	if col.keypath.String() != c.Column.Keypath || c.Column.Shape == pushdown.ShapeJSON || !t.readFromEntries(col) {
		return nil
	}
	return out
}

// coveredByKey is how rows are made of keys and one column at most: nil if more is
// needed.
func (t *Table) coveredByKey(needed []bool) *covered {
	out := &covered{needed: needed, column: -1}
	for i, is := range needed {
		c := &t.columns[i]
		switch {
		case !is:
		case c.declared >= 0 && t.def.isKey(c.declared):
			out.key = true
		case out.column >= 0 || c.document || c.key:
			return nil
		default:
			out.column = i
		}
	}
	if out.key && !t.def.keyTells() {
		return nil
	}
	return out
}

// scansKeys is how the rows of all documents are made of their keys; nil if they can't
// be.
func (t *Table) scansKeys(ctx *sql.Context) *covered {
	if !usesIndex(ctx) {
		return nil
	}
	needed := t.needed()
	if needed == nil {
		return nil
	}
	out := t.coveredByKey(needed)
	if out == nil || out.column >= 0 {
		return nil
	}
	return out
}

// keyTells reports whether an encoded primary key tells its columns' values as the
// documents do.
func (d *definition) keyTells() bool {
	for _, k := range d.PrimaryKey {
		c := &d.columns[k]
		_, text := c.typ.(textType)
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
	i := &coveredIter{table: t, at: p, from: r, covered: p.covered}
	if p.order != nil {
		return i, t.coveredInOrder(i, p, r)
	}
	part := &p.candidate.Parts[0]
	if part.PrimaryKey {
		i.walk = keysOfDocuments{t.def.collection.ScanKeys(r, part.Spans, tables.ScanOptions{})}
		return i, nil
	}
	number, versions, err := p.resolve(t, r, part)
	if err != nil {
		return nil, err
	}
	if versions == nil {
		return sql.RowsToRowIter(), nil
	}
	i.values = t.def.collection.Entries(r, number, versions, tables.ScanOptions{})
	i.walk = i.values
	if i.column >= 0 {
		i.reader = t.def.entryReader(&t.columns[i.column])
	}
	return i, nil
}
