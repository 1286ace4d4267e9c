package compare

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// class groups operands by how they compare.
type class uint8

const (
	ClassOther  class = iota // the engine compares these
	ClassNull                // compares with nothing
	ClassNumber              // integers, decimals, doubles
	ClassText                // character strings
	ClassJSON
)

// Class returns the class of an expression's values.
func (c Comparer) Class(e sql.Expression) class {
	if !e.Resolved() {
		return ClassOther
	}
	t := e.Type()
	switch t.(type) {
	case nil, types.TupleType, sql.SystemVariableType, sql.EnumType, sql.SetType:
		return ClassOther
	case value.TextType:
		return ClassText
	case value.NumberType, value.MixedNumber:
		return ClassNumber
	case KeyType:
		return ClassOther
	}
	switch {
	case t == types.Null:
		return ClassNull
	case types.IsJSON(t):
		return ClassJSON
	case types.IsNumber(t):
		return ClassNumber
	case types.IsTextOnly(t) && types.IsText(t):
		return ClassText
	}
	return ClassOther
}

// operands returns the operands in a common type under which our code compares, and whether that changes any. Nothing
// changes if the engine should compare them.
func (c Comparer) operands(op operation, operands ...sql.Expression) ([]sql.Expression, bool) {
	operands, enums := c.enumOperands(op, operands)
	operands, dates := c.dateOperands(operands)
	operands, bytes := c.byteOperands(operands)
	operands, clocks := c.clockOperands(operands)
	operands, temporals := c.temporalOperands(operands)
	operands, changed := c.common(op, operands)
	return operands, enums || dates || bytes || clocks || temporals || changed
}

func (c Comparer) common(op operation, operands []sql.Expression) ([]sql.Expression, bool) {
	var seen [ClassJSON + 1]int
	for _, o := range operands {
		seen[c.Class(o)]++
	}
	given := len(operands) - seen[ClassNull]
	switch {
	case seen[ClassOther] > 0 && seen[ClassJSON] == 0, given == 0:
		return operands, false
	case seen[ClassJSON] > 0:
		return c.jsonOperands(operands)
	case seen[ClassNumber] == given:
		return c.numberOperands(operands)
	case seen[ClassText] == given:
		return c.textOperands(op, operands)
	case seen[ClassNumber]+seen[ClassText] == given:
		return c.spelledOperands(operands)
	}
	return operands, false
}

// jsonOperands converts the scalars that JSON is compared with to JSON values. As JSON values, strings compare in the
// default collation whatever the column's.
func (c Comparer) jsonOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	return functions.Each(operands, tree.AsJSON)
}

// typed gives an operand a type unless it has it already.
func (c Comparer) typed(o sql.Expression, t sql.Type) sql.Expression {
	if c.Class(o) == ClassNull || types.TypesEqual(o.Type(), t) {
		return o
	}
	return tree.WithType(o, t)
}

// textOperands gives strings a common collation.
func (c Comparer) textOperands(op operation, operands []sql.Expression) ([]sql.Expression, bool) {
	coll := c.TextCollation(operands...)
	target := sql.Type(value.NewTextType(coll))
	var column sql.Type
	columns, uniform := 0, true
	for _, o := range operands {
		if isConstant(o) || c.Class(o) == ClassNull {
			continue
		}
		columns++
		if typed, ok := value.CollationOfType(o.Type()); !ok || typed != coll || column != nil && !column.Equals(o.Type()) {
			uniform = false
			continue
		}
		if column == nil {
			column = o.Type()
		}
	}
	if uniform && column != nil {
		target = column
	}
	if op == opEqual && coll.IsIdentity() && columns > 1 && !uniform {
		return operands, false // they compare by bytes, as in the engine
	}
	if op == opEqual && !coll.IsIdentity() && columns > 1 {
		return functions.Each(operands, func(o sql.Expression) sql.Expression {
			if c.Class(o) == ClassNull {
				return o
			}
			return tree.NewWeightKey(tree.Unwrapped(o), coll)
		})
	}
	return functions.Each(operands, func(o sql.Expression) sql.Expression { return c.typed(o, target) })
}

// isConstant recognizes a value that is known when the statement is planned.
func isConstant(e sql.Expression) bool {
	switch e.(type) {
	case *expression.Literal, *ScalarValue:
		return true
	}
	return false
}

// TextCollation returns the collation that strings are compared in: an explicit COLLATE first, then a column's, then
// the default. Among columns the binary one wins, and any wins over the default.
func (c Comparer) TextCollation(operands ...sql.Expression) *collation.Collation {
	var column, cast *collation.Collation
	for _, o := range operands {
		if c.Class(o) != ClassText {
			continue
		}
		id, coercibility := sql.GetCoercibility(c.Ctx, o)
		if coercibility == 0 {
			return collation.Nearest(id.Name())
		}
		for _, coll := range columnCollations(o) {
			if column == nil || coll.IsBinary() || column == collation.Default {
				column = coll
			}
		}
		if st, ok := o.Type().(types.StringType); ok && coercibility < 4 && st.Collation() != sql.Collation_Default &&
			cast == nil {
			cast = collation.Nearest(st.Collation().Name())
		}
	}
	switch {
	case column != nil:
		return column
	case cast != nil:
		return cast
	}
	return collation.Default
}

// mixed returns the error for comparing columns of different collations without precedence: the order in which they
// are written would decide.
func (c Comparer) mixed(operation string, operands ...sql.Expression) error {
	var implicit, explicit []*collation.Collation
	for _, o := range operands {
		switch c.Class(o) {
		case ClassText:
		case ClassNull:
			continue
		default:
			return nil // they do not compare as strings
		}
		if id, coercibility := sql.GetCoercibility(c.Ctx, o); coercibility == 0 {
			explicit = append(explicit, collation.Nearest(id.Name()))
			continue
		}
		implicit = append(implicit, columnCollations(o)...)
	}
	given, kind := explicit, "EXPLICIT"
	if len(explicit) == 0 {
		if slices.ContainsFunc(implicit, (*collation.Collation).IsBinary) {
			return nil
		}
		given, kind = slices.DeleteFunc(implicit, func(coll *collation.Collation) bool { return coll == collation.Default }),
			"IMPLICIT"
	}
	for _, coll := range given {
		if coll != given[0] {
			return mysql.NewSQLError(mysqlerr.IllegalMix, "HY000",
				"Illegal mix of collations (%s,%s) and (%s,%s) for operation '%s'", given[0], kind, coll, kind, operation)
		}
	}
	return nil
}

// columnCollations returns the collations of the columns from which an expression takes its strings. It skips columns
// that only select one of them, as in IF and CASE, or set the length.
func columnCollations(e sql.Expression) []*collation.Collation {
	if coll, ok := value.CollationOfType(e.Type()); ok {
		return []*collation.Collation{coll}
	}
	children := e.Children()
	if _, ok := e.(tree.Placed); ok {
		children = children[:min(1, len(children))] // others are columns that its query reads
	}
	switch choice := e.(type) {
	case *plan.Subquery:
		children = ResultExpressions(choice.Query)
	case *expression.Case:
		children = nil
		for _, b := range choice.Branches {
			children = append(children, b.Value)
		}
		if choice.Else != nil {
			children = append(children, choice.Else)
		}
	}
	var out []*collation.Collation
	for _, child := range children {
		if t := child.Type(); !types.IsNumber(t) && !types.IsTime(t) {
			out = append(out, columnCollations(child)...)
		}
	}
	return out
}

// numberOperands makes comparisons of numbers exact. The engine is exact by itself within the signed integers, the
// unsigned ones, doubles and decimals. So a literal takes the type of the others where its value allows it; otherwise
// all get value.NumberType.
func (c Comparer) numberOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	var families numberFamily
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); !literal && c.Class(o) == ClassNumber {
			families |= familyOf(o.Type())
		}
	}
	if families == 0 {
		for _, o := range operands {
			if c.Class(o) == ClassNumber {
				families |= familyOf(o.Type())
			}
		}
	}
	if families == familyDecimal {
		return c.decimalOperands(operands)
	}
	if families.single() {
		out, ok := make([]sql.Expression, len(operands)), true
		any := false
		for i, o := range operands {
			out[i] = o
			l, literal := o.(*expression.Literal)
			if !literal || c.Class(o) == ClassNull || familyOf(o.Type()) == families {
				continue
			}
			if out[i], ok = literalInFamily(l, families); !ok {
				break
			}
			any = true
		}
		if ok {
			return out, any
		}
	}
	return c.exactly(operands)
}

func (c Comparer) exactly(operands []sql.Expression) ([]sql.Expression, bool) {
	return functions.Each(operands, func(o sql.Expression) sql.Expression { return c.typed(o, value.NumberType{}) })
}

// decimalOperands keeps the type of a DECIMAL column if all others have it or are literals with no more decimals. The
// engine rounds to the scale of the left one before it compares.
func (c Comparer) decimalOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	var t sql.Type
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); literal || c.Class(o) == ClassNull {
			continue
		}
		if t != nil && !types.TypesEqual(t, o.Type()) {
			return c.exactly(operands)
		}
		t = o.Type()
	}
	dt, ok := t.(sql.DecimalType)
	if !ok {
		return c.exactly(operands)
	}
	any := false
	out := make([]sql.Expression, len(operands))
	for i, o := range operands {
		out[i] = o
		l, literal := o.(*expression.Literal)
		if !literal || l.Val == nil {
			continue
		}
		text, err := value.NumberLiteral(l.Val)
		if err != nil {
			return c.exactly(operands)
		}
		d, ok := value.LiteralDecimal(text)
		if !ok || !d.Equal(d.Truncate(int32(dt.Scale()))) || !fitsDecimal(d, dt) {
			return c.exactly(operands)
		}
		out[i], any = expression.NewLiteral(d, t), true
	}
	return out, any
}

// fitsDecimal reports whether a DECIMAL type has enough digits before the point.
func fitsDecimal(d decimal.Decimal, t sql.DecimalType) bool {
	return d.NumDigits()+int(d.Exponent()) <= int(t.Precision())-int(t.Scale())
}

// numberFamily is a set of kinds of numbers within which the engine compares
// exactly.
type numberFamily uint8

const (
	familySigned numberFamily = 1 << iota
	familyUnsigned
	familyDouble
	familyDecimal
	familyMixed // value.NumberType, and types without a family
)

func (f numberFamily) single() bool {
	return f != familyMixed && f&(f-1) == 0
}

func familyOf(t sql.Type) numberFamily {
	switch {
	case types.IsSigned(t):
		return familySigned
	case types.IsUnsigned(t):
		return familyUnsigned
	case t == types.Float64:
		return familyDouble
	case types.IsDecimal(t):
		return familyDecimal
	}
	return familyMixed
}

func tuples(left, right sql.Expression) (expression.Tuple, expression.Tuple, bool) {
	lt, lok := left.(expression.Tuple)
	rt, rok := right.(expression.Tuple)
	return lt, rt, lok && rok && len(lt) == len(rt) && len(lt) > 1
}

// plainIntegers reports whether two operands are columns or literals of integers that are both signed or both
// unsigned. The engine compares those correctly, and most comparisons are of that form.
func plainIntegers(left, right sql.Expression) bool {
	family := plainInteger(left)
	return family != 0 && family == plainInteger(right)
}

// plainInteger returns the family of a column's or literal's integers; 0 for other expressions.
func plainInteger(e sql.Expression) numberFamily {
	switch e := e.(type) {
	case *expression.GetField:
	case *expression.Literal:
		if e.Val == nil {
			return 0
		}
	default:
		return 0
	}
	switch t := e.Type(); {
	case types.IsSigned(t):
		return familySigned
	case types.IsUnsigned(t):
		return familyUnsigned
	}
	return 0
}

// literalInFamily returns a literal of the same number in another family, if there is one.
func literalInFamily(l *expression.Literal, family numberFamily) (sql.Expression, bool) {
	if l.Val == nil {
		return l, true
	}
	if n, ok := SmallInteger(l.Val); ok && family == familySigned {
		return expression.NewLiteral(n, types.Int64), true
	}
	text, err := value.NumberLiteral(l.Val)
	if err != nil {
		return l, false
	}
	d, ok := value.LiteralDecimal(text)
	if !ok {
		return l, false
	}
	switch family {
	case familySigned:
		if n, ok := functions.IntegerOf(d); ok && n.IsInt64() {
			return expression.NewLiteral(n.Int64(), types.Int64), true
		}
	case familyUnsigned:
		if n, ok := functions.IntegerOf(d); ok && n.IsUint64() {
			return expression.NewLiteral(n.Uint64(), types.Uint64), true
		}
	case familyDouble:
		f, _ := d.Float64()
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return l, false
		}
		if order, err := value.CompareNumbers(f, d); err == nil && order == 0 {
			return expression.NewLiteral(f, types.Float64), true
		}
	}
	return l, false
}

// SmallInteger returns the value of an integer whose type has no values beyond int64, such as a literal's.
func SmallInteger(v any) (n int64, ok bool) {
	switch v := v.(type) {
	case int8:
		return int64(v), true
	case uint8:
		return int64(v), true
	case int16:
		return int64(v), true
	case uint16:
		return int64(v), true
	case int32:
		return int64(v), true
	case uint32:
		return int64(v), true
	case int64:
		return v, true
	}
	return 0, false
}
