package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// numberedConcat is a GROUP_CONCAT that keeps the number of its column. The engine's own loses it when it is
// copied, and is then found by its text, which changes where a subquery is merged into a statement that
// reads the same table.
type numberedConcat struct {
	*aggregation.GroupConcat
}

var _ sql.Aggregation = (*numberedConcat)(nil)

// numberedCount is a COUNT(DISTINCT …) that keeps the number of its column, as numberedConcat does: what it counts is
// spelled otherwise once its comparisons are our own.
type numberedCount struct {
	*aggregation.CountDistinct
}

var _ sql.Aggregation = (*numberedCount)(nil)

// numberedObject is a JSON_OBJECTAGG that keeps the number of its column, as numberedConcat does.
type numberedObject struct {
	*aggregation.JSONObjectAgg
}

var _ sql.Aggregation = (*numberedObject)(nil)

// numberAggregates lets each GROUP_CONCAT, COUNT(DISTINCT …) and JSON_OBJECTAGG keep its number.
func numberAggregates(selected []sql.Expression) ([]sql.Expression, bool) {
	out, any := append([]sql.Expression(nil), selected...), false
	for i, e := range out {
		switch c := e.(type) {
		case *aggregation.GroupConcat:
			if c.Id() != 0 {
				out[i], any = &numberedConcat{c}, true
			}
		case *aggregation.CountDistinct:
			if c.Id() != 0 {
				out[i], any = &numberedCount{c}, true
			}
		case *aggregation.JSONObjectAgg:
			if c.Id() != 0 {
				out[i], any = &numberedObject{c}, true
			}
		}
	}
	return out, any
}

// numberFields gives the fields above a GROUP BY that go by an aggregate's text alone its number: the plan builder makes them so beside
// HAVING. The text changes where comparisons become our own, and the field would be any other one.
func numberFields(chain []sql.Node, selected []sql.Expression) (changed bool, err error) {
	numbers := map[string]sql.ColumnId{}
	for _, e := range selected {
		switch c := e.(type) {
		case *numberedConcat, *numberedCount, *numberedObject:
			numbers[strings.ToLower(c.String())] = c.(sql.Aggregation).Id()
		}
	}
	if len(numbers) == 0 {
		return false, nil
	}
	for i, n := range chain {
		next, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			f, ok := e.(*expression.GetField)
			if !ok || f.Id() != 0 || f.Table() != "" {
				return e, transform.SameTree, nil
			}
			id, ok := numbers[strings.ToLower(f.Name())]
			if !ok {
				return e, transform.SameTree, nil
			}
			return expression.NewGetFieldWithTable(int(id), 0, f.Type(), "", "", f.Name(), f.IsNullable()), transform.NewTree, nil
		})
		if err != nil {
			return false, err
		}
		if !same {
			chain[i], changed = next, true
		}
	}
	return changed, nil
}

// WithChildren implements sql.Expression.
func (c *numberedCount) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return (&numberedCount{aggregation.NewCountDistinct(children...)}).WithId(c.Id()), nil
}

// WithId implements sql.IdExpression.
func (c *numberedCount) WithId(id sql.ColumnId) sql.IdExpression {
	return &numberedCount{c.CountDistinct.WithId(id).(*aggregation.CountDistinct)}
}

// WithChildren implements sql.Expression.
func (c *numberedConcat) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := c.GroupConcat.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &numberedConcat{next.(*aggregation.GroupConcat).WithId(c.Id()).(*aggregation.GroupConcat)}, nil
}

// WithId implements sql.IdExpression.
func (c *numberedConcat) WithId(id sql.ColumnId) sql.IdExpression {
	return &numberedConcat{c.GroupConcat.WithId(id).(*aggregation.GroupConcat)}
}

// WithChildren implements sql.Expression.
func (o *numberedObject) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := o.JSONObjectAgg.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &numberedObject{next.(*aggregation.JSONObjectAgg).WithId(o.Id()).(*aggregation.JSONObjectAgg)}, nil
}

// WithId implements sql.IdExpression.
func (o *numberedObject) WithId(id sql.ColumnId) sql.IdExpression {
	return &numberedObject{o.JSONObjectAgg.WithId(id).(*aggregation.JSONObjectAgg)}
}
