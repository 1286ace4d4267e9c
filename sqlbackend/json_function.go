package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"

	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/regexps"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// sqlFunctions are our functions by lower-case name; a provider offers them
// before the engine's own.
var sqlFunctions = makeFunctions()

func makeFunctions() map[string]sql.Function {
	out := map[string]sql.Function{}
	for _, d := range functions.JSONDefinitions {
		out[d.Name] = sql.FunctionN{Name: d.Name, Fn: d.Instance}
	}
	out["json_merge"] = sql.FunctionN{Name: "json_merge", Fn: functions.JSONDefinitions["json_merge_preserve"].Instance}
	for name, fn := range map[string]func(...sql.Expression) (sql.Expression, error){
		"json_schema_valid":             json.NewJSONSchemaValid,
		"json_schema_validation_report": json.NewJSONSchemaValidationReport,
	} {
		out[name] = sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
			plain := make([]sql.Expression, len(args))
			for i, a := range args {
				plain[i] = functions.AsPlainJSON(a)
			}
			return fn(plain...)
		}}
	}
	out["sum"] = sql.Function1{Name: "sum", Fn: functions.NewSum}
	out["avg"] = sql.Function1{Name: "avg", Fn: functions.NewAverage}
	syntax.NumberFunctions(out)
	functions.ValueFunctions(out)
	regexps.Functions(out)
	functions.DateSums(out)
	functions.LenientDates(out)
	out["unix_timestamp"] = sql.FunctionN{Name: "unix_timestamp", Fn: functions.NewUnixTimestamp}
	compare.TextValues(out)
	feedFunctions(out)
	out["sqlfdb_key_begins"] = sql.Function2{Name: "sqlfdb_key_begins", Fn: companion.NewMapBegins}
	out["sqlfdb_key_level"] = sql.Function2{Name: "sqlfdb_key_level", Fn: companion.NewMapLevel}
	functions.CountFunctions(out)
	return out
}
