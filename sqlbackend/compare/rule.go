package compare

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/expression/function/json"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/regexps"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// CompareRule lets our types decide every comparison: it gives the operands of comparisons, and sorted or grouped
// expressions, a type that compares as DESIGN's "who compares" says. It runs before constants are folded, and again
// after the engine's own rules, which make new comparisons. It is idempotent.
func CompareRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if analyzer.FlagIsSet(flags, sql.QFlagInterval) && misplacedInterval(n) {
		return n, transform.SameTree, analyzererrors.ErrIntervalInvalidUse.New()
	}
	c := Comparer{Ctx: ctx}
	// The engine analyses the parts of a UNION without the first of its batches.
	return transform.NodeWithOpaque(n, c.node)
}

// misplacedInterval finds an INTERVAL that is not added to a date. The engine checks for it too, but after folding
// constants, and evaluating one panics.
func misplacedInterval(n sql.Node) bool {
	found := false
	transform.InspectExpressionsWithNode(n, func(n sql.Node, e sql.Expression) bool {
		switch n.(type) {
		case *plan.CreateEvent, *plan.AlterEvent:
			return false
		}
		switch e := e.(type) {
		case *function.DateAdd, *function.DateSub:
			return false
		case *expression.Arithmetic:
			if e.Op == "+" || e.Op == "-" {
				return false
			}
		case *expression.Interval:
			found = true
		}
		return !found
	})
	return found
}

type Comparer struct {
	Ctx *sql.Context
	of  sql.Node // whose expressions are handled; nil where that is not known
}

// node handles the expressions of one node, and then the comparisons of the node itself.
func (c Comparer) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	c.of = n
	n, same, err := tree.NodeExpressions(n, c.Expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := n.(type) {
	case *plan.Filter:
		if condition := c.foldNull(c.splitContains(functions.AsCondition(n.Expression),
			n.Child)); !functions.SameExpression(condition, n.Expression) {
			return plan.NewFilter(condition, n.Child), transform.NewTree, nil
		}
	case *plan.JoinNode:
		if condition := c.splitContains(n.Filter, n); !functions.SameExpression(condition, n.Filter) {
			next, err := n.WithExpressions(condition)
			return next, transform.NewTree, err
		}
	case *plan.HashLookup:
		return c.HashLookup(n)
	case *plan.Distinct:
		return c.distinct(n)
	case *plan.JSONTable:
		if data := functions.AsPlainJSON(n.DataExpr); !functions.SameExpression(data, n.DataExpr) {
			table := *n
			table.DataExpr = data
			return &table, transform.NewTree, nil
		}
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

// distinct turns DISTINCT into grouping where different strings may be equal: DISTINCT itself hashes the rows
// unchanged.
func (c Comparer) distinct(n *plan.Distinct) (sql.Node, transform.TreeIdentity, error) {
	p, ok := n.Child.(*plan.Project)
	if !ok {
		return n, transform.SameTree, nil
	}
	keys, any := make([]sql.Expression, len(p.Projections)), false
	for i, e := range p.Projections {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		key, changed := c.groupKey(e)
		keys[i], any = key, any || changed
	}
	if !any {
		return n, transform.SameTree, nil
	}
	return plan.NewGroupBy(p.Projections, keys, p.Child), transform.NewTree, nil
}

// Expression handles one expression whose children have been handled.
func (c Comparer) Expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e.(type) {
	case *expression.GetField, *expression.Literal:
		return e, transform.SameTree, nil
	}
	if not, ok := e.(*expression.Not); ok {
		if in, changed := c.notIn(not); changed {
			return in, transform.NewTree, nil
		}
		next, same, err := notExists(not)
		if err != nil || !same {
			return next, same, err
		}
	}
	e, same := enumArguments(e)
	e, numbers, err := c.numericArguments(e)
	if err != nil {
		return e, transform.SameTree, err
	}
	e, texts, err := c.textArguments(e)
	if err != nil {
		return e, transform.SameTree, err
	}
	next, again, err := c.Compared(e)
	return next, same && numbers && texts && again, err
}

func (c Comparer) Compared(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *tree.Retype:
		if l, ok := e.Child.(*expression.Literal); ok {
			return tree.LiteralWithType(l, e.Target), transform.NewTree, nil
		}
	case *plan.Subquery:
		// A rule of the engine may merge the subquery into the statement before it is analysed separately.
		query, same, err := transform.NodeWithOpaque(e.Query, c.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.Equals, *expression.NullSafeEquals:
		return c.comparison(e, opEqual)
	case *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan, *expression.GreaterThanOrEqual:
		return c.comparison(e, opOrder)
	case *expression.Between:
		return c.between(e)
	case *expression.InTuple:
		return c.in(e)
	case *plan.InSubquery:
		return c.inSubquery(e)
	case *Quantified:
		return c.quantified(e)
	case *expression.Case:
		return c.caseOf(e)
	case *tree.Case:
		conditions, changed := functions.Each(e.Conditions, functions.AsCondition)
		return functions.Rebuild(e, slices.Concat(conditions, e.Children()[len(conditions):]), changed)
	case *aggregation.Min, *aggregation.Max:
		return c.extremum(e)
	case *aggregation.CountDistinct, *NumberedCount:
		return c.countDistinct(e)
	case *expression.Like:
		return c.like(e)
	case *expression.And, *expression.Or, *expression.Xor, *expression.Not, *expression.IsTrue:
		conditions, changed := functions.Each(e.Children(), functions.AsCondition)
		return functions.Rebuild(e, conditions, changed)
	case *function.If:
		if condition := functions.AsCondition(e.Children()[0]); !functions.SameExpression(condition, e.Children()[0]) {
			return functions.Rebuild(e, append([]sql.Expression{condition}, e.Children()[1:]...), true)
		}
		return c.mixedWithJSON(e, 1)
	case *json.JSONExtract:
		return functions.NewJSONFunction("json_extract", e.Children()...), transform.NewTree, nil
	case *json.JSONUnquote:
		return functions.NewJSONFunction("json_unquote", e.Children()...), transform.NewTree, nil
	case *expression.Convert:
		if types.IsJSON(e.Type()) {
			return &functions.JSONCast{UnaryExpression: e.UnaryExpression}, transform.NewTree, nil
		}
		if !types.IsTextOnly(e.Type()) && !types.IsBinaryType(e.Type()) {
			if scalar := functions.AsSQLScalar(e.Child); !functions.SameExpression(scalar, e.Child) {
				return functions.Rebuild(e, []sql.Expression{scalar}, true)
			}
		}
	case *tree.IfNull, *function.Coalesce:
		return c.mixedWithJSON(e, 0)
	case *function.LastInsertId:
		if given := e.Children(); len(given) == 1 {
			return &functions.GivenInsertID{UnaryExpression: expression.UnaryExpression{Child: given[0]}}, transform.NewTree, nil
		}
	case *aggregation.JsonArray:
		elements, changed := functions.Each(e.Children(), functions.AsJSONElement)
		return functions.Rebuild(e, elements, changed)
	case *aggregation.JSONObjectAgg, *NumberedObject:
		elements, changed := functions.Each(e.Children(), functions.AsJSONElement)
		return functions.Rebuild(e, elements, changed)
	case *function.RegexpLike:
		return c.regexpLike(e), transform.NewTree, nil
	case *function.RegexpInstr, *function.RegexpSubstr, *function.RegexpReplace:
		return regexps.NewBounded(e), transform.NewTree, nil
	case *expression.ConvertUsing:
		converted, err := functions.NewConvertUsing(e)
		return converted, transform.NewTree, err
	case *function.GetLock:
		return hold.NewGetLock(e), transform.NewTree, nil
	case *function.NullIf:
		if err := c.misspelled(e.LeftChild, e.RightChild); err != nil {
			return e, transform.SameTree, err
		}
		return newNullIf(e.LeftChild, e.RightChild), transform.NewTree, nil
	case *function.StrCmp:
		return newStringCompare(e.LeftChild, e.RightChild, c.TextCollation(e.LeftChild, e.RightChild)), transform.NewTree, nil
	case *function.Greatest, *function.Least:
		return c.greatest(e)
	case *function.Field, *function.FindInSet, *function.Locate, function.Instr:
		return c.textSearch(e)
	case *function.Collation:
		return c.collationNameOf(e)
	case sql.WindowAdaptableExpression:
		return c.window(e)
	}
	return e, transform.SameTree, nil
}

// operation is the kind of a comparison: for equality, operands stay unchanged if the engine compares them correctly.
type operation uint8

const (
	opEqual operation = iota
	opOrder
)

func (c Comparer) comparison(e sql.Expression, op operation) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	if len(children) != 2 {
		return e, transform.SameTree, nil
	}
	left, right := children[0], children[1]
	if _, nullSafe := e.(*expression.NullSafeEquals); !nullSafe && plainIntegers(left, right) {
		return e, transform.SameTree, nil
	}
	if q, ok := right.(*Quantifier); ok {
		return c.quantified(&Quantified{comparison: e, left: left, query: q.Child, all: q.All})
	}
	if lt, rt, ok := tuples(left, right); ok {
		return c.compareRows(e, lt, rt)
	}
	if err := c.misspelled(left, right); err != nil {
		return e, transform.SameTree, err
	}
	if next, ok, err := c.nullSafe(e, left, right); ok || err != nil {
		return next, transform.NewTree, err
	}
	if err := c.mixed(operatorOf(e), left, right); err != nil {
		return e, transform.SameTree, err
	}
	operands, changed := c.operands(op, left, right)
	return functions.Rebuild(e, operands, changed)
}

// operatorOf returns the name of a comparison in MySQL's messages.
func operatorOf(e sql.Expression) string {
	switch e.(type) {
	case *expression.Equals:
		return "="
	case *expression.NullSafeEquals:
		return "<=>"
	case *expression.LessThan:
		return "<"
	case *expression.LessThanOrEqual:
		return "<="
	case *expression.GreaterThan:
		return ">"
	}
	return ">="
}

// alike gives numbers within a row value a type of ours if the engine would convert them to the type of the first
// one.
func (c Comparer) alike(operands []sql.Expression, changed bool) ([]sql.Expression, bool) {
	for _, o := range operands {
		if c.Class(o) != ClassNumber {
			return operands, changed
		}
	}
	for _, o := range operands[1:] {
		if !types.TypesEqual(o.Type(), operands[0].Type()) {
			exact, again := c.exactly(operands)
			return exact, changed || again
		}
	}
	return operands, changed
}

func (c Comparer) in(e *expression.InTuple) (sql.Expression, transform.TreeIdentity, error) {
	list, ok := e.Right().(expression.Tuple)
	if !ok || len(list) == 0 {
		return e, transform.SameTree, nil
	}
	if left, ok := e.Left().(expression.Tuple); ok && len(left) > 1 {
		if rows, err := c.equalRows(left, list); err != nil || rows != nil {
			return rows, transform.NewTree, err
		}
		return c.inRows(e, left, list)
	}
	all := append([]sql.Expression{e.Left()}, list...)
	if err := c.mixed(" IN ", all...); err != nil {
		return e, transform.SameTree, err
	}
	if err := c.misspelled(all...); err != nil {
		return e, transform.SameTree, err
	}
	if apart, err := c.inColumns(e, list); err != nil || apart != nil {
		return apart, transform.NewTree, err
	}
	if apart, err := c.inNulls(e, list); err != nil || apart != nil {
		return apart, transform.NewTree, err
	}
	if mixed, err := c.inMixed(e, list); err != nil || mixed != nil {
		return mixed, transform.NewTree, err
	}
	operands, changed := c.hashed(all...)
	return functions.Rebuild(e, []sql.Expression{operands[0], expression.NewTuple(operands[1:]...)}, changed)
}

// hashed returns operands for expressions that are hashed rather than compared, if different strings may be equal.
func (c Comparer) hashed(operands ...sql.Expression) ([]sql.Expression, bool) {
	operands, changed := c.operands(opEqual, operands...)
	if coll, ok := value.CollationOfType(operands[0].Type()); ok && !coll.IsIdentity() {
		if _, done := operands[0].(*tree.Unhashed); !done {
			operands = append([]sql.Expression{tree.AsUnhashed(operands[0])}, operands[1:]...)
			changed = true
		}
	}
	return operands, changed
}

// inRows handles (a, b) IN ((1, 2), …): the elements at one position share a type.
func (c Comparer) inRows(e *expression.InTuple, left, list expression.Tuple) (sql.Expression, transform.TreeIdentity,
	error) {
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
		operands, changed := c.alike(c.hashed(column...))
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
	return functions.Rebuild(e, []sql.Expression{expression.NewTuple(rows[0]...), expression.NewTuple(newList...)}, true)
}

func (c Comparer) caseOf(e *expression.Case) (sql.Expression, transform.TreeIdentity, error) {
	if texts, changed := caseOfTexts(e); changed {
		return texts, transform.NewTree, nil
	}
	if e.Expr == nil {
		branches, changed := append([]expression.CaseBranch(nil), e.Branches...), false
		for i, b := range branches {
			branches[i].Cond = functions.AsCondition(b.Cond)
			changed = changed || !functions.SameExpression(branches[i].Cond, b.Cond)
		}
		if !changed {
			return e, transform.SameTree, nil
		}
		return expression.NewCase(nil, branches, e.Else), transform.NewTree, nil
	}
	if len(e.Branches) == 0 {
		return e, transform.SameTree, nil
	}
	operands := []sql.Expression{e.Expr}
	for _, b := range e.Branches {
		operands = append(operands, b.Cond)
	}
	if err := c.misspelled(operands...); err != nil {
		return e, transform.SameTree, err
	}
	if apart, changed := c.caseAsConditions(e); changed {
		return apart, transform.NewTree, nil
	}
	operands, changed := c.operands(opEqual, operands...)
	if !changed {
		once := tree.SwitchOf(e)
		return once, transform.TreeIdentity(once == sql.Expression(e)), nil
	}
	branches := make([]expression.CaseBranch, len(e.Branches))
	for i, b := range e.Branches {
		branches[i] = expression.CaseBranch{Cond: operands[i+1], Value: b.Value}
	}
	return tree.SwitchOf(expression.NewCase(operands[0], branches, e.Else)), transform.NewTree, nil
}

// like returns LIKE in our collations if it is on strings. Otherwise it names the default escape character: without
// it the engine rewrites the predicate as a comparison with the pattern's prefix and the byte 0xff.
func (c Comparer) like(e *expression.Like) (sql.Expression, transform.TreeIdentity, error) {
	if value.IsBytes(e.LeftChild) || value.IsBytes(e.RightChild) && c.Class(e.LeftChild) == ClassText {
		return functions.NewByteLike(e.LeftChild, e.RightChild, e.Escape), transform.NewTree, nil
	}
	if c.Class(e.LeftChild) == ClassText {
		if err := c.mixed("like", e.LeftChild, e.RightChild); err != nil {
			return e, transform.SameTree, err
		}
		return functions.NewTextLike(e.LeftChild, e.RightChild, e.Escape, c.TextCollation(e.LeftChild, e.RightChild)),
			transform.NewTree, nil
	}
	if functions.IsTime(e.LeftChild) {
		return functions.NewTextLike(e.LeftChild, e.RightChild, e.Escape, collation.Default), transform.NewTree, nil
	}
	if e.Escape != nil {
		return e, transform.SameTree, nil
	}
	return expression.NewLike(e.LeftChild, e.RightChild, expression.NewLiteral("\\", types.LongText)), transform.NewTree,
		nil
}

// mixedWithJSON converts JSON to text among arguments whose first one that is not NULL is the result: other arguments
// can't become JSON.
func (c Comparer) mixedWithJSON(e sql.Expression, first int) (sql.Expression, transform.TreeIdentity, error) {
	json, others := 0, 0
	values := e.Children()[first:]
	for _, a := range values {
		switch c.Class(a) {
		case ClassJSON:
			json++
		case ClassNull:
		default:
			others++
		}
	}
	if json == 0 || others == 0 {
		return e, transform.SameTree, nil
	}
	values, changed := functions.Each(values, functions.AsJSONText)
	return functions.Rebuild(e, append(slices.Clone(e.Children()[:first]), values...), changed)
}

// extremum gives the strings of MIN and MAX our order. JSON values order themselves.
func (c Comparer) extremum(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	sorted, changed := c.sorted(children[0])
	if changed {
		children = append([]sql.Expression{sorted}, children[1:]...)
	}
	next, same, err := functions.Rebuild(e, children, changed)
	if err != nil {
		return e, transform.SameTree, err
	}
	if w, ok := next.(sql.WindowAdaptableExpression); ok && w.Window() != nil {
		windowed, again, err := c.window(w)
		return windowed, same && again, err
	}
	return next, same, nil
}

func (c Comparer) countDistinct(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	any := false
	for i, child := range children {
		if key, changed := c.groupKey(child); changed {
			children[i], any = key, true
		}
	}
	return functions.Rebuild(e, children, any)
}

// window gives ORDER BY and PARTITION BY of a window our order.
func (c Comparer) window(e sql.WindowAdaptableExpression) (sql.Expression, transform.TreeIdentity, error) {
	w := e.Window()
	if w == nil {
		return e, transform.SameTree, nil
	}
	w, changed := framed(e)
	fields, sorted := c.sortFields(w.OrderBy)
	changed = changed || sorted
	if _, aggregate := e.(sql.Aggregation); !aggregate {
		keys, again := rankKeys(fields)
		fields, changed = keys, changed || again
	}
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

func (c Comparer) sortFields(fields sql.SortFields) (sql.SortFields, bool) {
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

// sorted gives a sorted string a type with our order.
func (c Comparer) sorted(e sql.Expression) (sql.Expression, bool) {
	if !e.Resolved() || c.Class(e) != ClassText {
		return e, false
	}
	if _, ours := value.CollationOfType(e.Type()); ours {
		return e, false
	}
	return tree.WithType(e, value.NewTextType(c.TextCollation(e))), true
}

func (c Comparer) groupKeys(exprs []sql.Expression) ([]sql.Expression, bool) {
	any := false
	out := make([]sql.Expression, len(exprs))
	for i, e := range exprs {
		key, changed := c.groupKey(e)
		out[i], any = key, any || changed
	}
	return out, any
}

// groupKey replaces a string by its sort key if different strings may be equal.
func (c Comparer) groupKey(e sql.Expression) (sql.Expression, bool) {
	if !e.Resolved() || c.Class(e) != ClassText {
		return e, false
	}
	coll := c.TextCollation(e)
	if coll.IsIdentity() {
		return e, false
	}
	return tree.NewWeightKey(e, coll), true
}
