package program

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Assigned is an expression around the value that a statement assigns, which its syntax tree does not have.
type Assigned interface {
	sql.Expression
	AssignedValue() sql.Expression
}

// expr is an expression of a plan with its slots.
type expr struct {
	is       sql.Expression
	slot     *slot
	children []*expr // nil: none of them has a slot
}

// with is the expression with values in its slots.
func (x *expr) with(ctx *sql.Context, values Values) (sql.Expression, bool, error) {
	if x.slot != nil {
		e, ok := x.slot.literal(values)
		return e, ok, nil
	}
	if x.children == nil {
		return x.is, true, nil
	}
	list, ok, err := withAll(ctx, x.children, values)
	if !ok || err != nil {
		return nil, ok, err
	}
	var next sql.Expression
	switch x.is.(type) {
	case *expression.Equals: // the most frequent; its WithChildren checks known facts
		return expression.NewEquals(list[0], list[1]), true, nil
	case *expression.HashInTuple: // WithChildren does not make its hashes of the list
		next, err = expression.NewHashInTuple(ctx, list[0], list[1])
	default:
		next, err = x.is.WithChildren(list...)
	}
	return next, true, err
}

func withAll(ctx *sql.Context, from []*expr, values Values) (list []sql.Expression, ok bool, err error) {
	list = make([]sql.Expression, len(from))
	for i, x := range from {
		if list[i], ok, err = x.with(ctx, values); !ok || err != nil {
			return nil, ok, err
		}
	}
	return list, true, nil
}

// aligning finds the slots of a plan.
type aligning struct {
	*Shape
	values Values
	used   []bool // by parameter: it has a slot
	pinned []bool // by parameter: it is part of the plan
	shared func(sql.Expression) bool
	// otherwise: a part of the plan is not what the syntax tree has in its place.
	otherwise bool
}

// expression finds the slots of an expression that was made of one of the syntax tree. It is an error if a parameter
// has become something else. A literal that has is part of the plan.
func (a *aligning) expression(from ast.Expr, e sql.Expression) (*expr, error) {
	x, err := a.withSlots(from, e)
	if err == nil || a.prepared {
		return x, err
	}
	if a.constant(e) != nil {
		return nil, err
	}
	a.otherwise = a.otherwise || err == errOtherwise
	a.pin(from)
	return &expr{is: e}, nil
}

// pin makes the literals of a part of the syntax tree part of the plan.
func (a *aligning) pin(from ast.Expr) {
	a.eachLiteral(from, func(place int) (more bool) { a.pinned[place] = true; return true })
}

var errOtherwise = errors.New("a part of the plan is not what the text has in its place")

func (a *aligning) withSlots(from ast.Expr, e sql.Expression) (*expr, error) {
	for {
		p, ok := from.(*ast.ParenExpr)
		if !ok {
			break
		}
		from = p.Expr
	}
	if !made(from, e) {
		return nil, errOtherwise
	}
	if !a.has(from) {
		return &expr{is: e}, a.constant(e)
	}
	if wrapped, ok := e.(Assigned); ok {
		if !a.known(e) {
			return nil, Unknown(e)
		}
		x, err := a.expression(from, wrapped.AssignedValue())
		return &expr{is: e, children: []*expr{x}}, err
	}
	if literal, ok := e.(*expression.Literal); ok {
		s := a.slotOf(from, literal)
		if s == nil {
			return nil, errLiteral
		}
		a.used[s.from] = true
		return &expr{is: e, slot: s}, nil
	}
	if !a.known(e) {
		return nil, Unknown(e)
	}
	var operands []ast.Expr
	switch n := from.(type) {
	case *ast.ComparisonExpr:
		if n.Escape != nil {
			return nil, errLiteral
		}
		operands = []ast.Expr{n.Left, n.Right}
		if not, is := e.(*expression.Not); is { // <>, NOT IN or NOT LIKE
			if !a.known(not.Child) {
				return nil, Unknown(not.Child)
			}
			x, err := a.list(not.Child, operands, not.Child.Children())
			return &expr{is: e, children: []*expr{x}}, err
		}
	case *ast.BinaryExpr:
		operands = []ast.Expr{n.Left, n.Right}
	case *ast.AndExpr:
		operands = []ast.Expr{n.Left, n.Right}
	case *ast.OrExpr:
		operands = []ast.Expr{n.Left, n.Right}
	case *ast.NotExpr:
		operands = []ast.Expr{n.Expr}
	case ast.ValTuple:
		operands = n
	case *ast.FuncExpr:
		for _, s := range n.Exprs {
			one, ok := s.(*ast.AliasedExpr)
			if !ok {
				return nil, errLiteral
			}
			operands = append(operands, one.Expr)
		}
		return a.function(n.Name.Lowered(), e, operands)
	case *ast.RangeCond:
		if and, ok := e.(*expression.And); ok && n.Operator == ast.BetweenStr {
			from, to := between(n)
			return a.list(e, []ast.Expr{from, to}, and.Children())
		}
		operands = []ast.Expr{n.Left, n.From, n.To}
	default:
		return nil, Unknown(from)
	}
	return a.list(e, operands, e.Children())
}

// made reports whether an expression may have been made of a part of the syntax tree, by what kinds of operations they
// are.
func made(from ast.Expr, e sql.Expression) bool {
	if wrapped, ok := e.(Assigned); ok {
		e = wrapped.AssignedValue()
	}
	not, isNot := e.(*expression.Not)
	operator := ""
	switch n := from.(type) {
	case *ast.ComparisonExpr:
		if operator = n.Operator; operator == ast.NotEqualStr || strings.HasPrefix(operator, "not ") {
			if !isNot {
				return false
			}
			operator = strings.TrimPrefix(operator, "not ")
			e = not.Child
		}
	case *ast.RangeCond:
		switch e.(type) {
		case *expression.And, *expression.Between, *expression.Not:
			return true
		}
		return false
	case *ast.AndExpr:
		_, is := e.(*expression.And)
		return is
	case *ast.OrExpr:
		_, is := e.(*expression.Or)
		return is
	case *ast.NotExpr:
		return isNot
	case *ast.IsExpr, *ast.ValuesFuncExpr, *ast.Default, *ast.NullVal, ast.BoolVal:
		return true
	case *ast.SQLVal:
		_, is := e.(*expression.Literal)
		return is
	case *ast.ColName:
		switch e.(type) {
		case *expression.Literal, *expression.And, *expression.Or, *expression.Not:
			return false
		}
		return true
	}
	is := ""
	switch e.(type) {
	case *expression.And, *expression.Or, *expression.Not, *expression.GetField:
		return false
	case *expression.Equals:
		is = ast.EqualStr
	case *expression.NullSafeEquals:
		is = ast.NullSafeEqualStr
	case *expression.LessThan:
		is = ast.LessThanStr
	case *expression.LessThanOrEqual:
		is = ast.LessEqualStr
	case *expression.GreaterThan:
		is = ast.GreaterThanStr
	case *expression.GreaterThanOrEqual:
		is = ast.GreaterEqualStr
	}
	if operator == ast.NotEqualStr {
		operator = ast.EqualStr
	}
	switch operator {
	case ast.EqualStr, ast.NullSafeEqualStr, ast.LessThanStr, ast.LessEqualStr, ast.GreaterThanStr, ast.GreaterEqualStr:
		return is == operator
	}
	return is == ""
}

// function finds the slots of a function's operands. Where a parameter may be one, its value changes neither the
// function's type nor how it is computed.
func (a *aligning) function(name string, e sql.Expression, from []ast.Expr) (*expr, error) {
	for i, operand := range from {
		if !a.has(operand) || name == "member_of" && i == 0 || name == "json_contains" && i == 1 || name == "json_overlaps" {
			continue
		}
		return nil, errLiteral
	}
	return a.operands(e, from, e.Children())
}

// list finds the slots of an expression's operands, which are compared or computed with each other.
func (a *aligning) list(e sql.Expression, from []ast.Expr, children []sql.Expression) (*expr, error) {
	out, err := a.operands(e, from, children)
	if err != nil {
		return nil, err
	}
	switch e.(type) {
	case *expression.And, *expression.Or, *expression.Not, expression.Tuple:
		return out, nil
	}
	return out, a.compared(out.children)
}

// operands finds the slots of an expression's operands.
func (a *aligning) operands(e sql.Expression, from []ast.Expr, children []sql.Expression) (*expr, error) {
	if len(from) != len(children) {
		return nil, errOtherwise
	}
	out := &expr{is: e, children: make([]*expr, len(children))}
	for i, c := range children {
		var err error
		if out.children[i], err = a.expression(from[i], c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// compared is an error where a parameter is compared or computed with an operand of another kind: the way of doing so
// may depend on its value.
func (a *aligning) compared(operands []*expr) error {
	for _, x := range operands {
		slots := []*expr{x}
		if _, ok := x.is.(expression.Tuple); ok {
			slots = x.children
		}
		for _, s := range slots {
			if s.slot == nil {
				continue
			}
			for _, other := range operands {
				if other == x || other.slot != nil {
					continue
				}
				t := other.is.Type()
				_, text := t.(value.TextType)
				switch kind := a.values[s.slot.from].Kind; {
				case kind == Text && (text || types.IsJSON(t)):
				case kind == Int && types.IsNumber(t):
				default:
					return fmt.Errorf("a comparison of %s with a parameter of another kind", t)
				}
			}
		}
	}
	return nil
}

// slotOf is the slot of a literal that was made of a parameter, alone or with an integer added; nil if it was made of
// something else.
func (a *aligning) slotOf(from ast.Expr, literal *expression.Literal) *slot {
	s := &slot{typ: literal.Type()}
	sum, ok := from.(*ast.BinaryExpr)
	operand := from
	if ok {
		fixed := sum.Right
		if operand = sum.Left; a.has(fixed) {
			operand, fixed = fixed, operand
			s.minus = sum.Operator == ast.MinusStr
		}
		v, isValue := valueOf(fixed)
		if !isValue || v.Kind != Int || a.has(fixed) || sum.Operator != ast.PlusStr && sum.Operator != ast.MinusStr {
			return nil
		}
		if s.add = v.Int; sum.Operator == ast.MinusStr && !s.minus {
			s.add = -v.Int
		}
	}
	v, isValue := operand.(*ast.SQLVal)
	if !isValue {
		return nil
	}
	place, known := a.places[v]
	if s.from = place; !known || ok && a.values[place].Kind != Int || !s.fits(literal, a.values) {
		return nil
	}
	return s
}

// has reports whether a part of the syntax tree has a parameter.
func (a *aligning) has(from ast.Expr) bool {
	found := false
	a.eachLiteral(from, func(int) (more bool) { found = true; return false })
	return found
}

// eachLiteral calls f with the place of each parameter in a part of the syntax tree, until f wants no more.
func (a *aligning) eachLiteral(from ast.Expr, f func(place int) (more bool)) {
	more := true
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if v, ok := n.(*ast.SQLVal); ok {
			if place, is := a.places[v]; is {
				more = f(place)
			}
		}
		return more, nil
	}, from)
}

// constant is an error where an expression without slots may not be shared by the runs of a program.
func (a *aligning) constant(e sql.Expression) error {
	if !a.known(e) {
		return Unknown(e)
	}
	for _, c := range e.Children() {
		if err := a.constant(c); err != nil {
			return err
		}
	}
	return nil
}

func (a *aligning) constants(list []sql.Expression) error {
	for _, e := range list {
		if err := a.constant(e); err != nil {
			return err
		}
	}
	return nil
}

// known reports whether an expression keeps nothing of the runs that it takes part in.
func (a *aligning) known(e sql.Expression) bool {
	switch e.(type) {
	case *expression.GetField, *expression.Literal, *expression.Alias, *expression.Equals, *expression.NullSafeEquals,
		*expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.And, *expression.Or, *expression.Not, *expression.IsNull, *expression.HashInTuple, *expression.InTuple,
		expression.Tuple, *expression.Arithmetic, *expression.SetField, *aggregation.Count, *aggregation.Sum,
		*aggregation.Avg, *aggregation.Min, *aggregation.Max, *expression.Star, *expression.Between:
		return true
	}
	return a.shared(e)
}

// rows finds the slots of a number of rows in LIMIT or OFFSET, which is one expression of from, or the sum of both.
func (a *aligning) rows(e sql.Expression, from ...ast.Expr) ([]*expr, error) {
	x, err := a.row(e, from...)
	return []*expr{x}, err
}

func (a *aligning) row(e sql.Expression, from ...ast.Expr) (*expr, error) {
	switch e := e.(type) {
	case *expression.Literal:
		for _, f := range from {
			if !a.has(f) {
				if v, ok := valueOf(f); ok && v.Kind == Int && e.Val == v.Int {
					return &expr{is: e}, nil
				}
			} else if s := a.slotOf(f, e); s != nil && e.Type() == types.Int64 {
				s.natural = true
				a.used[s.from] = true
				return &expr{is: e, slot: s}, nil
			}
		}
	case *expression.Arithmetic:
		if len(from) == 2 && e.Op == ast.PlusStr {
			out := &expr{is: e, children: make([]*expr, 2)}
			for i, c := range e.Children() {
				var err error
				if out.children[i], err = a.row(c, from[i]); err != nil {
					return nil, err
				}
			}
			return out, nil
		}
	}
	return nil, Unknown(e)
}
