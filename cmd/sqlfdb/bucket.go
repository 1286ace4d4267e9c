package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// isBucket reports whether --store names a bucket, rather than a store of the server's.
func isBucket(name string) bool {
	return strings.Contains(name, "://") || strings.HasPrefix(name, "file:")
}

// openBucket opens a collection in a bucket.
func openBucket(ctx context.Context, address, name string) (*collection.Collection, error) {
	s, err := store.Open(address)
	if err != nil {
		return nil, err
	}
	return collection.Open(ctx, s, name, collection.Options{})
}

// openedBucket is openBucket for a collection that must be there.
func openedBucket(ctx context.Context, address, name string) (*collection.Collection, error) {
	s, err := store.Open(address)
	if err != nil {
		return nil, err
	}
	there, err := collection.Exists(ctx, s, name)
	if err != nil {
		return nil, err
	}
	if !there {
		return nil, fmt.Errorf("there is no collection %s in %s", name, s)
	}
	return collection.Open(ctx, s, name, collection.Options{})
}

func exportBucket(ctx context.Context, address, name string, to transfer.Encoder) (int64, error) {
	c, err := openedBucket(ctx, address, name)
	if err != nil {
		return 0, err
	}
	return transfer.ExportBucket(ctx, c, to)
}

// checkBucket checks a collection in a bucket, or all of them.
func checkBucket(cmd *cobra.Command, address, which string, o collection.CheckOptions) error {
	ctx := cmd.Context()
	names := []string{which}
	if which == "" {
		s, err := store.Open(address)
		if err != nil {
			return err
		}
		if names, err = collection.Names(ctx, s); err != nil {
			return err
		}
	}
	violations := 0
	for _, name := range names {
		c, err := openedBucket(ctx, address, name)
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
