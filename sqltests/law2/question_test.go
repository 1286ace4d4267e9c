package law2

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// question is a random statement over a scene, and how its answer is examined.
type question struct {
	kind     string
	q        *selection
	prepared bool
	// set is what an UPDATE sets.
	set string
	// variants are other ways to ask for the same.
	variants []variant
	// places are those of a row of each source, in the order of its keys; conditions are made true of it.
	places     []int
	conditions []predicate
}

// The kinds of questions. Each is asked with the index on and off.
const (
	rowsKind      = "rows"      // the same rows
	rankedKind    = "ranked"    // an order with ties: a possible answer
	partitionKind = "partition" // the rows for which p is true, false and NULL are all rows
	totalsKind    = "totals"    // so are their numbers, sums, least and greatest values
	havingKind    = "having"    // so are the groups of HAVING p
	referenceKind = "reference" // as many rows as the sum of p IS TRUE over all rows
	joinedKind    = "joined"    // the rows of a join whose conditions tell nothing of what is equal
	insertKind    = "insert"    // INSERT … SELECT
	updateKind    = "update"    // UPDATE … ORDER BY … LIMIT
	deleteKind    = "delete"
	flaggedKind   = "flagged" // the rows of which the condition is true where it is selected
	touchedKind   = "touched" // an UPDATE or DELETE changes the rows of which its condition is true
	pivotKind     = "pivot"   // a row is found by conditions that are true of it
	variedKind    = "varied"  // the same rows with hints, and with sources that change places
	boundKind     = "bound"   // the same rows with parameters instead of literals
)

// question is a random question.
func (g *asker) question() question {
	s := g.named()
	// The fields of the others are those of a derived table, or none.
	if slices.Contains([]string{rowsKind, partitionKind, havingKind, joinedKind, insertKind, flaggedKind, variedKind,
		boundKind}, s.kind) {
		g.unnamed(s.q)
	}
	return s
}

// named is a random question whose fields have names.
func (g *asker) named() question {
	if g.chance(40) {
		return g.crossing()
	}
	s := question{kind: rowsKind, prepared: g.chance(25)}
	n := g.r.IntN(100)
	switch {
	case n < 37:
		s.q = g.query()
	case n < 45:
		s.q = g.limited()
	case n < 55:
		s.kind, s.prepared = rankedKind, false
		t := g.alias(one(g.r, g.tables[:3]))
		s.q = &selection{from: []relation{t}, fields: append(slices.Clone(t.key), g.column([]relation{t}))}
		if g.chance(50) {
			s.q.where = g.condition(s.q.from, 1)
		}
		for range 1 + g.r.IntN(2) {
			s.q.order = append(s.q.order, sortKey{by: g.column(s.q.from), desc: g.chance(50)})
		}
		s.q.limit = one(g.r, []int{0, 1, 2, 5, 10, 30})
		if s.q.limit > 0 && g.chance(30) {
			s.q.offset = one(g.r, []int{1, 3, 20})
		}
	case n < 60:
		s.kind = joinedKind
		s.q = g.plain(one(g.r, []int{2, 2, 2, 3}))
		if to := &s.q.from[1]; to.on != nil && !to.open && len(s.q.from[0].key) > 0 && len(to.key) > 0 && g.chance(50) {
			f := one(g.r, to.fields) // rows that have the same key, and one value
			if dates := slices.DeleteFunc(slices.Clone(to.fields),
				func(f field) bool { return f.class != sqlTime }); len(dates) > 0 && g.chance(40) {
				f = one(g.r, dates)
			}
			to.on = both{"AND", comparison{op: "=", a: fieldOperand{s.q.from[0].key[0]}, b: fieldOperand{to.key[0]}},
				comparison{op: "=", a: fieldOperand{f}, b: f.literal()}}
		}
		s.q.fields = slices.DeleteFunc(s.q.fields, func(f field) bool { return f.windowed })
	case n < 68:
		s.kind = partitionKind
		s.q = g.plain(one(g.r, []int{1, 1, 2, 2, 3}))
	case n < 76:
		s.kind = totalsKind
		s.q = g.plain(one(g.r, []int{1, 1, 2}))
		s.q.distinct, s.q.aggregated = false, true
		s.q.fields = []field{g.call("COUNT", g.number("*")), g.call("SUM", g.summed(s.q.from)),
			g.call("MIN", g.shown(s.q.from)), g.call("MAX", g.shown(s.q.from))}
	case n < 79:
		s.kind = havingKind
		for s.q == nil || len(s.q.group) == 0 {
			s.q = g.grouped()
		}
		// it is about the groups that HAVING leaves
		s.q.fields = slices.DeleteFunc(s.q.fields, func(f field) bool { return f.windowed })
		s.q.having = g.havingCondition(s.q)
	case n < 88:
		s.kind = referenceKind
		s.q = g.plain(one(g.r, []int{1, 1, 1, 2, 2, 3}))
	case n < 93:
		s.kind = insertKind
		s.q = g.query()
	default:
		s.kind, s.set = one(g.r, []string{updateKind, deleteKind}),
			one(g.r, []string{"_doc = JSON_SET(_doc, '$.touched', 1)", "_all = _all + 1", "i = 5, n = NULL"})
		t := g.tables[0]
		t.alias = t.name
		s.q = &selection{from: []relation{t}, where: g.condition([]relation{t}, 1),
			order: []sortKey{{by: g.column([]relation{t}), desc: g.chance(50)}}, limit: g.r.IntN(8)}
		for _, f := range t.key {
			s.q.order = append(s.q.order, sortKey{by: g.of(t.name, f), desc: false})
		}
	}
	if s.kind == partitionKind {
		s.q.fields = slices.DeleteFunc(s.q.fields, func(f field) bool { return f.windowed })
	}
	if s.kind != rowsKind && s.kind != insertKind && s.kind != updateKind && s.kind != deleteKind {
		s.prepared = false // of the statements that are compared some have no parameter, and values come in another protocol
	}
	if slices.Contains([]string{partitionKind, totalsKind, referenceKind}, s.kind) {
		for s.q.where == nil {
			s.q.where = g.condition(s.q.from, 2)
		}
		s.q.order, s.q.limit = nil, 0
	}
	return s
}

// simpler lists questions to try when this one fails.
func (s question) simpler() []question {
	var out []question
	if s.prepared {
		c := s
		c.prepared = false
		out = append(out, c)
	}
	for i := range s.conditions {
		if len(s.conditions) > 1 {
			c := s
			c.conditions = slices.Delete(slices.Clone(s.conditions), i, i+1)
			out = append(out, c)
		}
		for _, p := range s.conditions[i].simpler() {
			c := s
			c.conditions = slices.Clone(s.conditions)
			c.conditions[i] = p
			out = append(out, c)
		}
	}
	for i := range s.variants {
		if len(s.variants) > 1 {
			c := s
			c.variants = s.variants[i : i+1]
			out = append(out, c)
		}
	}
	for _, q := range s.q.simpler() {
		c := s
		c.q = q
		if s.kind == touchedKind && (q.where == nil || q.from[0].name != firstTable) || s.kind == pivotKind &&
			len(q.from) < len(s.q.from) ||
			s.kind == flaggedKind && (q.condition() == nil || len(q.group) == 0 != (len(s.q.group) == 0)) {
			continue
		}
		needs := s.kind == partitionKind || s.kind == totalsKind || s.kind == referenceKind || s.kind == updateKind ||
			s.kind == deleteKind
		if needs && q.where == nil || s.kind == havingKind && q.having == nil || s.kind == rankedKind &&
			len(q.fields) < len(s.q.fields) {
			continue
		}
		out = append(out, c)
	}
	if s.kind == insertKind {
		c := s
		c.kind = rowsKind
		out = append(out, c)
	}
	return out
}

// text writes a statement.
func (s question) text(write func(w *writer)) (string, []any) {
	w := &writer{prepared: s.prepared}
	write(w)
	return w.String(), w.args
}

// result is what a statement gave.
type result struct {
	text  string // the statement
	types string
	rows  []string
	code  string // of the error
	error string
}

// examiner runs statements on one connection.
type examiner struct {
	conn        *sql.Conn
	transaction bool
	ran         int
	asked       int               // by bothWays
	panicked    string            // the statement that met an internal error, since a question was begun
	errors      map[string]int    // how often there was an error
	examples    map[string]string // and the first statement that met it
}

func (a *examiner) set(index string) {
	_, _ = a.conn.ExecContext(context.Background(), settings(index))
}

var errorCode = regexp.MustCompile(`^ERROR \d+ \(\w+\)`)

func (a *examiner) failed(r result, err error) result {
	r.error = harness.ErrorText(err)
	if r.code = errorCode.FindString(r.error); r.code == "" {
		r.code = r.error
	}
	if strings.Contains(r.error, "panic") || strings.Contains(r.error, "runtime error") ||
		strings.Contains(r.error, "internal error") {
		a.panicked = r.text + ";\n" + r.error
	}
	if strings.Contains(r.error, tooOld) && a.transaction { // which has ended
		a.transaction = false
		_, _ = a.conn.ExecContext(context.Background(), "ROLLBACK")
	}
	kind := r.error[:min(len(r.error), 60)]
	if a.errors[kind] == 0 {
		a.examples[kind] = r.text
	}
	a.errors[kind]++
	return r
}

func newExaminer(conn *sql.Conn) *examiner {
	return &examiner{conn: conn, errors: map[string]int{}, examples: map[string]string{}}
}

func (a *examiner) query(text string, args []any) result {
	a.ran++
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // the server ends a statement before
	defer cancel()
	r := result{text: text}
	rows, err := a.conn.QueryContext(ctx, text, args...)
	if err != nil {
		return a.failed(r, err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return a.failed(r, err)
	}
	for _, t := range types {
		r.types += t.DatabaseTypeName() + " "
	}
	values, into := make([]sql.NullString, len(types)), make([]any, len(types))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return a.failed(r, err)
		}
		parts := make([]string, len(values))
		for i, v := range values {
			if parts[i] = "NULL"; v.Valid {
				parts[i] = v.String
			}
		}
		r.rows = append(r.rows, strings.Join(parts, " | "))
	}
	if err := rows.Err(); err != nil {
		return a.failed(r, err)
	}
	return r
}

// change runs a statement that changes documents, looks at them, and takes it back.
func (a *examiner) change(text string, args []any, look string) result {
	a.ran++
	begin, undo := "BEGIN", "ROLLBACK"
	if a.transaction {
		begin, undo = "SAVEPOINT s", "ROLLBACK TO SAVEPOINT s"
	}
	ctx := context.Background()
	if _, err := a.conn.ExecContext(ctx, begin); err != nil {
		return a.failed(result{text: text}, err)
	}
	defer func() { _, _ = a.conn.ExecContext(ctx, undo) }()
	res, err := a.conn.ExecContext(ctx, text, args...)
	if err != nil {
		return a.failed(result{text: text}, err)
	}
	n, _ := res.RowsAffected()
	r := a.query(look, nil)
	r.text, r.rows = text, append(r.rows, fmt.Sprintf("%d rows affected", n))
	return r
}

var numerals = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,9})?`)

// equalNumbers makes one text of numbers that are equal.
func equalNumbers(rows []string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = numerals.ReplaceAllStringFunc(r, func(s string) string {
			d := decimalOf(s)
			if d.digits == "" {
				return "0"
			}
			return fmt.Sprintf("%v%sE%d", map[bool]string{true: "-"}[d.negative], d.digits, d.point)
		})
	}
	return out
}

// sameAnswer compares two answers, in their order if it leaves no doubt.
func sameAnswer(q *selection, a, b []string) bool {
	if q.merges() {
		a, b = equalNumbers(a), equalNumbers(b)
	}
	if !q.total {
		a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	}
	return slices.Equal(a, b)
}
