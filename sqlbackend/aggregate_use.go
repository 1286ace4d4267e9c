package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// columnUse is what an aggregation, and the filter below it, ask of the rows of a table.
type columnUse struct {
	table  *Table
	column int // the only one of the table's that is read; see below
	// value: more of it is asked for than whether it is NULL, and what min and max say.
	value    bool
	min, max bool
	// computed: something is made of the value that may tell equal values from each other,
	// as CONCAT does 1 from 1.0.
	computed bool
	// counted: how often a value comes matters.
	counted bool
	// unfit: something is asked for that rows with a count don't tell.
	unfit bool
}

// Beside numbers of columns.
const (
	noColumn      = -1
	severalColumn = -2
)

// aggregate notes what a selected expression of GROUP BY asks for.
func (u *columnUse) aggregate(e sql.Expression) {
	switch e := e.(type) {
	case *aggregation.Count:
		u.counted = true
		u.nullness(e.Child)
	case *aggregation.CountDistinct:
		for _, child := range e.Children() {
			u.expression(child)
		}
	case *sumOf:
		if e.window != nil {
			u.unfit = true
		}
		if _, distinct := e.Child.(*expression.DistinctExpression); !distinct {
			u.counted = true
		}
		u.expression(e.argument())
	case *aggregation.Min:
		u.min = u.extremum(e.Child) || u.min
	case *aggregation.Max:
		u.max = u.extremum(e.Child) || u.max
	case *aggregation.AnyValue:
		u.expression(e.Child)
	case *aggregation.BitAnd:
		u.bits(e.Child)
	case *aggregation.BitOr:
		u.bits(e.Child)
	case *aggregation.BitXor:
		u.counted = true
		u.bits(e.Child)
	case *aggregation.StdDevPop, *aggregation.StdDevSamp, *aggregation.VarPop, *aggregation.VarSamp:
		u.counted = true
		of, _, _, _ := deviationOf(e)
		u.deviation(of)
	case sql.Aggregation:
		u.unfit = true
	default:
		u.expression(e)
	}
}

// deviation notes the argument of STD and its like.
func (u *columnUse) deviation(of sql.Expression) {
	if f, ok := deviationNumber(of); ok {
		u.field(f)
		u.value = true
		return
	}
	u.expression(of)
}

// bits notes the argument of BIT_AND and its like: an integer is made of it, of each value, also if it is constant.
func (u *columnUse) bits(e sql.Expression) {
	u.expression(e)
	u.value, u.computed = true, true
}

// extremum notes the argument of MIN or MAX; it tells whether that is the column itself.
func (u *columnUse) extremum(e sql.Expression) bool {
	if f, ok := unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		return true
	}
	u.expression(e)
	return false
}

// nullness notes an expression that is only asked whether it is NULL.
func (u *columnUse) nullness(e sql.Expression) {
	if f, ok := unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		return
	}
	u.expression(e)
}

// condition notes what a filter asks for.
func (u *columnUse) condition(e sql.Expression) {
	switch e := e.(type) {
	case *expression.IsNull:
		u.nullness(e.Child)
	case *expression.Not, *expression.And, *expression.Or:
		for _, child := range e.Children() {
			u.condition(child)
		}
	case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.Between:
		for _, child := range e.Children() {
			u.expression(child)
		}
	default:
		u.expression(e)
	}
}

// expression notes an expression whose value is asked for.
func (u *columnUse) expression(e sql.Expression) {
	if f, ok := unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		u.value = true
		return
	}
	transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			u.field(e)
			u.value, u.computed = true, true
		case *plan.Subquery:
			u.unfit = u.unfit || !e.Correlated().Empty()
		case sql.Aggregation, *expression.UserVar, *expression.SetField:
			u.unfit = true
		}
		u.unfit = u.unfit || isVolatile(e)
		return u.unfit
	})
}

// field notes a column. One that is not known as the table's may be an outer query's,
// whose every row would walk all entries, or the table's under another name.
func (u *columnUse) field(f *expression.GetField) {
	if !u.table.place.holds(f) {
		u.unfit = true
		return
	}
	for i := range u.table.columns {
		if strings.EqualFold(u.table.columns[i].name, f.Name()) {
			if u.column == noColumn || u.column == i {
				u.column = i
			} else {
				u.column = severalColumn
			}
			return
		}
	}
	u.unfit = true
}
