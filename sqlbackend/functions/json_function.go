package functions

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// JSONFunction is a call of one of MySQL's JSON functions, computed over the bytes of the values. The engine's own
// functions unmarshal into maps and float64s, which loses digits and the order of keys.
type JSONFunction struct {
	*jsonDefinition
	Args   []sql.Expression
	Result sql.Type
	// Path is the last long path that was parsed: most paths are constants.
	Path *atomic.Pointer[readPath]
}

// longPath is the least length of a path that is kept; shorter ones are parsed for each row.
const longPath = 256

// readPath is a parsed path and its text.
type readPath struct {
	text string
	path value.JSONPath
}

// jsonDefinition defines a JSON function.
type jsonDefinition struct {
	Name        string
	description string
	least, most int // numbers of arguments; most 0 means any number
	typ         sql.Type
	// eval computes the function for c.args, the values of the arguments, nil for SQL NULL.
	eval func(c *jsonCall) (interface{}, error)
}

// jsonCall is one evaluation.
type jsonCall struct {
	ctx  *sql.Context
	name string
	args []interface{}
	call *JSONFunction
}

var (
	_ sql.FunctionExpression = (*JSONFunction)(nil)
	_ sql.CollationCoercible = (*JSONFunction)(nil)
)

func (d *jsonDefinition) Instance(args ...sql.Expression) (sql.Expression, error) {
	if len(args) < d.least || d.most > 0 && len(args) > d.most {
		expected := strconv.Itoa(d.least)
		if d.most == 0 {
			expected += " or more"
		} else if d.most > d.least {
			expected += " to " + strconv.Itoa(d.most)
		}
		return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(d.Name), expected, len(args))
	}
	f := &JSONFunction{jsonDefinition: d, Args: args, Result: d.typ, Path: new(atomic.Pointer[readPath])}
	if (d.Name == "json_value" || d.Name == "json_value_as") && len(args) == 3 {
		f.Result = args[2].Type()
	}
	return f, nil
}

// NewJSONFunction returns a call of a function of ours by name.
func NewJSONFunction(name string, args ...sql.Expression) sql.Expression {
	f, err := JSONDefinitions[name].Instance(args...)
	if err != nil {
		return expression.NewLiteral(nil, types.Null)
	}
	return f
}

// FunctionName implements sql.FunctionExpression.
func (f *JSONFunction) FunctionName() string { return f.Name }

// Description implements sql.FunctionExpression.
func (f *JSONFunction) Description() string { return f.description }

// Type implements sql.Expression.
func (f *JSONFunction) Type() sql.Type { return f.Result }

// Resolved implements sql.Expression.
func (f *JSONFunction) Resolved() bool { return expression.ExpressionsResolved(f.Args...) }

// IsNullable implements sql.Expression.
func (f *JSONFunction) IsNullable() bool { return true }

// Children implements sql.Expression.
func (f *JSONFunction) Children() []sql.Expression { return f.Args }

// WithChildren implements sql.Expression.
func (f *JSONFunction) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(f.Args) {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), len(f.Args))
	}
	next := *f
	next.Args = children
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (f *JSONFunction) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_Default, 4
}

// String implements fmt.Stringer.
func (f *JSONFunction) String() string {
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = a.String()
	}
	return f.Name + "(" + strings.Join(args, ", ") + ")"
}

// Eval implements sql.Expression.
func (f *JSONFunction) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	values := make([]interface{}, len(f.Args))
	for i, a := range f.Args {
		if (f.Name == "json_value" || f.Name == "json_value_as") && i == 2 {
			continue // the argument stands for a type
		}
		v, err := a.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if v != nil {
			if v, err = sql.UnwrapAny(ctx, v); err != nil {
				return nil, err
			}
		}
		values[i] = v
	}
	v, err := f.eval(&jsonCall{ctx: ctx, name: f.Name, args: values, call: f})
	if err != nil || v == nil {
		return nil, err
	}
	return hold.Value(ctx, v)
}

// anyNull reports whether one of the first n arguments is NULL.
func (c *jsonCall) anyNull(n int) bool {
	for _, a := range c.args[:min(n, len(c.args))] {
		if a == nil {
			return true
		}
	}
	return false
}

// document returns an argument that must be JSON: a JSON value, or text that is parsed.
func (c *jsonCall) document(i int) (document.Value, error) {
	var text string
	switch v := c.args[i].(type) {
	case value.JSON:
		return v.Held, nil
	case sql.JSONWrapper:
		return value.ValueOf(v)
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return document.Value{}, mysql.NewSQLError(errJSONArgument, "22032",
			"Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.", i+1,
			c.name)
	}
	v, err := document.ParseValue([]byte(text), document.Limits{})
	if err != nil {
		return v, jsonArgumentError(err, i+1, c.name)
	}
	return v, nil
}

// scalar returns an argument as the JSON value that it becomes inside a document: strings are not parsed.
func (c *jsonCall) scalar(i int) (document.Value, error) {
	return MemberJSON(c.call.Args[i].Type(), c.args[i])
}

// MemberJSON returns a value of a type as it is inside a document: a string isn't parsed, NULL is JSON's null.
func MemberJSON(t sql.Type, v any) (document.Value, error) {
	if types.IsBoolean(t) {
		switch n := v.(type) {
		case int8:
			v = n != 0
		case int64:
			v = n != 0
		}
	}
	return value.ValueOf(tree.DayOnly(t, v))
}

func (c *jsonCall) path(i int) (value.JSONPath, error) {
	text, err := value.TextOf(c.ctx, c.args[i])
	if err != nil {
		return nil, err
	}
	if last := c.call.Path.Load(); last != nil && last.text == text {
		return last.path, nil
	}
	p, err := value.ParseJSONPath(text)
	if err == nil && len(text) > longPath {
		c.call.Path.Store(&readPath{text, p})
	}
	return p, pathError(err)
}

// MySQL's error numbers for arguments of JSON functions.
const (
	errJSONTextArgument = 3141
	errJSONPathText     = 3143
	errJSONArgument     = 3146
	errJSONPathWildcard = 3149
	errJSONPathRoot     = 3153
	errJSONOneOrAll     = 3154
	errJSONKeyNull      = 3158
	errJSONPathNotCell  = 3165
)

func jsonArgumentError(err error, argument int, name string) error {
	var syntax *document.SyntaxError
	if errors.As(err, &syntax) {
		return mysql.NewSQLError(errJSONTextArgument, "22032", "%s",
			fmt.Sprintf("Invalid JSON text in argument %d to function %s: \"%s\" at position %d.", argument, name,
				syntax.Message, syntax.Offset))
	}
	return value.JSONTextError(err, "")
}

// pathError gives errors about paths their numbers.
func pathError(err error) error {
	number := 0
	switch {
	case err == nil:
		return nil
	case errors.Is(err, value.ErrJSONPath):
		number = errJSONPathText
	case errors.Is(err, value.ErrJSONPathWildcard):
		number = errJSONPathWildcard
	case errors.Is(err, value.ErrJSONPathRoot):
		number = errJSONPathRoot
	case errors.Is(err, value.ErrJSONPathNotCell):
		number = errJSONPathNotCell
	default:
		return err
	}
	return mysql.NewSQLError(number, "42000", "%s", err.Error())
}
