package costing

import (
	"fmt"
	"math"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
)

const (
	// firstRound is how many keys of each candidate are counted at first: as many as the
	// embedded engine fetches at once. Each round counts roundGrowth times as many.
	firstRound  = 32
	roundGrowth = 4
	secondRound = firstRound * roundGrowth
	// maxCounted is how many keys of a candidate are counted at most. To read as many
	// documents takes twenty times as long.
	maxCounted = 2048
	// maxRough is how many are counted for a rough estimate.
	maxRough = 512
	// keysPerRange is how many keys a range must have in a round to be worth opening.
	keysPerRange = 4
)

// tally is the counting of one candidate's keys.
type tally struct {
	Estimate
	candidate *Candidate
	documents int64
	perKey    float64 // documents for each key, on average
	ranges    []counting
	wholes    []wholeKeypath
	point     int64 // whole primary keys among the parts
	declared  bool  // entries of a declared index among them
	counters  bool  // the counters have all its keys, and no others
	unusable  bool
	whole     bool // all ranges have been counted

	// remembered is how many keys there were at least, a while ago; upper how many there may be at
	// most, by how they lay then. They are 0 where nothing is remembered.
	remembered, upper int64

	streaming kv.Streaming // how keys are fetched

	at      int // the range that is being counted
	it      kv.Iterator
	counted int64
	seen    map[string]struct{} // documents; nil if each key is another one's
}

// counting is a range of keys to be counted.
type counting struct {
	kv.Range
	of        int  // which of the wholes it is a part of
	documents bool // of documents, not of entries
}

// wholeKeypath is all keys that a range is a part of.
type wholeKeypath struct {
	kv.Range
	keys int64
}

// count counts the candidates in rounds until the choice is settled, then estimates the
// others that are wanted.
func (e Estimator) count(tallies []tally, documents int64, opts EstimateOptions) error {
	defer func() {
		for i := range tallies {
			tallies[i].close()
		}
	}()
	scan := costScannedDocument * float64(documents)
	// One that is counted alone and in any case is counted far.
	if len(tallies) == 1 && (tallies[0].seen != nil || opts.Refine || opts.Rough) {
		tallies[0].streaming = kv.StreamAll
	}
	if opts.remembers() {
		if e.foreseen(tallies, scan) {
			return nil
		}
		done, err := e.beaten(tallies)
		if done || err != nil {
			return err
		}
	}
	for limit := int64(firstRound); limit <= maxCounted; limit *= roundGrowth {
		open := false
		for i := range tallies {
			t := &tallies[i]
			if t.whole || t.unusable {
				continue
			}
			if err := e.advance(t, limit); err != nil {
				return err
			}
			open = open || !t.whole
		}
		if !open || settled(tallies, scan) && !opts.Refine && !opts.Rough {
			break
		}
		if opts.Rough && limit >= maxRough {
			break
		}
		if len(tallies) == 1 && tallies[0].seen == nil && !opts.Refine && !opts.Rough {
			break // a size estimate will do against the full scan
		}
	}
	if opts.remembers() {
		e.remember(tallies)
	}
	return e.finish(tallies, scan, opts)
}

// isRange reports whether the tally is of a single range, each key of which is another document.
func (t *tally) isRange() bool {
	return len(t.ranges) == 1 && t.seen == nil && t.point == 0 && !t.unusable && !t.declared
}

// foreseen reports whether a lone candidate costs less than to read all documents, by the remembered spread of its
// keys. Then its keys are not counted.
func (e Estimator) foreseen(tallies []tally, scan float64) bool {
	if len(tallies) != 1 || tallies[0].whole || !tallies[0].isRange() {
		return false
	}
	t := &tallies[0]
	t.upper = t.rememberedUpper(knownOf(e.From))
	t.Least = t.most() < scan
	return t.Least
}

// rememberedUpper is how many keys a tally of a single range has at most, by how they lay a while ago.
func (t *tally) rememberedUpper(known *Known) int64 {
	part, _ := known.share(t.wholes[0], t.ranges[0].Range)
	return int64(math.Ceil(float64(t.wholes[0].keys) * (part + shareSlack)))
}

// Few reports whether a candidate is found to have at most so many keys, counted at the reader's version. It reads no
// more than these, and the next reader of the ranges goes on behind them.
func (e Estimator) Few(c Candidate, most int64) (bool, error) {
	documents, _, err := e.Documents()
	if err != nil {
		return false, err
	}
	var t tally
	if err := e.begin(&t, &c, documents); err != nil {
		return false, err
	}
	defer t.close()
	if !t.whole {
		if err := e.advance(&t, most); err != nil {
			return false, err
		}
	}
	return t.whole && t.Exact && t.Keys <= most, nil
}

// beaten counts the candidates of which nothing is remembered. If one of them comes to its end soon, with fewer
// documents than the others are remembered to have had, the others are not counted. That one costs little in any
// case.
func (e Estimator) beaten(tallies []tally) (done bool, err error) {
	known := knownOf(e.From)
	if known == nil || len(tallies) < 2 {
		return false, nil
	}
	found := false
	for i := range tallies {
		if t := &tallies[i]; t.isRange() {
			t.remembered = min(known.atLeast(t.wholes[0], t.ranges[0].Range), t.Bound)
			found = found || t.remembered > 0
		}
	}
	if !found {
		return false, nil
	}
	most := math.Inf(1)
	for i := range tallies {
		t := &tallies[i]
		if t.remembered > 0 || t.unusable {
			continue
		}
		if err := e.advance(t, firstRound); err != nil {
			return false, err
		}
		if t.whole && t.met() < intersectFrom {
			most = min(most, t.most())
		}
	}
	for i := range tallies {
		if t := &tallies[i]; !t.whole && !t.unusable && t.least() < most {
			for i := range tallies {
				tallies[i].remembered = 0
			}
			return false, nil
		}
	}
	for i := range tallies {
		if t := &tallies[i]; !t.whole {
			t.Least = true
			t.Keys, t.Documents = max(t.counted+t.point, t.remembered), max(t.met(), t.remembered)
		}
	}
	return true, nil
}

// remember notes the counts for the next statement, and bounds a lone candidate's keys by their remembered spread.
func (e Estimator) remember(tallies []tally) {
	known := knownOf(e.From)
	for i := range tallies {
		t := &tallies[i]
		switch {
		case t.whole || !t.isRange():
		case len(tallies) == 1:
			t.upper = t.rememberedUpper(known)
		case t.counted >= firstRound:
			known.putAtLeast(t.wholes[0], t.ranges[0].Range, t.counted)
		}
	}
}

// finish estimates the tallies that were not counted to their end. Where the choice is
// settled without it, the count so far stays as a lower bound.
func (e Estimator) finish(tallies []tally, scan float64, opts EstimateOptions) error {
	decided := settled(tallies, scan) && !opts.Refine && !opts.Rough && !opts.Sized
	if decided && !opts.Refine && worthIntersecting(tallies) {
		decided = false
	}
	for i := range tallies {
		t := &tallies[i]
		switch {
		case t.whole:
		case t.unusable, decided:
			t.Least = true
			t.Keys, t.Documents = t.counted+t.point, t.met()
		default:
			if err := e.bySize(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// worthIntersecting reports whether two candidates or more could be intersected, each
// of them with enough documents.
func worthIntersecting(tallies []tally) bool {
	n := 0
	for i := range tallies {
		t := &tallies[i]
		switch {
		case t.unusable:
		case t.candidate.Mergeable && t.met() >= intersectFrom:
			n++
		case t.whole:
			return false // it alone is cheap
		}
	}
	return n > 1
}

// settled reports whether one way, a candidate or the full scan, costs no more
// than any other can.
func settled(tallies []tally, scan float64) bool {
	best, most := -1, scan
	for i := range tallies {
		if t := &tallies[i]; !t.unusable && t.most() < most {
			best, most = i, t.most()
		}
	}
	for i := range tallies {
		if t := &tallies[i]; i != best && !t.unusable && t.least() < most {
			return false
		}
	}
	return true
}

// most and least bound the candidate's cost.
func (t *tally) most() float64 {
	if t.whole {
		return cost(t.candidate, t.Estimate)
	}
	e := t.Estimate
	e.Keys, e.Documents = t.Bound, t.Bound
	if t.upper >= t.counted && t.upper > 0 {
		e.Keys, e.Documents = min(t.Bound, t.upper), min(t.Bound, t.upper)
	}
	if t.seen != nil {
		e.Documents = min(t.Bound, t.documents)
	}
	return cost(t.candidate, e)
}

func (t *tally) least() float64 {
	e := t.Estimate
	e.Keys, e.Documents = max(t.counted, t.remembered), max(t.met(), t.remembered)
	return cost(t.candidate, e)
}

// met is the number of documents that have been met.
func (t *tally) met() int64 {
	if t.seen != nil {
		return int64(len(t.seen)) + t.point
	}
	return t.counted + t.point
}

// advance counts keys up to a limit.
func (e Estimator) advance(t *tally, limit int64) error {
	opened := int64(0)
	for t.at < len(t.ranges) {
		r := &t.ranges[t.at]
		if t.it == nil {
			if opened++; opened > max(1, limit/keysPerRange) && t.at > 0 {
				return nil
			}
			t.it = ahead.ReadTwice(e.From, r.Range, kv.RangeOptions{Streaming: t.streaming})
		}
		for t.counted < limit {
			if !t.it.Next() {
				if err := t.it.Err(); err != nil {
					return fmt.Errorf("costing: count keys: %w", err)
				}
				t.close()
				break
			}
			if err := e.countKey(t, r.documents); err != nil {
				return err
			}
		}
		if t.it != nil {
			break
		}
		t.at++
	}
	if t.at == len(t.ranges) || t.counted+t.point >= t.Bound {
		t.end()
	}
	return nil
}

// end notes that all keys have been counted. Whether whole primary keys have documents was
// not checked.
func (t *tally) end() {
	t.whole, t.Exact = true, t.point == 0
	t.Keys, t.Documents = t.counted+t.point, t.met()
}

// countKey counts the key that the iterator stands on.
func (e Estimator) countKey(t *tally, ofDocument bool) error {
	var pk []byte
	var err error
	switch {
	case ofDocument:
		var chunk int64
		if pk, chunk, err = e.Keys.SplitDocument(t.it.Key()); err == nil && chunk > 0 {
			return nil // of a document that has been counted
		}
	case t.seen != nil:
		pk, err = e.Keys.SplitEntryPK(t.it.Key())
	}
	if err != nil {
		return err
	}
	t.counted++
	if t.seen != nil {
		t.seen[string(pk)] = struct{}{}
	}
	return nil
}

// settle takes an estimate of the keys, within the certain bounds.
func (t *tally) settle(keys float64) error {
	t.Keys = min(max(int64(keys), t.counted)+t.point, t.Bound)
	t.Documents = t.Keys
	if t.seen != nil {
		t.Documents = min(max(t.met(), int64(t.perKey*float64(t.Keys))), t.documents, t.Keys)
	}
	return nil
}

func (t *tally) close() {
	if t.it != nil {
		t.it.Close()
		t.it = nil
	}
}
