package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/memo"
)

// joinCoster is the engine's coster of joins, but for nested loops. The engine
// takes a table that is read along an access path for one of a single row, and so
// prefers to read it again for every row of the other side; where two sides are
// joined by a condition, a hash join reads each once and costs hardly more in the
// worst case.
type joinCoster struct {
	memo.Coster
}

// nestedLoop is how much dearer a nested loop is than the engine thinks.
const nestedLoop = 4

// EstimateCost implements memo.Coster.
func (c joinCoster) EstimateCost(ctx *sql.Context, n memo.RelExpr, s sql.StatsProvider) (float64, error) {
	cost, err := c.Coster.EstimateCost(ctx, n, s)
	if join, ok := n.(memo.JoinRel); ok && join.JoinPrivate().Op.IsInner() && len(join.JoinPrivate().Filter) > 0 {
		cost *= nestedLoop
	}
	return cost, err
}
