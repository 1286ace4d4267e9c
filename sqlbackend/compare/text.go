package compare

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/regexps"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// textSearch replaces the engine's function where strings are searched.
func (c Comparer) textSearch(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	f := &functions.TextSearch{Args: e.Children()}
	switch e.(type) {
	case *function.Field:
		f.Name, f.Search = "field", functions.SearchField
	case *function.FindInSet:
		f.Name, f.Search = "find_in_set", functions.SearchSet
	case function.Instr:
		f.Name, f.Search = "instr", func(p *hold.Pace, c *collation.Collation, args []string, _ int) int {
			return functions.SearchText(p, c, args[1], args[0], 1)
		}
	default:
		f.Name, f.Search = "locate", func(p *hold.Pace, c *collation.Collation, args []string, position int) int {
			return functions.SearchText(p, c, args[0], args[1], position)
		}
	}
	compared := f.Args
	if f.Name == "locate" {
		compared = f.Args[:2]
	}
	if f.Name != "field" {
		texts, changed := functions.Each(compared, func(a sql.Expression) sql.Expression {
			if c.Class(a) == ClassNumber {
				return a
			}
			return asSQLText(asEnumText(a))
		})
		if changed {
			f.Args = append(texts, f.Args[len(compared):]...)
			compared = texts
		}
	}
	for _, a := range compared {
		class := c.Class(a)
		if number := class == ClassNumber && f.Name != "field"; class != ClassText && class != ClassNull && !number {
			return e, transform.SameTree, nil
		}
	}
	if err := c.mixed(f.Name, compared...); err != nil {
		return e, transform.SameTree, err
	}
	f.Coll = c.TextCollation(compared...)
	return f, transform.NewTree, nil
}

// collationNameOf returns COLLATION of a string that one of our collations compares.
func (c Comparer) collationNameOf(e *function.Collation) (sql.Expression, transform.TreeIdentity, error) {
	if c.Class(e.Child) != ClassText {
		return e, transform.SameTree, nil
	}
	return expression.NewLiteral(c.TextCollation(e.Child).Name(), types.LongText), transform.NewTree, nil
}

// regexpLike returns REGEXP_LIKE with the collation that its operands are compared in.
func (c Comparer) regexpLike(e *function.RegexpLike) sql.Expression {
	folds := strings.HasSuffix(c.TextCollation(e.Text, e.Pattern).Name(), "_ci")
	return &regexps.Like{Text: e.Text, Pattern: e.Pattern, Flags: e.Flags, Folds: folds}
}

// TextValues adds the functions of texts that differ from the engine's.
func TextValues(out map[string]sql.Function) {
	out["repeat"] = sql.Function2{Name: "repeat", Fn: functions.NewRepeat}
	functions.PacketValues(out)
	out["quote"] = sql.Function1{Name: "quote", Fn: functions.NewQuote}
	for name, of := range map[string]func(sql.Expression) sql.Expression{
		"upper": function.NewUpper, "ucase": function.NewUpper, "lower": function.NewLower, "lcase": function.NewLower,
		"ltrim": function.NewLeftTrim, "rtrim": function.NewRightTrim,
	} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return of(numberAsText(e)) }}
	}
}

// numberAsText returns a number, a date or a time as a text, for functions whose own type is their argument's.
func numberAsText(e sql.Expression) sql.Expression {
	if k := (Comparer{}).kind(e); k == kindNumber || k.temporal() {
		return asSQLText(e)
	}
	return e
}

// spelledOperands converts all operands to DOUBLE where texts are compared with numbers. The engine takes a text that
// is not all number for 0, and joins columns of the two by indexes that have them in different orders.
func (c Comparer) spelledOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	texts, computed, whole := 0, false, true
	for _, o := range operands {
		switch c.Class(o) {
		case ClassText:
			texts++
			_, literal := o.(*expression.Literal)
			computed = computed || !literal
		case ClassNumber:
			whole = whole && types.IsInteger(o.Type())
		}
	}
	operands, changed := functions.Each(operands, func(o sql.Expression) sql.Expression {
		l, literal := o.(*expression.Literal)
		switch {
		case c.Class(o) == ClassText && !computed:
			if n, ok := value.IntegerOfText(l); ok && whole {
				return n
			}
			c.warnOfLiteral(l)
			return value.TextAsNumber(l)
		case c.Class(o) == ClassText && literal || c.Class(o) == ClassNumber && literal && computed:
			c.warnOfLiteral(l)
			return functions.DoubleLiteral(c.Ctx, l)
		case c.Class(o) == ClassText && texts == 1:
			child := expression.UnaryExpression{Child: tree.Unwrapped(o)}
			return &value.NumberOfText{SpelledNumber: value.SpelledNumber{UnaryExpression: child}}
		case c.Class(o) == ClassText:
			return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}
		case c.Class(o) == ClassNumber && computed && o.Type() != types.Float64:
			return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}
		}
		return o
	})
	for _, o := range operands {
		if c.Class(o) == ClassText {
			return operands, changed
		}
	}
	numbers, again := c.numberOperands(operands)
	return numbers, changed || again
}

// warnOfLiteral warns of a text that becomes a number before it is compared.
func (c Comparer) warnOfLiteral(l *expression.Literal) {
	text, ok := l.Val.(string)
	if !ok || c.Ctx == nil || c.Ctx.Session == nil {
		return
	}
	told := slices.ContainsFunc(c.Ctx.Session.Warnings(), func(w *sql.Warning) bool {
		return w.Code == mysql.ERTruncatedWrongValue && strings.Contains(w.Message, "'"+text+"'")
	})
	if !told {
		value.WarnTruncated(c.Ctx, text)
	}
}
