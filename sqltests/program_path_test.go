package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestProgramsAlongPaths: what programs read along paths without a plan is what plans read, in the same order, while
// documents come whose values are of other kinds, are long, or are missing.
func TestProgramsAlongPaths(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	rng := rand.New(rand.NewPCG(seed, 7))
	s, db := harness.Database(t)
	plain := harness.Connect(t, s.Addr(), "d", "")
	ctx := context.Background()
	conn := func(set string) *sql.Conn {
		c, err := plain.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		harness.MustExec(t, c, "SET sqlfdb_programs = "+set)
		return c
	}
	with, without := conn("ON"), conn("OFF")
	create := "CREATE TABLE docs (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"
	fill := []string{create,
		"CREATE TABLE declared (id INT PRIMARY KEY, k INT, c VARCHAR(20), d DECIMAL(6,2), KEY (k, c))"}
	for i := range 60 {
		fill = append(fill,
			fmt.Sprintf(`INSERT INTO docs (_doc) VALUES ('{"_id":"k%02d","n":%d,"s":"w%d","f":%d.5,"t":["x%d","y"]}')`,
				i, i%23, i%11, i, i%7),
			fmt.Sprintf("INSERT INTO declared VALUES (%d, %d, 'w%d', %d.25)", i, i%23, i%11, i))
	}
	harness.MustExec(t, db, fill...)
	queries := []string{ // the first of them have path reads
		"SELECT _doc FROM docs WHERE n = ?", "SELECT s, n FROM docs WHERE n = ?",
		"SELECT n, _id, s, f FROM docs WHERE s = ?",
		"SELECT _doc FROM docs WHERE n >= ? AND n < 20", "SELECT _doc FROM docs WHERE n >= ? ORDER BY n LIMIT 5",
		"SELECT s, f FROM docs WHERE n < ? ORDER BY n DESC LIMIT 3", "SELECT c FROM declared WHERE k = ?",
		"SELECT c, d FROM declared WHERE k > ? ORDER BY k LIMIT 4", "SELECT _doc FROM docs WHERE s > ? ORDER BY s LIMIT 3",
		"SELECT x.f AS g FROM docs x WHERE x.n IN (?, 4, 5)", "SELECT n FROM docs WHERE n = ?",
		"SELECT _id FROM docs WHERE s >= ? ORDER BY s DESC LIMIT 2", "SELECT _doc FROM docs WHERE ? MEMBER OF (t)",
		"SELECT * FROM declared WHERE d >= ? ORDER BY d LIMIT 3", "SELECT _doc FROM docs WHERE n = ? OR s = 'w3'",
		"SELECT _doc FROM docs WHERE n = ? AND s = 'w3'", "SELECT _doc FROM docs WHERE n >= ? ORDER BY n, _id LIMIT 5",
		"SELECT _doc FROM docs WHERE n > 3 ORDER BY n LIMIT ?", "SELECT _doc FROM docs WHERE n = ? ORDER BY n LIMIT 2",
		"SELECT f FROM docs WHERE n BETWEEN ? AND 8 ORDER BY n LIMIT 2, 3", "SELECT _doc FROM docs WHERE n = ? LIMIT 1",
		"SELECT n + 1 FROM docs WHERE n = ?", "SELECT s FROM docs WHERE n = ? FOR UPDATE",
	}
	const sure = 9 // of them
	arguments := []any{0, 3, 7, 22, -1, 1000, "w3", "w1", "7", "x1", "", nil, 2.5, "5e0", true, writtenOut("4"),
		writtenOut("'w4'"), writtenOut("-3"), writtenOut("NULL"), writtenOut("3.0")}
	changes := []string{
		`INSERT INTO docs (_doc) VALUES ('{"_id":"new","n":4,"s":"w4"}')`, `DELETE FROM docs WHERE _id = 'new'`,
		`UPDATE docs SET n = 2.5 WHERE _id = 'k07'`, `UPDATE docs SET n = 'text' WHERE _id = 'k08'`,
		`UPDATE docs SET n = NULL WHERE _id = 'k09'`, `UPDATE docs SET n = 4 WHERE _id < 'k1'`,
		`UPDATE docs SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id > 'k50'`, "DELETE FROM docs WHERE n >= 0 OR n < 0",
		`UPDATE docs SET s = REPEAT('w', 3000) WHERE _id IN ('k01', 'k02')`,
		`UPDATE docs SET s = JSON_ARRAY('w3') WHERE _id = 'k03'`,
		`UPDATE docs SET n = 12345678901234567890 WHERE _id = 'k04'`, "UPDATE declared SET k = NULL WHERE id = 5",
		"ALTER TABLE declared ADD COLUMN more INT DEFAULT 4", "ALTER TABLE declared DROP COLUMN more",
		"ALTER TABLE declared MODIFY k BIGINT", "SET sqlfdb_use_index = OFF", "SET sqlfdb_use_index = ON",
		"DELETE FROM docs",
	}
	for _, query := range queries[:sure] {
		var values = []any{3, 4}
		if strings.Contains(query, "WHERE s") {
			values = []any{"w3", "w4"}
		}
		described(ctx, with, query, values[0], "SELECT FOUND_ROWS()")
		ran := programRuns(t, db)
		if described(ctx, with, query, values[1], "SELECT FOUND_ROWS()"); programRuns(t, db) != ran+1 {
			t.Errorf("%s: no program ran", query)
		}
	}
	before := programRuns(t, db)
	for round := range 500 {
		if round%25 == 0 {
			for _, c := range []*sql.Conn{with, without} {
				harness.MustExec(t, c, "SET sqlfdb_use_index = ON")
			}
			harness.MustExec(t, with, "DROP TABLE docs, declared")
			harness.MustExec(t, with, fill...)
		}
		query, argument := queries[rng.IntN(len(queries))], arguments[rng.IntN(len(arguments))]
		if rng.IntN(2) == 0 {
			query, argument = queries[rng.IntN(sure)], arguments[rng.IntN(9)]
		}
		if rng.IntN(10) == 0 {
			change := changes[rng.IntN(len(changes))]
			_, _ = with.ExecContext(ctx, change) // or an error, where the table is another one by now
			if strings.HasPrefix(change, "SET ") {
				harness.MustExec(t, without, change)
			}
		}
		for _, last := range []string{"SELECT FOUND_ROWS()", "SHOW WARNINGS", "SHOW STATUS LIKE 'sqlfdb_last_documents'"} {
			want := described(ctx, without, query, argument, last)
			if got := described(ctx, with, query, argument, last); got != want {
				t.Fatalf("%s of %T %v:\n%s\nwithout programs:\n%s", query, argument, argument, got, want)
			}
		}
	}
	if runs := programRuns(t, db) - before; runs < 100 {
		t.Errorf("programs ran %d times", runs)
	}
	harness.MustExec(t, with, "BEGIN", "DELETE FROM docs",
		`INSERT INTO docs (_doc) VALUES ('{"_id":"own","n":4,"s":"w4"}')`)
	for _, query := range queries[:2] {
		if got := described(ctx, with, query, 4, "SELECT FOUND_ROWS()"); !strings.Contains(got, "{1 true}") {
			t.Errorf("%s in a transaction:\n%s", query, got)
		}
	}
	harness.MustExec(t, with, "ROLLBACK")
	harness.CheckTables(t, with, "docs", "declared")
}
