package law2

import (
	"fmt"
	"slices"
	"strings"
)

// flagged asks for the rows of a query with its condition, and for all of them with whether it is true of each.
func (a *examiner) flagged(s question) string {
	got, _, d := a.bothWays(s, s.q)
	if d != "" || isTimeout(got.error) {
		return d
	}
	c := *s.q
	if len(s.q.group) > 0 {
		c.having = nil
	} else {
		c.where = nil
	}
	c.fields = append(slices.Clone(c.fields), field{write: is{s.q.condition(), false, yes}.write})
	whole := a.without(s, &c)
	if whole.code != "" {
		return ""
	}
	whole.rows = trueRows(whole.rows)
	if got.code == "" && sameAnswer(s.q, equalNumbers(got.rows), equalNumbers(whole.rows)) {
		return ""
	}
	return fmt.Sprintf("%s;\n%s\nnot those of which it is true in\n%s;\n%s", got.text, got.shown(), whole.text,
		whole.shown())
}

// condition is that of the groups, or of the rows where there are none.
func (q *selection) condition() predicate {
	if len(q.group) > 0 {
		return q.having
	}
	return q.where
}

// trueRows are the rows whose last field is 1, without it.
func trueRows(rows []string) []string {
	var out []string
	for _, r := range rows {
		if rest, ok := strings.CutSuffix(r, " | 1"); ok {
			out = append(out, rest)
		}
	}
	return out
}

// touched compares the documents that an UPDATE or a DELETE changes with those of which its condition is true.
func (a *examiner) touched(s question) string {
	key := s.q.from[0].key
	fields := func(w *writer) {
		for i, k := range key {
			if i > 0 {
				w.WriteString(", ")
			}
			k.write(w)
		}
	}
	flagged := &selection{from: s.q.from, fields: append(slices.Clone(key), field{write: is{s.q.where, false, yes}.write})}
	whole := a.without(s, flagged)
	every := a.without(s, &selection{from: s.q.from[:1], fields: key})
	if whole.code != "" || every.code != "" {
		return ""
	}
	want := slices.Compact(slices.Sorted(slices.Values(trueRows(whole.rows))))
	look := "SELECT "
	out := &writer{}
	fields(out)
	look += out.String() + " FROM " + firstTable
	if s.set == "" { // those that are left
		want = slices.DeleteFunc(slices.Sorted(slices.Values(every.rows)),
			func(r string) bool { return slices.Contains(want, r) })
	} else {
		look += " WHERE _doc->'$.touched' = 1"
	}
	text, args := s.text(func(w *writer) {
		from := &writer{}
		for i, r := range s.q.from {
			r.write(from, i == 0)
		}
		tables := strings.TrimPrefix(from.String(), " FROM ")
		switch {
		case s.set != "":
			w.WriteString("UPDATE " + tables + " SET " + s.set)
		case len(s.q.from) > 1:
			w.WriteString("DELETE " + firstTable + " FROM " + tables)
		default:
			w.WriteString("DELETE FROM " + firstTable)
		}
		w.WriteString(" WHERE ")
		s.q.where.write(w)
	})
	for _, index := range []string{"ON", "OFF"} {
		a.set(index)
		got := a.change(text, args, look)
		a.set("ON")
		// What a condition makes a date of without being one is told of what changes rows, and a warning of a SELECT.
		if isTimeout(got.error) || strings.HasPrefix(got.code, "ERROR 1292") {
			return ""
		}
		rows := slices.Sorted(slices.Values(slices.DeleteFunc(slices.Clone(got.rows),
			func(r string) bool { return strings.HasSuffix(r, " rows affected") })))
		if got.code != "" || !slices.Equal(rows, want) {
			return fmt.Sprintf("%s;\nindex %s  leaves or touches %s\nand not  %s\nas in\n%s;", text, index,
				result{rows: rows, code: got.code, error: got.error}.shown(), shown(want), whole.text)
		}
	}
	return ""
}

// all is what holds if each of the conditions does; nil if there is none.
func all(conditions []predicate) predicate {
	var p predicate
	for i, c := range conditions {
		if p = c; i > 0 {
			p = both{"AND", all(conditions[:i]), c}
		}
	}
	return p
}

// pivoted picks a row of the sources, finds out which of the conditions are true of it, false or NULL, and demands that
// the row is found by all of them, made true. It is empty where there is no such row.
func (a *examiner) pivoted(s question) string {
	var keys []predicate
	var fields []field
	var row []string
	apart, together := slices.Clone(s.q.from), slices.Clone(s.q.from)
	for i, t := range s.q.from {
		q := &selection{from: []relation{t}, fields: t.key, limit: 1, offset: s.places[i]}
		for _, k := range t.key {
			q.order = append(q.order, sortKey{by: k, desc: false})
		}
		fields = append(fields, t.key...)
		found := a.without(s, q)
		if len(found.rows) == 0 {
			return ""
		}
		for j, v := range strings.Split(found.rows[0], " | ") {
			keys = append(keys, comparison{op: "=", a: fieldOperand{t.key[j]}, b: textLiteral(v)})
			row = append(row, v)
		}
		apart[i].join, apart[i].on = ",", nil
		together[i].join = "JOIN"
	}
	values := &selection{from: apart, where: all(keys)}
	for _, c := range s.conditions {
		values.fields = append(values.fields, field{write: is{c, false, yes}.write},
			field{write: is{negation{c}, false, yes}.write})
	}
	truth := a.without(s, values)
	if len(truth.rows) != 1 {
		return ""
	}
	var made []predicate
	for i, v := range strings.Split(truth.rows[0], " | ") {
		switch c := s.conditions[i/2]; {
		case i%2 == 0 && v == "1":
			made = append(made, c)
		case i%2 == 1 && v == "1":
			made = append(made, negation{c})
		case i%2 == 1 && len(made) <= i/2:
			made = append(made, truthIsNull{c})
		}
	}
	q := &selection{from: together, fields: fields, where: all(made)}
	if len(together) > 1 {
		half := len(made) / 2
		together[1].on, q.where = all(made[:half+1]), all(made[half+1:])
	}
	got, _, d := a.bothWays(s, q)
	if d != "" || isTimeout(got.error) || got.code == "" && slices.Contains(got.rows, strings.Join(row, " | ")) {
		return d
	}
	return fmt.Sprintf("%s;\n%s\ndoes not find %s, of which all is true:\n%s;\n%s", got.text, got.shown(),
		strings.Join(row, " | "), truth.text, truth.shown())
}

// without is the answer without the index.
func (a *examiner) without(s question, q *selection) result {
	text, args := s.text(q.write)
	a.set("OFF")
	defer a.set("ON")
	return a.query(text, args)
}

// crossing is a random question whose answer another kind of statement tells.
func (g *asker) crossing() question {
	g.layered = 30
	var s question
	switch n := g.r.IntN(100); {
	case n < 28:
		s.kind, s.q = flaggedKind, g.plain(one(g.r, []int{1, 1, 1, 2, 2}))
		if g.chance(20) {
			for s.q = g.grouped(); len(s.q.group) == 0; s.q = g.grouped() {
			}
			s.q.having = g.havingCondition(s.q)
		} else {
			s.q.distinct, s.q.where = false, g.condition(s.q.from, g.r.IntN(3))
		}
		s.q.fields = slices.DeleteFunc(s.q.fields, func(f field) bool { return f.windowed })
		if len(s.q.fields) == 0 {
			s.q.fields = []field{g.number("1")}
		}
	case n < 45:
		g.layered = 0
		s.kind = touchedKind
		s.set = one(g.r, []string{"", firstTable + "._doc = JSON_SET(" + firstTable + "._doc, '$.touched', 1)"})
		t := g.tables[0]
		t.alias = t.name
		of := func(fields []field) []field {
			out := slices.Clone(fields)
			for i, f := range out {
				out[i] = g.of(t.name, f)
			}
			return out
		}
		t.key, t.fields = of(t.key), of(t.fields)
		s.q = &selection{from: []relation{t}}
		if g.chance(30) {
			to := g.table()
			to.join, to.on = one(g.r, []string{"JOIN", "LEFT JOIN"}), g.on(s.q.from, to)
			s.q.from = append(s.q.from, to)
		}
		s.q.where = g.condition(s.q.from, g.r.IntN(3))
	case n < 72:
		s.kind, s.q = pivotKind, &selection{}
		for range one(g.r, []int{1, 1, 2}) {
			s.q.from = append(s.q.from, g.alias(one(g.r, g.baseTables())))
			s.places = append(s.places, g.r.IntN(40))
		}
		if g.r.IntN(2) == 0 {
			s.places[0] = g.r.IntN(3)
		}
		for range 2 + g.r.IntN(4) {
			c := g.condition(s.q.from, g.r.IntN(2))
			if len(s.q.from) > 1 && g.chance(40) {
				c = g.pair(s.q.from[:1], s.q.from[1])
			}
			s.conditions = append(s.conditions, c)
		}
	case n < 88:
		s.kind, s.q = variedKind, g.plain(one(g.r, []int{1, 2, 2, 3}))
		if g.chance(25) {
			s.q = g.grouped()
		}
		s.variants = g.variants(s.q)
	default:
		s.kind, s.q = boundKind, g.query()
	}
	return s
}
