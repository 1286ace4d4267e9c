package pushdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// cover is parts of the index such that a document for which a predicate is
// true has an entry in at least one of them. The zero cover is no part: no
// document satisfies the predicate.
type cover struct {
	parts []spot // one for each keypath; allowed is the entries
	// unbounded: documents without any of these entries may satisfy it too.
	unbounded bool
	// exact: a document satisfies the predicate if it has one of the entries.
	exact bool
	// lone: one target's values, which Split finds a better way to.
	lone bool
}

// nowhere is the cover of a predicate that is never true, anywhere of one that may always be true.
var (
	nowhere  = cover{exact: true}
	anywhere = cover{unbounded: true}
)

// coverOf returns the cover of some spots, without those that have no values.
func coverOf(exact bool, spots ...spot) cover {
	c := cover{exact: exact}
	for _, s := range spots {
		if len(s.allowed) == 0 && !s.missing {
			continue
		}
		if s.isRoot() && s.column.PrimaryKeyPart == 0 {
			return anywhere // every document has the document itself
		}
		c.add(s)
	}
	return c
}

func (c *cover) add(s spot) {
	for i := range c.parts {
		p := &c.parts[i]
		if p.column.Keypath == s.column.Keypath && p.column.PrimaryKeyPart == s.column.PrimaryKeyPart {
			p.allowed, p.missing = p.allowed.Union(s.allowed), p.missing || s.missing
			return
		}
	}
	c.parts = append(c.parts, s)
}

// or is the cover of either of several predicates.
func or(covers ...cover) cover {
	out := nowhere
	spans := map[string]int{} // part by keypath
	var all [][]indexes.Span
	for _, c := range covers {
		if c.unbounded {
			return anywhere
		}
		out.exact = out.exact && c.exact
		for _, s := range c.parts {
			key := s.column.Keypath
			if s.column.PrimaryKeyPart > 0 {
				key = "\x00"
			}
			i, there := spans[key]
			if !there {
				i = len(out.parts)
				spans[key] = i
				out.parts, all = append(out.parts, s), append(all, nil)
			}
			all[i] = append(all[i], s.allowed...)
			out.parts[i].missing = out.parts[i].missing || s.missing
		}
	}
	for i := range out.parts {
		out.parts[i].allowed = indexes.NewSpans(all[i]...)
	}
	return out
}

// loosened returns covers of a predicate that implies the predicate of the given ones.
func loosened(covers []cover) []cover {
	out := slices.Clone(covers)
	for i := range out {
		out[i].exact = false
	}
	return out
}

// maxCovers bounds the covers of one predicate that are compared.
const maxCovers = 8

// eitherOf is the covers of either of several predicates, which have some
// covers each: some of all combinations.
func eitherOf(arms ...[]cover) []cover {
	for i, arm := range arms {
		arms[i] = slices.DeleteFunc(slices.Clone(arm), func(c cover) bool { return c.unbounded })
		// Prefer covers that hold regardless of the keypaths that documents lack.
		slices.SortStableFunc(arms[i], func(c, d cover) int { return cmp.Compare(needs(c), needs(d)) })
		if len(arms[i]) == 0 {
			return nil
		}
	}
	if len(arms) == 0 {
		return []cover{nowhere}
	}
	n := 1
	for _, arm := range arms {
		n = max(n, len(arm))
	}
	// Not every combination: the first of all, the second of all, and so on. Of
	// arms that are alike these are the ones that differ most.
	var out []cover
	for i := range min(n, maxCovers) {
		chosen := make([]cover, len(arms))
		for j, arm := range arms {
			chosen[j] = arm[min(i, len(arm)-1)]
		}
		out = append(out, or(chosen...))
	}
	return out
}

// needs is the number of parts where documents without the keypath count too.
func needs(c cover) int {
	n := 0
	for _, s := range c.parts {
		if s.missing {
			n++
		}
	}
	return n
}

// covers finds the covers of a predicate being true, or for wanted false of its
// being false.
func (a *analysis) covers(n *node, wanted truth) []cover {
	var out []cover
	switch {
	case n.connective == isLeaf:
		if n.found == nil || n.target != "" {
			out = a.outcomeCovers(n, wanted)
		}
		if wanted == truthTrue {
			out = append(out, n.found...)
		} else {
			out = append(out, n.denied...)
		}
	case n.connective == isNot:
		out = a.covers(n.children[0], wanted.not())
	case n.connective == isTrue:
		if wanted == truthTrue {
			out = a.covers(n.children[0], truthTrue)
		}
	case n.connective == isNull:
		out = a.outcomeCovers(n, wanted)
	case (n.connective == isAnd) == (wanted == truthTrue):
		out = a.outcomeCovers(n, wanted)
		for _, child := range n.children {
			for _, c := range loosened(a.covers(child, wanted)) {
				if !c.lone && len(out) < maxCovers {
					out = append(out, c)
				}
			}
		}
	default:
		var arms [][]cover
		for _, arm := range n.arms(n.connective, nil) {
			covers := a.covers(arm, wanted)
			if len(covers) == 0 {
				return nil
			}
			arms = append(arms, covers)
		}
		out = eitherOf(arms...)
	}
	if n.loose {
		out = loosened(out)
	}
	return out
}

// arms are the operands of a chain of one connective.
func (n *node) arms(of connective, into []*node) []*node {
	if n.connective != of || n.loose && into != nil {
		return append(into, n)
	}
	for _, child := range n.children {
		into = child.arms(of, into)
	}
	return into
}

// outcomeCovers finds the covers by the values of one target each.
func (a *analysis) outcomeCovers(n *node, wanted truth) []cover {
	if n.constant() {
		o := n.leaf
		if wanted == truthFalse {
			o = o.not()
		}
		if !o.yesMissing && len(o.yes) == 0 {
			return []cover{nowhere}
		}
		return nil
	}
	only := n.connective == isLeaf && len(n.rejects) == 0 // it names its own target alone
	var out []cover
	for i := range a.targets {
		target := &a.targets[i]
		if only && n.target != target.name {
			continue
		}
		o := a.saying(n, target.name, wanted)
		if wanted == truthFalse {
			o = o.not()
		}
		if c := a.coverOfValues(&target.view, o); !c.unbounded {
			out = append(out, c)
		}
	}
	return out
}

// coverOfValues is the cover of a target having one of the values for which an outcome is true.
func (a *analysis) coverOfValues(v *view, o outcome) cover {
	switch {
	case v.column.PrimaryKeyPart > 1, o.yesMissing && (v.reach != nil || covers(o.yes, present)):
		return anywhere
	case v.column.PrimaryKeyPart == 1:
		whole := v.domain().spans()
		if covers(o.yes, whole) {
			return anywhere
		}
		return cover{parts: []spot{{column: v.column, allowed: o.yes.Intersect(whole)}}, exact: o.yesExact, lone: true}
	case v.reach != nil:
		c := v.reach.parts(o.yes)
		c.exact, c.lone = c.exact && o.yesExact, true
		return c
	}
	c := coverOf(o.yesExact, spot{column: v.column, allowed: o.yes.Intersect(present), missing: o.yesMissing})
	c.lone = true
	return c
}

// covered returns the candidate that reads a cover of one conjunct.
func (a *analysis) covered(c cover, conjunct, conjuncts int) Candidate {
	out := Candidate{Answers: []int{conjunct}, Tight: c.exact}
	for i := range conjuncts {
		if i != conjunct || !c.exact {
			out.Residual = append(out.Residual, i)
		}
	}
	a.lead(&out, c)
	return out
}

// lead sets the parts of a candidate to those of a cover.
func (a *analysis) lead(out *Candidate, c cover) {
	for _, s := range c.parts {
		p := Part{Column: s.column, PrimaryKey: s.column.PrimaryKeyPart == 1, Spans: s.allowed, NeedsPresent: s.missing}
		out.NeedsAllPresent = out.NeedsAllPresent || s.missing
		if a.labels != nil {
			p.Text = a.describe(p.Spans)
		}
		out.Parts = append(out.Parts, p)
	}
	out.Column, out.PrimaryKey, out.Spans, out.Text = Column{}, false, nil, ""
	if len(out.Parts) == 1 {
		p := out.Parts[0]
		out.Column, out.PrimaryKey, out.Spans, out.Text = p.Column, p.PrimaryKey, p.Spans, p.Text
	}
}

// Part is entries at one keypath, or documents by the first column of the primary key.
type Part struct {
	Column     Column
	PrimaryKey bool
	// Spans holds the encoded values, which are shared and must not be changed.
	Spans indexes.Spans
	// Text is Spans in readable form, if Options.Explain.
	Text string
	// NeedsPresent says, if there are several parts, that this one is complete only if no document lacks its keypath,
	// as Candidate.NeedsAllPresent says.
	NeedsPresent bool
	// Declared is the part of a declared index to read; nil where the part is entries of the keypath, or documents.
	// Column and Spans are then those of the index's first column. Split makes no such part.
	Declared *Declared
}

// Declared is entries of a declared index.
type Declared struct {
	Name    string
	Number  int64
	Columns []Column // the index's first columns, as far as Ranges restrict them
	Of      int      // the number of all the index's columns
	// Ranges are sorted and don't overlap. Point says that they are one, with one value in each of Columns.
	Ranges []indexes.DeclaredRange
	Point  bool
	// Bounds are candidates, one for each of Columns; each entry in the ranges has their values.
	Bounds []Candidate
}

// Repeats reports whether a document may have several entries in the part, because the keypath leads through an
// array.
func (p Part) Repeats() bool { return !p.PrimaryKey && p.Column.Path.HasArray() }

// String returns the part in one line: keypath, values.
func (p Part) String() string { return p.Column.Label() + " in " + p.Text }

// partsText shows parts; a document is in at least one of them.
func partsText(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.String()
	}
	return strings.Join(texts, " or ")
}
