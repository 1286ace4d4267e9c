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

// DefaultRecursion is how often the recursive part of a common table expression is run at most, beyond the rows of the
// first one, unless cte_max_recursion_depth says otherwise: as in the engine, MySQL's is 1,000.
const DefaultRecursion = 10_000

// recursionDepth is the session's setting.
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

// recursiveIter gives the rows of the first part, then those of the recursive part run over the rows of the
// round before, until a round gives none.
type recursiveIter struct {
	Engine sql.NodeExecBuilder
	Plan   *plan.RecursiveCte
	Outer  sql.Row

	rows   sql.RowIter   // of the round that runs; nil before the first
	cast   []int         // columns whose values the recursive part gives with other digits, or with a time beside the day
	last   []sql.Row     // what the round before has given, the working table's rows meanwhile
	given  []sql.Row     // what this round has given
	seen   hold.SeenKeys // of all rows given, where equal ones are given once
	rounds int64
	most   int64 // of them

	owner     hold.RowOwner
	holding   hold.Memory
	lastBytes int64 // of last
	newBytes  int64 // of given
}

var _ sql.RowIter = (*recursiveIter)(nil)

// Next implements sql.RowIter.
func (i *recursiveIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil { // nothing else may be read
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

// castColumns are the dates and times of a recursion that are others in its recursive part.
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

// converted is a row of the recursive part with the types of the first part.
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

// working lends this iterator the plan's working table until what it returns is called. An iterator runs in one
// goroutine, and others that share the table run within its calls, or outside of them.
func (i *recursiveIter) working() (restore func()) {
	table := i.Plan.Working
	before := table.Buf
	table.Buf = i.last
	return func() { table.Buf = before }
}

// round begins the next round.
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

// hashedAgain is the recursive part for one round: a hash join keeps the rows of its right side in the plan, and those
// of the working table are others in each round.
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

// again reports whether an equal row has been given, which UNION ALL never asks.
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

// Recursive builds WITH RECURSIVE. The engine's iterator leaves the rows of a round in the working table of the plan,
// which all references to one expression share: where two are read at the same time, one reads the other's. It also
// finds equal rows by the Go values in them.
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
