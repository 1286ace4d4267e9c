package buckets

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// bucket is an object store that a server reaches over HTTP, and a connection to that server.
type bucket struct {
	t       testing.TB
	objects store.Store
	count   *store.Count
	server  *storetest.Server
	conn    *sql.Conn
	at      string // the server's address
	db      *sql.DB
}

// start serves a bucket over some store, and a database over it.
func start(t testing.TB, over func(store.Store) store.Store) *bucket {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	var objects store.Store = store.NewMem()
	if *s3Server != "" {
		objects = realServer(t).open(t, "some/where/")
	}
	served := objects
	if over != nil {
		served = over(objects)
	}
	count := store.NewCount(served)
	b := &bucket{t: t, objects: objects, count: count, server: storetest.NewServer(t, "shelf", count)}
	sqlServer, db := harness.Database(t)
	b.db, b.at = db, sqlServer.Addr().String()
	conn, err := b.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	b.conn = conn
	return b
}

// address is the CONNECTION of a table, with further options.
func (b *bucket) address(options string) string {
	return "s3://shelf/app?endpoint=" + strings.ReplaceAll(b.server.URL, ":", "%3A") + options
}

// create makes a table of a name, with further clauses of its columns.
func (b *bucket) create(name, more string) {
	b.t.Helper()
	b.run("CREATE TABLE " + name + " (_id VARCHAR(255) PRIMARY KEY, _doc JSON" + more + ") ENGINE=BUCKET CONNECTION='" +
		b.address("") + "'")
}

// put puts files into the bucket as another program does.
func (b *bucket) put(files map[string]string) {
	b.t.Helper()
	for name, text := range files {
		if _, err := b.objects.Put(context.Background(), "app/"+name, []byte(text), store.Condition{}); err != nil {
			b.t.Fatal(err)
		}
	}
}

// file is the text of a file; empty: there is none.
func (b *bucket) file(name string) string {
	o, err := b.objects.Get(context.Background(), "app/"+name, "")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(o.Body))
}

func (b *bucket) run(statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := b.conn.ExecContext(context.Background(), s); err != nil {
			b.t.Fatalf("%s: %v", s, err)
		}
	}
}

// is asks a query, whose rows are to be these: values with blanks between, rows with semicolons.
func (b *bucket) is(query, want string) {
	b.t.Helper()
	if have := b.rows(query); have != want {
		b.t.Errorf("%s:\n%s, want\n%s", query, have, want)
	}
}

func (b *bucket) rows(query string) string {
	b.t.Helper()
	rows, err := b.conn.QueryContext(context.Background(), query)
	if err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		b.t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values, into := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			b.t.Fatal(err)
		}
		var line []string
		for _, v := range values {
			if !v.Valid {
				v.String = "NULL"
			}
			line = append(line, v.String)
		}
		lines = append(lines, strings.Join(line, " "))
	}
	if err := rows.Err(); err != nil {
		b.t.Fatalf("%s: %v", query, err)
	}
	return strings.Join(lines, "; ")
}

// costs asks a query, which is to ask that much of the bucket.
func (b *bucket) costs(query, want string, gets, lists int64) {
	b.t.Helper()
	before := b.count.Requests()
	b.is(query, want)
	if r := b.count.Requests().Minus(before); r.Gets != gets || r.Lists != lists {
		b.t.Errorf("%s: %d GETs and %d LISTs, want %d and %d", query, r.Gets, r.Lists, gets, lists)
	}
}

// fails runs a statement that is refused with a number and a text.
func (b *bucket) fails(statement string, number uint16, text string) {
	b.t.Helper()
	_, err := b.conn.ExecContext(context.Background(), statement)
	if harness.ErrorNumber(err) != number || !strings.Contains(fmt.Sprint(err), text) {
		b.t.Errorf("%s: %v, want %d %s", statement, err, number, text)
	}
}

// TestDocuments: documents are written and read by SQL, as files that other programs can read.
func TestDocuments(t *testing.T) {
	b := start(t, nil)
	b.create("pets", "")
	b.run(`INSERT INTO pets (_doc) VALUES ('{"_id": "64a1", "name": "Milo", "age": 3}')`,
		"INSERT INTO pets (_id, name, `owner.city`) VALUES ('64a2', 'Bella', 'Bern')")
	if have := b.file("pets/data/64a1.json"); have != `{"_id":"64a1","name":"Milo","age":3}` {
		t.Error(have)
	}
	b.is("SELECT _id, name, age, `owner.city` FROM pets ORDER BY _id", "64a1 Milo 3 NULL; 64a2 Bella NULL Bern")
	b.is("SELECT * FROM pets WHERE _id = '64a1'", "64a1 Milo 3 NULL")
	b.is("SELECT _doc FROM pets WHERE _id = '64a1'", `{"_id":"64a1","name":"Milo","age":3}`)
	b.costs("SELECT name FROM pets WHERE _id = '64a2'", "Bella", 1, 0)
	b.run("UPDATE pets SET age = age + 1, `owner.city` = 'Basel' WHERE _id = '64a1'")
	if have := b.file("pets/data/64a1.json"); have != `{"_id":"64a1","name":"Milo","age":4,"owner":{"city":"Basel"}}` {
		t.Error(have)
	}
	b.fails("INSERT INTO pets (_id) VALUES ('64a1')", 1062, "Duplicate entry '64a1' for key 'pets.PRIMARY'")
	b.run("INSERT IGNORE INTO pets (_id, name) VALUES ('64a1', 'x'), ('64a3', 'Rex')",
		"REPLACE INTO pets (_id, name) VALUES ('64a2', 'Luna'), ('64a4', 'Max')",
		"INSERT INTO pets (_id, name) VALUES ('64a4', 'Max') ON DUPLICATE KEY UPDATE age = 9",
		"DELETE FROM pets WHERE name = 'Rex'")
	b.is("SELECT _id, name, age FROM pets ORDER BY _id", "64a1 Milo 4; 64a2 Luna NULL; 64a4 Max 9")
	b.is("SELECT COUNT(*), MAX(age) FROM pets WHERE age > 3", "2 9")
	b.run("DELETE FROM pets")
	b.is("SELECT COUNT(*) FROM pets", "0")
}

// TestDefinition: a table in a bucket is listed, shown, renamed and dropped; its files stay.
func TestDefinition(t *testing.T) {
	b := start(t, nil)
	b.put(map[string]string{
		"pets/data/a.json":              `{"_id": "a", "name": "Milo", "age": 3}`,
		"pets/indices/name_1.json":      `{"name": "name_1", "keys": [{"field": "name", "order": 1}]}`,
		"pets/indices/name_1/Milo.json": `["a"]`,
	})
	b.create("pets", "")
	b.is("SHOW TABLES", "pets")
	b.is("SHOW WARNINGS", "")
	shown := b.rows("SHOW CREATE TABLE pets")
	for _, part := range []string{"KEY `name_1` (`name`)",
		"ENGINE=BUCKET CONNECTION='s3://shelf/app?endpoint=", "collection=pets'"} {
		if !strings.Contains(shown, part) {
			t.Errorf("%s: lacks %s", shown, part)
		}
	}
	b.is("SELECT table_name, engine FROM information_schema.tables WHERE table_schema = 'd'", "pets BUCKET")
	b.run("RENAME TABLE pets TO animals")
	b.is("SELECT name FROM animals", "Milo")
	shown = strings.TrimPrefix(b.rows("SHOW CREATE TABLE animals"), "animals ")
	b.run("DROP TABLE animals")
	b.is("SHOW TABLES", "")
	b.run(shown)
	b.is("SELECT name FROM animals WHERE name = 'Milo'", "Milo")
}

// has asks a query whose answer is to hold all of some texts.
func (b *bucket) has(query string, parts ...string) {
	b.t.Helper()
	have := b.rows(query)
	for _, p := range parts {
		if !strings.Contains(have, p) {
			b.t.Errorf("%s:\n%s\nlacks %s", query, have, p)
		}
	}
}

// TestDeclared: declared columns have their types, defaults and indexes, beside those that documents have.
func TestDeclared(t *testing.T) {
	b := start(t, nil)
	b.create("pets", ", name VARCHAR(20) NOT NULL, age INT DEFAULT 5, born DATE, price DECIMAL(6,2), "+
		"KEY name_age (name, age), KEY born_1 (born), KEY kind_1 (kind)")
	b.run("INSERT INTO pets (_id, name, born, price, kind) VALUES ('a', 'Milo', '2024-02-29', 12.5, 'dog')",
		`INSERT INTO pets (_doc) VALUES ('{"_id": "b", "name": "Bella", "age": "7", "born": "2023-01-01", "price": 3}')`)
	b.fails("INSERT INTO pets (_id, age) VALUES ('c', 1)", 1364, "name")
	b.fails("INSERT INTO pets (_id, name) VALUES ('c', 'a name of more than twenty')", 1406, "")
	b.is("SELECT _id, name, age, born, price, kind FROM pets ORDER BY _id",
		"a Milo 5 2024-02-29 12.50 dog; b Bella 7 2023-01-01 3.00 NULL")
	for _, c := range []struct{ condition, want string }{
		{"name = 'Milo' AND age = 5", "a"}, {"name = 'Bella' AND age = 7", "b"}, {"name = 'Bella' AND age > 6", "b"},
		{"born = '2024-02-29'", "a"}, {"born < '2024-01-01'", "b"}, {"price = 12.5", "a"}, {"price > 2 AND price < 4", "b"},
		{"kind = 'dog'", "a"}, {"kind IS NULL", "b"}, {"name = 'milo'", ""}, {"name >= 'M'", "a"},
	} {
		b.is("SELECT _id FROM pets WHERE "+c.condition, c.want)
	}
	shown := strings.TrimPrefix(b.rows("SHOW CREATE TABLE pets"), "pets ")
	for _, part := range []string{"KEY `name_age` (`name`,`age`)", "KEY `born_1`", "KEY `kind_1`",
		"`age` int DEFAULT '5'"} {
		if !strings.Contains(shown, part) {
			t.Errorf("%s: lacks %s", shown, part)
		}
	}
	b.run("DROP TABLE pets", shown)
	b.is("SELECT _id FROM pets WHERE name = 'Bella' ORDER BY age LIMIT 1", "b")
	b.run("DROP INDEX born_1 ON pets", "ALTER TABLE pets ADD INDEX price_1 (price) COMMENT 'dear'")
	b.has("SHOW CREATE TABLE pets", "KEY `price_1` (`price`) COMMENT 'dear'")
	b.has("SELECT index_comment FROM information_schema.statistics WHERE index_name = 'price_1'", "dear")
	b.fails("DROP INDEX born_1 ON pets", 1091, "born_1")
	b.fails("CREATE INDEX price_1 ON pets (price)", 1061, "price_1")
	b.fails("CREATE UNIQUE INDEX u ON pets (name)", 1235, "unique")
	b.is("SELECT _id FROM pets WHERE price = 3", "b")
	b.is("SELECT COUNT(*) FROM (SELECT _id FROM pets WHERE RAND() < 2 LIMIT 2) AS few", "2")
	b.is("CHECK TABLE pets", "d.pets check status OK")
}
