package compare

import (
	"fmt"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// countedDate is a DATE that is computed as a text, as DATE() gives it; it counts how often.
type countedDate struct {
	expression.UnaryExpression
	evaluated int
}

func (c *countedDate) Type() sql.Type { return types.Date }

func (c *countedDate) String() string { return "counted" }

func (c *countedDate) WithChildren(...sql.Expression) (sql.Expression, error) { return c, nil }

func (c *countedDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	c.evaluated++
	v, err := c.Child.Eval(ctx, row)
	return fmt.Sprintf("2024-01-%02d", v), err
}

// TestSortKeysOnce: what rows are sorted by is computed once for each, and of the type that it is compared in; the rows
// come out as they went in.
func TestSortKeysOnce(t *testing.T) {
	ctx := sql.NewEmptyContext()
	const n = 28
	for _, first := range []int64{0, 5} {
		var rows []sql.Row
		for i := range n {
			rows = append(rows, sql.Row{int64(i), int64((i*11)%n + 1)})
		}
		date := &countedDate{UnaryExpression: expression.UnaryExpression{Child: expression.NewGetField(1, types.Int64, "x",
			false)}}
		given := sql.SortFields{{Column: expression.NewLiteral(int64(1), types.Int64)}, {Column: date, Order: sql.Descending}}
		further := 0
		if first > 0 {
			further = 1
		}
		fields, keys := KeyedFields(given, further)
		if len(keys) != 1 {
			t.Fatalf("%d keys are computed, not one", len(keys))
		}
		in := Keyed{sql.RowsToRowIter(rows...), keys}
		var sorted sql.RowIter = iters.NewSortIter(fields, in)
		want := n
		if first > 0 {
			sorted, want = iters.NewTopRowsIter(fields, first, false, in, 3), int(first)
		}
		for i := range want {
			row, err := sorted.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := row[2].(time.Time); !ok {
				t.Fatalf("the key is %T, which is read again for each comparison", row[2])
			}
			row, err = Unkeyed{sql.RowsToRowIter(row), 1}.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if len(row) != 2 || row[1] != int64(n-i) {
				t.Fatalf("first %d, row %d: %v", first, i, row)
			}
		}
		if date.evaluated != n {
			t.Errorf("first %d: computed %d times for %d rows", first, date.evaluated, n)
		}
	}
}
