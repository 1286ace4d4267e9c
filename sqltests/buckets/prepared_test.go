package buckets

import (
	"context"
	"strings"
	"testing"
)

// TestPrepared: a statement that is prepared once is planned for the values of each run, and sees what is there then.
func TestPrepared(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", KEY name_1 (name)")
	b.run("INSERT INTO pets (_id, name, n) VALUES ('a', 'Milo', 1), ('b', 'Bella', 1)")
	ctx := context.Background()
	read, err := b.conn.PrepareContext(ctx, "SELECT n FROM pets WHERE name = ? AND n < ? LIMIT ?")
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	write, err := b.conn.PrepareContext(ctx, "UPDATE pets SET n = n + ? WHERE _id = ?")
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	for i := range 4 {
		for id, name := range map[string]string{"a": "Milo", "b": "Bella"} {
			if _, err := write.ExecContext(ctx, i, id); err != nil {
				t.Fatal(err)
			}
			before := b.count.Requests()
			var n int
			if err := read.QueryRowContext(ctx, name, 100, 5).Scan(&n); err != nil || n != 1+i*(i+1)/2 {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			if r := b.count.Requests().Minus(before); r.Gets != 2 || r.Lists != 0 {
				t.Errorf("%+v", r)
			}
		}
	}
	b.run("PREPARE p FROM 'DELETE FROM pets WHERE _id = ?'", "SET @id = 'a'", "EXECUTE p USING @id", "SET @id = 'b'",
		"EXECUTE p USING @id")
	b.is("SELECT COUNT(*) FROM pets", "0")
}

// TestExplain: EXPLAIN tells what will be asked, what that costs, and why other ways lost; EXPLAIN ANALYZE what was.
func TestExplain(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", KEY name_1 (name), KEY kind_1_n_1 (kind, n)")
	b.run("INSERT INTO pets (_id, name, kind, n) VALUES ('a', 'Milo', 'dog', 1), ('b', 'Bella', 'cat', 2), "+
		"('c', 'Rex', 'dog', 3)", "SET sqlfdb_bucket_prices = 'get=1,list=5'")
	b.is("SELECT @@sqlfdb_bucket_prices", "get=1,put=0,delete=0,list=5,gb=0")
	b.has("EXPLAIN FORMAT=TREE SELECT n FROM pets WHERE _id = 'a' AND n > 0", "documents by _id: 1",
		"requests: 1 document; "+
			"$1000.00 for a million such statements", "lost: scan: 1 list, 3 documents, _id cost 1 document",
		"lost: name_1: no value of name is given")
	b.has("EXPLAIN ANALYZE SELECT _id FROM pets WHERE kind = 'dog'", "without documents", "asked: 1 GET, ", "$1000.00",
		"bucket gets=1")
	b.has("EXPLAIN ANALYZE SELECT name FROM pets WHERE kind = 'dog' ORDER BY n LIMIT 1", "index kind_1_n_1: dog, in order",
		"asked: 3 GET")
	b.has("EXPLAIN FORMAT=JSON SELECT name FROM pets WHERE kind = 'dog'", "kind_1_n_1", "requests: 1 entry")
	b.has("EXPLAIN SELECT name FROM pets WHERE kind = 'dog'", "ref", "kind_1_n_1", "Using where")
	b.run("SET sqlfdb_use_index = OFF")
	b.has("EXPLAIN FORMAT=TREE SELECT name FROM pets WHERE kind = 'dog'", "all documents", "sqlfdb_use_index is OFF")
	b.run("SET sqlfdb_use_index = ON", "SELECT name FROM pets WHERE kind = 'dog'")
	b.is("SHOW STATUS LIKE 'sqlfdb_last_bucket_gets'", "sqlfdb_last_bucket_gets 3")
}

// TestCache: what is kept is asked for, and not sent again; with cache=0 nothing is kept. Of several tables on one
// collection, the largest cache is that of all.
func TestCache(t *testing.T) {
	b := start(t, nil)
	for _, c := range []struct{ options, kept string }{{"&collection=small&cache=0", "39"},
		{"&collection=pets", "0"}, {"&collection=pets&cache=0", "0"}, {"&collection=small&cache=1000", "0"}} {
		b.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET CONNECTION='"+
			b.address(c.options)+"'", "REPLACE INTO t (_id, name) VALUES ('a', 'a name to be kept')",
			"SELECT name FROM t WHERE _id = 'a'",
			"SELECT name FROM t WHERE _id = 'a'")
		b.is("SHOW STATUS LIKE 'sqlfdb_last_bucket_bytes'", "sqlfdb_last_bucket_bytes "+c.kept)
		name, _, _ := strings.Cut(strings.TrimPrefix(c.options, "&collection="), "&")
		b.put(map[string]string{name + "/data/a.json": `{"_id": "a", "name": "another's"}`})
		b.is("SELECT name FROM t WHERE _id = 'a'", "another's")
		b.run("DROP TABLE t")
	}
}
