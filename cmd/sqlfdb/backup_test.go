package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stored is a store with a table d.t.
func stored(t *testing.T) string {
	t.Helper()
	store := "pebble:" + filepath.Join(t.TempDir(), "store")
	at := files(t, map[string]string{"in": `{"_id":"a"}` + "\n"})
	if _, err := command(t, "import", "--store", store, "--table", "d.t", at("in")); err != nil {
		t.Fatal(err)
	}
	return store
}

// TestBackupOverItsBase: a copy of what has changed does not take the place of the one that it goes on from.
func TestBackupOverItsBase(t *testing.T) {
	way := ways(t)["server"]
	dir := t.TempDir()
	base := filepath.Join(dir, "a.backup")
	if _, err := command(t, append(way, "backup", base)...); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(base, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{base, filepath.Join(dir, "link"), dir + "/../" + filepath.Base(dir) + "/a.backup"} {
		if _, err := command(t, append(way, "backup", "--since", base, to)...); err == nil ||
			!strings.Contains(err.Error(), "take the place") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if after, err := os.ReadFile(base); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the former copy is another one: %v", err)
	}
	if _, err := command(t, append(way, "backup", "--since", base, filepath.Join(dir, "b.backup"))...); err != nil {
		t.Error(err)
	}
}

// TestFolderWithWhatIsNoCopy: a file that can't be read is told, and what the others hold is had.
func TestFolderWithWhatIsNoCopy(t *testing.T) {
	way := ways(t)["server"]
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.backup")
	if err := os.WriteFile(bad, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(want string, args ...string) {
		t.Helper()
		var said bytes.Buffer
		root := newRoot()
		root.SetOut(io.Discard)
		root.SetErr(&said)
		root.SetArgs(args)
		err := root.ExecuteContext(t.Context())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
		if full := args[len(args)-1] == "--full"; strings.Contains(said.String(), "passed over: "+bad) == full {
			t.Errorf("%q says %s", args, said.String())
		}
	}
	copied := append([]string{"backup", dir}, way...)
	run("--full begins anew", copied...)
	run("no full copy", "restore", "--verify", dir)
	run("", append(copied, "--full")...)
	run("", copied...)
	run("1 files have the name of a copy", "restore", "--verify", dir)
	to := "pebble:" + filepath.Join(t.TempDir(), "to")
	run("", "restore", "--store", to, dir)
	names, err := filepath.Glob(filepath.Join(dir, "*.changes.backup"))
	if err != nil || len(names) != 1 {
		t.Error(names, err)
	}
}

// TestBackupEnvironment: of --dsn and --store the one on the command line counts, wherever the other one stands.
func TestBackupEnvironment(t *testing.T) {
	store := stored(t)
	t.Setenv("SQLFDB_DSN", "root@tcp(127.0.0.1:1)/")
	file := filepath.Join(t.TempDir(), "file")
	if _, err := command(t, "backup", "--store", store, file); err != nil {
		t.Error(err)
	}
	t.Setenv("SQLFDB_STORE", store)
	if _, err := command(t, "backup", file); err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Error(err)
	}
	if _, err := command(t, "backup", "--dsn", "root@tcp(127.0.0.1:2)/", file); err == nil ||
		!strings.Contains(err.Error(), "127.0.0.1:2") {
		t.Error(err)
	}
	if text, err := command(t, "export", "--store", store, "--table", "d.t"); err != nil || text != `{"_id":"a"}`+"\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestRestoreLargeDocument: a document whose former and new entries fit into no transaction together is restored.
func TestRestoreLargeDocument(t *testing.T) {
	way := ways(t)["server"]
	large := func(of string) string {
		var b strings.Builder
		for i := range 9_000 {
			fmt.Fprintf(&b, `,"%s%05d":"%s"`, of, i, strings.Repeat(of, 90))
		}
		return `{"_id":"a"` + b.String() + "}\n"
	}
	at := files(t, map[string]string{"x": large("x"), "y": large("y")})
	dir := t.TempDir()
	put := func(file string) error {
		_, err := command(t, append(way, "import", "--table", "d.t", "--duplicates", "replace", at(file))...)
		return err
	}
	must := func(args ...string) string {
		t.Helper()
		text, err := command(t, args...)
		if err != nil {
			t.Fatalf("%.200q: %v", args, err)
		}
		return text
	}
	if err := put("x"); err != nil {
		t.Fatal(err)
	}
	must(append(way, "backup", dir)...)
	if err := put("y"); err == nil {
		t.Error("both fit into one transaction: this proves nothing")
	}
	must(append(way, "sql", "-e", "DELETE FROM d.t")...)
	if err := put("y"); err != nil {
		t.Fatal(err)
	}
	must(append(way, "backup", dir)...)
	to := "pebble:" + filepath.Join(t.TempDir(), "to")
	must("restore", "--store", to, dir)
	if text := must("check", "--store", to); !strings.Contains(text, " 0 violations") {
		t.Error(text)
	}
	if text := must("export", "--store", to, "--table", "d.t"); text != large("y") {
		t.Errorf("%d bytes are restored: %.100s", len(text), text)
	}
}
