package session

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// VarMandatoryRoles names the variable of the roles that all accounts have.
const VarMandatoryRoles = "mandatory_roles"

// varActivateAll names the variable that makes all roles active from the log-in on.
const varActivateAll = "activate_all_roles_on_login"

// Login is the account of a session, its active roles, and the privileges of both.
type Login struct {
	session *Session
	// Required says that the session is a client's, and has the privileges of an account. Other sessions may do
	// everything.
	Required bool
	roles
}

type roles struct {
	chosen bool // set at the first use: until then the account's default roles are active
	active []accounts.Name
	// effective is the account with the privileges of one choice of roles, out of one set of accounts.
	effective *accounts.Account
	of        *accounts.Set
	with      []accounts.Name
}

// MandatoryRoles returns the roles that all accounts have.
func MandatoryRoles() []accounts.Name {
	_, v, ok := sql.SystemVariables.GetGlobal(VarMandatoryRoles)
	text, is := v.(string)
	if !ok || !is {
		return nil
	}
	list, _ := accounts.Names(text)
	return list
}

// Accounts returns the accounts in the definitions that a statement sees.
func (l *Login) Accounts() (*accounts.Set, error) {
	view, err := l.session.Readers.Definitions()
	if err != nil {
		return nil, l.session.SQLError(err)
	}
	return l.session.Backend.Users.In(view)
}

// isRoot reports whether a session belongs to the account that always exists.
func (l *Login) isRoot() bool {
	c := l.session.Client()
	return c.User == accounts.RootUser && c.Address == "%"
}

// OwnAccount returns the session's account without the privileges of its roles. A session without a log-in may do
// everything, as root may.
func (l *Login) OwnAccount() (*accounts.Account, error) {
	if !l.Required {
		return accounts.Root(""), nil
	}
	set, err := l.Accounts()
	if err != nil {
		return nil, err
	}
	c := l.session.Client()
	if a := set.Find(c.User, c.Address); a != nil {
		return a, nil
	}
	return &accounts.Account{User: c.User, Host: c.Address}, nil // it has been dropped
}

// Account returns the session's account with the privileges of its active roles.
func (l *Login) Account() (*accounts.Account, error) {
	if !l.Required || l.isRoot() {
		return accounts.Root(""), nil
	}
	own, err := l.OwnAccount()
	if err != nil {
		return nil, err
	}
	active, set, err := l.activeOf(own)
	if err != nil || len(active) == 0 {
		return own, err
	}
	if l.of != set || !slices.Equal(l.with, active) {
		l.effective, l.of, l.with = set.With(own, active), set, active
	}
	return l.effective, nil
}

// ActiveRoles returns the active roles that the account still has.
func (l *Login) ActiveRoles() ([]accounts.Name, error) {
	own, err := l.OwnAccount()
	if err != nil {
		return nil, err
	}
	active, _, err := l.activeOf(own)
	return active, err
}

func (l *Login) activeOf(own *accounts.Account) ([]accounts.Name, *accounts.Set, error) {
	if l.chosen && len(l.active) == 0 {
		return nil, nil, nil
	}
	set, err := l.Accounts()
	if err != nil {
		return nil, nil, err
	}
	if set.Role(own.Name()) == nil {
		return nil, set, nil // it has been dropped
	}
	has := set.RolesOf(own, MandatoryRoles())
	if !l.chosen {
		l.chosen, l.active = true, own.Default
		if _, all, ok := sql.SystemVariables.GetGlobal(varActivateAll); ok && !off(all) {
			l.active = has
		}
	}
	var active []accounts.Name
	for _, n := range l.active {
		if n.Among(has) {
			active = append(active, n)
		}
	}
	return active, set, nil
}

// SetRoles makes roles active.
func (l *Login) SetRoles(list []accounts.Name) { l.roles = roles{chosen: true, active: list} }

// CurrentRole implements functions.Roles: the active roles, or NONE.
func (s *Session) CurrentRole() (string, error) {
	active, err := s.Login.ActiveRoles()
	if err != nil || len(active) == 0 {
		return "NONE", err
	}
	return strings.Join(accounts.Quoted(active), ","), nil
}

// MandatoryRolesVariable is the variable mandatory_roles: a list of names, for all sessions.
func MandatoryRolesVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name:    VarMandatoryRoles,
		Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Global),
		Dynamic: true,
		Type:    roleNames{types.NewSystemStringType(VarMandatoryRoles)},
		Default: "",
	}
}

// roleNames is the type of lists of roles.
type roleNames struct{ sql.SystemVariableType }

// Convert implements sql.Type.
func (t roleNames) Convert(ctx context.Context, v any) (any, sql.ConvertInRange, error) {
	out, in, err := t.SystemVariableType.Convert(ctx, v)
	if text, ok := out.(string); ok && err == nil {
		if _, ok := accounts.Names(text); !ok {
			return nil, sql.OutOfRange, mysql.NewSQLError(errWrongValue, "42000",
				"Variable '%s' can't be set to the value of '%s'", VarMandatoryRoles, text)
		}
	}
	return out, in, err
}

var _ functions.Roles = (*Session)(nil)
