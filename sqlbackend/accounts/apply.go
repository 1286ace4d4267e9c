package accounts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Circumstances are what a statement that changes accounts depends on.
type Circumstances struct {
	Actor *Account // whose statement it is
	// Plugin is the method of accounts whose statement names none.
	Plugin string
	// Database is the current one, empty if there is none.
	Database string
	// RootGiven: root's password was given to the server, and so is none of the store's.
	RootGiven bool
	// Mandatory are the roles that all accounts have.
	Mandatory []Name
	// Exists reports whether a table exists.
	Exists func(database, table string) bool
	// HasColumn reports whether a table has a column, or may have it.
	HasColumn func(database, table, column string) bool
	// Note sends the client a note on a change that was not needed.
	Note func(code int, text string)
}

// Spelled is an account's name as messages have it.
func (a *Account) Spelled() string { return "'" + a.User + "'@'" + a.Host + "'" }

// maxAccounts is how many accounts one statement may name: each is looked for among all.
const (
	maxAccounts   = 1000
	errTooComplex = 1436
)

// Apply changes a set by the statement; after an error the set is to be thrown away.
func (s *Statement) Apply(set *Set, c Circumstances) error {
	for _, list := range [][]user{s.users, s.to} {
		for i := range list {
			if list[i].current {
				list[i].user, list[i].host = c.Actor.User, c.Actor.Host
			}
		}
	}
	if len(s.users)+len(s.to)+len(s.roles) > maxAccounts {
		return mysql.NewSQLError(errTooComplex, "HY000", "%s: more than %d accounts", mysqlerr.TooComplex,
			maxAccounts)
	}
	if s.here {
		if s.Database = c.Database; s.Database == "" {
			return mysql.NewSQLError(1046, "3D000", "no database selected")
		}
	}
	switch s.kind {
	case grants, revokes, revokesAll:
		return s.grantIn(set, c)
	case grantsRoles, revokesRoles:
		return s.rolesIn(set, c)
	case setsDefaults:
		return s.defaultsIn(set, c)
	}
	if err := s.mayDefine(c); err != nil {
		return err
	}
	var failed []string
	list := s.users
	if s.kind == createsRoles {
		list = s.roles
	}
	for i, u := range list {
		done, err := s.define(set, u, i, c)
		if err != nil {
			return err
		}
		if !done {
			failed = append(failed, fmt.Sprintf("'%s'@'%s'", u.user, u.host))
		}
	}
	if len(failed) > 0 {
		what := map[kind]string{creates: "CREATE USER", alters: "ALTER USER", drops: "DROP USER", renames: "RENAME USER",
			createsRoles: "CREATE ROLE", dropsRoles: "DROP ROLE"}
		return mysql.NewSQLError(1396, "HY000", "Operation %s failed for %s", what[s.kind], strings.Join(failed, ","))
	}
	return nil
}

// mayDefine checks whether one may make accounts, or change one's own password.
func (s *Statement) mayDefine(c Circumstances) error {
	has := c.Actor.Global()
	switch {
	case has.Has(CreateUser):
		return nil
	case s.kind == createsRoles && len(s.users) == 0:
		if has.Has(CreateRole) {
			return nil
		}
		return Needed("CREATE USER, CREATE ROLE")
	case s.kind == dropsRoles:
		if has.Has(DropRole) {
			return nil
		}
		return Needed("CREATE USER, DROP ROLE")
	}
	own := s.kind == alters && s.requireTLS == nil && s.locked == nil && !s.hasDefaults && !s.expires
	for _, u := range s.users {
		own = own && u.user == c.Actor.User && u.host == c.Actor.Host && u.secret
	}
	if own {
		return nil
	}
	return Needed("CREATE USER")
}

// Needed is the error for a missing privilege on everything.
func Needed(privileges string) error {
	return mysql.NewSQLError(1227, "42000",
		"Access denied; you need (at least one of) the %s privilege(s) for this operation", privileges)
}

// define makes, changes or drops one account; done is false where it can't be for the account that there is.
func (s *Statement) define(set *Set, u user, i int, c Circumstances) (done bool, err error) {
	there := set.Find(u.user, u.host)
	root := u.user == RootUser && u.host == "%"
	if set.above(u.name(), c.Actor) {
		return false, Needed("SUPER")
	}
	switch s.kind {
	case creates:
		if there != nil && s.tolerates {
			c.Note(3163, fmt.Sprintf("Authorization ID '%s'@'%s' already exists.", u.user, u.host))
			return true, nil
		}
		if there != nil {
			return false, nil
		}
		return true, s.create(set, u, c)
	case createsRoles:
		return s.createRole(set, u, c)
	case alters, drops, dropsRoles:
		if there == nil && s.tolerates {
			c.Note(3162, fmt.Sprintf("Authorization ID '%s'@'%s' does not exist.", u.user, u.host))
			return true, nil
		}
	}
	switch {
	case there == nil:
		return false, nil
	case s.kind != alters && root:
		return false, mysqlerr.Unsupported("the account 'root'@'%%' stays as it is")
	case (s.kind == drops || s.kind == dropsRoles) && u.name().Among(c.Mandatory):
		return false, mandatoryRole(u.name())
	case s.kind == dropsRoles && !there.Role && !c.Actor.Global().Has(CreateUser):
		return false, Needed("CREATE USER")
	case s.kind == drops, s.kind == dropsRoles:
		set.remove(there)
		set.forgetRole(u.name())
		return true, nil
	case s.kind == renames:
		if set.Find(s.to[i].user, s.to[i].host) != nil {
			return false, nil
		}
		if set.isRole(there) {
			return false, mysql.NewSQLError(3532, "HY000", "Renaming of a role identifier is forbidden")
		}
		there.User, there.Host = s.to[i].user, s.to[i].host
		return true, nil
	case root && (s.locked != nil && *s.locked || s.expires):
		return false, mysqlerr.Unsupported("the account 'root'@'%%' can't be locked")
	case root && c.RootGiven && u.secret:
		return false, mysql.NewSQLError(mysqlerr.OptionPrevents, "HY000",
			"root's password was given to the server (SQLFDB_ROOT_PASSWORD), and can't be changed by a statement")
	}
	if s.hasDefaults {
		if there.Default, err = s.chosen(set, there, c.Mandatory); err != nil {
			return false, err
		}
	}
	return true, s.describe(there, u)
}

// create makes an account. The roles that are its default are granted to it.
func (s *Statement) create(set *Set, u user, c Circumstances) error {
	a := Account{User: u.user, Host: u.host, Plugin: c.Plugin}
	if s.hasDefaults && s.choice == choosesAll {
		return mysqlerr.Unsupported("DEFAULT ROLE ALL of an account that has none yet")
	}
	if s.hasDefaults {
		for _, r := range s.roles {
			switch role := set.Role(r.name()); {
			case role == nil:
				return unknownRole(r.name())
			case !c.Actor.mayHandOn(r.name()):
				return Needed("WITH ADMIN, ROLE_ADMIN, SUPER")
			case set.above(r.name(), c.Actor):
				return Needed("SUPER")
			}
			a.join(r.name(), nil)
			a.Default = append(a.Default, r.name())
		}
	}
	set.Accounts = append(set.Accounts, a)
	return s.describe(&set.Accounts[len(set.Accounts)-1], u)
}

// createRole makes a role, which is an account that nobody logs in as.
func (s *Statement) createRole(set *Set, u user, c Circumstances) (done bool, err error) {
	if there := set.Role(u.name()); there != nil {
		if s.tolerates {
			c.Note(3163, fmt.Sprintf("Authorization ID '%s'@'%s' already exists.", u.user, u.host))
		}
		return s.tolerates, nil
	}
	set.Accounts = append(set.Accounts, Account{User: u.user, Host: u.host, Plugin: c.Plugin, Role: true, Locked: true})
	for _, to := range s.users {
		admin := set.Role(to.name())
		if admin == nil {
			return false, unknownRole(to.name())
		}
		handOn := true
		admin.join(u.name(), &handOn)
	}
	return true, nil
}

// describe gives an account the options of a statement.
func (s *Statement) describe(a *Account, u user) (err error) {
	if u.secret {
		a.Expired = false
		if u.plugin != "" {
			a.Plugin = u.plugin
		}
		if a.Hash = u.hashIn; !u.hashed {
			if a.Hash, err = HashOf(a.Plugin, u.password); err != nil {
				return err
			}
		}
	}
	if s.requireTLS != nil {
		a.RequireTLS = *s.requireTLS
	}
	if s.locked != nil {
		a.Locked = *s.locked
	}
	a.Expired = a.Expired || s.expires
	return nil
}

func (s *Set) remove(a *Account) {
	for i := range s.Accounts {
		if &s.Accounts[i] == a {
			s.Accounts = append(s.Accounts[:i], s.Accounts[i+1:]...)
			return
		}
	}
}

// grantIn gives privileges to accounts, or takes them away.
func (s *Statement) grantIn(set *Set, c Circumstances) error {
	if err := s.mayGrant(c); err != nil {
		return err
	}
	if s.kind == grants && s.Table != "" && !s.privileges.Has(Create) && !c.Exists(s.Database, s.Table) {
		return mysql.NewSQLError(mysql.ERNoSuchTable, "42S02", "table not found: %s.%s", s.Database, s.Table)
	}
	if err := s.columnsAreThere(c); err != nil {
		return err
	}
	for _, u := range s.users {
		a := set.Find(u.user, u.host)
		if s.kind == grants && (u.secret || s.requireTLS != nil) {
			var err error
			if a, err = s.identify(set, a, u, c); err != nil {
				return err
			}
		}
		switch {
		case a == nil && s.kind == grants:
			return mysql.NewSQLError(1410, "42000", "You are not allowed to create a user with GRANT")
		case a == nil && s.kind == revokesAll:
			return mysql.NewSQLError(1269, "HY000", "Can't revoke all privileges for one or more of the requested users")
		case a == nil:
			return NoGrant(u.user, u.host)
		case a.IsRoot() && s.kind == grants:
			continue // it has all
		case a.IsRoot():
			return mysqlerr.Unsupported("the account 'root'@'%%' stays as it is")
		case set.above(a.Name(), c.Actor):
			return Needed("SUPER")
		}
		switch s.kind {
		case grants:
			s.grantTo(a)
		case revokes:
			if err := s.revokeFrom(a); err != nil {
				return err
			}
		case revokesAll:
			a.Privileges, a.Databases = 0, nil
		}
	}
	return nil
}

// columnsAreThere fails for a column that a table can't have.
func (s *Statement) columnsAreThere(c Circumstances) error {
	if s.kind != grants {
		return nil
	}
	for _, g := range s.columns {
		for _, name := range g.columns {
			if !c.HasColumn(s.Database, s.Table, name) {
				return mysql.NewSQLError(1054, "42S22", "Unknown column '%s' in '%s'", name, s.Table)
			}
		}
	}
	return nil
}

// identify is a GRANT with an IDENTIFIED clause, as MariaDB has it: it makes the account if there is none.
func (s *Statement) identify(set *Set, a *Account, u user, c Circumstances) (*Account, error) {
	own := a != nil && a.Name().Is(c.Actor.Name()) && s.requireTLS == nil
	if !own && !c.Actor.Global().Has(CreateUser) {
		return nil, Needed("CREATE USER")
	}
	if a == nil {
		if !u.secret {
			return nil, nil
		}
		err := s.create(set, u, c)
		return set.Role(u.name()), err
	}
	alter := *s
	alter.kind = alters
	_, err := alter.define(set, u, 0, c)
	return a, err
}

// grantTo gives an account the privileges that the statement grants.
func (s *Statement) grantTo(a *Account) {
	if s.privileges != 0 || len(s.columns) == 0 {
		a.change(s.Database, s.pattern, s.Table, func(p *Privileges) { *p |= s.privileges })
	}
	for _, g := range s.columns {
		for _, name := range g.columns {
			a.changeColumn(s.Database, s.Table, name, func(p *Privileges) { *p |= g.privilege })
		}
	}
}

// revokeFrom revokes the statement's privileges from an account; a privilege on a table is revoked on its columns
// too.
func (s *Statement) revokeFrom(a *Account) error {
	if s.Database != "" && !a.granted(s.Database, s.pattern, s.Table) {
		if s.Table != "" {
			return mysql.NewSQLError(1147, "42000", "There is no such grant defined for user '%s' on host '%s' on table '%s'",
				a.User, a.Host, s.Table)
		}
		return NoGrant(a.User, a.Host)
	}
	if t := a.tableOf(s.Database, s.Table); t != nil {
		t.Columns = slices.DeleteFunc(t.Columns, func(c Column) bool { return c.Privileges&^s.privileges == 0 })
		for i := range t.Columns {
			t.Columns[i].Privileges &^= s.privileges
		}
	}
	for _, g := range s.columns {
		for _, name := range g.columns {
			a.changeColumn(s.Database, s.Table, name, func(p *Privileges) { *p &^= g.privilege })
		}
	}
	a.change(s.Database, s.pattern, s.Table, func(p *Privileges) { *p &^= s.privileges })
	return nil
}

// granted reports whether anything is granted on just that level.
func (a *Account) granted(database string, pattern bool, table string) bool {
	d := a.level(database, pattern)
	if d == nil {
		return false
	}
	if table != "" {
		return d.table(table) != nil
	}
	return d.Privileges != 0
}

// NoGrant is the error for an account that has no privileges, or is none.
func NoGrant(user, host string) error {
	return mysql.NewSQLError(1141, "42000", "There is no such grant defined for user '%s' on host '%s'", user, host)
}

// mayGrant checks whether the actor has the privileges of the statement, and may grant them to others.
func (s *Statement) mayGrant(c Circumstances) error {
	need := s.privileges | GrantOption
	for _, g := range s.columns {
		need |= g.privilege
	}
	switch {
	case s.kind == revokesAll:
		if !c.Actor.Global().Has(CreateUser) {
			return Needed("CREATE USER")
		}
	case s.Database == "" && !c.Actor.Global().Has(need):
		return mysql.NewSQLError(1045, "28000", "Access denied for user %s (using password: YES)", c.Actor.Spelled())
	case s.pattern:
		has := c.Actor.Global()
		if d := c.Actor.level(s.Database, true); d != nil {
			has |= d.Privileges
		}
		if !has.Has(need) {
			return DatabaseDenied(c.Actor, s.Database)
		}
	case s.Database != "" && s.Table == "" && !c.Actor.OnDatabase(s.Database).Has(need):
		return DatabaseDenied(c.Actor, s.Database)
	case s.Table != "" && !c.Actor.OnTable(s.Database, s.Table).Has(need):
		return TableDenied(c.Actor, "GRANT", s.Table)
	}
	return nil
}

// DatabaseDenied is the error for an account without any privilege on a database.
func DatabaseDenied(a *Account, database string) error {
	return mysql.NewSQLError(1044, "42000", "Access denied for user %s to database '%s'", a.Spelled(), database)
}

// TableDenied is the error for an account that lacks a privilege on a table.
func TableDenied(a *Account, what, table string) error {
	return mysql.NewSQLError(1142, "42000", "%s command denied to user %s for table '%s'", what, a.Spelled(), table)
}
