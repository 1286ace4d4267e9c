package sqlbackend

import (
	"context"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

func newUsers(opts Options) (*session.Users, error) {
	u := &session.Users{Plugin: accounts.Native}
	if opts.Encrypts {
		u.Plugin = accounts.Sha2
	}
	var err error
	u.Given, err = accounts.HashOf(accounts.Native, opts.RootPassword)
	return u, err
}

// Account is the account that a client gets; nil if there is none. The password is not checked.
func (b *Backend) Account(ctx context.Context, client accounts.Client) (a *accounts.Account, err error) {
	err = kv.Transact(ctx, b.Store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		view, err := b.Instance.Catalog.View(tx.Snapshot())
		if err != nil {
			return err
		}
		set, err := b.Users.In(view)
		if err == nil {
			a = set.For(client)
		}
		return err
	})
	return a, err
}

// CheckAccounts gives each session the rights of its account. Without it, as where a program mounts the
// databases and knows its users itself, each has all. It is called before the first session begins.
func (b *Backend) CheckAccounts() { b.checksAccounts = true }

// MayBackUp reports, by an error, whether a connection's account may copy the whole store.
func (b *Backend) MayBackUp(connection uint32) error {
	s, ok := b.Session(connection)
	if !ok {
		return accounts.Needed("BACKUP_ADMIN")
	}
	a, err := s.Login.Account()
	if err != nil || a.IsRoot() || a.Global().Has(accounts.BackupAdmin) {
		return err
	}
	return accounts.Needed("BACKUP_ADMIN")
}

// MayUse reports, by an error, whether a connection's account may know of a database that it wants to use.
func (b *Backend) MayUse(connection uint32, database string) error {
	s, ok := b.Session(connection)
	if !ok || database == "" {
		return nil
	}
	a, err := s.Login.Account()
	if err != nil || a.IsRoot() || privilege.SeesDatabase(a, database) {
		return err
	}
	return accounts.DatabaseDenied(a, database)
}
