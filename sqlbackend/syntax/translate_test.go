package syntax

import (
	"strings"
	"testing"
	"time"
)

// TestTranslateNested: what is nested is gone through once, however deep: the parser, which refuses it, comes later.
func TestTranslateNested(t *testing.T) {
	const levels = 100_000
	for _, open := range []string{"INTERVAL(", "1 = ANY (SELECT ", "a TEXT("} {
		began := time.Now()
		_, _ = Translate("SELECT " + strings.Repeat(open, levels) + "1" + strings.Repeat(")", levels))
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%d times %s: %v", levels, open, took)
		}
	}
}
