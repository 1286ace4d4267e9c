package information

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Here are the system's tables of roles, and of privileges on tables and columns.

// readRoleEdges is mysql.role_edges: the roles of each account.
func readRoleEdges(r *systemReading) error {
	return eachAccount(r, func(a *accounts.Account) {
		for _, m := range a.Roles {
			r.row(map[string]any{"FROM_HOST": m.Host, "FROM_USER": m.User, "TO_HOST": a.Host, "TO_USER": a.User,
				"WITH_ADMIN_OPTION": yes(m.Admin)})
		}
	})
}

// readDefaultRoles is mysql.default_roles.
func readDefaultRoles(r *systemReading) error {
	return eachAccount(r, func(a *accounts.Account) {
		for _, n := range a.Default {
			r.row(map[string]any{"HOST": a.Host, "USER": a.User, "DEFAULT_ROLE_HOST": n.Host, "DEFAULT_ROLE_USER": n.User})
		}
	})
}

// members are the names of privileges as the sets of the grant tables spell them.
func members(p accounts.Privileges) string {
	var out []string
	for _, name := range p.Names() {
		switch name {
		case "GRANT OPTION":
			name = "Grant"
		case "CREATE VIEW":
			name = "Create View"
		default:
			name = name[:1] + strings.ToLower(name[1:])
		}
		out = append(out, name)
	}
	return strings.Join(out, ",")
}

// The members of the sets of privileges on tables, and on columns.
var (
	onTables = []string{"Select", "Insert", "Update", "Delete", "Create", "Drop", "Grant", "References", "Index", "Alter",
		"Create View", "Show view", "Trigger"}
	onColumns = []string{"Select", "Insert", "Update", "References"}
)

// privilegeSet is a value of the columns that have privileges as a set.
func privilegeSet(i *infoReading, p accounts.Privileges, all []string) any {
	set := types.MustCreateSetType(all, sql.Collation_Information_Schema_Default)
	v, _, err := set.Convert(i.ctx, members(p))
	if err != nil {
		return uint64(0)
	}
	return v
}

// eachGrant visits the privileges on tables that the reading session may know of.
func eachGrant(r *systemReading, visit func(row map[string]any, t *accounts.Table)) error {
	return eachAccount(r, func(a *accounts.Account) {
		for _, d := range a.Databases {
			for i := range d.Tables {
				visit(map[string]any{"Host": a.Host, "User": a.User, "Db": d.Name, "Table_name": d.Tables[i].Name},
					&d.Tables[i])
			}
		}
	})
}

// readTableGrants is mysql.tables_priv.
func readTableGrants(r *systemReading) error {
	return eachGrant(r, func(row map[string]any, t *accounts.Table) {
		var columns accounts.Privileges
		for _, c := range t.Columns {
			columns |= c.Privileges
		}
		row["Table_priv"], row["Column_priv"] = members(t.Privileges), members(columns)
		r.row(row)
	})
}

// readColumnGrants is mysql.columns_priv.
func readColumnGrants(r *systemReading) error {
	return eachGrant(r, func(row map[string]any, t *accounts.Table) {
		for _, c := range t.Columns {
			row["Column_name"], row["Column_priv"] = c.Name, members(c.Privileges)
			r.row(row)
		}
	})
}

// readColumnPrivileges fills COLUMN_PRIVILEGES.
func readColumnPrivileges(i *infoReading) error {
	return granted(i, func(a *accounts.Account, privilege func(accounts.Privileges, ...any)) {
		for _, d := range a.Databases {
			for _, t := range d.Tables {
				for _, c := range t.Columns {
					privilege(c.Privileges|t.Privileges&accounts.GrantOption, d.Name, t.Name, c.Name)
				}
			}
		}
	})
}

// yesNo is a truth value in the words of the standard's tables.
func yesNo(is bool) string {
	if is {
		return "YES"
	}
	return "NO"
}

// ownRoles are a session's own account and, after it, the roles that it may use, with the roles granted to these.
func ownRoles(s *session.Session) (own *accounts.Account, set *accounts.Set, has []*accounts.Account, err error) {
	if own, err = s.Login.OwnAccount(); err != nil {
		return nil, nil, nil, err
	}
	if set, err = s.Login.Accounts(); err != nil {
		return nil, nil, nil, err
	}
	return own, set, append([]*accounts.Account{own}, set.Reached(set.RolesOf(own, session.MandatoryRoles()))...), nil
}

// applicable emits the roles that a session may use, each with the account that has it. only selects among them: all,
// or the roles that the session may grant to others.
func applicable(only func(accounts.Membership) bool) func(*infoReading) error {
	return func(i *infoReading) error {
		own, set, has, err := ownRoles(i.session)
		if err != nil {
			return err
		}
		mandatory := session.MandatoryRoles()
		for _, a := range has {
			var all []accounts.Name
			if all = set.RolesOf(a, nil); a == own {
				all = set.RolesOf(a, mandatory)
			}
			for _, n := range all {
				m := accounts.Membership{Name: n}
				for _, had := range a.Roles {
					if had.Is(n) {
						m = had
					}
				}
				if only(m) {
					i.emit(own.User, own.Host, a.User, a.Host, n.User, n.Host, yesNo(m.Admin), yesNo(n.Among(own.Default)),
						yesNo(n.Among(mandatory)))
				}
			}
		}
		return nil
	}
}

var (
	readApplicable    = applicable(func(accounts.Membership) bool { return true })
	readAdministrable = applicable(func(m accounts.Membership) bool { return m.Admin })
)

// activeRoles are the active roles of a session, with the roles granted to these.
func activeRoles(s *session.Session) ([]*accounts.Account, error) {
	active, err := s.Login.ActiveRoles()
	if err != nil {
		return nil, err
	}
	set, err := s.Login.Accounts()
	if err != nil {
		return nil, err
	}
	return set.Reached(active), nil
}

// readEnabled fills ENABLED_ROLES.
func readEnabled(i *infoReading) error {
	own, err := i.session.Login.OwnAccount()
	if err != nil {
		return err
	}
	roles, err := activeRoles(i.session)
	for _, a := range roles {
		i.emit(a.User, a.Host, yesNo(a.Name().Among(own.Default)), yesNo(a.Name().Among(session.MandatoryRoles())))
	}
	return err
}

// readRoleTables fills ROLE_TABLE_GRANTS.
func readRoleTables(i *infoReading) error {
	return eachRoleGrant(i, func(a *accounts.Account, database string, t *accounts.Table) {
		if p := t.Privileges &^ accounts.GrantOption; p != 0 {
			i.emit(nil, nil, a.User, a.Host, infoCatalog, database, t.Name, privilegeSet(i, p, onTables),
				yesNo(t.Privileges.Has(accounts.GrantOption)))
		}
	})
}

// readRoleColumns fills ROLE_COLUMN_GRANTS.
func readRoleColumns(i *infoReading) error {
	return eachRoleGrant(i, func(a *accounts.Account, database string, t *accounts.Table) {
		for _, c := range t.Columns {
			i.emit(nil, nil, a.User, a.Host, infoCatalog, database, t.Name, c.Name, privilegeSet(i, c.Privileges, onColumns),
				yesNo(t.Privileges.Has(accounts.GrantOption)))
		}
	})
}

// eachRoleGrant visits the privileges on tables of the active roles.
func eachRoleGrant(i *infoReading, visit func(a *accounts.Account, database string, t *accounts.Table)) error {
	roles, err := activeRoles(i.session)
	for _, a := range roles {
		for _, d := range a.Databases {
			for k := range d.Tables {
				visit(a, d.Name, &d.Tables[k])
			}
		}
	}
	return err
}
