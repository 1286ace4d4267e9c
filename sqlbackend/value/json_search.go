package value

import (
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

// MemberLeg is the step of a path to a member.
func MemberLeg(name string) string {
	return strings.TrimPrefix(document.Keypath{{Name: name}}.JSONPath(), "$")
}

// EachAt is each with the path of every value: one without wildcards.
func (p JSONPath) EachAt(v document.Value, at string, yield func(document.Value, string) bool) bool {
	if len(p) == 0 {
		return yield(v, at)
	}
	leg, rest := p[0], p[1:]
	descend := leg.Kind == legDescendants
	if descend && !rest.EachAt(v, at, yield) {
		return false
	}
	if v.Type() == document.TypeObject && (descend || leg.Kind == LegMember || leg.Kind == legAnyMember) {
		for name, m := range v.Members() {
			next := rest
			switch {
			case descend:
				next = p
			case leg.Kind == LegMember && name != leg.Name:
				continue
			}
			if !next.EachAt(m, at+MemberLeg(name), yield) {
				return false
			}
		}
		return true
	}
	isArray := v.Type() == document.TypeArray
	from, to, next := 0, -1, rest
	length := 1
	if isArray {
		length = v.Count()
	}
	switch leg.Kind {
	case legDescendants, legAnyElement:
		if !isArray {
			return true
		}
		to = length - 1
		if descend {
			next = p
		}
	case legElement:
		from = leg.from.in(length)
		to = from
	case legElements:
		from, to = max(leg.from.in(length), 0), leg.to.in(length)
	}
	if !isArray {
		// An array of one: the value itself.
		return from != 0 || to < 0 || rest.EachAt(v, at, yield)
	}
	for i, e := range v.Elements() {
		if i >= from && i <= to && !next.EachAt(e, fmt.Sprintf("%s[%d]", at, i), yield) {
			return false
		}
	}
	return true
}
