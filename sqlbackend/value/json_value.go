package value

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// JSON is the JSON value of a row. It holds the document's own bytes. So digits, the order
// of keys and strings survive the SQL engine's work between a statement and the editor, or
// between a table and the client.
//
// A JSON is immutable; the methods that change a value return another one.
// The zero JSON is not a value: use NewJSON or ParseJSON.
type JSON struct {
	Held document.Value
}

var (
	_ sql.JSONWrapper      = JSON{}
	_ types.JSONBytes      = JSON{}
	_ types.SearchableJSON = JSON{}
	_ types.ComparableJSON = JSON{}
	_ types.MutableJSON    = JSON{}
	_ fmt.Formatter        = JSON{}
)

// NewJSON wraps a value. The value's bytes must not change afterwards.
func NewJSON(v document.Value) JSON { return JSON{Held: v} }

// ParseJSON parses JSON text. The errors are document's; JSONTextError makes
// MySQL errors of them.
func ParseJSON(text string) (JSON, error) {
	v, err := document.ParseValue([]byte(text), document.Limits{})
	if err != nil {
		return JSON{}, err
	}
	return JSON{Held: v}, nil
}

// Value returns the wrapped value.
func (j JSON) Value() document.Value { return j.Held }

// GetBytes implements types.JSONBytes. The slice belongs to the value: callers
// must not change it.
func (j JSON) GetBytes() ([]byte, error) { return j.Held.Raw(), nil }

// String is the compact text of the value.
func (j JSON) String() string { return string(j.Held.Raw()) }

// Format prints the compact text for %s, and for %v a canonical text that is the same for
// all values that compare as equal. The engine hashes rows (GROUP BY, DISTINCT, IN, UNION)
// by formatting their values with %v.
func (j JSON) Format(f fmt.State, verb rune) {
	if verb == 'v' {
		_, _ = f.Write(AppendCanonical(nil, j.Held))
		return
	}
	_, _ = f.Write(j.Held.Raw())
}

// Clone implements sql.JSONWrapper. Values are immutable, so it is the same one.
func (j JSON) Clone(context.Context) sql.JSONWrapper { return j }

// ToInterface implements sql.JSONWrapper: nil, bool, string, or a number type that holds
// the number exactly (int64, uint64, float64 or decimal.Decimal). For an object or array it
// is a json.Marshaler that gives back its bytes. The engine's own functions would lose
// digits and the order of keys in maps; the functions of this package work on the bytes
// instead.
func (j JSON) ToInterface() (interface{}, error) {
	switch j.Held.Type() {
	case document.TypeNull:
		return nil, nil
	case document.TypeBool:
		return j.Held.Bool(), nil
	case document.TypeNumber:
		return NumberValue(j.Held.Number()), nil
	case document.TypeString:
		return j.Held.Str(), nil
	}
	return RawJSON(j.Held.Raw()), nil
}

// RawJSON is JSON text that marshals as it is.
type RawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r RawJSON) MarshalJSON() ([]byte, error) { return r, nil }

// String keeps error messages readable.
func (r RawJSON) String() string { return string(r) }

// maxDecimalExponent bounds the exponents that become a decimal: decimals are
// printed without an exponent, and 1e999999 would be a megabyte of zeros.
const maxDecimalExponent = 1000

// NumberValue returns the number of a JSON literal as int64, uint64, float64 when that is
// the same number, otherwise as decimal.Decimal. Beyond maxDecimalExponent it returns the
// literal itself, which marshals as it is.
func NumberValue(literal string) interface{} {
	if !strings.ContainsAny(literal, ".eE") {
		if i, err := strconv.ParseInt(literal, 10, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(literal, 10, 64); err == nil {
			return u
		}
	} else if f, err := strconv.ParseFloat(literal, 64); err == nil {
		if document.CompareNumbers(strconv.FormatFloat(f, 'e', -1, 64), literal) == 0 {
			return f
		}
	}
	if d, ok := LiteralDecimal(literal); ok {
		return d
	}
	return RawJSON(literal)
}

// LiteralDecimal is the decimal of a JSON number, if its exponent is moderate.
func LiteralDecimal(literal string) (decimal.Decimal, bool) {
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(literal[i+1:])
		if err != nil || exponent > maxDecimalExponent || exponent < -maxDecimalExponent {
			return decimal.Decimal{}, false
		}
	}
	if len(literal) > statement.MaxDigits {
		return longDecimal(literal)
	}
	d, err := decimal.NewFromString(literal)
	return d, err == nil
}

// Lookup implements types.SearchableJSON with MySQL's JSON paths. A path that
// leads nowhere gives nil, which is SQL NULL.
func (j JSON) Lookup(_ context.Context, path string) (sql.JSONWrapper, error) {
	p, err := ParseJSONPath(path)
	if err != nil {
		return nil, err
	}
	v, ok := p.Extract(j.Held)
	if !ok {
		return nil, nil
	}
	return JSON{Held: v}, nil
}

// Compare implements types.ComparableJSON: MySQL's order of JSON values, with
// numbers exact and strings in the default collation.
func (j JSON) Compare(other interface{}) (int, error) {
	v, err := ValueOf(other)
	if err != nil {
		return 0, err
	}
	return document.Compare(j.Held, v, collation.Default), nil
}

// Type implements types.ComparableJSON with the names of JSON_TYPE.
func (j JSON) Type(context.Context) (string, error) { return JSONTypeName(j.Held), nil }

// JSONTypeName is JSON_TYPE of a value. A number that needs more than 64 bits
// is DECIMAL, where MySQL has rounded it to a DOUBLE by then.
func JSONTypeName(v document.Value) string {
	switch v.Type() {
	case document.TypeNull:
		return "NULL"
	case document.TypeBool:
		return "BOOLEAN"
	case document.TypeString:
		return "STRING"
	case document.TypeArray:
		return "ARRAY"
	case document.TypeObject:
		return "OBJECT"
	}
	switch v.Kind() {
	case document.KindInt53, document.KindInt64:
		return "INTEGER"
	case document.KindUint64:
		return "UNSIGNED INTEGER"
	case document.KindFloat:
		return "DOUBLE"
	}
	return "DECIMAL"
}

// Insert implements types.MutableJSON.
func (j JSON) Insert(_ context.Context, path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	return j.edit(EditInsert, path, val)
}

// Set implements types.MutableJSON.
func (j JSON) Set(_ context.Context, path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	return j.edit(EditSet, path, val)
}

// Replace implements types.MutableJSON.
func (j JSON) Replace(_ context.Context, path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	return j.edit(EditReplace, path, val)
}

// Remove implements types.MutableJSON.
func (j JSON) Remove(_ context.Context, path string) (types.MutableJSON, bool, error) {
	return j.edit(EditRemove, path, nil)
}

// ArrayInsert implements types.MutableJSON.
func (j JSON) ArrayInsert(path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	return j.edit(EditArrayInsert, path, val)
}

// ArrayAppend implements types.MutableJSON.
func (j JSON) ArrayAppend(path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	return j.edit(EditArrayAppend, path, val)
}

func (j JSON) edit(op EditOperation, path string, val sql.JSONWrapper) (types.MutableJSON, bool, error) {
	p, err := ParseJSONPath(path)
	if err != nil {
		return nil, false, err
	}
	var raw []byte
	if op != EditRemove {
		v, err := ValueOf(val)
		if err != nil {
			return nil, false, err
		}
		raw = v.Raw()
	}
	v, changed, err := EditValue(op, j.Held, p, raw)
	if err != nil {
		return nil, false, err
	}
	return JSON{Held: v}, changed, nil
}
