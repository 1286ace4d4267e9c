package functions

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/charset"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// PacketValues adds the functions whose result is NULL if it is longer than a packet, as in MySQL. A short statement
// may ask for a text that exceeds the server's memory.
func PacketValues(out map[string]sql.Function) {
	for name, of := range map[string]sql.CreateFuncNArgs{"lpad": function.NewLeftPad, "rpad": function.NewRightPad} {
		out[name] = sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
			pad, err := of(args...)
			if err != nil {
				return nil, err
			}
			return &boundedPad{pad.(*function.Pad)}, nil
		}}
	}
	out["concat"] = sql.FunctionN{Name: "concat", Fn: func(args ...sql.Expression) (sql.Expression, error) {
		c, err := function.NewConcat(args...)
		if err != nil {
			return nil, err
		}
		return &boundedConcat{c.(*function.Concat)}, nil
	}}
	out["concat_ws"] = sql.FunctionN{Name: "concat_ws", Fn: func(args ...sql.Expression) (sql.Expression, error) {
		c, err := function.NewConcatWithSeparator(args...)
		if err != nil {
			return nil, err
		}
		return &boundedConcatWS{c.(*function.ConcatWithSeparator)}, nil
	}}
	out["replace"] = sql.Function3{Name: "replace", Fn: func(text, from, to sql.Expression) sql.Expression {
		return &boundedReplace{function.NewReplace(text, from, to).(*function.Replace)}
	}}
	out["space"] = sql.Function1{Name: "space", Fn: func(count sql.Expression) sql.Expression {
		return &boundedSpace{function.NewSpace(count).(*function.Space)}
	}}
	out["to_base64"] = sql.Function1{Name: "to_base64", Fn: newBase64}
}

// LongestCharacter is the greatest number of bytes of a character in MySQL.
const LongestCharacter = 4

// ShortestPacket is the least value of max_allowed_packet.
const ShortestPacket = 1024

// ExceedsPacket reports, with MySQL's warning, whether a text of a number of bytes is longer than a packet. If it is
// not, it waits until there is memory for it.
func ExceedsPacket(ctx *sql.Context, name string, bytes float64) (bool, error) {
	packet, err := ctx.GetSessionVariable(ctx, "max_allowed_packet")
	if err != nil {
		return false, err
	}
	longest, _, err := types.Uint64.Convert(ctx, packet) // an int64 before it is set
	if err != nil {
		return false, err
	}
	if bytes <= float64(longest.(uint64)) {
		return false, hold.Ahead(ctx, bytes)
	}
	Warn(ctx, mysqlerr.LargerThanPacket, "Result of %s() was larger than max_allowed_packet (%d) - truncated", name,
		longest)
	return true, nil
}

// boundedPad is LPAD or RPAD.
type boundedPad struct {
	*function.Pad
}

var _ sql.FunctionExpression = (*boundedPad)(nil)

// Eval implements sql.Expression.
func (p *boundedPad) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	n, err := p.Children()[1].Eval(ctx, row)
	if err != nil || n == nil {
		return nil, err
	}
	if n, err = sql.UnwrapAny(ctx, n); err != nil {
		return nil, err
	}
	if over, err := ExceedsPacket(ctx, p.FunctionName(), LongestCharacter*value.AsDouble(ctx, n)); over || err != nil {
		return nil, err
	}
	length, _, err := types.Int64.Convert(ctx, n)
	if err != nil {
		return nil, err
	}
	var texts [2]string
	characters := true
	for i, at := range []int{0, 2} {
		arg := p.Children()[at]
		v, err := arg.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if texts[i], err = value.TextOf(ctx, v); err != nil {
			return nil, err
		}
		characters = characters && !types.IsBinaryType(arg.Type())
	}
	return hold.Value(ctx, padded(texts[0], length.(int64), texts[1], characters, p.FunctionName() == "lpad"))
}

// WithChildren implements sql.Expression.
func (p *boundedPad) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := p.Pad.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &boundedPad{next.(*function.Pad)}, nil
}

// boundedSpace is SPACE. The engine's adds one space after the other, in a time that grows with the square of their
// number.
type boundedSpace struct {
	*function.Space
}

var _ sql.FunctionExpression = (*boundedSpace)(nil)

// Eval implements sql.Expression.
func (s *boundedSpace) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	n, err := s.Child.Eval(ctx, row)
	if err != nil || n == nil {
		return nil, err
	}
	if n, err = sql.UnwrapAny(ctx, n); err != nil {
		return nil, err
	}
	count := math.Round(value.AsDouble(ctx, n))
	if !(count >= 1) {
		return "", nil
	}
	if over, err := ExceedsPacket(ctx, "space", count); over || err != nil {
		return nil, err
	}
	return hold.Value(ctx, strings.Repeat(" ", int(count)))
}

// WithChildren implements sql.Expression.
func (s *boundedSpace) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &boundedSpace{function.NewSpace(children[0]).(*function.Space)}, nil
}

// boundedReplace is REPLACE.
type boundedReplace struct {
	*function.Replace
}

var _ sql.FunctionExpression = (*boundedReplace)(nil)

// Eval implements sql.Expression.
func (r *boundedReplace) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	var texts [3]string
	for i, e := range r.Children() {
		text, ok, err := TextAt(ctx, e, row)
		if err != nil || !ok {
			return nil, err
		}
		texts[i] = text
	}
	text, from, to := texts[0], texts[1], texts[2]
	if from == "" {
		return text, nil
	}
	grown := float64(strings.Count(text, from)) * float64(len(to)-len(from))
	if over, err := ExceedsPacket(ctx, "replace", float64(len(text))+grown); over || err != nil {
		return nil, err
	}
	return hold.Value(ctx, strings.ReplaceAll(text, from, to))
}

// WithChildren implements sql.Expression.
func (r *boundedReplace) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 3 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 3)
	}
	return &boundedReplace{function.NewReplace(children[0], children[1], children[2]).(*function.Replace)}, nil
}

// partAt returns the text of an expression as a part of a longer text or byte string.
func partAt(ctx *sql.Context, e sql.Expression, row sql.Row) (text string, ok bool, err error) {
	if !value.IsBytes(e) {
		return TextAt(ctx, e, row)
	}
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return "", false, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return "", false, err
	}
	if bytes, is := v.([]byte); is {
		return string(bytes), true, nil
	}
	text, err = value.TextOf(ctx, v)
	return text, err == nil, err
}

// joined returns a text, or bytes if the type is bytes.
func joined(ctx *sql.Context, text string, t sql.Type) (any, error) {
	v, err := hold.Value(ctx, text)
	if held, ok := v.(string); ok && err == nil && t == types.LongBlob {
		return []byte(held), nil
	}
	return v, err
}

// boundedConcat is CONCAT.
type boundedConcat struct {
	*function.Concat
}

var _ sql.FunctionExpression = (*boundedConcat)(nil)

// Type implements sql.Expression: bytes if any argument is bytes.
func (c *boundedConcat) Type() sql.Type {
	if slices.ContainsFunc(c.Children(), value.IsBytes) {
		return types.LongBlob
	}
	return c.Concat.Type()
}

// Eval implements sql.Expression.
func (c *boundedConcat) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	args := c.Children()
	parts, bytes := make([]string, len(args)), 0
	for i, e := range args {
		text, ok, err := partAt(ctx, e, row)
		if err != nil || !ok {
			return nil, err
		}
		parts[i] = text
		bytes += len(text)
		if bytes > ShortestPacket && (len(text) >= hold.LargeValue || i == len(args)-1) {
			if over, err := ExceedsPacket(ctx, "concat", float64(bytes)); over || err != nil {
				return nil, err // the other arguments are not computed
			}
		}
	}
	return joined(ctx, strings.Join(parts, ""), c.Type())
}

// WithChildren implements sql.Expression.
func (c *boundedConcat) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := c.Concat.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &boundedConcat{next.(*function.Concat)}, nil
}

// boundedConcatWS is CONCAT_WS. The engine's copies the whole text so far with each argument.
type boundedConcatWS struct {
	*function.ConcatWithSeparator
}

var _ sql.FunctionExpression = (*boundedConcatWS)(nil)

// Type implements sql.Expression: bytes if any argument is bytes.
func (c *boundedConcatWS) Type() sql.Type {
	if slices.ContainsFunc(c.Children(), value.IsBytes) {
		return types.LongBlob
	}
	return c.ConcatWithSeparator.Type()
}

// Eval implements sql.Expression.
func (c *boundedConcatWS) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	args := c.Children()
	separator, ok, err := partAt(ctx, args[0], row)
	if err != nil || !ok {
		return nil, err
	}
	parts, bytes := make([]string, 0, len(args)-1), 0
	for i, e := range args[1:] {
		text, ok, err := partAt(ctx, e, row)
		if err != nil {
			return nil, err
		}
		if ok {
			parts = append(parts, text)
			bytes += len(text) + len(separator)
		}
		if bytes > ShortestPacket && (len(text) >= hold.LargeValue || i == len(args)-2) {
			if over, err := ExceedsPacket(ctx, "concat_ws", float64(bytes-len(separator))); over || err != nil {
				return nil, err
			}
		}
	}
	return joined(ctx, strings.Join(parts, separator), c.Type())
}

// WithChildren implements sql.Expression.
func (c *boundedConcatWS) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := c.ConcatWithSeparator.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &boundedConcatWS{next.(*function.ConcatWithSeparator)}, nil
}

// base64Text is TO_BASE64. The engine's converts its argument to a text first. It fails for bytes that are no text,
// and for an IF of long texts, whose type has no text of over 65,535 bytes.
type base64Text struct {
	*function.ToBase64
}

var _ sql.FunctionExpression = (*base64Text)(nil)

// base64Line is the number of characters in a line of TO_BASE64.
const base64Line = 76

func newBase64(text sql.Expression) sql.Expression {
	return &base64Text{function.NewToBase64(text).(*function.ToBase64)}
}

// Eval implements sql.Expression.
func (b *base64Text) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := b.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	bytes, binary := v.([]byte)
	if !binary {
		text, _, err := types.LongText.Convert(ctx, v)
		if err != nil || text == nil {
			return nil, err
		}
		bytes = encodings.StringToBytes(text.(string))
	}
	if t, ok := b.Child.Type().(sql.StringType); ok && types.IsTextOnly(t) {
		if bytes, ok = t.Collation().CharacterSet().Encoder().Encode(bytes); !ok {
			return nil, fmt.Errorf("unable to re-encode string for TO_BASE64 function")
		}
	}
	length := base64.StdEncoding.EncodedLen(len(bytes))
	if over, err := ExceedsPacket(ctx, "to_base64", float64(length+max(0, length-1)/base64Line)); over || err != nil {
		return nil, err
	}
	encoded := base64.StdEncoding.EncodeToString(bytes)
	if length <= base64Line {
		return encoded, nil
	}
	var lines strings.Builder
	lines.Grow(length + length/base64Line)
	for len(encoded) > base64Line {
		lines.WriteString(encoded[:base64Line])
		lines.WriteByte('\n')
		encoded = encoded[base64Line:]
	}
	lines.WriteString(encoded)
	return lines.String(), nil
}

// WithChildren implements sql.Expression.
func (b *base64Text) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(b, len(children), 1)
	}
	return newBase64(children[0]), nil
}

// convertedText is CONVERT(value USING charset): a text of that character set, or bytes for binary. Like every text
// it is UTF-8 here, whatever its character set. The engine's returns encoded bytes, which its functions can't read,
// and can't convert numbers.
type convertedText struct {
	*expression.ConvertUsing
}

var (
	_ sql.Expression         = (*convertedText)(nil)
	_ sql.CollationCoercible = (*convertedText)(nil)
)

// errLongText ends a conversion whose result is longer than a packet.
var errLongText = errors.New("longer than a packet")

// NewConvertUsing returns CONVERT … USING in place of the engine's, which panics for character sets without a
// conversion table.
func NewConvertUsing(e *expression.ConvertUsing) (sql.Expression, error) {
	if !charset.Known(e.TargetCharSet) {
		return nil, mysql.NewSQLError(mysql.ERNotSupportedYet, "42000",
			"Text is not converted to character set '%s': use utf8mb4", e.TargetCharSet.Name())
	}
	return &convertedText{e}, nil
}

// Type implements sql.Expression.
func (c *convertedText) Type() sql.Type {
	if c.TargetCharSet == sql.CharacterSet_binary {
		return types.LongBlob
	}
	collation := c.TargetCharSet.DefaultCollation()
	if of, ok := c.Child.Type().(sql.StringType); ok && types.IsTextOnly(of) {
		if text, err := types.CreateString(of.Type(), of.MaxCharacterLength(), collation); err == nil {
			return text
		}
	}
	return types.CreateLongText(collation)
}

// Eval implements sql.Expression.
func (c *convertedText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	set, convert := c.TargetCharSet, charset.Fit
	v, err := (&SQLText{expression.UnaryExpression{Child: c.Child}}).Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	of := c.Child.Type()
	if types.IsBinaryType(of) {
		convert = charset.Decode
	} else if set == sql.CharacterSet_binary {
		if t, ok := of.(sql.TypeWithCollation); ok && charset.Known(t.Collation().CharacterSet()) {
			set, convert = t.Collation().CharacterSet(), charset.Encode
		}
	}
	text, _ := v.(string)
	if set != sql.CharacterSet_binary {
		text, err = convert(set, text, func(made int) error {
			long, err := ExceedsPacket(ctx, "convert", float64(made))
			if err == nil && long {
				err = errLongText
			}
			return cmp.Or(err, ctx.Err())
		})
	}
	if err == errLongText {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if c.TargetCharSet == sql.CharacterSet_binary {
		return hold.Value(ctx, []byte(text))
	}
	return hold.Value(ctx, text)
}

// WithChildren implements sql.Expression.
func (c *convertedText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	return NewConvertUsing(expression.NewConvertUsing(children[0], c.TargetCharSet))
}
