//go:build unix

package store_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// TestDirListsNamesUnread: who wants names alone has no file read, such as a pipe, which nobody would ever have read.
func TestDirListsNamesUnread(t *testing.T) {
	root := t.TempDir()
	d, err := store.NewDir(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "b.json"), 0o666); err != nil {
		t.Skip(err)
	}
	for to, from := range map[string]string{"c.json": "nowhere", "d.json": ".", "e.json": "a.json"} {
		if err := os.Symlink(from, filepath.Join(root, to)); err != nil {
			t.Skip(err)
		}
	}
	names := make(chan string, 1)
	go func() {
		all := ""
		err := store.Keys(context.Background(), d, "", func(key string) error {
			all += key + " "
			return nil
		})
		if err != nil {
			all = err.Error()
		}
		names <- all
	}()
	select {
	case all := <-names:
		if all != "a.json b.json e.json " {
			t.Errorf("%s", all)
		}
	case <-time.After(10 * time.Second):
		t.Error("a pipe is read")
	}
}
