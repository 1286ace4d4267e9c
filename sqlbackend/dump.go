package sqlbackend

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A dump is restored from what it was shown. Of an open table it is shown the primary key and `_doc`, which is all
// of a document; inferred columns would come back as keys, and a declared column's NULL would stand where the
// document has nothing. Generated columns of other tables are dumped as MariaDB does.
//
// A session is a dump's if it says how SHOW CREATE TABLE is to quote names, and has set the time zone to UTC by
// its offset: mysqldump and mariadb-dump do, and phpMyAdmin and Adminer do before an export. Neither is enough:
// Adminer says the first whenever it connects, and drivers say the second.

// dumpMark is what dump programs write into their SELECT.
const dumpMark = "/*!40001 SQL_NO_CACHE */"

// dumpStart is how dump programs begin, whatever their options: in a comment that only a server reads.
const dumpStart = "/*!40100 SET @@SQL_MODE="

// SetSessionVariable implements sql.Session.
func (s *Session) SetSessionVariable(ctx *sql.Context, name string, value interface{}) error {
	name, s.settings = setting.CurrentName(name), ""
	if err := checkCharacterSet(strings.ToLower(name), value); err != nil {
		return err
	}
	if old, err := s.BaseSession.GetSessionVariable(ctx, name); err == nil {
		s.undo = append(s.undo, func() {
			s.settings = ""
			_ = s.BaseSession.SetSessionVariable(ctx, name, old)
		})
	}
	switch {
	case strings.EqualFold(name, "autocommit") && s.restoring() && off(value):
		// Newer dumps put the rows of a table into one transaction.
		ctx.Warn(1105, "a dump is being read: its statements commit by themselves, and autocommit stays on")
		return nil
	case strings.EqualFold(name, "sql_quote_show_create"):
		s.dumping.quotes = true
	case strings.EqualFold(name, "time_zone"):
		s.dumping.utc = value == "+00:00"
	case strings.EqualFold(name, "sql_mode"):
		warnModes(s, value)
	}
	return s.BaseSession.SetSessionVariable(ctx, name, value)
}

// dumping is what a session has said of what a dump says.
type dumping struct{ quotes, utc, begun bool }

func (d dumping) on() bool { return d.begun || d.quotes && d.utc }

// note looks for statements that only dump programs send: that which they begin with, and the search for files of
// tablespaces before they list databases.
func (d *dumping) note(query string) {
	d.begun = d.begun || strings.HasPrefix(query, dumpStart) ||
		strings.Contains(query, "FROM INFORMATION_SCHEMA.FILES WHERE FILE_TYPE = 'UNDO LOG'")
}

// dumpColumns are the columns that a table with a document is restored from.
func dumpColumns(t *catalog.Table) []string {
	var names []string
	for i := range t.Visible() {
		if dumped(t, i) {
			names = append(names, t.Columns[i].Name)
		}
	}
	return append(names, documentColumn)
}

// dumped reports whether a declared column is one that a dump reads.
func dumped(t *catalog.Table, column int) bool {
	return !t.Open || slices.Contains(t.PrimaryKey, column)
}

// selectDumped makes the * of a dump's SELECT stand for the columns that the
// table is restored from.
func (s *Session) selectDumped(ctx *sql.Context, stmt ast.Statement, query string) {
	s.dumping.note(query)
	sel, ok := stmt.(*ast.Select)
	if !ok || len(sel.SelectExprs) != 1 || len(sel.From) != 1 || !s.dumping.on() && !strings.Contains(query, dumpMark) {
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
	t, err := s.shownTable(ctx, name.DbQualifier.String(), name.Name.String())
	if err != nil || t == nil || !t.Open {
		return
	}
	sel.SelectExprs = nil
	for _, column := range dumpColumns(t) {
		sel.SelectExprs = append(sel.SelectExprs, &ast.AliasedExpr{Expr: &ast.ColName{Name: ast.NewColIdent(column)}})
	}
}

// restoredColumns are the columns of an INSERT without a list of them that gives
// just as many values as a dump writes, but fewer than the table has columns.
func restoredColumns(t *catalog.Table, insert *ast.Insert) []string {
	rows, ok := insert.Rows.(*ast.AliasedValues)
	if !ok || len(rows.Values) == 0 {
		return nil
	}
	all, names := t.Visible(), []string(nil)
	if t.Open {
		all, names = all+1, dumpColumns(t)
	} else { // earlier versions left generated columns out
		for _, c := range t.Columns[:all] {
			if c.Generated == "" {
				names = append(names, c.Name)
			}
		}
	}
	if n := len(rows.Values[0]); n == all || n != len(names) {
		return nil
	}
	return names
}

// restoreGenerated makes DEFAULT of the values that a dump of MariaDB has for generated columns, which MariaDB
// leaves out itself when it reads one. A dump is read with the one SQL mode that it sets.
func (s *Session) restoreGenerated(ctx *sql.Context, t *catalog.Table, insert *ast.Insert) {
	rows, ok := insert.Rows.(*ast.AliasedValues)
	if !ok || !restores(ctx) {
		return
	}
	generated := func(place int) bool {
		known := true
		if len(insert.Columns) > 0 {
			place, known = t.Column(insert.Columns[place].String())
		}
		return known && t.Columns[place].Generated != ""
	}
	given := t.Visible()
	if n := len(insert.Columns); n > 0 {
		given = n
	}
	for i := range given {
		if !generated(i) {
			continue
		}
		for _, row := range rows.Values {
			if len(row) == given {
				row[i] = &ast.Default{}
			}
		}
	}
}

// restores reports whether the session has the SQL mode that dumps set, and no other.
func restores(ctx *sql.Context) bool {
	return strings.EqualFold(sql.LoadSqlMode(ctx).String(), "NO_AUTO_VALUE_ON_ZERO")
}

// leftOut is a statement that does nothing but to warn, with a code that is not 0.
type leftOut struct {
	failingStatement
	code int
	why  string
}

func leaveOut(code int, why string) ast.Statement {
	return ast.InjectedStatement{Statement: leftOut{code: code, why: why},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

// leavesOut reports whether a dump's statement is left out: it changes tables of the database mysql, which the dump
// has chosen.
func leavesOut(ctx *sql.Context, stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.DDL, *ast.AlterTable, *ast.Insert, *ast.LockTables:
		return strings.EqualFold(ctx.GetCurrentDatabase(), "mysql") && restores(ctx)
	}
	return false
}

// keyIsThere takes ADD PRIMARY KEY (_id) out of a dump's ALTER TABLE, where _id is the key already: phpMyAdmin's dumps
// make tables without their keys, and add them behind the rows. It reports whether nothing is left of the statement.
func (s *Session) keyIsThere(ctx *sql.Context, stmt ast.Statement) bool {
	alter, ok := stmt.(*ast.AlterTable)
	if !ok || !restores(ctx) {
		return false
	}
	view, err := s.definitions()
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

// keyOfDump is the place of the column _id that a dump's CREATE TABLE without a primary key has, or -1.
func keyOfDump(ctx *sql.Context, schema sql.PrimaryKeySchema) int {
	if len(schema.PkOrdinals) > 0 || !restores(ctx) {
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

// restoredDocument reports whether a column is what MariaDB dumps of a JSON column named _doc: LONGTEXT and a check.
func restoredDocument(ctx *sql.Context, c *sql.Column) bool {
	return types.IsTextOnly(c.Type) && restores(ctx)
}

// restoring reports whether the session has all the settings that dumps begin with.
func (s *Session) restoring() bool {
	set := func(name string) bool {
		v, err := s.GetSessionVariable(nil, name)
		return err == nil && off(v)
	}
	return setting.OfSession(s, "sql_mode") == "no_auto_value_on_zero" && set("unique_checks") && set("foreign_key_checks")
}

// off reports whether a setting that is on or off is off.
func off(value any) bool {
	v, _, err := types.Int8.Convert(context.Background(), value)
	return err == nil && v == int8(0)
}

// inBatches reports whether a statement that is too large for a transaction is committed in batches: it was asked for,
// or the statement is a dump's.
func (s *Session) inBatches() bool {
	return setting.OfSession(s, setting.BulkWrites) == "batched" || s.restoring()
}
