package costing

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// countedKeys is how many keys of a candidate's spans are counted before the
// store's size estimate is asked for the rest.
const countedKeys = 128

// Estimator estimates candidates from the counts at one read version. Give it
// a snapshot reader: planning must not conflict with writers.
type Estimator struct {
	Statistics
	// Number maps a spelled keypath to its number; ok is false when no
	// document ever had it.
	Number func(keypath string) (n int64, ok bool, err error)
}

// Estimate says what the counts know of the candidate.
func (e Estimator) Estimate(c Candidate) (Estimate, error) {
	documents, _, err := e.Documents()
	if err != nil {
		return Estimate{}, err
	}
	if c.PrimaryKey {
		return e.primaryKey(c, documents)
	}
	number, ok, err := e.Number(c.Keypath)
	if err != nil {
		return Estimate{}, err
	}
	if !ok {
		return Estimate{Exact: true, Missing: documents}, nil
	}
	kinds, err := e.Keypath(number)
	if err != nil {
		return Estimate{}, err
	}
	out := Estimate{Missing: documents - kinds.Total().Documents, Incomplete: kinds[indexes.KindOmitted].Documents > 0}
	versions := c.Versions
	if len(versions) == 0 {
		versions = indexes.InVersion(0, c.Spans)
	}
	for kind, n := range kinds {
		if slices.ContainsFunc(versions, func(v indexes.VersionSpans) bool { return touches(v.Spans, kind) }) {
			out.Bound += n.Entries
		}
	}
	if out.Bound == 0 {
		out.Exact = true
		return out, nil
	}
	var ranges []kv.Range
	whole := e.Keys.KeypathEntries(number, versions[0].Version)
	for _, v := range versions {
		of := e.Keys.KeypathEntries(number, v.Version)
		if bytes.Compare(of.Start, whole.Start) < 0 {
			whole.Start = of.Start
		}
		if bytes.Compare(of.End, whole.End) > 0 {
			whole.End = of.End
		}
		for _, s := range v.Spans {
			ranges = append(ranges, e.Keys.EntrySpan(number, v.Version, s.Start, s.End))
		}
	}
	out.Keys, out.Exact, err = e.within(ranges, whole, kinds.Total().Entries, out.Bound)
	return out, err
}

func (e Estimator) primaryKey(c Candidate, documents int64) (Estimate, error) {
	out := Estimate{Bound: documents}
	if c.Spans.IsPoint() && e.Keys.PrimaryKeyParts() == 1 {
		out.Keys, out.Bound, out.Exact = min(1, documents), min(1, documents), documents == 0
		return out, nil
	}
	ranges := make([]kv.Range, len(c.Spans))
	for i, s := range c.Spans {
		ranges[i] = e.Keys.DocumentSpan(s.Start, s.End)
	}
	var err error
	out.Keys, out.Exact, err = e.within(ranges, e.Keys.Documents(), documents, documents)
	return out, err
}

// within counts the keys of the ranges up to a bounded number; beyond it, the
// share of the whole's bytes that the store estimates scales the whole's count.
func (e Estimator) within(ranges []kv.Range, whole kv.Range, wholeKeys, bound int64) (keys int64, exact bool, err error) {
	left := countedKeys
	for i, r := range ranges {
		it := e.From.Range(r, kv.RangeOptions{Limit: left + 1, Streaming: kv.StreamSmall})
		n := 0
		for n <= left && it.Next() {
			n++
		}
		err := it.Err()
		it.Close()
		if err != nil {
			return 0, false, fmt.Errorf("costing: count keys: %w", err)
		}
		keys += int64(n)
		if left -= n; left >= 0 {
			continue
		}
		if bound <= keys {
			return bound, i == len(ranges)-1, nil
		}
		return e.bySize(ranges, whole, wholeKeys, bound, keys)
	}
	return keys, true, nil
}

func (e Estimator) bySize(ranges []kv.Range, whole kv.Range, wholeKeys, bound, counted int64) (int64, bool, error) {
	all := e.From.EstimateSize(whole)
	parts := make([]kv.FutureInt64, len(ranges))
	for i, r := range ranges {
		parts[i] = e.From.EstimateSize(r)
	}
	total, err := all.Get()
	if err != nil {
		return 0, false, fmt.Errorf("costing: estimate size: %w", err)
	}
	var within int64
	for _, p := range parts {
		n, err := p.Get()
		if err != nil {
			return 0, false, fmt.Errorf("costing: estimate size: %w", err)
		}
		within += n
	}
	if total <= 0 {
		return bound, false, nil
	}
	keys := int64(float64(wholeKeys) * min(1, float64(within)/float64(total)))
	return min(max(keys, counted), bound), false, nil
}

// touches reports whether values of the kind may lie in the spans.
func touches(spans indexes.Spans, kind document.Kind) bool {
	var class byte
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
		return len(spans.Intersect(indexes.Spans{{Start: ordered.ClassStart(ordered.ClassString), End: ordered.ClassEnd(ordered.ClassString)},
			{Start: ordered.ClassStart(ordered.ClassDate)}})) > 0
	default:
		class = ordered.ClassNumber
	}
	return len(spans.Intersect(indexes.Spans{{Start: ordered.ClassStart(class), End: ordered.ClassEnd(class)}})) > 0
}
