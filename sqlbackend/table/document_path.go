package table

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// DocumentPath is a call that reads one value out of a JSON column, which is often the whole document.
type DocumentPath struct {
	Column *expression.GetField
	Path   string
	As     PathReading
	// Returned: JSON_VALUE converts what it finds to a type.
	Returned bool
}

// PathReading is what is made of the value.
type PathReading uint8

// What is made of a value.
const (
	PathJSON   PathReading = iota // ->: the value as it is written
	PathText                      // ->>: the content of a string, other values as they are written
	PathScalar                    // JSON_VALUE: the same of scalars other than null
)

// DocumentPathOf recognizes a call by its spelling; whether the index has what it reads is for the
// resolver to say.
func DocumentPathOf(e sql.Expression) (p DocumentPath, ok bool) {
	f, ok := tree.Unwrapped(e).(*functions.JSONFunction)
	if !ok {
		return p, false
	}
	switch f.Name {
	case "json_unquote":
		p, ok = DocumentPathOf(f.Args[0])
		ok = ok && p.As == PathJSON
		p.As = PathText
		return p, ok
	case "json_extract":
		ok = len(f.Args) == 2
	case "json_value", "json_value_as":
		p.As, p.Returned, ok = PathScalar, len(f.Args) > 2, !types.IsJSON(f.Result)
	default:
		return p, false
	}
	if !ok {
		return p, false
	}
	if p.Column, ok = tree.Unwrapped(f.Args[0]).(*expression.GetField); !ok || !types.IsJSON(p.Column.Type()) {
		return p, false
	}
	literal, ok := tree.Unwrapped(f.Args[1]).(*expression.Literal)
	if !ok {
		return p, false
	}
	p.Path, ok = literal.Value().(string)
	return p, ok
}

// Extraction is the call that gives the value as it is.
func (p DocumentPath) Extraction() sql.Expression {
	return functions.NewJSONFunction("json_extract", p.Column, expression.NewLiteral(p.Path, types.LongText))
}
