package companion

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// MapPath is how a map index is read: along spans of its keys, from either end. It is immutable once the table is
// planned.
type MapPath struct {
	*table.AccessPath
	index     string // name of the map index's table
	of        *MapTable
	Spans     indexes.Spans
	text      string // of the spans, for EXPLAIN
	Reverse   bool
	Limit     int64 // largest number of rows read; 0: all
	estimated costing.Estimate
	fetches   bool // documents are read
}

var (
	_ sql.RangeCollection   = (*MapPath)(nil)
	_ table.ExplainedRanges = (*MapPath)(nil)
)

// Equals implements sql.RangeCollection.
func (p *MapPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*MapPath)
	return ok && o == p, nil
}

// String implements sql.RangeCollection.
func (p *MapPath) String() string {
	if p.text == "" {
		return MapKeyColumn
	}
	return p.text
}

// DebugString implements sql.DebugStringer.
func (p *MapPath) DebugString() string { return p.String() }

// AsLookup returns the path as an index lookup of the engine.
func (p *MapPath) AsLookup() sql.IndexLookup {
	return sql.IndexLookup{Index: ChildIndex{table.PathIndex{Path: p.AccessPath}, p.index}, Ranges: p}
}

// Explanation implements ExplainedRanges.
func (p *MapPath) Explanation(tab string) table.Explanation {
	e := table.Explanation{Table: tab, Access: "range", Key: MapKeyColumn, At: p.AccessPath, EntriesOnly: !p.fetches,
		Operation: "Index range scan on " + tab + " using " + MapKeyColumn}
	switch {
	case len(p.Spans) == 0:
		e.Access, e.Operation, e.Extra = "", "No rows of "+tab, []string{"Impossible WHERE"}
	case p.Spans.IsEverything():
		e.Access, e.Operation = "index", "Index scan on "+tab+" using "+MapKeyColumn
	case p.Spans.IsPoint():
		e.Access, e.Operation, e.Ref = "ref", "Index lookup on "+tab+" using "+MapKeyColumn, "const"
	}
	if p.text != "" {
		e.Facts = append(e.Facts, "range: "+p.text)
	}
	if p.Reverse {
		e.Facts = append(e.Facts, "from the last to the first")
	}
	estimate := p.estimated
	if p.Limit > 0 {
		e.Facts = append(e.Facts, "at most "+session.Grouped(p.Limit)+" keys")
		estimate.Keys = min(estimate.Keys, p.Limit)
	}
	e.Estimate = &estimate
	return e
}

// Everything returns the path along all rows.
func (t *MapTable) Everything(ctx *sql.Context) (*MapPath, error) {
	p := &MapPath{AccessPath: table.NewAccessPath(t.documentTable(), nil, pushdown.Result{}, -1), index: t.Name(), of: t,
		Spans: indexes.Everything(), fetches: t.documents}
	rows, _, err := t.RowCount(ctx)
	p.estimated = costing.Estimate{Keys: int64(rows), Bound: int64(rows), Exact: true}
	return p, err
}

// LookupForExpressions implements sql.IndexSearchable.
func (t *MapTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	none := func(err error) (sql.IndexLookup, *sql.FuncDepSet, sql.Expression, bool, error) {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if !setting.UsesIndex(ctx) {
		return none(nil)
	}
	spans, residual, err := t.split(ctx, conjuncts)
	if err != nil || len(residual) == len(conjuncts) && spans.IsEverything() {
		return none(err)
	}
	path, err := t.Everything(ctx)
	if err != nil {
		return none(err)
	}
	path.Spans, path.text = spans, spansText(spans)
	if t.Session.Parsed.Explains() {
		if path.estimated, err = t.estimate(path); err != nil {
			return none(err)
		}
	}
	return path.AsLookup(), &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// split takes the conjuncts that are spans of keys; residual are the others, which also narrow the spans where
// possible.
func (t *MapTable) split(ctx *sql.Context, conjuncts []sql.Expression) (spans indexes.Spans,
	residual []sql.Expression, err error) {
	spans = indexes.Everything()
	for _, c := range conjuncts {
		s, ok, err := t.spans(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			residual = append(residual, c)
			if s, err = t.about(ctx, c); err != nil {
				return nil, nil, err
			}
		}
		spans = spans.Intersect(s)
	}
	return spans, residual, nil
}

// about returns spans with all keys for which a condition may be true, as for row comparisons, which are made of
// several.
func (t *MapTable) about(ctx *sql.Context, e sql.Expression) (indexes.Spans, error) {
	sides := func(left, right sql.Expression) (l, r indexes.Spans, err error) {
		if l, err = t.about(ctx, left); err == nil {
			r, err = t.about(ctx, right)
		}
		return l, r, err
	}
	switch e := e.(type) {
	case *expression.And:
		l, r, err := sides(e.LeftChild, e.RightChild)
		return l.Intersect(r), err
	case *expression.Or:
		l, r, err := sides(e.LeftChild, e.RightChild)
		return l.Union(r), err
	}
	s, ok, err := t.spans(ctx, e)
	if err == nil && !ok {
		s = indexes.Everything()
	}
	return s, err
}

// spansText returns the text of spans of keys, for EXPLAIN.
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
	return "`" + MapKeyColumn + "` " + strings.Join(texts, ", or ")
}

// keyOf reports whether an expression is the bytes of the table's key.
func (t *MapTable) keyOf(e sql.Expression) bool {
	m, ok := tree.Unwrapped(e).(*mapOrder)
	if !ok {
		return false
	}
	f, ok := tree.Unwrapped(m.Child).(*expression.GetField)
	return ok && t.place.Holds(f)
}

// bound evaluates an expression that depends on no row; ok is false for others. A nil key is NULL.
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

// behind returns the first encoded key after another.
func behind(key []byte) []byte { return append(slices.Clone(key), 0) }

// spans returns exactly the keys for which a condition is true. ok is false if it is no condition on the key alone.
func (t *MapTable) spans(ctx *sql.Context, e sql.Expression) (s indexes.Spans, ok bool, err error) {
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

// estimate estimates the rows of a path, exactly if they are few.
func (t *MapTable) estimate(p *MapPath) (costing.Estimate, error) {
	e := costing.Estimate{Exact: true, Bound: p.estimated.Bound}
	r, err := t.Session.Readers.Committed()
	if err != nil {
		return e, err
	}
	for _, s := range p.Spans {
		at, exact := t.Rows.Span(t.Number, s.Start, s.End)
		e.Exact = e.Exact && exact
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

// Expected estimates the rows read along the path.
func (p *MapPath) Expected() table.Size {
	e := p.estimated
	if !p.Spans.IsEverything() {
		if counted, err := p.of.estimate(p); err == nil {
			e = counted
		}
	}
	rows := float64(e.Keys)
	if p.Limit > 0 {
		rows = min(rows, float64(p.Limit))
	}
	return table.Size{Rows: rows, Cost: rows}
}

// AlongKey reports whether sort fields are in the order of the rows: the key, and then columns of the primary key in
// their order, all in one direction.
func (t *MapTable) AlongKey(fields sql.SortFields) bool {
	if len(fields) == 0 || !t.keyOf(fields[0].Column) || t.full.Hidden() && len(fields) > 1 ||
		len(fields) > 1+len(t.full.PrimaryKey) {
		return false
	}
	for i, f := range fields[1:] {
		column, ok := tree.Unwrapped(f.Column).(*expression.GetField)
		if !ok || !t.place.Holds(column) || f.Order != fields[0].Order ||
			!strings.EqualFold(column.Name(), mapPrimaryName(t.full.SQLColumns[t.full.PrimaryKey[i]].Name)) {
			return false
		}
	}
	return true
}

// MapOf recognizes a map index in a plan, and returns the path that it is read along; nil: all rows.
func MapOf(n sql.Node) (node sql.TableNode, t *MapTable, path *MapPath, ok bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		t, ok = n.UnderlyingTable().(*MapTable)
		return n, t, nil, ok
	case *plan.IndexedTableAccess:
		path, ok = plan.GetIndexLookup(n).Ranges.(*MapPath)
		if !ok {
			return nil, nil, nil, false
		}
		t, ok = n.TableNode.UnderlyingTable().(*MapTable)
		return n.TableNode, t, path, ok
	}
	return nil, nil, nil, false
}
