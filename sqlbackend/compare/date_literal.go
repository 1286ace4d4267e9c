package compare

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// DateLiterals turns DATE '…', TIME '…' and TIMESTAMP '…' in comparisons, arithmetic, calls and results into dates
// and times. The engine's parser reads them as texts, which are compared, added and shown differently. If the query
// also has the same text alone, or after another of these words, it stays a text: the tree doesn't distinguish them.
func DateLiterals(stmt ast.Statement, query string) {
	if !hasDateLiteral(query) {
		return
	}
	d := dateLiteralTypes{dateTypes(query), map[*ast.SQLVal]bool{}}
	if len(d.types) == 0 {
		return
	}
	walk := func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.ComparisonExpr:
			if !isExtraction(n.Left) && !isExtraction(n.Right) {
				n.Left, n.Right = d.typed(n.Left), d.typed(n.Right)
			}
		case *ast.BinaryExpr:
			if n.Operator != ast.JSONExtractOp && n.Operator != ast.JSONUnquoteExtractOp {
				n.Left, n.Right = d.typed(n.Left), d.typed(n.Right)
			}
		case *ast.UnaryExpr:
			n.Expr = d.typed(n.Expr)
		case *ast.ConvertExpr:
			n.Expr = d.typed(n.Expr)
		case *ast.SetVarExpr:
			n.Expr = d.typed(n.Expr)
		case *ast.FuncExpr:
			if n.Name.EqualString("name_const") { // its arguments must be literals
				for _, arg := range n.Exprs {
					if a, ok := arg.(*ast.AliasedExpr); ok {
						if l, ok := a.Expr.(*ast.SQLVal); ok {
							d.done[l] = true
						}
					}
				}
			}
		case *ast.AliasedExpr:
			n.Expr = d.typed(n.Expr)
		case *ast.CaseExpr:
			n.Else = d.typed(n.Else)
			for _, w := range n.Whens {
				w.Val = d.typed(w.Val)
			}
		case *ast.RangeCond:
			if !isExtraction(n.Left) {
				n.Left, n.From, n.To = d.typed(n.Left), d.typed(n.From), d.typed(n.To)
			}
		}
		return true, nil
	}
	statement.EachDefinition(stmt, func(place *ast.Expr) { _ = statement.Walk(walk, *place) })
	_ = statement.Walk(walk, stmt)
}

// isExtraction reports whether an operand is JSON, which has dates as texts: these are compared with the literal's
// text.
func isExtraction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Operator == ast.JSONExtractOp
	case *ast.FuncExpr:
		return e.Name.EqualString("json_extract")
	}
	return false
}

// hasDateLiteral reports whether the text may have one.
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

// dateWord returns the type of a literal by the text before it: DATE, DATETIME or TIME; empty if it is none.
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
	case ends("TIME"):
		return "TIME"
	}
	return ""
}

// RefuseDateLiterals refuses DATE '…', TIME '…' and TIMESTAMP '…' of an invalid text. Dates of zeros stay: sql_mode
// decides about them.
func RefuseDateLiterals(stmt ast.Statement, query string) error {
	switch stmt.(type) {
	case *ast.Insert, *ast.Update, *ast.Delete, ast.SelectStatement:
	default:
		return nil
	}
	if !hasDateLiteral(query) {
		return nil
	}
	tokens := statement.Tokenize(query)
	for i, t := range tokens {
		if i == 0 || t.Kind != statement.TokenString || tokens[i-1].Kind != statement.TokenWord || t.End-t.Start < 2 {
			continue
		}
		typed := dateWord(query[tokens[i-1].Start:tokens[i-1].End])
		text := query[t.Start+1 : t.End-1]
		if typed != "" && !strings.HasPrefix(text, "0000") && !isDateText(text, typed) && query[t.Start] != '`' {
			return fmt.Errorf("Incorrect %s value: '%s'", typed, mysqlerr.Shortened(text))
		}
	}
	return nil
}

// dateLiteralTypes converts texts that occur only in literals of one type to dates and times.
type dateLiteralTypes struct {
	types map[string]string
	done  map[*ast.SQLVal]bool // converted ones: the walk comes to them again
}

func dateTypes(query string) map[string]string {
	out := map[string]string{}
	tokens := statement.Tokenize(query)
	for i, t := range tokens {
		if t.Kind != statement.TokenString || t.End-t.Start < 2 {
			continue
		}
		text, typed := query[t.Start+1:t.End-1], ""
		if i > 0 && tokens[i-1].Kind == statement.TokenWord {
			typed = dateWord(query[tokens[i-1].Start:tokens[i-1].End])
		}
		if known, there := out[text]; there && known != typed || !isDateText(text, typed) {
			typed = ""
		}
		out[text] = typed
	}
	return out
}

// isDateText reports whether the engine reads a text as a date, or a time. It refuses the others.
func isDateText(text, typed string) bool {
	if typed == "TIME" {
		_, err := types.Time.ConvertToTimespan(functions.WithoutDays(text))
		return err == nil
	}
	if strings.HasPrefix(text, "0000") {
		return false
	}
	_, _, err := types.DatetimeMaxPrecision.Convert(context.Background(), text)
	return err == nil
}

// typed returns an operand, or a list of operands, with date literals as dates.
func (d dateLiteralTypes) typed(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.SQLVal:
		if e.Type != ast.StrVal || d.types[string(e.Val)] == "" || d.done[e] {
			return e
		}
		d.done[e] = true
		to := &ast.ConvertType{Type: d.types[string(e.Val)]}
		_, fraction, _ := strings.Cut(string(e.Val), ".")
		digits := ast.NewIntVal([]byte(strconv.Itoa(min(6, len(fraction)))))
		switch to.Type {
		case "TIME":
			e.Val = []byte(functions.WithoutDays(string(e.Val)))
			return &ast.FuncExpr{Name: ast.NewColIdent("time_of"),
				Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: e}, &ast.AliasedExpr{Expr: digits}}}
		case "DATETIME":
			to.Length = digits
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
