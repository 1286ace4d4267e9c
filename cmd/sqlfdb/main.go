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

// errReported: the command has already said what went wrong.
var errReported = errors.New("failed")

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "sqlfdb",
		Short:         "Query JSON documents with SQL, from any MySQL client",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return fromEnvironment(cmd.Flags())
		},
	}
	root.AddCommand(newServe(), newDemo(), newSQL(), newImport(), newExport(), newChanges(), newCheck(), newBackup(),
		newRestore(), newVersion())
	return root
}

// fromEnvironment takes each flag that was not given from SQLFDB_<NAME>. Where
// --dsn and --store exclude each other, one that was given is not overruled.
func fromEnvironment(flags *pflag.FlagSet) error {
	var first error
	server := flags.Changed("dsn")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "store" && server {
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
