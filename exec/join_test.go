package exec

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

// TestHashJoin: a hash join gives what comparing each row with each gives, in the same order: of keys of one and two
// columns, numbers and texts, with NULLs, many equal rows, rows that find none, and a condition.
func TestHashJoin(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	r := rand.New(rand.NewPCG(seed, 1))
	types := []Type{{}, {Kind: Text}, {Kind: Float}}
	type row [3]any // an integer, a text and a number; nil: NULL
	rowsOf := func(n, values int) []row {
		rows := make([]row, n)
		for i := range rows {
			rows[i] = row{int64(r.IntN(values)), fmt.Sprint(r.IntN(3)), float64(i)}
			for at := range rows[i] {
				if r.IntN(9) == 0 {
					rows[i][at] = nil
				}
			}
		}
		return rows
	}
	put := func(b *Batch, at int, of row) {
		for c, v := range of {
			switch v := v.(type) {
			case nil:
				b.Columns[c].SetNull(at)
			case int64:
				b.Columns[c].Ints[at] = v
			case string:
				b.Columns[c].Texts[at] = v
			case float64:
				b.Columns[c].Floats[at] = v
			}
		}
	}
	for range 60 {
		left, right := rowsOf(r.IntN(3000), 1+r.IntN(2000)), rowsOf(r.IntN(2500), 1+r.IntN(2000))
		keys := [][]int{{0}, {1, 0}, {0, 1}}[r.IntN(3)]
		least := r.Int64N(100)
		table, read := &Table{Types: types, Keys: keys}, 0
		field := Field(0, types[0])
		j := &HashJoin{Types: types, Keys: keys, Outer: r.IntN(2) == 0,
			Conditions: []*Expression{Compare(field, IntConstant(least, types[0]), [3]bool{false, true, true}, nil)},
			Read: func(b *Batch) error {
				for size := 1 + r.IntN(BatchRows); read < len(left) && b.Rows < size; read++ {
					put(b, b.Rows, left[read])
					b.Rows++
				}
				return nil
			},
			Table: func() (*Table, error) {
				for _, row := range right {
					b := table.Room()
					put(b, b.Rows, row)
					b.Rows++
					table.Took()
				}
				table.Index()
				return table, nil
			},
			Columns: []JoinColumn{{At: 2}, {OfTable: true, At: 2}, {OfTable: true, At: 1}, {At: 0}},
		}
		var got, want []string
		b := NewBatch([]Type{types[2], types[2], types[1], types[0]})
		shown := func(c, at int) any {
			col := b.Columns[c]
			switch {
			case col.IsNull(int32(at)):
				return nil
			case col.Ints != nil:
				return col.Ints[at]
			case col.Texts != nil:
				return col.Texts[at]
			}
			return col.Floats[at]
		}
		for {
			b.Next()
			if err := j.Fill(b); err != nil {
				t.Fatal(err)
			}
			if b.Rows == 0 {
				break
			}
			for at := range b.Rows {
				got = append(got, fmt.Sprint(shown(0, at), shown(1, at), shown(2, at), shown(3, at)))
			}
		}
		for _, l := range left {
			if l[0] == nil || l[0].(int64) < least {
				continue
			}
			found := false
			for _, o := range right {
				if !slices.ContainsFunc(keys, func(k int) bool { return l[k] == nil || l[k] != o[k] }) {
					found = true
					want = append(want, fmt.Sprint(l[2], o[2], o[1], l[0]))
				}
			}
			if !found && j.Outer {
				want = append(want, fmt.Sprint(l[2], nil, nil, l[0]))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d and %d rows by %v, outer %v: %d rows, want %d", len(left), len(right), keys, j.Outer, len(got),
				len(want))
		}
	}
}
