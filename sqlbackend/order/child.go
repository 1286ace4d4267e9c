package order

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// elements plans a sort of a child table whose rows come in the sort's order, or its reverse, along the path chosen
// without regard to order. Entries are ordered by value, key and position, and documents by key. This costs at most
// as much as the sort, and less with a LIMIT.
func (o Orderer) elements(fields sql.SortFields, child sql.Node) (sql.Node, bool, error) {
	var s SortInput
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner {
		return nil, false, nil
	}
	node, tab, path, ok, err := o.childOf(leaf)
	if !ok || err != nil {
		return nil, false, err
	}
	in, err := childOrderOf(path, tab)
	if err != nil || !in.follows(tab, s.Fields) {
		return nil, false, err
	}
	along := *path
	along.Ordered, along.Reverse = true, s.Fields[0].Order == sql.Descending
	index := companion.ChildIndex{PathIndex: table.PathIndex{Path: along.AccessPath}, Proper: tab.Proper}
	lookup := sql.IndexLookup{Index: index, Ranges: &along}
	access, err := plan.NewStaticIndexedAccessForTableNode(o.Ctx, node, lookup)
	if err != nil {
		return nil, false, err
	}
	n, err := s.above(access)
	return n, err == nil, err
}

// childOf recognizes a child table in a plan, and returns the path that it is read along.
func (o Orderer) childOf(n sql.Node) (node sql.TableNode, t *companion.ChildTable, path *companion.ChildPath, ok bool,
	err error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok = n.UnderlyingTable().(*companion.ChildTable); !ok {
			return nil, nil, nil, false, nil
		}
		if path, err = t.Plan(o.Ctx, nil); path == nil {
			all := table.NewAccessPath(t.Elements, nil, pushdown.Result{}, -1)
			all.Explained = t.Session.Parsed.Explains()
			path = &companion.ChildPath{AccessPath: all}
		}
		return n, t, path, true, err
	case *plan.IndexedTableAccess:
		if path, ok = plan.GetIndexLookup(n).Ranges.(*companion.ChildPath); !ok || n.Typ != plan.ItaTypeStatic ||
			path.Ordered {
			return nil, nil, nil, false, nil
		}
		t, ok := n.TableNode.UnderlyingTable().(*companion.ChildTable)
		if lookup, is := n.TableNode.UnderlyingTable().(*companion.ChildLookup); is {
			t, ok = lookup.ChildTable, true
		}
		return n.TableNode, t, path, ok, nil
	}
	return nil, nil, nil, false, nil
}

// childOrder is the order of a child table's rows: by the value of a column, unless all rows have the same value,
// then by the documents' key and the positions.
type childOrder struct {
	known bool
	value string // the column's name; empty: none
	fixed bool   // all rows have one value
	exact bool   // equal values have equal entries
	// entries: the rows of a document can come in reverse order too. reversible: the path can be read backwards.
	entries, reversible bool
}

// childOrderOf returns the order of the rows of a child table along a path.
func childOrderOf(p *companion.ChildPath, t *companion.ChildTable) (o childOrder, err error) {
	switch {
	case p.Candidate == nil:
		return childOrder{known: true, reversible: true}, nil
	case len(p.Candidate.Parts) != 1:
		return o, nil
	}
	part := &p.Candidate.Parts[0]
	if part.PrimaryKey {
		return childOrder{known: true}, nil
	}
	if !t.OfElements(part) {
		return o, nil
	}
	o = childOrder{known: true, fixed: part.Spans.IsPoint(), entries: p.Entries, reversible: true}
	at := slices.IndexFunc(t.Columns, func(c companion.ChildColumn) bool {
		return (c.Part == companion.PartValue || c.Part == companion.PartKeypath) &&
			c.Keypath.String() == part.Column.Keypath
	})
	if at >= 0 {
		o.value = t.Columns[at].Name
	}
	if o.fixed {
		return o, nil
	}
	if at < 0 || !p.Entries {
		return childOrder{}, nil
	}
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return o, err
	}
	counts, err := companion.CountsOfKeypath(t.Def, r, t.Columns[at].Keypath)
	if err != nil {
		return o, err
	}
	exact, reason := table.IndexOrder(part.Column, counts)
	o.exact, o.known = exact, reason == ""
	return o, nil
}

// follows reports whether this order, or its reverse, satisfies a sort.
func (o childOrder) follows(t *companion.ChildTable, fields sql.SortFields) bool {
	descending := fields[0].Order == sql.Descending
	if !o.known || descending && !o.reversible || t.Def.Hidden() {
		return false
	}
	atValue := o.value != "" && !o.fixed // the value is the next part of the order
	key, position := 0, 0
	for _, f := range fields {
		if (f.Order == sql.Descending) != descending {
			return false
		}
		field, ok := tree.Unwrapped(f.Column).(*expression.GetField)
		if !ok || !t.Place.Holds(field) {
			return false
		}
		i := slices.IndexFunc(t.Columns, func(c companion.ChildColumn) bool {
			return strings.EqualFold(c.Name,
				field.Name())
		})
		if i < 0 {
			return false
		}
		c := &t.Columns[i]
		switch {
		case o.fixed && strings.EqualFold(c.Name, o.value):
		case atValue:
			if !strings.EqualFold(c.Name, o.value) {
				return false
			}
			if atValue = false; !o.exact && len(fields) > 1 {
				return false
			}
		case c.Part == companion.PartKey && c.At == key && position == 0:
			exact, ok := table.KeyOrders(t.Def, &c.Column)
			if !ok || !exact && len(fields) > 1 {
				return false
			}
			key++
		case c.Part == companion.PartPosition && c.At == position && key == len(t.Def.PrimaryKey):
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
