package sqltests

import (
	"database/sql"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	tpchBeside = flag.String("tpch-beside", "", "an empty database of another server, as the driver "+
		"knows it: queries of TPC-H are timed in turns")
	tpchTimes  = flag.Int("tpch-times", 2, "with -tpch-beside: how many times 10,000 line items")
	tpchRounds = flag.Int("tpch-rounds", 5, "with -tpch-beside: how often each query is timed")
	tpchOnly   = flag.Int("tpch-only", 0, "with -tpch-beside: the number of the only query; 0: all")
)

// TestTPCHBeside times the queries of TPC-H beside another server, in turns, and logs the medians. What they give is
// the same.
func TestTPCHBeside(t *testing.T) {
	if *tpchBeside == "" {
		t.Skip("-tpch-beside names no server")
	}
	there, err := sql.Open("mysql", *tpchBeside)
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	s := harness.Start(t)
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	here := harness.Connect(t, s.Addr(), "d", "")
	g := newTPCHRows(*tpchTimes)
	for _, db := range []*sql.DB{here, there} {
		db.SetMaxOpenConns(1)
		g.load(t, db)
	}
	t.Logf("%d line items", len(g.rows["lineitem"]))
	ways := []struct {
		name string
		db   *sql.DB
		set  string
	}{
		{"interpreted", here, "SET sqlfdb_executor = interpreted"},
		{"batch", here, "SET sqlfdb_executor = auto"},
		{"there", there, "DO 0"},
	}
	for i, q := range tpchPartsOf(t, "queries.txt") {
		if *tpchOnly != 0 && *tpchOnly != i+1 {
			continue
		}
		times, answers := make([][]time.Duration, len(ways)), make([][]string, len(ways))
		for range *tpchRounds {
			for w, way := range ways {
				harness.MustExec(t, way.db, way.set)
				began := time.Now()
				answers[w] = tpchAnswer(t, way.db, q)
				times[w] = append(times[w], time.Since(began))
			}
		}
		ms := make([]float64, len(ways))
		for w, way := range ways {
			slices.Sort(times[w])
			ms[w] = times[w][len(times[w])/2].Seconds() * 1000
			if !tpchSame(answers[w], answers[0]) {
				t.Errorf("query %d, %s: %q, interpreted %q", i+1, way.name, answers[w], answers[0])
			}
		}
		t.Logf("query %2d: interpreted %7.1f ms, batch %7.1f (%.2f), there %7.1f (batch %.2f)", i+1, ms[0], ms[1],
			ms[1]/ms[0], ms[2], ms[1]/ms[2])
	}
}
