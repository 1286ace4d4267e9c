package sqlbackend

import (
	"math"
	"math/big"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
)

// compareRule lets our types decide every comparison: it gives the operands of
// comparisons, and what is sorted or grouped, a type that compares as DESIGN's
// "who compares" says. It runs before constants are folded, and again after
// the engine's own rules, which make comparisons of their own. It is
// idempotent.
func compareRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	c := comparer{ctx: ctx}
	return transform.Node(n, c.node)
}

type comparer struct {
	ctx *sql.Context
}

// node handles the expressions of one node, and then what the node itself
// compares.
func (c comparer) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := transform.OneNodeExpressions(n, c.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := n.(type) {
	case *plan.Sort:
		if fields, changed := c.sortFields(n.SortFields); changed {
			return plan.NewSort(fields, n.Child), transform.NewTree, nil
		}
	case *plan.TopN:
		if fields, changed := c.sortFields(n.Fields); changed {
			top := *n
			top.Fields = fields
			return &top, transform.NewTree, nil
		}
	case *plan.GroupBy:
		if grouped, changed := c.groupKeys(n.GroupByExprs); changed {
			return plan.NewGroupBy(n.SelectedExprs, grouped, n.Child), transform.NewTree, nil
		}
	}
	return n, same, nil
}

// expression handles one expression whose children have been handled.
func (c comparer) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.Equals, *expression.NullSafeEquals:
		return c.comparison(e.(sql.Expression), opEqual)
	case *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
		return c.comparison(e, opOrder)
	case *expression.Between:
		return c.between(e)
	case *expression.InTuple:
		return c.in(e)
	case *expression.Case:
		return c.caseOf(e)
	case *aggregation.Min, *aggregation.Max:
		return c.extremum(e)
	case *aggregation.CountDistinct:
		return c.countDistinct(e)
	case *expression.Like:
		return c.like(e)
	case *function.NullIf:
		return newNullIf(e.LeftChild, e.RightChild), transform.NewTree, nil
	case *function.StrCmp:
		return newStringCompare(e.LeftChild, e.RightChild, c.textCollation(e.LeftChild, e.RightChild)), transform.NewTree, nil
	case *function.Greatest, *function.Least:
		return c.greatest(e)
	case sql.WindowAdaptableExpression:
		return c.window(e)
	}
	return e, transform.SameTree, nil
}

// operation is what a comparison asks for: equality leaves operands alone that
// the engine compares rightly anyway.
type operation uint8

const (
	opEqual operation = iota
	opOrder
)

func (c comparer) comparison(e sql.Expression, op operation) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	if len(children) != 2 {
		return e, transform.SameTree, nil
	}
	left, right := children[0], children[1]
	if lt, rt, ok := tuples(left, right); ok {
		return c.tupleComparison(e, lt, rt, op)
	}
	operands, changed := c.operands(op, left, right)
	return rebuild(e, operands, changed)
}

func rebuild(e sql.Expression, children []sql.Expression, changed bool) (sql.Expression, transform.TreeIdentity, error) {
	if !changed {
		return e, transform.SameTree, nil
	}
	next, err := e.WithChildren(children...)
	if err != nil {
		return e, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

func tuples(left, right sql.Expression) (expression.Tuple, expression.Tuple, bool) {
	lt, lok := left.(expression.Tuple)
	rt, rok := right.(expression.Tuple)
	return lt, rt, lok && rok && len(lt) == len(rt) && len(lt) > 1
}

// tupleComparison makes row values comparable element by element.
func (c comparer) tupleComparison(e sql.Expression, left, right expression.Tuple, op operation) (sql.Expression, transform.TreeIdentity, error) {
	newLeft, newRight := make([]sql.Expression, len(left)), make([]sql.Expression, len(right))
	any := false
	for i := range left {
		pair, changed := c.operands(op, left[i], right[i])
		newLeft[i], newRight[i] = pair[0], pair[1]
		any = any || changed
	}
	if !any {
		return e, transform.SameTree, nil
	}
	return rebuild(e, []sql.Expression{expression.NewTuple(newLeft...), expression.NewTuple(newRight...)}, true)
}

func (c comparer) between(e *expression.Between) (sql.Expression, transform.TreeIdentity, error) {
	operands, changed := c.operands(opOrder, e.Val, e.Lower, e.Upper)
	return rebuild(e, operands, changed)
}

func (c comparer) in(e *expression.InTuple) (sql.Expression, transform.TreeIdentity, error) {
	list, ok := e.Right().(expression.Tuple)
	if !ok || len(list) == 0 {
		return e, transform.SameTree, nil
	}
	if left, ok := e.Left().(expression.Tuple); ok && len(left) > 1 {
		return c.inRows(e, left, list)
	}
	operands, changed := c.hashed(append([]sql.Expression{e.Left()}, list...)...)
	return rebuild(e, []sql.Expression{operands[0], expression.NewTuple(operands[1:]...)}, changed)
}

// hashed is operands for what is hashed rather than compared.
func (c comparer) hashed(operands ...sql.Expression) ([]sql.Expression, bool) {
	operands, changed := c.operands(opEqual, operands...)
	coll, ok := collationOfType(operands[0].Type())
	if !ok || coll.IsIdentity() {
		return operands, changed
	}
	return each(operands, func(o sql.Expression) sql.Expression {
		if c.class(o) == classNull {
			return o
		}
		return newWeightKey(unwrapped(o), coll)
	})
}

// inRows handles (a, b) IN ((1, 2), …): the elements at one position share a
// type.
func (c comparer) inRows(e *expression.InTuple, left, list expression.Tuple) (sql.Expression, transform.TreeIdentity, error) {
	rows := make([][]sql.Expression, 0, len(list)+1)
	rows = append(rows, append([]sql.Expression(nil), left...))
	for _, r := range list {
		row, ok := r.(expression.Tuple)
		if !ok || len(row) != len(left) {
			return e, transform.SameTree, nil
		}
		rows = append(rows, append([]sql.Expression(nil), row...))
	}
	any := false
	for i := range left {
		column := make([]sql.Expression, len(rows))
		for j, row := range rows {
			column[j] = row[i]
		}
		operands, changed := c.hashed(column...)
		any = any || changed
		for j := range rows {
			rows[j][i] = operands[j]
		}
	}
	if !any {
		return e, transform.SameTree, nil
	}
	newList := make([]sql.Expression, len(list))
	for j := range list {
		newList[j] = expression.NewTuple(rows[j+1]...)
	}
	return rebuild(e, []sql.Expression{expression.NewTuple(rows[0]...), expression.NewTuple(newList...)}, true)
}

func (c comparer) caseOf(e *expression.Case) (sql.Expression, transform.TreeIdentity, error) {
	if e.Expr == nil || len(e.Branches) == 0 {
		return e, transform.SameTree, nil
	}
	operands := []sql.Expression{e.Expr}
	for _, b := range e.Branches {
		operands = append(operands, b.Cond)
	}
	operands, changed := c.operands(opEqual, operands...)
	if !changed {
		return e, transform.SameTree, nil
	}
	branches := make([]expression.CaseBranch, len(e.Branches))
	for i, b := range e.Branches {
		branches[i] = expression.CaseBranch{Cond: operands[i+1], Value: b.Value}
	}
	return expression.NewCase(operands[0], branches, e.Else), transform.NewTree, nil
}

// like names the escape character that LIKE has anyway. Without it the engine
// rewrites the predicate as a comparison with the pattern's prefix and the byte
// 0xff, which is right only where strings compare as bytes.
func (c comparer) like(e *expression.Like) (sql.Expression, transform.TreeIdentity, error) {
	left := e.LeftChild
	if c.class(left) == classText {
		if coll := c.textCollation(left, e.RightChild); coll != nil && !coll.IsIdentity() {
			id, err := sql.ParseCollation("", coll.Name(), false)
			if _, done := left.(*expression.CollatedExpression); !done && err == nil && id.Sorter() != nil {
				left = expression.NewCollatedExpression(left, id)
			}
		}
	}
	if e.Escape != nil && left == e.LeftChild {
		return e, transform.SameTree, nil
	}
	escape := e.Escape
	if escape == nil {
		escape = expression.NewLiteral("\\", types.LongText)
	}
	return expression.NewLike(left, e.RightChild, escape), transform.NewTree, nil
}

// extremum gives the strings of MIN and MAX our order. JSON values order
// themselves.
func (c comparer) extremum(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	sorted, changed := c.sorted(children[0])
	if changed {
		children = append([]sql.Expression{sorted}, children[1:]...)
	}
	next, same, err := rebuild(e, children, changed)
	if err != nil {
		return e, transform.SameTree, err
	}
	if w, ok := next.(sql.WindowAdaptableExpression); ok && w.Window() != nil {
		windowed, again, err := c.window(w)
		return windowed, same && again, err
	}
	return next, same, nil
}

func (c comparer) countDistinct(e *aggregation.CountDistinct) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	any := false
	for i, child := range children {
		if key, changed := c.groupKey(child); changed {
			children[i], any = key, true
		}
	}
	return rebuild(e, children, any)
}

// window gives what a window sorts and partitions by our order.
func (c comparer) window(e sql.WindowAdaptableExpression) (sql.Expression, transform.TreeIdentity, error) {
	w := e.Window()
	if w == nil {
		return e, transform.SameTree, nil
	}
	fields, changed := c.sortFields(w.OrderBy)
	partition := make([]sql.Expression, len(w.PartitionBy))
	for i, p := range w.PartitionBy {
		sorted, again := c.sorted(p)
		partition[i], changed = sorted, changed || again
	}
	if !changed {
		return e, transform.SameTree, nil
	}
	next := *w
	next.OrderBy, next.PartitionBy = fields, partition
	return e.WithWindow(&next), transform.NewTree, nil
}

func (c comparer) sortFields(fields sql.SortFields) (sql.SortFields, bool) {
	any := false
	out := make(sql.SortFields, len(fields))
	for i, f := range fields {
		out[i] = f
		if sorted, changed := c.sorted(f.Column); changed {
			out[i].Column, any = sorted, true
			out[i].Column2, _ = sorted.(sql.Expression2)
		}
	}
	return out, any
}

// sorted gives a string that is sorted a type with our order.
func (c comparer) sorted(e sql.Expression) (sql.Expression, bool) {
	if !e.Resolved() || c.class(e) != classText {
		return e, false
	}
	if _, ours := collationOfType(e.Type()); ours {
		return e, false
	}
	coll := c.textCollation(e)
	if coll == nil {
		return e, false
	}
	return withType(e, newTextType(coll)), true
}

func (c comparer) groupKeys(exprs []sql.Expression) ([]sql.Expression, bool) {
	any := false
	out := make([]sql.Expression, len(exprs))
	for i, e := range exprs {
		key, changed := c.groupKey(e)
		out[i], any = key, any || changed
	}
	return out, any
}

// groupKey puts the sort key in place of a string whose equality is not
// identity.
func (c comparer) groupKey(e sql.Expression) (sql.Expression, bool) {
	if !e.Resolved() || c.class(e) != classText {
		return e, false
	}
	coll := c.textCollation(e)
	if coll == nil || coll.IsIdentity() {
		return e, false
	}
	return newWeightKey(e, coll), true
}

// class sorts operands by how they compare.
type class uint8

const (
	classOther  class = iota // the engine compares these
	classNull                // compares with nothing
	classNumber              // integers, decimals, doubles
	classText                // character strings
	classJSON
)

func (c comparer) class(e sql.Expression) class {
	if !e.Resolved() {
		return classOther
	}
	t := e.Type()
	switch t.(type) {
	case nil, types.TupleType, sql.SystemVariableType, sql.EnumType, sql.SetType:
		return classOther
	case textType:
		return classText
	case jsonType:
		return classJSON
	case numberType:
		return classNumber
	}
	switch {
	case t == types.Null:
		return classNull
	case types.IsJSON(t):
		return classJSON
	case types.IsNumber(t):
		return classNumber
	case types.IsTextOnly(t) && types.IsText(t):
		return classText
	}
	return classOther
}

// operands returns the operands in a common type under which our code
// compares, and whether that changes any. If the engine is to compare them,
// nothing changes.
func (c comparer) operands(op operation, operands ...sql.Expression) ([]sql.Expression, bool) {
	var seen [classJSON + 1]int
	for _, o := range operands {
		seen[c.class(o)]++
	}
	given := len(operands) - seen[classNull]
	switch {
	case seen[classOther] > 0 && seen[classJSON] == 0, given == 0:
		return operands, false
	case seen[classJSON] > 0:
		return c.jsonOperands(operands)
	case seen[classNumber] == given:
		return c.numberOperands(operands)
	case seen[classText] == given:
		return c.textOperands(op, operands)
	}
	return operands, false
}

func each(operands []sql.Expression, change func(sql.Expression) sql.Expression) ([]sql.Expression, bool) {
	any := false
	out := make([]sql.Expression, len(operands))
	for i, o := range operands {
		out[i] = change(o)
		any = any || out[i] != o
	}
	return out, any
}

// jsonOperands makes JSON values of the scalars that JSON is compared with.
func (c comparer) jsonOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	coll := collation.Default
	for _, o := range operands {
		if typed, ok := collationOfType(o.Type()); ok && typed != collation.Binary {
			coll = typed
		}
	}
	if coll == collation.Default {
		return each(operands, asJSON)
	}
	t := jsonType{coll: coll}
	return each(operands, func(o sql.Expression) sql.Expression { return c.typed(o, t) })
}

// typed gives an operand a type if it has not got it yet.
func (c comparer) typed(o sql.Expression, t sql.Type) sql.Expression {
	if c.class(o) == classNull || types.TypesEqual(o.Type(), t) {
		return o
	}
	return withType(o, t)
}

// textOperands gives strings a common collation.
func (c comparer) textOperands(op operation, operands []sql.Expression) ([]sql.Expression, bool) {
	coll := c.textCollation(operands...)
	if coll == nil {
		return operands, false
	}
	target := sql.Type(newTextType(coll))
	var column sql.Type
	columns, uniform := 0, true
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); literal || c.class(o) == classNull {
			continue
		}
		columns++
		if typed, ok := collationOfType(o.Type()); !ok || typed != coll || column != nil && !column.Equals(o.Type()) {
			uniform = false
			continue
		}
		if column == nil {
			column = o.Type()
		}
	}
	if uniform && column != nil {
		target = column
	}
	if op == opEqual && coll.IsIdentity() && columns > 1 && !uniform {
		return operands, false // bytes decide, and the engine knows that
	}
	if op == opEqual && !coll.IsIdentity() && columns > 1 {
		return each(operands, func(o sql.Expression) sql.Expression {
			if c.class(o) == classNull {
				return o
			}
			return newWeightKey(unwrapped(o), coll)
		})
	}
	return each(operands, func(o sql.Expression) sql.Expression { return c.typed(o, target) })
}

// textCollation is the collation that strings are compared in: an explicit
// COLLATE first, then a column's, then the default. It is nil if the engine is
// to compare them, in a collation that is not one of ours.
func (c comparer) textCollation(operands ...sql.Expression) *collation.Collation {
	var column *collation.Collation
	foreign := false
	for _, o := range operands {
		if c.class(o) != classText {
			continue
		}
		id, coercibility := sql.GetCoercibility(c.ctx, o)
		if coercibility == 0 {
			coll, _ := collation.Lookup(id.Name())
			return coll
		}
		for _, coll := range columnCollations(o) {
			if column == nil || coll == collation.Binary || column == collation.Default {
				column = coll
			}
		}
		if st, ok := o.Type().(types.StringType); ok && coercibility < 4 && st.Collation() != sql.Collation_Default {
			coll, ok := collation.Lookup(st.Collation().Name())
			if !ok {
				foreign = true
			} else if column == nil {
				column = coll
			}
		}
	}
	switch {
	case column != nil:
		return column
	case foreign:
		return nil
	}
	return collation.Default
}

// columnCollations lists the collations of the columns in an expression.
func columnCollations(e sql.Expression) []*collation.Collation {
	if coll, ok := collationOfType(e.Type()); ok {
		return []*collation.Collation{coll}
	}
	var out []*collation.Collation
	transform.InspectExpr(e, func(e sql.Expression) bool {
		if _, ok := e.(*expression.GetField); ok {
			if coll, ok := collationOfType(e.Type()); ok {
				out = append(out, coll)
			}
		}
		return false
	})
	return out
}

// numberOperands makes comparisons of numbers exact. The engine is exact by
// itself within the signed integers, the unsigned ones, doubles and decimals,
// so a literal takes the type of the others where its value allows it;
// otherwise all get numberType.
func (c comparer) numberOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	var families numberFamily
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); !literal && c.class(o) == classNumber {
			families |= familyOf(o.Type())
		}
	}
	if families == 0 {
		for _, o := range operands {
			if c.class(o) == classNumber {
				families |= familyOf(o.Type())
			}
		}
	}
	if families == familyDecimal {
		return c.decimalOperands(operands)
	}
	if families.single() {
		out, ok := make([]sql.Expression, len(operands)), true
		any := false
		for i, o := range operands {
			out[i] = o
			l, literal := o.(*expression.Literal)
			if !literal || c.class(o) == classNull || familyOf(o.Type()) == families {
				continue
			}
			if out[i], ok = literalInFamily(l, families); !ok {
				break
			}
			any = true
		}
		if ok {
			return out, any
		}
	}
	return c.exactly(operands)
}

func (c comparer) exactly(operands []sql.Expression) ([]sql.Expression, bool) {
	return each(operands, func(o sql.Expression) sql.Expression { return c.typed(o, numberType{}) })
}

// decimalOperands keeps the type of a DECIMAL column if all others have it or
// are literals with no more decimals: the engine rounds to the scale of the
// left one before it compares.
func (c comparer) decimalOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	var t sql.Type
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); literal || c.class(o) == classNull {
			continue
		}
		if t != nil && !types.TypesEqual(t, o.Type()) {
			return c.exactly(operands)
		}
		t = o.Type()
	}
	dt, ok := t.(sql.DecimalType)
	if !ok {
		return c.exactly(operands)
	}
	any := false
	out := make([]sql.Expression, len(operands))
	for i, o := range operands {
		out[i] = o
		l, literal := o.(*expression.Literal)
		if !literal || l.Val == nil || types.TypesEqual(l.Type(), t) {
			continue
		}
		text, err := numberLiteral(l.Val)
		if err != nil {
			return c.exactly(operands)
		}
		d, ok := literalDecimal(text)
		if !ok || !d.Equal(d.Truncate(int32(dt.Scale()))) {
			return c.exactly(operands)
		}
		out[i], any = expression.NewLiteral(d, t), true
	}
	return out, any
}

// numberFamily is a set of kinds of numbers within which the engine compares
// exactly.
type numberFamily uint8

const (
	familySigned numberFamily = 1 << iota
	familyUnsigned
	familyDouble
	familyDecimal
	familyMixed // numberType, and what has no family
)

func (f numberFamily) single() bool {
	return f != familyMixed && f&(f-1) == 0
}

func familyOf(t sql.Type) numberFamily {
	switch {
	case types.IsSigned(t):
		return familySigned
	case types.IsUnsigned(t):
		return familyUnsigned
	case t == types.Float64:
		return familyDouble
	case types.IsDecimal(t):
		return familyDecimal
	}
	return familyMixed
}

// literalInFamily returns a literal of the same number in another family, if
// there is one.
func literalInFamily(l *expression.Literal, family numberFamily) (sql.Expression, bool) {
	if l.Val == nil {
		return l, true
	}
	text, err := numberLiteral(l.Val)
	if err != nil {
		return l, false
	}
	d, ok := literalDecimal(text)
	if !ok {
		return l, false
	}
	switch family {
	case familySigned:
		if n, ok := integerOf(d); ok && n.IsInt64() {
			return expression.NewLiteral(n.Int64(), types.Int64), true
		}
	case familyUnsigned:
		if n, ok := integerOf(d); ok && n.IsUint64() {
			return expression.NewLiteral(n.Uint64(), types.Uint64), true
		}
	case familyDouble:
		f, _ := d.Float64()
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return l, false
		}
		if order, err := compareNumbers(f, d); err == nil && order == 0 {
			return expression.NewLiteral(f, types.Float64), true
		}
	}
	return l, false
}

// integerOf is the integer of a decimal that is one and not absurdly large.
func integerOf(d decimal.Decimal) (*big.Int, bool) {
	if d.Exponent() > 40 || !d.IsInteger() {
		return nil, false
	}
	return d.BigInt(), true
}
