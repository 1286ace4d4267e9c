package pushdown

import "testing"

// TestRegexpBeginning: what all texts begin with that a pattern matches.
func TestRegexpBeginning(t *testing.T) {
	for _, test := range []struct{ pattern, beginning string }{
		{"^abc", "abc"}, {"^abc$", "abc"}, {"^abc.*", "abc"}, {"^abc?d", "ab"}, {"^ab*", "a"}, {"^ab+c", "ab"},
		{"^ab+?c", "ab"}, {"^é.b", "é"}, {"^aé?", "a"}, {"^a b-c", "a b-c"}, {"^ab[0-9]+$", "ab"}, {"^ab[^x]c", "ab"},
		{"^a[a-z0-9_]?b", "a"},
		{"^abc*?d", "ab"},
		// None, or what is not followed.
		{"", ""}, {"^", ""}, {"abc", ""}, {"^$", ""}, {"^.*", ""}, {"^a?", ""}, {"^*a", ""}, {"^a**", ""}, {"^a|b", ""},
		{"^(a)", ""}, {"^a(b", ""}, {"^a{2}", ""}, {"^a\\.b", ""}, {"^a$b", ""}, {"^^a", ""}, {"^a[z-a]", ""}, {"^a[", ""},
		{"^a[]b]", ""}, {"^[ab]c", ""}, {"^a]", ""},
	} {
		beginning, ok := regexpBeginning(test.pattern)
		if ok != (test.beginning != "") || ok && beginning != test.beginning {
			t.Errorf("%q: %q, %t; want %q", test.pattern, beginning, ok, test.beginning)
		}
	}
}
