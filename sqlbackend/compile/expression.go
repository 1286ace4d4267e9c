package compile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// compiler makes expressions of exec over the columns of an input.
type compiler struct {
	ctx     *sql.Context
	in      input
	columns []int // of the rows, in the order of the batch's
	types   []exec.Type
	made    map[string]*exec.Expression // by the text of what they compute
	reason  string                      // why the first expression that is not compiled is not
}

// bytes is about how much memory a batch takes.
func (c *compiler) bytes() int { return batchBytes + 16*exec.BatchRows*(1+len(c.types)+len(c.made)) }

// no notes why something is not compiled.
func (c *compiler) no(format string, args ...any) *exec.Expression {
	if c.reason == "" {
		c.reason = fmt.Sprintf(format, args...)
	}
	return nil
}

// expression is an expression of exec; nil where there is none. What is asked for twice is computed once.
func (c *compiler) expression(e sql.Expression) *exec.Expression {
	key := sql.DebugString(e)
	if made := c.made[key]; made != nil {
		return made
	}
	made := c.compiled(e)
	if made == nil {
		return c.no("%s", e)
	}
	c.made[key] = made
	return made
}

func (c *compiler) compiled(e sql.Expression) *exec.Expression {
	switch e := e.(type) {
	case *expression.GetField:
		return c.field(e)
	case *expression.Literal:
		return literal(e.Val)
	case *tree.Retype:
		switch e.Target.(type) {
		case value.NumberType, value.TextType:
			return c.expression(e.Child)
		}
	case kernel.Exact:
		return c.exact(e)
	case *expression.Arithmetic:
		if _, ok := e.Type().(sql.DecimalType); ok {
			if a, b := c.expression(e.LeftChild), c.expression(e.RightChild); isExact(a) && isExact(b) {
				return exec.Arithmetic(e.Op, exec.AsDecimal(a), exec.AsDecimal(b))
			}
		}
	case *expression.And:
		return c.connected(e.LeftChild, e.RightChild, exec.Both)
	case *expression.Or:
		return c.connected(e.LeftChild, e.RightChild, exec.Either)
	case *expression.Not:
		if of := c.truth(e.Child); of != nil {
			return exec.Not(of)
		}
	case *expression.IsNull:
		if of := c.expression(tree.Unwrapped(e.Child)); of != nil {
			return exec.IsNull(of)
		}
	case pushdown.Like:
		if parts := e.PushdownLike(); isText(parts.Pattern) && (parts.Escape == nil || isText(parts.Escape)) {
			return c.test(e, parts.Value)
		}
	case *expression.InTuple:
		if isList(e.Right()) {
			return c.test(e, e.Left())
		}
	case *expression.HashInTuple:
		if isList(e.Right()) {
			return c.test(e, e.Left())
		}
	case *tree.Case:
		return c.choice(e)
	case *expression.Case:
		if e.Expr == nil && (types.IsSigned(e.Type()) || e.Type() == types.Float64) {
			of := &tree.Case{Other: e.Else, Result: e.Type()}
			for _, b := range e.Branches {
				of.Conditions, of.Values = append(of.Conditions, b.Cond), append(of.Values, b.Value)
			}
			return c.choice(of)
		}
	case sql.FunctionExpression:
		return c.function(e)
	}
	if of, ok := e.(expression.Comparer); ok {
		if is, ok := results(e); ok {
			return c.comparison(of, is)
		}
	}
	return nil
}

// results are the results of a comparison, less, equal, greater, for which an operator is true.
func results(e sql.Expression) (is [3]bool, ok bool) {
	switch e.(type) {
	case *expression.Equals:
		return [3]bool{1: true}, true
	case *expression.LessThan:
		return [3]bool{0: true}, true
	case *expression.LessThanOrEqual:
		return [3]bool{0: true, 1: true}, true
	case *expression.GreaterThan:
		return [3]bool{2: true}, true
	case *expression.GreaterThanOrEqual:
		return [3]bool{1: true, 2: true}, true
	}
	return is, false
}

// isExact reports whether an expression gives integers or decimals.
func isExact(e *exec.Expression) bool {
	return e != nil && (e.Type.Kind == exec.Int || e.Type.Kind == exec.Decimal)
}

func isText(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	if ok {
		_, ok = l.Val.(string)
	}
	return ok
}

// isList reports whether a list is of literals without NULL.
func isList(e sql.Expression) bool {
	list, ok := e.(expression.Tuple)
	for _, of := range list {
		l, literal := of.(*expression.Literal)
		ok = ok && literal && l.Val != nil
	}
	return ok
}

// truth is a condition: an integer that is 0 for false.
func (c *compiler) truth(e sql.Expression) *exec.Expression {
	if of := c.expression(e); of != nil && of.Type.Kind == exec.Int {
		return of
	}
	return c.no("%s", e)
}

func (c *compiler) connected(a, b sql.Expression, by func(a, b *exec.Expression) *exec.Expression) *exec.Expression {
	l, r := c.truth(a), c.truth(b)
	if l == nil || r == nil {
		return nil
	}
	return by(l, r)
}

// literal is a constant; nil for values that have none.
func literal(v any) *exec.Expression {
	if n, ok := functions.AsInt64(v); ok {
		return exec.IntConstant(n, exec.Type{})
	}
	switch v := v.(type) {
	case float64:
		return exec.FloatConstant(v)
	case string:
		return exec.TextConstant(v)
	case decimal.Decimal:
		if n, scale, ok := decimalParts(v); ok {
			return exec.IntConstant(n, exec.Type{Kind: exec.Decimal, Scale: scale})
		}
	case time.Time:
		if v.Nanosecond()%1000 == 0 {
			return exec.IntConstant(v.UnixMicro(), exec.Type{Kind: exec.Time})
		}
	}
	return nil
}

// decimalParts is a decimal as an integer of which so many digits follow the point.
func decimalParts(d decimal.Decimal) (n int64, scale int, ok bool) {
	if e := d.Exponent(); e > 0 && e <= 18 {
		d = d.Add(decimal.New(0, 0)) // which has exponent 0
	}
	e := d.Exponent()
	if e > 0 || e < -18 || !d.Coefficient().IsInt64() {
		return 0, 0, false
	}
	return d.Coefficient().Int64(), int(-e), true
}

// exact is arithmetic with integers or DOUBLEs.
func (c *compiler) exact(e kernel.Exact) *exec.Expression {
	op := ""
	switch of := e.Exactly().(type) {
	case *expression.Arithmetic:
		op = strings.ToLower(of.Op)
	case *expression.IntDiv:
		op = "div"
	case *expression.Mod:
		op = "%"
	case *expression.Div:
		op = "/"
	case *expression.UnaryMinus:
		if of := c.expression(of.Child); of != nil && of.Type.Kind == exec.Int && e.Type() == types.Int64 {
			return exec.Arithmetic("-", exec.IntConstant(0, exec.Type{}), of)
		}
		return nil
	}
	operands := e.Children()
	if len(operands) != 2 {
		return nil
	}
	a, b := c.expression(operands[0]), c.expression(operands[1])
	if a == nil || b == nil {
		return nil
	}
	switch e.Type() {
	case types.Int64, types.Uint64:
		if a.Type.Kind == exec.Int && b.Type.Kind == exec.Int {
			n := exec.Arithmetic(op, a, b)
			if n != nil && e.Type() == types.Uint64 {
				n = exec.Unsigned(n)
			}
			return n
		}
	case types.Float64:
		if a, b = asFloat(a), asFloat(b); a != nil && b != nil {
			return exec.Arithmetic(op, a, b)
		}
	}
	return nil
}

// asFloat is a DOUBLE, or an integer as one.
func asFloat(e *exec.Expression) *exec.Expression {
	switch e.Type.Kind {
	case exec.Float:
		return e
	case exec.Int:
		return exec.AsFloat(e)
	}
	return nil
}

// comparison compares two numbers, texts or times.
func (c *compiler) comparison(e expression.Comparer, is [3]bool) *exec.Expression {
	l, r := e.Left(), e.Right()
	if s, ok := l.Type().(value.TextType); ok {
		if t, ok := r.Type().(value.TextType); ok && s.Coll == t.Coll {
			return c.texts(l, r, is, s)
		}
		return nil
	}
	a, b := c.operand(l, r), c.operand(r, l)
	if a == nil || b == nil {
		return nil
	}
	switch {
	case a.Type.Kind == exec.Time && b.Type.Kind == exec.Time && (isText(l) || isText(r)):
		return exec.Compare(a, b, is, nil)
	case isTemporal(l.Type()) && isTemporal(r.Type()):
		if types.TypesEqual(l.Type(), r.Type()) && l.Type().Type() == sqltypes.Date && !wholeDays(l, r) {
			return nil
		}
		return exec.Compare(a, b, is, nil)
	case !comparedAsNumbers(l, r):
		return nil
	case a.Type.Kind == exec.Float || b.Type.Kind == exec.Float:
		if a, b = likeFloat(a, l), likeFloat(b, r); a == nil || b == nil {
			return nil
		}
		return exec.Compare(a, b, is, nil)
	case isExact(a) && isExact(b):
		return exec.Compare(exec.AsDecimal(a), exec.AsDecimal(b), is, nil)
	}
	return nil
}

// plainTime is a text that is compared with times as the time that it spells.
var plainTime = regexp.MustCompile(`^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?$`)

// operand is one side of a comparison. A literal is compared in the other side's DECIMAL if that is its type too.
func (c *compiler) operand(e, other sql.Expression) *exec.Expression {
	l, ok := e.(*expression.Literal)
	if !ok {
		return c.expression(e)
	}
	if s, ok := l.Val.(string); ok && isTemporal(other.Type()) && plainTime.MatchString(s) {
		t, _, err := types.DatetimeMaxPrecision.Convert(c.ctx, s)
		if err != nil {
			return nil
		}
		return literal(t)
	}
	t, isDecimal := e.Type().(sql.DecimalType)
	if !isDecimal || !types.TypesEqual(e.Type(), other.Type()) {
		return c.expression(e)
	}
	if of, ok := other.Type().(sql.DecimalType); ok {
		t = of
	}
	d, err := t.ConvertToNullDecimal(l.Val)
	if err != nil || !d.Valid {
		return nil
	}
	return literal(d.Decimal)
}

// comparedAsNumbers reports whether two operands are compared as the numbers that they are.
func comparedAsNumbers(l, r sql.Expression) bool {
	s, t := l.Type(), r.Type()
	_, left := s.(value.NumberType)
	_, right := t.(value.NumberType)
	if left || right {
		return left && right
	}
	if _, ok := s.(sql.DecimalType); ok {
		_, field := tree.Unwrapped(l).(*expression.GetField)
		return types.TypesEqual(s, t) && field
	}
	plain := func(t sql.Type) bool { return types.IsInteger(t) || types.IsBoolean(t) || t == types.Float64 }
	return plain(s) && plain(t) && (s == types.Float64 && t == types.Float64 || types.IsSigned(s) && types.IsSigned(t) ||
		types.IsUnsigned(s) && types.IsUnsigned(t))
}

// likeFloat is a DOUBLE, or a literal that is compared with DOUBLEs as one.
func likeFloat(e *exec.Expression, of sql.Expression) *exec.Expression {
	if e.Type.Kind == exec.Float {
		return e
	}
	l, ok := of.(*expression.Literal)
	if !ok {
		return nil
	}
	f, ok := kernel.Double(l.Val)
	if !ok {
		return nil
	}
	return exec.FloatConstant(f)
}

func isTemporal(t sql.Type) bool { return t.Type() == sqltypes.Date || t.Type() == sqltypes.Datetime }

// wholeDays reports whether neither of two dates has a time of day, which would be cut off.
func wholeDays(of ...sql.Expression) bool {
	for _, e := range of {
		if l, ok := e.(*expression.Literal); ok {
			if t, ok := l.Val.(time.Time); !ok || !t.Equal(t.Truncate(24*time.Hour)) {
				return false
			}
		}
	}
	return true
}

// texts compares texts of one collation; one that is constant is compared with each text once.
func (c *compiler) texts(l, r sql.Expression, is [3]bool, t value.TextType) *exec.Expression {
	compare := func(a, b string) bool { return is[1+t.CompareStrings(a, b)] }
	if is == [3]bool{1: true} {
		compare = t.Coll.Equal
	}
	l, r = tree.Unwrapped(l), tree.Unwrapped(r)
	if isText(r) {
		constant := r.(*expression.Literal).Val.(string)
		if of := c.expression(l); of != nil && of.Type.Kind == exec.Text {
			return exec.Test(of, func(s string) (bool, bool) { return compare(s, constant), true })
		}
		return nil
	}
	a, b := c.expression(l), c.expression(r)
	if a == nil || b == nil || a.Type.Kind != exec.Text {
		return nil
	}
	return exec.Compare(a, b, is, t.CompareStrings)
}

// test is a condition on one column, which the engine's expression computes for each value.
func (c *compiler) test(e, of sql.Expression) *exec.Expression {
	return c.mapped(e, of, exec.Type{}, func(v any) (exec.Result, bool) {
		holds, truth := v.(bool)
		r := exec.Result{}
		if holds {
			r.Int = 1
		}
		return r, truth
	})
}

// mapped is what the engine's expression gives for each value of the only column in it.
func (c *compiler) mapped(e, of sql.Expression, t exec.Type, result func(any) (exec.Result, bool)) *exec.Expression {
	f, ok := tree.Unwrapped(of).(*expression.GetField)
	if !ok {
		return nil
	}
	column := c.field(f)
	if column == nil {
		return nil
	}
	row := make(sql.Row, len(c.in.schema()))
	eval := func(v any, err error) (exec.Result, bool) {
		if err != nil {
			return exec.Result{}, false
		}
		row[f.Index()] = v
		got, err := e.Eval(c.ctx, row)
		if err != nil {
			return exec.Result{}, false
		}
		return result(got)
	}
	switch column.Type.Kind {
	case exec.Text:
		return exec.Map(column, t, func(s string) (exec.Result, bool) { return eval(s, nil) })
	case exec.Int:
		return exec.Map(column, t, func(n int64) (exec.Result, bool) { return eval(asInteger(c.ctx, f.Type(), n)) })
	case exec.Time:
		return exec.Map(column, t, func(n int64) (exec.Result, bool) { return eval(time.UnixMicro(n).UTC(), nil) })
	}
	return nil
}

// plainFunctions give the same for the same value, and warn of no text or date. Those of dates warn of texts.
var plainFunctions = map[string]bool{
	"year": true, "month": true, "day": true, "dayofmonth": true, "dayofweek": true, "weekday": true, "quarter": true,
	"dayofyear": true, "date_format": true, "date": true, "hour": true, "lower": true, "upper": true, "left": true,
	"extract": true, "last_day": true, "right": true, "substring": true,
}

// textFunctions are the plainFunctions of texts.
var textFunctions = map[string]bool{"lower": true, "upper": true, "left": true, "right": true, "substring": true}

// function is a function of one column and literals; nil for others.
func (c *compiler) function(e sql.FunctionExpression) *exec.Expression {
	name := strings.ToLower(e.FunctionName())
	if !plainFunctions[name] {
		return nil
	}
	var of sql.Expression
	for _, a := range e.Children() {
		if _, literal := a.(*expression.Literal); literal {
			continue
		}
		if of != nil {
			return nil
		}
		of = a
	}
	t := exec.Type{}
	switch {
	case of == nil, !textFunctions[name] && !isTemporal(of.Type()):
		return nil
	case types.IsText(e.Type()):
		t.Kind = exec.Text
	case isTemporal(e.Type()):
		t.Kind = exec.Time
	case !types.IsInteger(e.Type()):
		return nil
	}
	return c.mapped(e, of, t, func(v any) (exec.Result, bool) {
		switch v := v.(type) {
		case nil:
			return exec.Result{Null: true}, true
		case string:
			return exec.Result{Text: v}, t.Kind == exec.Text
		case time.Time:
			return exec.Result{Int: v.UnixMicro()}, t.Kind == exec.Time && v.Nanosecond()%1000 == 0
		}
		n, ok := functions.AsInt64(v)
		return exec.Result{Int: n}, ok && t.Kind == exec.Int
	})
}

// choice is CASE or IF of numbers or texts, for aggregates; nil for others.
func (c *compiler) choice(e *tree.Case) *exec.Expression {
	var conditions, values []*exec.Expression
	for _, e := range e.Conditions {
		condition := c.truth(e)
		if condition == nil {
			return nil
		}
		conditions = append(conditions, condition)
	}
	given := e.Values
	if e.Other != nil {
		given, conditions = append(slices.Clone(given), e.Other), append(conditions, literal(true))
	}
	for _, v := range given {
		if l, ok := v.(*expression.Literal); ok && l.Val == nil {
			return nil
		}
		if converted, ok := v.(*compare.Conversion); ok {
			v = converted.Child
		}
		of := c.expression(v)
		if of == nil {
			return nil
		}
		switch _, exact := e.Result.(sql.DecimalType); {
		case e.Result == types.Float64:
			of = asFloat(of)
		case exact && isExact(of):
			of = exec.AsDecimal(of)
		case !types.IsInteger(e.Result) || of.Type.Kind != exec.Int:
			return nil
		}
		if of == nil {
			return nil
		}
		values = append(values, of)
	}
	if len(values) == 0 {
		return nil
	}
	return exec.Choice(conditions, values)
}
