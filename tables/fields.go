package tables

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/sqlfdb/sqlfdb/kv"
)

// In the field scheme a document has one key for each field, so that a change of one field
// of a large document writes that field alone. A field is every value that is reached
// through objects only, except a non-empty object: its members' fields count instead.
//
// The first chunks hold the document's skeleton: its compact text with a number, the
// field's, in place of each field's value. A field keeps its number as long as
// it is there. Its text stands in the chunks from number × fieldChunks on.
//
// The first chunk begins with a header: formatFields, the generation, the number of all
// keys of the document, and the number of the skeleton's keys, each a varint.
const (
	formatFields = 3
	// fieldChunks is the greatest number of chunks of one field, and the first
	// chunk of field 1. It is more than the largest document needs.
	fieldChunks = 64
)

// eachField visits the fields of an object's compact text in their order. visit gets the
// keys that lead to the field as they are spelled, valid until it returns, and where its
// value stands. Malformed text is an error.
func eachField(text []byte, visit func(path []byte, start, end int) error) error {
	w := fieldWalk{text: text, visit: visit}
	if err := w.object(); err != nil {
		return err
	}
	if w.at != len(text) {
		return w.malformed()
	}
	return nil
}

type fieldWalk struct {
	text  []byte
	at    int
	path  []byte
	visit func(path []byte, start, end int) error
}

func (w *fieldWalk) malformed() error {
	return fmt.Errorf("tables: %w: fields: unexpected text at byte %d", ErrCorrupt, w.at)
}

func (w *fieldWalk) skip(c byte) bool {
	if w.at < len(w.text) && w.text[w.at] == c {
		w.at++
		return true
	}
	return false
}

func (w *fieldWalk) object() error {
	if !w.skip('{') {
		return w.malformed()
	}
	if w.skip('}') {
		return nil
	}
	for {
		start, before := w.at, len(w.path)
		if err := w.str(); err != nil {
			return err
		}
		w.path = append(w.path, w.text[start:w.at]...)
		if !w.skip(':') {
			return w.malformed()
		}
		rest := w.text[w.at:]
		if len(rest) > 1 && rest[0] == '{' && rest[1] != '}' {
			if err := w.object(); err != nil {
				return err
			}
		} else {
			start := w.at
			if err := w.value(); err != nil {
				return err
			}
			if err := w.visit(w.path, start, w.at); err != nil {
				return err
			}
		}
		w.path = w.path[:before]
		if w.skip('}') {
			return nil
		}
		if !w.skip(',') {
			return w.malformed()
		}
	}
}

// str passes over a string.
func (w *fieldWalk) str() error {
	if !w.skip('"') {
		return w.malformed()
	}
	for w.at < len(w.text) {
		switch w.text[w.at] {
		case '"':
			w.at++
			return nil
		case '\\':
			w.at++
		}
		w.at++
	}
	return w.malformed()
}

// value passes over any value.
func (w *fieldWalk) value() error {
	start, depth := w.at, 0
	for w.at < len(w.text) {
		switch w.text[w.at] {
		case '"':
			if err := w.str(); err != nil {
				return err
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				goto end
			}
			depth--
		case ',':
			if depth == 0 {
				goto end
			}
		}
		w.at++
	}
end:
	if w.at == start || depth != 0 {
		return w.malformed()
	}
	return nil
}

// layout is where the fields of a stored document are.
type layout struct {
	skeleton []byte
	numbers  map[string]uint64 // by path
	last     uint64            // the greatest number
}

func layoutOf(skeleton []byte) (*layout, error) {
	l := &layout{skeleton: skeleton, numbers: map[string]uint64{}}
	err := eachField(skeleton, func(path []byte, start, end int) error {
		n, err := fieldNumber(skeleton[start:end])
		if err != nil {
			return err
		}
		l.numbers[string(path)] = n
		l.last = max(l.last, n)
		return nil
	})
	return l, err
}

func fieldNumber(digits []byte) (uint64, error) {
	n, err := strconv.ParseUint(string(digits), 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("tables: %w: number of a field: %.20q", ErrCorrupt, digits)
	}
	return n, nil
}

// writeFields writes text as fields: fields that old has with the same value are left
// alone. old is nil when there is no such document in the field scheme.
func (c *Collection) writeFields(w kv.Writer, pk []byte, old *record, text []byte) error {
	var had *layout
	values := map[string][]byte{} // old fields that text lacks, or has not reached yet
	if old != nil {
		var err error
		if had, err = layoutOf(old.skeleton); err != nil {
			return err
		}
		stored := old.Raw()
		err = eachField(stored, func(path []byte, start, end int) error {
			values[string(path)] = stored[start:end]
			return nil
		})
		if err != nil {
			return err
		}
	} else {
		had = &layout{}
	}
	var skeleton []byte
	from, pairs, last := 0, 0, had.last
	err := eachField(text, func(path []byte, start, end int) error {
		value := text[start:end]
		n, there := had.numbers[string(path)]
		if !there {
			last++
			n = last
		}
		if before, ok := values[string(path)]; !there || !ok || !bytes.Equal(before, value) {
			c.writeField(w, pk, n, value, chunksOf(before))
		}
		delete(values, string(path))
		pairs += chunksOf(value)
		skeleton = strconv.AppendUint(append(skeleton, text[from:start]...), n, 10)
		from = end
		return nil
	})
	if err != nil {
		return err
	}
	for path, value := range values {
		c.writeField(w, pk, had.numbers[path], nil, chunksOf(value))
	}
	skeleton = append(skeleton, text[from:]...)
	first := chunksOf(skeleton)
	header := fieldsHeader(c.def.Generation, pairs+first, first)
	if old != nil && bytes.Equal(skeleton, had.skeleton) && bytes.Equal(header, old.header) {
		return nil
	}
	for i, chunk := range cut(skeleton) {
		if i == 0 {
			chunk = append(header, chunk...)
		}
		w.Set(c.keys.Document(pk, int64(i)), chunk)
	}
	for i := first; i < chunksOf(had.skeleton); i++ {
		w.Clear(c.keys.Document(pk, int64(i)))
	}
	return nil
}

// writeField writes the value of a field that had so many chunks before; nil clears it.
func (c *Collection) writeField(w kv.Writer, pk []byte, number uint64, value []byte, before int) {
	chunks := cut(value)
	for i, chunk := range chunks {
		w.Set(c.keys.Document(pk, int64(number)*fieldChunks+int64(i)), chunk)
	}
	for i := len(chunks); i < before; i++ {
		w.Clear(c.keys.Document(pk, int64(number)*fieldChunks+int64(i)))
	}
}

func fieldsHeader(generation int64, pairs, skeleton int) []byte {
	h := binary.AppendUvarint([]byte{formatFields}, uint64(generation))
	return binary.AppendUvarint(binary.AppendUvarint(h, uint64(pairs)), uint64(skeleton))
}

// readFieldsHead reads the header behind the format.
func readFieldsHead(b []byte) (h head, text []byte, err error) {
	rest := b[1:]
	var numbers [3]uint64
	for i := range numbers {
		v, n := binary.Uvarint(rest)
		if n <= 0 || v > math.MaxInt64 {
			return h, nil, fmt.Errorf("tables: %w: header of fields", ErrCorrupt)
		}
		numbers[i], rest = v, rest[n:]
	}
	h = head{generation: int64(numbers[0]), chunks: numbers[1], skeleton: numbers[2], header: b[:len(b)-len(rest)]}
	if h.skeleton == 0 || h.skeleton >= fieldChunks || h.skeleton > h.chunks {
		return h, nil, fmt.Errorf("tables: %w: header of fields: %d keys, %d of the skeleton", ErrCorrupt, h.chunks,
			h.skeleton)
	}
	return h, rest, nil
}

// fields are the values of a document's fields while it is being read.
type fields struct {
	text   []byte
	starts map[uint64][2]int // by number
	number uint64            // of the field that was met last
	part   uint64
}

func (f *fields) reset() {
	*f = fields{text: f.text[:0], starts: f.starts}
	if f.starts == nil {
		f.starts = map[uint64][2]int{}
	}
	clear(f.starts)
}

// add takes the next chunk of a field.
func (f *fields) add(chunk int64, v []byte) error {
	number, part := uint64(chunk)/fieldChunks, uint64(chunk)%fieldChunks
	next := number == f.number && part == f.part+1
	if !next && (number <= f.number || part != 0) {
		return fmt.Errorf("tables: %w: chunk %d of field %d follows chunk %d of field %d", ErrCorrupt, part, number, f.part,
			f.number)
	}
	start := len(f.text)
	if next {
		start = f.starts[number][0]
	}
	f.text = append(f.text, v...)
	f.starts[number] = [2]int{start, len(f.text)}
	f.number, f.part = number, part
	return nil
}

// document puts the values into their places.
func (f *fields) document(skeleton []byte) ([]byte, error) {
	text := make([]byte, 0, len(skeleton)+len(f.text))
	from, met := 0, 0
	err := eachField(skeleton, func(_ []byte, start, end int) error {
		n, err := fieldNumber(skeleton[start:end])
		if err != nil {
			return err
		}
		at, ok := f.starts[n]
		if !ok {
			return fmt.Errorf("tables: %w: field %d is missing", ErrCorrupt, n)
		}
		met++
		text = append(append(text, skeleton[from:start]...), f.text[at[0]:at[1]]...)
		from = end
		return nil
	})
	if err == nil && met != len(f.starts) {
		err = fmt.Errorf("tables: %w: %d fields are stored, %d have a place", ErrCorrupt, len(f.starts), met)
	}
	return append(text, skeleton[from:]...), err
}

// chunksOf is the number of chunks that a text is cut into.
func chunksOf(text []byte) int { return (len(text) + chunkSize - 1) / chunkSize }

// cut cuts a text into chunks.
func cut(text []byte) [][]byte {
	chunks := make([][]byte, 0, chunksOf(text))
	for len(text) > 0 {
		n := min(len(text), chunkSize)
		chunks = append(chunks, text[:n:n])
		text = text[n:]
	}
	return chunks
}
