// Command sqlfdb queries JSON documents with SQL: the server, its sample data,
// a small client, and the tools for moving and checking documents.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newRoot().ExecuteContext(ctx); err != nil {
		if !errors.Is(err, errReported) {
			fmt.Fprintln(os.Stderr, "sqlfdb:", err)
		}
		os.Exit(1)
	}
}

// errReported: the command has already printed its error.
var errReported = errors.New("failed")

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "sqlfdb",
		Short:         "Query JSON documents with SQL, from any MySQL client",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := fromEnvironment(cmd.Flags()); err != nil {
				return err
			}
			return fromFile(cmd.Flags())
		},
		Version: programVersion(),
	}
	root.SetVersionTemplate("sqlfdb {{.Version}}\n")
	root.AddCommand(newServe(), newDemo(), newSQL(), newImport(), newExport(), newChanges(), newCheck(), newBackup(),
		newRestore(), newVersion(), newManual())
	return root
}

// overruled is the flag among --dsn and --store, which exclude each other, that does not count, since the other one
// was given with a higher priority; empty for neither.
func overruled(flags *pflag.FlagSet) string {
	switch dsn, store := flags.Changed("dsn"), flags.Changed("store"); {
	case dsn && !store:
		return "store"
	case store && !dsn:
		return "dsn"
	}
	return ""
}

// fromEnvironment takes each flag that was not given from SQLFDB_<NAME>.
func fromEnvironment(flags *pflag.FlagSet) error {
	var first error
	without := overruled(flags)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == without {
			return
		}
		name := "SQLFDB_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || f.Changed || first != nil {
			return
		}
		if err := flags.Set(f.Name, value); err != nil {
			first = fmt.Errorf("%s: %w", name, err)
		}
	})
	return first
}
