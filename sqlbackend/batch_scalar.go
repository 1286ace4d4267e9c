package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// A statement in batches is one statement: the scalar subqueries of its conditions have one value, that of its first
// batch, for all of them, and for the run that goes on where another one was interrupted.

// Resume ends the attempt where an earlier run of the statement was interrupted, as lookForMarker does. It comes before
// the statement's first subquery is evaluated: with another value than that of the earlier run the target may not be
// read at all.
func (s *Session) Resume(ctx *sql.Context) error {
	if !s.repeatable || !s.inBatches() {
		return nil
	}
	shape, why := s.batchable()
	if why != "" {
		return nil
	}
	table, stored := s.tableAt(shape.target)
	if !stored {
		return nil
	}
	def, err := s.backend.definitions.of(table)
	if err != nil {
		return err
	}
	tx, err := currentTransaction(ctx)
	if err != nil {
		return err
	}
	return tx.lookForMarker(def)
}

// KnownRow implements subquery.Session.
func (s *Session) KnownRow(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error) {
	if s.batch == nil {
		return nil, false, nil
	}
	return s.batch.scalar(ctx, columns)
}

// KeepRow implements subquery.Session.
func (s *Session) KeepRow(row []any) error {
	if s.batch == nil {
		return nil
	}
	return s.batch.keepScalar(row)
}

// scalar are the values, of columns of these types, that the next subquery of the statement has given in its first
// batch; ok is false where this is the first.
func (b *batchRun) scalar(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error) {
	if b.scalars >= len(b.at.Scalars) || len(b.at.Scalars[b.scalars]) != len(columns) {
		return nil, false, nil
	}
	stored := b.at.Scalars[b.scalars]
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

// keepScalar keeps the values of a subquery for the batches that follow.
func (b *batchRun) keepScalar(row []any) error {
	stored := make([]storedValue, len(row))
	for i, v := range row {
		var err error
		if stored[i], err = storeValue(v); err != nil {
			return mysqlerr.Unsupported(
				"batches of a statement with a subquery whose value is too long or of a type that can't be kept between two batches")
		}
	}
	b.at.Scalars = append(b.at.Scalars, stored)
	b.scalars++
	return nil
}
