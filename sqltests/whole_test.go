package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// definitionsOf is all that is told of the definitions of d, and what its tables hold.
func definitionsOf(t testing.TB, db harness.Querier) string {
	t.Helper()
	var out strings.Builder
	for _, q := range []string{
		"SELECT schema_name, default_collation_name FROM information_schema.schemata ORDER BY 1",
		"SELECT table_schema, table_name, table_type, table_comment FROM information_schema.tables WHERE table_schema " +
			"LIKE 'd%' ORDER BY 1, 2",
		"SELECT table_name, column_name, ordinal_position, column_type, is_nullable, column_default FROM " +
			"information_schema.columns WHERE table_schema = 'd' ORDER BY 1, 3",
		"SELECT `table`, `index`, columns FROM sqlfdb.indexes WHERE `database` = 'd' ORDER BY 1, 2",
		"SHOW CREATE TABLE d.t", "SELECT * FROM d.t ORDER BY id", "SHOW CREATE TABLE d.o", "SELECT * FROM d.o",
		"SHOW CREATE VIEW d.v",
	} {
		fmt.Fprintln(&out, harness.Answered(db, q))
	}
	return out.String()
}

// makeWhole makes the tables and the view that definitions of these tests are about.
func makeWhole(t testing.TB, db *sql.DB) {
	t.Helper()
	harness.MustExec(t, db,
		"CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(20), c INT, KEY kc (c), CONSTRAINT pc CHECK (c < 100))",
		"INSERT INTO t VALUES (1, 10, 'x', 5), (2, 20, 'y', 5), (3, 30, '7', 6)",
		"CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", `INSERT INTO o (_doc) VALUES ('{"_id":"1","k":1}')`,
		"CREATE VIEW v AS SELECT id FROM t")
}

// goodClauses can be had together, in this order; badClauses fail, where they are planned or where they run.
var (
	goodClauses = []string{"ADD COLUMN n INT NOT NULL DEFAULT 4", "MODIFY b VARCHAR(40)", "ADD INDEX ca (c, a)",
		"DROP INDEX kc", "RENAME COLUMN a TO aa", "ADD UNIQUE INDEX ub (b)", "COLLATE utf8mb4_0900_ai_ci"}
	badClauses = []string{"DROP COLUMN nothing", "ADD COLUMN b INT", "ADD UNIQUE INDEX uc (c)", "MODIFY b INT NOT NULL",
		"DROP INDEX nothing", "ADD INDEX ub2 (nothing)", "ADD CONSTRAINT few CHECK (c > 5)",
		"ADD PRIMARY KEY (a)", "MODIFY c DATE", "ADD FOREIGN KEY (c) REFERENCES o (_id)", "DROP CHECK nothing"}
)

// TestFailingAlter: an ALTER TABLE that fails at any of its clauses leaves nothing of those before it, in whatever
// mode the session is, and the next statement sees the definitions as they were.
func TestFailingAlter(t *testing.T) {
	_, db := harness.Database(t)
	makeWhole(t, db)
	before := definitionsOf(t, db)
	jobs := harness.Number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs")
	for i, bad := range badClauses {
		for at := range len(goodClauses) + 1 {
			clauses := slices.Insert(slices.Clone(goodClauses), at, bad)
			stmt := "ALTER TABLE t " + strings.Join(clauses, ", ")
			s := harness.NewSession(t, db)
			mode := (i + at) % 3
			switch mode {
			case 1:
				harness.MustExec(t, s, "SET autocommit = 0")
			case 2:
				harness.MustExec(t, s, "BEGIN")
			}
			if mode > 0 { // what the client has written before is committed
				harness.MustExec(t, s, fmt.Sprintf("UPDATE o SET k = %d", 100*i+at))
			}
			if _, err := s.ExecContext(context.Background(), stmt); err == nil || harness.ErrorNumber(err) == 1213 {
				t.Fatalf("%s: %v", stmt, err)
			}
			if mode > 0 {
				harness.MustExec(t, s, "ROLLBACK")
				if n := single(t, s, "SELECT k FROM o"); n != int64(100*i+at) {
					t.Errorf("%s: what was written before is gone", stmt)
				}
				harness.MustExec(t, s, "UPDATE o SET k = 1", "COMMIT")
			}
			if now := definitionsOf(t, s); now != before {
				t.Fatalf("%s: the session sees\n%s\nand before it was\n%s", stmt, now, before)
			}
			harness.MustExec(t, s, "UPDATE t SET a = a WHERE id = 1", "COMMIT")
			harness.MustExec(t, s, "SET autocommit = 1") // the pool hands it out again
			_ = s.Close()
			if now := definitionsOf(t, db); now != before {
				t.Fatalf("%s: others see\n%s\nand before it was\n%s", stmt, now, before)
			}
		}
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs"); n != jobs {
		t.Errorf("%d jobs, and before there were %d", n, jobs)
	}
	harness.MustExec(t, db, "ALTER TABLE t "+strings.Join(goodClauses, ", "))
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t WHERE n = 4 AND aa > 0 AND b IN ('X', 'Y', '7')"); n != 3 {
		t.Errorf("%d documents are as all the clauses make them", n)
	}
	harness.CheckAll(t, db)
}

// failingDefinitions fail late: after they have changed something, if they can.
var failingDefinitions = []string{
	"CREATE DATABASE d", "DROP DATABASE nothing", "CREATE TABLE t (a INT)", "CREATE TABLE v (a INT)",
	"CREATE TABLE n (a INT, b INT, KEY ka (a), KEY ka (b))",
	"CREATE TABLE n (a INT CHECK (a > 0), FOREIGN KEY (a) REFERENCES nothing (id))",
	"CREATE TABLE n (a INT, CHECK (nothing > 0))", "CREATE TABLE n LIKE nothing", "CREATE TABLE n LIKE v",
	"CREATE TABLE n (id INT PRIMARY KEY) SELECT 1 AS id UNION ALL SELECT 1",
	"CREATE TABLE n AS SELECT CAST('x' AS JSON) AS j FROM t",
	"CREATE TABLE n AS SELECT id, (SELECT id FROM t) AS x FROM t",
	"DROP TABLE t, nothing", "DROP TABLE t, v", "DROP VIEW v, nothing", "CREATE VIEW t AS SELECT 1",
	"CREATE OR REPLACE VIEW v AS SELECT nothing FROM t", "CREATE OR REPLACE VIEW t AS SELECT 1",
	"RENAME TABLE t TO x, nothing TO y", "RENAME TABLE t TO x, o TO x", "RENAME TABLE t TO nothing.t",
	"TRUNCATE TABLE nothing", "TRUNCATE TABLE v",
	"ALTER TABLE t ADD UNIQUE INDEX uc (c)", "CREATE UNIQUE INDEX uc ON t (c)",
	"ALTER TABLE t ADD COLUMN x DATE NOT NULL, ADD UNIQUE INDEX ux (x)", "ALTER TABLE t ADD COLUMN n INT UNIQUE DEFAULT 3",
	"ALTER TABLE t ADD COLUMN n INT, RENAME TO o", "ALTER TABLE t RENAME TO x, ADD COLUMN n INT AFTER nothing",
	"ALTER TABLE t ADD CHECK (c > 5)", "ALTER TABLE t MODIFY b INT NOT NULL",
	"ALTER TABLE t ENGINE_ATTRIBUTE '{\"nothing\": 1}'", "ALTER TABLE nothing COMMENT 'x'",
	"ALTER TABLE t AUTO_INCREMENT = 100, DROP COLUMN nothing", "ALTER DATABASE nothing COLLATE utf8mb4_bin",
}

// TestFailingDefinitions: a definition of any kind that fails leaves no trace, and its session goes on, prepared
// statements too.
func TestFailingDefinitions(t *testing.T) {
	s, db := harness.Database(t)
	makeWhole(t, db)
	before := definitionsOf(t, db)
	prepared := harness.Connect(t, s.Addr(), "d", "")
	for _, autocommit := range []int{1, 0} {
		for _, stmt := range failingDefinitions {
			one := harness.NewSession(t, prepared)
			harness.MustExec(t, one, fmt.Sprintf("SET autocommit = %d", autocommit))
			query, err := one.PrepareContext(context.Background(), "SELECT COUNT(*) FROM t WHERE a > ?")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := one.ExecContext(context.Background(), stmt); err == nil || harness.ErrorNumber(err) == 1213 {
				t.Errorf("%s: %v", stmt, err)
			}
			var n int64
			if err := query.QueryRow(5).Scan(&n); err != nil || n != 3 {
				t.Errorf("%s: a prepared statement finds %d (%v)", stmt, n, err)
			}
			harness.MustExec(t, one, "COMMIT") // nothing is left to commit
			if now := definitionsOf(t, one); now != before {
				t.Fatalf("%s: the session sees\n%s\nand before it was\n%s", stmt, now, before)
			}
			if have := harness.Answered(one, "SELECT DATABASE()"); !strings.Contains(have, "d") {
				t.Errorf("%s: the database is %s", stmt, have)
			}
			harness.MustExec(t, one, "INSERT INTO t VALUES (9, 1, 'z', 1)", "DELETE FROM t WHERE id = 9", "COMMIT")
			harness.MustExec(t, one, "SET autocommit = 1") // the pool hands it out again
			_ = one.Close()
			if now := definitionsOf(t, db); now != before {
				t.Fatalf("%s: others see\n%s\nand before it was\n%s", stmt, now, before)
			}
		}
	}
	harness.CheckAll(t, db)
}

// wholeAlters lead from one definition to another one and back.
var wholeAlters = [2]string{
	"ALTER TABLE t ADD COLUMN p INT DEFAULT 1, ADD INDEX pc (c, a), RENAME COLUMN b TO bb, DROP INDEX kc, ADD " +
		"COLUMN q VARCHAR(9) FIRST",
	"ALTER TABLE t DROP COLUMN p, DROP INDEX pc, RENAME COLUMN bb TO b, ADD INDEX kc (c), DROP COLUMN q",
}

// TestAlterSeenWhole: sessions of this and of another server see the definitions from before an ALTER TABLE of several
// clauses, or those from after it.
func TestAlterSeenWhole(t *testing.T) {
	f := harness.ServeFleet(t, harness.NewStore(t), 2, server.Options{})
	harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
	db, other := f.Only(f.Member(0), "d", "?interpolateParams=true"), f.Only(f.Member(1), "d",
		"?interpolateParams=true")
	makeWhole(t, db)
	queries := []string{"SHOW CREATE TABLE t",
		"SELECT GROUP_CONCAT(column_name ORDER BY ordinal_position) FROM information_schema.columns WHERE " +
			"table_schema = 'd' AND table_name = 't'",
		"SELECT GROUP_CONCAT(`index` ORDER BY `index`) FROM sqlfdb.indexes WHERE `table` = 't'",
		"SELECT * FROM t WHERE id = 1"}
	allowed := make([][]string, len(queries))
	for _, alter := range wholeAlters {
		for i, q := range queries {
			allowed[i] = append(allowed[i], harness.Answered(db, q))
		}
		harness.MustExec(t, db, alter)
	}
	ctx, stop := context.WithCancel(context.Background())
	var polling sync.WaitGroup
	for _, on := range []*sql.DB{db, other} {
		for i, q := range queries {
			polling.Add(1)
			go func() {
				defer polling.Done()
				for ctx.Err() == nil {
					if have := harness.Answered(on, q); !slices.Contains(allowed[i], have) {
						t.Errorf("%s: %s", q, have)
						return
					}
				}
			}()
		}
	}
	for round := range 8 {
		harness.MustExec(t, []*sql.DB{db, other}[round/2%2], wholeAlters[round%2])
	}
	stop()
	polling.Wait()
	harness.CheckAll(t, db)
}

// TestAltersAtOnce: sessions of two servers that alter one table at the same time all succeed, each as a whole.
func TestAltersAtOnce(t *testing.T) {
	f := harness.ServeFleet(t, harness.NewStore(t), 2, server.Options{})
	harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
	db := f.Only(f.Member(0), "d", "?interpolateParams=true")
	makeWhole(t, db)
	const sessions, rounds = 4, 3
	var running sync.WaitGroup
	for i := range sessions {
		s := harness.NewSession(t, f.Only(f.Member(i%2), "d", "?interpolateParams=true"))
		harness.MustExec(t, s, fmt.Sprintf("SET autocommit = %d", i/2))
		running.Add(1)
		go func() {
			defer running.Done()
			for round := range rounds {
				name := fmt.Sprintf("n%d_%d", i, round)
				stmt := fmt.Sprintf("ALTER TABLE t ADD COLUMN %s INT DEFAULT %d, ADD COLUMN %[1]s_ INT, ADD INDEX k%[1]s (a,"+
					" %[1]s)", name, i)
				for _, err := s.ExecContext(context.Background(), stmt); err != nil; _,
					err = s.ExecContext(context.Background(), stmt) {
					if harness.ErrorNumber(err) != 1213 { // it has given up: others were always faster
						t.Errorf("%s: %v", stmt, err)
						return
					}
				}
			}
		}()
	}
	running.Wait()
	if n := harness.Number(t, db,
		"SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'd' AND table_name = 't' AND "+
			"column_name LIKE 'n%'"); n != 2*sessions*rounds {
		t.Errorf("%d columns", n)
	}
	if n := harness.Number(t, db,
		"SELECT COUNT(*) FROM sqlfdb.indexes WHERE `table` = 't' AND `index` LIKE 'kn%'"); n != sessions*rounds {
		t.Errorf("%d indexes", n)
	}
	harness.CheckAll(t, db)
}

// TestImplicitCommitConflicts: a definition commits what the client had open before it does anything. If that meets a
// conflict the client hears of it, and the definition does not run.
func TestImplicitCommitConflicts(t *testing.T) {
	s, db := harness.Database(t)
	makeWhole(t, db)
	prepared := harness.Connect(t, s.Addr(), "d", "")
	for i, stmt := range []string{"ALTER TABLE o ADD COLUMN n INT, ADD COLUMN m INT", "CREATE TABLE fresh (a INT)",
		"DROP TABLE o", "RENAME TABLE o TO p", "ALTER TABLE o COMMENT 'x'", "TRUNCATE TABLE o", "CREATE DATABASE d2",
		"CREATE VIEW w AS SELECT 1", "DROP VIEW v", "DROP DATABASE d", "CREATE INDEX kk ON o (k)"} {
		for mode, begin := range []string{"BEGIN", "SET autocommit = 0"} {
			before := definitionsOf(t, db)
			one := harness.NewSession(t, []*sql.DB{db, prepared}[i%2])
			harness.MustExec(t, one, begin)
			if n := single(t, one, "SELECT a FROM t WHERE id = 1"); n == 0 {
				t.Fatal(n)
			}
			harness.MustExec(t, one, "UPDATE t SET a = a + 1 WHERE id = 1")
			harness.MustExec(t, db, "UPDATE t SET c = c WHERE id = 2", fmt.Sprintf("UPDATE t SET a = %d WHERE id = 1",
				50+mode))
			want := harness.Answered(db, "SELECT a FROM t WHERE id = 1")
			run := func() error {
				if i%2 == 0 {
					_, err := one.ExecContext(context.Background(), stmt)
					return err
				}
				st, err := one.PrepareContext(context.Background(), stmt)
				if err != nil {
					return err
				}
				defer st.Close()
				_, err = st.Exec()
				return err
			}
			if err := run(); harness.ErrorNumber(err) != 1213 {
				t.Errorf("%s after %s: %v", stmt, begin, err)
			}
			if have := harness.Answered(db, "SELECT a FROM t WHERE id = 1"); have != want {
				t.Errorf("%s after %s: the document is %s, want %s", stmt, begin, have, want)
			}
			harness.MustExec(t, one, "ROLLBACK", "UPDATE t SET a = 10 WHERE id = 1", "COMMIT")
			harness.MustExec(t, one, "SET autocommit = 1") // the pool hands it out again
			_ = one.Close()
			if now := definitionsOf(t, db); now != before {
				t.Fatalf("%s after %s: it is\n%s\nand before it was\n%s", stmt, begin, now, before)
			}
		}
	}
	harness.CheckAll(t, db)
}

// TestCrashAlter kills the server while it alters a table, again and again: the table is as it was before a statement
// or after it.
func TestCrashAlter(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 4))
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d")
	db := harness.Connect(t, p.Addr, "d", "")
	makeWhole(t, db)
	const query = "SHOW CREATE TABLE t"
	var allowed []string
	for _, alter := range wholeAlters {
		allowed = append(allowed, harness.Answered(db, query))
		harness.ExecAll(t, db, alter)
	}
	for round := range 4 {
		var running sync.WaitGroup
		running.Add(1)
		began := make(chan struct{})
		go func() {
			defer running.Done()
			at := slices.Index(allowed, harness.Answered(db, query))
			close(began)
			for ; ; at++ {
				if _, err := db.Exec(wholeAlters[at%2]); err != nil {
					return
				}
			}
		}()
		<-began
		time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
		p.Kill()
		running.Wait()
		_ = db.Close()
		p = harness.Spawn(t, harness.ServeCall(t, dir))
		db = harness.Connect(t, p.Addr, "d", "")
		if have := harness.Answered(db, query); !slices.Contains(allowed, have) {
			t.Fatalf("round %d: %s", round, have)
		}
		harness.CheckAll(t, db)
	}
	p.Kill()
}
