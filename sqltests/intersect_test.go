package sqltests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var intersectSeed = flag.Uint64("intersect-seed", 0,
	"seed of the random statements over several keypaths; 0 takes the one of all random tests")

// intersectDocument has values at several keypaths, of which each is in a good part of
// the documents and two together in few.
func intersectDocument(r *rand.Rand, i int) string {
	fields := []string{fmt.Sprintf(`"_id":"k%05d"`, i)}
	add := func(key, format string, args ...any) {
		if r.IntN(20) > 0 {
			fields = append(fields, fmt.Sprintf("%q:", key)+fmt.Sprintf(format, args...))
		}
	}
	add("a", "%d", r.IntN(10))
	add("b", "%s", pick(r, []string{"0", "1", "2", "3", "4", "5", "null"}))
	add("s", "%s", pick(r, []string{`"x"`, `"X"`, `"y"`, `"z"`, `"é"`, `"e"`, `null`}))
	add("m", "%s", pick(r, []string{"1", "1.0", `"1"`, "true", "null", "[1,2]", "[2]", `{"x":1}`, `[[1]]`}))
	add("tags", "[%d,%d,%d]", r.IntN(8), r.IntN(8), r.IntN(8))
	add("far", "%d", r.IntN(1000))
	fields = append(fields, fmt.Sprintf(`"other":%d`, i))
	return "{" + strings.Join(fields, ",") + "}"
}

func intersectCondition(r *rand.Rand) string {
	switch r.IntN(10) {
	case 0:
		return fmt.Sprintf("a = %d", r.IntN(10))
	case 1:
		return fmt.Sprintf("b IN (%d, %d)", r.IntN(6), r.IntN(6))
	case 2:
		return "b IS NULL"
	case 3:
		return fmt.Sprintf("s %s '%s'", pick(r, []string{"=", ">", "<="}), pick(r, []string{"x", "y", "e", "E"}))
	case 4:
		return "_doc->'$.m' = " + pick(r, []string{"1", "'1'", "CAST('true' AS JSON)"})
	case 5:
		return fmt.Sprintf("JSON_CONTAINS(tags, '%d')", r.IntN(8))
	case 6:
		return fmt.Sprintf("%d MEMBER OF (tags)", r.IntN(8))
	case 7:
		return fmt.Sprintf("far BETWEEN %d AND %d", r.IntN(500), 500+r.IntN(500))
	case 8:
		return fmt.Sprintf("JSON_CONTAINS(m, '%d')", 1+r.IntN(2))
	}
	return fmt.Sprintf("(a = %d OR b = %d)", r.IntN(10), r.IntN(6))
}

// TestIntersections: documents that are found in several keypaths' entries at once are
// those that a scan finds, with the writes of the statement's own transaction.
func TestIntersections(t *testing.T) {
	seed := testseed.Of(t, "intersect-seed", *intersectSeed)
	r := rand.New(rand.NewPCG(seed, 1))
	s := harness.Start(t)
	admin := harness.Connect(t, s.Addr(), "", "")
	for _, stmt := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.ci (_id VARCHAR(255) PRIMARY KEY, _doc JSON) COLLATE utf8mb4_0900_ai_ci",
	} {
		if _, err := admin.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	db := harness.Connect(t, s.Addr(), "d", "?interpolateParams=true")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	run := func(stmt string) {
		t.Helper()
		if _, err := conn.ExecContext(context.Background(), stmt); err != nil {
			t.Fatalf("%.200s: %v", stmt, err)
		}
	}
	write := func(from, to int) {
		t.Helper()
		for _, table := range []string{"t", "ci"} {
			var rows []string
			for i := from; i < to; i++ {
				rows = append(rows, "('"+intersectDocument(r, i)+"')")
			}
			run("INSERT INTO " + table + " (_doc) VALUES " + strings.Join(rows, ","))
		}
	}
	intersections := 0
	compare := func(statements int) {
		t.Helper()
		for range statements {
			conditions := []string{intersectCondition(r), intersectCondition(r)}
			for r.IntN(3) == 0 {
				conditions = append(conditions, intersectCondition(r))
			}
			stmt := fmt.Sprintf("SELECT _id, other FROM %s WHERE %s", pick(r, []string{"t", "ci"}),
				strings.Join(conditions, " AND "))
			on, off, same := bothWays(conn, stmt)
			plan := harness.Query(conn, "EXPLAIN FORMAT=TREE "+stmt)
			if !same {
				t.Errorf("seed %d: %s\nwith the index %d rows %.300q\nwithout %d rows %.300q\n%s", seed, stmt, len(on), on,
					len(off), off, plan)
			}
			if strings.Contains(plan, "Intersection") {
				intersections++
			}
		}
	}
	write(0, 1000)
	compare(60)
	run("BEGIN")
	write(1000, 1300)
	run("UPDATE t SET a = 3 WHERE b = 2")
	run("DELETE FROM ci WHERE a = 4 AND b = 3")
	compare(60)
	run("COMMIT")
	t.Logf("%d of 120 statements intersected", intersections)
	if intersections < 20 {
		t.Errorf("%d of 120 statements intersected", intersections)
	}
	harness.CheckAll(t, db)
}
