package hold

import (
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
)

// EqualJSON compares as the comparison operators do.
func EqualJSON(a, b document.Value) bool { return document.Compare(a, b, collation.Default) == 0 }

// Contains is JSON_CONTAINS.
func (p *Pace) Contains(target, candidate document.Value) bool {
	switch target.Type() {
	case document.TypeArray:
		if candidate.Type() == document.TypeArray {
			for _, c := range candidate.Elements() {
				if !p.containsElement(target, c) {
					return false
				}
			}
			return true
		}
		return p.containsElement(target, candidate)
	case document.TypeObject:
		if candidate.Type() != document.TypeObject {
			return false
		}
		for name, c := range candidate.Members() {
			if t, ok := target.Member(name); !ok || !p.Contains(t, c) || !p.Step() {
				return false
			}
		}
		return true
	}
	return EqualJSON(target, candidate)
}

func (p *Pace) containsElement(array, candidate document.Value) bool {
	for _, e := range array.Elements() {
		if !p.Step() {
			return false
		}
		if candidate.Type() == document.TypeArray && e.Type() != document.TypeArray {
			continue
		}
		if p.Contains(e, candidate) {
			return true
		}
	}
	return false
}

// Overlaps is JSON_OVERLAPS.
func (p *Pace) Overlaps(a, b document.Value) bool {
	switch {
	case a.Type() == document.TypeArray && b.Type() == document.TypeArray:
		for _, x := range a.Elements() {
			if p.IsElement(b, x) {
				return true
			}
		}
		return false
	case a.Type() == document.TypeArray:
		return p.IsElement(a, b)
	case b.Type() == document.TypeArray:
		return p.IsElement(b, a)
	case a.Type() == document.TypeObject && b.Type() == document.TypeObject:
		for name, x := range a.Members() {
			if y, ok := b.Member(name); ok && EqualJSON(x, y) {
				return true
			}
			if !p.Step() {
				return false
			}
		}
		return false
	}
	return EqualJSON(a, b)
}

// IsElement reports whether an array has an element that equals v.
func (p *Pace) IsElement(array, v document.Value) bool {
	for _, e := range array.Elements() {
		if !p.Step() {
			return false
		}
		if EqualJSON(e, v) {
			return true
		}
	}
	return false
}
