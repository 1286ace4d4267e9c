package sqlbackend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/regexps"
)

// TestRegexpLimits: a pattern that has very many ways to match a text ends with MySQL's error.
func TestRegexpLimits(t *testing.T) {
	ctx := context.Background()
	matches := func(pattern, text string) (bool, error) {
		m := newTestMatcher(t, pattern, text)
		type result struct {
			found bool
			err   error
		}
		ended := make(chan result, 1)
		go func() {
			found, err := m.Find(ctx, 0)
			ended <- result{found, err}
		}()
		select {
		case r := <-ended:
			m.Close()
			return r.found, r.err
		case <-time.After(time.Minute):
			t.Fatalf("%s has no limit: the library keeps it elsewhere than icuMatcherAt and icuTimeLimitAt tell", pattern)
			return false, nil
		}
	}
	for pattern, text := range map[string]string{
		"^(a+)+$":                     strings.Repeat("a", 50) + "b",
		"^(a|aa)+$":                   strings.Repeat("a", 100) + "b",
		"(.*a){20}$":                  strings.Repeat("a", 200) + "b",
		"(x+x+)+y":                    strings.Repeat("x", 100),
		"^(([a-z])+.)+[A-Z]([a-z])+$": strings.Repeat("a", 100),
	} {
		var refused *mysql.SQLError
		if _, err := matches(pattern, text); !errors.As(err, &refused) || refused.Num != regexps.ErrTimeOut {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	for pattern, text := range map[string]string{
		"^(a+)+$": strings.Repeat("a", 5000), "b$": strings.Repeat("a", 100_000) + "b", "ä.c": "xxäbc", "😀+$": "x😀😀",
	} {
		if found, err := matches(pattern, text); !found || err != nil {
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
	}
}

// newTestMatcher is a matcher with a text.
func newTestMatcher(t *testing.T, pattern, text string) *regexps.Matcher {
	t.Helper()
	m, err := regexps.NewMatcher(context.Background(), pattern, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetText(context.Background(), text); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRegexpWithoutLimit: without a limit a match has as long as it takes, and the statement can be killed all the
// same.
func TestRegexpWithoutLimit(t *testing.T) {
	unlimited := func(pattern, text string) *regexps.Matcher {
		m := newTestMatcher(t, pattern, text)
		m.Unlimited, m.Limit = true, 1
		m.SetLimit()
		return m
	}
	m, looks := unlimited("^(a+)+$", strings.Repeat("a", 60)+"b"), 0
	if _, err := m.Find(killedLater{context.Background(), &looks, 5}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("killed: %v", err)
	}
	m.Close()

	m = unlimited("(a+)+b|x", strings.Repeat("x"+strings.Repeat("a", 16), 4)+"x")
	defer m.Close()
	var at []int
	found, err := m.Find(context.Background(), 0)
	for ; found && err == nil; found, err = m.FindNext(context.Background()) {
		start, _, err := m.Bounds(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, start)
	}
	if want := []int{0, 17, 34, 51, 68}; err != nil || !slices.Equal(at, want) || m.Limit == 1 {
		t.Errorf("matches at %v, not %v, with a limit of %d: %v", at, want, m.Limit, err)
	}
}

// TestRegexpSandbox: a sandbox that has trapped is not used again.
func TestRegexpSandbox(t *testing.T) {
	m := newTestMatcher(t, "a", "a")
	if _, _, err := m.Call(context.Background(), "uregex_find_68", 0xfffffff0, 0); err == nil {
		t.Fatal("no trap")
	}
	module := m.Sandbox.Module
	m.Close()
	next := newTestMatcher(t, "a", "a")
	defer next.Close()
	if next.Sandbox.Module == module {
		t.Error("it is used again")
	}
}

// TestRegexpsShareSandbox: the regular expressions of a statement take one sandbox, and too many are refused.
func TestRegexpsShareSandbox(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	p.run(`INSERT INTO t (_id, s) VALUES ('1', REPEAT('a', 100000)), ('2', 'b')`)
	query := func(n int) string {
		return "SELECT COUNT(*) FROM t WHERE " + listed(n, " OR ",
			func(i int) string { return fmt.Sprintf("s REGEXP 'b(c|[d-f])?%d*$'", i) })
	}
	before := heapBytes()
	if err := p.command(func(ctx *sql.Context) error {
		return p.each(ctx, query(regexps.MaxPatterns), func(row sql.Row) {
			if row[0] != int64(1) {
				t.Errorf("counted %v", row[0])
			}
			if is := heapBytes() - before; is > 4*64<<20 {
				t.Errorf("%d patterns hold %d bytes", regexps.MaxPatterns, is)
			}
		})
	}); err != nil {
		t.Error(err)
	}
	var refused *mysql.SQLError
	if err := p.command(func(ctx *sql.Context) error {
		return p.each(ctx, query(regexps.MaxPatterns+1),
			func(sql.Row) {})
	}); !errors.As(err, &refused) || refused.Num != 1436 {
		t.Errorf("%d patterns: %v", regexps.MaxPatterns+1, err)
	}
}
