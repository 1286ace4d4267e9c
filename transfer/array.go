package transfer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sqlfdb/sqlfdb/document"
)

// elements cuts the elements out of one JSON array, or documents that follow one another, without understanding them:
// it counts brackets outside of strings. So an element that is no document is
// refused alone, however it is wrong inside its brackets, and one larger or deeper than a
// document may be takes no memory.
type elements struct {
	in    *bufio.Reader
	line  int64
	array bool
	first bool  // no element has been read yet
	ended error // behind the last element: io.EOF, or why the rest can't be read
}

// largestElement is how many bytes of an element are kept, white space included.
const largestElement = 4 * document.DefaultMaxSize

var errUnbalanced = errors.New("a bracket closes what another kind has opened")

// newElements reads up to the array's opening bracket, where there is an array.
func newElements(in *bufio.Reader) (*elements, error) {
	e := &elements{in: in, line: 1, first: true}
	c, err := e.token()
	switch {
	case err == io.EOF:
		e.ended = io.EOF
		return e, nil
	case err != nil:
		return nil, fmt.Errorf("transfer: read: %w", err)
	case c == '[':
		e.array = true
		return e, nil
	}
	if err := e.in.UnreadByte(); err != nil {
		return nil, err
	}
	return e, nil
}

// byte reads a byte and counts lines.
func (e *elements) byte() (byte, error) {
	c, err := e.in.ReadByte()
	if c == '\n' && err == nil {
		e.line++
	}
	return c, err
}

// token reads the next byte that is not white space.
func (e *elements) token() (byte, error) {
	for {
		c, err := e.byte()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, err
		}
	}
}

// next returns the next element; io.EOF at the end of the array. Another error
// means that the rest can't be distinguished.
func (e *elements) next() (Item, error) {
	if e.ended != nil {
		return Item{}, e.ended
	}
	if !e.array {
		return e.following()
	}
	c, err := e.token()
	if err == nil && c == ']' && e.first {
		e.end()
		return Item{}, e.ended
	}
	if err != nil {
		e.ended = fmt.Errorf("transfer: line %d: the array has no end: %w", e.line, unexpected(err))
		return Item{}, e.ended
	}
	e.first = false
	item := Item{Line: e.line}
	text, size, last, err := e.element(c)
	if err != nil {
		e.ended = fmt.Errorf("transfer: line %d: %w", item.Line, unexpected(err))
		return Item{}, e.ended
	}
	item.Document, item.Err = parseKept(text, size)
	if last {
		e.end()
	}
	return item, nil
}

// following returns the next of documents that follow one another.
func (e *elements) following() (Item, error) {
	c, err := e.token()
	if err == io.EOF {
		e.ended = io.EOF
		return Item{}, io.EOF
	}
	item := Item{Line: e.line}
	var text []byte
	size := 0
	if err == nil {
		text, size, err = e.one(c)
	}
	if errors.Is(err, errUnbalanced) { // errors behind it are distinguished by their lines
		for c := byte(0); c != '\n' && err != io.EOF; {
			if c, err = e.byte(); err != nil && err != io.EOF {
				return Item{}, fmt.Errorf("transfer: read: %w", err)
			}
		}
		item.Err = errUnbalanced
		return item, nil
	}
	if err != nil {
		e.ended = fmt.Errorf("transfer: line %d: the document that begins here has no end: %w", item.Line, unexpected(err))
		return Item{}, e.ended
	}
	item.Document, item.Err = parseKept(text, size)
	return item, nil
}

// one reads a value that begins with c to its end: its last bracket, or the first byte that can't be part of it.
func (e *elements) one(c byte) (text []byte, size int, err error) {
	depth, quoted := 0, false
	for {
		text, size = keep(text, size, c)
		switch {
		case quoted && c == '\\':
			if c, err = e.byte(); err != nil {
				return nil, 0, err
			}
			text, size = keep(text, size, c)
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return nil, 0, errUnbalanced
			}
			if depth == 0 {
				return text, size, nil
			}
		}
		if depth == 0 && !quoted {
			next, err := e.in.Peek(1)
			if err == io.EOF || err == nil && bytes.IndexByte([]byte(" \t\r\n{["), next[0]) >= 0 {
				return text, size, nil
			}
		}
		if c, err = e.byte(); err != nil {
			return nil, 0, err
		}
	}
}

// parseKept parses the kept text of a value of size bytes. It fails if the value was too large to be kept whole.
func parseKept(text []byte, size int) (document.Document, error) {
	if size > len(text) {
		return document.Document{}, fmt.Errorf("an element of %d bytes: %w", size, document.ErrTooLarge)
	}
	return document.Parse(text, document.Limits{})
}

// element reads an element that begins with c up to the comma or the bracket behind it.
// text is the kept part of its size bytes; last is true behind the bracket.
func (e *elements) element(c byte) (text []byte, size int, last bool, err error) {
	depth, quoted := 0, false
	for {
		switch {
		case quoted && c == '\\':
			text, size = keep(text, size, c)
			if c, err = e.byte(); err != nil {
				return nil, 0, false, err
			}
		case quoted:
			quoted = c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case depth == 0 && c == ',':
			return text, size, false, nil
		case depth == 0 && c == ']':
			return text, size, true, nil
		case c == '}' || c == ']':
			if depth--; depth < 0 {
				return nil, 0, false, errUnbalanced
			}
		}
		text, size = keep(text, size, c)
		if c, err = e.byte(); err != nil {
			return nil, 0, false, err
		}
	}
}

func keep(text []byte, size int, c byte) ([]byte, int) {
	if size < largestElement {
		text = append(text, c)
	}
	return text, size + 1
}

// end notes an error if anything follows the array.
func (e *elements) end() {
	switch c, err := e.token(); {
	case err == io.EOF:
		e.ended = io.EOF
	case err != nil:
		e.ended = fmt.Errorf("transfer: read: %w", err)
	default:
		e.ended = fmt.Errorf("transfer: line %d: %w: %q follows the array", e.line, ErrFormat, c)
	}
}
