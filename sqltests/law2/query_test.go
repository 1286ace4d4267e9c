package law2

import (
	"fmt"
	"slices"
	"strings"
)

// field is an expression over the sources of a query, and what is known of its values.
type field struct {
	write func(w *writer)
	class sqlClass
	// folds says that values which differ are equal, by a collation that ignores case.
	folds bool
	// whole says that sums of it are exact in whatever order they are made.
	whole bool
	// windowed says that it depends on other rows; group is its number in GROUP BY, from 1.
	windowed bool
	group    int
	// loose says that equal values may be spelled otherwise, as those of rows that stand for several.
	loose bool
	// derived says that it is no column but made of one, by a path.
	derived bool
	// literal gives constants to compare it with.
	literal func() constant
	// simpler lists fields to try instead when a query with this one fails.
	simpler func() []field
}

// relation is a table of a query's FROM.
type relation struct {
	name    string     // of a table or a view
	derived *selection // or a subquery
	alias   string
	join    string // how it is joined: nothing for the first, a comma, or … JOIN
	on      predicate
	using   []string
	// open and closes stand for parentheses around it and what comes between; after joins them.
	open, closes bool
	after        predicate
	fields       []field
	key          []field // what makes its rows unique; none if that is not known
	hint         string  // of the indexes to use
	lateral      bool    // a subquery that reads the sources before it
	recursive    bool    // a common table expression that reads itself
	selfRead     bool    // the source by which it does
	world        *world  // whose predicates it may have, if it is a collection
}

// sortKey is a part of ORDER BY.
type sortKey struct {
	by   field
	desc bool
	// test is asked of the field before it: where its NULLs stand; or a constant is sorted by before it.
	test string
}

// sortTests are what may be sorted by before a field.
var sortTests = []string{" IS NULL", " IS NULL", " IS NOT NULL", " IS NULL DESC", " IS NOT NULL DESC", "NULL", "'x'"}

// selection is a random SELECT.
type selection struct {
	hint     string     // for the optimizer
	with     []relation // common table expressions
	distinct bool
	fields   []field
	from     []relation
	where    predicate
	group    []field
	// aggregated says that a row stands for a group of rows, also where there is no GROUP BY.
	aggregated bool
	having     predicate
	window     *windowOrder // of the window that is called by its name; nil if there is none
	order      []sortKey
	// total says that the order leaves no two rows in either order.
	total bool
	// named says that the order names columns of the result.
	named         bool
	limit, offset int // 0 is none
	arms          []arm
	// bare says that its fields have no names: what reads it names them.
	bare bool
}

// arm is a query that a set operation adds to the one before it.
type arm struct {
	operation string
	query     *selection
}

// merges reports whether the rows stand for several that are equal without being identical.
func (q *selection) merges() bool {
	return q.distinct || q.aggregated || len(q.arms) > 0 || q.limit > 0 ||
		slices.ContainsFunc(append(slices.Clone(q.from), q.with...),
			func(s relation) bool { return s.derived != nil || s.world == nil })
}

func (q *selection) write(w *writer) {
	for i, c := range q.with {
		w.WriteString([]string{"WITH ", ", "}[min(i, 1)])
		if i == 0 && slices.ContainsFunc(q.with, func(c relation) bool { return c.recursive }) {
			w.WriteString("RECURSIVE ")
		}
		w.WriteString(c.name + c.derived.names() + " AS (")
		c.derived.write(w)
		w.WriteString(") ")
	}
	bare := len(q.arms) > 0 && q.bareArms() // parentheses are no part of a recursive expression
	open, closed := "(", ")"
	if len(q.arms) == 0 || bare {
		open, closed = "", ""
	}
	w.WriteString(open)
	q.writeBody(w)
	for _, a := range q.arms {
		w.WriteString(closed + " " + a.operation + " " + open)
		a.query.write(w)
	}
	w.WriteString(closed)
	q.writeOrder(w)
}

// names are the names of its columns behind that of what reads it, if it gives none itself.
func (q *selection) names() string {
	if !q.bare {
		return ""
	}
	var all []string
	for i := range q.fields {
		all = append(all, fmt.Sprintf("c%d", i))
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// bareArms reports whether a query is that of a recursive expression.
func (q *selection) bareArms() bool {
	return slices.ContainsFunc(q.arms, func(a arm) bool { return a.query.from[0].selfRead })
}

func (q *selection) writeBody(w *writer) {
	w.WriteString("SELECT " + q.hint)
	if q.distinct {
		w.WriteString("DISTINCT ")
	}
	for i, f := range q.fields {
		if i > 0 {
			w.WriteString(", ")
		}
		f.write(w)
		if !q.bare {
			fmt.Fprintf(w, " AS c%d", i)
		}
	}
	for i, s := range q.from {
		s.write(w, i == 0)
	}
	if q.where != nil {
		w.WriteString(" WHERE ")
		q.where.write(w)
	}
	for i, g := range q.group {
		w.WriteString([]string{" GROUP BY ", ", "}[min(i, 1)])
		g.write(w)
	}
	if q.having != nil {
		w.WriteString(" HAVING ")
		q.having.write(w)
	}
	if q.window != nil && slices.ContainsFunc(q.fields, func(f field) bool { return f.windowed }) {
		w.WriteString(" WINDOW " + windowName + " AS (")
		q.window.write(w)
		w.WriteString(")")
	}
}

func (q *selection) writeOrder(w *writer) {
	for i, k := range q.order {
		w.WriteString([]string{" ORDER BY ", ", "}[min(i, 1)])
		if k.test != "" {
			if strings.HasPrefix(k.test, " ") {
				k.by.write(w)
			}
			w.WriteString(k.test + ", ")
		}
		k.by.write(w)
		if k.desc {
			w.WriteString(" DESC")
		}
	}
	if q.limit > 0 {
		fmt.Fprintf(w, " LIMIT %d", q.limit)
	}
	if q.offset > 0 {
		fmt.Fprintf(w, " OFFSET %d", q.offset)
	}
}

func (s relation) write(w *writer, first bool) {
	switch {
	case first:
		w.WriteString(" FROM ")
	case s.join == ",":
		w.WriteString(", ")
	default:
		w.WriteString(" " + s.join + " ")
	}
	if s.open {
		w.WriteString("(")
	}
	if s.derived != nil {
		if s.lateral {
			w.WriteString("LATERAL ")
		}
		w.WriteString("(")
		s.derived.write(w)
		w.WriteString(")")
	} else {
		w.WriteString(s.name)
	}
	w.WriteString(" AS " + s.alias + s.hint)
	if s.derived != nil {
		w.WriteString(s.derived.names())
	}
	if s.on != nil && !first {
		w.WriteString(" ON ")
		s.on.write(w)
	}
	if len(s.using) > 0 && !first {
		w.WriteString(" USING (" + strings.Join(s.using, ", ") + ")")
	}
	if s.closes {
		w.WriteString(") ON ")
		s.after.write(w)
	}
}

// simpler lists queries to try when this one fails. Some of them are no right
// statements: these fail alike with the index and without.
func (q *selection) simpler() []*selection {
	var out []*selection
	try := func(change func(c *selection)) {
		c := *q
		change(&c)
		out = append(out, &c)
	}
	for i, a := range q.arms {
		out = append(out, a.query)
		try(func(c *selection) { c.arms = slices.Delete(slices.Clone(q.arms), i, i+1) })
		for _, s := range a.query.simpler() {
			try(func(c *selection) { c.arms = slices.Clone(q.arms); c.arms[i].query = s })
		}
	}
	for i := len(q.from) - 1; i >= 0; i-- {
		s := q.from[i]
		if len(q.from) > 1 && !s.open && !s.closes && (i > 0 || !q.from[1].open) {
			try(func(c *selection) { c.from = slices.Delete(slices.Clone(q.from), i, i+1) })
		}
		replace := func(s relation) {
			try(func(c *selection) { c.from = slices.Clone(q.from); c.from[i] = s })
		}
		if s.on != nil {
			for _, p := range s.on.simpler() {
				s.on = p
				replace(s)
			}
			s = q.from[i]
		}
		if s.join == "LEFT JOIN" || s.join == "RIGHT JOIN" {
			s.join = "JOIN"
			replace(s)
			s = q.from[i]
		}
		if s.derived != nil {
			for _, d := range s.derived.simpler() {
				s.derived = d
				replace(s)
			}
		}
	}
	for _, from := range simplerGroups(q.from) {
		try(func(c *selection) { c.from = from })
	}
	for i, s := range q.with {
		try(func(c *selection) { c.with = slices.Delete(slices.Clone(q.with), i, i+1) })
		for _, d := range s.derived.simpler() {
			if s.recursive && (len(d.arms) != 1 || len(d.fields) != len(d.arms[0].query.fields)) {
				continue
			}
			s.derived = d
			try(func(c *selection) { c.with = slices.Clone(q.with); c.with[i] = s })
		}
	}
	if q.where != nil {
		try(func(c *selection) { c.where = nil })
		for _, p := range q.where.simpler() {
			try(func(c *selection) { c.where = p })
		}
	}
	if q.having != nil {
		try(func(c *selection) { c.having = nil })
		for _, p := range q.having.simpler() {
			try(func(c *selection) { c.having = p })
		}
	}
	for i, f := range q.fields {
		if f.simpler != nil {
			for _, p := range f.simpler() {
				try(func(c *selection) { c.fields = slices.Clone(q.fields); c.fields[i] = p })
			}
		}
		if len(q.fields) > 1 {
			try(func(c *selection) { c.fields = slices.Delete(slices.Clone(q.fields), i, i+1) })
		}
	}
	for i := range q.group {
		try(func(c *selection) { c.dropGroup(i) })
	}
	if q.limit == 0 {
		for i := range q.order {
			try(func(c *selection) { c.order = slices.Delete(slices.Clone(q.order), i, i+1); c.total = false })
		}
	}
	if q.distinct {
		try(func(c *selection) { c.distinct = false })
	}
	if q.offset > 0 {
		try(func(c *selection) { c.offset = 0 })
	}
	if q.limit > 0 {
		try(func(c *selection) { c.limit, c.offset = 0, 0 })
	}
	return out
}

// dropGroup takes a part out of GROUP BY, and what shows it out of the fields.
func (q *selection) dropGroup(at int) {
	q.group = slices.Delete(slices.Clone(q.group), at, at+1)
	q.fields = slices.DeleteFunc(slices.Clone(q.fields), func(f field) bool { return f.group == at+1 })
	for i := range q.fields {
		if q.fields[i].group > at+1 {
			q.fields[i].group--
		}
	}
}

// aliased is a condition on one table of a query that has several.
type aliased struct {
	alias string
	p     predicate
}

func (p aliased) write(w *writer) {
	before := w.alias
	w.alias = p.alias
	p.p.write(w)
	w.alias = before
}

func (aliased) holds(rowModel) tri { panic(errNotModelled) }

func (p aliased) simpler() []predicate {
	var out []predicate
	for _, s := range p.p.simpler() {
		out = append(out, aliased{p.alias, s})
	}
	return out
}

// fieldOperand makes a field an operand of predicates.
type fieldOperand struct{ f field }

func (o fieldOperand) write(w *writer) { o.f.write(w) }

func (fieldOperand) value(row rowModel) sqlValue { panic(errNotModelled) }

// simplerOperands lists what to try instead of an operand.
func simplerOperands(o operand) []operand {
	f, ok := o.(fieldOperand)
	if !ok || f.f.simpler == nil {
		return nil
	}
	var out []operand
	for _, s := range f.f.simpler() {
		out = append(out, fieldOperand{s})
	}
	return out
}

// subquery is a condition with a subquery: EXISTS (…), v IN (…), v > ANY (…), v = (…).
type subquery struct {
	before string // what stands before the parenthesis, after v
	v      *field
	q      *selection
}

func (p subquery) write(w *writer) {
	if p.v != nil {
		p.v.write(w)
	}
	w.WriteString(p.before + " (")
	p.q.write(w)
	w.WriteString(")")
}

func (subquery) holds(rowModel) tri { panic(errNotModelled) }

func (p subquery) simpler() []predicate {
	var out []predicate
	for _, s := range p.q.simpler() {
		if p.q.limit == 0 || s.limit == p.q.limit { // of several rows there is an error, where it is looked at
			out = append(out, subquery{p.before, p.v, s})
		}
	}
	return out
}
