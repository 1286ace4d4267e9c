package sqlbackend

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
	// loadKept is how many bytes of a file are kept for another attempt to run a LOAD DATA, and
	// how many a batch reads.
	loadKept = 16 << 20
	// loadRecord bounds a record: one that is longer lacks its end.
	loadRecord = 64 << 20
	// loadChunk is how many bytes are asked for at once.
	loadChunk = 64 << 10
)

// loadFile is the file of a LOAD DATA. A client sends it once, so it outlives the attempts to run
// the statement: what no transaction has committed is kept, and given again to the next one.
type loadFile struct {
	file   io.ReadCloser
	format loadFormat
	// batches: the statement can be committed in parts, so that what it reads may always be kept.
	batches bool

	buf   []byte // what has come, from offset base on
	base  int64  // what was before it is committed, or let go
	pos   int    // in buf: behind the last record that was given
	at    int    // in buf: where that record begins
	lines int64  // ended before base
	met   int    // in buf: up to there, ends lines end
	ends  int64
	// dealing: the line of the record that is being dealt with, where others were read ahead; 0: it is the last one.
	dealing int64
	sum     hash.Hash // of the bytes before base
	plain   [256]bool // bytes that stand for themselves in a field
	ended   bool      // nothing more comes
	err     error     // why
	// lost: bytes were let go that no transaction has committed, so that there is no other attempt.
	lost bool
}

func newLoadFile(file io.ReadCloser, format loadFormat, batches bool) *loadFile {
	f := &loadFile{file: file, format: format, batches: batches, sum: sha256.New()}
	for c := range f.plain {
		f.plain[c] = c != format.enclosed && c != format.escape &&
			!(format.fieldEnd != "" && byte(c) == format.fieldEnd[0]) && !(format.lineEnd != "" && byte(c) == format.lineEnd[0])
	}
	return f
}

// fill reads more; false at the end.
func (f *loadFile) fill() bool {
	if f.ended {
		return false
	}
	if len(f.buf)-f.pos > loadRecord {
		f.end(mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000",
			"A record is longer than %s bytes: a field that is enclosed may lack its end", grouped(loadRecord)))
		return false
	}
	n := len(f.buf)
	if cap(f.buf) < n+loadChunk {
		f.buf = append(make([]byte, 0, max(2*cap(f.buf), n+loadChunk)), f.buf...)
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

func (f *loadFile) end(err error) { f.ended, f.err = true, err }

// close ends the file; what the client still sends is read and dropped.
func (f *loadFile) close() {
	if f.file != nil {
		_ = f.file.Close()
		f.file = nil
	}
	f.ended = true
}

// rewind begins anew behind what is committed.
func (f *loadFile) rewind() { f.pos, f.at, f.met, f.ends, f.dealing = 0, 0, 0, 0, 0 }

// settle takes the records that were given for committed.
func (f *loadFile) settle() {
	f.sum.Write(f.buf[:f.pos])
	f.lines += int64(bytes.Count(f.buf[:f.pos], []byte(f.format.lineEnd)))
	f.base += int64(f.pos)
	f.buf = append(f.buf[:0], f.buf[f.pos:]...)
	f.pos, f.at, f.met, f.ends = 0, 0, 0, 0
}

// position is where the last record ended that was given: its offset, and a sum of all that is before.
func (f *loadFile) position() (offset int64, sum []byte, err error) {
	c, ok := f.sum.(hash.Cloner)
	if !ok {
		return 0, nil, fmt.Errorf("sqlbackend: a sum of type %T", f.sum)
	}
	all, err := c.Clone()
	if err != nil {
		return 0, nil, fmt.Errorf("sqlbackend: position in a file: %w", err)
	}
	all.Write(f.buf[:f.pos])
	return f.base + int64(f.pos), all.Sum(nil), nil
}

// goTo reads on to an offset, and checks that the bytes before it are those of that sum.
func (f *loadFile) goTo(offset int64, sum []byte) error {
	f.rewind()
	for f.base < offset {
		if len(f.buf) == 0 && !f.fill() {
			break
		}
		f.pos = int(min(int64(len(f.buf)), offset-f.base))
		f.settle()
	}
	if f.err != nil {
		return f.err
	}
	if f.base != offset || !bytes.Equal(f.sum.Sum(nil), sum) {
		return mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000",
			"The file is not the one that an interrupted run of this statement has read %s bytes of; with another text, a comment is enough, the statement begins anew", grouped(offset))
	}
	return nil
}

// line is the number of the line in which the last record begins that was given, from 1 on.
func (f *loadFile) line() int64 {
	if end := []byte(f.format.lineEnd); len(end) > 0 && f.at > f.met {
		f.ends += int64(bytes.Count(f.buf[f.met:f.at], end))
		f.met = f.at
	}
	return f.lines + f.ends + 1
}

// loadFormat is what FIELDS and LINES say.
type loadFormat struct {
	fieldEnd, lineStart, lineEnd string
	enclosed, escape             int // bytes; -1: none
}

// loadField is one field of a record.
type loadField struct {
	text string
	null bool
}

// has reports whether there is a byte at i.
func (f *loadFile) has(i int) bool {
	for i >= len(f.buf) {
		if !f.fill() {
			return i < len(f.buf)
		}
	}
	return true
}

// matches reports whether a text begins at i.
func (f *loadFile) matches(i int, text string) bool {
	if text == "" || !f.has(i) || f.buf[i] != text[0] {
		return false
	}
	return f.has(i+len(text)-1) && string(f.buf[i:i+len(text)]) == text
}

// skipLines passes over lines.
func (f *loadFile) skipLines(n int64) {
	for i := f.pos; n > 0 && f.has(i); {
		if f.matches(i, f.format.lineEnd) {
			i += len(f.format.lineEnd)
			n--
		} else {
			i++
		}
		f.pos, f.at = i, i
	}
}

// next reads a record into fields; ok is false behind the last one. Empty lines are none.
func (f *loadFile) next(fields []loadField) (out []loadField, ok bool, err error) {
	for {
		if f.pos > loadKept && !f.batches {
			f.lost = true
			f.settle()
		}
		if out, ok = f.record(fields[:0]); !ok || f.err != nil {
			return nil, false, f.err
		}
		if len(out) > 1 || out[0] != (loadField{}) {
			return out, true, nil
		}
	}
}

func (f *loadFile) record(fields []loadField) (out []loadField, ok bool) {
	i := f.pos
	if !f.has(i) {
		return nil, false
	}
	if start := f.format.lineStart; start != "" {
		for !f.matches(i, start) {
			if !f.has(i) {
				f.pos, f.at = len(f.buf), len(f.buf)
				return nil, false
			}
			i++
		}
		i += len(start)
	}
	f.at = f.pos
	for last := false; !last; {
		var field loadField
		field, i, last = f.field(i)
		fields = append(fields, field)
	}
	f.pos = i
	return fields, true
}

// field reads the field that begins at i. end is behind what ends it; last: that ends the record.
func (f *loadFile) field(i int) (field loadField, end int, last bool) {
	var text []byte
	lone := false // an N that was escaped
	enclosed := f.format.enclosed >= 0 && f.has(i) && int(f.buf[i]) == f.format.enclosed
	if enclosed {
		i++
	}
	done := func(end int, last bool) (loadField, int, bool) {
		field := loadField{text: string(text)}
		if !enclosed && (lone && len(text) == 1 || f.format.enclosed >= 0 && field.text == "NULL") {
			field = loadField{null: true}
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
		case int(c) == f.format.escape && int(c) != f.format.enclosed && f.has(i+1):
			lone = f.buf[i+1] == 'N' && len(text) == 0
			text = append(text, unescaped(f.buf[i+1]))
			i += 2
			continue
		case enclosed && int(c) == f.format.enclosed:
			switch {
			case f.has(i+1) && int(f.buf[i+1]) == f.format.enclosed:
				i++ // two stand for one
			case f.matches(i+1, f.format.fieldEnd):
				return done(i+1+len(f.format.fieldEnd), false)
			case f.matches(i+1, f.format.lineEnd):
				return done(i+1+len(f.format.lineEnd), true)
			case !f.has(i + 1):
				return done(i+1, true)
			}
		case !enclosed && f.matches(i, f.format.fieldEnd):
			return done(i+len(f.format.fieldEnd), false)
		case !enclosed && f.matches(i, f.format.lineEnd):
			return done(i+len(f.format.lineEnd), true)
		}
		text = append(text, c)
		i++
	}
	if enclosed && f.err == nil {
		f.end(mysql.NewSQLError(mysqlerr.FileNotReadable, "HY000", "A field that is enclosed lacks its end"))
	}
	return done(i, true)
}

// unescaped is what a character means behind the one that escapes.
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
