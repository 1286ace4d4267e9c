package compare

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// assignedType is a column's type where a statement assigns a value to the column. This is the row that INSERT
// converts, and the left of the = in UPDATE … SET.
//
// The engine would parse JSON text into maps and float64s. Here text for a JSON column becomes a JSON value with the
// same bytes. An undeclared column takes any value unchanged, except texts that spell values of the kind that the
// documents have so far: see Taker.
type assignedType struct {
	value.ColumnType
	column string // "table.column", for messages
	takes  Taker
}

// assignedText is assignedType for declared strings.
type assignedText struct {
	value.TextType
}

var (
	_ sql.Type              = assignedType{}
	_ sql.TypeWithCollation = assignedText{}
)

// assignedTypeOf returns the type for values that a statement assigns to a column.
func assignedTypeOf(table string, c *sql.Column, takes Taker) sql.Type {
	undeclared := takes != TakesDeclared
	switch t := c.Type.(type) {
	case assignedType, assignedText, assignedTime, assignedDate, value.AssignedDecimal, value.AssignedInteger:
		return t
	case value.TextType:
		if !undeclared {
			if t.Coll.IsIdentity() {
				return t
			}
			return assignedText{t}
		}
	}
	if value.IsTimespan(c.Type) && !undeclared {
		return assignedTime{c.Type}
	}
	if t, ok := c.Type.(sql.DatetimeType); ok && !undeclared {
		return assignedDate{t}
	}
	if t, ok := c.Type.(sql.DecimalType); ok && !undeclared {
		return value.AssignedDecimal{DecimalType: t}
	}
	if !undeclared && types.IsInteger(c.Type) {
		return ExactType(c.Type)
	}
	if undeclared || types.IsJSON(c.Type) {
		return assignedType{ColumnType: c.Type, column: table + "." + c.Name, takes: takes}
	}
	return c.Type
}

// ExactType returns an integer's type for assigned values, and other types unchanged.
func ExactType(t sql.Type) sql.Type {
	if n, ok := t.(sql.NumberType); ok && types.IsInteger(t) {
		return value.AssignedInteger{NumberType: n}
	}
	return t
}

// AssignedSchema returns a table's schema with the types of assignedTypeOf, or the schema itself if nothing changes.
func AssignedSchema(table string, s sql.Schema, takes func(string) Taker) sql.Schema {
	var out sql.Schema
	for i, c := range s {
		does := TakesDeclared
		if takes != nil {
			does = takes(c.Name)
		}
		changed := *c
		if t := assignedTypeOf(table, c, does); reassigns(c.Type, t) {
			changed.Type = t
		} else if !types.IsJSON(c.Type) || c.Default == nil && c.Generated == nil {
			continue
		}
		changed.Default, changed.Generated = AssignedDefault(c.Default), AssignedDefault(c.Generated)
		if out == nil {
			out = append(sql.Schema(nil), s...)
		}
		out[i] = &changed
	}
	if out == nil {
		return s
	}
	return out
}

// defaultJSON is JSON as the result of a column's expression: the engine turns its NULL into a JSON null.
type defaultJSON struct{ types.JsonType }

// Convert implements sql.Type.
func (t defaultJSON) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	return t.JsonType.Convert(ctx, v)
}

// AssignedDefault returns a default, or the expression of a generated column, with the type for assignment.
func AssignedDefault(e *sql.ColumnDefaultValue) *sql.ColumnDefaultValue {
	if e == nil || !types.IsJSON(e.OutType) {
		return e
	}
	next := *e
	next.OutType = defaultJSON{}
	return &next
}

// reassigns reports whether assignedTypeOf has returned another type than t. Types as a whole can't be compared with
// ==: an ENUM's type holds slices.
func reassigns(t, assigned sql.Type) bool {
	switch assigned.(type) {
	case assignedType, assignedText, assignedTime, assignedDate, value.AssignedDecimal, value.AssignedInteger:
	default:
		return false
	}
	switch t.(type) {
	case assignedType, assignedText, assignedTime, assignedDate, value.AssignedDecimal, value.AssignedInteger:
		return false
	}
	return true
}

// assignedTime is assignedType for declared TIMEs: it also reads MySQL's 'days hours:minutes:seconds', which drivers
// send.
type assignedTime struct{ value.ColumnType }

// Convert implements sql.Type.
func (t assignedTime) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	switch text := v.(type) {
	case string:
		v = functions.TimeOfText(text)
	case []byte:
		v = functions.TimeOfText(string(text))
	}
	return t.ColumnType.Convert(ctx, v)
}

// Equals implements sql.Type.
func (t assignedTime) Equals(other sql.Type) bool {
	o, ok := other.(assignedTime)
	return ok && t.ColumnType.Equals(o.ColumnType)
}

// assignedDate is assignedType for declared dates: a number is the date that its digits spell, 20200102 or
// 20200102030405. The engine does not read it as a date.
type assignedDate struct{ sql.DatetimeType }

// isMoment recognizes the type of a declared DATE, DATETIME or TIMESTAMP, also as an assigned type.
func isMoment(t sql.Type) bool {
	_, is := t.(sql.DatetimeType)
	return is
}

// Convert implements sql.Type.
func (t assignedDate) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	if spelled, ok := functions.SpelledDate(v); ok {
		v = spelled
	}
	return t.DatetimeType.Convert(ctx, v)
}

// Equals implements sql.Type.
func (t assignedDate) Equals(other sql.Type) bool {
	o, ok := other.(assignedDate)
	return ok && t.DatetimeType.Equals(o.DatetimeType)
}

// Convert implements sql.Type.
func (t assignedType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	if t.takes == TakesDeclared {
		v, err = t.document(v)
		return v, sql.InRange, err
	}
	if _, foreign := v.(sql.JSONWrapper); foreign {
		v, err = value.JSONOf(v)
		return v, sql.InRange, err
	}
	return t.take(ctx, v), sql.InRange, nil
}

// document returns the JSON value of an assigned value for a declared JSON column: text is parsed, any other value
// becomes the JSON scalar of the same value.
func (t assignedType) document(v interface{}) (interface{}, error) {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case []byte:
		if !utf8.Valid(v) {
			return nil, mysql.NewSQLError(value.ErrJSONCharset, "22032",
				"Cannot create a JSON value from a string with CHARACTER SET 'binary'.")
		}
		text = string(v)
	default:
		return value.JSONOf(v)
	}
	j, err := value.ParseJSON(text)
	if err != nil {
		return nil, value.JSONTextError(err, t.column)
	}
	return j, nil
}

// rangedType is a number type on the left of the = in UPDATE … SET. The engine's assignment does not check the type's
// range, as its INSERT does, and takes the nearest number.
type rangedType struct{ value.ColumnType }

// Convert implements sql.Type.
func (t rangedType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	converted, in, err := t.ColumnType.Convert(ctx, v)
	if err == nil && in != sql.InRange {
		return nil, in, sql.ErrValueOutOfRange.New(v, t.ColumnType)
	}
	return converted, in, err
}

// Compare implements sql.Type: only identical values are equal. UPDATE compares the old row with the new one by it
// and skips rows without a change; 1 and 1.0, or strings that differ in case, are a change.
func (t assignedType) Compare(ctx context.Context, a, b interface{}) (int, error) {
	if hasNulls, res := types.CompareNulls(a, b); hasNulls {
		return res, nil
	}
	aj, aok := a.(value.JSON)
	bj, bok := b.(value.JSON)
	switch {
	case aok && bok:
		return bytes.Compare(aj.Held.Raw(), bj.Held.Raw()), nil
	case aok != bok:
		return 1, nil
	}
	as, aok := a.(string)
	bs, bok := b.(string)
	switch {
	case aok && bok:
		return strings.Compare(as, bs), nil
	case aok != bok:
		return 1, nil
	}
	order, err := t.ColumnType.Compare(ctx, a, b)
	if err != nil {
		return 1, nil // values of different kinds: a change
	}
	return order, nil
}

// Equals implements sql.Type.
func (t assignedType) Equals(other sql.Type) bool {
	o, ok := other.(assignedType)
	return ok && o.takes == t.takes && t.ColumnType.Equals(o.ColumnType)
}

// Promote implements sql.Type.
func (t assignedType) Promote() sql.Type { return t.ColumnType.Promote() }

// SQL implements sql.Type.
func (t assignedType) SQL(ctx *sql.Context, dest []byte, v interface{}) (sqltypes.Value, error) {
	return t.ColumnType.SQL(ctx, dest, v)
}

// Compare implements sql.Type: only identical strings are equal.
func (t assignedText) Compare(ctx context.Context, a, b interface{}) (int, error) {
	if hasNulls, res := types.CompareNulls(a, b); hasNulls {
		return res, nil
	}
	as, err := value.TextOf(ctx, a)
	if err != nil {
		return 0, err
	}
	bs, err := value.TextOf(ctx, b)
	if err != nil {
		return 0, err
	}
	return strings.Compare(as, bs), nil
}
