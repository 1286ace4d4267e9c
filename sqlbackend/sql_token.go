package sqlbackend

import "strings"

// tokenKind is what a token of SQL text is.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenQuoted // `identifier`
	tokenString
	tokenNumber
	tokenSymbol
)

// sqlToken is a token of SQL text: text[start:end].
type sqlToken struct {
	kind       tokenKind
	start, end int
}

// is tells whether a token is a word, in any case, or a symbol.
func (t sqlToken) is(text, word string) bool {
	return (t.kind == tokenWord || t.kind == tokenSymbol) && strings.EqualFold(text[t.start:t.end], word)
}

// tokenize splits SQL text into tokens, without white space and comments. It
// understands what is needed to tell names, strings and operators apart, and
// never fails: what is unterminated ends with the text.
func tokenize(text string) []sqlToken {
	var out []sqlToken
	for pos := 0; ; {
		t := nextToken(text, pos)
		if t.kind == tokenEnd {
			return out
		}
		out = append(out, t)
		pos = t.end
	}
}

func nextToken(text string, pos int) sqlToken {
	pos = skipSpace(text, pos)
	if pos >= len(text) {
		return sqlToken{kind: tokenEnd, start: pos, end: pos}
	}
	t := sqlToken{kind: tokenSymbol, start: pos, end: pos + 1}
	switch c := text[pos]; {
	case c == '\'' || c == '"':
		t.kind, t.end = tokenString, quotedEnd(text, pos)
	case c == '`':
		t.kind, t.end = tokenQuoted, quotedEnd(text, pos)
	case isDigitByte(c):
		t.kind = tokenNumber
		for t.end < len(text) && (isNameByte(text[t.end]) || text[t.end] == '.' || (text[t.end] == '+' || text[t.end] == '-') && (text[t.end-1] == 'e' || text[t.end-1] == 'E') && isDecimalText(text[pos:t.end-1])) {
			if c := text[t.end]; c == '$' || c == '_' || c >= 0x80 {
				t.kind = tokenWord
			}
			t.end++
		}
	case isNameByte(c) || c == '@' || c == ':' && pos+1 < len(text) && isNameByte(text[pos+1]):
		t.kind = tokenWord
		for t.end < len(text) && (isNameByte(text[t.end]) || text[t.end] == '@' && text[t.end-1] == '@') {
			t.end++
		}
	case strings.HasPrefix(text[pos:], "->>"):
		t.end = pos + 3
	case strings.HasPrefix(text[pos:], "->"), strings.HasPrefix(text[pos:], "<="), strings.HasPrefix(text[pos:], ">="), strings.HasPrefix(text[pos:], "<>"), strings.HasPrefix(text[pos:], "!="), strings.HasPrefix(text[pos:], "||"), strings.HasPrefix(text[pos:], "&&"):
		t.end = pos + 2
	}
	return t
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

func isDecimalText(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == ""
}

func skipSpace(text string, pos int) int {
	for pos < len(text) {
		rest := text[pos:]
		switch {
		case strings.IndexByte(" \t\r\n\f\v", rest[0]) >= 0:
			pos++
		case strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*!"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return len(text)
			}
			pos += end + 4
		case rest[0] == '#', strings.HasPrefix(rest, "--") && (len(rest) == 2 || strings.IndexByte(" \t\r\n", rest[2]) >= 0):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(text)
			}
			pos += end + 1
		default:
			return pos
		}
	}
	return pos
}

// quotedEnd is the position behind a quoted string or name. Quotes are doubled
// inside; strings also escape with backslashes.
func quotedEnd(text string, pos int) int {
	quote := text[pos]
	for pos++; pos < len(text); pos++ {
		switch {
		case text[pos] == '\\' && quote != '`':
			pos++
		case text[pos] == quote:
			if pos+1 < len(text) && text[pos+1] == quote {
				pos++
				continue
			}
			return pos + 1
		}
	}
	return len(text)
}

// cutStatement splits the first statement from what follows its semicolon.
func cutStatement(text string) (first, rest string) {
	for pos := 0; ; {
		t := nextToken(text, pos)
		switch {
		case t.kind == tokenEnd:
			return text, ""
		case t.is(text, ";"):
			return text[:t.start], text[t.end:]
		}
		pos = t.end
	}
}

// unquotedName is the name that a token spells.
func unquotedName(text string, t sqlToken) (string, bool) {
	s := text[t.start:t.end]
	switch t.kind {
	case tokenWord:
		return s, !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, ":")
	case tokenQuoted:
		if len(s) < 2 {
			return "", false
		}
		return strings.ReplaceAll(s[1:len(s)-1], "``", "`"), true
	}
	return "", false
}
