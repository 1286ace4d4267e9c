package server

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestPreparedStatements: there are so many of all clients, and the texts of closed ones are not kept.
func TestPreparedStatements(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for i := range 3 * firstSweep {
		p, err := root.PrepareContext(ctx, fmt.Sprintf("SELECT %d + ?", i))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	s.handler.mu.Lock()
	ids := slices.Collect(maps.Keys(s.handler.clients))
	s.handler.mu.Unlock()
	for _, id := range ids {
		if session, ok := s.backend.Client(id); ok {
			kept = max(kept, session.KeptStatements())
		}
	}
	if kept == 0 || kept > firstSweep+1 {
		t.Errorf("the engine keeps %d texts", kept)
	}
	globally(t, root, "SET GLOBAL max_prepared_stmt_count = 3")
	defer globally(t, root, "SET GLOBAL max_prepared_stmt_count = 16382")
	other, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	var open []*stdsql.Stmt
	for i := range 3 {
		p, err := []*stdsql.Conn{root, other, root}[i].PrepareContext(ctx, "SELECT ?")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, p)
	}
	for range 2 { // what is refused does not count
		if _, err := other.PrepareContext(ctx, "SELECT ?"); number(err) != 1461 {
			t.Errorf("one more: %v", err)
		}
	}
	for _, p := range open {
		var n int
		if err := p.QueryRow(7).Scan(&n); err != nil || n != 7 {
			t.Errorf("an open one: %d, %v", n, err)
		}
		_ = p.Close()
	}
	if _, err := root.PrepareContext(ctx, "SELECT ?"); err != nil {
		t.Errorf("after the others are closed: %v", err)
	}
}

// TestLongData: parameters that are sent ahead of their statement are bounded as packets are.
func TestLongData(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	root, err := logIn(t, s, "root")
	if err != nil {
		t.Fatal(err)
	}
	globally(t, root, "SET GLOBAL max_allowed_packet = 1048576")
	defer globally(t, root, "SET GLOBAL max_allowed_packet = 67108864")
	db, err := stdsql.Open("mysql", "root@tcp("+s.Addr().String()+")/?maxAllowedPacket=500000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRow("SELECT LENGTH(?)", strings.Repeat("x", 900_000)).Scan(&n); err != nil || n != 900_000 {
		t.Errorf("900,000 bytes: %d, %v", n, err)
	}
	if err := db.QueryRow("SELECT LENGTH(?)", strings.Repeat("x", 20<<20)).Scan(&n); number(err) != 1153 {
		t.Errorf("20 MiB: %d, %v", n, err)
	}
	if err := db.Ping(); err != nil {
		t.Errorf("behind it: %v", err)
	}
	if err := db.QueryRow("SELECT LENGTH(?)", strings.Repeat("x", 900_000)).Scan(&n); err != nil || n != 900_000 {
		t.Errorf("900,000 bytes again: %d, %v", n, err)
	}
}

// TestSentAhead: what is sent for one statement counts until that one is executed, whatever others do.
func TestSentAhead(t *testing.T) {
	var s sentAhead
	for _, step := range []struct {
		add, to, forget uint32
		all             int64
	}{{5, 1, 0, 5}, {7, 2, 3, 12}, {1, 1, 2, 6}, {4, 2, 1, 4}, {0, 2, 2, 0}} {
		s.of(step.to)
		s.add(int64(step.add))
		s.forget(step.forget)
		if s.all != step.all {
			t.Errorf("%v: %d", step, s.all)
		}
	}
	if len(s.bytes) != 0 {
		t.Errorf("%d statements are kept", len(s.bytes))
	}
}
