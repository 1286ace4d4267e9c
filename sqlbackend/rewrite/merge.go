package rewrite

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// MergeRule makes plain views, derived tables and common table expressions parts of the queries that name them, as
// MySQL does. Their tables stand in their place, their conditions become the query's, and their columns the selected
// expressions. So they profit from all that works for tables: aggregates along an index, orders, lookups in joins.
//
// A plain query selects columns, or expressions of them, under conditions: it has no DISTINCT, GROUP BY, LIMIT,
// window functions, set operations or random values. The others are computed separately, and ViewConditionRule moves
// conditions into them.
//
// It works on whole statements as the plan builder has made them, innermost queries first, and is idempotent. With
// the index off nothing is merged, so that law 2 sees whether both plans give the same rows.
func MergeRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s := plannerOf(ctx)
	if s == nil {
		return n, transform.SameTree, nil
	}
	if !tree.PlansSubqueries(sel) {
		// A part that was not to be merged into the statement might be merged into itself, with another part's
		// numbers.
		return n, transform.SameTree, nil
	}
	whole := !s.Evaluating()
	if whole {
		s.NoteTables(nil, nil)
	}
	if !flags.SubqueryIsSet() || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	m := merger{Comparer: compare.Comparer{Ctx: ctx}}
	if !m.survey(n) {
		return n, transform.SameTree, nil
	}
	next, _, err := m.block(n, nil, false)
	if err != nil || m.changes == 0 {
		return n, transform.SameTree, err
	}
	if m.joins {
		flags.Set(sql.QFlagInnerJoin)
	}
	if whole {
		s.NoteTables(n.Schema(), next.Schema())
	}
	return next, transform.NewTree, nil
}

// Planned is a session that has a Planner.
type Planned interface{ Planner() Planner }

// plannerOf returns the Planner of a context's session; nil if it has none.
func plannerOf(ctx *sql.Context) Planner {
	if s, ok := ctx.Session.(Planned); ok {
		return s.Planner()
	}
	return nil
}

// Planner gives the rules access to a session's notes on the statement that it plans.
type Planner interface {
	// Evaluating reports whether a subquery is planned by itself, before its statement.
	Evaluating() bool
	// NoteTables notes the table names of the result's columns before and after the statement's views are merged.
	NoteTables(before, after sql.Schema)
	// OnlySelects reports whether the running command reads and locks nothing.
	OnlySelects() bool
	// CheckedGroups points to the flag that says whether all groupings of the planned statement are known to be
	// valid.
	CheckedGroups() *bool
	// IsAlias reports whether a GROUP BY of the statement may mean an alias by a name, and no attempt at that was
	// made yet.
	IsAlias(name string) bool
}

// mergedTables bounds the tables of a FROM that a derived table is merged into: the engine tries all orders of joins.
const mergedTables = 8

// mergedValue bounds the parts of an expression that replaces a column. If a column is read twice, its expression is
// there twice, and twice as often on each level of derived tables.
const mergedValue = 64

// movedCondition bounds, for the same reason, the parts of a condition that is rewritten for other columns.
const movedCondition = 250

// partsOf counts an expression and all expressions within it.
func partsOf(e sql.Expression) (n int) {
	sql.Inspect(e, func(e sql.Expression) bool {
		if e != nil {
			n++
		}
		return true
	})
	return n
}

// merger is one run of the rule.
type merger struct {
	compare.Comparer
	changes   int  // number of replacements so far
	joins     bool // a join is merged
	width     int  // number of joined tables in the current FROM
	relations relationNames
	uses      map[sql.ColumnId]derivedUse
	// named holds the numbers of merged derived tables' columns by lower-cased table and column name: in HAVING the
	// plan builder leaves fields without a number.
	named map[string][]sql.ColumnId
}

// derivedUse is how a statement reads a column.
type derivedUse struct {
	any    bool
	within bool // within an expression, not selected by itself
	beside bool // in one expression with another column
}

// relationNames holds the names and numbers of a statement's tables, and how often each occurs. Names are in lower
// case.
type relationNames struct {
	given      map[string]int // count as the statement is written
	count      map[string]int
	merged     map[sql.TableId]bool // tables that are part of another query by now
	met        map[sql.TableId]int  // how often a number occurs
	lastTable  sql.TableId
	lastColumn sql.ColumnId
}

// fieldName returns the key of a table's field in maps by name.
func fieldName(table, column string) string { return strings.ToLower(table + "." + column) }

// survey collects the names and uses of tables and columns in a statement, and reports whether it has a derived
// table.
func (m *merger) survey(n sql.Node) bool {
	m.relations = relationNames{count: map[string]int{}, merged: map[sql.TableId]bool{}, met: map[sql.TableId]int{}}
	m.uses, m.named = map[sql.ColumnId]derivedUse{}, map[string][]sql.ColumnId{}
	derived := m.surveyed(n)
	m.relations.given = maps.Clone(m.relations.count)
	return derived
}

func (m *merger) surveyed(n sql.Node) bool {
	derived := false
	transform.Inspect(n, func(n sql.Node) bool {
		if t, ok := n.(plan.TableIdNode); ok {
			m.relations.meet(t)
		}
		if _, ok := n.(*plan.SubqueryAlias); ok {
			derived = true
		}
		x, ok := n.(sql.Expressioner)
		if !ok {
			return true
		}
		_, selects := n.(*plan.Project)
		for _, e := range x.Expressions() {
			for _, c := range expression.SplitConjunction(e) {
				derived = m.surveyedExpression(c, selects) || derived
			}
		}
		return true
	})
	return derived
}

func (m *merger) surveyedExpression(e sql.Expression, selected bool) bool {
	_, bare := e.(*expression.GetField)
	var ids sql.ColSet
	derived := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			if e.Id() != 0 {
				ids.Add(e.Id())
			}
		case *plan.Subquery:
			derived = m.surveyed(e.Query) || derived
		}
		if x, ok := e.(sql.IdExpression); ok {
			m.relations.lastColumn = max(m.relations.lastColumn, x.Id())
		}
		return true
	})
	ids.ForEach(func(id sql.ColumnId) {
		use := m.uses[id]
		m.uses[id] = derivedUse{any: true, within: use.within || !bare || !selected, beside: use.beside || ids.Len() > 1}
	})
	return derived
}

// meet counts a table.
func (r *relationNames) meet(t plan.TableIdNode) {
	r.lastTable = max(r.lastTable, t.Id())
	r.met[t.Id()]++
	// A computed column of a set operation without a name has number 0, which Next skips.
	t.Columns().ForEach(func(id sql.ColumnId) { r.lastColumn = max(r.lastColumn, id) })
	switch t := t.(type) {
	case *plan.TableAlias:
		r.count[strings.ToLower(t.Name())]++
		if rt, ok := t.Child.(*plan.ResolvedTable); ok {
			r.count[strings.ToLower(rt.Name())]-- // it is met separately
			r.met[rt.Id()]--
		}
	case *plan.SetOp:
	default:
		r.count[strings.ToLower(t.Name())]++
	}
}

// isShared reports whether another part of the statement has the same table number, perhaps a query within or around
// the one that the table is merged into. Fields of one table would read the other.
func (r *relationNames) isShared(t plan.TableIdNode) bool {
	return r.merged[t.Id()] || r.met[t.Id()] > 1
}

// fresh returns a name that no other table has: the wanted one if it is free, else from with a number.
func (r *relationNames) fresh(wanted, from string) string {
	if wanted != "" && r.count[wanted] == 0 {
		return wanted
	}
	for i := 1; ; i++ {
		if name := from + "_" + strconv.Itoa(i); r.count[name] == 0 {
			return name
		}
	}
}

// mergedPart is a derived table as a part of the query that reads it.
type mergedPart struct {
	from       sql.Node
	conditions []sql.Expression // on all rows of from
	columns    columnValues
	order      sql.SortFields // the order of the rows; nil is any order
}

// columnValues maps columns to the expressions that replace them.
type columnValues map[sql.ColumnId]sql.Expression

// part returns a derived table as a part of the query that reads it, false if it isn't plain. filled says that an
// outer join may fill it with NULLs.
func (m *merger) part(d *plan.SubqueryAlias, filled bool) (*mergedPart, bool) {
	if d.IsLateral || d.Volatile || !d.Correlated.Empty() || len(d.ScopeMapping) == 0 {
		return nil, false
	}
	out := &mergedPart{columns: columnValues{}}
	project := out.peel(d.Child)
	if out.from == nil {
		return nil, false
	}
	tables, ok := partTables(out.from)
	if !ok || filled && (len(tables) != 1 || anyReadsSubquery(out.conditions)) || m.width+len(tables)-1 > mergedTables {
		return nil, false
	}
	columns := d.Columns()
	for id, ok := columns.Next(1); ok; id, ok = columns.Next(id + 1) {
		value, known := d.ScopeMapping[id], false
		if source, ok := value.(*expression.GetField); ok && project != nil {
			value, known = Projected(project, source)
		} else {
			known = ok
		}
		if use := m.uses[id]; use.any && (!known || !m.standsFor(value, use, filled)) {
			return nil, false
		}
		if known {
			out.columns[id] = value
		}
	}
	if !m.rename(out, d, tables) {
		return nil, false
	}
	m.width += len(tables) - 1
	return out, true
}

// peel splits a query; from stays nil where it isn't plain. It returns the projection; nil if the query selects all
// columns of another one.
func (p *mergedPart) peel(n sql.Node) (project *plan.Project) {
	for {
		switch at := n.(type) {
		case *plan.Sort:
			if p.order != nil || p.conditions != nil {
				return nil
			}
			p.order = at.SortFields
			if project == nil {
				below, _ := at.Child.(*plan.Project)
				order, ok := underProject(p.order, below)
				if !ok {
					return nil
				}
				p.order = order
			}
			n = at.Child
		case *plan.Project:
			if project != nil {
				return nil
			}
			project, n = at, at.Child
		case *plan.Filter:
			p.conditions = append(p.conditions, at.Expression)
			n = at.Child
		case *plan.Having: // of statement.StopDefaults
			if !isTrue(at.Cond) {
				return nil
			}
			n = at.Child
			if below, ok := n.(*plan.Project); ok && project != nil {
				if p.conditions != nil {
					return nil
				}
				if p.order != nil {
					if p.order, ok = underProject(p.order, below); !ok {
						return nil
					}
				}
				if project, ok = composed(project, below); !ok {
					return nil
				}
				n = below.Child
			}
		case *plan.ResolvedTable, *plan.TableAlias, *plan.SubqueryAlias, *plan.JoinNode:
			p.from = n
			return project
		default:
			return nil
		}
	}
}

func isTrue(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Val == true
}

// composed returns two projections as one, false if the upper one reads what may not be computed again.
func composed(upper, lower *plan.Project) (*plan.Project, bool) {
	below := map[sql.ColumnId]sql.Expression{}
	for _, e := range lower.Projections {
		if with, ok := e.(sql.IdExpression); ok {
			below[with.Id()] = e
		}
	}
	out, known := make([]sql.Expression, len(upper.Projections)), true
	for i, e := range upper.Projections {
		if f, ok := e.(*expression.GetField); ok {
			if out[i], known = below[f.Id()], known && below[f.Id()] != nil; known {
				continue
			}
			return nil, false
		}
		e, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			f, ok := e.(*expression.GetField)
			if !ok {
				return e, transform.SameTree, nil
			}
			value, ok := below[f.Id()]
			if alias, named := value.(*expression.Alias); named {
				value = alias.Child
				known = known && compare.IsRepeatable(value)
			}
			known = known && ok
			return value, transform.TreeIdentity(!ok), nil
		})
		if err != nil || !known {
			return nil, false
		}
		out[i] = e
	}
	return plan.NewProject(out, lower.Child), known
}

// underProject returns an order in terms of the columns that a projection reads, false if it can't be expressed so.
func underProject(order sql.SortFields, project *plan.Project) (sql.SortFields, bool) {
	if project == nil {
		return nil, false
	}
	out, known := make(sql.SortFields, len(order)), true
	for i, f := range order {
		e, _, err := transform.Expr(f.Column, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			f, ok := e.(*expression.GetField)
			if !ok {
				known = known && compare.IsRepeatable(e)
				return e, transform.SameTree, nil
			}
			value, ok := Projected(project, f)
			if !ok || partsOf(value) > mergedValue || !compare.IsRepeatable(value) {
				known = false
				return e, transform.SameTree, nil
			}
			return value, transform.NewTree, nil
		})
		if err != nil {
			return nil, false
		}
		out[i] = sql.SortField{Column: e, Order: f.Order, NullOrdering: f.NullOrdering}
	}
	return out, known
}

// partTables returns the tables of a FROM that becomes a part of another one, false where it has a node that can't be
// moved.
func partTables(n sql.Node) ([]plan.TableIdNode, bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if _, ok := n.UnderlyingTable().(tree.Stored); ok {
			return []plan.TableIdNode{n}, true
		}
	case *plan.TableAlias:
		tables, ok := partTables(n.Child)
		return []plan.TableIdNode{n}, ok && len(tables) == 1
	case *plan.SubqueryAlias:
		return []plan.TableIdNode{n}, !n.IsLateral && n.Correlated.Empty()
	case *plan.JoinNode:
		if !tree.IsInnerJoin(n) && n.Op != plan.JoinTypeLeftOuter && n.Op != plan.JoinTypeRightOuter {
			return nil, false
		}
		left, ok := partTables(n.Left())
		right, also := partTables(n.Right())
		return append(left, right...), ok && also
	}
	return nil, false
}

// standsFor reports whether an expression, the value of a column, may replace all reads of that column.
func (m *merger) standsFor(value sql.Expression, use derivedUse, filled bool) bool {
	if _, ok := value.(*expression.GetField); ok {
		return true
	}
	// An expression of NULLs need not be NULL. And a column's collation takes precedence over the collation of a
	// computed text.
	if filled || partsOf(value) > mergedValue || !compare.IsRepeatable(value) || use.beside &&
		m.Class(value) == compare.ClassText {
		return false
	}
	// Our rules may replace the expression by one of another type than the column's, as for arithmetic on a YEAR.
	compared, _, err := transform.Expr(value, m.Comparer.Expression)
	if err != nil || !compared.Type().Equals(value.Type()) {
		return false
	}
	return !use.within || transform.InspectExpr(value, func(e sql.Expression) bool {
		_, ok := e.(*expression.GetField)
		return ok
	})
}

func anyReadsSubquery(list []sql.Expression) bool {
	for _, e := range list {
		if tree.ReadsSubquery(e) {
			return true
		}
	}
	return false
}

// rename gives the tables of a part names and numbers that no other table of the statement has. A common table
// expression that is read twice has the same numbers each time. It returns false where that can't be done.
func (m *merger) rename(p *mergedPart, d *plan.SubqueryAlias, tables []plan.TableIdNode) bool {
	r := &m.relations
	if !m.numbersLeft(p, tables) {
		return false
	}
	count := len(tables)
	r.count[strings.ToLower(d.Name())]--
	given := tableRenaming{}
	for _, t := range tables {
		name := strings.ToLower(t.Name())
		to := renamedTable{name: t.Name(), id: t.Id(), columns: t.Columns()}
		if r.given[name] > 1 {
			wanted := ""
			if count == 1 {
				wanted = strings.ToLower(d.Name())
			}
			to.name = r.fresh(wanted, name)
		}
		if r.isShared(t) {
			columns := t.Columns()
			first, _ := columns.Next(1)
			r.lastTable++
			to.id, to.shift = r.lastTable, r.lastColumn+1-first
			for id, ok := columns.Next(1); ok; id, ok = columns.Next(id + 1) {
				r.lastColumn = max(r.lastColumn, id+to.shift)
			}
		}
		if to.name != t.Name() || to.id != t.Id() {
			given[t.Id()] = to
			if to.name != t.Name() {
				r.count[name]--
				r.count[to.name]++
			}
		}
	}
	for _, t := range tables {
		id := t.Id()
		if to, ok := given[id]; ok {
			id = to.id
		}
		r.merged[id] = true
	}
	if len(given) == 0 {
		return true
	}
	return given.part(p) == nil
}

// numbersLeft reports whether the tables of a part can have numbers of their own, where others have theirs.
// Subqueries' fields are not renumbered, and the engine's numbers have an upper bound.
func (m *merger) numbersLeft(p *mergedPart, tables []plan.TableIdNode) bool {
	newTables, newColumns := 0, 0
	for _, t := range tables {
		if !m.relations.isShared(t) {
			continue
		}
		if _, nested := t.(*plan.SubqueryAlias); nested {
			return false
		}
		newTables++
		columns := t.Columns()
		first, _ := columns.Next(1)
		last := first
		for id, ok := first, true; ok; id, ok = columns.Next(id + 1) {
			last = id
		}
		newColumns += int(last-first) + 1
	}
	return newTables == 0 || !anyReadsSubquery(p.conditions) && !p.readsSubqueries() &&
		int(m.relations.lastTable)+newTables <= math.MaxUint16 && int(m.relations.lastColumn)+newColumns <= math.MaxUint16
}

func (p *mergedPart) readsSubqueries() bool {
	for _, e := range p.columns {
		if tree.ReadsSubquery(e) {
			return true
		}
	}
	found := false
	transform.Inspect(p.from, func(n sql.Node) bool {
		if j, ok := n.(*plan.JoinNode); ok && j.Filter != nil {
			found = found || tree.ReadsSubquery(j.Filter)
		}
		return !found
	})
	return found
}
