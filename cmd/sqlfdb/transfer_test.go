package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// files writes files into a folder and returns a function that gives their paths.
func files(t *testing.T, content map[string]string) func(string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range content {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string) string { return filepath.Join(dir, name) }
}

// ways are the flags of a store without a server, and of a server with one.
func ways(t *testing.T) map[string][]string {
	t.Helper()
	place := "pebble:" + filepath.Join(t.TempDir(), "served")
	s, _, err := openStore(t.Context(), place, kvopen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	served, err := server.Start(t.Context(), s, server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(served.Close(context.Background()), s.Close()); err != nil {
			t.Error(err)
		}
		check := newRoot()
		check.SetOut(io.Discard)
		check.SetArgs([]string{"check", "--store", place})
		if err := check.ExecuteContext(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return map[string][]string{
		"store":  {"--store", "pebble:" + filepath.Join(t.TempDir(), "store")},
		"server": {"--dsn", "root@tcp(" + served.Addr().String() + ")/"},
	}
}

// exported is the table's documents as JSON lines, sorted by key; false when there is no table.
func exported(t *testing.T, way []string, table string) (string, bool) {
	t.Helper()
	text, err := command(t, append([]string{"export", "--table", table}, way...)...)
	return text, err == nil
}

// TestNothingLeft: a table that nothing was imported into is not left behind, nor its database; one that was there is.
func TestNothingLeft(t *testing.T) {
	at := files(t, map[string]string{"bad.json": "{\"_id\":null}\n{\"_id\":[1]}\n", "worse.json": "{]\n",
		"good.json": "{\"_id\":1}\n", "p.png": "\x89PNG\r\n\x1a\n"})
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			run := func(table, file string) {
				if _, err := command(t, append([]string{"import", "--table", table, at(file)},
					way...)...); (err == nil) != (file == "good.json") {
					t.Errorf("%s: %v", file, err)
				}
			}
			for _, file := range []string{"bad.json", "worse.json", "p.png"} {
				run("new.t", file)
				if text, there := exported(t, way, "new.t"); there {
					t.Errorf("%s left a table: %s", file, text)
				}
			}
			run("d.t", "good.json")
			run("d.other", "bad.json")
			run("d.t", "bad.json")
			if _, there := exported(t, way, "d.other"); there {
				t.Error("a table is left")
			}
			if text, there := exported(t, way, "d.t"); !there || text != "{\"_id\":1}\n" {
				t.Errorf("the table that was there: %q", text)
			}
		})
	}
}

// TestDuplicates: what becomes of keys that are there.
func TestDuplicates(t *testing.T) {
	var many strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&many, "{\"_id\":\"%04d\",\"n\":2}\n", i)
	}
	at := files(t, map[string]string{"first": "{\"_id\":\"0500\",\"n\":1}\n{\"_id\":\"0700\",\"n\":1}\n",
		"many": many.String(), "last": "{\"_id\":\"a\",\"n\":1}\n{\"_id\":\"a\",\"n\":2}\n"})
	for name, way := range ways(t) {
		if name == "server" {
			way[1] += "?clientFoundRows=true"
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ duplicates, said string }{
				{"refuse", "1198 documents stored in d.refuse (23.4 KiB), 2 refused, in"},
				{"skip", "1198 documents stored in d.skip (23.4 KiB), 0 refused, 2 skipped"},
				{"replace", "1200 documents stored in d.replace (23.4 KiB), 0 refused, in"},
			} {
				run := func(file string) (string, error) {
					return command(t, append([]string{"import", "--table", "d." + c.duplicates, "--duplicates",
						c.duplicates, at(file)}, way...)...)
				}
				if _, err := run("first"); err != nil {
					t.Fatal(err)
				}
				said, err := run("many")
				if !strings.HasPrefix(said, c.said) || (err == nil) != (c.duplicates != "refuse") {
					t.Errorf("%s: %v, %s", c.duplicates, err, said)
				}
				text, _ := exported(t, way, "d."+c.duplicates)
				if n := strings.Count(text, `"n":1`); strings.Count(text, "\n") != 1200 || (n == 2) != (c.duplicates != "replace") {
					t.Errorf("%s: %d of %d documents are the first", c.duplicates, n, strings.Count(text, "\n"))
				}
				_, _ = run("last")
				if text, _ = exported(t, way, "d."+c.duplicates); strings.Contains(text,
					`{"_id":"a","n":2}`) != (c.duplicates == "replace") {
					t.Errorf("%s: two of one file: %.100s", c.duplicates, text)
				}
			}
			if name == "store" {
				if text, err := command(t, append([]string{"check"}, way...)...); err != nil ||
					strings.Count(text, " 0 violations") != 3 {
					t.Error(text, err)
				}
			}
		})
	}
}

// TestSeveralFiles: patterns, several formats, standard input, a limit, and columns that only one of the files
// shows to be text.
func TestSeveralFiles(t *testing.T) {
	at := files(t, map[string]string{
		"a1.csv": "_id,zip\n1,10001\n2,10002\n", "a2.csv": "_id,zip\n3,02134\n",
		"b.json": "[{\"_id\":4}\n,{\"_id\":5}]", "c.json": "",
		"d.jsonl": "{\"_id\":{\"$oid\":\"65a000000000000000000999\"},\"at\":{\"$date\":0}}\n",
	})
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			said, err := command(t, append([]string{"import", "--table", "d.t", at("a*.csv"), at("[b-d].json*")}, way...)...)
			if err != nil || !strings.Contains(said, "6 documents stored") || !strings.Contains(said,
				"2 values of MongoDB's extended JSON were made plain") {
				t.Error(said, err)
			}
			want := "{\"_id\":1,\"zip\":\"10001\"}\n" +
				"{\"_id\":2,\"zip\":\"10002\"}\n{\"_id\":3,\"zip\":\"02134\"}\n{\"_id\":4}\n{\"_id\":5}\n" +
				"{\"_id\":\"65a000000000000000000999\",\"at\":\"1970-01-01T00:00:00.000Z\"}\n"
			if text, _ := exported(t, way, "d.t"); text != want {
				t.Errorf("%s\nwant\n%s", text, want)
			}
			if _, err := command(t, append([]string{"import", "--table", "d.limited", "--limit", "3",
				at("a*.csv"), at("b.json")}, way...)...); err != nil {
				t.Error(err)
			}
			if text, _ := exported(t, way, "d.limited"); strings.Count(text, "\n") != 3 {
				t.Error(text)
			}
			root := newRoot()
			root.SetIn(strings.NewReader("x;y\n1;2\n"))
			root.SetOut(io.Discard)
			root.SetErr(io.Discard)
			root.SetArgs(append([]string{"import", "--table", "d.stdin", "--id", "x", "-"}, way...))
			if err := root.ExecuteContext(t.Context()); err != nil {
				t.Error(err)
			}
			if text, _ := exported(t, way, "d.stdin"); text != "{\"x\":1,\"y\":2}\n" {
				t.Error(text)
			}
		})
	}
}

// TestExportFormats: what was imported comes back from every format and compression.
func TestExportFormats(t *testing.T) {
	documents := `{"_id":"a","n":1.5,"o":{"x":[1,{"y":"z"}],"t":"007"},"b":true}` + "\n" +
		`{"_id":"b","n":2,"o":{"x":[],"t":"ü,\"\n"},"b":false}` + "\n"
	at := files(t, map[string]string{"in": documents})
	for name, way := range ways(t) {
		t.Run(name, func(t *testing.T) {
			if _, err := command(t, append([]string{"import", "--table", "d.t", at("in")}, way...)...); err != nil {
				t.Fatal(err)
			}
			for i, file := range []string{"x.jsonl", "x.json", "x.csv", "x.tsv", "x.parquet", "x.json.gz",
				"x.csv.zst", "x.parquet.gz", "x"} {
				out, table := at(name+file), fmt.Sprintf("d.t%d", i)
				if _, err := command(t, append([]string{"export", "--table", "d.t", out}, way...)...); err != nil {
					t.Error(file, err)
				}
				if _, err := command(t, append([]string{"import", "--table", table, out}, way...)...); err != nil {
					t.Error(file, err)
				}
				want := documents
				if strings.Contains(file, "parquet") {
					want = strings.ReplaceAll(want, `"n":2`, `"n":2.0`)
				}
				if text, _ := exported(t, way, table); text != want {
					t.Errorf("%s: %s", file, text)
				}
			}
			if left, err := filepath.Glob(at(".*.part")); err != nil || len(left) > 0 {
				t.Error(left, err)
			}
		})
	}
}

// TestExportQuery: the rows of a query, with the types that SQL gives them, and a table of declared columns alone.
func TestExportQuery(t *testing.T) {
	way := ways(t)["server"]
	statements := "CREATE DATABASE d; " +
		"CREATE TABLE d.t (a INT PRIMARY KEY, b DECIMAL(5,2), c VARCHAR(9), j JSON, x VARBINARY(2)); " +
		"INSERT INTO d.t VALUES (1, 1.50, 'x', '{\"k\":[1]}', x'ff'), (2, NULL, '7', '3', 'ab')"
	if _, err := command(t, append([]string{"sql", "-e", statements}, way...)...); err != nil {
		t.Fatal(err)
	}
	want := `{"a":1,"b":1.50,"c":"x","j":{"k":[1]},"x":"/w=="}` + "\n" + `{"a":2,"b":null,"c":"7","j":3,"x":"YWI="}` + "\n"
	if text, _ := exported(t, way, "d.t"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	text, err := command(t, append([]string{"export", "--format", "csv", "--query",
		"SELECT c, COUNT(*) AS n FROM d.t GROUP BY c ORDER BY c"}, way...)...)
	if err != nil || text != "c,n\n\"7\",1\nx,1\n" {
		t.Errorf("%q, %v", text, err)
	}
	for _, args := range [][]string{{}, {"--table", "d.t", "--query", "SELECT 1"}, {"--query", "SELECT 1",
		"--store", "pebble:x"}, {"--query", "SELECT 1 AS a, 2 AS a"}, {"--table", "d.t", "--format", "xml"}} {
		if _, err := command(t, append(append([]string{"export"}, way...), args...)...); err == nil {
			t.Errorf("%q did not fail", args)
		}
	}
}

// TestImportRows: a table of declared columns takes documents as rows, by the names of its columns, and names the line
// of each that does not fit; what is exported comes back.
func TestImportRows(t *testing.T) {
	way := ways(t)["server"]
	sqlCommand := func(statements string) string {
		text, err := command(t, append([]string{"sql", "--format", "csv", "-e", statements}, way...)...)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	declare := func(table string) {
		sqlCommand("CREATE TABLE d." + table + " (id INT PRIMARY KEY AUTO_INCREMENT, n TINYINT NOT NULL DEFAULT 7, " +
			"p DECIMAL(5,2), c VARCHAR(9), j JSON, x VARBINARY(4), b BIT(4), e ENUM('a','b'), s SET('u','v'), d DATE, " +
			"t DATETIME(3), h TIME, y YEAR, f DOUBLE, k BOOL, `o.i` INT, g INT AS (n + 1) STORED, UNIQUE (c))")
	}
	sqlCommand("CREATE DATABASE d")
	declare("t")
	declare("copy")
	sqlCommand("INSERT INTO d.t (n, p, c, j, x, b, e, s, d, t, h, y, f, k, `o.i`) VALUES " +
		"(1, 1.50, 'ü', '{\"k\": [1, null]}', x'00ff', b'101', 'b', 'u,v', '2020-01-02', '2020-01-02 03:04:05.678', " +
		"'-12:00:01', 2024, 1e300, TRUE, 5), (2, NULL, '7', '[2]', 'ab', NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, " +
		"FALSE, NULL), (-3, NULL, NULL, NULL, NULL, 0, 'a', NULL, NULL, NULL, NULL, NULL, -0.5, NULL, -1)")
	for _, format := range []string{"jsonl", "csv", "parquet"} {
		file := filepath.Join(t.TempDir(), "rows."+format)
		if _, err := command(t, append([]string{"export", "--table", "d.t", file}, way...)...); err != nil {
			t.Fatal(err)
		}
		sqlCommand("TRUNCATE TABLE d.copy")
		if _, err := command(t, append([]string{"import", "--table", "d.copy", file}, way...)...); err != nil {
			t.Error(format, err)
		}
		want, _ := exported(t, way, "d.t")
		if text, _ := exported(t, way, "d.copy"); text != want {
			t.Errorf("%s: %s\nwant\n%s", format, text, want)
		}
	}
	at := files(t, map[string]string{
		"bad.jsonl": `{"id":10,"N":1}` + "\n" + `{"id":11,"n":300}` + "\n" + `{"id":12,"nothing":1}` + "\n" +
			`{"id":13,"d":"nope"}` + "\n" + `{"id":14,"x":"%"}` + "\n" + `{"id":15,"n":null}` + "\n" +
			`{"id":16,"c":"7"}` + "\n" +
			`{"id":17,"o":{"i":9,"z":1}}` + "\n" + `{"id":18,"o":{"i":9},"k":true,"c":true}` + "\n" + `{"id":22}` + "\n" +
			`{"id":19,"p":"1.5x"}` + "\n" + `{"id":20,"c":"too long for it"}` + "\n",
		"more.csv": "id,n,c\n10,5,again\n21,6,007\n",
	})
	var told bytes.Buffer
	root := newRoot()
	root.SetOut(io.Discard)
	root.SetErr(&told)
	root.SetArgs(append([]string{"import", "--table", "d.copy", at("bad.jsonl")}, way...))
	if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "9 documents were refused") {
		t.Error(err)
	}
	for line, reason := range map[int]string{2: "out of range", 3: "no column `nothing`", 4: "date", 5: "not base64",
		6: "null", 7: "Duplicate entry", 8: "no column `o.z`", 11: "Error 1366", 12: "too long for it"} {
		found := false
		for _, text := range strings.Split(told.String(), "\n") {
			_, after, _ := strings.Cut(text, fmt.Sprintf("bad.jsonl:%d: ", line))
			found = found || strings.Contains(strings.ToLower(after), strings.ToLower(reason))
		}
		if !found {
			t.Errorf("nothing of line %d: %s\n%s", line, reason, told.String())
		}
	}
	for _, c := range [][2]string{{"skip", "1"}, {"replace", "5"}} {
		duplicates, n := c[0], c[1]
		said, err := command(t, append([]string{"import", "--duplicates", duplicates, "--table", "d.copy", at("more.csv")},
			way...)...)
		if skipped := strings.Contains(said, "1 documents stored") && strings.Contains(said, "1 skipped"); skipped !=
			(duplicates == "skip") {
			t.Errorf("%s: %s", duplicates, said)
		}
		if text := sqlCommand("SELECT n FROM d.copy WHERE id = 10"); err != nil || !strings.Contains(text, "\n"+n+"\n") {
			t.Errorf("%s: %q, %v", duplicates, text, err)
		}
		sqlCommand("UPDATE d.copy SET n = 1 WHERE id = 10")
	}
	if text := sqlCommand("SELECT id, n, c, k, `o.i`, g FROM d.copy WHERE id >= 18 ORDER BY id"); text !=
		"id,n,c,k,o.i,g\n18,7,true,1,9,8\n21,6,007,,,7\n22,7,,,,8\n" {
		t.Errorf("%q", text)
	}
	if text := sqlCommand("CHECK TABLE d.copy"); !strings.Contains(text, "status,OK") {
		t.Error(text)
	}
}

// stopping is an encoder that ends the export behind some bytes.
type stopping struct {
	io.Writer
	stop func()
}

func (s *stopping) Write(p []byte) (int, error) {
	defer s.stop()
	return s.Writer.Write(p)
}

// TestPartFile: a file has its name when it is whole, and whatever happens before leaves what was there.
func TestPartFile(t *testing.T) {
	at := files(t, map[string]string{"there": "old"})
	for _, name := range []string{"there", "new"} {
		p := &partFile{name: at(name)}
		if _, err := p.Write([]byte("half")); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(at(name)); name == "there" && string(b) != "old" || name == "new" && !os.IsNotExist(err) {
			t.Errorf("%s: %q, %v while it is written", name, b, err)
		}
		if err := p.close(false); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(at(name)); name == "there" && string(b) != "old" || name == "new" && !os.IsNotExist(err) {
			t.Errorf("%s: %q, %v behind a failure", name, b, err)
		}
	}
	if err := os.Symlink(at("there"), at("link")); err != nil {
		t.Fatal(err)
	}
	p := &partFile{name: at("link")}
	if _, err := p.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := p.close(true); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(at("there"))
	info, statErr := os.Lstat(at("link"))
	if err != nil || statErr != nil || string(b) != "new" || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%q, %v, %v", b, err, statErr)
	}
	left, err := os.ReadDir(filepath.Dir(at("there")))
	if err != nil || len(left) != 2 {
		t.Error(left, err)
	}
}

// TestExportStopped: an export that is interrupted, or whose disk is full, leaves no file and no temporary one.
func TestExportStopped(t *testing.T) {
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "{\"_id\":%d,\"t\":%q}\n", i, strings.Repeat("x", 1000))
	}
	at := files(t, map[string]string{"in": many.String()})
	t.Setenv("TMPDIR", filepath.Dir(at("in")))
	for name, way := range ways(t) {
		if _, err := command(t, append([]string{"import", "--table", "d.t", at("in")}, way...)...); err != nil {
			t.Fatal(err)
		}
		for _, format := range []transfer.Format{"jsonl", "csv", "parquet"} {
			ctx, cancel := context.WithCancel(t.Context())
			root := newRoot()
			root.SetErr(io.Discard)
			root.SetOut(&stopping{&bytes.Buffer{}, cancel})
			root.SetArgs(append([]string{"export", "--table", "d.t", "--format", string(format)}, way...))
			if err := root.ExecuteContext(ctx); err == nil {
				t.Errorf("%s %s: an interrupted export succeeds", name, format)
			}
			if _, err := os.Stat("/dev/full"); err == nil {
				if _, err := command(t, append([]string{"export", "--table", "d.t", "--format", string(format),
					"/dev/full"}, way...)...); err == nil {
					t.Errorf("%s %s: an export to a full disk succeeds", name, format)
				}
			}
		}
	}
	left, err := os.ReadDir(filepath.Dir(at("in")))
	if err != nil || len(left) != 1 {
		t.Error(left, err)
	}
}
