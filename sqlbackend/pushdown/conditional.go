package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
)

// CASE, IF, COALESCE, IFNULL and NULLIF are one of several values, each under a condition. A predicate on the whole
// applies to each value under its condition, so AND, OR and NOT express it.

// choice is a value under a condition; the condition is nil for the last value.
type choice struct {
	condition *node
	value     sql.Expression
}

// maxChoices bounds the expressions that are split in one statement: each nesting level doubles them.
const maxChoices = 2000

// choicesOf splits such an expression. The values are of one kind, so that each compares as the whole does. It
// returns false for any other expression.
func (a *analysis) choicesOf(e sql.Expression) ([]choice, bool) {
	if a.choices++; a.choices > maxChoices || isConstant(e) {
		return nil, false
	}
	var out []choice
	switch e := strip(e).(type) {
	case *expression.Case:
		if e.Expr != nil && !simple(e.Expr) {
			return nil, false
		}
		for _, b := range e.Branches {
			if e.Expr != nil {
				out = append(out, choice{a.comparison(opEqual, e.Expr, b.Cond), b.Value})
			} else {
				out = append(out, choice{a.build(b.Cond), b.Value})
			}
		}
		last := e.Else
		if last == nil {
			last = expression.NewLiteral(nil, types.Null)
		}
		out = append(out, choice{nil, last})
	case sql.FunctionExpression:
		args := e.Children()
		switch name := strings.ToLower(e.FunctionName()); {
		case name == "if" && len(args) == 3:
			out = []choice{{a.build(args[0]), args[1]}, {nil, args[2]}}
		case (name == "coalesce" || name == "ifnull") && len(args) > 0:
			for i, arg := range args {
				if i == len(args)-1 {
					out = append(out, choice{nil, arg})
				} else {
					out = append(out, choice{not(a.isNull(arg)), arg})
				}
			}
		case name == "nullif" && len(args) == 2:
			// Its second argument is the comparison itself where our own code compares.
			equal := args[1]
			if !isPredicate(equal) {
				equal = expression.NewEquals(args[0], args[1])
			}
			out = []choice{{a.build(equal), expression.NewLiteral(nil, types.Null)}, {nil, args[0]}}
		default:
			return nil, false
		}
	default:
		return nil, false
	}
	return out, alike(out)
}

// simple reports whether an expression is a column or a constant, which CASE compares as = does.
func simple(e sql.Expression) bool {
	_, column := strip(e).(*expression.GetField)
	return column || isConstant(e)
}

// alike reports whether all values that are not NULL compare in the same way, alone and as the value of the whole:
// numbers that need no rounding, or texts.
func alike(choices []choice) bool {
	var kind sql.Type
	texts, integers, others := 0, 0, 0
	for _, c := range choices {
		t := strip(c.value).Type()
		switch {
		case t == types.Null || types.IsNull(c.value):
			continue
		case types.IsInteger(t) || types.IsBoolean(t):
			integers++
		case types.IsText(t) && !types.IsBinaryType(t) && !types.IsEnum(t) && !types.IsSet(t):
			texts++
		case kind == nil || types.TypesEqual(kind, t):
			kind = t
			others++
		default:
			return false
		}
	}
	switch {
	case texts > 0:
		return integers+others == 0
	case integers > 0 && others > 0:
		return types.IsFloat(kind) || types.IsDecimal(kind)
	}
	return others == 0 || types.IsNumber(kind)
}

// choose applies a predicate to the values, each under its condition: IF(p, x, y) is x if p is true, and y otherwise,
// with SQL's three values.
func choose(choices []choice, ask func(value sql.Expression) *node) *node {
	last := choices[len(choices)-1]
	n := ask(last.value)
	for i := len(choices) - 2; i >= 0; i-- {
		condition := certain(choices[i].condition)
		n = either(both(condition, ask(choices[i].value)), both(not(condition), n))
	}
	return n
}

// conditional analyses such an expression as a condition.
func (a *analysis) conditional(e sql.Expression) (*node, bool) {
	if isConstant(e) {
		return nil, false
	}
	if f, ok := e.(sql.FunctionExpression); ok && strings.EqualFold(f.FunctionName(), "isnull") && len(f.Children()) == 1 {
		return a.isNull(f.Children()[0]), true
	}
	choices, ok := a.choicesOf(e)
	if !ok {
		return nil, false
	}
	return choose(choices, func(value sql.Expression) *node {
		if types.IsText(value.Type()) {
			return notUnderstood("a text is no condition by itself")
		}
		return a.build(value)
	}), true
}

// conditionalComparison analyses a comparison of such an expression.
func (a *analysis) conditionalComparison(op operator, left, right sql.Expression) (*node, bool) {
	choices, ok := a.choicesOf(left)
	if !ok {
		return nil, false
	}
	return choose(choices, func(value sql.Expression) *node { return a.comparison(op, dressed(left, value), right) }), true
}

// dressed returns a value with the type of the expression around it.
func dressed(around, value sql.Expression) sql.Expression { return inPlace{value, around.Type()} }

// inPlace is a value with the type that the whole compares in.
type inPlace struct {
	sql.Expression
	typ sql.Type
}

var _ Operand = inPlace{}

// Type implements sql.Expression.
func (p inPlace) Type() sql.Type { return p.typ }

// PushdownOperand implements Operand.
func (p inPlace) PushdownOperand() sql.Expression { return p.Expression }

// isNull is the node of IS NULL.
func (a *analysis) isNull(e sql.Expression) *node { return a.build(expression.NewIsNull(e)) }

// nullTest analyses IS NULL of such an expression.
func (a *analysis) nullTest(e sql.Expression) (*node, bool) {
	choices, ok := a.choicesOf(e)
	if !ok {
		return nil, false
	}
	return choose(choices, a.isNull), true
}

// isPredicate reports whether an expression gives true, false or NULL.
func isPredicate(e sql.Expression) bool {
	switch e := strip(e).(type) {
	case *expression.And, *expression.Or, *expression.Xor, *expression.Not, *expression.IsTrue, *expression.IsNull,
		*expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.Between, *expression.InTuple,
		*expression.HashInTuple,
		*expression.Like, Like, Condition:
		return !isConstant(e)
	case sql.FunctionExpression:
		return strings.EqualFold(e.FunctionName(), "isnull") && !isConstant(e)
	}
	return false
}

// comparedTruth analyses a predicate that is compared with a number: true is 1, false
// is 0.
func (a *analysis) comparedTruth(op operator, e sql.Expression, c constant) *node {
	n := a.build(e)
	literal, _, _ := c.number()
	switch one, zero := op.holds(document.CompareNumbers("1", literal)), op.holds(document.CompareNumbers("0", literal)); {
	case one && zero:
		return either(n, not(n))
	case one:
		return n
	case zero:
		return not(n)
	}
	return both(n, not(n))
}
