package sqlbackend

import (
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
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

// keysOfDocuments is a walk over documents' keys.
type keysOfDocuments struct{ *tables.Keys }

// PK implements keyWalk.
func (k keysOfDocuments) PK() ([]byte, error) { return k.Keys.PK(), nil }

// coveredIter makes rows without documents: of entries, or of keys alone.
type coveredIter struct {
	*covered
	table  *Table
	at     any // as noteWork takes it
	from   kv.Reader
	walk   keyWalk
	reader entryReader
	values *tables.Entries // nil: the walk is over keys
	value  any             // of the last entry, if it is known
	known  bool
	work   tables.Work // of documents that were read all the same
	over   bool        // closed
}

// Next implements sql.RowIter.
func (i *coveredIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for {
		if !i.walk.Next() {
			if err := i.walk.Err(); errors.Is(err, tables.ErrGivenUp) {
				return nil, err
			} else if err != nil {
				return nil, mysqlerr.Of(ctx, err)
			}
			return nil, io.EOF
		}
		row, err := i.row(ctx)
		if errors.Is(err, errLeft) {
			continue
		}
		if err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.def, err))
		}
		return row, nil
	}
}

func (i *coveredIter) row(ctx *sql.Context) (sql.Row, error) {
	row := make(sql.Row, len(i.table.columns))
	if i.key {
		pk, err := i.walk.PK()
		if err != nil {
			return nil, err
		}
		values, err := i.table.def.decodeKey(ctx, pk)
		if err != nil {
			return nil, err
		}
		for n, declared := range i.table.def.PrimaryKey {
			row[declared] = values[n]
		}
	}
	if i.column < 0 {
		return row, nil
	}
	if !i.known || !i.values.Same() {
		if err := i.read(ctx); err != nil {
			return nil, err
		}
	}
	row[i.column] = i.value
	return row, nil
}

// read reads the value of the current entry, from the document where the entry does
// not tell it.
func (i *coveredIter) read(ctx *sql.Context) error {
	c := &i.table.columns[i.column]
	v, tells, err := i.reader.value(i.values.Value())
	if err != nil {
		return err
	}
	i.known = tells == toldAll
	if !i.known {
		d, ok, err := i.values.Document()
		if err != nil {
			return err
		}
		if !ok {
			return errLeft
		}
		i.work.Documents++
		i.work.Bytes += int64(d.Len())
		v, _ = d.Lookup(c.keypath)
	}
	i.value, err = fromJSON(ctx, c, v)
	return err
}

// Close implements sql.RowIter.
func (i *coveredIter) Close(*sql.Context) error {
	i.walk.Close()
	if !i.over {
		i.over = true
		i.table.session.noteWork(i.at, i.walk.Read().Plus(i.work))
	}
	return nil
}
