package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/transfer"
)

type importFlags struct {
	table, dsn, store, format, id string
	maxErrors                     int64
}

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import --table DB.TABLE [--dsn DSN | --store STORE] FILE|-",
		Short: "Store the documents of a file of JSON lines or of one JSON array",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd, f, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.table, "table", "", "the table, DB.TABLE; made when it is not there")
	flags.StringVar(&f.dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&f.store, "store", "", "a store (an embedded one that no server has open), instead of --dsn")
	flags.StringVar(&f.format, "format", "", "jsonl or json; by default as the file looks")
	flags.StringVar(&f.id, "id", "_id", "the keypath that is the primary key of a table that is made")
	flags.Int64Var(&f.maxErrors, "max-errors", -1, "stop when more documents than this have been refused; -1 never stops")
	_ = cmd.MarkFlagRequired("table")
	return cmd
}

func runImport(cmd *cobra.Command, f importFlags, name string) (err error) {
	ctx := cmd.Context()
	database, table, err := splitTable(f.table)
	if err != nil {
		return err
	}
	format, err := transfer.ParseFormat(f.format)
	if err != nil {
		return err
	}
	if path, err := document.ParseKeypath(f.id); err != nil {
		return fmt.Errorf("--id %q: %w", f.id, err)
	} else if slices.ContainsFunc(path, func(s document.Step) bool { return s.Array }) {
		return fmt.Errorf("--id %q: a primary key can't lie in an array", f.id)
	}
	if cmd.Flags().Changed("dsn") && f.store != "" {
		return errors.New("--dsn and --store exclude each other")
	}
	in, size, err := openInput(cmd, name)
	if err != nil {
		return err
	}
	defer in.Close()
	src, err := transfer.NewSource(in, name, format)
	if err != nil {
		return fmt.Errorf("import %s: %w", name, err)
	}
	sink, closeSink, err := openSink(ctx, f, database, table)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := closeSink(); err == nil {
			err = closeErr
		}
	}()
	var p transfer.Progress
	show := newProgress(cmd.ErrOrStderr(), size, src, &p)
	err = transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{
		MaxErrors: f.maxErrors,
		Refused: func(r transfer.Refusal) {
			show.line(fmt.Sprintf("%s:%d: refused: %v", name, r.Line, r.Reason))
		},
	})
	show.end()
	took := max(time.Since(p.Began), time.Millisecond)
	fmt.Fprintf(cmd.OutOrStdout(), "%d documents stored in %s.%s (%s), %d refused, in %s (%.0f documents/s)\n",
		p.Stored.Load(), database, table, humanBytes(p.Bytes.Load()), p.Refused.Load(), took.Round(time.Millisecond), float64(p.Stored.Load())/took.Seconds())
	if err != nil {
		return fmt.Errorf("import %s: %w", name, err)
	}
	if p.Refused.Load() > 0 {
		return fmt.Errorf("import %s: %d documents were refused", name, p.Refused.Load())
	}
	return nil
}

// openInput opens a file, or standard input for "-"; size is -1 when unknown.
func openInput(cmd *cobra.Command, name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		return io.NopCloser(cmd.InOrStdin()), -1, nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := in.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, in.Close())
	}
	size := int64(-1)
	if info.Mode().IsRegular() {
		size = info.Size()
	}
	return in, size, nil
}

func openSink(ctx context.Context, f importFlags, database, table string) (transfer.Sink, func() error, error) {
	if f.store == "" {
		db, err := openDSN(f.dsn)
		if err != nil {
			return nil, nil, err
		}
		sink, err := transfer.NewServerSink(ctx, db, database, table, f.id)
		if err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
		return sink, db.Close, nil
	}
	store, cat, err := openStore(ctx, f.store, kvopen.Options{})
	if err != nil {
		return nil, nil, err
	}
	def, err := ensureTable(ctx, cat, database, table, f.id)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	sink, err := transfer.NewStoreSink(cat, def)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return sink, store.Close, nil
}

// openDSN returns a pool of connections to a running server.
func openDSN(dsn string) (*sql.DB, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("--dsn %q: %w", dsn, err)
	}
	// Parameters are put into the statement's text, which saves a round trip
	// for statements that run once.
	cfg.InterpolateParams = true
	// The driver logs lost connections; the command reports the error itself.
	cfg.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("--dsn %q: %w", dsn, err)
	}
	return sql.OpenDB(connector), nil
}

// ensureTable finds a table, or makes an open one keyed by the text at key.
func ensureTable(ctx context.Context, cat *catalog.Catalog, database, table, key string) (*catalog.Table, error) {
	find := func() (*catalog.Table, bool, error) {
		tx, err := cat.Store().Begin(ctx, kvSnapshot)
		if err != nil {
			return nil, false, err
		}
		defer tx.Cancel()
		view, err := cat.View(tx.Snapshot())
		if err != nil {
			return nil, false, err
		}
		def, ok := view.Table(database, table)
		return def, ok, nil
	}
	def, ok, err := find()
	if err != nil || ok {
		return def, err
	}
	if err := cat.CreateDatabase(ctx, database, ""); err != nil && !errors.Is(err, catalog.ErrDatabaseExists) {
		return nil, err
	}
	return cat.CreateTable(ctx, &catalog.Table{
		Database: database, Name: table, Open: true, DocumentColumn: 1,
		Columns:    []catalog.Column{{Name: key, Type: "varchar(255)", Length: 255}},
		PrimaryKey: []int{0},
	})
}
