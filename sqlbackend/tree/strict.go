package tree

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

var (
	_ pushdown.Strict = (*EnumNumber)(nil)
)

// PushdownStrict implements pushdown.Strict.
func (n *EnumNumber) PushdownStrict() {}

var _ pushdown.MemberNumber = (*EnumNumber)(nil)

// PushdownMember implements pushdown.MemberNumber.
func (n *EnumNumber) PushdownMember() sql.Expression { return n.Child }
