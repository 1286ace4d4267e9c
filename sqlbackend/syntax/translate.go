package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Translate rewrites MySQL syntax that the engine's parser refuses as syntax
// that it reads and that means the same. It reports whether it changed
// anything. The text may be any that has been refused.
func Translate(text string) (string, bool) {
	translated, _, ok := translate(text)
	return translated, ok
}

// translate is Translate that gives the replacements, too, unless the text has been changed otherwise as well.
func translate(text string) (string, Edits, bool) {
	tokens, changed := statement.Tokenize(text), false
	if inner, ok := versioned(text); ok {
		text, tokens, changed = inner, statement.Tokenize(inner), true
	}
	if len(tokens) == 0 {
		return "", nil, false
	}
	if shown, ok := translateShow(text, tokens); ok {
		return shown, nil, true
	}
	for _, rewrite := range []func(string, []statement.Token) (string, bool){translateStatement, translateExplain,
		translateIfIndex} {
		if other, ok := rewrite(text, tokens); ok {
			text, tokens, changed = other, statement.Tokenize(other), true
		}
	}
	var e Edits
	translateAssignments(text, tokens, &e)
	closing := closingTokens(text, tokens)
	translateOuter(text, tokens, closing, &e)
	translateEnclosed(text, tokens, closing, &e)
	for i, t := range tokens {
		switch {
		case ignoredModifier(text, tokens, i):
			e.Add(t.Start, t.End, "")
		case translateName(text, tokens, i, &e):
		case translateUnit(text, tokens, i, &e):
		case t.Is(text, "INTERVAL"), t.Is(text, "TEXT"), t.Is(text, "BLOB"), t.Is(text, "YEAR"):
			translateSized(text, tokens, i, closing, &e)
		case t.Is(text, "BINARY") && tokens[0].Is(text, "SET") && tokens[i-1].Is(text, "="):
			e.Add(t.Start, t.End, "'binary'") // a character set
		case comparison(text, tokens, i) > 0:
			translateChain(text, tokens, i, &e)
		case t.Is(text, "SUBSTRING"), t.Is(text, "SUBSTR"), t.Is(text, "MID"):
			translateSubstring(text, tokens, i, closing, &e)
		case t.Is(text, "{"):
			translateEscape(text, tokens, i, &e)
		case t.Is(text, "DEFAULT") && !tokens[0].Is(text, "CREATE") && !tokens[0].Is(text, "ALTER") && i+1 < len(tokens) &&
			tokens[i+1].Is(text, "("):
			e.Add(t.Start, t.End, DefaultOf)
		case t.Is(text, "MEMBER"):
			translateMemberOf(text, tokens, i, &e)
		case t.Is(text, "UNKNOWN") && i > 0 && (tokens[i-1].Is(text, "IS") || i > 1 && tokens[i-1].Is(text, "NOT") &&
			tokens[i-2].Is(text, "IS")):
			e.Add(t.Start, t.End, "NULL")
		case t.Is(text, "CONSTRAINT") && i+1 < len(tokens):
			if k := tokens[i+1]; k.Is(text, "PRIMARY") || k.Is(text, "UNIQUE") || k.Is(text, "FOREIGN") || k.Is(text, "CHECK") {
				e.Add(t.Start, t.End, "") // without a name
			}
		case t.Is(text, "AS"):
			translateGenerated(text, tokens, i, closing, &e)
		case t.Is(text, "KEY"), t.Is(text, "INDEX"), t.Is(text, "UNIQUE"):
			translateKey(text, tokens, i, closing, &e)
		case (t.Is(text, "CASCADE") || t.Is(text, "RESTRICT")) && dropsColumn(text, tokens[:i]):
			e.Add(t.Start, t.End, "") // as in MySQL, where it means nothing
		case t.Is(text, "ROLLUP") && i > 0 && tokens[i-1].Is(text, "WITH"):
			e.Add(tokens[i-1].Start, t.End, rollup.Marked)
		case t.Is(text, "RETURNING"):
			translateReturning(text, tokens, i, &e)
		case t.Is(text, "FOR"):
			translateLocking(text, tokens, i, &e)
		case t.Is(text, "USE"), t.Is(text, "FORCE"), t.Is(text, "IGNORE"):
			translateIndexHint(text, tokens, i, &e)
		case t.Is(text, "ANY"), t.Is(text, "SOME"), t.Is(text, "ALL"):
			translateQuantifier(text, tokens, i, closing, &e)
		case t.Is(text, "ROW"):
			translateRow(text, tokens, i, &e)
		case t.Is(text, "EXISTS"):
			translateExists(text, tokens, i, closing, &e)
		case t.Is(text, "FROM") && i > 2 && tokens[i-2].Is(text, "(") && tokens[i-3].Is(text, "TRIM"):
			if side := tokens[i-1]; side.Is(text, "LEADING") || side.Is(text, "TRAILING") || side.Is(text, "BOTH") {
				e.Add(t.Start, t.Start, "' ' ")
			}
		case t.Is(text, "INT") && i > 0 && (tokens[i-1].Is(text, "SIGNED") || tokens[i-1].Is(text, "UNSIGNED")):
			e.Add(t.Start, t.End, "INTEGER") // of a cast
		case t.Is(text, "DISTINCTROW"):
			e.Add(t.Start, t.End, "DISTINCT")
		case t.Is(text, "TABLES") && i > 0 && tokens[0].Is(text, "DROP"):
			e.Add(t.Start, t.End, "TABLE")
		case t.Kind == statement.TokenWord && strings.ContainsFunc(text[t.Start:t.End], func(r rune) bool {
			return r == '$' || r >= utf8.RuneSelf
		}):
			if name, ok := statement.UnquotedName(text, t); ok {
				e.Add(t.Start, t.End, "`"+name+"`")
			}
		}
	}
	if len(e) == 0 && !changed {
		return "", nil, false
	}
	if changed {
		return e.Apply(text), nil, true
	}
	return e.Apply(text), e, true
}

// dropsColumn reports whether a statement's tokens end with DROP [COLUMN] name of ALTER TABLE.
func dropsColumn(text string, tokens []statement.Token) bool {
	n := len(tokens)
	return n > 4 && tokens[0].Is(text, "ALTER") && (tokens[n-2].Is(text, "DROP") ||
		tokens[n-2].Is(text, "COLUMN") && tokens[n-3].Is(text, "DROP"))
}

// versioned is the statement in a comment that only servers of some version read, if the text is one such comment.
func versioned(text string) (string, bool) {
	inner, begins := strings.CutPrefix(strings.TrimSpace(text), "/*!")
	inner, ends := strings.CutSuffix(inner, "*/")
	return strings.TrimLeft(inner, "0123456789"), begins && ends && !strings.Contains(inner, "*/")
}

// translateLocking makes FOR UPDATE of FOR SHARE, and of both with OF tables, NOWAIT
// or SKIP LOCKED: there are no locks that they could wait for.
func translateLocking(text string, tokens []statement.Token, i int, e *Edits) {
	if i+1 >= len(tokens) || !tokens[i+1].Is(text, "UPDATE") && !tokens[i+1].Is(text, "SHARE") {
		return
	}
	end := i + 1
	if end+1 < len(tokens) && tokens[end+1].Is(text, "OF") {
		for end += 2; end+2 < len(tokens) && (tokens[end+1].Is(text, ".") || tokens[end+1].Is(text, ",")); {
			end += 2
		}
	}
	switch {
	case end+1 < len(tokens) && tokens[end+1].Is(text, "NOWAIT"):
		end++
	case end+2 < len(tokens) && tokens[end+1].Is(text, "SKIP") && tokens[end+2].Is(text, "LOCKED"):
		end += 2
	}
	if end < len(tokens) {
		e.Add(tokens[i].Start, tokens[end].End, "FOR UPDATE")
	}
}

// DefaultOf is the name of a function that stands for DEFAULT(column), which the engine's parser reads alone.
const DefaultOf = "sqlfdb_default_of"

// replacement replaces text[start:end].
type replacement struct {
	start, end int
	with       string
}

type Edits []replacement

// Add replaces a part of the text.
func (e *Edits) Add(start, end int, with string) { *e = append(*e, replacement{start, end, with}) }

// Apply makes all replacements; those at one place keep their order.
func (e Edits) Apply(text string) string {
	var b strings.Builder
	pos := 0
	for _, r := range e.ordered() {
		b.WriteString(text[pos:r.start])
		b.WriteString(r.with)
		pos = r.end
	}
	b.WriteString(text[pos:])
	return b.String()
}

// translateIndexHint makes USE INDEX (`PRIMARY`) of USE KEY (PRIMARY).
func translateIndexHint(text string, tokens []statement.Token, i int, e *Edits) {
	if i+2 >= len(tokens) || !tokens[i+1].Is(text, "INDEX") && !tokens[i+1].Is(text, "KEY") || !tokens[i+2].Is(text, "(") {
		return
	}
	if tokens[i+1].Is(text, "KEY") {
		e.Add(tokens[i+1].Start, tokens[i+1].End, "INDEX")
	}
	for _, t := range tokens[i+3:] {
		if t.Is(text, ")") {
			return
		}
		if t.Is(text, "PRIMARY") {
			e.Add(t.Start, t.End, "`PRIMARY`")
		}
	}
}

// translateMemberOf makes member_of(value, array) of value MEMBER OF (array).
func translateMemberOf(text string, tokens []statement.Token, i int, e *Edits) {
	open := i + 1
	if open < len(tokens) && tokens[open].Is(text, "OF") {
		open++
	}
	if open >= len(tokens) || !tokens[open].Is(text, "(") {
		return
	}
	first, ok := wholeOperandStart(text, tokens, i-1) // arithmetic binds more tightly than MEMBER OF
	if !ok {
		return
	}
	e.Add(tokens[first].Start, tokens[first].Start, "member_of(")
	e.Add(tokens[i].Start, tokens[open].End, ",")
}

// arithmetic is how many tokens the arithmetic or bit operator has that ends at a
// token, 0 if there is none.
func arithmetic(text string, tokens []statement.Token, i int) int {
	if i < 1 {
		return 0
	}
	switch word := strings.ToUpper(text[tokens[i].Start:tokens[i].End]); word {
	case "+", "-", "*", "/", "%", "|", "&", "^", "DIV", "MOD":
		return 1
	case "<", ">":
		if tokens[i-1].Is(text, word) && tokens[i-1].End == tokens[i].Start {
			return 2
		}
	}
	return 0
}

// operandStart is the first token of the operand that ends at a token: a name
// with its qualifiers and paths, a literal, a call, or parentheses.
func operandStart(text string, tokens []statement.Token, i int) (int, bool) {
	for i >= 0 {
		t := tokens[i]
		switch {
		case t.Is(text, ")"):
			depth := 0
			for ; i >= 0; i-- {
				if tokens[i].Is(text, ")") {
					depth++
				} else if tokens[i].Is(text, "(") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if i < 0 {
				return 0, false
			}
			// A word before it is a function's name, unless it is an operator.
			if i > 0 && tokens[i-1].Kind == statement.TokenWord && !operatorWord(text[tokens[i-1].Start:tokens[i-1].End]) {
				i--
			}
		case t.Kind == statement.TokenSymbol && !t.Is(text, "?"):
			return 0, false
		case t.Kind == statement.TokenString && i > 0 && tokens[i-1].Kind == statement.TokenWord &&
			statement.Introduces(text[tokens[i-1].Start:tokens[i-1].End]):
			i--
		}
		if i >= 2 && tokens[i-1].Is(text, "COLLATE") {
			i -= 2
			continue
		}
		if i >= 2 && (tokens[i-1].Is(text, ".") || tokens[i-1].Is(text, "->") || tokens[i-1].Is(text, "->>")) {
			i -= 2
			continue
		}
		if i >= 1 && (tokens[i-1].Is(text, "-") || tokens[i-1].Is(text, "+") || tokens[i-1].Is(text, "~")) &&
			(i == 1 || tokens[i-2].Kind == statement.TokenSymbol && !tokens[i-2].Is(text, ")") ||
				tokens[i-2].Kind == statement.TokenWord && operatorWord(text[tokens[i-2].Start:tokens[i-2].End])) {
			i-- // a sign
		}
		return i, true
	}
	return 0, false
}

// operatorWord reports whether a word before parentheses is no function's name.
func operatorWord(word string) bool {
	switch strings.ToUpper(word) {
	case "AND", "OR", "XOR", "NOT", "IN", "WHERE", "ON", "HAVING", "SELECT", "WHEN", "THEN", "ELSE", "CASE", "BY",
		"BETWEEN", "LIKE", "IS", "SET", "VALUES", "USING", "AS", "DIV", "MOD", "DISTINCT", "DISTINCTROW", "ALL", "RETURN",
		"ROW":
		return true
	}
	return false
}

// translateReturning makes JSON_VALUE(doc, path, 'type') of JSON_VALUE(doc, path
// RETURNING type NULL ON EMPTY NULL ON ERROR), or json_value_as(doc, path, CAST(NULL
// AS type)) of types with a size, which the engine's plan builder does not know there.
func translateReturning(text string, tokens []statement.Token, i int, e *Edits) {
	depth, call := 0, -1
	for j := i - 1; j >= 0; j-- {
		if tokens[j].Is(text, ")") {
			depth++
		} else if tokens[j].Is(text, "(") {
			if depth--; depth < 0 {
				call = j - 1
				break
			}
		}
	}
	if call < 0 || !tokens[call].Is(text, "JSON_VALUE") {
		return
	}
	depth = 0
	end, typeEnd := -1, -1
	for j := i + 1; j < len(tokens); j++ {
		t := tokens[j]
		switch {
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			if depth--; depth < 0 {
				end = j
			}
		case depth == 0 && typeEnd < 0 && (t.Is(text, "NULL") || t.Is(text, "ERROR") || t.Is(text, "DEFAULT")):
			typeEnd = j
		}
		if end >= 0 {
			break
		}
	}
	if typeEnd < 0 {
		typeEnd = end
	}
	if end < 0 || typeEnd <= i+1 {
		return
	}
	if !nullOtherwise(text, tokens[typeEnd:end]) {
		return // DEFAULT and ERROR are refused rather than left out
	}
	written := text[tokens[i+1].Start:tokens[typeEnd-1].End]
	kind := strings.ToLower(written)
	if strings.HasSuffix(kind, ")") {
		e.Add(tokens[call].Start, tokens[call].End, "json_value_as")
		e.Add(tokens[i].Start, tokens[end].Start, ", CAST(NULL AS "+written+")")
		return
	}
	if tokens[i+1].Is(text, "UNSIGNED") {
		kind = "unsigned"
	} else if tokens[i+1].Is(text, "SIGNED") {
		kind = "signed"
	}
	e.Add(tokens[i].Start, tokens[end].Start, ", '"+kind+"'")
}

// nullOtherwise reports whether the tokens are NULL ON EMPTY and NULL ON ERROR,
// what JSON_VALUE does anyway.
func nullOtherwise(text string, tokens []statement.Token) bool {
	for ; len(tokens) > 0; tokens = tokens[3:] {
		if len(tokens) < 3 || !tokens[0].Is(text, "NULL") || !tokens[1].Is(text, "ON") || !tokens[2].Is(text, "EMPTY") &&
			!tokens[2].Is(text, "ERROR") {
			return false
		}
	}
	return true
}
