package statement

import "strings"

// CreateSelect is the text of a CREATE TABLE … SELECT in its parts.
type CreateSelect struct {
	Head       int      `json:"-"`          // where CREATE TABLE and the name end
	Elements   []string `json:",omitempty"` // columns and keys, as they stand in the parentheses
	Options    string   `json:",omitempty"`
	Duplicates string   `json:",omitempty"` // IGNORE, REPLACE or none
	Query, End int      `json:"-"`          // where the query begins and ends, without parentheses around it
}

// Definition is the text behind the name in a CREATE TABLE with these columns and keys and the statement's options.
func (c *CreateSelect) Definition(elements []string) string {
	return " (" + strings.Join(elements, ", ") + ") " + c.Options
}

// CutCreateSelect finds the parts of such a statement.
func CutCreateSelect(text string) (*CreateSelect, bool) {
	tokens := Tokenize(text)
	is := func(i int, words ...string) bool {
		for _, w := range words {
			if i < len(tokens) && tokens[i].Is(text, w) {
				return true
			}
		}
		return false
	}
	i := 1
	if is(i, "TEMPORARY") {
		i++
	}
	if !is(0, "CREATE") || !is(i, "TABLE") {
		return nil, false
	}
	if i++; is(i, "IF") && is(i+1, "NOT") && is(i+2, "EXISTS") {
		i += 3
	}
	if is(i+1, ".") {
		i += 2
	}
	if i >= len(tokens) {
		return nil, false
	}
	c := &CreateSelect{Head: tokens[i].End}
	i++
	// queries reports whether a query begins, maybe behind parentheses.
	queries := func(i int) bool {
		for is(i, "(") {
			i++
		}
		return is(i, "SELECT", "WITH", "VALUES", "TABLE")
	}
	if is(i, "(") && !queries(i) {
		end := Closes(text, tokens, i)
		if end < 0 {
			return nil, false
		}
		c.Elements, i = Elements(text, tokens, i, end), end+1
	}
	options, depth := i, 0
	for ; i < len(tokens) && (depth > 0 || !queries(i) && !is(i, "IGNORE", "REPLACE", "AS")); i++ {
		switch {
		case is(i, "("):
			depth++
		case is(i, ")"):
			depth--
		}
	}
	if i > options {
		c.Options = text[tokens[options].Start:tokens[i-1].End]
	}
	if is(i, "IGNORE", "REPLACE") {
		c.Duplicates = strings.ToUpper(text[tokens[i].Start:tokens[i].End])
		i++
	}
	if is(i, "AS") {
		i++
	}
	if !queries(i) {
		return nil, false
	}
	last := len(tokens) - 1
	for is(i, "(") && Closes(text, tokens, i) == last {
		i, last = i+1, last-1
	}
	c.Query, c.End = tokens[i].Start, tokens[last].End
	return c, true
}

// Closes is the token that closes the parenthesis which opens at one; -1: none does.
func Closes(text string, tokens []Token, open int) int {
	depth := 0
	for i, t := range tokens[open:] {
		switch {
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		}
		if depth == 0 {
			return open + i
		}
	}
	return -1
}

// Elements are the texts between the commas of the parenthesis that opens at a token.
func Elements(text string, tokens []Token, open, end int) (out []string) {
	start := tokens[open].End
	for i := open + 1; i <= end; i++ {
		switch t := tokens[i]; {
		case t.Is(text, "("):
			i = Closes(text, tokens, i)
		case t.Is(text, ","), i == end:
			out = append(out, strings.TrimSpace(text[start:t.Start]))
			start = t.End
		}
	}
	return out
}

// keyWords begin the elements of a CREATE TABLE that are no columns.
var keyWords = []string{"PRIMARY", "KEY", "INDEX", "UNIQUE", "CONSTRAINT", "FOREIGN", "CHECK", "FULLTEXT", "SPATIAL",
	"VECTOR"}

// ElementColumn is the name of the column that an element of a CREATE TABLE declares; a key declares none.
func ElementColumn(element string) (name string, ok bool) {
	t := NextToken(element, 0)
	for _, w := range keyWords {
		if t.Is(element, w) {
			return "", false
		}
	}
	return UnquotedName(element, t)
}
