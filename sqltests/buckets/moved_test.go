package buckets

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// numbers are n rows of i, for INSERT … SELECT.
func numbers(n int) string {
	return fmt.Sprintf("WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT ", n)
}

// into is the statement that moves a table into the bucket.
func (b *bucket) into(table string) string {
	return "ALTER TABLE " + table + " ENGINE=BUCKET CONNECTION='" + b.address("") + "'"
}

// files counts the files in the bucket whose names begin with a prefix.
func (b *bucket) files(prefix string) (n int) {
	b.t.Helper()
	err := store.All(context.Background(), b.objects, "app/"+prefix, func(store.Info) error { n++; return nil })
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestMoved: ALTER TABLE … ENGINE moves documents and indexes into a bucket and out of it.
func TestMoved(t *testing.T) {
	b := start(t, nil)
	b.run("CREATE TABLE pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON, born DATE, name TEXT NOT NULL, "+
		"KEY kind_1 (kind) COMMENT 'of \"cats\" too', KEY kind_1_n_1 (kind, n), KEY born_1 (born))",
		"SET cte_max_recursion_depth = 2000",
		"INSERT INTO pets (_id, born, name, kind, n, `at.city`) "+numbers(1300)+"CONCAT('p', i), '2024-02-29', "+
			"CONCAT('n', i), IF(i % 3, 'cat', 'dog'), i, 'Bern' FROM s",
		"DELETE FROM pets WHERE n > 1200", "UPDATE pets SET n = n + 1 WHERE n = 7")
	const sums = "SELECT COUNT(*), SUM(n), MIN(born), MAX(`at.city`), SUM(kind = 'dog'), MAX(name) FROM pets"
	want := b.rows(sums)
	list := b.rows("SELECT * FROM pets ORDER BY _id LIMIT 3")
	b.run(b.into("pets"))
	b.is("SHOW WARNINGS", "Note 1105 The strings of d.pets compare by their bytes now")
	b.has("SHOW CREATE TABLE pets", "ENGINE=BUCKET", "KEY `kind_1` (`kind`) COMMENT 'of \"cats\" too'",
		"KEY `kind_1_n_1` (`kind`,`n`)",
		"`born` date")
	b.is(sums, want)
	b.is("SELECT * FROM pets ORDER BY _id LIMIT 3", list)
	if have := b.file("pets/data/p1.json"); have !=
		`{"_id":"p1","born":"2024-02-29","name":"n1","kind":"cat","n":1,"at":{"city":"Bern"}}` {
		t.Error(have)
	}
	b.costs("SELECT name FROM pets WHERE kind = 'dog' ORDER BY n LIMIT 5", "n3; n6; n9; n12; n15", 7, 0)
	b.is("CHECK TABLE pets", "d.pets check status OK")
	b.run(b.into("pets"), "ALTER TABLE pets ENGINE=BUCKET") // it is there
	b.fails("ALTER TABLE pets ENGINE=BUCKET CONNECTION='mem://x'", 1235, "moves it out")
	b.fails("ALTER TABLE pets ENGINE=Aria", 1286, "Aria")
	b.fails("CREATE TABLE pets2 LIKE pets", 1235, "bucket")

	b.run("INSERT INTO pets (_id, name, kind, n) VALUES ('new', 'N', 'cow', 5)", "ALTER TABLE pets ENGINE = InnoDB;")
	b.has("SHOW WARNINGS", "The files of d.pets stay in the bucket, in the folder pets")
	if n := b.files("pets/data/"); n != 1201 {
		t.Errorf("%d documents stay in the bucket", n)
	}
	b.has("SHOW CREATE TABLE pets", "KEY `kind_1` (`kind`) COMMENT 'of \"cats\" too'",
		"KEY `kind_1_n_1` (`kind`,`n`)",
		"COLLATE=utf8mb4_0900_bin")
	b.run("DELETE FROM pets WHERE _id = 'new'")
	b.is(sums, want)
	b.is("SELECT * FROM pets ORDER BY _id LIMIT 3", list)
	b.has("EXPLAIN FORMAT=TREE SELECT name FROM pets WHERE kind = 'dog' AND n = 9", "kind_1_n_1")
	b.is("CHECK TABLE pets", "d.pets check status OK")
	b.fails(b.into("pets"), 1235, "the folder pets of the bucket has documents")
	b.run(strings.TrimSuffix(b.into("pets"), "'") + "&collection=other'")
	b.is(sums, want)
	b.is("CHECK TABLE pets", "d.pets check status OK")
	b.run("RENAME TABLE pets TO animals", "ALTER TABLE animals ENGINE=SQLFDB")
	b.is("SELECT COUNT(*) FROM animals", "1200")
	b.run("BEGIN", "INSERT INTO animals (_id, name) VALUES ('x', 'x')", "ROLLBACK")
	b.is("CHECK TABLE animals", "d.animals check status OK")
}

// TestMovedRefused: what a table in a bucket can't have is told before anything is moved.
func TestMovedRefused(t *testing.T) {
	b := start(t, nil)
	const key = " (_id VARCHAR(255) PRIMARY KEY, _doc JSON"
	b.run("CREATE TABLE plain"+key+")", "ALTER TABLE plain ENGINE=InnoDB",
		"CREATE TABLE t1 (id INT PRIMARY KEY, _doc JSON)",
		"CREATE TABLE t2 (_id VARCHAR(255) PRIMARY KEY, a INT)", "CREATE TABLE t3"+key+", a INT, UNIQUE (a))",
		"CREATE TABLE t4"+key+", a INT, CHECK (a > 1))", "CREATE TABLE t5"+key+", a INT AUTO_INCREMENT, KEY (a))",
		"CREATE TABLE t6"+key+", a TEXT COLLATE utf8mb4_general_ci)", "CREATE TABLE t7"+key+", a INT AS (1 + 1))",
		"CREATE TABLE child (id INT PRIMARY KEY, p VARCHAR(255), FOREIGN KEY (p) REFERENCES plain (_id))",
		"CREATE TABLE t8"+key+")", "CREATE MAP INDEX m ON t8 AS 'function (d) { emit(d.a, 1); }'",
		"CREATE TABLE t9"+key+", p VARCHAR(255), FOREIGN KEY (p) REFERENCES plain (_id))",
		"CREATE TEMPORARY TABLE t10"+key+")", "CREATE VIEW v AS SELECT * FROM plain",
		"CREATE TABLE t11"+key+") ENGINE_ATTRIBUTE='{\"key_scheme\": \"field\"}'",
		"CREATE TABLE t12"+key+")", "INSERT INTO t12 (_id) VALUES (REPEAT('ä', 100))")
	for table, text := range map[string]string{"plain": "foreign keys that refer to it", "t1": "primary key _id",
		"t2": "_doc JSON", "t3": "no unique indexes", "t4": "CHECK", "t5": "AUTO_INCREMENT", "t6": "by their bytes",
		"t7": "generated", "t8": "map indexes", "t9": "foreign keys", "t10": "temporary", "t11": "key_scheme"} {
		b.fails(b.into(table), 1235, text)
	}
	b.fails(b.into("v"), 1146, "v")
	b.fails(b.into("nowhere"), 1146, "nowhere")
	b.fails(b.into("t12"), 1406, "the _id 'ääää")
	b.fails("ALTER TABLE t12 ENGINE=BUCKET", 1235, "without CONNECTION")
	b.fails("ALTER TABLE t12 ENGINE=BUCKET CONNECTION='http://x'", 1432, "none of s3://")
	b.fails("ALTER TABLE t8 ADD COLUMN n INT, ENGINE = BUCKET", 1235, "no other clauses")
	b.fails("ALTER TABLE t8 engine `bucket` CONNECTION='mem://x', COMMENT = 'x'", 1235, "no other clauses")
	b.fails("ALTER TABLE t8 COMMENT = 'x', ENGINE=BUCKET CONNECTION='mem://x'", 1235, "no other clauses")
	if n := b.files("t"); n > 3 { // who writes, which indexes there are
		t.Errorf("%d files", n)
	}
	b.run("CREATE USER alice", "GRANT ALL ON d.* TO alice")
	alice := b.as("alice")
	if _, err := alice.Exec(b.into("t12")); harness.ErrorNumber(err) != 1227 {
		t.Errorf("without FILE: %v", err)
	}
	// Of another program's documents those that do not fit a column are told.
	b.put(map[string]string{"odd/data/a.json": `{"_id": "a", "n": 1}`, "odd/data/b.json": `{"_id": "b", "n": "much"}`})
	b.create("odd", ", n INT")
	b.fails("ALTER TABLE odd ENGINE=SQLFDB", 1366, "document 'b': Incorrect int value: 'much'")
	b.has("SHOW CREATE TABLE odd", "ENGINE=BUCKET")
	b.is("SELECT n FROM odd WHERE _id = 'a'", "1")
	b.put(map[string]string{"odd/data/b.json": `{"_id": "b", "n": 2}`})
	b.run("ALTER TABLE odd ENGINE=SQLFDB")
	b.is("SELECT _id, n FROM odd", "a 1; b 2")
	b.is("CHECK TABLE odd", "d.odd check status OK")
}

// TestMovedWhileWritten: who writes while a table is moved loses nothing that was acknowledged.
func TestMovedWhileWritten(t *testing.T) {
	b := start(t, nil)
	b.run("CREATE TABLE pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON, KEY k_1 (k))",
		"INSERT INTO pets (_id, k, n) "+numbers(900)+"CONCAT('p', i), i % 7, 0 FROM s")
	const writers = 3
	var added [writers]int
	var counted [writers]int
	moved := make(chan struct{})
	var wg sync.WaitGroup
	for w := range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 3000; i++ {
				select {
				case <-moved:
					return
				default:
				}
				id := fmt.Sprintf("w%d_%d", w, i)
				if _, err := b.db.Exec("INSERT INTO pets (_id, k, n) VALUES (?, ?, 1)", id, i%7); err == nil {
					added[w]++
				} else if n := harness.ErrorNumber(err); n != 1213 && n != 1205 {
					t.Errorf("insert: %v", err)
					return
				}
				_, err := b.db.Exec("UPDATE pets SET n = n + 1 WHERE _id = ?", fmt.Sprintf("p%d", w+1))
				if err == nil {
					counted[w]++
				} else if n := harness.ErrorNumber(err); n != 1213 && n != 1205 {
					t.Errorf("update: %v", err)
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
	}
	for i := range 3 {
		b.run(fmt.Sprintf("ALTER TABLE pets ENGINE=BUCKET CONNECTION='%s'", b.address(fmt.Sprintf("&collection=c%d", i))))
		time.Sleep(50 * time.Millisecond)
		b.run("ALTER TABLE pets ENGINE=SQLFDB")
		time.Sleep(50 * time.Millisecond)
	}
	close(moved)
	wg.Wait()
	for w := range writers {
		b.is(fmt.Sprintf("SELECT COUNT(*) FROM pets WHERE _id LIKE 'w%d!_%%' ESCAPE '!'", w), fmt.Sprint(added[w]))
		b.is(fmt.Sprintf("SELECT n FROM pets WHERE _id = 'p%d'", w+1), fmt.Sprint(counted[w]))
		if added[w] == 0 || counted[w] == 0 {
			t.Errorf("writer %d wrote nothing", w)
		}
	}
	b.is("CHECK TABLE pets", "d.pets check status OK")
}

// TestMovedTogether: of two moves of a table into one folder one fails, and takes away nothing of the other's; nor does
// a move whose documents have ids that another table has written there meanwhile.
func TestMovedTogether(t *testing.T) {
	b := start(t, nil)
	ctx := context.Background()
	b.run("SET cte_max_recursion_depth = 5000")
	for i := range 4 {
		name, folder := fmt.Sprintf("t%d", i), fmt.Sprintf("&collection=c%d", i)
		b.run("CREATE TABLE "+name+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
			"INSERT INTO "+name+" (_id, n) "+numbers(1200)+"CONCAT('p', i), i FROM s")
		move := fmt.Sprintf("ALTER TABLE %s ENGINE=BUCKET CONNECTION='%s'", name, b.address(folder))
		errs := make(chan error)
		for range 2 {
			go func() {
				_, err := b.db.ExecContext(ctx, move)
				errs <- err
			}()
		}
		first, second := <-errs, <-errs
		if first != nil && second != nil {
			t.Errorf("both moves fail: %v, %v", first, second)
		}
		b.is("SELECT COUNT(*), SUM(n) FROM "+name, "1200 720600")
		b.is("CHECK TABLE "+name, fmt.Sprintf("d.%s check status OK", name))
	}
	b.run("CREATE TABLE other (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+
		b.address("&collection=shared")+"'",
		"CREATE TABLE mine (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO mine (_id, n) "+numbers(4000)+"CONCAT('p', i), i FROM s")
	moved := make(chan error)
	go func() {
		_, err := b.db.ExecContext(ctx, fmt.Sprintf("ALTER TABLE mine ENGINE=BUCKET CONNECTION='%s'",
			b.address("&collection=shared")))
		moved <- err
	}()
	for b.files("shared/data/") == 0 {
		time.Sleep(time.Millisecond)
	}
	b.run("INSERT INTO other (_id, n) VALUES ('p4000', -1)")
	if err := <-moved; harness.ErrorNumber(err) != 1430 {
		t.Fatalf("the move meets a document: %v", err)
	}
	b.is("SELECT _id, n FROM other ORDER BY _id", "p4000 -1")
	b.is("SELECT COUNT(*) FROM mine", "4000")
	b.is("SELECT engine FROM information_schema.tables WHERE table_name = 'mine'", "sqlfdb")
}

// TestMovedKilled: a move out of a bucket that is killed leaves nothing in the store.
func TestMovedKilled(t *testing.T) {
	b := start(t, nil)
	b.run("SET cte_max_recursion_depth = 5000", "CREATE TABLE pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO pets (_id, n) "+numbers(4000)+"CONCAT('p', i), i FROM s", b.into("pets"))
	s := harness.NewSession(t, b.db)
	moved := s.Begin(context.Background(), "ALTER TABLE pets ENGINE=SQLFDB")
	const documents = "SELECT documents FROM sqlfdb.tables WHERE `table` = 'pets'"
	for b.rows(documents) == "0" {
		time.Sleep(time.Millisecond)
	}
	b.run(fmt.Sprintf("KILL QUERY %d", s.ID))
	if err := <-moved; harness.ErrorNumber(err) != 1317 {
		t.Fatal(err)
	}
	b.is(documents, "0")
	b.is("SELECT COUNT(*) FROM pets", "4000")
	b.is("CHECK TABLE pets", "d.pets check status OK")
}

// TestMovedBroken: whatever request fails, for good or once, the table is whole, on one side, and nothing is left of
// what was written on the other one.
func TestMovedBroken(t *testing.T) {
	var n, from atomic.Int64
	from.Store(-1)
	b := start(t, func(s store.Store) store.Store { return &breaking{Store: s, n: &n, from: &from} })
	b.run("CREATE TABLE pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON, KEY k_1 (k))",
		"INSERT INTO pets (_id, k, n) "+numbers(700)+"CONCAT('p', i), i % 7, i FROM s")
	const want = "700 245350"
	failed, moved := 0, 0
	for at := int64(1); at < 12_000; at = at*5/2 + 1 {
		folder := fmt.Sprintf("c%d", at)
		n.Store(0)
		from.Store(at)
		_, err := b.conn.ExecContext(context.Background(), fmt.Sprintf("ALTER TABLE pets ENGINE=BUCKET CONNECTION='%s'",
			b.address("&collection="+folder)))
		from.Store(-1)
		b.is("SELECT COUNT(*), SUM(n) FROM pets", want)
		if err != nil {
			failed++
			b.is("SELECT engine FROM information_schema.tables WHERE table_name = 'pets'", "sqlfdb")
			if n := b.files(folder+"/data/") + b.files(folder+"/indices/"); n > 0 {
				t.Errorf("%d files are left", n)
			}
		} else {
			moved++
			b.is("SELECT engine FROM information_schema.tables WHERE table_name = 'pets'", "BUCKET")
			n.Store(0)
			from.Store(at)
			_, err = b.conn.ExecContext(context.Background(), "ALTER TABLE pets ENGINE=SQLFDB")
			from.Store(-1)
			b.is("SELECT COUNT(*), SUM(n) FROM pets", want)
			if err != nil {
				b.run("ALTER TABLE pets ENGINE=SQLFDB")
			}
		}
		b.is("CHECK TABLE pets", "d.pets check status OK")
	}
	if failed == 0 || moved == 0 {
		t.Errorf("%d moves failed, %d did not", failed, moved)
	}
}

// breaking is a store whose requests fail from some number on, 200 of them.
type breaking struct {
	store.Store
	n, from *atomic.Int64
}

func (s *breaking) meet() error {
	if n, from := s.n.Add(1), s.from.Load(); from >= 0 && n >= from && n < from+40 {
		return fmt.Errorf("%w: on purpose", storetest.ErrDenied)
	}
	return nil
}

// Put implements store.Store.
func (s *breaking) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	if err := s.meet(); err != nil {
		return "", err
	}
	return s.Store.Put(ctx, key, body, cond)
}

// Get implements store.Store.
func (s *breaking) Get(ctx context.Context, key, known string) (store.Object, error) {
	if err := s.meet(); err != nil {
		return store.Object{}, err
	}
	return s.Store.Get(ctx, key, known)
}

// TestDroppedDatabase: DROP DATABASE tells of the files that stay, as DROP TABLE does.
func TestDroppedDatabase(t *testing.T) {
	b := start(t, nil)
	b.run("CREATE DATABASE other", "CREATE TABLE other.plain (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE other.pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+b.address("")+"'",
		"INSERT INTO other.pets (_id) VALUES ('a')", "DROP DATABASE other")
	b.is("SHOW WARNINGS", "Note 1105 The files of other.pets stay in the bucket, in the folder pets. "+
		"TRUNCATE TABLE deletes documents")
	if b.file("pets/data/a.json") == "" {
		t.Error("the document is gone")
	}
}
