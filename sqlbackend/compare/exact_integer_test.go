package compare

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// TestExactArithmetic: sums, differences, products and quotients of integers at the bounds of their types are those of
// big numbers, or error 1690.
func TestExactArithmetic(t *testing.T) {
	ctx := sql.NewEmptyContext()
	var operands []sql.Expression
	for _, n := range []int64{0, 1, -1, 2, -2, 3, 10, math.MaxInt32, math.MaxInt64, math.MaxInt64 - 1,
		math.MinInt64, math.MinInt64 + 1, 1 << 62, -1 << 62, 3037000500} {
		operands = append(operands, expression.NewLiteral(n, types.Int64))
	}
	for _, n := range []uint64{0, 1, 2, math.MaxInt64, math.MaxInt64 + 1, math.MaxUint64, math.MaxUint64 - 1,
		1 << 32, 1<<32 + 1} {
		operands = append(operands, expression.NewLiteral(n, types.Uint64))
	}
	operands = append(operands, expression.NewLiteral(int8(-128), types.Int8),
		expression.NewLiteral(uint8(200), types.Uint8), expression.NewLiteral(true, types.Boolean))
	value := func(e sql.Expression) *big.Int {
		v, err := e.Eval(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, ok := functions.WideOf(v)
		if !ok {
			t.Fatalf("%v is no integer", v)
		}
		return w.Big()
	}
	low, high, highest := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64), new(big.Int).SetUint64(math.MaxUint64)
	cases := 0
	for _, a := range operands {
		for _, b := range operands {
			x, y := value(a), value(b)
			for op, made := range map[string]sql.Expression{"+": expression.NewPlus(a, b), "-": expression.NewMinus(a, b),
				"*": expression.NewMult(a, b), "div": expression.NewIntDiv(a, b)} {
				want := new(big.Int)
				switch op {
				case "+":
					want.Add(x, y)
				case "-":
					want.Sub(x, y)
				case "*":
					want.Mul(x, y)
				case "div":
					if y.Sign() == 0 {
						continue
					}
					want.Quo(x, y)
				}
				least, most := low, high
				if a.Type() == types.Uint64 || b.Type() == types.Uint64 {
					least, most = new(big.Int), highest
				}
				exact, ok := Exactly(made)
				if !ok {
					t.Fatalf("%s is not made exact", made)
				}
				cases++
				got, err := exact.Eval(ctx, nil)
				if want.Cmp(least) < 0 || want.Cmp(most) > 0 {
					var refused *mysql.SQLError
					if !errors.As(err, &refused) || refused.Num != 1690 {
						t.Errorf("%s is %v, %v", made, got, err)
					}
					continue
				}
				if w, ok := functions.WideOf(got); err != nil || !ok || w.Big().Cmp(want) != 0 {
					t.Errorf("%s is %v, %v and not %v", made, got, err, want)
				}
			}
		}
	}
	if cases < 2000 {
		t.Errorf("%d cases", cases)
	}
}
