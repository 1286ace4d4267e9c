package law2

import (
	"strings"
)

// derived is a query that stands in FROM or is a view: rows, groups, a set operation, or the first rows of an order.
func (g *asker) derived() *selection {
	g.depth++
	defer func() { g.depth-- }()
	var q *selection
	switch n := g.r.IntN(20); {
	case n < 9:
		q = g.plain(1 + g.r.IntN(2))
	case n < 14:
		q = g.grouped()
	default:
		q = g.united()
	}
	if g.chance(35) {
		q = g.ordered(q)
	}
	q.bare = len(q.order) == 0 && g.chance(40)
	return q
}

// ofUnion is an aggregation, or the first rows in an order, of a derived table whose arms are UNION ALL.
func (g *asker) ofUnion() *selection {
	g.depth++
	united := g.united()
	g.depth--
	for i := range united.arms {
		united.arms[i].operation = "UNION ALL"
	}
	q := &selection{from: []relation{g.alias(relation{derived: united, fields: outside(united.fields)})}}
	if g.chance(40) {
		q.where = g.condition(q.from, 0)
	}
	if g.chance(50) {
		q.aggregated = true
		for range 1 + g.r.IntN(3) {
			switch g.r.IntN(4) {
			case 0:
				q.fields = append(q.fields, g.call("COUNT", g.number("*")))
			case 1:
				q.fields = append(q.fields, g.call("COUNT", g.column(q.from)))
			default:
				q.fields = append(q.fields, g.call(one(g.r, []string{"MIN", "MAX"}), g.shown(q.from)))
			}
		}
		return q
	}
	q.fields = []field{g.shown(q.from), g.shown(q.from)}
	q = g.ordered(q)
	q.limit = one(g.r, []int{1, 2, 3, 5})
	return q
}

// united is a set operation of two or three queries, some of whose columns are constants.
func (g *asker) united() *selection {
	q := g.plain(1)
	for range one(g.r, []int{1, 1, 1, 2}) {
		other := g.plain(1)
		for len(other.fields) < len(q.fields) {
			other.fields = append(other.fields, g.shown(other.from))
		}
		other.fields = other.fields[:len(q.fields)]
		if g.chance(25) {
			i := g.r.IntN(len(other.fields))
			other.fields[i] = g.constant(q.fields[i])
		}
		g.unnamed(other)
		q.arms = append(q.arms, arm{one(g.r, []string{"UNION", "UNION ALL", "UNION ALL", "INTERSECT", "EXCEPT"}), other})
	}
	if i := g.r.IntN(len(q.fields)); g.chance(25) && !q.fields[i].windowed {
		q.fields[i] = g.constant(q.fields[i])
	}
	return q
}

// again has a query select, at times, one of its fields twice.
func (g *asker) again(q *selection) {
	if g.chance(10) {
		q.fields = append(q.fields, one(g.r, q.fields))
	}
}

// unnamed takes the names off the fields of a query, at times, where nothing refers to them: several may be called the
// same then.
func (g *asker) unnamed(q *selection) {
	q.bare = q.bare || !q.named && g.chance(35)
}

// constant is what a field may be compared with, or NULL, in the place of that.
func (g *asker) constant(f field) field {
	c := f.literal()
	out := field{write: c.write, class: f.class, literal: f.literal}
	if g.chance(20) {
		out.write = func(w *writer) { w.WriteString("NULL") }
	}
	return out
}

// grouping is a condition of HAVING with a subquery over another table, which names what is grouped by or counts what
// it finds.
func (g *asker) grouping(q *selection) predicate {
	of := one(g.r, q.group)
	text := &writer{}
	of.write(text)
	if len(q.from) > 1 && (of.simpler != nil || of.derived) || strings.Contains(text.String(), "SELECT") {
		// columns of an expression of GROUP BY that are called the same, or stand in a subquery of it, are not found there
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
