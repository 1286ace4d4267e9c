package document

import (
	"iter"
	"unsafe"
)

// Extract is MySQL's JSON_EXTRACT: the value that the path finds in v, or an array of all
// found values when there are several paths or one that can find many. It returns false
// when nothing is found. A value that is no array counts as an array of one for [0] and
// [last].
func (v Value) Extract(paths ...JSONPath) (Value, bool) {
	if len(paths) == 1 && !paths[0].FindsMany() {
		for found := range v.Find(paths[0]) {
			return found, true
		}
		return Value{}, false
	}
	var all []Value
	for _, path := range paths {
		for found := range v.Find(path) {
			all = append(all, found)
		}
	}
	if len(all) == 0 {
		return Value{}, false
	}
	return ArrayValue(all...), true
}

// Find iterates over the values that the path finds in v, each once, in the
// order of the text as the steps meet them.
func (v Value) Find(path JSONPath) iter.Seq[Value] {
	for i, s := range path {
		if s.Kind == PathDescend {
			return func(yield func(Value) bool) { findAll(v, path, i, yield) }
		}
	}
	return func(yield func(Value) bool) { find(v, path, yield) }
}

// find follows a path without **, one way at a time.
func find(v Value, path JSONPath, yield func(Value) bool) bool {
	if len(path) == 0 {
		return yield(v)
	}
	return path[0].each(v, func(next Value) bool { return find(next, path[1:], yield) })
}

// findAll follows a path with ** for all ways at once, step by step, so that values met
// twice are dropped at once. One by one, the ways would be too many.
func findAll(v Value, path JSONPath, firstDescend int, yield func(Value) bool) {
	at := []Value{v}
	for i, step := range path {
		var next []Value
		seen := make(map[*byte]bool)
		for _, v := range at {
			step.each(v, func(n Value) bool {
				// The place where a value starts identifies it in its text.
				start := unsafe.StringData(n.raw)
				if i < firstDescend || !seen[start] {
					seen[start] = true
					next = append(next, n)
				}
				return true
			})
		}
		at = next
	}
	for _, v := range at {
		if !yield(v) {
			return
		}
	}
}

// each calls yield for every value that one step leads to from v, until it
// returns false.
func (s PathStep) each(v Value, yield func(Value) bool) bool {
	switch s.Kind {
	case PathMember:
		if m, ok := v.Member(s.Name); ok {
			return yield(m)
		}
	case PathAnyMember:
		m := membersOf(v.raw)
		for m.next() {
			if !yield(m.value) {
				return false
			}
		}
	case PathAnyElement:
		e := elementsOf(v.raw)
		for e.next() {
			if !yield(e.value) {
				return false
			}
		}
	case PathElement, PathRange:
		return s.eachElement(v, yield)
	case PathDescend:
		return descend(v, yield)
	}
	return true
}

func (s PathStep) eachElement(v Value, yield func(Value) bool) bool {
	isArray := v.Type() == TypeArray
	length := 1 // a value that is no array counts as an array of one
	if isArray && (s.From.FromEnd || s.Kind == PathRange) {
		length = v.Count()
	} else if isArray {
		length = int(s.From.N) + 1
	}
	start, end := s.bounds(length)
	if !isArray {
		return start >= end || yield(v)
	}
	i := 0
	e := elementsOf(v.raw)
	for ; i < end && e.next(); i++ {
		if i >= start && !yield(e.value) {
			return false
		}
	}
	return true
}

// bounds returns the elements [start, end) that the step selects of an array.
func (s PathStep) bounds(length int) (start, end int) {
	from, ok := s.From.of(length)
	if s.Kind == PathElement {
		if !ok {
			return 0, 0
		}
		return from, from + 1
	}
	to, ok := s.To.of(length)
	if ok {
		to++
	}
	return from, to
}

// of returns the index from the start in an array of a length; if that is
// outside, the nearest border and false.
func (x ArrayIndex) of(length int) (int, bool) {
	switch n := int(x.N); {
	case n >= length && x.FromEnd:
		return 0, false
	case n >= length:
		return length, false
	case x.FromEnd:
		return length - 1 - n, true
	default:
		return n, true
	}
}

// descend calls yield for v and all values below it, each before its contents.
func descend(v Value, yield func(Value) bool) bool {
	if !yield(v) {
		return false
	}
	m := membersOf(v.raw)
	for m.next() {
		if !descend(m.value, yield) {
			return false
		}
	}
	e := elementsOf(v.raw)
	for e.next() {
		if !descend(e.value, yield) {
			return false
		}
	}
	return true
}
