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

// columnUse is how an aggregation, and the filter below it, use the columns of a table.
type columnUse struct {
	table  *table.Table
	column int // index of the only column of the table that is read, or a constant below
	// columns are the indexes of all columns that are read.
	columns []int
	// path is the part of the column that is read; all paths lead to its keypath; nil: the column itself. plain: the
	// column itself is read.
	path  *table.DocumentPath
	plain bool
	// value: more is needed than whether the value is NULL. min, max: the least or the greatest value is needed.
	value    bool
	min, max bool
	// shown: of equal values the first document's is needed, as it is written there. text: a path's value is needed as
	// text. least: the least or the greatest text is needed.
	shown, text, least bool
	// computed: an expression of the value is needed that may differ between equal values, as CONCAT of 1 and of 1.0.
	computed bool
	// counted: the number of documents with each value matters.
	counted bool
	// unfit: the aggregation needs something that rows with a count don't have.
	unfit bool
}

// Values of columnUse.column besides a column's index.
const (
	noColumn      = -1
	severalColumn = -2
)

// aggregate notes what a selected expression of GROUP BY reads.
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

// deviation notes the argument of STD and similar aggregates.
func (u *columnUse) deviation(of sql.Expression) {
	if f, ok := functions.DeviationNumber(of); ok {
		u.field(f)
		u.value = true
		return
	}
	u.expression(of)
}

// bits notes the argument of BIT_AND and similar aggregates. Each value is made an integer, even a constant.
func (u *columnUse) bits(e sql.Expression) {
	u.expression(e)
	u.value, u.computed = true, true
}

// extremum notes the argument of MIN or MAX; it reports whether that is a column or a path itself.
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

// compared notes an expression whose value is compared with others, but not shown.
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

// summed notes the argument of SUM or AVG. How a number is written makes no difference to them.
func (u *columnUse) summed(e sql.Expression) {
	if p, ok := table.DocumentPathOf(e); ok && p.As == table.PathText {
		u.follow(p)
		u.value = true
		return
	}
	u.compared(e)
}

// nullness notes an expression of which only matters whether it is NULL.
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

// condition notes what a filter reads.
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

// expression notes an expression whose value is needed.
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

// within notes what a part of an expression reads.
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

// read notes a path whose value is needed.
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

// own notes a column. A column not known as the table's may be an outer query's, each of whose rows would walk all
// entries, or the table's under another name.
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
