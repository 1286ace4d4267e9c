package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// What a join costs, in the units of package costing: one document that is read in a full
// scan.
const (
	costLookup  = 1.5 // to look for one value, whatever it finds
	costFound   = 2.2 // a document found by an entry
	costHashed  = 0.5 // to keep a row and to find it again
	costMeeting = 0.2 // a row of the other side that meets what it has found
)

// costOfLookup is what it costs to look for one value.
func costOfLookup(perKey float64) float64 { return costLookup + costMeeting + perKey*costFound }

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
		for _, e := range m.equal {
			w, err := j.wayOf(s, e, isRight)
			if err != nil {
				return err
			}
			if w == nil {
				continue
			}
			w.outer = int64(outer.rows)
			w.cost = outer.rows * costOfLookup(w.perKey)
			w.instead = own.cost + own.rows*costHashed + outer.rows*costMeeting
			if w.cost < w.instead && (best == nil || w.cost+outer.cost < best.cost+other(ofRight, left, right).cost) {
				best, of, ofRight = w, s, isRight
			}
		}
		return nil
	}
	op := m.join.Op
	if !op.IsAnti() || m.known() {
		if err := consider(m.right, true, left, right); err != nil {
			return nil, err
		}
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

// known reports whether each equality of the condition is joined by AND with its
// not being NULL, or never is: what is not equal then makes the condition false.
func (m *matching) known() bool {
	given := map[string]bool{}
	for _, c := range m.conjuncts {
		given[c.String()] = true
	}
	for _, e := range m.equal {
		c := m.conjuncts[e.conjunct]
		if c.IsNullable() && !given[expression.NewNot(expression.NewIsNull(c)).String()] {
			return false
		}
	}
	return true
}

func other(ofRight bool, left, right size) size {
	if ofRight {
		return left
	}
	return right
}

// wayOf is how a side is looked up by an equality; nil if it can't be.
func (j joiner) wayOf(s lookable, e equalPair, right bool) (*joinWay, error) {
	operand, value, last := e.left, e.right, !e.turned
	if right {
		operand, value, last = e.right, e.left, e.turned
	}
	read, err := j.session.planReader()
	if err != nil {
		return nil, err
	}
	resolver := &lookupResolver{table: s.table, read: read}
	var columns pushdown.Resolver = resolver
	if s.child != nil {
		children := &childResolver{table: s.child, documents: lookupResolver{table: s.table, read: read}}
		columns, resolver = children, &children.documents
	}
	equality, _, ok := pushdown.NewEquality(j.ctx, operand, value, columns)
	if resolver.err != nil {
		return nil, resolver.err
	}
	if !ok || !j.comparable(equality.Column(), operand, value) {
		return nil, nil
	}
	w := &joinWay{equality: equality, conjunct: e.conjunct, value: value, last: last}
	documents, _, err := s.table.def.collection.Statistics(read).Documents()
	if err != nil {
		return nil, err
	}
	w.documents = documents
	if equality.PrimaryKey() {
		w.perKey = 1
		return w, nil
	}
	if s.child != nil {
		return nil, nil // a document may have several entries there
	}
	col := equality.Column()
	if _, unsettled := s.table.def.unsettledColumn(col.Path); unsettled {
		return nil, nil
	}
	counts, _ := resolver.countsOf(col.Keypath)
	if resolver.err != nil {
		return nil, resolver.err
	}
	if counts[indexes.KindOmitted].Documents > 0 {
		return nil, nil // some values have no entries
	}
	w.perKey, err = s.table.perValue(read, col.Keypath)
	return w, err
}

// comparable reports whether a column of the index is compared with a value of the
// other side as the index has it.
func (j joiner) comparable(col pushdown.Column, operand, value sql.Expression) bool {
	value = unwrapped(value)
	switch c := j.comparer; c.class(value) {
	case classNumber:
		if types.IsFloat(value.Type()) && value.Type() != types.Float64 || types.IsYear(value.Type()) || types.IsBit(value.Type()) {
			return false
		}
		return col.Shape == pushdown.ShapeNumber || col.Shape == pushdown.ShapeJSON
	case classText:
		if col.Shape == pushdown.ShapeJSON {
			return true
		}
		by := c.textCollation(unwrapped(operand), value)
		return col.Shape == pushdown.ShapeString && (by == col.Collation || by.IsIdentity() && col.Collation.IsIdentity())
	case classJSON:
		return col.Shape == pushdown.ShapeJSON || col.Shape == pushdown.ShapeNumber ||
			col.Shape == pushdown.ShapeString && col.Collation == collation.Default
	}
	return false
}
