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

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
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

// goldens are the stores of a format: what their statements answer, how many tables they have, and the newest format of
// a definition.
var goldens = []struct {
	files, answers string
	tables, format int
}{
	{"format1[.\\-]*", "answers", 6, 4},
	{"format11.*", "answers-11", 4, 11},
	{"format12.*", "answers-12", 2, 12},
}

// TestGolden opens a store of each format that was ever released, and each backup: nothing disagrees, and
// statements answer what they did.
func TestGolden(t *testing.T) {
	for _, g := range goldens {
		files, err := filepath.Glob("testdata/golden/" + g.files)
		if err != nil || len(files) == 0 {
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
				openGolden(t, "pebble:"+dir, "testdata/golden/"+g.answers, g.tables, g.format)
			})
		}
	}
}

// openGolden checks a store, and asks it the statements of a file.
func openGolden(t *testing.T, store, answers string, tables, format int) {
	t.Helper()
	text, err := command(t, "check", "--store", store)
	if err != nil || strings.Count(text, " 0 violations") != tables {
		t.Errorf("%v\n%s", err, text)
	}
	ctx := t.Context()
	s, _, err := openStore(ctx, store, kvopen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if newest := newestFormat(t, s); newest != format {
		t.Errorf("definitions of format %d, want %d", newest, format)
	}
	served, err := server.Start(ctx, s, server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	users := map[string]string{"sql": "root", "reader": "reader:secret"}
	datadriven.RunTest(t, answers, func(t *testing.T, d *datadriven.TestData) string {
		text, err := command(t, "sql", "--dsn", users[d.Cmd]+"@tcp("+served.Addr().String()+")/golden", "-e", d.Input)
		if err != nil && d.Cmd == "reader" {
			return err.Error()
		}
		if err != nil {
			t.Errorf("%s: %v", d.Input, err)
		}
		return text
	})
	if err := errors.Join(served.Close(ctx), s.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := command(t, "check", "--repair", "--store", store); err != nil ||
		strings.Count(text, " 0 places repaired") != tables {
		t.Errorf("%v\n%s", err, text)
	}
}

// newestFormat is the newest format of a definition of the store's database golden.
func newestFormat(t *testing.T, s kv.Store) (newest int) {
	t.Helper()
	c, err := catalog.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := kv.Transact(t.Context(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
		view, err := c.View(tx)
		if err != nil {
			return err
		}
		for _, table := range view.Tables("golden") {
			newest = max(newest, table.Format)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return newest
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
