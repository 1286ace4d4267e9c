package syntax

import (
	"errors"
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// errAssignment is the error for @v := expression where the order of evaluation is undefined: where rows are grouped,
// and in conditions.
var errAssignment = errors.New("a variable can be assigned in the list of a SELECT and in SET, not in WHERE, ON, " +
	"HAVING and ORDER BY, nor beside GROUP BY, DISTINCT, UNION and windows: use ROW_NUMBER() OVER (…) and its like")

// maxAssigning bounds the tokens of a text that assigns variables within expressions: each is looked up among those
// before it.
const maxAssigning = 10_000

// errAssigning is the error for a longer text.
var errAssigning = errors.New("a statement that assigns variables within expressions has at most 10,000 words " +
	"and signs")

// assigns reports whether a text assigns variables within expressions.
func assigns(text string, tokens []statement.Token) bool {
	for i := range tokens {
		if assignmentAt(text, tokens, i) {
			return true
		}
	}
	return false
}

// assignmentAt reports whether a token is the variable of @v := expression.
func assignmentAt(text string, tokens []statement.Token, i int) bool {
	return variableName(text, tokens[i]) != "" && i+3 < len(tokens) && tokens[i+1].Is(text, ":") &&
		tokens[i+2].Is(text, "=") && tokens[i+2].Start == tokens[i+1].End
}

// variableName returns the name of a user variable, in small letters; empty for any other token.
func variableName(text string, t statement.Token) string {
	name, ok := strings.CutPrefix(text[t.Start:t.End], "@")
	if !ok || t.Kind != statement.TokenWord || name == "" || name[0] == '@' {
		return ""
	}
	return strings.ToLower(name)
}

// assignedTexts has the assignments to variables within a text's expressions. Only MySQL's order of evaluation is
// promised: the select list is evaluated from left to right for each row, in the order of ORDER BY.
type assignedTexts struct {
	text    string
	tokens  []statement.Token
	closing func(int) int
	kinds   map[string]string // the kinds of the variables' values
}

// translateAssignments turns the assignments, and reads of the assigned variables, into calls.
func translateAssignments(text string, tokens []statement.Token, e *Edits) {
	if tokens[0].Is(text, "SET") || len(tokens) > maxAssigning || groups(text, tokens) {
		return
	}
	a := assignedTexts{text, tokens, closingTokens(text, tokens), map[string]string{}}
	for i := range tokens {
		if assignmentAt(text, tokens, i) {
			a.note(i)
		}
	}
	for i, t := range tokens {
		name := variableName(text, t)
		switch kind := a.kinds[name]; {
		case kind == "":
		case !assignmentAt(text, tokens, i):
			e.Add(t.Start, t.End, "user_variable('"+name+"', '"+kind+"')"+a.alias(i, i))
		default:
			last := a.last(i + 3)
			call := "set_variable"
			if a.initial(i) {
				call = "set_variable_once"
			}
			e.Add(t.Start, tokens[i+2].End, call+"('"+name+"', ")
			end := tokens[last].End
			e.Add(end, end, ")"+a.alias(i, last))
		}
	}
}

// inCondition reports whether a token comes after WHERE, ON, HAVING or BY of its query.
func inCondition(text string, tokens []statement.Token, i int) bool {
	depth := 0
	for i--; i >= 0; i-- {
		t := tokens[i]
		switch {
		case t.Is(text, ")"):
			depth++
		case t.Is(text, "("):
			depth = max(depth-1, 0)
		case depth > 0:
		case t.Is(text, "WHERE"), t.Is(text, "ON"), t.Is(text, "HAVING"), t.Is(text, "BY"):
			return true
		case t.Is(text, "SELECT"), t.Is(text, "SET"):
			return false
		}
	}
	return false
}

// groups reports whether a text assigns variables in conditions, or beside words that group rows.
func groups(text string, tokens []statement.Token) bool {
	assigned, grouped := false, false
	for i, t := range tokens {
		if assignmentAt(text, tokens, i) {
			if inCondition(text, tokens, i) {
				return true
			}
			assigned = true
		}
		grouped = grouped || t.Is(text, "GROUP") || t.Is(text, "DISTINCT") || t.Is(text, "UNION") || t.Is(text, "OVER")
	}
	return assigned && grouped
}

// note updates the kind of a variable by an expression that is assigned to it.
func (a *assignedTexts) note(i int) {
	name, last := variableName(a.text, a.tokens[i]), a.last(i+3)
	kind := functions.VariableInteger
	compared := func(k int) bool {
		for _, word := range []string{"=", "<", ">", "<=", ">=", "<>", "!=", "IS", "."} {
			if a.tokens[k].Is(a.text, word) {
				return true
			}
		}
		return false
	}
	for k := i + 3; k <= last; k++ {
		t := a.tokens[k]
		word := strings.ToUpper(a.text[t.Start:t.End])
		switch {
		case t.Kind == statement.TokenString, word == "NULL":
			kind = functions.VariableText
		case word == "/", t.Kind == statement.TokenWord && word[0] != '@' && !integerWord(word) && !compared(k-1) &&
			!(k < last && compared(k+1)), t.Kind == statement.TokenQuoted && !compared(k-1) && !(k < last && compared(k+1)),
			t.Kind != statement.TokenWord && t.Kind != statement.TokenSymbol && strings.Contains(word, "."):
			if kind != functions.VariableText {
				kind = functions.VariableNumber
			}
			if k == i+3 && k == last {
				kind = functions.VariableText // the kind of a column's value is not known
			}
		}
	}
	if was := a.kinds[name]; was == "" || was == functions.VariableInteger || kind == functions.VariableText {
		a.kinds[name] = kind
	}
}

// integerWord recognizes the words of an expression that is an integer if its operands are.
func integerWord(word string) bool {
	switch word {
	case "IF", "CASE", "WHEN", "THEN", "ELSE", "END", "AND", "OR", "NOT", "IS", "DIV", "MOD", "COALESCE", "IFNULL",
		"TRUE", "FALSE":
		return true
	}
	return false
}

// last returns the last token of the expression that begins at a token: := binds less than all other operators.
func (a *assignedTexts) last(from int) int {
	ended, cases := false, 0 // ended: the last token may end an expression
	for i := from; i < len(a.tokens); i++ {
		t := a.tokens[i]
		word := strings.ToUpper(a.text[t.Start:t.End])
		switch {
		case word == "(":
			i = a.closing(i)
			ended = true
		case word == ")" || word == "," || word == ";":
			return i - 1
		case word == "CASE":
			cases++
			ended = false
		case cases > 0 && word == "END":
			cases--
			ended = true
		case cases > 0:
		case t.Kind == statement.TokenWord && word[0] != '@' && infixWord(word):
			ended = false
		case ended && (t.Kind == statement.TokenQuoted || t.Kind == statement.TokenWord):
			return i - 1 // the expression's name, or a clause
		default:
			ended = t.Kind != statement.TokenSymbol || word == "?"
			if word == "." { // the dot of a qualified name
				ended = false
			}
		}
	}
	return len(a.tokens) - 1
}

// infixWord recognizes the words after which an expression goes on.
func infixWord(word string) bool {
	switch word {
	case "AND", "OR", "XOR", "NOT", "IS", "IN", "LIKE", "REGEXP", "RLIKE", "BETWEEN", "DIV", "MOD", "COLLATE",
		"INTERVAL", "BINARY":
		return true
	}
	return false
}

// initial reports whether an assignment is in a derived table without FROM: (SELECT @v := 0) AS v. Such a row is
// computed once, before all expressions that read variables, however it is joined.
func (a *assignedTexts) initial(i int) bool {
	for open := i - 1; open > 0; open-- {
		if !a.tokens[open].Is(a.text, "(") || a.closing(open) < i || !a.tokens[open+1].Is(a.text, "SELECT") {
			continue
		}
		before := a.tokens[open-1]
		if !before.Is(a.text, "FROM") && !before.Is(a.text, ",") && !before.Is(a.text, "JOIN") {
			return false
		}
		for k := open + 1; k < a.closing(open); k++ {
			if a.tokens[k].Is(a.text, "FROM") {
				return false
			}
		}
		return true
	}
	return false
}

// alias names a result by its text, as MySQL does, if it has no name of its own.
func (a *assignedTexts) alias(i, last int) string {
	if before := a.tokens[i-1]; !before.Is(a.text, "SELECT") && !before.Is(a.text, ",") {
		return ""
	}
	depth := 0
	for k := i - 1; ; k-- { // a list of SELECT, and not of arguments
		if k < 0 {
			return ""
		}
		t := a.tokens[k]
		if t.Is(a.text, ")") {
			depth++
		}
		if depth == 0 && t.Is(a.text, "SELECT") {
			break
		}
		if depth == 0 && (t.Is(a.text, "(") || t.Is(a.text, "FROM") || t.Is(a.text, "SET") || t.Is(a.text, "BY")) {
			return ""
		}
		if t.Is(a.text, "(") {
			depth--
		}
	}
	if last+1 < len(a.tokens) {
		next := a.tokens[last+1]
		if !next.Is(a.text, ",") && !next.Is(a.text, ")") && !next.Is(a.text, "FROM") && !next.Is(a.text, ";") {
			return ""
		}
	}
	return " AS `" + strings.ReplaceAll(a.text[a.tokens[i].Start:a.tokens[last].End], "`", "``") + "`"
}
