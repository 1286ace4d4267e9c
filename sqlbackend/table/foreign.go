package table

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// RowOf makes the row of a document that is not stored in the table's own collection.
func (t *Table) RowOf(ctx *sql.Context, d document.Document) (sql.Row, error) {
	return t.row(ctx, nil, d)
}

// Composed returns the document of an INSERT's row.
func (t *Table) Composed(ctx *sql.Context, row sql.Row) (document.Document, error) {
	d, err := t.compose(ctx, row)
	if err != nil {
		return d, err
	}
	return t.finish(ctx, d)
}

// Changed returns the document after an UPDATE; before is the one that the old row was read from.
func (t *Table) Changed(ctx *sql.Context, before document.Document, old, new sql.Row) (document.Document, error) {
	after, err := t.change(ctx, before, old, new)
	if err != nil || after.Text() == before.Text() {
		return after, err
	}
	if t.Writes.Inserts { // ON DUPLICATE KEY UPDATE
		return t.duplicated(ctx, before, old, new)
	}
	return t.finish(ctx, after)
}

// NameWritten notes which columns the running statement sets.
func (t *Table) NameWritten(s *session.Session) {
	t.Writes = s.Parsed.Names().Writes[strings.ToLower(t.Def.Name)]
	if !t.Writes.Inserts || !t.Writes.Whole && len(t.Writes.Columns) == 0 {
		return
	}
	t.Named = map[string]bool{}
	if t.Writes.Whole {
		for i := range t.Columns {
			t.Named[strings.ToLower(t.Columns[i].Name)] = true
		}
	}
	for _, c := range t.Writes.Columns {
		t.Named[strings.ToLower(c)] = true
	}
}
