package pushdown

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// reading is how an operand reads the value at a keypath.
type reading uint8

const (
	asColumn reading = iota // a column: JSON null and missing values are both SQL NULL
	asJSON                  // JSON_EXTRACT, ->, a column that keeps null: missing is SQL NULL, JSON null is a value
	asText                  // JSON_UNQUOTE(JSON_EXTRACT), ->>: the text of the value
	asScalar                // JSON_VALUE: the same, but objects, arrays and JSON null are SQL NULL
	asNumber                // JSON_VALUE … RETURNING a type of numbers: the scalar, converted
	asLength                // JSON_LENGTH: the number of elements or members, 1 for a scalar
)

// text reports whether the operand is the text of a value.
func (r reading) text() bool { return r == asText || r == asScalar }

// view is an operand that reads one keypath or one primary key part.
type view struct {
	column Column
	as     reading
	// reach is where the value may be if there are more places than the column's keypath; nil otherwise.
	reach *reach
	// double says that the value is compared as a DOUBLE.
	double   bool
	returned sql.Type // the type of JSON_VALUE … RETURNING, if other than JSON
	// cast says that the operand converts a column of texts to a text. Its spans are the column's, and the filter
	// stays.
	cast bool
}

// target identifies the values that a view reads: views of one target intersect.
func (v view) target() string {
	if v.column.PrimaryKeyPart > 0 {
		return "key " + strconv.Itoa(v.column.PrimaryKeyPart)
	}
	if v.reach != nil {
		return "reach " + v.reach.name
	}
	return "path " + v.column.Keypath
}

// domain is the values for which the view is not NULL.
func (v view) domain() domain {
	switch {
	case v.as != asColumn:
		return domain{start: []byte{}}
	case v.column.Shape == ShapeJSON:
		return notNull
	case v.column.Shape == ShapeNumber, v.column.Shape == ShapeYear, v.column.Shape == ShapeFloat:
		return classDomain(ordered.ClassNumber)
	case v.column.Shape == ShapeBoolean:
		return classDomain(ordered.ClassBool)
	case v.column.Shape == ShapeString, v.column.Shape == ShapeEnum:
		return classDomain(ordered.ClassString)
	case v.column.Shape == ShapeBytes:
		return classDomain(ordered.ClassBytes)
	}
	return notNull
}

// notNull is every value but null.
var notNull = domain{start: ordered.ClassEnd(ordered.ClassNull)}

func classDomain(class byte) domain {
	return domain{start: ordered.ClassStart(class), end: ordered.ClassEnd(class)}
}

func classSpans(class byte) indexes.Spans { return classDomain(class).spans() }

// AsDouble is implemented by expressions that convert a number or a text to a DOUBLE, to be compared with numbers.
type AsDouble interface {
	sql.Expression
	PushdownAsDouble() sql.Expression
}

// readingOf returns how a column itself reads its values.
func readingOf(c Column) reading {
	if c.KeepsNull {
		return asJSON
	}
	return asColumn
}

// computed is the reason that an operand is no column. Nobody reads it where presence is asked for, of each operand of
// an operand.
func (a *analysis) computed(e sql.Expression) string {
	if a.unread {
		return ""
	}
	return shorten(e) + " is computed"
}

// viewOf recognizes an operand. The reason says why it has no spans.
func (a *analysis) viewOf(e sql.Expression) (v view, reason string, ok bool) {
	e = strip(e)
	switch e := e.(type) {
	case AsDouble:
		v, reason, ok := a.viewOf(e.PushdownAsDouble())
		if ok && (v.as != asColumn || v.column.Shape != ShapeNumber && v.column.Shape != ShapeString) {
			return view{}, shorten(e.PushdownAsDouble()) + " is converted", false
		}
		v.double = true
		return v, reason, ok
	case *expression.GetField:
		c, reason, ok := a.resolver.Column(e)
		if !ok {
			return view{}, reason, false
		}
		if c.Document {
			return view{}, "the whole document has no range", false
		}
		if c.Shape == ShapeOther {
			return view{}, cmp.Or(c.Unordered, fmt.Sprintf("values of type %s have no ranges", e.Type())), false
		}
		if c.Stubbed {
			r, reason, ok := a.stubbed(c)
			if !ok {
				return view{}, reason, false
			}
			return r.view(readingOf(c))
		}
		return view{column: c, as: readingOf(c)}, "", true
	case *expression.CollatedExpression:
		v, reason, ok := a.viewOf(e.Children()[0]) // the caller that compares calls collationOf
		if ok && (v.as == asJSON || v.as == asColumn && v.column.Shape == ShapeJSON) {
			return view{}, "JSON has no collation to be named", false
		}
		if ok && v.as == asColumn && v.column.Shape != ShapeString && v.column.Shape != ShapeEnum {
			return view{}, "what is no text has no collation to be named", false
		}
		return v, reason, ok
	case *expression.Convert:
		// CAST(integer AS SIGNED) changes nothing for comparisons.
		if types.IsInteger(e.Child.Type()) && strings.EqualFold(e.Type().String(), "bigint") {
			if v, _, ok = a.viewOf(e.Child); ok && v.as == asColumn && v.column.Shape == ShapeNumber &&
				types.IsSigned(e.Child.Type()) {
				return v, "", true
			}
		}
		if isCharCast(e) {
			v, _, ok = a.viewOf(e.Child)
			// The text is not the column's, and compares in the default collation.
			if ok && v.as == asColumn && v.reach == nil && v.column.Shape == ShapeString &&
				v.column.Collation == collation.Default {
				v.cast = true
				return v, "", true
			}
		}
		return view{}, a.computed(e), false
	case sql.FunctionExpression:
		children := e.Children()
		switch name := strings.ToLower(e.FunctionName()); {
		case name == "json_extract" && len(children) == 2:
			return a.extractionOf(children[0], children[1])
		case name == "json_unquote" && len(children) == 1:
			v, reason, ok := a.viewOf(children[0])
			if !ok {
				return view{}, reason, false
			}
			if v.as != asJSON && (v.as != asColumn || v.column.Shape != ShapeJSON) {
				return view{}, a.computed(e), false
			}
			v.as = asText
			return v, "", true
		case name == "json_value" && len(children) == 2 && types.IsText(e.Type()):
			v, reason, ok := a.extractionOf(children[0], children[1])
			v.as = asScalar
			return v, reason, ok
		case (name == "json_value" || name == "json_value_as") && len(children) == 3:
			return a.returnedOf(e, children)
		case name == "json_length" && len(children) <= 2:
			return a.lengthOf(children)
		}
		return view{}, a.computed(e), false
	}
	return view{}, a.computed(e), false
}
