package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// kvSnapshot are the options of a transaction that only reads.
var kvSnapshot = kv.TransactionOptions{NoReadYourWrites: true, Hold: true}

func newExport() *cobra.Command {
	var table, dsn, store string
	cmd := &cobra.Command{
		Use:   "export --table DB.TABLE [--dsn DSN | --store STORE] [FILE|-]",
		Short: "Write a collection's documents as JSON lines",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			database, name, err := splitTable(table)
			if err != nil {
				return err
			}
			out := io.Writer(cmd.OutOrStdout())
			if len(args) > 0 && args[0] != "-" {
				f := &lateFile{name: args[0]}
				defer func() {
					if closeErr := f.close(err == nil); err == nil {
						err = closeErr
					}
				}()
				out = f
			}
			var n int64
			if store == "" {
				n, err = exportServer(cmd, dsn, database, name, out)
			} else {
				n, err = exportStore(cmd, store, database, name, out)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d documents written\n", n)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&table, "table", "", "the table, DB.TABLE")
	flags.StringVar(&dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&store, "store", "", "a store (an embedded one that no server has open), instead of --dsn")
	_ = cmd.MarkFlagRequired("table")
	return cmd
}

func exportServer(cmd *cobra.Command, dsn, database, name string, out io.Writer) (int64, error) {
	db, err := openDSN(dsn)
	if err != nil {
		return 0, err
	}
	n, versions, err := transfer.ExportServer(cmd.Context(), db, database, name, out)
	if versions > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "read at %d versions: a document that was changed meanwhile is as it was at one of them\n", versions)
	}
	return n, errors.Join(err, db.Close())
}

func exportStore(cmd *cobra.Command, store, database, name string, out io.Writer) (n int64, err error) {
	ctx := cmd.Context()
	s, cat, err := openStore(ctx, store, kvopen.Options{ReadOnly: true, TransactionLife: offlineLife})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	tx, err := s.Begin(ctx, kvSnapshot)
	if err != nil {
		return 0, err
	}
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		return 0, err
	}
	def, ok := view.Table(database, name)
	if !ok {
		return 0, fmt.Errorf("export: unknown table %s.%s", database, name)
	}
	c, err := sqlbackend.OpenCollection(cat, def)
	if err != nil {
		return 0, err
	}
	return transfer.ExportStore(ctx, c, tx.Snapshot(), out)
}

// lateFile makes its file at the first write, so that an export that can't
// begin leaves what is there alone.
type lateFile struct {
	name string
	f    *os.File
}

func (l *lateFile) Write(p []byte) (int, error) {
	if err := l.open(); err != nil {
		return 0, err
	}
	return l.f.Write(p)
}

func (l *lateFile) open() (err error) {
	if l.f == nil {
		l.f, err = os.Create(l.name)
	}
	return err
}

// close closes the file; a complete one is made even when nothing was written.
func (l *lateFile) close(complete bool) error {
	if complete {
		if err := l.open(); err != nil {
			return err
		}
	}
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
