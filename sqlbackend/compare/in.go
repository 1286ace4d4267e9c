package compare

import (
	"fmt"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// InSubquery is IN over a subquery for which the engine's conversion of one side to the type of the other would lose
// differences of values, or fail. Both sides become comparable like operands of =, and are looked up by keys.
type InSubquery struct {
	expression.BinaryExpressionStub // right is the *plan.Subquery
	sides                           inSides
	cache                           *subqueryKeys
}

// inSides has the expressions that make the values of both sides comparable, over a row that is the value alone.
type inSides struct {
	left, right sql.Expression
	key         KeyType
}

// subqueryKeys are the keys of a subquery that returns the same rows each time.
type subqueryKeys struct {
	mu      sync.Mutex
	keys    map[string]struct{}
	hasNull bool
	holding hold.Memory
}

// inSubquery replaces plan.InSubquery where needed.
func (c Comparer) inSubquery(e *plan.InSubquery) (sql.Expression, transform.TreeIdentity, error) {
	query, ok := e.RightChild.(*plan.Subquery)
	if err := c.mixedIn(e); err != nil {
		return e, transform.SameTree, err
	}
	if left, rows := e.LeftChild.(expression.Tuple); rows && ok && len(left) > 1 && left.Resolved() && query.Resolved() {
		if own := c.inRowsOf(e, left, query); own != nil {
			return own, transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	}
	if !ok || !query.Resolved() || !e.LeftChild.Resolved() || !c.unlikeEngine(e.LeftChild, query) {
		return e, transform.SameTree, nil
	}
	own, ok := c.ownInSubquery(e.LeftChild, query)
	if !ok {
		return e, transform.SameTree, nil
	}
	return own, transform.NewTree, nil
}

// mixedIn returns the error for strings that are compared with those of another collation.
func (c Comparer) mixedIn(e *plan.InSubquery) error {
	query, ok := e.RightChild.(*plan.Subquery)
	if !ok || !query.Resolved() || !e.LeftChild.Resolved() {
		return nil
	}
	operands := []sql.Expression{e.LeftChild}
	if row, ok := e.LeftChild.(expression.Tuple); ok {
		operands = row
	}
	columns := query.Query.Schema()
	if len(columns) != len(operands) {
		return nil // there is a separate error for that
	}
	for i, o := range operands {
		if err := c.mixed(" IN ", o, expression.NewGetField(i, columns[i].Type, columns[i].Name, true)); err != nil {
			return err
		}
	}
	return nil
}

// unlikeEngine reports whether the engine's IN can't be relied on.
func (c Comparer) unlikeEngine(left sql.Expression, query *plan.Subquery) bool {
	if _, ok := c.KeyOf(left, query); ok {
		return true
	}
	l, r := c.kind(left), c.kind(query)
	if r == kindNull || l == kindText && r == kindText && isShorter(query.Type(), left.Type()) {
		return true // a value that doesn't fit the subquery's type would count as not found, even beside NULL
	}
	return l != r && l != kindNull || l == kindEnum && r == kindEnum && !types.TypesEqual(left.Type(), query.Type())
}

// InLeftRule replaces each remaining plan.InSubquery of doubles, booleans, or dates of several types, once the engine
// has turned others into joins. The engine's IN does not find 0 among -0, nor -0 among -0, nor 1 among the results of
// comparisons. And it finds a date with a time among dates.
func InLeftRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	c := Comparer{Ctx: ctx}
	return tree.EveryExpression(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		in, ok := e.(*plan.InSubquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, ok := in.RightChild.(*plan.Subquery)
		if !ok || !hashesUnequally(in.LeftChild.Type()) && !hashesUnequally(query.Type()) &&
			!c.cutShort(in.LeftChild, query) {
			return e, transform.SameTree, nil
		}
		own, ok := c.ownInSubquery(in.LeftChild, query)
		if !ok {
			return e, transform.SameTree, nil
		}
		return own, transform.NewTree, nil
	})
}

// hashesUnequally reports whether the engine may hash equal values of a type differently: it hashes the bits of
// doubles, and booleans differently from the numbers 0 and 1.
func hashesUnequally(t sql.Type) bool {
	return types.IsFloat(t) || t.Type() == sqltypes.Int8
}

// cutShort reports whether a date or a date with a time may have another type than the values that it is looked for
// among. The engine converts it to their type.
func (c Comparer) cutShort(left, among sql.Expression) bool {
	return c.kind(left) == kindDate && c.kind(among) == kindDate && !types.TypesEqual(left.Type(), among.Type())
}

// isShorter reports whether a type of texts holds fewer characters than another one.
func isShorter(t, than sql.Type) bool {
	short, ok := t.(sql.StringType)
	if !ok {
		return false
	}
	long, ok := than.(sql.StringType)
	return ok && short.MaxCharacterLength() < long.MaxCharacterLength()
}

// ownInSubquery returns our own IN, if there is one.
func (c Comparer) ownInSubquery(left sql.Expression, query *plan.Subquery) (sql.Expression, bool) {
	if len(query.Query.Schema()) != 1 || types.NumColumns(left.Type()) != 1 {
		return nil, false
	}
	sides, ok := c.inSides(left, query)
	if !ok {
		return nil, false
	}
	return &InSubquery{expression.BinaryExpressionStub{LeftChild: left, RightChild: query}, sides, &subqueryKeys{}}, true
}

func (c Comparer) inSides(left, query sql.Expression) (inSides, bool) {
	// Only the left side's type matters: a constant could become one of another type.
	value := func(t sql.Type) sql.Expression { return expression.NewGetField(0, t, "value", true) }
	sides := []sql.Expression{value(left.Type()), value(query.Type())}
	lk, rk := c.kind(left), c.kind(query)
	key := KeyType{ColumnType: types.LongText, Class: ClassText, Coll: collation.Binary}
	switch {
	case lk == kindOther || rk == kindOther || lk == kindNull:
		return inSides{}, false
	case rk == kindNull: // no value has a key
		key.Class = ClassOther
		return inSides{sides[0], sides[1], key}, true
	case lk == kindText && rk == kindText:
		key.Coll = c.TextCollation(left, query)
		return inSides{sides[0], sides[1], key}, true
	}
	sides, _ = c.operands(opEqual, sides...)
	lk, rk = c.kind(sides[0]), c.kind(sides[1])
	switch {
	case lk == kindJSON || rk == kindJSON:
		key.Class = ClassJSON
	case lk == kindNumber && rk == kindNumber:
		key.Class = ClassNumber
	case (lk == kindText || lk == kindBytes) && (rk == kindText || rk == kindBytes):
	case lk == rk:
		key.Class = ClassOther
	default:
		return inSides{}, false
	}
	return inSides{sides[0], sides[1], key}, true
}

// Type implements sql.Expression.
func (s *InSubquery) Type() sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (s *InSubquery) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 2)
	}
	return &InSubquery{expression.BinaryExpressionStub{LeftChild: children[0], RightChild: children[1]}, s.sides,
		&subqueryKeys{}}, nil
}

// String implements fmt.Stringer.
func (s *InSubquery) String() string {
	return fmt.Sprintf("(%s IN %s)", s.LeftChild, s.RightChild)
}

// Eval implements sql.Expression.
func (s *InSubquery) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	query, ok := s.RightChild.(*plan.Subquery)
	if !ok {
		return nil, expression.ErrUnsupportedInOperand.New(s.RightChild)
	}
	left, err := s.LeftChild.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	keys, hasNull, err := s.keysOf(ctx, row, query)
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 && !hasNull {
		return false, nil
	}
	key, ok, err := s.keyed(ctx, s.sides.left, left)
	if err != nil || !ok {
		return nil, err
	}
	if _, ok := keys[key]; ok {
		return true, nil
	}
	if hasNull {
		return nil, nil
	}
	return false, nil
}

// keyed returns the key of a value of one side, unless it is NULL there.
func (s *InSubquery) keyed(ctx *sql.Context, side sql.Expression, v interface{}) (string, bool, error) {
	v, err := side.Eval(ctx, sql.Row{v})
	if err != nil || v == nil {
		return "", false, err
	}
	if isEnum(side) {
		if v, err = enumTextOf(ctx, side.Type(), v); err != nil {
			return "", false, err
		}
	}
	key, err := s.sides.key.Key(ctx, v)
	return key, true, err
}

func (s *InSubquery) keysOf(ctx *sql.Context, row sql.Row, query *plan.Subquery) (map[string]struct{}, bool, error) {
	cacheable := query.CanCacheResults()
	if cacheable {
		s.cache.mu.Lock()
		defer s.cache.mu.Unlock()
		if s.cache.keys != nil {
			return s.cache.keys, s.cache.hasNull, nil
		}
	}
	values, err := query.EvalMultiple(ctx, row)
	if err != nil {
		return nil, false, err
	}
	keys, hasNull, bytes := make(map[string]struct{}, len(values)), false, 0
	for _, v := range values {
		key, ok, err := s.keyed(ctx, s.sides.right, v)
		if err != nil {
			return nil, false, err
		}
		if ok {
			keys[key] = struct{}{}
			bytes += hold.KeyBytes + len(key)
		} else {
			hasNull = true
		}
	}
	if cacheable {
		s.cache.keys, s.cache.hasNull = keys, hasNull
		err = s.cache.holding.Hold(ctx, bytes)
	}
	return keys, hasNull, err
}
