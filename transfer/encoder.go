package transfer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/columnar"
	"github.com/sqlfdb/sqlfdb/transfer/delimited"
	"github.com/sqlfdb/sqlfdb/transfer/inputs"
)

// Encoder writes documents in a format.
type Encoder interface {
	Write(d document.Document) error
	// Close writes the buffered rest. It does not close the writer below.
	Close() error
}

// Written are the formats that an export writes.
func Written() []Format {
	return []Format{inputs.Lines, inputs.JSON, inputs.CSV, inputs.TSV, inputs.Parquet}
}

// NewEncoder returns an encoder of a format. Formats with columns keep the documents in a temporary file until
// Close, since the columns are known only then.
func NewEncoder(w io.Writer, format Format) (Encoder, error) {
	out := bufio.NewWriterSize(w, 1<<20)
	switch format {
	case inputs.Lines:
		return &lines{out: out, end: "\n"}, nil
	case inputs.JSON:
		return &lines{out: out, begin: "[\n", between: ",\n", end: "\n]\n"}, nil
	case inputs.CSV, inputs.TSV, inputs.Parquet:
		return newSpooled(out, format)
	}
	return nil, fmt.Errorf("transfer: %w %q can't be written: use one of %v", ErrFormat, format, Written())
}

// lines writes documents as they are; between is the text between two, or empty if each has an end.
type lines struct {
	out                 *bufio.Writer
	begin, between, end string
	any                 bool
}

func (l *lines) Write(d document.Document) error {
	before := l.between
	if !l.any {
		before, l.any = l.begin, true
	}
	_, err := l.out.WriteString(before)
	if err == nil {
		_, err = l.out.WriteString(d.Text())
	}
	if err == nil && l.between == "" {
		_, err = l.out.WriteString(l.end)
	}
	return err
}

func (l *lines) Close() error {
	var err error
	switch {
	case l.between == "":
	case l.any:
		_, err = l.out.WriteString(l.end)
	default:
		_, err = l.out.WriteString("[]\n")
	}
	return errors.Join(err, l.out.Flush())
}

// spooled keeps documents until all columns are known.
type spooled struct {
	out     *bufio.Writer
	format  Format
	file    *os.File
	packed  *zstd.Encoder
	shape   columnar.Shape
	columns delimited.Columns
}

func newSpooled(out *bufio.Writer, format Format) (*spooled, error) {
	file, err := os.CreateTemp("", "sqlfdb-export-*")
	if err != nil {
		return nil, err
	}
	packed, err := zstd.NewWriter(file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	return &spooled{out: out, format: format, file: file, packed: packed}, nil
}

func (s *spooled) Write(d document.Document) error {
	err := s.count(d)
	if err == nil {
		_, err = s.packed.Write(d.Raw())
	}
	if err == nil {
		_, err = s.packed.Write([]byte{'\n'})
	}
	return err
}

func (s *spooled) count(d document.Document) error {
	if s.format == inputs.Parquet {
		return s.shape.Add(d)
	}
	return s.columns.Add(d)
}

func (s *spooled) Close() (err error) {
	defer func() { err = errors.Join(err, s.file.Close(), os.Remove(s.file.Name())) }()
	if err := s.packed.Close(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in, err := zstd.NewReader(s.file, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer in.Close()
	var to Encoder
	switch s.format {
	case inputs.Parquet:
		to, err = columnar.NewWriter(s.out, &s.shape)
	case inputs.TSV:
		to, err = delimited.NewWriter(s.out, '\t', s.columns.Keypaths())
	default:
		to, err = delimited.NewWriter(s.out, ',', s.columns.Keypaths())
	}
	if err != nil {
		return err
	}
	src := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := src.ReadBytes('\n')
		if err == io.EOF {
			return errors.Join(to.Close(), s.out.Flush())
		}
		if err != nil {
			return err
		}
		d, err := document.DocumentFromCompact(line[:len(line)-1])
		if err != nil {
			return err
		}
		if err := to.Write(d); err != nil {
			return err
		}
	}
}

// Compression is how a file is compressed.
type Compression string

// The compressions that an export writes.
const (
	Uncompressed Compression = "none"
	Gzip         Compression = "gzip"
	Zstd         Compression = "zstd"
)

// Compress returns a writer that compresses; closing it does not close w.
func Compress(w io.Writer, c Compression) (io.WriteCloser, error) {
	switch c {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w)
	case Uncompressed:
		return nothing{w}, nil
	}
	return nil, fmt.Errorf("transfer: compression %q is not known: use none, gzip or zstd", c)
}

type nothing struct{ io.Writer }

func (nothing) Close() error { return nil }
