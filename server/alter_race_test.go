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

// interrupted is a store that runs something once, before a transaction of a statement begins or commits.
type interrupted struct {
	kv.Store
	begin, commit atomic.Pointer[func()]
}

// interruptedTx is a transaction of a statement.
type interruptedTx struct {
	kv.Transaction
	store *interrupted
}

func (s *interrupted) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if !opts.NoReadYourWrites {
		return s.Store.Begin(ctx, opts)
	}
	if f := s.begin.Swap(nil); f != nil {
		(*f)()
	}
	tx, err := s.Store.Begin(ctx, opts)
	return &interruptedTx{tx, s}, err
}

// Commit implements kv.Transaction.
func (tx *interruptedTx) Commit() error {
	if f := tx.store.commit.Swap(nil); f != nil {
		(*f)()
	}
	return tx.Transaction.Commit()
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
		// Before the statement is planned, and before it commits: it is planned anew then.
		for _, hook := range []*atomic.Pointer[func()]{&between.begin, &between.commit} {
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
			hook.Store(&change)
			got := u.run(of.late)
			if !strings.Contains(got, of.refusal) {
				t.Errorf("%s after %s: %q instead of the error %s", of.late, of.first, got, of.refusal)
			}
			u.check("t", of.late)
			if rows := u.run("SELECT * FROM t ORDER BY 1"); !strings.HasSuffix(rows, "3 | x | \n") {
				t.Errorf("%s after %s: the rows are\n%s", of.late, of.first, rows)
			}
		}
	}
}
