package document

import (
	"cmp"
	"slices"
	"strings"
)

// StringComparer orders strings. A collation is one.
type StringComparer interface {
	// Compare returns a negative number, 0 or a positive number.
	Compare(a, b string) int
}

// Compare orders two values as MySQL orders JSON: null, numbers, strings, objects, arrays,
// booleans, in this order. Numbers are ordered by their exact values, false before true,
// and arrays by their first difference, then by length. Objects are equal if they have the
// same keys with equal values; otherwise the one with fewer members is first. Then the
// first difference decides when the members are sorted by key (shorter keys first, then by
// bytes).
//
// Strings are ordered by c, or by their bytes if c is nil; keys always by
// bytes. It is a total order of values up to that equality. The result is -1, 0
// or 1. The zero Value is before all others.
func Compare(a, b Value, c StringComparer) int {
	if a.raw == b.raw {
		return 0
	}
	ta, tb := a.Type(), b.Type()
	if ta != tb {
		return cmp.Compare(typeOrder[ta], typeOrder[tb])
	}
	switch ta {
	case TypeNumber:
		return CompareNumbers(a.raw, b.raw)
	case TypeString:
		return compareStrings(a, b, c)
	case TypeObject:
		return compareObjects(a, b, c)
	case TypeArray:
		return compareArrays(a, b, c)
	case TypeBool:
		if b.Bool() {
			return -1
		}
		return 1
	}
	return 0
}

// Equal reports whether two values are equal as MySQL compares JSON, strings byte for byte:
// numbers by value, objects without regard to the order of their keys.
func Equal(a, b Value) bool { return Compare(a, b, nil) == 0 }

// typeOrder is the precedence of types in comparisons.
var typeOrder = [...]uint8{TypeNone: 0, TypeNull: 1, TypeNumber: 2, TypeString: 3, TypeObject: 4, TypeArray: 5,
	TypeBool: 6}

func compareStrings(a, b Value, c StringComparer) int {
	sa, sb := a.Str(), b.Str()
	if c == nil {
		return strings.Compare(sa, sb)
	}
	return cmp.Compare(c.Compare(sa, sb), 0)
}

func compareArrays(a, b Value, c StringComparer) int {
	ea, eb := elementsOf(a.raw), elementsOf(b.raw)
	for {
		hasA, hasB := ea.next(), eb.next()
		switch {
		case !hasA && !hasB:
			return 0
		case !hasA:
			return -1
		case !hasB:
			return 1
		}
		if r := Compare(ea.value, eb.value, c); r != 0 {
			return r
		}
	}
}

type member struct {
	name  string
	value Value
}

func compareObjects(a, b Value, c StringComparer) int {
	// The one with fewer members is less, and is all that is read of the other to know it.
	for la, lb := membersOf(a.raw), membersOf(b.raw); ; {
		more, other := la.next(), lb.next()
		switch {
		case more && !other:
			return 1
		case other && !more:
			return -1
		}
		if !more {
			break
		}
	}
	ma, mb := sortedMembers(a), sortedMembers(b)
	for i := range ma {
		if r := compareKeys(ma[i].name, mb[i].name); r != 0 {
			return r
		}
		if r := Compare(ma[i].value, mb[i].value, c); r != 0 {
			return r
		}
	}
	return 0
}

func sortedMembers(v Value) []member {
	list := make([]member, 0, 16)
	m := membersOf(v.raw)
	for m.next() {
		list = append(list, member{m.name(), m.value})
	}
	slices.SortFunc(list, func(x, y member) int { return compareKeys(x.name, y.name) })
	return list
}

// compareKeys is the order of keys in MySQL's binary JSON.
func compareKeys(a, b string) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
