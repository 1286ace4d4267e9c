package sqlbackend

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
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

// leftOut is a statement by which a dump of all databases writes MariaDB's or MySQL's own tables: it does nothing.
type leftOut struct{ failingStatement }

// leavesOut reports whether a dump's statement is left out: it changes tables of the database mysql, which the dump
// has chosen.
func leavesOut(ctx *sql.Context, stmt ast.Statement) bool {
	switch stmt.(type) {
	case *ast.DDL, *ast.AlterTable, *ast.Insert, *ast.LockTables:
		return strings.EqualFold(ctx.GetCurrentDatabase(), "mysql") && restores(ctx)
	}
	return false
}

// WithResolvedChildren implements ast.Injectable.
func (l leftOut) WithResolvedChildren([]any) (any, error) { return l, nil }

// WithChildren implements sql.Node.
func (l leftOut) WithChildren(...sql.Node) (sql.Node, error) { return l, nil }

// Schema implements sql.Node.
func (leftOut) Schema() sql.Schema { return types.OkResultSchema }

// RowIter implements sql.ExecSourceRel.
func (leftOut) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	ctx.Warn(1290, "the database mysql is read-only: what a dump has of it is left out")
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
