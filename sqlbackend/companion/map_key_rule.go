package companion

import (
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// MapKeyRule replaces keys of map indexes by their bytes in CouchDB's order where they are compared or sorted. It is
// idempotent.
func MapKeyRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || !s.ReadsMaps {
		return n, transform.SameTree, nil
	}
	k := mapKeys{from: map[sql.ColumnId]sql.Expression{}}
	if _, _, err := transform.NodeWithOpaque(n, k.collect); err != nil {
		return n, transform.SameTree, err
	}
	return transform.NodeWithOpaque(n, k.node)
}

// mapKeys knows which columns of a statement are keys of map indexes.
type mapKeys struct {
	tables []*MapTable
	// from has the expressions that columns of derived tables, and aliases, stand for.
	from map[sql.ColumnId]sql.Expression
}

// collect adds the map indexes, aliases and derived columns of a node, and of the subqueries of its expressions.
func (k *mapKeys) collect(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(*MapTable); ok {
			k.tables = append(k.tables, t)
		}
	case *plan.SubqueryAlias:
		maps.Copy(k.from, n.ScopeMapping)
	}
	_, _, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *expression.Alias:
			if e.Id() != 0 {
				k.from[e.Id()] = e.Child
			}
		case *plan.Subquery:
			_, _, err := transform.NodeWithOpaque(e.Query, k.collect)
			return e, transform.SameTree, err
		}
		return e, transform.SameTree, nil
	})
	return n, transform.SameTree, err
}

// is reports whether an expression is a key, sqlfdb_key_level of one, an alias or a derived table's column of these.
func (k *mapKeys) is(e sql.Expression) bool {
	for range len(k.from) + 1 {
		if _, level := tree.Unwrapped(e).(*mapLevel); level {
			return true
		}
		f, ok := tree.Unwrapped(e).(*expression.GetField)
		if !ok {
			return false
		}
		if strings.EqualFold(f.Name(), MapKeyColumn) && slices.ContainsFunc(k.tables, func(t *MapTable) bool {
			return t.place.Holds(f)
		}) {
			return true
		}
		if e, ok = k.from[f.Id()]; !ok {
			return false
		}
	}
	return false
}

func (k *mapKeys) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := tree.NodeExpressions(n, k.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := n.(type) {
	case *plan.Sort:
		if fields, changed := k.sorted(n.SortFields); changed {
			return plan.NewSort(fields, n.Child), transform.NewTree, nil
		}
	case *plan.TopN:
		if fields, changed := k.sorted(n.Fields); changed {
			top := *n
			top.Fields = fields
			return &top, transform.NewTree, nil
		}
	case *plan.SetOp:
		k.united(n)
		if fields, changed := k.sorted(n.SortFields); changed {
			set := *n
			set.SortFields = fields
			return &set, transform.NewTree, nil
		}
	}
	return n, same, nil
}

// sorted returns sort fields with keys replaced by their bytes.
func (k *mapKeys) sorted(fields sql.SortFields) (out sql.SortFields, changed bool) {
	out = slices.Clone(fields)
	for i := range out {
		if k.is(out[i].Column) {
			out[i].Column, changed = ordering(out[i].Column), true
		}
	}
	return out, changed
}

// united notes which sort fields of a set operation are keys: it knows its columns only by name.
func (k *mapKeys) united(n *plan.SetOp) {
	for _, f := range n.SortFields {
		field, ok := tree.Unwrapped(f.Column).(*expression.GetField)
		if !ok || field.Id() == 0 || k.is(field) {
			continue
		}
		for _, e := range selectedBy(n) {
			if named, ok := e.(sql.Nameable); ok && strings.EqualFold(named.Name(), field.Name()) && k.is(withoutAlias(e)) {
				k.from[field.Id()] = withoutAlias(e)
			}
		}
	}
}

// selectedBy returns the selected expressions of a set operation's first side.
func selectedBy(n sql.Node) []sql.Expression {
	for {
		if p, ok := n.(*plan.Project); ok {
			return p.Projections
		}
		if children := n.Children(); len(children) > 0 {
			n = children[0]
			continue
		}
		return nil
	}
}

func withoutAlias(e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		return a.Child
	}
	return e
}

func (k *mapKeys) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, k.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.Between:
		return k.operands(e)
	case *expression.InTuple:
		list, ok := e.Right().(expression.Tuple)
		if !ok || !k.any(e.Left()) && !k.any(list...) {
			return e, transform.SameTree, nil
		}
		all := k.ordered(append([]sql.Expression{e.Left()}, list...))
		next, err := e.WithChildren(all[0], expression.NewTuple(all[1:]...))
		return next, transform.NewTree, err
	case *plan.InSubquery:
		if k.any(e.Left()) {
			return e, transform.SameTree, notAKey("IN a subquery; a join says the same")
		}
	case *aggregation.Min, *aggregation.Max:
		if k.is(e.Children()[0]) {
			return e, transform.SameTree, notAKey("in MIN and MAX; ORDER BY `key` LIMIT 1 says the same")
		}
	case *compare.NumberedConcat:
		return k.concatenated(e)
	case *expression.Case:
		return k.chosen(e)
	case *mapBegins:
		if k.is(e.LeftChild) {
			next, err := e.WithChildren(ordering(e.LeftChild), e.RightChild)
			return next, transform.NewTree, err
		}
	}
	if f, ok := e.(sql.WindowAdaptableExpression); ok && f.Window() != nil {
		w := *f.Window()
		if fields, changed := k.sorted(w.OrderBy); changed {
			w.OrderBy = fields
			return f.WithWindow(&w), transform.NewTree, nil
		}
	}
	return e, transform.SameTree, nil
}

// concatenated handles a GROUP_CONCAT, which sorts by all its children but the last.
func (k *mapKeys) concatenated(e *compare.NumberedConcat) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	by := children[:len(children)-1]
	if !slices.ContainsFunc(by, k.is) {
		return e, transform.SameTree, nil
	}
	for i, c := range by {
		if k.is(c) {
			by[i] = ordering(c)
		}
	}
	next, err := e.WithChildren(children...)
	return next, transform.NewTree, err
}

// chosen handles a CASE that compares a key with values.
func (k *mapKeys) chosen(e *expression.Case) (sql.Expression, transform.TreeIdentity, error) {
	if e.Expr == nil || !k.is(e.Expr) {
		return e, transform.SameTree, nil
	}
	branches := slices.Clone(e.Branches)
	for i := range branches {
		branches[i].Cond = ordering(branches[i].Cond)
	}
	return expression.NewCase(ordering(e.Expr), branches, e.Else), transform.NewTree, nil
}

func notAKey(where string) error {
	return mysql.NewSQLError(mysqlerr.NotSupported, "42000", "The key of a map index is not supported %s", where)
}

// any reports whether one of the expressions is a key, or a row with a key.
func (k *mapKeys) any(list ...sql.Expression) bool {
	return slices.ContainsFunc(list, func(e sql.Expression) bool {
		row, ok := e.(expression.Tuple)
		return k.is(e) || ok && k.any(row...)
	})
}

// ordered returns operands that are compared with each other, by their bytes if one of them is a key. Rows of one
// length are handled element by element.
func (k *mapKeys) ordered(operands []sql.Expression) []sql.Expression {
	rows := make([]expression.Tuple, len(operands))
	for i, e := range operands {
		rows[i], _ = e.(expression.Tuple)
		if rows[i] == nil || len(rows[i]) != len(rows[0]) {
			if !slices.ContainsFunc(operands, k.is) {
				return operands
			}
			out, _ := functions.Each(operands, ordering)
			return out
		}
		rows[i] = slices.Clone(rows[i])
	}
	for at := range rows[0] {
		column := make([]sql.Expression, len(rows))
		for i, row := range rows {
			column[i] = row[at]
		}
		for i, e := range k.ordered(column) {
			rows[i][at] = e
		}
	}
	out := make([]sql.Expression, len(rows))
	for i, row := range rows {
		out[i] = row
	}
	return out
}

func (k *mapKeys) operands(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	if !k.any(children...) {
		return e, transform.SameTree, nil
	}
	for _, c := range children {
		switch c.(type) {
		case *compare.Quantifier:
			return e, transform.SameTree, notAKey("with ANY and ALL")
		}
	}
	next, err := e.WithChildren(k.ordered(children)...)
	return next, transform.NewTree, err
}
