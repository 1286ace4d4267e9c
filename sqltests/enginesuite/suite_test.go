package enginesuite

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/enginetest/queries"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

var (
	share   = flag.Int("share", 4, "one script of so many is run; 1 is all of them")
	seed    = flag.Uint64("seed", 0, "the seed that draws the share")
	only    = flag.String("suite", "", "the only suite to run")
	told    = flag.Bool("told", false, "tell of every failure, listed or not")
	memory  = flag.Bool("memory", false, "run what fails on the engine's own memory backend as well")
	rewrite = flag.Bool("rewrite", false, "write the list of failures anew, of the suites that are run whole")
)

// A tally counts the assertions of a suite.
type tally struct{ passed, failed, blocked, memory int }

func (c *tally) add(other tally) {
	c.passed, c.failed = c.passed+other.passed, c.failed+other.failed
	c.blocked, c.memory = c.blocked+other.blocked, c.memory+other.memory
}

func (c tally) String() string {
	text := fmt.Sprintf("%5d passed %5d failed %5d behind a failed set-up", c.passed, c.failed, c.blocked)
	if *memory {
		text += fmt.Sprintf("; %d failed or not reached that fail on the memory backend too", c.memory)
	}
	return text
}

// TestSuites runs the suites, or a share of their scripts, and compares what fails with the list.
func TestSuites(t *testing.T) {
	var drawn *rand.Rand
	if *share > 1 {
		drawn = rand.New(rand.NewPCG(testseed.Of(t, "seed", *seed), 0))
		t.Logf("one script of %d is run; -share 1 runs all", *share)
	}
	store, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(context.Background(), store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	g := newTarget(t, s.Addr())
	list := readList(t)
	var all tally
	for _, u := range suites() {
		if *only != "" && *only != u.name {
			continue
		}
		var counts tally
		ready := false
		for i, script := range u.scripts {
			if drawn != nil && drawn.IntN(*share) > 0 || script.Dialect != "" && script.Dialect != "mysql" {
				continue
			}
			name := fmt.Sprintf("%s %d", u.name, i)
			if script.Name != "" {
				name += " " + short(script.Name, 60)
			}
			tables := u.tablesFor(script)
			if u.reads && ready {
				tables = nil
			} else if err := g.clean(); err != nil {
				t.Fatalf("%s: the databases are not dropped: %v", name, err)
			}
			ready = true
			r := g.run(name, tables, script)
			counts.add(list.judge(t, u, name, script, r))
		}
		if counts != (tally{}) {
			t.Logf("%-28s%s", u.name, counts)
		}
		all.add(counts)
	}
	t.Logf("%-28s%s", "all", all)
	if *rewrite {
		list.write(t)
	}
}

// byChance begins the reason of what passes at some times.
const byChance = "by chance: "

// judge compares what became of a script with the list.
func (l *list) judge(t *testing.T, u suite, name string, script queries.ScriptTest, r result) (counts tally) {
	counts.blocked = r.blocked
	var also map[string]bool
	failed := slices.ContainsFunc(r.outcomes, func(o outcome) bool { return o.why != "" })
	if *memory && failed {
		also = inMemory(t, u, name, script)
	}
	met := map[string]bool{}
	for _, o := range r.outcomes {
		if o.why == "" {
			counts.passed++
			continue
		}
		counts.failed++
		met[o.key] = true
		reason, listed := l.reasons[o.key]
		if also[o.key] {
			counts.memory++
			if !listed || reason == unknown {
				l.reasons[o.key] = inherited
			}
		}
		switch {
		case listed && *told || *rewrite && !listed:
			t.Logf("%s\n\t%s", o.key, o.why)
		case !listed && !*rewrite:
			t.Errorf("%s\n\t%s", o.key, o.why)
		}
		if _, listed := l.reasons[o.key]; !listed {
			l.reasons[o.key] = unknown
		}
	}
	for key, reason := range l.reasons {
		if strings.HasPrefix(key, name+" / ") && !met[key] && !strings.HasPrefix(reason, byChance) {
			if delete(l.reasons, key); !*rewrite {
				t.Errorf("%s: it passes, or is not reached: take it from %s", key, listFile)
			}
		}
	}
	return counts
}
