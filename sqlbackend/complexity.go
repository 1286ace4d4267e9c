package sqlbackend

import (
	"fmt"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// The engine's work on an expression grows with the square or the cube of its
// depth, and its tokenizer calls itself for each NOT in a row. So a statement may be
// long, but not arbitrarily deep. MySQL has such bounds too: those of its threads' stacks.
const (
	maxNotRun   = 200    // NOTs in a row, as many as the parser takes parentheses
	maxDepth    = 500    // operators and functions inside one another
	maxBranches = 10_000 // operands of one AND or OR
	maxUnions   = 100    // SELECTs of one UNION
	maxNullIfs  = 8      // NULLIFs inside one another: each has its first operand twice
	maxDigits   = 4096   // digits of a number, which is read in a time that grows with their square

	// A statement shorter than this can't exceed a bound.
	shallowLength = 600
)

// tooComplex is a plain error, because the engine makes text of every error of its parser;
// FinishError knows it by its beginning.
func tooComplex(what string, limit int) error {
	return fmt.Errorf("%s: more than %d %s", complexityText, limit, what)
}

const complexityText = "The statement is too complex"

// checkText refuses, before it is parsed, what the tokenizer can't take.
func checkText(query string) error {
	if len(query) < shallowLength {
		return nil
	}
	run := 0
	for i := 0; i < len(query); {
		switch c := query[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case (c == 'n' || c == 'N') && isNot(query[i:]):
			if run++; run > maxNotRun {
				return tooComplex("NOTs in a row", maxNotRun)
			}
			i += len("not")
		case c == '\'' || c == '"' || c == '`':
			run = 0
			i = afterQuote(query, i)
		default:
			run = 0
			i++
		}
	}
	return nil
}

// isNot reports whether the text begins with the word NOT.
func isNot(s string) bool {
	if len(s) < 4 || s[1]|0x20 != 'o' || s[2]|0x20 != 't' {
		return false
	}
	c := s[3]
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '/' || c == '('
}

// afterQuote is the place after the quoted text that begins at i.
func afterQuote(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote != '`':
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// checkDepth refuses a syntax tree that the engine would work on for minutes.
func checkDepth(stmt ast.Statement, query string) error {
	if len(query) < shallowLength || stmt == nil {
		return nil
	}
	return walkDepth(stmt, depths{})
}

// depths counts what lies above a node.
type depths struct {
	nested, branches, unions, nullIfs int
}

func walkDepth(n ast.SQLNode, d depths) error {
	switch n := n.(type) {
	case *ast.SQLVal:
		if (n.Type == ast.IntVal || n.Type == ast.FloatVal) && len(n.Val) > maxDigits {
			return tooComplex("digits in a number", maxDigits)
		}
	case *ast.FuncExpr:
		d.nested++
		if n.Name.Lowered() == "nullif" {
			d.nullIfs++
		}
	case *ast.AndExpr, *ast.OrExpr, *ast.XorExpr:
		d.branches++
	case *ast.SetOp:
		d.unions++
	case ast.Expr:
		d.nested++
	}
	switch {
	case d.nested > maxDepth:
		return tooComplex("operators inside one another", maxDepth)
	case d.branches > maxBranches:
		return tooComplex("operands of AND and OR", maxBranches)
	case d.nullIfs > maxNullIfs:
		return tooComplex("NULLIFs inside one another", maxNullIfs)
	case d.unions > maxUnions:
		return tooComplex("SELECTs of a UNION", maxUnions)
	}
	first := true
	return walkStatement(func(child ast.SQLNode) (bool, error) {
		if first {
			first = false
			return true, nil
		}
		if child == nil {
			return false, nil
		}
		return false, walkDepth(child, d)
	}, n)
}

// maxMessage is the longest text of an error that is sent, in bytes, as in MySQL.
const maxMessage = 512

// shortened cuts an error's text at a character's boundary.
func shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	end := maxMessage - len("…")
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return fmt.Sprintf("%s…", text[:end])
}
