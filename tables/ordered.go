package tables

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// OrderedOptions are the settings of Ordered.
type OrderedOptions struct {
	// Keypath is the one whose values order the documents. It must not lead through
	// arrays, and all its entries must stand in one field Version. Unknown: no document
	// has the keypath.
	Keypath, Version int64
	Unknown          bool
	// Declared, where it is not nil, are the entries of a declared index that are walked
	// instead, in whose order the documents come. Their values are packed elements.
	Declared *Declared
	// Ties is how many columns of the declared index the order uses: entries with the same
	// values in these are given in the order of primary keys. 0 leaves them as they are.
	Ties int
	// Spans hold the values that are walked, in ascending order, or in the wanted order: in Reverse from the last.
	Spans []OrderedSpan
	// Reverse walks from the greatest value down, and within a value from the greatest
	// primary key.
	Reverse bool
	// Missing adds the documents that have no value at Path, in the order of their
	// primary keys: before the others, or behind them in Reverse.
	Missing bool
	Path    document.Keypath
	// MissingMoved puts these documents behind the others, or before them in Reverse.
	MissingMoved bool
	// Lacking is how many documents have no value at Path, if that is known; 0: not known.
	// When so many have been met and the counters agree, no more are looked for. MissingByKeys
	// finds them by the keys of all entries and of all documents, and keeps the former in
	// memory.
	Lacking       int64
	MissingByKeys bool
	// Among, where it is not nil, are the only documents wanted.
	Among *KeySet
	// Skip is how many documents are left out at the beginning: where the entries
	// show the order, without being fetched. At most Limit documents are given, or all if
	// it is negative.
	Skip, Limit int64
	// Expect is how many documents the caller is likely to read, if that is known: no more are
	// fetched ahead until it has read so many.
	Expect int64
	// Bound is how much the walk may read; beyond it the walk fails with ErrGivenUp.
	Bound costing.Bound
	// Group gives the same bytes for values whose entries stand together and don't show
	// their order, and nil for any other value. Documents of one group are sorted by
	// Compare.
	Group   func(value []byte) []byte
	Compare func(a, b document.Document) int
}

// ErrGivenUp is that a walk has read as much as it may.
var ErrGivenUp = errors.New("tables: the walk has read as much as it may")

// OrderedSpan is a span of values. Keys, where it is not nil, bounds the first column of
// the primary keys there; the span is then a single value.
type OrderedSpan struct {
	indexes.Span
	Keys indexes.Spans
}

// Ordered walks documents in the order of their values at a keypath, and of their
// primary keys where the values are equal.
func (c *Collection) Ordered(r kv.Reader, opts OrderedOptions) Rows {
	o := &orderedWalk{c: c, r: r, opts: opts, left: opts.Limit, long: longread.Of(r),
		fetching: fetching{window: firstWindow}}
	if o.left < 0 {
		o.left = noLimit
	}
	if c.Rebuilding() {
		o.err = fmt.Errorf("tables: read in the order of entries: %w", ErrRebuilding)
		return o
	}
	switch {
	case !opts.Missing:
		o.stages = []func(){o.openEntries}
	case opts.Reverse != opts.MissingMoved:
		o.stages = []func(){o.openEntries, o.openMissing}
	default:
		o.stages = []func(){o.openMissing, o.openEntries}
	}
	if opts.Among != nil {
		o.err = opts.Among.read(c, r)
		o.work = o.work.Plus(opts.Among.work)
		if len(opts.Among.keys) == 0 {
			o.stages = nil
		}
	}
	return o
}

const noLimit = int64(1) << 62

type orderedWalk struct {
	c      *Collection
	r      kv.Reader
	opts   OrderedOptions
	long   *longread.Tx // nil: r reads at one version
	stages []func()     // still to be opened
	cursor *indexes.Cursor
	scan   Rows     // of the stage of missing documents
	met    int64    // documents without the keypath
	began  int64    // the epoch in which they began to be looked for
	groups [][]byte // of the documents ahead, nil outside groups
	sorted []sortedDocument
	// collecting: a group is being read, so that the entry that the cursor meets is not the next to give.
	collecting bool
	left       int64  // documents still to be given
	given      int64  // documents given from the ones ahead
	group      []byte // of the entry met last
	ties       ties
	scanned    int64 // documents of work that were not fetched by their keys
	fetching
}

type sortedDocument struct {
	pk  []byte
	doc document.Document
}

func (o *orderedWalk) openEntries() {
	if o.opts.Declared != nil {
		o.cursor = o.opts.Declared.cursor(o.c, o.r, ScanOptions{Reverse: o.opts.Reverse})
		return
	}
	if o.opts.Unknown {
		return
	}
	ranges := o.c.orderedRanges(o.opts.Keypath, o.opts.Version, o.opts.Spans)
	o.cursor = indexes.NewRangeCursor(o.r, o.c.keys, ranges, indexes.CursorOptions{Reverse: o.opts.Reverse})
}

// orderedRanges are the keys of the entries within spans.
func (c *Collection) orderedRanges(keypath, version int64, spans []OrderedSpan) []kv.Range {
	var ranges []kv.Range
	for _, s := range spans {
		if s.Keys == nil {
			ranges = append(ranges, c.keys.EntrySpan(keypath, version, s.Start, s.End))
		}
		for _, k := range s.Keys {
			ranges = append(ranges, c.keys.EntryKeySpan(keypath, version, s.Start, k.Start, k.End))
		}
	}
	return ranges
}

// Next implements Rows.
func (o *orderedWalk) Next() bool {
	for o.err == nil && o.left > 0 {
		found := false
		switch {
		case len(o.sorted) > 0:
			o.pk, o.doc = o.sorted[0].pk, o.sorted[0].doc
			o.sorted, found = o.sorted[1:], true
		case o.scan != nil:
			found = o.nextMissing()
		case len(o.ahead) > 0 || o.cursor != nil || len(o.ties.keys) > 0:
			found = o.nextEntry()
		case len(o.stages) == 0:
			return false
		default:
			open := o.stages[0]
			o.stages = o.stages[1:]
			open()
		}
		switch {
		case !found:
		case o.opts.Skip > 0:
			o.opts.Skip--
		default:
			o.left--
			return true
		}
	}
	return false
}

// nextEntry finds the next document, or sorts the next group.
func (o *orderedWalk) nextEntry() bool {
	if Refills(len(o.ahead), o.window) {
		o.fill()
	}
	if o.err != nil || len(o.ahead) == 0 {
		return false
	}
	group := o.groups[0]
	if found := o.take(); !found || group == nil {
		return found
	}
	run := []sortedDocument{{o.pk, o.doc}}
	o.collecting = true
	for {
		if len(o.ahead) == 0 {
			o.fill()
		}
		if o.err != nil || len(o.ahead) == 0 || !bytes.Equal(o.groups[0], group) {
			break
		}
		if o.take() {
			run = append(run, sortedDocument{o.pk, o.doc})
		}
	}
	o.collecting = false
	slices.SortStableFunc(run, func(a, b sortedDocument) int {
		if o.opts.Reverse {
			a, b = b, a
		}
		return o.opts.Compare(a.doc, b.doc)
	})
	o.sorted = run
	return false
}

// take waits for the first document that is ahead.
func (o *orderedWalk) take() bool {
	p := o.ahead[0]
	o.ahead, o.groups = o.ahead[1:], o.groups[1:]
	d, ok, err := p.named(o.long, p.epoch, func() [][]kv.Range { return o.standing(p) })
	if err != nil || !ok {
		o.err = err
		return false
	}
	o.give(p.pk, d)
	if o.given++; o.given == o.opts.Expect {
		o.window = firstWindow
	}
	return true
}

// standing are the entries that a document must have to be given where the walk met it.
func (o *orderedWalk) standing(p *Pending) [][]kv.Range {
	sets := [][]kv.Range{{kv.PointRange(p.entry)}}
	if a := o.opts.Among; a != nil {
		sets = append(sets, o.c.ranges(MemberPart{Keypath: a.Keypath, Versions: a.Versions}))
	}
	return sets
}

// fill starts reads of further documents up to the window, or up to the limit. A
// group is read to its end.
func (o *orderedWalk) fill() {
	var entries [][]byte
	epoch := o.long.Epoch()
	if o.opts.Among != nil {
		epoch = o.opts.Among.epoch
	}
	var keys [][]byte
	window := o.window
	if expected := o.opts.Expect - o.given; expected > 0 {
		window = int(min(int64(window), expected))
	}
	for (o.cursor != nil || len(o.ties.keys) > 0) && len(o.ahead)+len(keys) < window {
		if o.group == nil && int64(len(o.ahead)+len(keys)) >= o.wanted() {
			break
		}
		if o.givesUp() {
			return
		}
		pk, ok, err := o.step()
		if err != nil {
			o.err = err
			return
		}
		if !ok {
			break
		}
		among := o.opts.Among.has(pk)
		switch {
		case !among:
		case o.group == nil && o.opts.Skip > 0 && !o.collecting && len(o.ahead)+len(keys)+len(o.sorted) == 0:
			o.opts.Skip--
		default:
			keys, o.groups = append(keys, bytes.Clone(pk)), append(o.groups, o.group)
			if o.long != nil {
				entries = append(entries, bytes.Clone(o.cursor.Key()))
			}
		}
		if among && o.opts.Among.isLast() && o.long == nil {
			o.endCursor()
		}
	}
	sent := o.send(o.c, o.r, keys)
	for n, entry := range entries {
		sent[n].epoch, sent[n].entry = epoch, entry
	}
}

// wanted is how many documents the walk still needs: those it skips, and those it gives.
func (o *orderedWalk) wanted() int64 {
	if o.left > math.MaxInt64-o.opts.Skip {
		return math.MaxInt64
	}
	return o.left + o.opts.Skip
}

// step moves to the next key, and sets its group.
func (o *orderedWalk) step() (pk []byte, ok bool, err error) {
	if o.opts.Ties > 0 {
		return o.stepTies()
	}
	if !o.cursor.Next() {
		err = o.cursor.Err()
		o.endCursor()
		return nil, false, err
	}
	pk, err = o.entry()
	return pk, err == nil, err
}

// entry is the current entry's primary key; it sets the group.
func (o *orderedWalk) entry() ([]byte, error) {
	if o.opts.Group == nil {
		return o.cursor.PK()
	}
	value, same, err := o.cursor.Value()
	if err != nil {
		return nil, err
	}
	if !same {
		o.group = bytes.Clone(o.opts.Group(value))
	}
	pk, _, err := o.cursor.Behind()
	return pk, err
}

// Read implements Rows.
func (o *orderedWalk) Read() Work {
	w := o.work
	if o.cursor != nil {
		w.Entries += o.cursor.Visited()
	}
	if o.scan != nil {
		w = w.Plus(o.scan.Read())
	}
	return w
}

// givesUp reports whether the walk has read as much as it may, and ends it then.
func (o *orderedWalk) givesUp() bool {
	if o.opts.Bound.Cost == 0 {
		return false
	}
	w, scanned := o.Read(), o.scanned
	if o.scan != nil && !o.fetchesMissing() {
		scanned += o.scan.Read().Documents
	}
	if o.opts.Bound.Exceeded(w.Entries, w.Documents-scanned, scanned) && o.err == nil {
		o.err = ErrGivenUp
	}
	return o.err != nil
}

// endScan ends the stage of missing documents.
func (o *orderedWalk) endScan() {
	w := o.scan.Read()
	if !o.fetchesMissing() {
		o.scanned += w.Documents
	}
	o.work = o.work.Plus(w)
	o.scan.Close()
	o.scan = nil
}

// Close implements Rows.
func (o *orderedWalk) Close() {
	o.endCursor()
	if o.scan != nil {
		o.endScan()
	}
	o.ahead, o.groups, o.sorted, o.stages = nil, nil, nil, nil
}

func (o *orderedWalk) endCursor() {
	if o.cursor != nil {
		o.work.Entries += o.cursor.Visited()
		o.cursor.Close()
		o.cursor = nil
	}
}

// KeySet is the primary keys of the documents that have a value within spans at a
// keypath. It is read when a walk begins.
type KeySet struct {
	Keypath  int64
	Versions []indexes.VersionSpans
	Unknown  bool // no document has the keypath
	keys     map[string]struct{}
	met      int   // of the keys
	epoch    int64 // of a reader that goes on at newer versions: when they were read
	work     Work
}

func (s *KeySet) read(c *Collection, r kv.Reader) error {
	s.keys, s.epoch = map[string]struct{}{}, longread.Of(r).Epoch()
	if s.Unknown {
		return nil
	}
	e := c.Entries(r, s.Keypath, s.Versions, ScanOptions{Streaming: kv.StreamAll})
	defer e.Close()
	for e.Next() {
		pk, err := e.PK()
		if err != nil {
			return err
		}
		s.keys[string(pk)] = struct{}{}
	}
	s.work = e.Read()
	return e.Err()
}

// isLast counts a key of the set that a walk has met, each of them once, and reports whether there are no others: a nil
// set has no last one.
func (s *KeySet) isLast() bool {
	if s == nil {
		return false
	}
	s.met++
	return s.met == len(s.keys)
}

// has reports whether a document is in the set; a nil set holds all.
func (s *KeySet) has(pk []byte) bool {
	if s == nil {
		return true
	}
	_, ok := s.keys[string(pk)]
	return ok
}
