package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// isBucket reports whether --store names a bucket.
func isBucket(name string) bool { return kvopen.IsBucket(name) }

// errInBucket is the error of commands that copy a store, for a store in a bucket.
var errInBucket = errors.New("the store is in a bucket, with all documents: copy the bucket itself")

// place is where a collection in a bucket is.
type place struct {
	address, collection string
	table               string // its name; a table of the server's definitions is called by its own
	defined             bool   // a definition names it, so there may be nothing there yet
}

// placesOf are the collections that which names; empty names all. In a bucket that holds a server's definitions they
// are its tables, DB.TABLE or all of DB, wherever they are. In any bucket they are folders.
func placesOf(ctx context.Context, address, which string) ([]place, error) {
	has, err := kvopen.HasStore(ctx, address)
	if err != nil {
		return nil, err
	}
	if has {
		places, err := tablesIn(ctx, address, which)
		if err != nil || len(places) > 0 || which == "" {
			return places, err
		}
	}
	if which != "" {
		return []place{{address: kvopen.Bucket(address), collection: which, table: which}}, nil
	}
	s, err := store.Open(kvopen.Bucket(address))
	if err != nil {
		return nil, err
	}
	names, err := collection.Names(ctx, s)
	if err != nil {
		return nil, err
	}
	var all []place
	for _, name := range names {
		all = append(all, place{address: kvopen.Bucket(address), collection: name, table: name})
	}
	return all, nil
}

// tablesIn are the tables of the definitions in a bucket. A name that is no database's, and has no dot, names none.
func tablesIn(ctx context.Context, address, which string) (places []place, err error) {
	s, cat, err := openStore(ctx, address, kvopen.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	tx, err := s.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return nil, err
	}
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		return nil, err
	}
	if _, _, ok := view.Database(which); !ok && which != "" && !strings.Contains(which, ".") {
		return nil, nil
	}
	defs, err := chosenTables(view, which)
	if err != nil {
		return nil, err
	}
	for _, def := range defs {
		if at := def.Bucket; at != nil {
			places = append(places, place{address: at.In(kvopen.Bucket(address)), collection: at.Collection,
				table: def.String(), defined: true})
		}
	}
	return places, nil
}

// placeOf is the one collection that a name stands for.
func placeOf(ctx context.Context, address, name string) (place, error) {
	places, err := placesOf(ctx, address, name)
	switch {
	case err != nil:
		return place{}, err
	case len(places) != 1:
		return place{}, fmt.Errorf("--table %q: want DB.TABLE", name)
	}
	return places[0], nil
}

// open opens the collection. With mustExist, a collection that no definition names must exist.
func (p place) open(ctx context.Context, mustExist bool) (*collection.Collection, error) {
	s, err := store.Open(p.address)
	if err != nil {
		return nil, err
	}
	if mustExist && !p.defined {
		there, err := collection.Exists(ctx, s, p.collection)
		if err != nil {
			return nil, err
		}
		if !there {
			return nil, fmt.Errorf("there is no collection %s in %s", p.collection, s)
		}
	}
	return collection.Open(ctx, s, p.collection, collection.Options{})
}

func exportBucket(ctx context.Context, address, name string, to transfer.Encoder) (int64, error) {
	at, err := placeOf(ctx, address, name)
	if err != nil {
		return 0, err
	}
	c, err := at.open(ctx, true)
	if err != nil {
		return 0, err
	}
	return transfer.ExportBucket(ctx, c, to)
}

// checkBucket checks a collection in a bucket, or all of them.
func checkBucket(cmd *cobra.Command, address, which string, o collection.CheckOptions) error {
	ctx := cmd.Context()
	places, err := placesOf(ctx, address, which)
	if err != nil {
		return err
	}
	violations := 0
	for _, at := range places {
		name := at.table
		c, err := at.open(ctx, true)
		if err != nil {
			return err
		}
		r, err := c.Check(ctx, o)
		if err == nil {
			err = c.Flush(ctx)
		}
		if err != nil {
			return fmt.Errorf("check: %s: %w", name, err)
		}
		for _, v := range r.Violations {
			fmt.Fprintln(cmd.OutOrStdout(), v)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d documents, %d indexes, %d entries, %d violations\n",
			name, r.Documents, len(c.Indexes()), r.Entries, len(r.Violations))
		violations += len(r.Violations)
	}
	switch {
	case violations > 0 && o.Repair:
		return fmt.Errorf("check: %d violations; entries are written as they should be: check again", violations)
	case violations > 0:
		return fmt.Errorf("check: %d violations", violations)
	}
	return nil
}
