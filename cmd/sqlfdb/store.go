package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

const (
	defaultStore = "pebble:sqlfdb-data"
	defaultDSN   = "root@tcp(127.0.0.1:3306)/"
)

// openStore opens the store that --store names and its catalog.
func openStore(ctx context.Context, name string, opts kvopen.Options) (kv.Store, *catalog.Catalog, error) {
	store, err := openKV(ctx, name, opts)
	if err != nil {
		return nil, nil, err
	}
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	// A refused table's error is returned when the table is used.
	if _, err := jobs.Reconcile(ctx, cat); err != nil && !errors.Is(err, kv.ErrReadOnly) {
		return nil, nil, errors.Join(err, store.Close())
	}
	return store, cat, nil
}

// openKV opens a store, and gives up when the command is to end: a disk may not answer.
func openKV(ctx context.Context, name string, opts kvopen.Options) (kv.Store, error) {
	type opened struct {
		store kv.Store
		err   error
	}
	done := make(chan opened, 1)
	go func() {
		store, err := kvopen.Open(name, opts)
		done <- opened{store, err}
	}()
	select {
	case o := <-done:
		return o.store, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("--store %q is still being opened: %w", name, ctx.Err())
	}
}

// engineLog is the commands' log of the engine's warnings and errors.
func engineLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// offlineLife lets a command that has the store to itself read all of it in one
// transaction.
const offlineLife = 7 * 24 * time.Hour

// splitTable cuts DB.TABLE. Either name may stand in backquotes, and must if the
// database's has a dot.
func splitTable(name string) (database, table string, err error) {
	database, table, ok := strings.Cut(name, ".")
	if strings.HasPrefix(database, "`") || strings.HasPrefix(table, "`") {
		database, table, ok = sqlbackend.SplitTableName(name)
	}
	if !ok || database == "" || table == "" {
		return "", "", fmt.Errorf("--table %q: want DB.TABLE", name)
	}
	return database, table, nil
}
