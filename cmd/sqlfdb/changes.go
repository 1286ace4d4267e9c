package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/transfer"
)

func newChanges() *cobra.Command {
	var table, dsn string
	var since transfer.Place
	var follow bool
	cmd := &cobra.Command{
		Use:   "changes --table DB.TABLE [--dsn DSN] [--since SEQ [--collection N]] [--follow]",
		Short: "Write a collection's changes as JSON lines, in the order of their commits",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			database, name, err := splitTable(table)
			if err != nil {
				return err
			}
			db, err := openDSN(dsn)
			if err != nil {
				return err
			}
			last, err := transfer.Follow(cmd.Context(), db, database, name, cmd.OutOrStdout(), transfer.FollowOptions{
				Since: since, Forever: follow,
				Ahead: func(last, newest string) {
					fmt.Fprintf(cmd.ErrOrStderr(),
						"warning: sequence %s is behind the newest change, %s: it is of another feed, or of changes that a "+
							"restored store does not have\n", last, newest)
				},
				Anew: func(former, collection int64) {
					fmt.Fprintf(cmd.ErrOrStderr(),
						"the changes begin anew, the table has been truncated or is another one: collection %d instead of %d. "+
							"What stood in the former one is gone, without deletions\n", collection, former)
				},
				Lost: func(err error) { fmt.Fprintf(cmd.ErrOrStderr(), "lost the server, looking for it again: %v\n", err) },
			})
			if errors.Is(err, transfer.ErrSequence) {
				return errors.Join(fmt.Errorf("--since %w", err), db.Close())
			}
			if errors.Is(err, transfer.ErrGone) {
				err = fmt.Errorf("%w\nif it was renamed, give its new name; if it is made again, it has a new feed from its "+
					"beginning", err)
			}
			place := "--since " + last.Sequence
			if last.Collection != 0 {
				place += fmt.Sprintf(" --collection %d", last.Collection)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "go on with %s\n", place)
			return errors.Join(err, db.Close())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&table, "table", "", "the table, DB.TABLE")
	flags.StringVar(&dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&since.Sequence, "since", "", "write what came after this sequence; empty is from the first")
	flags.Int64Var(&since.Collection, "collection", 0,
		"the collection that --since is of: if the table has another one now, its changes begin anew, and a line says so")
	flags.BoolVar(&follow, "follow", false, "wait for more changes, until interrupted")
	_ = cmd.MarkFlagRequired("table")
	return cmd
}
