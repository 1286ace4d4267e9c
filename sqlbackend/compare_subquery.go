package sqlbackend

import (
	"context"
	"fmt"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
)

// keyType makes values comparable as Go strings: equal values have equal keys.
// It is put where the engine looks values up in a map after converting them.
type keyType struct {
	columnType
	class   class
	coll    *collation.Collation
	spelled bool // numbers beside strings: both are DOUBLEs
}

// Convert implements sql.Type.
func (t keyType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	key, err := t.key(ctx, v)
	return key, sql.InRange, err
}

func (t keyType) key(ctx context.Context, v interface{}) (string, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", err
	}
	switch t.class {
	case classNumber:
		if t.spelled {
			v = asDouble(ctx, v)
		}
		literal, err := numberLiteral(v)
		if err != nil {
			return fmt.Sprint(v), nil // NaN and infinities
		}
		return canonicalNumber(literal), nil
	case classText:
		s, err := textOf(ctx, v)
		if err != nil || t.coll.IsIdentity() {
			return s, err
		}
		return string(t.coll.AppendKey(nil, s)), nil
	}
	value, err := valueOf(v)
	if err != nil {
		return "", err
	}
	return string(appendCanonical(nil, value)), nil
}

// keyOf is the key type for comparing two operands for equality, if the
// engine's own way is not to be relied on.
func (c comparer) keyOf(left, right sql.Expression) (keyType, bool) {
	l, r := c.class(left), c.class(right)
	switch {
	case isBytes(left) && r == classText, l == classText && isBytes(right):
		return keyType{columnType: types.LongText, class: classText, coll: collation.Binary}, true
	case l == classNull || r == classNull || l == classOther || r == classOther:
		return keyType{}, false
	case l == classJSON || r == classJSON:
		return keyType{columnType: types.LongText, class: classJSON}, true
	case l == classNumber && r == classNumber:
		lf, rf := familyOf(left.Type()), familyOf(right.Type())
		return keyType{columnType: types.LongText, class: classNumber}, lf != rf || lf == familyDecimal || !lf.single()
	case l == classNumber && r == classText, l == classText && r == classNumber:
		return keyType{columnType: types.LongText, class: classNumber, spelled: true}, true
	case l == classText && r == classText:
		coll := c.textCollation(left, right)
		if coll.IsIdentity() {
			return keyType{}, false
		}
		return keyType{columnType: types.LongText, class: classText, coll: coll}, true
	}
	return keyType{}, false
}

// hashLookup makes a hash join look its rows up by keys that are equal where
// the values are: the engine uses the Go values, in which 1 and 1.0 differ, and
// decimals even from themselves.
func (c comparer) hashLookup(n *plan.HashLookup) (sql.Node, transform.TreeIdentity, error) {
	left, right := []sql.Expression{n.LeftProbeKey}, []sql.Expression{n.RightEntryKey}
	lt, lok := n.LeftProbeKey.(expression.Tuple)
	rt, rok := n.RightEntryKey.(expression.Tuple)
	if lok && rok && len(lt) == len(rt) {
		left, right = lt, rt
	}
	any := false
	keyed := make([]sql.Expression, len(left))
	for i := range left {
		keyed[i] = left[i]
		if r, ok := left[i].(*retype); ok {
			if _, done := r.typ.(keyType); done {
				continue
			}
		}
		if t, ok := c.keyOf(left[i], right[i]); ok {
			keyed[i], any = withType(left[i], t), true
		}
	}
	if !any {
		return n, transform.SameTree, nil
	}
	probe := keyed[0]
	if lok {
		probe = expression.NewTuple(keyed...)
	}
	next, err := n.WithExpressions(n.RightEntryKey, probe)
	return next, transform.NewTree, err
}

// inSubquery is IN over a subquery where the engine's conversion of one side
// to the type of the other would lose what makes values differ.
type inSubquery struct {
	expression.BinaryExpressionStub // right is the *plan.Subquery
	key                             keyType
	cache                           *subqueryKeys
}

// subqueryKeys are the keys of a subquery that gives the same rows each time.
type subqueryKeys struct {
	mu      sync.Mutex
	keys    map[string]struct{}
	hasNull bool
}

// inSubquery replaces plan.InSubquery where needed.
func (c comparer) inSubquery(e *plan.InSubquery) (sql.Expression, transform.TreeIdentity, error) {
	query, ok := e.RightChild.(*plan.Subquery)
	if !ok || !query.Resolved() || !e.LeftChild.Resolved() || len(query.Query.Schema()) != 1 {
		return e, transform.SameTree, nil
	}
	sides, enums := c.enumOperands(opEqual, []sql.Expression{e.LeftChild, query})
	key, ok := c.keyOf(sides[0], sides[1])
	if enums && !ok && c.class(sides[0]) == classText && c.class(sides[1]) == classText {
		key, ok = keyType{columnType: types.LongText, class: classText, coll: collation.Binary}, true
	}
	if !ok {
		return e, transform.SameTree, nil
	}
	return &inSubquery{expression.BinaryExpressionStub{LeftChild: sides[0], RightChild: query}, key, &subqueryKeys{}}, transform.NewTree, nil
}

// Type implements sql.Expression.
func (s *inSubquery) Type() sql.Type { return types.Boolean }

// WithChildren implements sql.Expression.
func (s *inSubquery) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 2)
	}
	return &inSubquery{expression.BinaryExpressionStub{LeftChild: children[0], RightChild: children[1]}, s.key, &subqueryKeys{}}, nil
}

// String implements fmt.Stringer.
func (s *inSubquery) String() string {
	return fmt.Sprintf("(%s IN %s)", s.LeftChild, s.RightChild)
}

// Eval implements sql.Expression.
func (s *inSubquery) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
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
	if left == nil {
		return nil, nil
	}
	key, err := s.key.key(ctx, left)
	if err != nil {
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

func (s *inSubquery) keysOf(ctx *sql.Context, row sql.Row, query *plan.Subquery) (map[string]struct{}, bool, error) {
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
	keys, hasNull := make(map[string]struct{}, len(values)), false
	for _, v := range values {
		if v == nil {
			hasNull = true
			continue
		}
		if isEnum(query) && s.key.class != classNumber {
			if v, err = enumTextOf(ctx, query.Type(), v); err != nil {
				return nil, false, err
			}
		}
		key, err := s.key.key(ctx, v)
		if err != nil {
			return nil, false, err
		}
		keys[key] = struct{}{}
	}
	if cacheable {
		s.cache.keys, s.cache.hasNull = keys, hasNull
	}
	return keys, hasNull, nil
}
