package sqltests

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	keyPartSeed  = flag.Uint64("key-part-seed", 0, "seed of the writes to keys of parts; 0 takes that of all random tests")
	keyPartSteps = flag.Int("key-part-steps", 400, "how many writes to keys of parts to run")
)

// partRow is a row of a table with keys on the beginnings of columns and on expressions; nil is NULL.
type partRow struct{ v, b, w, n any }

// taken are the unique keys of a row, as texts; a key with a NULL is none.
func (r partRow) taken(beginning bool) []string {
	var out []string
	if v, ok := r.v.(string); ok && beginning {
		v = strings.NewReplacer("á", "a", "Á", "a").Replace(v)
		out = append(out, "p "+strings.ToLower(v[:min(len(v), 2)]))
	}
	if b, ok := r.b.(string); ok && r.n != nil {
		out = append(out, fmt.Sprintf("c %d %s", r.n, b[:min(len(b), 1)]))
	}
	if w, ok := r.w.(string); ok && r.n != nil {
		out = append(out, fmt.Sprintf("f %s %d", strings.ToLower(w), r.n.(int)%5))
	}
	return out
}

// partModel is the rows that a table with such keys must have.
type partModel map[int]partRow

// inTheWay are the rows, but that of a key, that have a unique key of a row.
func (m partModel) inTheWay(r partRow, but int, beginning bool) []int {
	var out []int
	keys := r.taken(beginning)
	for id, other := range m {
		if id != but && slices.ContainsFunc(other.taken(beginning), func(k string) bool { return slices.Contains(keys, k) }) {
			out = append(out, id)
		}
	}
	return out
}

// shown are the rows for which a condition holds, as texts in the order of their keys.
func (m partModel) shown(holds func(partRow) bool) []string {
	var out []string
	for _, id := range slices.Sorted(maps.Keys(m)) {
		if r := m[id]; holds(r) {
			out = append(out, strings.ReplaceAll(fmt.Sprint([]any{id, r.v, r.b, r.w, r.n}), "<nil>", "NULL"))
		}
	}
	return out
}

// TestKeyParts compares random writes to a table with unique keys on the beginnings of columns and on expressions with
// a model of it, and what finds rows by such keys with what looks at all rows.
func TestKeyParts(t *testing.T) {
	seed := testseed.Of(t, "key-part-seed", *keyPartSeed)
	random := rand.New(rand.NewPCG(seed, 0))
	_, db := harness.Database(t)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	run := func(statement string) error {
		_, err := conn.ExecContext(context.Background(), statement)
		return err
	}
	const beginning = "UNIQUE KEY p (v(2))"
	harness.MustExec(t, db,
		"CREATE TABLE k (id INT PRIMARY KEY, v VARCHAR(12) COLLATE utf8mb4_0900_ai_ci, b VARBINARY(6), "+
			"w VARCHAR(8), n INT, "+beginning+", UNIQUE KEY c (n, b(1)), UNIQUE KEY f ((LOWER(w)), (n % 5)), KEY e ((n + 1)), "+
			"KEY g ((LOWER(w))), KEY h (w(2), n))")
	maybe := func(values ...string) any {
		if random.IntN(6) == 0 {
			return nil
		}
		out := ""
		for range random.IntN(4) {
			out += pick(random, values)
		}
		return out
	}
	drawn := func() partRow {
		r := partRow{v: maybe("a", "A", "b", "B", "c"), b: maybe("x", "X", "y"), w: maybe("q", "Q", "z"), n: random.IntN(12)}
		if random.IntN(6) == 0 {
			r.n = nil
		}
		return r
	}
	literal := func(v any) string {
		switch v := v.(type) {
		case string:
			return "'" + v + "'"
		case nil:
			return "NULL"
		}
		return fmt.Sprint(v)
	}
	values := func(id int, r partRow) string {
		return fmt.Sprintf("(%d, %s, %s, %s, %s)", id, literal(r.v), literal(r.b), literal(r.w), literal(r.n))
	}
	sets := func(r partRow) string {
		return fmt.Sprintf("v = %s, b = %s, w = %s, n = %s", literal(r.v), literal(r.b), literal(r.w), literal(r.n))
	}
	all, began, keyed := partModel{}, partModel(nil), true
	check := func(statement string, err error, refused bool) {
		t.Helper()
		if refused != (err != nil) || err != nil && !strings.Contains(err.Error(), "1062") {
			t.Fatalf("%s: %v; refused by the model: %v", statement, err, refused)
		}
	}
	compare := func(condition string, holds func(partRow) bool) {
		t.Helper()
		query := "SELECT CONCAT('[', CONCAT_WS(' ', id, IFNULL(v, 'NULL'), IFNULL(b, 'NULL'), IFNULL(w, 'NULL'), " +
			"IFNULL(n, 'NULL')), ']') FROM k WHERE " + condition + " ORDER BY id"
		for _, use := range []string{"ON", "OFF"} {
			if err := run("SET sqlfdb_use_index = " + use); err != nil {
				t.Fatal(err)
			}
			if got, want := harness.Texts(t, conn, query), all.shown(holds); !slices.Equal(got, want) {
				t.Fatalf("%s, index %s:\n%v\nnot\n%v", condition, use, got, want)
			}
		}
		if err := run("SET sqlfdb_use_index = ON"); err != nil {
			t.Fatal(err)
		}
	}
	for step := range *keyPartSteps {
		id, r := random.IntN(40), drawn()
		_, there := all[id]
		blocked := all.inTheWay(r, id, keyed)
		switch random.IntN(12) {
		case 0, 1, 2:
			statement := "INSERT INTO k VALUES " + values(id, r)
			check(statement, run(statement), there || len(blocked) > 0)
			if !there && len(blocked) == 0 {
				all[id] = r
			}
		case 3:
			statement := "INSERT IGNORE INTO k VALUES " + values(id, r)
			check(statement, run(statement), false)
			if !there && len(blocked) == 0 {
				all[id] = r
			}
		case 4:
			statement := "REPLACE INTO k VALUES " + values(id, r)
			check(statement, run(statement), false)
			for _, other := range blocked {
				delete(all, other)
			}
			all[id] = r
		case 5:
			if there && len(blocked) > 0 || len(blocked) > 1 {
				continue // which row it is that changes depends on the order of the keys
			}
			statement := "INSERT INTO k VALUES " + values(id, r) + " ON DUPLICATE KEY UPDATE n = NULL"
			check(statement, run(statement), false)
			if len(blocked) == 1 {
				id = blocked[0]
			}
			if len(blocked) == 1 || there {
				r = all[id]
				r.n = nil
			}
			all[id] = r
		case 6, 7, 8:
			statement := fmt.Sprintf("UPDATE k SET %s WHERE id = %d", sets(r), id)
			check(statement, run(statement), there && len(blocked) > 0)
			if there && len(blocked) == 0 {
				all[id] = r
			}
		case 9:
			n := random.IntN(12)
			statement := fmt.Sprintf("DELETE FROM k WHERE n + 1 = %d AND LOWER(w) <> 'q'", n+1)
			check(statement, run(statement), false)
			maps.DeleteFunc(all, func(_ int, r partRow) bool {
				w, ok := r.w.(string)
				return r.n == n && ok && strings.ToLower(w) != "q"
			})
		case 10:
			if began != nil {
				if random.IntN(2) == 0 {
					check("COMMIT", run("COMMIT"), false)
				} else {
					check("ROLLBACK", run("ROLLBACK"), false)
					all = began
				}
				began = nil
				continue
			}
			check("BEGIN", run("BEGIN"), false)
			began = maps.Clone(all)
		case 11:
			if began != nil || step%3 > 0 {
				continue
			}
			if keyed {
				check("DROP INDEX", run("ALTER TABLE k DROP INDEX p"), false)
				keyed = false
				continue
			}
			twice := false
			for id, r := range all {
				twice = twice || len(all.inTheWay(r, id, true)) > 0
			}
			check("ADD "+beginning, run("ALTER TABLE k ADD "+beginning), twice)
			keyed = !twice
		}
		if step%8 > 0 {
			continue
		}
		compare("TRUE", func(partRow) bool { return true })
		n, w := random.IntN(12), pick(random, []string{"", "q", "qq", "z", "zq"})
		compare(fmt.Sprintf("n + 1 = %d", n+1), func(r partRow) bool { return r.n == n })
		compare(fmt.Sprintf("n + 1 > %d", n+1), func(r partRow) bool { return r.n != nil && r.n.(int) > n })
		lower := func(r partRow) (string, bool) {
			text, ok := r.w.(string)
			return strings.ToLower(text), ok
		}
		compare("LOWER(w) = '"+w+"'", func(r partRow) bool {
			text, ok := lower(r)
			return ok && text == w
		})
		compare(fmt.Sprintf("LOWER(k.w) IN ('%s', 'qz') AND n %% 5 < 3", w), func(r partRow) bool {
			text, ok := lower(r)
			return ok && (text == w || text == "qz") && r.n != nil && r.n.(int)%5 < 3
		})
		compare("LOWER(w) LIKE 'q%' OR n + 1 IS NULL", func(r partRow) bool {
			text, ok := lower(r)
			return ok && strings.HasPrefix(text, "q") || r.n == nil
		})
	}
	if began != nil {
		check("COMMIT", run("COMMIT"), false)
	}
	harness.CheckTables(t, conn, "k")
}
