//go:build fdb

package fdbkv

import (
	"errors"
	"testing"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// TestRetryable: what FoundationDB's client holds for worth a retry (fdb_error_predicate) is so here, and what may
// have been committed is told apart.
func TestRetryable(t *testing.T) {
	for code, unknown := range map[int]bool{
		1007: false, 1009: false, 1020: false, 1021: true, 1037: false, 1038: false, 1039: true, 1042: false, 1051: false,
		1078: false, 1213: false, 1223: false,
	} {
		err := fdb.Error{Code: code}
		if !unknown && !kv.Retryable(translate(err)) {
			t.Errorf("%d: it is not tried again: %v", code, translate(err))
		}
		if got := errors.Is(outcome(err), kv.ErrUnknownCommit); got != unknown {
			t.Errorf("%d: whether a commit's outcome is unknown: %t, want %t", code, got, unknown)
		}
	}
	for _, code := range []int{2101, 2102, 2103, 2104, 4100} {
		if err := translate(fdb.Error{Code: code}); kv.Retryable(err) {
			t.Errorf("%d: tried again: %v", code, err)
		}
	}
}
