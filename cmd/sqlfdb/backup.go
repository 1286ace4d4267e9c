package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
)

const backupBuffer = 1 << 20

func newBackup() *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "backup --store STORE FILE|-",
		Short: "Copy a whole store into a file, at one version",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := runBackup(cmd, store, args[0]); err != nil {
				return fmt.Errorf("%s: %w", store, err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&store, "store", defaultStore, "the store, which no server may have open")
	return cmd
}

func runBackup(cmd *cobra.Command, store, name string) (err error) {
	ctx := cmd.Context()
	s, err := openKV(ctx, store, kvopen.Options{ReadOnly: true, TransactionLife: offlineLife})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var p backup.Progress
	began := time.Now()
	show := startProgress(cmd.ErrOrStderr(), -1, p.File.Load, func() string { return copied(&p, began) })
	write := func(w io.Writer) error {
		_, err := backup.Write(ctx, s, w, backup.Header{Made: began.UTC().Truncate(time.Second), Program: programVersion()},
			&p,
			backup.Options{Step: kvopen.Step(store)})
		return err
	}
	if name == "-" {
		out := bufio.NewWriterSize(cmd.OutOrStdout(), backupBuffer)
		if err = write(out); err == nil {
			err = out.Flush()
		}
	} else {
		err = writeWhole(name, write)
	}
	show.end()
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s written to %s (%s)\n", copied(&p, began), name, humanBytes(p.File.Load()))
	return nil
}

// copied is what has been copied, and how fast.
func copied(p *backup.Progress, began time.Time) string {
	took := max(time.Since(began).Seconds(), 0.001)
	n := p.Bytes.Load()
	return fmt.Sprintf("%d keys, %s, %s/s", p.Keys.Load(), humanBytes(n), humanBytes(int64(float64(n)/took)))
}

// writeWhole makes a file that is there whole or not at all: it is written by another name, synced and
// renamed. A former file stays as it was until then.
func writeWhole(name string, write func(io.Writer) error) (err error) {
	partial := name + ".partial"
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			if removeErr := os.Remove(partial); removeErr != nil {
				err = fmt.Errorf("%w; %s is not complete and could not be removed: %w", err, partial, removeErr)
			}
		}
	}()
	out := bufio.NewWriterSize(f, backupBuffer)
	if err = write(out); err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(partial, name); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(name))
}

// syncDirectory makes a renamed file's name durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func newRestore() *cobra.Command {
	var store string
	var verify bool
	cmd := &cobra.Command{
		Use:   "restore --store STORE FILE|-",
		Short: "Write a backup into an empty store",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRestore(cmd, store, args[0], verify)
		},
	}
	cmd.Flags().StringVar(&store, "store", defaultStore, "the store to make; it must be empty")
	cmd.Flags().BoolVar(&verify, "verify", false,
		"only prove that the file is whole and undamaged; the store is not touched")
	return cmd
}

func runRestore(cmd *cobra.Command, store, name string, verify bool) error {
	ctx := cmd.Context()
	in, size, err := openInput(cmd, name)
	if err != nil {
		return err
	}
	defer in.Close()
	if f, ok := in.(io.ReaderAt); ok && size >= 0 {
		if err := backup.CheckEnd(f, size); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	var p backup.Progress
	began := time.Now()
	show := startProgress(cmd.ErrOrStderr(), size, p.File.Load, func() string { return copied(&p, began) })
	buffered := bufio.NewReaderSize(in, backupBuffer)
	var h backup.Header
	if verify {
		h, err = backup.Verify(ctx, buffered, &p)
	} else {
		h, err = restoreInto(ctx, store, buffered, &p)
	}
	show.end()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	verb := "restored to " + store
	if verify {
		verb = "are whole"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s %s; %s was made %s\n", copied(&p, began), verb, name, h.Made.Format(time.RFC3339))
	return nil
}

func restoreInto(ctx context.Context, store string, r io.Reader, p *backup.Progress) (h backup.Header, err error) {
	s, err := openKV(ctx, store, kvopen.Options{})
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return backup.Restore(ctx, s, r, p)
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
