package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// coveredBy is how the rows that a leg finds are made of its entries, or of documents' keys, without documents; nil if
// they can't be.
func (t *batchTable) coveredBy(l *leg) *covered {
	if l == nil {
		return nil
	}
	out := t.coveredByKey(t.needed)
	if out == nil || out.column < 0 {
		return out
	}
	if l.primaryKey {
		return nil
	}
	if c := &t.columns[out.column]; c.keypath.String() != l.column.Keypath || l.column.Shape == pushdown.ShapeJSON ||
		!t.readFromEntries(c) {
		return nil
	}
	return out
}

// entriesOnly reports whether no leg reads documents.
func (t *batchTable) entriesOnly() bool {
	return !slices.ContainsFunc(t.way.legs, func(l *leg) bool { return t.coveredBy(l) == nil })
}

// entryRows reads the batch's rows without documents.
func (t *batchTable) entryRows(ctx *sql.Context, c *covered) (sql.RowIter, error) {
	r, err := t.reader(ctx)
	if err != nil {
		return nil, err
	}
	b := t.batch
	b.docs = nil
	if b.leg.primaryKey {
		b.docs = t.def.collection.KeysEach(r, b.spans)
		return &coveredIter{covered: c, table: t.Table, at: t.way, from: r, walk: keysOfEach{b.docs}}, nil
	}
	keypath := b.leg.column.Keypath
	number, known, err := t.def.collection.Number(r, keypath)
	if err != nil || !known {
		return sql.RowsToRowIter(), err
	}
	found := t.def.collection.EntriesEach(r, number, t.def.fieldVersion(keypath), b.spans)
	b.docs = found
	i := &coveredIter{covered: c, table: t.Table, at: t.way, from: r, walk: keysOfEach{found}, values: found.Entries()}
	if c.column >= 0 {
		i.reader = t.def.entryReader(&t.columns[c.column])
	}
	return i, nil
}

// keysOfEach is a walk over the entries of many spans, or over the documents' keys there.
type keysOfEach struct{ tables.Each }

// PK implements keyWalk.
func (k keysOfEach) PK() ([]byte, error) { return k.Each.PK(), nil }
