package hold

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// AnyBytes is how many bytes a value takes in a row itself, as an interface.
const AnyBytes = 16

// RowBytes is about how much memory a row takes: its place among other rows, and its values.
func RowBytes(row sql.Row) int {
	n := 2 * AnyBytes
	for _, v := range row {
		n += ValueBytes(v)
	}
	return n
}

// ValueBytes is about how much memory a value of a row takes.
func ValueBytes(v any) int {
	const (
		word    = 8
		text    = 2 * word
		moment  = 3 * word
		exactly = 14 * word
	)
	switch v := v.(type) {
	case nil, bool, int8, uint8: // these have a place already
		return AnyBytes
	case string:
		return AnyBytes + text + len(v)
	case []byte:
		return AnyBytes + text + word + len(v)
	case value.JSON:
		return AnyBytes + text + len(v.Held.Raw())
	case decimal.Decimal:
		return AnyBytes + exactly + (v.Coefficient().BitLen()+7)/8
	case time.Time:
		return AnyBytes + moment
	case *Peer:
		return AnyBytes + KeyBytes + ValueBytes(v.Value)
	case types.JSONDocument:
		return AnyBytes + ValueBytes(v.Val)
	case []any:
		n := AnyBytes + text + word
		for _, v := range v {
			n += ValueBytes(v)
		}
		return n
	case map[string]any:
		n := AnyBytes + KeyBytes
		for k, v := range v {
			n += KeyBytes + len(k) + ValueBytes(v)
		}
		return n
	}
	return AnyBytes + word
}

// RowOwner makes rows that are held own their texts. A column's text is mostly part of a document's text, and would
// keep the whole of that in memory for as long as the row.
type RowOwner struct {
	before, owned sql.Row // the row before, and its copy: a join repeats the values of one side
}

// Own is the row with texts of its own, and with room for so many values behind it.
func (o *RowOwner) Own(row sql.Row, behind int) sql.Row {
	out := row
	if behind > 0 {
		out = append(make(sql.Row, 0, len(row)+behind), row...)
	}
	repeats := len(o.before) == len(row)
	for i, v := range row {
		if repeats && sameText(o.before[i], v) {
			v = o.owned[i]
		} else if v = OwnedValue(v); v == nil {
			continue
		}
		if &out[0] == &row[0] {
			out = slices.Clone(row)
		}
		out[i] = v
	}
	o.before, o.owned = row, out
	return out
}

// sameText reports whether values are the same text or JSON.
func sameText(a, b any) bool {
	switch b := b.(type) {
	case string:
		a, ok := a.(string)
		return ok && a == b
	case value.JSON:
		a, ok := a.(value.JSON)
		return ok && bytes.Equal(a.Held.Raw(), b.Held.Raw())
	}
	return false
}

// OwnedValue is a text or JSON with bytes of its own; nil for other values.
func OwnedValue(v any) any {
	switch v := v.(type) {
	case string:
		return strings.Clone(v)
	case value.JSON:
		return value.NewJSON(document.FromCompact(bytes.Clone(v.Held.Raw())))
	}
	return nil
}
