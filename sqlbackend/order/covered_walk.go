package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// walked returns a node that reads a table without conditions along the entries of the one needed column; nil where
// a scan is as good.
func (r *coveredTables) walked(n *plan.ResolvedTable, t *table.Table, needed []bool) (sql.Node, error) {
	if c := t.CoveredByKey(needed); c == nil || c.Column < 0 || !setting.UsesIndex(r.ctx) {
		return nil, nil
	}
	path, err := t.Plan(r.ctx, nil)
	if err != nil {
		return nil, mysqlerr.Of(r.ctx, err)
	}
	if path == nil {
		return nil, nil
	}
	if path.Covered = path.Coverable(needed); path.Covered == nil {
		return nil, nil
	}
	return plan.NewStaticIndexedAccessForTableNode(r.ctx, n, sql.IndexLookup{Index: path.Index(), Ranges: path})
}
