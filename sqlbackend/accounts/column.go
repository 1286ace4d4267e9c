package accounts

import (
	"slices"
	"strings"
)

// onColumn are the privileges that there are on a column.
const onColumn = Select | Insert | Update | References

// tableOf finds an account's privileges on one table; nil if it has none beyond the database's.
func (a *Account) tableOf(database, table string) *Table {
	if d := a.database(database); d != nil {
		return d.table(table)
	}
	return nil
}

// OnAnyColumn are the privileges that an account has on at least one column of a table.
func (a *Account) OnAnyColumn(database, table string) Privileges {
	var p Privileges
	if t := a.tableOf(database, table); t != nil {
		for _, c := range t.Columns {
			p |= c.Privileges
		}
	}
	return p
}

// OnColumn are an account's privileges on a column: granted on it, on a keypath above it, or on the table.
func (a *Account) OnColumn(database, table, column string) Privileges {
	p := a.OnTable(database, table)
	if t := a.tableOf(database, table); t != nil {
		for _, c := range t.Columns {
			if within(column, c.Name) {
				p |= c.Privileges
			}
		}
	}
	return p
}

// within reports whether a column is another one, or a keypath below it.
func within(column, of string) bool {
	if len(column) < len(of) || !strings.EqualFold(column[:len(of)], of) {
		return false
	}
	rest := column[len(of):]
	return rest == "" || rest[0] == '.' || rest[0] == '['
}

// changeColumn gives an account other privileges on a column.
func (a *Account) changeColumn(database, table, column string, change func(*Privileges)) {
	a.change(database, false, table, func(*Privileges) {
		t := a.tableOf(database, table)
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, column) })
		if i < 0 {
			t.Columns = append(t.Columns, Column{Name: column})
			i = len(t.Columns) - 1
		}
		if change(&t.Columns[i].Privileges); t.Columns[i].Privileges == 0 {
			t.Columns = slices.Delete(t.Columns, i, i+1)
		}
	})
}

// columnsText are the privileges on columns as GRANT spells them: each with its columns.
func (t *Table) columnsText() []string {
	var out []string
	for _, p := range []Privileges{Select, Insert, Update, References} {
		var list []string
		for _, c := range t.Columns {
			if c.Privileges.Has(p) {
				list = append(list, quoted(c.Name))
			}
		}
		if len(list) > 0 {
			out = append(out, p.Names()[0]+" ("+strings.Join(list, ", ")+")")
		}
	}
	return out
}
