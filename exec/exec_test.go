package exec

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/document"
)

// TestPlainValues: numbers and times that are read as they are have the values that their texts spell.
func TestPlainValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		n, digits := r.Int64N(2_000_000)-1_000_000, r.IntN(4)
		text := new(big.Rat).SetFrac64(n, []int64{1, 10, 100, 1000}[digits]).FloatString(digits)
		got, ok := DecimalNumber(text, 3)
		if want := n * []int64{1000, 100, 10, 1}[digits]; !ok || got != want {
			t.Fatalf("%s: %d %v, want %d", text, got, ok, want)
		}
		day := time.Unix(r.Int64N(200_000_000_000)-60_000_000_000, 0).UTC()
		if got, ok := PlainTime(day.Format(`"`+time.DateTime+`"`), ClockForm); !ok || got != day.UnixMicro() {
			t.Fatalf("%v: %d %v, want %d", day, got, ok, day.UnixMicro())
		}
	}
	for _, text := range []string{"1e2", "1.2345", "-", "99999999999999999999", `"1"`, "null", "true", "1-2"} {
		if n, ok := DecimalNumber(text, 3); ok {
			t.Errorf("%s is read as %d", text, n)
		}
	}
	for year := 1; year < 10000; year += 1 + year%7 {
		for _, day := range []string{"02-28", "02-29", "02-30", "04-31", "12-31", "00-10", "13-01", "01-00", "06-30"} {
			text := fmt.Sprintf("%04d-%s", year, day)
			want, err := time.Parse(time.DateOnly, text)
			if got, ok := PlainTime(`"`+text+`"`, DateForm); ok != (err == nil) || ok && got != want.UnixMicro() {
				t.Fatalf("%s: %d %v, want %v (%v)", text, got, ok, want, err)
			}
		}
	}
}

// TestIntegers: results of 64 bits are exact, all others are refused.
func TestIntegers(t *testing.T) {
	edges := []int64{0, 1, -1, 7, -3, 1 << 31, -1 << 31, 1<<53 + 1, 1<<62 + 5, -1 << 62, 1<<63 - 1, -1 << 63, -1<<63 + 1}
	ops := map[string]func(a, b *big.Int) *big.Int{
		"+":   func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) },
		"-":   func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) },
		"*":   func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) },
		"div": func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) },
		"%":   func(a, b *big.Int) *big.Int { return new(big.Int).Rem(a, b) },
	}
	for op, f := range ops {
		for _, x := range edges {
			for _, y := range edges {
				out := []int64{0}
				ok := integerOperator(op)(out, []int64{x}, []int64{y}, []int32{0})
				if (op == "div" || op == "%") && y == 0 {
					if ok {
						t.Errorf("%d %s %d is %d", x, op, y, out[0])
					}
					continue
				}
				if want := f(big.NewInt(x), big.NewInt(y)); ok != want.IsInt64() || ok && out[0] != want.Int64() {
					t.Errorf("%d %s %d: %d %v, want %d", x, op, y, out[0], ok, want)
				}
			}
		}
	}
}

// TestWeights: a row that stands for several counts as often, in sums of all sizes.
func TestWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	sum, count, doubles := &Sum{Of: Field(0, Type{})}, &Count{}, &Sum{Of: Field(1, Type{Kind: Float})}
	b := NewBatch([]Type{{}, {Kind: Float}})
	b.Weights = make([]int64, BatchRows)
	want, rows, all, group := new(big.Int), int64(0), []int32{}, []int32{}
	for i := range 1000 {
		n, times := r.Int64()-r.Int64(), r.Int64N(1<<40)
		if i%3 == 0 {
			n, times = n>>40, int64(i%5)
		}
		b.Columns[0].Ints[i], b.Columns[1].Floats[i], b.Weights[i] = n, 0.5, times
		want.Add(want, new(big.Int).Mul(big.NewInt(n), big.NewInt(times)))
		rows += times
		all, group = append(all, int32(i)), append(group, 0)
	}
	for _, a := range []Aggregate{sum, count, doubles} {
		if !a.Add(b, all, group, 1) {
			t.Fatal("not computed")
		}
	}
	if got := sum.Whole(0); got.Cmp(want) != 0 || sum.N[0] != rows || count.N[0] != rows {
		t.Errorf("the sum is %d of %d, of %d rows; want %d of %d", got, sum.N[0], count.N[0], want, rows)
	}
	if got := doubles.Double(0); got != float64(rows)/2 {
		t.Errorf("the sum is %v, want %v", got, float64(rows)/2)
	}
}

// TestAggregation: groups with NULLs, conditions of three truths and sums beyond 64 bits, over several batches.
func TestAggregation(t *testing.T) {
	refuse := func(document.Value, *Column, int) bool { return false }
	sources := []Source{
		{Type: Type{Kind: Text}, Path: document.Keypath{{Name: "t"}}, Longest: 10, Slow: refuse},
		{Path: document.Keypath{{Name: "n"}}, Least: -1 << 63, Most: 1<<63 - 1, Slow: refuse},
	}
	var texts []string
	for range 3000 {
		texts = append(texts, `{"n":900000000000000000,"t":"a"}`, `{"t":"a"}`, `{"n":5,"t":null}`, `{"n":-1,"t":"b"}`)
	}
	run := func(texts []string) (*Aggregation, *Sum, *Count, *First, error) {
		n, text := Field(1, Type{}), Field(0, Type{Kind: Text})
		sum, count, first := &Sum{Of: n}, &Count{}, &First{Of: text}
		docs := NewDocuments(sources)
		a := &Aggregation{Types: []Type{sources[0].Type, sources[1].Type}, Aggregates: []Aggregate{sum, count, first}}
		positive := Compare(n, IntConstant(0, Type{}), [3]bool{2: true}, nil)
		a.Conditions = []*Expression{Either(positive, IsNull(n))} // NULL > 0 OR TRUE is true
		a.Groups.Of = []*Expression{text}
		a.Groups.Known = func(_ int32, _ []*Column, next int32) (int32, error) { return next, nil }
		a.Read = func(b *Batch) error {
			for ; b.Rows < BatchRows && len(texts) > 0; texts = texts[1:] {
				if !docs.Add(b, document.FromCompact([]byte(texts[0]))) {
					return ErrUnexpected
				}
			}
			return nil
		}
		err := a.Run()
		return a, sum, count, first, err
	}
	a, sum, count, first, err := run(texts)
	if err != nil {
		t.Fatal(err)
	}
	if a.Met != 12000 || a.Passed != 9000 || a.Groups.Count != 2 {
		t.Errorf("%d rows, %d passed, %d groups", a.Met, a.Passed, a.Groups.Count)
	}
	if got := fmt.Sprint(sum.Whole(0), sum.N[0], sum.Whole(1), sum.N[1]); got != "2700000000000000000000 3000 15000 3000" {
		t.Errorf("sums %s", got)
	}
	if !slices.Equal(count.N, []int64{6000, 3000}) || first.Texts[0] != "a" || !first.Null[1] {
		t.Errorf("counts %v, first values %q %v", count.N, first.Texts, first.Null)
	}
	for _, odd := range []string{`{"n":"5"}`, `{"n":1.5}`, `{"t":"a text that is too long"}`, `{"n":1e400}`} {
		if _, _, _, _, err := run(append(slices.Clone(texts), odd)); !errors.Is(err, ErrUnexpected) {
			t.Errorf("%s: %v", odd, err)
		}
	}
}
