package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

var _ sql.FunctionProvider = (*provider)(nil)

// Function implements sql.FunctionProvider.
func (p *provider) Function(_ *sql.Context, name string) (sql.Function, bool) {
	f, ok := sqlFunctions[strings.ToLower(name)]
	return f, ok
}
