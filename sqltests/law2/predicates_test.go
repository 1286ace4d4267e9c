package law2

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var predicatesAll = flag.Bool("predicates-all", false, "run every predicate in every kind of statement")

// corpora are the files of predicates whose ranges the tests of sqlbackend and
// pushdown show.
var corpora = []string{"../../sqlbackend/testdata/predicates/*", "../../sqlbackend/pushdown/testdata/split/*"}

// corpusPredicates are the WHERE clauses of a file: the lines between a command and
// its answer.
func corpusPredicates(text string) (predicates []string) {
	asked := false
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "where" || line == "split":
			asked = true
		case line == "----":
			asked = false
		case asked && line != "":
			predicates = append(predicates, line)
		}
	}
	return predicates
}

// constantsIn are the literals of a predicate that a placeholder may stand for, with
// what must stand before them: a word, like DATE, makes them a part of the syntax.
var constantsIn = regexp.MustCompile(
	"(`[^`]*`)|(->>? *)?((?:\\b[A-Za-z_]\\w* *)?)('(?:[^'\\\\]|''|\\\\.)*'|\\b\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?\\b)")

// withPlaceholders is a predicate with its constants as arguments.
func withPlaceholders(predicate string) (string, []any) {
	var args []any
	prepared := constantsIn.ReplaceAllStringFunc(predicate, func(found string) string {
		m := constantsIn.FindStringSubmatch(found)
		word := strings.ToUpper(strings.TrimSpace(m[3]))
		switch {
		case m[1] != "", m[2] != "":
			return found
		case word != "" && !slices.Contains([]string{"AND", "OR", "BETWEEN", "IN", "LIKE", "WHEN", "THEN", "ELSE", "NOT",
			"XOR"}, word):
			return found
		}
		before, text := found[:len(found)-len(m[4])], m[4]
		if text[0] == '\'' {
			text = strings.NewReplacer(`''`, `'`, `\%`, `\%`, `\_`, `\_`, `\'`, `'`, `\\`, `\`).Replace(text[1 : len(text)-1])
			args = append(args, text)
		} else {
			var n int64
			if _, err := fmt.Sscan(text, &n); err == nil && fmt.Sprint(n) == text {
				args = append(args, n)
			} else {
				return found // a parameter would be of another type
			}
		}
		return before + "?"
	})
	return prepared, args
}

// TestPredicates runs every predicate of the corpora over documents that hold odd
// values, with the index on and off: there are the same rows. Some run with placeholders for
// their constants too, in joins and in DELETE; by flag all do.
func TestPredicates(t *testing.T) {
	s := harness.Start(t)
	if _, err := harness.Connect(t, s.Addr(), "", "").Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	pool := harness.Connect(t, s.Addr(), "d", "?interpolateParams=false")
	c, err := open(pool)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	setup, err := os.ReadFile("../../sqlbackend/testdata/predicates/setup.sql")
	if err != nil {
		t.Fatal(err)
	}
	for stmt := range strings.SplitSeq(string(setup), ";\n") {
		if stmt = strings.TrimSpace(stmt); stmt == "" {
			continue
		}
		on := []*sql.Conn{c.on}
		if strings.HasPrefix(stmt, "SET") {
			on = append(on, c.off)
		}
		for _, conn := range on {
			if _, err := conn.ExecContext(context.Background(), stmt); err != nil {
				t.Fatalf("%s: %v", stmt, err)
			}
		}
	}
	count, prepared := 0, 0
	draw := int(testseed.Of(t, "", 0) % 9) // which ones are asked in which other statement
	for _, pattern := range corpora {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %d files", pattern, err, len(files))
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range corpusPredicates(string(text)) {
				count++
				samePredicate(t, c, "SELECT _id FROM t WHERE "+p)
				if q, args := withPlaceholders(p); len(args) > 0 && ((count+draw)%2 == 0 || *predicatesAll) {
					prepared++
					samePredicate(t, c, "SELECT _id FROM t WHERE "+q, args...)
				}
				if (count+draw)%9 == 0 || *predicatesAll {
					samePredicate(t, c, "SELECT t._id FROM (SELECT 1 AS one) o LEFT JOIN t ON "+p)
				}
				if (count+draw)%9 == 1 || *predicatesAll {
					samePredicate(t, c, "SELECT t._id FROM (SELECT 1 AS one) o JOIN t ON "+p)
				}
				if (count+draw)%9 == 2 || *predicatesAll {
					sameDeletion(t, c, "DELETE FROM t WHERE "+p)
				}
			}
		}
	}
	t.Logf("%d predicates, %d of them prepared too", count, prepared)
	if count < 1000 || prepared < 400 {
		t.Errorf("%d predicates, %d of them prepared", count, prepared)
	}
	harness.CheckAll(t, pool)
}

// samePredicate runs a SELECT both ways.
func samePredicate(t *testing.T, c connections, stmt string, args ...any) {
	t.Helper()
	run := func(conn *sql.Conn) []string {
		rows := strings.Split(harness.Query(conn, stmt, args...), "\n")
		slices.Sort(rows)
		return rows
	}
	on, off := run(c.on), run(c.off)
	// A result that its type does not hold is of a row that one of them need not read.
	if ofRow := slices.ContainsFunc(on, isOfRow) || slices.ContainsFunc(off, isOfRow); !slices.Equal(on, off) &&
		!mayDiffer(stmt) && !ofRow {
		t.Errorf("%s %v\nwith the index %q\nwithout %q", stmt, args, on, off)
	}
}

// sameDeletion counts what a DELETE would delete, both ways.
func sameDeletion(t *testing.T, c connections, stmt string) {
	t.Helper()
	run := func(conn *sql.Conn) string {
		ctx := context.Background()
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			t.Fatal(err)
		}
		defer func() { _, _ = conn.ExecContext(ctx, "ROLLBACK") }()
		return harness.Exec(conn, stmt)
	}
	if on, off := run(c.on), run(c.off); on != off && !mayDiffer(stmt) && !isOfRow(on) && !isOfRow(off) {
		t.Errorf("%s: with the index %q, without %q", stmt, on, off)
	}
}

// differing is what gives other rows each time, or in each session.
var differing = regexp.MustCompile(`(?i)rand\(|uuid\(|@@sqlfdb_use_index|connection_id`)

func mayDiffer(stmt string) bool { return differing.MatchString(stmt) }
