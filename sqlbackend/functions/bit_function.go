package functions

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// bitFunctions are the functions that spell the bits of a number.
func bitFunctions() []*valueDefinition {
	always := func(t sql.Type) func([]sql.Expression) sql.Type { return func([]sql.Expression) sql.Type { return t } }
	return []*valueDefinition{
		{Name: "oct", description: "a number's digits in base 8.", least: 1, most: 1, typ: always(types.LongText),
			give: func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
				return conv(ctx, f, []any{values[0], int64(10), int64(8)})
			}},
		{Name: "export_set", description: "a text for each bit of a number.", least: 3, most: 5, typ: always(types.LongText),
			give: exportSet},
		{Name: "make_set", description: "the texts whose bits a number has.", least: 2, most: 65, typ: always(types.LongText),
			give: makeSet, nulls: true},
		{Name: "elt", description: "the text with a number among several.", least: 2, most: math.MaxInt,
			typ: func(args []sql.Expression) sql.Type { return textOrBytes(args[1:]) }, compute: elt},
	}
}

// bitsOf returns the bits of a number, rounded to an integer.
func bitsOf(ctx *sql.Context, v any) (uint64, bool) {
	d, ok := decimalOf(ctx, v)
	if !ok {
		return 0, false
	}
	n := d.Round(0).BigInt()
	if n.IsInt64() {
		return uint64(n.Int64()), true
	}
	return n.Uint64(), n.IsUint64()
}

func exportSet(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	bits, ok := bitsOf(ctx, values[0])
	if !ok {
		return nil, nil
	}
	var texts [3]string // for a set bit, for a cleared bit, and between them
	texts[2] = ","
	for i := range texts {
		if i+1 < len(values) && i+1 <= 3 {
			text, err := value.TextOf(ctx, values[i+1])
			if err != nil {
				return nil, err
			}
			texts[i] = text
		}
	}
	count := int64(64)
	if len(values) > 4 {
		n, ok := roundedOf(ctx, values[4])
		if ok && n >= 0 && n < 64 {
			count = n
		}
	}
	parts := make([]string, count)
	for i := range parts {
		parts[i] = texts[1]
		if bits>>i&1 == 1 {
			parts[i] = texts[0]
		}
	}
	return joinedWithinPacket(ctx, "export_set", parts, texts[2])
}

// joinedWithinPacket joins texts, possibly one text many times; NULL where the result is longer than a packet.
func joinedWithinPacket(ctx *sql.Context, name string, parts []string, separator string) (any, error) {
	bytes := len(separator) * max(0, len(parts)-1)
	for _, part := range parts {
		bytes += len(part)
	}
	if bytes > ShortestPacket {
		if over, err := ExceedsPacket(ctx, name, float64(bytes)); over || err != nil {
			return nil, err
		}
	}
	return strings.Join(parts, separator), nil
}

// makeSet computes MAKE_SET, without texts that are NULL.
func makeSet(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	if values[0] == nil {
		return nil, nil
	}
	bits, ok := bitsOf(ctx, values[0])
	if !ok {
		return nil, nil
	}
	var parts []string
	for i, v := range values[1:] {
		if v == nil || bits>>i&1 == 0 {
			continue
		}
		text, err := value.TextOf(ctx, v)
		if err != nil {
			return nil, err
		}
		parts = append(parts, text)
	}
	return joinedWithinPacket(ctx, "make_set", parts, ",")
}

// elt computes ELT, and evaluates only the returned text. The engine's ELT returns no text of over 65,535 bytes.
func elt(ctx *sql.Context, f *ValueFunction, row sql.Row) (any, error) {
	v, err := f.args[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	n, ok := roundedOf(ctx, v)
	if !ok || n < 1 || n >= int64(len(f.args)) {
		return nil, nil
	}
	text, ok, err := partAt(ctx, f.args[n], row)
	if err != nil || !ok {
		return nil, err
	}
	return joined(ctx, text, f.Type())
}

// textOrBytes returns the type of a result that is one of some texts, or made from them: bytes if any of them is
// bytes.
func textOrBytes(of []sql.Expression) sql.Type {
	if slices.ContainsFunc(of, value.IsBytes) {
		return types.LongBlob
	}
	return types.LongText
}

// weekMode returns the mode of WEEK without one.
func weekMode(ctx *sql.Context) int64 {
	v, err := ctx.GetSessionVariable(ctx, "default_week_format")
	if err != nil {
		return 0
	}
	text, err := value.TextOf(ctx, v)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseInt(text, 10, 8)
	return n
}

// bitNot computes the operator ~.
func bitNot(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	return ^BitsOfNumber(ctx, values[0]), nil
}

// BitsOfNumber returns the bits of the integer that a value counts as beside numbers. A number beyond 64 bits counts
// as the last one of its sign.
func BitsOfNumber(ctx *sql.Context, v any) uint64 {
	if wide, ok := WideOf(v); ok {
		return uint64(wide.N) | wide.Beyond
	}
	d, ok := NumberAsDecimal(ctx, v)
	if !ok {
		return 0
	}
	switch n := d.Round(0).BigInt(); {
	case n.IsInt64():
		return uint64(n.Int64())
	case n.IsUint64():
		return n.Uint64()
	case n.Sign() < 0:
		return 1 << 63
	}
	return math.MaxUint64
}
