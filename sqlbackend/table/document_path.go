package table

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// DocumentPath is a call that reads one value from a JSON column, which is often the whole document.
type DocumentPath struct {
	Column *expression.GetField
	Path   string
	As     PathReading
	// Returned: JSON_VALUE converts the value to a type.
	Returned bool
}

// PathReading is the form in which the value is returned.
type PathReading uint8

// Forms of the value.
const (
	PathJSON   PathReading = iota // ->: as it is written
	PathText                      // ->>: a string's content; other values as they are written
	PathScalar                    // JSON_VALUE: likewise, for scalars other than null
)

// DocumentPathOf recognizes a call by its form. Whether the index has its values is decided by the resolver.
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

// Extraction returns the call that returns the value as JSON.
func (p DocumentPath) Extraction() sql.Expression {
	return functions.NewJSONFunction("json_extract", p.Column, expression.NewLiteral(p.Path, types.LongText))
}
