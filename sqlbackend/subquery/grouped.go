package subquery

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// A correlated subquery may depend on the outer row only by equalities in its WHERE. If it aggregates, or is asked for
// any row, all its results are those of one query without these equalities, by groups of the columns in them. Once it
// has been planned for some outer rows, that query runs, and its results are held by the groups.

// rowsGrouped is the number of rows that are grouped in the time of planning a subquery once.
const rowsGrouped = 512

// Grouped has the results of a correlated subquery by the values that select its rows. It is for one execution of a
// statement, and not safe for concurrent use.
type Grouped struct {
	Plan   sql.Node // gives the results, each with the columns of equal behind it
	equal  []selection
	values map[string]any // nil: they can't be held
	// none is the result without rows, once it is known.
	none   any
	known  bool
	memory hold.Memory
	key    []byte
}

// selection is an equality of a column of a subquery's tables and a column of the outer query.
type selection struct {
	own   *expression.GetField
	outer int // its index among the outer columns
	typ   compare.KeyType
}

// ConditionText returns the condition by which results are found.
func (g *Grouped) ConditionText(outer []sql.Expression) string {
	texts := make([]string, len(g.equal))
	for i, s := range g.equal {
		texts[i] = fmt.Sprintf("%s = %s", operator.ExprText(s.own), operator.ExprText(outer[s.outer]))
	}
	return strings.Join(texts, " AND ")
}

// groupedAfter returns how often the query is planned before all its results are computed.
func (b *Bound) groupedAfter() uint64 { return plannedFirst + b.size/rowsGrouped }

// ByGroups returns the results by groups, and after how many outer rows they are computed; nil if they are not.
func (b *Value) ByGroups(ctx *sql.Context) (g *Grouped, after uint64, err error) {
	if g = b.groups; g == nil && b.mayReadOnce(ctx) {
		g, err = b.grouped(ctx)
	}
	if g == nil || err != nil || g == b.groups && g.values == nil {
		return nil, 0, err
	}
	return g, b.groupedAfter(), nil
}

// ofGroup returns the result for the outer columns' values, if all results are known. Otherwise g is where to note the
// result, which is that of no rows; nil if there are no groups.
func (b *Value) ofGroup(ctx *sql.Context, values []any) (v any, known bool, g *Grouped, err error) {
	if b.groups == nil && b.asked > b.groupedAfter() && b.mayReadOnce(ctx) {
		if err := b.group(ctx); err != nil {
			return nil, false, nil, err
		}
	}
	if g = b.groups; g == nil || g.values == nil {
		return nil, false, nil, nil
	}
	null := false
	g.key = g.key[:0]
	for _, s := range g.equal {
		if null = null || values[s.outer] == nil; null {
			break
		}
		if g.key, err = s.appendKey(ctx, g.key, values[s.outer]); err != nil {
			return nil, false, nil, err
		}
	}
	if !null {
		if v, known = g.values[string(g.key)]; known {
			return v, true, g, nil
		}
	}
	return g.none, g.known, g, nil
}

func (s selection) appendKey(ctx *sql.Context, key []byte, v any) ([]byte, error) {
	part, err := s.typ.Key(ctx, v)
	key = fmt.Appendf(key, "%d:", len(part))
	return append(key, part...), err
}

// group computes all results. Errors and warnings in rows that no outer row needs must not show: then the query is
// planned for each outer row, as before.
func (b *Value) group(ctx *sql.Context) error {
	warned := ctx.Session.WarningCount()
	g, err := b.grouped(ctx)
	if g == nil {
		g = &Grouped{}
	}
	b.groups = g
	if err == nil && g.Plan != nil {
		err = b.fill(ctx, g)
	}
	if err != nil || ctx.Session.WarningCount() != warned {
		mysqlerr.ForgetWarnings(ctx, int(warned))
		g.drop()
	}
	return ctx.Err()
}

// drop forgets the results: the query is planned for each outer row.
func (g *Grouped) drop() {
	g.values = nil
	g.memory.ReleaseAll()
}

// fill reads the results.
func (b *Value) fill(ctx *sql.Context, g *Grouped) (err error) {
	defer b.Evaluator.Session.Running(g.Plan)()
	rows, err := b.Evaluator.Analyzer.ExecBuilder.Build(ctx, g.Plan, nil)
	if err != nil {
		return err
	}
	defer func() {
		if closed := rows.Close(ctx); err == nil {
			err = closed
		}
	}()
	values := map[string]any{}
	const entry = 96
	for bytes := 0; ; {
		row, err := rows.Next(ctx)
		if err == io.EOF {
			g.values = values
			return nil
		}
		if err != nil {
			return err
		}
		key, null := []byte(nil), false
		own := row[len(row)-len(g.equal):]
		for i, s := range g.equal {
			if null = null || own[i] == nil; null {
				break
			}
			if key, err = s.appendKey(ctx, key, own[i]); err != nil {
				return err
			}
		}
		if null { // NULL equals nothing
			continue
		}
		if _, twice := values[string(key)]; twice {
			return fmt.Errorf("sqlbackend: two groups of one value")
		}
		var v any = true
		if !b.exists {
			if v, err = sql.UnwrapAny(ctx, row[0]); err != nil {
				return err
			}
			if own := hold.OwnedValue(v); own != nil {
				v = own
			}
		}
		size := entry + len(key) + hold.ValueBytes(v)
		if bytes += size; bytes > rewrite.RememberedBytes {
			return fmt.Errorf("sqlbackend: too many groups to hold")
		}
		if err := g.memory.Hold(ctx, size); err != nil {
			return err
		}
		values[string(key)] = v
	}
}

// grouped plans the query by groups; nil if its results depend on the outer row otherwise.
func (b *Value) grouped(ctx *sql.Context) (*Grouped, error) {
	query, equal := b.byGroups()
	if query == nil {
		return nil, nil
	}
	s := b.Evaluator
	s.Ctx = ctx
	n, err := s.Planned(query)
	if err != nil {
		return nil, err
	}
	c, columns := compare.Comparer{Ctx: ctx}, n.Schema()
	for i := range equal {
		e := &equal[i]
		at := len(columns) - len(equal) + i
		own := expression.NewGetField(at, columns[at].Type, columns[at].Name, true)
		outer := b.Outer[e.outer]
		var ok bool
		if e.typ, ok = c.EqualKey(own, outer); !ok || !alike(own, outer, e.typ) {
			return nil, nil
		}
	}
	return &Grouped{Plan: n, equal: equal}, nil
}

// alike reports whether the values of one group of a column are all equal to the same values of the outer column.
func alike(own, outer sql.Expression, key compare.KeyType) bool {
	if isExact(own) && isExact(outer) {
		return true
	}
	groups, text := value.CollationOfType(own.Type())
	_, outerText := value.CollationOfType(outer.Type())
	return text && outerText && key.Class == compare.ClassText && (groups == key.Coll || groups.IsIdentity())
}

func isExact(e sql.Expression) bool { return types.IsInteger(e.Type()) || types.IsDecimal(e.Type()) }

// byGroups returns the query without its equalities with the outer query, by groups of their columns, which come last
// in its rows; nil if it has other rows, or reads the outer query elsewhere.
func (b *Bound) byGroups() (query sql.Node, equal []selection) {
	at := b.Query
	if l, ok := at.(*plan.Limit); ok && b.exists {
		at = l.Child
	}
	project, ok := at.(*plan.Project)
	if !ok {
		return nil, nil
	}
	at = project.Child
	group, _ := at.(*plan.GroupBy)
	if group != nil {
		at = group.Child
	}
	filter, ok := at.(*plan.Filter)
	if !ok || b.exists == (group != nil) || group != nil && len(group.GroupByExprs) > 0 {
		return nil, nil
	}
	var rest, columns []sql.Expression
	for _, e := range expression.SplitConjunction(filter.Expression) {
		if s, ok := b.selectionOf(e); ok {
			equal, columns = append(equal, s), append(columns, s.own)
			continue
		}
		rest = append(rest, e)
	}
	if len(equal) == 0 || !fewRows(filter.Child, rest) {
		return nil, nil
	}
	n := filter.Child
	if len(rest) > 0 {
		n = plan.NewFilter(expression.JoinAnd(rest...), n)
	}
	if b.exists {
		n = plan.NewProject(columns, plan.NewGroupBy(columns, columns, n))
	} else {
		n = plan.NewGroupBy(append(slices.Clone(group.SelectedExprs), columns...), columns, n)
		n = plan.NewProject(append(slices.Clone(project.Projections), columns...), n)
	}
	if b.readsOuter(n) {
		return nil, nil
	}
	return n, equal
}

// fewRows reports whether a node has no more rows than the largest of its tables, if some conditions are true of them:
// it reads one table, and others by all columns of their primary keys.
func fewRows(n sql.Node, conditions []sql.Expression) bool {
	var tables []plan.TableIdNode
	whole := true
	var visit func(n sql.Node)
	visit = func(n sql.Node) {
		switch n := n.(type) {
		case *plan.JoinNode:
			conditions = append(conditions, n.Filter)
			visit(n.Left())
			visit(n.Right())
		case *plan.Filter:
			conditions = append(conditions, n.Expression)
			visit(n.Child)
		case plan.TableIdNode:
			tables = append(tables, n)
		default:
			whole = false
		}
	}
	conditions = slices.Clone(conditions)
	visit(n)
	if !whole || len(tables) < 2 {
		return whole
	}
	var equal []*expression.Equals
	for _, c := range conditions {
		if c == nil {
			continue
		}
		for _, e := range expression.SplitConjunction(c) {
			if equals, ok := e.(*expression.Equals); ok {
				equal = append(equal, equals)
			}
		}
	}
	return slices.ContainsFunc(tables, func(first plan.TableIdNode) bool {
		read := map[sql.TableId]bool{first.Id(): true}
		for found := true; found; {
			found = false
			for _, t := range tables {
				if !read[t.Id()] && byKey(t, read, equal) {
					read[t.Id()], found = true, true
				}
			}
		}
		return len(read) == len(tables)
	})
}

// byKey reports whether each column of a table's primary key equals a column of the given tables.
func byKey(t plan.TableIdNode, tables map[sql.TableId]bool, equal []*expression.Equals) bool {
	of := sql.Node(t)
	if a, ok := of.(*plan.TableAlias); ok {
		of = a.Child
	}
	if _, ok := of.(*plan.ResolvedTable); !ok {
		return false // a derived table may have a key's columns, and several rows of one key
	}
	parts := 0
	for _, c := range t.Schema() {
		if !c.PrimaryKey {
			continue
		}
		parts++
		if !slices.ContainsFunc(equal, func(e *expression.Equals) bool {
			l, left := e.Left().(*expression.GetField)
			r, right := e.Right().(*expression.GetField)
			if !left || !right {
				return false
			}
			if r.TableId() == t.Id() {
				l, r = r, l
			}
			return l.TableId() == t.Id() && strings.EqualFold(l.Name(), c.Name) && tables[r.TableId()]
		}) {
			return false
		}
	}
	return parts > 0
}

// selectionOf returns an equality of a column and a column of the outer query.
func (b *Bound) selectionOf(e sql.Expression) (s selection, ok bool) {
	equals, ok := e.(*expression.Equals)
	if !ok {
		return s, false
	}
	own, ok := equals.Left().(*expression.GetField)
	if !ok {
		return s, false
	}
	outer, ok := equals.Right().(*expression.GetField)
	if !ok {
		return s, false
	}
	s.own, s.outer = own, slices.Index(b.columns, outer.Id())
	if s.outer < 0 {
		s.own, s.outer = outer, slices.Index(b.columns, own.Id())
	}
	return s, s.outer >= 0 && !slices.Contains(b.columns, s.own.Id())
}

// readsOuter reports whether a node reads columns of the outer query, or may.
func (b *Bound) readsOuter(n sql.Node) bool {
	var outer sql.ColSet
	for _, id := range b.columns {
		outer.Add(id)
	}
	reads := len(rewrite.FieldsWithin(n, outer)) > 0
	tree.InspectPlan(n, func(n sql.Node) {
		d, ok := n.(*plan.SubqueryAlias)
		reads = reads || ok && !d.Correlated.Empty()
	}, func(sql.Expression) {})
	return reads
}
