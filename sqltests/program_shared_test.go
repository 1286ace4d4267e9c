package sqltests

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestProgramsShared: sessions run the program of a statement at once, with the functions that its plan has. The race
// detector looks at them.
func TestProgramsShared(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db,
		"CREATE TABLE d (id INT PRIMARY KEY, s VARCHAR(20), n INT, x DECIMAL(8,2), at DATETIME, j JSON)")
	for i := range 8 {
		harness.MustExec(t, db, fmt.Sprintf(
			`INSERT INTO d VALUES (%d, 'text %d', %d, %d.25, '2024-05-0%d 10:20:30', '{"a":[%d,"x"]}')`, i, i, i*3, i, i+1, i))
	}
	expressions := []string{
		"UPPER(s)", "CONCAT(s, ' of ', n)", "CONCAT_WS('-', s, n, x)", "REPLACE(s, 'text', 't')", "LPAD(s, 12, '*')",
		"LEFT(s, 3)", "SUBSTRING(s, 2, 3)", "TRIM(s)", "INSTR(s, 'x')", "HEX(n)", "IF(n > 5, s, n)", "IFNULL(s, n)",
		"COALESCE(NULL, x, n)", "NULLIF(n, 3)", "GREATEST(n, x)", "FIELD(n, 1, 3)", "CASE n WHEN 3 THEN 'three' ELSE s END",
		"CAST(x AS CHAR)", "CAST(s AS SIGNED)", "CAST(n AS DECIMAL(10,3))", "ROUND(x, 1)", "ABS(-n)", "n DIV 2", "n & 6",
		"DATE(at)", "DATE_FORMAT(at, '%W %Y')", "at + INTERVAL 1 DAY", "DATEDIFF(at, '2024-01-01')", "EXTRACT(MONTH FROM at)",
		"JSON_LENGTH(j, '$.a')", "j->>'$.a[1]'", "JSON_OBJECT('n', n)", "s LIKE 'te_t%'", "n IN (3, x)", "n <> 3",
		"x BETWEEN 1 AND n", "s COLLATE utf8mb4_bin", "STRCMP(s, 'text 3')", "LENGTH(s) + n",
	}
	const sessions = 4
	texts := make([]string, len(expressions))
	want := make([]string, len(expressions))
	for i, e := range expressions {
		texts[i] = fmt.Sprintf("SELECT %s FROM d WHERE id >= ? AND NOT (%s) IS NULL ORDER BY id", e, e)
	}
	results := make([][]string, sessions)
	before := programRuns(t, db)
	var all sync.WaitGroup
	for session := range sessions {
		c, err := harness.Connect(t, s.Addr(), "d", "").Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if session == 0 { // the programs are made, and the results are what they are without
			harness.MustExec(t, c, "SET sqlfdb_programs = OFF")
			for i, text := range texts {
				want[i] = described(context.Background(), c, text, 2, "SHOW WARNINGS")
			}
			harness.MustExec(t, c, "SET sqlfdb_programs = ON")
		}
		results[session] = make([]string, len(texts))
		all.Go(func() {
			for range 3 {
				for i, text := range texts {
					results[session][i] = described(context.Background(), c, text, 2, "SHOW WARNINGS")
				}
			}
		})
	}
	all.Wait()
	for _, got := range results {
		for i, text := range texts {
			if got[i] != want[i] {
				t.Errorf("%s:\n%s\nwithout programs:\n%s", text, got[i], want[i])
			}
		}
	}
	if ran := programRuns(t, db) - before; ran < sessions*len(texts) {
		t.Errorf("%d programs ran", ran)
	}
	harness.CheckAll(t, db)
}

// TestProgramsThatLock: what a program's SELECT … FOR UPDATE has read, another's change of it is a conflict with.
func TestProgramsThatLock(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d (id INT PRIMARY KEY, k INT, n INT)",
		"INSERT INTO d VALUES (1, 10, 0), (2, 20, 0), (3, 30, 0)")
	ctx := context.Background()
	for _, level := range []string{"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"} {
		for _, lock := range []string{" FOR UPDATE", " FOR SHARE", " LOCK IN SHARE MODE", ""} {
			for _, where := range []string{"id = ?", "k = ?", "k BETWEEN ? AND 19"} {
				var got [2]string
				for i, set := range []string{"ON", "OFF"} {
					c, err := harness.Connect(t, s.Addr(), "d", "").Conn(ctx)
					if err != nil {
						t.Fatal(err)
					}
					harness.MustExec(t, c, "SET sqlfdb_programs = "+set,
						"SET SESSION TRANSACTION ISOLATION LEVEL "+level)
					text, before := "SELECT n FROM d WHERE "+where+lock, programRuns(t, db)
					for range 3 {
						described(ctx, c, text, 1, "DO 0")
						described(ctx, c, text, 10, "DO 0")
					}
					if ran := programRuns(t, db) > before; ran != (set == "ON") {
						t.Errorf("%s: programs ran: %v, with %s", text, ran, set)
					}
					harness.MustExec(t, c, "BEGIN")
					argument := 10
					if where == "id = ?" {
						argument = 1
					}
					described(ctx, c, text, argument, "DO 0")
					harness.MustExec(t, db, "UPDATE d SET n = n + 1 WHERE id = 1")
					got[i] = harness.Query(c, "UPDATE d SET n = n + 1 WHERE id = 2") + harness.Query(c, "COMMIT")
					c.Close()
				}
				if got[0] != got[1] {
					t.Errorf("%s, %s%s: %s\nwithout programs: %s", level, where, lock, got[0], got[1])
				}
				if conflicts := strings.Contains(got[0], "1213"); conflicts != (lock != "" || level == "SERIALIZABLE") {
					t.Errorf("%s, %s%s: %s", level, where, lock, got[0])
				}
			}
		}
	}
	harness.CheckAll(t, db)
}
