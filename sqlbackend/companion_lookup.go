package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/changes"
)

var (
	_ sql.IndexSearchableTable = (*changesTable)(nil)
	_ sql.IndexedTable         = (*changesTable)(nil)
)

// LookupForExpressions implements sql.IndexSearchable: conditions on seq bound
// the part of the feed that is read. They stay in the filter as well.
func (t *changesTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup, *sql.FuncDepSet, sql.Expression, bool, error) {
	var b changes.Bounds
	for _, e := range conjuncts {
		t.bound(ctx, &b, e)
	}
	if b.After == nil && b.Upto == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	r := &feedRange{table: t, bounds: b}
	lookup := sql.IndexLookup{Index: r, Ranges: r}
	return lookup, &sql.FuncDepSet{}, expression.JoinAnd(conjuncts...), true, nil
}

// bound narrows the bounds by one condition, if it is one on seq.
func (t *changesTable) bound(ctx *sql.Context, b *changes.Bounds, e sql.Expression) {
	switch e := e.(type) {
	case *expression.Between:
		if t.isSequence(e.Val) {
			t.from(ctx, b, e.Lower, true)
			t.to(ctx, b, e.Upper, true)
		}
	case expression.Comparer:
		left, right := e.Left(), e.Right()
		turned := !t.isSequence(left)
		if turned {
			left, right = right, left
		}
		if !t.isSequence(left) {
			return
		}
		switch e.(type) {
		case *expression.Equals, *expression.NullSafeEquals:
			t.from(ctx, b, right, true)
			t.to(ctx, b, right, true)
		case *expression.GreaterThan, *expression.GreaterThanOrEqual:
			_, inclusive := e.(*expression.GreaterThanOrEqual)
			if turned {
				t.to(ctx, b, right, inclusive)
			} else {
				t.from(ctx, b, right, inclusive)
			}
		case *expression.LessThan, *expression.LessThanOrEqual:
			_, inclusive := e.(*expression.LessThanOrEqual)
			if turned {
				t.from(ctx, b, right, inclusive)
			} else {
				t.to(ctx, b, right, inclusive)
			}
		}
	}
}

// isSequence reports whether an expression is the column seq, with whatever
// the comparison rule put around it.
func (t *changesTable) isSequence(e sql.Expression) bool {
	f, ok := unwrapped(e).(*expression.GetField)
	return ok && t.place.holds(f) && strings.EqualFold(f.Name(), "seq")
}

// from and to narrow one end by a constant; an expression that is none, or no
// sequence, narrows nothing.
func (t *changesTable) from(ctx *sql.Context, b *changes.Bounds, e sql.Expression, inclusive bool) {
	s, ok := constantSequence(ctx, e)
	if ok && inclusive {
		s, ok = before(s)
	}
	if ok && (b.After == nil || strings.Compare(b.After.String(), s.String()) < 0) {
		b.After = &s
	}
}

func (t *changesTable) to(ctx *sql.Context, b *changes.Bounds, e sql.Expression, inclusive bool) {
	s, ok := constantSequence(ctx, e)
	if ok && !inclusive {
		s, ok = before(s)
	}
	if ok && (b.Upto == nil || strings.Compare(s.String(), b.Upto.String()) < 0) {
		b.Upto = &s
	}
}

func constantSequence(ctx *sql.Context, e sql.Expression) (s changes.Sequence, ok bool) {
	constant := true
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e.(type) {
		case nil, *expression.Literal, *expression.UserVar, *retype:
		default:
			constant = false
		}
		return constant
	})
	if !constant {
		return s, false
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return s, false
	}
	text, ok := v.(string)
	if !ok || text != strings.ToLower(text) {
		return s, false
	}
	s, err = changes.ParseSequence(text)
	return s, err == nil
}

// before is the last sequence below s, if there is one.
func before(s changes.Sequence) (changes.Sequence, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		s[i]--
		if s[i] != 0xff {
			return s, true
		}
	}
	return s, false
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *changesTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *changesTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *changesTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *changesTable) IndexedAccess(_ *sql.Context, lookup sql.IndexLookup) sql.IndexedTable {
	r, ok := lookup.Ranges.(*feedRange)
	if !ok {
		return nil
	}
	bounded := *t
	bounded.bounds, bounded.lookup, bounded.reverse = r.bounds, r, r.reverse
	return &bounded
}

// LookupPartitions implements sql.IndexedTable.
func (t *changesTable) LookupPartitions(ctx *sql.Context, _ sql.IndexLookup) (sql.PartitionIter, error) {
	return t.Partitions(ctx)
}

// feedRange is a part of a feed as the engine's ranges and their index.
type feedRange struct {
	pathIndex
	table   *changesTable
	bounds  changes.Bounds
	reverse bool
}

var (
	_ sql.RangeCollection = (*feedRange)(nil)
	_ sql.Index           = (*feedRange)(nil)
	_ sql.Range           = feedPart{}
)

// feedPart is a feedRange as the engine's range.
type feedPart struct{ of *feedRange }

// Equals implements sql.Range.
func (p feedPart) Equals(other sql.Range) (bool, error) {
	o, ok := other.(feedPart)
	return ok && o == p, nil
}

// String implements fmt.Stringer.
func (p feedPart) String() string { return p.of.String() }

// DebugString implements sql.DebugStringer.
func (p feedPart) DebugString() string { return p.of.String() }

// Len implements sql.RangeCollection.
func (r *feedRange) Len() int { return 1 }

// Equals implements sql.RangeCollection.
func (r *feedRange) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*feedRange)
	return ok && o == r, nil
}

// ToRanges implements sql.RangeCollection.
func (r *feedRange) ToRanges() []sql.Range { return []sql.Range{feedPart{r}} }

// String implements fmt.Stringer.
func (r *feedRange) String() string {
	text := "seq"
	if r.bounds.After != nil {
		text += " after " + r.bounds.After.String()
	}
	if r.bounds.Upto != nil {
		text += " up to " + r.bounds.Upto.String()
	}
	if r.reverse {
		text += " descending"
	}
	return text
}

// DebugString implements sql.DebugStringer.
func (r *feedRange) DebugString() string { return r.String() }

// ID implements sql.Index.
func (r *feedRange) ID() string { return "seq" }

// Database implements sql.Index.
func (r *feedRange) Database() string { return r.table.def.Database }

// Table implements sql.Index.
func (r *feedRange) Table() string { return r.table.Name() }

// Expressions implements sql.Index.
func (r *feedRange) Expressions() []string { return []string{r.table.Name() + ".seq"} }
