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

// varActivateAll names the variable by which all roles are active from the log-in on.
const varActivateAll = "activate_all_roles_on_login"

// roles are those that are active in a session, and what its account may do with them.
type roles struct {
	chosen bool // from the first question on: until then they are the account's default
	active []accounts.Name
	// effective is the account of one set with one choice of roles.
	effective *accounts.Account
	of        *accounts.Set
	with      []accounts.Name
}

// MandatoryRoles are the roles that all accounts have.
func MandatoryRoles() []accounts.Name {
	_, v, ok := sql.SystemVariables.GetGlobal(VarMandatoryRoles)
	text, is := v.(string)
	if !ok || !is {
		return nil
	}
	list, _ := accounts.Names(text)
	return list
}

// Accounts are the accounts of the definitions that a statement sees.
func (s *Session) Accounts() (*accounts.Set, error) {
	view, err := s.Definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	return s.Backend.Users.In(view)
}

// free reports whether a session's rights are everybody's: nobody has logged in for it.
func (s *Session) free() bool { return !s.LoggedIn }

// isRoot reports whether a session is of the account that is always there.
func (s *Session) isRoot() bool {
	c := s.Client()
	return c.User == accounts.RootUser && c.Address == "%"
}

// OwnAccount is whose session it is, without what its roles give it. One that nobody has logged in for may do
// everything, as root may.
func (s *Session) OwnAccount() (*accounts.Account, error) {
	if s.free() {
		return accounts.Root(""), nil
	}
	set, err := s.Accounts()
	if err != nil {
		return nil, err
	}
	c := s.Client()
	if a := set.Find(c.User, c.Address); a != nil {
		return a, nil
	}
	return &accounts.Account{User: c.User, Host: c.Address}, nil // it has been dropped
}

// Account is whose session it is, with the privileges of the roles that are active in it.
func (s *Session) Account() (*accounts.Account, error) {
	if s.free() || s.isRoot() {
		return accounts.Root(""), nil
	}
	own, err := s.OwnAccount()
	if err != nil {
		return nil, err
	}
	active, set, err := s.activeOf(own)
	if err != nil || len(active) == 0 {
		return own, err
	}
	if s.roles.of != set || !slices.Equal(s.roles.with, active) {
		s.roles.effective, s.roles.of, s.roles.with = set.With(own, active), set, active
	}
	return s.roles.effective, nil
}

// ActiveRoles are the roles that are active, of those that the account still has.
func (s *Session) ActiveRoles() ([]accounts.Name, error) {
	own, err := s.OwnAccount()
	if err != nil {
		return nil, err
	}
	active, _, err := s.activeOf(own)
	return active, err
}

func (s *Session) activeOf(own *accounts.Account) ([]accounts.Name, *accounts.Set, error) {
	if s.roles.chosen && len(s.roles.active) == 0 {
		return nil, nil, nil
	}
	set, err := s.Accounts()
	if err != nil {
		return nil, nil, err
	}
	if set.Role(own.Name()) == nil {
		return nil, set, nil // it has been dropped
	}
	has := set.RolesOf(own, MandatoryRoles())
	if !s.roles.chosen {
		s.roles.chosen, s.roles.active = true, own.Default
		if _, all, ok := sql.SystemVariables.GetGlobal(varActivateAll); ok && !off(all) {
			s.roles.active = has
		}
	}
	var active []accounts.Name
	for _, n := range s.roles.active {
		if n.Among(has) {
			active = append(active, n)
		}
	}
	return active, set, nil
}

// SetRoles makes roles active.
func (s *Session) SetRoles(list []accounts.Name) { s.roles = roles{chosen: true, active: list} }

// CurrentRole is CURRENT_ROLE(): the active roles, or NONE.
func (s *Session) CurrentRole() (string, error) {
	active, err := s.ActiveRoles()
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

// roleNames takes lists of roles.
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
