package aggregate

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// An aggregation that reads only the value at one path of the documents reads the entries of its keypath. Its
// expressions stay as they are: for each value they get a document that holds only that value. So the same code
// decides what ->, ->> and JSON_VALUE make of null, of missing values and of numbers.

// follow notes a path into a column.
func (u *columnUse) follow(p table.DocumentPath) {
	u.own(p.Column)
	if u.path != nil && u.path.Path != p.Path {
		u.column = severalColumn
	}
	u.path = &p
}

// described returns the resolver's description of the column, or of the keypath its path leads to. It is false where
// entries don't hold its values.
func (u *columnUse) described(ctx *sql.Context, r *table.LookupResolver) (out pushdown.Column, ok bool) {
	c := &u.table.Columns[u.column]
	if u.path == nil {
		out, _, ok = r.ColumnNamed(c)
		return out, ok && !out.Document && !out.Stubbed && !c.Unsettled
	}
	o, _, ok := pushdown.OrderingOf(ctx, u.path.Extraction(), r)
	if !ok || u.plain || c.Unsettled || !o.JSON || o.Column.PrimaryKeyPart > 0 || o.Column.Shape != pushdown.ShapeJSON ||
		o.Column.Stubbed {
		return out, false
	}
	return o.Column, len(o.Column.Path) > len(u.above())
}

// above is the keypath of the column whose path is followed; it is empty for the whole document.
func (u *columnUse) above() document.Keypath {
	if c := &u.table.Columns[u.column]; !c.Document {
		return c.Keypath
	}
	return nil
}

// holding returns a document with only a value at a keypath; an empty one where v is the zero Value.
func holding(path document.Keypath, v document.Value) (document.Value, error) {
	for n := len(path) - 1; n >= 0; n-- {
		object := document.NewObject()
		if !v.IsZero() {
			object.Add(path[n].Name, v)
		}
		d, err := object.Document()
		if err != nil {
			return document.Value{}, err
		}
		v = d.Value
	}
	return v, nil
}

// groupBelow is the GROUP BY below a projection, through nodes that leave out or sort groups; nil if there is none.
func groupBelow(top *plan.Project) *plan.GroupBy {
	for at := top.Child; ; {
		switch n := at.(type) {
		case *plan.GroupBy:
			return n
		case *plan.Project, *plan.Having, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset:
		default:
			return nil
		}
		at = at.Children()[0]
	}
}

// handsJSON reports whether a GROUP BY hands JSON columns up.
func handsJSON(n *plan.GroupBy) bool {
	return slices.ContainsFunc(n.SelectedExprs, func(e sql.Expression) bool {
		f, ok := tree.Unwrapped(e).(*expression.GetField)
		return ok && types.IsJSON(f.Type())
	})
}

// carriedAbove returns the expressions from a projection down to the GROUP BY below it that use the columns handed
// up by it. The engine computes selected expressions there.
func carriedAbove(top *plan.Project) (carried []sql.Expression) {
	carried = append(carried, top.Projections...)
	for at := top.Child; ; at = at.Children()[0] {
		switch n := at.(type) {
		case *plan.GroupBy:
			return carried
		case *plan.Project:
			for _, e := range n.Projections {
				if _, handed := e.(*expression.GetField); !handed {
					carried = append(carried, e)
				}
			}
		case *plan.Having:
			carried = append(carried, n.Cond)
		case *plan.Sort:
			carried = append(carried, n.SortFields.ToExpressions()...)
		case *plan.TopN:
			carried = append(carried, n.Fields.ToExpressions()...)
		}
	}
}

// carry notes an expression above GROUP BY that uses columns handed up. Of a JSON column only the paths grouped by
// are handed up.
func (u *columnUse) carry(e sql.Expression, grouped map[string]bool) {
	e = tree.Unwrapped(e)
	if a, ok := e.(*expression.Alias); ok {
		e = tree.Unwrapped(a.Child)
	}
	if p, ok := table.DocumentPathOf(e); ok && u.table.Place.Holds(p.Column) && grouped[e.String()] {
		u.read(p)
		return
	}
	switch e := e.(type) {
	case *expression.GetField:
		u.unfit = u.unfit || types.IsJSON(e.Type()) && u.table.Place.Holds(e) && u.isJSONColumn(e)
		return
	case *plan.Subquery:
		u.unfit = u.unfit || !e.Correlated().Empty()
		return
	}
	for _, child := range e.Children() {
		u.carry(child, grouped)
	}
}

// isHanded reports whether a selected expression of GROUP BY is a JSON column that is handed up.
func (u *columnUse) isHanded(e sql.Expression) bool {
	f, ok := tree.Unwrapped(e).(*expression.GetField)
	return ok && u.table.Place.Holds(f) && u.isJSONColumn(f)
}

func (u *columnUse) isJSONColumn(f *expression.GetField) bool {
	for i := range u.table.Columns {
		if c := &u.table.Columns[i]; strings.EqualFold(c.Name, f.Name()) {
			return c.Document || c.Unit == session.UnitJSON
		}
	}
	return false
}

// groupedBy is the set of the texts of the GROUP BY expressions.
func groupedBy(exprs []sql.Expression) map[string]bool {
	out := map[string]bool{}
	for _, e := range exprs {
		e = tree.Unwrapped(e)
		if a, ok := e.(*expression.Alias); ok {
			e = tree.Unwrapped(a.Child)
		}
		out[e.String()] = true
	}
	return out
}

// definedIn returns the expression that a projection defines for a field; another expression is returned unchanged.
func definedIn(n *plan.Project, e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		e = a.Child
	}
	f, ok := tree.Unwrapped(e).(*expression.GetField)
	if !ok {
		return e
	}
	if defined, ok := rewrite.Projected(n, f); ok {
		return defined
	}
	return e
}
