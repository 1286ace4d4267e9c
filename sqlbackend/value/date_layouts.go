package value

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// CommonLayoutsFirst lets the engine try the layouts first by which most dates are spelled: it reads a text as a date
// by one after the other, makes an error of each that does not fit, and had tried thirteen before that of a date alone,
// which DATE() gives. What fits two of them is the same date by both.
var CommonLayoutsFirst = sync.OnceFunc(func() {
	first := []string{"2006-01-02T15:04:05Z07:00", "2006-1-2", "2006-1-2 15:4:5.999999"}
	layouts := slices.Clone(first)
	for _, layout := range types.TimestampDatetimeLayouts {
		if !slices.Contains(first, layout) {
			layouts = append(layouts, layout)
		}
	}
	types.TimestampDatetimeLayouts = layouts
})
