package syntax

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// NumberFunctions adds the functions that return or compare numbers of several types.
func NumberFunctions(out map[string]sql.Function) {
	out["if"] = sql.Function3{Name: "if", Fn: compare.NewIf}
	out["ifnull"] = sql.Function2{Name: "ifnull", Fn: compare.NewIfNull}
	out["coalesce"] = sql.FunctionN{Name: "coalesce", Fn: compare.NewCoalesce}
	out[longNumber] = sql.Function1{Name: longNumber, Fn: newLongNumber}
	compare.DeviationFunctions(out)
	functions.RoundingFunctions(out)
	out["field"] = sql.FunctionN{Name: "field", Fn: compare.NewField}
	for _, name := range []string{"greatest", "least"} {
		out[name] = sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression,
			error) {
			return compare.NewExtremum(name, args...)
		}}
	}
}
