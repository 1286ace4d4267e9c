package accounts

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// kind is the kind of a statement.
type kind uint8

const (
	creates kind = iota
	alters
	drops
	renames
	grants
	revokes
	revokesAll
	createsRoles
	dropsRoles
	grantsRoles
	revokesRoles
	setsRoles
	setsDefaults
	showsCreation
)

// choice says which of its roles an account is to use.
type choice uint8

const (
	choosesNamed choice = iota
	choosesNone
	choosesAll // all but the named ones
	choosesDefault
)

// columnGrant is a privilege on columns, as a statement names it.
type columnGrant struct {
	privilege Privileges
	columns   []string
}

// Statement changes accounts.
type Statement struct {
	kind        kind
	tolerates   bool // IF EXISTS, IF NOT EXISTS
	users       []user
	to          []user // of a RENAME
	requireTLS  *bool
	locked      *bool
	expires     bool
	privileges  Privileges
	all         bool // ALL PRIVILEGES
	grantOption bool // or the one to hand a role on
	columns     []columnGrant
	roles       []user
	choice      choice
	hasDefaults bool // DEFAULT ROLE of an account
	// Database and Table are where privileges are granted; empty is everywhere, and in all of the database.
	Database, Table string
	here            bool // no database is named: the current one
	pattern         bool // Database is a pattern of names
}

// user is an account that a statement names.
type user struct {
	user, host string
	current    bool // CURRENT_USER
	quoted     bool
	// secret: the statement has a password or another means to log in.
	secret, hashed           bool
	plugin, password, hashIn string
}

// parser reads a statement's tokens.
type parser struct {
	text string
	at   statement.Token
}

func (p *parser) next() { p.at = statement.NextToken(p.text, p.at.End) }

// word takes a word or a symbol, if it comes next.
func (p *parser) word(words ...string) bool {
	from := p.at
	for _, w := range words {
		if !p.at.Is(p.text, w) {
			p.at = from
			return false
		}
		p.next()
	}
	return true
}

func (p *parser) spelled() string { return p.text[p.at.Start:p.at.End] }

func (p *parser) syntax() error {
	near := p.text[p.at.Start:]
	return mysql.NewSQLError(1064, "42000", "You have an error in your SQL syntax near '%s'", near[:min(len(near), 80)])
}

// unquoted is a quoted text without its quotes.
func unquoted(text string) string {
	if len(text) < 2 {
		return text
	}
	quote := text[:1]
	body := strings.ReplaceAll(text[1:len(text)-1], quote+quote, quote)
	if quote == "`" || !strings.Contains(body, `\`) {
		return body
	}
	var out strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' && i+1 < len(body) {
			i++
			switch c := body[i]; c {
			case 'n', 't', 'r', '0', 'b', 'Z':
				out.WriteByte(map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '0': 0, 'b': '\b', 'Z': 26}[c])
				continue
			case '%', '_': // LIKE's, which keep theirs
				out.WriteByte('\\')
			}
		}
		out.WriteByte(body[i])
	}
	return out.String()
}

// name takes a name: a word, or in quotes of any kind, without a zero byte.
func (p *parser) name(texts bool) (string, bool) {
	text := p.spelled()
	switch {
	case p.at.Kind == statement.TokenQuoted, texts && p.at.Kind == statement.TokenString:
		if text = unquoted(text); strings.IndexByte(text, 0) >= 0 {
			return "", false
		}
	case p.at.Kind != statement.TokenWord || text[0] == '@' || text[0] == ':':
		return "", false
	}
	p.next()
	return text, true
}

// Parse reads a statement at the beginning of a text; rest is what follows it. ok is false if the statement is not
// about accounts.
func Parse(text string) (s *Statement, rest string, ok bool, err error) {
	p := &parser{text: opened(text)}
	p.next()
	s, err = p.statement()
	if s == nil && err == nil {
		return nil, "", false, nil
	}
	if err == nil && !p.word(";") && p.at.Kind != statement.TokenEnd {
		err = p.syntax()
	}
	if err != nil {
		return nil, "", true, err
	}
	return s, text[p.at.Start:], true, nil
}

func (p *parser) statement() (*Statement, error) {
	switch {
	case p.word("CREATE", "ROLE"):
		s := &Statement{kind: createsRoles, tolerates: p.word("IF", "NOT", "EXISTS")}
		return s, p.newRoles(s)
	case p.word("DROP", "ROLE"):
		s := &Statement{kind: dropsRoles, tolerates: p.word("IF", "EXISTS")}
		return s, p.users(&s.users, nil)
	case p.word("SET", "ROLE"):
		s := &Statement{kind: setsRoles}
		if p.word("DEFAULT") {
			s.choice = choosesDefault
			return s, nil
		}
		return s, p.chooses(s)
	case p.word("SHOW", "CREATE", "USER"):
		u := user{current: true}
		var err error
		if p.at.Kind != statement.TokenEnd && !p.at.Is(p.text, ";") {
			u, err = p.user()
		}
		return &Statement{kind: showsCreation, users: []user{u}}, err
	case p.word("SET", "DEFAULT", "ROLE"):
		return p.setDefault(&Statement{kind: setsDefaults})
	case p.word("CREATE", "USER"):
		s := &Statement{kind: creates, tolerates: p.word("IF", "NOT", "EXISTS")}
		return s, p.described(s)
	case p.word("ALTER", "USER"):
		s := &Statement{kind: alters, tolerates: p.word("IF", "EXISTS")}
		return s, p.described(s)
	case p.word("DROP", "USER"):
		s := &Statement{kind: drops, tolerates: p.word("IF", "EXISTS")}
		return s, p.users(&s.users, nil)
	case p.word("RENAME", "USER"):
		s := &Statement{kind: renames}
		return s, p.users(&s.users, func(*user) error {
			if !p.word("TO") {
				return p.syntax()
			}
			to, err := p.user()
			s.to = append(s.to, to)
			return err
		})
	case p.word("SET", "PASSWORD"):
		return p.setPassword()
	case p.word("GRANT"):
		if s := p.grantedRoles(&Statement{kind: grantsRoles}, "TO"); s != nil {
			return s, nil
		}
		return p.grant(&Statement{kind: grants}, "TO")
	case p.word("REVOKE"):
		if p.word("IF") {
			return nil, mysqlerr.Unsupported("REVOKE IF EXISTS")
		}
		if s := p.grantedRoles(&Statement{kind: revokesRoles}, "FROM"); s != nil {
			return s, nil
		}
		return p.grant(&Statement{kind: revokes}, "FROM")
	}
	return nil, nil
}

// users parses accounts with commas between; more parses the text that follows each.
func (p *parser) users(out *[]user, more func(*user) error) error {
	for {
		u, err := p.user()
		if err == nil && more != nil {
			err = more(&u)
		}
		if err != nil {
			return err
		}
		*out = append(*out, u)
		if !p.word(",") {
			return nil
		}
	}
}

// user takes an account's name.
func (p *parser) user() (user, error) {
	if p.word("CURRENT_USER") || p.word("USER") {
		if p.word("(") && !p.word(")") {
			return user{}, p.syntax()
		}
		return user{current: true}, nil
	}
	u := user{host: "%", quoted: p.at.Kind != statement.TokenWord}
	var ok bool
	if u.user, ok = p.name(true); !ok {
		return u, p.syntax()
	}
	switch text := p.spelled(); {
	case p.at.Kind != statement.TokenWord || text[0] != '@':
	case len(text) > 1:
		u.host = text[1:]
		p.next()
	default:
		p.next()
		if u.host, ok = p.name(true); !ok {
			return u, p.syntax()
		}
	}
	if len(u.user) > 32 || len(u.host) > 255 {
		return u, mysql.NewSQLError(1470, "HY000",
			"String '%s' is too long for user name (should be no longer than 32)", u.user)
	}
	return u, nil
}

// described parses the accounts of a CREATE USER or ALTER USER, and their options.
func (p *parser) described(s *Statement) error {
	if err := p.users(&s.users, p.identified); err != nil {
		return err
	}
	yes, no := true, false
	for {
		switch {
		case p.tls(s):
		case p.word("ACCOUNT", "LOCK"):
			s.locked = &yes
		case p.word("ACCOUNT", "UNLOCK"):
			s.locked = &no
		case p.word("PASSWORD", "EXPIRE", "INTERVAL"):
			return mysqlerr.Unsupported("passwords that expire by themselves")
		case p.word("PASSWORD", "EXPIRE", "NEVER"), p.word("PASSWORD", "EXPIRE", "DEFAULT"),
			p.word("PASSWORD", "HISTORY", "DEFAULT"), p.word("PASSWORD", "REUSE", "INTERVAL", "DEFAULT"),
			p.word("PASSWORD", "REQUIRE", "CURRENT", "DEFAULT"): // as SHOW CREATE USER says it
		case p.word("PASSWORD", "EXPIRE"):
			s.expires = true
		case p.word("DEFAULT", "ROLE"):
			s.hasDefaults = true
			if err := p.chooses(s); err != nil {
				return err
			}
		case p.at.Is(p.text, "REQUIRE"), p.at.Is(p.text, "WITH"), p.at.Is(p.text, "PASSWORD"), p.at.Is(p.text, "COMMENT"),
			p.at.Is(p.text, "ATTRIBUTE"), p.at.Is(p.text, "FAILED_LOGIN_ATTEMPTS"), p.at.Is(p.text, "PASSWORD_LOCK_TIME"):
			return mysqlerr.Unsupported("%s of an account, but for REQUIRE SSL", strings.ToUpper(p.spelled()))
		default:
			return nil
		}
	}
}

// tls parses the requirements on an account's connections.
func (p *parser) tls(s *Statement) bool {
	required := p.word("REQUIRE", "SSL")
	if !required && !p.word("REQUIRE", "NONE") {
		return false
	}
	s.requireTLS = &required
	return true
}

// identified parses the IDENTIFIED clause of an account.
func (p *parser) identified(u *user) error {
	if !p.word("IDENTIFIED") {
		return nil
	}
	u.secret = true
	if p.word("VIA") {
		return p.via(u)
	}
	if p.word("WITH") {
		var ok bool
		if u.plugin, ok = p.name(true); !ok {
			return p.syntax()
		}
		if u.plugin = strings.ToLower(u.plugin); u.plugin != Native && u.plugin != Sha2 {
			return mysql.NewSQLError(1524, "HY000", "Plugin '%s' is not loaded", u.plugin)
		}
		if p.word("AS") {
			return p.hash(u)
		}
		if !p.at.Is(p.text, "BY") {
			return nil
		}
	}
	if !p.word("BY") {
		return p.syntax()
	}
	if p.at.Is(p.text, "RANDOM") {
		return mysqlerr.Unsupported("IDENTIFIED BY RANDOM PASSWORD")
	}
	if u.plugin == "" && p.word("PASSWORD") { // as MariaDB's dumps of users say
		u.plugin = Native
		return p.hash(u)
	}
	if p.at.Kind != statement.TokenString {
		return p.syntax()
	}
	u.password = unquoted(p.spelled())
	p.next()
	if p.at.Is(p.text, "REPLACE") || p.at.Is(p.text, "RETAIN") {
		return mysqlerr.Unsupported("%s of a password", strings.ToUpper(p.spelled()))
	}
	return nil
}

// hash parses the hash of an account's password, in the form of its plugin.
func (p *parser) hash(u *user) error {
	if p.at.Kind != statement.TokenString {
		return p.syntax()
	}
	u.hashed, u.hashIn = true, unquoted(p.spelled())
	p.next()
	if !validHash(u.plugin, u.hashIn) && u.hashIn != "" {
		return mysql.NewSQLError(1827, "HY000", "The password hash doesn't have the expected format.")
	}
	return nil
}

// setPassword is SET PASSWORD [FOR user] = 'x', which is an ALTER USER.
func (p *parser) setPassword() (*Statement, error) {
	u := user{current: true}
	if p.word("FOR") {
		var err error
		if u, err = p.user(); err != nil {
			return nil, err
		}
	}
	if !p.word("=") {
		return nil, p.syntax()
	}
	call := p.word("PASSWORD", "(")
	if p.at.Kind != statement.TokenString {
		return nil, p.syntax()
	}
	u.secret, u.password = true, unquoted(p.spelled())
	p.next()
	if call && !p.word(")") {
		return nil, p.syntax()
	}
	return &Statement{kind: alters, users: []user{u}}, nil
}
