package ddl

import "github.com/sqlfdb/sqlfdb/sqlbackend/table"

// Definer implements Definer.
type Definer struct{}

var _ table.Definer = Definer{}
