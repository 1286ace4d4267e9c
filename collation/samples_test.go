package collation

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSampleStrings sorts the strings of the sample collections beside the
// repository by our keys, and compares with x/text's order. It is skipped where they
// are absent.
func TestSampleStrings(t *testing.T) {
	root := "."
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if abs, err := filepath.Abs(root); err != nil || abs == filepath.Dir(abs) {
			t.Skip("no go.mod above")
		}
		root = filepath.Join(root, "..")
	}
	seen := map[string]bool{}
	for _, name := range []string{"world_countries.jsonl", "vega_movies.jsonl", "wikipedia_movies.jsonl"} {
		f, err := os.Open(filepath.Join(root, "..", "shared", "data", name))
		if err != nil {
			t.Skip(err)
		}
		defer f.Close()
		d := json.NewDecoder(f)
		for i := 0; i < 400_000; i++ {
			token, err := d.Token()
			if err != nil {
				break
			}
			if s, ok := token.(string); ok {
				seen[s] = true
			}
		}
	}
	type keyed struct {
		s         string
		key, want []byte
	}
	ref := newReference(t, Default)
	var all []keyed
	size, plain, reference := 0, 0, 0
	for s := range seen {
		k := keyed{s, Default.AppendKey(nil, s), ref.key(s)}
		size, plain, reference = size+len(k.key), plain+len(s), reference+len(k.want)
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b keyed) int { return bytes.Compare(a.want, b.want) })
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if got, want := bytes.Compare(a.key, b.key), bytes.Compare(a.want, b.want); got != want {
			t.Fatalf("keys of %+q and %+q compare %d, x/text's %d", a.s, b.s, got, want)
		}
	}
	t.Logf("%d strings of %d bytes; keys of %d bytes, x/text's of %d", len(all), plain, size, reference)
}
