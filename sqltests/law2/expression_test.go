package law2

import (
	"fmt"
	"slices"
	"strings"
)

// made is a field that is made of others. While a failure is made smaller they are tried instead of it.
func made(class sqlClass, pieces []field, write func(w *writer)) field {
	f := field{class: class, write: write, literal: pieces[0].literal}
	if f.literal != nil { // the pieces are fields that stand for themselves
		f.simpler = func() []field { return pieces }
	}
	for _, p := range pieces {
		f.folds = f.folds || p.folds
		f.loose = f.loose || p.loose
	}
	return f
}

// template is a field whose text has a % for each piece.
func template(class sqlClass, text string, pieces ...field) field {
	parts := strings.Split(text, "%")
	return made(class, pieces, func(w *writer) {
		for i, p := range parts {
			if i > 0 {
				pieces[i-1].write(w)
			}
			w.WriteString(p)
		}
	})
}

// having is a field of the sources that has a property, if a few tries find one.
func (g *asker) having(from []relation, is func(f field) bool) (field, bool) {
	for range 12 {
		if f := g.plainColumn(from); is(f) {
			return f, true
		}
	}
	return field{}, false
}

// expression is a field made of others: a choice, arithmetic, a function, or a condition.
func (g *asker) expression(from []relation) field {
	switch n := g.r.IntN(20); {
	case n < 5:
		return g.choice(from)
	case n < 9:
		if f, ok := g.having(from, func(f field) bool { return f.class == sqlNumber && f.whole }); ok {
			return g.arithmetic(f)
		}
	case n < 13:
		if f, ok := g.having(from, func(f field) bool { return f.class == sqlText }); ok {
			return g.textual(f)
		}
	case n < 15:
		if f, ok := g.having(from, func(f field) bool { return f.class == sqlTime }); ok {
			return g.temporal(f)
		}
	case n < 17:
		if s := one(g.r, from); s.world != nil { // of other columns it would be an error for values that are no JSON
			o := s.world.extraction(one(g.r, s.world.keys))
			return g.ofJSON(g.of(s.alias, field{write: o.write}))
		}
	}
	p := g.condition(from, 0)
	f := g.number("")
	f.write = func(w *writer) {
		w.WriteString("(")
		is{p, false, yes}.write(w)
		w.WriteString(")")
	}
	f.simpler = func() []field { return []field{g.number("1")} }
	return f
}

// choice is CASE, IF, COALESCE and their like over two fields of one class.
func (g *asker) choice(from []relation) field {
	a := g.plainColumn(from)
	b, ok := g.having(from, func(f field) bool { return f.class == a.class && f.folds == a.folds })
	if !ok {
		b = a
	}
	literal := a.literal()
	constant := field{class: a.class, write: literal.write, literal: a.literal}
	p := g.compared(g.plainColumn(from))
	var f field
	switch g.r.IntN(8) {
	case 0:
		f = template(a.class, "COALESCE(%, %)", a, b)
	case 1:
		f = template(a.class, "IFNULL(%, %)", a, constant)
	case 2:
		f = template(a.class, "NULLIF(%, %)", a, constant)
	case 3:
		f = template(a.class, one(g.r, []string{"GREATEST(%, %)", "LEAST(%, %)"}), a, b)
	case 4:
		f = template(a.class, "CASE % WHEN % THEN % END", a, constant, b)
	default:
		form := one(g.r, [][3]string{{"CASE WHEN ", " THEN ", " ELSE "}, {"IF(", ", ", ", "}})
		f = made(a.class, []field{a, b}, func(w *writer) {
			w.WriteString(form[0])
			p.write(w)
			w.WriteString(form[1])
			a.write(w)
			w.WriteString(form[2])
			b.write(w)
			w.WriteString(map[bool]string{true: ")", false: " END"}[form[0] == "IF("])
		})
	}
	f.whole = a.whole && b.whole && a.class == sqlNumber
	return f
}

// arithmetic is a calculation that stays small and exact.
func (g *asker) arithmetic(a field) field {
	f := template(sqlNumber, one(g.r, []string{"(% + 1)", "(% * 3)", "(-%)", "(% - 7)", "(2 - %)", "(% DIV 2)",
		"MOD(%, 4)", "ABS(%)", "SIGN(%)", "ROUND(%)", "CAST(% AS SIGNED)"}), a)
	f.whole, f.literal = true, g.small
	return f
}

// textual is a function of a text.
func (g *asker) textual(a field) field {
	if g.chance(30) {
		f := template(sqlNumber, one(g.r, []string{"LENGTH(%)", "CHAR_LENGTH(%)", "ASCII(%)", "LOCATE('a', %)",
			"STRCMP(%, 'b')"}), a)
		f.whole, f.literal = true, g.small
		return f
	}
	f := template(sqlText, one(g.r, []string{"UPPER(%)", "LOWER(%)", "CONCAT(%, 'a')", "CONCAT('', %)", "LEFT(%, 1)",
		"SUBSTRING(%, 2)", "TRIM(%)", "RTRIM(%)", "REVERSE(%)", "REPLACE(%, 'a', 'b')", "CAST(% AS CHAR)",
		"CONCAT_WS('-', %, NULL, 'x')"}), a)
	f.literal = func() constant { return textLiteral(g.text()) }
	return f
}

// temporal is a function of a date or a time.
func (g *asker) temporal(a field) field {
	if g.chance(50) {
		f := template(sqlNumber, one(g.r, []string{"YEAR(%)", "MONTH(%)", "DAYOFMONTH(%)", "DAYOFWEEK(%)",
			"DATEDIFF(%, '2024-01-01')", "DATEDIFF('2024-02-29', %)", "EXTRACT(YEAR FROM %)", "QUARTER(%)"}), a)
		f.literal = func() constant {
			return numberLiteral(one(g.r, []string{"2024", "1999", "1", "12", "31", "0", "2023"}))
		}
		return f
	}
	return template(sqlTime, one(g.r, []string{"DATE(%)", "DATE_ADD(%, INTERVAL 1 DAY)", "DATE_SUB(%, INTERVAL 1 MONTH)",
		"(% + INTERVAL 1 DAY)", "(% + INTERVAL 13 MONTH)", "(% - INTERVAL 2 YEAR)", "(% - INTERVAL 1 HOUR)", "LAST_DAY(%)"}),
		a)
}

// ofJSON is a function of a part of a document.
func (g *asker) ofJSON(a field) field {
	if g.chance(50) {
		f := template(sqlNumber, one(g.r, []string{"JSON_LENGTH(%)", "JSON_VALID(%)"}), a)
		f.whole, f.literal = true, g.small
		return f
	}
	f := template(sqlText, one(g.r, []string{"JSON_TYPE(%)", "CAST(% AS CHAR)"}), a)
	f.literal = func() constant { return textLiteral(one(g.r, []string{"STRING", "ARRAY", "INTEGER", "a", "1", "[]"})) }
	return f
}

// scalar is a subquery that is a value: an aggregate, or a value of the first row of an order without doubt.
func (g *asker) scalar(from []relation) field {
	q, inner, leave := g.inside(from)
	defer leave()
	var f field
	last, ok := keys(inner)
	switch {
	case ok && g.chance(40):
		f = g.shown(inner)
		q.order = append(q.order, sortKey{by: g.plainColumn(inner), desc: g.chance(50)})
		for _, k := range last {
			q.order = append(q.order, sortKey{by: k, desc: g.chance(30)})
		}
		q.total, q.limit = true, 1
		if g.chance(20) {
			q.offset = 1
		}
	case g.chance(40):
		f = g.call("COUNT", g.number("*"))
	case g.chance(30):
		f = g.call("SUM", g.summed(inner))
	default:
		f = g.call(one(g.r, []string{"MIN", "MAX"}), g.shown(inner))
	}
	q.aggregated = q.limit == 0
	q.fields = []field{f}
	out := field{class: f.class, whole: f.whole, loose: true, literal: f.literal, write: func(w *writer) {
		before := w.alias
		w.alias = ""
		w.WriteString("(")
		q.write(w)
		w.WriteString(")")
		w.alias = before
	}}
	out.simpler = func() []field {
		var all []field
		for _, s := range q.simpler() {
			if s.limit != q.limit || len(s.fields) != 1 { // of several rows there is an error, where it is looked at
				continue
			}
			c := out
			c.write = func(w *writer) { w.WriteString("("); s.write(w); w.WriteString(")") }
			c.simpler = nil
			all = append(all, c)
		}
		return all
	}
	return out
}

// inside begins a subquery of one source, which often names the sources around it. leave ends it.
func (g *asker) inside(from []relation) (q *selection, inner []relation, leave func()) {
	outer := g.outer
	g.depth++
	g.level++
	leave = func() {
		g.depth--
		g.level--
		g.outer = outer
	}
	g.outer = append(slices.Clone(outer), from...)
	inner = g.joined(1)
	if g.chance(12) {
		inner = append(inner, g.lateral(from, inner))
	}
	q = &selection{from: inner}
	if g.chance(70) {
		q.where = g.condition(inner, 1)
	}
	if g.chance(60) {
		p := g.pair([]relation{one(g.r, from)}, one(g.r, inner))
		if len(outer) > 0 && g.chance(60) { // of the query around the query around it
			p = g.pair([]relation{one(g.r, outer)}, one(g.r, inner))
		}
		if q.where != nil {
			p = both{"AND", p, q.where}
		}
		q.where = p
	}
	return q, inner, leave
}

// lateral is a LATERAL derived table behind the sources of a subquery, which names one of them, and often one around
// it.
func (g *asker) lateral(from, before []relation) relation {
	t := []relation{g.alias(one(g.r, g.baseTables()))}
	q := &selection{from: t, fields: []field{g.plainColumn(t), g.plainColumn(t)},
		where: g.pair([]relation{one(g.r, before)}, t[0])}
	if g.chance(50) {
		q.where = both{"AND", q.where, g.pair([]relation{one(g.r, from)}, t[0])}
	}
	l := g.alias(relation{derived: q, lateral: true, fields: outside(q.fields)})
	if l.join = one(g.r, []string{",", "JOIN", "LEFT JOIN"}); l.join != "," {
		l.on = g.compared(one(g.r, l.fields))
	}
	return l
}

// recursive is a common table expression that reads itself: rows, and those that their values lead to.
func (g *asker) recursive(name string) relation {
	start := g.alias(one(g.r, g.baseTables()))
	step := g.alias(one(g.r, g.baseTables()))
	f := g.shown([]relation{start})
	from, ok := g.having([]relation{step}, func(c field) bool { return c.class == f.class && !c.folds })
	to, found := g.having([]relation{step}, func(c field) bool { return c.class == f.class && c.folds == f.folds })
	if !ok || !found {
		from, to = f, f
		step = start
	}
	self := g.alias(relation{name: name, selfRead: true})
	depth := g.number("1")
	next := g.number(self.alias + ".c1 + 1")
	step.join = "JOIN"
	step.on = both{"AND", comparison{op: "=", a: fieldOperand{to}, b: fieldOperand{g.number(self.alias + ".c0")}},
		comparison{op: "<", a: fieldOperand{g.number(self.alias + ".c1")}, b: numberLiteral(fmt.Sprint(2 + g.r.IntN(2)))}}
	q := &selection{from: []relation{start}, fields: []field{f, depth}}
	if g.chance(60) {
		q.where = g.condition(q.from, 0)
	}
	rest := &selection{from: []relation{self, step}, fields: []field{from, next}}
	if g.chance(40) {
		rest.where = g.condition([]relation{step}, 0)
	}
	q.arms = []arm{{"UNION", rest}}
	return relation{name: name, derived: q, recursive: true, fields: outside(q.fields)}
}

// widen makes a subquery of one field one that has groups, a set operation, or distinct rows.
func (g *asker) widen(q *selection, inner []relation) {
	f := q.fields[0]
	switch n := g.r.IntN(10); {
	case n == 0:
		q.group, q.aggregated = []field{f}, true
		if g.chance(60) {
			q.having = g.havingCondition(q)
		}
	case n == 1:
		q.distinct = true
	case n == 2:
		other := g.alias(one(g.r, g.baseTables()))
		from := []relation{other}
		second, ok := g.having(from, func(o field) bool { return o.class == f.class && o.folds == f.folds })
		if !ok {
			from, second = inner, f
		}
		p := g.condition(from, 0)
		q.arms = []arm{{one(g.r, []string{"UNION", "UNION ALL"}), &selection{from: from, fields: []field{second}, where: p}}}
	}
}
