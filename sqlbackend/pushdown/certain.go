package pushdown

import "slices"

// certain lists the conjuncts that are true of every document: according to the counts, all values satisfy them.
func (a *analysis) certain(nodes []*node) []int {
	var out []int
	for i, n := range nodes {
		if !n.constant() && a.always(n, truthTrue) {
			out = append(out, i)
		}
	}
	return out
}

// always reports whether a predicate is true of every document, or false of every one.
func (a *analysis) always(n *node, wanted truth) bool {
	if a.visits++; a.visits > maxVisits || n.loose {
		return false
	}
	is := func(c *node) bool { return a.always(c, wanted) }
	switch n.connective {
	case isLeaf:
		return a.leafAlways(n, wanted)
	case isNot:
		return a.always(n.children[0], wanted.not())
	case isAnd, isOr:
		if (n.connective == isAnd) == (wanted == truthTrue) {
			return !slices.ContainsFunc(n.children, func(c *node) bool { return !is(c) })
		}
		return slices.ContainsFunc(n.children, is)
	case isTrue:
		return wanted == truthTrue && is(n.children[0])
	}
	return false
}

func (a *analysis) leafAlways(n *node, wanted truth) bool {
	if n.reason != "" || n.found != nil || n.denied != nil {
		return false
	}
	o := n.leaf
	if wanted == truthFalse {
		o = o.not()
	}
	if !o.yesExact || o.yes.IsPoint() || len(o.yes) == 0 && !o.yesMissing {
		return false
	}
	if n.target == "" {
		return o.yesMissing // a constant predicate
	}
	v, ok := a.viewOfTarget(n.target)
	switch {
	case !ok || v.reach != nil:
		return false
	case v.column.PrimaryKeyPart > 0:
		return covers(o.yes, v.domain().spans())
	}
	return a.resolver.Certain(v.column, Among{Values: o.yes, Missing: o.yesMissing})
}

func (a *analysis) viewOfTarget(name string) (view, bool) {
	if i, ok := a.named[name]; ok {
		return a.targets[i].view, true
	}
	i := slices.IndexFunc(a.targets, func(t target) bool { return t.name == name })
	if i < 0 {
		return view{}, false
	}
	return a.targets[i].view, true
}

// DropCertain removes the certain conjuncts from the residual ones.
func (r *Result) DropCertain() {
	if len(r.Certain) == 0 {
		return
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.Residual = r.Uncertain(c.Residual)
	}
}

// Uncertain returns the conjuncts out of among that are not certain.
func (r *Result) Uncertain(among []int) []int {
	if len(r.Certain) == 0 {
		return among
	}
	return slices.DeleteFunc(slices.Clone(among), func(i int) bool { return slices.Contains(r.Certain, i) })
}

// Idle reports whether a candidate excludes no document: all conjuncts that its spans answer are certain.
func (r *Result) Idle(c *Candidate) bool {
	return len(r.Certain) > 0 && len(c.Answers) > 0 && len(r.Uncertain(c.Answers)) == 0
}
