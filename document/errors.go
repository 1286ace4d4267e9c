package document

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Errors of this package, met through errors.Is. Those with details come as
// the types below, which unwrap to them.
var (
	// ErrSyntax: the text is not JSON.
	ErrSyntax = errors.New("invalid JSON text")
	// ErrDuplicateKey: an object holds one key twice.
	ErrDuplicateKey = errors.New("duplicate key")
	// ErrTooDeep: objects and arrays are nested deeper than the limit.
	ErrTooDeep = errors.New("JSON text is nested too deeply")
	// ErrTooLarge: the compact text is longer than the limit.
	ErrTooLarge = errors.New("JSON text is too large")
	// ErrNotObject: the text is JSON, but no object, so it is no document.
	ErrNotObject = errors.New("a document must be a JSON object")
	// ErrNotObjectOnPath: a keypath leads through a value that is no object.
	ErrNotObjectOnPath = errors.New("keypath leads through a value that is not an object")
	// ErrKeypath: a text is not a keypath, or not one that fits the use.
	ErrKeypath = errors.New("invalid keypath")
	// ErrJSONPath: a text is not a JSON path expression.
	ErrJSONPath = errors.New("invalid JSON path expression")
	// ErrNumber: a text is not a JSON number, or its exponent is out of bounds.
	ErrNumber = errors.New("invalid number")
	// ErrString: a string is not valid UTF-8.
	ErrString = errors.New("string is not valid UTF-8")
)

// SyntaxError has the place where a text is not JSON, and the reason. It unwraps to
// ErrSyntax.
type SyntaxError struct {
	Offset  int    // bytes before the place
	Line    int    // from 1
	Column  int    // characters of the line up to and with the place, from 1
	Message string // the token that was found, and the expected one
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%v at byte %d (line %d, column %d): %s", ErrSyntax, e.Offset, e.Line, e.Column, e.Message)
}

// Unwrap returns ErrSyntax.
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

// DuplicateKeyError names the key that an object holds twice. It unwraps to
// ErrDuplicateKey.
type DuplicateKeyError struct {
	Key    string // unescaped
	Path   string // the spelled keypath of that key
	Offset int    // bytes before its second occurrence
}

func (e *DuplicateKeyError) Error() string {
	return fmt.Sprintf("%v %s at byte %d (keypath %s)", ErrDuplicateKey, quoteForMessage(e.Key), e.Offset,
		shorten(e.Path, 200))
}

// Unwrap returns ErrDuplicateKey.
func (e *DuplicateKeyError) Unwrap() error { return ErrDuplicateKey }

// DepthError has the depth that a text exceeds. It unwraps to ErrTooDeep.
type DepthError struct {
	Limit  int // objects and arrays inside one another
	Offset int // bytes before the first that is too deep
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("%v at byte %d: more than %d objects and arrays inside one another", ErrTooDeep, e.Offset, e.Limit)
}

// Unwrap returns ErrTooDeep.
func (e *DepthError) Unwrap() error { return ErrTooDeep }

// SizeError has the size of a text that is too long, and the limit. It unwraps to
// ErrTooLarge.
type SizeError struct {
	Size, Limit int // bytes of the compact text
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%v: %d bytes, the limit is %d", ErrTooLarge, e.Size, e.Limit)
}

// Unwrap returns ErrTooLarge.
func (e *SizeError) Unwrap() error { return ErrTooLarge }

// NotObjectError has the type of the value that a text holds instead of an object. It
// unwraps to ErrNotObject.
type NotObjectError struct {
	Type Type
}

func (e *NotObjectError) Error() string {
	return fmt.Sprintf("%v, not %s", ErrNotObject, e.Type.withArticle())
}

// Unwrap returns ErrNotObject.
func (e *NotObjectError) Unwrap() error { return ErrNotObject }

// PathError names the part of a keypath where no object is found to go on. It
// unwraps to ErrNotObjectOnPath.
type PathError struct {
	Path  Keypath // the whole keypath
	Above Keypath // its part up to the value that is no object
	Type  Type    // the value's type
}

func (e *PathError) Error() string {
	return fmt.Sprintf("%v: %s is %s, so %s can't be below it",
		ErrNotObjectOnPath, shorten(e.Above.String(), 200), e.Type.withArticle(), shorten(e.Path.String(), 200))
}

// Unwrap returns ErrNotObjectOnPath.
func (e *PathError) Unwrap() error { return ErrNotObjectOnPath }

// syntaxError makes the error for the byte at offset of text. Lines and
// columns are only counted here, so a text without errors doesn't pay for them.
func syntaxError(text string, offset int, format string, args ...any) error {
	before := text[:min(offset, len(text))]
	lineStart := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Offset:  offset,
		Line:    strings.Count(before, "\n") + 1,
		Column:  utf8.RuneCountInString(before[lineStart:]) + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// describeAt names the token at offset of text for a message.
func describeAt(text string, offset int) string {
	if offset >= len(text) {
		return "the end of the text"
	}
	r, size := utf8.DecodeRuneInString(text[offset:])
	switch {
	case r == utf8.RuneError && size <= 1:
		return fmt.Sprintf("the byte 0x%02x", text[offset])
	case r == 0xfeff:
		return "a byte order mark"
	case r < 0x20 || r == 0x7f:
		return fmt.Sprintf("the control character U+%04X", r)
	case r == '\'':
		return `"'"`
	}
	return "'" + string(r) + "'"
}

// quoteForMessage quotes a key or string for an error message, shortened.
func quoteForMessage(s string) string {
	quoted, err := AppendQuoted(nil, shorten(s, 200))
	if err != nil {
		return fmt.Sprintf("%q", shorten(s, 200))
	}
	return string(quoted)
}

// shorten cuts s to about limit bytes, at the border of a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
