package functions

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// systemFunctions are the functions of the server and of the session, and those that belong to no other group.
func systemFunctions() []*valueDefinition {
	always := func(t sql.Type) func([]sql.Expression) sql.Type { return func([]sql.Expression) sql.Type { return t } }
	return []*valueDefinition{
		{Name: "uuid_short", description: "a number that is given once.", typ: always(types.Uint64), Volatile: true,
			give: func(*sql.Context, *ValueFunction, []any) (any, error) { return shortID.Add(1), nil }},
		{Name: "benchmark", description: "0, after an expression was computed so often.", least: 2, most: 2,
			typ: always(types.Int64), Volatile: true, compute: benchmark},
		{Name: "current_role", description: "the roles that are active.", typ: always(types.LongText), Volatile: true,
			give: func(ctx *sql.Context, _ *ValueFunction, _ []any) (any, error) {
				if s, ok := ctx.Session.(Roles); ok {
					return s.CurrentRole()
				}
				return "NONE", nil
			}},
		{Name: "interval_of", description: "how many numbers are not above the first.", least: 2, most: 1 << 16,
			typ: always(types.Int64), give: intervalOf, nulls: true},
		{Name: "bit_not", description: "a number with all bits the other way.", least: 1, most: 1,
			typ: always(types.Uint64), give: bitNot},
		{Name: "decimal_of", description: "a number as a DECIMAL without decimals.", least: 2, most: 2,
			typ: wholeDecimalType, give: wholeDecimalCast},
	}
}

// Roles is a session that has active roles.
type Roles interface{ CurrentRole() (string, error) }

// shortID is the last UUID_SHORT: a random byte for the server, its start in seconds, and a count.
var shortID = func() *atomic.Uint64 {
	id := new(atomic.Uint64)
	id.Store(rand.Uint64N(128)<<56 + uint64(time.Now().Unix())<<24&(1<<56-1))
	return id
}()

// incorrectValue is MySQL's number for a value that a function does not accept.
const incorrectValue = 1411

// benchmark computes BENCHMARK; it ends with its statement.
func benchmark(ctx *sql.Context, f *ValueFunction, row sql.Row) (any, error) {
	v, err := f.args[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	count, ok := roundedOf(ctx, v)
	if !ok || count < 0 {
		Warn(ctx, incorrectValue, "Incorrect count value: '%v' for function benchmark", v)
		return nil, nil
	}
	for range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := f.args[1].Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	return int64(0), nil
}

// intervalOf computes INTERVAL(n, a, b, …), -1 for NULL. The numbers ascend, so it ends at the first that is above n.
func intervalOf(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	if values[0] == nil {
		return int64(-1), nil
	}
	n, ok := NumberAsDecimal(ctx, values[0])
	if !ok {
		return int64(-1), nil
	}
	for i, v := range values[1:] {
		if v == nil {
			continue
		}
		if at, ok := NumberAsDecimal(ctx, v); ok && at.GreaterThan(n) {
			return int64(i), nil
		}
	}
	return int64(len(values) - 1), nil
}

// GivenInsertID is LAST_INSERT_ID of a value. The engine's own panics at NULL.
type GivenInsertID struct{ expression.UnaryExpression }

// Type implements sql.Expression.
func (*GivenInsertID) Type() sql.Type { return types.Uint64 }

// IsNullable implements sql.Expression.
func (*GivenInsertID) IsNullable() bool { return true }

// IsNonDeterministic implements sql.NonDeterministicExpression: the session remembers the value.
func (*GivenInsertID) IsNonDeterministic() bool { return true }

// Eval implements sql.Expression.
func (g *GivenInsertID) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := g.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if v == nil {
		ctx.SetLastQueryInfoInt(sql.LastInsertId, 0)
		return nil, nil
	}
	if v, _, err = types.Int64.Convert(ctx, v); err != nil {
		return nil, err
	}
	id, _ := v.(int64)
	ctx.SetLastQueryInfoInt(sql.LastInsertId, id)
	return uint64(id), nil
}

// WithChildren implements sql.Expression.
func (g *GivenInsertID) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(g, len(children), 1)
	}
	return &GivenInsertID{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (g *GivenInsertID) String() string { return "last_insert_id(" + g.Child.String() + ")" }
