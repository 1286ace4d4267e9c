package companion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An element's entry has its value, the document's key and the positions. If the statement names no other column, no
// document is read.

// fromEntries reports whether a candidate's entries have all columns of the statement's table. Its only column
// besides the key and the positions must be the candidate's, and read the same from the entry as from the document.
func (t *ChildTable) fromEntries(c *pushdown.Candidate) bool {
	if len(c.Parts) != 1 || !t.OfElements(&c.Parts[0]) || t.Def.Rebuilding() {
		return false
	}
	column, ok := t.onlyColumn()
	if !ok || t.Columns[column].Keypath.String() != c.Column.Keypath {
		return false
	}
	switch t.Columns[column].Unit {
	case session.UnitText, session.UnitInt64, session.UnitNumber, session.UnitDouble, session.UnitDecimal,
		session.UnitBool:
	default:
		return false // JSON shows literals as they are written in the document
	}
	return table.KeyCovers(t.Def)
}

// onlyColumn returns the only column besides the key and the positions; false if there are several or none.
func (t *ChildTable) onlyColumn() (int, bool) {
	own := func(c ChildColumn) bool { return c.Part == PartValue || c.Part == PartKeypath }
	i := slices.IndexFunc(t.Columns, own)
	return i, i >= 0 && !slices.ContainsFunc(t.Columns[i+1:], own)
}

// entryIter makes rows from entries.
type entryIter struct {
	table  *ChildTable
	at     any // the part of the plan, for Work.Note
	from   kv.Reader
	cursor *indexes.Cursor
	reader table.EntryReader
	column int
	work   tables.Work  // of the documents read where an entry is not enough
	over   bool         // closed
	long   *longread.Tx // nil: all reads are at one version
	epoch  int64        // the current entry's, for GetNamed
	pk     []byte       // of the previous row
	key    []any
}

// Next implements sql.RowIter.
func (i *entryIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for {
		if !i.cursor.Next() {
			if err := i.cursor.Err(); err != nil {
				return nil, mysqlerr.Of(ctx, err)
			}
			return nil, io.EOF
		}
		i.epoch = i.long.Epoch()
		row, err := i.row(ctx)
		if errors.Is(err, session.ErrLeft) {
			continue
		}
		if err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.Proper, err))
		}
		return row, nil
	}
}

func (i *entryIter) row(ctx *sql.Context) (sql.Row, error) {
	t := i.table
	entry, err := i.cursor.Entry()
	if err != nil {
		return nil, err
	}
	if i.key == nil || !bytes.Equal(i.pk, entry.PK) {
		i.pk = append(i.pk[:0], entry.PK...)
		if i.key, err = t.Def.DecodeKey(ctx, i.pk); err != nil {
			return nil, err
		}
	}
	positions := make([]int64, 0, 4)
	for rest := entry.Positions; len(rest) > 0; {
		var n int64
		if rest, n, err = tuple.DecodeInt(rest); err != nil {
			return nil, err
		}
		positions = append(positions, n)
	}
	column := &t.Columns[i.column]
	value, tells, err := i.reader.Value(entry.Value)
	if err != nil {
		return nil, err
	}
	if tells != table.FidelityExact {
		if value, err = i.fetch(column, positions); err != nil {
			return nil, err
		}
	}
	row := make(sql.Row, len(t.Columns))
	for n := range t.Columns {
		switch c := &t.Columns[n]; c.Part {
		case PartKey:
			row[n] = i.key[c.At]
		case PartPosition:
			row[n] = positions[c.At] - 1
		}
	}
	row[i.column], err = session.FromJSON(ctx, &column.Column, value)
	return row, err
}

// fetch reads the value of the current entry from the document.
func (i *entryIter) fetch(c *ChildColumn, positions []int64) (document.Value, error) {
	d, ok, err := i.table.Def.Collection.GetNamed(i.from, i.epoch, i.pk, i.cursor.Key())
	if err == nil && !ok {
		err = session.ErrLeft
	}
	if err != nil {
		return document.Value{}, err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	for at, v := range d.All(c.Keypath) {
		if slices.Equal(at, positions) {
			return v, nil
		}
	}
	return document.Value{}, nil
}

// Close implements sql.RowIter.
func (i *entryIter) Close(*sql.Context) error {
	i.cursor.Close()
	if !i.over {
		i.over = true
		i.work.Entries = i.cursor.Visited()
		i.table.Session.Work.Note(i.at, i.work)
	}
	return nil
}
