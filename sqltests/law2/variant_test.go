package law2

import (
	"fmt"
	"slices"
	"strings"
)

// variant is another way to ask for the same rows.
type variant struct {
	what string // hint, order, swap, parameters, variables
	hint string // for the optimizer, or of the indexes of the source at that place
	at   int
}

// variants are ways that another plan may go: hints of indexes, of the kinds and the order of joins, and sources that
// change places.
func (g *asker) variants(q *selection) []variant {
	var out []variant
	var aliases []string
	for _, s := range q.from {
		aliases = append(aliases, s.alias)
	}
	for at, s := range q.from {
		if s.derived != nil || s.world == nil && s.name != closedTable {
			continue
		}
		f := one(g.r, s.fields)
		w := &writer{}
		f.write(w)
		name, plain := strings.CutPrefix(w.String(), s.alias+".")
		if !plain || !strings.HasPrefix(name, "`") || strings.Count(name, "`") != 2 || strings.Contains(name, "->") {
			name = "PRIMARY"
		}
		out = append(out, variant{what: "hint", at: at, hint: fmt.Sprintf(" %s INDEX (%s)",
			one(g.r, []string{"USE", "FORCE", "IGNORE", "IGNORE"}), name)})
	}
	if len(q.from) > 1 {
		g.r.Shuffle(len(aliases), func(i, j int) { aliases[i], aliases[j] = aliases[j], aliases[i] })
		pair := strings.Join(aliases[:2], ",")
		out = append(out, variant{what: "order", hint: "/*+ JOIN_ORDER(" + strings.Join(aliases, ",") + ") */ "},
			variant{what: "order", hint: "/*+ " + one(g.r, []string{"LOOKUP_JOIN", "HASH_JOIN", "MERGE_JOIN", "INNER_JOIN"}) +
				"(" + pair + ") */ "},
			variant{what: "swap"})
	}
	g.r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(len(out), 3)]
}

// apply is the query in that way; ok is false if it has no such way.
func (v variant) apply(q *selection) (c *selection, ok bool) {
	changed := *q
	changed.from = slices.Clone(q.from)
	switch {
	case v.what == "hint" && v.at < len(q.from):
		changed.from[v.at].hint = v.hint
	case v.what == "order":
		changed.hint = v.hint
	case v.what == "swap" && len(q.from) > 1 && !q.from[1].open && len(q.from[1].using) == 0 && !q.from[1].lateral:
		a, b := q.from[0], q.from[1]
		switched := map[string]string{"JOIN": "JOIN", "INNER JOIN": "STRAIGHT_JOIN", "CROSS JOIN": "CROSS JOIN", ",": ",",
			"LEFT JOIN": "RIGHT JOIN", "RIGHT JOIN": "LEFT JOIN"}
		a.join, a.on = switched[b.join], b.on
		b.join, b.on = "", nil
		changed.from[0], changed.from[1] = b, a
	default:
		return nil, false
	}
	return &changed, true
}

const noSuchKey = "ERROR 1176"

// varied compares the rows of a query with those of its variants.
func (a *examiner) varied(s question) string {
	got, _, d := a.bothWays(s, s.q)
	if d != "" || got.code != "" {
		return d
	}
	for _, v := range s.variants {
		q, ok := v.apply(s.q)
		if !ok {
			continue
		}
		text, args := s.text(q.write)
		other := a.query(text, args)
		if strings.HasPrefix(other.error, noSuchKey) || isTimeout(other.error) {
			continue
		}
		if other.code != "" || !sameAnswer(s.q, got.rows, other.rows) {
			return fmt.Sprintf("%s;\n%s\nnot the rows of\n%s;\n%s", got.text, got.shown(), other.text, other.shown())
		}
	}
	return ""
}

// isTimeout reports whether a statement was ended since it took too long.
func isTimeout(text string) bool {
	return strings.Contains(text, tooOld) || strings.Contains(text, "maximum statement execution time")
}

// bound compares a statement with its literals to the same with parameters: bound by the protocol, and as user
// variables.
func (a *examiner) bound(s question) string {
	s.prepared = false
	got, _, d := a.bothWays(s, s.q)
	if d != "" || isTimeout(got.error) {
		return d
	}
	w := &writer{prepared: true}
	s.q.write(w)
	if len(w.args) == 0 {
		return ""
	}
	same := func(other result) string {
		if isTimeout(other.error) || other.code == got.code &&
			(got.code != "" || sameAnswer(s.q, equalNumbers(got.rows), equalNumbers(other.rows))) {
			return ""
		}
		return fmt.Sprintf("%s;\n%s\nnot as with parameters\n%s; %v\n%s", got.text, got.shown(), other.text, w.args,
			other.shown())
	}
	return same(a.query(w.String(), w.args))
}
