package law2

import (
	"slices"
)

// rowComparison compares several fields with as many operands: (a, b) > (1, 2).
type rowComparison struct {
	op   string
	a, b []operand
}

func (p rowComparison) write(w *writer) {
	w.WriteString("(")
	w.list(p.a)
	w.WriteString(") " + p.op + " (")
	w.list(p.b)
	w.WriteString(")")
}

func (rowComparison) holds(rowModel) tri { panic(errNotModelled) }

func (p rowComparison) simpler() []predicate {
	var out []predicate
	for i := range p.a {
		out = append(out, comparison{op: p.op, a: p.a[i], b: p.b[i]})
		if len(p.a) > 2 {
			out = append(out, rowComparison{p.op, slices.Delete(slices.Clone(p.a), i, i+1),
				slices.Delete(slices.Clone(p.b), i, i+1)})
		}
	}
	return out
}

// rowIn is (a, b) IN ((1, 2), (3, 4)).
type rowIn struct {
	not  bool
	v    []operand
	list [][]operand
}

func (p rowIn) write(w *writer) {
	w.WriteString("(")
	w.list(p.v)
	w.WriteString(")" + negated(p.not, " IN ") + "(")
	for i, row := range p.list {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString("(")
		w.list(row)
		w.WriteString(")")
	}
	w.WriteString(")")
}

func (rowIn) holds(rowModel) tri { panic(errNotModelled) }

func (p rowIn) simpler() []predicate {
	var out []predicate
	for i := range p.list {
		if len(p.list) > 1 {
			out = append(out, rowIn{p.not, p.v, slices.Delete(slices.Clone(p.list), i, i+1)})
		}
	}
	if len(p.list) == 1 && !p.not {
		out = append(out, rowComparison{"=", p.v, p.list[0]})
	}
	return out
}

// rows is a condition on several fields of the sources together.
func (g *asker) rows(from []relation) predicate {
	var v []operand
	var fields []field
	for range one(g.r, []int{2, 2, 2, 3}) {
		f := g.column(from)
		fields, v = append(fields, f), append(v, fieldOperand{f})
	}
	literals := func() []operand {
		var out []operand
		for _, f := range fields {
			out = append(out, f.literal())
		}
		return out
	}
	if g.chance(40) {
		p := rowIn{not: g.chance(25), v: v}
		for range 1 + g.r.IntN(4) {
			p.list = append(p.list, literals())
		}
		return p
	}
	p := rowComparison{op: one(g.r, comparisons), a: v, b: literals()}
	if len(from) > 1 && g.chance(40) { // between two tables
		p.op = one(g.r, []string{"=", "=", "<=>", "<", ">="})
		for i := range p.b {
			p.b[i] = fieldOperand{g.column(from)}
		}
	}
	return p
}

// within puts two sources in parentheses: a LEFT JOIN (b RIGHT JOIN c ON …) ON ….
func (g *asker) within(from []relation) []relation {
	x, y := g.table(), g.table()
	kinds := []string{"JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN"}
	x.join, x.open = one(g.r, kinds), true
	y.join, y.closes = one(g.r, kinds), true
	y.on = g.on([]relation{x}, y)
	y.after = g.on(from, one(g.r, []relation{x, y}))
	return append(from, x, y)
}

// simplerGroups lists FROMs without the parentheses at one place.
func simplerGroups(from []relation) [][]relation {
	var out [][]relation
	for i := range from {
		if !from[i].open || i == 0 {
			continue
		}
		end := i
		for !from[end].closes {
			end++
		}
		out = append(out, slices.Delete(slices.Clone(from), i, end+1))
		for _, p := range from[end].after.simpler() {
			c := slices.Clone(from)
			c[end].after = p
			out = append(out, c)
		}
		one := slices.Clone(from)
		one[i].on, one[i].open = from[end].after, false
		out = append(out, slices.Delete(one, end, end+1))
	}
	return out
}
