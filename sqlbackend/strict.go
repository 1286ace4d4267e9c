package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// What the rules put around operands is NULL if what it converts is.
var (
	_ pushdown.Strict = (*compare.Conversion)(nil)

	_ pushdown.Strict = (*compare.NumberText)(nil)
)
