package sqlbackend

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// A value of one column type becomes one of another as MySQL's ALTER TABLE
// converts it: a string is read as the number, date or member that it spells;
// numbers are rounded to the scale of the new type; ENUM and SET are texts
// among texts and numbers among numbers; dates and times among numbers are their
// digits. Text that is no JSON becomes a JSON string. What depends on the clock
// (TIME to DATETIME) or loses a part that is not zero in kind (a string with more
// than a number in it) is not converted.

// errNoConversion: a value that the type can't hold.
var errNoConversion = errors.New("value can't be converted")

// typeFamily is how a type's values take part in conversions.
type typeFamily uint8

const (
	familyNumber   typeFamily = iota // integers, DECIMAL, FLOAT, DOUBLE, BIT, YEAR
	familyText                       // CHAR, VARCHAR, TEXT
	familyMember                     // ENUM, SET: text and number
	familyTemporal                   // DATE, DATETIME, TIMESTAMP, TIME
	familyBytes
	familyJSON
	familyOther
)

func typeFamilyOf(t sql.Type) typeFamily {
	switch classOf(t) {
	case catalog.ClassNumber:
		return familyNumber
	case catalog.ClassBytes:
		return familyBytes
	case catalog.ClassDate, catalog.ClassTime, catalog.ClassDatetime:
		return familyTemporal
	}
	switch {
	case t.Type() == sqltypes.TypeJSON:
		return familyJSON
	case types.IsEnum(t), types.IsSet(t):
		return familyMember
	case types.IsText(t):
		return familyText
	}
	return familyOther
}

// convertStored makes what a document holds for a column what it holds once the
// column has another type. It is false when the value can't be converted.
func convertStored(ctx *sql.Context, from, to *column, v document.Value) (document.Value, bool) {
	if from.readsNull(v) {
		if to.keepsNull {
			return document.Value{}, true
		}
		return v, true
	}
	if same, err := sameStorage(from.typ, to.typ); err == nil && same {
		return v, true
	}
	if types.IsEnum(from.typ) && types.IsEnum(to.typ) {
		if x, err := fromJSON(ctx, from, v); err == nil && x == uint16(0) { // which stands for what was no member
			next, err := toJSON(ctx, to, x)
			return next, err == nil
		}
	}
	if !from.undeclared && from.typ.Equals(to.typ) {
		// The same type again: what the column reads stays as it is spelled.
		if _, err := readStored(ctx, to, v); err == nil {
			return v, true
		}
	}
	if to.keepsNull && typeFamilyOf(to.typ) == familyJSON && typeFamilyOf(from.typ) == familyText && !from.undeclared {
		// Of a closed table, as in MySQL: in an open one text that is no JSON becomes a JSON string.
		if _, err := value.ParseJSON(v.Str()); v.Type() == document.TypeString && err != nil {
			return v, false
		}
	}
	y, err := convertTo(ctx, to, sourceOf(ctx, from, v))
	if err != nil {
		return v, false
	}
	next, err := toJSON(ctx, to, y)
	if err != nil {
		return v, false
	}
	if next.Text() == v.Text() {
		return v, true
	}
	return next, true
}

// sameStorage reports whether two types differ in their collation at most.
func sameStorage(a, b sql.Type) (bool, error) {
	at, err := typeText(a)
	if err != nil {
		return false, err
	}
	bt, err := typeText(b)
	if err != nil {
		return false, err
	}
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, " CHARACTER SET ")
		s, _, _ = strings.Cut(s, " COLLATE ")
		return strings.ToLower(s)
	}
	return typeFamilyOf(a) == familyText && plain(at) == plain(bt), nil
}

// source is a value that is to be converted: the ways in which it can be seen.
type source struct {
	text    string
	hasText bool
	number  any  // int64, uint64, float64, decimal.Decimal; nil when it is none
	member  bool // of an ENUM or a SET: the text counts before the number
	// moment is set for DATE, DATETIME and TIMESTAMP, span for TIME.
	moment any
	span   any
	bytes  []byte
	json   document.Value // of a JSON column, or of what the column could not read
}

// sourceOf reads a value as its column does; what does not fit the column is
// read as the JSON scalar that it is.
func sourceOf(ctx *sql.Context, c *column, v document.Value) source {
	if c.undeclared && v.Type() == document.TypeString {
		return jsonSource(v, v.Str())
	}
	if c.unit == unitJSON {
		return jsonSource(v, v.Text())
	}
	x, err := readStored(ctx, c, v)
	if err != nil {
		text := v.Text()
		if v.Type() == document.TypeString {
			text = v.Str()
		}
		return jsonSource(v, text)
	}
	switch typeFamilyOf(c.typ) {
	case familyNumber:
		s := source{number: wideNumber(x)}
		if stored, err := toJSON(ctx, c, x); err == nil {
			s.text, s.hasText = stored.Text(), true
		}
		if c.unit != unitDecimal && c.typ.Type() != sqltypes.Bit {
			if shown, err := c.typ.SQL(ctx, nil, x); err == nil {
				s.text = shown.ToString()
			}
		}
		return s
	case familyMember:
		s := source{number: wideNumber(x), member: true}
		s.text, s.hasText = value.MemberText(c.typ, x)
		return s
	case familyTemporal:
		s := source{}
		if shown, err := c.typ.SQL(ctx, nil, x); err == nil {
			s.text, s.hasText = shown.ToString(), true
		}
		if classOf(c.typ) == catalog.ClassTime {
			s.span = x
		} else {
			s.moment = x
		}
		return s
	case familyBytes:
		b, _ := x.([]byte)
		return source{bytes: b, text: string(b), hasText: utf8.Valid(b)}
	}
	if s, ok := x.(string); ok {
		return source{text: s, hasText: true}
	}
	return jsonSource(v, v.Text())
}

func jsonSource(v document.Value, text string) source {
	s := source{json: v, text: text, hasText: true}
	switch v.Type() {
	case document.TypeNumber:
		s.number, _ = numberIn(v.Number())
	case document.TypeBool:
		s.number = int64(0)
		if v.Bool() {
			s.number = int64(1)
		}
	}
	return s
}

// scalar is the text by which the source is read as a number, date or member.
func (s source) scalar() (string, bool) {
	switch s.json.Type() {
	case document.TypeString:
		return s.json.Str(), true
	case document.TypeObject, document.TypeArray, document.TypeBool:
		return "", false
	}
	return s.text, s.hasText
}

// convertTo makes a SQL value of the column.
func convertTo(ctx *sql.Context, to *column, s source) (any, error) {
	no := func() (any, error) { return nil, fmt.Errorf("sqlbackend: column %s: %w", to.name, errNoConversion) }
	switch typeFamilyOf(to.typ) {
	case familyNumber:
		return numberTo(ctx, to, s)
	case familyText:
		if !s.hasText {
			return no()
		}
		return convertValue(ctx, to, s.text)
	case familyMember:
		if s.number != nil && !s.member {
			return convertValue(ctx, to, s.number)
		}
		text, ok := s.scalar()
		if !ok {
			return no()
		}
		return convertValue(ctx, to, text)
	case familyTemporal:
		return temporalTo(ctx, to, s)
	case familyBytes:
		if s.bytes != nil {
			return convertValue(ctx, to, s.bytes)
		}
		if !s.hasText {
			return no()
		}
		return convertValue(ctx, to, []byte(s.text))
	case familyJSON:
		switch {
		case !s.json.IsZero():
			return value.NewJSON(s.json), nil
		case s.number != nil:
			if j, err := value.ParseJSON(s.text); err == nil && j.Value().Type() == document.TypeNumber {
				return j, nil
			}
		case s.moment == nil && s.span == nil && s.bytes == nil:
			if j, err := value.ParseJSON(s.text); err == nil {
				return j, nil
			}
		}
		if !s.hasText {
			return no()
		}
		text, err := document.StringValue(s.text)
		return value.NewJSON(text), err
	}
	return no()
}

// numberTo makes a number of the column's type.
func numberTo(ctx *sql.Context, to *column, s source) (any, error) {
	n := s.number
	year := to.typ.Type() == sqltypes.Year
	switch {
	case n != nil:
	case s.moment != nil && year:
		n, _ = numberIn(s.text[:min(4, len(s.text))])
	case s.moment != nil, s.span != nil:
		// Their digits: 2026-02-03 04:05:06.5 is 20260203040506.5.
		n, _ = numberIn(strings.NewReplacer("-", "", ":", "", " ", "").Replace(strings.TrimPrefix(s.text, "-")))
		if d, ok := n.(decimal.Decimal); ok && strings.HasPrefix(s.text, "-") {
			n = d.Neg()
		}
	default:
		text, ok := s.scalar()
		if !ok {
			return nil, errNoConversion
		}
		if n, ok = numberIn(strings.Trim(text, " \t\r\n")); !ok {
			return nil, errNoConversion
		}
	}
	if n == nil {
		return nil, errNoConversion
	}
	if d, ok := n.(decimal.Decimal); ok && (to.unit == unitDouble || to.unit == unitFloat) {
		f, err := strconv.ParseFloat(value.DecimalLiteral(d), 64)
		if err != nil || math.IsInf(f, 0) {
			return nil, errNoConversion
		}
		n = f
	}
	if types.IsInteger(to.typ) || to.typ.Type() == sqltypes.Bit || year {
		d, ok := exactDecimal(n)
		if !ok {
			return nil, errNoConversion
		}
		whole := d.Round(0)
		switch {
		case whole.IsNegative() && types.IsUnsigned(to.typ):
			return nil, errNoConversion
		case whole.BigInt().IsInt64():
			n = whole.BigInt().Int64()
		case whole.BigInt().IsUint64():
			n = whole.BigInt().Uint64()
		default:
			return nil, errNoConversion
		}
	}
	return convertValue(ctx, to, n)
}

// temporalTo makes a date or time of the column's type.
func temporalTo(ctx *sql.Context, to *column, s source) (any, error) {
	isTime := classOf(to.typ) == catalog.ClassTime
	switch {
	case s.span != nil:
		if !isTime {
			return nil, errNoConversion // MySQL takes today's date
		}
		return convertValue(ctx, to, s.span)
	case s.moment != nil && isTime:
		at, ok := s.moment.(time.Time)
		if !ok {
			return nil, errNoConversion
		}
		return convertValue(ctx, to, at.Format("15:04:05.999999"))
	case s.moment != nil:
		return convertValue(ctx, to, s.moment)
	case s.number != nil && isTime:
		return convertValue(ctx, to, s.number)
	case s.number != nil:
		// The digits of a date or datetime.
		d, ok := exactDecimal(s.number)
		if !ok || !d.IsInteger() || d.IsNegative() {
			return nil, errNoConversion
		}
		for _, layout := range []string{"20060102", "20060102150405"} {
			if digits := d.String(); len(digits) == len(layout) {
				at, err := time.Parse(layout, digits)
				if err != nil {
					return nil, errNoConversion
				}
				return convertValue(ctx, to, at)
			}
		}
		return nil, errNoConversion
	}
	text, ok := s.scalar()
	if !ok {
		return nil, errNoConversion
	}
	text = strings.Trim(text, " \t\r\n")
	if isTime && !strings.ContainsAny(text, "0123456789") {
		return nil, errNoConversion
	}
	return convertValue(ctx, to, text)
}

// wideNumber is a SQL value as the widest of its kind; nil when it is no number.
func wideNumber(v any) any {
	switch v := v.(type) {
	case int8:
		return int64(v)
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	case int64:
		return v
	case int:
		return int64(v)
	case uint8:
		return uint64(v)
	case uint16:
		return uint64(v)
	case uint32:
		return uint64(v)
	case uint64:
		return v
	case float32:
		// As it is shown, not as the double that it happens to be.
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return f
	case float64:
		return v
	case decimal.Decimal:
		return v
	}
	return nil
}

// numberIn is the decimal that a text spells and nothing else.
func numberIn(text string) (any, bool) {
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return nil, false
	}
	d, ok := value.LiteralDecimal(text)
	if !ok {
		return nil, false
	}
	return d, true
}

// exactDecimal is a wide number as a decimal.
func exactDecimal(n any) (decimal.Decimal, bool) {
	switch n := n.(type) {
	case int64:
		return decimal.NewFromInt(n), true
	case uint64:
		return decimal.NewFromBigInt(new(big.Int).SetUint64(n), 0), true
	case float64:
		if math.IsInf(n, 0) || math.IsNaN(n) || math.Abs(n) > 1e30 {
			return decimal.Decimal{}, false
		}
		return decimal.NewFromFloat(n), true
	case decimal.Decimal:
		return n, true
	}
	return decimal.Decimal{}, false
}

// readStored is fromJSON for values that may not have been written for the
// column: a number is read from a text only if it is one and nothing else.
func readStored(ctx *sql.Context, c *column, v document.Value) (any, error) {
	if c.readsNull(v) {
		return nil, nil
	}
	f := typeFamilyOf(c.typ)
	natural := true
	switch f {
	case familyNumber:
		natural = v.Type() == document.TypeNumber
	case familyMember:
		natural = v.Type() == document.TypeString || v.Type() == document.TypeNumber
	case familyText, familyTemporal, familyBytes:
		natural = v.Type() == document.TypeString
	}
	if natural {
		return fromJSON(ctx, c, v)
	}
	text := v.Text()
	if v.Type() == document.TypeString {
		text = v.Str()
	}
	return convertTo(ctx, c, jsonSource(v, text))
}
