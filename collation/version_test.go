package collation

import (
	"bytes"
	"testing"

	"github.com/sqlfdb/sqlfdb/collation/collationtest"
)

func TestVersions(t *testing.T) {
	if got := Version(); got != FirstVersion {
		t.Errorf("the version is %q: stores of %q are rebuilt, is that meant?", got, FirstVersion)
	}
	for _, x := range []struct {
		a, b string
		want int
	}{
		{FirstVersion, FirstVersion, 0},
		{"UCA 6.2.0 CLDR 23 key 1", "UCA 6.2.0 CLDR 23 key 2", -1},
		{"UCA 15.0.0 CLDR 32 key 1", "UCA 6.2.0 CLDR 23 key 9", 1},
		{"UCA 6.2.0 CLDR 23 key 1", "UCA 6.2.0 CLDR 23 key 1.1", -1},
		{"", FirstVersion, -1},
	} {
		if got, back := CompareVersions(x.a, x.b), CompareVersions(x.b, x.a); got != x.want || back != -x.want {
			t.Errorf("%q and %q: %d and %d", x.a, x.b, got, back)
		}
	}
}

// TestPretend: pretended keys are others, in the same order, and can be split.
func TestPretend(t *testing.T) {
	texts := []string{"", "a", "A", "Ä", "ab", "z", "日本", "\xff"}
	for _, c := range []*Collation{Default, Binary, mustLookup("utf8mb4_0900_ai_ci")} {
		var in [][]byte
		for _, s := range texts {
			in = append(in, c.AppendKey(nil, s))
		}
		restore := collationtest.Pretend("UCA 7 CLDR 24 key 1")
		if Version() != "UCA 7 CLDR 24 key 1" {
			t.Error("not pretended")
		}
		for i, s := range texts {
			key := c.AppendKey(nil, s)
			if bytes.Equal(key, in[i]) != c.IsBinary() {
				t.Errorf("%s: key of %q: %x, was %x", c, s, key, in[i])
			}
			for j, other := range texts {
				if got, want := bytes.Compare(key, c.AppendKey(nil, other)), bytes.Compare(in[i], in[j]); got != want {
					t.Errorf("%s: %q and %q compare as %d, were %d", c, s, other, got, want)
				}
			}
			if prefix := c.AppendCommonPrefix(nil, s); !bytes.HasPrefix(key, prefix) {
				t.Errorf("%s: common prefix %x of %x", c, prefix, key)
			}
			for limit := range 4 {
				if prefix, _ := c.AppendKeyPrefix(nil, s, limit); !bytes.Equal(prefix, key[:min(limit, len(key))]) {
					t.Errorf("%s: first %d bytes of %x are %x", c, limit, key, prefix)
				}
			}
			if got, rest, ok := SplitKey(append(append(bytes.Clone(key), Terminator), 'x')); !c.IsBinary() &&
				(!ok || !bytes.Equal(got, key) || string(rest) != "x") {
				t.Errorf("%s: %x split into %x and %q", c, key, got, rest)
			}
		}
		restore()
		if !bytes.Equal(c.AppendKey(nil, "a"), in[1]) {
			t.Error("not restored")
		}
	}
}
