package functions

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// boundedFunctions are functions of numbers whose result may exceed its type, which is error 1690. The engine returns
// NULL, an infinity, or another number.
func boundedFunctions() []*valueDefinition {
	double := func(name, description string, most int, of func(x, y float64) float64) *valueDefinition {
		return &valueDefinition{Name: name, description: description, least: most, most: most,
			typ: func([]sql.Expression) sql.Type { return types.Float64 },
			give: func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
				result := of(value.AsDouble(ctx, values[0]), value.AsDouble(ctx, values[most-1]))
				if math.IsInf(result, 0) || math.IsNaN(result) {
					return nil, beyond("DOUBLE", f)
				}
				return result, nil
			}}
	}
	power := double("power", "a number to the power of another.", 2, math.Pow)
	power.spelled = func(args []sql.Expression) string { return fmt.Sprintf("power(%s, %s)", args[0], args[1]) }
	pow := *power
	pow.Name = "pow"
	return []*valueDefinition{
		power, &pow,
		double("exp", "e to the power of a number.", 1, func(x, _ float64) float64 { return math.Exp(x) }),
		double("degrees", "an angle of radians in degrees.", 1, func(x, _ float64) float64 { return x * (180 / math.Pi) }),
		double("radians", "an angle of degrees in radians.", 1, func(x, _ float64) float64 { return x * (math.Pi / 180) }),
		double("cot", "the cotangent of an angle.", 1, func(x, _ float64) float64 { return 1 / math.Tan(x) }),
		{Name: "abs", description: "a number without its sign.", least: 1, most: 1, typ: absoluteType, give: absolute},
	}
}

// absoluteType returns the type of ABS: for integers, the widest one.
func absoluteType(args []sql.Expression) sql.Type {
	switch t := args[0].Type(); {
	case types.IsUnsigned(t):
		return types.Uint64
	case types.IsInteger(t), types.IsBoolean(t):
		return types.Int64
	default:
		return t
	}
}

func absolute(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	v := values[0]
	if wide, ok := WideOf(v); ok {
		switch t := f.Type(); {
		case wide.N == math.MinInt64:
			return nil, beyond("BIGINT", f)
		case types.IsUnsigned(t):
			return uint64(max(wide.N, -wide.N)) | wide.Beyond, nil
		case wide.Beyond == 0:
			return max(wide.N, -wide.N), nil
		}
	}
	if d, ok := v.(decimal.Decimal); ok {
		return d.Abs(), nil
	}
	return math.Abs(value.AsDouble(ctx, v)), nil
}

// beyond returns the error for a result that exceeds a type.
func beyond(of string, f sql.Expression) error {
	return mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "%s value is out of range in '%s'", of, f)
}
