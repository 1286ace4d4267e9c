package document

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// NullValue returns JSON's null.
func NullValue() Value { return Value{raw: "null"} }

// BoolValue returns true or false.
func BoolValue(b bool) Value {
	if b {
		return Value{raw: "true"}
	}
	return Value{raw: "false"}
}

// IntValue returns n as a number.
func IntValue(n int64) Value { return Value{raw: strconv.FormatInt(n, 10)} }

// UintValue returns n as a number.
func UintValue(n uint64) Value { return Value{raw: strconv.FormatUint(n, 10)} }

// FloatValue returns f as the shortest number that reads back as f, always
// with a point or an exponent, so that its kind is KindFloat. It fails with
// ErrNumber for NaN and infinities, which JSON doesn't have.
func FloatValue(f float64) (Value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, fmt.Errorf("%w: JSON has no %v", ErrNumber, f)
	}
	var buf [32]byte
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return Value{raw: string(strconv.AppendFloat(buf[:0], f, 'e', -1, 64))}, nil
	}
	text := strconv.AppendFloat(buf[:0], f, 'f', -1, 64)
	if bytes.IndexByte(text, '.') < 0 {
		text = append(text, ".0"...)
	}
	return Value{raw: string(text)}, nil
}

// NumberValue returns the number that literal spells, digit for digit. It fails
// with ErrNumber when literal is not a JSON number.
func NumberValue(literal string) (Value, error) {
	if err := checkNumber(literal); err != nil {
		return Value{}, err
	}
	return Value{raw: literal}, nil
}

// StringValue returns s as a string. It fails with ErrString when s is not
// valid UTF-8.
func StringValue(s string) (Value, error) {
	text, err := AppendQuoted(make([]byte, 0, len(s)+2), s)
	if err != nil {
		return Value{}, err
	}
	return FromCompact(text), nil
}

// ObjectBuilder makes a document member by member, in the order of the calls. The first
// error stays, and Document returns it.
type ObjectBuilder struct {
	text  []byte
	names map[string]struct{}
	err   error
}

// NewObject returns a builder of an object without members.
func NewObject() *ObjectBuilder {
	return &ObjectBuilder{text: []byte{'{'}, names: make(map[string]struct{})}
}

// Add appends a member and returns b. It is an error (ErrString,
// *DuplicateKeyError) if name is not valid UTF-8 or was added before, or v is
// the zero Value.
func (b *ObjectBuilder) Add(name string, v Value) *ObjectBuilder {
	if b.err != nil {
		return b
	}
	if v.IsZero() {
		b.err = fmt.Errorf("document: add %s: no value", quoteForMessage(name))
		return b
	}
	if _, ok := b.names[name]; ok {
		b.err = &DuplicateKeyError{Key: name, Path: Keypath{{Name: name}}.String(), Offset: len(b.text)}
		return b
	}
	b.names[name] = struct{}{}
	if len(b.text) > 1 {
		b.text = append(b.text, ',')
	}
	text, err := AppendQuoted(b.text, name)
	if err != nil {
		b.err = fmt.Errorf("document: add %s: %w", quoteForMessage(name), err)
		return b
	}
	b.text = append(append(text, ':'), v.raw...)
	return b
}

// Document returns the object that was built. The builder can go on: the document shares no
// memory with it.
func (b *ObjectBuilder) Document() (Document, error) {
	if b.err != nil {
		return Document{}, b.err
	}
	text := make([]byte, 0, len(b.text)+1)
	text = append(append(text, b.text...), '}')
	return Document{FromCompact(text)}, nil
}

// ArrayValue returns the array of the given values; a zero Value among them
// becomes null.
func ArrayValue(values ...Value) Value {
	size := 2
	for _, v := range values {
		size += len(v.raw) + 1
	}
	text := append(make([]byte, 0, size), '[')
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		if v.IsZero() {
			v = NullValue()
		}
		text = append(text, v.raw...)
	}
	return FromCompact(append(text, ']'))
}
