package tables

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/mapindex"
)

// MaxPrimaryKey is the length in bytes of the longest encoded primary key.
const MaxPrimaryKey = 3_072

// Errors of writes.
var (
	// ErrDuplicate: a document with this primary key is there.
	ErrDuplicate = errors.New("duplicate primary key")
	// ErrMissing: no document has this primary key.
	ErrMissing = errors.New("no document with this primary key")
	// ErrKeyTooLong: the primary key exceeds MaxPrimaryKey.
	ErrKeyTooLong = errors.New("primary key is too long")
)

// Tx is a transaction as writes need it: the uncommitted writes over the reader, and the
// order of its changes. An undo gives back the orders of the undone changes. It is not safe
// for concurrent use.
type Tx struct {
	*overlay.Tx
	orders changes.Orders
	// savepoints are the orders at each, by name in lower case; also of some that are gone.
	savepoints map[string]changes.Orders
}

// Mark is an open bracket; see overlay.Mark.
type Mark struct {
	writes overlay.Mark
	orders changes.Orders
}

// Begin is overlay.Tx.Begin.
func (t *Tx) Begin() Mark { return Mark{t.Tx.Begin(), t.orders} }

// Release is overlay.Tx.Release.
func (t *Tx) Release(m Mark) { t.Tx.Release(m.writes) }

// RollbackTo is overlay.Tx.RollbackTo.
func (t *Tx) RollbackTo(m Mark) {
	t.Tx.RollbackTo(m.writes)
	t.orders = m.orders
}

// Savepoint is overlay.Tx.Savepoint.
func (t *Tx) Savepoint(name string) {
	t.Tx.Savepoint(name)
	if t.savepoints == nil {
		t.savepoints = map[string]changes.Orders{}
	}
	t.savepoints[strings.ToLower(name)] = t.orders
}

// RollbackToSavepoint is overlay.Tx.RollbackToSavepoint.
func (t *Tx) RollbackToSavepoint(name string) error {
	if err := t.Tx.RollbackToSavepoint(name); err != nil {
		return err
	}
	t.orders = t.savepoints[strings.ToLower(name)]
	return nil
}

// NewTx wraps a transaction.
func NewTx(o *overlay.Tx) *Tx { return &Tx{Tx: o} }

// Begin starts a transaction on a store.
func Begin(ctx context.Context, store kv.Store) (*Tx, error) {
	base, err := store.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return nil, err
	}
	return NewTx(overlay.New(base)), nil
}

// Collection reads and writes the documents of one table. It is immutable and
// safe for concurrent use, each transaction by one goroutine.
//
// A primary key (pk) is one tuple byte-string element per key column, packed,
// each holding package ordered's encoding of the value.
type Collection struct {
	def        *catalog.Table
	keys       *keyspace.Collection
	dictionary *catalog.Dictionary
	maintainer *indexes.Maintainer
	counts     counter
	log        changes.Log
	typing     Typing
	formers    []former // as the definition lists them
	folded     []bool   // the columns of the key whose equality is not identity; nil: none
	maps       []*mapindex.Group
	unseen     []document.Keypath // keypaths that no statement sees, and no function of a map index
}

// counter is where put counts: costing.Counts, except in the benchmark of the cost of counting.
type counter interface {
	Add(w kv.Writer, delta indexes.Delta, documents, documentBytes int64)
}

// Open returns the collection of a table. While the types of its columns are being
// changed its documents can be read through OpenTyped only.
func Open(cat *catalog.Catalog, def *catalog.Table) (*Collection, error) {
	return OpenTyped(cat, def, untyped{def})
}

// OpenTyped returns the collection of a table whose documents are read by its SQL types.
func OpenTyped(cat *catalog.Catalog, def *catalog.Table, typing Typing) (*Collection, error) {
	if err := checkCollator(def); err != nil {
		return nil, fmt.Errorf("tables: open %s: %w", def, err)
	}
	d := cat.Dictionary(def.ID)
	m, err := indexes.NewMaintainer(def, d)
	if err != nil {
		return nil, fmt.Errorf("tables: open %s: %w", def, err)
	}
	formers, err := openFormers(cat, def)
	if err != nil {
		return nil, fmt.Errorf("tables: open %s: %w", def, err)
	}
	keys := def.Keys()
	c := &Collection{
		def:        def,
		keys:       keys,
		dictionary: d,
		maintainer: m,
		counts:     costing.Counts{Keys: keys},
		log:        changes.Log{Keys: keys, Incarnation: cat.Incarnation()},
		formers:    formers,
		folded:     foldedParts(def),
		typing:     typing,
	}
	c.openMaps()
	return c, nil
}

// Definition is the table's definition; it must not be changed.
func (c *Collection) Definition() *catalog.Table { return c.def }

// Keys are the collection's keys.
func (c *Collection) Keys() *keyspace.Collection { return c.keys }

// Dictionary numbers the collection's keypaths.
func (c *Collection) Dictionary() *catalog.Dictionary { return c.dictionary }

// Number returns the number of a spelled keypath; ok is false when no document that r sees has it. Then the
// transaction of r conflicts with another one that stores the first.
func (c *Collection) Number(r kv.Reader, keypath string) (n int64, ok bool, err error) {
	return c.NumberOf(r, keypath, "", func(n int64) []kv.Range { return []kv.Range{c.Statistics(nil).OfAllKinds(n)} })
}

// NumberOf is Number for a reader that rests on there being nothing in some ranges of the keypath's; name stands for
// these ranges. The transaction must not conflict with itself: the keypaths that it stores are numbered in another
// transaction. So its read conflicts are only added when it commits.
func (c *Collection) NumberOf(r kv.Reader, keypath, name string, ranges func(n int64) []kv.Range) (n int64, ok bool,
	err error) {
	tx := overlay.Of(r)
	if tx == nil {
		return c.dictionary.Lookup(r, keypath)
	}
	n, ok, err = c.dictionary.Lookup(tx.Snapshot(), keypath)
	if ok || err != nil {
		return n, ok, err
	}
	tx.AtCommit(fmt.Sprintf("keypath %d %q %s", c.keys.Number(), keypath, name), func(base kv.Transaction) {
		rests := []kv.Range{c.dictionary.Named(keypath)}
		if n, numbered := c.dictionary.Cached([]byte(keypath)); numbered {
			rests = ranges(n)
		}
		for _, rest := range rests {
			base.AddReadConflict(rest)
		}
	})
	return 0, false, nil
}

// Log is the collection's feed of changes.
func (c *Collection) Log() changes.Log { return c.log }

// Statistics reads the collection's counts through r.
func (c *Collection) Statistics(r kv.Reader) costing.Statistics {
	s := costing.Statistics{Keys: c.keys, From: r}
	for _, f := range c.formers {
		s.Formers = append(s.Formers, f.keys)
	}
	return s
}

// Insert stores a new document, or fails with ErrDuplicate and writes nothing. Resolve
// finds the document that is in its way.
func (c *Collection) Insert(ctx context.Context, tx *Tx, pk []byte, d document.Document) error {
	if len(pk) > MaxPrimaryKey {
		return fmt.Errorf("tables: insert into %s: %w: %d bytes, the limit is %d", c.def, ErrKeyTooLong, len(pk),
			MaxPrimaryKey)
	}
	meta := tx.Get(c.keys.Meta(pk))
	_, there, err := c.Resolve(tx, pk)
	if err != nil {
		return fmt.Errorf("tables: insert into %s: %w", c.def, err)
	}
	if there {
		return fmt.Errorf("tables: insert into %s: %w", c.def, ErrDuplicate)
	}
	return c.put(ctx, tx, pk, nil, &d, meta)
}

// Update replaces the document pk by the result of edit on the newest version that the
// transaction sees, including its own writes. An edit that changes nothing writes nothing.
// It fails with ErrMissing when there is no such document.
func (c *Collection) Update(ctx context.Context, tx *Tx, pk []byte,
	edit func(document.Document) (document.Document, error)) error {
	pending, meta := c.fetch(tx, pk), tx.Get(c.keys.Meta(pk))
	stored, ok, err := pending.stored()
	if err != nil {
		return fmt.Errorf("tables: update %s: %w", c.def, err)
	}
	if !ok {
		return fmt.Errorf("tables: update %s: %w", c.def, ErrMissing)
	}
	old, err := c.upgraded(stored.Versioned)
	if err != nil {
		return fmt.Errorf("tables: update %s: %w", c.def, err)
	}
	new, err := edit(old)
	if err != nil {
		return err
	}
	if new.Text() == old.Text() {
		return nil
	}
	if err := new.Within(document.Limits{}); err != nil {
		return fmt.Errorf("tables: update %s: %w", c.def, err)
	}
	return c.put(ctx, tx, pk, &stored, &new, meta)
}

// Delete removes the document pk, or fails with ErrMissing.
func (c *Collection) Delete(ctx context.Context, tx *Tx, pk []byte) error {
	pending, meta := c.fetch(tx, pk), tx.Get(c.keys.Meta(pk))
	old, ok, err := pending.stored()
	if err != nil {
		return fmt.Errorf("tables: delete from %s: %w", c.def, err)
	}
	if !ok {
		return fmt.Errorf("tables: delete from %s: %w", c.def, ErrMissing)
	}
	return c.put(ctx, tx, pk, &old, nil, meta)
}

// put is the one writer: record, entries, counts, rows of map indexes and change of one document move
// here and nowhere else. nil old is an insert, nil new is a delete. old is the document
// as it is stored; new is written at the definition's generation.
func (c *Collection) put(ctx context.Context, tx *Tx, pk []byte, old *record, new *document.Document,
	metaFuture kv.FutureValue) error {
	raw, err := metaFuture.Get()
	if err != nil {
		return fmt.Errorf("tables: write to %s: read revision: %w", c.def, err)
	}
	meta, _, err := changes.DecodeMeta(raw)
	if err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	if err := c.place(ctx, tx, pk, old, new); err != nil {
		return err
	}
	var text []byte
	if new != nil {
		text = new.Raw()
	}
	if err := c.log.Append(tx, &tx.orders, pk, meta, text); err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	return nil
}

// place is put without the change: record, entries, counts and rows of map indexes.
func (c *Collection) place(ctx context.Context, tx *Tx, pk []byte, old *record, new *document.Document) error {
	emitted := c.startMaps(tx, pk, old)
	if err := c.move(ctx, tx, pk, old, new); err != nil {
		return err
	}
	if err := c.putMaps(tx, pk, emitted, new); err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	return nil
}

// move is place without map indexes: record, entries and counts. An upgrade that
// leaves a document's text as it is has no change to report.
func (c *Collection) move(ctx context.Context, tx *Tx, pk []byte, old *record, new *document.Document) error {
	var before, after *indexes.Versioned
	if old != nil {
		before = &old.Versioned
	}
	if new != nil {
		after = &indexes.Versioned{Document: *new, Generation: c.def.Generation}
	}
	if f := c.formerOf(before); f != nil {
		if err := c.leave(ctx, tx, f, pk, *before); err != nil {
			return err
		}
		before = nil // it has nothing in the present index
	}
	delta, err := c.maintainer.Update(ctx, tx, pk, before, after)
	if err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	var documents, bytes int64
	if before != nil {
		documents--
		bytes -= int64(old.Len())
	}
	if new != nil {
		documents++
		bytes += int64(new.Len())
	}
	if err := c.rewrite(tx, pk, old, new); err != nil {
		return fmt.Errorf("tables: write to %s: %w", c.def, err)
	}
	c.counts.Add(tx, delta, documents, bytes)
	return nil
}

// rewrite replaces the keys of a stored document with the keys of new, in the key scheme
// that the table has now.
func (c *Collection) rewrite(w kv.Writer, pk []byte, old *record, new *document.Document) error {
	byField := c.def.Options.KeyScheme == catalog.KeySchemeField
	if old != nil && old.skeleton != nil && (new == nil || !byField) {
		w.ClearRange(c.keys.DocumentChunks(pk))
		old = nil
	}
	if old != nil && old.skeleton == nil && (new == nil || byField || old.Len() > chunkSize) {
		clearRecord(w, c.keys, pk, old.Len())
		old = nil
	}
	switch {
	case new == nil:
		return nil
	case byField:
		return c.writeFields(w, pk, old, new.Raw())
	}
	writeRecord(w, c.keys, pk, new.Raw(), c.def.Generation)
	return nil
}

// Start begins the reads that Insert, Update and Delete need for the document pk, if at starts reads.
func (c *Collection) Start(at *ahead.Tx, pk []byte) {
	if !at.Starts() {
		return
	}
	at.Start(c.keys.Document(pk, 0))
	at.Start(c.keys.Meta(pk))
}

// Forget drops the reads of Start.
func (c *Collection) Forget(at *ahead.Tx, pk []byte) {
	at.Forget(c.keys.Document(pk, 0), c.keys.Meta(pk))
}
