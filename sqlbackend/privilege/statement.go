package privilege

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// accountStatement is a statement that changes accounts, or which roles of one are active, or shows one.
type accountStatement struct{ *accounts.Statement }

var (
	_ ast.Injectable    = accountStatement{}
	_ sql.ExecSourceRel = accountStatement{}
)

// Parse reads such a statement; rest is the text behind it.
func Parse(query string) (stmt ast.Statement, rest string, ok bool) {
	read, rest, ok, err := accounts.Parse(query)
	if !ok {
		return nil, "", false
	}
	if err != nil {
		return session.Failing(err), "", true
	}
	return ast.InjectedStatement{Statement: accountStatement{read},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}, rest, true
}

// WithResolvedChildren implements ast.Injectable.
func (a accountStatement) WithResolvedChildren([]any) (any, error) { return a, nil }

// Resolved implements sql.Node.
func (accountStatement) Resolved() bool { return true }

// String implements sql.Node.
func (accountStatement) String() string { return "accounts" }

// Schema implements sql.Node.
func (a accountStatement) Schema() sql.Schema {
	if of, shows := a.Shows(); shows {
		return sql.Schema{{Name: "CREATE USER for " + of.User + "@" + of.Host, Type: types.LongText}}
	}
	return types.OkResultSchema
}

// Children implements sql.Node.
func (accountStatement) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (a accountStatement) WithChildren(...sql.Node) (sql.Node, error) { return a, nil }

// IsReadOnly implements sql.Node.
func (accountStatement) IsReadOnly() bool { return false }

// RowIter implements sql.ExecSourceRel.
func (a accountStatement) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	if a.SetsRoles() {
		return a.setRoles(s)
	}
	if of, shows := a.Shows(); shows {
		return showCreation(s, of)
	}
	actor, err := s.Login.Account()
	if err != nil {
		return nil, err
	}
	users := s.Backend.Users
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		set, err := users.Decode(c.View())
		if err != nil {
			return err
		}
		stored, err := accounts.Decode(c.View().Accounts())
		if err != nil {
			return err
		}
		err = a.Apply(set, accounts.Circumstances{
			Actor: actor, Plugin: users.Plugin, Database: ctx.GetCurrentDatabase(), RootGiven: users.Given != "",
			Mandatory: session.MandatoryRoles(),
			HasColumn: func(database, table, column string) bool { return hasColumn(c.View(), database, table, column) },
			Exists:    func(database, table string) bool { return Exists(s, c.View(), database, table) },
			Note:      func(code int, text string) { s.Warn(&sql.Warning{Level: "Note", Code: code, Message: text}) },
		})
		if err != nil {
			return err
		}
		if users.Given != "" { // the server's password is not the store's
			root := set.Find(accounts.RootUser, "%")
			root.Plugin, root.Hash = accounts.Native, ""
			if kept := stored.Find(accounts.RootUser, "%"); kept != nil {
				root.Plugin, root.Hash = kept.Plugin, kept.Hash
			}
		}
		record, err := set.Encode()
		if err == nil {
			c.PutAccounts(record)
		}
		return err
	})
	if err == nil {
		err = session.CommitDefinitions(ctx)
	}
	if err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// Exists reports whether there is a table of a name, a view, or a companion table.
func Exists(s *session.Session, view *catalog.View, database, name string) bool {
	if _, ok := view.Table(database, name); ok {
		return true
	}
	if _, ok := view.View(database, name); ok {
		return true
	}
	_, ok := CompanionBase(view, database, name)
	return ok
}

// setRoles is SET ROLE.
func (a accountStatement) setRoles(s *session.Session) (sql.RowIter, error) {
	own, err := s.Login.OwnAccount()
	if err != nil {
		return nil, err
	}
	set, err := s.Login.Accounts()
	if err != nil {
		return nil, err
	}
	list, err := a.Chosen(set, own, session.MandatoryRoles())
	if err != nil {
		return nil, err
	}
	s.Login.SetRoles(list)
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// hasColumn reports whether a table may have a column: it has it, or its documents may have the keypath.
func hasColumn(view *catalog.View, database, table, column string) bool {
	t, ok := view.Table(database, table)
	if !ok || t.Open {
		return true // of a view, which the engine resolves
	}
	head, _, _ := strings.Cut(column, ".")
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return strings.EqualFold(c.Name, head) })
}

// CommitsBefore implements session.Committing.
func (a accountStatement) CommitsBefore() (commits, defines bool) {
	_, shows := a.Shows()
	changes := !shows && !a.SetsRoles()
	return changes, changes
}

var _ session.Committing = accountStatement{}
