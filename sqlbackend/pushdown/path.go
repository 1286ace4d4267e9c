package pushdown

import (
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

// leg is one step of a JSON path, with the syntax and meaning of MySQL's manual ("JSON Path Syntax").
type leg struct {
	kind legKind
	name string // of legMember
	// first says, for legCell and legCells, that the step takes a value which is no array as an array of one, and
	// leads to it.
	first bool
	// ends says, for legCell, that it is the first or the last element, which every filled array has.
	ends bool
}

type legKind uint8

const (
	legMember     legKind = iota // .name
	legAnyMember                 // .*
	legCell                      // [1], [last]
	legCells                     // [1 to last]
	legAnyCell                   // [*]
	legDescendant                // **
)

// singlePath reports whether the path leads to one value at most.
func singlePath(legs []leg) bool {
	for _, l := range legs {
		if l.kind != legMember && l.kind != legCell {
			return false
		}
	}
	return true
}

// parsePath reads a JSON path. It returns false for text that is no path, or that is spelled in a way that only
// evaluation handles.
func parsePath(path string) ([]leg, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(path), "$")
	if !ok {
		return nil, false
	}
	legs := []leg{}
	for rest != "" {
		var l leg
		switch rest[0] {
		case '.':
			l, rest, ok = parseMember(rest[1:])
		case '[':
			l, rest, ok = parseCell(rest[1:])
		case '*':
			l.kind = legDescendant
			rest, ok = strings.CutPrefix(rest, "**")
			ok = ok && rest != ""
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
		legs = append(legs, l)
	}
	return legs, true
}

// parseMember reads the text after a dot.
func parseMember(rest string) (leg, string, bool) {
	if after, any := strings.CutPrefix(rest, "*"); any {
		return leg{kind: legAnyMember}, after, true
	}
	if strings.HasPrefix(rest, `"`) {
		end := 1
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(rest) {
			return leg{}, "", false
		}
		v, err := document.ParseValue([]byte(rest[:end+1]), document.Limits{})
		if err != nil || v.Type() != document.TypeString {
			return leg{}, "", false
		}
		return leg{name: v.Str()}, rest[end+1:], true
	}
	end := strings.IndexAny(rest, ".[*\" \t\r\n")
	if end < 0 {
		end = len(rest)
	}
	return leg{name: rest[:end]}, rest[end:], end > 0
}

// parseCell reads the text after a bracket.
func parseCell(rest string) (leg, string, bool) {
	text, rest, ok := strings.Cut(rest, "]")
	if !ok {
		return leg{}, "", false
	}
	if strings.TrimSpace(text) == "*" {
		return leg{kind: legAnyCell}, rest, true
	}
	from, to, isRange := strings.Cut(text, "to")
	if !isRange {
		n, fromEnd, ok := parseIndex(text)
		return leg{kind: legCell, first: n == 0, ends: n == 0}, rest, ok && (fromEnd || n >= 0)
	}
	n, fromEnd, ok := parseIndex(from)
	m, toFromEnd, ok2 := parseIndex(to)
	// The first element, also of an array of one: [0 to 3], [last-2 to last], [0 to last], but not [1 to 2].
	first := (fromEnd || n == 0) && (!toFromEnd || m == 0)
	return leg{kind: legCells, first: first}, rest, ok && ok2
}

// parseIndex reads 3, last or last-3: the number, and whether it counts from the end.
func parseIndex(text string) (n int64, fromEnd, ok bool) {
	text = strings.TrimSpace(text)
	text, fromEnd = strings.CutPrefix(text, "last")
	if fromEnd {
		text = strings.TrimSpace(text)
		if text == "" {
			return 0, true, true
		}
		if text, ok = strings.CutPrefix(text, "-"); !ok {
			return 0, true, false
		}
		text = strings.TrimSpace(text)
	}
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, fromEnd, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return n, fromEnd, err == nil
}
