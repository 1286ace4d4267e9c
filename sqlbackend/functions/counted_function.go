package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// countedFunction is a function of the engine whose result may be large: it counts as memory that the session holds.
type countedFunction struct {
	sql.FunctionExpression
}

var _ sql.CollationCoercible = (*countedFunction)(nil)

// copyingFunctions are the engine's functions that return texts or bytes as long as their arguments, or longer, and
// that no rule recognizes by their types. Our own functions count their results themselves.
var copyingFunctions = []string{
	"bin_to_uuid", "compress", "date_format", "format", "from_base64", "hex", "insert", "left",
	"load_file", "lcase", "lower", "ltrim", "mid", "reverse", "right", "rtrim", "soundex", "substr", "substring",
	"substring_index", "time_format", "to_base64", "ucase", "uncompress", "unhex", "upper",
}

// CountFunctions makes the copying functions count their results, whether they are the engine's or already in out.
func CountFunctions(out map[string]sql.Function) {
	engines := map[string]sql.Function{}
	for _, f := range function.BuiltIns {
		engines[f.FunctionName()] = f
	}
	for _, name := range copyingFunctions {
		f, ok := out[name]
		if !ok {
			if f, ok = engines[name]; !ok {
				continue
			}
		}
		out[name] = sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
			e, err := f.NewInstance(args)
			if err != nil {
				return nil, err
			}
			return counted(e), nil
		}}
	}
}

// counted returns a function that counts its results.
func counted(e sql.Expression) sql.Expression {
	if f, ok := e.(sql.FunctionExpression); ok {
		return &countedFunction{f}
	}
	return e
}

// Eval implements sql.Expression.
func (f *countedFunction) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := f.FunctionExpression.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return hold.Value(ctx, v)
}

// WithChildren implements sql.Expression.
func (f *countedFunction) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := f.FunctionExpression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return counted(next), nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (f *countedFunction) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, f.FunctionExpression)
}
