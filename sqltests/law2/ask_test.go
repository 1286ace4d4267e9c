package law2

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// asker makes random queries over a scene.
type asker struct {
	*scene
	aliases int
	with    []relation // common table expressions that may be read
	depth   int        // of subqueries
	level   int        // of conditions with subqueries in each other
	outer   []relation // sources of the queries around the subquery
	layered int        // how much more often, in percent, sources are queries
}

// alias names a relation and its fields.
func (g *asker) alias(s relation) relation {
	s.alias = fmt.Sprintf("t%d", g.aliases)
	g.aliases++
	inside := func(fields []field) []field {
		out := slices.Clone(fields)
		for i, f := range out {
			out[i].write = func(w *writer) {
				before := w.alias
				w.alias = s.alias
				f.write(w)
				w.alias = before
			}
		}
		return out
	}
	s.fields, s.key = inside(s.fields), inside(s.key)
	return s
}

// table is a random source.
func (g *asker) table() relation {
	if len(g.with) > 0 && g.chance(50) {
		return g.alias(one(g.r, g.with))
	}
	if g.layered > 0 && len(g.seen) > 0 && g.chance(g.layered) {
		return g.alias(one(g.r, g.seen))
	}
	if g.depth == 1 && g.level == 0 && g.chance(8) { // in FROM within a view or a derived table
		q := g.derived()
		return g.alias(relation{derived: q, fields: outside(q.fields)})
	}
	if g.depth > 0 { // what stands in a subquery is read for each row around it
		return g.alias(one(g.r, g.tables[:len(g.tables)-len(g.seen)]))
	}
	if g.chance(12 + g.layered) {
		q := g.derived()
		return g.alias(relation{derived: q, fields: outside(q.fields)})
	}
	return g.alias(one(g.r, g.tables))
}

// column is a random field of the sources, sometimes one that is made of others.
func (g *asker) column(from []relation) field {
	if g.chance(7) {
		return g.expression(from)
	}
	return g.plainColumn(from)
}

// plainColumn is a random field that a source has.
func (g *asker) plainColumn(from []relation) field {
	s := one(g.r, from)
	if g.chance(15) && s.world != nil { // something deeper than a column
		return g.operandField(s, s.world.operand())
	}
	return one(g.r, s.fields)
}

// operandField is a column of a collection, a path into its documents, or what is made of it.
func (g *asker) operandField(s relation, o operand) field {
	if c, ok := o.(column); ok {
		return g.of(s.alias, s.world.columnField(c.keys))
	}
	return g.of(s.alias, field{write: o.write, class: s.world.class(o), derived: true,
		literal: func() constant { return s.world.literalFor(o) }})
}

// joinable is a field to join by: often what a path leads to.
func (g *asker) joinable(from []relation) field {
	s := one(g.r, from)
	if s.world == nil || !g.chance(12) {
		return g.column(from)
	}
	var o operand = s.world.extraction(one(g.r, s.world.keys))
	if g.chance(40) {
		o = textOfJSON{one(g.r, []string{"->>", "JSON_UNQUOTE", "JSON_VALUE"}), s.world.extraction(one(g.r, s.world.keys))}
	}
	return g.operandField(s, o)
}

// of is a field of the table of that alias.
func (g *asker) of(alias string, f field) field {
	inner := f.write
	f.write = func(w *writer) {
		before := w.alias
		w.alias = alias
		inner(w)
		w.alias = before
	}
	return f
}

// shown is a field whose values are the same text wherever they are equal.
func (g *asker) shown(from []relation) field {
	for range 20 {
		if f := g.column(from); !f.folds {
			return f
		}
	}
	return field{write: func(w *writer) { w.WriteString("1") }, class: sqlNumber, whole: true, literal: g.small}
}

// summed is a field whose sum is exact.
func (g *asker) summed(from []relation) field {
	for range 40 {
		if f := one(g.r, one(g.r, from).fields); f.whole {
			return f
		}
	}
	return field{write: func(w *writer) { w.WriteString("2") }, class: sqlNumber, whole: true, literal: g.small}
}

// joined is a FROM of that many sources.
func (g *asker) joined(n int) []relation {
	from := []relation{g.table()}
	for len(from) < n {
		if n-len(from) > 1 && g.chance(35) {
			from = g.within(from)
			continue
		}
		s := g.table()
		s.join = one(g.r, []string{"JOIN", "JOIN", "JOIN", "INNER JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "CROSS JOIN",
			","})
		if s.join == "CROSS JOIN" || s.join == "," {
			if len(from) < n-1 || n > 2 { // a comma binds less than JOIN
				s.join = "JOIN"
			}
		}
		if s.join != "CROSS JOIN" && s.join != "," {
			s.on = g.on(from, s)
		}
		if len(from) == 1 && g.chance(8) {
			if name := g.common(from[0], s); name != "" {
				s.on, s.using, s.join = nil, []string{name}, one(g.r, []string{"JOIN", "LEFT JOIN", "RIGHT JOIN"})
			}
		}
		from = append(from, s)
	}
	return from
}

// common is a column that both sources have.
func (g *asker) common(a, b relation) string {
	for range 10 {
		x, y := &writer{}, &writer{}
		f := one(g.r, a.fields)
		f.write(x)
		name := strings.TrimPrefix(x.String(), a.alias+".")
		if strings.ContainsAny(name, ".\"'") {
			continue
		}
		for _, other := range b.fields {
			y.Reset()
			if other.write(y); y.String() == b.alias+"."+name {
				return name
			}
		}
	}
	return ""
}

// on is a condition that joins a source.
func (g *asker) on(from []relation, s relation) predicate {
	p := g.pair(from, s)
	switch g.r.IntN(10) {
	case 0, 1:
		p = both{"AND", p, g.pair(from, s)}
	case 2:
		p = both{"OR", p, g.pair(from, s)}
	case 3, 4:
		p = both{"AND", p, g.condition([]relation{s}, 0)}
	case 5:
		p = both{"AND", p, g.condition(from, 0)}
	case 6:
		p = both{"AND", g.condition([]relation{s}, 0), both{"AND", p, g.condition(from, 0)}}
	}
	return p
}

// pair compares a field of one side with one of the other.
func (g *asker) pair(from []relation, s relation) predicate {
	var a, b field
	for range 12 {
		a, b = g.joinable(from), g.joinable([]relation{s})
		if g.chance(35) && len(from[0].key) > 0 && len(s.key) > 0 {
			a, b = from[0].key[0], s.key[0]
		}
		if g.chance(20) && s.world != nil {
			if b = g.path(s); g.chance(30) {
				break // numbers and texts compare with JSON
			}
		}
		if a.class == b.class && a.folds == b.folds || g.chance(10) {
			break
		}
	}
	op := one(g.r, []string{"=", "=", "=", "=", "=", "=", "=", "<=>", "<", ">=", "<>"})
	if len(from) > 1 { // or there would be very many rows
		op = one(g.r, []string{"=", "=", "=", "<=>"})
	}
	p := comparison{op: op, a: fieldOperand{a}, b: fieldOperand{b}}
	if g.chance(30) {
		p.a, p.b = p.b, p.a
	}
	return p
}

// path is what a path leads to in the documents of a collection, or the text of it.
func (g *asker) path(s relation) field {
	o := operand(s.world.extraction(one(g.r, s.world.keys)))
	switch g.r.IntN(6) {
	case 0, 1:
		o = textOfJSON{one(g.r, []string{"->>", "->>", "JSON_UNQUOTE", "JSON_VALUE"}), o.(extraction)}
	case 2:
		o = returnedJSON{o.(extraction), one(g.r, []string{"SIGNED", "DECIMAL(20,3)", "CHAR"})}
	}
	return g.of(s.alias, field{write: o.write, class: s.world.class(o),
		literal: func() constant { return s.world.literalFor(o) }})
}

// condition is a random condition on the sources.
func (g *asker) condition(from []relation, depth int) predicate {
	if depth > 0 {
		switch g.r.IntN(6) {
		case 0, 1:
			return both{"AND", g.condition(from, depth-1), g.condition(from, depth-1)}
		case 2:
			return both{"OR", g.condition(from, depth-1), g.condition(from, depth-1)}
		case 3:
			return negation{g.condition(from, depth-1)}
		}
	}
	s := one(g.r, from)
	switch n := g.r.IntN(20); {
	case n < 2 && (g.depth == 0 || g.level == 1 && g.chance(50)):
		return g.subquery(from)
	case n == 2:
		return g.rows(from)
	case n < 4 && len(from) > 1:
		return g.pair(from, one(g.r, from))
	case n < 14 && s.world != nil:
		return aliased{s.alias, s.world.predicate(g.r.IntN(2))}
	}
	if g.chance(15) {
		return g.compared(g.expression(from))
	}
	if g.chance(4) && (g.depth == 0 || g.level == 1 && g.chance(30)) {
		return g.compared(g.scalar(from))
	}
	return g.compared(one(g.r, s.fields))
}

// compared is a condition on a field.
func (g *asker) compared(f field) predicate {
	o := fieldOperand{f}
	switch g.r.IntN(9) {
	case 0:
		return isNull{not: g.chance(50), v: o}
	case 1:
		return between{not: g.chance(25), v: o, lo: f.literal(), hi: f.literal()}
	case 2, 3:
		p := in{not: g.chance(25), v: o}
		for range 1 + g.r.IntN(4) {
			p.list = append(p.list, f.literal())
		}
		return p
	}
	return comparison{op: one(g.r, comparisons), a: o, b: f.literal()}
}

// subquery is a condition with a subquery, which often names the sources around it.
func (g *asker) subquery(from []relation) predicate {
	q, inner, leave := g.inside(from)
	defer leave()
	if g.chance(35) {
		q.fields = []field{g.number("1")}
		return subquery{before: one(g.r, []string{"EXISTS", "NOT EXISTS"}), q: q}
	}
	v := g.column(from)
	f := g.column(inner)
	for range 10 {
		if f.class == v.class && f.folds == v.folds {
			break
		}
		f = g.column(inner)
	}
	q.fields = []field{f}
	switch g.r.IntN(6) {
	case 5:
		g.widen(q, inner)
		return subquery{before: one(g.r, []string{" = ANY", " < ANY", " >= ALL", " <> ALL", " > SOME"}), v: &v, q: q}
	case 0, 1, 2:
		g.widen(q, inner)
		return subquery{before: one(g.r, []string{" IN", " IN", " NOT IN"}), v: &v, q: q}
	case 3:
		count := g.number(strconv.Itoa(g.r.IntN(3)))
		q.fields = []field{g.call("COUNT", g.number("*"))}
		return subquery{before: one(g.r, []string{" =", " <", " >="}), v: &count, q: q}
	}
	q.fields = []field{g.call(one(g.r, []string{"MIN", "MAX"}), f)}
	if last, ok := keys(inner); ok && g.chance(40) { // the value of a row, as its column has it
		q.fields = []field{f}
		for _, k := range last {
			q.order = append(q.order, sortKey{by: k, desc: false})
		}
		q.total, q.limit = true, 1
	}
	return subquery{before: " " + one(g.r, []string{"=", "<", ">=", "<=>", "<>"}), v: &v, q: q}
}

// number is a field that is always the same.
func (g *asker) number(text string) field {
	return field{write: func(w *writer) { w.WriteString(text) }, class: sqlNumber, whole: true, literal: g.small}
}

// call is a function of fields.
func (g *asker) call(name string, args ...field) field {
	out := args[0]
	out.group, out.simpler = 0, nil
	if inner := args[0].simpler; inner != nil {
		out.simpler = func() []field {
			var all []field
			for _, s := range inner() {
				all = append(all, g.call(name, append([]field{s}, args[1:]...)...))
			}
			return all
		}
	}
	out.write = func(w *writer) {
		w.WriteString(name + "(")
		for i, a := range args {
			if i > 0 {
				w.WriteString(", ")
			}
			a.write(w)
		}
		w.WriteString(")")
	}
	if name != "MIN" && name != "MAX" {
		out.class, out.folds, out.literal = sqlNumber, false, g.small
	}
	return out
}
