package tables

import (
	"bytes"
	"fmt"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// Get starts reading the document pk. pk must stay unchanged until the result is there.
func (c *Collection) Get(r kv.Reader, pk []byte) *Pending { return c.fetch(r, pk) }

// Rev returns the revision of the document pk, also of a deleted one.
func (c *Collection) Rev(r kv.Reader, pk []byte) (changes.Meta, bool, error) {
	raw, err := r.Get(c.keys.Meta(pk)).Get()
	if err != nil {
		return changes.Meta{}, false, fmt.Errorf("tables: read revision: %w", err)
	}
	return changes.DecodeMeta(raw)
}

// Rows walks documents. It must be closed; it is not safe for concurrent use.
type Rows interface {
	Next() bool
	// PK is the primary key, valid until Next. Document stays valid.
	PK() []byte
	Document() document.Document
	Err() error
	Close()
	// Read is the work of the reads so far.
	Read() Work
}

// Work counts the keys, documents and bytes that a read has read.
type Work struct {
	Entries   int64 // index keys read
	Documents int64 // documents fetched or scanned
	Bytes     int64 // bytes of documents' text
	Counters  int64 // counters that stood for keys
}

// Plus is the cost of two reads.
func (w Work) Plus(o Work) Work {
	return Work{
		Entries: w.Entries + o.Entries, Documents: w.Documents + o.Documents,
		Bytes: w.Bytes + o.Bytes, Counters: w.Counters + o.Counters,
	}
}

// ScanOptions are the settings of Scan and Lookup.
type ScanOptions struct {
	Reverse   bool
	Streaming kv.Streaming
	// Skip is how many documents Scan leaves out at the beginning: they are read, but
	// not split, and count as entries.
	Skip int64
	// After is the primary key behind which Scan begins; nil: at the first.
	After []byte
}

// Scan walks the documents whose primary key lies in the spans (of its first
// column's encoded values), in primary-key order.
func (c *Collection) Scan(r kv.Reader, spans indexes.Spans, opts ScanOptions) Rows {
	if opts.Skip == 0 && opts.After == nil {
		if rows, ok := c.pointScan(r, spans); ok {
			return rows
		}
	}
	s := &scan{c: c, r: r, opts: opts, long: longread.Of(r)}
	for i := range spans {
		sp := spans[i]
		if opts.Reverse {
			sp = spans[len(spans)-1-i]
		}
		keys := c.keys.DocumentSpan(sp.Start, sp.End)
		if opts.After != nil {
			if behind := c.keys.DocumentChunks(opts.After).End; bytes.Compare(keys.Start, behind) < 0 {
				keys.Start = behind
			}
			if bytes.Compare(keys.Start, keys.End) >= 0 {
				continue
			}
		}
		s.ranges = append(s.ranges, keys)
	}
	s.open()
	return s
}

type scan struct {
	c      *Collection
	r      kv.Reader
	opts   ScanOptions
	ranges []kv.Range
	// started is how many of the first of ranges are being read already.
	started int
	it      kv.Iterator
	long    *longread.Tx // nil: r reads at one version
	at      kv.Range     // the range that it walks
	begun   int64        // the epoch of the first piece of the document that was met last
	met     []byte       // the primary key of that document
	parts   assembly
	back    []kv.KeyValue // the later chunks of a document met in reverse
	doc     document.Document
	work    Work
	err     error
}

func (s *scan) open() {
	if len(s.ranges) > 0 {
		opts := kv.RangeOptions{Reverse: s.opts.Reverse, Streaming: s.opts.Streaming}
		if s.started == 0 {
			s.started = indexes.StartRanges(s.r, s.ranges, opts)
		}
		s.at, s.ranges = s.ranges[0], s.ranges[1:]
		s.started--
		s.it = s.r.Range(s.at, opts)
	}
}

func (s *scan) Next() bool {
	for s.err == nil && s.it != nil {
		if !s.it.Next() {
			s.err = s.it.Err()
			if s.err == nil && s.long != nil && (!s.parts.complete() || len(s.back) > 0) && s.long.Epoch() != s.begun {
				if s.mend() {
					return true
				}
				continue
			}
			if s.err == nil && (!s.parts.complete() || len(s.back) > 0) {
				s.err = fmt.Errorf("tables: %w: chunks of %x are missing", ErrCorrupt, s.parts.pk)
			}
			s.it.Close()
			s.it = nil
			if s.err == nil {
				s.open()
			}
			continue
		}
		if s.torn() {
			if s.mend() {
				return true
			}
			continue
		}
		complete, err := s.take()
		if err == nil && complete && s.opts.Skip > 0 {
			s.opts.Skip--
			s.work.Entries++
			continue
		}
		if err == nil && complete {
			var v record
			if v, err = s.parts.document(); err == nil {
				s.doc, err = s.c.upgraded(v.Versioned)
			}
			if err == nil {
				s.work.Documents++
				s.work.Bytes += int64(v.Len())
				return true
			}
		}
		s.err = err
	}
	return false
}

// torn reports whether the document that is being put together, or was met last, has
// been changed between the versions that its pieces were read at.
func (s *scan) torn() bool {
	if s.long == nil || s.met == nil {
		return false
	}
	if !s.parts.complete() || len(s.back) > 0 {
		return s.long.Epoch() != s.begun
	}
	if s.opts.Reverse {
		return false
	}
	// At an older version it had fewer pieces, and has been given.
	pk, chunk, err := s.c.keys.SplitDocument(s.it.Key())
	return err == nil && chunk != 0 && string(pk) == string(s.met)
}

// mend reads such a document by itself, unless it has been given, and goes on behind it.
// It reports whether there is one to give.
func (s *scan) mend() bool {
	pk := bytes.Clone(s.met)
	given := s.parts.complete() && len(s.back) == 0
	s.parts, s.back = assembly{pk: pk}, nil
	s.it.Close()
	at := s.c.keys.DocumentChunks(pk)
	if s.opts.Reverse {
		s.at.End = at.Start
	} else {
		s.at.Start = at.End
	}
	s.it = s.r.Range(s.at, kv.RangeOptions{Reverse: s.opts.Reverse, Streaming: s.opts.Streaming})
	if given {
		return false
	}
	rec, ok, err := s.c.fetch(s.r, pk).stored()
	if err == nil && ok && s.opts.Skip > 0 {
		s.opts.Skip--
		s.work.Entries++
		return false
	}
	if err == nil && ok {
		s.doc, err = s.c.upgraded(rec.Versioned)
	}
	if s.err = err; err != nil || !ok {
		return false
	}
	s.work.Documents++
	s.work.Bytes += int64(rec.Len())
	return true
}

// begin notes where a document begins, for torn.
func (s *scan) begin(key []byte) error {
	if s.long == nil || !s.parts.complete() || len(s.back) > 0 {
		return nil
	}
	pk, _, err := s.c.keys.SplitDocument(key)
	s.begun, s.met = s.long.Epoch(), append(s.met[:0], pk...)
	return err
}

// take adds the iterator's pair to the document that is being put together. In
// reverse a document's chunks come last to first.
func (s *scan) take() (bool, error) {
	k, v := s.it.Key(), s.it.Value()
	if err := s.begin(k); err != nil {
		return false, err
	}
	if !s.opts.Reverse {
		return s.parts.add(s.c.keys, k, v)
	}
	_, chunk, err := s.c.keys.SplitDocument(k)
	if err != nil {
		return false, err
	}
	if chunk > 0 {
		s.back = append(s.back, kv.KeyValue{Key: append([]byte(nil), k...), Value: append([]byte(nil), v...)})
		return false, nil
	}
	complete, err := s.parts.add(s.c.keys, k, v)
	for i := len(s.back) - 1; i >= 0 && err == nil; i-- {
		complete, err = s.parts.add(s.c.keys, s.back[i].Key, s.back[i].Value)
	}
	s.back = s.back[:0]
	if err == nil && !complete {
		err = fmt.Errorf("tables: %w: %d of %d chunks of %x", ErrCorrupt, s.parts.have, s.parts.want, s.parts.pk)
	}
	return complete, err
}

func (s *scan) PK() []byte                  { return s.parts.pk }
func (s *scan) Document() document.Document { return s.doc }
func (s *scan) Read() Work                  { return s.work }
func (s *scan) Err() error                  { return s.err }

func (s *scan) Close() {
	if s.it != nil {
		s.it.Close()
		s.it = nil
	}
}

// How many documents are fetched ahead of the reader: few at first, so that a
// LIMIT reads little, then more, as long as they are not large.
const (
	firstWindow = 16
	maxWindow   = 256
	// windowBytes is about how much is fetched ahead: of each document its first chunk.
	windowBytes = 4 << 20
)

// NextWindow is how many documents to fetch ahead, behind so many, where that much has been read: twice as many, as
// long as they are not large.
func NextWindow(window int, read Work) int {
	window = min(2*window, maxWindow)
	if read.Documents == 0 {
		return window
	}
	each := min(max(1, read.Bytes/read.Documents), chunkSize)
	return min(window, int(windowBytes/each))
}

// Refills reports whether more documents are to be fetched where so many are left of a window. Of
// a large one most are on their way at any time, so that a round trip brings as many.
func Refills(left, window int) bool {
	if window < maxWindow {
		return left <= window/2
	}
	return left <= window-window/4
}

// Lookup walks the documents that have a value within the spans at a keypath. It walks one
// field version after the other, in each in the order of the values and then of primary
// keys. Each document comes once: at the first of its entries that is met. While the index
// is Rebuilding, all documents are read for it, in the order of primary keys.
func (c *Collection) Lookup(r kv.Reader, keypath int64, versions []indexes.VersionSpans, opts LookupOptions) Rows {
	if c.Rebuilding() {
		return c.lookupUnindexed(r, keypath, versions, opts.ScanOptions)
	}
	l := &lookup{c: c, r: r, keypath: keypath, versions: versions, opts: opts, long: longread.Of(r),
		fetching: fetching{window: firstWindow}}
	l.all = versions
	if opts.Repeats {
		l.seen = map[string]struct{}{}
	}
	l.open()
	return l
}

// LookupOptions are the settings of Lookup.
type LookupOptions struct {
	ScanOptions
	// Repeats: a document may have several entries at the keypath, which leads through an
	// array.
	Repeats bool
}

type lookup struct {
	c        *Collection
	r        kv.Reader
	keypath  int64
	versions []indexes.VersionSpans // still to be walked
	all      []indexes.VersionSpans
	long     *longread.Tx // nil: r reads at one version
	// moved are documents that were given as they were at a newer version than the entry
	// that led to them: one may have an entry farther on.
	moved  map[string]struct{}
	opts   LookupOptions
	cursor *indexes.Cursor
	seen   map[string]struct{}
	fetching
}

func (l *lookup) open() {
	if len(l.versions) > 0 {
		v := l.versions[0]
		l.cursor = indexes.NewCursor(l.r, l.c.keys, l.keypath, v.Version, v.Spans,
			indexes.CursorOptions{Reverse: l.opts.Reverse, Streaming: l.opts.Streaming})
		l.versions = l.versions[1:]
	}
}

func (l *lookup) Next() bool {
	for l.err == nil {
		p := l.next(l.fill)
		if p == nil {
			return false
		}
		d, ok, err := p.named(l.long, p.epoch, func() [][]kv.Range {
			return [][]kv.Range{l.c.ranges(MemberPart{Keypath: l.keypath, Versions: l.all})}
		})
		if err != nil {
			l.err = err
			return false
		}
		if !ok {
			delete(l.seen, string(p.pk)) // it may stand farther on
			continue
		}
		if l.long.Epoch() != p.epoch || l.moved != nil {
			if _, again := l.moved[string(p.pk)]; again {
				continue
			}
			if l.moved == nil {
				l.moved = map[string]struct{}{}
			}
			if l.long.Epoch() != p.epoch {
				l.moved[string(p.pk)] = struct{}{}
			}
		}
		l.give(p.pk, d)
		return true
	}
	return false
}

// fill starts reads of further documents up to the window.
func (l *lookup) fill() {
	var keys [][]byte
	epoch := l.long.Epoch()
	for l.cursor != nil && len(l.ahead)+len(keys) < l.window {
		if !l.cursor.Next() {
			l.err = l.cursor.Err()
			l.work.Entries += l.cursor.Visited()
			l.cursor.Close()
			l.cursor = nil
			if l.err != nil {
				return
			}
			l.open()
			continue
		}
		pk, err := l.cursor.PK()
		if err != nil {
			l.err = err
			return
		}
		if l.seen != nil {
			if _, again := l.seen[string(pk)]; again {
				continue
			}
			l.seen[string(pk)] = struct{}{}
		}
		keys = append(keys, append([]byte(nil), pk...))
	}
	for _, p := range l.send(l.c, l.r, keys) {
		p.epoch = epoch
	}
}

func (l *lookup) Read() Work {
	w := l.work
	if l.cursor != nil {
		w.Entries += l.cursor.Visited()
	}
	return w
}

func (l *lookup) Close() {
	if l.cursor != nil {
		l.work.Entries += l.cursor.Visited()
		l.cursor.Close()
		l.cursor = nil
	}
	l.ahead, l.versions = nil, nil
}
