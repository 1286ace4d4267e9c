package tables

import (
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
)

// A document is stored as its compact text, cut into chunks. The first chunk
// begins with a header: the format, in formatGeneration the generation of the
// table's encodings as a varint, and the number of chunks as a varint.
const (
	formatFirst      = 1 // of generation 0
	formatGeneration = 2
	chunkSize        = 96_000 // bytes of text a chunk; with the header below kv.MaxValueSize
	// expectedChunks are those of the largest document; memory for more is not
	// taken on a header's word.
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

// head is what a first chunk says of its document.
type head struct {
	generation int64
	chunks     uint64
}

// readHead splits a first chunk into its header and its text.
func readHead(b []byte) (h head, text []byte, err error) {
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
}

// fetch starts reading a document. pk must stay unchanged until Get returns.
func (c *Collection) fetch(from kv.Reader, pk []byte) *Pending {
	return &Pending{c: c, from: from, pk: pk, first: from.Get(c.keys.Document(pk, 0))}
}

// fetchedAlone is the number of documents up to which one goroutine fetches
// as fast as two.
const fetchedAlone = 3

// fetchAll starts reading documents and appends them to dst. The embedded
// store reads in Get, mostly to decompress blocks: so two goroutines share the
// work, and neither waits for the other to begin.
func (c *Collection) fetchAll(dst []*Pending, from kv.Reader, pks [][]byte) []*Pending {
	if len(pks) <= fetchedAlone || runtime.GOMAXPROCS(0) < 2 {
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
	d, err = p.c.upgraded(v)
	return d, err == nil, err
}

// stored waits for the document as it was written.
func (p *Pending) stored() (v indexes.Versioned, ok bool, err error) {
	first, err := p.first.Get()
	if err != nil {
		return v, false, fmt.Errorf("tables: read document: %w", err)
	}
	if first == nil {
		return v, false, nil
	}
	h, text, err := readHead(first)
	if err != nil {
		return v, false, err
	}
	if h.chunks > 1 {
		var a assembly
		it := p.from.Range(p.c.keys.DocumentChunks(p.pk), kv.RangeOptions{Streaming: kv.StreamAll})
		defer it.Close()
		for it.Next() {
			if _, err := a.add(p.c.keys, it.Key(), it.Value()); err != nil {
				return v, false, err
			}
		}
		if err := it.Err(); err != nil {
			return v, false, fmt.Errorf("tables: read document: %w", err)
		}
		if !a.complete() {
			return v, false, fmt.Errorf("tables: %w: %d of %d chunks", ErrCorrupt, a.have, a.want)
		}
		text = a.text
	}
	d, err := document.DocumentFromCompact(text)
	if err != nil {
		return v, false, fmt.Errorf("tables: %w: %w", ErrCorrupt, err)
	}
	return indexes.Versioned{Document: d, Generation: h.generation}, true, nil
}

// assembly puts a document's chunks together again.
type assembly struct {
	pk         []byte
	text       []byte
	generation int64
	have, want uint64
}

// document is the document that is complete, as it was written.
func (a *assembly) document() (indexes.Versioned, error) {
	d, err := document.DocumentFromCompact(a.text)
	return indexes.Versioned{Document: d, Generation: a.generation}, err
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
		want := h.chunks
		a.pk = append(a.pk[:0], pk...)
		a.have, a.want, a.generation = 1, want, h.generation
		// A new slice each time: the document that is made of it keeps it.
		a.text = make([]byte, 0, max(uint64(len(text)), min(want-1, expectedChunks)*chunkSize))
		a.text = append(a.text, text...)
		return want == 1, nil
	}
	if string(pk) != string(a.pk) || uint64(chunk) != a.have {
		return false, fmt.Errorf("tables: %w: %d of %d chunks of %x", ErrCorrupt, a.have, a.want, a.pk)
	}
	a.text = append(a.text, v...)
	a.have++
	return a.complete(), nil
}
