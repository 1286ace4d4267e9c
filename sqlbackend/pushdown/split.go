package pushdown

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// Candidate is one keypath, or the first column of the primary key, with the
// values that a document must have there to satisfy the conjuncts; or several of
// them, of which a document must have one.
type Candidate struct {
	// Parts are what is to be read. A document may have entries in several, and
	// several in one. No part: no document satisfies the conjuncts.
	Parts []Part
	// Column, PrimaryKey, Spans and Text are those of the only part; zero if there
	// is not just one, Text then shows them all.
	Column Column
	// PrimaryKey: the spans are over the encoded values of the first column of
	// the primary key.
	PrimaryKey bool
	// Spans holds the encoded values. It is shared and must not be changed. It may be empty: no value satisfies the
	// conjuncts.
	Spans indexes.Spans
	// Text is Spans in readable form: "'10462'", "[10, 20)". It is empty unless
	// Options.Explain.
	Text string
	// Tight: the spans are exactly the conjuncts in Answers.
	Tight bool
	// NeedsAllPresent: documents that lack the keypath may satisfy the
	// conjuncts, and have no entry. The candidate is usable only if it is
	// certain that there are none. Of several parts, those that say so need it.
	NeedsAllPresent bool
	// OnlyThere: of the conjuncts in Answers is known no more than that they are true only of documents with a value
	// there.
	OnlyThere bool
	// Answers lists the conjuncts that the spans come from, Residual those
	// that must still be filtered, as indexes into what Split was given.
	Answers, Residual []int
}

// String is the candidate in one line: keypath, spans.
func (c Candidate) String() string {
	if len(c.Parts) == 0 {
		return "nothing to read"
	}
	return partsText(c.Parts)
}

// Result is what Split found.
type Result struct {
	// Candidates are in the order in which the conjuncts name their keypaths.
	Candidates []Candidate
	// Reasons says for each conjunct without a range why there is none, if
	// Options.Explain.
	Reasons []string
	// Certain lists the conjuncts that are true of every document.
	Certain []int
}

// Options say what Split returns.
type Options struct {
	// Explain asks for Candidate.Text and Result.Reasons, which take longer
	// than the rest.
	Explain bool
}

// Split analyses the conjuncts of a WHERE clause over one table. ctx serves to
// evaluate constants.
func Split(ctx *sql.Context, conjuncts []sql.Expression, resolver Resolver, opts Options) Result {
	a := &analysis{ctx: ctx, resolver: resolver}
	if opts.Explain {
		a.labels = map[string]label{}
	}
	nodes := make([]*node, len(conjuncts))
	for i, e := range conjuncts {
		nodes[i] = a.build(e)
	}
	result := Result{Candidates: make([]Candidate, 0, len(a.targets)), Certain: a.certain(nodes)}
	used, lone := make([]bool, len(nodes)), make([]bool, len(nodes))
	for i := range a.targets {
		if i*len(nodes) > maxSayings {
			break
		}
		if c, ok := a.candidate(&a.targets[i], nodes); ok {
			result.Candidates = append(result.Candidates, c)
			for _, i := range c.Answers {
				used[i], lone[i] = true, lone[i] || !c.NeedsAllPresent
			}
		}
	}
	for i, n := range nodes {
		if len(result.Candidates)*len(nodes) > maxSayings {
			break
		}
		if lone[i] && !n.finds() || n.connective == isLeaf && n.found == nil {
			continue
		}
		for _, c := range a.covers(n, truthTrue) {
			known := c.lone || len(c.parts) == 1 && needs(c) > 0 // as the candidate of its only target
			if !c.unbounded && !(known && used[i]) {
				result.Candidates = append(result.Candidates, a.covered(c, i, len(nodes)))
				used[i] = true
			}
		}
	}
	for i, n := range nodes {
		if opts.Explain && (!used[i] || n.rejects != nil) && !n.constant() {
			result.Reasons = append(result.Reasons, fmt.Sprintf("%s: %s", shorten(conjuncts[i]), n.why()))
		}
	}
	return result
}

// maxSayings bounds the questions what a conjunct says of a target, and the conjuncts that candidates list as not
// answered: of thousands of conjuncts over as many keypaths, the first keypaths are candidates.
const maxSayings = 1 << 20

// analysis is the state of one Split.
type analysis struct {
	ctx      *sql.Context
	resolver Resolver
	targets  []target         // in order of appearance
	named    map[string]int   // the place of a target among them; nil while they are few
	labels   map[string]label // readable form of encoded values; nil if not asked for
	// contained counts the values that were looked for within others.
	contained int
	// choices counts the expressions that were split by their conditions.
	choices int
	// steps counts the expressions that were analysed, visits the nodes that were visited.
	steps, visits int
}

// maxSteps bounds the expressions that are analysed for one statement, each as often as it is: IN of what is computed
// asks of each element what it asks of the others, so that one within another multiplies them.
const maxSteps = 1 << 18

// step notes that an expression is analysed. It is false once they are too many.
func (a *analysis) step() bool {
	a.steps++
	return a.steps <= maxSteps
}

// target is what views of one name read.
type target struct {
	name string
	view // the first of them
}

// candidate intersects what the conjuncts say of one target.
func (a *analysis) candidate(t *target, nodes []*node) (Candidate, bool) {
	v, target := &t.view, t.name
	if v.column.PrimaryKeyPart > 1 {
		return Candidate{}, false
	}
	there := present
	if v.column.PrimaryKeyPart == 1 {
		there = v.domain().spans()
	}
	primaryKey := v.column.PrimaryKeyPart == 1
	c := Candidate{Tight: true, NeedsAllPresent: true, OnlyThere: true}
	var allowed []indexes.Spans
	outcomes := make([]outcome, len(nodes))
	narrow := false // some conjunct asks more of the value than that it is there
	for i, n := range nodes {
		outcomes[i] = a.saying(n, target, truthTrue)
		narrow = narrow || outcomes[i].constrains() && !outcomes[i].yesMissing && !outcomes[i].onlyThere()
	}
	for i, o := range outcomes {
		if !o.constrains() || primaryKey && covers(o.yes, there) || narrow && o.onlyThere() {
			c.Residual = append(c.Residual, i)
			continue
		}
		c.Answers = append(c.Answers, i)
		c.OnlyThere = c.OnlyThere && o.onlyThere()
		allowed = append(allowed, o.yes)
		c.NeedsAllPresent = c.NeedsAllPresent && o.yesMissing
		if !o.yesExact {
			c.Tight = false
			c.Residual = append(c.Residual, i)
		}
	}
	if len(c.Answers) == 0 {
		return Candidate{}, false
	}
	c.Spans = intersection(allowed)
	if primaryKey {
		c.NeedsAllPresent = false
	}
	if v.reach == nil {
		// Also if there is no value, so that the plan shows which keypath rules all out.
		a.lead(&c, cover{parts: []spot{{column: v.column, allowed: c.Spans.Intersect(there)}}})
		return c, true
	}
	if c.NeedsAllPresent {
		return Candidate{}, false
	}
	led := v.reach.parts(c.Spans)
	if led.unbounded {
		return Candidate{}, false
	}
	a.lead(&c, led)
	if !led.exact {
		c.Tight = false
		c.Residual = slices.Clone(c.Answers)
		for i := range nodes {
			if !slices.Contains(c.Answers, i) {
				c.Residual = append(c.Residual, i)
			}
		}
		slices.Sort(c.Residual)
	}
	return c, true
}

// intersection is what all sets have in common. It halves them, since each may have as many
// spans as there are sets: n <> 1 AND n <> 2 …
func intersection(of []indexes.Spans) indexes.Spans {
	switch len(of) {
	case 0:
		return indexes.Everything()
	case 1:
		return of[0]
	}
	middle := len(of) / 2
	return intersection(of[:middle]).Intersect(intersection(of[middle:]))
}

// covers reports whether s holds all of part.
func covers(s, part indexes.Spans) bool {
	if len(s) == 1 && len(part) == 1 {
		of, within := s[0], part[0]
		return bytes.Compare(of.Start, within.Start) <= 0 &&
			(of.End == nil || within.End != nil && bytes.Compare(of.End, within.End) >= 0)
	}
	return len(part.Intersect(s.Complement())) == 0
}

// understood makes a leaf that reads a view.
func (a *analysis) understood(v view, o outcome) *node {
	if v.cast {
		o.yesExact, o.noExact = false, false
	}
	t := a.see(v)
	if v.column.PrimaryKeyPart > 0 {
		// A part of the primary key is never missing, nor NULL.
		o.yesMissing, o.noMissing = false, false
	}
	return &node{target: t, leaf: o}
}

// see notes that the statement reads a view, and gives its target.
func (a *analysis) see(v view) string {
	name := v.target()
	if !a.seen(name) {
		a.targets = append(a.targets, target{name, v})
		if a.named != nil {
			a.named[name] = len(a.targets) - 1
		}
	}
	return name
}

// seen reports whether a target has been noted.
func (a *analysis) seen(name string) bool {
	const few = 8
	if len(a.targets) <= few {
		return slices.ContainsFunc(a.targets, func(t target) bool { return t.name == name })
	}
	if a.named == nil {
		a.named = make(map[string]int, 2*len(a.targets))
		for i := range a.targets {
			a.named[a.targets[i].name] = i
		}
	}
	_, seen := a.named[name]
	return seen
}

func notUnderstood(reason string) *node { return &node{reason: reason} }

func shorten(e sql.Expression) string {
	s := Readable(e)
	const shown = 120
	if r := []rune(s); len(r) > shown {
		return string(r[:shown]) + "…"
	}
	return s
}
