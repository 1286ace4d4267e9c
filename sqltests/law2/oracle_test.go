package law2

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// A statement took longer than a transaction may: no answer, but nothing wrong.
	tooOld = "has outlived"
	// A field that the row doesn't have.
	lostField = "unable to find field with index"
	// An alias taken for a column of FROM: what is asked names none.
	misusedAlias = "there is an alias defined"
)

// differs asks a question with the index and without, and examines the answers. It is empty
// if nothing is wrong with them.
func (a *examiner) differs(s question) string {
	a.panicked = ""
	d := a.examined(s)
	if d == "" && a.panicked != "" {
		return "a panic\n" + a.panicked
	}
	return d
}

func (a *examiner) examined(s question) string {
	switch s.kind {
	case rankedKind:
		return a.ranked(s)
	case partitionKind, havingKind:
		return a.parted(s)
	case totalsKind:
		return a.totals(s)
	case referenceKind:
		return a.reference(s)
	case joinedKind:
		return a.joined(s)
	case flaggedKind:
		return a.flagged(s)
	case touchedKind:
		return a.touched(s)
	case pivotKind:
		return a.pivoted(s)
	case variedKind:
		return a.varied(s)
	case boundKind:
		return a.bound(s)
	}
	_, _, d := a.bothWays(s, s.q)
	return d
}

// isOfRow reports whether an error is of a row's value, which a statement meets only if it reads the row: a view
// may hold a condition on an array that is a number by now.
func isOfRow(code string) bool {
	return strings.HasPrefix(code, "ERROR 3146") || strings.HasPrefix(code, "ERROR 1690")
}

// bothWays runs a query with the index and without.
func (a *examiner) bothWays(s question, q *selection) (on, off result, difference string) {
	text, args := s.text(q.write)
	run := func() result { return a.query(text, args) }
	switch s.kind {
	case insertKind:
		columns := make([]string, len(q.fields))
		for i := range columns {
			columns[i] = fmt.Sprintf("x%d", i)
		}
		into := "INSERT INTO " + targetTable + " (" + strings.Join(columns, ", ") + ") " + text
		run = func() result {
			return a.change(into, args, "SELECT "+strings.Join(columns, ", ")+" FROM "+targetTable)
		}
	case updateKind, deleteKind:
		text, args = s.text(s.writeChange)
		run = func() result { return a.change(text, args, "SELECT _id, _doc FROM "+firstTable) }
	}
	a.set("OFF")
	off = run()
	a.set("ON")
	on = run()
	if d := a.kept(s, q, on, run); d != "" {
		return on, off, d
	}
	if s.kind == insertKind || s.kind == updateKind || s.kind == deleteKind { // the rows that are looked at have no order
		unordered := *q
		unordered.total = false
		q = &unordered
	}
	switch {
	case isTimeout(on.error + off.error), isOfRow(on.code) != isOfRow(off.code):
		return on, off, ""
	case strings.Contains(on.error+off.error, lostField):
		difference = "a field that the row doesn't have"
	case strings.Contains(on.error+off.error, misusedAlias):
		difference = "an alias that is not meant"
	case on.code != off.code:
		difference = "not the same error"
	case on.code == "" && on.types != off.types:
		difference = "not the same types: " + on.types + "with the index, " + off.types + "without"
	case on.code == "" && !sameAnswer(q, on.rows, off.rows):
		difference = "not the same rows"
	default:
		return on, off, ""
	}
	return on, off, fmt.Sprintf("%s;\n%s\nindex ON   %s\nindex OFF  %s", on.text, difference, on.shown(), off.shown())
}

// keptShare is of how many questions one is asked again, from a program.
const keptShare = 4

// kept runs some of the questions again, twice: from a program, if they have one by now, and by what that has found
// out.
func (a *examiner) kept(s question, q *selection, on result, run func() result) (difference string) {
	if a.asked++; a.asked%keptShare != 0 || isTimeout(on.error) {
		return ""
	}
	if s.kind == insertKind || s.kind == updateKind || s.kind == deleteKind {
		unordered := *q
		unordered.total = false
		q = &unordered
	}
	for range 2 {
		again := run()
		switch {
		case isTimeout(again.error):
		case on.code != again.code, on.code == "" && (on.types != again.types || !sameAnswer(q, on.rows, again.rows)):
			return fmt.Sprintf("%s;\nnot the same again\nfirst  %s\nagain  %s", on.text, on.shown(), again.shown())
		}
	}
	return ""
}

func (r result) shown() string {
	if r.code != "" {
		return r.error
	}
	return fmt.Sprintf("%d rows: %s", len(r.rows), shown(slices.Concat(r.rows)))
}

// writeChange writes an UPDATE or DELETE.
func (s question) writeChange(w *writer) {
	if s.kind == updateKind {
		w.WriteString("UPDATE " + firstTable + " SET " + s.set + " WHERE ")
	} else {
		w.WriteString("DELETE FROM " + firstTable + " WHERE ")
	}
	s.q.where.write(w)
	if s.q.limit > 0 {
		s.q.writeOrder(w)
	}
}

// ranked examines an order with ties. Two orders of all rows, which break ties either way,
// tell which rows are tied.
func (a *examiner) ranked(s question) string {
	orders := [2]result{}
	a.set("OFF")
	for i := range orders {
		all := *s.q
		all.limit, all.offset = 0, 0
		for _, k := range s.q.from[0].key {
			all.order = append(slices.Clone(all.order), sortKey{by: k, desc: i == 1})
		}
		text, args := s.text(all.write)
		orders[i] = a.query(text, args)
		orders[i].rows = equalNumbers(orders[i].rows)
	}
	if orders[0].code != "" || orders[1].code != "" {
		return ""
	}
	place := map[string]int{}
	for i, r := range orders[1].rows {
		place[r] = i
	}
	rank, n := map[string]int{}, 0
	for i, r := range orders[0].rows {
		if i > 0 && place[r] > place[orders[0].rows[i-1]] {
			n++
		}
		rank[r] = n
	}
	from := min(s.q.offset, len(orders[0].rows))
	to := len(orders[0].rows)
	if s.q.limit > 0 {
		to = min(to, from+s.q.limit)
	}
	want := orders[0].rows[from:to]
	text, args := s.text(s.q.write)
	for _, index := range []string{"ON", "OFF"} {
		a.set(index)
		got := a.query(text, args)
		if strings.Contains(got.error, tooOld) {
			return ""
		}
		got.rows = equalNumbers(got.rows)
		wrong := got.code != "" || len(got.rows) != len(want)
		seen := map[string]bool{}
		for i := 0; !wrong && i < len(want); i++ {
			at, ok := rank[got.rows[i]]
			wrong = !ok || at != rank[want[i]] || seen[got.rows[i]]
			seen[got.rows[i]] = true
		}
		if wrong {
			a.set("ON")
			return fmt.Sprintf("%s;\nnot in this order\nindex %s  %s\na possible answer  %s", text, index, got.shown(),
				shown(want))
		}
	}
	a.set("ON")
	return ""
}

// parts are conditions of which one holds for each row.
func parts(p predicate) []predicate { return []predicate{p, negation{p}, truthIsNull{p}} }

// truthIsNull is p IS NULL.
type truthIsNull struct{ predicate }

func (p truthIsNull) write(w *writer) {
	writeTruth(w, p.predicate)
	w.WriteString(" IS NULL")
}

// parted asks for all rows, and for those for which the condition is true, false and NULL.
func (a *examiner) parted(s question) string {
	with := func(p predicate) *selection {
		c := *s.q
		if s.kind == havingKind {
			c.having = p
		} else {
			c.where = p
		}
		return &c
	}
	all, _, d := a.bothWays(s, with(nil))
	if d != "" || all.code != "" {
		return d
	}
	whole := equalNumbers(all.rows)
	var sum, texts []string
	condition := s.q.where
	if s.kind == havingKind {
		condition = s.q.having
	}
	for _, p := range parts(condition) {
		on, _, d := a.bothWays(s, with(p))
		if d != "" || on.code != "" {
			return d
		}
		sum = append(sum, equalNumbers(on.rows)...)
		texts = append(texts, fmt.Sprintf("%s;\n%s", on.text, on.shown()))
	}
	slices.Sort(sum)
	slices.Sort(whole)
	if s.q.distinct || s.q.merges() && s.kind == partitionKind {
		sum, whole = slices.Compact(sum), slices.Compact(whole)
	}
	if slices.Equal(sum, whole) {
		return ""
	}
	return fmt.Sprintf("%s;\n%s\nthe parts are not the whole\n%s", all.text, all.shown(), strings.Join(texts, "\n"))
}

// totals asks for the aggregates of all rows, and for those of the parts of the rows together.
func (a *examiner) totals(s question) string {
	c := *s.q
	c.where = nil
	whole, _, d := a.bothWays(s, &c)
	if d != "" || whole.code != "" {
		return d
	}
	text, args := s.text(func(w *writer) {
		w.WriteString("SELECT SUM(q.c0), SUM(q.c1), MIN(q.c2), MAX(q.c3) FROM (")
		for i, p := range parts(s.q.where) {
			if i > 0 {
				w.WriteString(" UNION ALL ")
			}
			c := *s.q
			c.where = p
			c.write(w)
		}
		w.WriteString(") AS q")
	})
	parted := a.query(text, args)
	if parted.code != "" || slices.Equal(equalNumbers(whole.rows), equalNumbers(parted.rows)) {
		return ""
	}
	return fmt.Sprintf("%s;\n%s\nthe parts are not the whole\n%s;\n%s", whole.text, whole.shown(), parted.text,
		parted.shown())
}

// reference counts the rows of a condition, and sums whether it is true over all rows.
func (a *examiner) reference(s question) string {
	c := *s.q
	c.distinct, c.fields = false, []field{{write: func(w *writer) { w.WriteString("COUNT(*)") }}}
	counted, _, d := a.bothWays(s, &c)
	if d != "" || counted.code != "" {
		return d
	}
	c.where, c.fields = nil, []field{{write: is{s.q.where, false, yes}.write}}
	text, args := s.text(func(w *writer) {
		w.WriteString("SELECT COALESCE(SUM(q.c0), 0) FROM (")
		c.write(w)
		w.WriteString(") AS q")
	})
	a.set("OFF")
	summed := a.query(text, args)
	a.set("ON")
	if summed.code != "" || slices.Equal(equalNumbers(counted.rows), equalNumbers(summed.rows)) {
		return ""
	}
	return fmt.Sprintf("%s;\n%s\nnot as many as without a WHERE\n%s;\n%s", counted.text, counted.shown(), summed.text,
		summed.shown())
}

// opaque is a condition that no one looks into.
type opaque struct{ predicate }

func (p opaque) write(w *writer) {
	w.WriteString("CASE WHEN ")
	p.predicate.write(w)
	w.WriteString(" THEN TRUE ELSE FALSE END")
}

// joined compares the rows of a join with those of one that has to try each row with each other: its conditions
// give nothing to look rows up by, to hash or to push down.
func (a *examiner) joined(s question) string {
	got, _, d := a.bothWays(s, s.q)
	if d != "" || strings.Contains(got.error, tooOld) {
		return d
	}
	c := *s.q
	c.from = slices.Clone(s.q.from)
	for i, r := range c.from {
		if r.on != nil {
			c.from[i].on = opaque{r.on}
		}
		if r.after != nil {
			c.from[i].after = opaque{r.after}
		}
	}
	text, args := s.text(c.write)
	a.set("OFF")
	want := a.query(text, args)
	a.set("ON")
	unordered := *s.q
	unordered.total = false
	if want.code != "" || got.code == "" && sameAnswer(&unordered, equalNumbers(got.rows), equalNumbers(want.rows)) {
		return ""
	}
	return fmt.Sprintf("%s;\n%s\nnot the rows of\n%s;\n%s", got.text, got.shown(), want.text, want.shown())
}
