package tables

import (
	"context"
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
)

// ErrCollator: the table's strings are ordered by another version of the collator
// than this program's.
var ErrCollator = errors.New("the table is ordered by another collator")

// checkCollator refuses a table whose keys this program can't make.
func checkCollator(def *catalog.Table) error {
	if err := def.Understood(); err != nil {
		return fmt.Errorf("%w: %w", ErrCollator, err)
	}
	if def.CollatorVersion() == collation.Version() {
		return nil
	}
	if name, ok := CollatedKey(def); ok {
		return fmt.Errorf("%w: the primary key's column %s is ordered by %q, this program has %q: export the table "+
			"with the program that wrote it, and import it with this one",
			ErrCollator, name, def.CollatorVersion(), collation.Version())
	}
	return fmt.Errorf("%w: it has %q, this program has %q: its index must be rebuilt first", ErrCollator,
		def.CollatorVersion(), collation.Version())
}

// CollatedKey finds a column of the primary key whose order depends on the
// collator's version.
func CollatedKey(def *catalog.Table) (column string, ok bool) {
	for _, i := range def.PrimaryKey {
		c := &def.Columns[i]
		if c.Class != "" || c.Collation == "" {
			continue
		}
		if coll, ok := collation.Lookup(c.Collation); !ok || !coll.IsBinary() {
			return c.Name, true
		}
	}
	return "", false
}

// former is a version of the index that some documents are still in. Its entries are
// neither read nor written: with another collator, or other options, they may not be known
// any more. They are dropped all at once in the end. Its counters still count the documents
// in it.
type former struct {
	keys       *keyspace.Collection
	maintainer *indexes.Maintainer
	counts     counter
}

func openFormers(cat *catalog.Catalog, def *catalog.Table) ([]former, error) {
	var out []former
	for i := range def.Formers {
		m, err := indexes.NewMaintainer(def.Formers[i].Definition, cat.Dictionary(def.ID))
		if err != nil {
			return nil, err
		}
		keys := def.FormerKeys(i)
		out = append(out, former{keys: keys, maintainer: m, counts: costing.Counts{Keys: keys}})
	}
	return out, nil
}

// formerOf is the former version that a stored document is in; nil when it is in
// the present one.
func (c *Collection) formerOf(v *indexes.Versioned) *former {
	if v == nil {
		return nil
	}
	if i, ok := c.def.FormerOf(v.Generation); ok {
		return &c.formers[i]
	}
	return nil
}

// leave takes a document's part out of a former version's counters: documents and
// entries, which don't depend on how values are encoded. Bytes do, and stay: so do the
// entries' keys, until the version is dropped.
func (c *Collection) leave(ctx context.Context, tx *Tx, f *former, pk []byte, old indexes.Versioned) error {
	delta, err := f.maintainer.Entries(ctx, pk, old, func([]byte) error { return nil })
	if err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	for i := range delta {
		delta[i].Documents, delta[i].Entries, delta[i].Bytes = -delta[i].Documents, -delta[i].Entries, 0
	}
	f.counts.Add(tx, delta, -1, -int64(old.Len()))
	return nil
}

// Rebuilding reports whether some documents may not be in the index yet, so that
// Lookup reads all documents.
func (c *Collection) Rebuilding() bool { return len(c.formers) > 0 }
