package ddl

import (
	"cmp"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
)

// The privileges that our own statements need.
var (
	_ privilege.Needing = (*alterOption)(nil)
	_ privilege.Needing = (*renameTables)(nil)
	_ privilege.Needing = (*mapStatement)(nil)
)

// Needs implements privilege.Needing.
func (a *alterOption) Needs(current string) []accounts.Need {
	return []accounts.Need{{Privileges: accounts.Alter, Database: cmp.Or(a.database, current), Table: a.table,
		Command: "ALTER"}}
}

// Needs implements privilege.Needing.
func (r *renameTables) Needs(current string) (all []accounts.Need) {
	for _, one := range r.list {
		all = append(all, accounts.Need{Privileges: accounts.Alter | accounts.Drop, Command: "ALTER",
			Database: cmp.Or(one.From.Database, current), Table: one.From.Name})
		all = append(all, accounts.Need{Privileges: accounts.Create | accounts.Insert, Command: "CREATE",
			Database: cmp.Or(one.To.Database, current), Table: one.To.Name})
	}
	return all
}

// Needs implements privilege.Needing.
func (m *mapStatement) Needs(current string) []accounts.Need {
	p, command := m.need()
	return []accounts.Need{{Privileges: p, Database: cmp.Or(m.database, current), Table: m.table, Command: command}}
}
