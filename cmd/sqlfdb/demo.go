package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/demo"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/tables"
	"github.com/sqlfdb/sqlfdb/transfer"
)

func newDemo() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve sample collections, made on the first run, and print statements to try",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if isBucket(f.store) {
				return fmt.Errorf("demo: --store %s: the sample collections are not for a bucket; sqlfdb serve is", f.store)
			}
			if err := server.CheckAddress(f.listen, f.rootPassword); err != nil {
				return err
			}
			if err := errors.Join(f.divide(), f.openLog()); err != nil {
				return err
			}
			if err := errors.Join(probe(f.listen), f.checkConsole(), f.checkMetrics()); err != nil {
				return err
			}
			store, cat, err := openStore(ctx, f.store, f.engineOptions())
			if err != nil {
				return err
			}
			err = makeSamples(ctx, cmd, cat)
			if err == nil {
				err = serve(cmd, f, store, func(address, page string) { f.invite(address, page) })
			}
			return errors.Join(err, store.Close())
		},
	}
	f.register(cmd, "pebble:sqlfdb-demo", defaultConsole)
	return cmd
}

// makeSamples stores the sample collections that are not there yet. A collection that an
// interrupted run left behind is filled up.
func makeSamples(ctx context.Context, cmd *cobra.Command, cat *catalog.Catalog) error {
	for _, sample := range demo.Collections() {
		def, _, err := ensureTable(ctx, cat, demo.Database, sample.Name, "_id")
		if err != nil {
			return fmt.Errorf("demo: %w", err)
		}
		if def.Comment == samplesComplete {
			continue
		}
		began := time.Now()
		var made atomic.Int64
		fmt.Fprintf(cmd.OutOrStdout(), "making %s.%s: %d documents\n", demo.Database, sample.Name, sample.Documents)
		show := startProgress(cmd.ErrOrStderr(), int64(sample.Documents), made.Load,
			func() string { return fmt.Sprintf("%d documents", made.Load()) })
		err = fill(ctx, cat, def, sample, &made)
		show.end()
		if err != nil {
			return fmt.Errorf("demo: make %s: %w", sample.Name, err)
		}
		_, err = cat.AlterTable(ctx, demo.Database, sample.Name, func(t *catalog.Table) error {
			t.Comment = samplesComplete
			return nil
		})
		if err != nil {
			return fmt.Errorf("demo: %w", err)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "made %s.%s: %d documents in %.1f s\n", demo.Database, sample.Name, sample.Documents,
			time.Since(began).Seconds())
	}
	return nil
}

// samplesComplete is the comment of a sample table whose documents are all there.
const samplesComplete = "sample data"

// fillBatch is how many documents are made at a time.
const fillBatch = 500

// fill makes a collection's documents and counts them.
func fill(ctx context.Context, cat *catalog.Catalog, def *catalog.Table, sample demo.Collection,
	made *atomic.Int64) error {
	for from := 0; from < sample.Documents; from += fillBatch {
		var batch []document.Document
		for i := from; i < min(from+fillBatch, sample.Documents); i++ {
			d, err := sample.Document(i)
			if err != nil {
				return err
			}
			batch = append(batch, d)
		}
		var refused error
		err := transfer.InsertAll(ctx, cat, def, batch, func(_ int, reason error) {
			if !errors.Is(reason, tables.ErrDuplicate) {
				refused = errors.Join(refused, reason)
			}
		})
		if err := errors.Join(err, refused); err != nil {
			return err
		}
		made.Add(int64(len(batch)))
	}
	return nil
}

// invite prints how to connect, what to try, and last where the page is.
func (f *serveFlags) invite(address, page string) {
	out := f.cmd.OutOrStdout()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return
	}
	fmt.Fprintf(out, "\nConnect with any MySQL client:\n\n  mysql -h %s -P %s -u root %s\n", host, port, demo.Database)
	fmt.Fprintf(out, "  go run ./cmd/sqlfdb sql -h %s -P %s %s\n\nand try:\n", host, port, demo.Database)
	for _, s := range demo.Statements() {
		fmt.Fprintf(out, "\n  -- %s\n  %s;\n", s.What, s.SQL)
	}
	fmt.Fprintf(out, "\nThe server is at %s. Ctrl-C stops it; the data stays.\n", address)
	if page == "" {
		return
	}
	as := "as root, without a password"
	if f.rootPassword != "" {
		as = "as root, with its password"
	}
	fmt.Fprintf(out, "To look at it in a browser, log in %s:\n\n  %s\n", as, page)
}
