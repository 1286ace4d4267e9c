package collation

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// genLongPair draws strings that share a beginning of about the length that
// an index keeps.
func genLongPair(t *rapid.T, limit int) (string, string) {
	n := max(0, limit+rapid.IntRange(-6, 6).Draw(t, "about"))
	shared := strings.Repeat(rapid.SampledFrom([]string{"a", "A", "é", "e\u0301", "ch", "中", "\x00", "\u0301", "カ",
		"ﾞ"}).Draw(t, "shared"), n)
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 0:
		return genPair(t)
	case 1:
		cut := rapid.IntRange(0, len(shared)).Draw(t, "cut")
		return shared, shared[:cut] + genString().Draw(t, "else")
	}
	a, b := genPair(t)
	return shared + a, shared + b
}

// TestTruncatedKeysOrderAsReference is law 4 for what an index keeps of long
// strings, over every collation: a ≤ b by x/text gives that the first bytes of
// their keys are in this order or the same.
func TestTruncatedKeysOrderAsReference(t *testing.T) {
	for name, c := range collations() {
		if c.IsBinary() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ref := newReference(t, c)
			rapid.Check(t, func(t *rapid.T) {
				limit := rapid.SampledFrom([]int{1, 2, 3, 4, 8, 16, 64}).Draw(t, "limit")
				a, b := genLongPair(t, limit)
				want := cmp.Or(bytes.Compare(ref.key(a), ref.key(b)), strings.Compare(a, b))
				ka, ta := c.AppendKeyPrefix(nil, a, limit)
				kb, tb := c.AppendKeyPrefix(nil, b, limit)
				// As an index stores them: a key that is whole has the string behind it.
				if !ta && len(ka) < limit {
					ka = append(append(ka, Terminator), a...)
				}
				if !tb && len(kb) < limit {
					kb = append(append(kb, Terminator), b...)
				}
				if got := bytes.Compare(ka, kb); got != 0 && got != want {
					t.Fatalf("limit %d: the first bytes of the keys of %+q and %+q compare %d, x/text %d\n% x\n% x", limit, a, b, got,
						want, ka, kb)
				}
			})
		})
	}
}

// TestSortedAsReference sorts many strings at once: a pair at a time, an order
// that is not transitive could pass.
func TestSortedAsReference(t *testing.T) {
	for _, name := range []string{"utf8mb4_0900_as_cs", "utf8mb4_0900_as_ci", "utf8mb4_0900_ai_ci",
		"utf8mb4_cs_0900_as_cs", "utf8mb4_hu_0900_ai_ci", "utf8mb4_ja_0900_as_cs", "utf8mb4_sv_0900_as_cs"} {
		c, _ := Lookup(name)
		ref := newReference(t, c)
		rapid.Check(t, func(t *rapid.T) {
			list := rapid.SliceOfN(genString(), 2, 40).Draw(t, "strings")
			slices.SortFunc(list, c.Compare)
			for i := 1; i < len(list); i++ {
				if a, b := list[i-1], list[i]; bytes.Compare(ref.key(a), ref.key(b)) > 0 {
					t.Fatalf("%s sorts %+q before %+q, x/text does not", name, a, b)
				}
			}
		})
	}
}
