package table

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// RowOf makes the row of a document that lies elsewhere than the table's own.
func (t *Table) RowOf(ctx *sql.Context, d document.Document) (sql.Row, error) {
	return t.row(ctx, nil, d)
}

// Composed is the document of a row that an INSERT gives.
func (t *Table) Composed(ctx *sql.Context, row sql.Row) (document.Document, error) {
	d, err := t.compose(ctx, row)
	if err != nil {
		return d, err
	}
	return t.finish(ctx, d)
}

// Changed is the document that an UPDATE makes of the one from which its old row was read.
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

// NameWritten notes which columns the running statement gives values to.
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
