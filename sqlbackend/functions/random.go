package functions

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// IsVolatile reports whether a function has another value, or another effect, for each row.
func IsVolatile(e sql.Expression) bool {
	switch e := e.(type) {
	case *ValueFunction:
		return e.Volatile
	case *RandomNumber, function.UUIDFunc, *function.UUIDFunc, *function.RandomBytes, *function.Sleep:
		return true
	}
	return false
}

// RandomNumber is RAND. With a constant argument it returns MySQL's sequence of numbers for that seed. With another
// one, it returns for each row the first number of the argument's sequence.
type RandomNumber struct {
	Seed     sql.Expression // nil if not given
	Sequence *RandomSequence
}

// FunctionName implements sql.FunctionExpression.
func (*RandomNumber) FunctionName() string { return "rand" }

// Description implements sql.FunctionExpression.
func (*RandomNumber) Description() string { return "gives a random number from 0 to below 1." }

// Type implements sql.Expression.
func (*RandomNumber) Type() sql.Type { return types.Float64 }

// CollationCoercibility implements sql.CollationCoercible.
func (*RandomNumber) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// IsNonDeterministic implements sql.NonDeterministicExpression.
func (*RandomNumber) IsNonDeterministic() bool { return true }

// IsNullable implements sql.Expression.
func (*RandomNumber) IsNullable() bool { return false }

// Resolved implements sql.Expression.
func (r *RandomNumber) Resolved() bool { return r.Seed == nil || r.Seed.Resolved() }

// Children implements sql.Expression.
func (r *RandomNumber) Children() []sql.Expression {
	if r.Seed == nil {
		return nil
	}
	return []sql.Expression{r.Seed}
}

// WithChildren implements sql.Expression. Copies of one call share its sequence.
func (r *RandomNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(r.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), len(r.Children()))
	}
	if len(children) == 0 {
		return r, nil
	}
	return &RandomNumber{children[0], r.Sequence}, nil
}

// String implements fmt.Stringer.
func (r *RandomNumber) String() string {
	if r.Seed == nil {
		return "rand()"
	}
	return fmt.Sprintf("rand(%s)", r.Seed)
}

// Eval implements sql.Expression.
func (r *RandomNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	if r.Seed == nil {
		return rand.Float64(), nil
	}
	v, err := r.Seed.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	seed := uint32(0)
	if v != nil {
		seed = seedOf(value.AsDouble(ctx, v))
	}
	return r.Sequence.next(seed, ReadsRows(r.Seed)), nil
}

// seedOf returns the seed for a number.
func seedOf(f float64) uint32 { return uint32(int64(Saturated(f))) }

// ReadsRows reports whether an expression may have another value in each row.
func ReadsRows(e sql.Expression) bool {
	reads := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.GetField, *plan.Subquery:
			reads = true
		}
		return !reads && !IsVolatile(e)
	})
	return reads
}

// RandomSequence is MySQL's generator of random numbers for a seed.
type RandomSequence struct {
	mu      sync.Mutex
	started bool
	a, b    uint32
}

const randomModulus = 0x3FFFFFFF

// next returns the next number of the sequence; with anew it starts again from the seed.
func (s *RandomSequence) next(seed uint32, anew bool) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if anew || !s.started {
		s.a, s.b, s.started = (seed*0x10001+55555555)%randomModulus, (seed*0x10000001)%randomModulus, true
	}
	s.a = (s.a*3 + s.b) % randomModulus
	s.b = (s.a + s.b + 33) % randomModulus
	return float64(s.a) / randomModulus
}

func newRandomNumber(args ...sql.Expression) (sql.Expression, error) {
	switch len(args) {
	case 0:
		return &RandomNumber{}, nil
	case 1:
		return &RandomNumber{Seed: args[0], Sequence: &RandomSequence{}}, nil
	}
	return nil, sql.ErrInvalidArgumentNumber.New("rand", "0 or 1", len(args))
}
