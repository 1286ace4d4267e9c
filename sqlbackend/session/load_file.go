package session

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

const (
	// LoadKept is the number of bytes of a file that are kept for another attempt to run a LOAD DATA, and that a
	// batch reads.
	LoadKept = 16 << 20
	// loadRecord bounds the bytes of a record: in a longer one the end is missing.
	loadRecord = 64 << 20
	// loadChunk is the number of bytes that are read at once.
	loadChunk = 64 << 10
)

// LoadFile is the file of a LOAD DATA. A client sends it once, so it outlives the attempts to run the statement:
// bytes that no transaction has committed are kept for the next attempt.
type LoadFile struct {
	file   io.ReadCloser
	format LoadFormat
	// Batches says that the statement can be committed in parts, so the bytes that it reads may always be kept.
	Batches bool

	buf   []byte // the bytes read from offset Base on
	Base  int64  // offset; bytes before it are committed, or dropped
	Pos   int    // in buf: after the last record returned
	At    int    // in buf: start of that record
	lines int64  // number of line ends before Base
	met   int    // in buf: ends counts the line ends before it
	ends  int64
	// Dealing is the line of the record in work, if later ones were read ahead; 0 if it is the last one read.
	Dealing int64
	sum     hash.Hash // of the bytes before Base
	plain   [256]bool // bytes that have no special meaning in a field
	ended   bool      // there is nothing more to read
	err     error     // the reason, if it is an error
	// Room waits until there is room for a longer buffer; nil if there always is.
	Room func(bytes int) error
	// lost says that bytes were dropped that no transaction has committed, so that no other attempt is possible.
	lost bool
}

// NewLoadFile reads the file of a LOAD DATA.
func NewLoadFile(file io.ReadCloser, format LoadFormat) *LoadFile {
	f := &LoadFile{file: file, format: format, sum: sha256.New()}
	for c := range f.plain {
		f.plain[c] = c != format.Enclosed && c != format.Escape &&
			!(format.FieldEnd != "" && byte(c) == format.FieldEnd[0]) && !(format.LineEnd != "" && byte(c) == format.LineEnd[0])
	}
	return f
}

// fill reads more; false at the end.
func (f *LoadFile) fill() bool {
	if f.ended {
		return false
	}
	if len(f.buf)-f.Pos > loadRecord {
		f.end(mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000",
			"A record is longer than %s bytes: a field that is enclosed may lack its end", Grouped(loadRecord)))
		return false
	}
	n := len(f.buf)
	if cap(f.buf) < n+loadChunk {
		longer := max(2*cap(f.buf), n+loadChunk)
		if f.Room != nil {
			if err := f.Room(longer); err != nil {
				f.end(err)
				return false
			}
		}
		f.buf = append(make([]byte, 0, longer), f.buf...)
	}
	m, err := f.file.Read(f.buf[n : n+loadChunk])
	f.buf = f.buf[:n+m]
	if errors.Is(err, io.EOF) {
		err = f.file.Close()
		f.file, f.ended = nil, true
		if err != nil {
			f.err = err
		}
	} else if err != nil {
		f.end(fmt.Errorf("sqlbackend: read the file of LOAD DATA: %w", err))
	}
	return m > 0 || !f.ended
}

func (f *LoadFile) end(err error) { f.ended, f.err = true, err }

// Close ends the file; the rest that the client sends is read and dropped.
func (f *LoadFile) Close() {
	if f.file != nil {
		_ = f.file.Close()
		f.file = nil
	}
	f.ended = true
}

// rewind goes back to the first byte after the committed ones.
func (f *LoadFile) rewind() { f.Pos, f.At, f.met, f.ends, f.Dealing = 0, 0, 0, 0, 0 }

// Settle marks the records returned so far as committed.
func (f *LoadFile) Settle() {
	f.sum.Write(f.buf[:f.Pos])
	f.lines += int64(bytes.Count(f.buf[:f.Pos], []byte(f.format.LineEnd)))
	f.Base += int64(f.Pos)
	f.buf = append(f.buf[:0], f.buf[f.Pos:]...)
	f.Pos, f.At, f.met, f.ends = 0, 0, 0, 0
}

// Position returns the end of the last record returned: its offset, and a checksum of all bytes before it.
func (f *LoadFile) Position() (offset int64, sum []byte, err error) {
	c, ok := f.sum.(hash.Cloner)
	if !ok {
		return 0, nil, fmt.Errorf("sqlbackend: a sum of type %T", f.sum)
	}
	all, err := c.Clone()
	if err != nil {
		return 0, nil, fmt.Errorf("sqlbackend: position in a file: %w", err)
	}
	all.Write(f.buf[:f.Pos])
	return f.Base + int64(f.Pos), all.Sum(nil), nil
}

// GoTo reads on to an offset, and checks that the bytes before it have that checksum.
func (f *LoadFile) GoTo(offset int64, sum []byte) error {
	f.rewind()
	for f.Base < offset {
		if len(f.buf) == 0 && !f.fill() {
			break
		}
		f.Pos = int(min(int64(len(f.buf)), offset-f.Base))
		f.Settle()
	}
	if f.err != nil {
		return f.err
	}
	if f.Base != offset || !bytes.Equal(f.sum.Sum(nil), sum) {
		return mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000",
			"The file is not the one that an interrupted run of this statement has read %s bytes of; with another text, "+
				"a comment is enough, the statement begins anew", Grouped(offset))
	}
	return nil
}

// Line returns the number of the line, from 1, in which the last record returned begins.
func (f *LoadFile) Line() int64 {
	if end := []byte(f.format.LineEnd); len(end) > 0 && f.At > f.met {
		f.ends += int64(bytes.Count(f.buf[f.met:f.At], end))
		f.met = f.At
	}
	return f.lines + f.ends + 1
}

// LoadFormat holds the options of FIELDS and LINES.
type LoadFormat struct {
	FieldEnd, LineStart, LineEnd string
	Enclosed, Escape             int // bytes; -1 if there is none
}

// LoadField is one field of a record.
type LoadField struct {
	Text string
	Null bool
}

// has reports whether there is a byte at i.
func (f *LoadFile) has(i int) bool {
	for i >= len(f.buf) {
		if !f.fill() {
			return i < len(f.buf)
		}
	}
	return true
}

// matches reports whether a text begins at i.
func (f *LoadFile) matches(i int, text string) bool {
	if text == "" || !f.has(i) || f.buf[i] != text[0] {
		return false
	}
	return f.has(i+len(text)-1) && string(f.buf[i:i+len(text)]) == text
}

// SkipLines skips lines.
func (f *LoadFile) SkipLines(n int64) {
	for i := f.Pos; n > 0 && f.has(i); {
		if f.matches(i, f.format.LineEnd) {
			i += len(f.format.LineEnd)
			n--
		} else {
			i++
		}
		f.Pos, f.At = i, i
	}
}

// Next reads a record into fields; ok is false after the last one. Empty lines are skipped.
func (f *LoadFile) Next(fields []LoadField) (out []LoadField, ok bool, err error) {
	for {
		if f.Pos > LoadKept && !f.Batches {
			f.lost = true
			f.Settle()
		}
		if out, ok = f.record(fields[:0]); !ok || f.err != nil {
			return nil, false, f.err
		}
		if len(out) > 1 || out[0] != (LoadField{}) {
			return out, true, nil
		}
	}
}

func (f *LoadFile) record(fields []LoadField) (out []LoadField, ok bool) {
	i := f.Pos
	if !f.has(i) {
		return nil, false
	}
	if start := f.format.LineStart; start != "" {
		for !f.matches(i, start) {
			if !f.has(i) {
				f.Pos, f.At = len(f.buf), len(f.buf)
				return nil, false
			}
			i++
		}
		i += len(start)
	}
	f.At = f.Pos
	for last := false; !last; {
		var field LoadField
		field, i, last = f.field(i)
		fields = append(fields, field)
	}
	f.Pos = i
	return fields, true
}

// field reads the field that begins at i. end is after its terminator; last says that it is the last field of the
// record.
func (f *LoadFile) field(i int) (field LoadField, end int, last bool) {
	var text []byte
	lone := false // an escaped N
	enclosed := f.format.Enclosed >= 0 && f.has(i) && int(f.buf[i]) == f.format.Enclosed
	if enclosed {
		i++
	}
	done := func(end int, last bool) (LoadField, int, bool) {
		field := LoadField{Text: string(text)}
		if !enclosed && (lone && len(text) == 1 || f.format.Enclosed >= 0 && field.Text == "NULL") {
			field = LoadField{Null: true}
		}
		return field, end, last
	}
	for f.has(i) {
		run := i
		for i < len(f.buf) && f.plain[f.buf[i]] {
			i++
		}
		if i > run {
			text = append(text, f.buf[run:i]...)
			continue
		}
		c := f.buf[i]
		switch {
		case int(c) == f.format.Escape && int(c) != f.format.Enclosed && f.has(i+1):
			lone = f.buf[i+1] == 'N' && len(text) == 0
			text = append(text, unescaped(f.buf[i+1]))
			i += 2
			continue
		case enclosed && int(c) == f.format.Enclosed:
			switch {
			case f.has(i+1) && int(f.buf[i+1]) == f.format.Enclosed:
				i++ // two mean one
			case f.matches(i+1, f.format.FieldEnd):
				return done(i+1+len(f.format.FieldEnd), false)
			case f.matches(i+1, f.format.LineEnd):
				return done(i+1+len(f.format.LineEnd), true)
			case !f.has(i + 1):
				return done(i+1, true)
			}
		case !enclosed && f.matches(i, f.format.FieldEnd):
			return done(i+len(f.format.FieldEnd), false)
		case !enclosed && f.matches(i, f.format.LineEnd):
			return done(i+len(f.format.LineEnd), true)
		}
		text = append(text, c)
		i++
	}
	if enclosed && f.err == nil {
		f.end(mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000", "A field that is enclosed lacks its end"))
	}
	return done(i, true)
}

// unescaped returns the meaning of a character after the escape character.
func unescaped(c byte) byte {
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
