package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// elements is what a sort of a child table becomes whose rows come in that order, or in the reverse of it, along the
// path that is read without regard to order: entries stand in the order of values, keys and positions, and documents in
// that of keys. It costs no more than to sort, and with a LIMIT less.
func (o orderer) elements(fields sql.SortFields, child sql.Node) (sql.Node, bool, error) {
	var s orderSite
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner {
		return nil, false, nil
	}
	node, table, path, ok, err := o.childOf(leaf)
	if !ok || err != nil {
		return nil, false, err
	}
	in, err := path.order(table)
	if err != nil || !in.follows(table, s.fields) {
		return nil, false, err
	}
	along := *path
	along.ordered, along.reverse = true, s.fields[0].Order == sql.Descending
	lookup := sql.IndexLookup{Index: childIndex{pathIndex{along.accessPath}, table.name}, Ranges: &along}
	access, err := plan.NewStaticIndexedAccessForTableNode(o.ctx, node, lookup)
	if err != nil {
		return nil, false, err
	}
	n, err := s.above(access)
	return n, err == nil, err
}

// childOf recognizes a child table in a plan, with the path that it is read along.
func (o orderer) childOf(n sql.Node) (node sql.TableNode, t *childTable, path *childPath, ok bool, err error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok = n.UnderlyingTable().(*childTable); !ok {
			return nil, nil, nil, false, nil
		}
		if path, err = t.plan(o.ctx, nil); path == nil {
			all := newAccessPath(t.elements, nil, pushdown.Result{}, -1)
			all.explained = t.session.Explains()
			path = &childPath{accessPath: all}
		}
		return n, t, path, true, err
	case *plan.IndexedTableAccess:
		if path, ok = plan.GetIndexLookup(n).Ranges.(*childPath); !ok || n.Typ != plan.ItaTypeStatic || path.ordered {
			return nil, nil, nil, false, nil
		}
		t, ok := n.TableNode.UnderlyingTable().(*childTable)
		if lookup, is := n.TableNode.UnderlyingTable().(*childLookup); is {
			t, ok = lookup.childTable, true
		}
		return n.TableNode, t, path, ok, nil
	}
	return nil, nil, nil, false, nil
}

// childOrder is the order in which the rows of a child table come: by the value of a column, unless all have the same,
// then by the documents' key and the positions.
type childOrder struct {
	known bool
	value string // the column; empty: none
	fixed bool   // all rows have one value
	exact bool   // equal values have equal entries
	// entries: the rows of a document come in the reverse order too.
	entries, reversible bool
}

// order is the order of the rows along a path.
func (p *childPath) order(t *childTable) (o childOrder, err error) {
	switch {
	case p.candidate == nil:
		return childOrder{known: true, reversible: true}, nil
	case len(p.candidate.Parts) != 1:
		return o, nil
	}
	part := &p.candidate.Parts[0]
	if part.PrimaryKey {
		return childOrder{known: true}, nil
	}
	if !t.ofElements(part) {
		return o, nil
	}
	o = childOrder{known: true, fixed: part.Spans.IsPoint(), entries: p.entries, reversible: true}
	at := slices.IndexFunc(t.columns, func(c childColumn) bool {
		return (c.part == partValue || c.part == partKeypath) && c.keypath.String() == part.Column.Keypath
	})
	if at >= 0 {
		o.value = t.columns[at].name
	}
	if o.fixed {
		return o, nil
	}
	if at < 0 || !p.entries {
		return childOrder{}, nil
	}
	r, err := t.session.planReader()
	if err != nil {
		return o, err
	}
	counts, err := t.def.countsAt(r, t.columns[at].keypath)
	if err != nil {
		return o, err
	}
	exact, reason := indexOrder(part.Column, counts)
	o.exact, o.known = exact, reason == ""
	return o, nil
}

// follows reports whether rows in this order, or in the reverse of it, are in that of a sort.
func (o childOrder) follows(t *childTable, fields sql.SortFields) bool {
	descending := fields[0].Order == sql.Descending
	if !o.known || descending && !o.reversible || t.def.hidden() {
		return false
	}
	atValue := o.value != "" && !o.fixed // the next to come
	key, position := 0, 0
	for _, f := range fields {
		if (f.Order == sql.Descending) != descending {
			return false
		}
		field, ok := tree.Unwrapped(f.Column).(*expression.GetField)
		if !ok || !t.place.Holds(field) {
			return false
		}
		i := slices.IndexFunc(t.columns, func(c childColumn) bool { return strings.EqualFold(c.name, field.Name()) })
		if i < 0 {
			return false
		}
		c := &t.columns[i]
		switch {
		case o.fixed && strings.EqualFold(c.name, o.value):
		case atValue:
			if !strings.EqualFold(c.name, o.value) {
				return false
			}
			if atValue = false; !o.exact && len(fields) > 1 {
				return false
			}
		case c.part == partKey && c.at == key && position == 0:
			exact, ok := t.def.keyOrders(&c.column)
			if !ok || !exact && len(fields) > 1 {
				return false
			}
			key++
		case c.part == partPosition && c.at == position && key == len(t.def.PrimaryKey):
			if descending && !o.entries {
				return false
			}
			position++
		default:
			return false
		}
	}
	return true
}
