package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// A document is stored as its compact text, cut into chunks. The first chunk
// begins with a header: the format, in formatGeneration the generation of the
// table's encodings as a varint, and the number of chunks as a varint.
const (
	formatFirst      = 1 // of generation 0
	formatGeneration = 2
	chunkSize        = 96_000 // bytes of text a chunk; with the header below kv.MaxValueSize
	// expectedChunks is how many chunks the largest document has; no memory is allocated for
	// more because a header says so.
	expectedChunks = document.DefaultMaxSize/chunkSize + 1
)

// ErrCorrupt: stored bytes that no writer of ours has written.
var ErrCorrupt = errors.New("stored document is corrupt")

func writeRecord(w kv.Writer, keys *keyspace.Collection, pk []byte, text []byte, generation int64) {
	chunks := max(1, (len(text)+chunkSize-1)/chunkSize)
	head := make([]byte, 0, min(len(text), chunkSize)+8)
	if generation == 0 {
		head = append(head, formatFirst)
	} else {
		head = binary.AppendUvarint(append(head, formatGeneration), uint64(generation))
	}
	head = binary.AppendUvarint(head, uint64(chunks))
	cut := min(len(text), chunkSize)
	w.Set(keys.Document(pk, 0), append(head, text[:cut]...))
	text = text[cut:]
	for i := int64(1); len(text) > 0; i++ {
		cut := min(len(text), chunkSize)
		w.Set(keys.Document(pk, i), text[:cut])
		text = text[cut:]
	}
}

// clearRecord removes a document whose text had the given length.
func clearRecord(w kv.Writer, keys *keyspace.Collection, pk []byte, length int) {
	for i := int64(0); i == 0 || i*chunkSize < int64(length); i++ {
		w.Clear(keys.Document(pk, i))
	}
}

// head is the header in a document's first chunk.
type head struct {
	generation int64
	chunks     uint64
	// Of the field scheme: how many of the chunks hold the skeleton, and the
	// bytes before it.
	skeleton uint64
	header   []byte
}

// record is a document as it is stored.
type record struct {
	indexes.Versioned
	// skeleton and header are nil for a document that is stored whole.
	skeleton, header []byte
}

// readHead splits a first chunk into its header and its text.
func readHead(b []byte) (h head, text []byte, err error) {
	if len(b) > 1 && b[0] == formatFields {
		return readFieldsHead(b)
	}
	if len(b) < 2 || b[0] != formatFirst && b[0] != formatGeneration {
		return h, nil, fmt.Errorf("tables: %w: header % x", ErrCorrupt, b[:min(len(b), 2)])
	}
	text = b[1:]
	if b[0] == formatGeneration {
		generation, n := binary.Uvarint(text)
		if n <= 0 || generation == 0 || generation > math.MaxInt64 {
			return h, nil, fmt.Errorf("tables: %w: generation", ErrCorrupt)
		}
		h.generation, text = int64(generation), text[n:]
	}
	chunks, n := binary.Uvarint(text)
	if n <= 0 || chunks == 0 {
		return h, nil, fmt.Errorf("tables: %w: number of chunks", ErrCorrupt)
	}
	h.chunks = chunks
	return h, text[n:], nil
}

// Pending is a document that is being fetched.
type Pending struct {
	c     *Collection
	from  kv.Reader
	pk    []byte
	first kv.FutureValue
	// Of a reader that goes on at newer versions: when the entries that name the document
	// were read, and the key of the only one that counts.
	epoch int64
	entry []byte
}

// fetch starts reading a document. pk must stay unchanged until Get returns.
func (c *Collection) fetch(from kv.Reader, pk []byte) *Pending {
	if at := ahead.Of(from); at.Keeping() && at.Starts() {
		at.Start(c.keys.Meta(pk)) // it is going to be changed
	}
	return &Pending{c: c, from: from, pk: pk, first: from.Get(c.keys.Document(pk, 0))}
}

// maxSequentialFetch is the number of documents up to which one goroutine fetches
// as fast as two.
const maxSequentialFetch = 16

// fetchAll starts reading documents and appends them to dst. The embedded
// store reads in Get, mostly to decompress blocks: so two goroutines share the
// work, and neither waits for the other to begin.
func (c *Collection) fetchAll(dst []*Pending, from kv.Reader, pks [][]byte) []*Pending {
	if len(pks) <= maxSequentialFetch || runtime.GOMAXPROCS(0) < 2 {
		for _, pk := range pks {
			dst = append(dst, c.fetch(from, pk))
		}
		return dst
	}
	out := make([]*Pending, len(pks))
	var next atomic.Int64
	var left sync.WaitGroup
	left.Add(len(pks))
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(pks) {
				return
			}
			out[i] = c.fetch(from, pks[i])
			left.Done()
		}
	}
	var panicked any // in the other goroutine; it belongs to this one
	go func() {
		defer func() {
			if p := recover(); p != nil {
				panicked = p
				left.Done() // of the document that it was reading
			}
		}()
		work()
	}()
	work()
	left.Wait()
	if panicked != nil {
		panic(panicked)
	}
	return append(dst, out...)
}

// Get waits for the document, as the table's definition has it now; ok is false
// when there is none.
func (p *Pending) Get() (d document.Document, ok bool, err error) {
	v, ok, err := p.stored()
	if err != nil || !ok {
		return d, false, err
	}
	d, err = p.c.upgraded(v.Versioned)
	return d, err == nil, err
}

// there reports whether the document exists, and waits for the read that shows it.
func (p *Pending) there() (bool, error) {
	first, err := p.first.Get()
	if err != nil {
		return false, fmt.Errorf("tables: read key: %w", err)
	}
	return first != nil, nil
}

// stored waits for the document as it was written.
func (p *Pending) stored() (rec record, ok bool, err error) {
	first, err := p.first.Get()
	if err != nil {
		return rec, false, fmt.Errorf("tables: read document: %w", err)
	}
	if first == nil {
		return rec, false, nil
	}
	h, text, err := readHead(first)
	if err != nil {
		return rec, false, err
	}
	if h.chunks == 1 && h.skeleton == 0 {
		d, err := document.DocumentFromCompact(text)
		if err != nil {
			return rec, false, fmt.Errorf("tables: %w: %w", ErrCorrupt, err)
		}
		return record{Versioned: indexes.Versioned{Document: d, Generation: h.generation}}, true, nil
	}
	long := longread.Of(p.from)
	for {
		epoch := long.Epoch()
		rec, ok, err = p.pieces()
		if long.Epoch() == epoch {
			return rec, ok, err
		}
	}
}

// pieces reads a document of several keys.
func (p *Pending) pieces() (rec record, ok bool, err error) {
	var a assembly
	it := p.from.Range(p.c.keys.DocumentChunks(p.pk), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if _, err := a.add(p.c.keys, it.Key(), it.Value()); err != nil {
			return rec, false, err
		}
	}
	if err := it.Err(); err != nil {
		return rec, false, fmt.Errorf("tables: read document: %w", err)
	}
	if a.want == 0 {
		return rec, false, nil // it was there at an older version
	}
	if !a.complete() {
		return rec, false, fmt.Errorf("tables: %w: %d of %d chunks", ErrCorrupt, a.have, a.want)
	}
	if rec, err = a.document(); err != nil {
		return rec, false, fmt.Errorf("tables: %w: %w", ErrCorrupt, err)
	}
	return rec, true, nil
}

// assembly puts a document's chunks together again.
type assembly struct {
	pk         []byte
	text       []byte // of the document, or of its skeleton
	generation int64
	have, want uint64
	// Of the field scheme.
	skeleton uint64 // how many of the chunks hold the skeleton; 0 for a whole document
	header   []byte
	fields   fields
}

// document is the document that is complete, as it was written.
func (a *assembly) document() (record, error) {
	if a.skeleton == 0 {
		d, err := document.DocumentFromCompact(a.text)
		return record{Versioned: indexes.Versioned{Document: d, Generation: a.generation}}, err
	}
	text, err := a.fields.document(a.text)
	if err != nil {
		return record{}, err
	}
	d, err := document.DocumentFromCompact(text)
	return record{Versioned: indexes.Versioned{Document: d, Generation: a.generation}, skeleton: a.text, header: a.header},
		err
}

func (a *assembly) complete() bool { return a.have == a.want }

// add takes the next pair of a walk over documents and reports whether the
// document is complete with it.
func (a *assembly) add(keys *keyspace.Collection, k, v []byte) (bool, error) {
	pk, chunk, err := keys.SplitDocument(k)
	if err != nil {
		return false, err
	}
	if a.complete() {
		if chunk != 0 {
			return false, fmt.Errorf("tables: %w: chunk %d of %x without its first", ErrCorrupt, chunk, pk)
		}
		h, text, err := readHead(v)
		if err != nil {
			return false, err
		}
		a.pk = append(a.pk[:0], pk...)
		a.have, a.want, a.generation = 1, h.chunks, h.generation
		a.skeleton, a.header = h.skeleton, bytes.Clone(h.header)
		chunks := a.want
		if a.skeleton > 0 {
			chunks = a.skeleton
			a.fields.reset()
		}
		// A new slice each time: the document that is made of it keeps it.
		a.text = make([]byte, 0, max(uint64(len(text)), min(chunks-1, expectedChunks)*chunkSize))
		a.text = append(a.text, text...)
		return a.complete(), nil
	}
	ofField := a.skeleton > 0 && a.have >= a.skeleton
	if string(pk) != string(a.pk) || !ofField && uint64(chunk) != a.have {
		return false, fmt.Errorf("tables: %w: %d of %d chunks of %x", ErrCorrupt, a.have, a.want, a.pk)
	}
	if ofField {
		if err := a.fields.add(chunk, v); err != nil {
			return false, fmt.Errorf("%w in %x", err, a.pk)
		}
	} else {
		a.text = append(a.text, v...)
	}
	a.have++
	return a.complete(), nil
}
