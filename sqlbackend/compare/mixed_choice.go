package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// kindsOf returns the set of the kinds of values, without NULL; false if a kind is not known.
func kindsOf(values []sql.Expression) (map[kind]bool, bool) {
	kinds := map[kind]bool{}
	for _, v := range values {
		switch k := (Comparer{}).kind(v); k {
		case kindNull:
		case kindOther:
			return nil, false
		default:
			kinds[k] = true
		}
	}
	return kinds, true
}

// mixedChoice converts the possible values of an expression, if they are of several kinds, to a common one, as MySQL
// does. Dates get a type that holds them all, a TIME beside a date a DATETIME, and all others become texts. The
// engine takes the type of one of them, and fails if others don't fit.
func mixedChoice(values []sql.Expression) ([]sql.Expression, bool) {
	kinds, ok := kindsOf(values)
	if !ok || len(kinds) == 0 {
		return values, false
	}
	if len(kinds) == 1 {
		var t sql.Type
		switch {
		case kinds[kindDate]:
			t = dateOfAll(values)
		case kinds[kindTime]:
			t = functions.TimeLike(values)
		default:
			return values, false
		}
		return functions.Each(values, func(v sql.Expression) sql.Expression { return asType(v, t) })
	}
	if len(kinds) == 2 && kinds[kindTime] && kinds[kindDate] {
		return functions.Each(values, onDate)
	}
	if !kinds[kindTime] && !kinds[kindDate] && !kinds[kindNumber] {
		return values, false
	}
	return functions.Each(values, func(v sql.Expression) sql.Expression { return asSQLText(asEnumText(v)) })
}

// onDate returns a TIME as the DATETIME of that time today.
func onDate(e sql.Expression) sql.Expression {
	switch (Comparer{}).kind(e) {
	case kindTime:
		return &temporalValue{expression.UnaryExpression{Child: e}, types.DatetimeMaxPrecision}
	case kindDate:
		return converted(e, types.DatetimeMaxPrecision)
	}
	return e
}

// extremumOfMixed returns GREATEST or LEAST of dates, of times, of byte strings, or of values of several kinds, which
// compare as texts.
func extremumOfMixed(name string, args []sql.Expression) (sql.Expression, bool) {
	kinds, ok := kindsOf(args)
	if !ok || len(kinds) == 0 || len(kinds) == 1 && kinds[kindText] {
		return nil, false
	}
	f := &extremumOf{args: args, greatest: name == "greatest"}
	asText := func(a sql.Expression) sql.Expression { return (Comparer{}).typed(asSQLText(a), f.result) }
	switch {
	case len(kinds) == 1 && kinds[kindTime]:
		f.result = functions.TimeLike(args)
		f.args, _ = functions.Each(args, func(a sql.Expression) sql.Expression { return asType(a, f.result) })
	case len(kinds) == 1 && kinds[kindDate]:
		f.result = dateOfAll(args)
		f.args, _ = functions.Each(args, func(a sql.Expression) sql.Expression { return asType(a, f.result) })
	case len(kinds) == 2 && kinds[kindTime] && kinds[kindDate]:
		f.result = types.DatetimeMaxPrecision
		f.args, _ = functions.Each(args, onDate)
	case kinds[kindBytes]:
		f.result = types.LongBlob
		f.args, _ = functions.Each(args, asText)
	default:
		f.result = value.NewTextType(collation.Default)
		f.args, _ = functions.Each(args, asText)
	}
	return f, true
}

// dateOfAll returns the type that holds all of some dates.
func dateOfAll(args []sql.Expression) sql.Type {
	var t sql.Type
	for _, a := range args {
		switch {
		case types.IsNull(a):
		case t == nil:
			t = a.Type()
		case !types.TypesEqual(t, a.Type()):
			t = commonDate(t, a.Type())
		}
	}
	return t
}
