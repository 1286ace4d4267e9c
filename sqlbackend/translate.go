package sqlbackend

import "strings"

// translate rewrites MySQL syntax that the engine's parser refuses as syntax
// that it reads and that means the same. It reports whether it changed
// anything. The text may be any that has been refused.
func translate(text string) (string, bool) {
	tokens := tokenize(text)
	if len(tokens) == 0 {
		return "", false
	}
	if shown, ok := translateShow(text, tokens); ok {
		return shown, true
	}
	changed := false
	for _, rewrite := range []func(string, []sqlToken) (string, bool){translateStatement, translateExplain} {
		if other, ok := rewrite(text, tokens); ok {
			text, tokens, changed = other, tokenize(other), true
		}
	}
	var e edits
	for i, t := range tokens {
		switch {
		case translateName(text, tokens, i, &e):
		case translateUnit(text, tokens, i, &e):
		case t.is(text, "MEMBER"):
			translateMemberOf(text, tokens, i, &e)
		case t.is(text, "UNKNOWN") && i > 0 && (tokens[i-1].is(text, "IS") || i > 1 && tokens[i-1].is(text, "NOT") && tokens[i-2].is(text, "IS")):
			e.add(t.start, t.end, "NULL")
		case t.is(text, "RETURNING"):
			translateReturning(text, tokens, i, &e)
		case t.is(text, "FOR"):
			translateLocking(text, tokens, i, &e)
		case t.is(text, "USE"), t.is(text, "FORCE"), t.is(text, "IGNORE"):
			translateIndexHint(text, tokens, i, &e)
		case t.is(text, "ANY"), t.is(text, "SOME"), t.is(text, "ALL"):
			translateQuantifier(text, tokens, i, &e)
		case t.kind == tokenWord && strings.ContainsRune(text[t.start:t.end], '$'):
			if name, ok := unquotedName(text, t); ok {
				e.add(t.start, t.end, "`"+name+"`")
			}
		}
	}
	if len(e) == 0 && !changed {
		return "", false
	}
	return e.apply(text), true
}

// translateLocking makes FOR UPDATE of FOR SHARE, and of both with OF tables, NOWAIT
// or SKIP LOCKED: there are no locks that they could wait for.
func translateLocking(text string, tokens []sqlToken, i int, e *edits) {
	if i+1 >= len(tokens) || !tokens[i+1].is(text, "UPDATE") && !tokens[i+1].is(text, "SHARE") {
		return
	}
	end := i + 1
	if end+1 < len(tokens) && tokens[end+1].is(text, "OF") {
		for end += 2; end+2 < len(tokens) && (tokens[end+1].is(text, ".") || tokens[end+1].is(text, ",")); {
			end += 2
		}
	}
	switch {
	case end+1 < len(tokens) && tokens[end+1].is(text, "NOWAIT"):
		end++
	case end+2 < len(tokens) && tokens[end+1].is(text, "SKIP") && tokens[end+2].is(text, "LOCKED"):
		end += 2
	}
	if end < len(tokens) {
		e.add(tokens[i].start, tokens[end].end, "FOR UPDATE")
	}
}

// replacement replaces text[start:end].
type replacement struct {
	start, end int
	with       string
}

type edits []replacement

func (e *edits) add(start, end int, with string) { *e = append(*e, replacement{start, end, with}) }

// apply makes all replacements; those at one place keep their order.
func (e edits) apply(text string) string {
	ordered := append(edits(nil), e...)
	for i := 1; i < len(ordered); i++ {
		for j := i; j > 0 && ordered[j].start < ordered[j-1].start; j-- {
			ordered[j], ordered[j-1] = ordered[j-1], ordered[j]
		}
	}
	var b strings.Builder
	pos := 0
	for _, r := range ordered {
		if r.start < pos {
			continue
		}
		b.WriteString(text[pos:r.start])
		b.WriteString(r.with)
		pos = r.end
	}
	b.WriteString(text[pos:])
	return b.String()
}

// translateIndexHint makes USE INDEX (`PRIMARY`) of USE KEY (PRIMARY).
func translateIndexHint(text string, tokens []sqlToken, i int, e *edits) {
	if i+2 >= len(tokens) || !tokens[i+1].is(text, "INDEX") && !tokens[i+1].is(text, "KEY") || !tokens[i+2].is(text, "(") {
		return
	}
	if tokens[i+1].is(text, "KEY") {
		e.add(tokens[i+1].start, tokens[i+1].end, "INDEX")
	}
	for _, t := range tokens[i+3:] {
		if t.is(text, ")") {
			return
		}
		if t.is(text, "PRIMARY") {
			e.add(t.start, t.end, "`PRIMARY`")
		}
	}
}

// translateMemberOf makes member_of(value, array) of value MEMBER OF (array).
func translateMemberOf(text string, tokens []sqlToken, i int, e *edits) {
	open := i + 1
	if open < len(tokens) && tokens[open].is(text, "OF") {
		open++
	}
	if open >= len(tokens) || !tokens[open].is(text, "(") {
		return
	}
	first, ok := operandStart(text, tokens, i-1)
	if !ok {
		return
	}
	// Arithmetic binds more tightly than MEMBER OF.
	for {
		operator := first - arithmetic(text, tokens, first-1)
		if operator == first {
			break
		}
		before, ok := operandStart(text, tokens, operator-1)
		if !ok {
			break
		}
		first = before
	}
	e.add(tokens[first].start, tokens[first].start, "member_of(")
	e.add(tokens[i].start, tokens[open].end, ",")
}

// arithmetic is how many tokens the arithmetic or bit operator has that ends at a
// token, 0 if there is none.
func arithmetic(text string, tokens []sqlToken, i int) int {
	if i < 1 {
		return 0
	}
	switch word := strings.ToUpper(text[tokens[i].start:tokens[i].end]); word {
	case "+", "-", "*", "/", "%", "|", "&", "^", "DIV", "MOD":
		return 1
	case "<", ">":
		if tokens[i-1].is(text, word) && tokens[i-1].end == tokens[i].start {
			return 2
		}
	}
	return 0
}

// introduces tells whether a word belongs to the string behind it.
func introduces(word string) bool {
	switch strings.ToUpper(word) {
	case "DATE", "TIME", "TIMESTAMP", "BINARY", "N", "X", "B":
		return true
	}
	return strings.HasPrefix(word, "_")
}

// operandStart is the first token of the operand that ends at a token: a name
// with its qualifiers and paths, a literal, a call, or parentheses.
func operandStart(text string, tokens []sqlToken, i int) (int, bool) {
	for i >= 0 {
		t := tokens[i]
		switch {
		case t.is(text, ")"):
			depth := 0
			for ; i >= 0; i-- {
				if tokens[i].is(text, ")") {
					depth++
				} else if tokens[i].is(text, "(") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if i < 0 {
				return 0, false
			}
			// A word before it is a function's name, unless it is an operator.
			if i > 0 && tokens[i-1].kind == tokenWord && !operatorWord(text[tokens[i-1].start:tokens[i-1].end]) {
				i--
			}
		case t.kind == tokenSymbol && !t.is(text, "?"):
			return 0, false
		case t.kind == tokenString && i > 0 && tokens[i-1].kind == tokenWord && introduces(text[tokens[i-1].start:tokens[i-1].end]):
			i--
		}
		if i >= 2 && tokens[i-1].is(text, "COLLATE") {
			i -= 2
			continue
		}
		if i >= 2 && (tokens[i-1].is(text, ".") || tokens[i-1].is(text, "->") || tokens[i-1].is(text, "->>")) {
			i -= 2
			continue
		}
		if i >= 1 && (tokens[i-1].is(text, "-") || tokens[i-1].is(text, "+") || tokens[i-1].is(text, "~")) && (i == 1 || tokens[i-2].kind == tokenSymbol && !tokens[i-2].is(text, ")") || tokens[i-2].kind == tokenWord && operatorWord(text[tokens[i-2].start:tokens[i-2].end])) {
			i-- // a sign
		}
		return i, true
	}
	return 0, false
}

// operatorWord tells whether a word before parentheses is no function's name.
func operatorWord(word string) bool {
	switch strings.ToUpper(word) {
	case "AND", "OR", "XOR", "NOT", "IN", "WHERE", "ON", "HAVING", "SELECT", "WHEN", "THEN", "ELSE", "CASE", "BY", "BETWEEN", "LIKE", "IS", "SET", "VALUES", "USING", "AS", "DIV", "MOD", "DISTINCT", "DISTINCTROW", "ALL", "RETURN", "ROW":
		return true
	}
	return false
}

// translateReturning makes JSON_VALUE(doc, path, 'type') of JSON_VALUE(doc, path
// RETURNING type NULL ON EMPTY NULL ON ERROR), or json_value_as(doc, path, CAST(NULL
// AS type)) of types with a size, which the engine's plan builder does not know there.
func translateReturning(text string, tokens []sqlToken, i int, e *edits) {
	depth, call := 0, -1
	for j := i - 1; j >= 0; j-- {
		if tokens[j].is(text, ")") {
			depth++
		} else if tokens[j].is(text, "(") {
			if depth--; depth < 0 {
				call = j - 1
				break
			}
		}
	}
	if call < 0 || !tokens[call].is(text, "JSON_VALUE") {
		return
	}
	depth = 0
	end, typeEnd := -1, -1
	for j := i + 1; j < len(tokens); j++ {
		t := tokens[j]
		switch {
		case t.is(text, "("):
			depth++
		case t.is(text, ")"):
			if depth--; depth < 0 {
				end = j
			}
		case depth == 0 && typeEnd < 0 && (t.is(text, "NULL") || t.is(text, "ERROR") || t.is(text, "DEFAULT")):
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
	written := text[tokens[i+1].start:tokens[typeEnd-1].end]
	kind := strings.ToLower(written)
	if strings.HasSuffix(kind, ")") {
		e.add(tokens[call].start, tokens[call].end, "json_value_as")
		e.add(tokens[i].start, tokens[end].start, ", CAST(NULL AS "+written+")")
		return
	}
	if tokens[i+1].is(text, "UNSIGNED") {
		kind = "unsigned"
	} else if tokens[i+1].is(text, "SIGNED") {
		kind = "signed"
	}
	e.add(tokens[i].start, tokens[end].start, ", '"+kind+"'")
}

// nullOtherwise reports whether the tokens are NULL ON EMPTY and NULL ON ERROR,
// what JSON_VALUE does anyway.
func nullOtherwise(text string, tokens []sqlToken) bool {
	for ; len(tokens) > 0; tokens = tokens[3:] {
		if len(tokens) < 3 || !tokens[0].is(text, "NULL") || !tokens[1].is(text, "ON") || !tokens[2].is(text, "EMPTY") && !tokens[2].is(text, "ERROR") {
			return false
		}
	}
	return true
}
