package syntax

import (
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// groupedSelect changes a SELECT with aggregates or GROUP BY where the plan builder would take one expression for
// another: it finds built expressions by their lower-cased text. The aggregates that its subqueries take from it are
// in lent, or that is nil.
func groupedSelect(s *ast.Select, lent *aggregateBlock) {
	defer lent.lend(s)
	windowsOverGroups(s)
	inlineWindows(s)
	distinguishWindows(s)
	parts := selectParts(s)
	aggregates := 0
	for _, p := range parts {
		aggregates += len(aggregatesOf(*p))
	}
	if aggregates == 0 && len(s.GroupBy) == 0 {
		return
	}
	groupByConstants(s)
	distinguishLiterals(parts)
	distinguishSeparators(parts)
	distinguishCounts(s)
	distinguishRepeated(s)
	seeFromHaving(s)
}

// selectParts returns the expressions of a SELECT that are evaluated over groups.
func selectParts(s *ast.Select) []*ast.Expr {
	var out []*ast.Expr
	for _, e := range s.SelectExprs {
		if a, ok := e.(*ast.AliasedExpr); ok {
			out = append(out, &a.Expr)
		}
	}
	for i := range s.GroupBy {
		out = append(out, &s.GroupBy[i])
	}
	if s.Having != nil {
		out = append(out, &s.Having.Expr)
	}
	for _, o := range s.OrderBy {
		out = append(out, &o.Expr)
	}
	return out
}

// walkOutside is statement.Walk without subqueries.
func walkOutside(e ast.Expr, visit func(n ast.SQLNode) bool) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if _, ok := n.(*ast.Subquery); ok {
			return false, nil
		}
		return visit(n), nil
	}, e)
}

// aggregatesOf returns the aggregates in an expression, except those over windows.
func aggregatesOf(e ast.Expr) []ast.Expr {
	var out []ast.Expr
	walkOutside(e, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if n.IsAggregate() && n.Over == nil {
				out = append(out, n)
				return false
			}
		case *ast.GroupConcatExpr:
			out = append(out, n)
			return false
		}
		return true
	})
	return out
}

func injected(e ast.Injectable, children ...ast.Expr) ast.InjectedExpr {
	return ast.InjectedExpr{Expression: e, Children: children, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

// distinguishLiterals makes strings that differ only in case distinct for the plan builder: SUM(s = 'A') is not SUM(s
// = 'a'). The values of parameters are not known here.
func distinguishLiterals(parts []*ast.Expr) {
	type literal struct {
		in *ast.Expr
		v  *ast.SQLVal
	}
	var texts, parameters []literal
	spellings := map[string]map[string]bool{}
	for _, p := range parts {
		walkOutside(*p, func(n ast.SQLNode) bool {
			if v, ok := n.(*ast.SQLVal); ok {
				switch v.Type {
				case ast.ValArg:
					parameters = append(parameters, literal{p, v})
				case ast.StrVal:
					texts = append(texts, literal{p, v})
					lower := strings.ToLower(string(v.Val))
					if spellings[lower] == nil {
						spellings[lower] = map[string]bool{}
					}
					spellings[lower][string(v.Val)] = true
				}
			}
			return true
		})
	}
	replace := func(l literal) {
		*l.in = ast.ReplaceExpr(*l.in, l.v, injected(&casedLiteral{text: ast.String(l.v)}, l.v))
	}
	for _, l := range texts {
		lower := strings.ToLower(string(l.v.Val))
		if string(l.v.Val) != lower && (len(spellings[lower]) > 1 || len(parameters) > 0) {
			replace(l)
		}
	}
	if len(texts)+len(parameters) > 1 {
		for _, l := range parameters {
			replace(l)
		}
	}
}

// casedLiteral is a string whose text differs from others even in lower case.
type casedLiteral struct {
	expression.UnaryExpression
	text string // as it stands in the statement
}

// WithResolvedChildren implements ast.Injectable. Only strings with upper case need it.
func (c *casedLiteral) WithResolvedChildren(children []any) (any, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	if l, ok := children[0].(*expression.Literal); ok {
		if s, ok := l.Value().(string); ok && strings.ToLower(s) != s {
			return c.WithChildren(l)
		}
	}
	return children[0], nil
}

// WithChildren implements sql.Expression.
func (c *casedLiteral) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	return &casedLiteral{expression.UnaryExpression{Child: children[0]}, c.text}, nil
}

// Type implements sql.Expression.
func (c *casedLiteral) Type() sql.Type { return c.Child.Type() }

// Eval implements sql.Expression.
func (c *casedLiteral) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return c.Child.Eval(ctx, row)
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *casedLiteral) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, c.Child)
}

// String implements fmt.Stringer.
func (c *casedLiteral) String() string {
	if c.Child == nil { // in a statement that is not built yet
		return c.text
	}
	text := c.Child.String()
	return text + " x" + hex.EncodeToString([]byte(text))
}

// distinguishCounts lets COUNT(1) stand beside COUNT(*) and itself: the plan builder takes the second one for a name
// of the first.
func distinguishCounts(s *ast.Select) {
	var constant []*ast.FuncExpr
	literals := 0
	for _, e := range s.SelectExprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			continue
		}
		for _, g := range aggregatesOf(a.Expr) {
			f, ok := g.(*ast.FuncExpr)
			if !ok || f.Distinct || len(f.Exprs) != 1 {
				continue
			}
			switch arg := f.Exprs[0].(type) {
			case *ast.StarExpr:
				constant = append(constant, f)
			case *ast.AliasedExpr:
				if _, ok := arg.Expr.(*ast.SQLVal); ok {
					constant = append(constant, f)
					literals++
				}
			}
		}
	}
	if literals == 0 || len(constant) < 2 {
		return
	}
	for _, f := range constant {
		arg, ok := f.Exprs[0].(*ast.AliasedExpr)
		if !ok { // COUNT(*)
			arg = &ast.AliasedExpr{Expr: ast.NewIntVal([]byte("1"))}
		}
		f.Exprs = ast.SelectExprs{&ast.AliasedExpr{Expr: injected(&calledOtherwise{name: "each", text: ast.String(arg.Expr)},
			arg.Expr)}}
	}
}

// distinguishSeparators does the same as distinguishLiterals, for the separators of GROUP_CONCAT.
func distinguishSeparators(parts []*ast.Expr) {
	spellings := map[string]map[string]bool{}
	var found []*ast.GroupConcatExpr
	for _, p := range parts {
		for _, a := range aggregatesOf(*p) {
			if g, ok := a.(*ast.GroupConcatExpr); ok && !g.Separator.DefaultSeparator {
				found = append(found, g)
				separator := g.Separator.SeparatorString
				lower := strings.ToLower(separator)
				if spellings[lower] == nil {
					spellings[lower] = map[string]bool{}
				}
				spellings[lower][separator] = true
			}
		}
	}
	for _, g := range found {
		separator := g.Separator.SeparatorString
		if len(spellings[strings.ToLower(separator)]) < 2 {
			continue
		}
		functions.ConcatenateAll(g)
		if a, ok := g.Exprs[0].(*ast.AliasedExpr); ok {
			a.Expr = injected(&calledOtherwise{name: hex.EncodeToString([]byte(separator)), text: ast.String(a.Expr)}, a.Expr)
		}
	}
}

// calledOtherwise is an expression with a unique text.
type calledOtherwise struct {
	expression.UnaryExpression
	name    string
	text    string // as it stands in the statement
	passing bool   // removed once the statement is built
}

// WithResolvedChildren implements ast.Injectable.
func (c *calledOtherwise) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if e, ok := children[0].(sql.Expression); ok {
			return c.WithChildren(e)
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
}

// WithChildren implements sql.Expression.
func (c *calledOtherwise) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	next := *c
	next.Child = children[0]
	return &next, nil
}

// Type implements sql.Expression.
func (c *calledOtherwise) Type() sql.Type { return c.Child.Type() }

// Eval implements sql.Expression.
func (c *calledOtherwise) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return c.Child.Eval(ctx, row)
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *calledOtherwise) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, c.Child)
}

// String implements fmt.Stringer.
func (c *calledOtherwise) String() string {
	if c.Child == nil { // in a statement that is not built yet
		return c.text + " " + c.name
	}
	return c.Child.String() + " " + c.name
}

// seeFromHaving makes expressions visible in HAVING that the plan builder does not find there. These are
// GROUP_CONCAT, expressions of GROUP BY, also in subqueries, and columns that subqueries within aggregates name. Over
// several tables, they are also columns that have the same name in two of them.
//
// The plan builder reads HAVING twice. First it looks for aggregates, and builds them with the columns of FROM. Then
// it builds all of HAVING with fewer columns, and finds the aggregates again by their text. So the aggregates are
// built the first time, and the second time they get the same arguments again.
func seeFromHaving(s *ast.Select) {
	if s.Having == nil {
		return
	}
	grouped, shapes := map[string]bool{}, map[string]ast.Exprs{}
	for _, g := range s.GroupBy {
		switch g.(type) {
		case *ast.ColName, *ast.SQLVal, ast.InjectedExpr:
		default:
			text := ast.String(g)
			grouped[text] = true
			if shape, ok := parameterShape(text); ok {
				shapes[shape] = append(shapes[shape], g)
			}
		}
	}
	several := len(s.From) > 1
	if len(s.From) == 1 {
		_, one := s.From[0].(*ast.AliasedTableExpr)
		several = !one
	}
	found := map[ast.Expr]*ast.FuncExpr{} // the call that replaces each expression
	chosen := map[ast.Expr]ast.Exprs{}    // the grouped expressions that may equal it
	var order []ast.Expr
	note := func(e ast.Expr, f *ast.FuncExpr) bool {
		found[e] = f
		order = append(order, e)
		return false
	}
	walkOutside(s.Having.Expr, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.GroupConcatExpr:
			if f, ok := concatenation(n); ok {
				return note(n, f)
			}
			return false
		case *ast.FuncExpr:
			if n.IsAggregate() {
				if n.Over == nil && (several || hasSubquery(n)) {
					return note(n, n)
				}
				return false
			}
		case ast.InjectedExpr:
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok || len(grouped) == 0 {
			return true
		}
		text := ast.String(e)
		if grouped[text] {
			return note(e, anyValue(e))
		}
		if shape, ok := parameterShape(text); ok && len(shapes[shape]) > 0 {
			chosen[e] = shapes[shape]
			return note(e, anyValue(e))
		}
		return true
	})
	first := columnsForHaving(s)
	if len(order)+len(first) == 0 {
		return
	}
	for _, e := range order {
		built, again := *found[e], *found[e]
		built.Exprs, again.Exprs = nil, nil
		var replaced ast.Expr = &again
		for _, arg := range found[e].Exprs {
			a, ok := arg.(*ast.AliasedExpr)
			if !ok {
				built.Exprs, again.Exprs = append(built.Exprs, arg), append(again.Exprs, arg)
				continue
			}
			kept := &keptArgument{text: ast.String(a.Expr)}
			again.Exprs = append(again.Exprs, &ast.AliasedExpr{Expr: injected(kept)})
			argument := injected(kept, a.Expr)
			if same := chosen[e]; len(same) > 0 {
				choice := &groupedChoice{kept: kept, grouped: &again, plain: e, taken: ast.Exprs{&again}}
				replaced = injected(lastOf{kept.text}, choice.taken...)
				argument = injected(choice, append(ast.Exprs{e}, same...)...)
			}
			built.Exprs = append(built.Exprs, &ast.AliasedExpr{Expr: argument})
		}
		first = append(first, &ast.AliasedExpr{Expr: &built})
		s.Having.Expr = ast.ReplaceExpr(s.Having.Expr, e, replaced)
	}
	// The plan builder turns this function into a constant, without its arguments.
	unbuilt := &ast.FuncExpr{Name: ast.NewColIdent("icu_version"), Exprs: first}
	s.Having.Expr = injected(lastOf{ast.String(s.Having.Expr)}, unbuilt, s.Having.Expr)
}

// anyValue returns a call of ANY_VALUE.
func anyValue(e ast.Expr) *ast.FuncExpr {
	return &ast.FuncExpr{Name: ast.NewColIdent("any_value"), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: e}}}
}

// parameterName matches a parameter as the parser spells it.
var parameterName = regexp.MustCompile(`:v[0-9]+`)

// parameterShape returns the text of an expression without the numbers of its parameters; ok is false if it has none.
func parameterShape(text string) (shape string, ok bool) {
	if !strings.Contains(text, ":v") {
		return "", false
	}
	shape = parameterName.ReplaceAllString(text, ":v")
	return shape, shape != text
}

// groupedChoice decides whether an expression of HAVING equals one of GROUP BY, by the values of their parameters.
// The plan builder builds it first, with the columns of FROM. Its children are the expression and those of GROUP BY
// that differ from it in parameters alone.
type groupedChoice struct {
	kept           *keptArgument
	grouped, plain ast.Expr  // for HAVING, if one is equal and if none is
	taken          ast.Exprs // the chosen one of them, which is built in HAVING
}

// String implements fmt.Stringer.
func (c *groupedChoice) String() string { return c.kept.text }

// WithResolvedChildren implements ast.Injectable.
func (c *groupedChoice) WithResolvedChildren(children []any) (any, error) {
	built := make([]sql.Expression, len(children))
	for i, child := range children {
		e, ok := child.(sql.Expression)
		if !ok {
			return nil, sql.ErrInvalidType.New(child)
		}
		built[i] = e
	}
	text := built[0].String()
	if unboundParameter(built[0]) || slices.ContainsFunc(built[1:],
		func(e sql.Expression) bool { return strings.EqualFold(e.String(), text) }) {
		c.taken[0] = c.grouped
		return c.kept.WithResolvedChildren(children[:1])
	}
	c.taken[0] = c.plain
	return expression.NewLiteral(nil, types.Null), nil // HAVING sees the columns of every expression that is built here
}

// unboundParameter reports whether an expression has a parameter without a value, as in a prepared statement.
func unboundParameter(e sql.Expression) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		_, ok := e.(*expression.BindVar)
		return ok
	})
}

// keptArgument is an argument that is built once and returned again where it has no children.
type keptArgument struct {
	text     string // as it stands in the statement
	argument sql.Expression
}

// String implements fmt.Stringer.
func (k *keptArgument) String() string { return k.text }

// WithResolvedChildren implements ast.Injectable.
func (k *keptArgument) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		k.argument, _ = children[0].(sql.Expression)
	}
	if k.argument == nil {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), 1)
	}
	return k.argument, nil
}

// lastOf stands for the last of several expressions.
type lastOf struct {
	text string // as it stands in the statement
}

// String implements fmt.Stringer.
func (l lastOf) String() string { return l.text }

// WithResolvedChildren implements ast.Injectable.
func (lastOf) WithResolvedChildren(children []any) (any, error) {
	return children[len(children)-1], nil
}

// concatenation returns a GROUP_CONCAT as a function call, which the plan builder sees in HAVING; ok is false for one
// that is ordered by the number of an argument.
func concatenation(g *ast.GroupConcatExpr) (call *ast.FuncExpr, ok bool) {
	functions.ConcatenateAll(g)
	c := &concatenated{distinct: g.Distinct, separator: ",", text: ast.String(g)}
	if !g.Separator.DefaultSeparator {
		c.separator = g.Separator.SeparatorString
	}
	var children ast.Exprs
	for _, e := range g.Exprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil, false
		}
		children = append(children, a.Expr)
	}
	for _, o := range g.OrderBy {
		if _, number := o.Expr.(*ast.SQLVal); number {
			return nil, false
		}
		children = append(children, o.Expr)
		c.descending = append(c.descending, o.Direction == ast.DescScr)
	}
	return &ast.FuncExpr{Name: ast.NewColIdent("group_concat"),
		Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: injected(c, children...)}}}, true
}

// concatenated holds the arguments and options of a GROUP_CONCAT.
type concatenated struct {
	expression.NaryExpression // the arguments, then the expressions of ORDER BY
	distinct                  string
	separator                 string
	text                      string // as it stands in the statement
	descending                []bool // for each part of ORDER BY
}

// WithResolvedChildren implements ast.Injectable.
func (c *concatenated) WithResolvedChildren(children []any) (any, error) {
	out := make([]sql.Expression, len(children))
	for i, child := range children {
		e, ok := child.(sql.Expression)
		if !ok {
			return nil, sql.ErrInvalidType.New(child)
		}
		out[i] = e
	}
	return c.WithChildren(out...)
}

// WithChildren implements sql.Expression.
func (c *concatenated) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next := *c
	next.ChildExpressions = children
	return &next, nil
}

// Type implements sql.Expression.
func (c *concatenated) Type() sql.Type { return c.ChildExpressions[0].Type() }

// Eval implements sql.Expression. Only the aggregate is computed.
func (c *concatenated) Eval(*sql.Context, sql.Row) (interface{}, error) {
	return nil, sql.ErrInvalidArgument.New("group_concat")
}

// String implements fmt.Stringer.
func (c *concatenated) String() string {
	if c.ChildExpressions == nil { // in a statement that is not built yet
		return c.text
	}
	return "arguments of group_concat" + expression.Tuple(c.ChildExpressions).String()
}

// GroupConcatFunction returns the function that turns a concatenation into the aggregate.
func GroupConcatFunction(ctx *sql.Context) sql.Function {
	return sql.Function1{Name: "group_concat", Fn: func(e sql.Expression) sql.Expression {
		c, ok := e.(*concatenated)
		if !ok {
			return e
		}
		longest := uint64(1024)
		if v, err := ctx.GetSessionVariable(ctx, "group_concat_max_len"); err == nil {
			if n, ok := v.(uint64); ok {
				longest = n
			}
		}
		arguments := len(c.ChildExpressions) - len(c.descending)
		var order sql.SortFields
		for i, desc := range c.descending {
			f := sql.SortField{Column: c.ChildExpressions[arguments+i], Order: sql.Ascending}
			if desc {
				f.Order = sql.Descending
			}
			order = append(order, f)
		}
		return aggregation.NewGroupConcat(c.distinct, order, c.separator, c.ChildExpressions[:arguments], int(longest))
	}}
}
