package accounts

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// newRoles parses the text behind CREATE ROLE. WITH ADMIN is MariaDB's: it names an account that may grant the roles
// to others.
func (p *parser) newRoles(s *Statement) error {
	if err := p.users(&s.roles, nil); err != nil {
		return err
	}
	for _, r := range s.roles {
		if r.current || r.user == "" {
			return p.syntax()
		}
	}
	if !p.word("WITH", "ADMIN") {
		return nil
	}
	admin, err := p.user()
	s.users = []user{admin}
	return err
}

// grantedRoles takes the rest of a GRANT or REVOKE if it is one of roles; nil if it is one of privileges.
func (p *parser) grantedRoles(s *Statement, to string) *Statement {
	from := p.at
	s.grantOption = s.kind == revokesRoles && p.word("ADMIN", "OPTION", "FOR")
	if p.users(&s.roles, nil) == nil && !s.oneIsPrivilege() && p.word(to) && p.users(&s.users, nil) == nil {
		if s.kind == grantsRoles {
			s.grantOption = p.word("WITH", "ADMIN", "OPTION")
		}
		if p.at.Kind == statement.TokenEnd || p.at.Is(p.text, ";") {
			return s
		}
	}
	p.at = from
	return nil
}

// oneIsPrivilege reports whether a role has the name of a privilege, of one word without quotes.
func (s *Statement) oneIsPrivilege() bool {
	for _, r := range s.roles {
		if _, is := privilegeOf(r.user); r.current || is && !r.quoted || strings.EqualFold(r.user, "ALL") && !r.quoted {
			return true
		}
	}
	return false
}

// chooses takes which of its roles an account is to use.
func (p *parser) chooses(s *Statement) error {
	switch {
	case p.word("NONE"):
		s.choice = choosesNone
		return nil
	case p.word("ALL"):
		s.choice = choosesAll
		if !p.word("EXCEPT") {
			return nil
		}
	}
	return p.users(&s.roles, nil)
}

// setDefault is SET DEFAULT ROLE, of MySQL with TO and accounts, of MariaDB with FOR and one, or for oneself.
func (p *parser) setDefault(s *Statement) (*Statement, error) {
	if err := p.chooses(s); err != nil {
		return nil, err
	}
	if s.choice == choosesAll && len(s.roles) > 0 {
		return nil, p.syntax()
	}
	if p.word("TO") || p.word("FOR") {
		return s, p.users(&s.users, nil)
	}
	s.users = []user{{current: true}}
	return s, nil
}

// via parses MariaDB's list of methods: the account gets the first that this server has.
func (p *parser) via(u *user) error {
	known := false
	var first string
	for {
		one := user{secret: true}
		name, ok := p.name(true)
		if !ok {
			return p.syntax()
		}
		if first == "" {
			first = name
		}
		one.plugin = strings.ToLower(name)
		there := one.plugin == Native || one.plugin == Sha2
		if p.word("USING") || p.word("AS") {
			if err := p.proof(&one, there); err != nil {
				return err
			}
		}
		if there && !known {
			u.secret, u.plugin, u.hashed, u.hashIn, u.password = true, one.plugin, one.hashed, one.hashIn, one.password
			known = true
		}
		if !p.word("OR") {
			break
		}
	}
	if !known {
		return mysql.NewSQLError(1524, "HY000", "Plugin '%s' is not loaded", first)
	}
	return nil
}

// proof parses the argument of a method in MariaDB's list: a hash, or a password. A method that this server lacks
// accepts any.
func (p *parser) proof(u *user, there bool) error {
	if p.word("PASSWORD", "(") {
		if p.at.Kind != statement.TokenString {
			return p.syntax()
		}
		u.password = unquoted(p.spelled())
		if p.next(); !p.word(")") {
			return p.syntax()
		}
		return nil
	}
	if there {
		return p.hash(u)
	}
	if p.at.Kind != statement.TokenString {
		return p.syntax()
	}
	p.next()
	return nil
}
