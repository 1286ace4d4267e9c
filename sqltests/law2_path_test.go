package sqltests

import "slices"

// pathed is a query with aggregates of one path into the documents of a collection, which entries may answer.
func (g *asker) pathed() *selection {
	tables := slices.DeleteFunc(g.baseTables(), func(t relation) bool { return t.world == nil })
	t := g.alias(one(g.r, tables))
	keys := one(g.r, t.world.keys)
	var o operand = t.world.extraction(keys)
	if g.chance(50) {
		o = textOfJSON{one(g.r, []string{"->>", "->>", "JSON_UNQUOTE", "JSON_VALUE"}), t.world.extraction(keys)}
	}
	f := g.of(t.alias, field{write: o.write, class: t.world.class(o), literal: func() constant { return t.world.literalFor(o) }})
	q := &selection{from: []relation{t}}
	switch g.r.IntN(6) {
	case 0, 1:
		q.where = g.compared(f)
	case 2:
		q.where = aliased{t.alias, t.world.predicate(0)}
	}
	switch g.r.IntN(5) {
	case 0:
		q.fields, q.distinct = []field{f}, true
		return q
	case 1:
		q.aggregated = true
	default:
		q.aggregated, q.group = true, []field{f}
		shown := f
		shown.group = 1
		q.fields = []field{shown}
	}
	distinct := f
	distinct.write = func(w *writer) { w.WriteString("DISTINCT "); f.write(w) }
	aggregates := []field{g.call("COUNT", g.number("*")), g.call("COUNT", f), g.call("COUNT", distinct), g.call("MIN", f), g.call("MAX", f)}
	if t.world.columnField(keys).whole {
		aggregates = append(aggregates, g.call("SUM", f), g.call("AVG", f))
	}
	for range 1 + g.r.IntN(2) {
		q.fields = append(q.fields, one(g.r, aggregates))
	}
	if len(q.group) > 0 && g.chance(25) {
		q.having = g.compared(one(g.r, []field{f, g.call("COUNT", g.number("*"))}))
	}
	return q
}

// ends is the least or greatest value of a column in the rows that comparisons with other columns leave.
func (g *asker) ends() *selection {
	t := g.alias(one(g.r, g.baseTables()))
	q := &selection{from: []relation{t}, aggregated: true}
	q.fields = []field{g.call(one(g.r, []string{"MIN", "MAX"}), g.shown(q.from))}
	for range 1 + g.r.IntN(2) {
		f := g.column(q.from)
		c := predicate(comparison{op: one(g.r, []string{"=", "<>", "<>", ">", "<="}), a: fieldOperand{f}, b: f.literal()})
		if g.chance(20) {
			c = isNull{not: true, v: fieldOperand{f}}
		}
		if q.where == nil {
			q.where = c
		} else {
			q.where = both{one(g.r, []string{"AND", "AND", "OR"}), q.where, c}
		}
	}
	return q
}
