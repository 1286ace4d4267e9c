package compare

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// Assigner is a table whose undeclared columns take any value.
type Assigner interface {
	sql.Table
	// Takes returns how a column takes strings: one that was never declared stores them.
	Takes(column string) Taker
	// Assigning returns the same table with AssignedSchema as its schema. The engine compares the rows of an UPDATE
	// by the types of its table, to find out whether a row has changed.
	Assigning() sql.Table
}

// Assigns reports whether a statement may assign at all, so that for a SELECT only its root is checked.
func Assigns(n sql.Node) bool {
	switch n.(type) {
	case *plan.Project, *plan.Filter, *plan.Sort, *plan.Limit, *plan.ResolvedTable, *plan.GroupBy, *plan.TopN,
		*plan.Having, *plan.Distinct:
		return false
	}
	return true
}

type Assignments struct {
	Ctx    *sql.Context
	Tables map[string]Assigner // by lower-case name and alias
	// Typed returns a query whose columns have the types of their results.
	Typed func(sql.Node) (sql.Node, transform.TreeIdentity, error)
}

// Collect notes the tables to whose columns a statement assigns.
func (a Assignments) Collect(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.InsertInto:
			a.Collect(n.Destination)
		case *plan.TableAlias:
			if rt, ok := n.Child.(*plan.ResolvedTable); ok {
				a.add(n.Name(), rt)
			}
		case *plan.ResolvedTable:
			a.add(n.Name(), n)
		}
		return true
	})
}

func (a Assignments) add(name string, rt *plan.ResolvedTable) {
	if t, ok := sql.GetUnderlyingTable(rt.Table).(Assigner); ok {
		a.Tables[strings.ToLower(name)] = t
	}
}

// Node applies their rules to the assignments of a node.
func (a Assignments) Node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.InsertInto:
		return a.insert(n)
	case *plan.Update:
		child, same, err := transform.Node(n.Child, a.target)
		if err != nil || same {
			return n, transform.SameTree, err
		}
		next, err := n.WithChildren(child)
		return next, transform.NewTree, err
	case *plan.UpdateSource:
		exprs, same, err := a.setFields(n.UpdateExprs, n.Ignore)
		if err != nil || same {
			return n, transform.SameTree, err
		}
		return plan.NewUpdateSource(n.Child, n.Ignore, exprs), transform.NewTree, nil
	case *plan.Set: // SET NEW.column = … in a trigger
		exprs, same, err := a.setFields(n.Exprs, false)
		if err != nil || same {
			return n, transform.SameTree, err
		}
		return plan.NewSet(exprs), transform.NewTree, nil
	}
	return n, transform.SameTree, nil
}

func (a Assignments) insert(n *plan.InsertInto) (sql.Node, transform.TreeIdentity, error) {
	exprs, same, err := a.setFields(n.OnDupExprs, n.Ignore)
	if err != nil {
		return n, transform.SameTree, err
	}
	next := *n
	next.OnDupExprs = exprs
	if d, ok := n.Destination.(*plan.InsertDestination); ok {
		var takes func(string) Taker
		t, known := a.Tables[strings.ToLower(d.DestinationName)]
		if known {
			takes = t.Takes
		}
		if !n.LiteralValueSource {
			source, unchanged, err := a.Typed(n.Source)
			if err != nil {
				return n, transform.SameTree, err
			}
			same = same && unchanged
			next.Source, unchanged = assignedSource(n.WithSource(source), d.Sch, takes)
			same = same && unchanged
		} else if source, unchanged := defaultsSource(n, d.Sch); !unchanged {
			next.Source, same = source, transform.NewTree
		}
		if s := AssignedSchema(d.DestinationName, d.Sch, takes); len(s) > 0 && &s[0] != &d.Sch[0] {
			next.Destination, same = plan.NewInsertDestination(s, d.Child), transform.NewTree
		}
		if known && closed(t) && !ruled(d.Sch) {
			r := RulesOf(a.Ctx, n.Ignore)
			s, changed, err := r.ruledSchema(next.Destination.Schema(), takes)
			if err != nil {
				return n, transform.SameTree, err
			}
			if changed {
				next.Destination, same = plan.NewInsertDestination(s, d.Child), transform.NewTree
			}
			if r.Lenient {
				next.Source, same = r.ruledSource(&next, s), transform.NewTree
			} else if source, unchanged := countedSource(&next, d.Sch); !unchanged {
				next.Source, same = source, transform.NewTree
			}
		}
	}
	if same {
		return n, transform.SameTree, nil
	}
	return &next, transform.NewTree, nil
}

// target replaces the tables of an UPDATE by their assigning form.
func (a Assignments) target(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	rt, ok := n.(*plan.ResolvedTable)
	if !ok {
		return n, transform.SameTree, nil
	}
	t, ok := rt.Table.(Assigner)
	if !ok {
		return n, transform.SameTree, nil
	}
	next, err := rt.ReplaceTable(t.Assigning())
	return next, transform.NewTree, err
}

// setFields makes assignments convert their values. With IGNORE a number outside of its column's range becomes the
// nearest one.
func (a Assignments) setFields(exprs []sql.Expression, ignore bool) ([]sql.Expression, transform.TreeIdentity, error) {
	same := transform.SameTree
	out := make([]sql.Expression, len(exprs))
	r := RulesOf(a.Ctx, ignore)
	for i, e := range exprs {
		out[i] = e
		set, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		if _, done := set.RightChild.(*ruledValue); done {
			continue
		}
		field, ok := set.LeftChild.(*expression.GetField)
		if !ok {
			continue
		}
		name := strings.ToLower(field.Table())
		t, known := a.Tables[name]
		table := field.Table()
		if known {
			table = t.Name()
		}
		column := &sql.Column{Name: field.Name(), Type: field.Type()}
		takes := TakesDeclared
		if known {
			takes = t.Takes(field.Name())
		}
		value := assignedValue(set.RightChild, field.Type(), takes != TakesDeclared)
		unchanged := functions.SameExpression(value, set.RightChild)
		if isRuled(field.Type()) {
			continue
		}
		assigned := assignedTypeOf(table, column, takes)
		if known && takes == TakesDeclared && closed(t) {
			if t, changed := r.ruled(column, assigned, -1); changed || r.Lenient {
				if r.Lenient {
					value = &ruledValue{expression.UnaryExpression{Child: value}, r, column, i == 0, !field.IsNullable()}
				}
				out[i], same = expression.NewSetField(fieldOfType(field, t), value), transform.NewTree
				continue
			}
		}
		switch _, number := assigned.(sql.NumberType); {
		case number && !ignore:
			assigned = rangedType{assigned}
		case reassigns(field.Type(), assigned):
		case unchanged:
			continue
		default:
			assigned = field.Type()
		}
		out[i], same = expression.NewSetField(fieldOfType(field, assigned), value), transform.NewTree
	}
	return out, same, nil
}

// fieldOfType returns a column reference with another type.
func fieldOfType(f *expression.GetField, t sql.Type) sql.Expression {
	return expression.NewGetFieldWithTable(f.Index(), int(f.TableId()), t, f.Database(), f.Table(), f.Name(),
		f.IsNullable()).WithId(f.Id())
}
