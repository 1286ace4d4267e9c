package tables

import (
	"bytes"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Each is a walk over the documents of many spans at once, which gives for each
// document in which of the spans it was found.
type Each interface {
	Rows
	// Span is the index of the span that the current document was found in.
	Span() int
}

// GetEach walks the documents whose primary key's first column has a value in one
// of the spans, which are sorted and disjoint. Whole keys are fetched many at a time.
func (c *Collection) GetEach(r kv.Reader, spans indexes.Spans) Each {
	for _, s := range spans {
		if !s.IsPoint() || c.keys.PrimaryKeyParts() != 1 {
			return &eachScan{spans: spans, at: -1, open: func(span indexes.Spans) Rows { return c.Scan(r, span, ScanOptions{}) }}
		}
	}
	return &eachLookup{c: c, r: r, spans: spans, keys: true}
}

// KeysEach walks the keys of the documents that GetEach walks, in the same order. It reads no document's text:
// Document is empty, and the keys that are read count as entries.
func (c *Collection) KeysEach(r kv.Reader, spans indexes.Spans) Each {
	each := c.GetEach(r, spans)
	switch each := each.(type) {
	case *eachLookup:
		each.unread = true
	case *eachScan:
		each.open = func(span indexes.Spans) Rows { return keyRows{c.ScanKeys(r, span, ScanOptions{})} }
	}
	return each
}

// LookupEach walks the documents that have a value in one of the spans, which are
// sorted and disjoint, at a keypath that does not lead through an array. It fails with
// ErrRebuilding where Rebuilding reports it.
func (c *Collection) LookupEach(r kv.Reader, keypath, fieldVersion int64, spans indexes.Spans) Each {
	l := &eachLookup{c: c, r: r, spans: spans, keypath: keypath, version: fieldVersion, long: longread.Of(r)}
	if c.Rebuilding() {
		l.err = fmt.Errorf("tables: look up values: %w", ErrRebuilding)
		return l
	}
	// Spans that touch are read as one.
	l.cursor = indexes.NewCursor(r, c.keys, keypath, fieldVersion, indexes.NewSpans(spans...), indexes.CursorOptions{})
	return l
}

// eachLookup fetches documents ahead: the documents that entries name, or whose keys the
// spans are.
type eachLookup struct {
	c      *Collection
	r      kv.Reader
	spans  indexes.Spans
	keys   bool // the spans are keys
	unread bool // the documents are only found
	next   int  // the span of the next document to be fetched
	cursor *indexes.Cursor
	// Where the cursor walks.
	keypath, version int64
	long             *longread.Tx // nil: r reads at one version

	ahead  []*Pending
	in     []int // the spans of the documents ahead
	pk     []byte
	doc    document.Document
	span   int
	work   Work
	err    error
	closed bool
}

func (l *eachLookup) Next() bool {
	for l.err == nil && !l.closed {
		if len(l.ahead) == 0 {
			if l.err = l.fill(); l.err != nil || len(l.ahead) == 0 {
				return false
			}
		}
		p, span := l.ahead[0], l.in[0]
		l.ahead, l.in = l.ahead[1:], l.in[1:]
		var d document.Document
		var ok bool
		var err error
		switch {
		case l.unread:
			ok, err = p.there()
		case l.keys:
			d, ok, err = p.Get()
		default:
			d, ok, err = p.named(l.long, p.epoch, func() [][]kv.Range {
				s := l.spans[span]
				return [][]kv.Range{{l.c.keys.EntrySpan(l.keypath, l.version, s.Start, s.End)}}
			})
		}
		switch {
		case err != nil:
			l.err = err
			return false
		case ok:
			l.pk, l.doc, l.span = p.pk, d, span
			if l.unread {
				l.work.Entries++
				return true
			}
			l.work.Documents++
			l.work.Bytes += int64(d.Len())
			return true
		}
	}
	return false
}

// fill starts reads of further documents.
func (l *eachLookup) fill() error {
	var pks [][]byte
	l.in = l.in[:0]
	epoch := l.long.Epoch()
	window := NextWindow(maxWindow, l.work)
	for len(pks) < window {
		pk, ok, err := l.nextKey()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if pk != nil {
			pks, l.in = append(pks, pk), append(l.in, l.next)
		}
		if l.keys {
			l.next++
		}
	}
	l.ahead = l.c.fetchAll(l.ahead[:0], l.r, pks)
	for _, p := range l.ahead {
		p.epoch = epoch
	}
	return nil
}

// nextKey is the next document's primary key; nil is one that no document has.
func (l *eachLookup) nextKey() (pk []byte, ok bool, err error) {
	if l.keys {
		if l.next == len(l.spans) {
			return nil, false, nil
		}
		if pk = tuple.AppendBytes(nil, l.spans[l.next].Start); len(pk) > MaxPrimaryKey {
			pk = nil
		}
		return pk, true, nil
	}
	if !l.cursor.Next() {
		return nil, false, l.cursor.Err()
	}
	value, same, err := l.cursor.Value()
	if err != nil {
		return nil, false, err
	}
	for !same && l.spans[l.next].End != nil && bytes.Compare(value, l.spans[l.next].End) >= 0 {
		l.next++
	}
	pk, _, err = l.cursor.Behind()
	return append([]byte(nil), pk...), true, err
}

func (l *eachLookup) PK() []byte                  { return l.pk }
func (l *eachLookup) Document() document.Document { return l.doc }
func (l *eachLookup) Span() int                   { return l.span }
func (l *eachLookup) Err() error                  { return l.err }

func (l *eachLookup) Read() Work {
	w := l.work
	if l.cursor != nil {
		w.Entries += l.cursor.Visited()
	}
	return w
}

func (l *eachLookup) Close() {
	if l.cursor != nil && !l.closed {
		l.cursor.Close()
	}
	l.ahead, l.in, l.closed = nil, nil, true
}

// eachScan scans the documents of one span after the other, or their keys.
type eachScan struct {
	open  func(span indexes.Spans) Rows
	spans indexes.Spans
	at    int
	Rows  // of the span at; nil before the first and after the last
	work  Work
}

func (s *eachScan) Next() bool {
	for {
		if s.Rows != nil {
			if s.Rows.Next() || s.Rows.Err() != nil {
				return s.Rows.Err() == nil
			}
		}
		if s.at+1 >= len(s.spans) {
			return false
		}
		s.end()
		s.at++
		s.Rows = s.open(indexes.Spans{s.spans[s.at]})
	}
}

func (s *eachScan) end() {
	if s.Rows != nil {
		s.work = s.work.Plus(s.Rows.Read())
		s.Rows.Close()
		s.Rows = nil
	}
}

func (s *eachScan) Span() int { return s.at }

func (s *eachScan) Err() error {
	if s.Rows == nil {
		return nil
	}
	return s.Rows.Err()
}

func (s *eachScan) Read() Work {
	if s.Rows == nil {
		return s.work
	}
	return s.work.Plus(s.Rows.Read())
}

func (s *eachScan) Close() {
	s.end()
	s.at = len(s.spans)
}
