package law2

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	law2QuerySeed = flag.Uint64("law2-query-seed", 0,
		"seed of the random queries of law 2; 0 takes the one of all random tests")
	law2Queries    = flag.Int("law2-queries", 300, "how many random queries of law 2 to ask")
	law2Scene      = flag.Uint64("law2-scene", 0, "the first scene of TestLaw2Queries")
	law2ShowErrors = flag.Bool("law2-errors", false, "show which errors the random queries got")
)

const questionsPerScene = 60

// TestLaw2Queries is law 2 over random queries: joins, aggregates, orders and limits, subqueries, set
// operations, views, and statements that change what they select. Each has the same answer with the index and
// without; and its answer agrees with that of other statements which must give the same, so that what
// both ways have wrong shows too.
func TestLaw2Queries(t *testing.T) {
	seed := testseed.Of(t, "law2-query-seed", *law2QuerySeed)
	pool := harness.Serve(t)
	conn, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	budget := *law2Queries
	if testing.Short() {
		budget = min(budget, 150)
	}
	a := newExaminer(conn)
	failures, questions, scenes := 0, 0, 0
	kinds := map[string]int{}
	for number := *law2Scene; questions < budget && failures < *law2Failures; number++ {
		s := newScene(seed, number)
		scenes++
		fresh(t, conn, fmt.Sprintf("scene%d", number))
		if err := s.found(conn); err != nil {
			t.Fatalf("seed %d, scene %d: %v", seed, number, err)
		}
		for n := range questionsPerScene {
			if n == questionsPerScene/2 {
				if err := s.change(a); err != nil {
					t.Fatalf("seed %d, scene %d: %v\n%s", seed, number, err, strings.Join(s.all(), ";\n"))
				}
			}
			asking := (&asker{scene: s}).question()
			questions++
			kinds[asking.kind]++
			if a.differs(asking) == "" {
				continue
			}
			failures++
			t.Errorf("seed %d, scene %d, question %d (-law2-query-seed %d -law2-scene %d)\n%s", seed, number, n, seed, number,
				s.reduce(pool, a, asking))
			if failures >= *law2Failures {
				break
			}
		}
		if a.transaction {
			a.transaction = false
			end := one(s.r, []string{"COMMIT", "ROLLBACK"})
			if failures > 0 { // the tables that a failure was looked for in are a conflict
				end = "ROLLBACK"
			}
			if _, err := conn.ExecContext(context.Background(), end); err != nil &&
				!strings.HasPrefix(harness.ErrorText(err), "ERROR 1213") {
				t.Fatal(err)
			}
		}
		for _, table := range []string{firstTable, secondTable, closedTable, targetTable} {
			harness.Check(t, pool, fmt.Sprintf("scene%d.%s", number, table))
		}
		harness.MustExec(t, conn, fmt.Sprintf("DROP DATABASE scene%d", number))
	}
	wrong := 0
	for _, n := range a.errors {
		wrong += n
	}
	t.Logf("%d questions over %d scenes, %d statements of which %d were errors; %v", questions, scenes, a.ran, wrong,
		kinds)
	if *law2ShowErrors {
		for _, e := range slices.SortedFunc(maps.Keys(a.errors), func(x, y string) int { return a.errors[y] - a.errors[x] }) {
			t.Logf("%6d %s\n%s", a.errors[e], e, a.examples[e])
		}
	}
}

// fresh makes an empty database the connection's own.
func fresh(t testing.TB, conn *sql.Conn, name string) {
	t.Helper()
	harness.MustExec(t, conn, "DROP DATABASE IF EXISTS "+name, "CREATE DATABASE "+name, "USE "+name)
}

// change changes a scene's documents: half of the times in a transaction that stays open.
func (s *scene) change(a *examiner) error {
	s.later = nil
	if s.chance(40) {
		if err := s.alter(a.conn); err != nil {
			return err
		}
	}
	s.changed = s.later
	if s.open = -1; s.chance(50) {
		s.open = len(s.changed)
		a.transaction = true
		if _, err := a.conn.ExecContext(context.Background(), "BEGIN"); err != nil {
			return err
		}
	}
	for range 1 + s.r.IntN(4) {
		if s.chance(20) {
			stmt := "UPDATE " + closedTable + " SET a = a + 1, t = s WHERE id % 3 = 0 AND LENGTH(s) < 40"
			if _, err := a.conn.ExecContext(context.Background(), stmt); err != nil {
				return err
			}
			s.later = append(s.later, stmt)
		}
		if err := s.world.change(a.conn); err != nil {
			return err
		}
	}
	s.changed = s.later
	if s.open >= len(s.changed) {
		s.changed = append(s.changed, "DELETE FROM "+firstTable+" WHERE FALSE")
	}
	s.tables = append(s.baseTables(), s.seen...)
	return nil
}

// reduce looks for a smaller scene and a simpler question that still fail, and describes them as a script.
func (s *scene) reduce(pool *sql.DB, a *examiner, asking question) string {
	conn, err := pool.Conn(context.Background())
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	deadline := time.Now().Add(60 * time.Second)
	b := newExaminer(conn)
	exec := func(stmts ...string) (err error) {
		for _, stmt := range stmts {
			_, e := conn.ExecContext(context.Background(), stmt)
			err = errors.Join(err, e)
		}
		return err
	}
	fails := func(s *scene, asking question) string {
		if time.Now().After(deadline) {
			return ""
		}
		_ = exec("ROLLBACK", "DROP DATABASE IF EXISTS reduced")
		if exec("CREATE DATABASE reduced", "USE reduced") != nil || s.put(conn) != nil {
			return ""
		}
		b.transaction = s.open >= 0 && s.open < len(s.changed)
		return b.differs(asking)
	}
	defer func() { _ = exec("ROLLBACK", "DROP DATABASE IF EXISTS reduced") }()
	small := *s
	difference := fails(&small, asking)
	if difference == "" {
		return fmt.Sprintf("it fails in its own database only:\n%s;\n%s", strings.Join(s.all(), ";\n"), a.differs(asking))
	}
	keep := func(c scene, q question) bool {
		d := fails(&c, q)
		if d != "" {
			small, asking, difference = c, q, d
		}
		return d != ""
	}
	if small.open >= 0 {
		c := small
		c.open = -1
		keep(c, asking)
	}
	for again := true; again; {
		again = slices.ContainsFunc(asking.simpler(), func(q question) bool { return keep(small, q) })
	}
	shorter(func() []string { return small.changed }, func(list []string, at int) bool {
		c := small
		c.changed = list
		if at < c.open {
			c.open--
		}
		return keep(c, asking)
	})
	shorter(func() []string { return small.views }, func(list []string, _ int) bool {
		c := small
		c.views = list
		return keep(c, asking)
	})
	for i := range small.began {
		shorter(func() []jsonModel { return small.began[i] }, func(list []jsonModel, _ int) bool {
			c := small
			c.began[i] = list
			return keep(c, asking)
		})
		small.began[i], _ = shrinkMembers(small.began[i], difference, func(list []jsonModel) string {
			c := small
			c.began[i] = list
			if keep(c, asking) {
				return difference
			}
			return ""
		})
	}
	shorter(func() []string { return small.closed }, func(list []string, _ int) bool {
		c := small
		c.closed = list
		return keep(c, asking)
	})
	for again := true; again; {
		again = slices.ContainsFunc(asking.simpler(), func(q question) bool { return keep(small, q) })
	}
	how := ""
	if asking.prepared {
		how = "prepared: "
	}
	return fmt.Sprintf("%s: %s\n%s;\n%s%s", asking.kind, how, strings.Join(small.all(), ";\n"), how, difference)
}

// shorter takes parts out of a list while the rest still does.
func shorter[T any](list func() []T, does func(rest []T, at int) bool) {
	for size := max(1, len(list())/2); size > 0; size /= 2 {
		for at := 0; at+size <= len(list()); {
			if !does(slices.Delete(slices.Clone(list()), at, at+size), at) {
				at += size
			}
		}
	}
}
