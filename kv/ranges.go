package kv

import (
	"bytes"
	"slices"
)

// Coalesce sorts ranges and joins ranges that overlap or touch. It works in place; empty
// ranges vanish.
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

// widestReads: if the ranges that a transaction has read take more bytes, they are joined over gaps, to half of that.
// They count in MaxTransactionSize, and a transaction that looks up very many keys to change a few is not to fail by
// it.
const widestReads = 2 << 20

// JoinReads joins the ranges that a transaction has read into fewer, of which each counts for its keys and overhead
// bytes. It works in place. As long as they are small it is Coalesce. Then it fills gaps between ranges, first the
// ones whose ends have the longest beginning in common: the transaction may conflict with a write there.
func JoinReads(ranges []Range, overhead int64) []Range {
	ranges = Coalesce(ranges)
	var size int64
	for _, r := range ranges {
		size += r.weight(overhead)
	}
	if size <= widestReads {
		return ranges
	}
	over := size - widestReads/2
	common := make([]int, len(ranges)) // of each range, with the one before it
	var saved []int64                  // by the gaps of each length in common
	gap := func(i int) int64 { return Range{ranges[i-1].End, ranges[i].Start}.weight(overhead) }
	for i := 1; i < len(ranges); i++ {
		common[i] = commonPrefix(ranges[i-1].End, ranges[i].Start)
		for len(saved) <= common[i] {
			saved = append(saved, 0)
		}
		saved[common[i]] += gap(i)
	}
	least := len(saved) - 1
	for ; least > 0 && over > saved[least]; least-- {
		over -= saved[least]
	}
	out := ranges[:1]
	for i := 1; i < len(ranges); i++ {
		join := common[i] > least
		if common[i] == least && over > 0 {
			join = true
			over -= gap(i)
		}
		if r := ranges[i]; join {
			out[len(out)-1].End = r.End
		} else {
			out = append(out, r)
		}
	}
	return out
}

// weight is how many bytes a conflict range counts for.
func (r Range) weight(overhead int64) int64 { return int64(len(r.Start)+len(r.End)) + overhead }

// commonPrefix is how many bytes two keys begin with that are the same.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
