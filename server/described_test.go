package server

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// served is a server of an empty store, and a client of root's.
func served(t *testing.T) (*Server, *stdsql.DB) {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s, err := Start(context.Background(), store, Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	db, err := stdsql.Open("mysql", "root@tcp("+s.Addr().String()+")/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return s, db
}

// TestDescribedAgain: a statement that a session prepares again, without reading it, is described as by a session that
// reads it each time, while tables, documents, accounts and settings change.
func TestDescribedAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 0))
	ctx := context.Background()
	s, _ := served(t)
	connect := func() *Connection {
		c, err := s.Connect()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	run := func(c *Connection, text string) error { return c.Query(ctx, text, func(Part) error { return nil }) }
	must := func(c *Connection, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if err := run(c, text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	remembers, reads := connect(), connect()
	create := "CREATE TABLE docs (_id VARCHAR(20) PRIMARY KEY, _doc JSON)"
	must(remembers, "CREATE DATABASE d", "CREATE DATABASE e", "USE d", create,
		"CREATE TABLE p (id INT PRIMARY KEY, name VARCHAR(20), price DECIMAL(8,2), at DATETIME)",
		"CREATE TABLE q (p INT, n INT)", "CREATE TABLE e.q (p INT, n INT, more INT)", "CREATE VIEW v AS SELECT * FROM q")
	must(reads, "USE d", "SET sqlfdb_programs = OFF")
	// describe prepares a statement and runs it.
	describe := func(c *Connection, text string) string {
		p := &mysql.PrepareData{StatementID: 1}
		c.conn.StatementID, c.conn.PrepareData[1] = 1, p
		defer c.Forget(1)
		fields, err := c.handler.ComPrepare(ctx, c.conn, text, p)
		if err != nil {
			return err.Error()
		}
		out := fmt.Sprintln(p.ParamsCount, p.PrepareStmt, len(p.ParamsType))
		for _, f := range fields {
			out += fmt.Sprintln(f)
		}
		values := make([]any, p.ParamsCount)
		for i := range values {
			values[i] = int64(1)
		}
		err = c.Execute(ctx, 1, values, func(Part) error { return nil })
		if err != nil && strings.HasPrefix(text, "SELECT") {
			out += err.Error()
		}
		return out
	}
	texts := []string{"SELECT * FROM docs WHERE _id = ?", "SELECT n, s FROM docs WHERE n = ?",
		"SELECT _doc FROM docs WHERE n > ?",
		"SELECT UPPER(s), n + 1 FROM docs WHERE n IN (?, ?);", "SELECT * FROM p WHERE id = ?",
		"SELECT price * 2, at FROM p WHERE id > ?",
		"SELECT COUNT(*), MAX(name) FROM p WHERE price < ?",
		"INSERT INTO p (id, name) VALUES (? + 1000, 'x')",
		"UPDATE p SET name = 'y' WHERE id = ?", "DELETE FROM p WHERE id = ? AND price > ?",
		"SELECT \"name\" FROM p WHERE id = ?",
		"SELECT name FROM p WHERE id = ? LIMIT ?", "SELECT p.name, q.* FROM p JOIN q ON q.p = p.id WHERE p.id = ?",
		"SELECT name, (SELECT MAX(n) FROM q WHERE q.p = p.id) FROM p WHERE id IN (SELECT p FROM q WHERE n > ?)",
		"WITH c AS (SELECT p, SUM(n) AS s FROM q GROUP BY p) SELECT c.*, p.price FROM c LEFT JOIN p ON p.id = c.p AND s > ?",
		"WITH docs AS (SELECT * FROM docs) SELECT docs.*, q.n FROM docs, q LIMIT ?",
		"SELECT q.n, docs.n FROM q JOIN docs ON docs.n = q.p WHERE q.n = ?", "SELECT * FROM v WHERE n = ?",
		"SELECT q.n, @x + ? FROM q JOIN p", "UPDATE q JOIN p ON p.id = q.p SET q.n = ?",
		"SELECT * FROM q NATURAL JOIN e.q AS r LIMIT ?",
	}
	changes := []string{ // of both sessions
		"SET sql_mode = 'ANSI_QUOTES'", "SET sql_mode = DEFAULT", "USE e", "USE d",
		"SET NAMES latin1", "SET NAMES utf8mb4",
		"CREATE TEMPORARY TABLE p (id INT PRIMARY KEY, name INT, price INT, at INT)", "DROP TEMPORARY TABLE IF EXISTS p",
		"CREATE TEMPORARY TABLE q (p VARCHAR(5), n VARCHAR(5))", "DROP TEMPORARY TABLE IF EXISTS q", "SET @x = 1",
		"SET @x = 'text'", "BEGIN", "ROLLBACK", "COMMIT",
	}
	shared := []string{ // of one, which the other sees
		`INSERT INTO d.docs VALUES ('1', '{"n":1,"s":"a"}')`, `UPDATE d.docs SET n = 1.5`, `UPDATE d.docs SET s = '[1]'`,
		"DELETE FROM d.docs", "ALTER TABLE d.p MODIFY price DOUBLE", "ALTER TABLE d.p MODIFY price DECIMAL(8,2)",
		"ALTER TABLE d.p MODIFY name INT", "ALTER TABLE d.p MODIFY name VARCHAR(30)", "ALTER TABLE d.p ADD more INT",
		"ALTER TABLE d.p DROP more", "DROP TABLE d.docs", create, "RENAME TABLE d.docs TO d.x", "RENAME TABLE d.x TO d.docs",
		"ALTER TABLE d.q MODIFY n DOUBLE", "ALTER TABLE d.q MODIFY n INT", "CREATE OR REPLACE VIEW d.v AS SELECT n FROM d.q",
		"CREATE OR REPLACE VIEW d.v AS SELECT p, 'x' AS n FROM d.q", "ALTER TABLE e.q ADD other DATE",
		"ALTER TABLE e.q DROP other",
	}
	other := connect()
	must(other, "USE d")
	again := 0
	for range 2500 {
		switch rng.IntN(10) {
		case 0:
			change := changes[rng.IntN(len(changes))]
			a, b := run(remembers, change), run(reads, change)
			if (a == nil) != (b == nil) {
				t.Fatalf("%s: %v, %v", change, a, b)
			}
		case 1:
			_ = run(remembers, "COMMIT") // versions of their own would differ
			_ = run(reads, "COMMIT")
			_ = run(other, shared[rng.IntN(len(shared))])
		default:
			text := texts[rng.IntN(len(texts))]
			if is, _, err := s.handler.described(ctx, remembers.conn, text); err == nil && is != nil {
				again++
			}
			got, want := describe(remembers, text), describe(reads, text)
			if got != want && !strings.Contains(want, "lock") {
				t.Fatalf("%s:\n%s\nread each time:\n%s", text, got, want)
			}
		}
	}
	if t.Logf("%d were not read", again); again < 30 {
		t.Error("too few were described again")
	}
}

// TestDescribedRevoked: an account that may not read a table any more is told so when it prepares the statement again.
func TestDescribedRevoked(t *testing.T) {
	s, root := served(t)
	must := func(text string) {
		t.Helper()
		if _, err := root.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, n INT)",
		"INSERT INTO d.t VALUES (1, 2)", "CREATE USER u", "GRANT SELECT ON d.t TO u"} {
		must(text)
	}
	db, err := stdsql.Open("mysql", "u@tcp("+s.Addr().String()+")/d")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	const text = "SELECT n FROM t WHERE id = ?"
	for range 4 {
		var n int
		if err := db.QueryRow(text, 1).Scan(&n); err != nil || n != 2 {
			t.Fatal(n, err)
		}
	}
	must("REVOKE SELECT ON d.t FROM u")
	if _, err := db.Prepare(text); err == nil || !strings.Contains(err.Error(), "1142") {
		t.Errorf("prepared: %v", err)
	}
}
