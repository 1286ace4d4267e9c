package value

import (
	"errors"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
)

// ColumnType lets a type be embedded whose interface has a method Type.
type ColumnType = sql.Type

// MySQL's numbers for JSON text that is refused.
const (
	errJSONText    = 3140
	ErrJSONCharset = 3144
	errJSONDepth   = 3157
)

// JSONTextError is MySQL's error for text that is bound for a JSON column and
// is not JSON, with the position of the fault.
func JSONTextError(err error, column string) error {
	var (
		syntax    *document.SyntaxError
		duplicate *document.DuplicateKeyError
		depth     *document.DepthError
	)
	in := ""
	if column != "" {
		in = " in value for column '" + column + "'"
	}
	switch {
	case errors.As(err, &syntax):
		return mysql.NewSQLError(errJSONText, "22032", "%s",
			`Invalid JSON text: "`+syntax.Message+`" at position `+strconv.Itoa(syntax.Offset)+in+".")
	case errors.As(err, &duplicate):
		return mysql.NewSQLError(errJSONText, "22032", "%s",
			`Invalid JSON text: "Duplicate key `+strconv.Quote(duplicate.Key)+` (`+duplicate.Path+`)." at position `+
				strconv.Itoa(duplicate.Offset)+in+".")
	case errors.As(err, &depth):
		return mysql.NewSQLError(errJSONDepth, "22032", "%s",
			`The JSON document exceeds the maximum depth of `+strconv.Itoa(depth.Limit)+in+".")
	}
	return err
}
