package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// kvSnapshot are the options of a transaction that only reads.
var kvSnapshot = kv.TransactionOptions{NoReadYourWrites: true, Hold: true}

type exportFlags struct {
	table, query, dsn, store, format, compress string
}

func newExport() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export --table DB.TABLE | --query STATEMENT [--dsn DSN | --store STORE] [FILE|-]",
		Short: "Write a table's documents, or a query's rows, as JSON, CSV, TSV or Parquet",
		Long: `Write a table's documents, or a query's rows, to a file or to standard output. The file's name
tells the format, .jsonl, .json, .csv, .tsv or .parquet, and the compression, .gz or .zst behind it. The file gets its
name when it is whole.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runExport(cmd, f, append(args, "-")[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.table, "table", "", "the table, DB.TABLE; of a bucket the collection")
	flags.StringVar(&f.query, "query", "", "a SELECT, of which each row is a document; through a server")
	flags.StringVar(&f.dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&f.store, "store", "",
		"a store (an embedded one that no server has open) or a bucket, instead of --dsn")
	flags.StringVar(&f.format, "format", "",
		"jsonl, json, csv, tsv or parquet; by default as the file's name says, else jsonl")
	flags.StringVar(&f.compress, "compress", "", "none, gzip or zstd; by default as the file's name says")
	return cmd
}

func runExport(cmd *cobra.Command, f exportFlags, name string) (err error) {
	var database, table string
	switch {
	case (f.table == "") == (f.query == ""):
		return errors.New("export: name a table by --table, or give a statement by --query")
	case f.query != "" && f.store != "":
		return errors.New("export: --query needs a running server, so --dsn and not --store")
	case isBucket(f.store):
		table = f.table
	case f.table != "":
		if database, table, err = splitTable(f.table); err != nil {
			return err
		}
	}
	format, compression, err := f.kind(name)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	out := &partFile{name: name, w: cmd.OutOrStdout()}
	defer func() { err = errors.Join(err, out.close(err == nil)) }()
	packed, err := transfer.Compress(out, compression)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	to, err := transfer.NewEncoder(packed, format)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	var n int64
	switch {
	case f.store == "":
		n, err = exportServer(cmd, f, database, table, to)
	case isBucket(f.store):
		n, err = exportBucket(cmd.Context(), f.store, table, to)
	default:
		n, err = exportStore(cmd, f.store, database, table, to)
	}
	// This also removes the encoder's temporary file.
	closeErr := to.Close()
	if err == nil {
		err = closeErr
	}
	if err == nil {
		err = packed.Close()
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d documents written\n", n)
	return nil
}

// kind is how to write the file, by the flags, or else by its name.
func (f exportFlags) kind(name string) (transfer.Format, transfer.Compression, error) {
	compression := transfer.Uncompressed
	plain := strings.ToLower(name)
	for ending, c := range map[string]transfer.Compression{".gz": transfer.Gzip, ".zst": transfer.Zstd} {
		if cut, ok := strings.CutSuffix(plain, ending); ok {
			plain, compression = cut, c
		}
	}
	if f.compress != "" {
		compression = transfer.Compression(f.compress)
	}
	format, err := transfer.ParseFormat(f.format, transfer.Written()...)
	if err != nil {
		return "", "", err
	}
	if format == transfer.FormatAuto {
		format = transfer.FormatLines
		if by := transfer.Format(strings.TrimPrefix(filepath.Ext(plain), ".")); slices.Contains(transfer.Written(), by) {
			format = by
		}
	}
	return format, compression, nil
}

func exportServer(cmd *cobra.Command, f exportFlags, database, table string, to transfer.Encoder) (n int64, err error) {
	db, err := openDSN(f.dsn)
	if err != nil {
		return 0, err
	}
	var versions int64
	if f.query != "" {
		n, versions, err = transfer.ExportQuery(cmd.Context(), db, f.query, to)
	} else {
		n, versions, err = transfer.ExportServer(cmd.Context(), db, database, table, to)
	}
	tellVersions(cmd, versions)
	return n, errors.Join(err, db.Close())
}

// tellVersions warns if the documents were read at several versions, since the store could not keep one for so long.
func tellVersions(cmd *cobra.Command, versions int64) {
	if versions > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(),
			"read at %d versions: a document that was changed meanwhile is as it was at one of them\n", versions)
	}
}

func exportStore(cmd *cobra.Command, store, database, name string, to transfer.Encoder) (n int64, err error) {
	s, cat, err := openStore(cmd.Context(), store, kvopen.Options{ReadOnly: true, TransactionLife: offlineLife})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return exportOpen(cmd, s, cat, database, name, to)
}

// exportOpen writes the documents of a table of a store, which may be written to meanwhile.
func exportOpen(cmd *cobra.Command, s kv.Store, cat *catalog.Catalog, database, name string, to transfer.Encoder) (
	n int64, err error) {
	var def *catalog.Table
	tx, err := longread.Begin(cmd.Context(), s, longread.Options{Transaction: kvSnapshot,
		Renewed: func(at kv.Reader) error {
			view, err := cat.View(at)
			if err != nil || def == nil {
				return err
			}
			if now, ok := view.TableByID(def.ID); !ok || !reflect.DeepEqual(now, def) {
				return fmt.Errorf("%s has been altered meanwhile", def)
			}
			return nil
		}})
	if err != nil {
		return 0, err
	}
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		return 0, err
	}
	found, ok := view.Table(database, name)
	if !ok {
		return 0, fmt.Errorf("export: unknown table %s.%s", database, name)
	}
	def = found
	c, err := session.OpenCollection(cat, def)
	if err != nil {
		return 0, err
	}
	n, err = transfer.ExportStore(cmd.Context(), c, tx.Snapshot(), to)
	tellVersions(cmd, tx.Epoch()+1)
	return n, err
}

// partFile writes to a file beside its own, which replaces that when it is complete. It makes nothing before the
// first write, so that an export that can't begin leaves an old file alone. Other files, such as pipes, are written
// to directly, and "-" is w.
type partFile struct {
	name string
	w    io.Writer
	f    *os.File
	part string // the name meanwhile, "" when there is no other
}

func (p *partFile) Write(b []byte) (int, error) {
	if err := p.open(); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}

func (p *partFile) open() error {
	if p.f != nil || p.name == "-" {
		return nil
	}
	mode := os.FileMode(0o666)
	if name, err := filepath.EvalSymlinks(p.name); err == nil {
		p.name = name
	}
	info, err := os.Stat(p.name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: name a file in it", p.name)
	case err == nil && !info.Mode().IsRegular():
		p.f, err = os.OpenFile(p.name, os.O_WRONLY, 0)
		p.w = p.f
		return err
	case err == nil:
		mode = info.Mode().Perm()
	}
	p.part = filepath.Join(filepath.Dir(p.name), fmt.Sprintf(".%s.%d.part", filepath.Base(p.name), os.Getpid()))
	p.f, err = os.OpenFile(p.part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	p.w = p.f
	return err
}

// close gives a complete file its name, and makes it even when nothing was written. An incomplete file is removed.
func (p *partFile) close(complete bool) error {
	if complete {
		if err := p.open(); err != nil {
			return err
		}
	}
	if p.f == nil {
		return nil
	}
	var err error
	if complete && p.part != "" {
		err = p.f.Sync()
	}
	err = errors.Join(err, p.f.Close())
	switch {
	case p.part == "":
		return err
	case complete && err == nil:
		return os.Rename(p.part, p.name)
	}
	return errors.Join(err, os.Remove(p.part))
}
