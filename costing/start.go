package costing

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
)

// Start begins to read the counts that Documents, and Keypath of these numbers, return. It
// does not read known counts.
func (s Statistics) Start(numbers ...int64) {
	at, known := ahead.Of(s.From), knownOf(s.From)
	if !at.Starts() {
		return
	}
	if _, ok := known.documentsOf(s.Keys.Number()); !ok {
		at.Start(s.Keys.InfoDocuments())
		for _, f := range s.Formers {
			at.Start(f.InfoDocuments())
		}
	}
	for _, n := range numbers {
		if _, ok := known.keypath(knownKey{s.Keys.Number(), n}); ok {
			continue
		}
		for _, kind := range counted {
			at.Start(s.Keys.Counter(n, int64(kind)))
			for _, f := range s.Formers {
				at.Start(f.Counter(n, int64(kind)))
			}
		}
	}
}

// StartAll begins to read the counts that Documents and Keypaths return.
func (s Statistics) StartAll() {
	s.Start()
	at := ahead.Of(s.From)
	at.EnsureRange(s.Keys.AllCounters(), allCounters)
	for _, f := range s.Formers {
		at.EnsureRange(f.AllCounters(), allCounters)
	}
}

var allCounters = kv.RangeOptions{Streaming: kv.StreamAll}

// start begins to read the ranges that are counted first, where there are several.
func (e Estimator) start(tallies []tally) {
	at := ahead.Of(e.From)
	if !at.Starts() || len(tallies) == 1 && len(tallies[0].ranges) == 1 {
		return
	}
	for i := range tallies {
		t := &tallies[i]
		if t.whole || t.unusable {
			continue
		}
		for _, r := range t.ranges[:min(len(t.ranges), firstRound/keysPerRange)] {
			at.StartRange(r.Range, kv.RangeOptions{})
		}
	}
}
