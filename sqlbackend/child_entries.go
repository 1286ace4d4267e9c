package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/tables"
)

// An entry of an element holds the value, the document's key and the positions:
// all that a statement can want of the row if it names no other column. Then no
// document is read.

// fromEntries reports whether a candidate's entries are all that the statement's
// table needs: its only column beside the key and the positions is the
// candidate's, and reads the same from the entry as from the document.
func (t *childTable) fromEntries(c *pushdown.Candidate) bool {
	if len(c.Parts) != 1 || !t.ofElements(&c.Parts[0]) || t.def.Rebuilding() {
		return false
	}
	column, ok := t.onlyColumn()
	if !ok || t.columns[column].keypath.String() != c.Column.Keypath {
		return false
	}
	switch t.columns[column].unit {
	case unitText, unitInt64, unitNumber, unitDouble, unitDecimal, unitBool:
	default:
		return false // JSON shows literals as they were written
	}
	return t.def.keyTells()
}

// onlyColumn is the one column that is neither of the key nor a position.
func (t *childTable) onlyColumn() (int, bool) {
	own := func(c childColumn) bool { return c.part == partValue || c.part == partKeypath }
	i := slices.IndexFunc(t.columns, own)
	return i, i >= 0 && !slices.ContainsFunc(t.columns[i+1:], own)
}

// entryIter makes rows of entries.
type entryIter struct {
	table  *childTable
	at     any // as noteWork takes it
	from   kv.Reader
	cursor *indexes.Cursor
	reader entryReader
	column int
	work   tables.Work  // of documents that were read all the same
	over   bool         // closed
	long   *longread.Tx // nil: from reads at one version
	epoch  int64        // when the current entry was read
	pk     []byte       // of the last row
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
		if errors.Is(err, errLeft) {
			continue
		}
		if err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.name, err))
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
		if i.key, err = t.def.decodeKey(ctx, i.pk); err != nil {
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
	column := &t.columns[i.column]
	value, tells, err := i.reader.value(entry.Value)
	if err != nil {
		return nil, err
	}
	if tells != toldAll {
		if value, err = i.fetch(column, positions); err != nil {
			return nil, err
		}
	}
	row := make(sql.Row, len(t.columns))
	for n := range t.columns {
		switch c := &t.columns[n]; c.part {
		case partKey:
			row[n] = i.key[c.at]
		case partPosition:
			row[n] = positions[c.at] - 1
		}
	}
	row[i.column], err = fromJSON(ctx, &column.column, value)
	return row, err
}

// fetch reads the value from the document.
func (i *entryIter) fetch(c *childColumn, positions []int64) (document.Value, error) {
	d, ok, err := i.table.def.collection.GetNamed(i.from, i.epoch, i.pk, i.cursor.Key())
	if err == nil && !ok {
		err = errLeft
	}
	if err != nil {
		return document.Value{}, err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	for at, v := range d.All(c.keypath) {
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
		i.table.session.noteWork(i.at, i.work)
	}
	return nil
}
