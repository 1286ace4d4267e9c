package value

import (
	"slices"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// TestCommonLayoutsFirst: no layout is lost, and what fits two is the same date by both, so that it does not matter
// which comes first.
func TestCommonLayoutsFirst(t *testing.T) {
	given := slices.Clone(types.TimestampDatetimeLayouts)
	CommonLayoutsFirst()
	for _, layout := range given {
		if !slices.Contains(types.TimestampDatetimeLayouts, layout) {
			t.Errorf("%s is lost", layout)
		}
	}
	if at := slices.Index(types.TimestampDatetimeLayouts, "2006-1-2"); at != 1 {
		t.Errorf("a date alone is tried at %d", at)
	}
	fits := 0
	for _, moment := range []time.Time{time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC),
		time.Date(2024, 11, 12, 13, 14, 15, 123456000, time.UTC), time.Date(999, 1, 2, 3, 4, 5, 0, time.UTC)} {
		for _, spelled := range types.TimestampDatetimeLayouts {
			text := moment.Format(spelled)
			var read *time.Time
			for _, layout := range types.TimestampDatetimeLayouts {
				at, err := time.Parse(layout, text)
				if err != nil {
					continue
				}
				fits++
				if read != nil && !read.Equal(at) {
					t.Errorf("%s is %v and, by %s, %v", text, *read, layout, at)
				}
				read = &at
			}
			if read == nil {
				t.Errorf("%s fits no layout", text)
			}
		}
	}
	if fits < 40 {
		t.Errorf("%d fit only", fits)
	}
}
