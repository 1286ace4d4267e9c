package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// AsksOf returns the condition that IN, or a comparison with ANY or ALL, sets for the rows of its subquery. If not is
// set, no row may satisfy it, as with NOT IN and ALL. It returns nil for other conditions, and for subqueries without
// such a condition.
func (c Comparer) AsksOf(e sql.Expression) (q *InQuery, not bool, err error) {
	if n, ok := e.(*expression.Not); ok {
		if in, ok := n.Child.(*plan.InSubquery); ok {
			q, _, err = c.AsksOf(in)
			return q, true, err
		}
		return nil, false, nil
	}
	if in, ok := e.(*plan.InSubquery); ok {
		if q = c.inQueryOf(in.LeftChild, in.RightChild, equalTo); q == nil {
			return nil, false, nil
		}
		return q, false, c.mixedIn(in)
	}
	compared, ok := e.(expression.Comparer)
	if !ok {
		return nil, false, nil
	}
	of, ok := compared.Right().(*Quantifier)
	if !ok || !compared.Left().Resolved() || types.NumColumns(compared.Left().Type()) != 1 {
		return nil, false, nil
	}
	q = c.inQueryOf(compared.Left(), of.Child, func(left, value sql.Expression) (sql.Expression, error) {
		each, err := e.WithChildren(left, value)
		if err == nil && of.All {
			each = expression.NewNot(each)
		}
		return each, err
	})
	if q == nil || c.mixed(" = ", compared.Left(), of.Child) != nil {
		return nil, false, nil
	}
	return q, of.All, nil
}

func equalTo(left, value sql.Expression) (sql.Expression, error) {
	return expression.NewEquals(value, left), nil
}

// InQuery is a subquery over rows of tables, with a condition on them.
type InQuery struct {
	Query *plan.Subquery
	Rows  sql.Node // below its projection
	// Holds is the condition on a row: for IN, that the selected value equals the left side.
	Holds sql.Expression
	outer sql.ColSet // outer columns that the subquery and the left side name
	// Nullable says that Holds may be NULL.
	Nullable bool
}

// inQueryOf returns the condition on the subquery's rows; ask returns it for each column. It is nil for other
// queries, and for an uncorrelated subquery of one column.
func (c Comparer) inQueryOf(of, in sql.Expression,
	ask func(left, value sql.Expression) (sql.Expression, error)) *InQuery {
	q := c.anyInQueryOf(of, in, ask)
	if _, row := of.(expression.Tuple); q == nil || q.Query.Correlated().Empty() && !row {
		return nil
	}
	return q
}

// SameListOf returns the condition that IN sets for an uncorrelated subquery of one column; nil for others.
func (c Comparer) SameListOf(e *plan.InSubquery) *InQuery {
	if _, row := e.LeftChild.(expression.Tuple); row {
		return nil
	}
	q := c.anyInQueryOf(e.LeftChild, e.RightChild, equalTo)
	if q == nil || !q.Query.Correlated().Empty() {
		return nil
	}
	return q
}

// anyInQueryOf is inQueryOf for uncorrelated subqueries too.
func (c Comparer) anyInQueryOf(of, in sql.Expression,
	ask func(left, value sql.Expression) (sql.Expression, error)) *InQuery {
	query, ok := in.(*plan.Subquery)
	if !ok || !query.Resolved() || !of.Resolved() || query.Volatile() {
		return nil
	}
	left := []sql.Expression{of}
	if row, ok := of.(expression.Tuple); ok {
		left = row
	}
	selected, ok := query.Query.(*plan.Project)
	if !ok || len(selected.Projections) != len(left) || !plainRows(selected.Child) ||
		tree.OuterJoinReads(selected.Child, query.Correlated()) {
		return nil
	}
	q := &InQuery{Query: query, Rows: selected.Child, outer: query.Correlated().Copy()}
	holds := make([]sql.Expression, len(left))
	for i, e := range left {
		value := selected.Projections[i]
		if alias, ok := value.(*expression.Alias); ok {
			value = alias.Child
		}
		given := sql.Expression(query)
		if len(left) > 1 {
			given = expression.NewGetField(0, value.Type(), "value", true)
		}
		if !steadyValue(e) || !steadyValue(value) || !c.comparesAs(e, given, value) {
			return nil
		}
		sql.Inspect(e, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				q.outer.Add(f.Id())
			}
			return true
		})
		// A column that is NOT NULL in its table may be NULL in an outer join.
		q.Nullable = q.Nullable || e.IsNullable() || value.IsNullable() || functions.ReadsRows(e) ||
			functions.ReadsRows(value)
		asked, err := ask(e, value)
		if err != nil {
			return nil
		}
		holds[i] = asked
	}
	q.Holds = expression.JoinAnd(holds...)
	return q
}

// comparesAs reports whether IN compares a text with the subquery in the collation in which = compares it with the
// selected expression. A collation that is named there is not the subquery's.
func (c Comparer) comparesAs(e, given, selected sql.Expression) bool {
	return c.Class(e) != ClassText || c.Class(selected) != ClassText ||
		c.TextCollation(e, given) == c.TextCollation(selected, e)
}

// Exists returns EXISTS of the rows that satisfy one more condition.
func (q *InQuery) Exists(condition sql.Expression) *plan.ExistsSubquery {
	return plan.NewExistsSubquery(q.Query.WithQuery(one(q.those(condition))).WithCorrelated(q.outer))
}

// None returns a condition that no row satisfies one more condition, or that there is no row at all. It is evaluated
// once.
func (q *InQuery) None(condition ...sql.Expression) sql.Expression {
	rows := q.Rows
	if len(condition) > 0 {
		rows = q.those(condition[0])
	}
	first := plan.NewLimit(expression.NewLiteral(int64(1), types.Int64), one(rows))
	return expression.NewIsNull(q.Query.WithQuery(first))
}

// those returns the rows that satisfy one more condition.
func (q *InQuery) those(condition sql.Expression) sql.Node {
	conjuncts, rows := expression.SplitConjunction(condition), q.Rows
	if f, ok := rows.(*plan.Filter); ok {
		conjuncts, rows = append(expression.SplitConjunction(f.Expression), conjuncts...), f.Child
	}
	return plan.NewFilter(expression.JoinAnd(conjuncts...), rows)
}

// one returns 1 for each row.
func one(rows sql.Node) sql.Node {
	return plan.NewProject([]sql.Expression{expression.NewLiteral(int8(1), types.Int8)}, rows)
}

// plainRows reports whether a node is a table, or several joined, perhaps filtered.
func plainRows(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return plainRows(n.Child)
	case *plan.TableAlias:
		return plainRows(n.Child)
	case *plan.ResolvedTable:
		return !plan.IsDualTable(n.Table)
	case *plan.JoinNode:
		return plainRows(n.Left()) && plainRows(n.Right())
	}
	return false
}

// steadyValue reports whether an expression has the same value each time for a row, and no subquery in it.
func steadyValue(e sql.Expression) bool {
	plain := true
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery, *expression.Star, expression.Tuple, sql.Aggregation, sql.WindowAdaptableExpression:
			plain = false
		case sql.NonDeterministicExpression:
			plain = plain && !e.IsNonDeterministic()
		}
		return plain
	})
	return plain && e.Type() != types.Null
}
