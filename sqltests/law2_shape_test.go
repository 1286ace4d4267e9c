package sqltests

// derived is a query that stands in FROM or is a view: rows, groups, a set operation, or the first rows of an order.
func (g *asker) derived() *selection {
	g.depth++
	defer func() { g.depth-- }()
	var q *selection
	switch n := g.r.IntN(20); {
	case n < 10:
		q = g.plain(1 + g.r.IntN(2))
	case n < 16:
		q = g.grouped()
	default:
		q = g.plain(1)
		other := g.plain(1)
		for len(other.fields) < len(q.fields) {
			other.fields = append(other.fields, g.shown(other.from))
		}
		other.fields = other.fields[:len(q.fields)]
		q.arms = []arm{{one(g.r, []string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT"}), other}}
	}
	if g.chance(35) {
		q = g.ordered(q)
	}
	return q
}

// grouping is a condition of HAVING with a subquery over another table, which names what is grouped by or counts what it finds.
func (g *asker) grouping(q *selection) predicate {
	of := one(g.r, q.group)
	if of.simpler != nil || of.derived { // columns that an expression of GROUP BY is made of are not found there
		return g.compared(of)
	}
	t := g.alias(one(g.r, g.baseTables()))
	inner := &selection{from: []relation{t}}
	f, ok := g.having(inner.from, func(f field) bool { return f.class == of.class && f.folds == of.folds })
	if ok {
		inner.where = comparison{op: one(g.r, []string{"=", "=", "<=>", "<"}), a: fieldOperand{f}, b: fieldOperand{of}}
	} else {
		inner.where = g.condition(inner.from, 0)
	}
	if g.chance(50) {
		inner.fields = []field{g.number("1")}
		return subquery{before: one(g.r, []string{"EXISTS", "NOT EXISTS"}), q: inner}
	}
	inner.aggregated, inner.fields = true, []field{g.call("COUNT", g.number("*"))}
	count := g.call("COUNT", g.number("*"))
	return subquery{before: one(g.r, []string{" =", " <", " >=", " <>"}), v: &count, q: inner}
}
