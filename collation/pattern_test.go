package collation

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

// variants are for each of some characters all that are equal to it, of the
// Basic Multilingual Plane below the ideographs and of the mathematical letters.
func variants(c *Collation, of []rune) map[rune][]rune {
	byKey := map[string][]rune{}
	for r := rune(0); r < 0x1F700; r++ {
		if r >= 0x3400 && r < 0xA000 || r >= 0xAC00 && r < 0xF900 {
			continue
		}
		key := string(c.AppendKey(nil, string(r)))
		byKey[key] = append(byKey[key], r)
	}
	out := map[rune][]rune{}
	for _, r := range of {
		out[r] = append(byKey[string(c.AppendKey(nil, string(r)))], r)
	}
	return out
}

func TestPatternPrefix(t *testing.T) {
	var characters []rune
	for _, p := range append(slices.Clone(pieces), nasty...) {
		for _, r := range p[:min(len(p), 40)] {
			if !slices.Contains(characters, r) && r != '\ufffd' {
				characters = append(characters, r)
			}
		}
	}
	for _, name := range []string{"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_ci", "utf8mb4_cs_0900_ai_ci",
		"utf8mb4_da_0900_ai_ci", "utf8mb4_es_0900_ai_ci",
		"utf8mb4_hr_0900_ai_ci", "utf8mb4_hu_0900_ai_ci", "utf8mb4_lt_0900_ai_ci", "utf8mb4_sv_0900_ai_ci",
		"utf8mb4_vi_0900_ai_ci", "utf8mb4_0900_as_cs"} {
		c, ok := Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		equal := variants(c, characters)
		used := 0
		testseed.Check(t, func(t *rapid.T) {
			var prefix, other strings.Builder
			for range rapid.IntRange(0, 5).Draw(t, "length") {
				r := rapid.SampledFrom(characters).Draw(t, "character")
				if rapid.Bool().Draw(t, "ascii") {
					r = rapid.SampledFrom([]rune("acdhijlnostuvyz 1-")).Draw(t, "letter")
				}
				forms := equal[r]
				if forms == nil {
					forms = []rune{r}
				}
				q := rapid.SampledFrom(forms).Draw(t, "form")
				if !c.EqualRunes(r, q) {
					if !c.IsIdentity() && combines(r) == combines(q) {
						t.Fatalf("%s: %+q and %+q are not equal", c, r, q)
					}
					q = r
				}
				prefix.WriteRune(r)
				other.WriteRune(q)
			}
			rest := rapid.OneOf(genString(), rapid.SampledFrom(pieces)).Draw(t, "rest")
			common := c.AppendPatternPrefix(nil, prefix.String())
			used += len(common)
			if key := c.AppendKey(nil, other.String()+rest); !bytes.HasPrefix(key, common) {
				t.Fatalf("%s: the key of %+q+%+q is % x; common to the pattern %+q is % x", c, other.String(), rest, key,
					prefix.String(), common)
			}
		}, func() bool { return used > 0 })
	}
	ci, _ := Lookup("utf8mb4_0900_ai_ci")
	for prefix, n := range map[string]int{"a": 1, "Hello W": 7, "Моск": 6, "déjà": 3, "a\u0301b": 0, "": 0} {
		if got := ci.AppendPatternPrefix(nil, prefix); len(got) != n {
			t.Errorf("%q: % x, want %d bytes", prefix, got, n)
		}
	}
}
