package bulk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestKeyFill gives a table that is larger than a transaction keys on expressions and on the beginning of a column, and
// takes them away.
func TestKeyFill(t *testing.T) {
	_, db := harness.Database(t)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustExec(t, conn, "SET cte_max_recursion_depth = 10000",
		"CREATE TABLE k (id INT PRIMARY KEY, email VARCHAR(30), b VARBINARY(30), pad TEXT)")
	for first := 0; first < 3000; first += 1000 {
		harness.MustExec(t, conn, fmt.Sprintf("INSERT INTO k WITH RECURSIVE n (i) AS "+
			"(SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d) "+
			"SELECT i, CONCAT('User', i), CONCAT('b', i), REPEAT('x', 4000) FROM n", first, first+999))
	}
	refused := func(statement, number string) {
		t.Helper()
		if _, err := conn.ExecContext(context.Background(), statement); err == nil || !strings.Contains(err.Error(), number) {
			t.Fatalf("%s: %v, not %s", statement, err, number)
		}
	}
	same := func(condition string, want ...string) {
		t.Helper()
		for _, use := range []string{"OFF", "ON"} {
			harness.MustExec(t, conn, "SET sqlfdb_use_index = "+use)
			if got := harness.Texts(t, conn, "SELECT id FROM k WHERE "+condition+" ORDER BY id"); !slices.Equal(got,
				want) {
				t.Fatalf("%s, index %s: %q, not %q", condition, use, got, want)
			}
		}
	}
	uses := func(condition, index string) bool {
		t.Helper()
		plan := strings.Join(harness.Texts(t, conn, "EXPLAIN FORMAT=TREE SELECT * FROM k WHERE "+condition), "\n")
		return strings.Contains(plan, "using "+index+"\n")
	}
	harness.MustExec(t, conn, "CREATE INDEX lowered ON k ((LOWER(email)))", "CREATE UNIQUE INDEX bytes ON k (b(6))",
		"CREATE UNIQUE INDEX two ON k ((id % 3000), (UPPER(email)))")
	refused("CREATE UNIQUE INDEX four ON k (email(4))", "1062")
	refused("CREATE UNIQUE INDEX thousand ON k ((id % 1000))", "1062")
	refused("CREATE INDEX less ON k ((JSON_LENGTH(email)))", "3141")
	refused("INSERT INTO k VALUES (5000, 'x', 'b2999', '')", "1062")
	same("LOWER(email) = 'user2500'", "2500")
	if !uses("LOWER(email) = 'user2500'", "lowered") {
		t.Error("the key is not used")
	}
	harness.CheckTables(t, conn, "k")

	harness.MustExec(t, conn, "SET GLOBAL sqlfdb_jobs = hold", "CREATE INDEX later ON k ((REVERSE(email)))",
		"INSERT INTO k VALUES (4000, 'zzz', 'q', '')", "UPDATE k SET email = 'Abc' WHERE id = 7")
	same("REVERSE(email) IN ('0002resU', 'zzz', 'cbA')", "7", "2000", "4000")
	if uses("REVERSE(email) = 'cbA'", "later") {
		t.Error("a key is used that not all documents have")
	}
	harness.MustExec(t, conn, "SET GLOBAL sqlfdb_jobs = run")
	unbuilt := func() string { return "the key is not built" }
	harness.Eventually(t, unbuilt, func() bool { return uses("REVERSE(email) = 'cbA'", "later") })
	same("REVERSE(email) IN ('0002resU', 'zzz', 'cbA')", "7", "2000", "4000")
	harness.CheckTables(t, conn, "k")

	harness.MustExec(t, conn, "DROP INDEX lowered ON k", "DROP INDEX bytes ON k", "ALTER TABLE k DROP INDEX two",
		"DROP INDEX later ON k")
	left := "SELECT COALESCE(SUM(documents), 0) FROM sqlfdb.keypaths WHERE keypath LIKE '\\_sqlfdb%'"
	stay := func() string { return "values of dropped keys stay" }
	harness.Eventually(t, stay, func() bool { return harness.Number(t, db, left) == 0 })
	same("LOWER(email) = 'user2500'", "2500")
	harness.CheckTables(t, conn, "k")
}
