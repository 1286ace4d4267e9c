package functions

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// jsonSearch computes JSON_SEARCH: the paths of the strings that match a pattern, everywhere or below some paths.
// Case and accents count, whatever the collation.
func jsonSearch(c *jsonCall) (interface{}, error) {
	for i, arg := range c.args {
		if arg == nil && i != 3 { // a NULL escape means the default
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
	pattern, err := value.TextOf(c.ctx, c.args[2])
	if err != nil {
		return nil, err
	}
	s := &jsonSearcher{pattern: pattern, escape: '\\', all: all, pace: hold.Pace{Ctx: c.ctx}}
	if len(c.args) > 3 && c.args[3] != nil {
		escape, err := value.TextOf(c.ctx, c.args[3])
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
	paths := []value.JSONPath{{}}
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
		p.EachAt(doc, "$", s.search)
	}
	switch {
	case s.pace.Err != nil:
		return nil, s.pace.Err
	case len(s.found) == 0:
		return nil, nil
	case len(s.found) == 1:
		return value.OwnJSON(value.AppendString(nil, s.found[0]))
	}
	text := []byte{'['}
	for i, path := range s.found {
		if i > 0 {
			text = append(text, ',')
		}
		text = value.AppendString(text, path)
	}
	return value.OwnJSON(append(text, ']'))
}

// errWrongArguments is MySQL's ER_WRONG_ARGUMENTS.
const errWrongArguments = 1210

// oneOrAll reads an argument that is 'one' or 'all'.
func (c *jsonCall) oneOrAll(i int) (all bool, err error) {
	mode, err := value.TextOf(c.ctx, c.args[i])
	if err != nil {
		return false, err
	}
	all = strings.EqualFold(mode, "all")
	if !all && !strings.EqualFold(mode, "one") {
		return false, mysql.NewSQLError(errJSONOneOrAll, "42000",
			"The oneOrAll argument to %s may take these values: 'one' or 'all'.", c.name)
	}
	return all, nil
}

// jsonSearcher collects the paths of the strings that match a pattern.
type jsonSearcher struct {
	pattern string
	escape  rune
	all     bool
	found   []string
	seen    map[string]bool
	pace    hold.Pace
}

// search looks at a value and all values below it; it returns false once enough is found.
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
			if !s.search(m, at+value.MemberLeg(name)) {
				return false
			}
		}
	}
	return true
}

// likeText reports whether text matches a pattern of LIKE: % matches any characters, _ one, and either itself after
// the escape character.
func likeText(pace *hold.Pace, text, pattern string, escape rune) bool {
	// After a %, everything up to it is settled: only the last one is tried again.
	backText, backPattern := -1, -1
	for i, j := 0, 0; pace.Step(); {
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
