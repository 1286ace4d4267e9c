package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
)

// explained is a plan node of this package. EXPLAIN asks it what it does: the
// table, the tree and the JSON text are all made from the answer, and nobody
// reads its String. Its children are explained below it.
type explained interface {
	sql.Node
	explain() explanation
}

// explanation is what EXPLAIN tells of one node. All but the operation may be
// left empty.
type explanation struct {
	// operation is what the node does, as a line of FORMAT=TREE begins: "Count
	// keys". The table, if there is one, and the detail follow it.
	operation string
	// detail is what it is done to: a condition, expressions.
	detail string

	// table is the name or alias of the table that the node itself reads; the
	// table then has its line in EXPLAIN's own format.
	table string
	// path is how the node finds what it reads, with the candidates that lost.
	path *accessPath
	// access and key are EXPLAIN's type and key, and ref its ref, where the path
	// does not tell them or there is none: "ALL", "index", "eq_ref".
	access, key, ref string
	// estimate is what will be read, where the path does not tell it or the node
	// reads less.
	estimate *costing.Estimate
	// entriesOnly: no document is read.
	entriesOnly bool

	// facts are further lines about the node.
	facts []string
	// lost are ways that were thought of beside the candidates of the path.
	lost []lostWay
	// extra is for EXPLAIN's column Extra, in MySQL's words where there are any.
	extra []string
	// at is what the node's work is noted under, see Session.noteWork, if it is
	// neither the node itself nor the path.
	at any
}

// lostWay is a way to read that was not taken.
type lostWay struct {
	way string // what would be read: "`n` in (1, 5)"
	why string // what it would have cost, or why it can't be used
	// What it would have read; nil where that is not known.
	estimate *costing.Estimate
}
