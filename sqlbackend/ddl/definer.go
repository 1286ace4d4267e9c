package ddl

import "github.com/sqlfdb/sqlfdb/sqlbackend/table"

// Definer implements the changes of definitions for table.Table.
type Definer struct{}

var _ table.Definer = Definer{}
