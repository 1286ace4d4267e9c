package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/tables"
)

func newCheck() *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "check [DB[.TABLE]]",
		Short: "Prove that documents, entries, counts and changes agree",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			s, cat, err := openStore(cmd.Context(), store, kvopen.Options{ReadOnly: true, TransactionLife: offlineLife})
			if err != nil {
				return err
			}
			defer func() {
				if closeErr := s.Close(); err == nil {
					err = closeErr
				}
			}()
			which := ""
			if len(args) > 0 {
				which = args[0]
			}
			return check(cmd, s, cat, which)
		},
	}
	cmd.Flags().StringVar(&store, "store", defaultStore, "the store, which no server may have open")
	return cmd
}

func check(cmd *cobra.Command, s kv.Store, cat *catalog.Catalog, which string) error {
	tx, err := s.Begin(cmd.Context(), kvSnapshot)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		return err
	}
	defs, err := chosenTables(view, which)
	if err != nil {
		return err
	}
	var violations int64
	for _, def := range defs {
		c, err := sqlbackend.OpenCollection(cat, def)
		if err != nil {
			return err
		}
		sum, err := c.Check(cmd.Context(), tx.Snapshot(), func(v tables.Violation) {
			if v.Misfit != nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: warning: %v\n", def, v)
				return
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %v\n", def, v)
		})
		if err != nil {
			return err
		}
		violations += sum.Violations
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d documents, %d entries, %d keypaths, %d changes, %d violations\n",
			def, sum.Documents, sum.Entries, sum.Keypaths, sum.Changes, sum.Violations)
	}
	if violations > 0 {
		return fmt.Errorf("check: %d violations", violations)
	}
	return nil
}

// chosenTables are the tables that DB, DB.TABLE or nothing names.
func chosenTables(view *catalog.View, which string) ([]*catalog.Table, error) {
	if which == "" {
		var all []*catalog.Table
		for _, d := range view.Databases() {
			all = append(all, view.Tables(d)...)
		}
		return all, nil
	}
	database, table, one := strings.Cut(which, ".")
	if _, _, ok := view.Database(database); !ok {
		return nil, fmt.Errorf("check: unknown database %s", database)
	}
	if !one {
		return view.Tables(database), nil
	}
	def, ok := view.Table(database, table)
	if !ok {
		return nil, fmt.Errorf("check: unknown table %s", which)
	}
	return []*catalog.Table{def}, nil
}
