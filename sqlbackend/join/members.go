package join

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// membersExpected is the expected number of elements of an array of the other side; the real number is known when
// the row is read.
const membersExpected = 4

// members returns the way to look up matches of MEMBER OF, JSON_CONTAINS or JSON_OVERLAPS, which is at the place at
// in the condition. Arrays are found by one of their elements; an element is found by each of the array's values.
func (k *seeker) members(e sql.FunctionExpression, at []int) ([]Legs, error) {
	if !rewrite.AsksMembers(e) {
		return nil, nil
	}
	args := e.Children()
	for own := range 2 {
		operand, value := args[own], args[1-own]
		if !rewrite.Reads(operand, k.own) || !k.known(value) {
			continue
		}
		comparisons, _, ok := pushdown.NewMemberships(k.j.Ctx, e, own, k.columns)
		if k.resolver.Err != nil {
			return nil, k.resolver.Err
		}
		if !ok {
			continue
		}
		var out Legs
		usable := true
		for _, c := range comparisons {
			place := func(n int) []int { return append(append([]int(nil), at...), n) }
			l := &leg{column: c.Column(), primaryKey: c.PrimaryKey()}
			l.seek = &seek{comparison: c, operand: place(own), value: place(1 - own),
				text: operator.ExprText(tree.Unwrapped(value))}
			ok, err := k.expect(l)
			if err != nil {
				return nil, err
			}
			if c.SeveralValues() {
				l.found *= membersExpected
			}
			usable = usable && ok
			out = append(out, l)
		}
		if usable {
			return []Legs{out}, nil
		}
	}
	return nil, nil
}

// notArrays is how many documents have a value other than an array or null at a keypath.
func notArrays(counts costing.Keypath) float64 {
	n := int64(0)
	for kind, of := range counts {
		if kind != document.KindNull && kind != document.KindArray {
			n += of.Documents
		}
	}
	return float64(n)
}
