package sqlbackend

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

func TestSign(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for number, want := range map[string]int8{"0.4": 1, "-0.4": -1, "0.0": 0, "2": 1, "-18446744073709551616": -1} {
		d := decimal.RequireFromString(number)
		f, err := sqlFunctions["sign"].NewInstance([]sql.Expression{expression.NewLiteral(d, types.InternalDecimalType)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Eval(ctx, nil); err != nil || got != want {
			t.Errorf("SIGN(%s) is %v, %v; want %d", number, got, err, want)
		}
	}
}
