package join

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/memo"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// joinRows estimates a join's rows: all values of the side with fewer distinct values are taken to occur on the
// other.
func (z sizer) joinRows(base *memo.JoinBase) float64 {
	left, right := z.size(base.Left).size, z.size(base.Right).size
	if base.Op.IsPartial() {
		return left.Rows * FilteredPart
	}
	rows := left.Rows * right.Rows
	var equal []equated
	for _, f := range base.Filter {
		e, ok := f.(*expression.Equals)
		if !ok {
			rows *= FilteredPart
			continue
		}
		equal = append(equal, equated{z.joined(base, e, 0), z.joined(base, e, 1)})
	}
	rows /= valuesOf(equal)
	if base.Op.IsLeftOuter() {
		rows = max(rows, left.Rows)
	}
	return rows
}

// equated are the operands of an equality.
type equated [2]session.JoinOperand

// most is the larger number of distinct values.
func (e equated) most() float64 { return max(1, e[0].Distinct, e[1].Distinct) }

// valuesOf estimates the number of values that the operands of all equalities of a join have together.
func valuesOf(equal []equated) float64 {
	switch len(equal) {
	case 0:
		return 1
	case 1:
		return equal[0].most()
	}
	n := 1.0
	for {
		of, parts := widestKey(equal)
		if of.Table == 0 {
			break
		}
		n *= max(1, of.Documents)
		equal = slices.DeleteFunc(equal, func(e equated) bool { return slices.ContainsFunc(parts, e.sharesColumn) })
	}
	// The columns of two tables have no more values together than one of the tables has documents.
	for equal = independent(equal); len(equal) > 0; {
		pair, together, most := equal[0], 1.0, 1.0
		equal = slices.DeleteFunc(equal, func(e equated) bool {
			if !pair.sameTables(e) {
				return false
			}
			together, most = together*e.most(), max(most, e[0].Documents, e[1].Documents, e.most())
			return true
		})
		n *= min(together, most)
	}
	return n
}

// independent returns the equalities without those that others imply: where one column equals two of the other side,
// these are equal there.
func independent(equal []equated) []equated {
	var out []equated
	for _, e := range equal {
		if !slices.ContainsFunc(out, e.sharesColumn) {
			out = append(out, e)
		}
	}
	return out
}

// sharesColumn reports whether two equalities have a column in common, as an equality has with itself.
func (e equated) sharesColumn(o equated) bool {
	for _, a := range e {
		for _, b := range o {
			if a.Column != 0 && a.Column == b.Column {
				return true
			}
		}
	}
	return false
}

func (e equated) sameTables(o equated) bool {
	return e[0].Table == o[0].Table && e[1].Table == o[1].Table ||
		e[0].Table == o[1].Table && e[1].Table == o[0].Table
}

// widestKey returns an operand of the largest table whose primary key the equalities have all columns of, and these
// equalities. Its Table is 0 if there is none.
func widestKey(equal []equated) (of session.JoinOperand, parts []equated) {
	for _, e := range equal {
		for _, o := range e {
			if o.KeyParts == 0 || o.Documents < of.Documents {
				continue
			}
			var found uint64
			var own []equated
			for _, f := range equal {
				for _, p := range f {
					if p.Table == o.Table && p.KeyParts > 0 {
						found |= 1 << p.KeyPart
						own = append(own, f)
					}
				}
			}
			if found == 1<<o.KeyParts-1 {
				of, parts = o, own
			}
		}
	}
	return of, parts
}

// joined describes an operand of a join's equality. It runs for each order of the tables, so the result is cached
// while the command runs.
func (z sizer) joined(base *memo.JoinBase, e *expression.Equals, at int) session.JoinOperand {
	key := session.OperandOf{Equality: e, At: at}
	if o, known := z.session.Planning.Joined[key]; known {
		return o
	}
	var out session.JoinOperand
	for _, g := range []*memo.ExprGroup{base.Left, base.Right} {
		o, ok := z.operand(g, e, at)
		if !ok {
			continue
		}
		documents, _, err := o.table.Counted(z.ctx)
		if err != nil {
			return out
		}
		out = o.described(float64(documents))
		out.Distinct = out.Documents / max(1, z.perValue(o))
		break
	}
	if z.session.Planning.Joined == nil {
		z.session.Planning.Joined = map[session.OperandOf]session.JoinOperand{}
	}
	z.session.Planning.Joined[key] = out
	return out
}

// described describes an operand of a table with so many documents, but for its distinct values.
func (o sizedOperand) described(documents float64) session.JoinOperand {
	out := session.JoinOperand{Table: o.field.TableId(), Documents: documents}
	if o.path != nil {
		return out
	}
	out.Column = o.field.Id()
	key := o.table.Def.PrimaryKey
	if c := o.column(); o.own && c != nil && len(key) < 64 {
		if part := slices.Index(key, c.Declared); part >= 0 {
			out.KeyPart, out.KeyParts = part, len(key)
		}
	}
	return out
}

// column returns the table's column that an operand is; nil if it is none.
func (o sizedOperand) column() *session.Column {
	for i := range o.table.Columns {
		if c := &o.table.Columns[i]; strings.EqualFold(c.Name, o.field.Name()) {
			return c
		}
	}
	return nil
}
