package compare

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// textArguments converts the arguments of text functions to texts.
func (c Comparer) textArguments(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *aggregation.GroupConcat, *NumberedConcat:
		return c.asNumbers(e, temporalAsText)
	case *expression.Convert:
		if t := e.Type(); e.Child.Resolved() && !types.IsJSON(t) && (types.IsTextOnly(t) || types.IsBinaryType(t)) {
			return c.asNumbers(e, temporalAsText, plainJSONAsText)
		}
		return e, transform.SameTree, nil
	case *function.Extract:
		// The engine does not read the text of a time, as HOUR and the like do.
		if unit, ok := e.LeftChild.(*expression.Literal); ok {
			if part := functions.ClockFunction(fmt.Sprint(unit.Val), e.RightChild); part != nil {
				part, _, err := c.textArguments(part)
				return part, transform.NewTree, err
			}
		}
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
	if texts, ok := functions.TextFunctions[name]; ok {
		return functions.FirstArguments(e, texts, asSQLText)
	}
	if dates, ok := functions.DateFunctions[name]; ok {
		change := functions.DateOfJSON
		switch {
		case name == "time_format":
			change = c.timeInText
		case datesOfDigits[name]:
			change = c.dateInNumber
		}
		return functions.FirstArguments(e, dates, change)
	}
	switch {
	case name == "hex":
		return c.asNumbers(e, temporalAsText, functions.JSONAsText)
	case functions.DatesOfNumbers[name]:
		return c.asNumbers(e, numberOfJSON)
	}
	return e, transform.SameTree, nil
}

// countedFunctions maps functions to the indexes of arguments that are counts or positions.
var countedFunctions = map[string][]int{
	"space": {0}, "elt": {0}, "repeat": {1}, "left": {1}, "right": {1}, "lpad": {1}, "rpad": {1}, "substring": {1, 2},
	"substr": {1, 2}, "mid": {1, 2},
	"insert": {1, 2}, "substring_index": {2}, "locate": {2}, "format": {1},
}

// countArguments converts texts in those arguments to the integers that they begin with: '1.9' counts as 1.
func countArguments(e sql.Expression, name string) (sql.Expression, transform.TreeIdentity, error) {
	places := countedFunctions[name]
	if len(places) == 0 {
		return e, transform.SameTree, nil
	}
	args, any := append([]sql.Expression(nil), e.Children()...), false
	for _, at := range places {
		if at >= len(args) || !args[at].Resolved() || (Comparer{}).kind(args[at]) != kindText {
			continue
		}
		args[at] = converted(&NumberText{expression.UnaryExpression{Child: args[at]}, types.Int64}, types.Int64)
		any = true
	}
	return functions.Rebuild(e, args, any)
}

var _ sql.Expression = (*functions.SQLText)(nil)

// temporalAsText returns a date or a time as text, and other expressions unchanged.
func temporalAsText(e sql.Expression) sql.Expression {
	if (Comparer{}).kind(e).temporal() {
		return &functions.SQLText{UnaryExpression: expression.UnaryExpression{Child: e}}
	}
	return e
}

// plainJSONAsText returns JSON as its text: the engine's cast of a number loses its spelling.
func plainJSONAsText(e sql.Expression) sql.Expression {
	if (Comparer{}).kind(e) == kindJSON {
		return &functions.SQLText{UnaryExpression: expression.UnaryExpression{Child: e}}
	}
	return e
}

// asSQLText returns a date, a time, a number or JSON as text, and other expressions unchanged.
func asSQLText(e sql.Expression) sql.Expression {
	switch (Comparer{}).kind(e) {
	case kindDate, kindTime, kindNumber, kindJSON:
		return &functions.SQLText{UnaryExpression: expression.UnaryExpression{Child: e}}
	}
	return e
}

// caseOfTexts converts the dates and times of a CASE that is a text to texts: the engine writes dates with a time of
// day, and no times.
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
	values, changed := functions.Each(values, temporalAsText)
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
