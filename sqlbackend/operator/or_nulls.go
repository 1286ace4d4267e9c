package operator

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
)

// OrNullsIter gives the rows that fulfil a condition, and one of NULLs where none does.
type OrNullsIter struct {
	sql.RowIter
	Condition sql.Expression
	Before    sql.Row // what stands before the columns in each row
	Width     int     // of the columns
	found     bool
}

// Next implements sql.RowIter.
func (i *OrNullsIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF && !i.found {
			i.found = true
			return append(i.Before[:len(i.Before):len(i.Before)], make(sql.Row, i.Width)...), nil
		}
		if err != nil {
			return nil, err
		}
		ok, err := sql.EvaluateCondition(ctx, i.Condition, row)
		if err != nil {
			return nil, err
		}
		if sql.IsTrue(ok) {
			i.found = true
			return row, nil
		}
	}
}
