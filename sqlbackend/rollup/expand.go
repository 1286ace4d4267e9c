// Package rollup makes GROUP BY a, b WITH ROLLUP of what the plan builder knows: a UNION ALL of the same query
// grouped by a and b, by a, and by nothing, in the order of the groups with the sums behind them. So each
// level's aggregates are computed of the rows themselves, on whatever path is best for it.
package rollup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Mark is the call that stands for WITH ROLLUP at the end of GROUP BY.
const Mark = "with_rollup"

// Written is a text that is to be read by others, with WITH ROLLUP in the place of the mark.
func Written(text string) string { return strings.ReplaceAll(text, Marked, "WITH ROLLUP") }

// Marked is the mark as it stands in a text.
const Marked = ", " + Mark + "()"

// maxKeys is how many expressions may be grouped by: each is a query more.
const maxKeys = 16

// maxNodes is how many pieces the levels' syntax trees may have together: each holds the whole query, and one may be
// within another's.
const maxNodes = 1 << 17

// size is how many pieces a syntax tree has.
func size(n ast.SQLNode) int {
	count := 0
	_ = ast.Walk(func(ast.SQLNode) (bool, error) { count++; return true, nil }, n)
	return count
}

// table is the name of what the levels are together.
const table = "rollup_levels"

// Expand replaces the SELECT if it has the mark.
func Expand(s *ast.Select) error {
	n := len(s.GroupBy) - 1
	if n < 0 || !isCall(s.GroupBy[n], Mark) {
		return nil
	}
	s.GroupBy = s.GroupBy[:n]
	if n == 0 {
		return errors.New("WITH ROLLUP without GROUP BY")
	}
	if n > maxKeys {
		return fmt.Errorf("WITH ROLLUP of more than %d expressions is not supported", maxKeys)
	}
	if size(s)*(n+1) > maxNodes {
		return errors.New("WITH ROLLUP of a statement as long as this is not supported")
	}
	e := &expansion{of: s}
	if err := e.readItems(); err != nil {
		return err
	}
	for _, g := range s.GroupBy {
		if err := e.readKey(g); err != nil {
			return err
		}
	}
	if err := e.check(); err != nil {
		return err
	}
	return e.expand()
}

// expansion is what is known of a SELECT while it is replaced.
type expansion struct {
	of    *ast.Select
	items []item
	keys  []ast.Expr
	order []ast.Expr // of ORDER BY, those that are selected by the levels but not by the whole
}

// item is an expression of the select list.
type item struct {
	expr ast.Expr
	name string
	as   bool // the name is an alias
}

func (e *expansion) readItems() error {
	for _, s := range e.of.SelectExprs {
		a, ok := s.(*ast.AliasedExpr)
		if !ok {
			return errors.New("WITH ROLLUP of SELECT * is not supported: name the columns")
		}
		i := item{expr: a.Expr, name: a.As.String(), as: !a.As.IsEmpty()}
		if c, ok := a.Expr.(*ast.ColName); ok && !i.as {
			i.name = c.Name.String()
		}
		if i.name == "" {
			if i.name = a.InputExpression; i.name == "" {
				i.name = ast.String(a.Expr)
			}
		}
		e.items = append(e.items, i)
	}
	return nil
}

// readKey finds what an expression of GROUP BY stands for: it may be the number of a selected one, or its alias.
func (e *expansion) readKey(g ast.Expr) error {
	switch g := g.(type) {
	case *ast.SQLVal:
		if g.Type == ast.IntVal {
			n, ok := e.numbered(g)
			if !ok {
				return fmt.Errorf("unknown column %q in GROUP BY", g.Val)
			}
			e.keys = append(e.keys, e.items[n].expr)
			return nil
		}
	case *ast.ColName:
		// A column comes before an alias, and if the aliased expression names one of that name there is one.
		if n, ok := e.aliased(g); ok && !mentions(e.items[n].expr, g.Name) {
			e.keys = append(e.keys, e.items[n].expr)
			return nil
		}
	}
	e.keys = append(e.keys, g)
	return nil
}

// numbered is the selected expression that a number stands for.
func (e *expansion) numbered(v *ast.SQLVal) (int, bool) {
	var n int
	if _, err := fmt.Sscan(string(v.Val), &n); err != nil || n < 1 || n > len(e.items) {
		return 0, false
	}
	return n - 1, true
}

// aliased is the selected expression of which a name is the alias.
func (e *expansion) aliased(c *ast.ColName) (int, bool) {
	if !c.Qualifier.IsEmpty() {
		return 0, false
	}
	for n, i := range e.items {
		if i.as && c.Name.EqualString(i.name) {
			return n, true
		}
	}
	return 0, false
}

// check refuses what would have to be computed of all levels together, or of a key in a place that is not looked at.
func (e *expansion) check() error {
	places := []ast.SQLNode{e.of.SelectExprs, e.of.Having, e.of.OrderBy}
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if n.Name.EqualString("grouping") {
				if _, err := e.grouping(0, n); err != nil {
					return false, err
				}
			}
			if n.Over != nil {
				return false, errors.New("window functions beside WITH ROLLUP are not supported")
			}
		case *ast.Subquery:
			return false, ast.Walk(func(inner ast.SQLNode) (bool, error) {
				c, ok := inner.(*ast.ColName)
				for _, k := range e.keys {
					if ok && mentions(k, c.Name) {
						return false, errors.New("subqueries that name what is grouped by, beside WITH ROLLUP, are not supported")
					}
				}
				return true, nil
			}, n.Select)
		}
		return true, nil
	}, places...)
}

func (e *expansion) expand() error {
	order, err := e.orders()
	if err != nil {
		return err
	}
	var levels ast.SelectStatement
	for grouped := len(e.keys); grouped >= 0; grouped-- {
		level := e.level(grouped)
		if levels == nil {
			levels = level
		} else {
			levels = &ast.SetOp{Type: ast.UnionAllStr, Left: levels, Right: level}
		}
	}
	s := e.of
	together := &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: levels}, As: ast.NewTableIdent(table), Auth: ignored}
	whole := &ast.Select{Comments: s.Comments, QueryOpts: s.QueryOpts, With: s.With, From: ast.TableExprs{together},
		OrderBy: order, Limit: s.Limit, Lock: s.Lock, Into: s.Into}
	whole.QueryOpts.StraightJoinHint = false
	for n, i := range e.items {
		whole.SelectExprs = append(whole.SelectExprs,
			&ast.AliasedExpr{Expr: column("item", n), As: ast.NewColIdent(i.name), InputExpression: i.name})
	}
	*s = *whole
	return nil
}

// orders is the ORDER BY of the levels together. Without one, the rows of a group come before their sum.
func (e *expansion) orders() (ast.OrderBy, error) {
	var out ast.OrderBy
	for _, o := range e.of.OrderBy {
		by := *o
		if v, ok := o.Expr.(*ast.SQLVal); ok && v.Type == ast.IntVal {
			n, ok := e.numbered(v)
			if !ok {
				return nil, fmt.Errorf("unknown column %q in ORDER BY", v.Val)
			}
			by.Expr = column("item", n)
		} else if n, ok := e.selected(o.Expr); ok {
			by.Expr = column("item", n)
		} else if _, null := o.Expr.(*ast.NullVal); null {
			continue
		} else {
			by.Expr = column("order", len(e.order))
			e.order = append(e.order, e.withoutAliases(o.Expr, nil))
		}
		out = append(out, &by)
	}
	if len(out) > 0 || e.of.QueryOpts.Distinct {
		return out, nil
	}
	for n := range e.keys {
		out = append(out, &ast.Order{Expr: column("above", n), Direction: ast.AscScr},
			&ast.Order{Expr: column("key", n), Direction: ast.AscScr})
	}
	return out, nil
}

// selected is the selected expression that is the same as one of ORDER BY.
func (e *expansion) selected(by ast.Expr) (int, bool) {
	if c, ok := by.(*ast.ColName); ok {
		if n, ok := e.aliased(c); ok {
			return n, true
		}
	}
	for n, i := range e.items {
		if same(by, i.expr) {
			return n, true
		}
	}
	return 0, false
}

// withoutAliases is an expression with what aliases stand for in their places, but of those that spare tells of.
func (e *expansion) withoutAliases(of ast.Expr, spare func(*ast.ColName) bool) ast.Expr {
	return Copied(of, func(x ast.Expr) ast.Expr {
		switch x := x.(type) {
		case *ast.Subquery:
			return Copied(x, nil)
		case *ast.ColName:
			if n, ok := e.aliased(x); ok && (spare == nil || !spare(x)) {
				return Copied(e.items[n].expr, nil)
			}
		}
		if aggregate(x) || isCall(x, "grouping") {
			return Copied(x, nil)
		}
		return nil
	})
}

// level is the query grouped by the first keys alone.
func (e *expansion) level(grouped int) *ast.Select {
	s := Copied(e.of, nil)
	s.Comments, s.With, s.OrderBy, s.Limit, s.Lock, s.Into = nil, nil, nil, nil, "", nil
	s.SelectExprs, s.GroupBy = nil, nil
	s.QueryOpts.Distinct, s.QueryOpts.SQLCalcFoundRows = false, false
	add := func(kind string, n int, of ast.Expr) {
		s.SelectExprs = append(s.SelectExprs,
			&ast.AliasedExpr{Expr: e.at(grouped, of, typedNull), As: ast.NewColIdent(columnName(kind, n))})
	}
	for n, i := range e.items {
		add("item", n, i.expr)
	}
	for n, o := range e.order {
		add("order", n, o)
	}
	for n, k := range e.keys {
		add("key", n, k)
	}
	for n := range e.keys {
		var above ast.Expr = ast.NewIntVal([]byte("0"))
		if n >= grouped {
			above = ast.NewIntVal([]byte("1"))
		}
		if n == 0 && grouped == 0 { // a query without GROUP BY is of one row if it has an aggregate
			count := &ast.FuncExpr{Name: ast.NewColIdent("count"), Exprs: ast.SelectExprs{&ast.StarExpr{}}}
			above = &ast.ComparisonExpr{Operator: ast.GreaterEqualStr, Left: count, Right: ast.NewIntVal([]byte("0"))}
		}
		add("above", n, above)
	}
	for _, k := range e.keys[:grouped] {
		s.GroupBy = append(s.GroupBy, Copied(k, nil))
	}
	if s.Having != nil {
		s.Having.Expr = e.at(grouped, e.withoutAliases(s.Having.Expr, func(c *ast.ColName) bool {
			for _, k := range e.keys { // in HAVING what is grouped by comes before an alias
				if same(c, k) {
					return true
				}
			}
			return false
		}), func(ast.Expr) ast.Expr { return &ast.NullVal{} }) // it may not name what the level is not grouped by
	}
	return s
}

// at is an expression in the rows of a level: the keys above are NULL, but not for what aggregates are of.
func (e *expansion) at(grouped int, of ast.Expr, null func(key ast.Expr) ast.Expr) ast.Expr {
	return Copied(of, func(x ast.Expr) ast.Expr {
		if aggregate(x) {
			return Copied(x, nil)
		}
		if f, ok := x.(*ast.FuncExpr); ok && f.Name.EqualString("grouping") {
			if bits, err := e.grouping(grouped, f); err == nil {
				return bits
			}
		}
		for n, k := range e.keys {
			if !same(x, k) {
				continue
			}
			if n >= grouped {
				return null(k)
			}
			return Copied(x, nil)
		}
		if _, ok := x.(*ast.Subquery); ok {
			return Copied(x, nil)
		}
		return nil
	})
}

// grouping is GROUPING(): a bit for each argument, the last one's the lowest, that is set in rows above the
// groups of that key.
func (e *expansion) grouping(grouped int, f *ast.FuncExpr) (ast.Expr, error) {
	bits := 0
	for i, s := range f.Exprs {
		n := -1
		if a, ok := s.(*ast.AliasedExpr); ok {
			n = e.key(a.Expr)
		}
		if n < 0 {
			return nil, fmt.Errorf("Argument #%d of GROUPING function is not in GROUP BY", i) //nolint:staticcheck // MySQL's
		}
		bits *= 2
		if n >= grouped {
			bits++
		}
	}
	return ast.NewIntVal(fmt.Append(nil, bits)), nil
}

// key is which key an argument of GROUPING is, -1 if it is none.
func (e *expansion) key(of ast.Expr) int {
	if c, ok := of.(*ast.ColName); ok {
		if n, ok := e.aliased(c); ok && !mentions(e.items[n].expr, c.Name) {
			of = e.items[n].expr
		}
	}
	return slices.IndexFunc(e.keys, func(k ast.Expr) bool { return same(of, k) })
}

var ignored = ast.AuthInformation{AuthType: ast.AuthType_IGNORE}

func typedNull(key ast.Expr) ast.Expr {
	return ast.InjectedExpr{Expression: null{}, Children: ast.Exprs{Copied(key, nil)}, Auth: ignored}
}

// null is a key in the rows above its groups: it keeps its type, so that the levels have one.
type null struct{}

// WithResolvedChildren implements ast.Injectable.
func (null) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if e, ok := children[0].(sql.Expression); ok {
			return expression.NewLiteral(nil, e.Type()), nil
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New("rollup", len(children), 1)
}

func columnName(kind string, n int) string { return fmt.Sprintf("rollup_%s_%d", kind, n) }

func column(kind string, n int) ast.Expr {
	of := ast.TableName{Name: ast.NewTableIdent(table)}
	return &ast.ColName{Name: ast.NewColIdent(columnName(kind, n)), Qualifier: of}
}

func isCall(e ast.Expr, name string) bool {
	f, ok := e.(*ast.FuncExpr)
	return ok && f.Name.EqualString(name)
}

func aggregate(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncExpr:
		return e.IsAggregate() && !e.Name.EqualString("any_value")
	case *ast.GroupConcatExpr:
		return true
	}
	return false
}

// mentions reports whether an expression names a column.
func mentions(e ast.Expr, name ast.ColIdent) bool {
	found := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok && c.Name.Equal(name) {
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// same reports whether two expressions are one. A column may be named with its table and without.
func same(a, b ast.Expr) bool {
	if c, ok := a.(*ast.ColName); ok {
		d, ok := b.(*ast.ColName)
		return ok && c.Name.Equal(d.Name) && (c.Qualifier.Name.IsEmpty() || d.Qualifier.Name.IsEmpty() ||
			strings.EqualFold(c.Qualifier.Name.String(), d.Qualifier.Name.String()))
	}
	if _, ok := b.(*ast.ColName); ok {
		return false
	}
	first, second := ast.String(a), ast.String(b)
	if strings.ContainsAny(first, `'"`) {
		return first == second
	}
	return strings.EqualFold(first, second)
}
