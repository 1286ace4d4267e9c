package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// A join evaluates its condition for pairs of rows. A subquery in it mostly reads fields of one side, or fields with
// few values, but the engine runs it again for each pair. So its value is cached for one execution of the join, by
// the values of the fields that it reads. sqlfdb_use_index = OFF turns that off, so that both ways can be compared.

// remembering returns a join's condition with its subqueries' values cached; nil if the join has no condition.
func remembering(ctx *sql.Context, join *plan.JoinNode) (sql.Expression, error) {
	if join.Filter == nil || !tree.ReadsSubquery(join.Filter) || !setting.UsesIndex(ctx) {
		return join.Filter, nil
	}
	return rememberingParts(join.Filter)
}

func rememberingParts(condition sql.Expression) (sql.Expression, error) {
	switch condition.(type) {
	case *plan.Subquery, *plan.ExistsSubquery, *plan.InSubquery, *compare.InSubquery, *compare.Quantified:
		return newRemembered(condition), nil
	case *subquery.Value: // caches its value itself
		return condition, nil
	}
	if !tree.ReadsSubquery(condition) {
		return condition, nil
	}
	children, changed := condition.Children(), false
	next := make([]sql.Expression, len(children))
	for i, child := range children {
		var err error
		if next[i], err = rememberingParts(child); err != nil {
			return nil, err
		}
		changed = changed || !functions.SameExpression(next[i], child)
	}
	if !changed {
		return condition, nil
	}
	return condition.WithChildren(next...)
}

// remembered is an expression with subqueries that is computed once for each combination of the fields that it
// reads. It is for one execution of a join, and not safe for concurrent use.
type remembered struct {
	of     sql.Expression
	begun  bool
	fields []int // indexes in a row of the fields that the value depends on; nil: nothing is cached
	given  map[string]any
	bytes  int
	key    []byte
}

var _ sql.Expression = (*remembered)(nil)

func newRemembered(e sql.Expression) *remembered { return &remembered{of: e} }

// Eval implements sql.Expression.
func (r *remembered) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	if !r.begun {
		r.begun, r.fields = true, decidingFields(r.of, len(row))
		r.given = map[string]any{}
	}
	if r.fields == nil {
		return r.of.Eval(ctx, row)
	}
	key := r.key[:0]
	for _, at := range r.fields {
		var ok bool
		if key, ok = rewrite.AppendExactKey(key, row[at]); !ok {
			return r.of.Eval(ctx, row)
		}
	}
	r.key = key
	if v, ok := r.given[string(key)]; ok {
		return v, nil
	}
	v, err := r.of.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	const entry = 64
	if size := entry + len(key) + hold.RowBytes(sql.Row{v}); r.bytes+size <= rewrite.RememberedBytes {
		r.bytes += size
		r.given[string(key)] = v
	}
	return v, nil
}

// decidingFields returns the fields of a row with width columns that the value of an expression with subqueries
// depends on; nil where it depends on anything else.
func decidingFields(e sql.Expression, width int) []int {
	read := map[int]bool{}
	ids, outer := sql.ColSet{}, sql.ColSet{}
	steady := true
	look := func(e sql.Expression) {
		switch e := e.(type) {
		case *expression.GetField:
			if e.Index() < width {
				read[e.Index()] = true
				ids.Add(e.Id())
			}
		case *plan.Subquery:
			outer = outer.Union(e.Correlated())
		case *expression.UserVar:
			steady = false
		case *subquery.Value: // like the subquery that it stands for
		case sql.NonDeterministicExpression:
			steady = steady && !e.IsNonDeterministic()
		}
		steady = steady && !functions.IsVolatile(e)
	}
	own := sql.ColSet{} // columns of the subqueries' own tables, which inner subqueries may read
	tree.InspectExpression(e, func(n sql.Node) {
		if t, ok := n.(plan.TableIdNode); ok {
			own = own.Union(t.Columns())
		}
		switch n.(type) {
		case *plan.RecursiveTable:
			steady = false
		}
	}, look)
	if !steady || !outer.Difference(own).SubsetOf(ids) {
		return nil
	}
	fields := make([]int, 0, len(read))
	for at := range width {
		if read[at] {
			fields = append(fields, at)
		}
	}
	return fields
}

// Children implements sql.Expression.
func (r *remembered) Children() []sql.Expression { return []sql.Expression{r.of} }

// WithChildren implements sql.Expression.
func (r *remembered) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return newRemembered(children[0]), nil
}

// Type implements sql.Expression.
func (r *remembered) Type() sql.Type { return r.of.Type() }

// IsNullable implements sql.Expression.
func (r *remembered) IsNullable() bool { return r.of.IsNullable() }

// Resolved implements sql.Expression.
func (r *remembered) Resolved() bool { return r.of.Resolved() }

// String implements fmt.Stringer.
func (r *remembered) String() string { return r.of.String() }
