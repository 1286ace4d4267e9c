package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// The conversions that the rules put around operands are NULL if their operand is.
var (
	_ pushdown.Strict = (*compare.Conversion)(nil)

	_ pushdown.Strict = (*compare.NumberText)(nil)
)
