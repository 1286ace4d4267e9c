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

// TestTranslateAssignments: assignments are looked up among the tokens before them, so that there is a bound on those.
func TestTranslateAssignments(t *testing.T) {
	for _, part := range []string{"@a := 1", "@a", "(SELECT @a := 1)", "x = @a := 2"} {
		for _, times := range []int{1_000, 50_000} {
			text := "SELECT @a := 1" + strings.Repeat(", "+part, times)
			began := time.Now()
			_, _ = Translate(text)
			err := orUnknown(text, nil)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%d times %s: %v", times, part, took)
			}
			if times == 50_000 && err != errAssigning {
				t.Errorf("%d times %s: %v", times, part, err)
			}
		}
	}
}
