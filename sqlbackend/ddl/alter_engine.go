package ddl

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// ALTER TABLE … ENGINE moves a table's documents into a bucket, or out of one. They are written to the other side in
// batches, where no statement finds them; then one change of the definition makes it the table's place. A failure
// before that leaves the table as it was, and the written documents are removed.
//
// Into a bucket, documents go in the order of the feed, while others write. The change of the definition conflicts
// with writers after the last change of the feed that was copied. Out of a bucket, nobody else may write meanwhile.

const (
	moveDocuments = 500
	moveBytes     = 8 << 20
	// tidying bounds the time for removing the written documents, or each part of them if they are many.
	tidying = 15 * time.Second
)

// move moves the table if the named engine keeps its documents elsewhere.
func (a *alterOption) move(ctx *sql.Context, s *session.Session) error {
	database := a.database
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	if database == "" {
		return sql.ErrNoDatabaseSelected.New()
	}
	found, _, err := FindTable(ctx, database, a.table)
	if err != nil {
		return err
	}
	into := strings.EqualFold(a.value, information.BucketEngine)
	m := relocation{ctx: ctx, session: s, database: database, name: a.table}
	switch t := found.(type) {
	case *table.Table:
		switch {
		case !into:
			return nil
		case t.Def.Temporary():
			return mysqlerr.Unsupported("a temporary table in a bucket")
		}
		return m.intoBucket(a.address)
	case *buckettable.Table:
		switch {
		case into:
			return m.stays(a.address)
		case strings.EqualFold(a.value, "SQLFDB"), strings.EqualFold(a.value, "InnoDB"):
			if s.Backend.Bucket != "" {
				return keptElsewhere(s)
			}
			return m.outOfBucket()
		}
		return mysql.NewSQLError(1286, "42000", "Unknown storage engine '%s'", a.value)
	}
	return sql.ErrTableNotFound.New(a.table)
}

// relocation moves a table.
type relocation struct {
	ctx            *sql.Context
	session        *session.Session
	database, name string
}

// transact changes definitions in a transaction of its own.
func (m *relocation) transact(do func(kv.Transaction, *catalog.Change) error) error {
	cat := m.session.Backend.Catalog
	return cat.Transact(m.ctx, kv.TransactionOptions{}, func(tx kv.Transaction) error {
		c, err := cat.Change(m.ctx, tx)
		if err != nil {
			return err
		}
		return do(tx, c)
	})
}

// reading runs do in a read-only transaction.
func (m *relocation) reading(do func(kv.Reader) error) error {
	tx, err := m.session.Backend.Store.Begin(m.ctx, kv.TransactionOptions{})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	return do(tx.Snapshot())
}

// definition returns the table's current definition.
func (m *relocation) definition() (def *catalog.Table, err error) {
	return def, m.reading(func(r kv.Reader) error {
		view, err := m.session.Backend.Catalog.View(r)
		if err != nil {
			return err
		}
		var ok bool
		if def, ok = view.Table(m.database, m.name); !ok {
			return sql.ErrTableNotFound.New(m.name)
		}
		if len(view.References(m.database, m.name)) > 0 {
			return mysqlerr.Unsupported("%s has foreign keys that refer to it: a table in a bucket has none", def)
		}
		return nil
	})
}

// stays refuses to move a table that is in a bucket to another place in one.
func (m *relocation) stays(address string) error {
	def, err := m.definition()
	if err != nil || address == "" {
		return err
	}
	at, err := pool.ParsePlace(address, def.Bucket.Collection)
	if err != nil {
		return err
	}
	is := m.session.Backend.Place(def.Bucket).Address
	if store.SameAddress(at.Address) == store.SameAddress(is) && at.Collection == def.Bucket.Collection {
		return nil
	}
	return mysqlerr.Unsupported("%s is in a bucket: ENGINE=SQLFDB moves it out, and then ENGINE=%s into another one", def,
		information.BucketEngine)
}

// intoBucket moves an ordinary table's documents to an address.
func (m *relocation) intoBucket(address string) error {
	at, err := placeAt(m.session, address, m.name)
	if err != nil {
		return err
	}
	if err := FinishBackground(m.ctx, m.session, m.database, m.name); err != nil {
		return err
	}
	before, err := m.definition()
	if err != nil {
		return err
	}
	wanted, err := putIntoBucket(before.Clone(), at)
	if err != nil {
		return err
	}
	from, err := session.NewDefinition(m.session.Backend.Catalog, before)
	if err != nil {
		return err
	}
	shelf := m.session.Backend.Buckets.Of(m.session.Backend.Place(at))
	to, err := shelf.Open(m.ctx)
	if err != nil {
		return err
	}
	if err := to.List(m.ctx, "", func(string) error { return errNotEmpty }); errors.Is(err, errNotEmpty) {
		return mysqlerr.Unsupported("the folder %s of the bucket has documents: name another one, by the option collection",
			at.Collection)
	} else if err != nil {
		return err
	}
	m.session.Repeatable = false // this run removes the documents that it has written
	c := newCopier(from.Collection, to)
	err = m.copied(c, shelf, wanted)
	if err == nil {
		end := m.session.Backend.Moves.Begin(before.ID)
		defer end()
		err = m.transact(func(tx kv.Transaction, change *catalog.Change) error {
			// Writes before this transaction began are copied; later writes conflict with it.
			for more := true; more; {
				if more, err = c.some(m.ctx, tx.Snapshot()); err != nil {
					return err
				}
			}
			tx.AddReadConflict(from.Collection.Log().Span(changes.Bounds{After: c.after}))
			return change.MoveTable(m.database, m.name, func(now, after *catalog.Table) error {
				if !reflect.DeepEqual(now, before) || len(change.View().References(m.database, m.name)) > 0 {
					return errDefinitionChanged()
				}
				_, err := putIntoBucket(after, at)
				return err
			})
		})
	}
	if err != nil {
		m.tidy(c, at)
		return err
	}
	shelf.Counted(len(c.written))
	if coll, ok := collation.Lookup(before.Collation); before.Collation == "" || ok && !coll.IsBinary() {
		m.session.Warn(&sql.Warning{Level: "Note", Code: mysqlerr.Unknown, Message: fmt.Sprintf(
			"The strings of %s compare by their bytes now", before)})
	}
	return nil
}

var errNotEmpty = errors.New("there are documents")

// copied copies all present documents, and then makes the indexes.
func (m *relocation) copied(c *copier, shelf *pool.Collection, wanted []catalog.Index) error {
	if err := buckettable.Prepare(m.ctx, shelf, nil); err != nil {
		return err
	}
	for more := true; more; {
		err := m.reading(func(r kv.Reader) (err error) {
			more, err = c.some(m.ctx, r)
			return err
		})
		if err != nil {
			return err
		}
	}
	c.indexed = true
	return buckettable.Prepare(m.ctx, shelf, wanted)
}

// tidy removes the documents that were written into a bucket.
func (m *relocation) tidy(c *copier, at *catalog.Bucket) {
	killed := m.ctx.Err() != nil // the user who ended the statement does not wait longer
	for more := true; more; {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(m.ctx), tidying)
		left := len(c.written)
		err := c.undo(ctx)
		for err != nil && ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
			err = c.undo(ctx)
		}
		cancel()
		if err == nil {
			return
		}
		more = !killed && len(c.written) < left
	}
	m.session.Warn(&sql.Warning{Level: "Note", Code: mysqlerr.Unknown, Message: fmt.Sprintf(
		"Documents that were written stay in the bucket, in the folder %s", at.Collection)})
}
