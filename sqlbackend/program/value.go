package program

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// names are the names of a prepared statement's parameters, v1 and so on.
var names = func() (names [maxValues]string) {
	for i := range names {
		names[i] = "v" + strconv.Itoa(i+1)
	}
	return names
}()

// Given are the parameters of a prepared statement, of the kinds of the literals that the engine makes of them. ok is
// false if one is of a kind that programs don't have.
func Given(parameters map[string]*querypb.BindVariable, into Values) (values Values, ok bool) {
	values = into[:0]
	if len(parameters) > maxValues {
		return values, false
	}
	for _, name := range names[:len(parameters)] {
		p := parameters[name]
		if p == nil {
			return values, false
		}
		v := Value{Kind: Null}
		switch {
		case p.Type == querypb.Type_NULL_TYPE:
		case sqltypes.IsIntegral(p.Type):
			n, err := strconv.ParseInt(string(p.Value), 10, 64)
			if v = (Value{Kind: Int, Int: n}); err != nil {
				return values, false
			}
		case sqltypes.IsQuoted(p.Type) && utf8.Valid(p.Value):
			v = Value{Kind: Text, Text: string(p.Value)}
		default:
			return values, false
		}
		values = append(values, v)
	}
	return values, true
}

// valueOf is a literal of a syntax tree as a parameter.
func valueOf(e ast.Expr) (v Value, ok bool) {
	switch e := e.(type) {
	case *ast.NullVal:
		return Value{Kind: Null}, true
	case *ast.SQLVal:
		switch e.Type {
		case ast.StrVal:
			v = Value{Kind: Text, Text: string(e.Val)}
			return v, utf8.ValidString(v.Text)
		case ast.IntVal:
			n, err := strconv.ParseInt(string(e.Val), 10, 64)
			return Value{Kind: Int, Int: n}, err == nil
		}
	}
	return v, false
}

// literalOf is a literal of a syntax tree as Normal reads it: an integer without a sign and without zeros before it.
func literalOf(v *ast.SQLVal) (Value, bool) {
	is, ok := valueOf(v)
	if ok && is.Kind == Int {
		ok = is.Int >= 0 && len(v.Val) <= maxDigits && string(v.Val) == strconv.FormatInt(is.Int, 10)
	}
	return is, ok
}

// slot is a literal of a plan that comes from a parameter.
type slot struct {
	from  int // its index in the values
	typ   sql.Type
	minus bool  // the parameter is negated
	add   int64 // an integer that is added to it
	// natural: it is a number of rows, none of which is negative.
	natural bool
}

// literal is the literal that takes the slot's place; not ok where the plan may be another one for that value.
func (s *slot) literal(values Values) (sql.Expression, bool) {
	v := &values[s.from]
	switch v.Kind {
	case Text:
		return expression.NewLiteral(v.Text, s.typ), utf8.ValidString(v.Text)
	case Null:
		return expression.NewLiteral(nil, s.typ), true
	}
	n, ok := s.sum(v.Int)
	if !ok || s.natural && n < 0 {
		return nil, false
	}
	if s.typ == types.Float64 { // compared with doubles
		return expression.NewLiteral(float64(n), s.typ), -exactDouble <= n && n <= exactDouble
	}
	typed, t := integer64(n, s.typ)
	return expression.NewLiteral(typed, t), true
}

// exactDouble is up to where every integer is a double.
const exactDouble = 1 << 53

// sum is n, negated if the slot says so, plus the slot's addend; not ok beyond 64 bits.
func (s *slot) sum(n int64) (int64, bool) {
	if s.minus {
		if n == math.MinInt64 {
			return 0, false
		}
		n = -n
	}
	out := n + s.add
	return out, (out > n) == (s.add > 0)
}

// fits reports whether the slot's literal was made of these values.
func (s *slot) fits(l *expression.Literal, values Values) bool {
	made, ok := s.literal(values)
	is, same := made.(*expression.Literal)
	return ok && same && l.Val == is.Val
}

// integer64 is an integer as a literal of a type, or of the smallest that has it.
func integer64(n int64, t sql.Type) (any, sql.Type) {
	switch {
	case t == types.Int64:
		return n, t
	case t == types.Int32 && n == int64(int32(n)):
		return int32(n), t
	case t == types.Int16 && n == int64(int16(n)):
		return int16(n), t
	case n == int64(int8(n)):
		return int8(n), types.Int8
	case n == int64(uint8(n)):
		return uint8(n), types.Uint8
	case n == int64(int16(n)):
		return int16(n), types.Int16
	case n == int64(uint16(n)):
		return uint16(n), types.Uint16
	case n == int64(int32(n)):
		return int32(n), types.Int32
	case n == int64(uint32(n)):
		return uint32(n), types.Uint32
	}
	return n, types.Int64
}
