package compare

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// assignedValue returns a value as a column of a type takes it: for dates, times and ENUMs a text column takes their
// text. The engine would convert their Go value, in which a DATE has a time and an ENUM is a number.
func assignedValue(e sql.Expression, column sql.Type, undeclared bool) sql.Expression {
	if !e.Resolved() {
		return e
	}
	if d := DefaultOf(e); d != nil && types.IsJSON(d.OutType) {
		return AssignedDefault(d)
	}
	switch (Comparer{}).kind(e) {
	case kindEnum:
		if undeclared || types.IsTextOnly(column) {
			return asEnumText(e)
		}
	case kindDate, kindTime:
		if types.IsTextOnly(column) && !undeclared || undeclared && types.IsDateType(e.Type()) {
			return asSQLText(e)
		}
	}
	return e
}

// assignedSource returns the source of an INSERT, with its values as the columns take them.
func assignedSource(n *plan.InsertInto, s sql.Schema, takes func(string) Taker) (sql.Node, transform.TreeIdentity) {
	return givenValues(n, s, func(e sql.Expression, c *sql.Column) sql.Expression {
		return assignedValue(e, c.Type, takes != nil && takes(c.Name) != TakesDeclared)
	})
}

// DefaultOf returns the default that an expression is; nil for other expressions.
func DefaultOf(e sql.Expression) *sql.ColumnDefaultValue {
	if w, ok := e.(*expression.Wrapper); ok {
		e = w.Unwrap()
	}
	d, _ := e.(*sql.ColumnDefaultValue)
	return d
}

// defaultsSource returns the source of an INSERT of literals, with the defaults of JSON columns as they take them.
func defaultsSource(n *plan.InsertInto, s sql.Schema) (sql.Node, transform.TreeIdentity) {
	if !slices.ContainsFunc(s, func(c *sql.Column) bool { return types.IsJSON(c.Type) && c.Default != nil }) {
		return n.Source, transform.SameTree
	}
	return givenValues(n, s, func(e sql.Expression, _ *sql.Column) sql.Expression {
		if d := DefaultOf(e); d != nil && types.IsJSON(d.OutType) {
			return AssignedDefault(d)
		}
		return e
	})
}

// countedSource returns the source of an INSERT in which a number below the range of an AUTO_INCREMENT column is an
// error: the engine takes the nearest one.
func countedSource(n *plan.InsertInto, s sql.Schema) (sql.Node, transform.TreeIdentity) {
	return givenValues(n, s, func(e sql.Expression, c *sql.Column) sql.Expression {
		if !c.AutoIncrement || !e.Resolved() {
			return e
		}
		switch x := e.(type) {
		case *expression.Literal:
			if _, in, err := ExactType(c.Type).Convert(context.Background(), x.Value()); err != nil || in == sql.InRange {
				return e
			}
		case *countedValue, *sql.ColumnDefaultValue, *expression.Wrapper:
			return e
		}
		return &countedValue{expression.UnaryExpression{Child: e}, ExactType(c.Type)}
	})
}

// countedValue is a value that an INSERT assigns to an AUTO_INCREMENT column of a type.
type countedValue struct {
	expression.UnaryExpression
	column sql.Type
}

// Type implements sql.Expression.
func (v *countedValue) Type() sql.Type { return v.Child.Type() }

// String implements sql.Expression.
func (v *countedValue) String() string { return v.Child.String() }

// Eval implements sql.Expression.
func (v *countedValue) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	out, err := v.Child.Eval(ctx, row)
	if err != nil || out == nil {
		return out, err
	}
	if _, in, err := v.column.Convert(ctx, out); err == nil && in != sql.InRange {
		return nil, sql.ErrValueOutOfRange.New(out, v.column)
	}
	return out, nil
}

// WithChildren implements sql.Expression.
func (v *countedValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(v, len(children), 1)
	}
	return &countedValue{expression.UnaryExpression{Child: children[0]}, v.column}, nil
}

// givenValues returns the source of an INSERT with its values changed by other.
func givenValues(n *plan.InsertInto, s sql.Schema, other func(e sql.Expression,
	c *sql.Column) sql.Expression) (sql.Node, transform.TreeIdentity) {
	columns := make(sql.Schema, 0, len(s))
	if len(n.ColumnNames) == 0 {
		columns = append(columns, s...)
	}
	for _, name := range n.ColumnNames {
		at := s.IndexOfColName(strings.ToLower(name))
		if at < 0 {
			return n.Source, transform.SameTree
		}
		columns = append(columns, s[at])
	}
	value := func(e sql.Expression, at int) sql.Expression { return other(e, columns[at]) }
	if values, ok := n.Source.(*plan.Values); ok {
		return assignedTuples(values, len(columns), value)
	}
	given := n.Source.Schema()
	if !n.Source.Resolved() || len(given) != len(columns) {
		return n.Source, transform.SameTree
	}
	out, same := make([]sql.Expression, len(given)), transform.SameTree
	for i, c := range given {
		field := &ResultColumn{FromEnd: len(given) - i, Column: c}
		assigned := value(field, i)
		if !functions.SameExpression(assigned, field) {
			same = transform.NewTree
		}
		out[i] = expression.NewAlias(c.Name, assigned)
	}
	if same {
		return n.Source, same
	}
	return plan.NewProject(out, n.Source), same
}

func assignedTuples(values *plan.Values, columns int, value func(sql.Expression, int) sql.Expression) (sql.Node,
	transform.TreeIdentity) {
	next, same := *values, transform.SameTree
	next.ExpressionTuples = make([][]sql.Expression, len(values.ExpressionTuples))
	for i, tuple := range values.ExpressionTuples {
		next.ExpressionTuples[i] = tuple
		if len(tuple) != columns {
			continue
		}
		assigned := make([]sql.Expression, len(tuple))
		for j, e := range tuple {
			if assigned[j] = value(e, j); !functions.SameExpression(assigned[j], e) {
				next.ExpressionTuples[i], same = assigned, transform.NewTree
			}
		}
	}
	if same {
		return values, same
	}
	return &next, same
}
