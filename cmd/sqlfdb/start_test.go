package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTakenPort: where another server listens, demo and serve say so before a store is made.
func TestTakenPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := filepath.Join(t.TempDir(), "store")
	for _, name := range []string{"demo", "serve"} {
		_, err := command(t, name, "--listen", taken.Addr().String(), "--store", "pebble:"+dir)
		if err == nil || !strings.Contains(err.Error(), "is taken") || !strings.Contains(err.Error(), "127.0.0.1:0") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"demo", "serve"} {
		_, err := command(t, name, "--listen", "127.0.0.1:0", "--console", taken.Addr().String(), "--store", "pebble:"+dir)
		if err == nil || !strings.Contains(err.Error(), "--console: "+taken.Addr().String()+" is taken") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a store was made")
	}
}

// TestFolderOfOthers: no command makes a store beside other files.
func TestFolderOfOthers(t *testing.T) {
	dir := t.TempDir()
	letter := filepath.Join(dir, "letter.jsonl")
	if err := os.WriteFile(letter, []byte(`{"_id":"a"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"demo", "--listen", "127.0.0.1:0"}, {"serve", "--listen", "127.0.0.1:0"}, {"import", "--table", "d.t", letter},
		{"restore", "testdata/golden/format1.backup"},
	} {
		_, err := command(t, append(args, "--store", "pebble:"+dir)...)
		if err == nil || !strings.Contains(err.Error(), "the folder holds other files (letter.jsonl)") {
			t.Errorf("%q: %v", args, err)
		}
	}
	if there, err := os.ReadDir(dir); err != nil || len(there) != 1 {
		t.Errorf("%v, %v", there, err)
	}
}
