package session

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

// A value of one column type becomes one of another as MySQL's ALTER TABLE converts it. A string is read as the
// number, date or member that it spells; numbers are rounded to the scale of the new type. ENUM and SET are texts
// beside texts and numbers beside numbers; dates and times beside numbers are their digits. Text that is no JSON
// becomes a JSON string. Conversions that depend on the clock (TIME to DATETIME), or that lose more than precision (a
// string with more than a number in it), fail.

// ErrNoConversion is the error for a value that the type can't hold.
var ErrNoConversion = errors.New("value can't be converted")

// typeFamily groups types whose values convert alike.
type typeFamily uint8

const (
	FamilyNumber   typeFamily = iota // integers, DECIMAL, FLOAT, DOUBLE, BIT, YEAR
	FamilyText                       // CHAR, VARCHAR, TEXT
	FamilyMember                     // ENUM, SET: text and number
	FamilyTemporal                   // DATE, DATETIME, TIMESTAMP, TIME
	FamilyBytes
	FamilyJSON
	familyOther
)

// TypeFamilyOf returns the family of a type.
func TypeFamilyOf(t sql.Type) typeFamily {
	switch ClassOf(t) {
	case catalog.ClassNumber:
		return FamilyNumber
	case catalog.ClassBytes:
		return FamilyBytes
	case catalog.ClassDate, catalog.ClassTime, catalog.ClassDatetime:
		return FamilyTemporal
	}
	switch {
	case t.Type() == sqltypes.TypeJSON:
		return FamilyJSON
	case types.IsEnum(t), types.IsSet(t):
		return FamilyMember
	case types.IsText(t):
		return FamilyText
	}
	return familyOther
}

// ConvertStored converts a document's value for a column to the column's new type. It returns false when the value
// can't be converted.
func ConvertStored(ctx *sql.Context, from, to *Column, v document.Value) (document.Value, bool) {
	if from.ReadsNull(v) {
		if to.KeepsNull {
			return document.Value{}, true
		}
		return v, true
	}
	if same, err := SameStorage(from.Typ, to.Typ); err == nil && same {
		return v, true
	}
	if types.IsEnum(from.Typ) && types.IsEnum(to.Typ) {
		if x, err := FromJSON(ctx, from, v); err == nil && x == uint16(0) { // an invalid member
			next, err := ToJSON(ctx, to, x)
			return next, err == nil
		}
	}
	if !from.Undeclared && from.Typ.Equals(to.Typ) {
		// The same type again: a readable value keeps its spelling.
		if _, err := ReadStored(ctx, to, v); err == nil {
			return v, true
		}
	}
	if to.KeepsNull && TypeFamilyOf(to.Typ) == FamilyJSON && TypeFamilyOf(from.Typ) == FamilyText && !from.Undeclared {
		// For a closed table, as in MySQL: in an open one text that is no JSON becomes a JSON string.
		if _, err := value.ParseJSON(v.Str()); v.Type() == document.TypeString && err != nil {
			return v, false
		}
	}
	y, err := convertTo(ctx, to, SourceOf(ctx, from, v))
	if err != nil {
		return v, false
	}
	next, err := ToJSON(ctx, to, y)
	if err != nil {
		return v, false
	}
	if next.Text() == v.Text() {
		return v, true
	}
	return next, true
}

// SameStorage reports whether two types differ at most in their collation.
func SameStorage(a, b sql.Type) (bool, error) {
	at, err := TypeText(a)
	if err != nil {
		return false, err
	}
	bt, err := TypeText(b)
	if err != nil {
		return false, err
	}
	plain := func(s string) string {
		s, _, _ = strings.Cut(s, " CHARACTER SET ")
		s, _, _ = strings.Cut(s, " COLLATE ")
		return strings.ToLower(s)
	}
	return TypeFamilyOf(a) == FamilyText && plain(at) == plain(bt), nil
}

// Source is a value to convert, in the forms that it has.
type Source struct {
	Text    string
	hasText bool
	Number  any  // int64, uint64, float64, decimal.Decimal; nil if it is no number
	Member  bool // for an ENUM or a SET: the text counts before the number
	// Moment is set for DATE, DATETIME and TIMESTAMP, Span for TIME.
	Moment any
	Span   any
	Bytes  []byte
	json   document.Value // of a JSON column, or a value that the column could not read
}

// SourceOf reads a value as its column does; a value that does not fit the column is read as a JSON scalar.
func SourceOf(ctx *sql.Context, c *Column, v document.Value) Source {
	if c.Undeclared && v.Type() == document.TypeString {
		return jsonSource(v, v.Str())
	}
	if c.Unit == UnitJSON {
		return jsonSource(v, v.Text())
	}
	x, err := ReadStored(ctx, c, v)
	if err != nil {
		text := v.Text()
		if v.Type() == document.TypeString {
			text = v.Str()
		}
		return jsonSource(v, text)
	}
	switch TypeFamilyOf(c.Typ) {
	case FamilyNumber:
		s := Source{Number: wideNumber(x)}
		if stored, err := ToJSON(ctx, c, x); err == nil {
			s.Text, s.hasText = stored.Text(), true
		}
		if c.Unit != UnitDecimal && c.Typ.Type() != sqltypes.Bit {
			if shown, err := c.Typ.SQL(ctx, nil, x); err == nil {
				s.Text = shown.ToString()
			}
		}
		return s
	case FamilyMember:
		s := Source{Number: wideNumber(x), Member: true}
		s.Text, s.hasText = value.MemberText(c.Typ, x)
		return s
	case FamilyTemporal:
		s := Source{}
		if shown, err := c.Typ.SQL(ctx, nil, x); err == nil {
			s.Text, s.hasText = shown.ToString(), true
		}
		if ClassOf(c.Typ) == catalog.ClassTime {
			s.Span = x
		} else {
			s.Moment = x
		}
		return s
	case FamilyBytes:
		b, _ := x.([]byte)
		return Source{Bytes: b, Text: string(b), hasText: utf8.Valid(b)}
	}
	if s, ok := x.(string); ok {
		return Source{Text: s, hasText: true}
	}
	return jsonSource(v, v.Text())
}

func jsonSource(v document.Value, text string) Source {
	s := Source{json: v, Text: text, hasText: true}
	switch v.Type() {
	case document.TypeNumber:
		s.Number, _ = NumberIn(v.Number())
	case document.TypeBool:
		s.Number = int64(0)
		if v.Bool() {
			s.Number = int64(1)
		}
	}
	return s
}

// Scalar returns the text by which the source is read as a number, date or member.
func (s Source) Scalar() (string, bool) {
	switch s.json.Type() {
	case document.TypeString:
		return s.json.Str(), true
	case document.TypeObject, document.TypeArray, document.TypeBool:
		return "", false
	}
	return s.Text, s.hasText
}

// convertTo returns the source as a SQL value of the column.
func convertTo(ctx *sql.Context, to *Column, s Source) (any, error) {
	no := func() (any, error) { return nil, fmt.Errorf("sqlbackend: column %s: %w", to.Name, ErrNoConversion) }
	switch TypeFamilyOf(to.Typ) {
	case FamilyNumber:
		return numberTo(ctx, to, s)
	case FamilyText:
		if !s.hasText {
			return no()
		}
		return ConvertValue(ctx, to, s.Text)
	case FamilyMember:
		if s.Number != nil && !s.Member {
			return ConvertValue(ctx, to, s.Number)
		}
		text, ok := s.Scalar()
		if !ok {
			return no()
		}
		return ConvertValue(ctx, to, text)
	case FamilyTemporal:
		return temporalTo(ctx, to, s)
	case FamilyBytes:
		if s.Bytes != nil {
			return ConvertValue(ctx, to, s.Bytes)
		}
		if !s.hasText {
			return no()
		}
		return ConvertValue(ctx, to, []byte(s.Text))
	case FamilyJSON:
		switch {
		case !s.json.IsZero():
			return value.NewJSON(s.json), nil
		case s.Number != nil:
			if j, err := value.ParseJSON(s.Text); err == nil && j.Value().Type() == document.TypeNumber {
				return j, nil
			}
		case s.Moment == nil && s.Span == nil && s.Bytes == nil:
			if j, err := value.ParseJSON(s.Text); err == nil {
				return j, nil
			}
		}
		if !s.hasText {
			return no()
		}
		text, err := document.StringValue(s.Text)
		return value.NewJSON(text), err
	}
	return no()
}

// numberTo returns the source as a number of the column's type.
func numberTo(ctx *sql.Context, to *Column, s Source) (any, error) {
	n := s.Number
	year := to.Typ.Type() == sqltypes.Year
	switch {
	case n != nil:
	case s.Moment != nil && year:
		n, _ = NumberIn(s.Text[:min(4, len(s.Text))])
	case s.Moment != nil, s.Span != nil:
		// Their digits: 2026-02-03 04:05:06.5 is 20260203040506.5.
		n, _ = NumberIn(strings.NewReplacer("-", "", ":", "", " ", "").Replace(strings.TrimPrefix(s.Text, "-")))
		if d, ok := n.(decimal.Decimal); ok && strings.HasPrefix(s.Text, "-") {
			n = d.Neg()
		}
	default:
		text, ok := s.Scalar()
		if !ok {
			return nil, ErrNoConversion
		}
		if n, ok = NumberIn(strings.Trim(text, " \t\r\n")); !ok {
			return nil, ErrNoConversion
		}
	}
	if n == nil {
		return nil, ErrNoConversion
	}
	if d, ok := n.(decimal.Decimal); ok && (to.Unit == UnitDouble || to.Unit == UnitFloat) {
		f, err := strconv.ParseFloat(value.DecimalLiteral(d), 64)
		if err != nil || math.IsInf(f, 0) {
			return nil, ErrNoConversion
		}
		n = f
	}
	if types.IsInteger(to.Typ) || to.Typ.Type() == sqltypes.Bit || year {
		d, ok := exactDecimal(n)
		if !ok {
			return nil, ErrNoConversion
		}
		whole := d.Round(0)
		switch {
		case whole.IsNegative() && types.IsUnsigned(to.Typ):
			return nil, ErrNoConversion
		case whole.BigInt().IsInt64():
			n = whole.BigInt().Int64()
		case whole.BigInt().IsUint64():
			n = whole.BigInt().Uint64()
		default:
			return nil, ErrNoConversion
		}
	}
	return ConvertValue(ctx, to, n)
}

// temporalTo returns the source as a date or time of the column's type.
func temporalTo(ctx *sql.Context, to *Column, s Source) (any, error) {
	isTime := ClassOf(to.Typ) == catalog.ClassTime
	switch {
	case s.Span != nil:
		if !isTime {
			return nil, ErrNoConversion // MySQL takes today's date
		}
		return ConvertValue(ctx, to, s.Span)
	case s.Moment != nil && isTime:
		at, ok := s.Moment.(time.Time)
		if !ok {
			return nil, ErrNoConversion
		}
		return ConvertValue(ctx, to, at.Format("15:04:05.999999"))
	case s.Moment != nil:
		return ConvertValue(ctx, to, s.Moment)
	case s.Number != nil && isTime:
		return ConvertValue(ctx, to, s.Number)
	case s.Number != nil:
		// The digits of a date or datetime.
		d, ok := exactDecimal(s.Number)
		if !ok || !d.IsInteger() || d.IsNegative() {
			return nil, ErrNoConversion
		}
		for _, layout := range []string{"20060102", "20060102150405"} {
			if digits := d.String(); len(digits) == len(layout) {
				at, err := time.Parse(layout, digits)
				if err != nil {
					return nil, ErrNoConversion
				}
				return ConvertValue(ctx, to, at)
			}
		}
		return nil, ErrNoConversion
	}
	text, ok := s.Scalar()
	if !ok {
		return nil, ErrNoConversion
	}
	text = strings.Trim(text, " \t\r\n")
	if isTime && !strings.ContainsAny(text, "0123456789") {
		return nil, ErrNoConversion
	}
	return ConvertValue(ctx, to, text)
}

// wideNumber returns a SQL value in the widest type of its kind; nil when it is no number.
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
		// As it is shown, not the nearest double.
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return f
	case float64:
		return v
	case decimal.Decimal:
		return v
	}
	return nil
}

// NumberIn returns the decimal that a text spells without other characters.
func NumberIn(text string) (any, bool) {
	if text == "" || strings.Trim(text, "+-.0123456789eE") != "" {
		return nil, false
	}
	d, ok := value.LiteralDecimal(text)
	if !ok {
		return nil, false
	}
	return d, true
}

// exactDecimal returns a wide number as a decimal.
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

// ReadStored is FromJSON for values that may not have been written for the column: a number is read from a text only
// if the whole text is one.
func ReadStored(ctx *sql.Context, c *Column, v document.Value) (any, error) {
	if c.ReadsNull(v) {
		return nil, nil
	}
	f := TypeFamilyOf(c.Typ)
	natural := true
	switch f {
	case FamilyNumber:
		natural = v.Type() == document.TypeNumber
	case FamilyMember:
		natural = v.Type() == document.TypeString || v.Type() == document.TypeNumber
	case FamilyText, FamilyTemporal, FamilyBytes:
		natural = v.Type() == document.TypeString
	}
	if natural {
		return FromJSON(ctx, c, v)
	}
	text := v.Text()
	if v.Type() == document.TypeString {
		text = v.Str()
	}
	return convertTo(ctx, c, jsonSource(v, text))
}
