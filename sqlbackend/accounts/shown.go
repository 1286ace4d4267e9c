package accounts

import (
	"slices"
	"strings"
)

// Grants are the statements that give an account its privileges and its roles, as SHOW GRANTS lists them.
func (a *Account) Grants(roles []Name, n Naming) []string {
	line := func(p, all Privileges, columns []string, where string) string {
		list := append((p &^ GrantOption).Names(), columns...)
		what := strings.Join(list, ", ")
		switch {
		case len(list) == 0:
			what = "USAGE"
		case p.Has(all &^ GrantOption):
			what = "ALL PRIVILEGES"
		}
		text := "GRANT " + what + " ON " + where + " TO " + n.account(a)
		if p.Has(GrantOption) {
			text += " WITH GRANT OPTION"
		}
		return text
	}
	out := []string{line(a.Privileges, onAll, nil, "*.*")}
	for _, d := range a.Databases {
		if d.Privileges != 0 {
			name := d.Name
			if !d.Pattern {
				name = strings.ReplaceAll(name, "%", `\%`)
			}
			out = append(out, line(d.Privileges, onDatabase, nil, quoted(name)+".*"))
		}
	}
	for _, d := range a.Databases {
		for _, t := range d.Tables {
			out = append(out, line(t.Privileges, onTable, t.columnsText(), quoted(d.Name)+"."+quoted(t.Name)))
		}
	}
	return append(out, a.memberships(roles, n)...)
}

// Creation is the statement that makes an account, as SHOW CREATE USER has it. MariaDB can read it too.
func (a *Account) Creation(n Naming) string {
	text := "CREATE USER " + a.Name().Quoted() + " IDENTIFIED WITH '" + a.Plugin + "'"
	if a.Hash != "" {
		text += " AS '" + strings.NewReplacer("\\", "\\\\", "'", "''").Replace(a.Hash) + "'"
	}
	if len(a.Default) > 0 && n == NamesWithHosts {
		text += " DEFAULT ROLE " + strings.Join(Quoted(a.Default), ",")
	}
	text += map[bool]string{true: " REQUIRE SSL", false: " REQUIRE NONE"}[a.RequireTLS]
	text += map[bool]string{true: " PASSWORD EXPIRE", false: " PASSWORD EXPIRE DEFAULT"}[a.Expired]
	return text + map[bool]string{true: " ACCOUNT LOCK", false: " ACCOUNT UNLOCK"}[a.Locked]
}

// Quoted are names with quotes, in their order.
func Quoted(list []Name) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Quoted())
	}
	slices.Sort(out)
	return out
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
