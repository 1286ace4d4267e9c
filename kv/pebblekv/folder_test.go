package pebblekv_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv/fulldisk"
)

// refused fails unless a store is refused with a text.
func refused(t *testing.T, opts pebblekv.Options, dir, text string) {
	t.Helper()
	began := time.Now()
	s, err := pebblekv.Open(dir, opts)
	if err == nil {
		s.Close()
		t.Fatalf("it opens; want: %s", text)
	}
	if !strings.Contains(err.Error(), text) {
		t.Errorf("refused with %v; want: %s", err, text)
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("refused after %v", d)
	}
}

// TestFolders: a store is made in an empty folder only, which nobody else reads.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "letter.txt"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, pebblekv.Options{}, dir, "the folder holds other files (letter.txt)")
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("the refusal left %v, %v", names, err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	refused(t, pebblekv.Options{MustExist: true}, empty, "no store is here")
	refused(t, pebblekv.Options{ReadOnly: true}, empty, "no store is here")
	for _, place := range []string{empty, filepath.Join(dir, "new", "deeper")} {
		s := open(t, place, pebblekv.Options{})
		if err := errors.Join(pair(s, 1, 1), s.Close()); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(place); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", place, info.Mode(), err)
		}
	}
}

// made are the files of a closed store with two pairs.
func made(t *testing.T) files {
	t.Helper()
	fs := vfs.NewMem()
	s := open(t, "store", pebblekv.Options{FS: fs})
	if err := errors.Join(pair(s, 1, 100), pair(s, 2, 100), s.Close()); err != nil {
		t.Fatal(err)
	}
	return filesOf(t, fs)
}

// TestNamesWhatIsMissing: whoever has lost a file reads which.
func TestNamesWhatIsMissing(t *testing.T) {
	whole := made(t)
	for name := range whole {
		text := "is missing"
		switch {
		case name == "LOCK" || strings.HasPrefix(name, "OPTIONS-"):
			continue // made anew
		case strings.HasPrefix(name, "marker."):
			text = strings.Join(strings.Split(name, ".")[:2], ".") + ".* is missing"
		default:
			text = name + " is missing"
		}
		all := maps.Clone(whole)
		delete(all, name)
		for _, opts := range []pebblekv.Options{{}, {ReadOnly: true}} {
			opts.FS = all.disk(t)
			refused(t, opts, "store", text)
		}
	}
	newer := maps.Clone(whole)
	newer["SQLFDB-STORE"] = []byte("sqlfdb store\nformat 2\nwho knows\n")
	refused(t, pebblekv.Options{FS: newer.disk(t)}, "store", "format 2, this program reads up to 1")
	for name := range whole {
		if strings.HasPrefix(name, "marker.format-version.") {
			newer = maps.Clone(whole)
			delete(newer, name)
			newer["marker.format-version.000099.999"] = nil
			refused(t, pebblekv.Options{FS: newer.disk(t)}, "store", "format")
		}
	}
}

// TestStoreOfBefore: a store without files of our own opens, and has them from then on.
func TestStoreOfBefore(t *testing.T) {
	fs := vfs.NewMem()
	s := open(t, "store", pebblekv.Options{FS: fs})
	if err := errors.Join(pair(s, 1, 100), pebblekv.Unname(s), s.Close()); err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, fs)
	delete(before, "SQLFDB-STORE")
	delete(before, "SQLFDB-LAST")
	fs = before.disk(t).(*vfs.MemFS)
	reading := open(t, "store", pebblekv.Options{FS: fs, ReadOnly: true})
	verify(t, reading, map[int]bool{1: true}, nil)
	if err := reading.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s = open(t, "store", pebblekv.Options{FS: fs})
		verify(t, s, map[int]bool{1: true}, nil)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	after := filesOf(t, fs)
	if after["SQLFDB-STORE"] == nil || after["SQLFDB-LAST"] == nil {
		t.Errorf("files of our own are not there")
	}
	for name := range before {
		if strings.HasPrefix(name, "marker.") || strings.HasPrefix(name, "OPTIONS-") {
			all := maps.Clone(before)
			delete(all, name)
			refused(t, pebblekv.Options{FS: all.disk(t)}, "store", "missing")
		}
	}
}

// TestAcceptLoss: what is missing at the end of the logs can be accepted, and commits go on behind it.
func TestAcceptLoss(t *testing.T) {
	all := made(t)
	for name, b := range all {
		if strings.HasSuffix(name, ".log") {
			all[name] = b[:len(b)-150]
		}
	}
	disk := all.disk(t)
	refused(t, pebblekv.Options{FS: disk}, "store", "were acknowledged")
	for i := range 3 {
		s := open(t, "store", pebblekv.Options{FS: disk, AcceptLoss: i == 0})
		verify(t, s, map[int]bool{1: true}, map[int]bool{3: true, 4: true, 5: true})
		if err := errors.Join(pair(s, 3+i, 10), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for name := range all {
		if strings.HasPrefix(name, "marker.manifest.") {
			delete(all, name)
			refused(t, pebblekv.Options{FS: all.disk(t), AcceptLoss: true}, "store", "marker.manifest.* is missing")
		}
	}
}

// TestReadOnly: a store is read without a byte written, with the sums of its journal.
func TestReadOnly(t *testing.T) {
	all := made(t)
	disk := all.disk(t)
	fs := errorfs.Wrap(disk, errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpFileClose {
			return syscall.EROFS
		}
		return nil
	}))
	s := open(t, "store", pebblekv.Options{FS: fs, ReadOnly: true})
	verify(t, s, map[int]bool{1: true, 2: true}, nil)
	if err := pair(s, 3, 1); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("a commit: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left := filesOf(t, disk); !maps.EqualFunc(left, all, func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Error("the folder has changed")
	}
	refused(t, pebblekv.Options{FS: fs}, "store", "read-only file system")
}

// TestOpenOnFullDisk: at whichever write the disk is full, opening says so and ends.
func TestOpenOnFullDisk(t *testing.T) {
	all := made(t)
	for at, ok := int64(0), false; !ok; at++ {
		var n atomic.Int64
		fs := errorfs.Wrap(all.disk(t), errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && op.Kind != errorfs.OpFileClose && n.Add(1) > at {
				return syscall.ENOSPC
			}
			return nil
		}))
		began := time.Now()
		done := make(chan error, 1)
		go func() {
			s, err := pebblekv.Open("store", pebblekv.Options{FS: fs})
			if err == nil {
				go s.Close() // it may stand still, on a disk that stays full
			}
			done <- err
		}()
		select {
		case err := <-done:
			if ok = err == nil; !ok && !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, kv.ErrFailed) {
				t.Errorf("full after %d writes: %v", at, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("full after %d writes: it neither opens nor fails", at)
		}
		if d := time.Since(began); d > 10*time.Second {
			t.Errorf("full after %d writes: it took %v", at, d)
		}
	}
}

// TestReserve: below the reserve writes are refused and reads go on, until there is room again.
func TestReserve(t *testing.T) {
	disk := fulldisk.New()
	disk.SetFree(50 << 30)
	s := open(t, "store", pebblekv.Options{FS: disk})
	defer s.Close()
	if err := pair(s, 1, 10); err != nil {
		t.Fatal(err)
	}
	reading, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	disk.SetFree(100 << 20)
	time.Sleep(50 * time.Millisecond)
	if err := pair(s, 2, 10); !errors.Is(err, kv.ErrFull) ||
		!strings.Contains(err.Error(), "100 MiB are free, 512 MiB are kept free") {
		t.Errorf("below the reserve: %v", err)
	}
	if err := reading.Commit(); err != nil {
		t.Errorf("a transaction that has read: %v", err)
	}
	verify(t, s, map[int]bool{1: true}, nil)
	disk.SetFree(50 << 30)
	time.Sleep(50 * time.Millisecond)
	if err := pair(s, 3, 10); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
