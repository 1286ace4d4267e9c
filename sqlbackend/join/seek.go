package join

import (
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// seek is what the rows of a join's other side look up at one keypath. It is a comparison with a value of theirs, or
// several comparisons, of which all or one must hold. It is immutable.
type seek struct {
	comparison *pushdown.Comparison // nil where there are parts
	parts      []*seek
	any        bool // one of the parts suffices
	// Places of the comparison's operands in the join's condition: the conjunct's index, and then a child's index at
	// each level. operand is the side's own, value the other side's.
	operand, value []int
	text           string // of value
}

// spans returns the encoded values that a row looks up; null: it also matches NULL. conjuncts is the join's
// condition.
func (s *seek) spans(ctx *sql.Context, conjuncts []sql.Expression, joined sql.Row) (spans indexes.Spans, null bool,
	err error) {
	if s.comparison != nil {
		value, err := within(conjuncts, s.value).Eval(ctx, joined)
		if err != nil {
			return nil, false, err
		}
		spans, null = s.comparison.Spans(ctx, value)
		return spans, null, nil
	}
	for i, p := range s.parts {
		more, alsoNull, err := p.spans(ctx, conjuncts, joined)
		switch {
		case err != nil:
			return nil, false, err
		case i == 0:
			spans, null = more, alsoNull
		case s.any:
			spans, null = spans.Union(more), null || alsoNull
		default:
			spans, null = spans.Intersect(more), null && alsoNull
		}
	}
	return spans, null, nil
}

// within returns the expression at a place of a condition.
func within(conjuncts []sql.Expression, at []int) sql.Expression {
	e := conjuncts[at[0]]
	for _, child := range at[1:] {
		e = e.Children()[child]
	}
	return e
}

// first returns the first comparison.
func (s *seek) first() *seek {
	for s.comparison == nil {
		s = s.parts[0]
	}
	return s
}

// equal reports whether all comparisons are = or <=>.
func (s *seek) equal() bool {
	if s.comparison != nil {
		return s.comparison.Equal()
	}
	return !slices.ContainsFunc(s.parts, func(p *seek) bool { return !p.equal() })
}

// conjuncts returns the indexes of the join's conjuncts that the seek uses.
func (s *seek) conjuncts() []int {
	if s.comparison != nil {
		return s.value[:1]
	}
	var out []int
	for _, p := range s.parts {
		out = append(out, p.conjuncts()...)
	}
	return out
}

// values returns the other side's operands, as text.
func (s *seek) values() string {
	if s.comparison != nil {
		return s.text
	}
	var out []string
	for _, p := range s.parts {
		out = append(out, p.values())
	}
	return strings.Join(out, ", ")
}

// String returns the condition.
func (s *seek) String() string {
	if s.comparison != nil {
		of := "`" + s.comparison.Column().Label() + "`"
		if s.comparison.PrimaryKey() {
			of = "primary key"
		}
		return s.comparison.Text(of, s.text)
	}
	joint := " AND "
	if s.any {
		joint = " OR "
	}
	parts := make([]string, len(s.parts))
	for i, p := range s.parts {
		if parts[i] = p.String(); !s.any && p.any {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, joint)
}

// leg is one keypath, or the primary key, by which a side of a join is looked up.
type leg struct {
	*seek
	column     pushdown.Column
	primaryKey bool
	found      float64 // expected documents for each row of the other side
	sides      int     // on how many sides ranges are bounded; 0 for equalities
}

// sameOperand reports whether two legs compare the same value. Their spans are then in one set of entries, and both
// are NULL for the same documents.
func (l *leg) sameOperand(o *leg) bool {
	return l.first().comparison.SameOperand(o.first().comparison)
}

// Legs are keypaths that together find all rows that may match a row of the other side: each match is found by one
// of them.
type Legs []*leg

// Found is the expected number of documents for each row of the other side.
func (l Legs) Found() float64 {
	n := 0.0
	for _, leg := range l {
		n += leg.found
	}
	return n
}

// equal reports whether all comparisons of all legs are = or <=>.
func (l Legs) equal() bool {
	return !slices.ContainsFunc(l, func(leg *leg) bool { return !leg.seek.equal() })
}

// seeker finds the keypaths by which a side of a join can be looked up.
type seeker struct {
	j         Joiner
	side      Lookable
	own       sql.FastIntSet // the tables of the side
	others    sql.FastIntSet // the tables of the other side
	resolver  *table.LookupResolver
	columns   pushdown.Resolver
	Documents int64
}

func (j Joiner) Seeker(s Lookable, own, others sql.FastIntSet) (*seeker, error) {
	read, err := j.Session.Readers.Plan()
	if err != nil {
		return nil, err
	}
	k := &seeker{j: j, side: s, own: own, others: others}
	k.resolver = &table.LookupResolver{Table: s.table, Read: read}
	k.columns = k.resolver
	if s.child != nil {
		children := &companion.ChildResolver{Table: s.child, Documents: table.LookupResolver{Table: s.table, Read: read}}
		k.columns, k.resolver = children, &children.Documents
	}
	if s.feed != nil {
		feed := &companion.FeedResolver{Table: s.feed, Documents: table.LookupResolver{Table: s.table, Read: read}}
		k.columns, k.resolver = feed, &feed.Documents
	}
	k.Documents, _, err = s.table.Def.Collection.Statistics(read).Documents()
	return k, err
}

// manyWays is the largest number of ways to look a side up that are compared.
const manyWays = 16

// Ways returns the ways to look up the rows for which all conjuncts are true.
func (k *seeker) Ways(conjuncts []sql.Expression) ([]Legs, error) {
	var out []Legs
	for i, c := range conjuncts {
		ways, err := k.of(c, []int{i})
		if err != nil {
			return nil, err
		}
		out = k.both(out, ways)
	}
	return out, nil
}

// of returns the ways to look up the rows for which a condition is true; at is its place.
func (k *seeker) of(e sql.Expression, at []int) ([]Legs, error) {
	child := func(n int) []int { return append(slices.Clone(at), n) }
	two := func(combine func(a, b []Legs) []Legs) ([]Legs, error) {
		l, err := k.of(e.Children()[0], child(0))
		if err != nil {
			return nil, err
		}
		r, err := k.of(e.Children()[1], child(1))
		return combine(l, r), err
	}
	switch e := e.(type) {
	case *expression.And:
		return two(k.both)
	case *expression.Or:
		return two(k.either)
	case *expression.Between:
		from, err := k.compared(expression.NewGreaterThanOrEqual(e.Val, e.Lower), child(0), child(1))
		if err != nil {
			return nil, err
		}
		to, err := k.compared(expression.NewLessThanOrEqual(e.Val, e.Upper), child(0), child(2))
		return k.both(from, to), err
	case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.GreaterThan, *expression.GreaterThanOrEqual:
		return k.compared(e, child(0), child(1))
	case sql.FunctionExpression:
		return k.members(e, at)
	}
	return nil, nil
}

// both returns the ways to look up the rows for which two conditions are true: by either, or by both where they
// compare the same operand.
func (k *seeker) both(a, b []Legs) []Legs {
	out := append(slices.Clone(a), b...)
	for _, l := range a {
		for _, m := range b {
			if len(l) == 1 && len(m) == 1 && l[0].sameOperand(m[0]) {
				both := *l[0]
				both.seek = joint(false, l[0].seek, m[0].seek)
				switch both.sides = l[0].sides + m[0].sides; {
				case l[0].sides == 0 || m[0].sides == 0:
					both.found, both.sides = min(l[0].found, m[0].found), 0
				default:
					both.found = k.ranged(both.sides)
				}
				out = append(out, Legs{&both})
			}
		}
	}
	return out[:min(len(out), manyWays)]
}

// either returns the way to look up the rows for which one of two conditions is true, if there is one.
func (k *seeker) either(a, b []Legs) []Legs {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	less := func(l, m Legs) int { return int(math.Copysign(1, l.Found()-m.Found())) }
	out := slices.Clone(slices.MinFunc(a, less))
	for _, l := range slices.MinFunc(b, less) {
		at := slices.IndexFunc(out, l.sameOperand)
		if at < 0 {
			out = append(out, l)
			continue
		}
		any := *out[at]
		any.seek, any.found, any.sides = joint(true, any.seek, l.seek), any.found+l.found, 0
		out[at] = &any
	}
	return []Legs{out}
}

// joint combines two seeks at one keypath; with any, one of them suffices, else both must hold.
func joint(any bool, a, b *seek) *seek {
	out := &seek{any: any}
	for _, s := range []*seek{a, b} {
		if s.comparison == nil && s.any == any {
			out.parts = append(out.parts, s.parts...)
		} else {
			out.parts = append(out.parts, s)
		}
	}
	return out
}

// ranged is the expected number of documents in a range bounded on one or two sides by values not known yet.
func (k *seeker) ranged(sides int) float64 { return float64(k.Documents) * rangedPart(sides) }

// rangedPart is the share of all values expected in such a range.
func rangedPart(sides int) float64 {
	if sides > 1 {
		return 0.05
	}
	return 1.0 / 3
}

// compared returns the way to look up the rows for which a comparison is true; left and right are its operands'
// places. There is none if the side has no index for it.
func (k *seeker) compared(e sql.Expression, left, right []int) ([]Legs, error) {
	for second, at := range [][]int{left, right} {
		operand, value := e.Children()[second], e.Children()[1-second]
		if !rewrite.Reads(operand, k.own) || !k.known(value) {
			continue
		}
		asked := e
		if field := k.side.table.Computed(operand); field != nil && k.columns == pushdown.Resolver(k.resolver) {
			operands := slices.Clone(e.Children())
			operands[second] = field
			var err error
			if asked, err = e.WithChildren(operands...); err != nil {
				return nil, err
			}
		}
		c, _, ok := pushdown.NewComparison(k.j.Ctx, asked, second, k.columns)
		if k.resolver.Err != nil {
			return nil, k.resolver.Err
		}
		if !ok || !k.j.comparable(c, operand, value) {
			continue
		}
		l := &leg{column: c.Column(), primaryKey: c.PrimaryKey()}
		l.seek = &seek{comparison: c, operand: at, value: right, text: operator.ExprText(tree.Unwrapped(value))}
		if second == 1 {
			l.value = left
		}
		usable, err := k.expect(l)
		if err != nil {
			return nil, err
		}
		if usable {
			return []Legs{{l}}, nil
		}
	}
	return nil, nil
}

// known reports whether an operand can be computed from the other side's row alone, with the same value each time.
func (k *seeker) known(value sql.Expression) bool {
	if _, ok := tree.Unwrapped(value).(*expression.Literal); ok {
		return true
	}
	same := true
	sql.Inspect(value, func(e sql.Expression) bool {
		if n, ok := e.(sql.NonDeterministicExpression); ok && n.IsNonDeterministic() {
			same = false
		}
		return same
	})
	return same && rewrite.Reads(value, k.others)
}

// expect sets how many documents a leg finds. It is false where the index doesn't have all values of its keypath.
func (k *seeker) expect(l *leg) (usable bool, err error) {
	if !l.comparison.Equal() {
		l.sides = 1
		l.found = k.ranged(1)
	}
	if l.primaryKey {
		if l.sides == 0 {
			l.found, err = k.perKey(l)
		}
		return true, err
	}
	if k.side.feed != nil {
		return false, nil // sequences can only be read in their order
	}
	if k.side.child != nil {
		return false, nil // a document may have several entries there
	}
	if _, unsettled := k.side.table.Def.UnsettledColumn(l.column.Path); unsettled {
		return false, nil
	}
	counts, _ := k.resolver.CountsOf(l.column.Keypath)
	if k.resolver.Err != nil {
		return false, k.resolver.Err
	}
	if counts[indexes.KindOmitted].Documents > 0 {
		return false, nil // some values have no entries
	}
	if l.sides == 0 {
		l.found, err = perValue(k.side.table, k.resolver.Read, l.column.Keypath)
	}
	if l.comparison.OfWhole() {
		l.found = min(l.found, notArrays(counts))
	}
	l.found = max(l.found, wide(l.comparison, counts))
	return true, err
}

// perKey estimates how many documents have the same value in the first column of the primary key.
func (k *seeker) perKey(l *leg) (float64, error) {
	if len(k.side.table.Def.PrimaryKey) == 1 {
		return 1, nil
	}
	n, err := perValue(k.side.table, k.resolver.Read, l.column.Keypath)
	return max(1, n), err
}

// wide is how many documents a comparison finds for any value.
func wide(c *pushdown.Comparison, counts costing.Keypath) float64 {
	n := int64(0)
	for kind, of := range counts {
		if c.Wide(kind) {
			n += of.Documents
		}
	}
	return float64(n)
}

// comparable reports whether SQL compares a column with a value of the other side just as the index does.
func (j Joiner) comparable(by *pushdown.Comparison, operand, value sql.Expression) bool {
	value = tree.Unwrapped(value)
	col, equal := by.Column(), by.Equal()
	if by.OfText() {
		return j.comparableText(by, operand, value)
	}
	switch c := j.Comparer; c.Class(value) {
	case compare.ClassNumber:
		if types.IsFloat(value.Type()) && value.Type() != types.Float64 || types.IsYear(value.Type()) ||
			types.IsBit(value.Type()) {
			return false
		}
		return col.Shape == pushdown.ShapeNumber || col.Shape == pushdown.ShapeJSON
	case compare.ClassText:
		if col.Shape == pushdown.ShapeJSON {
			return !by.Converted()
		}
		by := c.TextCollation(tree.Unwrapped(operand), value)
		return col.Shape == pushdown.ShapeString && (by == col.Collation || equal && by.IsIdentity() &&
			col.Collation.IsIdentity())
	case compare.ClassJSON:
		return col.Shape == pushdown.ShapeJSON && !by.Converted() || col.Shape == pushdown.ShapeNumber ||
			equal && col.Shape == pushdown.ShapeString && col.Collation == collation.Default
	}
	return false
}

// comparableText is comparable for the text of a JSON value.
func (j Joiner) comparableText(by *pushdown.Comparison, operand, value sql.Expression) bool {
	switch c := j.Comparer; c.Class(value) {
	case compare.ClassNumber:
		return value.Type() == types.Float64 // texts are compared with any number as DOUBLE
	case compare.ClassText:
		in := c.TextCollation(tree.Unwrapped(operand), value)
		return in == collation.Default || by.Equal() && in.IsIdentity()
	case compare.ClassJSON:
		return true
	}
	return false
}
