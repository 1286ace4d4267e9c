package syntax

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// translateQuantifier turns ANY (SELECT …) after a comparison into any((SELECT …)): the parser reads that as a
// function, and quantify turns it back.
func translateQuantifier(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if i == 0 || i+2 >= len(tokens) || !comparisonToken(text, tokens[i-1]) || !tokens[i+1].Is(text, "(") {
		return
	}
	first := i + 1
	for first < len(tokens) && tokens[first].Is(text, "(") {
		first++
	}
	if first == len(tokens) || !tokens[first].Is(text, "SELECT") && !tokens[first].Is(text, "WITH") &&
		!tokens[first].Is(text, "TABLE") && !tokens[first].Is(text, "VALUES") {
		return
	}
	end := closing(i + 1)
	if end == len(tokens) {
		return
	}
	t := tokens[i]
	e.Add(t.Start, t.End, "`"+strings.ToLower(text[t.Start:t.End])+"`(")
	e.Add(tokens[end].End, tokens[end].End, ")")
}

// closingTokens returns a function from the index of an opening parenthesis to the index of the closing one,
// len(tokens) if there is none. It scans the tokens once, at the first call.
func closingTokens(text string, tokens []statement.Token) func(at int) int {
	var closing map[int]int
	return func(at int) int {
		if closing == nil {
			closing = map[int]int{}
			var open []int
			for i, t := range tokens {
				switch {
				case t.Is(text, "("):
					open = append(open, i)
				case t.Is(text, ")") && len(open) > 0:
					closing[open[len(open)-1]] = i
					open = open[:len(open)-1]
				}
			}
		}
		if end, ok := closing[at]; ok {
			return end
		}
		return len(tokens)
	}
}

// comparisonToken reports whether a token is, or ends, an operator that may stand before a quantified subquery.
func comparisonToken(text string, t statement.Token) bool {
	switch text[t.Start:t.End] {
	case "=", "<", ">", "<=", ">=", "<>", "!=":
		return true
	}
	return false
}

// quantify turns a comparison with ANY, SOME or ALL of a subquery into an expression that the plan builder
// understands: IN, NOT IN, or a comparison with a quantifier.
func quantify(c *ast.ComparisonExpr) {
	query, all, ok := quantifiedQuery(c.Right)
	if !ok {
		return
	}
	switch c.Operator {
	case ast.EqualStr, ast.NotEqualStr:
		if (c.Operator == ast.NotEqualStr) == all {
			c.Right, c.Operator = query, ast.InStr
			if all {
				c.Operator = ast.NotInStr
			}
			return
		}
		all = true // x <> ANY is built as NOT (x = …), and means NOT (x = ALL)
	case ast.LessThanStr, ast.LessEqualStr, ast.GreaterThanStr, ast.GreaterEqualStr:
	default:
		return
	}
	c.Right = ast.InjectedExpr{
		Expression: &compare.Quantifier{All: all},
		Children:   ast.Exprs{query},
		Auth:       ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
	}
}

// quantifiedQuery returns the subquery after ANY, SOME or ALL.
func quantifiedQuery(e ast.Expr) (query *ast.Subquery, all, ok bool) {
	f, ok := e.(*ast.FuncExpr)
	if !ok || len(f.Exprs) != 1 || f.Over != nil || f.Distinct || !f.Qualifier.IsEmpty() {
		return nil, false, false
	}
	switch f.Name.Lowered() {
	case "any", "some":
	case "all":
		all = true
	default:
		return nil, false, false
	}
	argument, ok := f.Exprs[0].(*ast.AliasedExpr)
	if !ok {
		return nil, false, false
	}
	inner := argument.Expr
	for {
		p, ok := inner.(*ast.ParenExpr)
		if !ok {
			break
		}
		inner = p.Expr
	}
	query, ok = inner.(*ast.Subquery)
	return query, all, ok
}
