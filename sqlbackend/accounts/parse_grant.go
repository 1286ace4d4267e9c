package accounts

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// grant takes a GRANT or REVOKE.
func (p *parser) grant(s *Statement, to string) (*Statement, error) {
	if err := p.granted(s); err != nil {
		return nil, err
	}
	if s.kind == revokes && s.all && p.word(to) { // REVOKE ALL PRIVILEGES, GRANT OPTION FROM u
		if !s.grantOption {
			return nil, p.syntax()
		}
		s.kind = revokesAll
		return s, p.users(&s.users, nil)
	}
	if !p.word("ON") {
		return nil, p.syntax()
	}
	if p.word("FUNCTION") || p.word("PROCEDURE") {
		return nil, mysqlerr.Unsupported("privileges on routines")
	}
	p.word("TABLE")
	if err := p.level(s); err != nil {
		return nil, err
	}
	if !p.word(to) {
		return nil, p.syntax()
	}
	identified := p.identified // MariaDB's GRANT makes accounts
	if s.kind == revokes {
		identified = nil
	}
	if err := p.users(&s.users, identified); err != nil {
		return nil, err
	}
	if s.kind == grants {
		p.tls(s)
	}
	if p.word("WITH") {
		if !p.word("GRANT", "OPTION") {
			return nil, p.syntax()
		}
		s.grantOption = true
	}
	if s.grantOption {
		s.privileges |= GrantOption
	}
	return s, nil
}

// onColumns takes the columns of a privilege.
func (p *parser) onColumns(s *Statement, privilege Privileges) error {
	p.next()
	g := columnGrant{privilege: privilege}
	for {
		name, ok := p.column()
		if !ok {
			return p.syntax()
		}
		if g.columns = append(g.columns, name); p.word(")") {
			break
		}
		if !p.word(",") {
			return p.syntax()
		}
	}
	s.columns = append(s.columns, g)
	return nil
}

// column takes the name of a column, or a keypath whose parts stand with dots between.
func (p *parser) column() (string, bool) {
	name, ok := p.name(false)
	for ok && p.word(".") {
		var part string
		part, ok = p.name(false)
		name += "." + part
	}
	return name, ok
}

// granted takes the privileges of a GRANT or REVOKE.
func (p *parser) granted(s *Statement) error {
	for {
		switch {
		case p.word("ALL"):
			p.word("PRIVILEGES")
			s.all = true
		case p.word("GRANT", "OPTION"):
			s.grantOption = true
		case p.word("USAGE"):
		case p.at.Is(p.text, "PROXY"):
			return mysqlerr.Unsupported("proxy users")
		default:
			var words []string
			for p.at.Kind == statement.TokenWord && !p.at.Is(p.text, "ON") && !p.at.Is(p.text, "TO") && !p.at.Is(p.text,
				"FROM") {
				words = append(words, p.spelled())
				p.next()
			}
			one, ok := privilegeOf(strings.Join(words, " "))
			switch {
			case !ok:
				return p.syntax()
			case p.at.Is(p.text, "("):
				if err := p.onColumns(s, one); err != nil {
					return err
				}
			default:
				s.privileges |= one
			}
		}
		if !p.word(",") {
			return nil
		}
	}
}

// level parses the level that privileges are granted on.
func (p *parser) level(s *Statement) error {
	star := p.word("*")
	name, named := "", false
	if !star {
		if name, named = p.name(false); !named {
			return p.syntax()
		}
	}
	if !p.word(".") {
		s.here, s.Table = true, name
		return s.fits()
	}
	s.Database = strings.NewReplacer(`\_`, "_", `\%`, "%").Replace(name)
	if p.word("*") {
		if s.pattern = wildcard(name, "%") >= 0; s.pattern {
			s.Database = name
		}
		return s.fits()
	}
	if star {
		return p.syntax()
	}
	if s.Table, named = p.name(false); !named {
		return p.syntax()
	}
	return s.fits()
}

// fits completes ALL, and refuses privileges that there are not on the level.
func (s *Statement) fits() error {
	level := on(s.Database, s.Table)
	switch {
	case s.Table != "":
		level = onTable
	case s.here:
		level = onDatabase
	}
	if s.all {
		s.privileges |= level
	}
	extra, wrong := s.privileges&^level, len(s.columns) > 0 && level != onTable
	for _, g := range s.columns {
		wrong = wrong || g.privilege&^onColumn != 0
	}
	if wrong || extra&^GrantOption != 0 {
		if wrong || level == onTable {
			return mysql.NewSQLError(1144, "42000",
				"Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used")
		}
		return mysql.NewSQLError(1221, "HY000", "Incorrect usage of DB GRANT and GLOBAL PRIVILEGES")
	}
	return nil
}
