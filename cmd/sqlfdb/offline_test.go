package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs sqlfdb and returns what it writes to standard output.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := newRoot()
	var out, errOut bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errOut)
	root.SetArgs(args)
	err := root.ExecuteContext(t.Context())
	t.Logf("%q: %v\n%s%s", args, err, out.String(), errOut.String())
	return out.String(), err
}

// TestOffline: the commands that work on a store without a server, and what
// their failures leave alone.
func TestOffline(t *testing.T) {
	dir := t.TempDir()
	store := "pebble:" + filepath.Join(dir, "store")
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	for _, name := range []string{in, out} {
		if err := os.WriteFile(name, []byte(`{"_id":"a"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(args ...string) {
		t.Helper()
		if _, err := command(t, args...); err == nil {
			t.Errorf("%q did not fail", args)
		}
	}
	fails("check", "--store", "pebble:"+dir) // a directory, but no store
	fails("import", "--store", store, "--table", "d.t", "--id", "a..b", in)
	fails("import", "--store", store, "--dsn", "root@tcp(127.0.0.1:1)/", "--table", "d.t", in)
	if _, err := os.Stat(filepath.Join(dir, "store")); !os.IsNotExist(err) {
		t.Errorf("a refused import made the store: %v", err)
	}
	if _, err := command(t, "import", "--store", store, "--table", "d.t", in); err != nil {
		t.Error(err)
	}
	fails("import", "--store", store, "--table", "d.t", in) // the key is there
	fails("export", "--store", store, "--table", "d.none", out)
	if b, err := os.ReadFile(out); err != nil || len(b) == 0 {
		t.Errorf("an export that failed left %q, %v", b, err)
	}
	t.Setenv("SQLFDB_STORE", store)
	fails("export", "--dsn", "root@tcp(127.0.0.1:1)/", "--table", "d.t")
	if text, err := command(t, "export", "--table", "d.t"); err != nil || text != `{"_id":"a"}`+"\n" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := command(t, "check"); err != nil || !strings.Contains(text, " 0 violations") {
		t.Errorf("%q, %v", text, err)
	}
}
