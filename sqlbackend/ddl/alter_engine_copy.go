package ddl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// copier copies documents into a bucket, in the order of their last changes.
type copier struct {
	from    *tables.Collection
	to      *collection.Collection
	indexes []layout.Index    // the bucket's indexes before the copy
	indexed bool              // indexes have been made since
	after   *changes.Sequence // the position of the last copied change
	written map[string]written
	seed    maphash.Seed
}

// written is a document that is in the bucket, or may be: its write failed, but may have taken effect.
type written struct {
	id    string
	texts []uint64 // hashes of the texts that it may have there
}

func newCopier(from *tables.Collection, to *collection.Collection) *copier {
	return &copier{from: from, to: to, indexes: to.Indexes(), written: map[string]written{}, seed: maphash.MakeSeed()}
}

// copied is a changed document; without a body it was deleted.
type copied struct {
	pk   string
	body *document.Document
}

var errEnough = errors.New("enough for one batch")

// some copies the next changed documents, as many as go into one write; more is false after the last.
func (c *copier) some(ctx context.Context, r kv.Reader) (more bool, err error) {
	var list []copied
	size, last := 0, c.after
	err = c.from.CopyChanges(r, changes.Bounds{After: c.after}, func(d tables.Copied) error {
		if len(list) >= moveDocuments || size >= moveBytes {
			return errEnough
		}
		meta, _, err := changes.DecodeMeta(d.Meta)
		if err != nil {
			return err
		}
		next := copied{pk: string(d.PK)}
		if d.Text != nil {
			body, err := document.DocumentFromCompact(bytes.Clone(d.Text))
			if err != nil {
				return err
			}
			next.body = &body
		}
		list, size, last = append(list, next), size+len(d.Text), &meta.Sequence
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return false, err
	}
	more = err != nil
	if err := c.write(ctx, list); err != nil {
		return false, err
	}
	c.after = last
	return more, nil
}

// write brings documents in the bucket up to their latest changes.
func (c *copier) write(ctx context.Context, list []copied) error {
	var known []string
	for _, d := range list {
		if w, ok := c.written[d.pk]; ok {
			known = append(known, w.id)
		}
	}
	docs, err := c.to.Get(ctx, known)
	if err != nil {
		return err
	}
	there := map[string]*collection.Doc{}
	for _, d := range docs {
		if d != nil {
			there[d.ID] = d
		}
	}
	var writes []collection.Change
	made := map[string]written{}
	for _, d := range list {
		old := there[c.written[d.pk].id]
		if d.body == nil {
			if old != nil {
				writes = append(writes, collection.Change{ID: old.ID, Old: old})
			}
			continue
		}
		v, _ := d.body.Member(layout.ID)
		if v.Type() != document.TypeString {
			return fmt.Errorf("%w: the _id of a document in a bucket is a string, not %.100s", mysqlerr.ErrKeyValue, v)
		}
		if err := layout.CheckID(v.Str()); err != nil {
			return err
		}
		writes = append(writes, collection.Change{ID: v.Str(), Old: old, New: d.body})
		made[d.pk] = written{id: v.Str(), texts: []uint64{maphash.String(c.seed, d.body.Text())}}
	}
	err = c.to.Write(ctx, writes)
	if err != nil && writesNothing(err) {
		return err // a document of somebody else may have that id
	}
	for pk, w := range made {
		if err != nil {
			w.texts = append(w.texts, c.written[pk].texts...)
		}
		c.written[pk] = w
	}
	return err
}

// writesNothing reports whether an error of Write means that nothing was written.
func writesNothing(err error) bool {
	return slices.ContainsFunc([]error{collection.ErrExists, collection.ErrChanged, collection.ErrDocument,
		collection.ErrEntryFull, collection.ErrTooLarge, collection.ErrBusy, layout.ErrName, store.ErrUnconditional},
		func(sure error) bool { return errors.Is(err, sure) })
}

// undo removes the documents that the copier has written and nobody has changed since, and the indexes that it has
// made.
func (c *copier) undo(ctx context.Context) error {
	for _, x := range c.to.Indexes() {
		if c.indexed && !slices.ContainsFunc(c.indexes, x.Equal) {
			if err := c.to.DropIndex(ctx, x.Name); err != nil {
				return err
			}
		}
	}
	for some := range slices.Chunk(slices.Collect(maps.Keys(c.written)), moveDocuments) {
		ids, texts := make([]string, len(some)), map[string][]uint64{}
		for i, pk := range some {
			w := c.written[pk]
			ids[i], texts[w.id] = w.id, w.texts
		}
		docs, err := c.to.Get(ctx, ids)
		if err != nil {
			return err
		}
		var writes []collection.Change
		for _, d := range docs {
			if d != nil && slices.Contains(texts[d.ID], maphash.String(c.seed, d.Body.Text())) {
				writes = append(writes, collection.Change{ID: d.ID, Old: d})
			}
		}
		if err := c.to.Write(ctx, writes); err != nil {
			return err
		}
		for _, pk := range some {
			delete(c.written, pk)
		}
	}
	return nil
}

// outOfBucket moves the documents of a table in a bucket into the store. They get the keys that the table has there,
// which nobody reads before its definition says so. These keys are cleared first, since a crash may have left some.
func (m *relocation) outOfBucket() error {
	before, err := m.definition()
	if err != nil {
		return err
	}
	full, err := m.session.Backend.Definitions.Of(before)
	if err != nil {
		return err
	}
	from, err := full.Bucket.Open(m.ctx)
	if err != nil {
		return err
	}
	m.session.Repeatable = false
	err = from.Hold(m.ctx, func(renew func(context.Context) error) error {
		empty, err := m.cleared(before)
		if err != nil {
			return err
		}
		after := empty.Clone()
		after.Bucket = nil
		for _, idx := range full.BucketIndexes() {
			after.AddIndex(idx)
		}
		if err = m.filled(empty, after, from, renew); err == nil {
			err = renew(m.ctx)
		}
		if err == nil {
			err = m.transact(func(_ kv.Transaction, change *catalog.Change) error {
				_, err := change.AlterTable(m.database, m.name, func(now *catalog.Table) error {
					if !reflect.DeepEqual(now, empty) {
						return errDefinitionChanged()
					}
					now.Bucket, now.Indexes, now.LastIndex = nil, after.Indexes, after.LastIndex
					return nil
				})
				return err
			})
		}
		if err != nil {
			killed := *m // even if the statement has ended, the written documents are cleared
			rest, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), tidying)
			defer cancel()
			killed.ctx = m.ctx.WithContext(rest)
			if _, failed := killed.cleared(empty); failed != nil {
				return errors.Join(err, failed)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	NoteLeft(m.session, []*catalog.Table{before})
	return nil
}

// cleared gives a table in a bucket other keys in the store, and clears its former ones.
func (m *relocation) cleared(before *catalog.Table) (after *catalog.Table, err error) {
	number := int64(0)
	err = m.transact(func(_ kv.Transaction, change *catalog.Change) error {
		return change.MoveTable(m.database, m.name, func(now, fresh *catalog.Table) error {
			if !reflect.DeepEqual(now, before) {
				return errDefinitionChanged()
			}
			number = fresh.ID
			return nil
		})
	})
	if err == nil {
		after, err = m.definition()
	}
	if err == nil && after.ID != number {
		err = errDefinitionChanged()
	}
	return after, err
}

// filled writes the documents of a bucket under the keys of the definition after, which the table does not have yet.
// empty is the table's current definition.
func (m *relocation) filled(empty, after *catalog.Table, from *collection.Collection,
	renew func(context.Context) error) error {
	to, err := session.NewDefinition(m.session.Backend.Catalog, after)
	if err != nil {
		return err
	}
	var ids []string
	if err := from.List(m.ctx, "", func(id string) error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, moveDocuments) {
		if err := renew(m.ctx); err != nil {
			return err
		}
		docs, err := from.Get(m.ctx, batch)
		if err != nil {
			return err
		}
		for len(docs) > 0 {
			if docs, err = m.stored(empty, to, docs); err != nil {
				return err
			}
		}
	}
	return nil
}

// stored writes the first documents, as many as go into one transaction, and returns the others.
func (m *relocation) stored(empty *catalog.Table, to *session.Definition, docs []*collection.Doc) (
	left []*collection.Doc, err error) {
	store := m.session.Backend.Store
	err = kv.Transact(m.ctx, store, kv.TransactOptions{Repeatable: true,
		Transaction: kv.TransactionOptions{NoReadYourWrites: true}}, func(base kv.Transaction) error {
		w := tables.Within(base)
		view, err := m.session.Backend.Catalog.View(w)
		if err != nil {
			return err
		}
		if now, ok := view.Table(m.database, m.name); !ok || !reflect.DeepEqual(now, empty) {
			return errDefinitionChanged()
		}
		for left = docs; len(left) > 0 && w.Size() < upgradeSize; left = left[1:] {
			if left[0] == nil {
				continue
			}
			pk, d, err := m.row(to, left[0])
			if err != nil {
				return ofDocument(left[0].ID, err)
			}
			// An earlier run whose outcome was unknown may have written it.
			if err := to.Collection.Insert(m.ctx, w, pk, d); err != nil && !errors.Is(err, tables.ErrDuplicate) {
				return fmt.Errorf("document %s: %w", left[0].ID, err)
			}
		}
		return w.Commit()
	})
	return left, err
}

// ofDocument adds the document's id to an error about its values.
func ofDocument(id string, err error) error {
	e := sql.CastSQLError(mysqlerr.From(err))
	return mysql.NewSQLError(e.Num, e.State, "document '%.250s': %s", id, e.Message)
}

// row returns a document of a bucket as a row of an ordinary table.
func (m *relocation) row(to *session.Definition, doc *collection.Doc) (pk []byte, d document.Document, err error) {
	id, err := document.StringValue(doc.ID)
	if err != nil {
		return nil, d, err
	}
	d = doc.Body
	if v, ok := d.Member(layout.ID); !ok || !document.Equal(v, id) { // its file's name counts, not its member _id
		if d, err = d.With(document.NamedKeypath(layout.ID), id); err != nil {
			return nil, d, err
		}
	}
	for i := range to.SQLColumns {
		if d, err = conform(m.ctx, d, &to.SQLColumns[i], !to.Columns[i].Nullable); err != nil {
			return nil, d, err
		}
	}
	pk, d, _, err = table.Identify(to, m.ctx, d)
	return pk, d, err
}
