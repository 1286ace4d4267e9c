package sqlbackend

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// dateOperands spells the numbers that are compared with dates: 20200102 is
// '2020-01-02', and 20200102030405 has a time too. The engine takes them for
// seconds, or for no date.
func (c comparer) dateOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	dates := false
	for _, o := range operands {
		dates = dates || o.Resolved() && types.IsTime(o.Type())
	}
	if !dates {
		return operands, false
	}
	return each(operands, func(o sql.Expression) sql.Expression {
		l, ok := o.(*expression.Literal)
		if !ok || c.class(o) != classNumber || l.Val == nil {
			return o
		}
		literal, err := numberLiteral(l.Val)
		if err != nil {
			return o
		}
		if spelled, ok := dateOfDigits(literal); ok {
			return expression.NewLiteral(spelled, types.LongText)
		}
		return o
	})
}

// dateOfDigits is YYMMDD, YYYYMMDD, YYMMDDhhmmss or YYYYMMDDhhmmss as a date is
// written. Two digits are a year from 1970 to 2069.
func dateOfDigits(digits string) (string, bool) {
	if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
		return "", false
	}
	switch len(digits) {
	case 6, 12:
		century := "20"
		if digits >= "70" {
			century = "19"
		}
		return dateOfDigits(century + digits)
	case 8:
		return digits[:4] + "-" + digits[4:6] + "-" + digits[6:], true
	case 14:
		date, _ := dateOfDigits(digits[:8])
		return date + " " + digits[8:10] + ":" + digits[10:12] + ":" + digits[12:], true
	}
	return "", false
}
