package accounts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Privileges is a set of privileges.
type Privileges uint64

// The privileges that are checked somewhere. MySQL's others can be granted, and mean nothing here.
const (
	Select Privileges = 1 << iota
	Insert
	Update
	Delete
	Create
	Drop
	References
	Index
	Alter
	CreateView
	ShowView
	Trigger
	CreateTemporary
	LockTables
	Execute
	CreateRoutine
	AlterRoutine
	Event
	GrantOption
	Reload
	Process
	File
	ShowDatabases
	Super
	CreateUser
	Shutdown
	ReplicationClient
	ReplicationSlave
	CreateTablespace
	CreateRole
	DropRole
	ConnectionAdmin
	VariablesAdmin
	SessionVariablesAdmin
	BackupAdmin
	RoleAdmin
	end
)

// The privileges that there are on a table, on a database, and on everything.
const (
	onTable    = Trigger<<1 - 1
	onDatabase = Event<<1 - 1
	onAll      = (end - 1) &^ GrantOption
)

// privilegeNames are the privileges as statements spell them, in the order in which they are shown. The ones with
// underscores, at the end, are MySQL's dynamic privileges.
var privilegeNames = []string{"SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER",
	"CREATE VIEW", "SHOW VIEW", "TRIGGER", "CREATE TEMPORARY TABLES", "LOCK TABLES", "EXECUTE", "CREATE ROUTINE",
	"ALTER ROUTINE", "EVENT", "GRANT OPTION", "RELOAD", "PROCESS", "FILE", "SHOW DATABASES", "SUPER", "CREATE USER",
	"SHUTDOWN", "REPLICATION CLIENT", "REPLICATION SLAVE", "CREATE TABLESPACE", "CREATE ROLE", "DROP ROLE",
	"CONNECTION_ADMIN", "SYSTEM_VARIABLES_ADMIN", "SESSION_VARIABLES_ADMIN", "BACKUP_ADMIN", "ROLE_ADMIN"}

// Has reports whether a set has all privileges of another.
func (p Privileges) Has(all Privileges) bool { return p&all == all }

// Names are the privileges of a set.
func (p Privileges) Names() []string {
	var out []string
	for i, name := range privilegeNames {
		if p&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// privilegeOf is the privilege of a name, in any case.
func privilegeOf(name string) (Privileges, bool) {
	name = strings.ToUpper(name)
	i := slices.Index(privilegeNames, name)
	return 1 << max(i, 0), i >= 0
}

// MarshalJSON implements json.Marshaler. It writes the names, which keep their meaning when privileges are added.
func (p Privileges) MarshalJSON() ([]byte, error) { return json.Marshal(p.Names()) }

// UnmarshalJSON implements json.Unmarshaler.
func (p *Privileges) UnmarshalJSON(b []byte) error {
	var all []string
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*p = 0
	for _, name := range all {
		one, ok := privilegeOf(name)
		if !ok {
			return fmt.Errorf("accounts: unknown privilege %q", name)
		}
		*p |= one
	}
	return nil
}

// on are the privileges that exist on a level.
func on(database, table string) Privileges {
	switch {
	case database == "":
		return onAll
	case table == "":
		return onDatabase
	}
	return onTable
}

// Global are the privileges that an account has everywhere.
func (a *Account) Global() Privileges { return a.Privileges }

// OnDatabase are the privileges that an account has on a whole database.
func (a *Account) OnDatabase(database string) Privileges {
	parts := a.parts
	if parts == nil {
		parts = []*Account{a}
	}
	p := a.Privileges
	for _, part := range parts {
		if d := part.narrowest(database); d != nil {
			p |= d.Privileges
		}
	}
	return p
}

// narrowest is the entry that decides an account's privileges on a whole database: the one of its name, or else the
// pattern with the most characters before its first wildcard.
func (a *Account) narrowest(name string) *Database {
	if d := a.database(name); d != nil && d.Privileges != 0 {
		return d
	}
	var best *Database
	for i := range a.Databases {
		d := &a.Databases[i]
		if d.Pattern && like(strings.ToLower(d.Name), strings.ToLower(name)) &&
			(best == nil || weight(d.Name) > weight(best.Name)) {
			best = d
		}
	}
	return best
}

// OnTable are the privileges that an account has on a table.
func (a *Account) OnTable(database, table string) Privileges {
	p := a.OnDatabase(database)
	if d := a.database(database); d != nil {
		if t := d.table(table); t != nil {
			p |= t.Privileges
		}
	}
	return p
}

// SeesDatabase reports whether an account may know of a database: it may do something with it, or with a table in it.
func (a *Account) SeesDatabase(database string) bool {
	d := a.database(database)
	return a.OnDatabase(database)&(onDatabase|ShowDatabases|Super) != 0 || d != nil && len(d.Tables) > 0
}

// SeesTable reports whether an account may know of a table.
func (a *Account) SeesTable(database, table string) bool {
	return (a.OnTable(database, table)|a.OnAnyColumn(database, table))&(onTable|Super) != 0
}

func (a *Account) database(name string) *Database { return a.level(name, false) }

// level is an account's entry for exactly this database name or pattern; nil if there is none.
func (a *Account) level(name string, pattern bool) *Database {
	for i := range a.Databases {
		if a.Databases[i].Pattern == pattern && strings.EqualFold(a.Databases[i].Name, name) {
			return &a.Databases[i]
		}
	}
	return nil
}

func (d *Database) table(name string) *Table {
	for i := range d.Tables {
		if strings.EqualFold(d.Tables[i].Name, name) {
			return &d.Tables[i]
		}
	}
	return nil
}

// change gives an account other privileges on a level; levels without privileges are dropped then.
func (a *Account) change(database string, pattern bool, table string, change func(*Privileges)) {
	if database == "" {
		change(&a.Privileges)
		return
	}
	d := a.level(database, pattern)
	if d == nil {
		a.Databases = append(a.Databases, Database{Name: database, Pattern: pattern})
		d = &a.Databases[len(a.Databases)-1]
	}
	if table == "" {
		change(&d.Privileges)
	} else {
		t := d.table(table)
		if t == nil {
			d.Tables = append(d.Tables, Table{Name: table})
			t = &d.Tables[len(d.Tables)-1]
		}
		change(&t.Privileges)
	}
	a.prune(d)
}

// prune drops databases and tables without privileges.
func (a *Account) prune(d *Database) {
	d.Tables = slices.DeleteFunc(d.Tables, func(t Table) bool { return t.Privileges == 0 && len(t.Columns) == 0 })
	a.Databases = slices.DeleteFunc(a.Databases, func(d Database) bool {
		return d.Privileges == 0 &&
			len(d.Tables) == 0
	})
}
