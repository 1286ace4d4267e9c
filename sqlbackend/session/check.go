package session

import (
	"context"
	"reflect"
	"slices"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Check is a transaction that checks tables, and may take longer than the store's longest transaction. If the store
// can't keep its version, it goes on at a newer one as long as the checked table is the same there.
type Check struct {
	*longread.Tx
	catalog *catalog.Catalog
	of      *tables.Collection // nil if no table is checked yet
	newest  changes.Sequence   // last change of its feed
}

// BeginCheck begins a Check.
func BeginCheck(ctx context.Context, store kv.Store, cat *catalog.Catalog) (*Check, error) {
	c := &Check{catalog: cat}
	tx, err := longread.Begin(ctx, store, longread.Options{
		Transaction: kv.TransactionOptions{NoReadYourWrites: true, Hold: true},
		Renewed:     c.same,
	})
	c.Tx = tx
	return c, err
}

// Of begins with a table, whose definition is the one in the catalog at the version that the check reads.
func (c *Check) Of(of *tables.Collection) (err error) {
	c.of = nil
	if c.newest, _, err = of.Log().Last(c.Snapshot()); err == nil {
		c.of = of
	}
	return err
}

// same returns an error if the table differs at another version.
func (c *Check) same(at kv.Reader) error {
	if c.of == nil {
		return nil
	}
	def := c.of.Definition()
	newest, _, err := c.of.Log().Last(at)
	if err != nil {
		return err
	}
	view, err := c.catalog.View(at)
	if err != nil {
		return err
	}
	now, ok := view.TableByID(def.ID)
	if newest != c.newest || !def.Temporary() && (!ok || !reflect.DeepEqual(now, def)) || working(def) {
		return mysql.NewSQLError(mysqlerr.TimedOut, "HY000", "a check takes longer than this store keeps a version, and "+
			"%s has been written to meanwhile: check it while nobody writes, or check a copy", def)
	}
	return nil
}

// working reports whether a job writes to the table without a change in its feed.
func working(def *catalog.Table) bool {
	return def.Upgrading() || def.Rebuilding() || slices.ContainsFunc(def.Indexes,
		func(i catalog.Index) bool { return i.Building != 0 })
}
