package transfer

import (
	"fmt"
	"sync"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/tables"
)

// destination is the table that documents are stored in, each by the table's definition at the time: servers of the
// same store may change it meanwhile. It is safe for concurrent use.
type destination struct {
	catalog *catalog.Catalog
	id      int64
	admits  func(*catalog.Table) error // why documents can't be stored in a table of this definition; nil: they can

	mu      sync.Mutex
	version int64 // of the definitions that collection was opened by; meaningless while that is nil
	opened  *tables.Collection
}

func newDestination(cat *catalog.Catalog, def *catalog.Table, admits func(*catalog.Table) error) *destination {
	return &destination{catalog: cat, id: def.ID, admits: admits}
}

// collection is the table as the transaction sees it, which does not commit once that definition has changed. It
// fails with catalog.ErrNoTable when the table has been dropped or truncated.
func (d *destination) collection(tx *tables.Tx) (*tables.Collection, error) {
	view, err := d.catalog.ViewIn(tx)
	if err != nil {
		return nil, err
	}
	def, ok := view.TableByID(d.id)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened != nil && d.version == view.Version() {
		return d.opened, nil
	}
	if !ok {
		return nil, fmt.Errorf("transfer: the table has been dropped or truncated: %w", catalog.ErrNoTable)
	}
	if err := d.admits(def); err != nil {
		return nil, err
	}
	c, err := tables.Open(d.catalog, def)
	if err != nil {
		return nil, err
	}
	d.opened, d.version = c, view.Version()
	return c, nil
}
