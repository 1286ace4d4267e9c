package operator

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

var _ sql.Aggregation = (*compare.NumberedConcat)(nil)

var _ sql.Aggregation = (*compare.NumberedCount)(nil)

var _ sql.Aggregation = (*compare.NumberedObject)(nil)

// NumberAggregates makes each GROUP_CONCAT, COUNT(DISTINCT …) and JSON_OBJECTAGG keep its column ID.
func NumberAggregates(selected []sql.Expression) ([]sql.Expression, bool) {
	out, any := append([]sql.Expression(nil), selected...), false
	for i, e := range out {
		switch c := e.(type) {
		case *aggregation.GroupConcat:
			if c.Id() != 0 {
				out[i], any = &compare.NumberedConcat{GroupConcat: c}, true
			}
		case *aggregation.CountDistinct:
			if c.Id() != 0 {
				out[i], any = &compare.NumberedCount{CountDistinct: c}, true
			}
		case *aggregation.JSONObjectAgg:
			if c.Id() != 0 {
				out[i], any = &compare.NumberedObject{JSONObjectAgg: c}, true
			}
		}
	}
	return out, any
}

// NumberFields sets the column ID of the fields above a GROUP BY that have only an aggregate's text as their name.
// The plan builder makes such fields with HAVING. The text changes where comparisons are replaced, and the field
// would then read some other column.
func NumberFields(chain []sql.Node, selected []sql.Expression) (changed bool, err error) {
	numbers := map[string]sql.ColumnId{}
	for _, e := range selected {
		switch c := e.(type) {
		case *compare.NumberedConcat, *compare.NumberedCount, *compare.NumberedObject:
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
			return expression.NewGetFieldWithTable(int(id), 0, f.Type(), "", "", f.Name(), f.IsNullable()), transform.NewTree,
				nil
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
