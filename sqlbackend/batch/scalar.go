package batch

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// A statement in batches is one statement: the scalar subqueries of its conditions have one value, that of its first
// batch, for all of them, and for the run that goes on where another one was interrupted.

// Resume ends the attempt where an earlier run of the statement was interrupted, as LookForMarker does. It comes before
// the statement's first subquery is evaluated: with another value than that of the earlier run the target may not be
// read at all.
func Resume(s *session.Session, ctx *sql.Context) error {
	if !s.Repeatable || !inBatches(s) {
		return nil
	}
	shape, why := Batchable(s)
	if why != "" {
		return nil
	}
	table, stored := CatalogTableAt(s, shape.Target)
	if !stored {
		return nil
	}
	def, err := s.Backend.Definitions.Of(table)
	if err != nil {
		return err
	}
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return err
	}
	return LookForMarker(tx, def)
}

// Scalar are the values, of columns of these types, that the next subquery of the statement has given in its first
// batch; ok is false where this is the first.
func (b *Run) Scalar(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error) {
	if b.scalars >= len(b.At.Scalars) || len(b.At.Scalars[b.scalars]) != len(columns) {
		return nil, false, nil
	}
	stored := b.At.Scalars[b.scalars]
	b.scalars++
	row = make([]any, len(stored))
	for i, v := range stored {
		if row[i], err = v.value(); err != nil {
			return nil, false, err
		}
		switch row[i].(type) {
		case int64, uint64:
			// What is an integer to the program may be a member of an ENUM.
			if types.IsEnum(columns[i].Type) || types.IsSet(columns[i].Type) {
				row[i], _, err = columns[i].Type.Convert(ctx, row[i])
			}
		}
		if err != nil {
			return nil, false, err
		}
	}
	return row, true, nil
}

// KeepScalar keeps the values of a subquery for the batches that follow.
func (b *Run) KeepScalar(row []any) error {
	stored := make([]storedValue, len(row))
	for i, v := range row {
		var err error
		if stored[i], err = storeValue(v); err != nil {
			return mysqlerr.Unsupported(
				"batches of a statement with a subquery whose value is too long or of a type that can't be kept between " +
					"two batches")
		}
	}
	b.At.Scalars = append(b.At.Scalars, stored)
	b.scalars++
	return nil
}
