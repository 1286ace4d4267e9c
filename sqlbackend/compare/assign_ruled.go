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

// AssignmentRules say what happens to values that their columns can't hold, by a statement's SQL mode or its IGNORE.
type AssignmentRules struct {
	Lenient   bool // they become the nearest values that the columns can hold, with warnings
	ignore    bool // lenient because of IGNORE
	zeroDates bool // 0000-00-00 is a date
}

// AssignedRows counts the rows that the running command has assigned by some rules: for a program, those of all its
// runs.
type AssignedRows struct {
	Row  int // the row that is being assigned, from 1
	last int // index of the last assigned column of an INSERT
}

// AssignedBy returns the count of rows that the running command has assigned by the rules, or by another part of a
// plan. The session keeps it.
func AssignedBy(ctx context.Context, rules any) *AssignedRows {
	if c, ok := ctx.(*sql.Context); ok {
		if s, ok := c.Session.(interface{ AssignedBy(rules any) *AssignedRows }); ok {
			return s.AssignedBy(rules)
		}
	}
	return new(AssignedRows)
}

// RulesOf returns the rules of a session's modes; ignore is for INSERT IGNORE and UPDATE IGNORE.
func RulesOf(ctx *sql.Context, ignore bool) *AssignmentRules {
	modes := setting.Of(ctx, setting.Modes)
	return &AssignmentRules{Lenient: ignore || !strings.Contains(modes, "strict_"), ignore: ignore,
		zeroDates: !strings.Contains(modes, "no_zero_date")}
}

// ruledType is a declared column's type for assigned values, with the rules of the statement.
type ruledType struct {
	value.ColumnType
	column string
	at     int // for an INSERT, which converts the columns of a row in turn; -1: rows are counted elsewhere
	rules  *AssignmentRules
}

// ruled returns a declared column's type, with the rules if they apply to it.
func (r *AssignmentRules) ruled(c *sql.Column, t sql.Type, at int) (sql.Type, bool) {
	if isRuled(t) || t.Type() == sqltypes.TypeJSON { // JSON has no nearest text: it is an error even with IGNORE
		return t, false
	}
	if r.Lenient || t.Type() == sqltypes.Char || types.IsEnum(t) || types.IsSet(t) || !r.zeroDates && isMoment(t) {
		return r.Wrapped(t, c.Name, at), true
	}
	return t, false
}

// ruledText is ruledType for texts or bytes, for which the engine needs a sql.StringType.
type ruledText struct {
	ruledType
}

var _ sql.StringType = ruledText{}

// Wrapped returns a column's type with the rules; at is its place in an INSERT, or -1.
func (r *AssignmentRules) Wrapped(t sql.Type, column string, at int) sql.Type {
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
		rows := AssignedBy(ctx, t.rules)
		if rows.Row == 0 || t.at <= rows.last {
			rows.Row++
		}
		rows.last = t.at
	}
	if t.Type() == sqltypes.Char {
		switch text := v.(type) {
		case string:
			v = strings.TrimRight(text, " ")
		case []byte:
			v = strings.TrimRight(string(text), " ")
		}
	}
	if set, ok := t.ColumnType.(sql.SetType); ok {
		switch text := v.(type) {
		case []byte:
			return t.members(ctx, set, string(text))
		case string:
			return t.members(ctx, set, text)
		}
	}

	out, in, err := t.ColumnType.Convert(ctx, v)
	switch {
	case err != nil || in != sql.InRange:
		if !t.rules.Lenient {
			if types.IsEnum(t.ColumnType) || types.IsSet(t.ColumnType) {
				err = t.tell(ctx, mysql.ERWarnDataTruncated, Truncated)
			}
			return out, in, err
		}
		nearest, code, text := t.nearest(ctx, v, out)
		return nearest, sql.InRange, t.tell(ctx, code, text)
	case types.IsEnum(t.ColumnType) && out == uint16(0):
		err = t.tell(ctx, mysql.ERWarnDataTruncated, Truncated)
	case !t.rules.zeroDates && isMoment(t.ColumnType):
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

// Truncated is the message for a value of which a column keeps a part, or nothing.
const Truncated = "Data truncated"

// members returns the members of a SET that a text names.
func (t ruledType) members(ctx context.Context, of sql.SetType, text string) (any, sql.ConvertInRange, error) {
	bits, whole := value.MembersOf(ctx, of, text)
	if whole {
		return bits, sql.InRange, nil
	}
	return bits, sql.InRange, t.tell(ctx, mysql.ERWarnDataTruncated, Truncated)
}

// tell warns of a value, or refuses it.
func (t ruledType) tell(ctx context.Context, code int, what string) error {
	text, row := "for column '%s' at row %d", max(1, AssignedBy(ctx, t.rules).Row)
	if !t.rules.Lenient {
		state := "22007"
		if code == mysql.ERWarnDataTruncated {
			state = "01000"
		}
		return mysql.NewSQLError(code, state, "%s "+text, what, t.column, row)
	}
	if s, ok := ctx.(*sql.Context); ok {
		functions.Warn(s, code, "%s "+text, what, t.column, row)
	}
	return nil
}

// Refusal returns the error, under strict rules, for a value that a column can't take; row counts from 1.
func Refusal(ctx context.Context, t sql.Type, column string, row int, v any) error {
	text, err := value.TextOf(ctx, v)
	if err != nil {
		text = ""
	}
	code, what := 0, ""
	switch name, _, _ := strings.Cut(strings.ToLower(t.String()), "("); {
	case isMoment(t), name == "time":
		if name == "timestamp" {
			name = "datetime"
		}
		code, what = mysql.ERTruncatedWrongValue, "Incorrect "+name+" value: '"+text+"'"
	case types.IsYear(t) && strings.TrimLeft(text, "-0123456789.") != "":
		code, what = mysql.ERTruncatedWrongValueForField, "Incorrect integer value: '"+text+"'"
	default:
		_, code, what = ruledType{t, column, -1, &AssignmentRules{}}.nearest(ctx, v, nil)
	}
	state := map[int]string{mysql.ERWarnDataTruncated: "01000", mysql.ERWarnDataOutOfRange: "22003",
		mysql.ERTruncatedWrongValue: "22007", mysql.ERTruncatedWrongValueForField: "HY000"}[code]
	return mysql.NewSQLError(code, state, "%.300s for column '%s' at row %d", what, column, row)
}

// leadingMoment matches the date, with a time or without one, that a text begins with.
var leadingMoment = regexp.MustCompile(`^\s*\d{4}-\d{1,2}-\d{1,2}([ T]\d{1,2}:\d{1,2}(:\d{1,2}(\.\d{1,6})?)?)?`)

// leadingDecimal matches the number that a text begins with.
var leadingDecimal = regexp.MustCompile(`^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,4})?`)

// nearest returns the nearest value that the column can hold, and the warning for it. converted is the result of the
// type's own conversion.
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
				converted = nil // the type reads less of a text than the number that it begins with
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
			return bits, mysql.ERWarnDataTruncated, Truncated
		}
		bits, _ = value.MembersOf(ctx, kind, text)
		return bits, mysql.ERWarnDataTruncated, Truncated
	case sql.EnumType:
		return uint16(0), mysql.ERWarnDataTruncated, Truncated
	}
	if s, ok := t.ColumnType.(sql.StringType); ok {
		if !types.IsTextOnly(s) {
			return []byte(text)[:min(int64(len(text)), s.MaxByteLength())], mysql.ERWarnDataTruncated,
				Truncated
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
		return fitting, mysql.ERWarnDataTruncated, Truncated
	}
	if bits, ok := t.ColumnType.(types.BitType); ok {
		return ^uint64(0) >> (64 - bits.NumberOfBits()), mysql.ERWarnDataOutOfRange, outOfRange
	}
	if began := leadingMoment.FindString(text); began != "" && isMoment(t.ColumnType) {
		if at, in, err := t.ColumnType.Convert(ctx, strings.TrimSpace(began)); err == nil && in == sql.InRange {
			return at, mysql.ERWarnDataTruncated, Truncated
		}
	}
	if types.IsYear(t.ColumnType) {
		return t.Zero(), mysql.ERWarnDataOutOfRange, outOfRange
	}
	return t.Zero(), mysql.ERWarnDataTruncated, Truncated
}

// leading returns the number that a text begins with, and whether that is the whole text.
func leading(text string) (number string, whole bool) {
	number = leadingDecimal.FindString(text)
	return strings.TrimSpace(number), number != "" && strings.TrimSpace(text[len(number):]) == ""
}

// number returns the number that a column takes from a text, and the warning for the rest.
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
	return d, mysql.ERWarnDataTruncated, Truncated
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

// fittingText returns as much of a text as a type holds.
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

// ruledValue is a value for a column under lenient rules. It counts the rows of an UPDATE, and replaces NULL by the
// type's implicit default for a NOT NULL column.
type ruledValue struct {
	expression.UnaryExpression
	rules  *AssignmentRules
	column *sql.Column
	counts bool // it is the first value of its row
	given  bool // NULL of a NOT NULL column becomes another value
}

// Type implements sql.Expression.
func (v *ruledValue) Type() sql.Type { return v.Child.Type() }

// AssignedValue implements program.Assigned.
func (v *ruledValue) AssignedValue() sql.Expression { return v.Child }

// IsNullable implements sql.Expression.
func (v *ruledValue) IsNullable() bool { return !v.given && v.Child.IsNullable() }

// String implements sql.Expression.
func (v *ruledValue) String() string { return v.Child.String() }

// Eval implements sql.Expression.
func (v *ruledValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if v.counts {
		AssignedBy(ctx, v.rules).Row++
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

// ImplicitDefault returns the value of a NOT NULL column without an assigned value or a default.
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
}

// Eval implements sql.Expression.
func (m *missingValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if rows := AssignedBy(ctx, m); rows.Row == 0 {
		rows.Row = 1
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

// closed reports whether a table has only declared columns.
func closed(t Assigner) bool {
	declared, ok := t.(interface{ ClosedTable() bool })
	return ok && declared.ClosedTable()
}

// ruled reports whether a schema has the rules already.
func ruled(s sql.Schema) bool {
	for _, c := range s {
		if isRuled(c.Type) {
			return true
		}
	}
	return false
}

// ruledSchema returns the schema of an INSERT's columns under the rules.
func (r *AssignmentRules) ruledSchema(s sql.Schema, takes func(string) Taker) (out sql.Schema, changed bool,
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
			literal := &missingValue{expression.NewLiteral(ImplicitDefault(c.Type), c.Type), c.Name}
			if next.Default, err = sql.NewColumnDefaultValue(literal, c.Type, true, false,
				false); err != nil {
				return nil, false, err
			}
		}
		out[i], changed = &next, true
	}
	for i, c := range out {
		if changed && c.PrimaryKey && !isRuled(c.Type) {
			next := *c // the key is never NULL: rows are counted by it
			next.Type = r.Wrapped(c.Type, c.Name, i)
			out[i] = &next
		}
	}
	return out, changed, nil
}

// ruledSource returns the source of an INSERT under lenient rules: in an INSERT of several rows NULL, and DEFAULT,
// become the columns' implicit defaults.
func (r *AssignmentRules) ruledSource(n *plan.InsertInto, s sql.Schema) sql.Node {
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
