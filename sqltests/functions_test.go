package sqltests

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var rewriteFunctions = flag.Bool("rewrite-functions", false, "write docs/reference/functions.md")

// functionCase is a statement, or several, with what the last of them gives in MySQL.
type functionCase struct{ name, statement, answer string }

// TestFunctions runs the functions and operators of MySQL's manual, and fails where docs/reference/functions.md
// says otherwise than it finds.
func TestFunctions(t *testing.T) {
	const page = "../docs/reference/functions.md"
	setup, cases := readFunctions(t)
	pool := harness.Connect(t, harness.Start(t).Addr(), "", "?interpolateParams=false")
	ctx := context.Background()
	c, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, s := range append([]string{"CREATE DATABASE d", "USE d", "SET time_zone = '+00:00'"}, setup...) {
		if _, err := c.ExecContext(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	found := map[string]string{}
	var names []string
	works := 0
	for _, f := range cases {
		if _, ok := found[f.name]; !ok {
			names = append(names, f.name)
			found[f.name] = "works"
		}
		if found[f.name] != "works" {
			continue
		}
		found[f.name] = functionFound(ctx, c, f)
	}
	var b strings.Builder
	for _, n := range names {
		if found[n] == "works" {
			works++
		}
		fmt.Fprintf(&b, "| %s | %s |\n", cell(n), cell(found[n]))
	}
	text := fmt.Sprintf(functionsHead, len(names), works) + b.String()
	if *rewriteFunctions {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	written, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) == text {
		return
	}
	was := strings.Split(string(written), "\n")
	for _, line := range strings.Split(text, "\n") {
		if !slices.Contains(was, line) {
			t.Errorf("%s does not say: %s", page, line)
		}
	}
	t.Error("if that is as it should be: go test ./sqltests -run TestFunctions -rewrite-functions")
}

const functionsHead = `# Functions and operators

Every function and operator of MySQL 8.4's manual but not spatial data, full text, XML and replication: %d, of
which %d work as there. A test makes this table: it runs examples whose answers are the manual's or another server's.
JSON is written without spaces here; that is not counted as a difference.

| name | here |
|---|---|
`

// cell is a text in a cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

// functionFound runs the statements of a case and tells how its answer is.
func functionFound(ctx context.Context, c *sql.Conn, f functionCase) string {
	statements := strings.Split(f.statement, "; ")
	last := statements[len(statements)-1]
	for _, s := range statements[:len(statements)-1] {
		if _, err := c.ExecContext(ctx, s); err != nil {
			return refusedBy(err)
		}
	}
	rows, err := c.QueryContext(ctx, last)
	if err != nil {
		return refusedBy(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return refusedBy(err)
	}
	expected := strings.Split(f.answer, " / ")
	var got []string
	for rows.Next() {
		values, places := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return refusedBy(err)
		}
		texts := make([]string, len(values))
		for i, v := range values {
			if texts[i] = v.String; !v.Valid {
				texts[i] = "NULL"
			}
		}
		got = append(got, strings.Join(texts, ", "))
	}
	if err := rows.Err(); err != nil {
		return refusedBy(err)
	}
	spaceless := func(s []string) string { return strings.ReplaceAll(strings.Join(s, "/"), " ", "") }
	if spaceless(got) == spaceless(expected) {
		return "works"
	}
	short, gives := strings.TrimPrefix(last, "SELECT "), strings.Join(got, " / ")
	return fmt.Sprintf("differs: `%s` gives `%s`, not `%s`", short, gives, f.answer)
}

// refusedBy is how an error stands in the table: with its number, as short as may be.
func refusedBy(err error) string {
	text, _, _ := strings.Cut(err.Error(), " near ")
	return "refused: " + text
}

// readFunctions reads testdata/functions.txt.
func readFunctions(t *testing.T) (setup []string, cases []functionCase) {
	t.Helper()
	file, err := os.Open("testdata/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, ok := strings.Cut(line, ": ")
		if ok && name == "setup" {
			setup = append(setup, rest)
			continue
		}
		at := strings.LastIndex(rest, " ⇒ ")
		if !ok || at < 0 {
			t.Fatalf("testdata/functions.txt: %q is not \"name: statement ⇒ answer\"", line)
		}
		cases = append(cases, functionCase{name, rest[:at], rest[at+len(" ⇒ "):]})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return setup, cases
}
