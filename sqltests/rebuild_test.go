package sqltests

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestRebuildHeld: after ALTER TABLE of what is indexed, statements are right while
// nothing is rebuilt yet, when half of it is, and afterwards, with writers meanwhile.
func TestRebuildHeld(t *testing.T) {
	store := harness.NewStore(t)
	defer store.Close()
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	pool := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, pool, "CREATE DATABASE d")
	pool = harness.Connect(t, s.Addr(), "d", "")
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()

	harness.MustExec(t, c,
		"CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, mail VARCHAR(40), UNIQUE KEY (mail), _doc JSON)")
	words := []string{"Zoo", "zoo", "Äpfel", "apfel", "", "日本"}
	const documents = 800
	for from := 0; from < documents; from += 200 {
		var values []string
		for i := from; i < from+200; i++ {
			values = append(values, fmt.Sprintf(
				`('{"_id":"k%03d","mail":"m%d","s":"%s","n":%d,"pad":"%s","tags":["%s",%d],"o":{"p":{"q":%d}}}')`,
				i, i, words[i%len(words)], i%9, strings.Repeat("x", 700), words[(i+1)%len(words)], i%3, i%4))
		}
		harness.MustExec(t, c, "INSERT INTO t (_doc) VALUES "+strings.Join(values, ","))
	}
	queries := []string{
		"SELECT COUNT(*) FROM t WHERE s = 'zoo'",
		"SELECT _id FROM t WHERE n = 3 AND s > 'b' ORDER BY _id",
		"SELECT COUNT(*) FROM t WHERE `o.p.q` = 2",
		"SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, '\"Zoo\"')",
		"SELECT s, COUNT(*) FROM t GROUP BY s ORDER BY s",
		"SELECT COUNT(*) FROM t WHERE missing IS NULL",
		"SELECT _id FROM t WHERE mail = 'm77'",
		"SELECT COUNT(*) FROM t WHERE s IN ('apfel', 'ÄPFEL')",
		"SELECT COUNT(*) FROM t WHERE n IS NULL",
		"SELECT _id FROM t WHERE _id BETWEEN 'k01' AND 'k02' ORDER BY _id",
	}
	// verify runs everything both ways, and proves the table.
	verify := func(when string) []string {
		t.Helper()
		var out []string
		for _, q := range queries {
			on, off, same := bothWays(c, q)
			if !same {
				t.Errorf("%s: %s\nwith the index %q\nwithout %q", when, q, on, off)
			}
			out = append(out, strings.Join(on, "\n"))
		}
		if got := harness.Query(c, "CHECK TABLE t"); !strings.Contains(got, "| OK") {
			t.Errorf("%s: %s", when, got)
		}
		return out
	}
	write := func(round int) {
		t.Helper()
		harness.MustExec(t, c, fmt.Sprintf("UPDATE t SET n = n + 1, s = CONCAT(s, 'z') WHERE _id LIKE 'k%d_5'", round),
			fmt.Sprintf("DELETE FROM t WHERE _id = 'k%d44'", round),
			fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"w%d","mail":"w%[1]d","s":"Zoo","n":3,"o":{"p":{"q":2}},`+
				`"tags":[]}')`, round))
		for _, mail := range []string{"m3", "m790", fmt.Sprintf("w%d", round)} {
			if _, err := c.ExecContext(context.Background(), "INSERT INTO t (_id, mail) VALUES ('again', ?)",
				mail); err == nil || !strings.Contains(err.Error(), "1062") {
				t.Errorf("%s twice in a unique key: %v", mail, err)
			}
		}
	}
	verify("at first")
	alters := []string{
		`ALTER TABLE t ENGINE_ATTRIBUTE '{"max_depth":2,"excluded":["pad"]}'`,
		"ALTER TABLE t COLLATE utf8mb4_0900_ai_ci",
		`ALTER TABLE t ENGINE_ATTRIBUTE '{"string_limit":8}'`,
		"ALTER TABLE t COLLATE utf8mb4_0900_bin",
	}
	if testing.Short() {
		alters = alters[:1]
	}
	for round, alter := range alters {
		harness.MustExec(t, c, alter)
		if got := harness.Query(c, "EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE s = 'zoo'"); !strings.Contains(got,
			"has no index until it is rebuilt") {
			t.Errorf("%s: EXPLAIN: %s", alter, got)
		}
		if n := harness.Number(t, pool,
			"SELECT COUNT(*) FROM sqlfdb.jobs WHERE state = 'held' AND kind = 'rebuild'"); n != 1 {
			t.Errorf("%s: %d jobs held", alter, n)
		}
		harness.MustExec(t, c, "SET sqlfdb_full_scans = 'deny'")
		if got := harness.Query(c, "SELECT COUNT(*) FROM t WHERE s = 'zoo'"); !strings.Contains(got, "1175") ||
			!strings.Contains(got, "is being rebuilt") {
			t.Errorf("%s: full scans denied: %s", alter, got)
		}
		harness.MustExec(t, c, "SET sqlfdb_full_scans = 'allow'")
		held := verify(alter + ", held")
		if got := harness.Query(c, "CHECK TABLE t"); !strings.Contains(got, "documents are not in it yet") {
			t.Errorf("%s: CHECK TABLE does not say what it can't prove: %s", alter, got)
		}
		if _, err := s.Backend().Jobs().RunOnce(context.Background()); err != nil {
			t.Fatal(err)
		}
		if half := verify(alter + ", begun"); strings.Join(half, "\n") != strings.Join(held, "\n") {
			t.Errorf("%s: the rebuild changed answers: %q, were %q", alter, half, held)
		}
		write(round)
		if n := harness.Number(t, pool,
			"SELECT COUNT(*) FROM sqlfdb.jobs WHERE state = 'held' AND done > 0 AND done < total"); n != 1 {
			t.Errorf("%s: the job is not half done: %s", alter, harness.Query(c, "SELECT * FROM sqlfdb.jobs"))
		}
		written := verify(alter + ", begun and written")
		harness.MustExec(t, c, "SET GLOBAL sqlfdb_jobs = 'run'")
		harness.WaitForJobs(t, pool)
		harness.MustExec(t, c, "SET GLOBAL sqlfdb_jobs = 'hold'")
		if after := verify(alter + ", rebuilt"); strings.Join(after, "\n") != strings.Join(written, "\n") {
			t.Errorf("%s: the rebuild changed answers: %q, were %q", alter, after, written)
		}
		if got := harness.Query(c, "EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE s = 'zoo'"); strings.Contains(got,
			"Table scan on") {
			t.Errorf("%s: the index is not used again: %s", alter, got)
		}
	}
	// In the collation of now Zoo and zoo are two values, in the next they are one.
	harness.MustExec(t, c, "CREATE TABLE q (k INT PRIMARY KEY, a VARCHAR(20), b INT, UNIQUE KEY ab (a, b))",
		"INSERT INTO q VALUES (1, 'Zoo', 1), (2, 'zoo', 2), (3, NULL, 1), (4, NULL, 1)",
		"ALTER TABLE q COLLATE utf8mb4_0900_ai_ci", "ALTER TABLE q COLLATE utf8mb4_0900_as_cs",
		"INSERT INTO q VALUES (5, 'zoo', 1)")
	if got := harness.Exec(c, "ALTER TABLE q COLLATE utf8mb4_0900_ai_ci"); !strings.Contains(got, "1062") ||
		!strings.Contains(got, "q.ab") {
		t.Errorf("a collation in which a unique key has a value twice: %s", got)
	}
	harness.MustExec(t, c, "ALTER TABLE q COLLATE utf8mb4_0900_bin", "CREATE UNIQUE INDEX u ON q (k)")
	if n := harness.Number(t, pool, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE `table` = 'q' AND state = 'held'"); n != 0 {
		t.Errorf("%d jobs are left: CREATE UNIQUE INDEX would read all documents for each", n)
	}
	// A change while the last one's job is held; TRUNCATE and DROP end the jobs.
	harness.MustExec(t, c, "ALTER TABLE t COLLATE utf8mb4_0900_as_cs", `ALTER TABLE t ENGINE_ATTRIBUTE '{}'`)
	verify("two changes, held")
	harness.MustExec(t, c, "ALTER TABLE t MODIFY mail VARCHAR(60)", "ALTER TABLE t ADD COLUMN extra DATE",
		"RENAME TABLE t TO t2",
		"RENAME TABLE t2 TO t")
	verify("two changes, and others")
	harness.MustExec(t, c, "CREATE TABLE u (x VARCHAR(20), s VARCHAR(20))", "INSERT INTO u SELECT _id, s FROM t",
		"ALTER TABLE u COLLATE utf8mb4_0900_ai_ci", "TRUNCATE TABLE u", "INSERT INTO u VALUES ('a', 'B')")
	if n := harness.Number(t, pool, "SELECT COUNT(*) FROM u WHERE s = 'B'"); n != 1 {
		t.Errorf("%d rows in a truncated table", n)
	}
	harness.MustExec(t, c, "SET GLOBAL sqlfdb_jobs = 'run'")
	harness.WaitForJobs(t, pool)
	verify("two changes, rebuilt")
	harness.CheckAll(t, pool)
}
