package rewrite

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// NestingRule refuses a statement whose operators stand too deep inside one another once its derived tables and views
// are merged. statement.CheckDepth has measured the text of the statement, and of each view, alone.
func NestingRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !scope.IsEmpty() || tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil // it has been measured with the whole, or alone
	}
	s := stack{columns: map[sql.ColumnId]height{}}
	s.query(n)
	switch {
	case s.highest.doubled > statement.Twice*statement.MaxDoubled:
		return n, transform.SameTree, statement.TooComplex(statement.Doubled, statement.MaxDoubled)
	case s.highest.listed > statement.MaxQueried:
		return n, transform.SameTree, statement.TooComplex(statement.Queried, statement.MaxQueried)
	case s.highest.operators > statement.MaxDepth:
		return n, transform.SameTree, statement.TooComplex(statement.Operators, statement.MaxDepth)
	}
	return n, transform.SameTree, nil
}

// height is how deep operators stand inside one another in an expression, with those that compute the columns it reads.
type height struct {
	operators int
	doubled   int // what those of them count whose operand is planned twice, see statement.Twice
	queries   int
	listed    int // of the queries those of IN
}

func (h height) max(other height) height {
	return height{max(h.operators, other.operators), max(h.doubled, other.doubled), max(h.queries, other.queries),
		max(h.listed, other.listed)}
}

// stack measures expressions.
type stack struct {
	columns map[sql.ColumnId]height
	tables  [][]string // names of the tables of each query that is read, the innermost last
	highest height
}

// query returns the greatest height within a query.
func (s *stack) query(n sql.Node) height {
	s.tables = append(s.tables, tableNames(n))
	defer func() { s.tables = s.tables[:len(s.tables)-1] }()
	return s.node(n)
}

func (s *stack) node(n sql.Node) (most height) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		most = s.query(n.Child)
		s.derived(n)
		return most
	case *plan.InsertInto:
		most = s.node(n.Source)
	}
	for _, child := range n.Children() {
		most = most.max(s.node(child))
	}
	if x, ok := n.(sql.Expressioner); ok {
		for _, e := range x.Expressions() {
			most = most.max(s.expression(e))
		}
		switch n.(type) {
		case *plan.GroupBy, *plan.Window: // nothing goes through it
			for _, e := range x.Expressions() {
				if with, ok := e.(sql.IdExpression); ok {
					s.columns[with.Id()] = height{}
				}
			}
		}
	}
	s.highest = s.highest.max(most)
	return most
}

// derived gives the columns of a derived table the heights of the expressions that may replace them. Nothing replaces
// those of a query with groups or window functions; conditions on a set operation go into each of its sides.
func (s *stack) derived(n *plan.SubqueryAlias) {
	var heights []height
	var see func(n sql.Node)
	see = func(n sql.Node) {
		if set, ok := n.(*plan.SetOp); ok {
			see(set.Left())
			see(set.Right())
			return
		}
		for i, e := range outputs(n) {
			if i == len(heights) {
				heights = append(heights, height{})
			}
			heights[i] = heights[i].max(s.expression(e))
		}
	}
	see(n.Child)
	i := 0
	n.Columns().ForEach(func(id sql.ColumnId) {
		if i < len(heights) {
			s.columns[id] = heights[i]
		}
		i++
	})
}

func (s *stack) expression(e sql.Expression) (h height) {
	if f, ok := e.(*expression.GetField); ok {
		return s.columns[f.Id()]
	}
	if q, ok := e.(*plan.Subquery); ok {
		h = s.query(q.Query)
		h.queries++
		return h
	}
	children := e.Children()
	for i, child := range children {
		of := s.expression(child)
		if i == 0 || !firstAlone(e) {
			of.doubled += doubled(e)
		}
		h = h.max(of)
	}
	switch e := e.(type) {
	case *expression.Alias:
	case *plan.ExistsSubquery:
		h.operators++
		// Where a table has the name of an outer one, the engine renames it, and visits the queries in it many times.
		if s.hides(e.Query.Query) {
			h.doubled = max(h.doubled, 2*statement.Twice*(h.queries-1)) + 2*statement.Twice
		}
	case *plan.InSubquery:
		h.operators++
		h.listed++
	default:
		h.operators++
	}
	if with, ok := e.(sql.IdExpression); ok && with.Id() != 0 {
		s.columns[with.Id()] = h
	}
	return h
}

// hides reports whether a query has a table of the name of an outer one.
func (s *stack) hides(query sql.Node) bool {
	return slices.ContainsFunc(tableNames(query), func(name string) bool {
		return slices.ContainsFunc(s.tables, func(names []string) bool { return slices.Contains(names, name) })
	})
}

// tableNames are the names that a query has for its tables, in small letters.
func tableNames(query sql.Node) (names []string) {
	transform.Inspect(query, func(n sql.Node) bool {
		t, ok := n.(sql.Nameable)
		if ok {
			names = append(names, strings.ToLower(t.Name()))
		}
		_, derived := n.(*plan.SubqueryAlias)
		return !ok || derived
	})
	return names
}

// firstAlone reports whether it is the first operand alone that is planned more than once.
func firstAlone(e sql.Expression) bool {
	switch e.(type) {
	case *expression.Between, *expression.InTuple, *expression.Case:
		return true
	}
	return false
}

// doubled is what an operator counts for statement.MaxDoubled.
func doubled(e sql.Expression) int {
	switch e := e.(type) {
	case *expression.UnaryMinus:
		return statement.Asked
	case *expression.Between:
		return statement.Twice
	case *expression.InTuple:
		list, ok := e.Right().(expression.Tuple)
		if !ok {
			return 0
		}
		kinds := 0
		for _, element := range list {
			kinds |= 1 << kindOf(element.Type())
		}
		return statement.Copies(bits.OnesCount(uint(kinds)))
	case *expression.Case:
		if e.Expr != nil {
			copies := len(e.Branches)
			if alike(e) {
				copies = min(copies, 2) // it is evaluated once
			}
			return statement.Copies(copies)
		}
	case sql.FunctionExpression:
		return statement.DoubledBy(e.FunctionName(), len(e.Children())+1)
	}
	return 0
}

// alike reports whether a CASE compares values of one kind, and has results of one kind, whole numbers or texts: the
// engine's CASE stays for these.
func alike(e *expression.Case) bool {
	results, compared := []sql.Expression{e.Else}, []sql.Expression{e.Expr}
	for _, b := range e.Branches {
		results, compared = append(results, b.Value), append(compared, b.Cond)
	}
	return ofKind(results) && ofKind(compared)
}

func ofKind(list []sql.Expression) bool {
	kinds := 0
	for _, e := range list {
		switch {
		case e == nil || types.IsNull(e):
		case types.IsInteger(e.Type()), types.IsText(e.Type()):
			kinds |= 1 << kindOf(e.Type())
		default:
			return false
		}
	}
	return bits.OnesCount(uint(kinds)) <= 1
}

// kindOf numbers the kinds of types that IN compares in different ways.
func kindOf(t sql.Type) int {
	switch {
	case types.IsText(t):
		return 1
	case types.IsNumber(t):
		return 2
	case types.IsTime(t), types.IsTimespan(t):
		return 3
	}
	return 0
}
