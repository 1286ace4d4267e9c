package sandbox_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
)

var allAttacks = flag.Bool("attacks-all", false, "run all functions that attack the sandbox, not a share")

// TestAttacks: whatever a function does, its call ends soon, with rows or a failure, the process stays within its
// memory, and the next call is as ever.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("some run for a second each")
	}
	well, err := sandbox.Compile(`function (doc) { emit(doc.n, [1, 2].map(String).join('-')); }`)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 240))
	attacks, err := os.ReadFile("testdata/attacks")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(attacks)) {
		name, body, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if !*allAttacks && rnd.IntN(8) != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f, err := sandbox.Compile("function (doc) {" + body + "}")
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			rows, err := f.Run([]byte(`{"n":7}`))
			if took := time.Since(began); took > 6*time.Second {
				t.Errorf("it took %s", took)
			}
			if err != nil {
				if rows != nil {
					t.Errorf("%d rows of a failure", len(rows))
				}
				if !strings.Contains(err.Error(), " ") {
					t.Errorf("a failure without words: %q", err)
				}
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			t.Logf("%.120s; %d rows, %s, heap %d MB, sys %d MB, %d goroutines", fmt.Sprint(err), len(rows),
				time.Since(began).Round(time.Millisecond), m.HeapAlloc>>20, m.Sys>>20, runtime.NumGoroutine())
			if m.Sys > 3<<30 {
				t.Errorf("the process has %d MB", m.Sys>>20)
			}
			rows, err = well.Run([]byte(`{"n":7}`))
			if err != nil || len(rows) != 1 || string(rows[0].Key) != "7" || string(rows[0].Value) != `"1-2"` {
				t.Errorf("the next call: %s, %v", rows, err)
			}
		})
	}
	// What could not be interrupted at once has ended by now.
	buf := make([]byte, 1<<20)
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		stacks := string(buf[:runtime.Stack(buf, true)])
		if !strings.Contains(stacks, "sandbox.(*box).run") {
			break
		}
		if time.Since(began) > 5*time.Second {
			t.Fatalf("calls run on:\n%s", stacks)
		}
	}
}

// TestSuspended: generators and async functions are refused wherever they stand.
func TestSuspended(t *testing.T) {
	for _, body := range []string{"function* g() {}", "var g = function* () {};", "async function f() {}",
		"var f = async () => 1;", "var o = {*g() {}};", "var o = {async f() {}};", "class A { *g() {} }",
		"class A { static async f() {} }", "var a = [1, {b: (function () { return function* () {}; })}];",
		"if (doc) { for (var i = async function () {}; ;) {} }", "emit(1, function () { return async (x) => x; });",
		"var {a = function* () {}} = doc;", "(b = function* () {}) => 1;", "switch (1) { case (function* () {}): }",
		"try { } catch (e) { } finally { (function* () {}); }", "`${function* () {}}`;", "class A { x = async () => 1; }"} {
		_, err := sandbox.Compile("function (doc) { " + body + " }")
		if !errors.Is(err, sandbox.ErrSyntax) || !strings.Contains(err.Error(), "async") {
			t.Errorf("%s: %v", body, err)
		}
	}
}
