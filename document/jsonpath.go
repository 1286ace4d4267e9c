package document

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PathStepKind is the kind of values that one step of a JSON path expression leads to.
type PathStepKind uint8

// The kinds of steps.
const (
	PathMember     PathStepKind = iota // .name
	PathAnyMember                      // .*
	PathElement                        // [1], [last], [last-1]
	PathRange                          // [1 to last]
	PathAnyElement                     // [*]
	PathDescend                        // **: the value itself and all below it
)

// ArrayIndex is a place in an array, from 0 at its start or, if FromEnd, back
// from 0 at its last element.
type ArrayIndex struct {
	N       uint32
	FromEnd bool
}

// PathStep is one step of a JSON path expression.
type PathStep struct {
	Kind PathStepKind
	Name string     // of PathMember
	From ArrayIndex // of PathElement and PathRange
	To   ArrayIndex // of PathRange, included
}

// JSONPath is a JSON path expression of MySQL, `$.a[0]."b c"`: the steps after
// the $. See MySQL 8.4 Reference Manual, "JSON Path Syntax".
type JSONPath []PathStep

// JSONPathError has the place where a text is not a JSON path expression, and the reason.
// It unwraps to ErrJSONPath.
type JSONPathError struct {
	Path    string
	Offset  int // bytes before the place
	Message string
}

func (e *JSONPathError) Error() string {
	return fmt.Sprintf("%v %s at byte %d: %s", ErrJSONPath, quoteForMessage(e.Path), e.Offset, e.Message)
}

// Unwrap returns ErrJSONPath.
func (e *JSONPathError) Unwrap() error { return ErrJSONPath }

// ParseJSONPath reads a JSON path expression as MySQL does. It fails with
// *JSONPathError.
func ParseJSONPath(s string) (JSONPath, error) {
	if !utf8.ValidString(s) {
		return nil, &JSONPathError{Path: strings.ToValidUTF8(s, "?"), Message: "it is not valid UTF-8"}
	}
	p := pathParser{text: s}
	path, err := p.parse()
	if err != nil {
		return nil, err
	}
	return path, nil
}

type pathParser struct {
	text string
	pos  int
}

func (p *pathParser) fail(format string, args ...any) error {
	return &JSONPathError{Path: p.text, Offset: p.pos, Message: fmt.Sprintf(format, args...)}
}

func (p *pathParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// take steps over token, and white space before it, if it is next; otherwise
// it moves nowhere.
func (p *pathParser) take(token string) bool {
	before := p.pos
	p.space()
	if !strings.HasPrefix(p.text[p.pos:], token) {
		p.pos = before
		return false
	}
	p.pos += len(token)
	return true
}

func (p *pathParser) parse() (JSONPath, error) {
	if !p.take("$") {
		p.space()
		return nil, p.fail("found %s, expected $", describeAt(p.text, p.pos))
	}
	path := JSONPath{}
	for {
		var step PathStep
		var err error
		switch {
		case p.take("**"):
			step.Kind = PathDescend
			if p.space(); p.pos < len(p.text) && p.text[p.pos] == '*' {
				return nil, p.fail("found '*' after **")
			}
		case p.take("."):
			step, err = p.member()
		case p.take("["):
			step, err = p.element()
		default:
			p.space()
			if p.pos < len(p.text) {
				return nil, p.fail("found %s, expected '.', '[', ** or the end", describeAt(p.text, p.pos))
			}
			if n := len(path); n > 0 && path[n-1].Kind == PathDescend {
				return nil, p.fail("** can't be the last step")
			}
			return path, nil
		}
		if err != nil {
			return nil, err
		}
		path = append(path, step)
	}
}

// member reads the step behind a dot.
func (p *pathParser) member() (PathStep, error) {
	if p.take("*") {
		return PathStep{Kind: PathAnyMember}, nil
	}
	p.space()
	start := p.pos
	if start < len(p.text) && p.text[start] == '"' {
		end, _, err := scanString(p.text, start+1)
		if err != nil {
			p.pos = err.(*SyntaxError).Offset
			return PathStep{}, p.fail("%s", err.(*SyntaxError).Message)
		}
		p.pos = end
		return PathStep{Name: Value{raw: p.text[start:end]}.Str()}, nil
	}
	end := start
	for end < len(p.text) && strings.IndexByte(" \t\r\n.[*", p.text[end]) < 0 {
		end++
	}
	name := p.text[start:end]
	if strings.IndexByte(name, '\\') >= 0 {
		v, err := ParseValue([]byte(`"`+name+`"`), Limits{})
		if err != nil {
			return PathStep{}, p.fail("found an invalid escape in a name")
		}
		name = v.Str()
	}
	if !isIdentifier(name) {
		return PathStep{}, p.fail("found %s, expected a name, a quoted name or *", describeName(p.text, start, end))
	}
	p.pos = end
	return PathStep{Name: name}, nil
}

func describeName(text string, start, end int) string {
	if start == end {
		return describeAt(text, start)
	}
	return quoteForMessage(text[start:end])
}

// isIdentifier reports whether name is an identifier of ECMAScript, so that it
// needs no quotes.
func isIdentifier(name string) bool {
	for i, r := range name {
		switch {
		case r == '$', r == '_', unicode.IsLetter(r), unicode.Is(unicode.Nl, r):
		case i == 0:
			return false
		case unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc), r == '\u200c', r == '\u200d':
		default:
			return false
		}
	}
	return name != ""
}

// element reads the step behind an opening bracket.
func (p *pathParser) element() (step PathStep, err error) {
	if p.take("*") {
		step.Kind = PathAnyElement
	} else {
		step.Kind = PathElement
		if step.From, err = p.index(); err != nil {
			return step, err
		}
		before := p.pos
		if p.take("to") {
			if before == p.pos-len("to") || p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) < 0 {
				return step, p.fail("'to' needs white space around it")
			}
			step.Kind = PathRange
			if step.To, err = p.index(); err != nil {
				return step, err
			}
			from, to := step.From, step.To
			if from.FromEnd == to.FromEnd && (!from.FromEnd && from.N > to.N || from.FromEnd && from.N < to.N) {
				return step, p.fail("the range ends before it starts")
			}
		}
	}
	if !p.take("]") {
		p.space()
		return step, p.fail("found %s, expected ']'", describeAt(p.text, p.pos))
	}
	return step, nil
}

func (p *pathParser) index() (ArrayIndex, error) {
	if !p.take("last") {
		n, err := p.number()
		return ArrayIndex{N: n}, err
	}
	if !p.take("-") {
		return ArrayIndex{FromEnd: true}, nil
	}
	n, err := p.number()
	return ArrayIndex{N: n, FromEnd: true}, err
}

func (p *pathParser) number() (uint32, error) {
	p.space()
	end := p.pos
	for end < len(p.text) && isDigit(p.text[end]) {
		end++
	}
	if end == p.pos {
		return 0, p.fail("found %s, expected an index", describeAt(p.text, p.pos))
	}
	n, err := strconv.ParseUint(p.text[p.pos:end], 10, 32)
	if err != nil {
		return 0, p.fail("the index is too large")
	}
	p.pos = end
	return uint32(n), nil
}

// String spells the path; ParseJSONPath reads it back.
func (p JSONPath) String() string {
	dst := []byte{'$'}
	for _, s := range p {
		switch s.Kind {
		case PathMember:
			dst = appendPathName(append(dst, '.'), s.Name)
		case PathAnyMember:
			dst = append(dst, ".*"...)
		case PathElement:
			dst = append(s.From.append(append(dst, '[')), ']')
		case PathRange:
			dst = append(s.From.append(append(dst, '[')), " to "...)
			dst = append(s.To.append(dst), ']')
		case PathAnyElement:
			dst = append(dst, "[*]"...)
		case PathDescend:
			dst = append(dst, "**"...)
		}
	}
	return string(dst)
}

func (x ArrayIndex) append(dst []byte) []byte {
	if x.FromEnd {
		dst = append(dst, "last"...)
		if x.N == 0 {
			return dst
		}
		dst = append(dst, '-')
	}
	return strconv.AppendUint(dst, uint64(x.N), 10)
}

// appendPathName spells a name in a JSON path expression, quoted unless it is
// an identifier of ASCII letters, digits, '_' and '$'.
func appendPathName(dst []byte, name string) []byte {
	quote := name == "" || isDigit(name[0])
	for i := 0; i < len(name) && !quote; i++ {
		c := name[i]
		quote = !('a' <= c|0x20 && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$')
	}
	if quote {
		return appendQuoted(dst, name)
	}
	return append(dst, name...)
}

// Keypath returns the keypath that finds the same values as the path in every document; It
// returns false if there is none. That is so if the path is $ alone or has another step
// than .name and, once after a name, [*].
func (p JSONPath) Keypath() (Keypath, bool) {
	var k Keypath
	for i, s := range p {
		switch {
		case s.Kind == PathMember:
			k = append(k, Step{Name: s.Name})
		case s.Kind == PathAnyElement && i > 0 && p[i-1].Kind == PathMember:
			k[len(k)-1].Array = true
		default:
			return nil, false
		}
	}
	return k, len(k) > 0
}

// FindsMany reports whether the path can find more than one value in a
// document; JSON_EXTRACT then gives an array.
func (p JSONPath) FindsMany() bool {
	for _, s := range p {
		if s.Kind != PathMember && s.Kind != PathElement {
			return true
		}
	}
	return false
}
