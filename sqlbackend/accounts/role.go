package accounts

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
)

// Name is the name of an account or a role.
type Name struct{ User, Host string }

// Membership is a role that an account has.
type Membership struct {
	Name
	Admin bool `json:",omitempty"` // it may be handed on
}

// Name is the account's name.
func (a *Account) Name() Name { return Name{a.User, a.Host} }

// Is reports whether two names are of the same account.
func (n Name) Is(other Name) bool {
	return n.User == other.User && strings.EqualFold(n.Host, other.Host)
}

// Quoted is a name as statements of roles have it.
func (n Name) Quoted() string { return quoted(n.User) + "@" + quoted(n.Host) }

// Among reports whether a name is in a list.
func (n Name) Among(list []Name) bool { return slices.ContainsFunc(list, n.Is) }

// Names reads a list of roles, as the variable mandatory_roles has it. ok is false if the text is no such list.
func Names(text string) (list []Name, ok bool) {
	if strings.TrimSpace(text) == "" {
		return nil, true
	}
	p := &parser{text: text}
	p.next()
	var read []user
	if err := p.users(&read, nil); err != nil || p.at.Start < len(text) {
		return nil, false
	}
	for _, u := range read {
		if u.current || u.user == "" {
			return nil, false
		}
		list = append(list, u.name())
	}
	return list, true
}

func (u user) name() Name { return Name{u.user, u.host} }

// Role finds a role by its name; nil if there is none.
func (s *Set) Role(n Name) *Account { return s.Find(n.User, n.Host) }

// RolesOf are the roles that an account may use: the ones granted to it, and the mandatory ones.
func (s *Set) RolesOf(a *Account, mandatory []Name) []Name {
	var out []Name
	for _, m := range a.Roles {
		if s.Role(m.Name) != nil {
			out = append(out, m.Name)
		}
	}
	for _, n := range mandatory {
		if !n.Among(out) && !n.Is(a.Name()) && s.Role(n) != nil {
			out = append(out, n)
		}
	}
	return out
}

// Reached are the accounts of some names and, through the roles that they have, all others whose privileges they have.
func (s *Set) Reached(from []Name) []*Account {
	var out []*Account
	for todo := slices.Clone(from); len(todo) > 0; todo = todo[1:] {
		a := s.Role(todo[0])
		if a == nil || slices.Contains(out, a) {
			continue
		}
		out = append(out, a)
		for _, m := range a.Roles {
			todo = append(todo, m.Name)
		}
	}
	return out
}

// above reports whether an account or role may do everything, by itself or through roles, active or not, while the
// actor may not and is another one.
func (s *Set) above(n Name, actor *Account) bool {
	return !actor.Global().Has(Super) && !n.Is(actor.Name()) &&
		slices.ContainsFunc(s.Reached([]Name{n}), func(a *Account) bool { return a.Global().Has(Super) })
}

// With is a copy of an account with the privileges of active roles, and of the roles granted to these.
func (s *Set) With(a *Account, active []Name) *Account {
	if len(active) == 0 {
		return a
	}
	all := (&Set{Accounts: []Account{*a}}).Clone()
	out := &all.Accounts[0]
	out.Roles = slices.Clone(a.Roles)
	reached := s.Reached(active)
	out.parts = append([]*Account{a}, reached...)
	for _, role := range reached {
		out.add(role)
	}
	return out
}

// add gives an account a role's privileges.
func (a *Account) add(role *Account) {
	a.Privileges |= role.Privileges
	a.Roles = append(a.Roles, role.Roles...)
	for _, d := range role.Databases {
		if d.Privileges != 0 {
			a.change(d.Name, d.Pattern, "", func(p *Privileges) { *p |= d.Privileges })
		}
		for _, t := range d.Tables {
			if t.Privileges != 0 {
				a.change(d.Name, false, t.Name, func(p *Privileges) { *p |= t.Privileges })
			}
			for _, c := range t.Columns {
				a.changeColumn(d.Name, t.Name, c.Name, func(p *Privileges) { *p |= c.Privileges })
			}
		}
	}
}

// mayHandOn reports whether an account may grant a role to others.
func (a *Account) mayHandOn(role Name) bool {
	return a.Privileges&(Super|RoleAdmin) != 0 || slices.ContainsFunc(a.Roles, func(m Membership) bool {
		return m.Admin && m.Is(role)
	})
}

// member finds an account's membership in a role; nil if it was not granted.
func (a *Account) member(role Name) *Membership {
	i := slices.IndexFunc(a.Roles, func(m Membership) bool { return m.Is(role) })
	if i < 0 {
		return nil
	}
	return &a.Roles[i]
}

// join gives an account a role.
func (a *Account) join(role Name, admin *bool) {
	m := a.member(role)
	if m == nil {
		a.Roles = append(a.Roles, Membership{Name: role})
		m = &a.Roles[len(a.Roles)-1]
	}
	m.Admin = m.Admin || admin != nil && *admin
}

// leave takes a role away from an account.
func (a *Account) leave(role Name) {
	a.Roles = slices.DeleteFunc(a.Roles, func(m Membership) bool { return m.Is(role) })
	a.Default = slices.DeleteFunc(a.Default, role.Is)
}

// The errors of roles, with MySQL's numbers.

func unknownRole(n Name) error {
	return mysql.NewSQLError(3523, "HY000", "Unknown authorization ID %s", n.Quoted())
}

// NotGranted is the error for a role that was not granted to an account.
func NotGranted(role, to Name) error {
	return mysql.NewSQLError(3530, "HY000", "%s is not granted to %s", role.Quoted(), to.Quoted())
}

func mandatoryRole(n Name) error {
	return mysql.NewSQLError(3628, "HY000", "The role %s is a mandatory role and can't be revoked or dropped. "+
		"The restriction can be lifted by excluding the role identifier from the global variable mandatory_roles.",
		n.Quoted())
}

// rolesIn gives roles to accounts, or takes them away.
func (s *Statement) rolesIn(set *Set, c Circumstances) error {
	for _, u := range append(slices.Clone(s.users), s.roles...) {
		if set.Role(u.name()) == nil {
			return unknownRole(u.name())
		}
	}
	for _, r := range s.roles {
		switch {
		case !c.Actor.mayHandOn(r.name()):
			return Needed("WITH ADMIN, ROLE_ADMIN, SUPER")
		case s.kind == grantsRoles && set.above(r.name(), c.Actor):
			return Needed("SUPER")
		case s.kind == revokesRoles && r.name().Among(c.Mandatory):
			return mandatoryRole(r.name())
		}
		for _, u := range s.users {
			a := set.Role(u.name())
			switch {
			case s.kind == revokesRoles && s.grantOption:
				if m := a.member(r.name()); m != nil {
					m.Admin = false
				}
			case s.kind == revokesRoles:
				a.leave(r.name())
			case slices.Contains(set.Reached([]Name{r.name()}), a):
				return mysql.NewSQLError(4027, "HY000", "User account %s is directly or indirectly granted to the role %s. "+
					"The GRANT would create a loop", u.name().Quoted(), r.name().Quoted())
			default:
				a.join(r.name(), &s.grantOption)
			}
		}
	}
	return nil
}

// chosen are the roles that a statement names, among the roles that the account may use.
func (s *Statement) chosen(set *Set, a *Account, mandatory []Name) ([]Name, error) {
	all := set.RolesOf(a, mandatory)
	var named []Name
	for _, r := range s.roles {
		named = append(named, r.name())
	}
	switch s.choice {
	case choosesAll:
		return slices.DeleteFunc(all, func(n Name) bool { return n.Among(named) }), nil
	case choosesNone:
		return nil, nil
	case choosesDefault:
		named = a.Default
	}
	for _, n := range named {
		if !n.Among(all) {
			return nil, NotGranted(n, a.Name())
		}
	}
	return named, nil
}

// SetsRoles reports whether a statement is SET ROLE, which changes the session and no account.
func (s *Statement) SetsRoles() bool { return s.kind == setsRoles }

// Chosen are the roles that a SET ROLE makes active for an account.
func (s *Statement) Chosen(set *Set, a *Account, mandatory []Name) ([]Name, error) {
	return s.chosen(set, a, mandatory)
}

// Shows is whom a SHOW CREATE USER is about; CURRENT_USER without a host is oneself.
func (s *Statement) Shows() (Name, bool) {
	if s.kind != showsCreation {
		return Name{}, false
	}
	if u := s.users[0]; !u.current {
		return u.name(), true
	}
	return Name{User: "CURRENT_USER"}, true
}

// defaultsIn chooses which roles are active for an account when it logs in.
func (s *Statement) defaultsIn(set *Set, c Circumstances) error {
	for _, u := range s.users {
		a := set.Find(u.user, u.host)
		switch own := u.name().Is(c.Actor.Name()); {
		case !own && !c.Actor.Global().Has(CreateUser) && !c.Actor.OnTable("mysql", "default_roles").Has(Update):
			return Needed("CREATE USER")
		case a == nil:
			return unknownRole(u.name())
		}
		list, err := s.chosen(set, a, c.Mandatory)
		if err != nil {
			return err
		}
		a.Default = list
	}
	return nil
}

// forgetRole takes an account that is dropped away from all that had it as a role.
func (s *Set) forgetRole(n Name) {
	for i := range s.Accounts {
		s.Accounts[i].leave(n)
	}
}

// isRole reports whether an account is a role: it was made as one, or was granted to an account.
func (s *Set) isRole(a *Account) bool {
	return a.Role || slices.ContainsFunc(s.Accounts, func(other Account) bool { return other.member(a.Name()) != nil })
}

// memberships are the statements that give an account its roles.
func (a *Account) memberships(roles []Name, n Naming) []string {
	var plain, admin []string
	for _, r := range roles {
		if m := a.member(r); m != nil && m.Admin {
			admin = append(admin, n.role(r))
		} else {
			plain = append(plain, n.role(r))
		}
	}
	var out []string
	line := func(list []string, more string) {
		if len(list) > 0 && n == NamesForDumps {
			for _, one := range list {
				out = append(out, "GRANT "+one+" TO "+n.account(a)+more)
			}
		} else if len(list) > 0 {
			out = append(out, "GRANT "+strings.Join(list, ",")+" TO "+n.account(a)+more)
		}
	}
	line(plain, "")
	line(admin, " WITH ADMIN OPTION")
	return out
}

// Naming is the way in which shown statements name roles.
type Naming uint8

const (
	// NamesWithHosts are MySQL's: a role has a host.
	NamesWithHosts Naming = iota
	// NamesForDumps are read by MySQL and by MariaDB, whose roles have no host: '%' is left out.
	NamesForDumps
)

func (n Naming) role(name Name) string {
	if n == NamesForDumps && name.Host == "%" {
		return quoted(name.User)
	}
	return name.Quoted()
}

func (n Naming) account(a *Account) string {
	if a.Role {
		return n.role(a.Name())
	}
	return a.Name().Quoted()
}
