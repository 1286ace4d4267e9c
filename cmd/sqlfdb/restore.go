package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

func newRestore() *cobra.Command {
	var store, until string
	var verify bool
	cmd := &cobra.Command{
		Use:   "restore --store STORE [--until SEQ|TIME] FILE...|FOLDER|-",
		Short: "Write a backup into an empty store",
		Long: `Write a backup into an empty store: a full copy, and behind it the copies of what has changed since, in their
order.

Of a FOLDER the newest full copy is taken with all that go on from it. --until takes only copies that hold no change
behind a sequence of t__changes, or that were made by a time such as 2026-01-31T12:00:00Z. DROP and TRUNCATE have no
sequence: for the state before them give a time.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			passed := 0
			names, err := chosenCopies(args, until, func(bad []error) {
				passed = len(bad)
				warnOf(cmd)(bad)
			})
			if err != nil {
				return err
			}
			if err := runRestore(cmd, store, names, verify); err != nil || !verify || passed == 0 {
				return err
			}
			return fmt.Errorf("%s: %d files have the name of a copy and can't be read", args[0], passed)
		},
	}
	cmd.Flags().StringVar(&store, "store", defaultStore, "the store to make; it must be empty")
	cmd.Flags().StringVar(&until, "until", "",
		"the state before all changes behind this sequence, or up to this time, as far as copies have it")
	cmd.Flags().BoolVar(&verify, "verify", false,
		"only prove that the files are whole and undamaged, and go on from each other; the store is not touched")
	return cmd
}

// chosenCopies are the files that are restored, in their order.
func chosenCopies(args []string, until string, warn func([]error)) ([]string, error) {
	within, err := parseUntil(until)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		if len(args) > 1 {
			return nil, fmt.Errorf("%s is a folder: name it alone, or files", args[0])
		}
		all, bad, err := copiesIn(args[0])
		if err != nil {
			return nil, err
		}
		warn(bad)
		chain, err := lastChain(all, within)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", args[0], err)
		}
		var names []string
		for _, c := range chain {
			names = append(names, c.name)
		}
		return names, nil
	}
	if within == nil {
		return args, nil
	}
	for i, name := range args {
		c := aCopy{name: name}
		if c.header, c.end, err = inspectCopy(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !within(c) {
			if i == 0 {
				return nil, fmt.Errorf("--until %s: %s holds changes behind it: it is of %s, its last one is %s", until, name,
					c.at().Format(time.RFC3339), c.end.Last)
			}
			return args[:i], nil
		}
	}
	return args, nil
}

// parseUntil makes a test of --until, a sequence or a time; nil where it is empty.
func parseUntil(until string) (within func(aCopy) bool, err error) {
	if until == "" {
		return nil, nil
	}
	if at, err := time.Parse(time.RFC3339, until); err == nil {
		return func(c aCopy) bool { return !c.at().After(at) }, nil
	}
	seq, err := changes.ParseSequence(until)
	if err != nil {
		return nil, fmt.Errorf("--until: want a sequence or a time such as 2026-01-31T12:00:00Z: %w", err)
	}
	return func(c aCopy) bool { return c.end.Last <= seq.String() }, nil
}

func runRestore(cmd *cobra.Command, store string, names []string, verify bool) (err error) {
	ctx := cmd.Context()
	var files []backup.Source
	var size int64
	for _, name := range names {
		n, err := checkInput(cmd, name)
		if err != nil {
			return err
		}
		if size += n; n < 0 || size < n {
			size = -1
		}
		files = append(files, backup.Source{Name: name, Open: func() (io.ReadCloser, error) {
			in, _, err := openInput(cmd, name)
			if err != nil {
				return nil, err
			}
			return buffered{bufio.NewReaderSize(in, backupBuffer), in}, nil
		}})
	}
	var p backup.Progress
	began := time.Now()
	show := startProgress(cmd.ErrOrStderr(), size, p.File.Load, func() string { return copied(&p, began) })
	var h backup.Header
	var end backup.Position
	if verify {
		h, end, err = backup.Verify(ctx, files, &p)
	} else {
		h, end, err = restoreInto(ctx, store, files, &p)
	}
	show.end()
	if err != nil {
		return err
	}
	verb := "restored to " + store
	if verify {
		verb = "are whole"
	}
	state := ""
	if end.Last != "" {
		state = ", the last change is " + end.Last
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s %s; %s was made %s%s\n", copied(&p, began), verb, names[len(names)-1],
		h.Made.Format(time.RFC3339), state)
	return nil
}

func restoreInto(ctx context.Context, store string, files []backup.Source, p *backup.Progress) (h backup.Header,
	end backup.Position, err error) {
	if isBucket(store) {
		return h, end, errInBucket
	}
	s, err := openKV(ctx, store, kvopen.Options{})
	if err != nil {
		return h, end, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return backup.Restore(ctx, s, files, p, session.OpenCollection)
}

// buffered reads a file through a buffer.
type buffered struct {
	io.Reader
	io.Closer
}

// checkInput proves that a file has an end, and gives its size; -1 when it is unknown.
func checkInput(cmd *cobra.Command, name string) (size int64, err error) {
	in, size, err := openInput(cmd, name)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if f, ok := in.(io.ReaderAt); ok && size >= 0 {
		if err := backup.CheckEnd(f, size); err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return size, nil
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
