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
	// loose says that the outcome is not exact, even if the children's are.
	loose bool
	// The following are for leaves.
	target string // empty: constant, or not understood
	leaf   outcome
	found  []cover // covers of the predicate being true, besides or instead of a target's values
	denied []cover // covers of the predicate being false, if found is set
	reason string  // why the leaf is not understood
	// rejects are, for a leaf that is not understood, the targets without which it is NULL.
	rejects []rejected
	// size is the number of nodes below, with repeated ones counted each time.
	size int
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
	if !a.step() {
		return notUnderstood(tooMuch)
	}
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
			return joined(isNull, a.build(e.Child))
		}
	}
	if n, ok := a.conditional(e); ok {
		return n
	}
	return a.leaf(e)
}

// chain returns a chain of AND or of OR as one node, regardless of how deeply the parser nests it.
func (a *analysis) chain(of connective, e sql.Expression) *node {
	var parts []*node
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
			parts = append(parts, a.build(e))
		}
	}
	return joined(of, parts...)
}

func asAnd(e sql.Expression) *expression.And {
	and, _ := e.(*expression.And)
	return and
}

func asOr(e sql.Expression) *expression.Or {
	or, _ := e.(*expression.Or)
	return or
}

func both(children ...*node) *node   { return joined(isAnd, children...) }
func either(children ...*node) *node { return joined(isOr, children...) }
func not(n *node) *node              { return joined(isNot, n) }
func certain(n *node) *node          { return joined(isTrue, n) }

// maxSize bounds the nodes of one predicate. XOR, and the values of CASE and the like, have their operands twice, so
// that each nesting level doubles them.
const maxSize = 1 << 18

// tooMuch is the reason why a predicate beyond a bound of the analysis has no range.
const tooMuch = "the condition is too large to be followed"

// joined returns a connective over its operands.
func joined(of connective, children ...*node) *node {
	n := &node{connective: of, children: children, size: len(children)}
	for _, c := range children {
		if n.size += c.size; n.size > maxSize {
			return notUnderstood(tooMuch)
		}
	}
	return n
}

// outcome returns the predicate's outcome for one target; leaves of other targets may have any value.
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

// fold joins the outcomes of a chain by halves, so that a chain of n predicates costs n log n.
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

// names reports whether the predicate being true, or being false, may restrict the target's values.
func (a *analysis) names(n *node, target string, wanted truth) bool {
	if a.visits++; a.visits > maxVisits {
		return false
	}
	named := func(c *node) bool { return a.names(c, target, wanted) }
	switch n.connective {
	case isLeaf:
		return n.target == target || slices.ContainsFunc(n.rejects, func(r rejected) bool { return r.target == target })
	case isNot:
		return a.names(n.children[0], target, wanted.not())
	case isAnd, isOr:
		if (n.connective == isAnd) == (wanted == truthTrue) {
			return slices.ContainsFunc(n.children, named)
		}
		// One that does not restrict the target is enough for the whole not to.
		return !slices.ContainsFunc(n.children, func(c *node) bool { return !named(c) && !a.cannotBe(c, wanted) })
	case isTrue:
		return a.names(n.children[0], target, truthTrue)
	}
	return named(n.children[0]) || a.names(n.children[0], target, wanted.not())
}

// cannotBe reports whether constants keep the predicate from being true, or from being false.
func (a *analysis) cannotBe(n *node, wanted truth) bool {
	a.visits++
	cannot := func(c *node) bool { return a.cannotBe(c, wanted) }
	switch n.connective {
	case isLeaf:
		is := n.leaf
		if wanted == truthFalse {
			is = is.not()
		}
		return n.constant() && len(is.yes) == 0 && !is.yesMissing
	case isNot:
		return a.cannotBe(n.children[0], wanted.not())
	case isAnd, isOr:
		if (n.connective == isAnd) == (wanted == truthTrue) {
			return slices.ContainsFunc(n.children, cannot)
		}
		return !slices.ContainsFunc(n.children, func(c *node) bool { return !cannot(c) })
	case isTrue:
		return wanted == truthTrue && cannot(n.children[0])
	}
	return false
}

// saying returns the predicate's outcome for one target, and unknown where its being true, or false, does not
// restrict the target.
func (a *analysis) saying(n *node, target string, wanted truth) outcome {
	if !a.names(n, target, wanted) {
		return unknown()
	}
	if a.visits += costOfOutcome * (n.size + 1); a.visits > maxVisits {
		return unknown()
	}
	return n.outcome(target)
}

// Each target is looked for in each predicate. maxVisits bounds the visited nodes; computing the outcome for a target
// costs costOfOutcome times as much.
const (
	maxVisits     = 1 << 26
	costOfOutcome = 8
)

// why returns the reasons that keep the predicate from having a range.
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
