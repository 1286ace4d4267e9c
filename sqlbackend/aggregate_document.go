package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// An aggregation that asks nothing of documents but the value that one path leads to reads the entries of
// its keypath. Its expressions stay as they are: for each value they get a document that holds nothing else, so that
// what ->, ->> and JSON_VALUE make of null, of missing values and of numbers is made by the same code.

// documentPath is a call that reads one value out of a JSON column, which is often the whole document.
type documentPath struct {
	column *expression.GetField
	path   string
	as     pathReading
	// returned: JSON_VALUE converts what it finds to a type.
	returned bool
}

// pathReading is what is made of the value.
type pathReading uint8

const (
	pathJSON   pathReading = iota // ->: the value as it is written
	pathText                      // ->>: the content of a string, other values as they are written
	pathScalar                    // JSON_VALUE: the same of scalars other than null
)

// documentPathOf recognizes a call by its spelling; whether the index has what it reads is for the
// resolver to say.
func documentPathOf(e sql.Expression) (p documentPath, ok bool) {
	f, ok := tree.Unwrapped(e).(*functions.JSONFunction)
	if !ok {
		return p, false
	}
	switch f.Name {
	case "json_unquote":
		p, ok = documentPathOf(f.Args[0])
		ok = ok && p.as == pathJSON
		p.as = pathText
		return p, ok
	case "json_extract":
		ok = len(f.Args) == 2
	case "json_value", "json_value_as":
		p.as, p.returned, ok = pathScalar, len(f.Args) > 2, !types.IsJSON(f.Result)
	default:
		return p, false
	}
	if !ok {
		return p, false
	}
	if p.column, ok = tree.Unwrapped(f.Args[0]).(*expression.GetField); !ok || !types.IsJSON(p.column.Type()) {
		return p, false
	}
	literal, ok := tree.Unwrapped(f.Args[1]).(*expression.Literal)
	if !ok {
		return p, false
	}
	p.path, ok = literal.Value().(string)
	return p, ok
}

// extraction is the call that gives the value as it is.
func (p documentPath) extraction() sql.Expression {
	return functions.NewJSONFunction("json_extract", p.column, expression.NewLiteral(p.path, types.LongText))
}

// follow notes a path of a column.
func (u *columnUse) follow(p documentPath) {
	u.own(p.column)
	if u.path != nil && u.path.path != p.path {
		u.column = severalColumn
	}
	u.path = &p
}

// described is what the resolver says of what is read: of the column, or of the keypath that its path leads to. It is
// false where entries don't tell it.
func (u *columnUse) described(ctx *sql.Context, r *lookupResolver) (out pushdown.Column, ok bool) {
	c := &u.table.columns[u.column]
	if u.path == nil {
		out, _, ok = r.column(c)
		return out, ok && !out.Document && !out.Stubbed && !c.unsettled
	}
	o, _, ok := pushdown.OrderingOf(ctx, u.path.extraction(), r)
	if !ok || u.plain || c.unsettled || !o.JSON || o.Column.PrimaryKeyPart > 0 || o.Column.Shape != pushdown.ShapeJSON ||
		o.Column.Stubbed {
		return out, false
	}
	return o.Column, len(o.Column.Path) > len(u.above())
}

// above is the keypath of the column whose path is followed; that of the whole document is empty.
func (u *columnUse) above() document.Keypath {
	if c := &u.table.columns[u.column]; !c.document {
		return c.keypath
	}
	return nil
}

// holding is a document with a value at a keypath and nothing else, or an empty one where v is the zero Value.
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

// carriedAbove are the expressions from a projection down to the GROUP BY below it: what is made of the columns
// that it hands up. The engine computes what a query selects there.
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

// carry notes what is made above GROUP BY of the columns that it hands up: of a JSON column no more than what is
// grouped by.
func (u *columnUse) carry(e sql.Expression, grouped map[string]bool) {
	e = tree.Unwrapped(e)
	if a, ok := e.(*expression.Alias); ok {
		e = tree.Unwrapped(a.Child)
	}
	if p, ok := documentPathOf(e); ok && u.table.place.Holds(p.column) && grouped[e.String()] {
		u.read(p)
		return
	}
	switch e := e.(type) {
	case *expression.GetField:
		u.unfit = u.unfit || types.IsJSON(e.Type()) && u.table.place.Holds(e) && u.isJSONColumn(e)
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
	return ok && u.table.place.Holds(f) && u.isJSONColumn(f)
}

func (u *columnUse) isJSONColumn(f *expression.GetField) bool {
	for i := range u.table.columns {
		if c := &u.table.columns[i]; strings.EqualFold(c.name, f.Name()) {
			return c.document || c.unit == unitJSON
		}
	}
	return false
}

// groupedBy are the expressions of GROUP BY by their texts.
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

// definedIn is what a projection has as a field; an expression that is no field of it stays.
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
