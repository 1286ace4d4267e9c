package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// isCharCast recognizes CAST(… AS CHAR) without a length.
func isCharCast(e *expression.Convert) bool {
	text := e.String()
	return strings.HasSuffix(text, ", "+expression.ConvertToChar+")") ||
		strings.HasSuffix(text, ", "+expression.ConvertToNChar+")")
}

// numberAsText analyses CAST(n AS CHAR) = '5' for a column of numbers; nil for other comparisons. A number equals the
// number that its text spells, as far as doubles distinguish numbers. The filter checks how it is spelled.
func (a *analysis) numberAsText(op operator, left sql.Expression, c constant) *node {
	cast, ok := strip(left).(*expression.Convert)
	if !ok || op != opEqual || !isCharCast(cast) {
		return nil
	}
	if c.kind != constantNumber && (c.kind != constantString || c.mixed || c.collation != nil &&
		!c.collation.IsIdentity()) {
		return nil
	}
	v, _, ok := a.viewOf(cast.Child)
	if !ok || v.as != asColumn || v.reach != nil || v.double || v.column.Shape != ShapeNumber {
		return nil
	}
	literal, _, ok := c.number()
	if !ok {
		return nil
	}
	var p place
	if v.column.Rounded {
		p, _, ok = a.placeScaled(literal, v.column.Scale)
	} else {
		p, _, ok = a.placeRounded(literal)
	}
	if !ok {
		return nil
	}
	v.cast = true
	return a.understood(v, v.domain().compare(op, p))
}
