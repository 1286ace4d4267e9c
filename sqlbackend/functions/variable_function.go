package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Assigner is a session in which expressions assign variables.
type Assigner interface {
	// AssignVariable assigns a value to a variable.
	AssignVariable(ctx *sql.Context, name string, v any, t sql.Type) error
	// AssignVariableOnce does so unless the command has already assigned one.
	AssignVariableOnce(ctx *sql.Context, name string, v any, t sql.Type) error
}

// Kinds of the values of a variable that a statement assigns; see user_variable.
const (
	VariableInteger = "i"
	VariableNumber  = "f"
	VariableText    = "t"
)

// variableFunctions replace @v := expression and @v in statements with such assignments: set_variable('v',
// expression), set_variable_once and user_variable('v', kind).
func variableFunctions() []*valueDefinition {
	assigned := func(args []sql.Expression) sql.Type { return args[1].Type() }
	return []*valueDefinition{
		{Name: "set_variable", description: "a value that a variable is given.", least: 2, most: 2, typ: assigned,
			nulls: true, Volatile: true, give: assignVariable},
		{Name: "set_variable_once", description: "a value that a variable is given once in a statement.", least: 2, most: 2,
			typ: assigned, nulls: true, Volatile: true, give: assignVariable},
		{Name: "user_variable", description: "the value of a variable.", least: 2, most: 2, typ: variableType,
			nulls: true, Volatile: true, give: readVariable},
	}
}

func assignVariable(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	name, _ := values[0].(string)
	session, ok := ctx.Session.(Assigner)
	if !ok {
		return nil, sql.ErrUnknownUserVariable.New(name)
	}
	assign := session.AssignVariable
	if f.Name == "set_variable_once" {
		assign = session.AssignVariableOnce
	}
	return values[1], assign(ctx, name, values[1], f.Type())
}

func variableType(args []sql.Expression) sql.Type {
	if l, ok := args[1].(*expression.Literal); ok {
		switch l.Val {
		case VariableInteger:
			return types.Int64
		case VariableNumber:
			return types.Float64
		}
	}
	return value.NewTextType(collation.Default)
}

func readVariable(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	name, _ := values[0].(string)
	t, v, err := ctx.GetUserVariable(ctx, name)
	if err != nil || v == nil {
		return nil, err
	}
	if to := f.Type(); types.IsNumber(to) {
		out, _, err := to.Convert(ctx, v)
		return out, err
	}
	return valueText(ctx, t, v)
}
