package delimited

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sqlfdb/sqlfdb/document"
)

// Dialect is how fields and records are distinguished.
type Dialect struct {
	Delimiter byte
	// Backslash: fields are not quoted but escaped, as SELECT … INTO OUTFILE and mysql --batch write them; \N is null.
	Backslash bool
	// Return: records end with a carriage return alone.
	Return bool
}

// Field is one value of a record.
type Field struct {
	Text   []byte
	Quoted bool
	Null   bool // \N
}

// largestRecord bounds the bytes that an open quote can swallow.
const largestRecord = 4 * document.DefaultMaxSize

// Errors of records. The others are the file's.
var (
	ErrQuote    = errors.New("quote")
	ErrTooLarge = errors.New("a record that is too large")
)

// Reader reads records. The result of Next is valid until its next call.
type Reader struct {
	in     *bufio.Reader
	d      Dialect
	line   int64 // lines that have been read
	record []byte
	fields []Field
}

// NewReader reads from in.
func NewReader(in *bufio.Reader, d Dialect) *Reader { return &Reader{in: in, d: d} }

// more appends a line with its end to the record; io.EOF when there is none.
func (r *Reader) more() error {
	end := byte('\n')
	if r.d.Return {
		end = '\r'
	}
	from := len(r.record)
	for {
		part, err := r.in.ReadSlice(end)
		r.record = append(r.record, part...)
		switch {
		case len(r.record) > largestRecord:
			return ErrTooLarge
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(r.record) > from:
			err = nil
		}
		if err == nil {
			r.line++
		}
		return err
	}
}

// Next returns a record and the line at which it begins; blank lines are none. io.EOF ends the file. An error that is
// ErrQuote concerns the record alone; behind another one nothing can be distinguished.
func (r *Reader) Next() (line int64, fields []Field, err error) {
	for {
		r.record = r.record[:0]
		line = r.line + 1
		if err := r.more(); err == ErrTooLarge {
			return line, nil, fmt.Errorf("line %d: %w: over %d bytes", line, err, largestRecord)
		} else if err != nil {
			return line, nil, err
		}
		if len(trimEnd(r.record)) > 0 {
			break
		}
	}
	r.fields = r.fields[:0]
	if r.d.Backslash {
		return line, r.fields, r.escaped(line)
	}
	err = r.quoted(line)
	return line, r.fields, err
}

func trimEnd(b []byte) []byte { return bytes.TrimRight(b, "\r\n") }

// quoted cuts the record by RFC 4180, but that a quote within an unquoted field is a character.
func (r *Reader) quoted(line int64) error {
	for at := 0; ; {
		if at < len(r.record) && r.record[at] == '"' {
			end, err := r.closing(at+1, line)
			if err != nil {
				return err
			}
			// The field's text is moved over its doubled quotes.
			text := r.record[at+1 : end]
			if bytes.IndexByte(text, '"') >= 0 {
				text = bytes.ReplaceAll(text, []byte(`""`), []byte(`"`))
			}
			r.fields = append(r.fields, Field{Text: text, Quoted: true})
			rest := trimEnd(r.record[end+1:])
			switch {
			case len(rest) == 0:
				return nil
			case rest[0] != r.d.Delimiter:
				return fmt.Errorf("a field goes on behind its closing %w: %.20q", ErrQuote, r.record[end:])
			}
			at = end + 2
			continue
		}
		rest := trimEnd(r.record[min(at, len(r.record)):])
		n := bytes.IndexByte(rest, r.d.Delimiter)
		if n < 0 {
			r.fields = append(r.fields, Field{Text: rest})
			return nil
		}
		r.fields = append(r.fields, Field{Text: rest[:n]})
		at += n + 1
	}
}

// closing finds the quote that closes a field, over as many lines as that takes. The fields before keep the memory that
// the record has grown out of.
func (r *Reader) closing(from int, line int64) (int, error) {
	for at := from; ; {
		n := bytes.IndexByte(r.record[at:], '"')
		if n < 0 {
			at = len(r.record)
			if err := r.more(); err != nil {
				return 0, fmt.Errorf("line %d: a quote that opens in the record of this line is not closed: %w",
					line, unexpected(err))
			}
			continue
		}
		at += n
		if at+1 < len(r.record) && r.record[at+1] == '"' {
			at += 2
			continue
		}
		return at, nil
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// escaped cuts the record at delimiters that no backslash stands before. An end of line behind a backslash is text.
func (r *Reader) escaped(line int64) error {
	for odd(trimNewline(r.record)) {
		if err := r.more(); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
	var text []byte
	rest := trimNewline(r.record)
	null := false
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\' && i+1 < len(rest):
			i++
			if rest[i] == 'N' && text == nil && (i+1 == len(rest) || rest[i+1] == r.d.Delimiter) {
				null = true
				continue
			}
			text = append(text, unescape(rest[i]))
		case c == r.d.Delimiter:
			r.fields = append(r.fields, Field{Text: text, Null: null})
			text, null = nil, false
		default:
			text = append(text, c)
		}
	}
	r.fields = append(r.fields, Field{Text: text, Null: null})
	return nil
}

// odd reports whether b ends with a backslash that no other one escapes.
func odd(b []byte) bool {
	return (len(b)-len(bytes.TrimRight(b, `\`)))%2 == 1
}

func trimNewline(b []byte) []byte {
	b, ok := bytes.CutSuffix(b, []byte("\n"))
	if ok {
		b = bytes.TrimSuffix(b, []byte("\r"))
	}
	return b
}

func unescape(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 26
	}
	return c
}
