package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
)

// Shared reports whether a function keeps nothing of the statement that it is computed in, so that statements of
// several sessions may compute it at once. Its operands are not looked at.
func Shared(e sql.Expression) bool {
	switch e := e.(type) {
	case *SumOf, *JSONFunction, *JSONCast, *ValueFunction, *boundedConcat, *boundedConcatWS, *boundedPad, *boundedReplace,
		*repeated, *SQLText, *dateSum, *rounding, *sign, *TextSearch, *expression.Interval:
		return true
	case *textLike:
		_, is := e.RightChild.(*expression.Literal) // the last pattern is kept
		return is
	case *countedFunction:
		return Shared(e.FunctionExpression)
	case *lenientDate:
		return Shared(e.FunctionExpression)
	}
	return sharedOfEngine(e)
}

// sharedOfEngine is Shared of the engine's functions.
func sharedOfEngine(e sql.Expression) bool {
	switch e := e.(type) {
	case *function.Coalesce, *expression.Convert:
		e.Type() // which they remember
		return true
	case *function.Upper, *function.Lower, *function.Substring, *function.SubstringIndex, *function.Left, *function.Right,
		*function.LeftTrim, *function.RightTrim, *function.Trim, *function.Reverse, *function.Length, *function.Ascii,
		*function.Hex, *function.Unhex, *function.If, *function.IsNull, *expression.IsTrue,
		*expression.CollatedExpression, *function.Log, *function.LogBase, *function.Sqrt, *function.Date, *function.Year,
		*function.Quarter, *function.Month, *function.Day, *function.Weekday, *function.DayOfWeek, *function.DayOfYear,
		*function.LastDay, *function.Extract, *function.DateFormat, *function.DateDiff, *function.Now,
		*function.CurrDate, *expression.Case:
		return true
	}
	return false
}
