package value

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sqlfdb/sqlfdb/document"
)

// ErrJSONPath: the text is not a JSON path (MySQL's 3143).
var ErrJSONPath = errors.New("invalid JSON path expression")

// JSONPathError gives the place where a JSON path is no longer valid.
type JSONPathError struct {
	Path   string
	Offset int // characters
}

// Error implements error.
func (e *JSONPathError) Error() string {
	return fmt.Sprintf("Invalid JSON path expression. The error is around character position %d of '%s'.", e.Offset,
		e.Path)
}

// Unwrap makes errors.Is(err, ErrJSONPath) true.
func (e *JSONPathError) Unwrap() error { return ErrJSONPath }

// JSONPath is a parsed path of MySQL's JSON functions:
// https://dev.mysql.com/doc/refman/8.0/en/json.html#json-path-syntax
type JSONPath []pathLeg

type pathLegKind uint8

const (
	LegMember      pathLegKind = iota // .name
	legAnyMember                      // .*
	legElement                        // [n], [last-n]
	legElements                       // [m to n]
	legAnyElement                     // [*]
	legDescendants                    // **
)

type pathLeg struct {
	Kind     pathLegKind
	Name     string
	from, to arrayIndex
}

// arrayIndex counts from the start, or from the last element backwards.
type arrayIndex struct {
	n       int
	fromEnd bool
}

func (i arrayIndex) in(length int) int {
	if i.fromEnd {
		return length - 1 - i.n
	}
	return i.n
}

// Wildcard reports whether the path can lead to more than one value.
func (p JSONPath) Wildcard() bool {
	for _, leg := range p {
		switch leg.Kind {
		case legAnyMember, legElements, legAnyElement, legDescendants:
			return true
		}
	}
	return false
}

// maxPathLegs bounds the recursion of matching.
const maxPathLegs = 100

// ParseJSONPath reads a path of JSON, such as $.a[0].
func ParseJSONPath(text string) (JSONPath, error) {
	s := pathScanner{text: text}
	s.space()
	if !s.accept("$") {
		return nil, s.fail()
	}
	var p JSONPath
	for {
		s.space()
		if s.pos == len(s.text) {
			break
		}
		leg, ok := s.leg()
		if !ok || len(p) == maxPathLegs {
			return nil, s.fail()
		}
		p = append(p, leg)
	}
	if n := len(p); n > 0 && p[n-1].Kind == legDescendants {
		return nil, s.fail() // MySQL: ** must not be last
	}
	return p, nil
}

type pathScanner struct {
	text string
	pos  int
}

func (s *pathScanner) fail() error {
	return &JSONPathError{Path: s.text, Offset: utf8.RuneCountInString(s.text[:s.pos])}
}

func (s *pathScanner) space() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

func (s *pathScanner) accept(prefix string) bool {
	if strings.HasPrefix(s.text[s.pos:], prefix) {
		s.pos += len(prefix)
		return true
	}
	return false
}

func (s *pathScanner) leg() (pathLeg, bool) {
	switch {
	case s.accept("**"):
		return pathLeg{Kind: legDescendants}, true
	case s.accept("."):
		s.space()
		if s.accept("*") {
			return pathLeg{Kind: legAnyMember}, true
		}
		name, ok := s.name()
		return pathLeg{Kind: LegMember, Name: name}, ok
	case s.accept("["):
		return s.cell()
	}
	return pathLeg{}, false
}

// name reads a member's name: quoted like a JSON string, or bare up to the next
// leg. MySQL takes only ECMAScript identifiers bare; here a bare name may hold
// anything else too (`a-b`, `$ref`), so that a path is refused only when unclear.
func (s *pathScanner) name() (string, bool) {
	if s.pos < len(s.text) && s.text[s.pos] == '"' {
		end := s.pos + 1
		for end < len(s.text) && s.text[end] != '"' {
			if s.text[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s.text) {
			return "", false
		}
		quoted, err := document.ParseValue([]byte(s.text[s.pos:end+1]), document.Limits{})
		if err != nil || quoted.Type() != document.TypeString {
			return "", false
		}
		s.pos = end + 1
		return quoted.Str(), true
	}
	rest := s.text[s.pos:]
	end := strings.IndexAny(rest, ".[*\" \t\r\n")
	if end < 0 {
		end = len(rest)
	}
	s.pos += end
	return rest[:end], end > 0
}

func (s *pathScanner) cell() (pathLeg, bool) {
	s.space()
	if s.accept("*") {
		s.space()
		return pathLeg{Kind: legAnyElement}, s.accept("]")
	}
	from, ok := s.index()
	if !ok {
		return pathLeg{}, false
	}
	s.space()
	if s.accept("]") {
		return pathLeg{Kind: legElement, from: from}, true
	}
	if !s.accept("to") {
		return pathLeg{}, false
	}
	s.space()
	to, ok := s.index()
	if !ok {
		return pathLeg{}, false
	}
	s.space()
	return pathLeg{Kind: legElements, from: from, to: to}, s.accept("]")
}

func (s *pathScanner) index() (arrayIndex, bool) {
	fromEnd := s.accept("last")
	if fromEnd {
		s.space()
		if !s.accept("-") {
			return arrayIndex{fromEnd: true}, true
		}
		s.space()
	}
	end := s.pos
	for end < len(s.text) && s.text[end] >= '0' && s.text[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(s.text[s.pos:end], 10, 32)
	if err != nil {
		return arrayIndex{}, false
	}
	s.pos = end
	return arrayIndex{n: int(n), fromEnd: fromEnd}, true
}

// Each calls yield with every value that the path leads to, in document order,
// until yield returns false. It reports whether all were seen.
func (p JSONPath) Each(v document.Value, yield func(document.Value) bool) bool {
	if len(p) == 0 {
		return yield(v)
	}
	leg, rest := p[0], p[1:]
	switch leg.Kind {
	case LegMember:
		if v.Type() == document.TypeObject {
			if m, ok := v.Member(leg.Name); ok {
				return rest.Each(m, yield)
			}
		}
	case legAnyMember:
		if v.Type() == document.TypeObject {
			for _, m := range v.Members() {
				if !rest.Each(m, yield) {
					return false
				}
			}
		}
	case legAnyElement:
		if v.Type() == document.TypeArray {
			for _, e := range v.Elements() {
				if !rest.Each(e, yield) {
					return false
				}
			}
		}
	case legElement, legElements:
		return p.eachElement(v, yield)
	case legDescendants:
		if !rest.Each(v, yield) {
			return false
		}
		if v.Type() == document.TypeObject {
			for _, m := range v.Members() {
				if !p.Each(m, yield) {
					return false
				}
			}
		} else if v.Type() == document.TypeArray {
			for _, e := range v.Elements() {
				if !p.Each(e, yield) {
					return false
				}
			}
		}
	}
	return true
}

// eachElement follows a cell or a range of cells. A value that is no array
// counts as an array of one, as in MySQL.
func (p JSONPath) eachElement(v document.Value, yield func(document.Value) bool) bool {
	leg, rest := p[0], p[1:]
	isArray := v.Type() == document.TypeArray
	length := 1
	if isArray {
		length = v.Count()
	}
	from := leg.from.in(length)
	to := from
	if leg.Kind == legElements {
		from, to = max(from, 0), leg.to.in(length)
	}
	if !isArray {
		if from <= 0 && to >= 0 && (from == 0 || leg.Kind == legElements) {
			return rest.Each(v, yield)
		}
		return true
	}
	if to < 0 || from < 0 || from >= length {
		return true
	}
	for i, e := range v.Elements() {
		if i > to {
			break
		}
		if i >= from && !rest.Each(e, yield) {
			return false
		}
	}
	return true
}

// Extract is JSON_EXTRACT with one path: the value, or an array of the values
// if the path has a wildcard. False means that there is none.
func (p JSONPath) Extract(v document.Value) (document.Value, bool) {
	if !p.Wildcard() {
		var found document.Value
		missing := p.Each(v, func(m document.Value) bool { found = m; return false })
		return found, !missing
	}
	text := []byte{'['}
	p.Each(v, func(m document.Value) bool {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(text, m.Raw()...)
		return true
	})
	if len(text) == 1 {
		return document.Value{}, false
	}
	return document.FromCompact(append(text, ']')), true
}
