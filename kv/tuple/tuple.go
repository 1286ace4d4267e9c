// Package tuple writes and reads FoundationDB's tuple encoding: typed values whose bytes
// compare as the values do. It knows no keys and no collections; keyspace defines the
// tuples.
//
// The bytes follow design/tuple.md in apple/foundationdb, so that any of FoundationDB's
// bindings reads them. Each value has one encoding: decoded bytes encode to the same bytes
// again. (Other bindings also read integers with needless leading zeros, which none of them
// writes.)
//
// The Append functions grow dst and allocate nothing else; the Decode functions return the
// bytes behind the element. Tuple, Pack and Unpack box every element: they are for places
// where speed doesn't matter.
package tuple

import (
	"fmt"
	"math"
	"math/big"
)

// Tuple is a list of elements of the types nil, []byte, string, int, int64,
// uint64, *big.Int, float32, float64, bool, UUID, Versionstamp and Tuple.
type Tuple []any

// Pack encodes the tuple. An element of a type that Tuple doesn't list is a
// mistake of the program and panics; Append returns it as an error.
func (t Tuple) Pack() []byte {
	b, err := t.Append(make([]byte, 0, 64))
	if err != nil {
		panic(err)
	}
	return b
}

// Append appends the encoded tuple to dst. It fails with ErrType on an
// element of a type that Tuple doesn't list, with ErrRange on an integer over
// 255 bytes.
func (t Tuple) Append(dst []byte) ([]byte, error) {
	return t.append(dst, 0)
}

func (t Tuple) append(dst []byte, depth int) (_ []byte, err error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("tuple: encode: %w: nested deeper than %d", ErrRange, maxNesting)
	}
	for i, e := range t {
		switch e := e.(type) {
		case nil:
			if depth > 0 {
				dst = AppendNestedNil(dst)
			} else {
				dst = AppendNil(dst)
			}
		case []byte:
			dst = AppendBytes(dst, e)
		case string:
			dst = AppendString(dst, e)
		case int:
			dst = AppendInt(dst, int64(e))
		case int64:
			dst = AppendInt(dst, e)
		case uint64:
			dst = AppendUint(dst, e)
		case *big.Int:
			dst, err = AppendBigInt(dst, e)
		case float32:
			dst = AppendFloat(dst, e)
		case float64:
			dst = AppendDouble(dst, e)
		case bool:
			dst = AppendBool(dst, e)
		case UUID:
			dst = AppendUUID(dst, e)
		case Versionstamp:
			dst = AppendVersionstamp(dst, e)
		case Tuple:
			dst, err = e.append(AppendNestedStart(dst), depth+1)
			dst = AppendNestedEnd(dst)
		default:
			err = fmt.Errorf("tuple: encode element %d: %w: %T", i, ErrType, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// Unpack decodes b, all of it. Integers come as int64 when they fit, else as
// uint64, else as *big.Int. Byte strings may share the memory of b.
func Unpack(b []byte) (Tuple, error) {
	t := Tuple{}
	for len(b) > 0 {
		rest, e, err := Next(b)
		if err != nil {
			return nil, err
		}
		v, err := e.Value()
		if err != nil {
			return nil, err
		}
		t, b = append(t, v), rest
	}
	return t, nil
}

// Kind is the type of an element.
type Kind uint8

// The kinds, in the order in which their elements sort.
const (
	KindNil Kind = iota
	KindBytes
	KindString
	KindNested
	KindInt
	KindFloat
	KindDouble
	KindBool
	KindUUID
	KindVersionstamp
)

var kindNames = [...]string{"null", "bytes", "string", "nested tuple", "integer", "float", "double", "boolean", "UUID",
	"versionstamp"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Element is one encoded element. It shares the memory that it was read from.
type Element struct {
	// Raw is the element, its type code included. A Decode function reads it.
	Raw []byte
}

// Next splits off the first element of b, at the top level of a tuple. It
// finds the element's end and does not look for malformed integers within; Value does.
func Next(b []byte) (rest []byte, elem Element, err error) {
	rest, err = Skip(b)
	if err != nil {
		return nil, Element{}, err
	}
	return rest, Element{Raw: b[: len(b)-len(rest) : len(b)-len(rest)]}, nil
}

// Kind is the element's type. The element must have come from Next.
func (e Element) Kind() Kind {
	if len(e.Raw) == 0 {
		return KindNil
	}
	switch e.Raw[0] {
	case codeNil:
		return KindNil
	case codeBytes:
		return KindBytes
	case codeString:
		return KindString
	case codeNested:
		return KindNested
	case codeFloat:
		return KindFloat
	case codeDouble:
		return KindDouble
	case codeFalse, codeTrue:
		return KindBool
	case codeUUID:
		return KindUUID
	case codeVersionstamp:
		return KindVersionstamp
	}
	return KindInt
}

// Value decodes the element, as Unpack does.
func (e Element) Value() (any, error) {
	if len(e.Raw) == 0 {
		return nil, malformed(nil, "element")
	}
	v, rest, err := value(e.Raw, 0)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, malformed(e.Raw, "element with bytes after its end")
	}
	return v, nil
}

// value decodes the first element of b, which is within depth nested tuples.
func value(b []byte, depth int) (v any, rest []byte, err error) {
	switch (Element{Raw: b}).Kind() {
	case KindNil:
		rest, err = DecodeNil(b)
		return nil, rest, err
	case KindBytes:
		rest, v, err = boxed(DecodeBytes(b))
	case KindString:
		rest, v, err = boxed(DecodeString(b))
	case KindFloat:
		rest, v, err = boxed(DecodeFloat(b))
	case KindDouble:
		rest, v, err = boxed(DecodeDouble(b))
	case KindBool:
		rest, v, err = boxed(DecodeBool(b))
	case KindUUID:
		rest, v, err = boxed(DecodeUUID(b))
	case KindVersionstamp:
		rest, v, err = boxed(DecodeVersionstamp(b))
	case KindNested:
		rest, v, err = boxed(nested(b[1:], depth+1))
	case KindInt:
		rest, v, err = boxed(smallest(b))
	}
	return v, rest, err
}

func boxed[T any](rest []byte, v T, err error) ([]byte, any, error) { return rest, v, err }

// smallest decodes an integer into the first of int64, uint64 and *big.Int that holds it.
func smallest(b []byte) (rest []byte, v any, err error) {
	if len(b) > 0 && (b[0] == codeNegativeBig || b[0] == codePositiveBig) {
		return boxed(DecodeBigInt(b))
	}
	rest, u, negative, err := integer(b)
	switch {
	case err != nil:
		return nil, nil, err
	case !negative && u <= math.MaxInt64:
		return rest, int64(u), nil
	case !negative:
		return rest, u, nil
	case u <= 1<<63:
		return rest, -int64(u), nil
	}
	return boxed(DecodeBigInt(b))
}

// nested decodes the elements of a nested tuple up to and with its end.
func nested(b []byte, depth int) (rest []byte, t Tuple, err error) {
	if depth > maxNesting {
		return nil, nil, malformed(b, "deeply nested tuple")
	}
	t = Tuple{}
	for {
		switch {
		case len(b) == 0:
			return nil, nil, malformed(b, "nested tuple")
		case b[0] == codeNil && len(b) > 1 && b[1] == escape:
			t, b = append(t, nil), b[2:]
		case b[0] == codeNil:
			return b[1:], t, nil
		default:
			var v any
			if v, b, err = value(b, depth); err != nil {
				return nil, nil, err
			}
			t = append(t, v)
		}
	}
}
