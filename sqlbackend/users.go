package sqlbackend

import (
	"errors"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// refuseUsers refuses the statements that make users and roles and give them
// privileges. The engine would keep them in memory, until the server ends.
func refuseUsers(stmt ast.Statement) error {
	switch s := stmt.(type) {
	case *ast.CreateUser, *ast.RenameUser, *ast.DropUser, *ast.CreateRole, *ast.DropRole,
		*ast.GrantPrivilege, *ast.GrantRole, *ast.GrantProxy,
		*ast.RevokePrivilege, *ast.RevokeAllPrivileges, *ast.RevokeRole, *ast.RevokeProxy:
	case *ast.DDL:
		if s.User.IsEmpty() || s.Action != ast.AlterStr {
			return nil
		}
	default:
		return nil
	}
	return errors.New(mysqlerr.UsersText) // plain, as statement.TooComplex
}
