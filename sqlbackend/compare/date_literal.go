package compare

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// DateLiterals makes dates of DATE '…' and TIMESTAMP '…' in comparisons: the engine's parser reads them as texts, and
// what is a text itself would compare with them as one. Where the same text also stands alone in the query, or with the
// other word before it, it is left as it is: the tree doesn't tell which is which.
func DateLiterals(stmt ast.Statement, query string) {
	if !hasDateLiteral(query) {
		return
	}
	d := dateTypes(query)
	if len(d) == 0 {
		return
	}
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.ComparisonExpr:
			if !isExtraction(n.Left) && !isExtraction(n.Right) {
				n.Left, n.Right = d.typed(n.Left), d.typed(n.Right)
			}
		case *ast.RangeCond:
			if !isExtraction(n.Left) {
				n.Left, n.From, n.To = d.typed(n.Left), d.typed(n.From), d.typed(n.To)
			}
		}
		return true, nil
	}, stmt)
}

// isExtraction reports whether an operand is JSON, which has dates as texts: these are compared with what the literal
// spells.
func isExtraction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Operator == ast.JSONExtractOp
	case *ast.FuncExpr:
		return e.Name.EqualString("json_extract")
	}
	return false
}

// hasDateLiteral tells whether the text may hold one.
func hasDateLiteral(query string) bool {
	for at := 0; ; at++ {
		next := strings.IndexAny(query[at:], `'"`)
		if next < 0 {
			return false
		}
		at += next
		if before := strings.TrimRight(query[:at], " \t\r\n"); dateWord(before) != "" {
			return true
		}
	}
}

// dateWord is the type of the literal that a text stands before: DATE or DATETIME; empty if it is none.
func dateWord(before string) string {
	ends := func(word string) bool {
		n := len(before) - len(word)
		return n >= 0 && strings.EqualFold(before[n:], word) && (n == 0 || !statement.IsNameByte(before[n-1]))
	}
	switch {
	case ends("DATE"):
		return "DATE"
	case ends("TIMESTAMP"):
		return "DATETIME"
	}
	return ""
}

// dateLiteralTypes are the types of texts that stand nowhere but in literals of one type.
type dateLiteralTypes map[string]string

func dateTypes(query string) dateLiteralTypes {
	out := dateLiteralTypes{}
	tokens := statement.Tokenize(query)
	for i, t := range tokens {
		if t.Kind != statement.TokenString || t.End-t.Start < 2 {
			continue
		}
		text, typed := query[t.Start+1:t.End-1], ""
		if i > 0 && tokens[i-1].Kind == statement.TokenWord {
			typed = dateWord(query[tokens[i-1].Start:tokens[i-1].End])
		}
		if known, there := out[text]; there && known != typed || !isDateText(text) {
			typed = ""
		}
		out[text] = typed
	}
	return out
}

// isDateText reports whether a text is a date to the engine. The others are left for it to refuse.
func isDateText(text string) bool {
	if strings.HasPrefix(text, "0000") {
		return false
	}
	_, _, err := types.DatetimeMaxPrecision.Convert(context.Background(), text)
	return err == nil
}

// typed is an operand, or each of a list, as the date that it is the literal of.
func (d dateLiteralTypes) typed(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.SQLVal:
		if e.Type != ast.StrVal || d[string(e.Val)] == "" {
			return e
		}
		to := &ast.ConvertType{Type: d[string(e.Val)]}
		if to.Type != "DATE" {
			to.Length = ast.NewIntVal([]byte("6"))
		}
		return &ast.ConvertExpr{Name: "CAST", Expr: e, Type: to}
	case *ast.ParenExpr:
		e.Expr = d.typed(e.Expr)
	case ast.ValTuple:
		for i := range e {
			e[i] = d.typed(e[i])
		}
	}
	return e
}
