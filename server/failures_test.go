package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	stdsql "database/sql"
)

// TestFailures: who guesses passwords waits longer each time; others don't, and memory is bounded.
func TestFailures(t *testing.T) {
	var f failures
	now := time.Now()
	last := time.Duration(0)
	for i := range 40 {
		count, pause := f.next("a@x", now)
		if count != i+1 || (pause > 0) != (i >= failuresFree) || pause < last || pause > failuresLongest {
			t.Fatalf("failure %d: number %d, pause %s behind %s", i, count, pause, last)
		}
		last = pause
	}
	if last != failuresLongest {
		t.Errorf("the pause ends at %s", last)
	}
	if count, pause := f.next("a@y", now); count != 1 || pause != 0 {
		t.Errorf("another peer: %d, %s", count, pause)
	}
	f.end("a@x")
	if count, _ := f.next("a@x", now); count != 1 {
		t.Errorf("after a log-in: %d", count)
	}
	if count, _ := f.next("a@y", now.Add(2*failuresForget)); count != 1 {
		t.Errorf("after a while: %d", count)
	}
	for i := range 3 * failuresRemember {
		f.next(fmt.Sprint(i), now)
	}
	if len(f.of) > failuresRemember {
		t.Errorf("%d are remembered", len(f.of))
	}
}

// TestGuessing: wrong passwords are logged with the peer and slowed; the right one is not.
func TestGuessing(t *testing.T) {
	s, log := admissionServer(t, Options{RootPassword: "secret"})
	try := func(password string) (time.Duration, error) {
		db, err := stdsql.Open("mysql", fmt.Sprintf("root:%s@tcp(%s)/", password, s.Addr()))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		began := time.Now()
		return time.Since(began), db.Ping()
	}
	began := time.Now()
	for range failuresFree + 2 {
		if _, err := try("guess"); err == nil || !strings.Contains(err.Error(), "1045") {
			t.Fatalf("a wrong password: %v", err)
		}
	}
	if took := time.Since(began); took < 3*failuresPause {
		t.Errorf("%d guesses took %s", failuresFree+2, took)
	}
	if _, err := try("secret"); err != nil {
		t.Error(err)
	}
	text := log.String()
	if !strings.Contains(text, `level=warning msg="a log-in is refused" in_a_row=1 peer="127.0.0.1:`) ||
		!strings.Contains(text, " user=root\n") {
		t.Errorf("the log says %s", text)
	}
}
