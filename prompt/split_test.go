package prompt

import (
	"reflect"
	"strings"
	"testing"
)

// TestSplitter: statements are cut alike however their text comes.
func TestSplitter(t *testing.T) {
	text := "SELECT 1; -- not; this\nSELECT ';', \"a\n;b\", `c;`\n/* nor; this\n */ FROM t\\G\n" +
		";;\n# nothing;\nINSERT INTO t\nVALUES ('it''s \\';');\\g\n/*!40101 SET NAMES utf8 */;\nSELECT 2 \\g\nSELECT 3"
	want := []piece{
		{"SELECT 1", 1, false},
		{"SELECT ';', \"a\n;b\", `c;`\n/* nor; this\n */ FROM t", 2, true},
		{"INSERT INTO t\nVALUES ('it''s \\';')", 8, false},
		{"/*!40101 SET NAMES utf8 */", 10, false},
		{"SELECT 2", 11, false},
		{"SELECT 3", 12, false},
	}
	for _, by := range []int{1, 2, 5, 100} {
		var s splitter
		var have []piece
		lines := strings.SplitAfter(text+"\n", "\n")
		for len(lines) > 0 {
			n := min(by, len(lines))
			have = append(have, s.add(strings.Join(lines[:n], ""))...)
			lines = lines[n:]
		}
		if p, ok := s.rest(); ok {
			have = append(have, p)
		}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("by %d lines: %+v", by, have)
		}
	}
}

func TestPending(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "\n": false, "-- a comment\n": false, "SELECT 1\n": true, "'a\n": true,
		"/* begun\n": true, "/* ended */\n": false,
	} {
		var s splitter
		s.add(text)
		if s.pending() != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestFirstWord(t *testing.T) {
	for text, rows := range map[string]bool{
		"/* why */ select 1": true, "(SELECT 1) UNION (SELECT 2)": true, "insert into t values (1)": false,
		"": false, "-- x\nSHOW TABLES": true,
	} {
		if asks(text) != rows {
			t.Errorf("%q: %v", text, !rows)
		}
	}
}

func TestCommands(t *testing.T) {
	for line, want := range map[string]string{
		`\q`: "leave", "quit": "leave", "exit;": "leave", "QUIT": "leave", "help": "this help",
		"use shop":  "make it the current database",
		"use shop;": "make it the current database", `\d orders`: "list the tables, or describe one",
		"quit now": "", "SELECT 1;": "", `\g`: "",
		"help me": "", "use": "", "source": "", "source a.sql": "run the statements of a file",
	} {
		_, c, ok := parseCommand(line)
		if ok != (want != "") || c.what != want {
			t.Errorf("%q: %q, %v", line, c.what, ok)
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1;":                      "SELECT 1;",
		"SELECT a, -- the first\n  b\n;": "SELECT a, b ;",
		"SELECT 'a\nb';":                 "",
	} {
		if have := oneLine(text); have != want {
			t.Errorf("%q: %q", text, have)
		}
	}
}
