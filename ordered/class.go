// Package ordered encodes values as bytes that compare as SQL compares the values. They are
// the value element of an entry, and the elements of a primary key.
//
// It doesn't wrap them into keys (kv/tuple, keyspace) and doesn't decide which
// values have entries (document, indexes). Strings are made comparable by
// package collation. The bytes are described in docs/rfcs/0001-bytes-on-disk.md and
// never change.
package ordered

import (
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
)

// The order classes, an encoding's first byte, are in SQL's order of JSON
// types. There are gaps for later ones; they are never renumbered.
const (
	ClassNull     byte = 0x10
	ClassNumber   byte = 0x20
	ClassString   byte = 0x30
	ClassObject   byte = 0x40
	ClassArray    byte = 0x50
	ClassBool     byte = 0x60
	ClassDate     byte = 0x70
	ClassTime     byte = 0x74
	ClassDatetime byte = 0x78
	ClassBytes    byte = 0x80
)

// The flags of an object or array, the only byte behind its class.
const (
	ContainerEmpty   byte = 0x00 // it holds nothing
	ContainerIndexed byte = 0x01 // its members or elements have entries of their own
	ContainerStub    byte = 0x02 // its members or elements have none
)

// Errors of this package.
var (
	// ErrNumber: not a number's literal, or one out of range.
	ErrNumber = errors.New("number can't be encoded")
	// ErrTime: not a date or time in its canonical form.
	ErrTime = errors.New("not a date or time")
	// ErrEncoding: bytes that no function of this package made.
	ErrEncoding = errors.New("damaged encoding of a value")
)

// AppendNull appends null.
func AppendNull(dst []byte) []byte { return append(dst, ClassNull) }

// AppendBool appends a boolean; false is before true.
func AppendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, ClassBool, 1)
	}
	return append(dst, ClassBool, 0)
}

// AppendContainer appends the presence of an object or array: ClassObject or
// ClassArray, and a ContainerX flag.
func AppendContainer(dst []byte, class, flag byte) []byte { return append(dst, class, flag) }

// ClassStart returns the first encoding of a class, ClassEnd the first bytes
// above all of them. They are shared and must not be changed.
func ClassStart(class byte) []byte { return bounds[class : class+1 : class+1] }

// ClassEnd returns the end of the span that ClassStart begins.
func ClassEnd(class byte) []byte { return ClassStart(class + 1) }

// bounds holds each byte.
var bounds = func() []byte {
	out := make([]byte, 256)
	for i := range out {
		out[i] = byte(i)
	}
	return out
}()

// ValueOptions are the settings of AppendValue.
type ValueOptions struct {
	// Collation orders strings; nil is collation.Default.
	Collation *collation.Collation
	// Limit is AppendString's.
	Limit int
	// Stub marks an array or object whose contents have no entries.
	Stub bool
}

// AppendValue appends the encoding of a JSON value. truncated is as for AppendString. It
// fails with ErrNumber only, or ErrEncoding for the zero Value.
func AppendValue(dst []byte, v document.Value, o ValueOptions) (out []byte, truncated bool, err error) {
	flag := ContainerIndexed
	switch {
	case v.IsEmpty():
		flag = ContainerEmpty
	case o.Stub:
		flag = ContainerStub
	}
	switch v.Type() {
	case document.TypeNull:
		return AppendNull(dst), false, nil
	case document.TypeBool:
		return AppendBool(dst, v.Bool()), false, nil
	case document.TypeNumber:
		out, err = AppendNumber(dst, v.Number())
		return out, false, err
	case document.TypeString:
		c := o.Collation
		if c == nil {
			c = collation.Default
		}
		out, truncated = AppendString(dst, c, v.Str(), o.Limit)
		return out, truncated, nil
	case document.TypeObject:
		return AppendContainer(dst, ClassObject, flag), false, nil
	case document.TypeArray:
		return AppendContainer(dst, ClassArray, flag), false, nil
	}
	return dst, false, fmt.Errorf("ordered: encode a value without a type: %w", ErrEncoding)
}
