package order

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
)

// mapped plans a sort of a map index by its key: the map index itself is in that order, read from either end.
func (o Orderer) mapped(fields sql.SortFields, child sql.Node, above RowLimit) (sql.Node, bool, error) {
	var s SortInput
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner {
		return nil, false, nil
	}
	node, t, path, ok := companion.MapOf(leaf)
	if !ok || !t.AlongKey(s.Fields) {
		return nil, false, nil
	}
	along, err := t.Everything(o.Ctx)
	if err != nil {
		return nil, false, err
	}
	if path != nil {
		*along = *path
	}
	along.Reverse = s.Fields[0].Order == sql.Descending
	filtered := slices.ContainsFunc(s.between, func(n sql.Node) bool { _, is := n.(*plan.Filter); return is })
	if !filtered && !above.guess {
		along.Limit = above.Most()
	}
	access, err := plan.NewStaticIndexedAccessForTableNode(o.Ctx, node, along.AsLookup())
	if err != nil {
		return nil, false, err
	}
	n, err := s.above(access)
	return n, err == nil, err
}
