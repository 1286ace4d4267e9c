package value

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql/types"
)

// CommonLayoutsFirst puts the layouts first by which most dates are spelled. The engine tries one after the other on
// a text, and makes an error of each that does not fit. By default it tries thirteen before the layout of a date
// alone, which DATE() gives. A text that fits two of the layouts is the same date by both.
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
