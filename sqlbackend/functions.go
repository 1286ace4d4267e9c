package sqlbackend

import "github.com/dolthub/go-mysql-server/sql"

// sqlFunctions are our functions by lower-case name; a provider offers them
// before the engine's own.
var sqlFunctions = map[string]sql.Function{}
