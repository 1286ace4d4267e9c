package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Estimates for sizes that are not counted.
const (
	FilteredPart = 0.5
	groupedPart  = 0.1
	// Entries are read to see how many documents share a value: distinctsRead of them, and more as long as they have
	// fewer than distinctsSeen values.
	distinctsRead = 128
	distinctsSeen = 8
	mostRead      = 2048
)

// sizedNode is a node that estimates its own rows; of returns the size of a node below.
type sizedNode interface {
	Size(of func(sql.Node) table.Size) table.Size
}

func (j Joiner) SizeOf(n sql.Node) table.Size {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(*buckettable.Table); ok {
			return table.Size{Rows: t.Documents(), Cost: t.Documents()}
		}
		if t, ok := n.UnderlyingTable().(sql.StatisticsTable); ok {
			if rows, _, err := t.RowCount(j.Ctx); err == nil {
				return wholeSize(t, float64(rows))
			}
		}
		return table.Size{Rows: table.UnknownRows, Cost: table.UnknownRows}
	case *plan.IndexedTableAccess:
		switch path := plan.GetIndexLookup(n).Ranges.(type) {
		case *companion.MapPath:
			return path.Expected()
		case *companion.FeedPath:
			if _, t, _, ok := companion.FeedOf(n); ok {
				return path.Expected(t)
			}
		case interface{ Size() table.Size }:
			return path.Size()
		}
		return table.Size{Rows: table.UnknownRows, Cost: table.UnknownRows}
	case *plan.Values:
		return table.Size{Rows: float64(len(n.ExpressionTuples))}
	case *plan.Filter:
		s := j.SizeOf(n.Child)
		s.Rows *= FilteredPart
		return s
	case *plan.GroupBy:
		s := j.SizeOf(n.Child)
		if s.Rows *= groupedPart; len(n.GroupByExprs) == 0 {
			s.Rows = 1
		}
		return s
	case *plan.Limit:
		return limited(j.Ctx, j.SizeOf(n.Child), n.Limit)
	case *plan.TopN:
		return limited(j.Ctx, j.SizeOf(n.Child), n.Limit)
	case sizedNode:
		return n.Size(j.SizeOf)
	case *plan.JoinNode:
		return j.joinSize(n)
	}
	var sum table.Size
	for i, child := range n.Children() {
		s := j.SizeOf(child)
		sum.Cost += s.Cost
		if i == 0 || s.Rows > sum.Rows {
			sum.Rows = s.Rows
		}
	}
	if len(n.Children()) == 0 {
		sum.Rows = 1
	}
	return sum
}

// wholeSize estimates a table with this many rows, read as a whole.
func wholeSize(t sql.Table, rows float64) table.Size {
	if ours, ok := t.(*table.Table); ok {
		return table.Size{Rows: rows, Cost: costOfWhole(ours, rows)}
	}
	return table.Size{Rows: rows, Cost: rows}
}

func limited(ctx *sql.Context, s table.Size, limit sql.Expression) table.Size {
	if l, ok := limit.(*expression.Literal); ok {
		if n, _, err := types.Int64.Convert(ctx, l.Val); err == nil && n != nil {
			s.Rows = min(s.Rows, float64(n.(int64)))
		}
	}
	return s
}

// joinSize estimates a join by an equality: each row of the larger side finds one row of the smaller.
func (j Joiner) joinSize(n *plan.JoinNode) table.Size {
	left, right := j.SizeOf(n.Left()), j.SizeOf(n.Right())
	s := table.Size{Rows: max(left.Rows, right.Rows), Cost: left.Cost + right.Cost}
	found, ofRight, _ := batchSide(n)
	if side, ok := found.(*Side); ok {
		outer := right
		if ofRight {
			outer = left
		}
		s.Rows, s.Cost = max(1, outer.Rows*side.way.PerKey), outer.Cost+side.way.Cost
	}
	switch {
	case n.Op.IsPartial():
		s.Rows = left.Rows * FilteredPart
	case n.Op.IsCross():
		s.Rows = left.Rows * right.Rows
	}
	return s
}

// perValue estimates how many documents share a value at a keypath, from the keypath's first entries. The result is
// cached in the session, until the collection has twice or half as many documents.
func perValue(t *table.Table, r kv.Reader, keypath string) (float64, error) {
	at := session.SharingAt{Collection: t.Def.Collection.Keys().Number(), Keypath: keypath}
	planning := &t.Session.Planning
	if n, known := planning.Sharing[at]; known {
		return n, nil
	}
	documents, _, err := t.Def.Collection.Statistics(r).Documents()
	if err != nil {
		return 0, err
	}
	shared, known := t.Session.Sharing[at]
	if !known || shared.Documents > 2*documents || documents > 2*shared.Documents {
		n, err := sharing(t, r, keypath)
		if err != nil {
			return 0, err
		}
		shared = session.Shared{PerValue: n, Documents: documents}
		if t.Session.Sharing == nil {
			t.Session.Sharing = map[session.SharingAt]session.Shared{}
		}
		t.Session.Sharing[at] = shared
	}
	if planning.Sharing == nil {
		planning.Sharing = map[session.SharingAt]float64{}
	}
	planning.Sharing[at] = shared.PerValue
	return shared.PerValue, nil
}

func sharing(t *table.Table, r kv.Reader, keypath string) (float64, error) {
	c := t.Def.Collection
	number, ok, err := c.Dictionary().Lookup(r, keypath)
	if err != nil || !ok {
		return 0, err
	}
	notNull := indexes.NewSpans(indexes.Span{Start: ordered.ClassEnd(ordered.ClassNull)})
	entries := c.Entries(r, number, indexes.InVersion(t.Def.FieldVersion(keypath), notNull), tables.ScanOptions{})
	defer entries.Close()
	read, values := 0, 0
	for (read < distinctsRead || values < distinctsSeen && read < mostRead) && entries.Next() {
		if read++; !entries.Same() {
			values++
		}
	}
	if values == 0 {
		return 0, entries.Err()
	}
	return float64(read) / float64(values), entries.Err()
}
