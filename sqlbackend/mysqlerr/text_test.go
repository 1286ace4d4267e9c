package mysqlerr

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShortened(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("é", 10_000), strings.Repeat("a", 512),
		strings.Repeat("a", 513)} {
		if got := Shortened(text); len(got) > maxMessage || !utf8.ValidString(got) || len(text) <= maxMessage && got != text {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
	}
}
