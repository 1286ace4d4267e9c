package server

import (
	"context"
	stdsql "database/sql"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// interrupted is a store that runs something once, before a transaction begins.
type interrupted struct {
	kv.Store
	after  atomic.Int64 // transactions that begin before that
	before atomic.Pointer[func()]
}

func (s *interrupted) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if opts.NoReadYourWrites && s.after.Add(-1) < 0 {
		if f := s.before.Swap(nil); f != nil {
			(*f)()
		}
	}
	return s.Store.Begin(ctx, opts)
}

// An ALTER TABLE that was planned when the column had another type, or could be NULL,
// does not take the type from documents that have the new one by now.
func TestAlterRace(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	between := &interrupted{Store: store}
	u := startUpgrading(t, between)
	defer u.close()
	u.must("CREATE DATABASE d")
	u.must("USE d")
	other, err := stdsql.Open("mysql", "root@tcp("+u.s.Addr().String()+")/d")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, of := range []struct{ first, late, refusal string }{
		{"ALTER TABLE t MODIFY a VARCHAR(20) NOT NULL", "ALTER TABLE t MODIFY a INT NOT NULL COMMENT 'x'", "1366"},
		{"ALTER TABLE t MODIFY a VARCHAR(20) NOT NULL", "ALTER TABLE t MODIFY a BIGINT NOT NULL", "1366"},
		{"ALTER TABLE t MODIFY a VARCHAR(20) NOT NULL", "ALTER TABLE t CHANGE a b INT NOT NULL", "1366"},
		{"ALTER TABLE t MODIFY a VARCHAR(20)", "ALTER TABLE t MODIFY a INT NOT NULL COMMENT 'x'", "1138"},
	} {
		// Before the statement is planned, and between that and the change.
		for after := range 2 {
			u.must("DROP TABLE IF EXISTS t")
			u.must("CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL)")
			u.must("INSERT INTO t VALUES (1, 5), (2, 6), (3, 7)")
			change := func() {
				for _, q := range []string{of.first, "UPDATE t SET a = 'x' WHERE id = 3", "UPDATE t SET a = NULL WHERE id = 2"} {
					if _, err := other.Exec(q); err != nil && !strings.Contains(err.Error(), "1048") {
						t.Errorf("%s: %v", q, err)
					}
				}
			}
			between.after.Store(int64(after))
			between.before.Store(&change)
			got := u.run(of.late)
			changed := after == 1 && strings.Contains(got, "1412")
			if !changed && !strings.Contains(got, of.refusal) {
				t.Errorf("%s after %s: %q instead of the error %s", of.late, of.first, got, of.refusal)
			}
			u.check("t", of.late)
			if rows := u.run("SELECT * FROM t ORDER BY 1"); !strings.HasSuffix(rows, "3 | x | \n") {
				t.Errorf("%s after %s: the rows are\n%s", of.late, of.first, rows)
			}
		}
	}
}
