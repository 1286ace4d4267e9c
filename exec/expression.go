package exec

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// Expression computes a column of the columns of a batch. It computes the selected rows alone, whose numbers ascend. A
// later selection of one batch is a part of the earlier ones, so each expression is computed once a batch.
type Expression struct {
	Type Type
	// of are the operands.
	of []*Expression
	// compute fills the result; false: it is not computed here.
	compute func(out *Column, operands []*Column, b *Batch, rows []int32) bool
	out     *Column
	args    []*Column
	at      int // the batch that out is of
	column  int // of an expression that is a column of the batch: its number and 1
}

// Eval computes the expression; false where it is not computed here.
func (e *Expression) Eval(b *Batch, rows []int32) (*Column, bool) {
	if e.column > 0 {
		return b.Columns[e.column-1], true
	}
	if e.at == b.number || e.compute == nil {
		return e.out, true
	}
	for i, o := range e.of {
		c, ok := o.Eval(b, rows)
		if !ok {
			return nil, false
		}
		e.args[i] = c
	}
	if !e.compute(e.out, e.args, b, rows) {
		return nil, false
	}
	e.at = b.number
	return e.out, true
}

func newExpression(t Type, compute func(*Column, []*Column, *Batch, []int32) bool, of ...*Expression) *Expression {
	return &Expression{Type: t, of: of, compute: compute, out: NewColumn(t.Kind), args: make([]*Column, len(of))}
}

// Field is a column of the batch.
func Field(column int, t Type) *Expression { return &Expression{Type: t, column: column + 1} }

// IntConstant is one number in each row, of any type that is held as one.
func IntConstant(n int64, t Type) *Expression {
	e := newExpression(t, nil)
	for i := range e.out.Ints {
		e.out.Ints[i] = n
	}
	return e
}

// FloatConstant is one number in each row.
func FloatConstant(f float64) *Expression {
	e := newExpression(Type{Kind: Float}, nil)
	for i := range e.out.Floats {
		e.out.Floats[i] = f
	}
	return e
}

// TextConstant is one text in each row.
func TextConstant(s string) *Expression {
	e := newExpression(Type{Kind: Text}, nil)
	for i := range e.out.Texts {
		e.out.Texts[i] = s
	}
	return e
}

// AsFloat is an integer as a DOUBLE.
func AsFloat(e *Expression) *Expression {
	return newExpression(Type{Kind: Float}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[0])
		from := of[0].Ints
		for _, r := range rows {
			out.Floats[r] = float64(from[r])
		}
		return true
	}, e)
}

// AsDecimal is an integer as a decimal.
func AsDecimal(e *Expression) *Expression {
	if e.Type.Kind == Decimal {
		return e
	}
	same := *e
	same.Type = Type{Kind: Decimal}
	return &same
}

// maxScale is how many digits of a decimal may follow the point.
const maxScale = 18

// rescaled is a decimal with more digits behind the point; nil where those are too many.
func rescaled(e *Expression, scale int) *Expression {
	more := scale - e.Type.Scale
	if more == 0 {
		return e
	}
	if more < 0 || scale > maxScale {
		return nil
	}
	by, _ := Scaled(1, more)
	return newExpression(Type{Kind: Decimal, Scale: scale}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[0])
		from := of[0].Ints
		for _, r := range rows {
			n, ok := product(from[r], by)
			if !ok {
				return false
			}
			out.Ints[r] = n
		}
		return true
	}, e)
}

// Scaled is a number with so many zeros behind it, up to 18; false where it takes more than 64 bits.
func Scaled(n int64, zeros int) (int64, bool) {
	by := int64(1)
	for range zeros {
		by *= 10
	}
	return product(n, by)
}

// product is false where it takes more than 64 bits.
func product(a, b int64) (int64, bool) {
	if int64(int32(a)) == a && int64(int32(b)) == b {
		return a * b, true
	}
	high, low := bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	return int64(low), high == uint64(int64(low)>>63)
}

// Arithmetic is an operator over two numbers of one kind: + - * of all, / of DOUBLEs, div and % of integers; nil where
// there is none.
func Arithmetic(op string, a, b *Expression) *Expression {
	switch {
	case a.Type.Kind == Float && b.Type.Kind == Float:
		return floats(op, a, b)
	case a.Type.Kind == Decimal && b.Type.Kind == Decimal:
		t := Type{Kind: Decimal, Scale: a.Type.Scale + b.Type.Scale}
		if op != "*" {
			t.Scale = max(a.Type.Scale, b.Type.Scale)
			a, b = rescaled(a, t.Scale), rescaled(b, t.Scale)
		}
		if a == nil || b == nil || t.Scale > maxScale || op != "+" && op != "-" && op != "*" {
			return nil
		}
		return integers(op, a, b, t)
	case a.Type.Kind == Int && b.Type.Kind == Int:
		return integers(op, a, b, Type{Kind: Int})
	}
	return nil
}

func integers(op string, a, b *Expression, t Type) *Expression {
	f := integerOperator(op)
	if f == nil {
		return nil
	}
	return newExpression(t, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[1])
		if f(out.Ints, of[0].Ints, of[1].Ints, rows) {
			return true
		}
		if !out.HasNull {
			return false
		}
		var known []int32 // where an operand is NULL, a divisor may be 0
		for _, r := range rows {
			if !out.IsNull(r) {
				known = append(known, r)
			}
		}
		return f(out.Ints, of[0].Ints, of[1].Ints, known)
	}, a, b)
}

// Unsigned is an integer of which a negative value is not computed here.
func Unsigned(e *Expression) *Expression {
	return newExpression(e.Type, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[0])
		for _, r := range rows {
			if out.Ints[r] = of[0].Ints[r]; out.Ints[r] < 0 && !out.IsNull(r) {
				return false
			}
		}
		return true
	}, e)
}

// integerOperator computes rows of integers; false where a result is none of 64 bits.
func integerOperator(op string) func(out, a, b []int64, rows []int32) bool {
	switch op {
	case "+":
		return func(out, a, b []int64, rows []int32) bool {
			for _, r := range rows {
				x, y := a[r], b[r]
				n := x + y
				if (n > x) != (y > 0) {
					return false
				}
				out[r] = n
			}
			return true
		}
	case "-":
		return func(out, a, b []int64, rows []int32) bool {
			for _, r := range rows {
				x, y := a[r], b[r]
				n := x - y
				if (n < x) != (y > 0) {
					return false
				}
				out[r] = n
			}
			return true
		}
	case "*":
		return func(out, a, b []int64, rows []int32) bool {
			for _, r := range rows {
				n, ok := product(a[r], b[r])
				if !ok {
					return false
				}
				out[r] = n
			}
			return true
		}
	case "div":
		return func(out, a, b []int64, rows []int32) bool {
			for _, r := range rows {
				if b[r] == 0 || b[r] == -1 && a[r] == math.MinInt64 {
					return false
				}
				out[r] = a[r] / b[r]
			}
			return true
		}
	case "%":
		return func(out, a, b []int64, rows []int32) bool {
			for _, r := range rows {
				switch b[r] {
				case 0:
					return false
				case -1:
					out[r] = 0 // the least integer's quotient would not fit
				default:
					out[r] = a[r] % b[r]
				}
			}
			return true
		}
	}
	return nil
}

func floats(op string, a, b *Expression) *Expression {
	var f func(a, b float64) float64
	switch op {
	case "+":
		f = func(a, b float64) float64 { return a + b }
	case "-":
		f = func(a, b float64) float64 { return a - b }
	case "*":
		f = func(a, b float64) float64 { return a * b }
	case "/":
		f = func(a, b float64) float64 { return a / b } // by 0 it is not finite
	default:
		return nil
	}
	return newExpression(Type{Kind: Float}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[1])
		x, y := of[0].Floats, of[1].Floats
		for _, r := range rows {
			if out.Floats[r] = f(x[r], y[r]); math.IsInf(out.Floats[r], 0) || math.IsNaN(out.Floats[r]) {
				if !out.IsNull(r) {
					return false
				}
				out.Floats[r] = 0
			}
		}
		return true
	}, a, b)
}

// Compare compares two values of one kind: is says of which results it is true. Texts are compared by compare. nil
// where there is no comparison.
func Compare(a, b *Expression, is [3]bool, compare func(a, b string) int) *Expression {
	if a.Type.Kind != b.Type.Kind {
		return nil
	}
	var f func(out *Column, a, b *Column, rows []int32)
	switch a.Type.Kind {
	case Float:
		f = func(out, a, b *Column, rows []int32) {
			for _, r := range rows {
				out.Ints[r] = truth(is[1+cmp.Compare(a.Floats[r], b.Floats[r])])
			}
		}
	case Text:
		f = func(out, a, b *Column, rows []int32) {
			for _, r := range rows {
				out.Ints[r] = truth(is[1+sign(compare(a.Texts[r], b.Texts[r]))])
			}
		}
	default:
		scale := max(a.Type.Scale, b.Type.Scale)
		if a, b = rescaled(a, scale), rescaled(b, scale); a == nil || b == nil {
			return nil
		}
		f = func(out, a, b *Column, rows []int32) {
			for _, r := range rows {
				out.Ints[r] = truth(is[1+cmp.Compare(a.Ints[r], b.Ints[r])])
			}
		}
	}
	return newExpression(Type{Kind: Int}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[1])
		f(out, of[0], of[1], rows)
		return true
	}, a, b)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func sign(n int) int { return cmp.Compare(n, 0) }

// Both is AND of two truths, with NULL for unknown.
func Both(a, b *Expression) *Expression { return connected(a, b, 0) }

// Either is OR.
func Either(a, b *Expression) *Expression { return connected(a, b, 1) }

// connected is AND or OR: settles is the truth that settles it alone.
func connected(a, b *Expression, settles int64) *Expression {
	return newExpression(Type{Kind: Int}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.Reset()
		x, y := of[0], of[1]
		for _, r := range rows {
			l, right := x.IsNull(r), y.IsNull(r)
			switch {
			case !l && truth(x.Ints[r] != 0) == settles || !right && truth(y.Ints[r] != 0) == settles:
				out.Ints[r] = settles
			case l || right:
				out.SetNull(int(r))
			default:
				out.Ints[r] = 1 - settles
			}
		}
		return true
	}, a, b)
}

// Not is NOT of a truth.
func Not(e *Expression) *Expression {
	return newExpression(Type{Kind: Int}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.unite(of[0], of[0])
		for _, r := range rows {
			out.Ints[r] = truth(of[0].Ints[r] == 0)
		}
		return true
	}, e)
}

// IsNull reports whether a value is NULL.
func IsNull(e *Expression) *Expression {
	return newExpression(Type{Kind: Int}, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		for _, r := range rows {
			out.Ints[r] = truth(of[0].IsNull(r))
		}
		return true
	}, e)
}

// Choice is the value beside the first condition that is true, and NULL where none is. All values are of one kind, and
// decimals have the same digits behind the point; nil where they don't.
func Choice(conditions, values []*Expression) *Expression {
	t := values[0].Type
	for _, v := range values {
		if v.Type.Kind != t.Kind {
			return nil
		}
		t.Scale = max(t.Scale, v.Type.Scale)
	}
	of := slices.Clone(conditions)
	for _, v := range values {
		if v = rescaled(v, t.Scale); v == nil {
			return nil
		}
		of = append(of, v)
	}
	n := len(conditions)
	return newExpression(t, func(out *Column, of []*Column, _ *Batch, rows []int32) bool {
		out.Reset()
		for _, r := range rows {
			i := 0
			for i < n && (of[i].Ints[r] == 0 || of[i].IsNull(r)) {
				i++
			}
			if i == n || of[n+i].IsNull(r) {
				out.SetNull(int(r))
				continue
			}
			switch t.Kind {
			case Float:
				out.Floats[r] = of[n+i].Floats[r]
			case Text:
				out.Texts[r] = of[n+i].Texts[r]
			default:
				out.Ints[r] = of[n+i].Ints[r]
			}
		}
		return true
	}, of...)
}

// Result is what a function of one value gives: a text, an integer or what is held as one, or NULL.
type Result struct {
	Int  int64
	Text string
	Null bool
}

// Map is a function of a text or of what is held as an integer, which is not NULL; ok is false where it is not computed
// here. What it has given is remembered: few values come often.
func Map[T string | int64](e *Expression, t Type, f func(T) (r Result, ok bool)) *Expression {
	known := map[T]Result{}
	return newExpression(t, func(out *Column, args []*Column, _ *Batch, rows []int32) bool {
		out.unite(args[0], args[0])
		values := any(args[0].Ints)
		if e.Type.Kind == Text {
			values = args[0].Texts
		}
		for _, r := range rows {
			if out.IsNull(r) {
				continue
			}
			v := values.([]T)[r]
			is, met := known[v]
			if !met {
				var ok bool
				if is, ok = f(v); !ok {
					return false
				}
				if len(known) < mostKnown {
					if key, ok := remembered(v); ok && len(is.Text) <= longestKnown {
						known[key] = is
					}
				}
			}
			switch {
			case is.Null:
				out.SetNull(int(r))
			case t.Kind == Text:
				out.Texts[r] = is.Text
			default:
				out.Ints[r] = is.Int
			}
		}
		return true
	}, e)
}

// Test is whether is holds for each value.
func Test[T string | int64](e *Expression, is func(T) (holds, ok bool)) *Expression {
	return Map(e, Type{Kind: Int}, func(v T) (Result, bool) {
		holds, ok := is(v)
		return Result{Int: truth(holds)}, ok
	})
}

// How many values Map remembers, and texts of which length.
const mostKnown, longestKnown = 4096, 64

// remembered is a value that keeps no document alive.
func remembered[T string | int64](v T) (T, bool) {
	s, isText := any(v).(string)
	if !isText {
		return v, true
	}
	return any(strings.Clone(s)).(T), len(s) <= longestKnown
}

// Selected are the rows of which the condition is true, a part of rows, put into into; false where it is not computed.
func Selected(condition *Expression, b *Batch, rows, into []int32) ([]int32, bool) {
	c, ok := condition.Eval(b, rows)
	if !ok {
		return nil, false
	}
	into = into[:0]
	if condition.Type.Kind == Float {
		for _, r := range rows {
			if c.Floats[r] != 0 && !c.IsNull(r) {
				into = append(into, r)
			}
		}
		return into, true
	}
	for _, r := range rows {
		if c.Ints[r] != 0 && !c.IsNull(r) {
			into = append(into, r)
		}
	}
	return into, true
}
