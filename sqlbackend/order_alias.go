package sqlbackend

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// AliasMeant reports whether a command has failed since an expression of ORDER BY names an alias of the select list, as
// in SELECT a AS x … ORDER BY x IS NULL, x. The plan builder looks in there for columns of the tables alone, which go
// before aliases in MySQL too. So only a name that it has not found is taken for the alias, once the command is run
// again.
func (s *Session) AliasMeant(err error) bool {
	var e *mysql.SQLError
	if err == nil || !errors.As(mysqlerr.FinishError(err), &e) || len(s.orderAliases) >= syntax.MaxOrderAliases {
		return false
	}
	var names []string
	if name, ok := syntax.UnfoundColumn(e.Message); ok && e.Num == mysql.ERBadFieldError {
		names = []string{name}
	} else if !strings.HasPrefix(e.Message, "View '") { // which name of a view is not found it does not tell
		return false
	}
	known := len(s.orderAliases)
	for _, stmt := range s.parsed {
		syntax.EachAliasInOrder(stmt, names, func(_ *ast.Select, _ *ast.Order, c *ast.ColName, _ *ast.AliasedExpr) {
			if name := c.Name.Lowered(); !slices.Contains(s.orderAliases, name) {
				s.orderAliases = append(s.orderAliases, name)
			}
		})
	}
	return len(s.orderAliases) > known
}

// ForgetAliases ends what AliasMeant has begun.
func (s *Session) ForgetAliases() { s.orderAliases = nil }
