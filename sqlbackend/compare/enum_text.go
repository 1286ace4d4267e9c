package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// enumText is the text of an ENUM or SET value. The engine gives IFNULL and the like the ENUM's type when the other
// argument is a plain string, and panics when it converts that string.
type enumText struct {
	expression.UnaryExpression
}

var (
	_ sql.Expression         = (*enumText)(nil)
	_ sql.CollationCoercible = (*enumText)(nil)
)

// asEnumText returns an ENUM or SET as its text, and other expressions unchanged.
func asEnumText(e sql.Expression) sql.Expression {
	if !e.Resolved() {
		return e
	}
	switch e.Type().(type) {
	case sql.EnumType, sql.SetType:
		return &enumText{expression.UnaryExpression{Child: e}}
	}
	return e
}

// enumsAsText converts the ENUMs among the possible values of an expression to text, unless all of them have the same
// type.
func enumsAsText(e sql.Expression) (sql.Expression, bool) {
	var values []sql.Expression
	if c, ok := e.(*expression.Case); ok {
		for _, b := range c.Branches {
			values = append(values, b.Value)
		}
		if c.Else != nil {
			values = append(values, c.Else)
		}
	} else {
		values = e.Children()
	}
	if f, ok := e.(*function.If); ok {
		values = f.Children()[1:]
	}
	mixed := false
	for _, v := range values[min(1, len(values)):] {
		mixed = mixed || v.Resolved() && values[0].Resolved() && !types.TypesEqual(v.Type(), values[0].Type())
	}
	if !mixed {
		return e, false
	}
	if c, ok := e.(*expression.Case); ok {
		any := false
		branches := make([]expression.CaseBranch, len(c.Branches))
		for i, b := range c.Branches {
			text := asEnumText(b.Value)
			any = any || !functions.SameExpression(text, b.Value)
			branches[i] = expression.CaseBranch{Cond: b.Cond, Value: text}
		}
		other := c.Else
		if other != nil {
			other = asEnumText(other)
			any = any || !functions.SameExpression(other, c.Else)
		}
		if !any {
			return e, false
		}
		return expression.NewCase(c.Expr, branches, other), true
	}
	args, changed := functions.Each(values, asEnumText)
	if f, ok := e.(*function.If); ok {
		args = append([]sql.Expression{f.Children()[0]}, args...)
	}
	next, _, err := functions.Rebuild(e, args, changed)
	if err != nil {
		return e, false
	}
	return next, changed
}

// Type implements sql.Expression: text in the collation of the list, or LONGTEXT if the child is text already.
func (t *enumText) Type() sql.Type {
	switch of := t.Child.Type().(type) {
	case sql.EnumType:
		return TextIn(of.Collation())
	case sql.SetType:
		return TextIn(of.Collation())
	}
	return types.LongText
}

// PushdownOperand returns the ENUM, whose text is in the index.
func (t *enumText) PushdownOperand() sql.Expression { return t.Child }

// TextIn returns the type of text in one of the engine's collations.
func TextIn(id sql.CollationID) sql.Type {
	if coll, ok := collation.Lookup(id.Name()); ok && id != sql.Collation_Default {
		return value.NewTextType(coll)
	}
	return value.NewTextType(collation.Default)
}

// Eval implements sql.Expression.
func (t *enumText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return enumTextOf(ctx, t.Child.Type(), v)
}

// enumTextOf returns the text of a value of an ENUM or SET.
func enumTextOf(ctx *sql.Context, typ sql.Type, v interface{}) (interface{}, error) {
	switch n := v.(type) {
	case string:
		return n, nil
	case uint16:
		if of, ok := typ.(sql.EnumType); ok {
			text, _ := of.At(int(n))
			return text, nil
		}
	case uint64:
		if of, ok := typ.(sql.SetType); ok {
			return value.TextOfSet(of, n), nil
		}
	}
	text, err := typ.SQL(ctx, nil, v)
	if err != nil {
		return nil, err
	}
	return text.ToString(), nil
}

// WithChildren implements sql.Expression.
func (t *enumText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &enumText{expression.UnaryExpression{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (t *enumText) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, t.Child)
}

// String implements fmt.Stringer.
func (t *enumText) String() string { return t.Child.String() }

// enumArguments converts ENUMs that are arguments to text, as a step of the comparison rule. The engine would take
// their numbers.
func enumArguments(e sql.Expression) (sql.Expression, transform.TreeIdentity) {
	switch e := e.(type) {
	case *expression.EnumToString: // its child may be text by now
		return &enumText{expression.UnaryExpression{Child: e.Children()[0]}}, transform.NewTree
	case *expression.Case:
		if next, changed := enumsAsText(e); changed {
			return next, transform.NewTree
		}
		return e, transform.SameTree
	case *expression.Like, *expression.CollatedExpression, *expression.Binary, *aggregation.GroupConcat, *NumberedConcat:
		return enumsOf(e)
	case *value.SpelledNumber, *tree.Retype, *tree.Unhashed:
		return e, transform.SameTree
	case sql.FunctionExpression:
		switch name := e.FunctionName(); {
		case name == "ifnull" || name == "coalesce" || name == "if":
			if next, changed := enumsAsText(e); changed {
				return next, transform.NewTree
			}
		case !numericFunctions[name]:
			return enumsOf(e)
		}
	}
	return e, transform.SameTree
}

// numericFunctions take an ENUM for its number, or return a value of its type.
var numericFunctions = map[string]bool{
	"abs": true, "any_value": true, "avg": true, "bit_and": true, "bit_count": true, "bit_or": true, "bit_xor": true,
	"case": true, "ceil": true, "ceiling": true,
	"count": true, "exp": true, "first": true, "first_value": true, "floor": true, "lag": true, "last": true,
	"last_value": true, "lead": true, "ln": true,
	"log": true, "log10": true, "log2": true, "mod": true, "nullif": true, "nth_value": true, "pow": true, "power": true,
	"round": true, "sign": true, "sqrt": true, "std": true,
	"stddev": true, "stddev_pop": true, "stddev_samp": true, "sum": true, "truncate": true, "var_pop": true,
	"var_samp": true, "variance": true,
}

// enumsOf converts arguments that are ENUMs or SETs to text. ORDER BY and PARTITION BY of a window are no arguments.
func enumsOf(e sql.Expression) (sql.Expression, transform.TreeIdentity) {
	args := e.Children()
	own := len(args)
	if w, ok := e.(sql.WindowAdaptableExpression); ok {
		own = max(own-len(w.Window().ToExpressions()), 0)
	}
	texts, changed := functions.Each(args[:own], asEnumText)
	if !changed {
		return e, transform.SameTree
	}
	args = append(texts, args[own:]...)
	next, err := e.WithChildren(args...)
	if err != nil {
		return e, transform.SameTree
	}
	return next, transform.NewTree
}

func isEnum(e sql.Expression) bool {
	if !e.Resolved() {
		return false
	}
	switch e.Type().(type) {
	case sql.EnumType, sql.SetType:
		return true
	}
	return false
}

// enumOperands gives ENUMs and SETs the form in which they compare: their numbers beside numbers, otherwise their
// texts. Two of one type that are only compared for equality are unchanged.
func (c Comparer) enumOperands(op operation, operands []sql.Expression) ([]sql.Expression, bool) {
	var of sql.Type
	enums, numbers, others, alike := 0, 0, 0, true
	for _, o := range operands {
		switch {
		case isEnum(o):
			enums++
			alike = alike && (of == nil || types.TypesEqual(of, o.Type()))
			of = o.Type()
		case c.Class(o) == ClassNumber:
			numbers++
		case c.Class(o) != ClassNull:
			others++
		}
	}
	if enums == 0 || op == opEqual && alike && numbers+others == 0 {
		return operands, false
	}
	return functions.Each(operands, func(o sql.Expression) sql.Expression {
		switch {
		case !isEnum(o):
			return o
		case numbers > 0:
			return &tree.EnumNumber{UnaryExpression: expression.UnaryExpression{Child: o}}
		}
		return asEnumText(o)
	})
}

// caseAsConditions replaces the values of CASE by conditions if they differ in how they compare with the expression.
func (c Comparer) caseAsConditions(e *expression.Case) (sql.Expression, bool) {
	first, apart := c.kind(e.Expr), false
	for _, b := range e.Branches {
		k := c.kind(b.Cond)
		apart = apart || k != first && k != kindNull
	}
	if !apart {
		return e, false
	}
	branches := make([]expression.CaseBranch, len(e.Branches))
	for i, b := range e.Branches {
		equal, _, err := c.comparison(expression.NewEquals(e.Expr, b.Cond), opEqual)
		if err != nil {
			return e, false
		}
		branches[i] = expression.CaseBranch{Cond: equal, Value: b.Value}
	}
	return expression.NewCase(nil, branches, e.Else), true
}

// EnumOfText returns the ENUM value of a document's string: the member with its text, in the list's collation. The
// type's own conversion takes the text of a number for a place in the list, where no range of the index would find
// it.
func EnumOfText(e sql.EnumType, s string) (interface{}, bool) {
	at := e.IndexOf(s)
	if at < 0 {
		return uint16(0), s == "" // MySQL stores 0 for a value outside the list
	}
	text, _ := e.At(at)
	if text == s {
		return uint16(at), true
	}
	coll, ok := value.CollationOfType(TextIn(e.Collation()))
	return uint16(at), ok && coll.Equal(text, s)
}

var _ pushdown.Strict = (*numberFromJSON)(nil)

var _ pushdown.Strict = (*temporalDigits)(nil)

var _ pushdown.Strict = (*functions.TemporalNumber)(nil)

var _ pushdown.Strict = (*temporalValue)(nil)

// PushdownStrict implements pushdown.Strict.
func (c *Conversion) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (n *numberFromJSON) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *NumberText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalDigits) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalValue) PushdownStrict() {}

var (
	_ pushdown.Number = (*numberFromJSON)(nil)
	_ pushdown.Number = (*NumberText)(nil)
	_ pushdown.Number = (*functions.SQLScalar)(nil)
)

// PushdownNumber implements pushdown.Number.
func (n *numberFromJSON) PushdownNumber() (sql.Expression, bool) { return n.Child, false }

// PushdownNumber implements pushdown.Number.
func (t *NumberText) PushdownNumber() (sql.Expression, bool) { return t.Child, types.IsInteger(t.to) }
