package changes

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// KeySpan is a part of the documents by their primary keys: one key, or a range of keys of
// metas.
type KeySpan struct {
	PK    []byte // nil for a range
	Range kv.Range
}

// How many metas are fetched ahead: few at first, so that a reader that stops early reads little.
const (
	firstAhead = 16
	maxAhead   = 512
)

// KeyIterator walks the changes of documents that are found by their keys, not by the order of
// their commits. It must be closed.
type KeyIterator struct {
	log    Log
	r      kv.Reader
	spans  []KeySpan
	next   int // the span that is read next
	window int

	ahead []kv.FutureValue // of the spans before next
	it    kv.Iterator      // of the span before next
	at    int              // the span of the current change
	cur   Change
	read  int64
	err   error
}

// ReadKeys walks the last changes of the documents in the spans, span by span, and within a range in the order of
// their keys. It reads each document's meta, not the feed. r must be as for Read.
func (l Log) ReadKeys(r kv.Reader, spans []KeySpan) *KeyIterator {
	return &KeyIterator{log: l, r: r, spans: spans, window: firstAhead, at: -1}
}

// Next moves to the next change.
func (i *KeyIterator) Next() bool {
	for i.err == nil {
		switch {
		case len(i.ahead) > 0:
			i.at = i.next - len(i.ahead)
			f := i.ahead[0]
			i.ahead = i.ahead[1:]
			i.read++
			raw, err := f.Get()
			if err != nil {
				i.err = fmt.Errorf("changes: read by key: %w", err)
			} else if i.take(i.spans[i.at].PK, raw) {
				return true
			}
		case i.it != nil:
			i.at = i.next - 1
			if i.it.Next() {
				i.read++
				pk, err := i.log.Keys.SplitMeta(i.it.Key())
				if err != nil {
					i.err = err
				} else if i.take(pk, i.it.Value()) {
					return true
				}
				continue
			}
			if err := i.it.Err(); err != nil {
				i.err = fmt.Errorf("changes: read by key: %w", err)
			}
			i.it.Close()
			i.it = nil
		case i.next == len(i.spans):
			return false
		case i.spans[i.next].PK == nil:
			i.it = i.r.Range(i.spans[i.next].Range, kv.RangeOptions{})
			i.next++
		default:
			for len(i.ahead) < i.window && i.next < len(i.spans) && i.spans[i.next].PK != nil {
				i.ahead = append(i.ahead, i.r.Get(i.log.Keys.Meta(i.spans[i.next].PK)))
				i.next++
			}
			i.window = min(2*i.window, maxAhead)
		}
	}
	return false
}

// take makes a change of a meta, if there is one.
func (i *KeyIterator) take(pk, raw []byte) bool {
	m, ok, err := DecodeMeta(raw)
	if err != nil {
		i.err = err
		return false
	}
	if ok {
		i.cur = Change{Sequence: m.Sequence, PK: append([]byte(nil), pk...), Rev: m.Rev, Branches: 1, Deleted: m.Deleted}
	}
	return ok
}

// Change is the current change, Span the index of the span that it was found in.
func (i *KeyIterator) Change() Change { return i.cur }

// Span is the index of the span that the current change was found in.
func (i *KeyIterator) Span() int { return i.at }

// Read is how many keys have been read.
func (i *KeyIterator) Read() int64 { return i.read }

// Err is the failure that ended the walk, if one did.
func (i *KeyIterator) Err() error { return i.err }

// Close ends the walk.
func (i *KeyIterator) Close() {
	if i.it != nil {
		i.it.Close()
		i.it = nil
	}
	i.next, i.ahead = len(i.spans), nil
}
