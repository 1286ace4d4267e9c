package join

import (
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/stats"

	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Coster gives the engine, which chooses the order of joins, the cost of joins as Rule will plan them. The engine's
// own coster doesn't know how many documents an access path finds, nor that sides are looked up in batches.
type Coster struct {
	memo.Coster
}

// nestedLoop is how many times dearer a nested loop is than the engine estimates: the engine counts a table read
// along an access path as one row.
const nestedLoop = 4

// EstimateCost implements memo.Coster.
func (c Coster) EstimateCost(ctx *sql.Context, n memo.RelExpr, s sql.StatsProvider) (float64, error) {
	join, ok := n.(memo.JoinRel)
	if !ok {
		return c.Coster.EstimateCost(ctx, n, s)
	}
	if err := ctx.Err(); err != nil { // many tables have very many orders
		return 0, err
	}
	base := join.JoinPrivate()
	if changesResult(base) {
		return excludedCost, nil
	}
	if session, ours := ctx.Session.(*session.Session); ours && setting.UsesIndex(ctx) {
		z := sizer{ctx: ctx, session: session}
		z.size(n.Group())
		if cost, known := z.join(base); known {
			return cost, nil
		}
	}
	cost, err := c.Coster.EstimateCost(ctx, n, s)
	if base.Op.IsInner() && len(base.Filter) > 0 {
		cost *= nestedLoop
	}
	return cost, err
}

// excludedCost is the cost of a join that changes the result, so that no plan uses it.
const excludedCost = 1e300

// changesResult reports whether a join gives other rows than the one that the engine would replace by it. A semi
// join turned into a join with the other side's distinct values finds a row once per matching value. That is once
// only if the condition is an equality of columns. An anti join turned into an outer join treats a NULL condition as
// no match. A range join computes its side's ranges again for each row, and compares them by one column's type.
func changesResult(base *memo.JoinBase) bool {
	if base.Op.IsRange() {
		return true
	}
	if base.Op.IsLeftOuter() && base.Op.IsExcludeNulls() {
		return true
	}
	if !base.Left.RelProps.Distinct.IsHash() && !base.Right.RelProps.Distinct.IsHash() {
		return false
	}
	for _, f := range base.Filter {
		e, ok := f.(*expression.Equals)
		if !ok {
			return true
		}
		_, left := e.Left().(*expression.GetField)
		_, right := e.Right().(*expression.GetField)
		if !left || !right {
			return true
		}
	}
	return len(base.Filter) == 0
}

// sizer estimates the sizes of the engine's groups, which are sets of plans with the same rows.
type sizer struct {
	ctx     *sql.Context
	session *session.Session
}

// sized is a group's size, stored as the engine's statistics of the group.
type sized struct {
	*stats.Statistic
	size table.Size
	leaf bool // one table, perhaps filtered
}

// size estimates a group's size. Its cost is the cost of reading, for a group of one table; a join's cost is not
// included.
func (z sizer) size(g *memo.ExprGroup) *sized {
	if s, ok := g.RelProps.GetStats().(*sized); ok {
		return s
	}
	s := &sized{size: table.Size{Rows: math.Inf(1), Cost: math.Inf(1)}}
	add := func(o table.Size, leaf bool) {
		s.size.Rows, s.size.Cost, s.leaf = min(s.size.Rows, o.Rows), min(s.size.Cost, o.Cost), s.leaf || leaf
	}
	for n := g.First; n != nil; n = n.Next() {
		switch n := n.(type) {
		case *memo.IndexScan:
			switch path := plan.GetIndexLookup(n.Table).Ranges.(type) {
			case *table.AccessPath:
				add(path.Size(), true)
			case *companion.ChildPath:
				add(path.Size(), true)
			case *companion.MapPath:
				add(path.Expected(), true)
			case *companion.FeedPath:
				if _, t, _, ok := companion.FeedOf(n.Table); ok {
					add(path.Expected(t), true)
				}
			}
		case *memo.TableScan:
			if t, ok := n.Table.(sql.TableNode); ok {
				if known := g.RelProps.GetStats(); known != nil {
					add(wholeSize(t.UnderlyingTable(), float64(known.RowCount())), true)
				}
			}
		case *memo.Filter:
			below := z.size(n.Child)
			add(table.Size{Rows: below.size.Rows * FilteredPart, Cost: below.size.Cost}, below.leaf)
		case *memo.Project:
			add(z.size(n.Child).size, false)
		case *memo.Distinct:
			add(z.size(n.Child).size, false)
		case memo.JoinRel:
			if n == g.First {
				add(table.Size{Rows: z.joinRows(n.JoinPrivate())}, false)
			}
		}
	}
	if math.IsInf(s.size.Rows, 1) {
		rows := float64(table.UnknownRows)
		if known := g.RelProps.GetStats(); known != nil {
			rows = float64(known.RowCount())
		}
		s.size, s.leaf = table.Size{Rows: rows, Cost: rows}, true
	}
	s.Statistic = &stats.Statistic{RowCnt: uint64(math.Ceil(s.size.Rows))}
	g.RelProps.SetStats(s)
	return s
}

// sizedOperand is an operand of a join's condition by which a document table may be looked up: a column, or a path
// into one.
type sizedOperand struct {
	table *table.Table
	field *expression.GetField
	path  *table.DocumentPath // nil: the column itself
	own   bool                // it is the table itself, not its elements or its feed
	// comparison is the comparison with the operand, and at the operand's index among its children.
	comparison sql.Expression
	at         int
}

// operand returns an operand of a comparison if it reads a document table of a group.
func (z sizer) operand(g *memo.ExprGroup, comparison sql.Expression, at int) (o sizedOperand, ok bool) {
	o.comparison, o.at = comparison, at
	e := comparison.Children()[at]
	f, ok := tree.Unwrapped(e).(*expression.GetField)
	if !ok {
		for w, wrapped := e.(pushdown.Operand); wrapped; w, wrapped = e.(pushdown.Operand) {
			e = w.PushdownOperand()
		}
		p, ok := table.DocumentPathOf(e)
		if !ok {
			return o, false
		}
		f, o.path = p.Column, &p
	}
	o.field = f
	for _, n := range g.RelProps.TableIdNodes() {
		if n.Id() != f.TableId() {
			continue
		}
		var node sql.Node = n
		if alias, ok := node.(*plan.TableAlias); ok {
			node = alias.Child
		}
		if t, ok := node.(sql.TableNode); ok {
			switch t := t.UnderlyingTable().(type) {
			case *table.Table:
				o.table, o.own = t, true
				return o, true
			case *table.LookupTable:
				o.table, o.own = t.Table, true
				return o, true
			case *companion.ChildTable:
				o.table = t.Elements
				return o, o.path == nil && t.IsFirstKey(f)
			case *companion.ChildLookup:
				o.table = t.Elements
				return o, o.path == nil && t.IsFirstKey(f)
			case *companion.ChangesTable:
				o.table = t.DocumentTable()
				return o, o.path == nil && slices.ContainsFunc(o.table.Columns,
					func(c session.Column) bool { return strings.EqualFold(companion.FeedKeyName(c.Name), f.Name()) })
			}
		}
	}
	return o, false
}

// perValue estimates how many documents have the same value of an operand.
func (z sizer) perValue(o sizedOperand) float64 {
	t := o.table
	read, err := z.session.Readers.Plan()
	if err != nil {
		return 1
	}
	shared := func(keypath string) float64 {
		n, err := perValue(t, read, keypath)
		if err != nil {
			return table.UnknownRows
		}
		return n
	}
	if o.path != nil {
		resolver := &table.LookupResolver{Table: t, Read: read}
		c, _, ok := pushdown.NewComparison(z.ctx, o.comparison, o.at, resolver)
		if !ok || c.PrimaryKey() {
			return table.UnknownRows
		}
		counts, _ := resolver.CountsOf(c.Column().Keypath)
		return max(shared(c.Column().Keypath), wide(c, counts))
	}
	c := o.column()
	if c == nil || len(t.Def.PrimaryKey) == 1 && c.Declared == t.Def.PrimaryKey[0] || c.Document || c.Key ||
		c.Keypath.HasArray() {
		return 1
	}
	return shared(c.Keypath.String())
}

// costOfFound is the cost of one row found by the operand.
func (o sizedOperand) costOfFound() float64 {
	if d := o.described(0); d.KeyParts > 1 && d.KeyPart == 0 {
		return costInOrder
	}
	out := o.table.CoveredByKey(foreseen(o.table))
	switch {
	case out == nil:
		return CostFound
	case out.Column < 0 && o.path == nil:
		return costThere // the lookup column is named, too
	case out.Column < 0:
		return CostFound
	}
	if c := &o.table.Columns[out.Column]; !strings.EqualFold(c.Name, o.field.Name()) || c.Unit == session.UnitJSON ||
		!o.table.ReadFromEntries(c) {
		return CostFound
	}
	return costMade
}

// join estimates a join's cost, with its sides' costs. known is false for joins that Rule leaves alone.
func (z sizer) join(base *memo.JoinBase) (cost float64, known bool) {
	op := base.Op
	switch {
	case op.IsLateral(), op.IsFullOuter(), op.IsMerge(), op.IsLookup(), op.IsRange(), op.IsExcludeNulls() && !op.IsAnti():
		return 0, false
	}
	left, right := z.size(base.Left), z.size(base.Right)
	rows := z.joinRows(base)
	hashed := false
	for _, f := range base.Filter {
		_, equal := f.(*expression.Equals)
		hashed = hashed || equal && !op.IsCross()
	}
	if hashed {
		cost = left.size.Cost + right.size.Cost + right.size.Rows*CostHashed + left.size.Rows*CostMeeting
	} else {
		// The right side is read again for each row of the left one.
		again := max(right.size.Cost, right.size.Rows, base.Right.Cost)
		cost = left.size.Cost + max(1, left.size.Rows)*max(1, again)
	}
	for _, f := range base.Filter {
		if op.IsCross() {
			break
		}
		if right.leaf {
			if each, ok := z.finds(base.Right, f); ok {
				cost = min(cost, left.size.Cost+left.size.Rows*each)
			}
		}
		if left.leaf && (op.IsInner() || op.IsSemi() || op == plan.JoinTypeHash) {
			if each, ok := z.finds(base.Left, f); ok {
				cost = min(cost, right.size.Cost+right.size.Rows*each)
			}
		}
	}
	if hashed {
		cost += rows * CostMeeting
	}
	return cost, true
}

// finds is the cost of looking up in a group's table, by a condition, the matches of one row of the other side. It
// is false where the condition can't be looked up.
func (z sizer) finds(g *memo.ExprGroup, e sql.Expression) (float64, bool) {
	part := func(sides int, comparison sql.Expression, operands ...int) (float64, bool) {
		for _, at := range operands {
			if o, ok := z.operand(g, comparison, at); ok {
				if sides == 0 {
					return costOfLookup(z.perValue(o), o.costOfFound()), true
				}
				documents, _, err := o.table.Counted(z.ctx)
				return costOfLookup(float64(documents)*rangedPart(sides), o.costOfFound()), err == nil
			}
		}
		return 0, false
	}
	switch e := e.(type) {
	case *expression.Equals, *expression.NullSafeEquals:
		return part(0, e, 0, 1)
	case *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
		return part(1, e, 0, 1)
	case *expression.Between:
		if n, ok := part(2, e, 0); ok {
			return n, true
		}
		return part(1, e, 1, 2)
	case *expression.And:
		l, left := z.finds(g, e.LeftChild)
		r, right := z.finds(g, e.RightChild)
		if left && right {
			return min(l, r), true
		}
		return l + r, left || right
	case *expression.Or:
		l, left := z.finds(g, e.LeftChild)
		r, right := z.finds(g, e.RightChild)
		return l + r, left && right
	}
	return 0, false
}
