package operator

import (
	"errors"
	"io"
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// DefaultRecursion is how many times the recursive part of a common table expression may run, unless
// cte_max_recursion_depth says otherwise. It is the engine's limit; MySQL's is 1,000.
const DefaultRecursion = 10_000

// recursionDepth returns the session's limit of rounds.
func recursionDepth(ctx *sql.Context) int64 {
	if v, err := ctx.GetSessionVariable(ctx, "cte_max_recursion_depth"); err == nil {
		if n, _, err := types.Int64.Convert(ctx, v); err == nil {
			if depth, ok := n.(int64); ok {
				return depth
			}
		}
	}
	return DefaultRecursion
}

// recursiveIter returns the rows of the first part. Then it runs the recursive part over the previous round's rows,
// until a round returns none.
type recursiveIter struct {
	Engine sql.NodeExecBuilder
	Plan   *plan.RecursiveCte
	Outer  sql.Row

	rows   sql.RowIter   // of the current round; nil before the first
	cast   []int         // indexes of the columns whose type differs in the recursive part, see castColumns
	last   []sql.Row     // rows of the previous round, the working table's rows for this one
	given  []sql.Row     // rows of this round so far
	seen   hold.SeenKeys // keys of all rows returned, for UNION DISTINCT
	rounds int64
	most   int64 // limit of rounds

	owner     hold.RowOwner
	holding   hold.Memory
	lastBytes int64 // memory of last
	newBytes  int64 // memory of given
}

var _ sql.RowIter = (*recursiveIter)(nil)

// Next implements sql.RowIter.
func (i *recursiveIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil { // a round may read nothing else that checks it
		return nil, err
	}
	defer i.working()()
	if i.rows == nil {
		rows, err := i.Engine.Build(ctx, i.Plan.Left(), i.Outer)
		if err != nil {
			return nil, err
		}
		i.rows, i.most = rows, recursionDepth(ctx)
		i.cast = castColumns(i.Plan)
	}
	for {
		row, err := i.rows.Next(ctx)
		if errors.Is(err, io.EOF) && len(i.given) > 0 {
			if err := i.round(ctx); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if i.rounds > 0 && len(i.cast) > 0 {
			if row, err = i.converted(ctx, row); err != nil {
				return nil, err
			}
		}
		again, err := i.again(ctx, row)
		if err != nil {
			return nil, err
		}
		if again {
			continue
		}
		row = i.owner.Own(row, 0)
		i.given = append(i.given, row)
		n := hold.RowBytes(row)
		i.newBytes += int64(n)
		return row, i.holding.Hold(ctx, n)
	}
}

// castColumns returns the indexes of the date and time columns that have another type in the recursive part.
func castColumns(n *plan.RecursiveCte) []int {
	var out []int
	right := n.Right().Schema()
	for i, c := range n.Schema() {
		if i < len(right) && (types.IsTime(c.Type) || value.IsTimespan(c.Type)) && !reflect.DeepEqual(c.Type, right[i].Type) {
			out = append(out, i)
		}
	}
	return out
}

// converted converts a row of the recursive part to the types of the first part.
func (i *recursiveIter) converted(ctx *sql.Context, row sql.Row) (sql.Row, error) {
	row = slices.Clone(row)
	for _, at := range i.cast {
		v, err := sql.UnwrapAny(ctx, row[at])
		if err != nil {
			return nil, err
		}
		if row[at], _, err = i.Plan.Schema()[at].Type.Convert(ctx, v); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// working puts this iterator's rows into the plan's working table until restore is called. An iterator runs in one
// goroutine. Other iterators that share the table run within its calls, or outside of them.
func (i *recursiveIter) working() (restore func()) {
	table := i.Plan.Working
	before := table.Buf
	table.Buf = i.last
	return func() { table.Buf = before }
}

// round starts the next round.
func (i *recursiveIter) round(ctx *sql.Context) error {
	if i.rounds++; i.rounds > i.most {
		return mysql.NewSQLError(mysqlerr.RecursionDepth, "HY000",
			"Recursive query aborted after %d iterations. Try increasing @@cte_max_recursion_depth to a larger value.", i.rounds)
	}
	i.holding.Release(i.lastBytes)
	i.last, i.lastBytes, i.given, i.newBytes = i.given, i.newBytes, nil, 0
	i.Plan.Working.Buf = i.last
	if err := i.rows.Close(ctx); err != nil {
		return err
	}
	right, err := hashedAgain(i.Plan.Right())
	if err != nil {
		return err
	}
	rows, err := i.Engine.Build(ctx, right, i.Outer)
	if err != nil {
		i.rows = sql.RowsToRowIter()
		return err
	}
	i.rows = rows
	return nil
}

// hashedAgain returns the recursive part for one round. A hash join keeps the rows of its right side in the plan,
// but the working table's rows change each round.
func hashedAgain(right sql.Node) (sql.Node, error) {
	next, _, err := transform.NodeWithOpaque(right, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		h, ok := n.(*plan.HashLookup)
		if !ok {
			return n, transform.SameTree, nil
		}
		working := false
		transform.Inspect(h.Child, func(n sql.Node) bool {
			_, reads := n.(*plan.RecursiveTable)
			working = working || reads
			return !working
		})
		if !working {
			return n, transform.SameTree, nil
		}
		return plan.NewHashLookup(h.Child, h.RightEntryKey, h.LeftProbeKey, h.JoinType), transform.NewTree, nil
	})
	return next, err
}

// again reports whether an equal row has been returned; false for UNION ALL.
func (i *recursiveIter) again(ctx *sql.Context, row sql.Row) (bool, error) {
	if !i.Plan.Union().Distinct {
		return false, nil
	}
	key, err := value.RowKey(ctx, row, i.Plan.Schema())
	if err != nil {
		return false, err
	}
	return i.seen.Again(ctx, key)
}

// Close implements sql.RowIter.
func (i *recursiveIter) Close(ctx *sql.Context) error {
	i.last, i.given, i.owner = nil, nil, hold.RowOwner{}
	i.seen.Release()
	i.holding.ReleaseAll()
	if i.rows == nil {
		return nil
	}
	defer i.working()()
	return i.rows.Close(ctx)
}

// Recursive builds WITH RECURSIVE. The engine's iterator leaves the rows of a round in the plan's working table,
// which all references to one expression share. If two references are read at the same time, one reads the other's
// rows. The engine also compares rows by their Go values.
func Recursive(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.RecursiveCte, row sql.Row) (sql.RowIter, error) {
	union := n.Union()
	if union.Limit == nil && len(union.SortFields) == 0 {
		return &recursiveIter{Engine: engine, Plan: n, Outer: row}, nil
	}
	var all sql.Node = plan.NewRecursiveCte(n.Left(), n.Right(), n.Name(), n.ColumnNames, union.Distinct, nil, nil).
		WithSchema(n.Schema()).WithWorking(n.Working).WithId(n.Id()).WithColumns(n.Columns())
	if len(union.SortFields) > 0 {
		all = plan.NewSort(columnSort(union.SortFields, n.Schema()), all)
	}
	if union.Limit != nil {
		all = plan.NewLimit(union.Limit, all)
	}
	return engine.Build(ctx, all, row)
}
