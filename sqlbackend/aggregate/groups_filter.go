package aggregate

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
)

// Conditions on columns other than the grouped one: SELECT status, MAX(total) … WHERE paid GROUP BY status reads the
// groups of all documents. It drops the groups without a document that satisfies the condition. A MIN or MAX that
// is not NULL proves that there is one.

// listed returns the source with only the conditions on the column by; conditions on other columns or on none are
// dropped.
func (s *aggregateSource) listed(by *expression.GetField) *aggregateSource {
	out := *s
	out.path, out.conjuncts = nil, nil
	for _, e := range s.conjuncts {
		own, others := false, false
		sql.Inspect(e, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				same := f.Id() == by.Id()
				own, others = own || same, others || !same
			}
			return true
		})
		if own && !others {
			out.conjuncts = append(out.conjuncts, e)
		}
	}
	return &out
}

// rowsOf is the source of one group and the plan of its rows.
func (s *groupedSource) rowsOf(r aggregating, value any) (of aggregateSource, rows sql.Node, err error) {
	condition, err := order.HasValue(r.ctx, s.by, value)
	if err != nil {
		return of, nil, err
	}
	of = *s.source
	of.conjuncts = append(slices.Clone(of.conjuncts), condition)
	if of.path, err = of.table.Plan(r.ctx, of.conjuncts); err != nil {
		return of, nil, err
	}
	if of.path == nil {
		rows, err = of.rows()
	} else {
		rows, err = of.read(r.ctx, sql.IndexLookup{Index: of.path.Index(), Ranges: of.path}, of.path)
	}
	return of, rows, err
}

// allNull reports whether every value of a row is NULL.
func allNull(row sql.Row) bool {
	return !slices.ContainsFunc(row, func(v any) bool { return v != nil })
}

// exists reports whether a group has a row, and the cost of looking for one. It does not look where that cost makes
// the groups be given up.
func (i *separateGroupsIter) exists(r aggregating, value any) (exists bool, cost float64, err error) {
	of, rows, err := i.Of.of.rowsOf(r, value)
	if err != nil {
		return false, 0, err
	}
	if cost, err = of.reading(r.ctx); err != nil || i.givenUp(cost) {
		return false, cost, err
	}
	found, err := i.build(r.ctx, plan.NewLimit(expression.NewLiteral(int64(1), types.Int64), rows))
	if err != nil {
		return false, 0, err
	}
	_, err = found.Next(r.ctx)
	exists = err == nil
	if err == io.EOF {
		err = nil
	}
	return exists, cost, mysqlerr.Joined(err, found.Close(r.ctx))
}
