//go:build !fdb

package driver_test

import (
	"database/sql"
	"strings"
	"testing"
)

func clusterAt(t testing.TB, _ string) {
	t.Helper()
	t.Fatal("this build knows no cluster")
}

// TestWithoutFoundationDB: a program that is built without the engine is told how to build it.
func TestWithoutFoundationDB(t *testing.T) {
	db, err := sql.Open("sqlfdb", "fdb:/etc/foundationdb/fdb.cluster?database=d")
	if err == nil {
		defer db.Close()
		err = db.Ping()
	}
	if err == nil || !strings.Contains(err.Error(), "go build -tags fdb") ||
		!strings.Contains(err.Error(), "/etc/foundationdb/fdb.cluster") {
		t.Error(err)
	}
}
