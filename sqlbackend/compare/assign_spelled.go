package compare

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Taker says how a column takes the strings that a statement assigns to it.
type Taker uint8

const (
	TakesDeclared Taker = iota // converts them to its type
	TakesAny                   // undeclared: stores them as they are
	takesNumbers               // undeclared, and all its values are numbers: stores the numbers that they spell
	takesBooleans              // undeclared, and all its values are booleans
	takesNested                // undeclared, and all its values are arrays and objects
)

// TakerOf returns the Taker of an undeclared keypath that the counts prove. Nulls prove nothing.
//
// The counts are read as planning reads them: with the transaction's own writes and without conflicts. With
// conflicts, any two statements that assign strings to a column of numbers would conflict, since each adds to its
// count. Only the form in which a text is stored depends on them. A statement that runs beside one that makes the
// column mixed stores the same as before that one. A write in batches reads them for each batch.
func TakerOf(counts costing.Keypath) Taker {
	numbers, booleans, nested := false, false, false
	for kind, c := range counts {
		if c.Documents <= 0 && c.Entries <= 0 {
			continue
		}
		switch kind {
		case document.KindInt53, document.KindInt64, document.KindUint64, document.KindBigInt, document.KindFloat,
			document.KindBigNum:
			numbers = true
		case document.KindBool:
			booleans = true
		case document.KindObject, document.KindArray:
			nested = true
		case document.KindString:
			return TakesAny
		}
	}
	switch {
	case numbers && !booleans && !nested:
		return takesNumbers
	case booleans && !numbers && !nested:
		return takesBooleans
	case nested && !numbers && !booleans:
		return takesNested
	}
	return TakesAny
}

// values returns words for the values of a column.
func (k Taker) values() (one, several string) {
	switch k {
	case takesBooleans:
		return "boolean", "booleans"
	case takesNested:
		return "array or object", "arrays and objects"
	}
	return "number", "numbers"
}

// spelled returns the value that a string spells for a column; ok is false if it spells none. Numbers with leading
// zeros are left alone, since the zeros would be lost.
func (k Taker) spelled(text string) (v any, ok bool) {
	text = strings.TrimSpace(text)
	if k == takesNested {
		if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") {
			return nil, false
		}
		parsed, err := value.ParseJSON(text)
		return parsed, err == nil
	}
	if k == takesBooleans {
		switch strings.ToLower(text) {
		case "1", "true":
			return int8(1), true
		case "0", "false":
			return int8(0), true
		}
		return nil, false
	}
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits, _ = strings.CutPrefix(text, "+")
	}
	if strings.HasPrefix(digits, ".") {
		digits = "0" + digits
	}
	if negative {
		digits = "-" + digits
	}
	number, err := document.NumberValue(digits)
	if err != nil {
		return nil, false
	}
	if d, ok := value.LiteralDecimal(digits); ok {
		return d, true
	}
	return value.NewJSON(number), true // beyond any decimal
}

// take returns a value as an undeclared column stores it. A string that spells none of the column's values stays,
// with a warning.
func (t assignedType) take(ctx context.Context, v any) any {
	if t.takes == TakesAny {
		return v
	}
	text, ok := v.(string)
	if bytes, is := v.([]byte); is {
		text, ok = string(bytes), true
	}
	if !ok {
		return v
	}
	if value, ok := t.takes.spelled(text); ok {
		return value
	}
	if ctx, ok := ctx.(*sql.Context); ok && ctx.Session != nil {
		one, several := t.takes.values()
		warnOnce(ctx, mysql.ERTruncatedWrongValueForField,
			"Column '"+t.column+"' holds only "+several+" ("+t.ColumnType.String()+
				"): a text that is no "+one+" is stored as it is, and the column becomes mixed (json)")
	}
	return v
}

// warnOnce adds a warning unless the statement has it already.
func warnOnce(ctx *sql.Context, code int, message string) {
	if !slices.ContainsFunc(ctx.Session.Warnings(), func(w *sql.Warning) bool { return w.Message == message }) {
		functions.Warn(ctx, code, "%s", message)
	}
}
