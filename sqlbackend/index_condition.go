package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// CREATE INDEX IF NOT EXISTS and DROP INDEX IF EXISTS are MariaDB's, and the engine's parser does not know them. It
// reads them without the condition, which is then noted at what it has read. So it is with the only clause of an ALTER
// TABLE.

// conditional is the running statement, if it has such a condition; nil: it has none.
func (s *Session) conditional() *ast.DDL {
	a, ok := s.statement().(*ast.AlterTable)
	if !ok || len(a.Statements) != 1 || a.Statements[0].IndexSpec == nil || !a.Statements[0].IfExists {
		return nil
	}
	return a.Statements[0]
}

// conditionalIndex reports whether the running statement makes or drops an index where it has to.
func (s *Session) conditionalIndex() bool { return s.conditional() != nil }

// droppedIfThere is the index that the running statement drops if it is there; empty: it is no such statement.
func (s *Session) droppedIfThere() string {
	if d := s.conditional(); d != nil && d.IndexSpec.Action == ast.DropStr {
		return d.IndexSpec.ToName.String()
	}
	return ""
}

// likened is the table that the running CREATE TABLE … LIKE copies; nil: it is another statement.
func (s *Session) likened() *ast.TableName {
	ddl, ok := s.statement().(*ast.DDL)
	if !ok || ddl.OptLike == nil || len(ddl.OptLike.LikeTables) == 0 {
		return nil
	}
	return &ddl.OptLike.LikeTables[0]
}

// partial reports whether some part of an index is an expression or the beginning of a column.
func (d *definition) partial(idx *catalog.Index) bool {
	return len(idx.Lengths) > 0 || len(hiddenOf(d.Table, idx)) > 0
}

// partialIndexes are such indexes of a table, as statements that made them would tell.
func (s *Session) partialIndexes(ctx *sql.Context, name ast.TableName) (out []catalog.Index) {
	t := s.namedTable(ctx, name)
	if t == nil {
		return nil
	}
	d, err := s.backend.definitions.of(t)
	if err != nil {
		return nil
	}
	for i := range t.Indexes {
		idx := &t.Indexes[i]
		if !d.partial(idx) {
			continue
		}
		told := catalog.Index{Name: idx.Name, Unique: idx.Unique, Comment: idx.Comment}
		for n := range idx.Columns {
			column, length, expression := d.shownPartOf(idx, n)
			if expression != "" {
				column = syntax.KeyMark + expression
			}
			told.Columns, told.Lengths = append(told.Columns, column), append(told.Lengths, length)
		}
		out = append(out, told)
	}
	return out
}
