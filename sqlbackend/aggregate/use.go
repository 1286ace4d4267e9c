package aggregate

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// columnUse is what an aggregation, and the filter below it, ask of the rows of a table.
type columnUse struct {
	table  *table.Table
	column int // the only one of the table's that is read; see below
	// columns are all those that are read.
	columns []int
	// path: what is read of the column, by paths that lead to one keypath; nil: the column itself.
	// plain: the column itself is read.
	path  *table.DocumentPath
	plain bool
	// value: more of it is asked for than whether it is NULL, and what min and max say.
	value    bool
	min, max bool
	// shown: of equal values the one of the first document is asked for, as it is written.
	// text: the text of a path's value is; least: the least or the greatest text.
	shown, text, least bool
	// computed: something is made of the value that may differ between equal values,
	// as CONCAT does 1 from 1.0.
	computed bool
	// counted: how often a value comes matters.
	counted bool
	// unfit: something is asked for that rows with a count don't hold.
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
	case *aggregation.CountDistinct, *compare.NumberedCount:
		for _, child := range e.Children() {
			u.compared(child)
		}
	case *functions.SumOf:
		if e.Over != nil {
			u.unfit = true
		}
		if _, distinct := e.Child.(*expression.DistinctExpression); distinct {
			u.compared(e.Argument())
		} else {
			u.counted = true
			u.summed(e.Argument())
		}
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
		d, _ := functions.DeviationOf(e)
		u.deviation(d.Of)
	case sql.Aggregation:
		u.unfit = true
	default:
		u.expression(e)
	}
}

// deviation notes the argument of STD and its like.
func (u *columnUse) deviation(of sql.Expression) {
	if f, ok := functions.DeviationNumber(of); ok {
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

// extremum notes the argument of MIN or MAX; it reports whether that is the column itself.
func (u *columnUse) extremum(e sql.Expression) bool {
	if f, ok := tree.Unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		u.shown = true
		return true
	}
	if p, ok := table.DocumentPathOf(e); ok && !p.Returned {
		u.follow(p)
		u.shown = u.shown || p.As == table.PathJSON
		u.text = u.text || p.As != table.PathJSON
		u.least = u.least || p.As != table.PathJSON
		return true
	}
	u.expression(e)
	return false
}

// compared notes an expression whose value is compared with others, and not shown.
func (u *columnUse) compared(e sql.Expression) {
	if f, ok := tree.Unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		u.value = true
		return
	}
	if p, ok := table.DocumentPathOf(e); ok && p.As == table.PathJSON {
		u.follow(p)
		u.value = true
		return
	}
	u.expression(e)
}

// summed notes the argument of SUM or AVG: how a number is written makes no difference to them.
func (u *columnUse) summed(e sql.Expression) {
	if p, ok := table.DocumentPathOf(e); ok && p.As == table.PathText {
		u.follow(p)
		u.value = true
		return
	}
	u.compared(e)
}

// nullness notes an expression that is only asked whether it is NULL.
func (u *columnUse) nullness(e sql.Expression) {
	if f, ok := tree.Unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		return
	}
	if p, ok := table.DocumentPathOf(e); ok && p.As != table.PathScalar {
		u.follow(p)
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
			u.compared(child)
		}
	default:
		u.expression(e)
	}
}

// expression notes an expression whose value is asked for.
func (u *columnUse) expression(e sql.Expression) {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	if f, ok := tree.Unwrapped(e).(*expression.GetField); ok {
		u.field(f)
		u.value, u.shown = true, true
		return
	}
	if p, ok := table.DocumentPathOf(e); ok && p.As == table.PathJSON {
		u.read(p)
		return
	}
	u.within(e)
}

// within notes what a part of an expression asks for.
func (u *columnUse) within(e sql.Expression) {
	u.unfit = u.unfit || functions.IsVolatile(e)
	if p, ok := table.DocumentPathOf(e); ok && p.As != table.PathJSON {
		u.read(p)
		return
	} else if ok {
		u.read(p)
		u.computed = true
		return
	}
	switch e := e.(type) {
	case *expression.GetField:
		u.field(e)
		u.value, u.shown, u.computed = true, true, true
	case *plan.Subquery:
		u.unfit = u.unfit || !e.Correlated().Empty()
	case sql.Aggregation, *expression.UserVar, *expression.SetField:
		u.unfit = true
	}
	for _, child := range e.Children() {
		u.within(child)
	}
}

// read notes a path whose value is asked for.
func (u *columnUse) read(p table.DocumentPath) {
	u.follow(p)
	u.value = true
	if p.As == table.PathJSON {
		u.shown = true
	} else {
		u.text = true
	}
}

// field notes a column that is read as it is.
func (u *columnUse) field(f *expression.GetField) {
	u.own(f)
	u.plain = true
}

// own notes a column. One that is not known as the table's may be an outer query's,
// whose every row would walk all entries, or the table's under another name.
func (u *columnUse) own(f *expression.GetField) {
	if !u.table.Place.Holds(f) {
		u.unfit = true
		return
	}
	for i := range u.table.Columns {
		if strings.EqualFold(u.table.Columns[i].Name, f.Name()) {
			if !slices.Contains(u.columns, i) {
				u.columns = append(u.columns, i)
			}
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
