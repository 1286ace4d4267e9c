package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// keyWalk walks primary keys.
type keyWalk interface {
	Next() bool
	PK() ([]byte, error)
	Err() error
	Read() tables.Work
	Close()
}

// keysOfDocuments is a walk over the keys of documents.
type keysOfDocuments struct{ *tables.Keys }

// PK implements keyWalk.
func (k keysOfDocuments) PK() ([]byte, error) { return k.Keys.PK(), nil }

// CoveredIter makes rows without documents: from entries, or from keys alone.
type CoveredIter struct {
	*session.Covered
	Table  *Table
	At     any // the part of the plan, for Work.Note
	From   kv.Reader
	Walk   keyWalk
	Reader EntryReader
	Values *tables.Entries // nil: the walk is over keys only
	value  any             // of the last entry; valid if known
	known  bool
	work   tables.Work // of the documents read where an entry is not enough
	over   bool        // Close has been called
}

// Next implements sql.RowIter.
func (i *CoveredIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for {
		if !i.Walk.Next() {
			if err := i.Walk.Err(); errors.Is(err, tables.ErrGivenUp) {
				return nil, err
			} else if err != nil {
				return nil, mysqlerr.Of(ctx, err)
			}
			return nil, io.EOF
		}
		row, err := i.row(ctx)
		if errors.Is(err, session.ErrLeft) {
			continue
		}
		if err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.Table.Def, err))
		}
		return row, nil
	}
}

func (i *CoveredIter) row(ctx *sql.Context) (sql.Row, error) {
	row := make(sql.Row, len(i.Table.Columns))
	if i.Key {
		pk, err := i.Walk.PK()
		if err != nil {
			return nil, err
		}
		values, err := i.Table.Def.DecodeKey(ctx, pk)
		if err != nil {
			return nil, err
		}
		for n, declared := range i.Table.Def.PrimaryKey {
			row[declared] = values[n]
		}
	}
	if i.Column < 0 {
		return row, nil
	}
	if !i.known || !i.Values.Same() {
		if err := i.read(ctx); err != nil {
			return nil, err
		}
	}
	row[i.Column] = i.value
	return row, nil
}

// read reads the value of the current entry; from the document if the entry doesn't hold it exactly.
func (i *CoveredIter) read(ctx *sql.Context) error {
	c := &i.Table.Columns[i.Column]
	v, tells, err := i.Reader.Value(i.Values.Value())
	if err != nil {
		return err
	}
	i.known = tells == FidelityExact
	if !i.known {
		d, ok, err := i.Values.Document()
		if err != nil {
			return err
		}
		if !ok {
			return session.ErrLeft
		}
		i.work.Documents++
		i.work.Bytes += int64(d.Len())
		v, _ = d.Lookup(c.Keypath)
	}
	i.value, err = session.FromJSON(ctx, c, v)
	return err
}

// Close implements sql.RowIter.
func (i *CoveredIter) Close(*sql.Context) error {
	i.Walk.Close()
	if !i.over {
		i.over = true
		i.Table.Session.Work.Note(i.At, i.Walk.Read().Plus(i.work))
	}
	return nil
}
