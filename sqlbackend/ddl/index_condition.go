package ddl

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// CREATE INDEX IF NOT EXISTS and DROP INDEX IF EXISTS are MariaDB's, and the engine's parser does not know them. It
// reads them without the condition, which is then noted in the parsed statement. The same applies to an ALTER TABLE
// with one such clause.

// conditionalIndex reports whether the running statement makes or drops an index with such a condition.
func conditionalIndex(s *session.Session) bool { return table.Conditional(s) != nil }

// partialIndexes returns such indexes of a table as in the statements that made them.
func partialIndexes(s *session.Session, ctx *sql.Context, name ast.TableName) (out []catalog.Index) {
	t := table.NamedTable(s, ctx, name)
	if t == nil {
		return nil
	}
	d, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return nil
	}
	for i := range t.Indexes {
		idx := &t.Indexes[i]
		if !table.Partial(d, idx) {
			continue
		}
		told := catalog.Index{Name: idx.Name, Unique: idx.Unique, Comment: idx.Comment}
		for n := range idx.Columns {
			column, length, expression := table.ShownPartOf(d, idx, n)
			if expression != "" {
				column = syntax.KeyMark + expression
			}
			told.Columns, told.Lengths = append(told.Columns, column), append(told.Lengths, length)
		}
		out = append(out, told)
	}
	return out
}
