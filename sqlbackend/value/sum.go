package value

import (
	"context"
	"math"

	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
)

// AsDouble is any value as the number that MySQL makes of it: JSON by the value in it, a
// string by the number that it spells.
func AsDouble(ctx context.Context, v interface{}) float64 {
	switch j := v.(type) {
	case float64:
		return j
	case JSON:
		switch j.Held.Type() {
		case document.TypeNumber:
			v = j.Held.Number()
		case document.TypeString:
			v = j.Held.Str()
		case document.TypeBool:
			v = j.Held.Bool()
		default:
			return 0
		}
	}
	switch s := v.(type) {
	case string:
		return TextNumber(s)
	case []byte: // a column's: the engine would take it for a hexadecimal literal
		return TextNumber(string(s))
	}
	converted, _, err := types.Float64.Convert(ctx, v)
	if f, ok := converted.(float64); ok && (err == nil || !math.IsNaN(f)) {
		return f
	}
	return 0
}
