package compare

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// ResultTypeRule carries the DECIMAL types of SUM and AVG, and of expressions over them, to the references to their
// columns: the plan builder makes each of them a DOUBLE. It gives a CASE of numbers, of dates or of times a type that
// holds them all, and carries that too. Then it gives the two sides of UNION, INTERSECT and EXCEPT a type that holds
// the values of both. It is idempotent.
func ResultTypeRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) && !tree.PlainHasCase(n) {
		return n, transform.SameTree, nil
	}
	r := resultTypes{comparer: Comparer{Ctx: ctx}, decimals: map[sql.ColumnId]sql.Type{},
		united: map[sql.ColumnId]sql.Type{}, retyped: map[sql.ColumnId]bool{}, cases: map[sql.ColumnId]sql.Type{},
		replaced: map[*tree.Case]bool{}, recursive: map[sql.ColumnId]sql.Type{}}
	r.recursions(n)
	return transform.NodeWithOpaque(n, r.node)
}

// recursions notes the columns of WITH RECURSIVE that are dates or times: they have the types of the part that is not
// recursive. The plan builder makes all of them a DATETIME of six digits.
func (r resultTypes) recursions(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		cte, ok := n.(*plan.RecursiveCte)
		if !ok {
			return true
		}
		schema, i := cte.Left().Schema(), 0
		cte.Columns().ForEach(func(id sql.ColumnId) {
			if i < len(schema) && (Comparer{}).kind(fieldOfColumn(id, schema[i])).temporal() {
				r.recursive[id] = schema[i].Type
			}
			i++
		})
		return true
	})
}

type resultTypes struct {
	comparer Comparer
	decimals map[sql.ColumnId]sql.Type // columns that are a DECIMAL
	united   map[sql.ColumnId]sql.Type // columns of a UNION in FROM, strings in a collation, and expressions over them
	retyped  map[sql.ColumnId]bool     // columns of these that the plan builder gave another type
	cases    map[sql.ColumnId]sql.Type // columns computed by a CASE of numbers, JSON, dates or times
	// CASEs of dates or of times that replace the engine's, whose type may have been text
	replaced  map[*tree.Case]bool
	recursive map[sql.ColumnId]sql.Type // columns of WITH RECURSIVE that are dates or times
}

func (r resultTypes) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := tree.NodeExpressions(n, r.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		r.columns(n)
		next, again := mapped(n, r.typeOf)
		return next, same && again, nil
	case *plan.SetOp:
		next, again, err := r.comparer.setOperation(n)
		return next, same && again, err
	case *plan.RecursiveCte:
		next, again := r.recursion(n)
		return next, same && again, nil
	}
	return n, same, nil
}

// recursion gives the columns of WITH RECURSIVE their types.
func (r resultTypes) recursion(n *plan.RecursiveCte) (sql.Node, transform.TreeIdentity) {
	schema, i := slices.Clone(n.Schema()), 0
	same := transform.SameTree
	n.Columns().ForEach(func(id sql.ColumnId) {
		if t, known := r.recursive[id]; known && i < len(schema) && !reflect.DeepEqual(schema[i].Type, t) {
			schema[i] = schema[i].Copy()
			schema[i].Type, same = t, transform.NewTree
		}
		i++
	})
	if same {
		return n, same
	}
	return n.WithSchema(schema), same
}

// columns gives the columns of a subquery in FROM the types of its result.
func (r resultTypes) columns(n *plan.SubqueryAlias) {
	_, united := n.Child.(*plan.SetOp)
	if _, bound := n.Child.(tree.Bound); bound {
		united = true
	}
	schema, i := n.Schema(), 0
	made := ResultExpressions(n.Child)
	n.Columns().ForEach(func(id sql.ColumnId) {
		switch {
		case i >= len(schema):
		case i < len(made) && r.comparer.lostCollation(made[i]) != nil:
			r.united[id] = value.Collated(schema[i].Type, r.comparer.lostCollation(made[i]))
		case united:
			r.united[id] = schema[i].Type
		case types.IsDecimal(schema[i].Type):
			r.decimals[id] = schema[i].Type
			if len(r.united) > 0 {
				r.united[id] = schema[i].Type
			}
		case len(r.united) > 0:
			r.united[id] = schema[i].Type
		}
		if i < len(schema) && len(r.cases) > 0 {
			if k := (Comparer{}).kind(fieldOfColumn(id, schema[i])); k == kindNumber || k == kindJSON || k.temporal() {
				r.cases[id] = schema[i].Type
			}
		}
		i++
	})
}

// mapped gives the inner columns of a subquery in FROM the types that they have outside: conditions that are pushed
// into it use them.
func mapped(n *plan.SubqueryAlias, typeOf func(sql.ColumnId) (sql.Type, bool)) (sql.Node, transform.TreeIdentity) {
	var changed map[sql.ColumnId]sql.Expression
	for id, inside := range n.ScopeMapping {
		f, ok := inside.(*expression.GetField)
		if !ok {
			continue
		}
		t, known := typeOf(id)
		if !known || reflect.DeepEqual(f.Type(), t) {
			continue
		}
		if changed == nil {
			changed = maps.Clone(n.ScopeMapping)
		}
		changed[id] = fieldOfType(f, t)
	}
	if changed == nil {
		return n, transform.SameTree
	}
	return n.WithScopeMapping(changed), transform.NewTree
}

// typeOf returns the type of a column that the plan builder may not have known.
func (r resultTypes) typeOf(id sql.ColumnId) (sql.Type, bool) {
	if t, known := r.recursive[id]; known {
		return t, true
	}
	if t, united := r.united[id]; united && carried(t) {
		return t, true
	}
	t, ok := r.cases[id]
	return t, ok
}

// carried reports whether references to a column get a type that the plan builder did not foresee.
func carried(t sql.Type) bool {
	return types.IsNumber(t) || value.IsMixed(t) || types.IsText(t) || types.IsJSON(t) || types.IsTime(t)
}

func (r resultTypes) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, r.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.GetField:
		if t, ok := r.decimals[e.Id()]; ok && e.Type() == types.Float64 {
			r.retyped[e.Id()] = true
			return fieldOfType(e, t), transform.NewTree, nil
		}
		if t, ok := r.typeOf(e.Id()); ok && !reflect.DeepEqual(e.Type(), t) {
			r.retyped[e.Id()] = true
			return fieldOfType(e, t), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	case *function.If, *tree.IfNull, *function.Coalesce, *tree.Case, *extremumOf, *function.Greatest, *function.Least,
		*aggregation.StdDevPop, *aggregation.StdDevSamp, *aggregation.VarPop, *aggregation.VarSamp:
		if r.ofRetyped(e) {
			next, changed, err := Rechosen(e)
			return next, transform.TreeIdentity(!changed), err
		}
	case *expression.Case:
		if c, ok := ownCase(e); ok {
			if own, ok := c.(*tree.Case); ok && r.comparer.kind(own).temporal() {
				r.replaced[own] = true
			}
			return c, transform.NewTree, nil
		}
	case sql.IdExpression:
		if id := e.Id(); id != 0 && e.Resolved() && r.madeOfCase(e) {
			r.cases[id] = e.Type()
		}
		if id := e.Id(); id != 0 && e.Resolved() {
			if coll := r.comparer.lostCollation(e); coll != nil {
				r.united[id] = value.Collated(e.Type(), coll)
			} else if r.madeOfUnited(e) {
				r.united[id] = e.Type()
			}
		}
		if id := e.Id(); id != 0 && e.Resolved() && types.IsDecimal(e.Type()) {
			if _, known := r.decimals[id]; known || madeOfSums(e, r.decimals) {
				r.decimals[id] = e.Type()
			}
		}
	}
	return e, transform.SameTree, nil
}

func (r resultTypes) madeOfCase(e sql.Expression) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *tree.Case:
			return true
		case *functions.SumOf:
			return value.IsMixed(e.Type())
		case *expression.GetField:
			_, ok := r.cases[e.Id()]
			return ok
		}
		return false
	})
}

func (r resultTypes) madeOfUnited(e sql.Expression) bool {
	return len(r.united) > 0 && transform.InspectExpr(e, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		if !ok {
			return false
		}
		_, united := r.united[f.Id()]
		return united
	})
}

func madeOfSums(e sql.Expression, decimals map[sql.ColumnId]sql.Type) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *functions.SumOf, *plan.Subquery:
			return true
		case *expression.GetField:
			_, ok := decimals[e.Id()]
			return ok
		}
		return false
	})
}

// setOperation gives the columns of both sides a common type, once rewrite.SidesRule has removed the plan builder's
// conversions: these make text of an integer beside a DOUBLE, and round decimals.
func (c Comparer) setOperation(n *plan.SetOp) (sql.Node, transform.TreeIdentity, error) {
	left, right := n.Left(), n.Right()
	ls, rs := left.Schema(), right.Schema()
	if len(ls) != len(rs) {
		return n, transform.SameTree, nil
	}
	leftOut, rightOut := make([]sql.Expression, len(ls)), make([]sql.Expression, len(rs))
	leftIDs, rightIDs := columnIDs(left), columnIDs(right)
	if len(leftIDs) != len(ls) || len(rightIDs) != len(rs) {
		return n, transform.SameTree, nil
	}
	same := transform.SameTree
	leftByPlace, rightByPlace := isSet(left) || scrambled(left), isSet(right) || scrambled(right)
	for i := range ls {
		leftField := columnOfSide(ls, leftIDs, i, leftByPlace)
		rightField := columnOfSide(rs, rightIDs, i, rightByPlace)
		leftOut[i], rightOut[i] = leftField, rightField
		if coll := c.lostCollations(ResultExpressions(left), ResultExpressions(right), i); coll != nil &&
			c.Class(leftField) == ClassText && c.Class(rightField) == ClassText {
			same = transform.NewTree
			leftOut[i], rightOut[i] = asColumn(leftField, ls[i], value.NewTextType(coll)),
				asColumn(rightField, rs[i], value.NewTextType(coll))
			continue
		}
		if reflect.DeepEqual(ls[i].Type, rs[i].Type) { // as the engine's validation requires
			continue
		}
		if c.mixed("", leftField, rightField) != nil {
			return n, transform.SameTree, mysql.NewSQLError(mysqlerr.IllegalMixes, "HY000",
				"Illegal mix of collations for operation 'UNION'")
		}
		same = transform.NewTree
		if common, ok := c.commonType(leftField, rightField); ok {
			leftOut[i], rightOut[i] = asColumn(leftField, ls[i], common), asColumn(rightField, rs[i], common)
			continue
		}
		to := expression.GetConvertToType(ls[i].Type, rs[i].Type)
		leftOut[i], rightOut[i] = engineSide(leftField, ls[i], to), engineSide(rightField, rs[i], to)
	}
	if same {
		return n, transform.SameTree, nil
	}
	next, err := n.WithChildren(plan.NewProject(leftOut, left), plan.NewProject(rightOut, right))
	return next, transform.NewTree, err
}

// columnIDs returns the numbers of a node's columns; 0 for a column that has none.
func columnIDs(n sql.Node) []sql.ColumnId {
	switch n := n.(type) {
	case *plan.Project:
		out := make([]sql.ColumnId, len(n.Projections))
		for i, e := range n.Projections {
			if with, ok := e.(sql.IdExpression); ok {
				out[i] = with.Id()
			}
		}
		return out
	case *plan.GroupBy, *plan.Window:
		return nil
	case plan.TableIdNode:
		if _, table := n.(sql.TableNode); table {
			return nil
		}
		var out []sql.ColumnId
		n.Columns().ForEach(func(id sql.ColumnId) { out = append(out, id) })
		return out
	}
	if children := n.Children(); len(children) == 1 {
		return columnIDs(children[0])
	}
	return nil
}

func isSet(n sql.Node) bool {
	_, ok := n.(*plan.SetOp)
	return ok
}

// scrambled reports whether the numbers of a side's columns may be in another order than the columns. A set operation
// has them as a set, and subqueries and constants of its left side have greater numbers than the columns after them.
func scrambled(n sql.Node) bool {
	for {
		if set, ok := n.(*plan.SetOp); ok {
			ids := ownColumnIDs(set.Left())
			return len(ids) != len(set.Schema()) || slices.Contains(ids, 0) || !slices.IsSorted(ids) || scrambled(set.Left())
		}
		if _, ok := n.(*plan.Project); ok || len(n.Children()) != 1 {
			return false
		}
		n = n.Children()[0]
	}
}

// ownColumnIDs is columnIDs, but a converted column has the number of the column before the conversion.
func ownColumnIDs(n sql.Node) []sql.ColumnId {
	p, ok := n.(*plan.Project)
	if !ok {
		return columnIDs(n)
	}
	ids := columnIDs(p)
	for i, id := range ids {
		if id != 0 {
			continue
		}
		sql.Inspect(p.Projections[i], func(e sql.Expression) bool {
			switch e := e.(type) {
			case *expression.GetField:
				ids[i] = e.Id()
			case *plan.Subquery:
				return false
			}
			return ids[i] == 0
		})
	}
	return ids
}

func fieldOfColumn(id sql.ColumnId, c *sql.Column) sql.Expression {
	return expression.NewGetFieldWithTable(int(id), 0, c.Type, c.DatabaseSource, c.Source, c.Name, c.Nullable)
}

func asColumn(field sql.Expression, c *sql.Column, t sql.Type) sql.Expression {
	return expression.NewAlias(c.Name, united(field, t))
}

// Conversion converts a value to another type.
type Conversion struct {
	expression.UnaryExpression
	Typ sql.Type
}

var (
	_ sql.Expression         = (*Conversion)(nil)
	_ sql.CollationCoercible = (*Conversion)(nil)
)

// converted returns e converted to a type.
func converted(e sql.Expression, t sql.Type) sql.Expression {
	if reflect.DeepEqual(e.Type(), t) {
		return e
	}
	if _, text := t.(value.TextType); text {
		return tree.WithType(e, t)
	}
	if types.IsJSON(t) {
		if j := tree.AsJSON(e); reflect.DeepEqual(j.Type(), t) {
			return j
		}
		return &Conversion{expression.UnaryExpression{Child: e}, t} // for NULL
	}
	if l, ok := e.(*expression.Literal); ok && !value.IsMixed(t) {
		if v, _, err := t.Convert(context.Background(), l.Val); err == nil {
			return expression.NewLiteral(functions.Scaled(v, t), t)
		}
	}
	return &Conversion{expression.UnaryExpression{Child: e}, t}
}

// Type implements sql.Expression.
func (c *Conversion) Type() sql.Type { return c.Typ }

// Eval implements sql.Expression.
func (c *Conversion) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := c.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if c.Typ == types.Float64 {
		v = value.DoubleOf(v)
	}
	if t, ok := c.Typ.(sql.DecimalType); ok && types.IsDecimal(c.Typ) {
		// Digits before the point that exceed the type are kept: values of a query's column have no range check.
		d, err := t.ConvertToNullDecimal(v)
		if err != nil || !d.Valid {
			return nil, err
		}
		return functions.WithScale(d.Decimal.Round(int32(t.Scale())), int32(t.Scale())), nil
	}
	out, _, err := c.Typ.Convert(ctx, v)
	return out, err
}

// WithChildren implements sql.Expression.
func (c *Conversion) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 1)
	}
	return &Conversion{expression.UnaryExpression{Child: children[0]}, c.Typ}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (c *Conversion) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, c.Child)
}

// String implements fmt.Stringer.
func (c *Conversion) String() string { return c.Child.String() }

// ResultExpressions returns the expressions of the columns of a query's result; none where they are not visible.
func ResultExpressions(n sql.Node) []sql.Expression {
	switch n := n.(type) {
	case *plan.Project:
		return n.Projections
	case *plan.GroupBy:
		return n.SelectedExprs
	case *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Distinct, *plan.Having:
		return ResultExpressions(n.Children()[0])
	}
	return nil
}

// lostCollation returns the collation of a string that an expression takes from columns, if its type lacks it: CONCAT
// and COALESCE of a column have the engine's own. It returns nil if the type has it, or if it is the default.
func (c Comparer) lostCollation(e sql.Expression) *collation.Collation {
	if c.Class(e) != ClassText {
		return nil
	}
	coll := c.TextCollation(e)
	if t, ours := e.Type().(value.TextType); coll == collation.Default || ours && t.Coll == coll {
		return nil
	}
	return coll
}

// lostCollations returns the collation in which two columns of the sides of a set operation are compared, if the type
// of one of them lacks its own.
func (c Comparer) lostCollations(left, right []sql.Expression, at int) *collation.Collation {
	if at >= len(left) || at >= len(right) || c.lostCollation(left[at]) == nil && c.lostCollation(right[at]) == nil {
		return nil
	}
	return c.TextCollation(left[at], right[at])
}
