package compare

import (
	"io"
	"sort"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// rangeOrderError returns MySQL's error for an offset to values that can't be moved.
func rangeOrderError() error {
	const code = 3587
	return mysql.NewSQLError(
		code, "HY000", "A RANGE frame with an offset needs exactly one ORDER BY expression, of a number or a time.")
}

// rangeFrame is a RANGE frame whose rows our code finds. The engine's takes NULL for a value like others, knows no
// descending order, and adds offsets to numbers as doubles.
type rangeFrame struct {
	sql.WindowFrame
}

// NewFramer implements sql.WindowFrame.
func (f rangeFrame) NewFramer(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	r := &rangeFramer{PeerFramer: functions.PeerFramer{Order: w.OrderBy}, frame: f.WindowFrame}
	for _, offset := range []sql.Expression{f.StartNPreceding(), f.StartNFollowing(), f.EndNPreceding(),
		f.EndNFollowing()} {
		if offset != nil && len(w.OrderBy) != 1 {
			return nil, rangeOrderError()
		}
	}
	return r, nil
}

// rangeFramer finds the frame of each row by the sort values of its partition.
type rangeFramer struct {
	functions.PeerFramer
	frame       sql.WindowFrame
	interval    sql.WindowInterval
	first, last int // the rows that are not NULL, for one ORDER BY expression
	found       bool
	peersStart  int
}

var _ sql.WindowFramer = (*rangeFramer)(nil)

// NewFramer implements sql.WindowFramer.
func (f *rangeFramer) NewFramer(partition sql.WindowInterval) (sql.WindowFramer, error) {
	return &rangeFramer{
		PeerFramer: functions.PeerFramer{Order: f.Order, Partition: partition, Following: partition.Start,
			End: partition.Start, Started: true},
		frame: f.frame,
	}, nil
}

// Next implements sql.WindowFramer.
func (f *rangeFramer) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	at := f.Following
	if at >= f.End {
		f.peersStart = at
	}
	if _, err := f.PeerFramer.Next(ctx, rows); err != nil { // such as io.EOF
		return sql.WindowInterval{}, err
	}
	if err := f.nulls(ctx, rows); err != nil {
		return sql.WindowInterval{}, err
	}
	out := f.Partition
	var err error
	switch w := f.frame; {
	case w.StartNPreceding() != nil:
		out.Start, err = f.bound(ctx, rows, at, w.StartNPreceding(), true, true)
	case w.StartNFollowing() != nil:
		out.Start, err = f.bound(ctx, rows, at, w.StartNFollowing(), false, true)
	case w.StartCurrentRow():
		out.Start = f.peersStart
	}
	if err != nil {
		return sql.WindowInterval{}, err
	}
	switch w := f.frame; {
	case w.UnboundedFollowing():
	case w.EndNPreceding() != nil:
		out.End, err = f.bound(ctx, rows, at, w.EndNPreceding(), true, false)
	case w.EndNFollowing() != nil:
		out.End, err = f.bound(ctx, rows, at, w.EndNFollowing(), false, false)
	default: // CURRENT ROW, also if no end is given
		out.End = f.End
	}
	out.End = max(out.Start, out.End)
	f.interval = out
	return out, err
}

// nulls finds the rows of the partition that are not NULL, which are adjacent.
func (f *rangeFramer) nulls(ctx *sql.Context, rows sql.WindowBuffer) error {
	if f.found || len(f.Order) != 1 {
		return nil
	}
	f.found, f.first, f.last = true, f.Partition.End, f.Partition.End
	for i := f.Partition.Start; i < f.Partition.End; i++ {
		v, err := f.Order[0].Column.Eval(ctx, rows[i])
		if err != nil {
			return err
		}
		if v != nil {
			f.first = min(f.first, i)
			f.last = i + 1
		}
	}
	return nil
}

// bound returns the first row of a frame, or the one after its last, at an offset from the value of the current row.
func (f *rangeFramer) bound(ctx *sql.Context, rows sql.WindowBuffer, at int, offset sql.Expression, before,
	start bool) (int, error) {
	if at < f.first || at >= f.last { // NULL: its peers
		if start {
			return f.peersStart, nil
		}
		return f.End, nil
	}
	field := f.Order[0]
	down := field.Order == sql.Descending
	compare, err := boundOf(ctx, field.Column, rows[at], offset, before != down)
	if err != nil {
		return 0, err
	}
	n := sort.Search(f.last-f.first, func(i int) bool {
		if err != nil {
			return true
		}
		var v interface{}
		if v, err = field.Column.Eval(ctx, rows[f.first+i]); err != nil {
			return true
		}
		order := 0
		if order, err = compare(v); down {
			order = -order
		}
		if start {
			return order >= 0
		}
		return order > 0
	})
	return f.first + n, err
}

// boundOf returns a function that compares values with the value at an offset from the row's.
func boundOf(ctx *sql.Context, column sql.Expression, row sql.Row, offset sql.Expression,
	less bool) (func(interface{}) (int, error), error) {
	v, err := column.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	t := column.Type()
	isNumber := (Comparer{}).Class(column) == ClassNumber
	if isNumber || types.IsJSON(t) {
		literal, err := value.NumberLiteral(v)
		if err != nil { // JSON that is no number has its peers as its frame
			return func(o interface{}) (int, error) { return t.Compare(ctx, o, v) }, nil
		}
		n, err := offset.Eval(ctx, nil)
		if err != nil {
			return nil, err
		}
		by, err := value.NumberLiteral(n)
		if err != nil {
			return nil, rangeOrderError()
		}
		bound := value.ExactNumber(added(literal, by, less))
		if isNumber {
			return func(o interface{}) (int, error) { return value.CompareNumbers(o, bound) }, nil
		}
		j, err := value.ParseJSON(string(bound))
		if err != nil {
			return nil, err
		}
		return func(o interface{}) (int, error) { return t.Compare(ctx, o, j) }, nil
	}
	if !types.IsTime(t) && !value.IsTimespan(t) {
		return nil, rangeOrderError()
	}
	op := ast.PlusStr
	if less {
		op = ast.MinusStr
	}
	bound, err := expression.NewArithmetic(column, offset, op).Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	return func(o interface{}) (int, error) { return t.Compare(ctx, o, bound) }, nil
}

// added returns a number plus or minus another, both literals. Numbers with exponents beyond maxDecimalExponent are
// unchanged: the sum would not differ.
func added(literal, by string, less bool) string {
	a, aok := value.LiteralDecimal(literal)
	b, bok := value.LiteralDecimal(by)
	if !aok || !bok {
		if c, err := decimal.NewFromString(value.CanonicalNumber(literal)); err == nil && c.Exponent() < 0 && bok {
			if less {
				b = b.Neg()
			}
			return value.DecimalLiteral(b)
		}
		return literal
	}
	if less {
		return value.DecimalLiteral(a.Sub(b))
	}
	return value.DecimalLiteral(a.Add(b))
}

// FirstIdx implements sql.WindowFramer.
func (f *rangeFramer) FirstIdx() int { return f.interval.Start }

// LastIdx implements sql.WindowFramer.
func (f *rangeFramer) LastIdx() int { return f.interval.End }

// Interval implements sql.WindowFramer.
func (f *rangeFramer) Interval() (sql.WindowInterval, error) {
	if !f.Started {
		return sql.WindowInterval{}, io.EOF
	}
	return f.interval, nil
}
