package sqlbackend

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// The keys of map indexes are in CouchDB's order, which is not SQL's order of JSON. Where a statement compares the
// column
// `key` of a map index, or sorts by it, a rule puts the bytes of its order in its place, and in the place of what it is
// compared with: byte strings compare alike everywhere.

// mapOrder is the bytes of a value in the order of keys; NULL of NULL. A text is JSON, or the text itself.
type mapOrder struct {
	expression.UnaryExpression
	json bool // a text is JSON
}

var (
	_ sql.Expression         = (*mapOrder)(nil)
	_ sql.CollationCoercible = (*mapOrder)(nil)
)

// Type implements sql.Expression.
func (*mapOrder) Type() sql.Type { return types.LongBlob }

// IsNullable implements sql.Expression.
func (m *mapOrder) IsNullable() bool { return m.Child.IsNullable() }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapOrder) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (m *mapOrder) String() string { return m.Child.String() }

// WithChildren implements sql.Expression.
func (m *mapOrder) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 1)
	}
	return &mapOrder{expression.UnaryExpression{Child: children[0]}, m.json}, nil
}

// Eval implements sql.Expression.
func (m *mapOrder) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err == nil {
		v, err = sql.UnwrapAny(ctx, v)
	}
	if err != nil || v == nil {
		return nil, err
	}
	key, err := m.value(v)
	if err != nil {
		return nil, err
	}
	b, err := mapindex.AppendKey(nil, key)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return b, nil
}

// value is a SQL value as a key.
func (m *mapOrder) value(v any) (document.Value, error) {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	if text, ok := v.(string); ok && m.json {
		j, err := value.ParseJSON(text)
		if err != nil {
			return document.Value{}, mysql.NewSQLError(mysqlerr.InvalidJSON, "22032",
				"Invalid JSON text for the key of a map index: '%s'; "+
					"a string has its own quotes: '\"a\"', or JSON_QUOTE", mysqlerr.Shortened(text))
		}
		return j.Held, nil
	}
	if types.IsBoolean(m.Child.Type()) {
		if on, err := sql.ConvertToBool(nil, v); err == nil {
			return document.BoolValue(on), nil
		}
	}
	return value.ValueOf(v)
}

// ordering is the bytes of an operand that is compared with a key.
func ordering(e sql.Expression) sql.Expression {
	if _, done := e.(*mapOrder); done {
		return e
	}
	columns := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.GetField, *plan.Subquery:
			columns = true
		}
		return !columns
	})
	return &mapOrder{expression.UnaryExpression{Child: e}, !columns && !types.IsJSON(e.Type())}
}

// mapKeyRule puts the order of keys in the place of keys of map indexes where they are compared or sorted. It is
// idempotent.
func mapKeyRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || !s.readsMaps {
		return n, transform.SameTree, nil
	}
	var tables []*mapTable
	var collect func(n sql.Node) (sql.Node, transform.TreeIdentity, error)
	collect = func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		if rt, ok := n.(*plan.ResolvedTable); ok {
			if t, ok := rt.UnderlyingTable().(*mapTable); ok {
				tables = append(tables, t)
			}
		}
		_, _, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if sq, ok := e.(*plan.Subquery); ok {
				_, _, err := transform.NodeWithOpaque(sq.Query, collect)
				return e, transform.SameTree, err
			}
			return e, transform.SameTree, nil
		})
		return n, transform.SameTree, err
	}
	if _, _, err := transform.NodeWithOpaque(n, collect); err != nil {
		return n, transform.SameTree, err
	}
	isKey := func(e sql.Expression) bool {
		f, ok := tree.Unwrapped(e).(*expression.GetField)
		if !ok || !strings.EqualFold(f.Name(), mapKeyColumn) {
			return false
		}
		for _, t := range tables {
			if t.place.Holds(f) {
				return true
			}
		}
		return false
	}
	k := mapKeys{isKey}
	return transform.NodeWithOpaque(n, k.node)
}

type mapKeys struct{ is func(sql.Expression) bool }

func (k mapKeys) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := tree.NodeExpressions(n, k.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	sorted := func(fields sql.SortFields) (sql.SortFields, bool) {
		out, changed := append(sql.SortFields(nil), fields...), false
		for i := range out {
			if k.is(out[i].Column) {
				out[i].Column, changed = ordering(out[i].Column), true
			}
		}
		return out, changed
	}
	switch n := n.(type) {
	case *plan.Sort:
		if fields, changed := sorted(n.SortFields); changed {
			return plan.NewSort(fields, n.Child), transform.NewTree, nil
		}
	case *plan.TopN:
		if fields, changed := sorted(n.Fields); changed {
			top := *n
			top.Fields = fields
			return &top, transform.NewTree, nil
		}
	}
	return n, same, nil
}

func (k mapKeys) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, k.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.Equals, *expression.NullSafeEquals, *expression.LessThan, *expression.LessThanOrEqual,
		*expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.Between:
		return k.operands(e)
	case *expression.InTuple:
		list, ok := e.Right().(expression.Tuple)
		if !ok || !k.any(e.Left()) && !k.any(list...) {
			return e, transform.SameTree, nil
		}
		if _, rows := e.Left().(expression.Tuple); rows {
			return e, transform.SameTree, notAKey("in a row value")
		}
		all, _ := functions.Each(list, ordering)
		next, err := e.WithChildren(ordering(e.Left()), expression.NewTuple(all...))
		return next, transform.NewTree, err
	case *plan.InSubquery:
		if k.is(e.Left()) {
			return e, transform.SameTree, notAKey("IN a subquery; a join says the same")
		}
	case *aggregation.Min, *aggregation.Max:
		if k.is(e.Children()[0]) {
			return e, transform.SameTree, notAKey("in MIN and MAX; ORDER BY `key` LIMIT 1 says the same")
		}
	case *mapBegins:
		if k.is(e.LeftChild) {
			next, err := e.WithChildren(ordering(e.LeftChild), e.RightChild)
			return next, transform.NewTree, err
		}
	}
	return e, transform.SameTree, nil
}

func notAKey(where string) error {
	return mysql.NewSQLError(mysqlerr.NotSupported, "42000", "The key of a map index is not supported %s", where)
}

func (k mapKeys) any(list ...sql.Expression) bool {
	for _, e := range list {
		if k.is(e) {
			return true
		}
	}
	return false
}

func (k mapKeys) operands(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children := e.Children()
	if !k.any(children...) {
		return e, transform.SameTree, nil
	}
	for _, c := range children {
		switch c.(type) {
		case *compare.Quantifier:
			return e, transform.SameTree, notAKey("with ANY and ALL")
		}
	}
	all, _ := functions.Each(children, ordering)
	next, err := e.WithChildren(all...)
	return next, transform.NewTree, err
}

// mapBegins is sqlfdb_key_begins(key, '["a"]'): whether a key is an array that begins with those elements.
type mapBegins struct {
	expression.BinaryExpressionStub
}

var (
	_ sql.FunctionExpression = (*mapBegins)(nil)
	_ sql.CollationCoercible = (*mapBegins)(nil)
)

func newMapBegins(key, begins sql.Expression) sql.Expression {
	return &mapBegins{expression.BinaryExpressionStub{LeftChild: key, RightChild: begins}}
}

// FunctionName implements sql.FunctionExpression.
func (*mapBegins) FunctionName() string { return "sqlfdb_key_begins" }

// Description implements sql.FunctionExpression.
func (*mapBegins) Description() string {
	return "returns whether a key of a map index is an array that begins with the elements of another"
}

// Type implements sql.Expression.
func (*mapBegins) Type() sql.Type { return types.Boolean }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapBegins) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (m *mapBegins) String() string {
	return fmt.Sprintf("sqlfdb_key_begins(%s, %s)", m.LeftChild, m.RightChild)
}

// WithChildren implements sql.Expression.
func (m *mapBegins) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 2)
	}
	return newMapBegins(children[0], children[1]), nil
}

// prefix is what the encoding of a key begins with that begins with the array; nil of NULL.
func (m *mapBegins) prefix(ctx *sql.Context, row sql.Row) ([]byte, error) {
	v, err := ordering(m.RightChild).Eval(ctx, row)
	if v == nil || err != nil {
		return nil, err
	}
	prefix, ok := mapindex.Beginning(v.([]byte))
	if !ok {
		return nil, wrongArguments("sqlfdb_key_begins", "the second one is a JSON array")
	}
	return prefix, nil
}

// Eval implements sql.Expression.
func (m *mapBegins) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	key, err := ordering(m.LeftChild).Eval(ctx, row)
	if key == nil || err != nil {
		return nil, err
	}
	prefix, err := m.prefix(ctx, row)
	if prefix == nil || err != nil {
		return nil, err
	}
	return bytes.HasPrefix(key.([]byte), prefix), nil
}

// span is the span of the keys that begin so.
func (m *mapBegins) span(ctx *sql.Context) (start, end []byte, err error) {
	prefix, err := m.prefix(ctx, nil)
	return prefix, kv.PrefixEnd(prefix), err
}
