package backup

import (
	"testing"
	"time"
)

// TestDue: a rate is kept however low it is.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		all, rate int64
		least     time.Duration
	}{{1, 1, time.Second}, {1 << 20, 1 << 21, time.Second / 2}, {1 << 40, 1, 24 * 365 * time.Hour}} {
		if got := due(c.all, c.rate); got < c.least || c.least < time.Minute && got != c.least {
			t.Errorf("%d bytes at %d: %v", c.all, c.rate, got)
		}
	}
}
