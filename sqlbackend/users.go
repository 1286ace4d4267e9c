package sqlbackend

import (
	"context"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// users are those that may connect: what the store says of them, and root, whose password may be the server's.
type users struct {
	given string // the hash of root's password; empty: the store says
	// Plugin is how passwords of accounts are kept whose statement does not say: see Options.
	plugin string

	mu      sync.Mutex
	version int64 // of the definitions that the set is of
	set     *accounts.Set
}

func newUsers(opts Options) (*users, error) {
	u := &users{plugin: accounts.Native}
	if opts.Encrypts {
		u.plugin = accounts.Sha2
	}
	var err error
	u.given, err = accounts.HashOf(accounts.Native, opts.RootPassword)
	return u, err
}

// in is the set that definitions have, with root in it. It is not to be changed.
func (u *users) in(view *catalog.View) (*accounts.Set, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.set != nil && u.version == view.Version() {
		return u.set, nil
	}
	set, err := u.decode(view)
	if err == nil {
		u.version, u.set = view.Version(), set
	}
	return set, err
}

// decode reads the set of definitions.
func (u *users) decode(view *catalog.View) (*accounts.Set, error) {
	set, err := accounts.Decode(view.Accounts())
	if err != nil {
		return nil, err
	}
	root := set.Find(accounts.RootUser, "%")
	if root == nil {
		set.Accounts = append(set.Accounts, *accounts.Root(""))
		root = &set.Accounts[len(set.Accounts)-1]
	}
	if u.given != "" {
		root.Plugin, root.Hash = accounts.Native, u.given
	}
	return set, nil
}

// Account is the account that a client gets; nil if there is none. Whether the password is right is not asked.
func (b *Backend) Account(ctx context.Context, client accounts.Client) (a *accounts.Account, err error) {
	err = kv.Transact(ctx, b.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		view, err := b.catalog.View(tx.Snapshot())
		if err != nil {
			return err
		}
		set, err := b.users.in(view)
		if err == nil {
			a = set.For(client)
		}
		return err
	})
	return a, err
}

// account is whose session it is. One that nobody has logged in for may do everything, as root may.
func (s *Session) account() (*accounts.Account, error) {
	c := s.Client()
	if !s.loggedIn || c.User == accounts.RootUser && c.Address == "%" {
		return accounts.Root(""), nil
	}
	view, err := s.definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	set, err := s.backend.users.in(view)
	if err != nil {
		return nil, err
	}
	if a := set.Find(c.User, c.Address); a != nil {
		return a, nil
	}
	return &accounts.Account{User: c.User, Host: c.Address}, nil // it has been dropped
}

// accountStatement is a statement that changes accounts.
type accountStatement struct{ *accounts.Statement }

var (
	_ ast.Injectable    = accountStatement{}
	_ sql.ExecSourceRel = accountStatement{}
)

// parseAccounts reads such a statement; rest is what follows it.
func parseAccounts(query string) (stmt ast.Statement, rest string, ok bool) {
	read, rest, ok, err := accounts.Parse(query)
	if !ok {
		return nil, "", false
	}
	if err != nil {
		return failing(err), "", true
	}
	return ast.InjectedStatement{Statement: accountStatement{read},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}, rest, true
}

// WithResolvedChildren implements ast.Injectable.
func (a accountStatement) WithResolvedChildren([]any) (any, error) { return a, nil }

// Resolved implements sql.Node.
func (accountStatement) Resolved() bool { return true }

// String implements sql.Node.
func (accountStatement) String() string { return "accounts" }

// Schema implements sql.Node.
func (accountStatement) Schema() sql.Schema { return types.OkResultSchema }

// Children implements sql.Node.
func (accountStatement) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (a accountStatement) WithChildren(...sql.Node) (sql.Node, error) { return a, nil }

// IsReadOnly implements sql.Node.
func (accountStatement) IsReadOnly() bool { return false }

// RowIter implements sql.ExecSourceRel.
func (a accountStatement) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	actor, err := s.account()
	if err != nil {
		return nil, err
	}
	users := s.backend.users
	err = changeDefinitions(ctx, func(c *catalog.Change) error {
		set, err := users.decode(c.View())
		if err != nil {
			return err
		}
		stored, err := accounts.Decode(c.View().Accounts())
		if err != nil {
			return err
		}
		err = a.Apply(set, accounts.Circumstances{
			Actor: actor, Plugin: users.plugin, Database: ctx.GetCurrentDatabase(), RootGiven: users.given != "",
			Exists: func(database, table string) bool { return s.exists(c.View(), database, table) },
			Note:   func(code int, text string) { s.Warn(&sql.Warning{Level: "Note", Code: code, Message: text}) },
		})
		if err != nil {
			return err
		}
		if users.given != "" { // the server's password is not the store's
			root := set.Find(accounts.RootUser, "%")
			root.Plugin, root.Hash = accounts.Native, ""
			if kept := stored.Find(accounts.RootUser, "%"); kept != nil {
				root.Plugin, root.Hash = kept.Plugin, kept.Hash
			}
		}
		record, err := set.Encode()
		if err == nil {
			c.PutAccounts(record)
		}
		return err
	})
	if err == nil {
		err = commitDefinitions(ctx)
	}
	if err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// exists reports whether there is a table of a name, a view, or a companion table.
func (s *Session) exists(view *catalog.View, database, name string) bool {
	if _, ok := view.Table(database, name); ok {
		return true
	}
	if _, ok := view.View(database, name); ok {
		return true
	}
	_, ok := companionBase(view, database, name)
	return ok
}

// showGrants is SHOW GRANTS, by a SELECT.
func (s *Session) showGrants(show *ast.ShowGrants) (string, error) {
	if len(show.Using) > 0 {
		return "", mysqlerr.Unsupported("roles")
	}
	a, err := s.account()
	if err != nil {
		return "", err
	}
	if of := show.For; of != nil && !show.CurrentUser {
		host := of.Host
		if of.AnyHost || host == "" {
			host = "%"
		}
		if !strings.EqualFold(of.Name, a.User) || host != a.Host {
			if !a.Global().Has(accounts.CreateUser) && !a.OnDatabase("mysql").Has(accounts.Select) {
				return "", accounts.DatabaseDenied(a, "mysql")
			}
			view, err := s.definitions()
			if err != nil {
				return "", s.SQLError(err)
			}
			set, err := s.backend.users.in(view)
			if err != nil {
				return "", err
			}
			if a = set.Find(of.Name, host); a == nil {
				return "", accounts.NoGrant(of.Name, host)
			}
		}
	}
	title := strings.ReplaceAll("Grants for "+a.User+"@"+a.Host, "`", "``")
	var text []string
	for _, g := range a.Grants() {
		text = append(text, "SELECT "+quoteText(g)+" AS `"+title+"`")
	}
	return strings.Join(text, " UNION ALL "), nil
}

// CheckAccounts makes the rights of each session those of its account. Without it, as where a program mounts the
// databases and knows its users itself, each has all. It is called before the first session begins.
func (b *Backend) CheckAccounts() { b.checksAccounts = true }
