package sqltests

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestTemporaryEnd: of a temporary table nothing stays in the store once its session has ended, however it does, nor of
// one that is dropped, truncated or could not be filled.
func TestTemporaryEnd(t *testing.T) {
	const needle = "stays-nowhere"
	store := harness.NewStore(t)
	s := harness.ServeStore(t, store, server.Options{})
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d", "CREATE DATABASE e")
	left := func() (n int) {
		tx, err := store.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Cancel()
		it := tx.Snapshot().Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{})
		defer it.Close()
		for it.Next() {
			if bytes.Contains(it.Value(), []byte(needle)) || bytes.Contains(it.Key(), []byte(needle)) {
				n++
			}
		}
		if err := it.Err(); err != nil {
			t.Fatal(err)
		}
		return n
	}
	fill := []string{"CREATE TEMPORARY TABLE d.t (a VARCHAR(20) PRIMARY KEY, _doc JSON)",
		`INSERT INTO d.t (a, _doc) VALUES ('1', '{"` + needle + `":"` + needle + `"}')`}
	for _, end := range []struct {
		name string
		do   func(*testing.T, *wire)
	}{
		{"the connection is closed", func(t *testing.T, w *wire) { _ = w.Close() }},
		{"KILL", func(t *testing.T, w *wire) {
			harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "KILL "+w.value(t, "SELECT CONNECTION_ID()"))
		}},
		{"COM_RESET_CONNECTION", func(t *testing.T, w *wire) { w.command(t, comResetConnection, "") }},
		{"COM_CHANGE_USER", func(t *testing.T, w *wire) {
			w.command(t, comChangeUser, "root\x00\x00e\x00\x2d\x00mysql_native_password\x00")
		}},
		{"DROP TEMPORARY TABLE", func(t *testing.T, w *wire) { w.command(t, comQuery, "DROP TEMPORARY TABLE d.t") }},
		{"TRUNCATE TABLE", func(t *testing.T, w *wire) { w.command(t, comQuery, "TRUNCATE TABLE d.t") }},
		{"in a transaction", func(t *testing.T, w *wire) {
			again := append([]string{"DROP TABLE d.t", "BEGIN"}, fill...)
			for _, stmt := range append(again, "DROP TEMPORARY TABLE d.t", "COMMIT") {
				if p := w.command(t, comQuery, stmt); w.number(p) != 0 {
					t.Fatalf("%s: %q", stmt, p)
				}
			}
		}},
	} {
		t.Run(end.name, func(t *testing.T) {
			w := dial(t, s.Addr())
			for _, stmt := range fill {
				if p := w.command(t, comQuery, stmt); w.number(p) != 0 {
					t.Fatalf("%s: %q", stmt, p)
				}
			}
			if left() == 0 {
				t.Fatal("nothing is stored")
			}
			end.do(t, w)
			harness.Eventually(t, func() string { return fmt.Sprintf("%d keys are left", left()) },
				func() bool { return left() == 0 })
		})
	}
}

// TestTemporaryBound: a session can't have any number of temporary tables, and another one has its own.
func TestTemporaryBound(t *testing.T) {
	_, db := harness.Database(t)
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 256 {
		harness.MustExec(t, c, fmt.Sprintf("CREATE TEMPORARY TABLE t%d (a INT)", i))
	}
	_, err = c.ExecContext(ctx, "CREATE TEMPORARY TABLE more (a INT)")
	if err == nil || !strings.Contains(err.Error(), "256") {
		t.Error(err)
	}
	harness.MustExec(t, c, "DROP TEMPORARY TABLE t0", "CREATE TEMPORARY TABLE more (a INT)")
	other, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	harness.MustExec(t, other, "CREATE TEMPORARY TABLE t1 (b INT)")
}
