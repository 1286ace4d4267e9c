package pushdown

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// node is a predicate as a tree of AND, OR, NOT and IS TRUE over leaves that
// each read one target.
type node struct {
	connective connective
	children   []*node
	// loose: the outcome is not exact, whatever the children's are.
	loose bool
	// of leaves:
	target string // empty: constant, or not understood
	leaf   outcome
	found  []cover // covers of its truth, besides or instead of a target's values
	denied []cover // covers of its being false, of a leaf with found
	reason string  // why the leaf is not understood
	// rejects: of a leaf that is not understood, the targets without which it is NULL.
	rejects []rejected
}

type connective uint8

const (
	isLeaf connective = iota
	isAnd
	isOr
	isNot
	isTrue
	isNull
)

func (a *analysis) build(e sql.Expression) *node {
	e = strip(e)
	switch e := e.(type) {
	case Condition:
		return a.leaf(strip(e.PushdownCondition()))
	case *expression.And:
		return a.chain(isAnd, e)
	case *expression.Or:
		return a.chain(isOr, e)
	case *expression.Xor:
		left, right := a.build(e.LeftChild), a.build(e.RightChild)
		return both(either(left, right), not(both(left, right)))
	case *expression.Not:
		return not(a.build(e.Child))
	case *expression.IsTrue:
		child := a.build(e.Child)
		if strings.HasSuffix(e.String(), expression.IsFalseStr) {
			child = not(child)
		}
		return certain(child)
	case *expression.IsNull:
		if isPredicate(e.Child) {
			return &node{connective: isNull, children: []*node{a.build(e.Child)}}
		}
	}
	if n, ok := a.conditional(e); ok {
		return n
	}
	return a.leaf(e)
}

// chain is a chain of AND or of OR as one node, however deep the parser has made it.
func (a *analysis) chain(of connective, e sql.Expression) *node {
	n := &node{connective: of}
	pending := []sql.Expression{e}
	for len(pending) > 0 {
		e := strip(pending[len(pending)-1])
		pending = pending[:len(pending)-1]
		switch and, or := asAnd(e), asOr(e); {
		case of == isAnd && and != nil:
			pending = append(pending, and.RightChild, and.LeftChild)
		case of == isOr && or != nil:
			pending = append(pending, or.RightChild, or.LeftChild)
		default:
			n.children = append(n.children, a.build(e))
		}
	}
	return n
}

func asAnd(e sql.Expression) *expression.And {
	and, _ := e.(*expression.And)
	return and
}

func asOr(e sql.Expression) *expression.Or {
	or, _ := e.(*expression.Or)
	return or
}

func both(children ...*node) *node   { return &node{connective: isAnd, children: children} }
func either(children ...*node) *node { return &node{connective: isOr, children: children} }
func not(n *node) *node              { return &node{connective: isNot, children: []*node{n}} }
func certain(n *node) *node          { return &node{connective: isTrue, children: []*node{n}} }

// outcome is what the predicate says of one target; leaves of other targets
// may be anything.
func (n *node) outcome(target string) outcome {
	o := n.outcomeOf(target)
	if n.loose {
		o.yesExact, o.noExact = false, false
	}
	return o
}

func (n *node) outcomeOf(target string) outcome {
	switch n.connective {
	case isAnd:
		return fold(n.children, target, outcome.and)
	case isOr:
		return fold(n.children, target, outcome.or)
	case isNot:
		return n.children[0].outcome(target).not()
	case isTrue:
		return n.children[0].outcome(target).isTrue()
	case isNull:
		return n.children[0].outcome(target).isNull()
	}
	for _, r := range n.rejects {
		if r.target == target {
			return outcome{yes: r.there, no: r.there}
		}
	}
	if n.reason != "" || n.target == "" && n.found != nil || n.target != "" && n.target != target {
		return unknown()
	}
	return n.leaf
}

// fold joins the outcomes of a chain by halves, so that a chain of n predicates costs
// n log n.
func fold(chain []*node, target string, join func(o, p outcome) outcome) outcome {
	if len(chain) == 1 {
		return chain[0].outcome(target)
	}
	half := len(chain) / 2
	return join(fold(chain[:half], target, join), fold(chain[half:], target, join))
}

// constant reports whether the predicate is a constant.
func (n *node) constant() bool {
	return n.connective == isLeaf && n.target == "" && n.reason == "" && n.found == nil
}

// names reports whether a leaf reads the target.
func (n *node) names(target string) bool {
	return n.target == target || slices.ContainsFunc(n.rejects, func(r rejected) bool { return r.target == target }) || slices.ContainsFunc(n.children, func(c *node) bool { return c.names(target) })
}

// why says what keeps the predicate from having a range.
func (n *node) why() string {
	var reasons, targets []string
	found := false
	n.walk(func(leaf *node) {
		if leaf.reason != "" && !slices.Contains(reasons, leaf.reason) {
			reasons = append(reasons, leaf.reason)
		}
		found = found || leaf.found != nil && leaf.target == ""
		if leaf.target != "" && !slices.Contains(targets, leaf.target) {
			targets = append(targets, leaf.target)
		}
	})
	switch {
	case len(reasons) > 0:
		return strings.Join(reasons, "; ")
	case found && len(targets) == 0:
		return "what holds no such value has no range"
	case len(targets) > 1 || found:
		return "one of its alternatives has no range"
	case len(targets) == 0:
		return "reads no column"
	}
	if o := n.outcome(targets[0]); o.yesMissing && !o.yes.IsEverything() {
		return "documents without the value satisfy it, and have no entry"
	}
	return "any value satisfies it"
}

// finds reports whether a leaf has covers of its own.
func (n *node) finds() bool {
	return n.found != nil || slices.ContainsFunc(n.children, (*node).finds)
}

func (n *node) walk(visit func(leaf *node)) {
	if n.connective == isLeaf {
		visit(n)
	}
	for _, c := range n.children {
		c.walk(visit)
	}
}
