package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
)

// TestBucket: documents and indexes that Sengo made are checked, repaired, added to and written out, in a folder and
// on a server that speaks Amazon's protocol.
func TestBucket(t *testing.T) {
	dir := t.TempDir()
	put := func(name, body string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(want string, args ...string) {
		t.Helper()
		out, err := command(t, args...)
		if err == nil || !strings.Contains(out+err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	works := func(want string, args ...string) string {
		t.Helper()
		out, err := command(t, args...)
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
		return out
	}
	bucket := "file://" + dir + "/bucket"
	put("bucket/pets/data/a.json", `{"_id": "a", "name": "Milo"}`)
	put("bucket/pets/data/b.json", `{"_id": "b", "name": "Bella"}`)
	put("bucket/pets/indices/name_1.json", `{"name": "name_1", "keys": [{"field": "name", "order": 1}]}`)
	put("bucket/pets/indices/name_1/Milo.json", `["a"]`)
	fails("pets/indices/name_1/Bella.json: it is missing, for 1 documents", "check", "--store", bucket)
	fails("1 violations; entries are written", "check", "--store", bucket, "--repair", "pets")
	works("pets: 2 documents, 1 indexes, 2 entries, 0 violations", "check", "--store", bucket)

	put("in.jsonl", `{"_id":"c","name":"Milo"}
{"name":"nobody's"}
{"_id":"a","name":"another"}
{"_id":7}
{"_id":"c","name":"twice"}
`)
	in := filepath.Join(dir, "in.jsonl")
	fails("2 documents stored in pets", "import", "--store", bucket, "--table", "pets", in)
	if body, err := os.ReadFile(filepath.Join(dir, "bucket/pets/indices/name_1/Milo.json")); err != nil ||
		string(body) != "[\"a\", \"c\"]\n" {
		t.Errorf("%s, %v", body, err)
	}
	works("5 documents", "import", "--store", bucket, "--table", "cats", "--duplicates", "replace",
		writeLines(t, `{"_id":"c","n":1}`, `{"_id":"c","n":2}`, `{"_id":"d"}`, `{"_id":"e"}`, `{"_id":"c","n":3}`))
	if out := works("", "export", "--store", bucket, "--table", "cats"); out !=
		`{"_id":"c","n":3}`+"\n"+`{"_id":"d"}`+"\n"+`{"_id":"e"}`+"\n" {
		t.Errorf("%s", out)
	}
	fails("1 skipped whose key was there", "import", "--store", bucket, "--table", "cats", "--duplicates", "skip",
		writeLines(t, `{"_id":"c"}`, `{"_id":false}`))
	works("pets: 4 documents", "check", "--store", bucket)
	works("cats: 3 documents", "check", "--store", bucket)
	fails("there is no collection dogs", "check", "--store", bucket, "dogs")
	fails("there is no collection dogs", "export", "--store", bucket, "--table", "dogs")
	fails("the primary key of a document in a bucket is _id", "import", "--store", bucket, "--table", "x", "--id",
		"n", in)
	fails("is no name of a bucket", "export", "--store", "gs://b/x", "--table", "dogs")

	server := storetest.NewServer(t, "pets-bucket", store.NewMem())
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	s3 := "s3://pets-bucket/some/where?region=eu-central-1&endpoint=" + server.URL
	works("3 documents stored in pets", "import", "--store", s3, "--table", "pets",
		writeLines(t, `{"_id":"a"}`, `{"_id":"b"}`, `{"_id":"ü/|%"}`))
	works("pets: 3 documents, 0 indexes, 0 entries, 0 violations", "check", "--store", s3)
	if out := works("", "export", "--store", s3, "--table", "pets"); strings.Count(out, "\n") != 3 ||
		!strings.Contains(out, `{"_id":"ü/|%"}`) {
		t.Errorf("%s", out)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "another")
	fails("AccessDenied", "check", "--store", s3)
}

func writeLines(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
