//go:build fdb

package driver_test

import (
	"errors"
	"os"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/fdbserver"
)

// clusterAt starts a new cluster, whose cluster file is at a path, until the test ends.
func clusterAt(t testing.TB, path string) {
	t.Helper()
	c, err := fdbserver.Start(t.Context(), t.TempDir(), "memory")
	if errors.Is(err, fdbserver.ErrMissing) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Kill() })
	text, err := os.ReadFile(c.File)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
