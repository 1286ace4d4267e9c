package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// execBuilder builds the iterators of EXPLAIN.
type execBuilder struct{}

// Build implements sql.NodeExecBuilder; nil leaves the node to the engine.
func (execBuilder) Build(ctx *sql.Context, n sql.Node, _ sql.Row) (sql.RowIter, error) {
	d, ok := n.(*plan.DescribeQuery)
	if !ok || d.Format.Plan {
		return nil, nil
	}
	rows, err := explainTable(ctx, d.Child)
	if err != nil {
		return nil, sqlError(ctx, err)
	}
	return sql.RowsToRowIter(rows...), nil
}

// explainTable answers EXPLAIN without a format with MySQL's table, of which
// the engine has only an empty form.
func explainTable(ctx *sql.Context, n sql.Node) ([]sql.Row, error) {
	e := &explainer{ctx: ctx}
	if err := e.node(n, explained{id: e.nextID(), kind: "SIMPLE"}); err != nil {
		return nil, err
	}
	if e.id > 1 {
		for _, row := range e.rows {
			if row[1] == "SIMPLE" {
				row[1] = "PRIMARY"
			}
		}
	}
	return e.rows, nil
}

// explainer makes the rows of EXPLAIN from a plan.
type explainer struct {
	ctx  *sql.Context
	id   uint64
	rows []sql.Row
}

func (e *explainer) nextID() uint64 {
	e.id++
	return e.id
}

// explained is what the nodes above a table say of it.
type explained struct {
	id       uint64
	kind     string // MySQL's select_type
	alias    string
	filtered bool // a filter stands above
	extra    []string
}

func (e *explainer) node(n sql.Node, at explained) error {
	switch n := n.(type) {
	case *plan.TableAlias:
		at.alias = n.Name()
	case *plan.Filter:
		at.filtered = true
	case *plan.Sort, *plan.TopN:
		at.extra = append(slices.Clone(at.extra), "Using filesort")
	case *plan.GroupBy, *plan.Distinct:
		at.extra = append(slices.Clone(at.extra), "Using temporary")
	case *plan.SubqueryAlias:
		id := e.nextID()
		at.alias = n.Name()
		e.row(at, tableRow{table: fmt.Sprintf("<derived%d>", id), access: "ALL"})
		return e.node(n.Child, explained{id: id, kind: "DERIVED"})
	case *plan.IndexedTableAccess:
		return e.table(n.UnderlyingTable(), plan.GetIndexLookup(n).Ranges, n.Name(), at)
	case *plan.ResolvedTable:
		return e.table(n.UnderlyingTable(), nil, n.Name(), at)
	}
	if err := e.subqueries(n); err != nil {
		return err
	}
	for i, child := range n.Children() {
		if i > 0 {
			at.extra = nil // sorting and grouping are told with the first table
		}
		next := at
		switch n.(type) {
		case *plan.Filter, *plan.TableAlias:
		default:
			next.filtered = false
		}
		if _, ok := n.(*plan.SetOp); ok && i > 0 {
			next = explained{id: e.nextID(), kind: "UNION"}
		}
		if err := e.node(child, next); err != nil {
			return err
		}
	}
	return nil
}

func (e *explainer) subqueries(n sql.Node) error {
	expressioner, ok := n.(sql.Expressioner)
	if !ok {
		return nil
	}
	var err error
	for _, expr := range expressioner.Expressions() {
		sql.Inspect(expr, func(expr sql.Expression) bool {
			if sq, ok := expr.(*plan.Subquery); ok && err == nil {
				err = e.node(sq.Query, explained{id: e.nextID(), kind: "SUBQUERY"})
			}
			return err == nil
		})
	}
	return err
}

// tableRow is what EXPLAIN says of one table; nil is NULL.
type tableRow struct {
	table, access      string
	possible, key, ref any
	rows, filtered     any
}

func (e *explainer) table(t sql.Table, ranges sql.RangeCollection, name string, at explained) error {
	if at.alias != "" {
		name = at.alias
	}
	row := tableRow{table: name, access: "ALL", filtered: 100.0}
	path, planned := pathOf(ranges)
	counted, ours := t.(sql.StatisticsTable)
	switch {
	case planned:
		path.describe(&row)
		if _, child := ranges.(*childPath); child && row.access == "const" {
			row.access = "ref" // one document, but perhaps many rows
		}
		at.filtered = len(path.residual) > 0
	case ranges != nil:
		row.access = "ref"
	case ours:
		rows, _, err := counted.RowCount(e.ctx)
		if err != nil {
			return err
		}
		row.rows = rows
	}
	if at.filtered {
		row.filtered = nil // nothing is known of what the filter lets through
		at.extra = append([]string{"Using where"}, at.extra...)
	}
	e.row(at, row)
	return nil
}

// pathOf is the access path that a table is read along, if it is ours.
func pathOf(ranges sql.RangeCollection) (*accessPath, bool) {
	switch p := ranges.(type) {
	case *accessPath:
		return p, true
	case *childPath:
		return p.accessPath, true
	}
	return nil, false
}

func (e *explainer) row(at explained, r tableRow) {
	e.rows = append(e.rows, sql.Row{at.id, at.kind, r.table, nil, r.access, r.possible, r.key, nil, r.ref, r.rows, r.filtered, strings.Join(at.extra, "; ")})
}

// describe fills in the access of MySQL's table.
func (p *accessPath) describe(row *tableRow) {
	var names []string
	for _, c := range p.candidates {
		name := strings.ReplaceAll(c.Name, "`", "")
		if c.PrimaryKey {
			name = "PRIMARY"
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		row.possible = strings.Join(names, ",")
	}
	c := p.candidate
	if c == nil {
		if len(p.candidates) > 0 || p.documents > 0 {
			row.rows = uint64(p.documents)
		}
		return
	}
	row.key = names[p.chosen]
	row.rows = uint64(p.estimates[p.chosen].Keys)
	row.access = "range"
	if len(c.Parts) > 1 {
		row.access = "index_merge"
	}
	if c.Spans.IsPoint() {
		row.access, row.ref = "ref", "const"
		if c.PrimaryKey && len(p.table.def.PrimaryKey) == 1 {
			row.access = "const"
		}
	}
}
