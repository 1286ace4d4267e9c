package histories

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// The checker of histories of any reads and writes. Each transaction that writes inserts a row into a table of its own,
// whose changes are read in the end: their sequences are said to be the order of all commits. So the transactions are
// played in this order on a model: each must see what it saw there, the order must agree with real time, and
// each transaction that only reads must have a place between two of them where it would see what it saw.

// replayRow is a document of the model.
type replayRow struct {
	n    *int // nil: null or not there
	g    int
	u    *int // unique
	w    *int // unique within g
	z    bool
	tags []int
}

// replayState is what the model holds.
type replayState struct {
	t     map[int]replayRow
	p     map[int]int
	saved *replayState // a savepoint
}

func (s *replayState) clone() *replayState {
	return &replayState{maps.Clone(s.t), maps.Clone(s.p), s.saved}
}

func (s *replayState) ids() []int { return slices.Sorted(maps.Keys(s.t)) }

// where are the keys, in order, of the documents that pass.
func (s *replayState) where(pass func(replayRow) bool) []int {
	return slices.DeleteFunc(s.ids(), func(id int) bool { return !pass(s.t[id]) })
}

// A move is one statement: what it does to the model and would answer, and what it has answered.
type move struct {
	query string
	apply func(*replayState) string
	saw   string
}

// A passage is one transaction of a client.
type passage struct {
	client    int
	call, end int64
	moves     []move // the completed ones
	x         int    // the number under which it is in the log; 0: it only reads
	outcome   deedOutcome
}

func (p passage) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "client %d, %d to %d, x = %d", p.client, p.call, p.end, p.x)
	for _, m := range p.moves {
		fmt.Fprintf(&text, "\n    %s -> %s", m.query, m.saw)
	}
	return text.String()
}

// play plays a transaction on a state and tells which of its answers are others; it returns the state after it.
func (p passage) play(on *replayState) (after *replayState, differs string) {
	s := on.clone()
	for _, m := range p.moves {
		if want := m.apply(s); want != m.saw && differs == "" {
			differs = fmt.Sprintf("%s: %s, the model says %s", m.query, m.saw, want)
		}
	}
	s.saved = nil
	return s, differs
}

// checkReplay returns what is wrong with a history. places are the places of transactions in the order of commits.
func checkReplay(start *replayState, history []passage, places map[int]int) []string {
	var found []string
	anomaly := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	var writes, reads []passage
	known := map[int]bool{}
	for _, p := range history {
		known[p.x] = true
		_, there := places[p.x]
		switch {
		case p.x == 0:
			reads = append(reads, p)
		case there && p.outcome == deedUndone:
			anomaly("ghost: committed, though it was refused: %v", p)
			writes = append(writes, p)
		case there:
			writes = append(writes, p)
		case p.outcome == deedDone:
			anomaly("lost: %v", p)
		default: // it has not happened, and what it has read was there
			reads = append(reads, p)
		}
	}
	for x := range places {
		if !known[x] {
			anomaly("garbage: nobody is number %d", x)
		}
	}
	slices.SortFunc(writes, func(a, b passage) int { return cmp.Compare(places[a.x], places[b.x]) })
	ended := func(p passage) int64 {
		if p.outcome == deedUnknown {
			return math.MaxInt64
		}
		return p.end
	}
	earliest := int64(math.MaxInt64)
	for i := len(writes) - 1; i >= 0; i-- {
		if earliest < writes[i].call {
			anomaly("real time: something that ended at %d was committed after %v", earliest, writes[i])
		}
		earliest = min(earliest, ended(writes[i]))
	}
	// Of each read, the first and the last place where real time lets it be.
	type window struct {
		passage
		first, last int
		tried       int // the last place that was tried, -1 for none
		differs     []string
	}
	var waiting []*window
	for _, r := range reads {
		w := &window{passage: r, last: len(writes), tried: -1}
		for i, other := range writes {
			if ended(other) < r.call {
				w.first = max(w.first, i+1)
			}
			if other.call > r.end {
				w.last = min(w.last, i)
			}
		}
		if w.first > w.last {
			anomaly("real time: nothing is both after what ended before and before what began after %v", r)
			continue
		}
		waiting = append(waiting, w)
	}
	slices.SortStableFunc(waiting, func(a, b *window) int { return cmp.Compare(a.call, b.call) })
	state := start
	for place := 0; place <= len(writes); place++ {
		// Each takes the first place that there is, behind those that ended before it began.
		for again := true; again; {
			again = false
			earliest := int64(math.MaxInt64)
			for _, w := range waiting {
				earliest = min(earliest, w.end)
			}
			waiting = slices.DeleteFunc(waiting, func(w *window) bool {
				if place < w.first || place > w.last || earliest < w.call || w.tried == place {
					return false
				}
				w.tried = place
				_, differs := w.play(state)
				if differs != "" {
					w.differs = append(w.differs, fmt.Sprintf("\n  at %d: %s", place, differs))
					return false
				}
				again = true
				return true
			})
		}
		waiting = slices.DeleteFunc(waiting, func(w *window) bool {
			if place == w.last {
				anomaly("read: there is no place from %d to %d for %v%s", w.first, w.last, w.passage, strings.Join(w.differs, ""))
			}
			return place == w.last
		})
		if place < len(writes) {
			after, differs := writes[place].play(state)
			if differs != "" {
				anomaly("write: at %d it would have seen otherwise: %s: %v", place, differs, writes[place])
			}
			state = after
		}
	}
	return found
}
