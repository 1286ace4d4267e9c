package compare

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// assignmentRules are what a statement's SQL mode, or its IGNORE, says of values that their columns can't hold.
type assignmentRules struct {
	Lenient   bool // they become the nearest that the columns can, with warnings
	ignore    bool // they do by IGNORE
	zeroDates bool // 0000-00-00 is a date
	row       int  // that is being assigned
	last      int  // the column that was, of an INSERT
}

// RulesOf are the rules of a session's modes; ignore is of INSERT IGNORE and UPDATE IGNORE.
func RulesOf(ctx *sql.Context, ignore bool) *assignmentRules {
	modes := setting.Of(ctx, setting.Modes)
	return &assignmentRules{Lenient: ignore || !strings.Contains(modes, "strict_"), ignore: ignore,
		zeroDates: !strings.Contains(modes, "no_zero_date")}
}

// ruledType is a declared column's type where a statement gives it a value, with the rules of the statement.
type ruledType struct {
	value.ColumnType
	column string
	at     int // of an INSERT, which converts the columns of a row in turn; -1: rows are counted elsewhere
	rules  *assignmentRules
}

// ruled is a declared column's type, with the rules if they have a say.
func (r *assignmentRules) ruled(c *sql.Column, t sql.Type, at int) (sql.Type, bool) {
	if isRuled(t) || t.Type() == sqltypes.TypeJSON { // no text is nearly JSON: it is an error by IGNORE, too
		return t, false
	}
	if r.Lenient || t.Type() == sqltypes.Char || types.IsEnum(t) || !r.zeroDates && types.IsTime(t) {
		return r.wrapped(t, c.Name, at), true
	}
	return t, false
}

// ruledText is such a type of texts or bytes, of which the engine asks more.
type ruledText struct {
	ruledType
}

var _ sql.StringType = ruledText{}

func (r *assignmentRules) wrapped(t sql.Type, column string, at int) sql.Type {
	ruled := ruledType{t, column, at, r}
	if _, text := t.(sql.StringType); text {
		return ruledText{ruled}
	}
	return ruled
}

func isRuled(t sql.Type) bool {
	switch t.(type) {
	case ruledType, ruledText:
		return true
	}
	return false
}

func (t ruledText) text() sql.StringType { return t.ColumnType.(sql.StringType) }

// CharacterSet implements sql.StringType.
func (t ruledText) CharacterSet() sql.CharacterSetID { return t.text().CharacterSet() }

// Collation implements sql.StringType.
func (t ruledText) Collation() sql.CollationID { return t.text().Collation() }

// MaxCharacterLength implements sql.StringType.
func (t ruledText) MaxCharacterLength() int64 { return t.text().MaxCharacterLength() }

// MaxByteLength implements sql.StringType.
func (t ruledText) MaxByteLength() int64 { return t.text().MaxByteLength() }

// Length implements sql.StringType.
func (t ruledText) Length() int64 { return t.text().Length() }

// Convert implements sql.Type.
func (t ruledType) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	if t.at >= 0 {
		if t.rules.row == 0 || t.at <= t.rules.last {
			t.rules.row++
		}
		t.rules.last = t.at
	}
	if t.Type() == sqltypes.Char {
		switch text := v.(type) {
		case string:
			v = strings.TrimRight(text, " ")
		case []byte:
			v = strings.TrimRight(string(text), " ")
		}
	}
	out, in, err := t.ColumnType.Convert(ctx, v)
	switch {
	case err != nil || in != sql.InRange:
		if !t.rules.Lenient {
			return out, in, err
		}
		nearest, code, text := t.nearest(ctx, v, out)
		return nearest, sql.InRange, t.tell(ctx, code, text)
	case types.IsEnum(t.ColumnType) && out == uint16(0):
		err = t.tell(ctx, mysql.ERWarnDataTruncated, "Data truncated")
	case !t.rules.zeroDates && types.IsTime(t.ColumnType):
		if at, ok := out.(time.Time); ok && at.Equal(types.Datetime.Zero().(time.Time)) {
			if t.rules.Lenient {
				return out, in, t.tell(ctx, mysql.ERWarnDataOutOfRange, "Out of range value")
			}
			err = t.tell(ctx, mysql.ERTruncatedWrongValue, "Incorrect "+strings.SplitN(t.String(), "(",
				2)[0]+" value: '0000-00-00'")
		}
	}
	return out, in, err
}

// tell warns of a value, or refuses it.
func (t ruledType) tell(ctx context.Context, code int, what string) error {
	text := "for column '%s' at row %d"
	if !t.rules.Lenient {
		state := "22007"
		if code == mysql.ERWarnDataTruncated {
			state = "01000"
		}
		return mysql.NewSQLError(code, state, "%s "+text, what, t.column, max(1, t.rules.row))
	}
	if s, ok := ctx.(*sql.Context); ok {
		functions.Warn(s, code, "%s "+text, what, t.column, max(1, t.rules.row))
	}
	return nil
}

// leadingDecimal is the number that a text begins with.
var leadingDecimal = regexp.MustCompile(`^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?`)

// nearest is what the column can hold of a value that it can't, and the warning of it. converted is what the type
// made of it.
func (t ruledType) nearest(ctx context.Context, v, converted any) (nearest any, code int, what string) {
	const outOfRange = "Out of range value"
	text, err := value.TextOf(ctx, v)
	if err != nil {
		text = ""
	}
	switch kind := t.ColumnType.(type) {
	case sql.DecimalType:
		number, whole := leading(text)
		d, code, what := t.number(number, whole, text)
		most := decimal.New(1, int32(kind.Precision())-int32(kind.Scale())).Sub(decimal.New(1,
			-int32(kind.Scale())))
		switch {
		case d.GreaterThan(most):
			return most, mysql.ERWarnDataOutOfRange, outOfRange
		case d.LessThan(most.Neg()):
			return most.Neg(), mysql.ERWarnDataOutOfRange, outOfRange
		}
		return d.Round(int32(kind.Scale())), code, what
	case value.AssignedInteger:
		t.ColumnType = kind.NumberType
		return t.nearest(ctx, v, converted)
	case sql.NumberType:
		number, whole := leading(text)
		switch v.(type) {
		case string, []byte:
			if !whole {
				converted = nil // the type takes less of a text than what it begins with
			}
		}
		if strings.HasPrefix(number, "-") && types.IsUnsigned(kind) {
			return kind.Zero(), mysql.ERWarnDataOutOfRange, outOfRange
		}
		if converted != nil {
			return converted, mysql.ERWarnDataOutOfRange, outOfRange
		}
		d, code, what := t.number(number, whole, text)
		given := d
		if types.IsInteger(kind) {
			given = d.Round(0)
		}
		out, in, err := ExactType(kind).Convert(ctx, given)
		if err != nil || out == nil {
			return kind.Zero(), code, what
		}
		if in != sql.InRange {
			code, what = mysql.ERWarnDataOutOfRange, outOfRange
		}
		return out, code, what
	case sql.SetType:
		var bits uint64
		if n, ok := functions.WideOf(v); ok {
			bits = (uint64(n.N) | n.Beyond) & (1<<kind.NumberOfElements() - 1)
			return bits, mysql.ERWarnDataTruncated, "Data truncated"
		}
		for _, member := range strings.Split(text, ",") {
			if bit, _, err := kind.Convert(ctx, member); err == nil {
				b, _ := bit.(uint64)
				bits |= b
			}
		}
		return bits, mysql.ERWarnDataTruncated, "Data truncated"
	case sql.EnumType:
		return uint16(0), mysql.ERWarnDataTruncated, "Data truncated"
	}
	if s, ok := t.ColumnType.(sql.StringType); ok {
		if !types.IsTextOnly(s) {
			return []byte(text)[:min(int64(len(text)), s.MaxByteLength())], mysql.ERWarnDataTruncated,
				"Data truncated"
		}
		if !utf8.ValidString(text) {
			end := 0
			for end < len(text) {
				r, size := utf8.DecodeRuneInString(text[end:])
				if r == utf8.RuneError && size == 1 {
					break
				}
				end += size
			}
			what = "Incorrect string value: '" + hexEscaped(text[end:min(len(text), end+6)]) + "'"
			return fittingText(text[:end], s), mysql.ERTruncatedWrongValueForField, what
		}
		fitting := fittingText(text, s)
		if t.Type() == sqltypes.Char {
			fitting = strings.TrimRight(fitting, " ")
		}
		return fitting, mysql.ERWarnDataTruncated, "Data truncated"
	}
	if bits, ok := t.ColumnType.(types.BitType); ok {
		return ^uint64(0) >> (64 - bits.NumberOfBits()), mysql.ERWarnDataOutOfRange, outOfRange
	}
	if types.IsYear(t.ColumnType) {
		return t.Zero(), mysql.ERWarnDataOutOfRange, outOfRange
	}
	return t.Zero(), mysql.ERWarnDataTruncated, "Data truncated"
}

// leading is the number that a text begins with, and whether that is all of it.
func leading(text string) (number string, whole bool) {
	number = leadingDecimal.FindString(text)
	return strings.TrimSpace(number), number != "" && strings.TrimSpace(text[len(number):]) == ""
}

// number is what a number column takes of a text, and the warning of the rest.
func (t ruledType) number(number string, whole bool, text string) (d decimal.Decimal, code int, what string) {
	if number == "" {
		return decimal.Zero, mysql.ERTruncatedWrongValueForField,
			"Incorrect " + kindOfNumber(t.ColumnType) + " value: '" + text + "'"
	}
	d, err := decimal.NewFromString(value.BoundedNumber(strings.TrimSuffix(number, ".")))
	if err != nil {
		d = decimal.Zero
	}
	if whole {
		return d, mysql.ERWarnDataOutOfRange, "Out of range value"
	}
	return d, mysql.ERWarnDataTruncated, "Data truncated"
}

func kindOfNumber(t sql.Type) string {
	switch {
	case types.IsDecimal(t):
		return "decimal"
	case types.IsFloat(t):
		return "double"
	}
	return "integer"
}

// fittingText is as much of a text as a type holds.
func fittingText(text string, s sql.StringType) string {
	count := int64(0)
	for i, r := range text {
		if count == s.MaxCharacterLength() || int64(i+utf8.RuneLen(r)) > s.MaxByteLength() {
			return text[:i]
		}
		count++
	}
	return text
}

// hexEscaped spells bytes as MySQL's messages do.
func hexEscaped(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= 0x20 && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.WriteString(`\x` + string(digits[c>>4]) + string(digits[c&15]))
		}
	}
	return b.String()
}

// ruledValue is a value for a column of lenient rules. It counts the rows of an UPDATE, and gives a NOT NULL
// column its type's value for NULL.
type ruledValue struct {
	expression.UnaryExpression
	rules  *assignmentRules
	column *sql.Column
	counts bool // the first of its row
	given  bool // NULL of a NOT NULL column becomes another value
}

// Type implements sql.Expression.
func (v *ruledValue) Type() sql.Type { return v.Child.Type() }

// IsNullable implements sql.Expression.
func (v *ruledValue) IsNullable() bool { return !v.given && v.Child.IsNullable() }

// String implements sql.Expression.
func (v *ruledValue) String() string { return v.Child.String() }

// Eval implements sql.Expression.
func (v *ruledValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if v.counts {
		v.rules.row++
	}
	out, err := v.Child.Eval(ctx, row)
	if err != nil || out != nil || !v.given {
		return out, err
	}
	functions.Warn(ctx, mysql.ERBadNullError, "Column '%s' cannot be null", v.column.Name)
	return ImplicitDefault(v.column.Type), nil
}

// WithChildren implements sql.Expression.
func (v *ruledValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(v, len(children), 1)
	}
	next := *v
	next.Child = children[0]
	return &next, nil
}

// ImplicitDefault is the value of a NOT NULL column that is given none.
func ImplicitDefault(t sql.Type) any {
	switch {
	case types.IsEnum(t):
		return uint16(1)
	case t.Type() == sqltypes.TypeJSON:
		return value.NewJSON(document.NullValue())
	}
	return t.Zero()
}

// missingValue is the DEFAULT, under lenient rules, of a NOT NULL column that has none.
type missingValue struct {
	*expression.Literal
	column string
	told   *bool
}

// Eval implements sql.Expression.
func (m *missingValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if !*m.told {
		*m.told = true
		functions.Warn(ctx, mysql.ERNoDefaultForField, "Field '%s' doesn't have a default value", m.column)
	}
	return m.Literal.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (m *missingValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, errors.New("sqlbackend: a literal has no children")
	}
	return m, nil
}

// closed tells whether a table has declared columns alone.
func closed(t Assigner) bool {
	declared, ok := t.(interface{ DeclaredAlone() bool })
	return ok && declared.DeclaredAlone()
}

// ruled tells whether a schema has the rules already.
func ruled(s sql.Schema) bool {
	for _, c := range s {
		if isRuled(c.Type) {
			return true
		}
	}
	return false
}

// ruledSchema is what an INSERT's columns take under the rules.
func (r *assignmentRules) ruledSchema(s sql.Schema, takes func(string) Taker) (out sql.Schema, changed bool,
	err error) {
	out = make(sql.Schema, len(s))
	for i, c := range s {
		out[i] = c
		if takes(c.Name) != TakesDeclared {
			continue
		}
		t, other := r.ruled(c, c.Type, i)
		missing := r.Lenient && !c.Nullable && c.Default == nil && c.Generated == nil && !c.AutoIncrement
		if !other && !missing {
			continue
		}
		next := *c
		next.Type = t
		if missing {
			literal := &missingValue{expression.NewLiteral(ImplicitDefault(c.Type), c.Type), c.Name,
				new(bool)}
			if next.Default, err = sql.NewColumnDefaultValue(literal, c.Type, true, false,
				false); err != nil {
				return nil, false, err
			}
		}
		out[i], changed = &next, true
	}
	for i, c := range out {
		if changed && c.PrimaryKey && !isRuled(c.Type) {
			next := *c // which is never NULL: rows are counted by it
			next.Type = r.wrapped(c.Type, c.Name, i)
			out[i] = &next
		}
	}
	return out, changed, nil
}

// ruledSource is what an INSERT of lenient rules inserts: NULL of several rows, and DEFAULT, are what the columns
// have by default.
func (r *assignmentRules) ruledSource(n *plan.InsertInto, s sql.Schema) sql.Node {
	values, ok := n.Source.(*plan.Values)
	given := r.ignore || !ok || len(values.ExpressionTuples) > 1
	next, _ := givenValues(n, s, func(e sql.Expression, c *sql.Column) sql.Expression {
		plain := e
		if w, ok := e.(*expression.Wrapper); ok {
			plain = w.Unwrap()
		}
		if _, ok := plain.(*sql.ColumnDefaultValue); ok || plain == nil {
			if c.Default != nil {
				if missing, ok := c.Default.Expr.(*missingValue); ok {
					return missing
				}
			}
			return e
		}
		if c.AutoIncrement || c.Nullable || !given {
			return e
		}
		return &ruledValue{expression.UnaryExpression{Child: e}, r, c, false, true}
	})
	return next
}
