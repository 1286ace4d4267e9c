package buckettable

import (
	"fmt"
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// Joined is how a table is looked up by the values of a join's other side.
type Joined struct {
	Condition string
	Values    string    // the other side's
	Rows      float64   // of the other side
	Path      plan.Path // of as many values as are looked for together
	Price     float64   // of all of them
	Instead   plan.Path // how the table would be read without them
}

// Sought are the values that a column must have one of; Null: or none.
type Sought struct {
	Column pushdown.Column
	Spans  indexes.Spans
	Null   bool
}

// MostSought is how many values are looked for together.
const MostSought = plan.MaxKeys

// Comparison is a condition of a join as the table's columns are compared; the operand at a place is the table's.
func (t *Table) Comparison(ctx *sql.Context, e sql.Expression, at int) (*pushdown.Comparison, bool) {
	c, _, ok := pushdown.NewComparison(ctx, e, at, resolver{t})
	return c, ok && c.Equal()
}

// Joining is the table looked up by columns in the join that told describes; conjuncts are its own conditions. It is
// nil if lookups cost more than to read the table by its own conditions.
func (t *Table) Joining(ctx *sql.Context, conjuncts []sql.Expression, columns []pushdown.Column, told Joined) (*Table,
	error) {
	prices, err := PricesOf(ctx)
	if err != nil {
		return nil, err
	}
	c, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	alone := t.knownFrom(ctx, conjuncts)
	alone.query.Documents = t.rows.Def.Bucket.Documents()
	own, _ := plan.Choose(alone.query, c.Indexes(), prices)
	q := t.knownFrom(ctx, conjuncts).query
	q.Documents = alone.query.Documents
	some := int(math.Ceil(max(1, min(told.Rows, plan.MaxKeys))))
	for _, column := range columns {
		if column.PrimaryKeyPart > 0 {
			if !q.HasIDs {
				q.IDs, q.HasIDs = make([]string, some), true
			}
			continue
		}
		if len(q.Equal[column.Keypath]) == 0 {
			for i := range some {
				v, err := document.StringValue(fmt.Sprint("v", i))
				if err != nil {
					return nil, err
				}
				q.Equal[column.Keypath] = append(q.Equal[column.Keypath], v)
			}
		}
	}
	path, _ := plan.Choose(q, c.Indexes(), prices)
	price := path.Price(prices) * max(1, told.Rows/plan.MaxKeys)
	if path.Kind != plan.ByID && path.Kind != plan.ByEntry || price >= own.Price(prices) {
		return nil, nil
	}
	next := *t
	told.Path, told.Price, told.Instead = path, price, own
	next.joined = &told
	return &next, nil
}

// fewLookups is how many look-ups are so cheap that nobody need know how many there will be.
const fewLookups = 4

// WorthLookups reports whether a few values of a column are looked up with fewer requests than all documents that
// satisfy conjuncts are read. If their reading takes no document, lookups are not worth it: a join that has looked up
// much would read documents.
func (t *Table) WorthLookups(ctx *sql.Context, conjuncts []sql.Expression, column pushdown.Column) (bool, error) {
	one, err := t.Joining(ctx, conjuncts, []pushdown.Column{column}, Joined{Rows: 1})
	if err != nil || one == nil {
		return false, err
	}
	all, err := t.accessFor(ctx, wanted{conjuncts: conjuncts, keysAlone: column.PrimaryKeyPart > 0})
	return err == nil && !all.path.Covers && all.path.Price(all.prices) > fewLookups*one.joined.Price, err
}

// Documents is about how many there are.
func (t *Table) Documents() float64 {
	if n := t.rows.Def.Bucket.Documents(); n > 0 {
		return float64(n)
	}
	return plan.UnknownDocuments
}

// LookedUp reports whether the table is one that Joining has made.
func (t *Table) LookedUp() bool { return t.joined != nil }

// Looking is the table that reads the documents that have one of the values, with the cost of that, in dollars.
func (t *Table) Looking(ctx *sql.Context, sought []Sought) (*Table, float64, error) {
	w := wanted{sought: sought}
	if t.access != nil {
		w.conjuncts = t.access.conjuncts
	}
	a, err := t.accessFor(ctx, w)
	if err != nil {
		return nil, 0, err
	}
	next := *t
	next.access, next.standsFor = a, t
	return &next, a.path.Price(a.prices), nil
}

// Whole is the table read by its own conditions, with the cost of that, in dollars.
func (t *Table) Whole(ctx *sql.Context) (*Table, float64, error) { return t.Looking(ctx, nil) }

// seek adds the values that are looked for to a query. Values that a query can't express are left out: it finds too
// much then.
func (k *known) seek(t *Table, s Sought) {
	values, ok := pointsOf(s.Spans)
	switch {
	case !ok:
	case s.Column.PrimaryKeyPart > 0:
		q := plan.Query{}
		t.askKey(&q, s.Spans)
		if k.query.HasIDs {
			q.IDs = slices.DeleteFunc(q.IDs, func(id string) bool { return !slices.Contains(k.query.IDs, id) })
		}
		k.query.IDs, k.query.HasIDs = q.IDs, true
	case len(k.query.Equal[s.Column.Keypath]) == 0:
		if s.Null {
			values = append(values, document.NullValue())
		}
		if len(values) == 0 { // nothing is equal
			k.query.IDs, k.query.HasIDs = nil, true
			return
		}
		k.query.Equal[s.Column.Keypath] = values
	}
}
