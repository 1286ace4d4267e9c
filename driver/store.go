package driver

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
)

// stores are those that the program has open, by their names. One that is being opened or closed holds the mutex: who
// wants it waits.
var stores = struct {
	sync.Mutex
	open map[string]*shared
}{open: map[string]*shared{}}

// shared is a store with those who use it.
type shared struct {
	name   string
	users  int
	store  kv.Store
	server *server.Server
}

// use is the use that one sql.DB makes of a store.
type use struct {
	mu   sync.Mutex
	of   *shared
	over bool
}

// errClosed: the sql.DB has been closed.
var errClosed = errors.New("sqlfdb: the database has been closed")

// server opens the store, if nobody has.
func (u *use) server(ctx context.Context, name string, opts kvopen.Options) (*server.Server, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.over:
		return nil, errClosed
	case u.of != nil:
		return u.of.server, nil
	}
	name, err := spelled(name)
	if err != nil {
		return nil, err
	}
	stores.Lock()
	defer stores.Unlock()
	s := stores.open[name]
	if s == nil {
		if s, err = open(ctx, name, opts); err != nil {
			return nil, err
		}
		stores.open[name] = s
	}
	s.users++
	u.of = s
	return s.server, nil
}

// transactionLife is how long a transaction lives: as in a server.
const transactionLife = time.Minute

func open(ctx context.Context, name string, opts kvopen.Options) (*shared, error) {
	opts.TransactionLife = transactionLife
	store, err := kvopen.Open(name, opts)
	if err != nil {
		return nil, fmt.Errorf("sqlfdb: %w", err)
	}
	// The first connection's context is not that of all others.
	s, err := server.Start(context.WithoutCancel(ctx), store, server.Options{Bucket: kvopen.Bucket(name)})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlfdb: %w", err), store.Close())
	}
	return &shared{name: name, store: store, server: s}, nil
}

// spelled is the one spelling of a store's name.
func spelled(name string) (string, error) {
	if kvopen.IsBucket(name) {
		return name, nil
	}
	engine, place, ok := strings.Cut(name, ":")
	if !ok {
		return name, nil // which no engine opens
	}
	place, err := filepath.Abs(place)
	if err != nil {
		return "", err
	}
	if whole, err := filepath.EvalSymlinks(place); err == nil {
		place = whole
	} else if parent, err := filepath.EvalSymlinks(filepath.Dir(place)); err == nil {
		place = filepath.Join(parent, filepath.Base(place)) // it is yet to be made
	}
	return engine + ":" + place, nil
}

// end closes the store, if nobody else uses it.
func (u *use) end() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	if u.of == nil {
		return nil
	}
	s := u.of
	u.of = nil
	stores.Lock()
	defer stores.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	delete(stores.open, s.name)
	return errors.Join(s.server.Close(context.Background()), s.store.Close())
}
