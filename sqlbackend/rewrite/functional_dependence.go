package rewrite

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// GroupRule refuses, under ONLY_FULL_GROUP_BY, a column that has no single value in a group. Like the engine's rule
// it checks plain columns only, not expressions that are computed from them above the grouping.
func GroupRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagAggregation) || !sql.LoadSqlMode(ctx).ModeEnabled(sql.OnlyFullGroupBy) {
		return n, transform.SameTree, nil
	}
	if s := plannerOf(ctx); s != nil && *s.CheckedGroups() {
		return n, transform.SameTree, nil // FullGroupRule does it, which has seen the conditions that are ranges by now
	}
	var err error
	var parent sql.Node
	transform.Inspect(n, func(n sql.Node) bool {
		above := parent
		parent = n
		g, ok := n.(*plan.GroupBy)
		if !ok || len(g.GroupByExprs) == 0 || err != nil {
			return err == nil
		}
		switch above.(type) {
		case *plan.Having, *plan.Project, *plan.Sort, *plan.TopN:
			return true
		}
		if missing := undetermined(g); missing != nil {
			err = analyzererrors.ErrValidationGroupBy.New(missing.String())
		}
		return err == nil
	})
	return n, transform.SameTree, err
}

// undetermined returns a selected expression that a group does not determine; nil if there is none.
func undetermined(g *plan.GroupBy) sql.Expression {
	grouped := map[string]bool{}
	for _, e := range g.GroupByExprs {
		grouped[strings.ToLower(groupedExpression(e).String())] = true
	}
	var known *dependences
	for _, e := range g.SelectedExprs {
		if determined(e, grouped) {
			continue
		}
		if known == nil {
			known = dependencesOf(g)
		}
		for {
			more := known.columns(grouped)
			if determined(e, grouped) {
				break
			}
			if !more {
				return e
			}
		}
	}
	return nil
}

// groupedExpression returns the grouped expression without the wrappers that our rules put around it.
func groupedExpression(e sql.Expression) sql.Expression {
	e = tree.Unwrapped(e)
	if w, ok := e.(*tree.WeightKey); ok {
		return tree.Unwrapped(w.Child)
	}
	return e
}

func determined(e sql.Expression, grouped map[string]bool) bool {
	if grouped[strings.ToLower(e.String())] {
		return true
	}
	switch e.(type) {
	case sql.Aggregation, *expression.Literal:
		return true
	case *plan.Subquery:
		return false
	}
	children := e.Children()
	for _, child := range children {
		if !determined(child, grouped) {
			return false
		}
	}
	return len(children) > 0
}

// dependences are the functional dependences below a grouping: the primary keys of the tables, and the equalities
// that hold for all rows.
type dependences struct {
	keys   []keyDependence
	equals [][2]sql.Expression
}

// keyDependence is a table whose key columns determine all its columns.
type keyDependence struct {
	key, all []string
}

func dependencesOf(g *plan.GroupBy) *dependences {
	d := &dependences{}
	transform.Inspect(g.Child, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.SubqueryAlias, *plan.SetOp, *plan.GroupBy:
			return false
		case *plan.TableAlias:
			d.table(n.Name(), n.Child)
			return false
		case *plan.ResolvedTable:
			d.table(n.Name(), n)
		case *plan.IndexedTableAccess:
			d.table(n.Name(), n)
		case *plan.Filter:
			d.conditions(n.Expression)
		case *plan.JoinNode:
			switch n.Op {
			case plan.JoinTypeInner, plan.JoinTypeCross, plan.JoinTypeHash, plan.JoinTypeLookup, plan.JoinTypeMerge:
				d.conditions(n.Filter)
			}
		}
		return true
	})
	return d
}

// table adds a table under the name that the statement gives it.
func (d *dependences) table(name string, n sql.Node) {
	var k keyDependence
	t, ok := tableOf(n)
	if !ok {
		return
	}
	keyed, ok := t.(sql.PrimaryKeyTable)
	if !ok {
		return
	}
	for _, c := range keyed.PrimaryKeySchema().Schema {
		text := strings.ToLower(fmt.Sprintf("%s.%s", name, c.Name))
		if c.PrimaryKey {
			k.key = append(k.key, text)
		}
	}
	for _, c := range n.Schema() {
		k.all = append(k.all, strings.ToLower(fmt.Sprintf("%s.%s", name, c.Name)))
	}
	if len(k.key) > 0 {
		d.keys = append(d.keys, k)
	}
}

func tableOf(n sql.Node) (sql.Table, bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		return n.UnderlyingTable(), true
	case *plan.IndexedTableAccess:
		return n.UnderlyingTable(), true
	}
	return nil, false
}

func (d *dependences) conditions(e sql.Expression) {
	if e == nil {
		return
	}
	for _, c := range expression.SplitConjunction(e) {
		if eq, ok := c.(*expression.Equals); ok {
			d.equals = append(d.equals, [2]sql.Expression{groupedExpression(eq.LeftChild), groupedExpression(eq.RightChild)})
		}
	}
}

// columns adds the columns that the determined ones determine in one step, and reports whether it added any.
func (d *dependences) columns(grouped map[string]bool) bool {
	any := false
	add := func(text string) {
		if !grouped[text] {
			grouped[text], any = true, true
		}
	}
	for _, k := range d.keys {
		whole := true
		for _, c := range k.key {
			whole = whole && grouped[c]
		}
		if whole {
			for _, c := range k.all {
				add(c)
			}
		}
	}
	for _, pair := range d.equals {
		for i, e := range pair {
			if _, column := e.(*expression.GetField); column && determined(pair[1-i], grouped) {
				add(strings.ToLower(e.String()))
			}
		}
	}
	return any
}
