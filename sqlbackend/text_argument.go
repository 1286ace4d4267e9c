package sqlbackend

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// textFunctions are functions of texts: how many of their first arguments are
// texts, -1 for all. The engine fails for some other types, and writes dates as it
// writes times of day.
var textFunctions = map[string]int{
	"concat": -1, "concat_ws": -1, "upper": 1, "ucase": 1, "lower": 1, "lcase": 1, "left": 1, "right": 1, "substring": 1, "substr": 1, "mid": 1,
	"trim": -1, "ltrim": 1, "rtrim": 1, "replace": 3, "reverse": 1, "repeat": 1, "lpad": 1, "rpad": 1, "length": 1, "char_length": 1, "character_length": 1,
	"quote": 1, "to_base64": 1, "md5": 1, "sha1": 1, "sha2": 1, "ascii": 1, "ord": 1, "soundex": 1, "substring_index": 2, "split": 2, "str_to_date": 2,
}

// textArguments gives text functions their arguments as texts.
func (c comparer) textArguments(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *aggregation.GroupConcat, *numberedConcat:
		return c.asNumbers(e, temporalAsText)
	case *expression.Convert:
		if t := e.Type(); e.Child.Resolved() && !types.IsJSON(t) && (types.IsTextOnly(t) || types.IsBinaryType(t)) {
			return c.asNumbers(e, temporalAsText)
		}
		return e, transform.SameTree, nil
	}
	f, ok := e.(sql.FunctionExpression)
	if !ok {
		return e, transform.SameTree, nil
	}
	name := strings.ToLower(f.FunctionName())
	e, counts, err := countArguments(e, name)
	if err != nil || !bool(counts) {
		return e, counts, err
	}
	if texts, ok := textFunctions[name]; ok {
		return firstArguments(e, texts, asSQLText)
	}
	if dates, ok := dateFunctions[name]; ok {
		change := dateOfJSON
		if name == "time_format" {
			change = c.timeInText
		}
		return firstArguments(e, dates, change)
	}
	switch {
	case name == "hex":
		return c.asNumbers(e, temporalAsText, jsonAsText)
	case datesOfNumbers[name]:
		return c.asNumbers(e, numberOfJSON)
	}
	return e, transform.SameTree, nil
}

// countedFunctions are functions with arguments that are counts or places: where those begin.
var countedFunctions = map[string][]int{
	"space": {0}, "elt": {0}, "repeat": {1}, "left": {1}, "right": {1}, "lpad": {1}, "rpad": {1}, "substring": {1, 2}, "substr": {1, 2}, "mid": {1, 2},
	"insert": {1, 2}, "substring_index": {2}, "locate": {2}, "format": {1},
}

// countArguments makes the integers that they begin with of texts that are counts: '1.9' counts for 1.
func countArguments(e sql.Expression, name string) (sql.Expression, transform.TreeIdentity, error) {
	places := countedFunctions[name]
	if len(places) == 0 {
		return e, transform.SameTree, nil
	}
	args, any := append([]sql.Expression(nil), e.Children()...), false
	for _, at := range places {
		if at >= len(args) || !args[at].Resolved() || (comparer{}).kind(args[at]) != kindText {
			continue
		}
		args[at] = converted(&numberText{expression.UnaryExpression{Child: args[at]}, types.Int64}, types.Int64)
		any = true
	}
	return rebuild(e, args, any)
}

// firstArguments changes as many of the first arguments of a function, all for -1.
func firstArguments(e sql.Expression, n int, change func(sql.Expression) sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	args := e.Children()
	if n < 0 || n > len(args) {
		n = len(args)
	}
	changed, any := each(args[:n:n], func(a sql.Expression) sql.Expression { return resolvedChange(change, a) })
	return rebuild(e, append(changed, args[n:]...), any)
}

// sqlText is a value as a text that a client would be sent.
type sqlText struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*sqlText)(nil)

// temporalAsText is a date or a time as text, and anything else as it is.
func temporalAsText(e sql.Expression) sql.Expression {
	if (comparer{}).kind(e).temporal() {
		return &sqlText{expression.UnaryExpression{Child: e}}
	}
	return e
}

func jsonAsText(e sql.Expression) sql.Expression {
	if types.IsJSON(e.Type()) {
		return &sqlText{expression.UnaryExpression{Child: e}}
	}
	return e
}

// asSQLText is a date, a time, a number or JSON as text, and anything else as it is.
func asSQLText(e sql.Expression) sql.Expression {
	switch (comparer{}).kind(e) {
	case kindDate, kindTime, kindNumber, kindJSON:
		return &sqlText{expression.UnaryExpression{Child: e}}
	}
	return e
}

// caseOfTexts gives a CASE that is a text the texts of its dates and times: the engine writes dates with a time of day, and no times.
func caseOfTexts(e *expression.Case) (*expression.Case, bool) {
	if !e.Resolved() || !types.IsTextOnly(e.Type()) {
		return e, false
	}
	values := make([]sql.Expression, 0, len(e.Branches)+1)
	for _, b := range e.Branches {
		values = append(values, b.Value)
	}
	if e.Else != nil {
		values = append(values, e.Else)
	}
	values, changed := each(values, temporalAsText)
	if !changed {
		return e, false
	}
	branches := make([]expression.CaseBranch, len(e.Branches))
	for i, b := range e.Branches {
		branches[i] = expression.CaseBranch{Cond: b.Cond, Value: values[i]}
	}
	last := e.Else
	if last != nil {
		last = values[len(branches)]
	}
	return expression.NewCase(e.Expr, branches, last), true
}

// Type implements sql.Expression.
func (t *sqlText) Type() sql.Type { return value.NewTextType(collation.Default) }

// Eval implements sql.Expression.
func (t *sqlText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	return valueText(ctx, t.Child.Type(), v)
}

// valueText is a value of a type as text.
func valueText(ctx *sql.Context, t sql.Type, v interface{}) (interface{}, error) {
	switch v := v.(type) {
	case types.Timespan, string, []byte:
		return value.TextOf(ctx, v)
	case time.Time:
		text, err := t.SQL(ctx, nil, v)
		return text.ToString(), err
	case value.JSON:
		return v.String(), nil
	}
	if t.Type() == sqltypes.Year || types.IsBit(t) || types.IsBoolean(t) {
		return types.ConvertToString(ctx, v, value.LongText, nil)
	}
	text, err := t.SQL(ctx, nil, v)
	return text.ToString(), err
}

// WithChildren implements sql.Expression.
func (t *sqlText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &sqlText{expression.UnaryExpression{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (t *sqlText) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_Default, 4
}

// String implements fmt.Stringer.
func (t *sqlText) String() string { return t.Child.String() }
