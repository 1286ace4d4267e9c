package information

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A dump is restored from the rows that it has read. Of an open table it reads the primary key and `_doc`, which
// holds the whole document. Inferred columns would come back as keys, and a declared column's NULL would stand where
// the document has no value. Generated columns of other tables are dumped as MariaDB does.
//
// A session is a dump's if it has set how SHOW CREATE TABLE is to quote names, and the time zone to UTC by its
// offset. mysqldump and mariadb-dump do both, and phpMyAdmin and Adminer before an export. Neither is enough: Adminer
// always sets the first when it connects, and drivers set the second.

// dumpMark is the comment that dump programs write into their SELECT.
const dumpMark = "/*!40001 SQL_NO_CACHE */"

// SelectDumped makes the * of a dump's SELECT stand for the columns that the
// table is restored from.
func SelectDumped(s *session.Session, ctx *sql.Context, stmt ast.Statement, query string) {
	s.Dumping.Note(query)
	sel, ok := stmt.(*ast.Select)
	if !ok || len(sel.SelectExprs) != 1 || len(sel.From) != 1 || !s.Dumping.On() && !strings.Contains(query, dumpMark) {
		return
	}
	_, star := sel.SelectExprs[0].(*ast.StarExpr)
	from, ok := sel.From[0].(*ast.AliasedTableExpr)
	if !star || !ok {
		return
	}
	name, ok := from.Expr.(ast.TableName)
	if !ok {
		return
	}
	t, err := ShownTable(s, ctx, name.DbQualifier.String(), name.Name.String())
	if err != nil || t == nil || !t.Open {
		return
	}
	sel.SelectExprs = nil
	for _, column := range table.DumpColumns(t) {
		sel.SelectExprs = append(sel.SelectExprs, &ast.AliasedExpr{Expr: &ast.ColName{Name: ast.NewColIdent(column)}})
	}
}

// leftOut is a statement that does nothing but to warn, with a code that is not 0.
type leftOut struct {
	session.FailingStatement
	code int
	why  string
}

// LeaveOut is a statement that does nothing but to warn, with a code that is not 0.
func LeaveOut(code int, why string) ast.Statement {
	return ast.InjectedStatement{Statement: leftOut{code: code, why: why},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

// LeavesOut reports whether a dump's statement is left out: it changes tables of the database mysql, which the dump
// has chosen.
func LeavesOut(ctx *sql.Context, stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.DDL, *ast.AlterTable, *ast.Insert, *ast.LockTables:
		return strings.EqualFold(ctx.GetCurrentDatabase(), "mysql") && table.Restores(ctx)
	}
	return false
}

// KeyIsThere removes ADD PRIMARY KEY (_id) from a dump's ALTER TABLE, if _id is the key already. phpMyAdmin's dumps
// make tables without their keys, and add them behind the rows. It reports whether nothing is left of the statement.
func KeyIsThere(s *session.Session, ctx *sql.Context, stmt ast.Statement) bool {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok || !table.Restores(ctx) {
		return false
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return false
	}
	alter.Statements = slices.DeleteFunc(alter.Statements, func(d *ast.DDL) bool {
		x := d.IndexSpec
		if x == nil || x.Action != ast.CreateStr || x.Type != ast.PrimaryStr || len(x.Columns) != 1 ||
			!strings.EqualFold(x.Columns[0].Column.String(), tables.HiddenKey) {
			return false
		}
		t, ok := view.Table(cmp.Or(alter.Table.DbQualifier.String(), ctx.GetCurrentDatabase()), alter.Table.Name.String())
		if !ok || len(t.PrimaryKey) != 1 {
			return false
		}
		return strings.EqualFold(t.Columns[t.PrimaryKey[0]].Name, tables.HiddenKey)
	})
	return len(alter.Statements) == 0
}

// KeyOfDump is the place of the column _id that a dump's CREATE TABLE without a primary key has, or -1.
func KeyOfDump(ctx *sql.Context, schema sql.PrimaryKeySchema) int {
	if len(schema.PkOrdinals) > 0 || !table.Restores(ctx) {
		return -1
	}
	return slices.IndexFunc(schema.Schema, func(c *sql.Column) bool {
		return strings.EqualFold(c.Name, tables.HiddenKey) && !c.Nullable
	})
}

// WithResolvedChildren implements ast.Injectable.
func (l leftOut) WithResolvedChildren([]any) (any, error) { return l, nil }

// WithChildren implements sql.Node.
func (l leftOut) WithChildren(...sql.Node) (sql.Node, error) { return l, nil }

// Schema implements sql.Node.
func (leftOut) Schema() sql.Schema { return types.OkResultSchema }

// RowIter implements sql.ExecSourceRel.
func (l leftOut) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	if l.code != 0 {
		ctx.Warn(l.code, "%s", l.why)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// RestoredDocument reports whether a column is as MariaDB dumps a JSON column named _doc: LONGTEXT and a check.
func RestoredDocument(ctx *sql.Context, c *sql.Column) bool {
	return types.IsTextOnly(c.Type) && table.Restores(ctx)
}

var _ privilege.Needing = leftOut{}

// Needs implements privilege.Needing.
func (leftOut) Needs(string) []accounts.Need { return nil }
