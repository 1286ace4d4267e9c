package functions

import (
	"fmt"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/go-mysql-server/sql/variables"
)

// TestUnixTimestamp: in time zones that are offsets it is what the engine makes of them, without its looking for files.
func TestUnixTimestamp(t *testing.T) {
	variables.InitSystemVariables()
	own := 0
	for _, zone := range []string{"+00:00", "+02:00", "-05:30", "+14:00", "SYSTEM", "UTC"} {
		ctx := sql.NewContext(t.Context(), sql.WithSession(sql.NewBaseSession()))
		if err := ctx.SetSessionVariable(ctx, "time_zone", zone); err != nil {
			t.Fatal(err)
		}
		if _, fixed := zoneOffset(zone); fixed {
			own++
		}
		for _, v := range []any{nil, "2024-02-01T10:11:12Z", "2024-02-01 10:11:12.5", "2024-02-01", "1970-01-01 00:00:00",
			"1969-12-31", "3001-01-19", "9999-12-31", "1970-01-01 01:00:00", "2024-02-30", "x", int64(20240201), int64(-7),
			20240201.5, true} {
			list := []sql.Type{types.LongText, types.DatetimeMaxPrecision, types.Timestamp}
			switch v.(type) {
			case int64, bool:
				list = []sql.Type{types.Int64}
			case float64:
				list = []sql.Type{types.Float64}
			}
			for _, typ := range list {
				for _, arg := range []sql.Expression{expression.NewLiteral(v, typ), expression.NewGetField(0, typ, "x", true)} {
					row := sql.Row{v}
					result := func(e sql.Expression, err error) string {
						if err != nil {
							return err.Error()
						}
						got, err := e.Eval(ctx, row)
						return fmt.Sprintf("%T %v %v %v", got, got, err, e.Type())
					}
					want, got := result(function.NewUnixTimestamp(arg)), result(NewUnixTimestamp(arg))
					if got != want {
						t.Errorf("%s: UNIX_TIMESTAMP(%v as %v): %s, the engine's is %s", zone, v, typ, got, want)
					}
				}
			}
		}
	}
	if own != 4 {
		t.Errorf("%d zones are offsets, not 4", own)
	}
}
