package compare

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// IsMixedColumn reports whether an undeclared column is JSON although its values are scalars: of several types, or
// numbers that fit no type of a column.
func IsMixedColumn(counts costing.Keypath, t sql.Type) bool {
	if !types.IsJSON(t) {
		return false
	}
	scalars := false
	for kind, c := range counts {
		there := c.Documents > 0 || c.Entries > 0
		switch kind {
		case document.KindObject, document.KindArray:
			if there {
				return false
			}
		default:
			scalars = scalars || there
		}
	}
	return scalars
}

// MixedRule keeps one value of another type from changing the meaning of an undeclared column. Where a text is
// needed, a mixed column has the text of its strings, as with ->>. A string that spells a number is compared with the
// column's strings unchanged, and with its numbers as that number. Declared JSON columns have MySQL's rules. It runs
// before CompareRule, and is idempotent.
func MixedRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	m := mixedColumns{}
	m.collect(n)
	if len(m) == 0 {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, m.node)
}

// mixedColumns are the mixed columns of a statement's tables, by the table and the name in lower case.
type mixedColumns map[mixedName]bool

type mixedName struct {
	table sql.TableId
	name  string
}

// mixing is a table that has mixed columns.
type mixing interface {
	// MixedColumns returns the names of those columns, and the table's number in the statement.
	MixedColumns() (sql.TableId, []string)
}

// collect finds the mixed columns that a node reads, also in its subqueries.
func (m mixedColumns) collect(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.ResolvedTable:
			if t, ok := sql.GetUnderlyingTable(n.Table).(mixing); ok {
				id, names := t.MixedColumns()
				for _, name := range names {
					m[mixedName{id, strings.ToLower(name)}] = true
				}
			}
		case *plan.InsertInto:
			m.collect(n.Source)
		}
		if x, ok := n.(sql.Expressioner); ok {
			for _, e := range x.Expressions() {
				transform.InspectExpr(e, func(e sql.Expression) bool {
					if sq, ok := e.(*plan.Subquery); ok {
						m.collect(sq.Query)
					}
					return false
				})
			}
		}
		if alias, ok := n.(*plan.SubqueryAlias); ok {
			m.collect(alias.Child)
			m.derived(alias)
			return false // don't visit its child again: twice on each level takes exponential time
		}
		return true
	})
}

// derived marks the columns of a derived table that are mixed columns of the tables that it reads.
func (m mixedColumns) derived(alias *plan.SubqueryAlias) {
	n := alias.Child
	for {
		var given []sql.Expression
		switch at := n.(type) {
		case *plan.Project:
			given = at.Projections
		case *plan.GroupBy:
			given = at.SelectedExprs
		case *plan.Limit, *plan.Offset, *plan.Sort, *plan.TopN, *plan.Distinct, *plan.Having, *plan.Filter:
			n = at.Children()[0]
			continue
		}
		for i, e := range given {
			if a, ok := e.(*expression.Alias); ok {
				e = a.Child
			}
			if !m.has(e) {
				continue
			}
			// The schema describes all columns' expressions, which is expensive: compute it only if needed.
			if names := alias.Schema(); i < len(names) {
				m[mixedName{alias.Id(), strings.ToLower(names[i].Name)}] = true
			}
		}
		return
	}
}

func (m mixedColumns) has(e sql.Expression) bool {
	f, ok := e.(*expression.GetField)
	return ok && m[mixedName{f.TableId(), strings.ToLower(f.Name())}]
}

func (m mixedColumns) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return tree.NodeExpressions(n, m.expression)
}

// mixedTextFunctions are functions of texts in addition to functions.TextFunctions.
var mixedTextFunctions = map[string]bool{
	"regexp_like": true, "regexp_instr": true, "regexp_substr": true, "regexp_replace": true, "strcmp": true,
	"find_in_set": true, "field": true,
	"instr": true, "locate": true, "position": true, "octet_length": true, "bit_length": true, "hex": true, "sha": true,
	"crc32": true, "unhex": true,
	"from_base64": true, "insert": true,
}

func (m mixedColumns) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, m.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.Equals:
		return m.compared(e, e.LeftChild, e.RightChild, expression.NewOr)
	case *expression.NullSafeEquals:
		return m.compared(e, e.LeftChild, e.RightChild, expression.NewOr)
	case *expression.LessThan:
		return m.ordered(e, e.LeftChild, e.RightChild)
	case *expression.LessThanOrEqual:
		return m.ordered(e, e.LeftChild, e.RightChild)
	case *expression.GreaterThan:
		return m.ordered(e, e.LeftChild, e.RightChild)
	case *expression.GreaterThanOrEqual:
		return m.ordered(e, e.LeftChild, e.RightChild)
	case *expression.Between:
		lower, lowerText, isLower := numberLiteralOf(e.Lower)
		upper, upperText, isUpper := numberLiteralOf(e.Upper)
		if !m.has(e.Val) || !isLower || !isUpper {
			return e, transform.SameTree, nil
		}
		return expression.NewOr(expression.NewBetween(e.Val, lowerText, upperText),
			expression.NewBetween(e.Val, lower, upper)), transform.NewTree, nil
	case *expression.InTuple:
		return m.in(e)
	case *expression.Like, *aggregation.GroupConcat, *NumberedConcat:
		return m.texts(e, -1)
	case *expression.Convert:
		if t := e.Type(); !types.IsJSON(t) && (types.IsTextOnly(t) || types.IsBinaryType(t)) {
			return m.texts(e, -1)
		}
		return e, transform.SameTree, nil
	}
	if f, ok := e.(sql.FunctionExpression); ok {
		name := strings.ToLower(f.FunctionName())
		if count, ok := functions.TextFunctions[name]; ok {
			return m.texts(e, count)
		}
		if mixedTextFunctions[name] {
			return m.texts(e, -1)
		}
	}
	return e, transform.SameTree, nil
}

// texts replaces the mixed columns among the first operands of an expression, all for -1, by texts.
func (m mixedColumns) texts(e sql.Expression, count int) (sql.Expression, transform.TreeIdentity, error) {
	return functions.FirstArguments(e, count, func(a sql.Expression) sql.Expression {
		if m.has(a) {
			return functions.NewJSONFunction("json_unquote", a)
		}
		return a
	})
}

// compared returns a comparison that is true for a mixed column's strings or for its numbers.
func (m mixedColumns) compared(e, left, right sql.Expression,
	either func(a, b sql.Expression) sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	spelled, other, at := right, left, 1
	if m.has(right) {
		spelled, other, at = left, right, 0
	}
	number, text, ok := numberLiteralOf(spelled)
	if !ok || !m.has(other) {
		return e, transform.SameTree, nil
	}
	operands := []sql.Expression{other, other}
	operands[at] = text
	textual, err := e.WithChildren(operands...)
	if err != nil {
		return e, transform.SameTree, err
	}
	operands[at] = number
	numeric, err := e.WithChildren(operands...)
	return either(textual, numeric), transform.NewTree, err
}

// ordered returns an order comparison that compares a mixed column's strings with the string, and its numbers with
// the number. In JSON all numbers come before the strings, so each part is limited to its own.
func (m mixedColumns) ordered(e, left, right sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	column := left
	if !m.has(column) {
		column = right
	}
	first := expression.NewLiteral("", types.LongText) // the first of all strings
	return m.compared(e, left, right, func(strings, numbers sql.Expression) sql.Expression {
		return expression.NewOr(expression.NewAnd(expression.NewGreaterThanOrEqual(column, first), strings),
			expression.NewAnd(expression.NewLessThan(column, first), numbers))
	})
}

// in adds to a list the numbers that its strings spell.
func (m mixedColumns) in(e *expression.InTuple) (sql.Expression, transform.TreeIdentity, error) {
	list, ok := e.RightChild.(expression.Tuple)
	if !ok || !m.has(e.LeftChild) {
		return e, transform.SameTree, nil
	}
	elements, found := make(expression.Tuple, 0, len(list)), false
	for _, element := range list {
		if number, text, ok := numberLiteralOf(element); ok {
			elements, found = append(elements, number, text), true
			continue
		}
		elements = append(elements, element)
	}
	if !found {
		return e, transform.SameTree, nil
	}
	return expression.NewInTuple(e.LeftChild, elements), transform.NewTree, nil
}

// numberLiteralOf returns the number that a string literal spells, and the string, both as JSON: so the rule does not
// apply again.
func numberLiteralOf(e sql.Expression) (number, text sql.Expression, ok bool) {
	l, ok := e.(*expression.Literal)
	if !ok {
		return nil, nil, false
	}
	given, ok := l.Val.(string)
	if !ok || !types.IsTextOnly(l.Type()) {
		return nil, nil, false
	}
	v, ok := takesNumbers.spelled(given)
	if !ok {
		return nil, nil, false
	}
	n, err := value.JSONOf(v)
	if err != nil {
		return nil, nil, false
	}
	s, err := value.JSONOf(given)
	return expression.NewLiteral(n, types.JSON), expression.NewLiteral(s, types.JSON), err == nil
}
