package mapindex

import (
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// The first bytes of encoded keys are in CouchDB's order of types. There are gaps for later ones; they are never
// renumbered. endOfContents stands behind the elements of an array and the members of an object, and behind a string.
const (
	endOfContents byte = 0x00
	classNull     byte = 0x10
	classFalse    byte = 0x20
	classTrue     byte = 0x21
	classNumber   byte = 0x30
	classString   byte = 0x40
	classArray    byte = 0x50
	classObject   byte = 0x60
)

// ErrKey: a value that can't be a key, or bytes that are none.
var ErrKey = errors.New("not a key of a map index")

// AppendKey appends the encoding of a value as a key: bytes that compare as CouchDB compares the values. The order is
// null < false < true < numbers < strings < arrays < objects. Arrays compare element by element, and objects member
// by member in the order in which they stand. Numbers compare by their values, exactly; strings by the sort key of
// collation.Default, then by their own bytes. No encoding is the beginning of another one. It fails with ErrKey for a
// number out of range.
func AppendKey(dst []byte, v document.Value) ([]byte, error) {
	switch v.Type() {
	case document.TypeNull:
		return append(dst, classNull), nil
	case document.TypeBool:
		if v.Bool() {
			return append(dst, classTrue), nil
		}
		return append(dst, classFalse), nil
	case document.TypeNumber:
		start := len(dst)
		dst, err := ordered.AppendNumber(dst, v.Number())
		if err != nil {
			return dst, fmt.Errorf("%w: %w", ErrKey, err)
		}
		dst[start] = classNumber
		return dst, nil
	case document.TypeString:
		return appendText(dst, v.Str()), nil
	case document.TypeArray:
		dst = append(dst, classArray)
		for _, e := range v.Elements() {
			var err error
			if dst, err = AppendKey(dst, e); err != nil {
				return dst, err
			}
		}
		return append(dst, endOfContents), nil
	case document.TypeObject:
		dst = append(dst, classObject)
		for name, e := range v.Members() {
			var err error
			if dst, err = AppendKey(appendText(dst, name), e); err != nil {
				return dst, err
			}
		}
		return append(dst, endOfContents), nil
	}
	return dst, fmt.Errorf("%w: no JSON value", ErrKey)
}

// appendText appends a string: sort key, terminator, the string with 00 written as 00 FF, and 00.
func appendText(dst []byte, s string) []byte {
	dst = append(collation.Default.AppendKey(append(dst, classString), s), collation.Terminator)
	for i := range len(s) {
		if dst = append(dst, s[i]); s[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, endOfContents)
}

// EncodeKey is AppendKey of a JSON text.
func EncodeKey(text []byte) ([]byte, error) {
	v, err := document.ParseValue(text, document.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKey, err)
	}
	return AppendKey(nil, v)
}

// Beginning is the common beginning of the encodings of all arrays that begin with the elements of an encoded array;
// ok is false if that is no array.
func Beginning(encoded []byte) (prefix []byte, ok bool) {
	if len(encoded) < 2 || encoded[0] != classArray {
		return nil, false
	}
	return encoded[:len(encoded)-1], true
}

// Describe is the JSON of an encoded key, for people. A continuation behind a key is shown by "…": the bound of a
// span may be the beginning of keys, or more than one.
func Describe(encoded []byte) string {
	text, rest, ok := describe(nil, encoded)
	if !ok || len(rest) > 0 {
		text = append(text, "…"...)
	}
	return string(text)
}

func describe(dst, b []byte) (text, rest []byte, ok bool) {
	if len(b) == 0 {
		return dst, nil, false
	}
	class := b[0]
	switch b = b[1:]; class {
	case classNull:
		return append(dst, "null"...), b, true
	case classFalse:
		return append(dst, "false"...), b, true
	case classTrue:
		return append(dst, "true"...), b, true
	case classNumber:
		for n := 1; n <= len(b); n++ {
			// A number's last byte is the first that ends an encoding of one.
			if d, err := ordered.Decode(append([]byte{ordered.ClassNumber}, b[:n]...),
				ordered.DecodeOptions{}); err == nil {
				return append(dst, d.Text...), b[n:], true
			}
		}
		return dst, nil, false
	case classString:
		s, rest, ok := splitText(b)
		if dst, err := document.AppendQuoted(dst, s); err == nil {
			return dst, rest, ok
		}
		return dst, rest, false
	case classArray, classObject:
		brackets := "[]"
		if class == classObject {
			brackets = "{}"
		}
		dst = append(dst, brackets[0])
		for first := true; ; first = false {
			if len(b) == 0 {
				return dst, nil, false
			}
			if b[0] == endOfContents {
				return append(dst, brackets[1]), b[1:], true
			}
			if !first {
				dst = append(dst, ',')
			}
			if dst, b, ok = describe(dst, b); ok && class == classObject {
				dst, b, ok = describe(append(dst, ':'), b)
			}
			if !ok {
				return dst, b, false
			}
		}
	}
	return dst, b, false
}

// splitText takes the string out of an encoded one, behind its class.
func splitText(b []byte) (s string, rest []byte, ok bool) {
	_, b, ok = collation.SplitKey(b)
	if !ok {
		return "", nil, false
	}
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] == 0 {
			if i+1 == len(b) || b[i+1] != 0xff {
				return string(out), b[i+1:], true
			}
			i++
			out = append(out, 0)
			continue
		}
		out = append(out, b[i])
	}
	return string(out), nil, false
}
