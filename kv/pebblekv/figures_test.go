package pebblekv

import (
	"testing"
	"time"
)

// TestCommitFigure: commits are counted at the bounds that they don't exceed, those above all of them too.
func TestCommitFigure(t *testing.T) {
	w := &watched{}
	for _, took := range []time.Duration{time.Microsecond, time.Millisecond, time.Millisecond + 1, time.Minute} {
		w.note(took, nil)
	}
	f := w.commitFigure()
	if f.Count != 4 || f.Value < 60 || f.Value > 61 || len(f.Buckets) != len(commitBounds) {
		t.Errorf("%+v", f)
	}
	for i, want := range map[int]uint64{0: 1, 3: 2, 4: 3, len(commitBounds) - 1: 3} {
		if f.Buckets[i].Count != want {
			t.Errorf("%d commits within %v, want %d", f.Buckets[i].Count, commitBounds[i], want)
		}
	}
}
