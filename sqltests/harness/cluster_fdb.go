//go:build fdb

package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/fdbserver"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
)

// buildTags are the tags that the command is built with.
const buildTags = "fdb"

// clusters are the engines whose stores several processes may have open.
var clusters = []Engine{{
	Name:   "fdb",
	Shared: true,
	Place:  func(t testing.TB) string { return clusterIn(t, t.TempDir()) },
}}

// idle are the clusters that no test uses. A cluster takes seconds to start, so tests take
// them in turn and find them empty.
var idle struct {
	mu       sync.Mutex
	clusters []*fdbserver.Cluster
	dirs     []string // of all clusters
}

// clusterIn names the cluster whose cluster file stands in a directory, after giving the directory
// one until the test ends. It skips the test where FoundationDB is not installed.
func clusterIn(t testing.TB, dir string) string {
	t.Helper()
	file := filepath.Join(dir, "fdb.cluster")
	name := "fdb:" + file
	if _, err := os.Stat(file); err == nil {
		return name
	}
	c, err := takeCluster()
	if errors.Is(err, fdbserver.ErrMissing) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.File)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := giveBack(c); err != nil {
			t.Error(err)
		}
	})
	return name
}

func takeCluster() (*fdbserver.Cluster, error) {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	if n := len(idle.clusters); n > 0 {
		c := idle.clusters[n-1]
		idle.clusters = idle.clusters[:n-1]
		return c, nil
	}
	dir, err := os.MkdirTemp("", "sqlfdb-cluster")
	if err != nil {
		return nil, err
	}
	idle.dirs = append(idle.dirs, dir)
	return fdbserver.Start(context.Background(), dir, "memory")
}

// OwnCluster starts a cluster for one test, which may do to it what it likes. It keeps its data
// on disk, and is reached through a Gate.
func OwnCluster(t testing.TB) (*fdbserver.Cluster, *Gate) {
	t.Helper()
	listens, err := fdbserver.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	gate := NewGate(t, listens)
	c, err := fdbserver.StartAt(context.Background(), t.TempDir(), "ssd", gate.Addr.String(), listens)
	if errors.Is(err, fdbserver.ErrMissing) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Kill() })
	return c, gate
}

// giveBack empties a cluster for the next test.
func giveBack(c *fdbserver.Cluster) error {
	store, err := kvopen.Open("fdb:"+c.File, kvopen.Options{})
	if err != nil {
		return err
	}
	err = kv.Transact(context.Background(), store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		tx.ClearRange(kv.Range{End: kv.MaxKey})
		return nil
	})
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	idle.mu.Lock()
	defer idle.mu.Unlock()
	idle.clusters = append(idle.clusters, c)
	return nil
}

// endClusters ends the processes that no test uses any more, and removes what they have written.
func endClusters() {
	idle.mu.Lock()
	defer idle.mu.Unlock()
	for _, c := range idle.clusters {
		_ = c.Kill()
	}
	for _, dir := range idle.dirs {
		_ = os.RemoveAll(dir)
	}
}
