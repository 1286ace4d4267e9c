package collection

import (
	"context"
	"errors"
	"slices"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/document"
)

// search finds the first id of an entry whose document is behind a value.
type search struct {
	index    layout.Index
	key      string
	value    document.Value
	from     bool     // finds the first that is at the value, too
	ids      []string // of the entry
	cand     []int    // indexes in ids of ids that are not known to be out of place
	lo, hi   int      // in cand
	done     func(at int)
	probes   []int
	finished bool
}

func newSearch(x layout.Index, key string, value document.Value, ids []string) *search {
	s := &search{index: x, key: key, value: value, ids: ids, cand: make([]int, len(ids)), hi: len(ids)}
	for i := range ids {
		s.cand[i] = i
	}
	return s
}

// choose picks the candidates to be read next: n of them, evenly between the bounds.
func (s *search) choose(n int) {
	s.probes = s.probes[:0]
	for i := 1; i <= n; i++ {
		p := s.lo + (s.hi-s.lo)*i/(n+1)
		if len(s.probes) == 0 || s.probes[len(s.probes)-1] < p {
			s.probes = append(s.probes, p)
		}
	}
}

// narrow moves the bounds by the documents' places.
func (s *search) narrow(docs map[string]*Doc) {
	var astray []int
	lo, hi := s.lo, s.hi
	for _, p := range s.probes {
		d := docs[s.ids[s.cand[p]]]
		if d == nil {
			astray = append(astray, p)
			continue
		}
		key, last := s.index.Place(d.Body)
		if key != s.key {
			astray = append(astray, p)
			continue
		}
		c := s.index.Compare(last, s.value)
		if c < 0 || c == 0 && !s.from {
			lo = max(lo, p+1)
		} else {
			hi = min(hi, p)
		}
	}
	s.lo, s.hi = lo, max(lo, hi)
	for _, p := range slices.Backward(astray) {
		s.cand = slices.Delete(s.cand, p, p+1)
		if p < s.lo {
			s.lo--
		}
		if p < s.hi {
			s.hi--
		}
	}
}

// halve runs searches to their ends.
func (c *Collection) halve(ctx context.Context, searches []*search, docs map[string]*Doc) error {
	for {
		var want []string
		seen := map[string]bool{}
		open := false
		for _, s := range searches {
			if s.finished {
				continue
			}
			if s.lo >= s.hi {
				s.finished = true
				at := len(s.ids)
				if s.lo < len(s.cand) {
					at = s.cand[s.lo]
				}
				s.done(at)
				continue
			}
			open = true
			s.choose(c.o.Probes)
			for _, p := range s.probes {
				id := s.ids[s.cand[p]]
				if _, ok := docs[id]; !ok && !seen[id] {
					seen[id] = true
					want = append(want, id)
				}
			}
		}
		if !open {
			return nil
		}
		read := make([]*Doc, len(want))
		err := c.each(ctx, len(want), func(ctx context.Context, i int) (err error) {
			if read[i], err = c.read(ctx, want[i]); errors.Is(err, ErrDocument) {
				err = nil // a file without a document has no place in an entry
			}
			return err
		})
		if err != nil {
			return err
		}
		for i, id := range want {
			docs[id] = read[i]
		}
		for _, s := range searches {
			if !s.finished && s.lo < s.hi {
				s.narrow(docs)
			}
		}
	}
}

// Bounds finds the ids of an entry of a compound index whose documents' last values are from low to high, each
// unbounded if nil. They are in the order of the index, and found by halving. The ends may hold ids too many, none
// too few. ids are as Entry returns them.
func (c *Collection) Bounds(ctx context.Context, x layout.Index, key string, ids []string, low, high *document.Value) (
	[]string, error) {
	from, to := 0, len(ids)
	var searches []*search
	if low != nil {
		s := newSearch(x, key, *low, ids)
		s.from, s.done = true, func(at int) { from = at }
		searches = append(searches, s)
	}
	if high != nil {
		s := newSearch(x, key, *high, ids)
		s.done = func(at int) { to = at }
		searches = append(searches, s)
	}
	if err := c.halve(ctx, searches, map[string]*Doc{}); err != nil {
		return nil, err
	}
	return ids[from:max(from, to)], nil
}
