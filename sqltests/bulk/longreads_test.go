package bulk

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var longReadEvery = flag.Int("long-read-every", 5, "of the reads of each SELECT, every n-th finds its version too old")

// longReadTables fills f.t with documents of every kind of record, and f.u and f.p beside it.
func longReadTables(t *testing.T, conn *sql.Conn) {
	t.Helper()
	harness.MustRun(t, conn,
		`CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"key_scheme": "field"}'`,
		"CREATE TABLE p (a INT, b VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, n INT, PRIMARY KEY (a, b))")
	for i := range 40 {
		long := ""
		if i%13 == 5 {
			long = fmt.Sprintf(`, "long": "%s"`, strings.Repeat("x", 230_000))
		}
		group := ""
		if i%3 > 0 {
			group = fmt.Sprintf(`, "g": "group %d", "s": "%s%d"`, i%5, strings.Repeat("s", 300), i%7)
		}
		doc := fmt.Sprintf(`{"_id": "d%02d", "n": %d, "m": %d.5, "tags": ["a%d", "b%d"], "items": [{"q": %d}, {"q": `+
			`%d}]%s%s}`, i, i, i%10, i%4, i%6, i, i%3, group, long)
		harness.MustRun(t, conn, fmt.Sprintf("INSERT INTO t (_doc) VALUES ('%s')", doc))
		if i < 20 {
			harness.MustRun(t, conn, fmt.Sprintf("INSERT INTO u (_doc) VALUES ('%s')", doc),
				fmt.Sprintf("INSERT INTO p VALUES (%d, 'b%d', %d)", i%4, i, i))
		}
	}
	harness.MustRun(t, conn, "DELETE FROM t WHERE _id IN ('d07', 'd08', 'k0')")
}

// longReads are SELECTs by every kind of walk. What they give has one order, or is sorted.
var longReads = []string{
	"SELECT _id, n, LENGTH(_doc) FROM t",
	"SELECT _id, n, LENGTH(_doc) FROM u",
	"SELECT * FROM p",
	"SELECT _id, LENGTH(_doc) FROM t ORDER BY _id DESC",
	"SELECT _id, LENGTH(_doc) FROM u ORDER BY _id DESC LIMIT 30",
	"SELECT _id FROM t",
	"SELECT _id, m FROM t WHERE _id > 'd05' AND _id < 'd30'",
	"SELECT _id, m, g FROM t WHERE n BETWEEN 5 AND 25",
	"SELECT n FROM t WHERE n > 3",
	"SELECT _id, n FROM t WHERE n = 3 OR g = 'group 2' OR m < 2",
	"SELECT _id, n FROM t WHERE 'a1' MEMBER OF (tags)",
	"SELECT _id, n FROM t WHERE JSON_OVERLAPS(tags, '[\"a1\", \"b2\"]')",
	"SELECT _id, n FROM t WHERE g = 'group 2' AND m = 2.5",
	"SELECT _id, n FROM t WHERE g > 'group 1' AND m > 2 AND n < 35",
	"SELECT _id, n FROM t ORDER BY n LIMIT 12",
	"SELECT _id, g FROM t ORDER BY g DESC LIMIT 35",
	"SELECT _id, m, n FROM t WHERE g = 'group 1' ORDER BY n DESC LIMIT 4",
	"SELECT _id, s FROM t WHERE s > 'a' ORDER BY s LIMIT 9",
	"SELECT g, COUNT(*), SUM(n) FROM t GROUP BY g ORDER BY g",
	"SELECT m, COUNT(*) FROM t GROUP BY m ORDER BY m",
	"SELECT DISTINCT s FROM t ORDER BY s",
	"SELECT COUNT(*), COUNT(g), MIN(n), MAX(m), SUM(n), AVG(m), COUNT(DISTINCT g) FROM t",
	"SELECT MAX(s), MIN(_id), MAX(_id) FROM t",
	"SELECT COUNT(*) FROM t WHERE n > 10",
	"SELECT COUNT(*) FROM t WHERE n > 10 OR g = 'group 2'",
	"SELECT t._id, u.n FROM t JOIN u ON u.n = t.n WHERE t.m < 7 ORDER BY t._id",
	"SELECT t._id, u.m FROM t JOIN u ON u._id = t._id ORDER BY t._id",
	"SELECT t._id, p.b FROM t LEFT JOIN p ON p.a = t.n ORDER BY t._id, p.b",
	"SELECT t._id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.n = t.n + 1) ORDER BY 1",
	"SELECT t._id, (SELECT COUNT(*) FROM p WHERE p.n > t.n) FROM t ORDER BY 1",
	"SELECT _id, _idx, q FROM t__items WHERE q > 4 ORDER BY _id, _idx",
	"SELECT q FROM t__items WHERE q < 20 ORDER BY q",
	"SELECT seq, _id, rev, deleted, LENGTH(_doc) FROM t__changes",
	"SELECT _id, deleted FROM t__changes ORDER BY seq DESC LIMIT 10",
	"SELECT n FROM t UNION SELECT n FROM u ORDER BY n",
	"WITH x AS (SELECT n FROM t WHERE n > 5) SELECT COUNT(*) FROM x",
}

func sorted(rows []string, query string) []string {
	if !strings.Contains(query, "ORDER BY") {
		slices.Sort(rows)
	}
	return rows
}

// TestLongReads: whichever read of a SELECT finds its version too old, the rows are those of
// one version while nobody writes; nothing is run again, and the session says what happened.
func TestLongReads(t *testing.T) {
	r := harness.StartFaulty(t)
	longReadTables(t, r.Conn)
	harness.MustRun(t, r.Conn, "SET sqlfdb_long_reads = 'continue'")
	for _, query := range longReads {
		want, err := harness.RowsOf(r.Conn, query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		want = sorted(want, query)
		if len(want) == 0 {
			t.Fatalf("%s: no rows", query)
		}
		for at := int64(2); ; at += int64(*longReadEvery) {
			r.Store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Number == at || c.Number == at+3 {
					return faultkv.TooOld
				}
				return faultkv.None
			})
			have, err := harness.RowsOf(r.Conn, query)
			_, met := r.Store.Inject(nil)
			if err != nil {
				t.Fatalf("%s, too old at %d: %v", query, at, err)
			}
			if have = sorted(have, query); !slices.Equal(have, want) {
				t.Fatalf("%s, too old at %d:\nhave %q\nwant %q", query, at, have, want)
			}
			if met == 0 {
				break
			}
			warnings, err := harness.RowsOf(r.Conn, "SHOW WARNINGS")
			if err != nil || !slices.ContainsFunc(warnings,
				func(w string) bool { return strings.Contains(w, fmt.Sprintf("read at %d versions", met+1)) }) {
				t.Fatalf("%s, too old at %d: the warnings are %q, %v", query, at, warnings, err)
			}
		}
	}
	r.Check("at the end", "t")
	r.Check("at the end", "u")
	r.Check("at the end", "p")
}

// altered has definitions change while a SELECT reads t that takes several lives of its version, and returns the
// SELECT's error.
func altered(t *testing.T, conn, other *sql.Conn, life time.Duration, change string) error {
	t.Helper()
	id := strings.TrimSuffix(harness.TextOf(t, conn, "SELECT CONNECTION_ID()"), "|")
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := harness.RowsOf(conn, "SELECT _id, n, LENGTH(text), SLEEP(0.15) FROM t")
		ended <- err
	}()
	harness.Eventually(t, func() string { return "the SELECT does not run" }, func() bool {
		runs := harness.TextOf(t, other,
			"SELECT COUNT(*) FROM information_schema.processlist WHERE command = 'Query' AND id = "+
				id) == "1|"
		return len(ended) > 0 || runs && time.Since(began) > life/2
	})
	harness.MustLive(t, other, change)
	return <-ended
}

// TestLifeOfReads: a SELECT that takes longer than a read version lives fails at once, says
// why and what helps, or goes on; one between BEGIN and COMMIT fails, and what changes
// definitions meanwhile ends it.
func TestLifeOfReads(t *testing.T) {
	t.Parallel()
	const life = 200 * time.Millisecond
	conn, db, begun := harness.StartCounted(t, life)
	harness.MustLive(t, conn, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for i := range 8 {
		// Small documents would all be read at once.
		harness.MustLive(t, conn, fmt.Sprintf("INSERT INTO t (_id, n, text) VALUES ('k%d', %d, '%s')", i, i,
			strings.Repeat("x", 60_000)))
	}
	const slow = "SELECT _id, n, LENGTH(text), SLEEP(0.07) FROM t"
	before := begun()
	harness.WantError(t, conn, slow, 3024, "200 ms", "sqlfdb_long_reads = 'continue'", "LIMIT")
	if n := begun() - before; n > 3 {
		t.Errorf("the statement that can't succeed was run again: it began %d transactions", n)
	} else {
		t.Logf("%d transactions", n)
	}
	harness.MustRun(t, conn, "BEGIN")
	harness.WantError(t, conn, slow, 1213, "200 ms", "rolled back")
	harness.MustLive(t, conn, "INSERT INTO t (_id) VALUES ('after')", "DELETE FROM t WHERE _id = 'after'")
	harness.MustRun(t, conn, "SET sqlfdb_long_reads = 'continue'", "BEGIN")
	harness.WantError(t, conn, slow, 1213, "200 ms", "rolled back")
	harness.MustRun(t, conn, "ROLLBACK")
	harness.WantError(t, conn, "UPDATE t SET n = n + 1 + SLEEP(0.07)", 3024, "200 ms")
	harness.WantError(t, conn, strings.Replace("CREATE TABLE c AS "+slow, "_id, n, LENGTH(text)",
		"_id AS k, n, LENGTH(text) AS l",
		1), 3024, "200 ms")

	rows, err := harness.RowsOf(conn, slow)
	if err != nil || len(rows) != 8 {
		t.Fatalf("%q, %v", rows, err)
	}
	warnings, err := harness.RowsOf(conn, "SHOW WARNINGS")
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "versions") {
		t.Errorf("the warnings are %q, %v", warnings, err)
	}
	status, err := harness.RowsOf(conn, "SHOW STATUS LIKE 'sqlfdb_last_read_versions'")
	if err != nil || len(status) != 1 || strings.HasSuffix(status[0], ":1|") || strings.HasSuffix(status[0], ":0|") {
		t.Errorf("the status is %q, %v", status, err)
	}
	if _, err := harness.RowsOf(conn, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	if warnings, err = harness.RowsOf(conn, "SHOW WARNINGS"); err != nil || len(warnings) != 0 {
		t.Errorf("the warnings of another statement are %q, %v", warnings, err)
	}
	analyzed, err := harness.RowsOf(conn, "EXPLAIN ANALYZE "+slow)
	if err != nil || !strings.Contains(strings.Join(analyzed, "\n"), "read versions") ||
		strings.Contains(strings.Join(analyzed, "\n"), "read versions 1") {
		t.Errorf("EXPLAIN ANALYZE: %q, %v", analyzed, err)
	}

	other, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	harness.MustLive(t, other, "CREATE TABLE unrelated (a INT)")
	// On a busy machine the table is altered before the SELECT begins, or when it needs no other version any more.
	for n := range harness.Standstills {
		if err = altered(t, conn, other, life, fmt.Sprintf("ALTER TABLE t ADD COLUMN c%d INT", n)); err != nil {
			break
		}
	}
	if harness.ErrorNumber(err) != 1412 {
		t.Errorf("a table that is altered meanwhile: %v, want 1412", err)
	}
	if err := altered(t, conn, other, life, "CREATE TABLE unrelated2 (a INT)"); err != nil {
		t.Errorf("another table is made meanwhile: %v", err)
	}
	for _, wrong := range []string{"SET sqlfdb_long_reads = 'maybe'", "SET sqlfdb_long_reads = NULL",
		"SET sqlfdb_bulk_writes = 'none'", "SET sqlfdb_bulk_writes = 7"} {
		harness.WantError(t, conn, wrong, 1231)
	}
}
