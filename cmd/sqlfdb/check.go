package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

func newCheck() *cobra.Command {
	var store string
	var repair bool
	cmd := &cobra.Command{
		Use:   "check [DB[.TABLE]|COLLECTION]",
		Short: "Prove that documents, entries, counts and changes agree, and make them agree",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			which := ""
			if len(args) > 0 {
				which = args[0]
			}
			if isBucket(store) {
				return checkBucket(cmd, store, which, collection.CheckOptions{Repair: repair})
			}
			opts := kvopen.Options{ReadOnly: true, TransactionLife: offlineLife}
			if repair {
				if !strings.HasPrefix(store, "pebble:") {
					return fmt.Errorf("check --repair: --store %q: others may write to it; want pebble:DIR", store)
				}
				opts = kvopen.Options{MustExist: true, AcceptLoss: true, TransactionLife: offlineLife,
					Logger: engineLog(cmd.ErrOrStderr())}
			}
			defer func() {
				if repair && errors.Is(err, kv.ErrDamaged) {
					err = fmt.Errorf("%w: this can't be repaired, restore a backup", err)
				}
			}()
			s, cat, err := openStore(cmd.Context(), store, opts)
			if err != nil {
				return err
			}
			defer func() {
				if closeErr := s.Close(); err == nil {
					err = closeErr
				}
			}()
			return check(cmd, s, cat, which, inspect(repair, s))
		},
	}
	cmd.Flags().StringVar(&store, "store", defaultStore, "the store, which no server may have open, or a bucket")
	cmd.Flags().BoolVar(&repair, "repair", false,
		"make entries, counts, revisions and changes anew from the documents where they disagree, and say what was changed; "+
			"a store whose logs lack commits is opened without them")
	return cmd
}

// inspection checks or repairs a collection, and reports the violations that it leaves.
type inspection func(cmd *cobra.Command, c *tables.Collection, r kv.Reader,
	report func(tables.Violation)) (tables.Summary, error)

func inspect(repair bool, s kv.Store) inspection {
	if !repair {
		return func(cmd *cobra.Command, c *tables.Collection, r kv.Reader, report func(tables.Violation)) (tables.Summary,
			error) {
			return c.Check(cmd.Context(), r, report)
		}
	}
	return func(cmd *cobra.Command, c *tables.Collection, _ kv.Reader, report func(tables.Violation)) (tables.Summary,
		error) {
		mended := 0
		sum, err := c.Repair(cmd.Context(), s, func(v tables.Violation) {
			mended++
			fmt.Fprintf(cmd.OutOrStdout(), "%s: repaired: %v\n", c.Definition(), v)
		}, report)
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d places repaired\n", c.Definition(), mended)
		return sum, err
	}
}

func check(cmd *cobra.Command, s kv.Store, cat *catalog.Catalog, which string, inspect inspection) error {
	tx, err := session.BeginCheck(cmd.Context(), s, cat)
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
		return fmt.Errorf("check: %w", err)
	}
	var violations int64
	for _, def := range defs {
		c, err := session.OpenCollection(cat, def)
		if err != nil {
			return err
		}
		if err := tx.Of(c); err != nil {
			return err
		}
		sum, err := inspect(cmd, c, tx.Snapshot(), func(v tables.Violation) {
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
		return nil, fmt.Errorf("unknown database %s", database)
	}
	if !one {
		return view.Tables(database), nil
	}
	def, ok := view.Table(database, table)
	if !ok {
		return nil, fmt.Errorf("unknown table %s", which)
	}
	return []*catalog.Table{def}, nil
}
