package histories

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// The checker of histories of lists and registers, in the manner of Elle (Kingsbury and Alvaro,
// "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB 2020): what clients have
// read tells which transaction must stand before which, and a cycle in that is an anomaly. Every value
// is written once in a history, so that a value names its writer.

// An access is one step of a transaction on one key.
type access struct {
	write bool
	key   int
	value int   // written
	saw   []int // read: the values of the list, oldest first; of a register the last one alone
}

// A deed is a transaction as its client saw it.
type deed struct {
	client    int
	call, end int64 // end is math.MaxInt64 when the client had no answer
	accesses  []access
	outcome   deedOutcome
}

type deedOutcome int

const (
	deedDone    deedOutcome = iota // acknowledged
	deedUnknown                    // no answer, or one that says so
	deedUndone                     // refused or rolled back
)

func (d deed) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "client %d, %d to ", d.client, d.call)
	if d.end == math.MaxInt64 {
		text.WriteString("?")
	} else {
		fmt.Fprint(&text, d.end)
	}
	for _, a := range d.accesses {
		if a.write {
			fmt.Fprintf(&text, "; %d <- %d", a.key, a.value)
		} else {
			fmt.Fprintf(&text, "; %d = %v", a.key, a.saw)
		}
	}
	return text.String()
}

// edge says why one transaction stands before another.
type edge uint8

const (
	edgeWW   edge = 1 << iota // its version was replaced by the other's
	edgeWR                    // its version was read by the other
	edgeRW                    // it read the version that the other replaced
	edgeTime                  // it ended before the other began
)

func (e edge) String() string {
	var names []string
	for i, name := range []string{"ww", "wr", "rw", "time"} {
		if e&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "+")
}

// A cycleCheck looks at one history.
type cycleCheck struct {
	deeds   []deed
	version map[int][]int       // by key: the values in the order in which they were written, as far as read
	writer  map[int]int         // by value: the deed
	edges   []map[int]edge      // by deed: what stands behind it
	found   []string            // anomalies
	ordered map[int]map[int]int // of registers, by key: the place of each value among the versions
}

// checkCycles returns the anomalies of a history, none if it is strictly serializable as far as it
// tells. order gives, for keys that are registers, the values at each place among the key's versions.
func checkCycles(deeds []deed, order map[int]map[int]int) []string {
	c := &cycleCheck{deeds: deeds, version: map[int][]int{}, writer: map[int]int{},
		edges: make([]map[int]edge, len(deeds)), ordered: order}
	for i, d := range deeds {
		c.edges[i] = map[int]edge{}
		for _, a := range d.accesses {
			if !a.write {
				continue
			}
			if _, twice := c.writer[a.value]; twice {
				panic(fmt.Sprintf("value %d is written twice", a.value))
			}
			c.writer[a.value] = i
		}
	}
	c.settle()
	for i := range c.deeds {
		if c.deeds[i].outcome == deedDone {
			c.within(i)
		}
	}
	c.versions()
	c.lost()
	c.dependencies()
	c.realTime()
	c.cycles()
	return c.found
}

func (c *cycleCheck) anomaly(name, format string, args ...any) {
	c.found = append(c.found, name+": "+fmt.Sprintf(format, args...))
}

// settle finds the transactions of unknown outcome that have happened: somebody has read what they wrote.
func (c *cycleCheck) settle() {
	c.deeds = slices.Clone(c.deeds)
	for again := true; again; {
		again = false
		for _, d := range c.deeds {
			if d.outcome != deedDone {
				continue
			}
			for _, a := range d.accesses {
				if a.write {
					continue
				}
				for _, v := range a.saw {
					if w, ok := c.writer[v]; ok && c.deeds[w].outcome == deedUnknown {
						c.deeds[w].outcome, again = deedDone, true
					}
				}
			}
		}
	}
}

// within checks that a transaction sees its own writes, and otherwise one state.
func (c *cycleCheck) within(i int) {
	d := &c.deeds[i]
	mine, seen := map[int][]int{}, map[int][]int{}
	for n := range d.accesses {
		a := &d.accesses[n]
		if a.write {
			mine[a.key] = append(mine[a.key], a.value)
			continue
		}
		own := mine[a.key]
		if c.register(a.key) {
			if len(own) > 0 && (len(a.saw) != 1 || a.saw[0] != own[len(own)-1]) {
				c.anomaly("internal", "own write of key %d not seen: %v", a.key, *d)
			}
			if len(own) > 0 {
				continue
			}
		} else {
			if len(a.saw) < len(own) || !slices.Equal(a.saw[len(a.saw)-len(own):], own) {
				c.anomaly("internal", "own writes %v of key %d not seen: %v", own, a.key, *d)
				continue
			}
		}
		others := a.saw
		if !c.register(a.key) {
			others = a.saw[:len(a.saw)-len(own)]
		}
		if before, again := seen[a.key]; again && !slices.Equal(before, others) {
			c.anomaly("internal", "key %d read twice and otherwise: %v", a.key, *d)
		}
		seen[a.key] = others
	}
}

func (c *cycleCheck) register(key int) bool { return c.ordered[key] != nil }

// others is what a read has seen of other transactions, and whether it tells that.
func (c *cycleCheck) others(i int, n int) ([]int, bool) {
	d := &c.deeds[i]
	a := &d.accesses[n]
	own := 0
	for _, b := range d.accesses[:n] {
		if b.write && b.key == a.key {
			own++
		}
	}
	if c.register(a.key) {
		return a.saw, own == 0
	}
	return a.saw[:max(0, len(a.saw)-own)], true
}

// versions finds the order in which the values of each key were written.
func (c *cycleCheck) versions() {
	for _, key := range slices.Sorted(maps.Keys(c.ordered)) {
		places := c.ordered[key]
		values := slices.SortedFunc(maps.Keys(places), func(a, b int) int {
			return cmp.Or(cmp.Compare(places[a], places[b]), cmp.Compare(a, b))
		})
		for n, value := range values {
			if n > 0 && places[values[n-1]] == places[value] {
				c.anomaly("incompatible order", "values %d and %d of key %d are both version %d", values[n-1], value, key,
					places[value])
			}
		}
		c.version[key] = values
	}
	for i, d := range c.deeds {
		if d.outcome != deedDone {
			continue
		}
		for n, a := range d.accesses {
			if a.write || c.register(a.key) {
				continue
			}
			saw, _ := c.others(i, n)
			if have := c.version[a.key]; len(saw) > len(have) {
				c.version[a.key] = saw
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.version)) {
		values := c.version[key]
		once := map[int]bool{}
		for _, v := range values {
			if once[v] {
				c.anomaly("duplicate", "value %d of key %d is there twice: %v", v, key, values)
			}
			once[v] = true
			w, known := c.writer[v]
			switch {
			case !known:
				c.anomaly("garbage", "nobody has written value %d of key %d", v, key)
			case c.deeds[w].outcome == deedUndone:
				c.anomaly("G1a", "value %d of key %d was read and never committed: %v", v, key, c.deeds[w])
			}
		}
	}
	for i, d := range c.deeds {
		if d.outcome != deedDone {
			continue
		}
		for n, a := range d.accesses {
			if a.write {
				continue
			}
			saw, tells := c.others(i, n)
			if !tells {
				continue
			}
			if !c.register(a.key) {
				if have := c.version[a.key]; !slices.Equal(have[:min(len(have), len(saw))], saw) {
					c.anomaly("incompatible order", "key %d was read as %v and as %v", a.key, saw, have)
				}
			}
			if len(saw) == 0 {
				continue
			}
			last := saw[len(saw)-1]
			if w, known := c.writer[last]; known && w != i && c.finalOf(w, a.key) != last {
				c.anomaly("G1b", "value %d of key %d was read and is none that its transaction left: %v; %v", last, a.key, d,
					c.deeds[w])
			}
		}
	}
}

// finalOf is the value that a transaction left at a key.
func (c *cycleCheck) finalOf(i, key int) int {
	final := 0
	for _, a := range c.deeds[i].accesses {
		if a.write && a.key == key {
			final = a.value
		}
	}
	return final
}

// lost looks for appends of transactions that have happened that are in no list: each key is read at the end,
// when all have ended.
func (c *cycleCheck) lost() {
	for _, value := range slices.Sorted(maps.Keys(c.writer)) {
		w := c.writer[value]
		d := c.deeds[w]
		if d.outcome != deedDone {
			continue
		}
		for _, a := range d.accesses {
			if a.write && a.value == value && !c.register(a.key) && !slices.Contains(c.version[a.key], value) {
				c.anomaly("lost", "value %d of key %d is in no list, and its transaction has happened: %v", value, a.key, d)
			}
		}
	}
}

func (c *cycleCheck) connect(from, to int, e edge) {
	if from != to {
		c.edges[from][to] |= e
	}
}

// dependencies adds the edges that versions tell.
func (c *cycleCheck) dependencies() {
	place := map[int]int{}
	for _, values := range c.version {
		for n, v := range values {
			place[v] = n
			if n == 0 {
				continue
			}
			before, ok := c.writer[values[n-1]]
			after, okay := c.writer[v]
			if ok && okay {
				c.connect(before, after, edgeWW)
			}
		}
	}
	for i, d := range c.deeds {
		if d.outcome != deedDone {
			continue
		}
		for n, a := range d.accesses {
			if a.write {
				continue
			}
			saw, tells := c.others(i, n)
			if !tells {
				continue
			}
			next := 0
			if len(saw) > 0 {
				last := saw[len(saw)-1]
				if w, known := c.writer[last]; known {
					c.connect(w, i, edgeWR)
				}
				at, known := place[last]
				if !known {
					continue
				}
				next = at + 1
			}
			if values := c.version[a.key]; next < len(values) {
				if w, known := c.writer[values[next]]; known {
					c.connect(i, w, edgeRW)
				}
			}
		}
	}
}

// realTime adds an edge from what ended to what began after that, but for those that follow from others.
func (c *cycleCheck) realTime() {
	type event struct {
		at   int64
		ends bool
		deed int
	}
	var events []event
	for i, d := range c.deeds {
		if d.outcome != deedDone {
			continue
		}
		events = append(events, event{d.call, false, i})
		events = append(events, event{d.end, true, i})
	}
	slices.SortStableFunc(events, func(a, b event) int {
		switch {
		case a.at != b.at:
			return int(min(1, max(-1, a.at-b.at)))
		case a.ends == b.ends:
			return 0
		case a.ends: // at the same instant neither stands before the other
			return 1
		}
		return -1
	})
	var frontier []int
	for _, e := range events {
		if e.ends {
			frontier = slices.DeleteFunc(frontier, func(f int) bool { return c.deeds[f].end < c.deeds[e.deed].call })
			frontier = append(frontier, e.deed)
			continue
		}
		for _, f := range frontier {
			if c.deeds[f].end < c.deeds[e.deed].call {
				c.connect(f, e.deed, edgeTime)
			}
		}
	}
}

// cycleKinds are the anomalies that cycles are, the plainest first: the edges of a cycle, and one edge
// that it must have, if any.
var cycleKinds = []struct {
	name string
	of   edge
	one  edge // exactly one such edge, beside those of of
}{
	{"G0", edgeWW, 0},
	{"G1c", edgeWW | edgeWR, 0},
	{"G-single", edgeWW | edgeWR, edgeRW},
	{"G2", edgeWW | edgeWR | edgeRW, 0},
	{"G0-realtime", edgeWW | edgeTime, 0},
	{"G1c-realtime", edgeWW | edgeWR | edgeTime, 0},
	{"G-single-realtime", edgeWW | edgeWR | edgeTime, edgeRW},
	{"G2-realtime", edgeWW | edgeWR | edgeRW | edgeTime, 0},
}

// cycles names each set of transactions of which each must stand before each.
func (c *cycleCheck) cycles() {
	for _, set := range c.components() {
		inside := map[int]bool{}
		for _, i := range set {
			inside[i] = true
		}
	kinds:
		for _, kind := range cycleKinds {
			for _, from := range set {
				for _, to := range slices.Sorted(maps.Keys(c.edges[from])) {
					e := c.edges[from][to]
					first := kind.of
					if kind.one != 0 {
						first = kind.one
					}
					if !inside[to] || e&first == 0 {
						continue
					}
					if way := c.way(to, from, kind.of, inside); way != nil {
						var text strings.Builder
						fmt.Fprintf(&text, "\n  %v\n  -%v-> %v", c.deeds[from], e, c.deeds[to])
						for n, at := range way[1:] {
							fmt.Fprintf(&text, "\n  -%v-> %v", c.edges[way[n]][at], c.deeds[at])
						}
						c.anomaly(kind.name, "%s", text.String())
						break kinds
					}
				}
			}
		}
	}
}

// way is a shortest way along edges of some kinds inside a set.
func (c *cycleCheck) way(from, to int, of edge, inside map[int]bool) []int {
	came := map[int]int{from: -1}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		if at == to {
			var way []int
			for ; at >= 0; at = came[at] {
				way = append(way, at)
			}
			slices.Reverse(way)
			return way
		}
		for _, next := range slices.Sorted(maps.Keys(c.edges[at])) {
			if _, been := came[next]; !been && inside[next] && c.edges[at][next]&of != 0 {
				came[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// components are the strongly connected sets of more than one transaction (Tarjan).
func (c *cycleCheck) components() [][]int {
	var (
		sets   [][]int
		stack  []int
		number = make([]int, len(c.deeds))
		low    = make([]int, len(c.deeds))
		on     = make([]bool, len(c.deeds))
		next   = 1
		visit  func(int)
	)
	visit = func(v int) {
		number[v], low[v] = next, next
		next++
		stack = append(stack, v)
		on[v] = true
		for _, w := range slices.Sorted(maps.Keys(c.edges[v])) {
			if number[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if on[w] {
				low[v] = min(low[v], number[w])
			}
		}
		if low[v] != number[v] {
			return
		}
		for i := len(stack) - 1; ; i-- {
			on[stack[i]] = false
			if stack[i] == v {
				if set := slices.Clone(stack[i:]); len(set) > 1 {
					slices.Sort(set)
					sets = append(sets, set)
				}
				stack = stack[:i]
				return
			}
		}
	}
	for v := range c.deeds {
		if number[v] == 0 {
			visit(v)
		}
	}
	return sets
}
