package sqltests

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestFaultsOfReads: a statement that only reads gives its answer, whatever an operation has met.
func TestFaultsOfReads(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Must(`REPLACE INTO t (_doc) VALUES ('{"_id": "k3", "n": 4, "tags": ["a", "b"], "o": {"p": 1.5}}')`,
		"DELETE FROM t WHERE _id = 'k1'",
		"CREATE TABLE other (id INT PRIMARY KEY, n INT)", "INSERT INTO other VALUES (1, 0)")
	// at a version that has been read before, definitions are known
	commit := func() { r.Must("UPDATE other SET n = n + 1") }
	for _, query := range []string{
		"SELECT * FROM t", "SELECT COUNT(*), SUM(n) FROM t WHERE n > 0", "SELECT MAX(n) FROM t",
		"SELECT _id FROM t WHERE n >= 1 ORDER BY n LIMIT 1", "SELECT a._id, b._id FROM t a JOIN t b ON a.n = b.n",
		"SELECT n, COUNT(*) FROM t GROUP BY n", "SELECT _id, _value FROM t__tags", "SELECT * FROM t__changes",
		"SELECT sqlfdb_last_seq('t')", "SELECT sqlfdb_rev('t', 'k0')",
		"SELECT sqlfdb_wait_changes('t', '00000000000000000000000000', 100)", "CHECK TABLE t",
		"EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n > 1", "SHOW FULL COLUMNS FROM t",
		"SELECT keypath, documents FROM sqlfdb.keypaths WHERE `table` = 't'",
		"SELECT table_rows FROM information_schema.tables WHERE table_schema = 'f'", "SHOW CREATE TABLE t",
	} {
		want, err := r.Text(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for _, fault := range []faultkv.Fault{faultkv.TooOld, faultkv.Unavailable} {
			have := ""
			r.Everywhere(query, fault, commit, func() (err error) {
				have, err = r.Text(query)
				return err
			}, func(what string, err error, _ int64) {
				if err != nil || have != want {
					t.Errorf("%s: %s (%v), want %s", what, have, err, want)
				}
			})
		}
	}
}

// TestFaultsOfNumbers: AUTO_INCREMENT gives each row a number of its own and tells it, and a unique value is stored
// once.
func TestFaultsOfNumbers(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Must("CREATE TABLE a (id BIGINT AUTO_INCREMENT PRIMARY KEY, u INT UNIQUE, k INT)")
	next := 0
	for name, statement := range map[string]string{
		"numbered": "INSERT INTO a (u, k) VALUES (%d, 1)",
		// past what has been taken
		"a number of its own": "INSERT INTO a (id, u, k) SELECT COALESCE(MAX(id), 0) + 100, %d, 1 FROM a",
	} {
		for _, fault := range faultkv.Faults() {
			told := int64(0)
			r.Everywhere(name, fault, func() { next++ }, func() error {
				result, err := r.Conn.ExecContext(context.Background(), fmt.Sprintf(statement, next))
				if err != nil {
					return err
				}
				told, err = result.LastInsertId()
				return err
			}, func(what string, err error, _ int64) {
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				if name == "numbered" {
					r.Is(what, fmt.Sprintf("SELECT id FROM a WHERE u = %d", next), fmt.Sprint(told))
				}
				r.Is(what, "SELECT COUNT(*), COUNT(DISTINCT id), COUNT(DISTINCT u) FROM a",
					fmt.Sprintf("%d %[1]d %[1]d", next))
				var refused *mysql.MySQLError
				if _, err := r.Conn.ExecContext(context.Background(),
					fmt.Sprintf("INSERT INTO a (u) VALUES (%d)", next)); !errors.As(err, &refused) || refused.Number != 1062 {
					t.Fatalf("%s: a unique value again: %v", what, err)
				}
			})
		}
	}
	r.Check("in the end", "a")
}

// TestFaultsOfJobs: background work comes to its end, whatever the operations of its steps meet, with nothing
// lost, doubled or left.
func TestFaultsOfJobs(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Must("CREATE TABLE j (_id INT PRIMARY KEY, s VARCHAR(20), _doc JSON)")
	for i := range 6 {
		r.Must(fmt.Sprintf(`INSERT INTO j (_doc) VALUES ('{"_id": %d, "s": "%d", "o": {"p": {"q": %d}}, "tags": ["x", %d]}')`,
			i, i%3, i, i))
	}
	jobs := r.Server.Backend().Jobs()
	ctx := context.Background()
	changes := map[string][]string{
		"rebuild": {`ALTER TABLE j ENGINE_ATTRIBUTE '{"max_depth": 1}'`, `ALTER TABLE j ENGINE_ATTRIBUTE '{}'`},
		"upgrade": {"ALTER TABLE j MODIFY s INT", "ALTER TABLE j MODIFY s VARCHAR(20)"},
		"index":   {"CREATE INDEX js ON j (s, `o.p.q`)", "DROP INDEX js ON j"},
		"unique":  {"CREATE UNIQUE INDEX ju ON j (s, `o.p.q`)", "DROP INDEX ju ON j"},
		"map": {"CREATE MAP INDEX m ON j AS 'function (doc) { doc.tags.forEach(function (t) { emit(t, doc.o.p.q); }); }' " +
			"INTERACTIVE", "DROP MAP INDEX m ON j"},
	}
	for kind, alters := range changes {
		turn := 0
		for _, fault := range faultkv.Faults() {
			r.Everywhere(kind, fault, func() {
				r.Must(alters[turn%2])
				turn++
			}, func() error {
				// A step whose operation fails is taken again, later.
				var err error
				for range 5 {
					if err = jobs.Drain(ctx); err == nil {
						break
					}
				}
				return err
			}, func(what string, err error, _ int64) {
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				r.Is(what, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE state <> 'done' AND kind <> 'sweep'", "0")
				r.Is(what, "SELECT COUNT(*), SUM(s), SUM(`o.p.q`) FROM j", "6 6 15")
				r.Is(what, "SELECT COUNT(*) FROM j WHERE s = '1'", "2")
				if kind == "map" && turn%2 == 1 {
					r.Is(what, "SELECT COUNT(*), SUM(value) FROM j__map__m", "12 30")
				}
				r.Check(what, "j")
			})
		}
	}
}

// TestFaultsOfMaps: a reader of a map index that is kept behind the writers works off what is missing, whatever its
// operations meet.
func TestFaultsOfMaps(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Must("CREATE TABLE m (_id INT PRIMARY KEY, _doc JSON)",
		"CREATE MAP INDEX by_n ON m AS 'function (doc) { emit(doc.n, doc.round); emit([doc.n]); }' BACKGROUND")
	round := 0
	for _, fault := range faultkv.Faults() {
		r.Everywhere("map", fault, func() {
			round++
			r.Must(fmt.Sprintf("REPLACE INTO m (_id, n, round) VALUES (%d, %d, %d), (%d, 0, %[3]d)", round%5, round%3,
				round,
				(round+2)%5), fmt.Sprintf("DELETE FROM m WHERE _id = %d", (round+1)%5))
		}, func() error {
			_, err := r.Run([]string{"SELECT COUNT(*) FROM m__map__by_n"})
			return err
		}, func(what string, _ error, _ int64) {
			source, err := r.Text("SELECT _id, n, round FROM m ORDER BY n, _id")
			if err != nil {
				t.Fatal(err)
			}
			r.Is(what, "SELECT _id, `key`, value FROM m__map__by_n WHERE `key` < '[]' ORDER BY `key`, _id", source)
			r.Check(what, "m")
		})
	}
}

// TestFaultsOfFollowers: a consumer whose checkpoint is in the transaction of its effect takes each change once.
func TestFaultsOfFollowers(t *testing.T) {
	r := harness.StartFaulty(t)
	r.Must("CREATE TABLE replica (_id VARCHAR(255) PRIMARY KEY, n INT)",
		"CREATE TABLE taken (seq VARCHAR(26) PRIMARY KEY)",
		"CREATE TABLE checkpoint (id INT PRIMARY KEY, seq VARCHAR(26))",
		"INSERT INTO checkpoint VALUES (1, '00000000000000000000000000')")
	const newer = "seq > (SELECT seq FROM checkpoint WHERE id = 1)"
	consume := []string{"BEGIN", "SELECT seq FROM checkpoint WHERE id = 1 FOR UPDATE",
		"INSERT INTO taken SELECT seq FROM t__changes WHERE " + newer,
		"DELETE FROM replica WHERE _id IN (SELECT _id FROM t__changes WHERE " + newer + " AND deleted)",
		"REPLACE INTO replica SELECT _id, _doc->>'$.n' FROM t__changes WHERE " + newer + " AND NOT deleted",
		"UPDATE checkpoint SET seq = sqlfdb_last_seq('f.t') WHERE id = 1", "COMMIT"}
	round := 0
	for _, fault := range faultkv.Faults() {
		r.Everywhere("follower", fault, func() {
			round++
			r.Must(fmt.Sprintf("REPLACE INTO t (_id, n) VALUES ('k%d', %d), ('k%d', 0)", round%5, round, (round+2)%5),
				fmt.Sprintf("DELETE FROM t WHERE _id = 'k%d'", (round+1)%5))
		}, func() error {
			var err error
			for range 3 { // as a consumer would
				var refused *mysql.MySQLError
				if _, err = r.Run(consume); err == nil || !errors.As(err, &refused) || refused.Number != 1213 &&
					refused.Number != 1205 {
					break
				}
			}
			return err
		}, func(what string, err error, _ int64) {
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			source, err := r.Text("SELECT _id, n FROM t ORDER BY _id")
			if err != nil {
				t.Fatal(err)
			}
			r.Is(what, "SELECT _id, n FROM replica ORDER BY _id", source)
			r.Is(what, "SELECT COUNT(*) FROM t__changes WHERE "+newer, "0")
		})
	}
	for _, name := range []string{"t", "replica", "taken", "checkpoint"} {
		r.Check("in the end", name)
	}
	// Woken by a commit, whatever the wait's own operations meet.
	for _, fault := range []faultkv.Fault{faultkv.TooOld, faultkv.Unavailable} {
		db := harness.Connect(t, r.Server.Addr(), "f", "")
		r.Everywhere("wait", fault, func() {}, func() error {
			seq, err := r.Text("SELECT sqlfdb_last_seq('t')")
			if err != nil {
				return err
			}
			write := time.AfterFunc(20*time.Millisecond, func() { _, _ = db.Exec("UPDATE t SET n = n + 1") })
			defer write.Stop()
			have, err := r.Text(fmt.Sprintf("SELECT sqlfdb_wait_changes('t', '%s', 20000)", seq))
			if err == nil && have != "1" {
				err = fmt.Errorf("waiting gives %s", have)
			}
			return err
		}, func(what string, err error, _ int64) {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
}
