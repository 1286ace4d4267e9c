package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

func roundingFunctions(out map[string]sql.Function) {
	out["round"] = sql.FunctionN{Name: "round", Fn: functions.NewRound}
	out["truncate"] = sql.Function2{Name: "truncate", Fn: functions.NewTruncate}
	out["rand"] = sql.FunctionN{Name: "rand", Fn: newRandomNumber}
	out["sign"] = sql.Function1{Name: "sign", Fn: functions.NewSign}
}
