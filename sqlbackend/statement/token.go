package statement

import (
	"fmt"
	"strings"
)

// tokenKind is the kind of a token of SQL text.
type tokenKind uint8

const (
	TokenEnd tokenKind = iota
	TokenWord
	TokenQuoted // `identifier`
	TokenString
	tokenNumber
	TokenSymbol
)

// Token is a token of SQL text: text[start:end].
type Token struct {
	Kind       tokenKind
	Start, End int
}

// Is reports whether a token is a word, in any case, or a symbol.
func (t Token) Is(text, word string) bool {
	return (t.Kind == TokenWord || t.Kind == TokenSymbol) && strings.EqualFold(text[t.Start:t.End], word)
}

// Tokenize splits SQL text into tokens, without white space and comments. It distinguishes
// names, strings and operators, and does not fail: an unterminated token ends with the
// text.
func Tokenize(text string) []Token {
	var out []Token
	for pos := 0; ; {
		t := NextToken(text, pos)
		if t.Kind == TokenEnd {
			return out
		}
		out = append(out, t)
		pos = t.End
	}
}

// CountWords is how many tokens a text has.
func CountWords(text string) (n int64) {
	for t := NextToken(text, 0); t.Kind != TokenEnd; t = NextToken(text, t.End) {
		n++
	}
	return n
}

// NextToken is the token at or behind a position.
func NextToken(text string, pos int) Token {
	pos = skipSpace(text, pos)
	if pos >= len(text) {
		return Token{Kind: TokenEnd, Start: pos, End: pos}
	}
	t := Token{Kind: TokenSymbol, Start: pos, End: pos + 1}
	switch c := text[pos]; {
	case c == '\'' || c == '"':
		t.Kind, t.End = TokenString, QuotedEnd(text, pos)
	case c == '`':
		t.Kind, t.End = TokenQuoted, QuotedEnd(text, pos)
	case IsDigitByte(c):
		t.Kind = tokenNumber
		for t.End < len(text) && (IsNameByte(text[t.End]) || text[t.End] == '.' ||
			(text[t.End] == '+' || text[t.End] == '-') && (text[t.End-1] == 'e' || text[t.End-1] == 'E') &&
				isDecimalText(text[pos:t.End-1])) {
			if c := text[t.End]; c == '$' || c == '_' || c >= 0x80 {
				t.Kind = TokenWord
			}
			t.End++
		}
	case IsNameByte(c) || c == '@' || c == ':' && pos+1 < len(text) && IsNameByte(text[pos+1]):
		t.Kind = TokenWord
		for t.End < len(text) && (IsNameByte(text[t.End]) || text[t.End] == '@' && text[t.End-1] == '@') {
			t.End++
		}
	case strings.HasPrefix(text[pos:], "->>"):
		t.End = pos + 3
	case strings.HasPrefix(text[pos:], "->"), strings.HasPrefix(text[pos:], "<="), strings.HasPrefix(text[pos:], ">="),
		strings.HasPrefix(text[pos:], "<>"), strings.HasPrefix(text[pos:], "!="), strings.HasPrefix(text[pos:], "||"),
		strings.HasPrefix(text[pos:], "&&"):
		t.End = pos + 2
	}
	return t
}

// IsDigitByte reports whether c is a decimal digit.
func IsDigitByte(c byte) bool { return c >= '0' && c <= '9' }

// PlainText changes a text so that the engine's parser reads it as MySQL would. That parser takes every `--` for the
// beginning of a comment; where it is two signs, a plus and a space replace them. It also passes over NUL bytes,
// which are an error here unless they end the text. The text keeps its length.
func PlainText(text string) (string, error) {
	end := len(strings.TrimRight(text, "\x00"))
	if strings.IndexByte(text[:end], 0) < 0 && !strings.Contains(text, "--") {
		return text, nil
	}
	var out []byte
	minus := -1 // the end of a minus that the next one may stand behind
	for t := NextToken(text, 0); t.Kind != TokenEnd; t = NextToken(text, t.End) {
		switch {
		case text[t.Start] == 0 && t.Start < end:
			return "", fmt.Errorf("syntax error at position %d near a NUL byte", t.Start+1)
		case !t.Is(text, "-"):
		case minus == t.Start:
			if out == nil {
				out = []byte(text)
			}
			out[t.Start-1], out[t.Start], minus = ' ', '+', -1
			continue
		default:
			minus = t.End
		}
	}
	if out == nil {
		return text, nil
	}
	return string(out), nil
}

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
		case rest[0] == '#', strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
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

// QuotedEnd is the position behind a quoted string or name. Quotes are doubled
// inside; strings also escape with backslashes.
func QuotedEnd(text string, pos int) int {
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

// Cut splits the first statement from the text behind its semicolon.
func Cut(text string) (first, rest string) {
	for pos := 0; ; {
		t := NextToken(text, pos)
		switch {
		case t.Kind == TokenEnd:
			return text, ""
		case t.Is(text, ";"):
			return text[:t.Start], text[t.End:]
		}
		pos = t.End
	}
}

// First is Cut for a text whose first statement certainly ends at the first semicolon. Excluded are definitions with
// statements within them, and comments that MySQL executes: for these it is the whole text.
func First(text string) (first, rest string) {
	first, rest = Cut(text)
	if rest != "" && (kindAt(text) == program || strings.Contains(first, "/*!")) {
		return text, ""
	}
	return first, rest
}

// UnquotedName is the name that a token spells.
func UnquotedName(text string, t Token) (string, bool) {
	s := text[t.Start:t.End]
	switch t.Kind {
	case TokenWord:
		return s, !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, ":")
	case TokenQuoted:
		if len(s) < 2 {
			return "", false
		}
		return strings.ReplaceAll(s[1:len(s)-1], "``", "`"), true
	}
	return "", false
}

// Holds reports whether a text holds a word in any case; word is in lower case. It spares the walk of a statement
// whose text lacks the word.
func Holds(text, word string) bool {
	return holdsAfter(text, word, word[0]) || 'a' <= word[0] && word[0] <= 'z' && holdsAfter(text, word, word[0]-'a'+'A')
}

// holdsAfter is holds of words that begin with that byte.
func holdsAfter(text, word string, first byte) bool {
	for {
		i := strings.IndexByte(text, first)
		if i < 0 || len(text)-i < len(word) {
			return false
		}
		if strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
		text = text[i+1:]
	}
}
