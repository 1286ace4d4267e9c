package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
)

// Ordering is what an expression that rows are sorted by reads.
type Ordering struct {
	// Column is the keypath, or the first column of the primary key.
	Column Column
	// JSON: the values are JSON, and a JSON null is one of them. Otherwise it is
	// NULL, as a missing value is.
	JSON bool
	// Text: the values are the texts of what is there. Returned: they are converted to that type; nil if they are not.
	Text     bool
	Returned sql.Type
}

// OrderingOf recognizes an expression that has the values of one keypath, or of the
// first column of the primary key, as they are, as texts, or converted to a type. The reason says why it does not.
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
