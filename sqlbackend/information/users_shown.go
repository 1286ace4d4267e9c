package information

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// shownAccounts are the accounts that a session may know of: its own, or all where it may read the database mysql.
func shownAccounts(s *session.Session) ([]accounts.Account, error) {
	own, err := s.Login.Account()
	if err != nil {
		return nil, err
	}
	if !own.OnDatabase("mysql").Has(accounts.Select) {
		own, err := s.Login.OwnAccount()
		return []accounts.Account{*own}, err
	}
	set, err := s.Login.Accounts()
	if err != nil {
		return nil, err
	}
	return set.Accounts, nil
}

// privilegeColumns are the grant tables' columns whose names don't follow from the privilege's name.
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
func eachAccount(r *systemReading, visit func(*accounts.Account)) error {
	s, err := session.Of(r.ctx)
	if err != nil {
		return err
	}
	all, err := shownAccounts(s)
	for i := range all {
		visit(&all[i])
	}
	return err
}

// readUsers is mysql.user. How passwords are kept is not shown.
func readUsers(r *systemReading) error {
	return eachAccount(r, func(a *accounts.Account) {
		row := map[string]any{"Host": a.Host, "User": a.User, "plugin": a.Plugin, "authentication_string": "",
			"password_expired": yes(a.Expired), "account_locked": yes(a.Locked), "ssl_type": ""}
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

// readDatabaseUsers is mysql.db.
func readDatabaseUsers(r *systemReading) error {
	return eachAccount(r, func(a *accounts.Account) {
		for _, d := range a.Databases {
			if d.Privileges != 0 {
				row := map[string]any{"Host": a.Host, "User": a.User, "Db": d.Name}
				privilegesRow(r.schema, row, d.Privileges)
				r.row(row)
			}
		}
	})
}

// readAttributes fills USER_ATTRIBUTES.
func readAttributes(i *infoReading) error {
	all, err := shownAccounts(i.session)
	for _, a := range all {
		i.emit(a.User, a.Host, nil)
	}
	return err
}

// granted emits each privilege of the accounts that the session may know of: its place, and whether the account may
// grant it to others.
func granted(i *infoReading, emit func(of *accounts.Account, privilege func(p accounts.Privileges,
	place ...any))) error {
	all, err := shownAccounts(i.session)
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

// readUserPrivileges fills USER_PRIVILEGES.
func readUserPrivileges(i *infoReading) error {
	return granted(i, func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) { privilege(a.Privileges) })
}

// readSchemaPrivileges fills SCHEMA_PRIVILEGES.
func readSchemaPrivileges(i *infoReading) error {
	return granted(i, func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) {
		for _, d := range a.Databases {
			if d.Privileges != 0 {
				privilege(d.Privileges, d.Name)
			}
		}
	})
}

// readTablePrivileges fills TABLE_PRIVILEGES.
func readTablePrivileges(i *infoReading) error {
	return granted(i, func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) {
		for _, d := range a.Databases {
			for _, t := range d.Tables {
				privilege(t.Privileges, d.Name, t.Name)
			}
		}
	})
}
