package law2

import (
	"regexp"
	"slices"
	"strings"
)

// pathed is a query with aggregates of one path into the documents of a collection, which entries may answer.
func (g *asker) pathed() *selection {
	tables := slices.DeleteFunc(g.baseTables(), func(t relation) bool { return t.world == nil })
	t := g.alias(one(g.r, tables))
	keys := one(g.r, t.world.keys)
	var o operand = t.world.extraction(keys)
	if g.chance(50) {
		o = textOfJSON{one(g.r, []string{"->>", "->>", "JSON_UNQUOTE", "JSON_VALUE"}), t.world.extraction(keys)}
	}
	f := g.operandField(t, o)
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
	aggregates := []field{g.call("COUNT", g.number("*")), g.call("COUNT", f), g.call("COUNT", distinct), g.call("MIN", f),
		g.call("MAX", f)}
	if t.world.columnField(keys).whole {
		aggregates = append(aggregates, g.call("SUM", f), g.call("AVG", f))
	}
	for range 1 + g.r.IntN(2) {
		q.fields = append(q.fields, one(g.r, aggregates))
	}
	if len(q.group) == 0 && g.chance(50) { // of what another path leads to, or of a column
		q.fields = append(q.fields, g.call(one(g.r, []string{"MIN", "MAX", "COUNT"}),
			one(g.r, []field{g.path(t), g.shown(q.from)})))
	}
	if len(q.group) > 0 && g.chance(25) {
		q.having = g.compared(one(g.r, []field{f, g.call("COUNT", g.number("*"))}))
	}
	return q
}

// ends are the least or greatest values of columns, and other aggregates, in the rows that comparisons with other
// columns leave.
func (g *asker) ends() *selection {
	t := g.alias(one(g.r, g.baseTables()))
	q := &selection{from: []relation{t}, aggregated: true}
	conditions := 1 + g.r.IntN(2)
	if g.chance(50) {
		q.fields = []field{g.call(one(g.r, []string{"MIN", "MAX"}), g.shown(q.from))}
	} else {
		for range 2 + g.r.IntN(4) {
			f := g.aggregate(q.from)
			if g.chance(60) {
				f = g.call(one(g.r, []string{"MIN", "MAX", "COUNT"}), g.shown(q.from))
			}
			q.fields = append(q.fields, f)
		}
		if g.chance(40) {
			conditions = 0
		}
	}
	for range conditions {
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

var indexColumns = regexp.MustCompile(`^CREATE INDEX \w+ ON (\w+) \((.*)\)$`)

// indexed is a query with aggregates of columns that a declared index has.
func (g *asker) indexed() *selection {
	type index struct {
		table   string
		columns []string
	}
	declared := []index{{closedTable, []string{"a", "x"}}, {closedTable, []string{"s", "t"}}}
	for _, v := range g.views {
		if m := indexColumns.FindStringSubmatch(v); m != nil {
			declared = append(declared, index{m[1], strings.Split(strings.ReplaceAll(m[2], "`", ""), ", ")})
		}
	}
	idx := one(g.r, declared)
	tables := g.baseTables()
	t := g.alias(tables[slices.IndexFunc(tables, func(t relation) bool { return t.name == idx.table })])
	var fields []field
	for _, name := range idx.columns {
		if t.world != nil {
			fields = append(fields, g.of(t.alias, t.world.columnField(strings.Split(name, "."))))
			continue
		}
		fields = append(fields, one(g.r, slices.DeleteFunc(slices.Clone(t.fields), func(f field) bool {
			w := &writer{}
			f.write(w)
			return strings.Trim(w.String()[len(t.alias)+1:], "`") != name
		})))
	}
	q := &selection{from: []relation{t}}
	for range g.r.IntN(3) {
		c := g.compared(one(g.r, fields))
		if q.where != nil {
			c = both{"AND", q.where, c}
		}
		q.where = c
	}
	g.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	fields = fields[:min(len(fields), 1+g.r.IntN(3))]
	folds := slices.ContainsFunc(fields, func(f field) bool { return f.folds })
	if g.chance(25) && !folds {
		q.fields, q.distinct = fields, true
		return q
	}
	q.aggregated = true
	if g.chance(75) {
		q.group = fields[:1+g.r.IntN(len(fields))]
		for i, f := range q.group {
			if f.group = i + 1; !f.folds {
				q.fields = append(q.fields, f)
			}
		}
	}
	all := fields[0]
	all.write = func(w *writer) {
		for i, f := range fields {
			w.WriteString([]string{"DISTINCT ", ", "}[min(i, 1)])
			f.write(w)
		}
	}
	last := fields[len(fields)-1]
	aggregates := []field{g.call("COUNT", g.number("*")), g.call("COUNT", last), g.call("COUNT", all)}
	if !last.folds {
		aggregates = append(aggregates, g.call("MIN", last), g.call("MAX", last))
	}
	if last.whole {
		aggregates = append(aggregates, g.call("SUM", last), g.call("AVG", last))
	}
	for range 1 + g.r.IntN(2) {
		q.fields = append(q.fields, one(g.r, aggregates))
	}
	return q
}
