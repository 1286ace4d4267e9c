package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql/analyzer"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// engineGroupRule is the engine's rule of ONLY_FULL_GROUP_BY, which takes a
// column for undetermined that the primary key in GROUP BY determines. It has no
// exported number.
func engineGroupRule() (analyzer.RuleId, bool) {
	return tree.RuleNamed(analyzer.DefaultValidationRules, "validateGroupBy")
}
