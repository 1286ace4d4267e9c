package statement

import "strings"

// Dialect is how a session's SQL mode reads statements otherwise than by default.
type Dialect struct {
	Quotes    bool // ANSI_QUOTES: "a" is a name
	Pipes     bool // PIPES_AS_CONCAT: a || b are texts together
	Backslash bool // NO_BACKSLASH_ESCAPES: \ in a string is itself
	HighNot   bool // HIGH_NOT_PRECEDENCE: NOT binds as ! does
}

// The replacements of || in the text of a statement, which PipesAgain finds again.
const (
	pipesOpen  = "CONCAT/*||*/("
	pipesComma = "/*||*/,"
	pipesClose = "/*||*/)"
)

// maxRespelled bounds the tokens of a statement whose || or NOT is to be respelled: they are held, before anything of
// the statement is counted.
const maxRespelled = 1 << 18

// Plain is the text with its first statement in the default SQL mode's spelling; the text behind its semicolon stays.
func (d Dialect) Plain(text string) (string, error) {
	if d == (Dialect{}) {
		return text, nil
	}
	text, length := d.plainQuotes(text)
	first, rest := text[:length], text[length:]
	count, respelled := 0, false
	for t := NextToken(first, 0); t.Kind != TokenEnd && (d.Pipes || d.HighNot); t = NextToken(first, t.End) {
		count++
		respelled = respelled || d.Pipes && t.Is(first, "||") || d.HighNot && t.Is(first, "NOT")
	}
	switch {
	case !respelled:
		return text, nil
	case count > maxRespelled:
		return "", TooComplex("words in a statement with || or NOT that the SQL mode reads otherwise", maxRespelled)
	}
	tokens := Tokenize(first)
	var out strings.Builder
	pos := 0
	put := func(end int, with string, next int) {
		out.WriteString(first[pos:end])
		out.WriteString(with)
		pos = next
	}
	defines := len(tokens) > 0 && (tokens[0].Is(first, "CREATE") || tokens[0].Is(first, "ALTER"))
	opens, closes := map[int]int{}, map[int]bool{}
	if d.Pipes {
		opens, closes = pipes(first, tokens)
	}
	for i, t := range tokens {
		for range opens[i] {
			put(t.Start, pipesOpen, t.Start)
		}
		switch {
		case d.Pipes && t.Is(first, "||"):
			put(t.Start, pipesComma, t.End)
		case d.HighNot && t.Is(first, "NOT") && prefixNot(first, tokens, i):
			put(t.Start, "!", t.End)
		}
		if closes[i] {
			put(t.End, pipesClose, t.End)
		}
	}
	out.WriteString(first[pos:])
	plain := out.String()
	if defines { // the text of a view is shown
		plain = strings.ReplaceAll(plain, "/*||*/", "")
	}
	return plain + rest, nil
}

// PipesAgain restores the || in a part of Plain's result.
func PipesAgain(text string) string {
	if !strings.Contains(text, "/*||*/") {
		return text
	}
	return strings.NewReplacer(pipesOpen, "", pipesComma, "||", pipesClose, "").Replace(text)
}

// plainQuotes spells names and strings of a text's first statement as by default, and returns where it ends.
func (d Dialect) plainQuotes(text string) (plain string, length int) {
	var out strings.Builder
	pos, like := 0, false
	for {
		t := NextToken(text, pos)
		out.WriteString(text[pos:t.Start])
		if t.Kind == TokenEnd || t.Is(text, ";") {
			return out.String() + text[t.Start:], out.Len()
		}
		written := text[t.Start:t.End]
		if t.Kind == TokenString {
			name := d.Quotes && text[t.Start] == '"'
			if d.Backslash || name {
				t.End = unescapedEnd(text, t.Start)
				written = text[t.Start:t.End]
			}
			switch {
			case name:
				within := strings.ReplaceAll(strings.TrimSuffix(written[1:], `"`), `""`, `"`)
				written = "`" + strings.ReplaceAll(within, "`", "``") + "`"
			case d.Backslash:
				escaped := `\\`
				if like && !NextToken(text, t.End).Is(text, "ESCAPE") {
					escaped = `\\\\` // a pattern without an escape character
				}
				written = strings.ReplaceAll(written, `\`, escaped)
			}
		}
		out.WriteString(written)
		pos, like = t.End, t.Is(text, "LIKE")
	}
}

// unescapedEnd is the position behind a quoted text in which a backslash is itself.
func unescapedEnd(text string, pos int) int {
	quote := text[pos]
	for pos++; pos < len(text); pos++ {
		if text[pos] == quote {
			if pos+1 == len(text) || text[pos+1] != quote {
				return pos + 1
			}
			pos++
		}
	}
	return len(text)
}

// prefixNot reports whether a NOT is the operator before an operand that ! may take its place for.
func prefixNot(text string, tokens []Token, i int) bool {
	if i+1 >= len(tokens) || tokens[i+1].Is(text, "EXISTS") || tokens[i+1].Is(text, "NULL") {
		return false
	}
	return i > 0 && !endsOperand(text, tokens[i-1]) && !tokens[i-1].Is(text, "IS") && !tokens[i-1].Is(text, "IF")
}

// pipes are the tokens before which operands of || begin, with how many, and the tokens behind which they end. A
// chain of || is one call.
func pipes(text string, tokens []Token) (opens map[int]int, closes map[int]bool) {
	opens, closes = map[int]int{}, map[int]bool{}
	match := parentheses(text, tokens)
	for i, t := range tokens {
		if !t.Is(text, "||") || i == 0 || i+1 == len(tokens) {
			continue
		}
		if closes[i-1] { // the chain goes on
			delete(closes, i-1)
		} else {
			opens[operandBegin(text, tokens, match, i-1)]++
		}
		closes[operandFinish(text, tokens, match, i+1)] = true
	}
	return opens, closes
}

// parentheses returns where the other one is of each parenthesis, and the END of each CASE.
func parentheses(text string, tokens []Token) map[int]int {
	match := map[int]int{}
	var open []int
	for i, t := range tokens {
		switch {
		case t.Is(text, "("), t.Is(text, "CASE"):
			open = append(open, i)
		case t.Is(text, ")"), t.Is(text, "END"):
			if len(open) > 0 {
				last := open[len(open)-1]
				open, match[i], match[last] = open[:len(open)-1], last, i
			}
		}
	}
	return match
}

// operandBegin is the first token of the operand that ends at a token.
func operandBegin(text string, tokens []Token, match map[int]int, i int) int {
	for {
		if other, ok := match[i]; ok && other < i {
			i = other
			if i > 0 && tokens[i].Is(text, "(") && tokens[i-1].Kind == TokenWord && endsOperand(text,
				tokens[i-1]) {
				i-- // a call
			}
		}
		if i < 2 || !tokens[i-1].Is(text, ".") && !tokens[i-1].Is(text, "->") && !tokens[i-1].Is(text,
			"->>") && !tokens[i-1].Is(text, "COLLATE") {
			break
		}
		i -= 2
	}
	if i > 0 && tokens[i].Kind == TokenString && tokens[i-1].Kind == TokenWord &&
		Introduces(text[tokens[i-1].Start:tokens[i-1].End]) {
		i--
	}
	for i > 0 && (tokens[i-1].Is(text, "-") || tokens[i-1].Is(text, "+") || tokens[i-1].Is(text, "~") ||
		tokens[i-1].Is(text, "!")) && (i == 1 || !endsOperand(text, tokens[i-2])) {
		i--
	}
	return i
}

// operandFinish is the last token of the operand that begins at a token.
func operandFinish(text string, tokens []Token, match map[int]int, i int) int {
	last := len(tokens) - 1
	for i < last && (tokens[i].Is(text, "-") || tokens[i].Is(text, "+") || tokens[i].Is(text, "~") ||
		tokens[i].Is(text, "!")) {
		i++
	}
	if i < last && tokens[i].Kind == TokenWord && tokens[i+1].Kind == TokenString &&
		Introduces(text[tokens[i].Start:tokens[i].End]) {
		i++
	}
	for {
		switch {
		case match[i] > i:
			i = match[i]
		case i+1 < last && (tokens[i+1].Is(text, ".") || tokens[i+1].Is(text, "->") || tokens[i+1].Is(text,
			"->>") || tokens[i+1].Is(text, "COLLATE")):
			i += 2
		case i < last && tokens[i+1].Is(text, "(") && tokens[i].Kind == TokenWord && match[i+1] > i:
			i = match[i+1]
		default:
			return i
		}
	}
}

// Introduces reports whether a word belongs to the string behind it.
func Introduces(word string) bool {
	switch strings.ToUpper(word) {
	case "DATE", "TIME", "TIMESTAMP", "BINARY", "N", "X", "B":
		return true
	}
	return strings.HasPrefix(word, "_")
}

// endsOperand reports whether an operand may end at a token.
func endsOperand(text string, t Token) bool {
	switch t.Kind {
	case TokenSymbol:
		return t.Is(text, ")") || t.Is(text, "?")
	case TokenWord:
		switch strings.ToUpper(text[t.Start:t.End]) {
		case "AND", "OR", "XOR", "NOT", "IN", "WHERE", "ON", "HAVING", "SELECT", "WHEN", "THEN", "ELSE",
			"CASE", "BY", "BETWEEN", "LIKE", "REGEXP", "RLIKE", "IS", "SET", "VALUES",
			"USING", "AS", "DIV", "MOD", "DISTINCT", "DISTINCTROW", "ALL", "RETURN", "ROW", "INTERVAL",
			"BINARY", "ESCAPE", "LIMIT", "OFFSET", "UNION", "CHECK", "DEFAULT":
			return false
		}
	}
	return true
}
