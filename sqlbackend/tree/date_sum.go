package tree

import "time"

// IsZeroDate reports whether at stands for 0000-00-00, which has no days before and after
// it.
func IsZeroDate(at time.Time) bool { return at.Equal(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)) }
