package program

import (
	"errors"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Template is a plan with slots for the values of parameters and for the table that it is about.
type Template struct {
	root      sql.Node
	source    sql.Node             // the node that another table and its filter replace
	conjuncts []*expr              // of WHERE
	slots     map[sql.Node][]*expr // the expressions of nodes that have slots
}

// Plan is the plan that a template is made of.
type Plan struct {
	Root      sql.Node
	Source    sql.Node         // the node of the table, or the filter above that
	StandIn   sql.Node         // is kept in its place, without the state of the run
	Conjuncts []sql.Expression // the conditions of its rows
	// Shared reports of an expression that this package doesn't know that it keeps no state of its runs.
	Shared func(sql.Expression) bool
}

// New makes a template of a plan; the error is why it can't. It is for the literals at the fixed places alone: they are
// no operands of conditions or assignments, but part of the plan.
func New(ctx *sql.Context, shape *Shape, p Plan, values Values) (t *Template, fixed []int, err error) {
	root, ok, err := (&Template{source: p.Source}).made(ctx, p.Root, nil, p.StandIn)
	if err != nil || !ok {
		return nil, nil, Unknown(p.Root)
	}
	a := &aligning{Shape: shape, values: values, used: make([]bool, len(values)), pinned: make([]bool, len(values)),
		shared: p.Shared}
	t = &Template{root: root, source: p.StandIn, slots: map[sql.Node][]*expr{}}
	conjuncts := p.Conjuncts
	conditions := shape.conditions(true)
	if len(conditions) != len(conjuncts) {
		conditions = shape.conditions(false)
	}
	if len(conditions) != len(conjuncts) {
		return nil, nil, errors.New("conditions that planning changes")
	}
	for i, c := range conjuncts {
		x, err := a.expression(conditions[i], c)
		if err != nil {
			return nil, nil, err
		}
		t.conjuncts = append(t.conjuncts, x)
	}
	if a.otherwise { // which condition is which is not certain
		a.pin(shape.where.Expr)
		for i, c := range conjuncts {
			t.conjuncts[i] = &expr{is: c}
		}
	}
	if err := t.node(a, root); err != nil {
		return nil, nil, err
	}
	for i, used := range a.used {
		if !used || a.pinned[i] {
			fixed = append(fixed, i)
		}
	}
	if len(fixed) > 0 && shape.prepared {
		return nil, nil, errLiteral
	}
	return t, fixed, nil
}

// conditions are the conditions of WHERE as a plan has them, which computes what has no columns. In a SELECT's plan,
// which split is for, a BETWEEN is two.
func (s *Shape) conditions(split bool) []ast.Expr {
	if s.where == nil {
		return nil
	}
	return slices.DeleteFunc(conditionsOf(s.where.Expr, split), func(e ast.Expr) bool { return !hasColumn(e) })
}

func hasColumn(e ast.Expr) (has bool) {
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if _, is := n.(*ast.ColName); is {
			has = true
		}
		return !has, nil
	}, e)
	return has
}

func conditionsOf(e ast.Expr, split bool) []ast.Expr {
	switch n := e.(type) {
	case *ast.ParenExpr:
		return conditionsOf(n.Expr, split)
	case *ast.AndExpr:
		return append(conditionsOf(n.Left, split), conditionsOf(n.Right, split)...)
	case *ast.RangeCond:
		if split && n.Operator == ast.BetweenStr {
			from, to := between(n)
			return []ast.Expr{from, to}
		}
	}
	return []ast.Expr{e}
}

// between is the two comparisons that a BETWEEN is.
func between(n *ast.RangeCond) (from, to ast.Expr) {
	return &ast.ComparisonExpr{Operator: ast.GreaterEqualStr, Left: n.Left, Right: n.From},
		&ast.ComparisonExpr{Operator: ast.LessEqualStr, Left: n.Left, Right: n.To}
}

// node finds the slots of a node and of the nodes below it.
func (t *Template) node(a *aligning, n sql.Node) error {
	if n == t.source {
		return nil
	}
	if err := t.expressions(a, n); err != nil {
		return err
	}
	for _, c := range n.Children() {
		if err := t.node(a, c); err != nil {
			return err
		}
	}
	return nil
}

// expressions finds the slots of a node's expressions.
func (t *Template) expressions(a *aligning, n sql.Node) (err error) {
	other := Unknown(n)
	switch n := n.(type) {
	case *plan.Project, *plan.GroupBy, *plan.Having, *plan.Distinct, *plan.Sort:
		if x, ok := n.(sql.Expressioner); ok {
			return a.constants(x.Expressions())
		}
	case *plan.Limit:
		if n.CalcFoundRows || a.limit == nil {
			return other
		}
		t.slots[n], err = a.rows(n.Limit, a.limit.Rowcount)
	case *plan.Offset:
		if a.limit == nil || a.limit.Offset == nil {
			return other
		}
		t.slots[n], err = a.rows(n.Offset, a.limit.Offset)
	case *plan.TopN:
		if n.CalcFoundRows || a.limit == nil {
			return other
		}
		from := []ast.Expr{a.limit.Rowcount}
		if a.limit.Offset != nil {
			from = append(from, a.limit.Offset)
		}
		if t.slots[n], err = a.rows(n.Limit, from...); err != nil {
			return err
		}
		for _, e := range n.Expressions()[1:] {
			if err := a.constant(e); err != nil {
				return err
			}
			t.slots[n] = append(t.slots[n], &expr{is: e})
		}
	case *plan.Update:
		if len(n.Returning) > 0 {
			return other
		}
		return a.constants(n.Checks().ToExpressions())
	case *plan.DeleteFrom, *plan.InsertDestination:
	case *plan.UpdateSource:
		if n.Ignore || len(n.UpdateExprs) != len(a.sets) {
			return other
		}
		return t.assignments(a, n, n.UpdateExprs)
	case *plan.InsertInto:
		if len(n.Returning) > 0 || len(n.OnDupExprs) != len(a.sets) {
			return other
		}
		if err := t.values(a, n.Source); err != nil {
			return err
		}
		if err := t.assignments(a, n, n.OnDupExprs); err != nil {
			return err
		}
		checks := n.Checks().ToExpressions()
		for _, e := range checks {
			t.slots[n] = append(t.slots[n], &expr{is: e})
		}
		return a.constants(checks)
	default:
		return other
	}
	return err
}

// assignments finds the slots of what a node assigns.
func (t *Template) assignments(a *aligning, n sql.Node, assigned []sql.Expression) error {
	for i, e := range assigned {
		set, ok := e.(*expression.SetField)
		if !ok {
			return Unknown(e)
		}
		given, err := a.expression(a.sets[i].Expr, set.RightChild)
		if err != nil {
			return err
		}
		t.slots[n] = append(t.slots[n], &expr{is: e, children: []*expr{{is: set.LeftChild}, given}})
	}
	return nil
}

// values finds the slots of VALUES, which the last rules give the other columns of their table.
func (t *Template) values(a *aligning, source sql.Node) error {
	if n, ok := source.(*plan.Project); ok {
		given := slices.DeleteFunc(slices.Clone(n.Projections), func(e sql.Expression) bool { return e == nil })
		if err := a.constants(given); err != nil {
			return err
		}
		source = n.Child
	}
	n, ok := source.(*plan.Values)
	if !ok || len(n.ExpressionTuples) != len(a.given) {
		return Unknown(source)
	}
	for i, tuple := range n.ExpressionTuples {
		if len(tuple) != len(a.given[i]) {
			return errLiteral
		}
		for j, e := range tuple {
			x, err := a.expression(a.given[i][j], e)
			if err != nil {
				return err
			}
			t.slots[n] = append(t.slots[n], x)
		}
	}
	return nil
}

// Equality is the name of the field and the parameter of a plan whose only condition is that they are equal.
func (t *Template) Equality() (field string, parameter int, ok bool) {
	if len(t.conjuncts) != 1 {
		return "", 0, false
	}
	x := t.conjuncts[0]
	if _, ok := x.is.(*expression.Equals); !ok || len(x.children) != 2 {
		return "", 0, false
	}
	left, right := x.children[0], x.children[1]
	if left.slot != nil {
		left, right = right, left
	}
	f, ok := left.is.(*expression.GetField)
	if s := right.slot; !ok || left.slot != nil || s == nil || s.minus || s.add != 0 {
		return "", 0, false
	}
	return f.Name(), right.slot.from, true
}

// Walk is the field in whose order a plan gives its rows, and how many it gives at most; not ok where it sorts none, or
// gives all.
func (t *Template) Walk(ctx *sql.Context, values Values) (by *expression.GetField, most int64, ok bool) {
	field := func(fields sql.SortFields) {
		if len(fields) > 0 {
			by, _ = fields[0].Column.(*expression.GetField)
		}
	}
	for n := t.root; n != t.source; n = n.Children()[0] {
		switch n := n.(type) {
		case *plan.TopN:
			field(n.Fields)
		case *plan.Limit:
		case *plan.Sort:
			field(n.SortFields)
			continue
		case *plan.Project:
			continue
		default:
			return nil, 0, false
		}
		limit, there, err := t.slots[n][0].with(ctx, values)
		l, is := limit.(*expression.Literal)
		if err != nil || !there || !is {
			return nil, 0, false
		}
		if most, is = l.Val.(int64); !is {
			return nil, 0, false
		}
		ok = true
	}
	return by, most, ok && by != nil
}

// Conjuncts are the conditions of WHERE with values in their slots. They are not ok where the plan may be another one
// for these values.
func (t *Template) Conjuncts(ctx *sql.Context, values Values) (conjuncts []sql.Expression, ok bool, err error) {
	return withAll(ctx, t.conjuncts, values)
}

// With is the plan with values in its slots and another source. It is not ok where it may be another one for these
// values.
func (t *Template) With(ctx *sql.Context, values Values, source sql.Node) (n sql.Node, ok bool, err error) {
	return t.made(ctx, t.root, values, source)
}

func (t *Template) made(ctx *sql.Context, n sql.Node, values Values, source sql.Node) (made sql.Node, ok bool,
	err error) {
	if n == t.source {
		return source, true, nil
	}
	slots := t.slots[n]
	if insert, is := n.(*plan.InsertInto); is {
		filled, ok, err := t.made(ctx, insert.Source, values, source)
		if !ok || err != nil {
			return nil, ok, err
		}
		n = insert.WithSource(filled)
	}
	if given := n.Children(); len(given) > 0 {
		children := make([]sql.Node, len(given))
		for i, c := range given {
			if children[i], ok, err = t.made(ctx, c, values, source); !ok || err != nil {
				return nil, ok, err
			}
		}
		if made, err = n.WithChildren(children...); err != nil {
			return nil, false, err
		}
	} else {
		made = n
	}
	if slots != nil {
		list, ok, err := withAll(ctx, slots, values)
		if !ok || err != nil {
			return nil, ok, err
		}
		x, is := made.(sql.Expressioner)
		if !is {
			return nil, false, nil
		}
		made, err = x.WithExpressions(list...)
		return made, err == nil, err
	}
	return made, true, nil
}
