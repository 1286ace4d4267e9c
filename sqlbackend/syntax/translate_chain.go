package syntax

import (
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// longestChain bounds the operands of a chain: it is walked from each.
const longestChain = 100

// translateChain puts the beginning of a chain of comparisons into parentheses: a = b = c becomes (a = b) = c. It is
// called at each operator.
func translateChain(text string, tokens []statement.Token, i int, e *Edits) {
	if comparison(text, tokens, i) != 1 { // the end of <=> has been seen with its beginning
		return
	}
	first, operands := i, 0
	for operator := i; operands < longestChain; operands++ {
		start, ok := wholeOperandStart(text, tokens, operator-1)
		if !ok {
			return
		}
		before := comparison(text, tokens, start-1)
		if operands > 0 && before == 0 && tokens[operator].Is(text, "=") && assigned(text, tokens, start) {
			break // the left side of an assignment is no operand
		}
		if first = start; before == 0 {
			operands++
			break
		}
		operator = start - before
	}
	if operands > 1 && operands < longestChain {
		e.Add(tokens[first].Start, tokens[first].Start, "(")
		e.Add(tokens[i-1].End, tokens[i-1].End, ")")
	}
}

// comparison returns the number of tokens of a comparison's operator that ends at a token; 0 if there is none.
func comparison(text string, tokens []statement.Token, i int) int {
	if i < 1 || tokens[i].Kind != statement.TokenSymbol {
		return 0
	}
	touches := func(word string) bool { return tokens[i-1].End == tokens[i].Start && tokens[i-1].Is(text, word) }
	follows := i+1 < len(tokens) && tokens[i+1].Start == tokens[i].End
	switch word := text[tokens[i].Start:tokens[i].End]; word {
	case ">":
		if touches("<=") {
			return 2
		}
		if touches(">") || follows && tokens[i+1].Is(text, ">") {
			return 0
		}
		return 1
	case "<":
		if touches("<") || follows && tokens[i+1].Is(text, "<") {
			return 0
		}
		return 1
	case "=":
		if touches(":") {
			return 0
		}
		return 1
	case "<=", ">=", "<>", "!=":
		return 1
	}
	return 0
}

// wholeOperandStart returns the first token of the operand of a comparison that ends at a token; it may be a sum.
func wholeOperandStart(text string, tokens []statement.Token, i int) (int, bool) {
	first, ok := operandStart(text, tokens, i)
	for ok {
		operator := first - arithmetic(text, tokens, first-1)
		if operator == first {
			break
		}
		before, found := operandStart(text, tokens, operator-1)
		if !found {
			break
		}
		first = before
	}
	return first, ok
}

// assigned reports whether SET or ON DUPLICATE KEY UPDATE assigns to a name.
func assigned(text string, tokens []statement.Token, name int) bool {
	depth := 0
	for i := name - 1; i >= 0; i-- {
		switch t := tokens[i]; {
		case t.Is(text, ")"):
			depth++
		case t.Is(text, "("):
			if depth--; depth < 0 {
				return false
			}
		case depth > 0:
		case t.Is(text, "SET"), t.Is(text, "UPDATE") && i > 0 && tokens[i-1].Is(text, "KEY"):
			return true
		case i == name-1 && !t.Is(text, ","), t.Is(text, "SELECT"), t.Is(text, "WHERE"), t.Is(text, "BY"):
			return false
		}
	}
	return false
}

// translateSubstring turns SUBSTRING(text FROM position FOR length) into SUBSTRING(text, position, length).
func translateSubstring(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if i+1 >= len(tokens) || !tokens[i+1].Is(text, "(") {
		return
	}
	end, from := closing(i+1), false
	for j := i + 2; j < end; j++ {
		switch t := tokens[j]; {
		case t.Is(text, "("):
			j = closing(j)
		case t.Is(text, "FROM") && !from, t.Is(text, "FOR") && from:
			from = true
			e.Add(t.Start, t.End, ",")
		}
	}
}

// escapes maps the beginnings of ODBC's escapes to their replacements.
var escapes = map[string]string{"d": "DATE", "t": "TIME", "ts": "TIMESTAMP", "fn": "", "oj": ""}

// translateEscape turns ODBC's {d '2020-01-02'} into DATE '2020-01-02', and the like.
func translateEscape(text string, tokens []statement.Token, i int, e *Edits) {
	if i+1 >= len(tokens) || tokens[i+1].Kind != statement.TokenWord {
		return
	}
	with, ok := escapes[strings.ToLower(text[tokens[i+1].Start:tokens[i+1].End])]
	if !ok {
		return
	}
	depth := 0
	for _, t := range tokens[i:] {
		switch {
		case t.Is(text, "{"):
			depth++
		case t.Is(text, "}"):
			if depth--; depth == 0 {
				e.Add(tokens[i].Start, tokens[i+1].End, with)
				e.Add(t.Start, t.End, "")
				return
			}
		}
	}
}
