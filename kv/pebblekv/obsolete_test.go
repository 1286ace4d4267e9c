package pebblekv_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// slowTables makes tables only once the gate is open.
type slowTables struct {
	vfs.FS
	gate chan struct{}
}

func (f slowTables) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasSuffix(name, ".sst") {
		<-f.gate
	}
	return f.FS.Create(name, category)
}

// logsOf are the names of the logs in a folder.
func logsOf(t *testing.T, fs vfs.FS) (logs []string) {
	t.Helper()
	names, err := fs.List("store")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".log") {
			logs = append(logs, name)
		}
	}
	return logs
}

// TestKilledBehindFlush: when one flush makes more logs needless than Pebble keeps for their next use, it removes the
// newest of them. A store that is killed then is whole, and opens.
func TestKilledBehindFlush(t *testing.T) {
	mem := vfs.NewCrashableMem()
	gate := make(chan struct{})
	s, err := pebblekv.Open("store", pebblekv.Options{FS: slowTables{mem, gate}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(i int) {
		t.Helper()
		tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Cancel()
		for part := range 4 {
			tx.Set(fmt.Appendf(nil, "key%04d-%d", i, part), bytes.Repeat([]byte{byte(i)}, 90_000))
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for len(logsOf(t, mem)) < 8 {
		put(n)
		n++
	}
	close(gate)
	for len(logsOf(t, mem)) >= 8 {
		put(n)
		n++
	}
	put(n)
	logs := logsOf(t, mem)
	killed := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: newRand(1)})
	again, err := pebblekv.Open("store", pebblekv.Options{FS: killed})
	if err != nil {
		t.Fatalf("of the logs %v are there: %v", logs, err)
	}
	defer again.Close()
	tx, err := again.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	for i := range n + 1 {
		if v, err := tx.Get(fmt.Appendf(nil, "key%04d-3", i)).Get(); err != nil || len(v) != 90_000 {
			t.Fatalf("commit %d of %d: %d bytes, %v", i, n, len(v), err)
		}
	}
}
