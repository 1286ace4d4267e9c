package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

var _ sql.FunctionProvider = (*provider)(nil)

// Function implements sql.FunctionProvider.
func (p *provider) Function(ctx *sql.Context, name string) (sql.Function, bool) {
	if strings.EqualFold(name, "group_concat") {
		return syntax.GroupConcatFunction(ctx), true
	}
	f, ok := sqlFunctions[strings.ToLower(name)]
	return f, ok
}
