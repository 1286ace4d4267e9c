package table

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

var _ sql.AutoIncrementTable = (*Table)(nil)

// PeekNextAutoIncrementValue implements sql.AutoIncrementGetter.
func (t *Table) PeekNextAutoIncrementValue(ctx *sql.Context) (uint64, error) {
	if !t.Layout.HasAutoIncrement() {
		return 0, sql.ErrNoAutoIncrementCol
	}
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	n, err := t.Session.Backend.Catalog.PeekAutoIncrement(r, t.Def.ID)
	return n, mysqlerr.Of(ctx, err)
}

// GetNextAutoIncrementValue implements sql.AutoIncrementTable. As in MySQL, values are assigned outside the
// transaction, and are lost if it rolls back.
func (t *Table) GetNextAutoIncrementValue(ctx *sql.Context, given interface{}) (uint64, error) {
	c := t.Session.Backend.Catalog
	if given == nil {
		tx, err := session.CurrentTransaction(ctx)
		if err != nil {
			return 0, mysqlerr.Of(ctx, err)
		}
		void, err := autoIncrementVoid(tx, t.Def.ID)
		if err != nil {
			return 0, mysqlerr.Of(ctx, err)
		}
		n, ok := t.Session.Numbers.Again(c, t.Def.ID, void)
		if !ok {
			if n, err = c.NextAutoIncrement(ctx, t.Def.ID, void); err != nil {
				return 0, mysqlerr.Of(ctx, err)
			}
		}
		t.Session.Numbers.Take(t.Def.ID, n)
		return n, nil
	}
	given, err := countedInRange(t, ctx, given)
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
	return n, mysqlerr.Of(ctx, c.GivenAutoIncrement(ctx, t.Def.ID, n))
}

// countedInRange refuses a number above the range of the AUTO_INCREMENT column; with IGNORE it returns the highest
// one. The engine would reduce the number itself, before it checks the ranges of a row's values.
func countedInRange(t *Table, ctx *sql.Context, given any) (any, error) {
	i := slices.IndexFunc(t.Layout, func(c *sql.Column) bool { return c.AutoIncrement })
	if i < 0 {
		return given, nil
	}
	v, in, err := compare.ExactType(t.Layout[i].Type).Convert(ctx, given)
	if err != nil || in == sql.InRange {
		return given, err
	}
	if insert, ok := t.Session.Parsed.Statement().(*ast.Insert); ok && insert.Ignore != "" {
		return v, nil
	}
	return nil, sql.ErrValueOutOfRange.New(given, t.Layout[i].Type)
}

// autoIncrementVoid returns catalog.AutoIncrementVoid for this transaction, cached.
func autoIncrementVoid(t *session.Transaction, collection int64) (uint64, error) {
	if void, known := t.Voids[collection]; known {
		return void, nil
	}
	w, err := t.Begin()
	if err != nil {
		return 0, err
	}
	void, err := t.Backend.Catalog.AutoIncrementVoid(w, collection)
	if err != nil {
		return 0, err
	}
	if t.Voids == nil {
		t.Voids = map[int64]uint64{}
	}
	t.Voids[collection] = void
	return void, nil
}

// AutoIncrementSetter implements sql.AutoIncrementTable.
func (t *Table) AutoIncrementSetter(*sql.Context) sql.AutoIncrementSetter {
	return autoIncrementSetter{t}
}

type autoIncrementSetter struct{ table *Table }

// SetAutoIncrementValue implements sql.AutoIncrementSetter.
func (s autoIncrementSetter) SetAutoIncrementValue(ctx *sql.Context, n uint64) error {
	if stmt := s.table.Session.Parsed.Statement(); stmt != nil {
		if _, defines := session.CommitsBefore(stmt, ""); defines || session.IsTemporary(stmt) {
			return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
				return c.RaiseAutoIncrement(s.table.Def.ID,
					n)
			})
		}
	}
	return mysqlerr.Of(ctx, s.table.Session.Backend.Catalog.RaiseAutoIncrement(ctx, s.table.Def.ID, n))
}

// AcquireAutoIncrementLock implements sql.AutoIncrementSetter. It takes no lock: one statement's values ascend, but
// other statements' may be between them.
func (s autoIncrementSetter) AcquireAutoIncrementLock(*sql.Context) (func(), error) {
	return func() {}, nil
}

// Close implements sql.Closer.
func (s autoIncrementSetter) Close(*sql.Context) error { return nil }
