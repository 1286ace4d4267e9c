package accounts

import (
	"fmt"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Circumstances are those of a statement that changes accounts.
type Circumstances struct {
	Actor *Account // whose statement it is
	// Plugin is the method of accounts whose statement names none.
	Plugin string
	// Database is the current one, empty if there is none.
	Database string
	// RootGiven: root's password was given to the server, and so is none of the store's.
	RootGiven bool
	// Exists tells of a table whether it is there.
	Exists func(database, table string) bool
	// Note tells the client of what did not need to be done.
	Note func(code int, text string)
}

// Spelled is an account's name as messages have it.
func (a *Account) Spelled() string { return "'" + a.User + "'@'" + a.Host + "'" }

// Apply changes a set as a statement says; after an error it is to be thrown away.
func (s *Statement) Apply(set *Set, c Circumstances) error {
	for _, list := range [][]user{s.users, s.to} {
		for i := range list {
			if list[i].current {
				list[i].user, list[i].host = c.Actor.User, c.Actor.Host
			}
		}
	}
	if s.here {
		if s.Database = c.Database; s.Database == "" {
			return mysql.NewSQLError(1046, "3D000", "no database selected")
		}
	}
	switch s.kind {
	case grants, revokes, revokesAll:
		return s.grantIn(set, c)
	}
	if err := s.mayDefine(c); err != nil {
		return err
	}
	var failed []string
	for i := range s.users {
		done, err := s.define(set, i, c)
		if err != nil {
			return err
		}
		if !done {
			failed = append(failed, fmt.Sprintf("'%s'@'%s'", s.users[i].user, s.users[i].host))
		}
	}
	if len(failed) > 0 {
		what := map[kind]string{creates: "CREATE USER", alters: "ALTER USER", drops: "DROP USER", renames: "RENAME USER"}
		return mysql.NewSQLError(1396, "HY000", "Operation %s failed for %s", what[s.kind], strings.Join(failed, ","))
	}
	return nil
}

// mayDefine checks whether one may make accounts, or change one's own password.
func (s *Statement) mayDefine(c Circumstances) error {
	if c.Actor.Global().Has(CreateUser) {
		return nil
	}
	own := s.kind == alters && s.requireTLS == nil && s.locked == nil
	for _, u := range s.users {
		own = own && u.user == c.Actor.User && u.host == c.Actor.Host && u.secret
	}
	if own {
		return nil
	}
	return Needed("CREATE USER")
}

// Needed is the error for who lacks a privilege on everything.
func Needed(privileges string) error {
	return mysql.NewSQLError(1227, "42000",
		"Access denied; you need (at least one of) the %s privilege(s) for this operation", privileges)
}

// define makes, changes or drops one account; done is false where it can't be for the account that there is.
func (s *Statement) define(set *Set, i int, c Circumstances) (done bool, err error) {
	u := s.users[i]
	there := set.Find(u.user, u.host)
	root := u.user == RootUser && u.host == "%"
	if there != nil && there.Global().Has(Super) && !c.Actor.Global().Has(Super) {
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
		set.Accounts = append(set.Accounts, Account{User: u.user, Host: u.host, Plugin: c.Plugin})
		return true, s.describe(&set.Accounts[len(set.Accounts)-1], u)
	case alters, drops:
		if there == nil && s.tolerates {
			c.Note(3162, fmt.Sprintf("Authorization ID '%s'@'%s' does not exist.", u.user, u.host))
			return true, nil
		}
	}
	switch {
	case there == nil:
		return false, nil
	case s.kind == drops && root, s.kind == renames && root:
		return false, mysqlerr.Unsupported("the account 'root'@'%%' stays as it is")
	case s.kind == drops:
		set.remove(there)
		return true, nil
	case s.kind == renames:
		if set.Find(s.to[i].user, s.to[i].host) != nil {
			return false, nil
		}
		there.User, there.Host = s.to[i].user, s.to[i].host
		return true, nil
	case root && (s.locked != nil && *s.locked):
		return false, mysqlerr.Unsupported("the account 'root'@'%%' can't be locked")
	case root && c.RootGiven && u.secret:
		return false, mysql.NewSQLError(mysqlerr.OptionPrevents, "HY000",
			"root's password was given to the server (SQLFDB_ROOT_PASSWORD), and can't be changed by a statement")
	}
	return true, s.describe(there, u)
}

// describe gives an account what a statement says of it.
func (s *Statement) describe(a *Account, u user) (err error) {
	if u.secret {
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
	for _, u := range s.users {
		a := set.Find(u.user, u.host)
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
		case a.Global().Has(Super) && !c.Actor.Global().Has(Super):
			return Needed("SUPER")
		}
		switch s.kind {
		case grants:
			a.change(s.Database, s.Table, func(p *Privileges) { *p |= s.privileges })
		case revokes:
			if s.Database != "" && !a.granted(s.Database, s.Table) {
				if s.Table != "" {
					return mysql.NewSQLError(1147, "42000",
						"There is no such grant defined for user '%s' on host '%s' on table '%s'",
						a.User, a.Host, s.Table)
				}
				return NoGrant(a.User, a.Host)
			}
			a.change(s.Database, s.Table, func(p *Privileges) { *p &^= s.privileges })
		case revokesAll:
			a.Privileges, a.Databases = 0, nil
		}
	}
	return nil
}

// granted reports whether anything is granted on just that level.
func (a *Account) granted(database, table string) bool {
	d := a.database(database)
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

// mayGrant checks whether one has what one gives or takes, and may hand it on.
func (s *Statement) mayGrant(c Circumstances) error {
	need := s.privileges | GrantOption
	switch {
	case s.kind == revokesAll:
		if !c.Actor.Global().Has(CreateUser) {
			return Needed("CREATE USER")
		}
	case s.Database == "" && !c.Actor.Global().Has(need):
		return mysql.NewSQLError(1045, "28000", "Access denied for user %s (using password: YES)", c.Actor.Spelled())
	case s.Database != "" && s.Table == "" && !c.Actor.OnDatabase(s.Database).Has(need):
		return DatabaseDenied(c.Actor, s.Database)
	case s.Table != "" && !c.Actor.OnTable(s.Database, s.Table).Has(need):
		return TableDenied(c.Actor, "GRANT", s.Table)
	}
	return nil
}

// DatabaseDenied is the error for who may do nothing with a database.
func DatabaseDenied(a *Account, database string) error {
	return mysql.NewSQLError(1044, "42000", "Access denied for user %s to database '%s'", a.Spelled(), database)
}

// TableDenied is the error for who may not do something with a table.
func TableDenied(a *Account, what, table string) error {
	return mysql.NewSQLError(1142, "42000", "%s command denied to user %s for table '%s'", what, a.Spelled(), table)
}

// Grants are the statements that give an account its privileges, as SHOW GRANTS lists them.
func (a *Account) Grants() []string {
	name := quoted(a.User) + "@" + quoted(a.Host)
	line := func(p, all Privileges, where string) string {
		what := strings.Join((p &^ GrantOption).Names(), ", ")
		switch {
		case p&^GrantOption == 0:
			what = "USAGE"
		case p.Has(all &^ GrantOption):
			what = "ALL PRIVILEGES"
		}
		text := "GRANT " + what + " ON " + where + " TO " + name
		if p.Has(GrantOption) {
			text += " WITH GRANT OPTION"
		}
		return text
	}
	out := []string{line(a.Privileges, onAll, "*.*")}
	for _, d := range a.Databases {
		if d.Privileges != 0 {
			out = append(out, line(d.Privileges, onDatabase, quoted(d.Name)+".*"))
		}
	}
	for _, d := range a.Databases {
		for _, t := range d.Tables {
			out = append(out, line(t.Privileges, onTable, quoted(d.Name)+"."+quoted(t.Name)))
		}
	}
	return out
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
