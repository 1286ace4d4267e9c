package tables

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
)

// replayAhead is how many documents are read at once while they are copied.
const replayAhead = 64

// Copied is a document as another store replays it. Its slices are valid until the next one is read.
type Copied struct {
	PK   []byte
	Meta []byte // as changes.DecodeMeta reads it
	Text []byte // as the table's definition has it now; nil where the document is deleted
}

// CopyKeys visits the documents of a range of their metas, tombstones too, in the order of their keys.
func (c *Collection) CopyKeys(r kv.Reader, metas kv.Range, visit func(Copied) error) error {
	it := r.Range(metas, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	return c.copyEach(r, visit, func() (pk, meta []byte, ok bool, err error) {
		if !it.Next() {
			return nil, nil, false, it.Err()
		}
		pk, err = c.keys.SplitMeta(it.Key())
		return bytes.Clone(pk), bytes.Clone(it.Value()), err == nil, err
	})
}

// CopyChanges visits the documents that have changed within bounds, in the order of their changes.
func (c *Collection) CopyChanges(r kv.Reader, bounds changes.Bounds, visit func(Copied) error) error {
	feed := c.log.Read(r, changes.ReadOptions{Bounds: bounds})
	defer feed.Close()
	return c.copyEach(r, visit, func() (pk, meta []byte, ok bool, err error) {
		if !feed.Next() {
			return nil, nil, false, feed.Err()
		}
		change := feed.Change()
		return change.PK, changes.EncodeMeta(changes.Meta{Rev: change.Rev, Deleted: change.Deleted,
			Sequence: change.Sequence}), true, nil
	})
}

// copyEach reads the documents of keys and metas.
func (c *Collection) copyEach(r kv.Reader, visit func(Copied) error,
	next func() (pk, meta []byte, ok bool, err error)) error {
	type read struct {
		pk, meta []byte
		pending  *Pending
	}
	var ahead []read
	drain := func() error {
		for _, one := range ahead {
			out := Copied{PK: one.pk, Meta: one.meta}
			if one.pending != nil {
				d, there, err := one.pending.Get()
				if err != nil {
					return err
				}
				if !there {
					return fmt.Errorf("%w: document %x is not there, and was not deleted", ErrCorrupt, one.pk)
				}
				out.Text = d.Raw()
			}
			if err := visit(out); err != nil {
				return err
			}
		}
		ahead = ahead[:0]
		return nil
	}
	for {
		pk, raw, ok, err := next()
		if err != nil {
			return fmt.Errorf("tables: copy %s: %w", c.def, err)
		}
		if ok {
			meta, _, err := changes.DecodeMeta(raw)
			if err != nil {
				return fmt.Errorf("tables: copy %s: %w", c.def, err)
			}
			one := read{pk: pk, meta: raw}
			if !meta.Deleted {
				one.pending = c.fetch(r, pk)
			}
			ahead = append(ahead, one)
		}
		if !ok || len(ahead) == replayAhead {
			if err := drain(); err != nil {
				return fmt.Errorf("tables: copy %s: %w", c.def, err)
			}
		}
		if !ok {
			return nil
		}
	}
}

// Replay gives a document the state that it has in another store, at its place in that store's feed. A document that
// has it already stays as it is.
func (c *Collection) Replay(ctx context.Context, tx *Tx, from Copied) error {
	pending, metaFuture := c.fetch(tx, from.PK), tx.Get(c.keys.Meta(from.PK))
	fail := func(err error) error { return fmt.Errorf("tables: replay into %s: %w", c.def, err) }
	next, there, err := changes.DecodeMeta(from.Meta)
	if err == nil && (!there || next.Deleted != (from.Text == nil)) {
		err = fmt.Errorf("%w: the meta %x of a document of %d bytes", changes.ErrFormat, from.Meta, len(from.Text))
	}
	if err != nil {
		return fail(err)
	}
	raw, err := metaFuture.Get()
	if err != nil {
		return fail(err)
	}
	prev, _, err := changes.DecodeMeta(raw)
	if err != nil || prev == next {
		return err
	}
	stored, there, err := pending.stored()
	if err != nil {
		return fail(err)
	}
	var old *record
	if there {
		old = &stored
	}
	var new *document.Document
	if !next.Deleted {
		d, err := document.DocumentFromCompact(from.Text)
		if err != nil {
			return fail(err)
		}
		new = &d
	}
	if old != nil || new != nil {
		if err := c.place(ctx, tx, from.PK, old, new); err != nil {
			return err
		}
	}
	c.log.Replace(tx, from.PK, prev, next)
	return nil
}
