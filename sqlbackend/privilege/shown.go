package privilege

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Shown is the answer of SHOW GRANTS for one account.
type Shown struct {
	Title string
	Lines []string
}

// naming is how names of roles are shown: dump programs get names that MariaDB reads as
// well.
func naming(s *session.Session) accounts.Naming {
	if s.Dumping.On() {
		return accounts.NamesForDumps
	}
	return accounts.NamesWithHosts
}

// other is another account than one's own, whose owner may see all.
func other(s *session.Session, of accounts.Name) (*accounts.Account, error) {
	a, err := s.Login.Account()
	if err != nil {
		return nil, err
	}
	if !a.Global().Has(accounts.CreateUser) && !a.OnDatabase("mysql").Has(accounts.Select) {
		return nil, accounts.DatabaseDenied(a, "mysql")
	}
	set, err := s.Login.Accounts()
	if err != nil {
		return nil, err
	}
	if found := set.Role(of); found != nil {
		return found, nil
	}
	return nil, accounts.NoGrant(of.User, of.Host)
}

func nameOf(n *ast.AccountName) accounts.Name {
	if n.AnyHost || n.Host == "" {
		return accounts.Name{User: n.Name, Host: "%"}
	}
	return accounts.Name{User: n.Name, Host: n.Host}
}

// GrantsShown answers SHOW GRANTS. A user's own grants include the active roles' grants.
func GrantsShown(s *session.Session, show *ast.ShowGrants) (*Shown, error) {
	own, err := s.Login.OwnAccount()
	if err != nil {
		return nil, err
	}
	a, mandatory := own, session.MandatoryRoles()
	if show.For != nil && !show.CurrentUser {
		mandatory = nil
		if of := nameOf(show.For); !of.Is(own.Name()) {
			if a, err = other(s, of); err != nil {
				return nil, err
			}
		}
	}
	set, err := s.Login.Accounts()
	if err != nil {
		return nil, err
	}
	roles := set.RolesOf(a, mandatory)
	var use []accounts.Name
	for i := range show.Using {
		n := nameOf(&show.Using[i])
		if !n.Among(set.RolesOf(a, session.MandatoryRoles())) {
			return nil, accounts.NotGranted(n, a.Name())
		}
		use = append(use, n)
	}
	if a == own && len(use) == 0 && (show.For == nil || show.CurrentUser) {
		if use, err = s.Login.ActiveRoles(); err != nil {
			return nil, err
		}
	}
	return &Shown{"Grants for " + a.User + "@" + a.Host, set.With(a, use).Grants(roles, naming(s))}, nil
}

// showCreation is SHOW CREATE USER.
func showCreation(s *session.Session, of accounts.Name) (sql.RowIter, error) {
	own, err := s.Login.OwnAccount()
	if err != nil {
		return nil, err
	}
	a := own
	if !strings.EqualFold(of.User, "CURRENT_USER") && !of.Is(own.Name()) {
		if a, err = other(s, of); err != nil {
			return nil, err
		}
	}
	return sql.RowsToRowIter(sql.NewRow(a.Creation(naming(s)))), nil
}
