package sqltests

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

func with(old map[string]int, key string, n int) map[string]int {
	next := maps.Clone(old)
	next[key] = n
	return next
}

var faultWrites = []harness.Write{
	{Name: "insert", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Fresh()
		return []string{fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "%s", "n": 1, "tags": ["a", "b"]}')`, k)},
			with(r.Want, k, 1)
	}},
	{Name: "insert of a new keypath", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Fresh()
		return []string{fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "%s", "n": 2, "p%s": true}')`, k, k)},
			with(r.Want, k, 2)
	}},
	{Name: "insert of several", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k, l := r.Fresh(), r.Fresh()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 3), ('%s', 4)", k, l)},
			with(with(r.Want, k, 3), l, 4)
	}},
	{Name: "update", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Some()
		return []string{fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s'", k)}, with(r.Want, k, r.Want[k]+1)
	}},
	{Name: "update of all", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		after := maps.Clone(r.Want)
		for k := range after {
			after[k] += 10
		}
		return []string{"UPDATE t SET n = n + 10 WHERE n > 0"}, after
	}},
	{Name: "replace", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Some()
		return []string{fmt.Sprintf("REPLACE INTO t (_id, n) VALUES ('%s', 7)", k)}, with(r.Want, k, 7)
	}},
	{Name: "upsert", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Some()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 7) ON DUPLICATE KEY UPDATE n = n + 100", k)},
			with(r.Want, k, r.Want[k]+100)
	}},
	{Name: "delete", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		after := maps.Clone(r.Want)
		k := r.Some()
		delete(after, k)
		return []string{fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", k)}, after
	}},
	{Name: "upsert of several", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k, l := r.Some(), r.Fresh()
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 5), ('%s', 6) ON DUPLICATE KEY UPDATE n = n + 100",
			l, k)}, with(with(r.Want, k, r.Want[k]+100), l, 5)
	}},
	{Name: "replace of several", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k, l := r.Some(), r.Fresh()
		return []string{fmt.Sprintf("REPLACE INTO t (_id, n) VALUES ('%s', 5), ('%s', 6)", l, k)},
			with(with(r.Want, k, 6), l, 5)
	}},
	{Name: "insert of what is not there", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k, l := r.Some(), r.Fresh()
		return []string{fmt.Sprintf("INSERT IGNORE INTO t (_id, n) VALUES ('%s', 5), ('%s', 6)", k, l)}, with(r.Want, l,
			6)
	}},
	{Name: "insert of what is read", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		l, most := r.Fresh(), 0
		for _, n := range r.Want {
			most = max(most, n)
		}
		return []string{fmt.Sprintf("INSERT INTO t (_id, n) SELECT '%s', MAX(n) + 1 FROM t", l)}, with(r.Want, l,
			most+1)
	}},
	{Name: "update of a revision", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k := r.Some()
		return []string{fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s' AND sqlfdb_rev('f.t', _id) IS NOT NULL", k)},
			with(r.Want, k, r.Want[k]+1)
	}},
	{Name: "delete in order", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		after := maps.Clone(r.Want)
		for _, k := range slices.Sorted(maps.Keys(after))[:2] {
			delete(after, k)
		}
		return []string{"DELETE FROM t ORDER BY _id LIMIT 2"}, after
	}},
	{Name: "transaction", Make: func(r *harness.FaultRun) ([]string, map[string]int) {
		k, l := r.Some(), r.Fresh()
		after := with(with(r.Want, k, r.Want[k]+1), l, 9)
		return []string{"BEGIN", fmt.Sprintf("UPDATE t SET n = n + 1 WHERE _id = '%s'", k), "SELECT COUNT(*) FROM t",
			"SAVEPOINT s", fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", k), "ROLLBACK TO SAVEPOINT s",
			fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('%s', 9)", l), "COMMIT"}, after
	}},
}

// TestFaults: whatever an operation of the store meets, a statement happens once and is
// acknowledged, or not at all and says why; documents, counts and changes agree.
func TestFaults(t *testing.T) {
	r := harness.StartFaulty(t)
	for _, w := range faultWrites {
		t.Run(strings.ReplaceAll(w.Name, " ", "_"), func(t *testing.T) {
			r.T = t
			for _, fault := range faultkv.Faults() {
				r.Faults(w, fault)
			}
		})
	}
}

// TestFaultsOfDefinitions: a change of definitions happens once too, and is acknowledged.
func TestFaultsOfDefinitions(t *testing.T) {
	r := harness.StartFaulty(t)
	columns := func() string {
		var names string
		if err := r.Conn.QueryRowContext(context.Background(),
			"SELECT COALESCE(GROUP_CONCAT(column_name ORDER BY ordinal_position), '') FROM information_schema.columns "+
				"WHERE table_schema = 'f' AND table_name = 'd'").Scan(&names); err != nil {
			t.Fatal(err)
		}
		return names
	}
	rows := func() (text string) {
		if err := r.Conn.QueryRowContext(context.Background(),
			"SELECT CONCAT(COUNT(DISTINCT id), ' with ', COALESCE(GROUP_CONCAT(a ORDER BY a), 'none')) FROM d").Scan(
			&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	steps := []struct {
		statement string
		columns   string
		rows      string
	}{
		{"CREATE TABLE d (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(20))", "id,a", "0 with none"},
		{"INSERT INTO d (a) VALUES ('1'), ('2')", "id,a", "2 with 1,2"},
		{"ALTER TABLE d ADD COLUMN b INT DEFAULT 3", "id,a,b", "2 with 1,2"},
		{"CREATE UNIQUE INDEX ua ON d (a)", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d ADD COLUMN c INT DEFAULT (a + 1), MODIFY b BIGINT FIRST, ADD UNIQUE INDEX uc (c), ADD INDEX " +
			"ab (a, b)", "b,id,a,c", "2 with 1,2"},
		{"ALTER TABLE d DROP INDEX uc, DROP COLUMN c, DROP INDEX ab, MODIFY b INT AFTER a", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d MODIFY a INT", "id,a,b", "2 with 1,2"},
		{"DROP INDEX ua ON d", "id,a,b", "2 with 1,2"},
		{"ALTER TABLE d DROP COLUMN b", "id,a", "2 with 1,2"},
		{"RENAME TABLE d TO x, x TO d", "id,a", "2 with 1,2"},
		{"TRUNCATE TABLE d", "id,a", "0 with none"},
		{"DROP TABLE d", "", ""},
	}
	every := int64(*harness.FaultEvery) * 4 // there are many operations, and each run begins at another one
	first := 2 + int64(testseed.Of(t, "", 0)%uint64(every))
	for _, fault := range faultkv.Faults() {
		for at := int64(1); ; at++ {
			met, longest := int64(0), int64(0)
			for _, step := range steps {
				commits := int64(0)
				r.Store.Inject(func(c faultkv.Call) faultkv.Fault {
					if c.Op == faultkv.Commit {
						commits++
					}
					if fault.OfCommits() && c.Op == faultkv.Commit && commits == at || !fault.OfCommits() &&
						c.Number == first+(at-1)*every {
						return fault
					}
					return faultkv.None
				})
				_, err := r.Conn.ExecContext(context.Background(), step.statement)
				calls, hits := r.Store.Inject(nil)
				met, longest = met+hits, max(longest, calls)
				what := fmt.Sprintf("%s, %v at operation %d", step.statement, fault, at)
				if err != nil && !strings.Contains(err.Error(), "definitions have been changed") {
					t.Fatalf("%s: %v", what, err)
				}
				if have := columns(); have != step.columns {
					t.Fatalf("%s: the columns are %s, want %s", what, have, step.columns)
				}
				if step.rows != "" {
					if have := rows(); have != step.rows {
						t.Fatalf("%s: the rows are %s, want %s", what, have, step.rows)
					}
				}
				if step.columns != "" {
					r.Check(what, "d")
				}
			}
			if met == 0 && (fault.OfCommits() || longest < first+(at-1)*every) {
				break
			}
		}
	}
}
