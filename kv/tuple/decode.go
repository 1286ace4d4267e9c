package tuple

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Errors of decoders, wrapped with the type that was to be decoded.
var (
	// ErrMalformed: the bytes are not an element, or not in the one form
	// that the encoders write.
	ErrMalformed = errors.New("malformed tuple")
	// ErrType: the element is of another type than the wanted one.
	ErrType = errors.New("unexpected type in tuple")
	// ErrRange: an integer doesn't fit.
	ErrRange = errors.New("integer out of range")
)

// maxNesting bounds nested tuples, so that no input exhausts the stack.
const maxNesting = 1000

func malformed(b []byte, what string) error {
	if len(b) == 0 {
		return fmt.Errorf("tuple: decode %s: %w: no bytes left", what, ErrMalformed)
	}
	return fmt.Errorf("tuple: decode %s: %w: type code 0x%02x with %d bytes after it", what, ErrMalformed, b[0], len(b)-1)
}

func unexpected(b []byte, want string) error {
	if len(b) == 0 {
		return malformed(b, want)
	}
	return fmt.Errorf("tuple: decode %s: %w: type code 0x%02x", want, ErrType, b[0])
}

// Skip returns the bytes behind the first element of b, at the top level of a tuple. It
// allocates nothing and checks no more than it needs.
func Skip(b []byte) (rest []byte, err error) {
	n := elementLen(b)
	if n < 0 {
		return nil, malformed(b, "element")
	}
	if b[0] != codeNested {
		return b[n:], nil
	}
	for depth := 1; depth > 0; {
		switch {
		case n == len(b):
			return nil, malformed(b, "nested tuple")
		case b[n] == codeNil && n+1 < len(b) && b[n+1] == escape:
			n += 2
		case b[n] == codeNil:
			depth--
			n++
		case b[n] == codeNested:
			if depth++; depth > maxNesting {
				return nil, malformed(b, "deeply nested tuple")
			}
			n++
		default:
			m := elementLen(b[n:])
			if m < 0 {
				return nil, malformed(b[n:], "element of a nested tuple")
			}
			n += m
		}
	}
	return b[n:], nil
}

// elementLen is the length of the first element of b, at the top level; for a nested tuple
// it is the length of its type code alone. It is -1 when there is no element.
func elementLen(b []byte) int {
	if len(b) == 0 {
		return -1
	}
	n := -1
	switch c := b[0]; {
	case c == codeNil, c == codeNested, c == codeFalse, c == codeTrue:
		n = 1
	case c == codeBytes, c == codeString:
		end := terminator(b[1:])
		if end < 0 {
			return -1
		}
		n = 1 + end + 1
	case c >= codeNegative8 && c < codeZero:
		n = 1 + codeZero - int(c)
	case c >= codeZero && c <= codePositive8:
		n = 1 + int(c) - codeZero
	case c == codeNegativeBig && len(b) > 1:
		n = 2 + int(^b[1])
	case c == codePositiveBig && len(b) > 1:
		n = 2 + int(b[1])
	case c == codeFloat:
		n = 1 + 4
	case c == codeDouble:
		n = 1 + 8
	case c == codeUUID:
		n = 1 + 16
	case c == codeVersionstamp:
		n = 1 + VersionstampSize
	}
	if n > len(b) {
		return -1
	}
	return n
}

// terminator is the index in b of the zero that ends an escaped string, or -1.
func terminator(b []byte) int {
	for i := 0; ; i += 2 {
		j := bytes.IndexByte(b[i:], 0)
		if j < 0 {
			return -1
		}
		i += j
		if i+1 == len(b) || b[i+1] != escape {
			return i
		}
	}
}

// DecodeNil reads a null at the top level of a tuple.
func DecodeNil(b []byte) (rest []byte, err error) {
	if len(b) == 0 || b[0] != codeNil {
		return nil, unexpected(b, "null")
	}
	return b[1:], nil
}

// DecodeBytes reads a byte string. The value shares the memory of b unless
// it holds a zero byte.
func DecodeBytes(b []byte) (rest, value []byte, err error) {
	rest, raw, err := escaped(b, codeBytes, "byte string")
	if err != nil {
		return nil, nil, err
	}
	if bytes.IndexByte(raw, 0) < 0 {
		return rest, raw[:len(raw):len(raw)], nil
	}
	return rest, appendUnescaped(make([]byte, 0, len(raw)-1), raw), nil
}

// AppendDecodedBytes is DecodeBytes into memory of the caller: the value is
// appended to dst.
func AppendDecodedBytes(dst, b []byte) (rest, out []byte, err error) {
	rest, raw, err := escaped(b, codeBytes, "byte string")
	if err != nil {
		return nil, dst, err
	}
	return rest, appendUnescaped(dst, raw), nil
}

// DecodeString reads a Unicode string. It is not checked to be UTF-8.
func DecodeString(b []byte) (rest []byte, value string, err error) {
	rest, raw, err := escaped(b, codeString, "string")
	if err != nil {
		return nil, "", err
	}
	if bytes.IndexByte(raw, 0) < 0 {
		return rest, string(raw), nil
	}
	return rest, string(appendUnescaped(nil, raw)), nil
}

// escaped returns the bytes between the type code and the terminator.
func escaped(b []byte, code byte, what string) (rest, raw []byte, err error) {
	if len(b) == 0 || b[0] != code {
		return nil, nil, unexpected(b, what)
	}
	end := terminator(b[1:])
	if end < 0 {
		return nil, nil, malformed(b, what)
	}
	return b[end+2:], b[1 : end+1], nil
}

func appendUnescaped(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, 0)
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i+1]...)
		raw = raw[i+2:] // the zero and its escape
	}
}

// integer reads an integer of up to 8 bytes as its sign and magnitude.
// A big one is ErrRange.
func integer(b []byte) (rest []byte, magnitude uint64, negative bool, err error) {
	if len(b) == 0 || b[0] < codeNegativeBig || b[0] > codePositiveBig {
		return nil, 0, false, unexpected(b, "integer")
	}
	end := elementLen(b)
	if end < 0 {
		return nil, 0, false, malformed(b, "integer")
	}
	if b[0] == codeNegativeBig || b[0] == codePositiveBig {
		return nil, 0, false, fmt.Errorf("tuple: decode integer of %d bytes: %w", end-2, ErrRange)
	}
	for _, c := range b[1:end] {
		magnitude = magnitude<<8 | uint64(c)
	}
	if negative = b[0] < codeZero; negative {
		magnitude = ^magnitude
		if n := end - 1; n < 8 {
			magnitude &= 1<<(8*n) - 1
		}
	}
	if byteLen(magnitude) != end-1 {
		return nil, 0, false, malformed(b, "integer longer than needed")
	}
	return b[end:], magnitude, negative, nil
}

// DecodeInt reads an integer; one that is no int64 is ErrRange.
func DecodeInt(b []byte) (rest []byte, value int64, err error) {
	rest, u, negative, err := integer(b)
	switch {
	case err != nil:
		return nil, 0, err
	case negative && u <= 1<<63:
		return rest, -int64(u), nil
	case !negative && u < 1<<63:
		return rest, int64(u), nil
	}
	return nil, 0, fmt.Errorf("tuple: decode int64: %w", ErrRange)
}

// DecodeUint reads an integer; one that is no uint64 is ErrRange.
func DecodeUint(b []byte) (rest []byte, value uint64, err error) {
	rest, u, negative, err := integer(b)
	if err == nil && negative {
		err = fmt.Errorf("tuple: decode uint64: %w", ErrRange)
	}
	if err != nil {
		return nil, 0, err
	}
	return rest, u, nil
}

// DecodeBigInt reads an integer of any size.
func DecodeBigInt(b []byte) (rest []byte, value *big.Int, err error) {
	if len(b) == 0 || b[0] != codeNegativeBig && b[0] != codePositiveBig {
		rest, u, negative, err := integer(b)
		if err != nil {
			return nil, nil, err
		}
		value = new(big.Int).SetUint64(u)
		if negative {
			value.Neg(value)
		}
		return rest, value, nil
	}
	end := elementLen(b)
	if end < 0 {
		return nil, nil, malformed(b, "integer")
	}
	if b[0] == codePositiveBig {
		value = new(big.Int).SetBytes(b[2:end])
	} else {
		flipped := make([]byte, end-2)
		for i, c := range b[2:end] {
			flipped[i] = ^c
		}
		value = new(big.Int).SetBytes(flipped)
		value.Neg(value)
	}
	if n := (value.BitLen() + 7) / 8; n <= 8 || n != end-2 {
		return nil, nil, malformed(b, "integer longer than needed")
	}
	return b[end:], value, nil
}

// fixed returns the bytes after the type code of an element of fixed length.
func fixed(b []byte, code byte, what string) (rest, raw []byte, err error) {
	if len(b) == 0 || b[0] != code {
		return nil, nil, unexpected(b, what)
	}
	end := elementLen(b)
	if end < 0 {
		return nil, nil, malformed(b, what)
	}
	return b[end:], b[1:end], nil
}

// DecodeFloat reads a 32-bit float.
func DecodeFloat(b []byte) (rest []byte, value float32, err error) {
	rest, raw, err := fixed(b, codeFloat, "float")
	if err != nil {
		return nil, 0, err
	}
	u := binary.BigEndian.Uint32(raw)
	if u>>31 != 0 {
		u &^= 1 << 31
	} else {
		u = ^u
	}
	return rest, math.Float32frombits(u), nil
}

// DecodeDouble reads a 64-bit float.
func DecodeDouble(b []byte) (rest []byte, value float64, err error) {
	rest, raw, err := fixed(b, codeDouble, "double")
	if err != nil {
		return nil, 0, err
	}
	u := binary.BigEndian.Uint64(raw)
	if u>>63 != 0 {
		u &^= 1 << 63
	} else {
		u = ^u
	}
	return rest, math.Float64frombits(u), nil
}

// DecodeBool reads a boolean.
func DecodeBool(b []byte) (rest []byte, value bool, err error) {
	if len(b) == 0 || b[0] != codeFalse && b[0] != codeTrue {
		return nil, false, unexpected(b, "boolean")
	}
	return b[1:], b[0] == codeTrue, nil
}

// DecodeUUID reads a UUID.
func DecodeUUID(b []byte) (rest []byte, value UUID, err error) {
	rest, raw, err := fixed(b, codeUUID, "UUID")
	if err != nil {
		return nil, UUID{}, err
	}
	return rest, UUID(raw), nil
}

// DecodeVersionstamp reads a versionstamp.
func DecodeVersionstamp(b []byte) (rest []byte, value Versionstamp, err error) {
	rest, raw, err := fixed(b, codeVersionstamp, "versionstamp")
	if err != nil {
		return nil, Versionstamp{}, err
	}
	value.Transaction = [10]byte(raw[:10])
	value.User = binary.BigEndian.Uint16(raw[10:])
	return rest, value, nil
}
