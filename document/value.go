package document

import (
	"iter"
	"math/bits"
	"strings"
	"unsafe"
)

// Value is one JSON value: a view of compact text, which it keeps alive. It is
// small, is passed by value, and never changes. The zero Value is no JSON
// value; its type is TypeNone.
type Value struct {
	raw string
}

// Document is a JSON object. The zero Document is no document; IsZero reports it.
type Document struct {
	Value
}

// FromCompact returns the value whose compact text is text, without checking it: text must
// be a result of Text or Raw of this package, as read back from the store. It takes
// ownership of text.
//
// Damaged text never makes a method panic; its result is then unspecified.
func FromCompact(text []byte) Value {
	return Value{raw: unsafe.String(unsafe.SliceData(text), len(text))}
}

// DocumentFromCompact is FromCompact for a document. It fails with
// *NotObjectError when the text starts as anything but an object.
func DocumentFromCompact(text []byte) (Document, error) {
	return FromCompact(text).Document()
}

// Document returns v as a document, or *NotObjectError when it is no object.
func (v Value) Document() (Document, error) {
	if v.Type() != TypeObject {
		return Document{}, &NotObjectError{Type: v.Type()}
	}
	return Document{v}, nil
}

// IsZero reports whether v is the zero Value, so no JSON value.
func (v Value) IsZero() bool { return v.raw == "" }

// Text returns the compact JSON text.
func (v Value) Text() string { return v.raw }

// String returns the compact JSON text; for a string's content see Str.
func (v Value) String() string { return v.raw }

// Raw returns the compact JSON text without copying it. The caller must not
// change it.
func (v Value) Raw() []byte { return unsafe.Slice(unsafe.StringData(v.raw), len(v.raw)) }

// Len returns the length of the compact JSON text in bytes.
func (v Value) Len() int { return len(v.raw) }

// Type returns the JSON type.
func (v Value) Type() Type {
	if v.raw == "" {
		return TypeNone
	}
	switch v.raw[0] {
	case '{':
		return TypeObject
	case '[':
		return TypeArray
	case '"':
		return TypeString
	case 't', 'f':
		return TypeBool
	case 'n':
		return TypeNull
	}
	return TypeNumber
}

// Kind returns the finer type; 0 for the zero Value.
func (v Value) Kind() Kind {
	switch v.Type() {
	case TypeNone:
		return 0
	case TypeNull:
		return KindNull
	case TypeBool:
		return KindBool
	case TypeString:
		return KindString
	case TypeArray:
		return KindArray
	case TypeObject:
		return KindObject
	}
	return numberKind(v.raw)
}

// IsNull reports whether v is JSON's null.
func (v Value) IsNull() bool { return v.raw != "" && v.raw[0] == 'n' }

// Bool reports whether v is true.
func (v Value) Bool() bool { return v.raw != "" && v.raw[0] == 't' }

// Number returns a number's literal as it came, "" for other types.
func (v Value) Number() string {
	if v.Type() != TypeNumber {
		return ""
	}
	return v.raw
}

// Str returns a string's content, "" for other types. It allocates only when
// the text holds escapes.
func (v Value) Str() string {
	content, escaped := v.content()
	if escaped {
		return string(appendUnescaped(make([]byte, 0, len(content)), content))
	}
	return content
}

// AppendStr appends a string's content to dst; nothing for other types.
func (v Value) AppendStr(dst []byte) []byte {
	content, escaped := v.content()
	if escaped {
		return appendUnescaped(dst, content)
	}
	return append(dst, content...)
}

// content returns the text between a string's quotes; escaped reports whether it may have
// escapes.
func (v Value) content() (content string, escaped bool) {
	if len(v.raw) < 2 || v.raw[0] != '"' {
		return "", false
	}
	content = v.raw[1 : len(v.raw)-1]
	return content, strings.IndexByte(content, '\\') >= 0
}

// IsEmpty reports whether v is an array or object that holds nothing.
func (v Value) IsEmpty() bool { return v.raw == "{}" || v.raw == "[]" }

// Count returns the number of an array's elements or an object's members, 0
// for scalars. It takes time in proportion to the text.
func (v Value) Count() int {
	n := 0
	switch v.Type() {
	case TypeArray:
		e := elementsOf(v.raw)
		for e.next() {
			n++
		}
	case TypeObject:
		m := membersOf(v.raw)
		for m.next() {
			n++
		}
	}
	return n
}

// Members iterates over an object's keys, unescaped, and values in the order
// of the text; over nothing for other types.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		m := membersOf(v.raw)
		for m.next() {
			if !yield(m.name(), m.value) {
				return
			}
		}
	}
}

// Elements iterates over an array's elements with their indexes from 0; over
// nothing for other types.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		i := 0
		e := elementsOf(v.raw)
		for ; e.next(); i++ {
			if !yield(i, e.value) {
				return
			}
		}
	}
}

// Member returns the value of an object's key; false when there is none or v
// is no object.
func (v Value) Member(name string) (Value, bool) {
	m := membersOf(v.raw)
	for m.next() {
		if m.is(name) {
			return m.value, true
		}
	}
	return Value{}, false
}

// Element returns an array's element by its index from 0; false when there is
// none or v is no array.
func (v Value) Element(index int) (Value, bool) {
	i := 0
	e := elementsOf(v.raw)
	for ; e.next(); i++ {
		if i == index {
			return e.value, true
		}
	}
	return Value{}, false
}

// members steps over an object's members.
//
// It is declared before the loop that steps it: as the loop's own variable it
// would be copied for every iteration.
type members struct {
	text  string
	pos   int // where the next member, or the comma before it, stands
	start int // where the current member starts
	flags byte
	key   string // as it is in the text, without quotes
	value Value
}

func membersOf(text string) members {
	if len(text) == 0 || text[0] != '{' {
		return members{}
	}
	return members{text: text, pos: 1}
}

func (m *members) next() bool {
	s, i := m.text, m.pos
	if i < len(s) && s[i] == ',' {
		i++
	}
	if i >= len(s) || s[i] != '"' {
		return false
	}
	m.start = i
	i++
	var flags byte
	start := i
	for {
		if i >= len(s) {
			return false
		}
		f := keyBytes[s[i]]
		flags |= f
		if f&keyEnds != 0 {
			if s[i] == '"' {
				break
			}
			i++ // a backslash takes the next byte with it
		}
		i++
	}
	m.flags = flags
	m.key = s[start:i]
	i++
	if i+1 >= len(s) || s[i] != ':' {
		return false
	}
	end := skipValue(s, i+1)
	m.value = Value{raw: s[i+1 : end]}
	m.pos = end
	return true
}

func (m *members) escaped() bool { return m.flags&keyEscaped != 0 }

// name returns the key, unescaped.
func (m *members) name() string {
	if m.escaped() {
		return string(appendUnescaped(nil, m.key))
	}
	return m.key
}

// is reports whether the key is name.
func (m *members) is(name string) bool {
	if m.escaped() {
		return string(appendUnescaped(nil, m.key)) == name
	}
	return m.key == name
}

// The meanings of the bytes of a key in a text, for reading and for spelling it.
const (
	keyEnds    = 1 << iota // a quote or a backslash
	keyEscaped             // a backslash
	keyQuoted              // a byte that makes a keypath quote the name
)

var keyBytes = func() (t [256]byte) {
	t['"'] = keyEnds
	t['\\'] = keyEnds | keyEscaped
	t['.'] = keyQuoted
	t['['] = keyQuoted
	return t
}()

// elements steps over an array's elements.
type elements struct {
	text  string
	pos   int
	value Value
}

func elementsOf(text string) elements {
	if len(text) == 0 || text[0] != '[' {
		return elements{}
	}
	return elements{text: text, pos: 1}
}

func (e *elements) next() bool {
	s, i := e.text, e.pos
	if i < len(s) && s[i] == ',' {
		i++
	}
	if i >= len(s) || s[i] == ']' {
		return false
	}
	end := skipValue(s, i)
	if end == i {
		return false
	}
	e.value = Value{raw: s[i:end]}
	e.pos = end
	return true
}

// skipValue returns the offset after the value at i of compact text.
func skipValue(s string, i int) int {
	switch s[i] {
	case '"':
		return skipString(s, i)
	case '{', '[':
		return skipContainer(s, i)
	}
	for i < len(s) && s[i] != ',' && s[i] != '}' && s[i] != ']' {
		i++
	}
	return i
}

// skipString returns the offset after the string whose opening quote is at i.
func skipString(s string, i int) int {
	i++
	for {
		// Eight bytes at a time to the next quote or backslash, as scanString does.
		for i+8 <= len(s) {
			w := load8(s, i)
			quote := w ^ '"'*everyByte
			slash := w ^ '\\'*everyByte
			m := ((quote-everyByte)&^quote | (slash-everyByte)&^slash) & highBits
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(s) {
			return len(s)
		}
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
}

// skipContainer returns the offset after the object or array that starts at i.
func skipContainer(s string, i int) int {
	depth := 0
	for i < len(s) {
		switch containerBytes[s[i]] {
		case 0:
			i++
		case containerString:
			i = skipString(s, i)
		case containerStart:
			depth++
			i++
		default:
			i++
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// The meanings of the bytes outside of strings, for finding a container's end.
const (
	containerString = 1 + iota
	containerStart
	containerEnd
)

var containerBytes = [256]uint8{'"': containerString, '{': containerStart, '[': containerStart, '}': containerEnd,
	']': containerEnd}
