package join

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// coveredBy says how the rows that a leg finds are made of its entries or of document keys; nil if documents are
// needed.
func (t *BatchTable) coveredBy(l *leg) *session.Covered {
	if l == nil {
		return nil
	}
	out := t.CoveredByKey(t.Needed)
	if out == nil || out.Column < 0 {
		return out
	}
	if l.primaryKey {
		return nil
	}
	if c := &t.Columns[out.Column]; c.Keypath.String() != l.column.Keypath || l.column.Shape == pushdown.ShapeJSON ||
		!t.ReadFromEntries(c) {
		return nil
	}
	return out
}

// EntriesOnly reports whether no leg reads documents.
func (t *BatchTable) EntriesOnly() bool {
	return !slices.ContainsFunc(t.Way.Legs, func(l *leg) bool { return t.coveredBy(l) == nil })
}

// entryRows reads the batch's rows without documents.
func (t *BatchTable) entryRows(ctx *sql.Context, c *session.Covered) (sql.RowIter, error) {
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, err
	}
	b := t.batch
	b.docs = nil
	if b.leg.primaryKey {
		b.docs = t.Def.Collection.KeysEach(r, b.spans)
		return &table.CoveredIter{Covered: c, Table: t.Table, At: t.Way, From: r, Walk: keysOfEach{b.docs}}, nil
	}
	keypath := b.leg.column.Keypath
	number, known, err := t.Def.Collection.Number(r, keypath)
	if err != nil || !known {
		return sql.RowsToRowIter(), err
	}
	found := t.Def.Collection.EntriesEach(r, number, t.Def.FieldVersion(keypath), b.spans)
	b.docs = found
	i := &table.CoveredIter{Covered: c, Table: t.Table, At: t.Way, From: r, Walk: keysOfEach{found},
		Values: found.Entries()}
	if c.Column >= 0 {
		i.Reader = table.EntryReaderOf(t.Def, &t.Columns[c.Column])
	}
	return i, nil
}

// keysOfEach is a walk over the entries, or the document keys, in many spans.
type keysOfEach struct{ tables.Each }

// PK implements table.keyWalk.
func (k keysOfEach) PK() ([]byte, error) { return k.Each.PK(), nil }
