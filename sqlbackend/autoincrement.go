package sqlbackend

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

var _ sql.AutoIncrementTable = (*Table)(nil)

// PeekNextAutoIncrementValue implements sql.AutoIncrementGetter.
func (t *Table) PeekNextAutoIncrementValue(ctx *sql.Context) (uint64, error) {
	if !t.schema.HasAutoIncrement() {
		return 0, sql.ErrNoAutoIncrementCol
	}
	r, err := t.session.planReader()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	n, err := t.session.backend.catalog.PeekAutoIncrement(r, t.def.ID)
	return n, mysqlerr.Of(ctx, err)
}

// GetNextAutoIncrementValue implements sql.AutoIncrementTable. As in MySQL the
// values are taken outside the transaction, and those of one that rolls back
// are lost.
func (t *Table) GetNextAutoIncrementValue(ctx *sql.Context, given interface{}) (uint64, error) {
	c := t.session.backend.catalog
	if given == nil {
		tx, err := currentTransaction(ctx)
		if err != nil {
			return 0, mysqlerr.Of(ctx, err)
		}
		void, err := tx.autoIncrementVoid(t.def.ID)
		if err != nil {
			return 0, mysqlerr.Of(ctx, err)
		}
		n, ok := t.session.numbers.again(c, t.def.ID, void)
		if !ok {
			if n, err = c.NextAutoIncrement(ctx, t.def.ID, void); err != nil {
				return 0, mysqlerr.Of(ctx, err)
			}
		}
		t.session.numbers.take(t.def.ID, n)
		return n, nil
	}
	given, err := t.countedInRange(ctx, given)
	if err != nil {
		return 0, err
	}
	v, _, err := types.Uint64.Convert(ctx, given)
	if err != nil {
		return 0, err
	}
	n, ok := v.(uint64)
	if !ok {
		return 0, fmt.Errorf("sqlbackend: AUTO_INCREMENT value of type %T", v)
	}
	return n, mysqlerr.Of(ctx, c.GivenAutoIncrement(ctx, t.def.ID, n))
}

// countedInRange refuses a number above the range of the AUTO_INCREMENT column; with IGNORE it is the highest one. The
// engine makes it that itself before it looks whether the values of a row are in range.
func (t *Table) countedInRange(ctx *sql.Context, given any) (any, error) {
	i := slices.IndexFunc(t.schema, func(c *sql.Column) bool { return c.AutoIncrement })
	if i < 0 {
		return given, nil
	}
	v, in, err := compare.ExactType(t.schema[i].Type).Convert(ctx, given)
	if err != nil || in == sql.InRange {
		return given, err
	}
	if insert, ok := t.session.statement().(*ast.Insert); ok && insert.Ignore != "" {
		return v, nil
	}
	return nil, sql.ErrValueOutOfRange.New(given, t.schema[i].Type)
}

// takenNumbers are the AUTO_INCREMENT values that a command has taken, by collection. A command that runs again
// takes those of the run before it first.
type takenNumbers struct {
	taken, left map[int64][]uint64
	repeats     bool // the next run is not the first
}

// begin is called before each run of a command; undone before one that is not the first.
func (n *takenNumbers) begin() {
	if !n.repeats {
		n.left = nil
	}
	n.taken, n.repeats = nil, false
}

func (n *takenNumbers) undone() { n.left, n.taken, n.repeats = n.taken, nil, true }

func (n *takenNumbers) take(collection int64, value uint64) {
	if n.taken == nil {
		n.taken = map[int64][]uint64{}
	}
	n.taken[collection] = append(n.taken[collection], value)
}

// again is the next value of the run before this one, if it may still be stored.
func (n *takenNumbers) again(c *catalog.Catalog, collection int64, void uint64) (value uint64, ok bool) {
	left := n.left[collection]
	if len(left) == 0 {
		return 0, false
	}
	n.left[collection] = left[1:]
	return left[0], c.AutoIncrementFree(collection, left[0], void)
}

// autoIncrementVoid is what the catalog's function of that name tells in this transaction.
func (t *Transaction) autoIncrementVoid(collection int64) (uint64, error) {
	if void, known := t.voids[collection]; known {
		return void, nil
	}
	w, err := t.begin()
	if err != nil {
		return 0, err
	}
	void, err := t.backend.catalog.AutoIncrementVoid(w, collection)
	if err != nil {
		return 0, err
	}
	if t.voids == nil {
		t.voids = map[int64]uint64{}
	}
	t.voids[collection] = void
	return void, nil
}

// AutoIncrementSetter implements sql.AutoIncrementTable.
func (t *Table) AutoIncrementSetter(*sql.Context) sql.AutoIncrementSetter {
	return autoIncrementSetter{t}
}

type autoIncrementSetter struct{ table *Table }

// SetAutoIncrementValue implements sql.AutoIncrementSetter.
func (s autoIncrementSetter) SetAutoIncrementValue(ctx *sql.Context, n uint64) error {
	if stmt := s.table.session.statement(); stmt != nil {
		if _, defines := commitsBefore(stmt, ""); defines || isTemporary(stmt) {
			return changeDefinitions(ctx, func(c *catalog.Change) error { return c.RaiseAutoIncrement(s.table.def.ID, n) })
		}
	}
	return mysqlerr.Of(ctx, s.table.session.backend.catalog.RaiseAutoIncrement(ctx, s.table.def.ID, n))
}

// AcquireAutoIncrementLock implements sql.AutoIncrementSetter. The values of
// one statement ascend, but another's may lie between them.
func (s autoIncrementSetter) AcquireAutoIncrementLock(*sql.Context) (func(), error) {
	return func() {}, nil
}

// Close implements sql.Closer.
func (s autoIncrementSetter) Close(*sql.Context) error { return nil }
