package statement

import (
	"strings"
	"unicode"
)

// Scanner reads words and names from the left of a statement.
type Scanner struct{ Rest string }

// Space skips spaces and comments.
func (s *Scanner) Space() {
	for {
		s.Rest = strings.TrimLeftFunc(s.Rest, unicode.IsSpace)
		if !strings.HasPrefix(s.Rest, "/*") {
			return
		}
		end := strings.Index(s.Rest, "*/")
		if end < 0 {
			return
		}
		s.Rest = s.Rest[end+2:]
	}
}

// Word skips a word, in either case; false, and nothing is skipped, where another one stands.
func (s *Scanner) Word(w string) bool {
	s.Space()
	if len(s.Rest) < len(w) || !strings.EqualFold(s.Rest[:len(w)], w) {
		return false
	}
	if len(s.Rest) > len(w) && IsNameByte(s.Rest[len(w)]) {
		return false
	}
	s.Rest = s.Rest[len(w):]
	return true
}

// Symbol skips a sign; false where another one stands.
func (s *Scanner) Symbol(c byte) bool {
	s.Space()
	if s.Rest == "" || s.Rest[0] != c {
		return false
	}
	s.Rest = s.Rest[1:]
	return true
}

// Name reads an identifier, quoted or not; "" when there is none.
func (s *Scanner) Name() string {
	s.Space()
	if strings.HasPrefix(s.Rest, "`") {
		var b strings.Builder
		for i := 1; i < len(s.Rest); i++ {
			if s.Rest[i] != '`' {
				b.WriteByte(s.Rest[i])
			} else if i+1 < len(s.Rest) && s.Rest[i+1] == '`' {
				b.WriteByte('`')
				i++
			} else {
				s.Rest = s.Rest[i+1:]
				return b.String()
			}
		}
		return ""
	}
	n := 0
	for n < len(s.Rest) && IsNameByte(s.Rest[n]) {
		n++
	}
	name := s.Rest[:n]
	s.Rest = s.Rest[n:]
	return name
}

// Done reports whether nothing is left but spaces and comments.
func (s *Scanner) Done() bool {
	s.Space()
	return s.Rest == ""
}

// Text reads a quoted string with MySQL's escapes.
func (s *Scanner) Text() (string, bool) {
	s.Space()
	if s.Rest == "" || (s.Rest[0] != '\'' && s.Rest[0] != '"') {
		return "", false
	}
	quote := s.Rest[0]
	var b strings.Builder
	for i := 1; i < len(s.Rest); i++ {
		switch c := s.Rest[i]; {
		case c == '\\' && i+1 < len(s.Rest):
			i++
			switch c = s.Rest[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '0':
				c = 0
			}
			b.WriteByte(c)
		case c == quote && i+1 < len(s.Rest) && s.Rest[i+1] == quote:
			i++
			b.WriteByte(quote)
		case c == quote:
			s.Rest = s.Rest[i+1:]
			return b.String(), true
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
