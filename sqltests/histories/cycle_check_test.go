package histories

import (
	"math"
	"strings"
	"testing"
)

// TestCycleCheck: the checker names each anomaly, on histories that have it, and finds none in those that
// are strictly serializable.
func TestCycleCheck(t *testing.T) {
	read := func(key int, saw ...int) access { return access{key: key, saw: saw} }
	put := func(key, value int) access { return access{write: true, key: key, value: value} }
	during := func(call, end int64, accesses ...access) deed { return deed{call: call, end: end, accesses: accesses} }
	unknown := func(call int64, accesses ...access) deed {
		return deed{call: call, end: math.MaxInt64, accesses: accesses, outcome: deedUnknown}
	}
	undone := func(call, end int64, accesses ...access) deed {
		return deed{call: call, end: end, accesses: accesses, outcome: deedUndone}
	}
	for name, c := range map[string]struct {
		deeds []deed
		order map[int]map[int]int
		want  string // the anomalies' names
	}{
		"nothing": {nil, nil, ""},
		"one after the other": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 2), read(0, 1, 2)),
			during(4, 5, read(0, 1, 2))}, nil, ""},
		"at the same time": {[]deed{during(0, 9, put(0, 1)), during(0, 9, put(0, 2)), during(0, 9, read(0)),
			during(10, 11, read(0, 2, 1))}, nil, ""},
		"G0: two keys written in two orders": {[]deed{during(0, 9, put(0, 1), put(1, 2)), during(0, 9, put(0, 3), put(1, 4)),
			during(10, 11, read(0, 1, 3), read(1, 4, 2))}, nil, "G0"},
		"G1a": {[]deed{undone(0, 1, put(0, 1)), during(2, 3, read(0, 1))}, nil, "G1a"},
		"G1b": {[]deed{during(0, 9, put(0, 1), put(0, 2)), during(0, 9, read(0, 1)), during(10, 11, read(0, 1, 2))}, nil,
			"G1b G-single"},
		"G1c: each reads the other": {[]deed{during(0, 9, put(0, 1), read(1, 2)), during(0, 9, put(1, 2), read(0, 1)),
			during(10, 11, read(0, 1), read(1, 2))}, nil, "G1c"},
		"G-single: lost update": {[]deed{during(0, 9, read(0), put(0, 1)), during(0, 9, read(0), put(0, 2)),
			during(10, 11, read(0, 1, 2))}, nil, "G-single"},
		"G-single: read skew": {[]deed{during(0, 9, put(0, 1), put(1, 2)), during(0, 9, read(0, 1), read(1)),
			during(10, 11, read(0, 1), read(1, 2))}, nil, "G-single"},
		"G2: write skew": {[]deed{during(0, 9, read(0), put(1, 1)), during(0, 9, read(1), put(0, 2)),
			during(10, 11, read(0, 2), read(1, 1))}, nil, "G2"},
		"G2: long fork": {[]deed{during(0, 9, put(0, 1)), during(0, 9, put(1, 2)), during(0, 9, read(0, 1), read(1)),
			during(0, 9, read(0), read(1, 2)),
			during(10, 11, read(0, 1), read(1, 2))}, nil, "G2"},
		"stale read": {[]deed{during(0, 1, put(0, 1)), during(2, 3, read(0)), during(4, 5, read(0, 1))},
			nil, "G-single-realtime"},
		"written before what ended": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 2)),
			during(4, 5, read(0, 2, 1))}, nil, "G0-realtime"},
		"read before it is written": {[]deed{during(0, 1, read(0, 1)), during(2, 3, put(0, 1)),
			during(4, 5, read(0, 1))}, nil, "G1c-realtime"},
		"write skew, one after the other": {[]deed{during(0, 1, read(0), put(1, 1)), during(2, 3, read(1), put(0, 2)),
			during(4, 5, read(0, 2), read(1, 1))}, nil, "G2"},
		"lost": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 2)), during(4, 5, read(0, 2))}, nil,
			"lost"},
		"doubled":            {[]deed{during(0, 1, put(0, 1)), during(2, 3, read(0, 1, 1))}, nil, "duplicate"},
		"garbage":            {[]deed{during(2, 3, read(0, 7))}, nil, "garbage"},
		"own write not seen": {[]deed{during(0, 1, put(0, 1), read(0)), during(2, 3, read(0, 1))}, nil, "internal"},
		"read twice": {[]deed{during(0, 9, put(0, 1)), during(0, 9, read(0), read(0, 1)), during(10, 11, read(0, 1))},
			nil, "internal G-single"},
		"two orders": {[]deed{during(0, 9, put(0, 1)), during(0, 9, put(0, 2)), during(0, 9, read(0, 1)),
			during(10, 11, read(0, 2, 1))},
			nil, "incompatible order"},
		"unknown, happened": {[]deed{unknown(0, put(0, 1)), during(2, 3, read(0)), during(4, 5, read(0, 1))}, nil,
			""},
		"unknown, not happened": {[]deed{unknown(0, put(0, 1)), during(2, 3, read(0)), during(4, 5, read(0))}, nil, ""},
		"unknown, happened by half": {[]deed{unknown(0, put(0, 1), put(1, 2)), during(4, 5, read(0, 1), read(1))}, nil,
			"lost"},
		"unknown, before it began": {[]deed{during(0, 1, read(0, 1)), unknown(2, put(0, 1)), during(4, 5, read(0, 1))},
			nil, "G1c-realtime"},
		"unknown, seen and gone": {[]deed{unknown(0, put(0, 1)), during(2, 3, read(0, 1)), during(4, 5, read(0))}, nil,
			"G-single-realtime"},
		"unknown, read skew of its": {[]deed{unknown(0, read(1), put(0, 1)), during(2, 9, put(1, 2), read(0, 1)),
			during(10, 11, read(0, 1), read(1, 2))}, nil, ""},
		"unknown, write skew": {[]deed{unknown(0, read(1), put(0, 1)), during(0, 9, read(0), put(1, 2)),
			during(10, 11, read(0, 1), read(1, 2))}, nil, "G2"},
		"registers": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 2)), during(4, 5, read(0, 2))},
			map[int]map[int]int{0: {1: 1, 2: 2}}, ""},
		"register, stale": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 2)), during(4, 5, read(0, 1))},
			map[int]map[int]int{0: {1: 1, 2: 2}}, "G-single-realtime"},
		"register, versions skipped": {[]deed{during(0, 1, put(0, 1)), during(2, 3, put(0, 3)), during(4, 5, read(0, 1))},
			map[int]map[int]int{0: {1: 1, 3: 7}}, "G-single-realtime"},
		"register, two of one number": {[]deed{during(0, 9, put(0, 1)), during(0, 9, put(0, 2)), during(10, 11, read(0, 2))},
			map[int]map[int]int{0: {1: 1, 2: 1}}, "incompatible order"},
	} {
		var have []string
		for _, a := range checkCycles(c.deeds, c.order) {
			kind, _, _ := strings.Cut(a, ":")
			have = append(have, kind)
		}
		if got := strings.Join(have, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
