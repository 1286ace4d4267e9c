package histories

import (
	"fmt"
	"strings"
	"testing"
)

// TestReplayCheck: the checker finds what is not strictly serializable in histories made by hand, and nothing in those
// that are.
func TestReplayCheck(t *testing.T) {
	count := func(saw string) move {
		return move{query: "count", saw: saw, apply: func(s *replayState) string { return fmt.Sprint(len(s.t)) }}
	}
	insert := func(id int) move {
		return move{query: fmt.Sprintf("insert %d", id), saw: "1", apply: func(s *replayState) string {
			if _, there := s.t[id]; there {
				return "duplicate"
			}
			s.t[id] = replayRow{}
			return "1"
		}}
	}
	at := func(x int, call, end int64, moves ...move) passage {
		return passage{x: x, call: call, end: end, moves: moves}
	}
	with := func(p passage, o deedOutcome) passage {
		p.outcome = o
		return p
	}
	for name, c := range map[string]struct {
		history []passage
		order   []int
		want    string
	}{
		"one after the other": {[]passage{at(1, 0, 1, insert(1)), at(2, 2, 3, count("1"), insert(2)),
			at(0, 4, 5, count("2"))}, []int{1, 2}, ""},
		"a read at any time": {[]passage{at(1, 0, 9, insert(1)), at(2, 0, 9, insert(2)), at(0, 0, 9, count("1"))},
			[]int{2, 1}, ""},
		"lost":    {[]passage{at(1, 0, 1, insert(1))}, nil, "lost"},
		"ghost":   {[]passage{with(at(1, 0, 1, insert(1)), deedUndone)}, []int{1}, "ghost"},
		"garbage": {nil, []int{1}, "garbage"},
		"unknown, not happened": {[]passage{with(at(1, 0, 1, insert(1)), deedUnknown), at(0, 2, 3, count("0"))}, nil,
			""},
		"unknown, happened": {[]passage{with(at(1, 0, 1, insert(1)), deedUnknown), at(0, 2, 3, count("0")),
			at(0, 4, 5, count("1"))}, []int{1}, ""},
		"unknown, seen and gone": {[]passage{with(at(1, 0, 1, insert(1)), deedUnknown), at(0, 2, 3, count("1")),
			at(0, 4, 5, count("0"))}, []int{1}, "read"},
		"stale read":         {[]passage{at(1, 0, 1, insert(1)), at(0, 2, 3, count("0"))}, []int{1}, "read"},
		"read of the future": {[]passage{at(0, 0, 1, count("1")), at(1, 2, 3, insert(1))}, []int{1}, "read"},
		"read that goes back": {[]passage{at(1, 0, 9, insert(1)), at(0, 1, 2, count("1")), at(0, 3, 4, count("0"))},
			[]int{1}, "read"},
		"phantom": {[]passage{at(1, 0, 9, count("0"), insert(1)), at(2, 0, 9, count("0"), insert(2))},
			[]int{1, 2}, "write"},
		"two of one key":     {[]passage{at(1, 0, 9, insert(1)), at(2, 0, 9, insert(1))}, []int{1, 2}, "write"},
		"order against time": {[]passage{at(1, 0, 1, insert(1)), at(2, 2, 3, insert(2))}, []int{2, 1}, "real time"},
		"read of two states": {[]passage{at(1, 0, 9, insert(1)), at(0, 0, 9, count("0"), count("1"))}, []int{1},
			"read"},
		"refused, read of one state": {[]passage{at(1, 0, 9, insert(1)),
			with(at(2, 0, 9, count("1"), insert(2)), deedUndone)}, []int{1}, ""},
		"refused, read of two": {[]passage{at(1, 0, 9, insert(1)), with(at(2, 0, 9, count("1"), count("0")), deedUndone)},
			[]int{1}, "read"},
	} {
		places := map[int]int{}
		for i, x := range c.order {
			places[x] = i
		}
		var have []string
		for _, f := range checkReplay(&replayState{t: map[int]replayRow{}}, c.history, places) {
			kind, _, _ := strings.Cut(f, ":")
			have = append(have, kind)
		}
		if got := strings.Join(have, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
