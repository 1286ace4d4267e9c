package regexps

import (
	"regexp"
	"regexp/syntax"
	"strings"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// Most patterns mean the same to ICU and to Go's regexp on texts of plain ASCII, where Go's needs a twentieth of the
// time: ICU's library runs in a sandbox, and has a copy of each text. What follows knows such patterns and texts; all
// else is ICU's.

const (
	plainPattern = 256      // the longest pattern that is looked at
	plainText    = 64 << 10 // the longest text: nothing ends a search in it
	flatText     = 2 << 10  // the longest one that several matches are looked for in: each may read all of it
	plainSteps   = 500      // instructions of a compiled pattern
	plainTimes   = 100      // of {n,m}
)

// plain is a pattern that Go's regexp matches as ICU does.
type plain struct {
	*regexp.Regexp
	// flat says that the matches are in the same places too: the pattern has no parts in parentheses and no match is
	// empty.
	flat bool
}

// plainOf returns such a pattern; nil where it may mean something else to ICU.
func plainOf(pattern string, flags regex.RegexFlags) *plain {
	if len(pattern) > plainPattern || flags&^regex.RegexFlags_Case_Insensitive != 0 {
		return nil
	}
	p := patternReader{rest: pattern, folds: flags != 0}
	if !p.read() {
		return nil
	}
	if p.folds {
		pattern = "(?i)" + pattern
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > plainSteps {
		return nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return &plain{Regexp: re, flat: !p.grouped && !p.bounded && !re.MatchString("")}
}

// takes reports whether a text is one that the pattern is matched with as ICU does: short, and of printable characters
// of ASCII, none of which ends a line or folds to another alphabet's.
func (p *plain) takes(text string) bool {
	if p == nil || len(text) > plainText {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// takesAll reports whether all matches in a text are where ICU finds them.
func (p *plain) takesAll(text string) bool {
	return p != nil && p.flat && len(text) <= flatText && p.takes(text)
}

// replaced returns a text with all matches replaced; the result may be longer than a packet.
func (p *plain) replaced(ctx *sql.Context, text, by string) (any, error) {
	matches := p.FindAllStringIndex(text, -1)
	if len(matches) == 0 {
		return text, nil
	}
	if bytes := float64(len(text)) + float64(len(by))*float64(len(matches)); bytes > functions.ShortestPacket {
		if over, err := functions.ExceedsPacket(ctx, "regexp_replace", bytes); over || err != nil {
			return nil, err
		}
	}
	var out strings.Builder
	at := 0
	for _, found := range matches {
		out.WriteString(text[at:found[0]])
		out.WriteString(by)
		at = found[1]
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

// patternReader reads a pattern as far as it means the same to both.
type patternReader struct {
	rest    string
	folds   bool
	grouped bool
	bounded bool // has \b, which is empty
}

// read reports whether the whole pattern does.
func (p *patternReader) read() bool {
	quantified := true // nothing to repeat yet
	for p.rest != "" {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c < ' ' || c > '~':
			return false
		case c == '\\':
			if !p.escaped() {
				return false
			}
			quantified = p.bounded && quantified
		case c == '[':
			if !p.class() {
				return false
			}
			quantified = false
		case c == '(':
			p.grouped = true
			if strings.HasPrefix(p.rest, "?") {
				if !strings.HasPrefix(p.rest, "?:") {
					return false
				}
				p.rest = p.rest[2:]
			}
			quantified = true
		case c == '*' || c == '+' || c == '?' || c == '{':
			if quantified || c == '{' && !p.times() {
				return false
			}
			p.rest = strings.TrimPrefix(p.rest, "?")
			quantified = true // ICU has possessive ones, Go has none
		case c == '^' || c == '$' || c == '|':
			quantified = true
		case c == ')':
			quantified = false
		case c == ']' || c == '}':
			return false
		default:
			quantified = false
		}
	}
	return true
}

// escaped reads what is behind a backslash.
func (p *patternReader) escaped() bool {
	if p.rest == "" {
		return false
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	switch c {
	case 'd', 'w', 's', 'D', 'W', 'S':
		return true
	case 'b', 'B':
		p.bounded = true
		return !strings.HasPrefix(p.rest, "*") && !strings.HasPrefix(p.rest, "+") && !strings.HasPrefix(p.rest, "?") &&
			!strings.HasPrefix(p.rest, "{")
	}
	return strings.IndexByte(`.*+?()[]{}|^$\/-_ ,:;'"@#%&!<>=~`, c) >= 0 && c != '_' && c != '<' && c != '>'
}

// times reads {n}, {n,} or {n,m}.
func (p *patternReader) times() bool {
	inside, rest, ok := strings.Cut(p.rest, "}")
	if !ok {
		return false
	}
	from, to, open := strings.Cut(inside, ",")
	least, ok := small(from)
	if !ok {
		return false
	}
	if open && to != "" {
		if most, ok := small(to); !ok || most < least {
			return false
		}
	}
	p.rest = rest
	return true
}

// small returns a number of at most plainTimes.
func small(digits string) (n int, ok bool) {
	if digits == "" || len(digits) > 3 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n <= plainTimes
}

// class reads a class of characters behind its bracket: characters and ranges, without classes in it.
func (p *patternReader) class() bool {
	negated := strings.HasPrefix(p.rest, "^")
	if negated {
		p.rest = p.rest[1:]
	}
	if strings.HasPrefix(p.rest, ":") {
		return false // [:alpha:] means something to ICU, also without the outer brackets
	}
	for first := true; p.rest != ""; first = false {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == ']':
			return !first
		case c == '\\':
			if p.rest == "" || strings.IndexByte(`dws.*+?()[]{}|^$\/-`, p.rest[0]) < 0 {
				return false
			}
			p.rest = p.rest[1:]
		case c == '-':
			if !first && !strings.HasPrefix(p.rest, "]") {
				return false
			}
		case !alnum(c) && strings.IndexByte(` .,:;_/@%+*=!?"'()<>`, c) < 0 || negated && p.folds:
			return false
		case strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]"):
			if len(p.rest) < 2 || !alnum(c) || !alnum(p.rest[1]) || p.rest[1] < c {
				return false
			}
			p.rest = p.rest[2:]
			if strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]") {
				return false
			}
		}
	}
	return false
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
