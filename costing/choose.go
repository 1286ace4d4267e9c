package costing

import "fmt"

// The costs of an access path, in units of one document read in a full scan. Measured on
// Pebble with documents of 500 bytes: a scanned document takes 0.10 µs to read and about 2
// µs to decode. A document fetched by its key takes 2.3 µs and the same decoding. An index
// key, or a document's key whose text is not looked at, takes 0.10 µs, and a range of keys
// 5 µs to open.
const (
	costScannedDocument = 1.0
	costFetchedDocument = 2.0
	costEntry           = 0.05
	costRange           = 2.5
)

// freeRanges is how many ranges a candidate may have at no cost. Against the full scan
// of a table so small that a few more matter, nothing is gained or lost.
const freeRanges = 8

// Choice is the outcome of Choose.
type Choice struct {
	// Chosen is the index of the candidate, or -1 for a full scan.
	Chosen int
	// Members are the candidates whose documents are intersected, the one with the fewest
	// first, if that costs less than each alone; Chosen is the first of them then.
	Members []int
	// Joint is the estimated number of documents that the members have in common.
	Joint int64
	Cost  float64
	// Why has the reason why each candidate was chosen or lost.
	Why []Reason
	// FullScan is the cost of reading every document.
	FullScan float64
}

// Reason is why a candidate was chosen or lost. It becomes a text only when it is shown.
type Reason struct {
	// Text is the whole reason, or a format with a verb for each of the costs.
	Text     string
	costs    [2]float64
	mentions int // how many of the costs Text has
}

// String implements fmt.Stringer.
func (r Reason) String() string {
	switch r.mentions {
	case 0:
		return r.Text
	case 1:
		return fmt.Sprintf(r.Text, r.costs[0])
	}
	return fmt.Sprintf(r.Text, r.costs[0], r.costs[1])
}

// Chooser chooses how a table of so many documents is read: Choose and ChooseIndex are two.
type Chooser func(documents int64, candidates []Candidate, estimates []Estimate) Choice

// Choose takes the cheapest usable candidate, or several of which the documents are
// intersected, or the full scan when none is cheaper. It is a pure function of its
// arguments; equal costs go to the earlier candidate.
func Choose(documents int64, candidates []Candidate, estimates []Estimate) Choice {
	return choose(documents, candidates, estimates, false)
}

// ChooseIndex is Choose without a full scan, if any candidate can be used.
func ChooseIndex(documents int64, candidates []Candidate, estimates []Estimate) Choice {
	return choose(documents, candidates, estimates, true)
}

func choose(documents int64, candidates []Candidate, estimates []Estimate, forced bool) Choice {
	c := Choice{Chosen: -1, FullScan: costScannedDocument * float64(documents), Why: make([]Reason, len(candidates))}
	costs := make([]float64, len(candidates))
	for i := range candidates {
		if c.Why[i].Text = unusable(&candidates[i], estimates[i]); c.Why[i].Text != "" {
			continue
		}
		costs[i] = cost(&candidates[i], estimates[i])
		if c.Chosen < 0 || costs[i] < costs[c.Chosen] {
			c.Chosen = i
		}
	}
	if c.Chosen < 0 {
		c.Cost = c.FullScan
		return c
	}
	c.Cost = costs[c.Chosen]
	c.intersect(documents, candidates, estimates)
	if c.Cost > c.FullScan && !forced && !candidates[c.Chosen].PrimaryKey {
		c.Chosen, c.Members, c.Joint, c.Cost = -1, nil, 0, c.FullScan
	}
	c.explain(costs)
	return c
}

// unusable is the reason why a candidate can't be used; empty if it can.
func unusable(c *Candidate, e Estimate) string {
	switch {
	case e.Incomplete:
		return "unusable: some values have no entries"
	case c.NeedsAllPresent && e.Missing > 0:
		return fmt.Sprintf("unusable: %d documents lack the keypath and have no entry", e.Missing)
	}
	return ""
}

// cost is the cost of a usable candidate.
func cost(c *Candidate, e Estimate) float64 {
	keys, documents := float64(e.Keys), float64(e.documents())
	ranges := costRange * float64(max(0, c.ranges()-freeRanges))
	switch {
	case c.EntriesOnly:
		return ranges + costEntry*keys
	case c.PrimaryKey && c.Spans.IsPoint() && e.Bound <= 1:
		return 0 // one get of a whole key
	case c.PrimaryKey:
		return ranges + costScannedDocument*keys
	}
	return ranges + (costEntry+costFetchedDocument)*documents + costEntry*(keys-documents)
}

// documents is Documents, or Keys if that is 0.
func (e Estimate) documents() int64 {
	if e.Documents == 0 {
		return e.Keys
	}
	return e.Documents
}

// explain fills in why the usable candidates were chosen or lost.
func (c *Choice) explain(costs []float64) {
	for i := range c.Why {
		switch {
		case c.Why[i].Text != "":
		case c.Chosen < 0:
			c.Why[i] = Reason{"cost %.1f, a full scan costs %.1f", [2]float64{costs[i], c.FullScan}, 2}
		case len(c.Members) > 0:
			c.Why[i] = Reason{"cost %.1f, an intersection costs %.1f", [2]float64{costs[i], c.Cost}, 2}
		case i == c.Chosen:
			c.Why[i] = Reason{"chosen: cost %.1f", [2]float64{costs[i]}, 1}
		default:
			c.Why[i] = Reason{"cost %.1f, the chosen one costs %.1f", [2]float64{costs[i], c.Cost}, 2}
		}
	}
}
