package law2

import (
	"fmt"
	"slices"
)

// plain is a query of rows, without groups.
func (g *asker) plain(sources int) *selection {
	q := &selection{from: g.joined(sources)}
	if g.chance(75) {
		q.where = g.condition(q.from, g.r.IntN(3))
	}
	for range 1 + g.r.IntN(3) {
		f := g.shown(q.from)
		if g.chance(4) && g.depth == 0 {
			f = g.scalar(q.from)
		}
		q.fields = append(q.fields, f)
	}
	g.again(q)
	switch {
	case g.chance(20):
		q.distinct = true
	case g.chance(10) && g.level == 0:
		f, order := g.window(q.from)
		q.fields, q.window = append(q.fields, f), order
		if g.chance(20) {
			q.fields = append(q.fields, f)
		}
	}
	return q
}

// keys are fields that tell all rows of the sources from each other; ok is false where there are none.
func keys(from []relation) (out []field, ok bool) {
	for _, s := range from {
		if len(s.key) == 0 {
			return nil, false
		}
		out = append(out, s.key...)
	}
	return out, true
}

// ordered gives a query an order that leaves no doubt, and often a limit.
func (g *asker) ordered(q *selection) *selection {
	if len(q.arms) == 0 && !q.aggregated && !q.distinct {
		for range g.r.IntN(3) {
			q.order = append(q.order, g.tested(sortKey{by: g.column(q.from), desc: g.chance(40)}))
		}
	}
	last, ok := keys(q.from)
	if !ok || q.aggregated || q.distinct || len(q.arms) > 0 {
		last, q.named = outside(q.fields), true
	} else {
		for i, f := range last { // a key that is selected cannot be left out by shrinking the query
			if g.chance(20) && i < 2 {
				q.fields = append(q.fields, f)
			}
		}
	}
	desc := g.chance(30)
	for _, f := range last {
		q.order = append(q.order, sortKey{by: f, desc: desc != g.chance(10)})
	}
	q.total = true
	if g.chance(75) {
		q.limit = one(g.r, []int{1, 2, 3, 5, 10, 40})
		if g.chance(35) {
			q.offset = one(g.r, []int{1, 2, 7, 30})
		}
	}
	return q
}

// tested is a part of an order with, at times, a test of its NULLs or a constant before it.
func (g *asker) tested(k sortKey) sortKey {
	if g.chance(25) {
		k.test = one(g.r, sortTests)
	}
	return k
}

// limited is a query of the first rows that few comparisons leave of a table, or of one that is joined with others by
// their keys, in the order of its columns.
func (g *asker) limited() *selection {
	t := g.alias(one(g.r, g.baseTables()))
	q := &selection{from: []relation{t}, total: true, limit: one(g.r, []int{1, 2, 3, 5, 10})}
	for range 1 + g.r.IntN(2) {
		f := g.column(q.from)
		c := predicate(comparison{op: one(g.r, []string{"=", "=", "=", ">", "<>", "<="}), a: fieldOperand{f}, b: f.literal()})
		if q.where == nil {
			q.where = c
		} else {
			q.where = both{"AND", q.where, c}
		}
	}
	desc := g.chance(40)
	for range 1 + g.r.IntN(3) {
		q.order = append(q.order, g.tested(sortKey{by: g.column(q.from), desc: desc}))
	}
	for _, f := range t.key {
		q.order = append(q.order, sortKey{by: f, desc: desc != g.chance(10)})
	}
	if g.chance(30) {
		q.offset = one(g.r, []int{1, 2, 7})
	}
	q.fields = slices.Clone(t.key)
	switch g.r.IntN(4) {
	case 0: // keys alone
	case 1:
		q.fields = append(q.fields, q.order[0].by)
	default:
		q.fields = append(q.fields, g.column(q.from))
	}
	if g.chance(30) {
		to := g.alias(one(g.r, g.baseTables()))
		to.join = one(g.r, []string{"JOIN", "JOIN", "LEFT JOIN"})
		to.on = comparison{op: "=", a: fieldOperand{one(g.r, []field{t.key[0], g.column(q.from)})},
			b: fieldOperand{to.key[0]}}
		q.from = append(q.from, to)
		q.fields = append(q.fields, g.shown([]relation{to}))
		for _, f := range to.key {
			q.order = append(q.order, sortKey{by: f, desc: desc})
		}
		if g.chance(30) {
			q.where = nil
		}
	}
	return q
}

// window is a window function over the sources, with an order that leaves no doubt, or one to which it does not matter
// which of equal rows comes first. Its window may be called by its name: then that is told too.
func (g *asker) window(from []relation) (f field, named *windowOrder) {
	last, ok := keys(from)
	part, by := g.column(from), g.column(from)
	if !ok {
		call := one(g.r, []string{"RANK()", "DENSE_RANK()", "COUNT(*)", "SUM(", "MIN(", "MAX("})
		over := windowOrder{part: &part, by: &by, desc: g.chance(20), named: g.chance(30)}
		if g.chance(30) {
			over.part = nil
		}
		return g.over(call, g.summed(from), over), over.clause()
	}
	call := one(g.r, []string{"ROW_NUMBER()", "COUNT(*)", "RANK()", "SUM(", "MIN(", "LAG(", "LEAD(", "DENSE_RANK()",
		"FIRST_VALUE(", "LAST_VALUE(", "NTILE(3)", "MAX("})
	inner := g.summed(from)
	over := windowOrder{part: &part, desc: g.chance(20), named: g.chance(30)}
	if g.chance(20) {
		over.part = nil
	}
	if g.chance(70) || !slices.Contains([]string{"COUNT(*)", "SUM(", "MIN(", "MAX("}, call) {
		over.by, over.last = &by, last
		if slices.Contains([]string{"COUNT(*)", "SUM(", "MIN(", "MAX(", "FIRST_VALUE(", "LAST_VALUE("}, call) &&
			g.chance(40) {
			over.frame = one(g.r, []string{" ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", " ROWS UNBOUNDED PRECEDING",
				" ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING"})
		}
	}
	return g.over(call, inner, over), over.clause()
}

// windowName is what a window is called by.
const windowName = "wn"

// windowOrder is what stands behind OVER.
type windowOrder struct {
	part  *field // nil: one partition
	by    *field // nil: no order
	desc  bool
	last  []field // behind by: they leave no doubt
	frame string  // nothing: the default
	named bool    // all but the frame stands in the WINDOW clause
}

// clause is what the WINDOW clause says; nil if there is none.
func (o windowOrder) clause() *windowOrder {
	if !o.named {
		return nil
	}
	o.frame, o.named = "", false
	return &o
}

func (o windowOrder) write(w *writer) {
	if o.named {
		w.WriteString(windowName)
	} else {
		o.writeParts(w)
	}
	w.WriteString(o.frame)
}

func (o windowOrder) writeParts(w *writer) {
	if o.part != nil {
		w.WriteString("PARTITION BY ")
		o.part.write(w)
	}
	if o.by != nil {
		w.WriteString(" ORDER BY ")
		o.by.write(w)
		if o.desc {
			w.WriteString(" DESC")
		}
		for _, k := range o.last {
			w.WriteString(", ")
			k.write(w)
		}
	}
}

// over is a window function: a call, whose argument is inner where it ends with a parenthesis.
func (g *asker) over(call string, inner field, order windowOrder) field {
	f := g.number("")
	f.windowed = true
	f.write = func(w *writer) {
		w.WriteString(call)
		if call[len(call)-1] == '(' {
			inner.write(w)
			w.WriteString(")")
		}
		w.WriteString(" OVER (")
		order.write(w)
		w.WriteString(")")
	}
	return f
}

// aggregate is a random aggregate over the sources.
func (g *asker) aggregate(from []relation) field {
	switch g.r.IntN(13) {
	case 0, 1:
		return g.call("COUNT", g.number("*"))
	case 2:
		return g.call("COUNT", g.column(from))
	case 3:
		f := g.column(from)
		inner := f.write
		f.write = func(w *writer) { w.WriteString("DISTINCT "); inner(w) }
		return g.call("COUNT", f)
	case 4, 5:
		return g.call("SUM", g.summed(from))
	case 6:
		return g.call("AVG", g.summed(from))
	case 7:
		if last, ok := keys(from); ok {
			return g.concat(g.shown(from), last)
		}
	case 11:
		f := g.summed(from)
		inner := f.write
		f.write = func(w *writer) { w.WriteString("DISTINCT "); inner(w) }
		return g.call(one(g.r, []string{"SUM", "AVG"}), f)
	case 12:
		a, b := g.column(from), g.column(from)
		inner := a.write
		a.write = func(w *writer) { w.WriteString("DISTINCT "); inner(w) }
		return g.call("COUNT", a, b)
	case 8:
		return g.call(one(g.r, []string{"STD", "VARIANCE", "STDDEV_SAMP", "VAR_SAMP"}), g.column(from))
	}
	return g.call(one(g.r, []string{"MIN", "MAX"}), g.shown(from))
}

// concat is GROUP_CONCAT in an order that leaves no doubt.
func (g *asker) concat(f field, last []field) field {
	out := g.call("", f)
	out.class = sqlText
	out.literal = func() constant { return textLiteral(one(g.r, plainTexts)) }
	distinct := g.chance(30)
	out.write = func(w *writer) {
		w.WriteString("GROUP_CONCAT(")
		if distinct {
			w.WriteString("DISTINCT ")
		}
		f.write(w)
		w.WriteString(" ORDER BY ")
		f.write(w)
		for _, k := range last {
			if !distinct {
				w.WriteString(", ")
				k.write(w)
			}
		}
		w.WriteString(" SEPARATOR ';')")
	}
	return out
}

// grouped is a query with aggregates.
func (g *asker) grouped() *selection {
	q := &selection{aggregated: true, from: g.joined(one(g.r, []int{1, 1, 1, 1, 1, 2, 2, 3}))}
	if g.chance(60) {
		q.where = g.condition(q.from, g.r.IntN(2))
	}
	for range one(g.r, []int{0, 1, 1, 1, 2}) {
		f := g.column(q.from)
		q.group = append(q.group, f)
		if !f.folds && g.chance(85) {
			f.group = len(q.group)
			q.fields = append(q.fields, f)
		}
	}
	for range 1 + g.r.IntN(2) {
		q.fields = append(q.fields, g.aggregate(q.from))
	}
	g.again(q)
	if len(q.group) > 0 && g.chance(30) {
		q.having = g.havingCondition(q)
	}
	if len(q.group) > 0 && g.depth == 0 && g.chance(groupWindows) {
		q.fields = append(q.fields, g.groupWindow(q))
	}
	return q
}

// groupWindows is the share, in percent, of the queries with GROUP BY that have a window function over the groups.
const groupWindows = 20

// groupWindow is a window function over the groups of a query, with an order that leaves no doubt: what is grouped by
// tells them from each other.
func (g *asker) groupWindow(q *selection) field {
	keys := q.group
	ofGroup := func() field {
		if g.chance(50) {
			return one(g.r, keys)
		}
		return g.aggregate(q.from)
	}
	call := one(g.r, []string{"ROW_NUMBER()", "COUNT(*)", "RANK()", "SUM(", "MIN(", "MAX(", "LAG(", "LEAD("})
	inner := ofGroup()
	if call == "SUM(" {
		inner = one(g.r, []field{g.call("COUNT", g.number("*")), g.call("SUM", g.summed(q.from))})
	} else if inner.folds {
		inner = g.call("COUNT", g.column(q.from))
	}
	part, by := ofGroup(), ofGroup()
	over := windowOrder{desc: g.chance(30)}
	if g.chance(60) {
		over.part = &part
	}
	if g.chance(70) || call == "LAG(" || call == "LEAD(" || call == "ROW_NUMBER()" {
		over.by, over.last = &by, keys
	}
	return g.over(call, inner, over)
}

// havingCondition is a condition on an aggregate or on what is grouped.
func (g *asker) havingCondition(q *selection) predicate {
	f := g.aggregate(q.from)
	if g.chance(30) {
		f = one(g.r, q.group)
	}
	if g.chance(12) && g.level == 0 { // a subquery that names what is grouped by
		return g.grouping(q)
	}
	return g.compared(f)
}

// query is a random query.
func (g *asker) query() *selection {
	var q *selection
	var with []relation
	if g.chance(10) {
		g.depth++
		for i := range 1 + g.r.IntN(2) {
			c := g.grouped()
			if g.chance(50) {
				c = g.plain(1)
			}
			cte := relation{name: fmt.Sprintf("cte%d", i), derived: c, fields: outside(c.fields)}
			if g.chance(25) {
				cte = g.recursive(cte.name)
				c = cte.derived
			}
			with = append(with, cte)
			g.with = append(g.with, relation{name: with[i].name, fields: outside(c.fields)})
		}
		g.depth--
	}
	switch n := g.r.IntN(100); {
	case n < 40:
		q = g.plain(one(g.r, []int{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4}))
	case n < 52:
		q = g.pathed()
	case n < 57:
		q = g.ends()
	case n < 61:
		q = g.indexed()
	case n < 83:
		q = g.grouped()
	case n < 86:
		q = g.ofUnion()
	default:
		q = g.plain(1)
		for range 1 + g.r.IntN(2) {
			other := g.plain(1 + g.r.IntN(2))
			for len(other.fields) < len(q.fields) {
				other.fields = append(other.fields, g.shown(other.from))
			}
			other.fields = other.fields[:len(q.fields)]
			if _, ok := keys(other.from); ok && g.chance(25) {
				other = g.ordered(other)
				other.fields = other.fields[:len(q.fields)]
			}
			g.unnamed(other)
			q.arms = append(q.arms, arm{one(g.r, []string{"UNION", "UNION ALL", "UNION ALL", "INTERSECT", "EXCEPT"}), other})
		}
	}
	q.with = with
	g.with = nil
	if g.chance(45) {
		q = g.ordered(q)
	}
	return q
}
