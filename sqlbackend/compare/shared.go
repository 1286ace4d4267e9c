package compare

import "github.com/dolthub/go-mysql-server/sql"

// Shared reports whether an expression of this package keeps nothing of the statement that it is computed in, so that
// statements of several sessions may compute it at once. Its operands are not looked at.
func Shared(e sql.Expression) bool {
	switch e.(type) {
	case *ExactArithmetic, *nullIf, *extremumOf, *fieldOf, *stringCompare, *bitOperation, *Conversion,
		*NumberText, *ruledValue:
		return true
	}
	return false
}
