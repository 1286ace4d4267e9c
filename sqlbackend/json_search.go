package sqlbackend

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
)

// jsonSearch is JSON_SEARCH: the paths of the strings that are like a pattern,
// everywhere or below some paths. Case and accents count, whatever the collation.
func jsonSearch(c *jsonCall) (interface{}, error) {
	for i, arg := range c.args {
		if arg == nil && i != 3 { // a NULL escape is the default
			return nil, nil
		}
	}
	doc, err := c.document(0)
	if err != nil {
		return nil, err
	}
	all, err := c.oneOrAll(1)
	if err != nil {
		return nil, err
	}
	pattern, err := textOf(c.ctx, c.args[2])
	if err != nil {
		return nil, err
	}
	s := &jsonSearcher{pattern: pattern, escape: '\\', all: all, pace: pace{ctx: c.ctx}}
	if len(c.args) > 3 && c.args[3] != nil {
		escape, err := textOf(c.ctx, c.args[3])
		if err != nil {
			return nil, err
		}
		switch utf8.RuneCountInString(escape) {
		case 0:
		case 1:
			s.escape, _ = utf8.DecodeRuneInString(escape)
		default:
			return nil, mysql.NewSQLError(errWrongArguments, "HY000", "Incorrect arguments to ESCAPE")
		}
	}
	paths := []jsonPath{{}}
	if len(c.args) > 4 {
		paths = nil
	}
	for i := 4; i < len(c.args); i++ {
		p, err := c.path(i)
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	for _, p := range paths {
		p.eachAt(doc, "$", s.search)
	}
	switch {
	case s.pace.err != nil:
		return nil, s.pace.err
	case len(s.found) == 0:
		return nil, nil
	case len(s.found) == 1:
		return ownJSON(appendString(nil, s.found[0]))
	}
	text := []byte{'['}
	for i, path := range s.found {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendString(text, path)
	}
	return ownJSON(append(text, ']'))
}

// errWrongArguments is MySQL's ER_WRONG_ARGUMENTS.
const errWrongArguments = 1210

// oneOrAll is an argument that is 'one' or 'all'.
func (c *jsonCall) oneOrAll(i int) (all bool, err error) {
	mode, err := textOf(c.ctx, c.args[i])
	if err != nil {
		return false, err
	}
	all = strings.EqualFold(mode, "all")
	if !all && !strings.EqualFold(mode, "one") {
		return false, mysql.NewSQLError(errJSONOneOrAll, "42000", "The oneOrAll argument to %s may take these values: 'one' or 'all'.", c.name)
	}
	return all, nil
}

// jsonSearcher collects the paths of the strings that are like a pattern.
type jsonSearcher struct {
	pattern string
	escape  rune
	all     bool
	found   []string
	seen    map[string]bool
	pace    pace
}

// search looks at a value and all below it; it is false once enough is found.
func (s *jsonSearcher) search(v document.Value, at string) bool {
	switch v.Type() {
	case document.TypeString:
		if s.seen[at] || !likeText(&s.pace, v.Str(), s.pattern, s.escape) {
			return true
		}
		if s.seen == nil {
			s.seen = map[string]bool{}
		}
		s.seen[at] = true
		s.found = append(s.found, at)
		return s.all
	case document.TypeArray:
		for i, e := range v.Elements() {
			if !s.search(e, fmt.Sprintf("%s[%d]", at, i)) {
				return false
			}
		}
	case document.TypeObject:
		for name, m := range v.Members() {
			if !s.search(m, at+memberLeg(name)) {
				return false
			}
		}
	}
	return true
}

// memberLeg is the step of a path to a member.
func memberLeg(name string) string {
	return strings.TrimPrefix(document.Keypath{{Name: name}}.JSONPath(), "$")
}

// eachAt is each with the path of every value: one without wildcards.
func (p jsonPath) eachAt(v document.Value, at string, yield func(document.Value, string) bool) bool {
	if len(p) == 0 {
		return yield(v, at)
	}
	leg, rest := p[0], p[1:]
	descend := leg.kind == legDescendants
	if descend && !rest.eachAt(v, at, yield) {
		return false
	}
	if v.Type() == document.TypeObject && (descend || leg.kind == legMember || leg.kind == legAnyMember) {
		for name, m := range v.Members() {
			next := rest
			switch {
			case descend:
				next = p
			case leg.kind == legMember && name != leg.name:
				continue
			}
			if !next.eachAt(m, at+memberLeg(name), yield) {
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
	switch leg.kind {
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
		return from != 0 || to < 0 || rest.eachAt(v, at, yield)
	}
	for i, e := range v.Elements() {
		if i >= from && i <= to && !next.eachAt(e, fmt.Sprintf("%s[%d]", at, i), yield) {
			return false
		}
	}
	return true
}

// likeText reports whether text is like a pattern of LIKE: % stands for any
// characters, _ for one, and either for itself behind the escape character.
func likeText(pace *pace, text, pattern string, escape rune) bool {
	// After a %, everything up to it is settled: only the last one is tried again.
	backText, backPattern := -1, -1
	for i, j := 0, 0; pace.on(); {
		r, size := utf8.DecodeRuneInString(text[i:])
		p, step := utf8.DecodeRuneInString(pattern[j:])
		switch {
		case j < len(pattern) && p == '%' && p != escape:
			j += step
			backText, backPattern = i, j
			continue
		case i == len(text):
			return j == len(pattern)
		case j < len(pattern):
			matches := p == '_' || p == r
			if p == escape && j+step < len(pattern) {
				next, n := utf8.DecodeRuneInString(pattern[j+step:])
				step, matches = step+n, next == r
			}
			if matches {
				i, j = i+size, j+step
				continue
			}
		}
		if backText < 0 {
			return false
		}
		_, size = utf8.DecodeRuneInString(text[backText:])
		backText += size
		i, j = backText, backPattern
	}
	return false
}
