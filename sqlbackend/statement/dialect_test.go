package statement

import (
	"strings"
	"testing"
	"time"
)

func TestDialect(t *testing.T) {
	all := Dialect{Quotes: true, Pipes: true, Backslash: true, HighNot: true}
	for _, c := range []struct {
		dialect      Dialect
		given, plain string
	}{
		{Dialect{}, `SELECT "a" || 'b\'c'`, `SELECT "a" || 'b\'c'`},
		{Dialect{Quotes: true}, "SELECT \"a\", \"b\"\"`c\", '\"x\"', 'it\\'s \"'; SELECT \"rest\"",
			"SELECT `a`, `b\"``c`, '\"x\"', 'it\\'s \"'; SELECT \"rest\""},
		{Dialect{Backslash: true}, `SELECT 'a\', "\", 'b''\n' -- it's`,
			`SELECT 'a\\', "\\", 'b''\\n' -- it's`},
		{Dialect{Backslash: true}, `SELECT a LIKE 'x\%', b LIKE 'x\%' ESCAPE '\', ';' ; 'rest\'`,
			`SELECT a LIKE 'x\\\\%', b LIKE 'x\\%' ESCAPE '\\', ';' ; 'rest\'`},
		{Dialect{Pipes: true}, `SELECT a||b || c FROM t`,
			`SELECT CONCAT/*||*/(a/*||*/,b /*||*/, c/*||*/) FROM t`},
		{Dialect{Pipes: true}, `SELECT 2+3 || -4*x`, `SELECT 2+CONCAT/*||*/(3 /*||*/, -4/*||*/)*x`},
		{Dialect{Pipes: true}, `SELECT t.a || f(x || y) || (z) || CASE WHEN a THEN b END COLLATE c`,
			`SELECT CONCAT/*||*/(t.a /*||*/, f(CONCAT/*||*/(x /*||*/, y/*||*/)) /*||*/, (z) ` +
				`/*||*/, CASE WHEN a THEN b END COLLATE c/*||*/)`},
		{Dialect{Pipes: true}, `SELECT -a || d->>'$.x' FROM t WHERE x = (y) || 'z' OR NOT u || v`,
			`SELECT CONCAT/*||*/(-a /*||*/, d->>'$.x'/*||*/) FROM t WHERE x = CONCAT/*||*/((y) ` +
				`/*||*/, 'z'/*||*/) OR NOT CONCAT/*||*/(u /*||*/, v/*||*/)`},
		{Dialect{Pipes: true}, `CREATE VIEW v AS SELECT a || b`, `CREATE VIEW v AS SELECT CONCAT(a , b)`},
		{Dialect{Pipes: true}, `SELECT 'a||b' || _utf8mb4'c' || DATE'2020-01-01'; SELECT 1 || 2`,
			`SELECT CONCAT/*||*/('a||b' /*||*/, _utf8mb4'c' /*||*/, DATE'2020-01-01'/*||*/); SELECT 1 || 2`},
		{Dialect{HighNot: true},
			`SELECT NOT 1 BETWEEN 2 AND 3, a IS NOT NULL, b NOT IN (1), NOT EXISTS (SELECT 1), (a) NOT LIKE 'b', x AND NOT y`,
			`SELECT ! 1 BETWEEN 2 AND 3, a IS NOT NULL, b NOT IN (1), NOT EXISTS (SELECT 1), (a) NOT LIKE 'b', x AND ! y`},
		{all, `SELECT "a" || 'b\'`, "SELECT CONCAT/*||*/(`a` /*||*/, 'b\\\\'/*||*/)"},
		{all, `|| a ||`, `/*||*/, a /*||*/,`},
		{all, `'open`, `'open`},
		{all, `"`, "``"},
	} {
		if got, err := c.dialect.Plain(c.given); err != nil || got != c.plain {
			t.Errorf("%s\n got %s (%v)\nwant %s", c.given, got, err, c.plain)
		}
	}
	const pipes = "a || (b||c)"
	plain, err := Dialect{Pipes: true}.Plain(pipes)
	if got := PipesAgain(plain); err != nil || got != pipes {
		t.Errorf("got %s (%v), want %s", got, err, pipes)
	}
}

// TestDialectOfLong: long texts are spelled in time, and refused where their tokens would fill the memory.
func TestDialectOfLong(t *testing.T) {
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"pipes", "SELECT 'a'" + strings.Repeat("||a", 10<<20), true},
		{"few pipes", "SELECT 'a'" + strings.Repeat("||a", 100_000), false},
		{"none", "INSERT INTO t VALUES ('a||b')" + strings.Repeat(",(1)", 5<<20), false},
		{"nots", "SELECT " + strings.Repeat("NOT ", 5<<20) + "1", true},
		{"nested", "SELECT " + strings.Repeat("(a||", 60_000) + "b" + strings.Repeat(")", 60_000), false},
		{"signs", "SELECT a " + strings.Repeat("|| - - - -b ", 30_000), false},
	} {
		began := time.Now()
		_, err := Dialect{Quotes: true, Pipes: true, Backslash: true, HighNot: true}.Plain(c.text)
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: %v for %d bytes", c.name, took, len(c.text))
		} else {
			t.Logf("%s: %v for %d bytes", c.name, took, len(c.text))
		}
	}
}

func FuzzDialect(f *testing.F) {
	f.Add(`SELECT "a" || 'b\' || (c LIKE '\%') || CASE END`)
	f.Fuzz(func(_ *testing.T, text string) {
		for i := range 16 {
			_, _ = Dialect{Quotes: i&1 != 0, Pipes: i&2 != 0, Backslash: i&4 != 0, HighNot: i&8 != 0}.Plain(text)
		}
	})
}
