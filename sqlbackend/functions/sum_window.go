package functions

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (s *SumOf) NewWindowFunction() (sql.WindowFunction, error) {
	child, err := transform.Clone(s.Argument())
	if err != nil {
		return nil, err
	}
	f := &windowSum{expr: child, empty: newTotal(s.Type()), average: s.average}
	switch {
	case s.Over == nil:
		f.framer = &PeerFramer{}
	case s.Over.Frame != nil:
		if f.framer, err = s.Over.Frame.NewFramer(s.Over); err != nil {
			return nil, err
		}
	default:
		f.framer = &PeerFramer{Order: s.Over.OrderBy}
	}
	return f, nil
}

// windowSum is SUM or AVG over frames of rows. If a frame only grows, its new rows are added; any other frame is
// added up again, so that no rounding of doubles remains.
type windowSum struct {
	expr       sql.Expression
	empty      total
	average    bool
	framer     sql.WindowFramer
	running    total
	start, end int
}

// StartPartition implements sql.WindowFunction.
func (f *windowSum) StartPartition(_ *sql.Context, interval sql.WindowInterval, _ sql.WindowBuffer) error {
	f.running, f.start, f.end = f.empty, interval.Start, interval.Start
	return nil
}

// DefaultFramer implements sql.WindowFunction.
func (f *windowSum) DefaultFramer() sql.WindowFramer { return f.framer }

// Compute implements sql.WindowFunction. It can't return an error to the engine; a value that can't be computed is
// NULL.
func (f *windowSum) Compute(ctx *sql.Context, interval sql.WindowInterval, rows sql.WindowBuffer) interface{} {
	if interval.Start != f.start || interval.End < f.end {
		f.running, f.start, f.end = f.empty, interval.Start, interval.Start
	}
	for ; f.end < interval.End; f.end++ {
		v, err := f.expr.Eval(ctx, rows[f.end])
		if err == nil && v != nil {
			err = f.running.add(ctx, v, 1)
		}
		if err != nil {
			return nil
		}
	}
	return f.running.result(f.average)
}

// Dispose implements sql.Disposable.
func (f *windowSum) Dispose() { expression.Dispose(f.expr) }

// PeerFramer is the frame of a window with ORDER BY and no frame of its own. It goes from the start of the partition
// to the last row that sorts equal to the current one. Without ORDER BY that is the whole partition.
type PeerFramer struct {
	Order     sql.SortFields
	Partition sql.WindowInterval
	Following int // the row whose frame is next
	End       int // end of the earlier row's frame
	Started   bool
}

var _ sql.WindowFramer = (*PeerFramer)(nil)

// NewFramer implements sql.WindowFramer.
func (f *PeerFramer) NewFramer(partition sql.WindowInterval) (sql.WindowFramer, error) {
	return &PeerFramer{Order: f.Order, Partition: partition, Following: partition.Start, End: partition.Start,
		Started: true}, nil
}

// Next implements sql.WindowFramer.
func (f *PeerFramer) Next(ctx *sql.Context, rows sql.WindowBuffer) (sql.WindowInterval, error) {
	if !f.Started || f.Following >= f.Partition.End {
		return sql.WindowInterval{}, io.EOF
	}
	if f.Following >= f.End {
		f.End = f.Following + 1
		for f.End < f.Partition.End {
			same, err := f.peers(ctx, rows[f.Following], rows[f.End])
			if err != nil {
				return sql.WindowInterval{}, err
			}
			if !same {
				break
			}
			f.End++
		}
	}
	f.Following++
	return f.Interval()
}

func (f *PeerFramer) peers(ctx *sql.Context, a, b sql.Row) (bool, error) {
	for _, field := range f.Order {
		av, err := field.Column.Eval(ctx, a)
		if err != nil {
			return false, err
		}
		bv, err := field.Column.Eval(ctx, b)
		if err != nil {
			return false, err
		}
		if av == nil || bv == nil {
			if av != nil || bv != nil {
				return false, nil
			}
			continue
		}
		order, err := field.Column.Type().Compare(ctx, av, bv)
		if err != nil || order != 0 {
			return false, err
		}
	}
	return true, nil
}

// FirstIdx implements sql.WindowFramer.
func (f *PeerFramer) FirstIdx() int { return f.Partition.Start }

// LastIdx implements sql.WindowFramer.
func (f *PeerFramer) LastIdx() int { return f.End }

// Interval implements sql.WindowFramer.
func (f *PeerFramer) Interval() (sql.WindowInterval, error) {
	return sql.WindowInterval{Start: f.Partition.Start, End: f.End}, nil
}
