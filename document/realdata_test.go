package document_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sqlfdb/sqlfdb/document"
)

// dataFiles finds the sample collections beside the repository; none is no
// failure.
func dataFiles(t testing.TB) []string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("no go.mod above the test")
		}
		dir = parent
	}
	files, err := filepath.Glob(filepath.Join(dir, "..", "shared", "data", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Skip("no sample collections beside the repository")
	}
	return files
}

// Every line of the sample collections is a document whose compact text is
// what encoding/json makes of it, and whose keypaths find their values.
func TestSampleCollections(t *testing.T) {
	for _, file := range dataFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			lines, leaves := 0, 0
			paths := make(map[string]document.Keypath)
			scanner := bufio.NewScanner(f)
			scanner.Buffer(nil, 8<<20)
			for scanner.Scan() {
				lines++
				d, err := document.Parse(scanner.Bytes(), document.Limits{})
				if err != nil {
					t.Fatalf("line %d: %v", lines, err)
				}
				var compact bytes.Buffer
				if err := json.Compact(&compact, scanner.Bytes()); err != nil || compact.String() != d.Text() {
					t.Fatalf("line %d: got %s, want %s", lines, d, &compact)
				}
				err = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
					leaves++
					k, ok := paths[string(l.Path)]
					if !ok {
						var err error
						if k, err = document.ParseKeypath(string(l.Path)); err != nil {
							return err
						}
						paths[string(l.Path)] = k
					}
					if lines%10 == 0 && len(l.Positions) == 1 && l.Positions[0] == 0 {
						if v, ok := d.Lookup(k); !ok || v.Text() != l.Value.Text() {
							t.Fatalf("line %d: at %s: %s, want %s", lines, k, v, l.Value)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatalf("line %d: %v", lines, err)
				}
			}
			if err := scanner.Err(); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d documents, %d leaves, %d keypaths", lines, leaves, len(paths))
		})
	}
}
