package tables

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/longread"
)

// Declared are the entries of a declared index to be read: by its Number, within Ranges,
// which are sorted and don't overlap.
type Declared struct {
	Number  int64
	Columns int
	Ranges  []indexes.DeclaredRange
}

func (d *Declared) cursor(c *Collection, r kv.Reader, opts ScanOptions) *indexes.Cursor {
	return indexes.NewDeclaredCursor(r, c.keys, d.Number, d.Columns, d.Ranges,
		indexes.CursorOptions{Reverse: opts.Reverse, Streaming: opts.Streaming})
}

// LookupDeclared walks the documents that entries of a declared index name, in their
// order, each once. It fails with ErrRebuilding where Rebuilding reports it.
func (c *Collection) LookupDeclared(r kv.Reader, d Declared, opts ScanOptions) Rows {
	l := &lookup{c: c, r: r, fetching: fetching{window: firstWindow}}
	if c.Rebuilding() {
		l.err = fmt.Errorf("tables: look up in a declared index: %w", ErrRebuilding)
		return l
	}
	l.cursor = d.cursor(c, r, opts)
	return l
}

// EntriesDeclared walks entries of a declared index in their order, as Entries does a
// keypath's: their values are packed elements. It fails with ErrRebuilding where Rebuilding
// reports it.
func (c *Collection) EntriesDeclared(r kv.Reader, d Declared, opts ScanOptions) *Entries {
	e := &Entries{c: c, r: r, opts: opts, long: longread.Of(r)}
	if c.Rebuilding() {
		e.err = fmt.Errorf("tables: read entries of a declared index: %w", ErrRebuilding)
		return e
	}
	e.cursor = d.cursor(c, r, opts)
	return e
}

// Omits reports whether some document has no entry in the declared index of that number,
// because its key would be too long.
func (c *Collection) Omits(r kv.Reader, number int64) (bool, error) {
	it := ahead.ReadTwice(r, c.keys.OmittedFrom(number), kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
	defer it.Close()
	found := it.Next()
	if err := it.Err(); err != nil {
		return false, fmt.Errorf("tables: read what a declared index omits: %w", err)
	}
	return found, nil
}

// Built is the result of one step of BuildDeclared.
type Built struct {
	// Next is the primary key to go on from, nil when all documents have been gone through.
	Next               []byte
	Documents, Entered int64
	Failed             int64 // functions of a map index
}

// BuildDeclared writes the entries of the declared index of that number that older
// documents lack, from the primary key from on. Writers keep to the index meanwhile: their
// entries are left alone, and a document that they write while the step runs is a conflict.
// Documents in a former version of the index get theirs when they leave it.
func (c *Collection) BuildDeclared(ctx context.Context, tx *Tx, number int64, from []byte, budget UpgradeBudget) (Built,
	error) {
	var out Built
	var length int64
	err := c.eachStored(ctx, tx, from, func(pk []byte, rec record) (bool, error) {
		if out.Documents > 0 && budget.spent(out.Documents, length, tx.Size()) {
			out.Next = bytes.Clone(pk)
			return false, nil
		}
		out.Documents++
		length += int64(rec.Len())
		if c.formerOf(&rec.Versioned) != nil {
			return true, nil
		}
		_, err := c.maintainer.All(ctx, pk, rec.Versioned, func(declared int64, key []byte) error {
			if declared != number {
				return nil
			}
			tx.Set(bytes.Clone(key), nil)
			// Each update of a document writes its revision, each upgrade its first key.
			tx.AddReadConflict(kv.PointRange(c.keys.Meta(pk)))
			tx.AddReadConflict(kv.PointRange(c.keys.Document(pk, 0)))
			out.Entered++
			return nil
		})
		return true, err
	})
	if err != nil {
		return out, fmt.Errorf("tables: build an index of %s: %w", c.def, err)
	}
	return out, nil
}

// eachStored visits the documents as they are stored, from the primary key from on and
// without conflicts, until visit says false. pk is valid during the visit.
func (c *Collection) eachStored(ctx context.Context, tx *Tx, from []byte,
	visit func(pk []byte, rec record) (bool, error)) error {
	return c.eachStoredOf(ctx, tx.Snapshot(), from, visit)
}

func (c *Collection) eachStoredOf(ctx context.Context, r kv.Reader, from []byte,
	visit func(pk []byte, rec record) (bool, error)) error {
	all := c.keys.Documents()
	if from != nil {
		all.Start = c.keys.Document(from, 0)
	}
	it := r.Range(all, kv.RangeOptions{})
	defer it.Close()
	var parts assembly
	for it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		complete, err := parts.add(c.keys, it.Key(), it.Value())
		if err != nil {
			return err
		}
		if !complete {
			continue
		}
		rec, err := parts.document()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		if more, err := visit(parts.pk, rec); err != nil || !more {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if !parts.complete() {
		return fmt.Errorf("%w: %d of %d chunks of %x", ErrCorrupt, parts.have, parts.want, parts.pk)
	}
	return nil
}

// DocumentsFrom visits documents as the definition has them, in the order of their primary
// keys from the one given on, without conflicts, until visit says false. pk is valid during
// the visit.
func (c *Collection) DocumentsFrom(ctx context.Context, tx *Tx, from []byte,
	visit func(pk []byte, d indexes.Versioned) (bool, error)) error {
	err := c.eachStored(ctx, tx, from, func(pk []byte, rec record) (bool, error) {
		d, err := c.upgraded(rec.Versioned)
		if err != nil {
			return false, err
		}
		return visit(pk, indexes.Versioned{Document: d, Generation: rec.Generation})
	})
	if err != nil {
		return fmt.Errorf("tables: read %s: %w", c.def, err)
	}
	return nil
}
