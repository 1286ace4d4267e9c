package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/columnar"
	"github.com/sqlfdb/sqlfdb/transfer/delimited"
	"github.com/sqlfdb/sqlfdb/transfer/inputs"
	"github.com/sqlfdb/sqlfdb/transfer/mongo"
)

// Format is how a file holds documents.
type Format = inputs.Format

// Formats that callers name; FormatAuto is recognized from the file's bytes.
const (
	FormatAuto  = inputs.Auto
	FormatLines = inputs.Lines
	FormatArray = inputs.JSON
)

// ErrFormat: an unknown format, or a file that is not in the given format.
var ErrFormat = errors.New("format")

// ParseFormat reads the name of one of the formats, or "" for FormatAuto.
func ParseFormat(name string, formats ...Format) (Format, error) {
	if f := Format(name); f == FormatAuto || slices.Contains(formats, f) {
		return f, nil
	}
	return "", fmt.Errorf("transfer: %w %q is not known: use one of %v", ErrFormat, name, formats)
}

// Read are the formats that an import reads.
func Read() []Format {
	return []Format{inputs.Lines, inputs.JSON, inputs.CSV, inputs.TSV, inputs.BSON, inputs.Parquet}
}

// Item is one document of a file, or the reason why it is none.
type Item struct {
	Line     int64 // the line, from 1, at which the document begins; of BSON the offset, of Parquet the row
	Document document.Document
	Err      error
	From     *Source
}

// SourceOptions are facts about a file that can't be recognized from its bytes.
type SourceOptions struct {
	Format    Format
	Delimited delimited.Options
	// KeepExtended leaves MongoDB's extended JSON as it is.
	KeepExtended bool

	learned bool // Delimited.Types knows the file already
}

// Source reads the documents of a file one after the other.
type Source struct {
	// Format is the file's format, recognized or given.
	Format Format
	// Extended counts the values of extended JSON that were made plain.
	Extended int64

	file     *inputs.File
	unit     string // the unit that Item.Line counts, "" for lines
	line     int64
	next     func() (Item, error)
	keep     bool
	table    *delimited.File
	closings []func() error
}

// NewSource returns the documents of r. name is the file's name, used to recognize the format where its bytes don't
// decide.
func NewSource(r io.Reader, name string, format Format) (*Source, error) {
	file, err := inputs.FromReader(r, name)
	if err != nil {
		return nil, err
	}
	return OpenSource(context.Background(), file, SourceOptions{Format: format})
}

// OpenSource returns the documents of a file, which the source closes.
func OpenSource(ctx context.Context, file *inputs.File, o SourceOptions) (s *Source, err error) {
	made := &Source{file: file, keep: o.KeepExtended}
	made.closings = append(made.closings, file.Close)
	defer func() {
		if err != nil {
			err = errors.Join(err, made.Close())
		}
	}()
	return made, made.open(ctx, o)
}

// open recognizes the format and begins to read.
func (s *Source) open(ctx context.Context, o SourceOptions) error {
	file := s.file
	head, err := file.Peek(file.Reader.Size())
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		return err
	}
	if s.Format, err = inputs.Recognize(head, file.Plain, o.Format); err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) && s.Format != inputs.BSON {
		if _, err := file.Discard(3); err != nil {
			return err
		}
	}
	switch s.Format {
	case inputs.Lines:
		s.next = s.nextLine
	case inputs.JSON:
		var e *elements
		if e, err = newElements(file.Reader); err == nil {
			s.next = e.next
		}
	case inputs.CSV, inputs.TSV:
		err = s.openDelimited(ctx, head, o)
	case inputs.BSON:
		s.unit = "byte"
		r := mongo.NewReader(file.Reader)
		s.next = func() (Item, error) {
			offset, d, err, fatal := r.Next()
			return Item{Line: offset, Document: d, Err: err}, fatal
		}
	case inputs.Parquet:
		err = s.openParquet(o)
	default:
		err = fmt.Errorf("transfer: %w %q is not known", ErrFormat, s.Format)
	}
	return err
}

// openDelimited looks at the file as a whole for its types where it can be opened again, else at its beginning.
func (s *Source) openDelimited(ctx context.Context, head []byte, o SourceOptions) (err error) {
	if s.Format == inputs.TSV && o.Delimited.Delimiter == 0 {
		o.Delimited.Delimiter = '\t'
	}
	if s.table, err = delimited.Open(s.file.Reader, o.Delimited); err != nil {
		return err
	}
	if o.Format == FormatAuto && s.table.Alone() && !inputs.NamesText(s.file.Plain) {
		return fmt.Errorf("%w: it is text, but neither JSON nor fields between delimiters: --format says otherwise",
			inputs.ErrUnknown)
	}
	s.next = s.nextRecord
	if o.learned {
		return nil
	}
	// The types that are learned from a copy go to the Types that both share; its header is not counted once more.
	types := o.Delimited
	types.Types = nil
	var copied *delimited.File
	if s.file.Again() {
		again, err := inputs.Open(s.file.Name, nil)
		if err != nil {
			return err
		}
		defer again.Close()
		copied, err = delimited.Open(again.Reader, types)
		if err != nil {
			return err
		}
	} else {
		if len(head) == s.file.Reader.Size() { // the last record may be cut
			head = head[:bytes.LastIndexAny(head, "\r\n")+1]
		}
		if copied, err = delimited.Open(bufio.NewReaderSize(bytes.NewReader(head), len(head)+16), types); err != nil {
			return err
		}
	}
	return s.table.Learn(ctx, copied)
}

func (s *Source) nextRecord() (Item, error) {
	line, fields, err := s.table.Next()
	item := Item{Line: line}
	switch {
	case errors.Is(err, delimited.ErrQuote):
		item.Err = err
	case err != nil:
		return item, err
	default:
		item.Document, item.Err = s.table.Document(fields)
	}
	return item, nil
}

func (s *Source) openParquet(o SourceOptions) error {
	at, size, err := s.file.Whole()
	if err != nil {
		return err
	}
	r, err := columnar.Open(at, size, columnar.Options{Nulls: o.Delimited.Empty == delimited.EmptyNull})
	if err != nil {
		return err
	}
	s.unit = "row"
	s.closings = append([]func() error{r.Close}, s.closings...)
	s.next = func() (Item, error) {
		row, d, err, fatal := r.Next()
		return Item{Line: row, Document: d, Err: err}, fatal
	}
	return nil
}

// Next returns the next document or refusal, io.EOF at the end. Another error
// means that the rest of the file can't be read.
func (s *Source) Next() (Item, error) {
	item, err := s.next()
	item.From = s
	if err != nil || item.Err != nil || s.keep || s.Format != inputs.Lines && s.Format != inputs.JSON {
		return item, err
	}
	plain, made, err := mongo.Plain(item.Document)
	item.Document, item.Err = plain, err
	s.Extended += int64(made)
	return item, nil
}

// Place is where an item stands, for messages.
func (s *Source) Place(line int64) string {
	if s.unit == "" {
		return fmt.Sprintf("%s:%d", s.file.Name, line)
	}
	return fmt.Sprintf("%s: %s %d", s.file.Name, s.unit, line)
}

// Detected describes the format that was detected, "" if it was given.
func (s *Source) Detected() string {
	if s.table == nil {
		return string(s.Format)
	}
	return s.table.Detected(string(s.Format))
}

// Odd counts the values of a column of numbers, or of booleans, that turned out to be none and stayed text.
func (s *Source) Odd() int64 {
	if s.table == nil {
		return 0
	}
	return s.table.Odd
}

// BytesRead is how much of the file has been read. It may be called from
// another goroutine.
func (s *Source) BytesRead() int64 { return s.file.BytesRead() }

// Close closes the file.
func (s *Source) Close() (err error) {
	for _, do := range s.closings {
		err = errors.Join(err, do())
	}
	s.closings = nil
	return err
}

// nextLine reads a line; blank ones are skipped. A line longer than a document may be is
// passed over and refused, without being held in memory.
func (s *Source) nextLine() (Item, error) {
	for {
		var line []byte
		tooLong, length := false, 0
		for {
			part, err := s.file.ReadSlice('\n')
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
