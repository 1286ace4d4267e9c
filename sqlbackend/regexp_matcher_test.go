package sqlbackend

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dolthub/vitess/go/mysql"
)

// TestRegexpLimits: a pattern that has very many ways to match a text ends with MySQL's error.
func TestRegexpLimits(t *testing.T) {
	ctx := context.Background()
	matches := func(pattern, text string) (bool, error) {
		m, err := newRegexpMatcher(ctx, pattern, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer m.close()
		if err := m.setText(ctx, text); err != nil {
			t.Fatal(err)
		}
		return m.find(ctx, 0)
	}
	for pattern, text := range map[string]string{
		"^(a+)+$":                     strings.Repeat("a", 50) + "b",
		"^(a|aa)+$":                   strings.Repeat("a", 100) + "b",
		"(.*a){20}$":                  strings.Repeat("a", 200) + "b",
		"(x+x+)+y":                    strings.Repeat("x", 100),
		"^(([a-z])+.)+[A-Z]([a-z])+$": strings.Repeat("a", 100),
	} {
		var refused *mysql.SQLError
		if _, err := matches(pattern, text); !errors.As(err, &refused) || refused.Num != errRegexpTimeOut {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	for pattern, text := range map[string]string{
		"^(a+)+$": strings.Repeat("a", 5000), "b$": strings.Repeat("a", 100_000) + "b", "ä.c": "xxäbc", "😀+$": "x😀😀",
	} {
		if found, err := matches(pattern, text); !found || err != nil {
			t.Errorf("%s: %v, %v", pattern, found, err)
		}
	}
}
