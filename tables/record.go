package tables

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// A document is stored as its compact text, cut into chunks. The first chunk
// begins with a header: the format and the number of chunks as a varint.
const (
	recordFormat = 1
	chunkSize    = 96_000 // bytes of text a chunk; with the header below kv.MaxValueSize
	// expectedChunks are those of the largest document; memory for more is not
	// taken on a header's word.
	expectedChunks = document.DefaultMaxSize/chunkSize + 1
)

// ErrCorrupt: stored bytes that no writer of ours has written.
var ErrCorrupt = errors.New("stored document is corrupt")

func writeRecord(w kv.Writer, keys *keyspace.Collection, pk []byte, text []byte) {
	chunks := max(1, (len(text)+chunkSize-1)/chunkSize)
	head := make([]byte, 0, min(len(text), chunkSize)+8)
	head = append(head, recordFormat)
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

// readHead splits a first chunk into the number of chunks and its text.
func readHead(b []byte) (chunks uint64, text []byte, err error) {
	if len(b) < 2 || b[0] != recordFormat {
		return 0, nil, fmt.Errorf("tables: %w: header % x", ErrCorrupt, b[:min(len(b), 2)])
	}
	chunks, n := binary.Uvarint(b[1:])
	if n <= 0 || chunks == 0 {
		return 0, nil, fmt.Errorf("tables: %w: number of chunks", ErrCorrupt)
	}
	return chunks, b[1+n:], nil
}

// Pending is a document that is being fetched.
type Pending struct {
	from  kv.Reader
	keys  *keyspace.Collection
	pk    []byte
	first kv.FutureValue
}

// fetch starts reading a document. pk must stay unchanged until Get returns.
func fetch(from kv.Reader, keys *keyspace.Collection, pk []byte) *Pending {
	return &Pending{from: from, keys: keys, pk: pk, first: from.Get(keys.Document(pk, 0))}
}

// fetchedAlone is the number of documents up to which one goroutine fetches
// as fast as two.
const fetchedAlone = 3

// fetchAll starts reading documents and appends them to dst. The embedded
// store reads in Get, mostly to decompress blocks: so two goroutines share the
// work, and neither waits for the other to begin.
func fetchAll(dst []*Pending, from kv.Reader, keys *keyspace.Collection, pks [][]byte) []*Pending {
	if len(pks) <= fetchedAlone || runtime.GOMAXPROCS(0) < 2 {
		for _, pk := range pks {
			dst = append(dst, fetch(from, keys, pk))
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
			out[i] = fetch(from, keys, pks[i])
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

// Get waits for the document; ok is false when there is none.
func (p *Pending) Get() (d document.Document, ok bool, err error) {
	head, err := p.first.Get()
	if err != nil {
		return d, false, fmt.Errorf("tables: read document: %w", err)
	}
	if head == nil {
		return d, false, nil
	}
	chunks, text, err := readHead(head)
	if err != nil {
		return d, false, err
	}
	if chunks > 1 {
		var a assembly
		it := p.from.Range(p.keys.DocumentChunks(p.pk), kv.RangeOptions{Streaming: kv.StreamAll})
		defer it.Close()
		for it.Next() {
			if _, err := a.add(p.keys, it.Key(), it.Value()); err != nil {
				return d, false, err
			}
		}
		if err := it.Err(); err != nil {
			return d, false, fmt.Errorf("tables: read document: %w", err)
		}
		if !a.complete() {
			return d, false, fmt.Errorf("tables: %w: %d of %d chunks", ErrCorrupt, a.have, a.want)
		}
		text = a.text
	}
	d, err = document.DocumentFromCompact(text)
	if err != nil {
		return d, false, fmt.Errorf("tables: %w: %w", ErrCorrupt, err)
	}
	return d, true, nil
}

// assembly puts a document's chunks together again.
type assembly struct {
	pk         []byte
	text       []byte
	have, want uint64
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
		want, text, err := readHead(v)
		if err != nil {
			return false, err
		}
		a.pk = append(a.pk[:0], pk...)
		a.have, a.want = 1, want
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
