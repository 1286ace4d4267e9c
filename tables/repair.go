package tables

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	repairPasses = 6   // repairs of one pass can show further violations to the next
	repairBatch  = 200 // violations mended in a transaction
)

// Repair checks a collection that nobody else writes to, and repairs the data that follows from the documents:
// entries, counts, revisions and changes. It changes no document. mended gets each repaired violation. The others go
// to report and count in the summary, as with Check. It may be interrupted, and run again.
func (c *Collection) Repair(ctx context.Context, store kv.Store, mended, report func(Violation)) (Summary, error) {
	for pass := 1; ; pass++ {
		var left []Violation
		var batch []Violation
		total := 0
		var failure error
		flush := func() {
			if failure == nil && len(batch) > 0 {
				failure = c.mend(ctx, store, batch)
			}
			if failure == nil {
				for _, v := range batch {
					mended(v)
				}
			}
			total += len(batch)
			batch = batch[:0]
		}
		sum, err := c.checkHeld(ctx, store, func(v Violation) {
			if v.mend == nil || pass == repairPasses {
				left = append(left, v)
				return
			}
			if batch = append(batch, v); len(batch) == repairBatch {
				flush()
			}
		})
		flush()
		if err == nil {
			err = failure
		}
		if err != nil {
			return sum, fmt.Errorf("tables: repair %s: %w", c.def, err)
		}
		if total == 0 {
			for _, v := range left {
				report(v)
			}
			return sum, nil
		}
	}
}

// checkHeld is Check at one version, however long it takes.
func (c *Collection) checkHeld(ctx context.Context, store kv.Store, report func(Violation)) (Summary, error) {
	tx, err := store.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true, Hold: true})
	if err != nil {
		return Summary{}, err
	}
	defer tx.Cancel()
	return c.Check(ctx, tx.Snapshot(), report)
}

func (c *Collection) mend(ctx context.Context, store kv.Store, batch []Violation) error {
	tx, err := Begin(ctx, store)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	for _, v := range batch {
		if err := v.mend(tx); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// clears mends by taking keys away.
func clears(key []byte) func(*Tx) error {
	key = bytes.Clone(key)
	return func(tx *Tx) error {
		tx.Clear(key)
		return nil
	}
}

// empties mends by a key without a value.
func empties(key []byte) func(*Tx) error {
	key = bytes.Clone(key)
	return func(tx *Tx) error {
		tx.Set(key, nil)
		return nil
	}
}

// recounts mends a counter.
func recounts(key []byte, want costing.Count) func(*Tx) error {
	key = bytes.Clone(key)
	return func(tx *Tx) error {
		tx.Clear(key)
		if !want.IsZero() {
			tx.Add(key, costing.AppendCounter(nil, want))
		}
		return nil
	}
}

// revises mends by a new change behind a revision: of the document as it is.
func (k *checker) revises(pk []byte, prev changes.Meta, d indexes.Versioned) func(*Tx) error {
	pk, text := bytes.Clone(pk), bytes.Clone(d.Raw())
	return func(tx *Tx) error { return k.c.log.Append(tx, &tx.orders, pk, prev, text) }
}

// revisesStored is revises for the stored document, or for a deletion; nil where the document can't be read.
func (k *checker) revisesStored(pk []byte, prev changes.Meta) (func(*Tx) error, error) {
	d, ok, err := k.c.Get(k.r, pk).stored()
	if err != nil {
		return nil, nil //nolint:nilerr // it is named as a document that can't be read
	}
	if ok {
		return k.revises(pk, prev, d.Versioned), nil
	}
	it := k.r.Range(k.c.keys.DocumentChunks(pk), kv.RangeOptions{Limit: 1})
	defer it.Close()
	if it.Next() || it.Err() != nil {
		return nil, it.Err() // a part of it is left
	}
	pk = bytes.Clone(pk)
	return func(tx *Tx) error { return k.c.log.Append(tx, &tx.orders, pk, prev, nil) }, nil
}
