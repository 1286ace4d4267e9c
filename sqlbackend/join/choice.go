package join

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Costs of a join's steps, in documents read by a full scan, as in package costing.
const (
	CostLookup  = 1.5 // to look one value up, however many rows it finds
	CostFound   = 2.2 // a document found by an entry
	costInOrder = 1.0 // one of the documents that share the first columns of their keys
	costThere   = 1.2 // a document found by its key, but not read
	costMade    = 0.5 // a row made from an entry or a key, without its document
	CostHashed  = 0.5 // to hold a row and find it again
	CostMeeting = 0.2 // to join a row with a row that it has found
)

// costOfLookup is the cost of looking one value up, if it finds perKey rows that cost found each.
func costOfLookup(perKey, found float64) float64 { return CostLookup + CostMeeting + perKey*found }

// foreseen returns the columns of a table that the running statement names; a join reads no others. nil: all
// columns.
func foreseen(t *table.Table) []bool { return t.Use(nil).Needed(nil) }

// costOfWhole is the cost of reading all rows of a table, given their number.
func costOfWhole(t *table.Table, rows float64) float64 {
	if t.KeysCover(foreseen(t)) {
		return rows * costMade
	}
	return rows
}

// CostOfFound is the cost of one row found by legs.
func (s Lookable) CostOfFound(l Legs) float64 {
	t := BatchTable{Table: s.table, Way: &Way{Legs: l}, Needed: foreseen(s.table)}
	switch {
	case s.child != nil, s.feed != nil:
		return CostFound
	case len(s.table.Def.PrimaryKey) > 1 && len(l) == 1 && l[0].primaryKey:
		return costInOrder
	case !t.EntriesOnly():
		return CostFound
	case slices.ContainsFunc(l, func(l *leg) bool { return l.primaryKey }):
		return costThere
	}
	return costMade
}

// lookedUp plans a join with one side read in batches; nil if reading both sides as a whole is not dearer.
func (j Joiner) lookedUp(m *Matching) (sql.Node, error) {
	left, right := j.SizeOf(m.Left), j.SizeOf(m.Right)
	var best *Way
	var of Lookable
	ofRight := false
	consider := func(n sql.Node, isRight bool, outer, own table.Size) error {
		s, ok := SideOf(n)
		if !ok {
			return nil
		}
		tables, others := tree.TablesOf(m.Left), tree.TablesOf(m.Right)
		if isRight {
			tables, others = others, tables
		}
		k, err := j.Seeker(s, tables, others)
		if err != nil {
			return err
		}
		ways, err := k.Ways(m.Conjuncts)
		if err != nil {
			return err
		}
		for _, l := range ways {
			if m.join.Op.IsAnti() && !m.known(l) {
				continue
			}
			w := &Way{Legs: l, Outer: int64(outer.Rows), PerKey: l.Found(), Each: s.CostOfFound(l), Documents: k.Documents}
			w.Cost = outer.Rows*(CostLookup*float64(len(l))+CostMeeting) + w.CostFound(outer.Rows)
			if w.Hashed = len(m.equal) > 0; w.Hashed {
				w.Instead = own.Cost + own.Rows*CostHashed + outer.Rows*CostMeeting
			} else {
				w.Instead = left.Cost + max(1, left.Rows)*(right.Cost+right.Rows*CostMeeting) - outer.Cost
			}
			if w.Cost < w.Instead && (best == nil || w.Cost+outer.Cost < best.Cost+other(ofRight, left, right).Cost) {
				best, of, ofRight = w, s, isRight
			}
		}
		return nil
	}
	op := m.join.Op
	if err := consider(m.Right, true, left, right); err != nil {
		return nil, err
	}
	if s, _ := SideOf(m.Left); !op.IsLeftOuter() && !op.IsAnti() && (s.child == nil || !op.IsSemi()) {
		if err := consider(m.Left, false, right, left); err != nil {
			return nil, err
		}
	}
	if best == nil {
		return nil, nil
	}
	side, err := of.Node(best)
	if err != nil {
		return nil, err
	}
	sides := [2]sql.Node{m.Left, side}
	if !ofRight {
		sides = [2]sql.Node{side, m.Right}
	}
	next := plan.NewJoin(sides[0], sides[1], lookupOf(op), m.join.Filter).WithScopeLen(m.join.ScopeLen)
	return next.WithComment(m.join.Comment()), nil
}

// CostFound is the cost of reading what rows find. Ranges overlap: the rows they find are read once a batch, if they
// can be held, and each is joined with several of its rows.
func (w *Way) CostFound(rows float64) float64 {
	found := rows * w.PerKey
	if w.Legs.equal() {
		return found * w.Each
	}
	read := found
	if w.Documents <= batchFinds {
		read = min(read, math.Ceil(rows/MaxBatch)*float64(w.Documents))
	}
	return read*w.Each + found*CostMeeting
}

// known reports whether the condition is false, never NULL, where a conjunct that legs use is not true. It is so for
// a conjunct that is never NULL, or that the condition requires to be not NULL.
func (m *Matching) known(l Legs) bool {
	for _, leg := range l {
		for _, at := range leg.conjuncts() {
			if !m.knows(m.Conjuncts[at]) {
				return false
			}
		}
	}
	return true
}

// knows is known for one conjunct.
func (m *Matching) knows(c sql.Expression) bool {
	if !c.IsNullable() {
		return true
	}
	given := expression.NewNot(expression.NewIsNull(c)).String()
	return slices.ContainsFunc(m.Conjuncts, func(o sql.Expression) bool { return o.String() == given })
}

func other(ofRight bool, left, right table.Size) table.Size {
	if ofRight {
		return left
	}
	return right
}
