package pebblekv_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

const childEnv = "PEBBLEKV_TEST_CHILD"

// TestMain turns the test binary into the child of TestKill and TestLocked.
func TestMain(m *testing.M) {
	switch dir := os.Getenv(childEnv); {
	case dir == "":
		pebblekv.SetCloseFailedWait(20 * time.Millisecond)
		os.Exit(m.Run())
	default:
		child(dir)
	}
}

// child commits from several goroutines, and prints a line before and after
// each commit, until it is killed.
func child(dir string) {
	s, err := pebblekv.Open(dir, pebblekv.Options{MemTableBytes: 1 << 20})
	if err != nil {
		fmt.Println("error", errors.Is(err, kv.ErrLocked), err)
		os.Exit(1)
	}
	var mu sync.Mutex
	say := func(word string, i int) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(word, i) // one write to the pipe, no buffer
	}
	tx, _ := s.Begin(context.Background(), kv.TransactionOptions{})
	version, _ := tx.ReadVersion()
	tx.Cancel()
	for g := range 8 {
		go func() {
			for i := 0; ; i++ {
				n := int(version)*100_000 + i*8 + g
				say("begin", n)
				if err := pair(s, n, 300); err != nil {
					fmt.Println("error", err)
					os.Exit(1)
				}
				say("ack", n)
			}
		}()
	}
	select {}
}

func startChild(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewScanner(out)
}

// TestKill kills a committing process again and again.
func TestKill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	acked, begun := map[int]bool{}, map[int]bool{}
	rounds := 4
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		cmd, lines := startChild(t, dir)
		acks := 0
		for lines.Scan() {
			var word string
			var n int
			fmt.Sscan(lines.Text(), &word, &n)
			switch word {
			case "begin":
				begun[n] = true
			case "ack":
				acked[n] = true
				if acks++; acks == 100+300*round {
					cmd.Process.Kill()
				}
			default:
				t.Fatal(lines.Text())
			}
		}
		cmd.Wait()
		if acks < 100+300*round {
			t.Fatalf("the child ended after %d commits", acks)
		}
		s := open(t, dir, pebblekv.Options{})
		verify(t, s, acked, begun)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d commits acknowledged, %d begun", len(acked), len(begun))
}

func TestLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	s := open(t, dir, pebblekv.Options{})
	link := dir + "-link"
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, spelling := range []string{dir, dir + "/.", link} {
		_, err := pebblekv.Open(spelling, pebblekv.Options{})
		if !errors.Is(err, kv.ErrLocked) || !strings.Contains(err.Error(), filepath.Clean(dir)) {
			t.Errorf("second open of %s: %v", spelling, err)
		}
	}
	_, lines := startChild(t, dir)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "error true") || !strings.Contains(lines.Text(), dir) {
		t.Errorf("open in another process: %q", lines.Text())
	}
	// The refused ones have not broken the lock or the store.
	if err := pair(s, 1, 1); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, link, pebblekv.Options{})
	verify(t, s, map[int]bool{1: true}, nil)
	s.Close()

	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := pebblekv.Open(file, pebblekv.Options{}); err == nil || errors.Is(err, kv.ErrLocked) {
		t.Errorf("open of a file: %v", err)
	}
}

// TestAbandoned leaves transactions, iterators and watches behind.
func TestAbandoned(t *testing.T) {
	s := open(t, t.TempDir(), pebblekv.Options{TransactionLife: 100 * time.Millisecond})
	for i := range 200 {
		err := pair(s, i, 100)
		for n := 0; n < 100 && errors.Is(err, kv.ErrTooOld); n++ { // a busy machine stands still for longer
			err = pair(s, i, 100)
		}
		if err != nil {
			t.Fatal(err)
		}
		tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{})
		it.Next()
		tx.Watch([]byte("a000000"))
	}
	for began := time.Now(); pebblekv.ReadStates(s) != 1; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%d read states are held, want the newest alone", pebblekv.ReadStates(s))
		}
	}
	if err := s.Close(); err != nil { // Pebble reports leaked iterators here
		t.Fatal(err)
	}
}
