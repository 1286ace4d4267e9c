package tables

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Keys walks the primary keys of documents and looks at no text. It must be
// closed; it is not safe for concurrent use.
type Keys struct {
	c      *Collection
	r      kv.Reader
	opts   ScanOptions
	ranges []kv.Range // still to be walked
	it     kv.Iterator
	pk     []byte
	work   Work
	err    error
}

// ScanKeys walks the keys of the documents that Scan walks. The keys that it reads count as
// entries; it reads no documents.
func (c *Collection) ScanKeys(r kv.Reader, spans indexes.Spans, opts ScanOptions) *Keys {
	k := &Keys{c: c, r: r, opts: opts}
	for i := range spans {
		sp := spans[i]
		if opts.Reverse {
			sp = spans[len(spans)-1-i]
		}
		k.ranges = append(k.ranges, c.keys.DocumentSpan(sp.Start, sp.End))
	}
	return k
}

// Next moves to the next key.
func (k *Keys) Next() bool {
	for k.err == nil {
		if k.it == nil {
			if len(k.ranges) == 0 {
				return false
			}
			k.it = k.r.Range(k.ranges[0], kv.RangeOptions{Reverse: k.opts.Reverse, Streaming: k.opts.Streaming})
			k.ranges = k.ranges[1:]
		}
		if !k.it.Next() {
			if err := k.it.Err(); err != nil {
				k.err = fmt.Errorf("tables: read keys: %w", err)
			}
			k.end()
			continue
		}
		k.work.Entries++
		var chunk int64
		if k.pk, chunk, k.err = k.c.keys.SplitDocument(k.it.Key()); k.err == nil && chunk == 0 {
			return true
		}
	}
	return false
}

// PK is the current key, valid until Next.
func (k *Keys) PK() []byte { return k.pk }

// Err is the failure that ended the walk, if one did.
func (k *Keys) Err() error { return k.err }

// Read is the work of the reads so far.
func (k *Keys) Read() Work { return k.work }

func (k *Keys) end() {
	if k.it != nil {
		k.it.Close()
		k.it = nil
	}
}

// Close ends the walk.
func (k *Keys) Close() {
	k.end()
	k.ranges = nil
}

// keyRows is a walk over keys as Rows whose documents are empty.
type keyRows struct{ *Keys }

// Document implements Rows.
func (keyRows) Document() document.Document { return document.Document{} }
