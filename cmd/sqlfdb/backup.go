package main

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

const backupBuffer = 1 << 20

type backupFlags struct {
	store, dsn, since string
	full, live        bool
	rate              sizeFlag
}

// sizeFlag is a number of bytes, or a size such as 10MiB.
type sizeFlag int64

// String implements pflag.Value.
func (s *sizeFlag) String() string { return strconv.FormatInt(int64(*s), 10) }

// Type implements pflag.Value.
func (s *sizeFlag) Type() string { return "size" }

// Set implements pflag.Value.
func (s *sizeFlag) Set(text string) error {
	n, err := parseSize(strings.TrimSpace(text))
	*s = sizeFlag(n)
	return err
}

func newBackup() *cobra.Command {
	var f backupFlags
	cmd := &cobra.Command{
		Use:   "backup (--dsn DSN | --store STORE) [--since FILE] FILE|FOLDER|-",
		Short: "Copy a whole store at one version, or what has changed since a copy, into a file",
		Long: `Copy a whole store at one version into a file, or what has changed since a former copy.

With --dsn the store is one that a server serves, and writers go on meanwhile. It needs BACKUP_ADMIN. With --store no
server may have the store open.

In a FOLDER each copy has its time for its name. The first one is full, the next ones are of what has changed, until
--full begins anew.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.live = cmd.Flags().Changed("dsn"); f.live && cmd.Flags().Changed("store") {
				return errors.New("--dsn and --store exclude each other")
			}
			if err := runBackup(cmd, f, args[0]); err != nil {
				if f.live {
					return fmt.Errorf("backup: %w", err)
				}
				return fmt.Errorf("%s: %w", f.store, err)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.store, "store", defaultStore, "the store, which no server may have open")
	flags.StringVar(&f.dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&f.since, "since", "", "a former copy: only what has changed since is copied")
	flags.BoolVar(&f.full, "full", false, "begin anew in a folder that has copies")
	flags.Var(&f.rate, "rate", "the most that is copied in a second, such as 10MiB; 0 is no bound")
	return cmd
}

func runBackup(cmd *cobra.Command, f backupFlags, name string) (err error) {
	if !f.live && isBucket(f.store) {
		return errInBucket
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if f.since != "" {
			return errors.New("--since is for a file: in a folder the newest copy is gone on from")
		}
		if name, f.since, err = nextIn(name, f.full, warnOf(cmd)); err != nil {
			return err
		}
	} else if f.full {
		return fmt.Errorf("--full is for a folder, and %s is none", name)
	}
	var since *backup.Position
	if f.since != "" {
		former, err := os.Stat(f.since)
		if err != nil {
			return fmt.Errorf("--since %w", err)
		}
		if there, err := os.Stat(name); err == nil && os.SameFile(former, there) {
			return fmt.Errorf("--since %s: it is the file to write, which would take the place of what it goes on from", f.since)
		}
		p, err := positionOf(f.since)
		if err != nil {
			return fmt.Errorf("--since %s: %w", f.since, err)
		}
		if p.Store == "" {
			return fmt.Errorf("--since %s: it does not say which store it is of; begin with a copy of a server's store (--dsn)",
				f.since)
		}
		since = &p
	}
	var p backup.Progress
	var total atomic.Int64
	began := time.Now()
	show := startProgress(cmd.ErrOrStderr(), -1, p.File.Load, func() string { return copiedOf(&p, total.Load(), began) })
	write := func(w io.Writer) error {
		if f.live {
			return receive(cmd.Context(), f, since, w, &p, &total)
		}
		return copyStore(cmd.Context(), f, since, w, &p, began)
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
	what := ""
	if since != nil {
		what = ", changed since " + f.since + ","
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s%s written to %s (%s)\n", copied(&p, began), what, name, humanBytes(p.File.Load()))
	return nil
}

// copyStore copies a store that no server has open.
func copyStore(ctx context.Context, f backupFlags, since *backup.Position, w io.Writer, p *backup.Progress,
	began time.Time) (err error) {
	s, cat, err := openStore(ctx, f.store, kvopen.Options{ReadOnly: true, TransactionLife: offlineLife})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	opts := backup.Options{Step: kvopen.Step(f.store), Rate: int64(f.rate), Since: since}
	if since != nil {
		opts.Open = func(def *catalog.Table) (*tables.Collection, error) { return session.OpenCollection(cat, def) }
	}
	header := backup.Header{Made: began.UTC().Truncate(time.Second), Program: programVersion()}
	_, err = backup.Write(ctx, s, w, header, p, opts)
	return err
}

// receive copies the store of a running server.
func receive(ctx context.Context, f backupFlags, since *backup.Position, w io.Writer, p *backup.Progress,
	total *atomic.Int64) (err error) {
	db, err := openDSN(f.dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	statement := "BACKUP STORE"
	if since != nil {
		text, err := json.Marshal(since)
		if err != nil {
			return err
		}
		statement += " SINCE '" + strings.ReplaceAll(string(text), "'", "''") + "'"
	}
	if int64(f.rate) > 0 {
		statement += fmt.Sprintf(" RATE %d", int64(f.rate))
	}
	rows, err := db.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var all, keys, bytes int64
		var part sql.RawBytes
		if err := rows.Scan(&all, &keys, &bytes, &part); err != nil {
			return err
		}
		n, err := w.Write(part)
		if err != nil {
			return err
		}
		total.Store(all)
		p.Keys.Store(keys)
		p.Bytes.Store(bytes)
		p.File.Add(int64(n))
	}
	return rows.Err()
}

// copied are the words on how much has been copied, and how fast.
func copied(p *backup.Progress, began time.Time) string { return copiedOf(p, 0, began) }

// copiedOf is copied of so many bytes; 0 where nobody knows.
func copiedOf(p *backup.Progress, total int64, began time.Time) string {
	took := max(time.Since(began).Seconds(), 0.001)
	n := p.Bytes.Load()
	of := ""
	if total > n {
		of = fmt.Sprintf(" of about %s", humanBytes(total))
	}
	return fmt.Sprintf("%d keys, %s%s, %s/s", p.Keys.Load(), humanBytes(n), of, humanBytes(int64(float64(n)/took)))
}

// Endings of the names of copies in a folder.
const (
	fullCopy    = ".full.backup"
	changesCopy = ".changes.backup"
	anyCopy     = ".backup"
)

// nextIn is the name of a folder's next copy, and the copy that it goes on from; empty for none.
func nextIn(folder string, full bool, warn func([]error)) (name, since string, err error) {
	ending := fullCopy
	if !full {
		there, bad, err := copiesIn(folder)
		if err != nil {
			return "", "", err
		}
		warn(bad)
		if len(there)+len(bad) > 0 {
			last, err := lastChain(there, nil)
			if err != nil {
				return "", "", fmt.Errorf("%s: %w; --full begins anew", folder, err)
			}
			since, ending = last[len(last)-1].name, changesCopy
		}
	}
	name = filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000Z")+ending)
	if _, err := os.Lstat(name); err == nil {
		return "", "", fmt.Errorf("%s is there already", name)
	}
	return name, since, nil
}

// aCopy is a file with its header and its end's position.
type aCopy struct {
	name   string
	header backup.Header
	end    backup.Position
}

// at is a time behind everything that is in the copy.
func (c aCopy) at() time.Time {
	if c.end.At.IsZero() {
		return c.header.Made
	}
	return c.end.At
}

// warnOf makes a function that prints warnings of files that are no copies.
func warnOf(cmd *cobra.Command) func([]error) {
	return func(bad []error) {
		for _, err := range bad {
			fmt.Fprintln(cmd.ErrOrStderr(), "sqlfdb: passed over:", err)
		}
	}
}

// copiesIn finds the copies in a folder. bad are the errors of files that have a copy's name and can't be read.
func copiesIn(folder string) (all []aCopy, bad []error, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), anyCopy) || e.IsDir() {
			continue
		}
		c := aCopy{name: filepath.Join(folder, e.Name())}
		if c.header, c.end, err = inspectCopy(c.name); err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", c.name, err))
			continue
		}
		all = append(all, c)
	}
	return all, bad, nil
}

// inspectCopy reads the header and the end of a file.
func inspectCopy(name string) (h backup.Header, p backup.Position, err error) {
	f, err := os.Open(name)
	if err != nil {
		return h, p, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return h, p, err
	}
	if p, err = backup.ReadPosition(f, info.Size()); err == nil {
		h, err = backup.ReadHeader(f)
	}
	return h, p, err
}

func positionOf(name string) (backup.Position, error) {
	_, p, err := inspectCopy(name)
	return p, err
}

// lastChain is the newest full copy that is within until, and the copies that go on from it, in order; without until,
// all count. A copy of a later state than one that is not within is not within either.
func lastChain(all []aCopy, until func(aCopy) bool) (chain []aCopy, err error) {
	within := func(c aCopy) bool {
		return until == nil || until(c) && !slices.ContainsFunc(all, func(other aCopy) bool {
			return other.end.Store != "" && other.end.Store == c.end.Store && other.end.Version <= c.end.Version &&
				!until(other)
		})
	}
	for _, c := range all {
		if c.header.Since == 0 && within(c) &&
			(chain == nil || c.header.Made.After(chain[0].header.Made) || c.end.Version > chain[0].end.Version &&
				c.header.Made.Equal(chain[0].header.Made)) {
			chain = []aCopy{c}
		}
	}
	if chain == nil {
		return nil, errors.New("no full copy is there, or none that is not later")
	}
	// A copy that goes on where it ends, as nothing had changed, stands before copies that end later.
	rest := slices.Clone(all)
	slices.SortStableFunc(rest, func(a, b aCopy) int {
		return cmp.Or(cmp.Compare(a.header.Since, b.header.Since), cmp.Compare(a.end.Version, b.end.Version))
	})
	for _, c := range rest {
		last := chain[len(chain)-1]
		if c.header.Since != 0 && c.header.Since == last.end.Version && c.header.Store == last.end.Store && within(c) {
			chain = append(chain, c)
		}
	}
	// A missing copy is an error, not passed over.
	first, last := chain[0], chain[len(chain)-1]
	for _, c := range all {
		if c.header.Since > last.end.Version && c.header.Store == first.end.Store && within(c) {
			return nil, fmt.Errorf("%s goes on from version %d, which no copy ends at: one is missing behind %s", c.name,
				c.header.Since, last.name)
		}
	}
	return chain, nil
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
