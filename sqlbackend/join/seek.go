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

// seek is what the rows of a join's other side look for at one keypath: a comparison
// with a value of theirs, or several that must all hold, or of which one must. It is immutable.
type seek struct {
	comparison *pushdown.Comparison // nil where there are parts
	parts      []*seek
	any        bool // one of the parts suffices
	// Where the comparison's operands stand in the join's condition: the conjunct, and then
	// which child each time.
	operand, value []int
	text           string // of the value
}

// spans are the encoded values that a row looks for; null says that it looks for what is NULL too.
// conjuncts are those of the join's condition.
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

// within is the expression that stands at a place of a condition.
func within(conjuncts []sql.Expression, at []int) sql.Expression {
	e := conjuncts[at[0]]
	for _, child := range at[1:] {
		e = e.Children()[child]
	}
	return e
}

// first is the first comparison.
func (s *seek) first() *seek {
	for s.comparison == nil {
		s = s.parts[0]
	}
	return s
}

// equal reports whether nothing but = and <=> is asked.
func (s *seek) equal() bool {
	if s.comparison != nil {
		return s.comparison.Equal()
	}
	return !slices.ContainsFunc(s.parts, func(p *seek) bool { return !p.equal() })
}

// conjuncts are those of the join's condition that are asked.
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

// values are the other side's operands, as text.
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

// String is the condition.
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

// leg is one keypath, or the primary key, that a side of a join is looked up by.
type leg struct {
	*seek
	column     pushdown.Column
	primaryKey bool
	found      float64 // documents for each row of the other side
	sides      int     // from how many sides ranges are bounded; 0 for equalities
}

// sameOperand reports whether two legs compare the same value: their spans are about one set of entries, and
// what is NULL for one is NULL for the other.
func (l *leg) sameOperand(o *leg) bool {
	return l.first().comparison.SameOperand(o.first().comparison)
}

// Legs are keypaths by one of which all is found that a row may belong to.
type Legs []*leg

// Found is how many documents each row of the other side finds.
func (l Legs) Found() float64 {
	n := 0.0
	for _, leg := range l {
		n += leg.found
	}
	return n
}

// equal reports whether nothing but = and <=> is asked.
func (l Legs) equal() bool {
	return !slices.ContainsFunc(l, func(leg *leg) bool { return !leg.seek.equal() })
}

// seeker finds by what a side of a join can be looked up.
type seeker struct {
	j         Joiner
	side      Lookable
	own       sql.FastIntSet // the tables of the side
	others    sql.FastIntSet // those of the other
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

// manyWays bounds how many ways to look a side up are weighed.
const manyWays = 16

// Ways are the ways to look for what fulfils all conjuncts.
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

// of are the ways to look for what fulfils a condition, which stands at that place.
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

// both are the ways to look for what fulfils two conditions: by either, or by both where they
// are about one keypath.
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

// either is the way to look for what fulfils one of two conditions, if there is one.
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

// joint are two seeks at one keypath, of which any suffices, or both are needed.
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

// ranged is how many documents are expected of a range that is bounded on so many sides by values
// that are not known yet.
func (k *seeker) ranged(sides int) float64 { return float64(k.Documents) * rangedPart(sides) }

// rangedPart is which part of all values is expected in such a range.
func rangedPart(sides int) float64 {
	if sides > 1 {
		return 0.05
	}
	return 1.0 / 3
}

// compared is the way to look for what fulfils a comparison, whose operands stand at those
// places; none if the side has no index for it.
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

// known reports whether an operand is known once the other side's row is: it reads that alone,
// and is the same each time.
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

// expect returns how much a leg finds. It is false where the index doesn't hold all of its keypath.
func (k *seeker) expect(l *leg) (usable bool, err error) {
	if !l.comparison.Equal() {
		l.sides = 1
		l.found = k.ranged(1)
	}
	if l.primaryKey {
		if l.sides == 0 {
			l.found = 1
		}
		return true, nil
	}
	if k.side.feed != nil {
		return false, nil // sequences are read in their order only
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

// wide is how many documents a comparison finds whatever is looked for.
func wide(c *pushdown.Comparison, counts costing.Keypath) float64 {
	n := int64(0)
	for kind, of := range counts {
		if c.Wide(kind) {
			n += of.Documents
		}
	}
	return float64(n)
}

// comparable reports whether a column of the index is compared with a value of the
// other side as the index has it.
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
		return value.Type() == types.Float64 // as which texts are compared with all numbers
	case compare.ClassText:
		in := c.TextCollation(tree.Unwrapped(operand), value)
		return in == collation.Default || by.Equal() && in.IsIdentity()
	case compare.ClassJSON:
		return true
	}
	return false
}
