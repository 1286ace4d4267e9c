package sqlbackend

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// mapPath is how a map index is read: along spans of its keys, from either end. It is immutable once the table is
// planned.
type mapPath struct {
	*accessPath
	index     string // the table's name
	of        *mapTable
	spans     indexes.Spans
	text      string // of the conditions that the spans are of
	reverse   bool
	limit     int64 // of the rows that are taken at most; 0 for none
	estimated costing.Estimate
	fetches   bool // documents are read
}

var (
	_ sql.RangeCollection = (*mapPath)(nil)
	_ explainedRanges     = (*mapPath)(nil)
)

// Equals implements sql.RangeCollection.
func (p *mapPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*mapPath)
	return ok && o == p, nil
}

// String implements sql.RangeCollection.
func (p *mapPath) String() string {
	if p.text == "" {
		return mapKeyColumn
	}
	return p.text
}

// DebugString implements sql.DebugStringer.
func (p *mapPath) DebugString() string { return p.String() }

func (p *mapPath) asLookup() sql.IndexLookup {
	return sql.IndexLookup{Index: childIndex{pathIndex{p.accessPath}, p.index}, Ranges: p}
}

// explanation implements explainedRanges.
func (p *mapPath) explanation(table string) explanation {
	e := explanation{table: table, access: "range", key: mapKeyColumn, at: p.accessPath, entriesOnly: !p.fetches,
		operation: "Index range scan on " + table + " using " + mapKeyColumn}
	switch {
	case len(p.spans) == 0:
		e.access, e.operation, e.extra = "", "No rows of "+table, []string{"Impossible WHERE"}
	case p.spans.IsEverything():
		e.access, e.operation = "index", "Index scan on "+table+" using "+mapKeyColumn
	case p.spans.IsPoint():
		e.access, e.operation, e.ref = "ref", "Index lookup on "+table+" using "+mapKeyColumn, "const"
	}
	if p.text != "" {
		e.facts = append(e.facts, "range: "+p.text)
	}
	if p.reverse {
		e.facts = append(e.facts, "from the last to the first")
	}
	estimate := p.estimated
	if p.limit > 0 {
		e.facts = append(e.facts, "at most "+grouped(p.limit)+" keys")
		estimate.Keys = min(estimate.Keys, p.limit)
	}
	e.estimate = &estimate
	return e
}

// everything is the path along all rows.
func (t *mapTable) everything(ctx *sql.Context) (*mapPath, error) {
	p := &mapPath{accessPath: newAccessPath(t.documentTable(), nil, pushdown.Result{}, -1), index: t.Name(), of: t,
		spans: indexes.Everything(), fetches: t.documents}
	rows, _, err := t.RowCount(ctx)
	p.estimated = costing.Estimate{Keys: int64(rows), Bound: int64(rows), Exact: true}
	return p, err
}

// LookupForExpressions implements sql.IndexSearchable.
func (t *mapTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	none := func(err error) (sql.IndexLookup, *sql.FuncDepSet, sql.Expression, bool, error) {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if !setting.UsesIndex(ctx) {
		return none(nil)
	}
	spans, residual, err := t.split(ctx, conjuncts)
	if err != nil || len(residual) == len(conjuncts) {
		return none(err)
	}
	path, err := t.everything(ctx)
	if err != nil {
		return none(err)
	}
	path.spans, path.text = spans, spansText(spans)
	if t.session.Explains() {
		if path.estimated, err = t.estimate(path); err != nil {
			return none(err)
		}
	}
	return path.asLookup(), &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// split takes the conditions that are spans of keys out of conjuncts.
func (t *mapTable) split(ctx *sql.Context, conjuncts []sql.Expression) (spans indexes.Spans,
	residual []sql.Expression, err error) {
	spans = indexes.Everything()
	for _, c := range conjuncts {
		s, ok, err := t.spans(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			residual = append(residual, c)
			continue
		}
		spans = spans.Intersect(s)
	}
	return spans, residual, nil
}

// spansText shows spans of keys, for people.
func spansText(spans indexes.Spans) string {
	texts := make([]string, len(spans))
	for i, s := range spans {
		switch {
		case s.IsPoint():
			texts[i] = "= " + mapindex.Describe(s.Start)
		case s.End != nil && bytes.Equal(kv.PrefixEnd(s.Start), s.End):
			texts[i] = "begins " + mapindex.Describe(s.Start)
		case s.End == nil:
			texts[i] = "from " + mapindex.Describe(s.Start)
		case len(s.Start) == 0:
			texts[i] = "below " + mapindex.Describe(s.End)
		default:
			texts[i] = "from " + mapindex.Describe(s.Start) + " below " + mapindex.Describe(s.End)
		}
	}
	return "`" + mapKeyColumn + "` " + strings.Join(texts, ", or ")
}

// keyOf reports whether an expression is the order of the table's key.
func (t *mapTable) keyOf(e sql.Expression) bool {
	m, ok := tree.Unwrapped(e).(*mapOrder)
	if !ok {
		return false
	}
	f, ok := tree.Unwrapped(m.Child).(*expression.GetField)
	return ok && t.place.Holds(f)
}

// bound is the value of an expression that depends on no row; ok is false for others, and nil is NULL.
func bound(ctx *sql.Context, e sql.Expression) (key []byte, ok bool, err error) {
	constant := true
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case nil:
		case *expression.GetField, *plan.Subquery:
			constant = false
		case sql.NonDeterministicExpression:
			constant = constant && !e.IsNonDeterministic()
		}
		return constant
	})
	if !constant {
		return nil, false, nil
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	switch v := v.(type) {
	case nil:
		return nil, true, nil
	case []byte:
		return v, true, nil
	case string:
		return []byte(v), true, nil
	}
	return nil, false, nil
}

// behind is the first encoded key after one.
func behind(key []byte) []byte { return append(slices.Clone(key), 0) }

// spans are the keys of which a condition is true: exactly those. ok is false for what is no condition on the key.
func (t *mapTable) spans(ctx *sql.Context, e sql.Expression) (s indexes.Spans, ok bool, err error) {
	compared := func(left, right sql.Expression, span func(key []byte) indexes.Span,
		turned func(key []byte) indexes.Span) (indexes.Spans, bool, error) {
		if t.keyOf(right) {
			left, right, span = right, left, turned
		}
		if !t.keyOf(left) {
			return nil, false, nil
		}
		key, ok, err := bound(ctx, right)
		if err != nil || !ok || key == nil {
			return nil, ok, err
		}
		return indexes.NewSpans(span(key)), true, nil
	}
	equal := func(key []byte) indexes.Span { return indexes.Span{Start: key, End: behind(key)} }
	less := func(key []byte) indexes.Span { return indexes.Span{End: key} }
	most := func(key []byte) indexes.Span { return indexes.Span{End: behind(key)} }
	greater := func(key []byte) indexes.Span { return indexes.Span{Start: behind(key)} }
	least := func(key []byte) indexes.Span { return indexes.Span{Start: key} }
	switch e := e.(type) {
	case *expression.Equals:
		return compared(e.Left(), e.Right(), equal, equal)
	case *expression.NullSafeEquals:
		return compared(e.Left(), e.Right(), equal, equal)
	case *expression.LessThan:
		return compared(e.Left(), e.Right(), less, greater)
	case *expression.LessThanOrEqual:
		return compared(e.Left(), e.Right(), most, least)
	case *expression.GreaterThan:
		return compared(e.Left(), e.Right(), greater, less)
	case *expression.GreaterThanOrEqual:
		return compared(e.Left(), e.Right(), least, most)
	case *expression.Between:
		if !t.keyOf(e.Val) {
			return nil, false, nil
		}
		from, ok, err := bound(ctx, e.Lower)
		if err != nil || !ok {
			return nil, false, err
		}
		to, ok, err := bound(ctx, e.Upper)
		if err != nil || !ok || from == nil || to == nil {
			return nil, ok, err
		}
		return indexes.NewSpans(indexes.Span{Start: from, End: behind(to)}), true, nil
	case *expression.InTuple:
		list, ok := e.Right().(expression.Tuple)
		if !ok || !t.keyOf(e.Left()) {
			return nil, false, nil
		}
		for _, c := range list {
			key, ok, err := bound(ctx, c)
			if err != nil || !ok {
				return nil, false, err
			}
			if key != nil {
				s = append(s, equal(key))
			}
		}
		return indexes.NewSpans(s...), true, nil
	case *expression.Or:
		left, ok, err := t.spans(ctx, e.LeftChild)
		if err != nil || !ok {
			return nil, false, err
		}
		right, ok, err := t.spans(ctx, e.RightChild)
		return left.Union(right), ok, err
	case *expression.And:
		left, ok, err := t.spans(ctx, e.LeftChild)
		if err != nil || !ok {
			return nil, false, err
		}
		right, ok, err := t.spans(ctx, e.RightChild)
		return left.Intersect(right), ok, err
	case *mapBegins:
		if !t.keyOf(e.LeftChild) {
			return nil, false, nil
		}
		if _, ok, err := bound(ctx, ordering(e.RightChild)); err != nil || !ok {
			return nil, false, err
		}
		start, end, err := e.span(ctx)
		if err != nil || start == nil {
			return nil, err == nil, err
		}
		return indexes.NewSpans(indexes.Span{Start: start, End: end}), true, nil
	}
	return nil, false, nil
}

// estimate counts the rows of a path, as far as there are few.
func (t *mapTable) estimate(p *mapPath) (costing.Estimate, error) {
	e := costing.Estimate{Exact: true, Bound: p.estimated.Bound}
	r, err := t.session.committedReader()
	if err != nil {
		return e, err
	}
	for _, s := range p.spans {
		at := t.rows.Keys.RowSpan(t.number, s.Start, s.End)
		n, bytes, err := countKeys(r, at, countedChanges)
		if err != nil {
			return e, err
		}
		if n < countedChanges {
			e.Keys += n
			continue
		}
		all, err := r.EstimateSize(at).Get()
		if err != nil {
			return e, err
		}
		e.Exact = false
		e.Keys += max(n, all/max(1, bytes/n))
	}
	e.Keys = min(e.Keys, max(e.Bound, 0))
	return e, nil
}

// expected is the size of what is read along the path.
func (p *mapPath) expected() size {
	e := p.estimated
	if !p.spans.IsEverything() {
		if counted, err := p.of.estimate(p); err == nil {
			e = counted
		}
	}
	rows := float64(e.Keys)
	if p.limit > 0 {
		rows = min(rows, float64(p.limit))
	}
	return size{rows: rows, cost: rows}
}

// mapped is what a sort of a map index by its key becomes: the map index itself, which is in that order, from either
// end.
func (o orderer) mapped(fields sql.SortFields, child sql.Node, above taken) (sql.Node, bool, error) {
	var s orderSite
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner || len(s.fields) != 1 {
		return nil, false, nil
	}
	node, t, path, ok := mapOf(leaf)
	if !ok || !t.keyOf(s.fields[0].Column) {
		return nil, false, nil
	}
	along, err := t.everything(o.ctx)
	if err != nil {
		return nil, false, err
	}
	if path != nil {
		*along = *path
	}
	along.reverse = s.fields[0].Order == sql.Descending
	filtered := slices.ContainsFunc(s.between, func(n sql.Node) bool { _, is := n.(*plan.Filter); return is })
	if !filtered && !above.guess {
		along.limit = above.most()
	}
	access, err := plan.NewStaticIndexedAccessForTableNode(o.ctx, node, along.asLookup())
	if err != nil {
		return nil, false, err
	}
	n, err := s.above(access)
	return n, err == nil, err
}

// mapOf recognizes a map index in a plan, with the path that it is read along; nil for all of it.
func mapOf(n sql.Node) (node sql.TableNode, t *mapTable, path *mapPath, ok bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		t, ok = n.UnderlyingTable().(*mapTable)
		return n, t, nil, ok
	case *plan.IndexedTableAccess:
		path, ok = plan.GetIndexLookup(n).Ranges.(*mapPath)
		if !ok {
			return nil, nil, nil, false
		}
		t, ok = n.TableNode.UnderlyingTable().(*mapTable)
		return n.TableNode, t, path, ok
	}
	return nil, nil, nil, false
}
