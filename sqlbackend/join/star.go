package join

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Stars replaces * and t.* by the columns' names where NATURAL or USING joins declared tables. The plan builder
// would show a column twice that the first two of three tables share, and would put joined columns before the others
// of t.*.
func Stars(s *session.Session, ctx *sql.Context, stmt ast.Statement, query string) {
	if !statement.Holds(query, "join") || !strings.Contains(query, "*") {
		return
	}
	switch n := stmt.(type) {
	case *ast.Explain:
		stmt = n.Statement
	case *ast.DDL:
		switch {
		case n.OptSelect != nil: // CREATE TABLE ... SELECT
			stmt = n.OptSelect.Select
		case n.ViewSpec != nil:
			stmt = n.ViewSpec.ViewExpr
		default:
			return
		}
	}
	common, joins := map[string]bool{}, false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if j, ok := n.(*ast.JoinTableExpr); ok && j != nil {
			joins = joins || isNatural(j) || len(j.Condition.Using) > 0
		}
		if w, ok := n.(*ast.With); ok && w != nil {
			for _, e := range w.Ctes {
				common[strings.ToLower(e.As.String())] = true
			}
		}
		return true, nil
	}, stmt)
	if !joins { // reading definitions takes time
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if q, ok := n.(*ast.Select); ok && q != nil {
			j := starTables{session: s, ctx: ctx, database: ctx.GetCurrentDatabase(), common: common,
				of: map[string][]starColumn{}}
			j.expand(q)
		}
		return true, nil
	}, stmt)
}

// starColumn is a column of a table in FROM; table is its alias or name there.
type starColumn struct{ table, column string }

// starTables are the tables in a FROM.
type starTables struct {
	session  *session.Session
	ctx      *sql.Context
	database string
	common   map[string]bool         // names of common table expressions
	of       map[string][]starColumn // by the table's name
	joins    bool                    // there is a NATURAL join or USING
	views    int                     // depth of the views around the FROM
}

func (j *starTables) expand(q *ast.Select) {
	stars := false
	for _, e := range q.SelectExprs {
		_, star := e.(*ast.StarExpr)
		stars = stars || star
	}
	if !stars {
		return
	}
	var all []starColumn
	for _, from := range q.From {
		columns, ok := j.columns(from)
		if !ok {
			return
		}
		all = append(all, columns...)
	}
	if !j.joins {
		return
	}
	var out ast.SelectExprs
	for _, e := range q.SelectExprs {
		star, ok := e.(*ast.StarExpr)
		if !ok {
			out = append(out, e)
			continue
		}
		columns := all
		if !star.TableName.IsEmpty() {
			if columns, ok = j.of[strings.ToLower(star.TableName.Name.String())]; !ok {
				return
			}
		}
		for _, c := range columns {
			e := &ast.AliasedExpr{InputExpression: c.column, Expr: &ast.ColName{Name: ast.NewColIdent(c.column),
				Qualifier: ast.TableName{Name: ast.NewTableIdent(c.table)}}}
			if star.TableName.IsEmpty() && len(q.SelectExprs) == 1 { // without it, it might be another table's
				e.As = ast.NewColIdent(c.column)
			}
			out = append(out, e)
		}
	}
	q.SelectExprs = out
	j.session.Rewrote = true
}

// columns returns the columns of a table expression, in MySQL's order. It is false if a table is not declared.
func (j *starTables) columns(e ast.TableExpr) ([]starColumn, bool) {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		if len(e.Exprs) == 1 {
			return j.columns(e.Exprs[0])
		}
	case *ast.AliasedTableExpr:
		called := e.As.String()
		var names []string
		var ok bool
		switch of := e.Expr.(type) {
		case *ast.Subquery:
			names, ok = j.selected(of.Select, of.Columns)
		case ast.TableName:
			if e.As.IsEmpty() {
				called = of.Name.String()
			}
			names, ok = j.named(of)
		}
		if _, twice := j.of[strings.ToLower(called)]; twice || !ok {
			return nil, false
		}
		var out []starColumn
		for _, name := range names {
			out = append(out, starColumn{called, name})
		}
		j.of[strings.ToLower(called)] = out
		return out, true
	case *ast.JoinTableExpr:
		left, ok := j.columns(e.LeftExpr)
		if !ok {
			return nil, false
		}
		right, ok := j.columns(e.RightExpr)
		if !ok {
			return nil, false
		}
		natural := isNatural(e)
		if !natural && len(e.Condition.Using) == 0 {
			return append(left[:len(left):len(left)], right...), true
		}
		j.joins = true
		if e.Join == ast.RightJoinStr || e.Join == ast.NaturalRightJoinStr {
			left, right = right, left
		}
		shared := map[string]bool{}
		for _, c := range e.Condition.Using {
			shared[c.Lowered()] = true
		}
		if natural {
			for _, c := range right {
				shared[strings.ToLower(c.column)] = true
			}
		}
		return together(left, right, shared)
	}
	return nil, false
}

func isNatural(j *ast.JoinTableExpr) bool {
	return j.Join == ast.NaturalJoinStr || j.Join == ast.NaturalLeftJoinStr || j.Join == ast.NaturalRightJoinStr
}

// together returns the columns of two tables joined by some columns' names; the first table's column stands for
// both. It is false where a name is ambiguous.
func together(left, right []starColumn, shared map[string]bool) ([]starColumn, bool) {
	count := func(of []starColumn) map[string]int {
		n := map[string]int{}
		for _, c := range of {
			n[strings.ToLower(c.column)]++
		}
		return n
	}
	first, second := count(left), count(right)
	both := func(c starColumn) bool {
		name := strings.ToLower(c.column)
		return shared[name] && first[name] > 0 && second[name] > 0
	}
	var out []starColumn
	for _, c := range left {
		if both(c) {
			if name := strings.ToLower(c.column); first[name] > 1 || second[name] > 1 {
				return nil, false
			}
			out = append(out, c)
		}
	}
	for _, c := range left {
		if !both(c) {
			out = append(out, c)
		}
	}
	for _, c := range right {
		if !both(c) {
			out = append(out, c)
		}
	}
	return out, true
}
