package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
)

// unpack writes the files of a packed store, and returns its folder.
func unpack(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Join(dir, "store")
		}
		if err != nil {
			t.Fatal(err)
		}
		place := filepath.Join(dir, filepath.Clean("/"+h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(place, 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		b, err := io.ReadAll(in)
		if err == nil {
			err = os.WriteFile(place, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestGolden opens a store of each format that was ever released, and each backup: nothing disagrees, and
// statements answer what they did.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/format*")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			if strings.HasSuffix(file, ".tar.gz") {
				dir = unpack(t, file)
			} else if _, err := command(t, "restore", "--store", "pebble:"+dir, file); err != nil {
				t.Fatal(err)
			}
			store := "pebble:" + dir
			if text, err := command(t, "check", "--store", store); err != nil || strings.Count(text, " 0 violations") != 6 {
				t.Errorf("%v\n%s", err, text)
			}
			ctx := t.Context()
			s, _, err := openStore(ctx, store, kvopen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			served, err := server.Start(ctx, s, server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
			if err != nil {
				t.Fatal(err)
			}
			datadriven.RunTest(t, "testdata/golden/answers", func(t *testing.T, d *datadriven.TestData) string {
				text, err := command(t, "sql", "--dsn", "root@tcp("+served.Addr().String()+")/golden", "-e", d.Input)
				if err != nil {
					t.Errorf("%s: %v", d.Input, err)
				}
				return text
			})
			if err := errors.Join(served.Close(ctx), s.Close()); err != nil {
				t.Fatal(err)
			}
			if text, err := command(t, "check", "--repair", "--store", store); err != nil ||
				strings.Count(text, " 0 places repaired") != 6 {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

// TestLostMarker: without the empty file that names the manifest no command begins a new store.
func TestLostMarker(t *testing.T) {
	dir := unpack(t, "testdata/golden/format1.tar.gz")
	markers, err := filepath.Glob(filepath.Join(dir, "marker.manifest.*"))
	if err != nil || len(markers) != 1 {
		t.Fatal(markers, err)
	}
	if err := os.Rename(markers[0], filepath.Join(t.TempDir(), "marker")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	store := "pebble:" + dir
	documents := filepath.Join(t.TempDir(), "t.jsonl")
	if err := os.WriteFile(documents, []byte(`{"_id":"a"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--listen", "127.0.0.1:0"}, {"demo", "--listen", "127.0.0.1:0"}, {"check"}, {"check", "--repair"},
		{"backup", filepath.Join(t.TempDir(), "b")},
		{"restore", "testdata/golden/format1.backup"}, {"import", "--table", "d.t", documents},
		{"export", "--table", "d.t"},
	} {
		if _, err := command(t, append(args, "--store", store)...); err == nil ||
			!strings.Contains(err.Error(), "marker.manifest.* is missing") {
			t.Errorf("%q: %v", args, err)
		}
	}
	after, err := os.ReadDir(dir)
	names := func(of []os.DirEntry) (all []string) {
		for _, e := range of {
			if e.Name() != "LOCK" {
				all = append(all, e.Name())
			}
		}
		return all
	}
	if have, want := strings.Join(names(after), " "), strings.Join(names(before), " "); err != nil || have != want {
		t.Errorf("%v: %s\nwant %s", err, have, want)
	}
}
