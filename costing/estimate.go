package costing

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Estimator estimates candidates from the counts at one read version. Give it
// a snapshot reader: planning must not conflict with writers.
type Estimator struct {
	Statistics
	// Number maps a spelled keypath to its number; ok is false when no
	// document ever had it.
	Number func(keypath string) (n int64, ok bool, err error)
	// Grain is how fine the store's estimates of sizes are, in bytes (kv.Store.EstimateGrain).
	Grain int64
}

// EstimateOptions say how good estimates must be.
type EstimateOptions struct {
	// Refine asks for the best estimate of every candidate, even if no estimate could make it
	// the choice: for EXPLAIN, and for later choices.
	Refine bool
	// Rough asks for a quick estimate of every candidate: keys that are not counted by then
	// are estimated by their size.
	Rough bool
	// Sized asks for an estimate of the candidate that is chosen, also where remembered counts settle the choice: for
	// callers that choose by how many keys it has.
	Sized bool
}

// remembers reports whether the counts remembered from other versions may settle the choice.
func (o EstimateOptions) remembers() bool { return !o.Refine && !o.Rough && !o.Sized }

// Estimate estimates one candidate from the counts.
func (e Estimator) Estimate(c Candidate) (Estimate, error) {
	out, err := e.EstimateAll([]Candidate{c}, EstimateOptions{Refine: true})
	if err != nil {
		return Estimate{}, err
	}
	return out[0], nil
}

// EstimateAll estimates candidates of which one is to be chosen, from the counts. Counters
// bound each. Then the keys of all are counted in rounds, each further than the last, until
// one candidate is counted to its end and none can be cheaper. Beyond a bound the store's
// size estimates scale the counts.
func (e Estimator) EstimateAll(candidates []Candidate, opts EstimateOptions) ([]Estimate, error) {
	documents, _, err := e.Documents()
	if err != nil {
		return nil, err
	}
	tallies := make([]tally, len(candidates))
	for i := range candidates {
		if err := e.begin(&tallies[i], &candidates[i], documents); err != nil {
			return nil, err
		}
	}
	e.start(tallies)
	if err := e.count(tallies, documents, opts); err != nil {
		return nil, err
	}
	out := make([]Estimate, len(tallies))
	for i := range tallies {
		out[i] = tallies[i].Estimate
	}
	return out, nil
}

// begin bounds a candidate by the counters, and finds the ranges that would be counted.
func (e Estimator) begin(t *tally, c *Candidate, documents int64) error {
	t.candidate = c
	parts := c.parts()
	entries, withEntries := int64(0), int64(0)
	for i := range parts {
		p := &parts[i]
		if p.PrimaryKey {
			e.beginPrimaryKey(t, p, documents)
			entries, withEntries = entries+documents, withEntries+documents
			continue
		}
		begin := e.beginKeypath
		if p.Declared != nil {
			begin = e.beginDeclared
		}
		n, err := begin(t, p, documents)
		if err != nil {
			return err
		}
		entries, withEntries = entries+n.Entries, withEntries+n.Documents
	}
	t.perKey = 1
	if entries > 0 {
		t.perKey = min(1, float64(withEntries)/float64(entries))
	}
	if len(parts) > 1 || slices.ContainsFunc(parts, func(p Part) bool { return p.Repeats }) {
		t.seen = map[string]struct{}{}
	}
	t.documents = documents
	switch {
	case len(t.ranges) == 0:
		t.end()
	case t.counters && len(parts) == 1 && t.seen == nil && !t.Incomplete:
		t.counted = entries
		t.end()
	case unusable(c, t.Estimate) != "":
		t.unusable = true
	}
	return nil
}

// beginKeypath adds the entries at one keypath to a tally, and gives the counts of the
// kinds of values that are touched.
func (e Estimator) beginKeypath(t *tally, p *Part, documents int64) (Count, error) {
	number, ok, err := e.Number(p.Keypath)
	if err != nil {
		return Count{}, err
	}
	counts := p.NeedsPresent || len(t.candidate.parts()) == 1
	if !ok {
		if counts {
			t.Missing = max(t.Missing, documents)
		}
		return Count{}, nil
	}
	kinds, err := e.Keypath(number)
	if err != nil {
		return Count{}, err
	}
	if counts {
		t.Missing = max(t.Missing, documents-kinds.Total().Documents)
	}
	t.Incomplete = t.Incomplete || kinds[indexes.KindOmitted].Documents > 0
	versions := p.versions()
	var touched Count
	t.counters = len(versions) == 1
	for kind, n := range kinds {
		if slices.ContainsFunc(versions, func(v indexes.VersionSpans) bool { return touches(v.Spans, kind) }) {
			touched = touched.Add(n)
		}
		t.counters = t.counters && (n.Entries == 0 || hasAllOrNone(versions[0].Spans, kind))
	}
	t.Bound += touched.Entries
	if touched.Entries == 0 {
		return touched, nil
	}
	whole := e.Keys.KeypathEntries(number, versions[0].Version)
	for i, v := range versions {
		if i > 0 {
			of := e.Keys.KeypathEntries(number, v.Version)
			if bytes.Compare(of.Start, whole.Start) < 0 {
				whole.Start = of.Start
			}
			if bytes.Compare(of.End, whole.End) > 0 {
				whole.End = of.End
			}
		}
		for _, s := range v.Spans {
			t.ranges = append(t.ranges, counting{Range: e.Keys.EntrySpan(number, v.Version, s.Start, s.End), of: len(t.wholes)})
		}
	}
	t.wholes = append(t.wholes, wholeKeypath{whole, kinds.Total().Entries})
	return touched, nil
}

// beginDeclared adds the entries of a declared index to a tally. The ranges have no more
// entries than there are documents with the values that the ranges give for any column.
func (e Estimator) beginDeclared(t *tally, p *Part, documents int64) (Count, error) {
	bound := documents
	for i := range p.Declared.Bounds {
		n, err := e.holding(&p.Declared.Bounds[i], documents)
		if err != nil {
			return Count{}, err
		}
		bound = min(bound, n)
	}
	t.Bound, t.declared = t.Bound+bound, true
	if bound == 0 {
		return Count{}, nil
	}
	for _, r := range p.Declared.Ranges {
		t.ranges = append(t.ranges, counting{Range: e.Keys.DeclaredSpan(p.Declared.Number, r.Prefix, r.Start, r.End),
			of: len(t.wholes)})
	}
	t.wholes = append(t.wholes, wholeKeypath{e.Keys.DeclaredEntries(p.Declared.Number), documents})
	return Count{Documents: bound, Entries: bound}, nil
}

// holding is how many documents have values of the kinds that a part touches, or lack the
// keypath where it holds null.
func (e Estimator) holding(p *Part, documents int64) (int64, error) {
	number, ok, err := e.Number(p.Keypath)
	if err != nil {
		return 0, err
	}
	kinds := Keypath{}
	if ok {
		if kinds, err = e.Keypath(number); err != nil {
			return 0, err
		}
	}
	n := int64(0)
	for kind, c := range kinds {
		if touches(p.Spans, kind) {
			n += c.Documents
		}
	}
	if touches(p.Spans, document.KindNull) {
		n += documents - kinds.Total().Documents
	}
	return min(n, documents), nil
}

// beginPrimaryKey adds ranges of documents to a tally. A single whole key is one
// document at most, which is not worth being looked for.
func (e Estimator) beginPrimaryKey(t *tally, p *Part, documents int64) {
	if documents == 0 {
		return
	}
	if p.Spans.IsPoint() && e.Keys.PrimaryKeyParts() == 1 {
		t.Bound++
		t.point++
		return
	}
	t.Bound += documents
	for _, s := range p.Spans {
		t.ranges = append(t.ranges, counting{Range: e.Keys.DocumentSpan(s.Start, s.End), of: len(t.wholes), documents: true})
	}
	t.wholes = append(t.wholes, wholeKeypath{e.Keys.Documents(), documents})
}

// bySize estimates the keys of a tally that was not counted to its end. It takes the same share of the exact count of
// all entries as the ranges have of their bytes, by the store. Of many ranges, the counted ones stand for the rest. A
// keypath too small for the store to know its size (coarse) is counted on, as far as keys are counted.
func (e Estimator) bySize(t *tally) error {
	few, sifted, err := e.sift(t)
	if err != nil {
		return err
	}
	if len(t.ranges)-few > e.maxSizeRequests() {
		if t.at == 0 {
			return t.settle(float64(t.Bound))
		}
		return t.settle(float64(t.counted) * float64(len(t.ranges)) / float64(t.at))
	}
	if e.knownCoarse(t) {
		if err := e.countAgain(t); err != nil || t.whole {
			return err
		}
	}
	sizes, err := e.requestSizes(t, t.ranges[few:])
	if err != nil || t.whole {
		return err
	}
	keys, coarse, err := sizes.keys()
	if err != nil {
		return err
	}
	keys += float64(sifted)
	if coarse && t.counted < maxCounted {
		if err := e.countAgain(t); err != nil || t.whole {
			return err
		}
	}
	return t.settle(keys)
}

// pendingSizes are the store's size estimates for a tally, not yet received.
type pendingSizes struct {
	e      Estimator
	t      *tally
	of     []counting              // the ranges
	totals []func() (int64, error) // of the wholes
	parts  []kv.FutureInt64        // of the ranges
	learn  func(bytes, total int64) error
}

// requestSizes requests the sizes of some of a tally's ranges and of the wholes that they are parts of. Where reads
// wait, more keys are counted meanwhile: if the count ends, nobody needs to wait for the sizes.
func (e Estimator) requestSizes(t *tally, of []counting) (pendingSizes, error) {
	meanwhile := ahead.Of(e.From).Starts() && t.counted < secondRound
	if !meanwhile {
		t.close() // the store may reuse the iterator's memory
	}
	s := pendingSizes{e: e, t: t, of: of, totals: make([]func() (int64, error), len(t.wholes)),
		parts: make([]kv.FutureInt64, len(of))}
	for i, w := range t.wholes {
		s.totals[i] = e.sizeOf(w)
	}
	for i, r := range of {
		s.parts[i] = e.From.EstimateSize(r.Range)
	}
	s.learn = e.boundariesOf(t)
	if !meanwhile {
		return s, nil
	}
	err := e.advance(t, secondRound)
	t.close()
	return s, err
}

// keys waits for the sizes, and is how many keys the tally has by them, or its upper bound if they show nothing.
// coarse says that this may be far off.
func (s pendingSizes) keys() (keys float64, coarse bool, err error) {
	nothing := false
	for i, p := range s.parts {
		of := s.of[i].of
		w := s.t.wholes[of]
		total, err := s.totals[of]()
		if err != nil {
			return 0, false, fmt.Errorf("costing: estimate size: %w", err)
		}
		n, err := p.Get()
		if err != nil {
			return 0, false, fmt.Errorf("costing: estimate size: %w", err)
		}
		few := s.e.coarse(w, total)
		coarse, nothing = coarse || few || n < s.e.Grain, nothing || total < leastEntry*w.keys
		share := 1.0
		if total > 0 {
			share = min(1, float64(n)/float64(total))
		}
		if total > 0 && !few {
			if err := s.learn(n, total); err != nil {
				return 0, false, err
			}
		}
		keys += float64(w.keys) * share
	}
	if nothing {
		keys = float64(s.t.Bound)
	}
	return keys, coarse, nil
}

const (
	// leastEntry is how many bytes an entry has, or a document with its key, at least. If the store's estimate is less,
	// it has sampled too little to show anything.
	leastEntry = 8
	// fewSamples is how many grains of the store's estimates a keypath needs, so that the share of a range in it is
	// known. With 16 grains, a half is estimated as a half give or take an eighth.
	fewSamples = 16
)

// coarse reports whether a whole of so many bytes, by the store's estimate, is too small for estimates of a range's
// share.
func (e Estimator) coarse(w wholeKeypath, bytes int64) bool {
	return bytes < max(leastEntry*w.keys, fewSamples*e.Grain)
}

// knownCoarse reports whether a whole of the tally's is remembered to be coarse: then its size need not be requested
// again.
func (e Estimator) knownCoarse(t *tally) bool {
	known := knownOf(e.From)
	return slices.ContainsFunc(t.wholes, func(w wholeKeypath) bool {
		bytes, ok := known.size(w)
		return ok && e.coarse(w, bytes)
	})
}

// countAgain counts a tally's keys from the beginning, as far as keys are counted.
func (e Estimator) countAgain(t *tally) error {
	t.close()
	t.at, t.counted = 0, 0
	clear(t.seen)
	t.streaming = kv.StreamAll
	err := e.advance(t, maxCounted)
	t.close()
	return err
}

// boundariesOf requests the bytes before the range of a tally that has a single one, if no boundaries near it are
// remembered. It returns a function that remembers them, given the bytes of the range and of the whole.
func (e Estimator) boundariesOf(t *tally) func(bytes, total int64) error {
	known, none := knownOf(e.From), func(int64, int64) error { return nil }
	if known == nil || !t.isRange() {
		return none
	}
	w, r := t.wholes[0], t.ranges[0].Range
	if part, exact := known.share(w, r); exact || part <= wideShare {
		return none
	}
	pending := e.From.EstimateSize(kv.Range{Start: w.Start, End: r.Start})
	return func(bytes, total int64) error {
		before, err := pending.Get()
		if err != nil {
			return fmt.Errorf("costing: estimate size: %w", err)
		}
		known.putShare(w, r, float64(before)/float64(total), float64(before+bytes)/float64(total))
		return nil
	}
}

// sizeOf requests the bytes of all entries at a keypath, or of all documents, if they are
// not known well enough.
func (e Estimator) sizeOf(w wholeKeypath) func() (int64, error) {
	known := knownOf(e.From)
	if n, ok := known.size(w); ok {
		return func() (int64, error) { return n, nil }
	}
	pending := e.From.EstimateSize(w.Range)
	return func() (int64, error) {
		n, err := pending.Get()
		if err == nil {
			known.putSize(w, n)
		}
		return n, err
	}
}

// touches reports whether values of the kind may lie in the spans.
func touches(spans indexes.Spans, kind document.Kind) bool {
	return spans.Meets(SpansOfKind(kind))
}

// hasAllOrNone reports whether all values of the kind lie in the spans, or none of them.
func hasAllOrNone(spans indexes.Spans, kind document.Kind) bool {
	return spans.IsEverything() || !touches(spans, kind) || !spans.IsPoint() && !touches(spans.Complement(), kind)
}

// SpansOfKind are the encoded values that values of a kind may have. They are shared and must not be changed.
func SpansOfKind(kind document.Kind) indexes.Spans { return spansOfKinds[kind] }

var spansOfKinds = func() map[document.Kind]indexes.Spans {
	out := map[document.Kind]indexes.Spans{}
	for _, kind := range counted {
		out[kind] = spansOfKind(kind)
	}
	return out
}()

func spansOfKind(kind document.Kind) indexes.Spans {
	class := ordered.ClassNumber
	switch kind {
	case document.KindNull:
		class = ordered.ClassNull
	case document.KindBool:
		class = ordered.ClassBool
	case document.KindObject:
		class = ordered.ClassObject
	case document.KindArray:
		class = ordered.ClassArray
	case document.KindString, indexes.KindOmitted:
		// A string of a declared column may be encoded in the class of its type.
		return indexes.Spans{{Start: ordered.ClassStart(ordered.ClassString), End: ordered.ClassEnd(ordered.ClassString)},
			{Start: ordered.ClassStart(ordered.ClassDate)}}
	}
	return indexes.Spans{{Start: ordered.ClassStart(class), End: ordered.ClassEnd(class)}}
}
