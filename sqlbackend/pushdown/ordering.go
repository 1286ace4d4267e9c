package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// Ordering describes the values that an expression of ORDER BY reads.
type Ordering struct {
	// Column is the keypath, or the first column of the primary key.
	Column Column
	// JSON says that the values are JSON, and a JSON null is one of them. Otherwise it is NULL, as a missing value
	// is.
	JSON bool
	// Text says that the values are read as texts. Returned is the type that they are converted to; nil if they are
	// not.
	Text     bool
	Returned sql.Type
}

// OrderingOf recognizes an expression that has the values of one keypath, or of the first column of the primary key,
// unchanged, as texts, or converted to a type. For others it returns false and the reason.
func OrderingOf(ctx *sql.Context, e sql.Expression, resolver Resolver) (o Ordering, reason string, ok bool) {
	a := &analysis{ctx: ctx, resolver: resolver}
	v, reason, ok := a.viewOf(e)
	switch {
	case !ok:
		return Ordering{}, reason, false
	case v.as == asLength || v.cast || v.double:
		return Ordering{}, shorten(e) + " is computed", false
	case v.reach != nil:
		return Ordering{}, v.reach.text + " leads to several keypaths", false
	}
	return Ordering{Column: v.column, JSON: v.as == asJSON || v.as == asText, Text: v.as.text(), Returned: v.returned}, "",
		true
}
