package sqlbackend

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// What a join costs, in the units of package costing: one document that is read in a full
// scan.
const (
	costLookup  = 1.5 // to look for one value, whatever it finds
	costFound   = 2.2 // a document found by an entry
	costThere   = 1.2 // a document found by its key that is not read
	costMade    = 0.5 // a row that is made of an entry or of a key that is walked over, without its document
	costHashed  = 0.5 // to keep a row and to find it again
	costMeeting = 0.2 // a row of the other side that meets what it has found
)

// costOfLookup is what it costs to look for one value, where what is found costs that much each.
func costOfLookup(perKey, found float64) float64 { return costLookup + costMeeting + perKey*found }

// foreseen are the columns of a table that the running statement names, of which a join reads no others; nil is all of
// them.
func (t *Table) foreseen() []bool { return t.use(nil).needed(nil) }

// costOfWhole is what it costs to read that many rows, which are all of the table's.
func (t *Table) costOfWhole(rows float64) float64 {
	if t.keysTell(t.foreseen()) {
		return rows * costMade
	}
	return rows
}

// costOfFound is what a row costs that legs find.
func (s lookable) costOfFound(l legs) float64 {
	t := batchTable{Table: s.table, way: &joinWay{legs: l}, needed: s.table.foreseen()}
	switch {
	case s.child != nil, s.feed != nil, !t.entriesOnly():
		return costFound
	case slices.ContainsFunc(l, func(l *leg) bool { return l.primaryKey }):
		return costThere
	}
	return costMade
}

// lookedUp is the join with one side read in batches, if that is cheaper than
// to read both sides as a whole; nil if it is not.
func (j joiner) lookedUp(m *matching) (sql.Node, error) {
	left, right := j.sizeOf(m.left), j.sizeOf(m.right)
	var best *joinWay
	var of lookable
	ofRight := false
	consider := func(n sql.Node, isRight bool, outer, own size) error {
		s, ok := sideOf(n)
		if !ok {
			return nil
		}
		tables, others := tree.TablesOf(m.left), tree.TablesOf(m.right)
		if isRight {
			tables, others = others, tables
		}
		k, err := j.seeker(s, tables, others)
		if err != nil {
			return err
		}
		ways, err := k.ways(m.conjuncts)
		if err != nil {
			return err
		}
		for _, l := range ways {
			if m.join.Op.IsAnti() && !m.known(l) {
				continue
			}
			w := &joinWay{legs: l, outer: int64(outer.rows), perKey: l.found(), each: s.costOfFound(l), documents: k.documents}
			w.cost = outer.rows*(costLookup*float64(len(l))+costMeeting) + w.costFound(outer.rows)
			if w.hashed = len(m.equal) > 0; w.hashed {
				w.instead = own.cost + own.rows*costHashed + outer.rows*costMeeting
			} else {
				w.instead = left.cost + max(1, left.rows)*(right.cost+right.rows*costMeeting) - outer.cost
			}
			if w.cost < w.instead && (best == nil || w.cost+outer.cost < best.cost+other(ofRight, left, right).cost) {
				best, of, ofRight = w, s, isRight
			}
		}
		return nil
	}
	op := m.join.Op
	if err := consider(m.right, true, left, right); err != nil {
		return nil, err
	}
	if s, _ := sideOf(m.left); !op.IsLeftOuter() && !op.IsAnti() && (s.child == nil || !op.IsSemi()) {
		if err := consider(m.left, false, right, left); err != nil {
			return nil, err
		}
	}
	if best == nil {
		return nil, nil
	}
	side, err := of.node(best)
	if err != nil {
		return nil, err
	}
	sides := [2]sql.Node{m.left, side}
	if !ofRight {
		sides = [2]sql.Node{side, m.right}
	}
	switch {
	case op.IsHash() && op.IsLeftOuter():
		op = plan.JoinTypeLeftOuterLookup
	case op.IsHash():
		op = plan.JoinTypeLookup
	default:
		op = op.AsLookup()
	}
	next := plan.NewJoin(sides[0], sides[1], op, m.join.Filter).WithScopeLen(m.join.ScopeLen)
	return next.WithComment(m.join.Comment()), nil
}

// costFound is what it costs to read what rows find. Ranges overlap: what they find is read
// once a batch, if it can be held, and meets each of its rows.
func (w *joinWay) costFound(rows float64) float64 {
	found := rows * w.perKey
	if w.legs.equal() {
		return found * w.each
	}
	read := found
	if w.documents <= batchFinds {
		read = min(read, math.Ceil(rows/maxBatch)*float64(w.documents))
	}
	return read*w.each + found*costMeeting
}

// known reports whether each conjunct that legs ask is joined by AND with its
// not being NULL, or never is: what it is not true of then makes the condition false.
func (m *matching) known(l legs) bool {
	for _, leg := range l {
		for _, at := range leg.conjuncts() {
			if !m.knows(m.conjuncts[at]) {
				return false
			}
		}
	}
	return true
}

// knows reports the same of one conjunct.
func (m *matching) knows(c sql.Expression) bool {
	if !c.IsNullable() {
		return true
	}
	given := expression.NewNot(expression.NewIsNull(c)).String()
	return slices.ContainsFunc(m.conjuncts, func(o sql.Expression) bool { return o.String() == given })
}

func other(ofRight bool, left, right size) size {
	if ofRight {
		return left
	}
	return right
}
