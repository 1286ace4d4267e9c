package indexes

import (
	"bytes"
	"slices"
)

// Span is the half-open interval [Start, End) of encoded values (package
// ordered). An empty Start is the least value; a nil End is past the greatest.
type Span struct {
	Start, End []byte
}

// Spans is a set of values: sorted, disjoint, no empty span among them. A nil
// Spans holds nothing; see Everything.
type Spans []Span

// Everything returns the set of all values.
func Everything() Spans { return Spans{{}} }

// Point returns the set of the one encoded value.
func Point(value []byte) Spans {
	end := make([]byte, len(value)+1)
	copy(end, value)
	return Spans{{Start: end[:len(value):len(value)], End: end}}
}

// IsEverything reports whether s holds all values.
func (s Spans) IsEverything() bool {
	return len(s) == 1 && len(s[0].Start) == 0 && s[0].End == nil
}

// IsPoint reports whether s is a single encoded value.
func (s Spans) IsPoint() bool {
	return len(s) == 1 && s[0].IsPoint()
}

// IsPoint reports whether the span is the single value Start.
func (s Span) IsPoint() bool {
	n := len(s.Start)
	return s.End != nil && len(s.End) == n+1 && s.End[n] == 0 && bytes.Equal(s.End[:n], s.Start)
}

// Contains reports whether the encoded value lies in the set.
func (s Spans) Contains(value []byte) bool {
	for _, sp := range s {
		if bytes.Compare(value, sp.Start) >= 0 && (sp.End == nil || bytes.Compare(value, sp.End) < 0) {
			return true
		}
	}
	return false
}

// NewSpans returns the set that is the union of the given spans, which may
// overlap, be empty and stand in any order. The slices of bytes are shared.
func NewSpans(spans ...Span) Spans {
	kept := make([]Span, 0, len(spans))
	for _, sp := range spans {
		if sp.End == nil || bytes.Compare(sp.Start, sp.End) < 0 {
			kept = append(kept, sp)
		}
	}
	slices.SortFunc(kept, func(a, b Span) int { return bytes.Compare(a.Start, b.Start) })
	if len(kept) == 0 {
		return nil
	}
	out := Spans(kept[:0]) // never longer than the part that has been read
	for _, sp := range kept {
		if n := len(out); n > 0 && (out[n-1].End == nil || bytes.Compare(sp.Start, out[n-1].End) <= 0) {
			if endLess(out[n-1].End, sp.End) {
				out[n-1].End = sp.End
			}
			continue
		}
		out = append(out, sp)
	}
	return out
}

// Union returns the values in s or o.
func (s Spans) Union(o Spans) Spans {
	switch {
	case len(o) == 0:
		return s
	case len(s) == 0:
		return o
	}
	return NewSpans(append(slices.Clone(s), o...)...)
}

// Intersect returns the values in both s and o. It is sound only where a
// document has one value at the keypath: never for a keypath through an array.
func (s Spans) Intersect(o Spans) Spans {
	switch {
	case o.IsEverything():
		return s
	case s.IsEverything():
		return o
	}
	var out Spans
	for i, j := 0, 0; i < len(s) && j < len(o); {
		start := s[i].Start
		if bytes.Compare(o[j].Start, start) > 0 {
			start = o[j].Start
		}
		end := s[i].End
		if endLess(o[j].End, end) {
			end = o[j].End
		}
		if end == nil || bytes.Compare(start, end) < 0 {
			out = append(out, Span{Start: start, End: end})
		}
		if endLess(s[i].End, o[j].End) {
			i++
		} else {
			j++
		}
	}
	return out
}

// Meets reports whether a value is in both: whether their intersection is not empty.
func (s Spans) Meets(o Spans) bool {
	for i, j := 0, 0; i < len(s) && j < len(o); {
		first, last := s[i], o[j]
		if bytes.Compare(first.Start, last.Start) > 0 {
			first, last = last, first
		}
		if first.End == nil || bytes.Compare(last.Start, first.End) < 0 {
			return true
		}
		if endLess(s[i].End, o[j].End) {
			i++
		} else {
			j++
		}
	}
	return false
}

// Complement returns the values not in s.
func (s Spans) Complement() Spans {
	var out Spans
	start := []byte{}
	for _, sp := range s {
		if bytes.Compare(start, sp.Start) < 0 {
			out = append(out, Span{Start: start, End: sp.Start})
		}
		if sp.End == nil {
			return out
		}
		start = sp.End
	}
	return append(out, Span{Start: start})
}

// endLess reports whether the end a lies before the end b, where nil is last.
func endLess(a, b []byte) bool {
	if a == nil {
		return false
	}
	return b == nil || bytes.Compare(a, b) < 0
}
