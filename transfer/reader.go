package transfer

import (
	"bufio"
	"bytes"
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
	in   *bufio.Reader
	read atomic.Int64 // bytes taken from the file
	line int64
	next func() (Item, error)
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
	switch format {
	case FormatLines:
		s.next = s.nextLine
	case FormatArray:
		e, err := newElements(s.in)
		if err != nil {
			return nil, err
		}
		s.next = e.next
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
