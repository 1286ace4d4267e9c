package tuple

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// Type codes, the first byte of each element. They are the specification's;
// an integer's code is codeZero plus or minus its length in bytes.
const (
	codeNil          = 0x00
	codeBytes        = 0x01
	codeString       = 0x02
	codeNested       = 0x05
	codeNegativeBig  = 0x0b
	codeNegative8    = 0x0c
	codeZero         = 0x14
	codePositive8    = 0x1c
	codePositiveBig  = 0x1d
	codeFloat        = 0x20
	codeDouble       = 0x21
	codeFalse        = 0x26
	codeTrue         = 0x27
	codeUUID         = 0x30
	codeVersionstamp = 0x33
)

// escape follows every zero byte within a byte string, and every null within
// a nested tuple. No type code has this value.
const escape = 0xff

// maxBigInt is the length in bytes of the largest integer: its length must
// fit one byte.
const maxBigInt = 255

// VersionstampSize is the length in bytes of a versionstamp without its type code.
const VersionstampSize = 12

// UUID is an RFC 4122 UUID in network byte order.
type UUID [16]byte

// Versionstamp is the 96-bit versionstamp: the bytes that the store fills in at commit,
// then the order within the transaction.
type Versionstamp struct {
	Transaction [10]byte
	User        uint16
}

// Incomplete returns a versionstamp that is to be filled in at commit: its
// Transaction is all 0xff. The bytes to fill in begin one after the place
// where AppendVersionstamp appended it.
func Incomplete(user uint16) Versionstamp {
	v := Versionstamp{User: user}
	for i := range v.Transaction {
		v.Transaction[i] = 0xff
	}
	return v
}

// IsIncomplete reports whether v is to be filled in at commit.
func (v Versionstamp) IsIncomplete() bool {
	return v.Transaction == Incomplete(0).Transaction
}

// AppendNil appends a null at the top level of a tuple. Within a nested
// tuple a null is AppendNestedNil.
func AppendNil(dst []byte) []byte { return append(dst, codeNil) }

// AppendBytes appends a byte string.
func AppendBytes(dst, b []byte) []byte {
	dst = append(dst, codeBytes)
	for {
		i := bytes.IndexByte(b, 0)
		if i < 0 {
			break
		}
		dst = append(append(dst, b[:i+1]...), escape)
		b = b[i+1:]
	}
	return append(append(dst, b...), 0)
}

// AppendString appends a Unicode string. Its bytes are written as they are;
// the specification wants UTF-8.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, codeString)
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i+1]...), escape)
		s = s[i+1:]
	}
	return append(append(dst, s...), 0)
}

// AppendInt appends an integer.
func AppendInt(dst []byte, i int64) []byte {
	if i >= 0 {
		return AppendUint(dst, uint64(i))
	}
	return appendNegative(dst, -uint64(i))
}

// AppendUint appends an integer that is not negative.
func AppendUint(dst []byte, u uint64) []byte {
	n := byteLen(u)
	dst = append(dst, byte(codeZero+n))
	return appendLow(dst, u, n)
}

// appendNegative appends -magnitude; magnitude is not 0.
func appendNegative(dst []byte, magnitude uint64) []byte {
	n := byteLen(magnitude)
	dst = append(dst, byte(codeZero-n))
	return appendLow(dst, ^magnitude, n)
}

// byteLen is the number of bytes that u needs: 0 for 0.
func byteLen(u uint64) int { return (bits.Len64(u) + 7) / 8 }

// appendLow appends the n low bytes of u, big-endian.
func appendLow(dst []byte, u uint64, n int) []byte {
	for shift := 8 * (n - 1); shift >= 0; shift -= 8 {
		dst = append(dst, byte(u>>shift))
	}
	return dst
}

// AppendBigInt appends an integer of any size up to 255 bytes; a larger one
// is ErrRange, and dst comes back as it was.
func AppendBigInt(dst []byte, i *big.Int) ([]byte, error) {
	n := (i.BitLen() + 7) / 8
	if n <= 8 {
		// Only the lowest 64 bits of the magnitude are there.
		u := new(big.Int).Abs(i).Uint64()
		if i.Sign() < 0 {
			return appendNegative(dst, u), nil
		}
		return AppendUint(dst, u), nil
	}
	if n > maxBigInt {
		return dst, fmt.Errorf("tuple: encode an integer of %d bytes: %w", n, ErrRange)
	}
	flip := byte(0)
	if i.Sign() < 0 {
		flip = 0xff
		dst = append(dst, codeNegativeBig)
	} else {
		dst = append(dst, codePositiveBig)
	}
	dst = append(dst, byte(n)^flip)
	start := len(dst)
	dst = append(dst, make([]byte, n)...)
	i.FillBytes(dst[start:])
	for j := start; j < len(dst); j++ {
		dst[j] ^= flip
	}
	return dst, nil
}

// AppendFloat appends a 32-bit float; every bit pattern is kept.
func AppendFloat(dst []byte, f float32) []byte {
	u := math.Float32bits(f)
	if u>>31 != 0 {
		u = ^u
	} else {
		u |= 1 << 31
	}
	return binary.BigEndian.AppendUint32(append(dst, codeFloat), u)
}

// AppendDouble appends a 64-bit float; every bit pattern is kept.
func AppendDouble(dst []byte, f float64) []byte {
	u := math.Float64bits(f)
	if u>>63 != 0 {
		u = ^u
	} else {
		u |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(append(dst, codeDouble), u)
}

// AppendBool appends a boolean.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, codeTrue)
	}
	return append(dst, codeFalse)
}

// AppendUUID appends a UUID.
func AppendUUID(dst []byte, u UUID) []byte {
	return append(append(dst, codeUUID), u[:]...)
}

// AppendVersionstamp appends a versionstamp, complete or not.
func AppendVersionstamp(dst []byte, v Versionstamp) []byte {
	dst = append(append(dst, codeVersionstamp), v.Transaction[:]...)
	return binary.BigEndian.AppendUint16(dst, v.User)
}

// AppendNestedStart begins a nested tuple. Its elements follow, nulls by
// AppendNestedNil and the rest by the other functions, then AppendNestedEnd.
func AppendNestedStart(dst []byte) []byte { return append(dst, codeNested) }

// AppendNestedNil appends a null within a nested tuple.
func AppendNestedNil(dst []byte) []byte { return append(dst, codeNil, escape) }

// AppendNestedEnd ends a nested tuple.
func AppendNestedEnd(dst []byte) []byte { return append(dst, 0) }
