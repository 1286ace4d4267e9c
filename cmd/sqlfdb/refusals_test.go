package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRefusals: what a command can't do it refuses before it does anything, and says why.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"no host without a password", []string{"serve", "--listen", ":0"}, "password"},
		{"IPv6 without a password", []string{"serve", "--listen", "[::]:0"}, "password"},
		{"demo without a password", []string{"demo", "--listen", "0.0.0.0:0"}, "password"},
		{"a page for others without a password", []string{"serve", "--listen", "127.0.0.1:0", "--console", "0.0.0.0:0"},
			"--console: server: listen at 0.0.0.0:0: refusing to listen beyond this machine while root has no password"},
		{"a page for others without encryption", []string{"demo", "--listen", "127.0.0.1:0", "--console", "0.0.0.0:0",
			"--root-password", "secret"}, "--console 0.0.0.0:0: other machines reach it, so it needs --tls-cert"},
		{"a page without a port", []string{"serve", "--listen", "127.0.0.1:0", "--console", "127.0.0.1"}, "--console"},
		{"no port", []string{"serve", "--listen", "127.0.0.1"}, "127.0.0.1"},
		{"no engine", []string{"serve", "--store", "somewhere"}, "pebble:DIR"},
		{"unknown engine", []string{"serve", "--store", "oracle:x"}, "oracle"},
		{"no such store", []string{"check", "--store", "pebble:" + filepath.Join(dir, "none")}, "none"},
		{"no such file", []string{"import", "--table", "d.t", "--store", "pebble:" + filepath.Join(dir, "s"),
			filepath.Join(dir, "none.jsonl")}, "none.jsonl"},
		{"no table", []string{"import", "-"}, "table"},
		{"half a table", []string{"import", "--table", "t", "-"}, "DB.TABLE"},
		{"unknown format", []string{"import", "--table", "d.t", "--format", "xml", "-"}, "xml"},
		{"unknown command", []string{"dance"}, "dance"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // of a server that starts after all
			defer cancel()
			var said bytes.Buffer
			root := newRoot()
			root.SetArgs(test.args)
			root.SetIn(strings.NewReader(""))
			root.SetOut(&said)
			root.SetErr(&said)
			if err := root.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want an error with %q", err, test.want)
			}
			if strings.Contains(said.String(), "listening") {
				t.Errorf("it listened: %s", said.String())
			}
		})
	}
}
