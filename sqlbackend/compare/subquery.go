package compare

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// KeyType makes values comparable as Go strings: equal values have equal keys. It is used where the engine converts
// values and looks them up in a map.
type KeyType struct {
	value.ColumnType
	Class   class
	Coll    *collation.Collation
	spelled bool // numbers beside strings: both are DOUBLEs
}

// Convert implements sql.Type.
func (t KeyType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	key, err := t.Key(ctx, v)
	return key, sql.InRange, err
}

// Key returns the text by which a value is looked up: equal values have the same.
func (t KeyType) Key(ctx context.Context, v interface{}) (string, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", err
	}
	switch t.Class {
	case ClassNumber:
		if t.spelled {
			v = value.AsDouble(ctx, v)
		}
		literal, err := value.NumberLiteral(v)
		if err != nil {
			return fmt.Sprint(v), nil // NaN and infinities
		}
		return value.CanonicalNumber(literal), nil
	case ClassText:
		s, err := value.TextOf(ctx, v)
		if err != nil || t.Coll.IsIdentity() {
			return s, err
		}
		return string(t.Coll.AppendKey(nil, s)), nil
	case ClassOther:
		return otherKey(v), nil
	}
	val, err := value.ValueOf(v)
	if err != nil {
		return "", err
	}
	return string(value.AppendCanonical(nil, val)), nil
}

// otherKey returns the key of a value of a type that the engine compares.
func otherKey(v interface{}) string {
	switch v := v.(type) {
	case string:
		return v
	case types.Timespan:
		return strconv.FormatInt(v.AsMicroseconds(), 10)
	case time.Time:
		return strconv.FormatInt(v.UnixMicro(), 10)
	}
	return fmt.Sprint(v)
}

// KeyOf returns the key type for comparing two operands for equality, if the engine's own way can't be relied on.
func (c Comparer) KeyOf(left, right sql.Expression) (KeyType, bool) {
	l, r := c.Class(left), c.Class(right)
	switch {
	case value.IsBytes(left) && r == ClassText, l == ClassText && value.IsBytes(right):
		return KeyType{ColumnType: types.LongText, Class: ClassText, Coll: collation.Binary}, true
	case l == ClassNull || r == ClassNull || l == ClassOther || r == ClassOther:
		return KeyType{}, false
	case l == ClassJSON || r == ClassJSON:
		return KeyType{ColumnType: types.LongText, Class: ClassJSON}, true
	case l == ClassNumber && r == ClassNumber:
		lf, rf := familyOf(left.Type()), familyOf(right.Type())
		return KeyType{ColumnType: types.LongText, Class: ClassNumber}, lf != rf || lf == familyDecimal || !lf.single()
	case l == ClassNumber && r == ClassText, l == ClassText && r == ClassNumber:
		return KeyType{ColumnType: types.LongText, Class: ClassNumber, spelled: true}, true
	case l == ClassText && r == ClassText:
		coll := c.TextCollation(left, right)
		if coll.IsIdentity() {
			return KeyType{}, false
		}
		return KeyType{ColumnType: types.LongText, Class: ClassText, Coll: coll}, true
	}
	return KeyType{}, false
}

// EqualKey returns a key type in which operands of an equality have equal keys if they are equal; false where that is
// not known.
func (c Comparer) EqualKey(left, right sql.Expression) (KeyType, bool) {
	if t, ok := c.KeyOf(left, right); ok {
		return t, true
	}
	t := KeyType{ColumnType: types.LongText, Class: c.Class(left), Coll: collation.Binary}
	_, weighed := left.(*tree.WeightKey)
	if _, both := right.(*tree.WeightKey); weighed && both {
		t.Class = ClassText
		return t, true
	}
	if c.Class(right) != t.Class {
		return t, false
	}
	switch t.Class {
	case ClassNumber:
		return t, true
	case ClassText:
		t.Coll = c.TextCollation(left, right)
		return t, true
	}
	return t, false
}

// HashLookup makes a hash join look its rows up by keys that are equal where the values are. The engine uses the Go
// values, in which 1 and 1.0 differ, and decimals even from themselves. The rows that it finds still have to satisfy
// the condition.
func (c Comparer) HashLookup(n *plan.HashLookup) (sql.Node, transform.TreeIdentity, error) {
	left, right := []sql.Expression{n.LeftProbeKey}, []sql.Expression{n.RightEntryKey}
	lt, lok := n.LeftProbeKey.(expression.Tuple)
	rt, rok := n.RightEntryKey.(expression.Tuple)
	tuples := lok && rok && len(lt) == len(rt)
	if tuples {
		left, right = lt, rt
	}
	var probe, entry []sql.Expression
	any := false
	for i := range left {
		p, e, hashed, changed := c.hashSides(left[i], right[i])
		any = any || changed
		if hashed {
			probe, entry = append(probe, p), append(entry, e)
		}
	}
	if !any {
		return n, transform.SameTree, nil
	}
	if len(probe) == 0 {
		one := expression.NewLiteral(int8(1), types.Int8)
		probe, entry = []sql.Expression{one}, []sql.Expression{one}
	}
	keys := []sql.Expression{entry[0], probe[0]}
	if tuples {
		keys = []sql.Expression{expression.NewTuple(entry...), expression.NewTuple(probe...)}
	}
	next, err := n.WithExpressions(keys...)
	return next, transform.NewTree, err
}

// hashSides returns the expressions by which the operands of an equality are hashed, whether they can be hashed, and
// whether these differ from the operands.
func (c Comparer) hashSides(left, right sql.Expression) (probe, entry sql.Expression, hashed, changed bool) {
	if r, ok := left.(*tree.Retype); ok {
		if _, done := r.Target.(KeyType); done {
			return left, right, true, false
		}
	}
	if c.mixedTemporals(left, right) {
		// The engine would convert a date to the other side's type, or fail to.
		sides, _ := c.temporalOperands([]sql.Expression{left, right})
		if c.mixedTemporals(sides...) {
			return nil, nil, false, true
		}
		t, ok := c.KeyOf(sides[0], sides[1])
		if !ok {
			t = KeyType{ColumnType: types.LongText, Class: ClassOther}
		}
		return tree.WithType(sides[0], t), sides[1], true, true
	}
	t, ok := c.KeyOf(left, right)
	if !ok && c.Class(left) == ClassText && c.Class(right) == ClassText {
		// The engine would convert a row's text to the other side's type, which may be too short for it.
		t, ok = KeyType{ColumnType: types.LongText, Class: ClassText, Coll: c.TextCollation(left, right)}, true
	}
	if !ok {
		return left, right, true, false
	}
	return tree.WithType(left, t), right, true, true
}
