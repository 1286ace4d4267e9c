package accounts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
)

// Set is the accounts of a store, as one record keeps them.
type Set struct {
	Accounts []Account
}

// Account is one account: a user's name, and where the user comes from.
type Account struct {
	User, Host string
	Plugin     string
	Hash       string     `json:",omitempty"` // of the password; empty is none
	Locked     bool       `json:",omitempty"`
	Expired    bool       `json:",omitempty"` // the password must be changed
	RequireTLS bool       `json:",omitempty"`
	Privileges Privileges `json:",omitempty"`
	Databases  []Database `json:",omitempty"`
	// Role: CREATE ROLE has made it. Others can be granted as roles, too.
	Role    bool         `json:",omitempty"`
	Roles   []Membership `json:",omitempty"`
	Default []Name       `json:",omitempty"` // the roles that are active from the log-in on

	parts []*Account // whose privileges With has put together; nil: the account's own alone
}

// Database has an account's privileges on a database and on its tables.
type Database struct {
	Name string
	// Pattern: the name is one of LIKE, and the privileges are on all databases that it matches.
	Pattern    bool       `json:",omitempty"`
	Privileges Privileges `json:",omitempty"`
	Tables     []Table    `json:",omitempty"`
}

// Table has an account's privileges on a table.
type Table struct {
	Name       string
	Privileges Privileges
	Columns    []Column `json:",omitempty"`
}

// Column has an account's privileges on a column: a keypath and all keypaths below it.
type Column struct {
	Name       string
	Privileges Privileges
}

// The methods by which passwords are checked.
const (
	Native = "mysql_native_password"
	Sha2   = "caching_sha2_password"
)

// RootUser is the account that is always there, from everywhere, and may do everything.
const RootUser = "root"

// Root is that account with the hash of its password.
func Root(hash string) *Account {
	return &Account{User: RootUser, Host: "%", Plugin: Native, Hash: hash, Privileges: onAll | GrantOption}
}

// IsRoot reports whether an account is the one that is always there.
func (a *Account) IsRoot() bool { return a.User == RootUser && a.Host == "%" }

// Decode reads a record; none is a set of no accounts.
func Decode(b []byte) (*Set, error) {
	s := &Set{}
	if len(b) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(b, s); err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	for i := range s.Accounts {
		if a := &s.Accounts[i]; a.IsRoot() {
			a.Privileges = onAll | GrantOption
		}
	}
	return s, nil
}

// Encode makes the record of a set: the accounts in their order.
func (s *Set) Encode() ([]byte, error) {
	slices.SortFunc(s.Accounts, func(a, b Account) int {
		return cmp.Or(strings.Compare(a.User, b.User), strings.Compare(a.Host, b.Host))
	})
	return json.Marshal(s)
}

// Clone is a copy that shares nothing.
func (s *Set) Clone() *Set {
	out := &Set{Accounts: slices.Clone(s.Accounts)}
	for i := range out.Accounts {
		a := &out.Accounts[i]
		a.Roles, a.Default, a.Databases = slices.Clone(a.Roles), slices.Clone(a.Default), slices.Clone(a.Databases)
		for j := range a.Databases {
			tables := slices.Clone(a.Databases[j].Tables)
			for k := range tables {
				tables[k].Columns = slices.Clone(tables[k].Columns)
			}
			a.Databases[j].Tables = tables
		}
	}
	return out
}

// Find is the account of a name; nil if there is none.
func (s *Set) Find(user, host string) *Account {
	for i := range s.Accounts {
		if a := &s.Accounts[i]; a.User == user && strings.EqualFold(a.Host, host) {
			return a
		}
	}
	return nil
}

// Client is a client that wants to connect: a name, and an address.
type Client struct {
	User, Address string
	Local         bool // from this machine
}

// For is the account that a client gets: the one with the narrowest host that fits. nil: there is none.
func (s *Set) For(c Client) *Account {
	var best *Account
	for i := range s.Accounts {
		a := &s.Accounts[i]
		if a.User != c.User || !c.from(a.Host) {
			continue
		}
		if best == nil || weight(a.Host) > weight(best.Host) {
			best = a
		}
	}
	return best
}

// weight is how narrow a host is; more is narrower.
func weight(host string) int {
	if i := wildcard(host, "%_"); i >= 0 {
		return i
	}
	if strings.Contains(host, "/") {
		return 1 << 10
	}
	return 1 << 20
}

// from reports whether a client's address is one of a host.
func (c Client) from(host string) bool {
	address := c.Address
	if c.Local && strings.EqualFold(host, "localhost") {
		return true
	}
	if at, mask, ok := strings.Cut(host, "/"); ok {
		ip, base := net.ParseIP(address), net.ParseIP(at)
		if ip == nil || base == nil {
			return false
		}
		if _, network, err := net.ParseCIDR(host); err == nil {
			return network.Contains(ip)
		}
		m := net.ParseIP(mask).To4()
		return m != nil && ip.To4() != nil && ip.Mask(net.IPMask(m)).Equal(base)
	}
	return like(strings.ToLower(host), strings.ToLower(address))
}

// wildcard is where the first of some wildcards stands in a pattern, without a backslash before it; below zero if none
// does.
func wildcard(pattern, wildcards string) int {
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case strings.IndexByte(wildcards, pattern[i]) >= 0:
			return i
		}
	}
	return -1
}

// like is LIKE. Its time is at most the product of the lengths.
func like(pattern, text string) bool {
	var afterMany, from string // the pattern behind the last %, and the text that it was last tried on
	many := false
	for {
		rest, c, literal := pattern, byte(0), false
		if rest != "" {
			if c, rest = rest[0], rest[1:]; c == '\\' && rest != "" {
				c, rest, literal = rest[0], rest[1:], true
			}
		}
		switch {
		case pattern == "" && text == "":
			return true
		case pattern != "" && c == '%' && !literal:
			pattern, afterMany, from, many = rest, rest, text, true
		case pattern != "" && text != "" && (c == text[0] || c == '_' && !literal):
			pattern, text = rest, text[1:]
		case many && from != "":
			from = from[1:]
			pattern, text = afterMany, from
		default:
			return false
		}
	}
}
