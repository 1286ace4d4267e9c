package join

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/tables"
)

// null is NULL among the rows of a sortedSide.
const null = 99

// sortedSide is a side of a join whose rows are numbers, in their order.
type sortedSide struct {
	rows  []int64
	spans indexes.Spans
	at    int
	span  int
	read  *int // rows that were given
	open  *int // iterators that are not closed
}

func numberKey(n int64) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

func (s *sortedSide) Next(*sql.Context) (sql.Row, error) {
	for s.at < len(s.rows) && s.span < len(s.spans) {
		switch key, span := numberKey(s.rows[s.at]), s.spans[s.span]; {
		case bytes.Compare(key, span.Start) < 0:
			s.at++
		case span.End != nil && bytes.Compare(key, span.End) >= 0:
			s.span++
		default:
			s.at++
			*s.read++
			if s.rows[s.at-1] == null {
				return sql.Row{nil}, nil
			}
			return sql.Row{s.rows[s.at-1]}, nil
		}
	}
	return nil, io.EOF
}

func (s *sortedSide) Close(*sql.Context) error { *s.open--; return nil }

// sideDocuments are the documents of a sortedSide.
type sideDocuments struct {
	tables.Each
	of *sortedSide
}

func (d sideDocuments) Span() int                   { return d.of.span }
func (d sideDocuments) PK() []byte                  { return numberKey(int64(d.of.at)) }
func (d sideDocuments) Read() tables.Work           { return tables.Work{Documents: int64(*d.of.read)} }
func (d sideDocuments) Document() document.Document { return document.Document{} }

// TestLookupsHoldLittle: whatever rows look for, each meets just the rows that lie there, in the
// order of the rows, and what is held of what they find is bounded, also where values are
// skewed, and where ranges overlap.
func TestLookupsHoldLittle(t *testing.T) {
	const most = 50
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 1))
	for round := range 300 {
		skewed := round%2 == 0
		value := func() int64 {
			if skewed && r.IntN(3) == 0 {
				return 5
			}
			return r.Int64N(40)
		}
		side := make([]int64, r.IntN(400))
		for i := range side {
			if side[i] = value(); r.IntN(40/(1+round%7)) == 0 {
				side[i] = null
			}
		}
		slices.Sort(side)
		nulls := 0
		outer := make([]sql.Row, r.IntN(300))
		for i := range outer {
			low := value()
			outer[i] = sql.Row{low, low}
			if round%3 == 0 {
				outer[i][1] = low + r.Int64N(4)
			}
			if round%5 == 0 && r.IntN(10) == 0 {
				outer[i] = sql.Row{nil, nil}
				nulls++
			}
		}
		read, opened := 0, 0
		// A row that looks for NULL may meet all others, and the condition tells.
		found := expression.NewGetField(2, types.Int64, "found", true)
		low := expression.NewGetField(0, types.Int64, "low", false)
		filter := expression.NewOr(expression.NewGreaterThanOrEqual(found, low), expression.NewIsNull(found))
		join := plan.NewInnerJoin(plan.NewEmptyTableWithSchema(nil), plan.NewEmptyTableWithSchema(nil), filter)
		i := &batchJoin{join: join, filter: join.Filter, right: true, window: firstBatch, most: MaxBatch, width: 2,
			whole: 3,
			other: sql.RowsToRowIter(outer...)}
		leg := &lookupLeg{}
		l := &lookupSource{of: i, legs: []*lookupLeg{leg}, most: most, maxBytes: 1 << 20}
		i.source = l
		leg.spans = func(_ *sql.Context, joined sql.Row) (indexes.Spans, bool, error) {
			if joined[0] == nil {
				return nil, true, nil
			}
			low, high := joined[0].(int64), joined[1].(int64)
			if low%7 == 6 {
				return nil, false, nil
			}
			span := indexes.Span{Start: numberKey(low), End: numberKey(high + 1)}
			if high >= 40 {
				span.End = numberKey(null)
			}
			return indexes.Spans{span}, false, nil
		}
		leg.isNull = func(_ *sql.Context, joined sql.Row) (bool, error) { return joined[2] == nil, nil }
		open := func(b *batch) (sql.RowIter, error) {
			opened++
			s := &sortedSide{rows: side, spans: b.spans, read: &read, open: &opened}
			b.docs = sideDocuments{of: s}
			return s, nil
		}
		leg.open = func(*sql.Context) (sql.RowIter, error) { return open(&leg.batch) }
		l.whole = &lookupLeg{batch: batch{spans: indexes.Everything()}}
		l.whole.open = func(*sql.Context) (sql.RowIter, error) { return open(&l.whole.batch) }
		var want []sql.Row
		for _, row := range outer {
			for _, v := range side {
				switch low, _ := row[0].(int64); {
				case row[0] == nil && v == null:
					want = append(want, sql.Row{nil, nil, nil})
				case row[0] != nil && low%7 != 6 && low <= v && v <= row[1].(int64) && v != null:
					want = append(want, sql.Row{low, row[1], v})
				}
			}
		}
		ctx := sql.NewEmptyContext()
		for n := 0; ; n++ {
			got, err := i.Next(ctx)
			if err == io.EOF {
				if n != len(want) {
					t.Fatalf("round %d: %d rows, not %d", round, n, len(want))
				}
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if n >= len(want) || !slices.Equal(got, want[n]) {
				t.Fatalf("round %d: row %d is %v", round, n, got)
			}
			held := 0
			for _, c := range append(i.found, i.at) {
				for _, list := range c.lists {
					held = max(held, cap(list)) // what one batch has found is one array
				}
			}
			if held > 4*most {
				t.Fatalf("round %d: %d rows are held", round, held)
			}
		}
		if err := i.Close(ctx); err != nil || opened != 0 {
			t.Fatalf("round %d: %d iterators left open, %v", round, opened, err)
		}
		// What was read and then not held, since it was too much, is a part of what was found.
		// NULLs have to be looked for among all rows, and again where they are too many to be held.
		if read > 4*len(want)+4*most+nulls*len(side) {
			t.Errorf("round %d: %d rows read for %d", round, read, len(want))
		}
	}
}
