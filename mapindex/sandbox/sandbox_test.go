package sandbox_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
)

// shown are the rows, or the failure.
func shown(t *testing.T, source, document string) string {
	t.Helper()
	f, err := sandbox.Compile(source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	rows, err := f.Run([]byte(document))
	if err != nil {
		var failure *sandbox.Failure
		if !errors.As(err, &failure) {
			t.Fatalf("%s fails with a %T: %v", source, err, err)
		}
		if rows != nil {
			t.Errorf("%s fails and has rows", source)
		}
		return "error: " + failure.Error()
	}
	var out []string
	for _, r := range rows {
		out = append(out, string(r.Key)+"="+string(r.Value))
	}
	return strings.Join(out, " ")
}

// TestFunctions runs functions on documents, and functions four times on one.
func TestFunctions(t *testing.T) {
	datadriven.Walk(t, "testdata/run", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "again" {
				var out []string
				for range 4 {
					out = append(out, shown(t, d.Input, "{}"))
				}
				return strings.Join(out, "\n")
			}
			document, source, _ := strings.Cut(d.Input, "\n")
			return shown(t, source, document)
		})
	})
}

func TestCompile(t *testing.T) {
	for _, source := range []string{"", "1", "function (doc) {", "function (doc) {}) + (1", "{}", "throw 1", `"x"`,
		"function (doc) {" + strings.Repeat(" ", sandbox.MaxSource) + "}", strings.Repeat("(", 8_000)} {
		if _, err := sandbox.Compile(source); !errors.Is(err, sandbox.ErrSyntax) {
			t.Errorf("%.30q: %v", source, err)
		}
	}
}

func TestEndless(t *testing.T) {
	const tooLong = "error: the function ran for longer than a second"
	for source, want := range map[string]string{
		`function (doc) { for (;;) {} }`:                                     tooLong,
		`function (doc) { for (;;) try { for (;;) {} } catch (e) {} }`:       tooLong,
		`function (doc) { /^(a+)+$/.test(Array(40).join('a') + 'b'); }`:      "",
		`function (doc) { /^(?=a)(a+)+$/.test(Array(40).join('a') + 'b'); }`: tooLong,
		`function (doc) { var s = 'x'; for (;;) s += s; }`:                   "error: the function",
		`function (doc) { var a = []; for (;;) a = [a]; }`:                   "error: the function",
		`function (doc) { var o = {}; for (;;) o = Object.create(o); }`:      "error: the function",
	} {
		began := time.Now()
		if got := shown(t, source, `{}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s\n  gives %s\n  want  %s", source, got, want)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s took %s", source, took)
		}
	}
}

func TestParallel(t *testing.T) {
	f, err := sandbox.Compile(`function (doc) { last = doc.n; emit(last, doc.n); }`)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				n := fmt.Sprint(g*1000 + i)
				rows, err := f.Run([]byte(`{"n":` + n + `}`))
				if err != nil || len(rows) != 1 || string(rows[0].Key) != n {
					t.Errorf("%s: %s, %v", n, rows, err)
				}
			}
		})
	}
	all.Wait()
}
