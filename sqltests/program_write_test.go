package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestProgramsOfWrites: what is written is the same with programs and without, and so is what is told of it.
func TestProgramsOfWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 1))
	s, db := harness.Database(t)
	plain := harness.Connect(t, s.Addr(), "d", "")
	ctx := context.Background()
	conns := map[string]*sql.Conn{}
	const docs = "CREATE TABLE docs (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"
	const rows = "CREATE TABLE r (id INT PRIMARY KEY AUTO_INCREMENT, k TINYINT, " +
		"c VARCHAR(8) NOT NULL DEFAULT 'x', u INT UNIQUE)"
	for _, set := range []string{"ON", "OFF"} {
		c, err := plain.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		name := "p" + strings.ToLower(set)
		harness.MustExec(t, c, "SET sqlfdb_programs = "+set, "CREATE DATABASE "+name, "USE "+name, docs, rows,
			"CREATE TABLE parent (id INT PRIMARY KEY)")
		conns[set] = c
	}
	unnamed := strings.NewReplacer("`pon`.", "", "`poff`.", "", "pon.", "", "poff.", "", "pon", "", "poff", "")
	exec := func(c *sql.Conn, query string, args []any) string {
		var b strings.Builder
		result, err := c.ExecContext(ctx, query, args...)
		// The definitions of one are in the way of the other.
		for tries := 0; err != nil && strings.Contains(err.Error(), "1213") && tries < 50; tries++ {
			result, err = c.ExecContext(ctx, query, args...)
		}
		if err != nil {
			fmt.Fprintln(&b, err)
		} else {
			affected, _ := result.RowsAffected()
			id, _ := result.LastInsertId()
			fmt.Fprintln(&b, affected, id)
		}
		b.WriteString(after(ctx, c, "SHOW WARNINGS"))
		b.WriteString(after(ctx, c, "SELECT ROW_COUNT()"))
		b.WriteString(after(ctx, c, "SELECT LAST_INSERT_ID()"))
		return unnamed.Replace(b.String())
	}
	both := func(query string, args ...any) {
		t.Helper()
		want := exec(conns["OFF"], query, args)
		if got := exec(conns["ON"], query, args); got != want {
			t.Fatalf("%s of %v:\n%s\nwithout programs:\n%s", query, args, got, want)
		}
	}
	same := func() {
		t.Helper()
		for _, query := range []string{"SELECT * FROM docs ORDER BY _id", "SELECT * FROM r ORDER BY id",
			"SELECT * FROM parent ORDER BY id"} {
			want := unnamed.Replace(described(ctx, conns["OFF"], query+" LIMIT ?", 1000, "DO 0"))
			if got := unnamed.Replace(described(ctx, conns["ON"], query+" LIMIT ?", 1000, "DO 0")); got != want {
				t.Fatalf("%s:\n%s\nwithout programs:\n%s", query, got, want)
			}
		}
	}
	id := func() any { return fmt.Sprint("k", rng.IntN(30)) }
	number := func() any { return rng.IntN(30) + 1 }
	any1 := func() any {
		return []any{nil, 1, 200, -3, "7", "x", "a long text", 1.5, true, int64(1) << 40, "1", []byte("b"), ""}[rng.IntN(13)]
	}
	doc := func() any {
		return []any{`{"n":1}`, `{"n":"x","tags":["a"]}`, `{}`, `[1]`, `x`, nil}[rng.IntN(6)]
	}
	kinds := []struct {
		text    string
		args    []func() any
		program string // whether the second of its kind has one; empty: that depends on types
	}{
		{"INSERT INTO docs (_id, _doc) VALUES (?, ?)", []func() any{id, doc}, "yes"},
		{"INSERT INTO docs VALUES (?, ?)", []func() any{id, doc}, "yes"},
		{"INSERT INTO docs (_id, n, s) VALUES (?, ?, 'fixed')", []func() any{id, any1}, "yes"},
		{"INSERT INTO docs (_id, n) VALUES (?, ?), (?, 2)", []func() any{id, any1, id}, "yes"},
		{"INSERT INTO r (id, k, c) VALUES (?, ?, ?)", []func() any{number, any1, any1}, "yes"},
		{"INSERT INTO r (k, u) VALUES (?, ?)", []func() any{any1, number}, "yes"},
		{"INSERT INTO r VALUES (?, ?, ?, ?)", []func() any{number, any1, any1, number}, "yes"},
		{"INSERT INTO r (k, c) VALUES (?, DEFAULT)", []func() any{any1}, "no"},
		{"INSERT IGNORE INTO r (id, k) VALUES (?, ?)", []func() any{number, any1}, "yes"},
		{"INSERT IGNORE INTO r (k, u, c) VALUES (?, ?, ?), (1, ?, 'y')", []func() any{any1, number, any1, number}, "yes"},
		{"INSERT IGNORE INTO docs (_id, _doc) VALUES (?, ?)", []func() any{id, doc}, "yes"},
		{"INSERT INTO r (id, k) VALUES (?, ?) ON DUPLICATE KEY UPDATE k = ?", []func() any{number, number, number}, "yes"},
		{"INSERT INTO r (u, c) VALUES (?, ?) ON DUPLICATE KEY UPDATE c = VALUES(c), k = k + 1, u = u + ?",
			[]func() any{number, any1, number}, "yes"},
		{"INSERT INTO docs (_id, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = ?, s = VALUES(n)",
			[]func() any{id, any1, any1}, ""},
		{"REPLACE INTO r (id, k) VALUES (?, ?)", []func() any{number, any1}, "yes"},
		{"REPLACE INTO r (k, u) VALUES (?, ?), (2, ?)", []func() any{any1, number, number}, "yes"},
		{"REPLACE INTO docs (_id, _doc) VALUES (?, ?)", []func() any{id, doc}, "yes"},
		{"UPDATE r SET c = UPPER(c), k = IF(k > 5, 0, k + 1) WHERE id = ?", []func() any{number}, "yes"},
		{"UPDATE docs SET s = CONCAT(s, 'x'), n = NULL WHERE _id = ?", []func() any{id}, ""},
		{"UPDATE docs SET n = ? WHERE _id = ?", []func() any{any1, id}, "yes"},
		{"UPDATE docs SET n = n + ?, s = 'new' WHERE _id = ?", []func() any{number, id}, ""},
		{"UPDATE docs SET _doc = ? WHERE _id = ?", []func() any{doc, id}, "yes"},
		{"UPDATE docs SET fresh = ? WHERE n = ?", []func() any{any1, number}, ""},
		{"UPDATE r SET k = ? WHERE id = ?", []func() any{any1, number}, "yes"},
		{"UPDATE r SET k = k + 1, c = ? WHERE id = ?", []func() any{any1, number}, "yes"},
		{"UPDATE r SET u = ? WHERE id BETWEEN ? AND 9", []func() any{number, number}, "yes"},
		{"UPDATE r SET k = 1 WHERE k = ? ORDER BY id LIMIT 1", []func() any{number}, "yes"},
		{"UPDATE r SET id = ? WHERE id = ?", []func() any{number, number}, "yes"},
		{"UPDATE r SET k = LAST_INSERT_ID(k + ?) WHERE id = 3", []func() any{number}, "no"},
		{"DELETE FROM docs WHERE _id = ?", []func() any{id}, "yes"},
		{"DELETE FROM docs WHERE n > ?", []func() any{number}, ""},
		{"DELETE FROM r WHERE id = ?", []func() any{number}, "yes"},
		{"DELETE FROM r WHERE k < ? ORDER BY id LIMIT 2", []func() any{number}, "yes"},
		{"INSERT IGNORE INTO parent VALUES (?)", []func() any{number}, "yes"},
		{"DELETE FROM parent WHERE id = ?", []func() any{number}, "yes"},
		{"UPDATE parent SET id = ? WHERE id = ?", []func() any{number, number}, "yes"},
	}
	others := []string{
		"BEGIN", "COMMIT", "ROLLBACK", "START TRANSACTION READ ONLY", "COMMIT", "SET autocommit = 0", "SET autocommit = 1",
		"SET sql_mode = ''", "SET sql_mode = DEFAULT", "SAVEPOINT a", "ROLLBACK TO a",
		"ALTER TABLE r ADD COLUMN more INT DEFAULT 3", "ALTER TABLE r DROP COLUMN more",
		"ALTER TABLE r ADD CONSTRAINT f FOREIGN KEY (u) REFERENCES parent (id)", "ALTER TABLE r DROP FOREIGN KEY f",
		"ALTER TABLE r ADD CONSTRAINT f FOREIGN KEY (u) REFERENCES parent (id) ON DELETE CASCADE",
		"ALTER TABLE r ADD CONSTRAINT f FOREIGN KEY (u) REFERENCES parent (id) ON DELETE SET NULL ON UPDATE CASCADE",
		"INSERT IGNORE INTO parent SELECT u FROM r",
		"ALTER TABLE r ADD CONSTRAINT ck CHECK (k < 100)", "ALTER TABLE r DROP CONSTRAINT ck",
		"ALTER TABLE r MODIFY c VARCHAR(20)", "ALTER TABLE r MODIFY c VARCHAR(8) NOT NULL DEFAULT 'x'",
		"CREATE TEMPORARY TABLE r (id INT PRIMARY KEY, k INT, c TEXT, u INT)", "DROP TEMPORARY TABLE r",
		"DROP TABLE docs", docs, "SET foreign_key_checks = 0", "SET foreign_key_checks = 1",
	}
	before := programRuns(t, db)
	for round := range 1000 {
		if round%25 == 0 {
			for _, text := range []string{"ROLLBACK", "SET autocommit = 1", "SET sql_mode = DEFAULT", "DROP TEMPORARY TABLE r"} {
				both(text)
			}
		}
		if rng.IntN(12) == 0 {
			other := others[rng.IntN(len(others))]
			if strings.Contains(other, "TABLE") {
				both("COMMIT") // definitions of one would be in the way of the other's transaction
			}
			both(other)
		}
		kind := kinds[rng.IntN(len(kinds))]
		args := make([]any, len(kind.args))
		text := kind.text
		for i, arg := range kind.args {
			args[i] = arg()
		}
		if rng.IntN(2) == 0 {
			for _, arg := range args {
				literal := fmt.Sprint(arg)
				switch v := arg.(type) {
				case nil:
					literal = "NULL"
				case string:
					literal = "'" + v + "'"
				case []byte:
					literal = "'" + string(v) + "'"
				}
				text = strings.Replace(text, "?", literal, 1)
			}
			args = nil
		}
		both(text, args...)
		if round%10 == 0 {
			same()
		}
	}
	same()
	for _, text := range []string{"ROLLBACK", "SET autocommit = 1", "SET sql_mode = DEFAULT", "DROP TEMPORARY TABLE r"} {
		both(text)
	}
	if runs := programRuns(t, db) - before; runs < 100 {
		t.Errorf("programs ran %d times", runs)
	} else {
		t.Logf("programs ran %d times", runs)
	}
	both("DROP TABLE IF EXISTS docs")
	both("DROP TABLE r")
	both(docs)
	both(rows)
	for _, kind := range kinds {
		by := "no"
		// A job that ends changes the definitions, and the programs of writes are made anew: it is tried again.
		for i := 0; i < 3 || i < 150 && kind.program == "yes" && by == "no"; i++ {
			harness.MustExec(t, conns["ON"], `INSERT IGNORE INTO docs (_doc) VALUES ('{"_id":"k1","n":1,"s":"x"}')`)
			args := make([]any, len(kind.args))
			for j := range args {
				args[j] = 10*i + j
				if strings.HasPrefix(kind.text, "INSERT INTO docs") || strings.Contains(kind.text, "_id = ?") {
					args[j] = fmt.Sprintf(`{"n":%d}`, i)
				}
				if strings.Contains(kind.text, "n + ?") && j == 0 {
					args[j] = i
				}
			}
			ran := programRuns(t, db)
			_, _ = conns["ON"].ExecContext(ctx, kind.text, args...)
			if programRuns(t, db) > ran {
				by = "yes"
			}
		}
		if by != kind.program && kind.program != "" {
			t.Errorf("%s: by a program: %s: %s", kind.text, by,
				after(ctx, conns["ON"], "EXPLAIN FORMAT=JSON "+strings.ReplaceAll(kind.text, "?", "1")))
		}
	}
	for _, c := range conns {
		harness.MustExec(t, c, "CHECK TABLE docs", "CHECK TABLE r")
	}
}
