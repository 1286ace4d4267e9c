package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManual() *cobra.Command {
	return &cobra.Command{
		Use:   "manual FOLDER",
		Short: "Write manual pages of all commands",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the same pages each time
			header := &doc.GenManHeader{Title: "SQLFDB", Section: "1", Source: "sqlfdb"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("manual: %w", err)
			}
			return nil
		},
	}
}
