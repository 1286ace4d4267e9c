package sqlbackend

import "github.com/dolthub/go-mysql-server/sql"

// newParser wraps the engine's parser.
func newParser(inner sql.Parser) sql.Parser { return inner }
