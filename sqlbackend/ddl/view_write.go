package ddl

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// INSERT, REPLACE, UPDATE and DELETE of a plain view become statements about its table before they are planned. A
// plain view reads one table, its columns are the table's or computed from them, and its condition has no subqueries.
// So all rules of the table, such as its checks, apply. Writes to other views are refused.

// MySQL's error numbers for columns of views.
const (
	errNonUpdatableColumn = 1348
	errViewInvalid        = 1356
)

// viewLevels bounds the levels of views over views in such a statement.
const viewLevels = 32

// writtenView is a plain view.
type writtenView struct {
	table ast.TableName // with its database name
	// columnsOf has the table's columns, in lower case; nil if it may have any.
	columnsOf map[string]bool
	columns   map[string]ast.Expr
	order     []string // names of columns in order; nil means those of the table
	where     ast.Expr
	checked   bool // WITH CHECK OPTION
}

// ByViews rewrites a statement about views as one about their tables.
func ByViews(s *session.Session, ctx *sql.Context, stmt ast.Statement) (ast.Statement, error) {
	if x, ok := stmt.(*ast.Explain); ok {
		switch x.Statement.(type) {
		case *ast.Insert, *ast.Update, *ast.Delete:
		default:
			return stmt, nil
		}
		next := *x
		var err error
		next.Statement, err = ByViews(s, ctx, x.Statement)
		return &next, err
	}
	for range viewLevels {
		next, err := byView(s, ctx, stmt)
		if next == nil || err != nil {
			return stmt, err
		}
		// The view's definer is not known: the writer needs the privileges for the tables that the view reads as
		// well.
		if privilege.Authorize(s, ctx, next) != nil {
			return stmt, mysql.NewSQLError(errViewInvalid, "HY000", "View '%s' references invalid table(s) or column(s) "+
				"or function(s) or definer/invoker of view lack rights to use them", writtenTo(stmt))
		}
		stmt, s.Rewrote = next, true
	}
	return stmt, nil
}

// writtenTo returns the name of a statement's target as the statement spells it.
func writtenTo(stmt ast.Statement) string {
	switch n := stmt.(type) {
	case *ast.Insert:
		return ast.String(n.Table)
	case *ast.Update:
		return ast.String(n.TableExprs[0].(*ast.AliasedTableExpr).Expr)
	case *ast.Delete:
		return ast.String(n.TableExprs[0].(*ast.AliasedTableExpr).Expr)
	}
	return ""
}

// namesDefaults reports whether a statement has DEFAULT(column), whose column would be the view's.
func namesDefaults(stmt ast.Statement) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Default:
			found = found || n != nil && n.ColName != ""
		case *ast.FuncExpr:
			found = found || n != nil && n.Name.EqualString(syntax.DefaultOf)
		}
		return true, nil
	}, stmt)
	return found
}

// byView rewrites a statement as one about the view's table; nil if it is about no plain view.
func byView(s *session.Session, ctx *sql.Context, stmt ast.Statement) (ast.Statement, error) {
	switch n := stmt.(type) {
	case *ast.Insert:
		v, is := plainView(s, ctx, n.Table)
		if v != nil && namesDefaults(n) {
			return nil, errDefaultOfView
		}
		if v != nil {
			return insertByView(n, v)
		}
		if is {
			return nil, mysql.NewSQLError(companion.ErrNonInsertable, "HY000",
				"The target table %s of the %s is not insertable-into",
				n.Table.Name, strings.ToUpper(n.Action))
		}
	case *ast.Update:
		if len(n.TableExprs) != 1 {
			return nil, nil
		}
		t, ok := n.TableExprs[0].(*ast.AliasedTableExpr)
		if !ok {
			return nil, nil
		}
		if name, ok := t.Expr.(ast.TableName); ok {
			v, is := plainView(s, ctx, name)
			if v != nil && namesDefaults(n) {
				return nil, errDefaultOfView
			}
			if v != nil && !readsOther(n, t, newReading(v, t, name).name) {
				return updateByView(n, t, name, v)
			}
			if is {
				return nil, errNotUpdatable(name, "UPDATE")
			}
		}
	case *ast.Delete:
		if len(n.TableExprs) != 1 || len(n.Targets) > 1 {
			return nil, nil
		}
		t, ok := n.TableExprs[0].(*ast.AliasedTableExpr)
		if !ok {
			return nil, nil
		}
		if name, ok := t.Expr.(ast.TableName); ok {
			v, is := plainView(s, ctx, name)
			if v != nil && namesDefaults(n) {
				return nil, errDefaultOfView
			}
			if v != nil && !readsOther(n, t, v.table.Name.String()) && !readsOther(n, t, newReading(v, t, name).name) {
				return deleteByView(n, t, name, v)
			}
			if is {
				return nil, errNotUpdatable(name, "DELETE")
			}
		}
	}
	return nil, nil
}

func errNotUpdatable(view ast.TableName, operation string) error {
	return mysql.NewSQLError(companion.ErrNonUpdatable, "HY000", "The target table %s of the %s is not updatable",
		view.Name,
		operation)
}

// readsOther reports whether a statement has another table of that name: in a subquery over that table, the view's
// columns would be read from it.
func readsOther(stmt ast.Statement, than *ast.AliasedTableExpr, name string) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && t != nil && t != than {
			called := t.As.String()
			if of, ok := t.Expr.(ast.TableName); ok && called == "" {
				called = of.Name.String()
			}
			found = found || strings.EqualFold(called, name)
		}
		return true, nil
	}, stmt)
	return found
}

// plainView returns the view of that name, nil if it is not plain; is reports whether there is such a view.
func plainView(s *session.Session, ctx *sql.Context, name ast.TableName) (v *writtenView, is bool) {
	database := name.DbQualifier.String()
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	if known := s.Backend.Catalog.Cached(); known != nil {
		if _, table := known.Table(database, name.Name.String()); table { // most are; reading definitions takes time
			return nil, false
		}
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, false
	}
	if _, table := view.Table(database, name.Name.String()); table {
		return nil, false
	}
	def, ok := view.View(database, name.Name.String())
	if !ok {
		return nil, false
	}
	d := ViewDefinition(def)
	if sql.NewSqlModeFromString(d.SqlMode).ParserOptions() != (ast.ParserOptions{}) {
		return nil, true
	}
	parsed, err := s.Backend.Engine.Parser.ParseSimple(d.CreateViewStatement)
	create, ok := parsed.(*ast.DDL)
	if err != nil || !ok || create.ViewSpec == nil {
		return nil, true
	}
	spec := create.ViewSpec
	if strings.EqualFold(spec.Algorithm, "temptable") || strings.EqualFold(spec.Security, "invoker") ||
		!information.UpdatableView(spec.ViewExpr) {
		return nil, true
	}
	if v = readPlainView(spec, database); v == nil {
		return nil, true
	}
	var all []string // the columns of *
	if of, ok := view.Table(v.table.DbQualifier.String(), v.table.Name.String()); ok && !of.Open {
		v.columnsOf = map[string]bool{}
		for i := range of.Columns {
			v.columnsOf[strings.ToLower(of.Columns[i].Name)] = true
		}
		for i := range of.Visible() {
			all = append(all, of.Columns[i].Name)
		}
	} else if within, _ := plainView(s, ctx, v.table); within != nil {
		v.columnsOf = map[string]bool{}
		for _, name := range within.order {
			v.columnsOf[strings.ToLower(name)] = true
		}
		all = within.order
	}
	if v.order != nil {
		return v, true
	}
	for _, name := range all {
		v.add(name, &ast.ColName{Name: ast.NewColIdent(name)})
	}
	if len(all) == 0 {
		return nil, true
	}
	return v, true
}

// mayHave reports whether the table may have a column.
func (v *writtenView) mayHave(name ast.ColIdent) bool {
	return v.columnsOf == nil || v.columnsOf[name.Lowered()]
}

func (v *writtenView) add(name string, of ast.Expr) {
	v.order = append(v.order, name)
	v.columns[strings.ToLower(name)] = of
}

// readPlainView reads a view's definition; nil if it is not plain.
func readPlainView(spec *ast.ViewSpec, database string) *writtenView {
	q, ok := spec.ViewExpr.(*ast.Select)
	if !ok || q.With != nil || q.Limit != nil || len(q.Window) > 0 || len(q.From) != 1 {
		return nil
	}
	t, ok := q.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil
	}
	table, ok := t.Expr.(ast.TableName)
	if !ok {
		return nil
	}
	called := table.Name.String()
	if !t.As.IsEmpty() {
		called = t.As.String()
	}
	if table.DbQualifier.IsEmpty() {
		table.DbQualifier = ast.NewTableIdent(database)
	}
	v := &writtenView{table: table, columns: map[string]ast.Expr{}, checked: spec.CheckOption != ""}
	plain := true
	bare := func(e ast.Expr) ast.Expr { // in terms of a row of the table
		return rollup.Copied(e, func(x ast.Expr) ast.Expr {
			switch x := x.(type) {
			case *ast.ColName:
				plain = plain && (x.Qualifier.IsEmpty() || strings.EqualFold(x.Qualifier.Name.String(), called))
				return &ast.ColName{Name: x.Name}
			case *ast.Subquery, *ast.ExistsExpr:
				plain = false
			}
			return nil
		})
	}
	for i, e := range q.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			if len(q.SelectExprs) > 1 || len(spec.Columns) > 0 {
				return nil
			}
		case *ast.AliasedExpr:
			name := e.As.String()
			if c, ok := e.Expr.(*ast.ColName); ok && name == "" {
				name = c.Name.String()
			}
			if i < len(spec.Columns) {
				name = spec.Columns[i].String()
			}
			if name == "" {
				return nil
			}
			v.add(name, bare(e.Expr))
		default:
			return nil
		}
	}
	if q.Where != nil {
		v.where = bare(q.Where.Expr)
	}
	if !plain {
		return nil
	}
	return v
}

// viewReading is a view that a statement reads by a name.
type viewReading struct {
	*writtenView
	name string
	as   string // the name of the table in its place
	err  error
}

// column returns the table's column behind an assigned column of the view.
func (v *writtenView) column(name ast.ColIdent) (*ast.ColName, error) {
	switch of := v.columns[name.Lowered()].(type) {
	case *ast.ColName:
		return of, nil
	case nil:
		return nil, mysql.NewSQLError(mysql.ERBadFieldError, "42S22", "Unknown column '%s' in 'field list'", name)
	}
	return nil, mysql.NewSQLError(errNonUpdatableColumn, "HY000", "Column '%s' is not updatable", name)
}

// in returns an expression of the statement with the table's columns in the place of the view's. Bare names in
// subqueries belong to the tables there. A name is refused if it might be a column of the table that the view lacks
// or has as another expression.
func (r *viewReading) in(e ast.Expr) ast.Expr { return rollup.Copied(e, r.instead(false)) }

func (r *viewReading) instead(within bool) func(ast.Expr) ast.Expr {
	return func(x ast.Expr) ast.Expr {
		switch x := x.(type) {
		case *ast.ColName:
			if strings.HasPrefix(x.Name.String(), "@") ||
				!x.Qualifier.IsEmpty() && !strings.EqualFold(x.Qualifier.Name.String(), r.name) {
				return nil
			}
			if x.Qualifier.IsEmpty() && within {
				if of, same := r.columns[x.Name.Lowered()].(*ast.ColName); (!same || !of.Name.Equal(x.Name)) &&
					r.mayHave(x.Name) &&
					r.err == nil {
					r.err = mysqlerr.Unsupported("a subquery in a statement that writes to a view needs the table of `%s` "+
						"named",
						x.Name)
				}
				return nil
			}
			of, ok := r.columns[x.Name.Lowered()]
			if !ok {
				if r.err == nil {
					r.err = mysql.NewSQLError(mysql.ERBadFieldError, "42S22", "Unknown column '%s' in 'where clause'", x.Name)
				}
				return nil
			}
			return r.own(of)
		case *ast.Subquery:
			if !within {
				return rollup.Copied[ast.Expr](x, func(y ast.Expr) ast.Expr {
					if y == ast.Expr(x) {
						return nil
					}
					return r.instead(true)(y)
				})
			}
		}
		return nil
	}
}

// own returns an expression of the view over the table as the statement calls it.
func (r *viewReading) own(e ast.Expr) ast.Expr {
	of := ast.TableName{Name: ast.NewTableIdent(r.as)}
	return rollup.Copied(e, func(x ast.Expr) ast.Expr {
		if c, ok := x.(*ast.ColName); ok {
			return &ast.ColName{Name: c.Name, Qualifier: of}
		}
		return nil
	})
}

// filter returns the condition of the statement together with the view's.
func (r *viewReading) filter(where *ast.Where) *ast.Where {
	var all ast.Expr
	if where != nil {
		all = r.in(where.Expr)
	}
	if r.where != nil {
		of := r.own(r.where)
		if all != nil {
			of = &ast.AndExpr{Left: &ast.ParenExpr{Expr: of}, Right: &ast.ParenExpr{Expr: all}}
		}
		all = of
	}
	if all == nil {
		return nil
	}
	return ast.NewWhere(ast.WhereStr, all)
}

func (r *viewReading) order(by ast.OrderBy) ast.OrderBy {
	var out ast.OrderBy
	for _, o := range by {
		next := *o
		next.Expr = r.in(o.Expr)
		out = append(out, &next)
	}
	return out
}

// source returns the table under the name that the view has in the statement.
func (r *viewReading) source(t *ast.AliasedTableExpr) ast.TableExprs {
	next := *t
	next.Expr, next.As, next.Hints = r.table, ast.NewTableIdent(r.name), nil
	return ast.TableExprs{&next}
}

func newReading(v *writtenView, t *ast.AliasedTableExpr, name ast.TableName) *viewReading {
	r := &viewReading{writtenView: v, name: name.Name.String()}
	if !t.As.IsEmpty() {
		r.name = t.As.String()
	}
	r.as = r.name
	return r
}

func updateByView(n *ast.Update, t *ast.AliasedTableExpr, name ast.TableName, v *writtenView) (ast.Statement, error) {
	if v.checked {
		return nil, errChecked()
	}
	r := newReading(v, t, name)
	next := *n
	next.TableExprs, next.Where, next.OrderBy = r.source(t), r.filter(n.Where), r.order(n.OrderBy)
	next.Exprs = nil
	for _, a := range n.Exprs {
		of, err := v.column(a.Name.Name)
		if err != nil {
			return nil, err
		}
		next.Exprs = append(next.Exprs, &ast.AssignmentExpr{Name: r.own(of).(*ast.ColName), Expr: r.in(a.Expr)})
	}
	return &next, r.err
}

func deleteByView(n *ast.Delete, t *ast.AliasedTableExpr, name ast.TableName, v *writtenView) (ast.Statement, error) {
	r := newReading(v, t, name)
	of := *t
	of.Expr, of.As, of.Hints = v.table, ast.TableIdent{}, nil
	r.as = v.table.Name.String() // DELETE of one table gives it no alias
	next := *n
	next.Targets, next.TableExprs = nil, ast.TableExprs{&of}
	if len(n.Targets) > 0 { // set by the parser, where a condition has a subquery
		next.Targets = ast.TableNames{{Name: v.table.Name}}
	}
	next.Where, next.OrderBy = r.filter(n.Where), r.order(n.OrderBy)
	return &next, r.err
}

func insertByView(n *ast.Insert, v *writtenView) (ast.Statement, error) {
	if v.checked {
		return nil, errChecked()
	}
	if rows, ok := n.Rows.(*ast.AliasedValues); ok && !rows.As.IsEmpty() {
		return nil, mysqlerr.Unsupported("INSERT of a view with a name for the new row is not supported")
	}
	next := *n
	next.Table = v.table
	names := n.Columns
	if len(names) == 0 && !statement.EmptyRows(n.Rows) {
		for _, name := range v.order {
			names = append(names, ast.NewColIdent(name))
		}
	}
	next.Columns = nil
	for _, name := range names {
		of, err := v.column(name)
		if err != nil {
			return nil, err
		}
		next.Columns = append(next.Columns, of.Name)
	}
	r := &viewReading{writtenView: v, as: v.table.Name.String()}
	given := n.Table.Name.String()
	next.OnDup = nil
	for _, a := range n.OnDup {
		of, err := v.column(a.Name.Name)
		if err != nil {
			return nil, err
		}
		value := rollup.Copied(a.Expr, func(x ast.Expr) ast.Expr {
			switch x := x.(type) {
			case *ast.ValuesFuncExpr:
				if c, err := v.column(x.Name.Name); err == nil {
					return &ast.ValuesFuncExpr{Name: c}
				}
			case *ast.ColName:
				if e, ok := v.columns[x.Name.Lowered()]; ok && (x.Qualifier.IsEmpty() ||
					strings.EqualFold(x.Qualifier.Name.String(), given)) {
					return r.own(e)
				}
			}
			return nil
		})
		next.OnDup = append(next.OnDup, &ast.AssignmentExpr{Name: of, Expr: value})
	}
	return &next, nil
}

var errDefaultOfView = mysqlerr.Unsupported("DEFAULT(column) in a statement that writes to a view is not supported")

func errChecked() error {
	return mysqlerr.Unsupported("INSERT and UPDATE of a view WITH CHECK OPTION are not supported")
}

// ViewDefinition returns the definition of a view in the engine's form.
func ViewDefinition(v catalog.SQLView) sql.ViewDefinition {
	return sql.ViewDefinition{
		Name:                v.Name,
		TextDefinition:      v.TextDefinition,
		CreateViewStatement: v.CreateStatement,
		SqlMode:             v.SQLMode,
	}
}
