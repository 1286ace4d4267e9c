package harness

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/processor"
)

// Patience is how long a test waits for what must come. Only what hangs takes as long, on the busiest machine.
const Patience = 5 * time.Minute

// Eventually waits until a condition holds; what says what it is.
func Eventually(t testing.TB, what func() string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > Patience {
			t.Fatal(what())
		}
	}
}

// Standstills is how often something is tried that succeeds unless the machine stands still for a moment: where a
// store's transactions live for less than a second, or a session's clients must be heard every second.
const Standstills = 20

// MustLive runs statements that are transactions of their own on a store whose transactions live for a short time: one
// that did not come through, because the machine was busy, is run again.
func MustLive(t testing.TB, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, statements ...string) {
	t.Helper()
	for _, s := range statements {
		var err error
		for range Standstills {
			if _, err = db.ExecContext(context.Background(), s); ErrorNumber(err) != 3024 {
				break
			}
		}
		if err != nil {
			t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// Soon is what this process may still compute for a statement that has been killed or whose client is gone, in
// processor time, which others on the machine don't change. The statement would run for many times as long.
const Soon = 3 * time.Second

// An endingTime measures how soon something ends that is told to.
type endingTime struct {
	began time.Time
	used  time.Duration
}

// EndsSoon starts to measure how soon something ends.
func EndsSoon() endingTime { return endingTime{time.Now(), processor.Time()} }

// Check fails if it took too long.
func (e endingTime) Check(t testing.TB, what string) {
	t.Helper()
	most := Soon
	if raced { // everything takes many times as long
		most *= 4
	}
	if used := processor.Time() - e.used; used > most {
		t.Errorf("%s: it went on for %v, %v of processor time", what, time.Since(e.began), used)
	}
}

func (e endingTime) String() string {
	return fmt.Sprintf("%v, %v of processor time", time.Since(e.began), processor.Time()-e.used)
}

// Used is what a process has used of the processors so far; nothing where the system doesn't tell.
func (p *Process) Used() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Cmd.Process.Pid))
	if err != nil {
		return 0
	}
	// Behind the name in parentheses: the state, and with the twelfth and thirteenth field the times, in hundredths of a
	// second.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
