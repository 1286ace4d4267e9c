package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// textValues adds the functions of texts that are otherwise than the engine's.
func textValues(out map[string]sql.Function) {
	out["repeat"] = sql.Function2{Name: "repeat", Fn: functions.NewRepeat}
	functions.PacketValues(out)
	out["quote"] = sql.Function1{Name: "quote", Fn: functions.NewQuote}
	for name, of := range map[string]func(sql.Expression) sql.Expression{
		"upper": function.NewUpper, "ucase": function.NewUpper, "lower": function.NewLower, "lcase": function.NewLower,
		"ltrim": function.NewLeftTrim, "rtrim": function.NewRightTrim,
	} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return of(numberAsText(e)) }}
	}
}

// numberAsText is a number, a date or a time as a text, for functions whose own type is their argument's.
func numberAsText(e sql.Expression) sql.Expression {
	if k := (comparer{}).kind(e); k == kindNumber || k.temporal() {
		return asSQLText(e)
	}
	return e
}
