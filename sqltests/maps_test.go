package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// buildersOf are the jobs of map indexes that are left, and how many of them a server works on, each on one at a time.
func buildersOf(t *testing.T, db *sql.DB) (working, left int) {
	t.Helper()
	err := db.QueryRow("SELECT COUNT(IF(state = 'running', 1, NULL)), COUNT(*) FROM sqlfdb.jobs WHERE kind = 'map' "+
		"AND state NOT IN ('done', 'failed')").Scan(&working, &left)
	if err != nil {
		t.Fatal(err)
	}
	return working, left
}

// TestServersMaps: several servers build a map index, each a part of the documents, while documents are written; one
// of them is killed. No document is left out or entered twice.
func TestServersMaps(t *testing.T) {
	for _, e := range harness.Engines {
		for _, mode := range []string{"INTERACTIVE", "BACKGROUND"} {
			t.Run(e.Name+" "+mode, func(t *testing.T) {
				var opts server.Options
				opts.Jobs.Lease, opts.Jobs.Budget, opts.Jobs.Part = 300*time.Millisecond, 1, 60_000
				f := harness.ServeFleet(t, e.Fresh(t), 3, opts)
				harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
				var each []*sql.DB
				for i := range 3 {
					each = append(each, f.Only(f.Member(i), "d", "?interpolateParams=true"))
					harness.MustExec(t, each[i], "SET GLOBAL sqlfdb_jobs = hold")
				}
				last := each[2]
				var rows []string
				for i := range 600 {
					rows = append(rows, fmt.Sprintf(`(%d, '{"n": %d, "s": "%s"}')`, i, i, strings.Repeat("x", 1000)))
				}
				harness.MustExec(t, last, "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)",
					"INSERT INTO t (_id, _doc) VALUES "+strings.Join(rows, ","),
					"CREATE MAP INDEX m ON t AS 'function (doc) { emit(doc.n % 10, doc.n); emit([doc.n]); }' "+mode)
				if _, left := buildersOf(t, last); left < 4 {
					t.Errorf("%d jobs build the index", left)
				}
				first := f.Member(0)
				first.Store.Left.Store(20)
				for _, db := range each {
					_, _ = db.Exec("SET GLOBAL sqlfdb_jobs = run")
				}
				most, killed := 0, false
				for i := 0; ; i++ {
					working, left := buildersOf(t, last)
					most = max(most, working)
					if left == 0 {
						break
					}
					if first.Store.Severed.Load() && !killed {
						f.Kill(first)
						killed = true
					}
					if i < 40 {
						harness.MustExec(t, last, fmt.Sprintf("UPDATE t SET n = n + 1000 WHERE _id = %d", (i*37)%600),
							fmt.Sprintf("DELETE FROM t WHERE _id = %d", (i*53+1)%600),
							fmt.Sprintf("INSERT INTO t (_id, n) VALUES (%d, %d)", 1000+i, i))
					}
					time.Sleep(2 * time.Millisecond)
				}
				if most < 2 {
					t.Errorf("at most %d servers built the index at a time", most)
				}
				const read = "SELECT COUNT(*), SUM(value), COUNT(DISTINCT _id) FROM t__map__m"
				want := harness.Answered(last, "SELECT 2 * COUNT(*), SUM(n), COUNT(*) FROM t")
				if got := harness.Answered(last, read); got != want {
					t.Errorf("the map index has %s, the documents %s", got, want)
				}
				harness.CheckAll(t, last)
			})
		}
	}
}

// slowMap is a table whose map index takes 100 ms for a document.
func slowMap(t *testing.T) *sql.DB {
	t.Helper()
	_, db := harness.Database(t)
	var rows []string
	for i := range 150 {
		rows = append(rows, fmt.Sprintf("(%d, %d)", i, i))
	}
	harness.MustExec(t, db, "CREATE TABLE t (_id INT PRIMARY KEY, n INT, _doc JSON)",
		"INSERT INTO t (_id, n) VALUES "+strings.Join(rows, ","),
		`CREATE MAP INDEX m ON t AS 'function (doc) { for (var i = 0; i < 3e5; i++) ; emit(doc.n); }'`)
	return db
}

// TestKillMapWait: a statement that waits for a map index can be killed, prepared or not.
func TestKillMapWait(t *testing.T) {
	db := slowMap(t)
	for _, prepared := range []bool{false, true} {
		s := harness.NewSession(t, db)
		var done <-chan error
		if prepared {
			const query = "SELECT COUNT(*) FROM t__map__m WHERE 1 = ?"
			stmt, err := s.PrepareContext(context.Background(), query)
			if err != nil {
				t.Fatal(err)
			}
			out := make(chan error, 1)
			go func() {
				var n int
				out <- stmt.QueryRow(1).Scan(&n)
			}()
			harness.Running(t, db, s.ID, query[:20])
			done = out
		} else {
			done = s.Begin(context.Background(), "SELECT COUNT(*) FROM t__map__m")
			harness.Running(t, db, s.ID, "SELECT COUNT(*)")
		}
		time.Sleep(100 * time.Millisecond)
		killed := time.Now()
		harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", s.ID))
		select {
		case err := <-done:
			if harness.ErrorNumber(err) != 1317 {
				t.Errorf("prepared %t: the killed statement gives %v", prepared, err)
			}
			if took := time.Since(killed); took > 2*time.Second {
				t.Errorf("prepared %t: it ends %s after KILL", prepared, took)
			}
		case <-time.After(harness.Patience):
			t.Errorf("prepared %t: the statement is not killed", prepared)
		}
	}
	harness.MustExec(t, db, "DROP TABLE t")
}

// TestMapWait: a statement that has waited for sqlfdb_map_wait fails; one that is not to wait reads what is there.
func TestMapWait(t *testing.T) {
	db := slowMap(t)
	s := harness.NewSession(t, db)
	refused := func(query, about string) {
		t.Helper()
		_, err := s.ExecContext(context.Background(), query)
		var e *mysql.MySQLError
		if !errors.As(err, &e) || e.Number != 1205 || !strings.Contains(e.Message, about) {
			t.Errorf("%s: %v", query, err)
		}
	}
	harness.MustExec(t, s, "SET sqlfdb_map_wait = 1")
	refused("SELECT COUNT(*) FROM t__map__m", "is being built")
	harness.MustExec(t, s, "SET sqlfdb_map_update = lazy")
	if n := single(t, s, "SELECT COUNT(*) FROM t__map__m"); n <= 0 || n >= 150 {
		t.Errorf("%d of 150 rows are read without a wait, behind one of a second", n)
	}
	harness.MustExec(t, s, "SET GLOBAL sqlfdb_jobs = hold", "SET sqlfdb_map_update = wait", "TRUNCATE TABLE t")
	var rows []string
	for i := range 400 { // two fast cores map 150 of them within the second
		rows = append(rows, fmt.Sprintf("(%d, %d)", i, i))
	}
	harness.MustExec(t, s, "INSERT INTO t (_id, n) VALUES "+strings.Join(rows, ","))
	refused("SELECT `key` FROM t__map__m", "are up to the change")
	harness.CheckAll(t, db)
	harness.MustExec(t, s, "SET GLOBAL sqlfdb_map_batch = 3", "SET sqlfdb_map_wait = 600")
	if n := single(t, s, "SELECT COUNT(*) FROM t__map__m"); n != 400 {
		t.Errorf("%d rows", n)
	}
	harness.MustExec(t, s, "SET GLOBAL sqlfdb_map_batch = DEFAULT")
}

// TestDumpedComments: whatever comments a function has, the one of SQL that its definition stands in ends where it
// should, and the function comes back as it was.
func TestDumpedComments(t *testing.T) {
	_, db := harness.Database(t)
	for _, body := range []string{"/*/ n */ emit(1);", "/* n */ emit(1);", "/* /* */ emit(2 */*/ x /*/ 3);",
		"/** n **/ emit(/[*/]*/.test(doc.n));", `emit("*\\/\\u002a/*");`,
		"emit(`n ${doc.n}\n\\`\\${}${`/*${doc.n}*/`}`, '`');"} {
		function := "function (doc) { " + body + " }"
		harness.MustExec(t, db, "DROP TABLE IF EXISTS t", "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)")
		if _, err := db.Exec("CREATE MAP INDEX m ON t AS ?", function); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		shown := func() (name, create string) {
			t.Helper()
			if err := db.QueryRow("SHOW CREATE TABLE t").Scan(&name, &create); err != nil {
				t.Fatalf("%s: %v", body, err)
			}
			return name, create
		}
		_, create := shown()
		_, comment, ok := strings.Cut(create, "/*!99999")
		end := strings.LastIndex(comment, "*/")
		if !ok || end < 0 || strings.Contains(comment[:end], "*/") || strings.Contains(comment[:end], "/*") {
			t.Errorf("%s: %s", body, create)
		}
		harness.MustExec(t, db, "DROP TABLE t", create)
		if _, again := shown(); again != create {
			t.Errorf("%s: %s came back as %s", body, create, again)
		}
		quoted := strings.NewReplacer(`\`, `\\`, "'", "''").Replace(function)
		if definition := harness.Answered(db, "SELECT definition FROM sqlfdb.map_indexes WHERE `table` = 't' AND "+
			"`database` = DATABASE()"); !strings.Contains(definition, quoted) {
			t.Errorf("%s: the definition is %s", body, definition)
		}
	}
}

// TestHeldMapWait: nobody waits for a map index that held jobs don't build.
func TestHeldMapWait(t *testing.T) {
	for _, mode := range []string{"INTERACTIVE", "BACKGROUND"} {
		_, db := harness.Database(t)
		harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = hold", "CREATE TABLE t (_id INT PRIMARY KEY, n INT, _doc JSON)",
			"INSERT INTO t (_id, n) VALUES (1, 1)", "CREATE MAP INDEX m ON t AS 'function (doc) { emit(doc.n); }' "+mode)
		began := time.Now()
		_, err := db.Exec("SELECT COUNT(*) FROM t__map__m")
		if took := time.Since(began); harness.ErrorNumber(err) != 1205 || took > 10*time.Second {
			t.Errorf("%s: %v after %s", mode, err, took)
		}
		harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = run")
		if n := single(t, db, "SELECT COUNT(*) FROM t__map__m"); n != 1 {
			t.Errorf("%s: %d rows", mode, n)
		}
	}
}

// TestFirstOfOtherServer: the first statement of a server that does not know yet what another one has defined waits for
// the rows like any other.
func TestFirstOfOtherServer(t *testing.T) {
	for _, e := range harness.Engines {
		t.Run(e.Name, func(t *testing.T) {
			f := harness.ServeFleet(t, e.Fresh(t), 2, server.Options{})
			harness.MustExec(t, f.Connect("", ""), "CREATE DATABASE d")
			one, two := f.Only(f.Member(0), "d", ""), f.Only(f.Member(1), "d", "")
			for _, db := range []*sql.DB{one, two} {
				harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = hold")
			}
			for i := range 5 {
				name := fmt.Sprint("t", i)
				harness.MustExec(t, one, "CREATE TABLE "+name+" (_id INT PRIMARY KEY, _doc JSON)")
				single(t, two, "SELECT COUNT(*) FROM "+name)
				harness.MustExec(t, one, "CREATE MAP INDEX m ON "+name+" AS 'function (doc) { emit(doc.n); }'",
					"INSERT INTO "+name+" (_id, n) VALUES (1, 1), (2, 2)")
				if n := single(t, two, "SELECT COUNT(*) FROM "+name+"__map__m"); n != 2 {
					t.Errorf("%d rows of the first statement, want 2", n)
				}
				harness.MustExec(t, one, "INSERT INTO "+name+" (_id, n) VALUES (3, 3)")
				if n := single(t, two, "SELECT COUNT(*) FROM (SELECT `key` FROM "+name+"__map__m LIMIT 9) x"); n != 3 {
					t.Errorf("%d rows of the second statement, want 3", n)
				}
			}
		})
	}
}
