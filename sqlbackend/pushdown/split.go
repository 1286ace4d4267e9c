package pushdown

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// Candidate is one keypath, or the first column of the primary key, with the values that a document must have there
// to satisfy the conjuncts. It may also be several keypaths, of which a document must have a value in one.
type Candidate struct {
	// Parts are the entries to read. A document may have entries in several parts, and several in one. Without parts,
	// no document satisfies the conjuncts.
	Parts []Part
	// Column, PrimaryKey, Spans and Text are those of the only part. If there is not exactly one, they are zero, and
	// Text shows all parts.
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
	// Tight says that the spans are exactly the conjuncts in Answers.
	Tight bool
	// NeedsAllPresent says that documents without the keypath may satisfy the conjuncts, and have no entry. The
	// candidate is usable only if it is certain that there are none. If there are several parts, it applies to parts
	// with NeedsPresent.
	NeedsAllPresent bool
	// OnlyThere says that the spans show no more of the conjuncts in Answers than that a value exists where they are
	// true.
	OnlyThere bool
	// Answers lists the conjuncts that the spans come from, Residual those that must still be filtered, as indexes
	// into the conjuncts given to Split.
	Answers, Residual []int
}

// String is the candidate in one line: keypath, spans.
func (c Candidate) String() string {
	if len(c.Parts) == 0 {
		return "nothing to read"
	}
	return partsText(c.Parts)
}

// Result is the result of Split.
type Result struct {
	// Candidates are in the order in which the conjuncts name their keypaths.
	Candidates []Candidate
	// Reasons says for each conjunct without a range why there is none, if
	// Options.Explain.
	Reasons []string
	// Certain lists the conjuncts that are true of every document.
	Certain []int
}

// Options choose the details that Split returns.
type Options struct {
	// Explain adds Candidate.Text and Result.Reasons, which take longer than the rest.
	Explain bool
}

// Split analyses the conjuncts of a WHERE clause over one table. ctx is for the evaluation of constants.
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
			known := c.lone || len(c.parts) == 1 && needs(c) > 0 // the candidate of its only target covers it
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

// maxSayings bounds the pairs of conjunct and target that are examined, and the conjuncts that candidates list as
// residual. With thousands of conjuncts over as many keypaths, the first keypaths become candidates.
const maxSayings = 1 << 20

// analysis is the state of one Split.
type analysis struct {
	ctx      *sql.Context
	resolver Resolver
	targets  []target         // in order of appearance
	named    map[string]int   // index of a target in targets by name; nil while they are few
	labels   map[string]label // readable form of encoded values; nil if not needed
	// contained counts the values that were looked for within others.
	contained int
	// choices counts the expressions that were split by their conditions.
	choices int
	// steps counts the expressions that were analysed, visits the nodes that were visited.
	steps, visits int
	unread        bool // the reasons that are found now
}

// maxSteps bounds the expressions that are analysed for one statement, with repeated ones counted each time. IN of a
// computed expression analyses it for each element, so that nesting multiplies the steps.
const maxSteps = 1 << 18

// step counts an expression that is analysed. It returns false once there are too many.
func (a *analysis) step() bool {
	a.steps++
	return a.steps <= maxSteps
}

// target is the place that views of one name read.
type target struct {
	name string
	view // the first of them
}

// candidate intersects the outcomes of the conjuncts for one target.
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
	narrow := false // some conjunct restricts the value, not only its existence
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
		// Also without any value, so that the plan shows which keypath excludes all documents.
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

// intersection returns the values common to all sets. It halves the list, since each set may have as many spans as
// there are sets: n <> 1 AND n <> 2 …
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

// understood returns a leaf that reads a view.
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

// see notes that the statement reads a view, and returns its target.
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

// shorten is Readable, cut. Reasons are made for each operand of an operand, so they may not take long.
func shorten(e sql.Expression) string {
	const shown, levels = 120, 16
	s := oneLine(withoutQueries(e, levels))
	if r := []rune(s); len(r) > shown {
		return string(r[:shown]) + "…"
	}
	return s
}
