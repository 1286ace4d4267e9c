package collation_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/sqlfdb/sqlfdb/collation"
)

// TestAppendLetters: the keys of a string in any case of its letters begin so, and those of others don't.
func TestAppendLetters(t *testing.T) {
	for _, name := range []string{"utf8mb4_0900_as_cs", "utf8mb4_0900_as_ci", "utf8mb4_0900_ai_ci",
		"utf8mb4_ru_0900_as_cs", "utf8mb4_de_pb_0900_ai_ci"} {
		c, _ := collation.Lookup(name)
		for _, s := range []string{"", "a", "ab", "Kiss", "x-1 y", "i.i", "s\x00t"} {
			letters, ok := c.AppendLetters(nil, s)
			if !ok {
				t.Fatalf("%s has no letters of %q", name, s)
			}
			begins := func(other string) bool {
				rest, is := bytes.CutPrefix(append(c.AppendKey(nil, other), collation.Terminator), letters)
				return is && rest[0] < collation.AfterLetters
			}
			for _, same := range []string{s, strings.ToUpper(s), strings.ToLower(s), strings.ReplaceAll(s, "K", "K"),
				strings.ReplaceAll(s, "s", "ſ"), strings.ReplaceAll(s, "i", "İ")} {
				if !begins(same) {
					t.Errorf("%s: the key of %q does not begin with the letters of %q", name, same, s)
				}
			}
			for _, other := range []string{s + "a", "b" + s, s + s + "1", strings.ReplaceAll(s, "i", "ı") + "z"} {
				if begins(other) {
					t.Errorf("%s: the key of %q begins with the letters of %q", name, other, s)
				}
			}
		}
	}
	for _, name := range []string{"utf8mb4_bin", "utf8mb4_cs_0900_ai_ci", "utf8mb4_sv_0900_as_cs"} {
		if c, _ := collation.Lookup(name); c != nil {
			if _, ok := c.AppendLetters(nil, "ch"); ok {
				t.Errorf("%s has letters", name)
			}
		}
	}
	if _, ok := collation.Default.AppendLetters(nil, string(unicode.ToLower('É'))); ok {
		t.Error("what is not ASCII has letters")
	}
}
