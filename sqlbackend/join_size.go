package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/tables"
)

// size is what is expected of a part of a plan: how many rows it gives, and what
// it costs to read them.
type size struct {
	rows, cost float64
}

// What is expected where nothing is counted.
const (
	unknownRows   = 1000
	filteredPart  = 0.5
	groupedPart   = 0.1
	distinctsRead = 128 // entries that are read to see how many documents share a value
)

func (j joiner) sizeOf(n sql.Node) size {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(sql.StatisticsTable); ok {
			if rows, _, err := t.RowCount(j.ctx); err == nil {
				return wholeSize(t, float64(rows))
			}
		}
		return size{rows: unknownRows, cost: unknownRows}
	case *plan.IndexedTableAccess:
		switch path := plan.GetIndexLookup(n).Ranges.(type) {
		case *accessPath:
			return path.size()
		case *childPath:
			return path.size()
		case *aggregatePath:
			return path.size()
		case *mapPath:
			return path.expected()
		case *feedPath:
			if _, t, _, ok := feedOf(n); ok {
				return path.expected(t)
			}
		}
		return size{rows: unknownRows, cost: unknownRows}
	case *plan.Values:
		return size{rows: float64(len(n.ExpressionTuples))}
	case *plan.Filter:
		s := j.sizeOf(n.Child)
		s.rows *= filteredPart
		return s
	case *plan.GroupBy:
		s := j.sizeOf(n.Child)
		if s.rows *= groupedPart; len(n.GroupByExprs) == 0 {
			s.rows = 1
		}
		return s
	case *plan.Limit:
		return limited(j.ctx, j.sizeOf(n.Child), n.Limit)
	case *plan.TopN:
		return limited(j.ctx, j.sizeOf(n.Child), n.Limit)
	case *groupsApart:
		return size{rows: float64(n.count), cost: n.expected}
	case *boundedOrder:
		return size{rows: min(float64(n.rows), j.sizeOf(n.sorted).rows), cost: n.expected}
	case *plan.JoinNode:
		return j.joinSize(n)
	}
	var sum size
	for i, child := range n.Children() {
		s := j.sizeOf(child)
		sum.cost += s.cost
		if i == 0 || s.rows > sum.rows {
			sum.rows = s.rows
		}
	}
	if len(n.Children()) == 0 {
		sum.rows = 1
	}
	return sum
}

// wholeSize is what is expected of a table of that many rows that is read as a whole.
func wholeSize(t sql.Table, rows float64) size {
	if ours, ok := t.(*Table); ok {
		return size{rows: rows, cost: ours.costOfWhole(rows)}
	}
	return size{rows: rows, cost: rows}
}

func limited(ctx *sql.Context, s size, limit sql.Expression) size {
	if l, ok := limit.(*expression.Literal); ok {
		if n, _, err := types.Int64.Convert(ctx, l.Val); err == nil && n != nil {
			s.rows = min(s.rows, float64(n.(int64)))
		}
	}
	return s
}

// joinSize expects of a join by an equality that each row of the larger side finds
// one in the smaller.
func (j joiner) joinSize(n *plan.JoinNode) size {
	left, right := j.sizeOf(n.Left()), j.sizeOf(n.Right())
	s := size{rows: max(left.rows, right.rows), cost: left.cost + right.cost}
	found, ofRight, _ := batchSide(n)
	if side, ok := found.(*joinSide); ok {
		outer := right
		if ofRight {
			outer = left
		}
		s.rows, s.cost = max(1, outer.rows*side.way.perKey), outer.cost+side.way.cost
	}
	switch {
	case n.Op.IsPartial():
		s.rows = left.rows * filteredPart
	case n.Op.IsCross():
		s.rows = left.rows * right.rows
	}
	return s
}

// size is what is expected of a table that is read along the path.
func (p *accessPath) size() size {
	switch {
	case p.isOneDocument():
		return size{rows: 1, cost: 1}
	case p.candidate == nil:
		return size{rows: float64(p.documents), cost: float64(p.documents)}
	case p.chosen < len(p.estimates):
		p.measure()
		return size{rows: float64(p.estimates[p.chosen].Keys), cost: p.choice.Cost}
	}
	return size{rows: 1, cost: 1}
}

// measure counts the keys of the path, as EXPLAIN does, where it was chosen without: then no more is known than how
// many there are at least, or how large the store thinks that they are, which for few keys may be many times too much.
// Of the documents of keys there are no estimates at all.
func (p *accessPath) measure() {
	if p.measured || p.chosen >= len(p.estimates) || p.estimates[p.chosen].Exact || len(p.members) > 0 {
		return
	}
	p.measured = true
	read, err := p.table.session.planReader()
	if err != nil {
		return
	}
	candidate := p.candidates[p.chosen : p.chosen+1]
	if e, err := p.table.def.estimator(read).EstimateAll(candidate, costing.EstimateOptions{Refine: true}); err == nil &&
		!e[0].Least {
		p.estimates[p.chosen], p.choice.Cost = e[0], costing.ChooseIndex(p.documents, candidate, e).Cost
	}
}

// size is what is expected of a table that is read value by value: its NULLs, and
// no more rows than keys.
func (p *aggregatePath) size() size {
	return size{rows: float64(p.keys + 1), cost: p.choice.Cost}
}

// sharingAt is a keypath of a collection.
type sharingAt struct {
	collection int64
	keypath    string
}

// perValue is how many documents share a value at a keypath, as some entries at its
// beginning tell.
func (t *Table) perValue(r kv.Reader, keypath string) (float64, error) {
	at := sharingAt{t.def.collection.Keys().Number(), keypath}
	if n, known := t.session.sharing[at]; known {
		return n, nil
	}
	n, err := t.sharing(r, keypath)
	if err != nil {
		return 0, err
	}
	if t.session.sharing == nil {
		t.session.sharing = map[sharingAt]float64{}
	}
	t.session.sharing[at] = n
	return n, nil
}

func (t *Table) sharing(r kv.Reader, keypath string) (float64, error) {
	c := t.def.collection
	number, ok, err := c.Dictionary().Lookup(r, keypath)
	if err != nil || !ok {
		return 0, err
	}
	notNull := indexes.NewSpans(indexes.Span{Start: ordered.ClassEnd(ordered.ClassNull)})
	entries := c.Entries(r, number, indexes.InVersion(t.def.fieldVersion(keypath), notNull), tables.ScanOptions{})
	defer entries.Close()
	read, values := 0, 0
	for read < distinctsRead && entries.Next() {
		if read++; !entries.Same() {
			values++
		}
	}
	if values == 0 {
		return 0, entries.Err()
	}
	return float64(read) / float64(values), entries.Err()
}
