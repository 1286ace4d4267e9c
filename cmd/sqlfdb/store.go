package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

const (
	defaultStore = "pebble:sqlfdb-data"
	defaultDSN   = "root@tcp(127.0.0.1:3306)/"
)

// openStore opens the store that --store names and its catalog.
func openStore(ctx context.Context, name string, opts storeOptions) (kv.Store, *catalog.Catalog, error) {
	engine, place, ok := strings.Cut(name, ":")
	if !ok || place == "" {
		return nil, nil, fmt.Errorf("--store %q: want pebble:DIR or fdb:CLUSTER_FILE", name)
	}
	switch engine {
	case "pebble":
	case "fdb":
		return nil, nil, fmt.Errorf("--store %q: this program was built without FoundationDB", name)
	default:
		return nil, nil, fmt.Errorf("--store %q: unknown engine %q; want pebble:DIR or fdb:CLUSTER_FILE", name, engine)
	}
	if opts.mustExist {
		if _, err := os.Stat(place); err != nil {
			return nil, nil, fmt.Errorf("--store %q: %w", name, err)
		}
	}
	store, err := pebblekv.Open(place, pebblekv.Options{MustExist: opts.mustExist, TransactionLife: opts.life})
	if err != nil {
		return nil, nil, err
	}
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	// What refuses a table says so when the table is used.
	if _, err := jobs.Reconcile(ctx, cat); err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return store, cat, nil
}

type storeOptions struct {
	mustExist bool
	life      time.Duration // of transactions; 0 takes the engine's default
}

// offlineLife lets a command that has the store to itself read all of it in one
// transaction.
const offlineLife = 7 * 24 * time.Hour

// splitTable cuts DB.TABLE.
func splitTable(name string) (database, table string, err error) {
	database, table, ok := strings.Cut(name, ".")
	if !ok || database == "" || table == "" {
		return "", "", fmt.Errorf("--table %q: want DB.TABLE", name)
	}
	return database, table, nil
}
