package regexps

import (
	"context"
	"reflect"
	"strings"
	"testing"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql/variables"
	"pgregory.net/rapid"
)

// TestPlain: what Go's regexp finds for a plain pattern is what ICU finds.
func TestPlain(t *testing.T) {
	variables.InitSystemVariables()
	ctx := context.Background()
	parts := strings.Fields(`a b B ab 1 - _ . ^ $ | ( ) (?: * + ? *? +? ?? {2} {1,2} {0,} {1,2}? ++ [ab] [^a] [a-c] [^0-9]
		[A-Z_] [a-] [-a] []a] [a&&b]
		[[:alpha:]] [:alpha:] [:x:] [\d.] [^\w,] \d \w \s \D \W \S \b \B \. \- \$ \\ \1 \Q \E \A \z \t \x41 { }
		] [ # & (?=a) (?!a) (?i) (?<n>a) / ,`)
	parts = append(parts, " ", "[ a]")
	texts := strings.Split("a|b|A|B|ab|1|2| |-|_|.|$|\\|aaa|\t|x|&|,|Z|^|[|]", "|")
	known := 0
	rapid.Check(t, func(t *rapid.T) {
		pattern, text := "", ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(parts), 1, 7).Draw(t, "pattern") {
			pattern += p
		}
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(texts), 0, 8).Draw(t, "text") {
			text += p
		}
		flags := rapid.SampledFrom([]regex.RegexFlags{0, regex.RegexFlags_Case_Insensitive}).Draw(t, "flags")
		ours := plainOf(pattern, flags)
		if !ours.takes(text) {
			return
		}
		known++
		m, err := NewMatcher(ctx, pattern, flags)
		if err != nil {
			t.Fatalf("%q: ICU: %v", pattern, err)
		}
		defer m.Close()
		if err := m.SetText(ctx, text); err != nil {
			t.Fatal(err)
		}
		found, err := m.Find(ctx, 0)
		if err != nil {
			t.Fatalf("%q in %q: ICU: %v", pattern, text, err)
		}
		if found != ours.MatchString(text) {
			t.Fatalf("%q in %q with flags %d: ICU: %v", pattern, text, flags, found)
		}
		if !ours.flat {
			return
		}
		var all [][]int
		for found {
			start, end, err := m.Bounds(ctx)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, []int{start, end})
			if found, err = m.FindNext(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if got := ours.FindAllStringIndex(text, -1); !reflect.DeepEqual(got, all) {
			t.Fatalf("%q in %q with flags %d: %v, ICU: %v", pattern, text, flags, got, all)
		}
	})
	t.Logf("%d plain", known)
	if known == 0 {
		t.Error("no pattern was plain")
	}
	for _, common := range []string{"^name [0-9]+", "[0-9]+", " +", "(foo|bar)$", "^[A-Za-z0-9._%+-]+@[a-z.]+$",
		"\\d{3}-\\d{4}", "a.*b"} {
		if plainOf(common, 0) == nil {
			t.Errorf("%s is not plain", common)
		}
	}
}
