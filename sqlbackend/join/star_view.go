package join

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// starViews is how deeply views in views are read.
const starViews = 16

// named returns the columns of a declared table or a view.
func (j *starTables) named(name ast.TableName) ([]string, bool) {
	if name.DbQualifier.IsEmpty() {
		if j.common[strings.ToLower(name.Name.String())] {
			return nil, false
		}
		name.DbQualifier = ast.NewTableIdent(j.database)
	}
	if def := table.NamedTable(j.session, j.ctx, name); def != nil {
		var out []string
		for i := range def.Visible() {
			out = append(out, def.Columns[i].Name)
		}
		return out, !def.Open
	}
	definitions, err := j.session.Readers.Definitions()
	if err != nil || j.views == starViews {
		return nil, false
	}
	view, ok := definitions.View(name.DbQualifier.String(), name.Name.String())
	if !ok || sql.NewSqlModeFromString(view.SQLMode).ParserOptions() != (ast.ParserOptions{}) {
		return nil, false
	}
	parsed, err := j.session.Backend.Engine.Parser.ParseSimple(view.CreateStatement)
	create, ok := parsed.(*ast.DDL)
	if err != nil || !ok || create.ViewSpec == nil {
		return nil, false
	}
	within := starTables{session: j.session, ctx: j.ctx, database: view.Database, views: j.views + 1}
	return within.selected(create.ViewSpec.ViewExpr, create.ViewSpec.Columns)
}

// selected returns the names of a query's columns: the given ones, if any.
func (j *starTables) selected(query ast.SelectStatement, given ast.Columns) (out []string, ok bool) {
	if len(given) > 0 {
		for _, c := range given {
			out = append(out, c.String())
		}
		return out, true
	}
	switch q := query.(type) {
	case *ast.ParenSelect:
		return j.selected(q.Select, nil)
	case *ast.SetOp:
		return j.selected(q.Left, nil)
	case *ast.Select:
		if q.With != nil {
			return nil, false
		}
		from := starTables{session: j.session, ctx: j.ctx, database: j.database, common: j.common, views: j.views,
			of: map[string][]starColumn{}}
		for _, e := range q.SelectExprs {
			names, ok := from.selectedBy(q, e)
			if !ok {
				return nil, false
			}
			out = append(out, names...)
		}
		return out, true
	}
	return nil, false
}

// selectedBy returns the column names of one item of a select list.
func (j *starTables) selectedBy(q *ast.Select, e ast.SelectExpr) (out []string, ok bool) {
	switch e := e.(type) {
	case *ast.AliasedExpr:
		name := e.As.String()
		if c, column := e.Expr.(*ast.ColName); column && name == "" {
			name = c.Name.String()
		}
		if name == "" { // the planner names it
			name = e.InputExpression
		}
		_, literal := e.Expr.(*ast.SQLVal)
		plain := !literal && len(name) <= 64 && name == strings.TrimSpace(name) && !strings.ContainsAny(name, `'"\`)
		return []string{name}, name != "" && (plain || !e.As.IsEmpty())
	case *ast.StarExpr:
		clear(j.of)
		var columns []starColumn
		for _, t := range q.From {
			of, ok := j.columns(t)
			if !ok {
				return nil, false
			}
			columns = append(columns, of...)
		}
		if !e.TableName.IsEmpty() {
			if columns, ok = j.of[strings.ToLower(e.TableName.Name.String())]; !ok {
				return nil, false
			}
		}
		for _, c := range columns {
			out = append(out, c.column)
		}
		return out, true
	}
	return nil, false
}
