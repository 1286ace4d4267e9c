package transfer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/document"
)

// Format is how a file holds documents.
type Format string

// The formats. FormatAuto takes JSON for a file whose first character is a
// bracket, and JSON lines otherwise.
const (
	FormatAuto  Format = ""
	FormatLines Format = "jsonl" // one document a line
	FormatArray Format = "json"  // one array of documents
)

// ErrFormat: an unknown format, or a file that is not in the format said.
var ErrFormat = errors.New("format")

// ParseFormat reads the name of a format.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case FormatAuto, FormatLines, FormatArray:
		return f, nil
	}
	return "", fmt.Errorf("transfer: %w %q is not known: use jsonl or json", ErrFormat, name)
}

// Item is one document of a file, or the reason why it is none.
type Item struct {
	Line     int64 // the line, from 1, at which the document begins
	Document document.Document
	Err      error
}

// Source reads the documents of a file one after the other.
type Source struct {
	in     *bufio.Reader
	read   atomic.Int64 // bytes taken from the file
	line   int64
	next   func() (Item, error)
	dec    *json.Decoder
	lines  *lineCounter
	ended  bool
	format Format
}

// NewSource returns the documents of r. name is the file's name, used to tell the format.
func NewSource(r io.Reader, name string, format Format) (*Source, error) {
	s := &Source{}
	s.in = bufio.NewReaderSize(io.TeeReader(r, (*byteCounter)(&s.read)), 1<<20)
	if bom, err := s.in.Peek(3); err == nil && bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		if _, err := s.in.Discard(3); err != nil {
			return nil, err
		}
	}
	if format == FormatAuto {
		format = FormatLines
		if ext := strings.ToLower(filepath.Ext(name)); ext != ".jsonl" && ext != ".ndjson" && firstByte(s.in) == '[' {
			format = FormatArray
		}
	}
	s.format = format
	switch format {
	case FormatLines:
		s.next = s.nextLine
	case FormatArray:
		s.lines = &lineCounter{in: s.in, line: 1}
		s.dec = json.NewDecoder(s.lines)
		tok, err := s.dec.Token()
		if err != nil {
			return nil, fmt.Errorf("transfer: %w: the file holds no JSON array: %w", ErrFormat, err)
		}
		if tok != json.Delim('[') {
			return nil, fmt.Errorf("transfer: %w: the file begins with %v, not with an array", ErrFormat, tok)
		}
		s.next = s.nextElement
	default:
		return nil, fmt.Errorf("transfer: %w %q is not known", ErrFormat, format)
	}
	return s, nil
}

// firstByte is the first byte that is not white space, as far as the buffer shows.
func firstByte(in *bufio.Reader) byte {
	head, _ := in.Peek(4096)
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 {
		return 0
	}
	return head[0]
}

// Next returns the next document or refusal, io.EOF at the end. Another error
// means that the rest of the file can't be read.
func (s *Source) Next() (Item, error) { return s.next() }

// BytesRead is how much of the file has been read. It may be called from
// another goroutine.
func (s *Source) BytesRead() int64 { return s.read.Load() }

// nextLine reads a line; blank ones are skipped. A line longer than a document may be is
// passed over and refused, without being held in memory.
func (s *Source) nextLine() (Item, error) {
	for {
		var line []byte
		tooLong, length := false, 0
		for {
			part, err := s.in.ReadSlice('\n')
			length += len(part)
			if !tooLong {
				line = append(line, part...)
			}
			if len(line) > document.DefaultMaxSize*4 {
				tooLong, line = true, nil
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			if err == io.EOF && length == 0 {
				return Item{}, io.EOF
			}
			if err != nil && err != io.EOF {
				return Item{}, fmt.Errorf("transfer: read line %d: %w", s.line+1, err)
			}
			break
		}
		s.line++
		item := Item{Line: s.line}
		if tooLong {
			item.Err = fmt.Errorf("a line of %d bytes: %w", length, document.ErrTooLarge)
			return item, nil
		}
		line = bytes.Trim(line, " \t\r\n")
		if len(line) == 0 {
			continue
		}
		item.Document, item.Err = document.Parse(line, document.Limits{})
		return item, nil
	}
}

func (s *Source) nextElement() (Item, error) {
	if s.ended {
		return Item{}, io.EOF
	}
	if !s.dec.More() {
		s.ended = true
		if _, err := s.dec.Token(); err != nil {
			return Item{}, fmt.Errorf("transfer: the array has no end: %w", unexpected(err))
		}
		if _, err := s.dec.Token(); err != io.EOF {
			return Item{}, fmt.Errorf("transfer: %w: something follows the array", ErrFormat)
		}
		return Item{}, io.EOF
	}
	before := s.dec.InputOffset()
	var raw json.RawMessage
	if err := s.dec.Decode(&raw); err != nil {
		s.ended = true
		return Item{}, fmt.Errorf("transfer: line %d: %w", s.lines.at(before), unexpected(err))
	}
	item := Item{Line: s.lines.at(s.dec.InputOffset() - int64(len(raw)))}
	item.Document, item.Err = document.Parse(raw, document.Limits{})
	return item, nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

type byteCounter atomic.Int64

func (c *byteCounter) Write(p []byte) (int, error) {
	(*atomic.Int64)(c).Add(int64(len(p)))
	return len(p), nil
}

// lineCounter remembers at which offsets lines begin, as far as they may still be asked for.
type lineCounter struct {
	in     io.Reader
	offset int64
	starts []int64 // offsets of line ends read and not yet passed
	line   int64   // the line at the last offset asked for
}

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.starts = append(l.starts, l.offset+int64(i))
		}
	}
	l.offset += int64(n)
	return n, err
}

// at is the line of an offset; offsets are asked for in ascending order.
func (l *lineCounter) at(offset int64) int64 {
	i := 0
	for i < len(l.starts) && l.starts[i] < offset {
		i++
	}
	l.line += int64(i)
	l.starts = l.starts[i:]
	return l.line
}
