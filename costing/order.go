package costing

import (
	"fmt"
	"math"
	"slices"
)

// The costs of ordering, in the units of choose.go. Measured with 100,000 rows: sorting n
// of them by a number takes 0.24 µs times n log2 n. A key is put into a set in 0.31 µs and
// looked for in 0.08 µs.
const (
	costComparison = 0.1
	costKeyPut     = 0.15
	costKeyInSet   = 0.05
)

// unevenness is how many times the expected number of keys a walk is charged with whose
// matches only the documents show: they may lie at its end.
const unevenness = 2

// All is the number of rows of a statement without a limit.
const All = math.MaxInt64

// MaxKeySet bounds the primary keys that are kept in memory.
const MaxKeySet = 1_000_000

// OrderedWay is a way to read documents in a statement's order.
type OrderedWay struct {
	// Name is how people know the way.
	Name string
	// Unusable is the reason why the way would not give the rows or their order; empty if it does.
	Unusable string
	// Keys is how many entries the way has, or documents if Scan; exact or estimated, like the
	// counts.
	Keys int64
	// Scan: documents are read in the order of their primary keys, not fetched.
	Scan bool
	// Matching is how many of the keys lead to a document that satisfies the statement.
	Matching int64
	// EntriesOnly: no document is fetched.
	EntriesOnly bool
	// Filtered: only the documents show which of them satisfy the statement. Otherwise skipped
	// documents are not fetched.
	Filtered bool
	// Clustered: the way meets documents in the order of their arrival, and similar documents arrived together.
	Clustered bool
	// Set is how many keys are read first, to know from an entry alone whether its document
	// satisfies some conjuncts.
	Set int64
	// Group is how many documents are sorted together, beyond the wanted ones.
	Group int64
	// Missing is how many documents have no entry and are looked for among all.
	// They come first if MissingFirst.
	Missing      int64
	MissingFirst bool
	// Continues: the statement may go on at newer versions. Keys of several versions don't show which documents have no
	// entry: the documents themselves are read.
	Continues bool
}

// Wanted says how many rows a statement takes.
type Wanted struct {
	Skip int64
	Rows int64 // All without a limit
}

// Total is the number of wanted rows, including skipped ones.
func (w Wanted) Total() float64 { return w.last() }

// last is the number of rows until the statement ends.
func (w Wanted) last() float64 {
	if w.Rows == All {
		return math.Inf(1)
	}
	return float64(w.Skip) + float64(w.Rows)
}

// Sorted is the way that reads rows in any order and sorts them.
type Sorted struct {
	Name    string  // how people know it; "sorting" if empty
	Reading float64 // the cost of reading the rows
	Rows    int64   // how many are sorted
}

// OrderChoice is the outcome of ChooseOrder.
type OrderChoice struct {
	// Chosen is the index of the way, or -1 for sorting.
	Chosen  int
	Cost    float64
	Sorting float64 // the cost of reading and sorting
	// Keys is how many keys of the chosen way are thought to be read.
	Keys int64
	// Bound is how much the chosen way may read.
	Bound Bound
	// Why has the reason why each way was chosen or lost.
	Why []string
}

// ChooseOrder takes a way that reads no more than is wanted, or the cheapest way, or sorting when none is cheaper. It
// is a pure function of its arguments; equal costs go to the earlier way.
func ChooseOrder(documents int64, wanted Wanted, sorted Sorted, ways []OrderedWay) OrderChoice {
	c := OrderChoice{Chosen: -1, Sorting: sorted.cost(wanted), Why: make([]string, len(ways))}
	c.Cost = c.Sorting
	costs := make([]float64, len(ways))
	least := slices.IndexFunc(ways, func(w OrderedWay) bool { return w.ReadsLeast(wanted) })
	for i, w := range ways {
		if w.Unusable != "" {
			c.Why[i] = "unusable: " + w.Unusable
			continue
		}
		costs[i] = w.cost(float64(documents), wanted)
		if i == least {
			c.Chosen, c.Cost = i, costs[i]
		}
		if least < 0 && costs[i] <= c.Sorting && (c.Chosen < 0 || costs[i] < c.Cost) {
			c.Chosen, c.Cost = i, costs[i]
		}
	}
	if c.Chosen >= 0 {
		w := ways[c.Chosen]
		c.Keys = int64(math.Ceil(w.walked(wanted.last() + float64(w.Group))))
		c.Bound = w.bound(wanted, c.Sorting)
	}
	for i := range ways {
		switch {
		case i == c.Chosen:
			c.Why[i] = fmt.Sprintf("chosen: cost %.1f, %s costs %.1f", costs[i], sorted.name(), c.Sorting)
		case c.Why[i] == "" && c.Chosen < 0:
			c.Why[i] = fmt.Sprintf("cost %.1f, %s costs %.1f", costs[i], sorted.name(), c.Sorting)
		case c.Why[i] == "":
			c.Why[i] = fmt.Sprintf("cost %.1f, the chosen one costs %.1f", costs[i], c.Cost)
		}
	}
	return c
}

// FewRows: up to so many rows, a way that reads no others is chosen at once.
const FewRows = 500

// ReadsLeast reports whether the way reads the documents that are wanted and no others,
// and few: then nothing need be estimated.
func (w OrderedWay) ReadsLeast(wanted Wanted) bool {
	if w.Unusable != "" || w.Filtered || w.Set > 0 || w.Group > 0 || wanted.last() > FewRows {
		return false
	}
	return w.Missing == 0 || !w.MissingFirst && float64(w.Keys) >= wanted.last()
}

// Bound is how much a walk may read before it is given up. The zero value bounds nothing.
type Bound struct {
	Cost  float64 // in the units of choose.go
	entry float64 // the cost of an entry
}

// NewBound is the bound of a walk that may cost so much.
func NewBound(cost float64) Bound { return Bound{Cost: max(cost, costRange), entry: costEntry} }

// Exceeded reports whether a walk is to be given up that has read so many entries, has fetched so many documents
// by their keys, and has scanned so many.
func (b Bound) Exceeded(entries, fetched, scanned int64) bool {
	if b.Cost == 0 {
		return false
	}
	return b.entry*float64(entries)+costFetchedDocument*float64(fetched)+costScannedDocument*float64(scanned) > b.Cost
}

// bound is how much the way may read: as much as sorting costs. It applies where only the documents, or the keys of
// others, show which documents satisfy the statement, and so how far the way leads. So both together cost no more
// than twice the better one, wherever in its order the rows lie.
func (w OrderedWay) bound(wanted Wanted, sorting float64) Bound {
	if wanted.Rows == All || !w.Filtered && w.Set == 0 {
		return Bound{}
	}
	b := NewBound(sorting)
	if w.Set > 0 {
		b.entry += costKeyInSet
	}
	return b
}

func (s Sorted) name() string {
	if s.Name == "" {
		return "sorting"
	}
	return s.Name
}

func (s Sorted) cost(wanted Wanted) float64 {
	rows := float64(s.Rows)
	kept := min(rows, wanted.last())
	return s.Reading + costComparison*rows*math.Log2(max(2, kept))
}

// cost is the way's cost until the last wanted row.
func (w OrderedWay) cost(documents float64, wanted Wanted) float64 {
	cost := (costEntry + costKeyPut) * float64(w.Set)
	last := wanted.last()
	share := w.share()
	scan, keys := w.search(documents, w.until(wanted))
	cost += min(scan, keys)
	if w.MissingFirst {
		last = max(0, last-share*float64(w.Missing))
	}
	if last == 0 {
		return cost
	}
	return cost + w.walk(last+float64(w.Group), float64(wanted.Skip))
}

// share is the part of all documents that satisfies the statement.
func (w OrderedWay) share() float64 {
	if w.Keys == 0 {
		return 1
	}
	return float64(w.Matching) / float64(w.Keys)
}

// MissingByKeys reports whether the wanted ones of the missing documents are found at less
// cost by the keys of all entries and documents than by reading documents.
func (w OrderedWay) MissingByKeys(documents int64, wanted Wanted) bool {
	scan, keys := w.search(float64(documents), w.until(wanted))
	return keys < scan
}

// until is the row up to which missing documents are looked for. If they come first and fit in a group, they are
// sorted together with it.
func (w OrderedWay) until(wanted Wanted) float64 {
	if w.MissingFirst && w.Group >= w.Missing {
		return wanted.last() + float64(w.Group)
	}
	return wanted.last()
}

// search is the cost of finding the missing documents that are among the rows up to the
// last: by reading documents until they have been met, and by keys.
func (w OrderedWay) search(documents, last float64) (scan, keys float64) {
	until := last
	if !w.MissingFirst {
		until -= float64(w.Matching)
	}
	if w.Missing == 0 || until <= 0 {
		return 0, 0
	}
	matching := w.share() * float64(w.Missing)
	met := float64(w.Missing) // all matching ones are wanted, so none may be left
	if until < matching {
		met *= until / matching
	}
	scanned := expected(documents, float64(w.Missing), met)
	scan = costScannedDocument * scanned
	present := documents - float64(w.Missing)
	if present > MaxKeySet || w.Continues {
		return scan, math.Inf(1)
	}
	return scan, (costEntry+costKeyPut)*present + (costEntry+costKeyInSet)*scanned + costFetchedDocument*met
}

// walk is the cost of the keys until so many have matched.
func (w OrderedWay) walk(last, skipped float64) float64 {
	matching := min(last, float64(w.Matching))
	walked := w.walked(last)
	sorting := 0.0
	if w.Group > 0 {
		sorting = costComparison * matching * math.Log2(max(2, float64(w.Group)))
	}
	switch {
	case w.EntriesOnly:
		return costEntry*walked + sorting
	case w.Scan && w.Filtered:
		return costScannedDocument*walked + sorting
	case w.Scan:
		skipped = min(skipped, walked)
		return costEntry*skipped + costScannedDocument*(walked-skipped) + sorting
	case w.Filtered:
		fetched := walked
		if w.Set > 0 {
			fetched *= min(1, float64(w.Set)/float64(w.Keys))
		}
		return (costEntry+costKeyInSet)*walked + costFetchedDocument*fetched + sorting
	}
	keys := costEntry * walked
	if w.Set > 0 {
		keys += costKeyInSet * walked
	}
	return keys + costFetchedDocument*max(0, matching-skipped) + sorting
}

// walked is how many keys are read until so many have matched.
func (w OrderedWay) walked(last float64) float64 {
	n := expected(float64(w.Keys), float64(w.Matching), last)
	if w.Filtered && w.Clustered {
		n *= unevenness
	}
	if w.Filtered {
		return min(float64(w.Keys), unevenness*n)
	}
	return n
}

// expected is how many keys are walked until the wanted number of matching ones have been
// met, if these lie anywhere among them.
func expected(keys, matching, wanted float64) float64 {
	if wanted > matching {
		return keys
	}
	return min(keys, wanted*(keys+1)/(matching+1))
}
