package tables

import (
	"bytes"
	"context"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// UpgradeBudget bounds one step of an upgrade; zero fields take no part in it. A step
// goes through one document at least.
type UpgradeBudget struct {
	Documents int   // gone through
	Bytes     int64 // of documents' text gone through
	Size      int64 // of the transaction
}

// Upgraded is the result of one step of an upgrade.
type Upgraded struct {
	// Next is the primary key to go on from, nil when all documents have been gone through.
	Next      []byte
	Documents int64
	// Converted counts the documents that were written again.
	Converted int64
	// Misfits are the values that do not fit their columns, and stay as they are.
	Misfits []MisfitIn
}

// MisfitIn is a misfit with its document's primary key.
type MisfitIn struct {
	PK []byte
	Misfit
}

// Upgrade converts stored documents of earlier generations to the definition's generation, from the primary key from
// on. Documents that have no value of a column whose type was changed, and get none, are left alone: their entries
// are the same at both generations. But documents in a former version of the index are all moved. A document whose
// text changes has a change in the feed, one whose entries move has none.
//
// Writers go on meanwhile: they write documents of the present generation, so that a walk from the first key to the
// last upgrades everything.
func (c *Collection) Upgrade(ctx context.Context, tx *Tx, from []byte, budget UpgradeBudget) (Upgraded, error) {
	var out Upgraded
	fail := func(err error) (Upgraded, error) {
		return out, fmt.Errorf("tables: upgrade %s: %w", c.def, err)
	}
	concerned := upgradedKeypaths(c.def)
	all := c.keys.Documents()
	if from != nil {
		all.Start = c.keys.Document(from, 0)
	}
	// A snapshot: a document that is written takes part in conflict detection by itself.
	it := tx.Snapshot().Range(all, kv.RangeOptions{})
	defer it.Close()
	var parts assembly
	var length int64
	for it.Next() {
		if err := ctx.Err(); err != nil {
			return fail(err)
		}
		complete, err := parts.add(c.keys, it.Key(), it.Value())
		if err != nil {
			return fail(err)
		}
		if !complete {
			continue
		}
		if out.Documents > 0 && budget.spent(out.Documents, length, tx.Size()) {
			out.Next = bytes.Clone(parts.pk)
			return out, nil
		}
		v, err := parts.document()
		if err != nil {
			return fail(fmt.Errorf("%w: %w", ErrCorrupt, err))
		}
		out.Documents++
		length += int64(v.Len())
		_, former := c.def.FormerOf(v.Generation)
		if !former && !concerned.any(v.Versioned, anyGeneration) {
			continue
		}
		if !former && !concerned.any(v.Versioned, v.Generation) {
			// An update may have kept a value that does not fit.
			if err := c.misfits(bytes.Clone(parts.pk), v.Document, &out); err != nil {
				return fail(err)
			}
			continue
		}
		if err := c.upgrade(ctx, tx, bytes.Clone(parts.pk), v, &out); err != nil {
			return fail(err)
		}
	}
	if err := it.Err(); err != nil {
		return fail(err)
	}
	if !parts.complete() {
		return fail(fmt.Errorf("%w: %d of %d chunks of %x", ErrCorrupt, parts.have, parts.want, parts.pk))
	}
	return out, nil
}

// upgrade writes one document at the definition's generation.
func (c *Collection) upgrade(ctx context.Context, tx *Tx, pk []byte, old record, out *Upgraded) error {
	there, meta := tx.Get(c.keys.Document(pk, 0)), tx.Get(c.keys.Meta(pk))
	next, err := c.upgraded(old.Versioned)
	if err != nil {
		return err
	}
	if err := c.misfits(pk, next, out); err != nil {
		return err
	}
	if _, err := there.Get(); err != nil {
		return err
	}
	out.Converted++
	if next.Text() == old.Text() {
		return c.move(ctx, tx, pk, &old, &next)
	}
	return c.put(ctx, tx, pk, &old, &next, meta)
}

// misfits notes the values of a document that do not fit.
func (c *Collection) misfits(pk []byte, d document.Document, out *Upgraded) error {
	return c.typing.Misfits(d, func(m Misfit) { out.Misfits = append(out.Misfits, MisfitIn{PK: pk, Misfit: m}) })
}

func (b UpgradeBudget) spent(documents, bytes, size int64) bool {
	return b.Documents > 0 && documents >= int64(b.Documents) || b.Bytes > 0 && bytes >= b.Bytes || b.Size > 0 &&
		size >= b.Size
}

// upgradedKeypath is the keypath of a column that documents below a generation
// hold in a former encoding.
type upgradedKeypath struct {
	path  document.Keypath
	below int64
	fills int64 // documents below this generation without a value get one
}

type upgradedPaths []upgradedKeypath

func upgradedKeypaths(def *catalog.Table) upgradedPaths {
	var out upgradedPaths
	for i := range def.Columns {
		c := &def.Columns[i]
		if len(c.Earlier) == 0 {
			continue
		}
		path := document.NamedKeypath(c.Name)
		out = append(out, upgradedKeypath{path, c.Earlier[len(c.Earlier)-1].Below, c.FillsBelow()})
	}
	return out
}

// anyGeneration is below all.
const anyGeneration = -1

// any reports whether a document has a value at a keypath that documents of a
// generation hold in a former encoding, or gets a value there.
func (u upgradedPaths) any(v indexes.Versioned, generation int64) bool {
	for _, p := range u {
		if generation >= p.below {
			continue
		}
		if generation < p.fills {
			return true
		}
		if _, there := v.Lookup(p.path); there {
			return true
		}
	}
	return false
}
