package kv

import (
	"bytes"
	"slices"
)

// Coalesce sorts ranges and joins those that overlap or touch. It works in
// place; empty ranges vanish.
func Coalesce(ranges []Range) []Range {
	ranges = slices.DeleteFunc(ranges, func(r Range) bool {
		return bytes.Compare(r.Start, r.End) >= 0
	})
	if len(ranges) < 2 {
		return ranges
	}
	byStart := func(a, b Range) int { return bytes.Compare(a.Start, b.Start) }
	if !slices.IsSortedFunc(ranges, byStart) {
		slices.SortFunc(ranges, byStart)
	}
	out := ranges[:1]
	for _, r := range ranges[1:] {
		last := &out[len(out)-1]
		if bytes.Compare(r.Start, last.End) > 0 {
			out = append(out, r)
		} else if bytes.Compare(r.End, last.End) > 0 {
			last.End = r.End
		}
	}
	return out
}
