package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
)

// shownAccounts are the accounts that a session may know of: its own, or all where it may read the database mysql.
func (s *Session) shownAccounts() ([]accounts.Account, error) {
	own, err := s.account()
	if err != nil {
		return nil, err
	}
	if !own.OnDatabase("mysql").Has(accounts.Select) {
		return []accounts.Account{*own}, nil
	}
	view, err := s.definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	set, err := s.backend.users.in(view)
	if err != nil {
		return nil, err
	}
	return set.Accounts, nil
}

// privilegeColumns are those that the grant tables have otherwise than by a privilege's name.
var privilegeColumns = map[string]string{"CREATE TEMPORARY TABLES": "Create_tmp_table_priv",
	"GRANT OPTION":   "Grant_priv",
	"SHOW DATABASES": "Show_db_priv", "REPLICATION SLAVE": "Repl_slave_priv", "REPLICATION CLIENT": "Repl_client_priv"}

// privilegesRow gives a row of a grant table a Y or N in each column of a privilege.
func privilegesRow(schema sql.Schema, row map[string]any, p accounts.Privileges) {
	for _, c := range schema {
		if strings.HasSuffix(c.Name, "_priv") {
			row[c.Name] = "N"
		}
	}
	for _, name := range p.Names() {
		column := privilegeColumns[name]
		if column == "" {
			column = name[:1] + strings.ToLower(strings.ReplaceAll(name[1:], " ", "_")) + "_priv"
		}
		if _, ok := row[column]; ok {
			row[column] = "Y"
		}
	}
}

func yes(is bool) string {
	if is {
		return "Y"
	}
	return "N"
}

// eachAccount visits the accounts that the reading session may know of.
func (r *systemReading) eachAccount(visit func(*accounts.Account)) error {
	s, err := sessionOf(r.ctx)
	if err != nil {
		return err
	}
	all, err := s.shownAccounts()
	for i := range all {
		visit(&all[i])
	}
	return err
}

// users is mysql.user. How passwords are kept is not told.
func (r *systemReading) users() error {
	return r.eachAccount(func(a *accounts.Account) {
		row := map[string]any{"Host": a.Host, "User": a.User, "plugin": a.Plugin, "authentication_string": "",
			"password_expired": "N", "account_locked": yes(a.Locked), "ssl_type": ""}
		if a.Hash != "" {
			row["authentication_string"] = "*NOT SHOWN"
		}
		if a.RequireTLS {
			row["ssl_type"] = "ANY"
		}
		privilegesRow(r.schema, row, a.Privileges)
		r.row(row)
	})
}

// databaseUsers is mysql.db.
func (r *systemReading) databaseUsers() error {
	return r.eachAccount(func(a *accounts.Account) {
		for _, d := range a.Databases {
			if d.Privileges != 0 {
				row := map[string]any{"Host": a.Host, "User": a.User, "Db": d.Name}
				privilegesRow(r.schema, row, d.Privileges)
				r.row(row)
			}
		}
	})
}

// attributes fills USER_ATTRIBUTES.
func (i *infoReading) attributes() error {
	all, err := i.session.shownAccounts()
	for _, a := range all {
		i.emit(a.User, a.Host, nil)
	}
	return err
}

// granted tells of each privilege of the accounts that the session may know of: its place, and whether it may be
// handed on.
func (i *infoReading) granted(emit func(of *accounts.Account, privilege func(p accounts.Privileges,
	place ...any))) error {
	all, err := i.session.shownAccounts()
	for at := range all {
		a := &all[at]
		grantee := a.Spelled()
		emit(a, func(p accounts.Privileges, place ...any) {
			mayGrant := "NO"
			if p.Has(accounts.GrantOption) {
				mayGrant = "YES"
			}
			names := (p &^ accounts.GrantOption).Names()
			if len(names) == 0 {
				names = []string{"USAGE"}
			}
			for _, name := range names {
				row := append([]any{grantee, infoCatalog}, place...)
				i.emit(append(row, name, mayGrant)...)
			}
		})
	}
	return err
}

// userPrivileges fills USER_PRIVILEGES.
func (i *infoReading) userPrivileges() error {
	return i.granted(func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) { privilege(a.Privileges) })
}

// schemaPrivileges fills SCHEMA_PRIVILEGES.
func (i *infoReading) schemaPrivileges() error {
	return i.granted(func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) {
		for _, d := range a.Databases {
			if d.Privileges != 0 {
				privilege(d.Privileges, d.Name)
			}
		}
	})
}

// tablePrivileges fills TABLE_PRIVILEGES.
func (i *infoReading) tablePrivileges() error {
	return i.granted(func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) {
		for _, d := range a.Databases {
			for _, t := range d.Tables {
				privilege(t.Privileges, d.Name, t.Name)
			}
		}
	})
}
