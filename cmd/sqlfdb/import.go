package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/transfer"
	"github.com/sqlfdb/sqlfdb/transfer/delimited"
)

type importFlags struct {
	table, dsn, store, format, id  string
	onError, duplicates            string
	delimiter, header, null, empty string
	extended                       string
	columns, text                  []string
	backslash, allText             bool
	maxErrors, limit               int64
}

func newImport() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import --table DB.TABLE [--dsn DSN | --store STORE] FILE|PATTERN|-...",
		Short: "Store the documents of files: JSON, CSV, TSV, MongoDB's BSON and extended JSON, Parquet",
		Long: `Store the documents of files in a table. What a file holds is told by its bytes: JSON lines, JSON arrays,
CSV and TSV, the BSON of mongodump, the extended JSON of mongoexport, and Parquet, each as it is or
compressed by gzip, zstd or bzip2. - is standard input.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd, f, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.table, "table", "", "the table, DB.TABLE; made when it is not there; of a bucket the collection")
	flags.StringVar(&f.dsn, "dsn", defaultDSN, "the running server")
	flags.StringVar(&f.store, "store", "",
		"a store (an embedded one that no server has open) or a bucket, instead of --dsn")
	flags.StringVar(&f.format, "format", "", "jsonl, json, csv, tsv, bson or parquet; by default as the file looks")
	flags.StringVar(&f.id, "id", "_id", "the keypath that is the primary key of a table that is made")
	flags.Int64Var(&f.maxErrors, "max-errors", -1, "stop when more documents than this have been refused; -1 never stops")
	flags.StringVar(&f.onError, "on-error", "continue",
		"continue behind a document that is refused, or stop, as --max-errors 0 does")
	flags.StringVar(&f.duplicates, "duplicates", "refuse",
		"a document whose key is there already: refuse, skip or replace")
	flags.Int64Var(&f.limit, "limit", 0, "read this many documents; 0 reads all")
	flags.StringVar(&f.extended, "extended-json", "plain",
		"MongoDB's extended JSON, as {\"$date\": …}: plain makes plain values, keep leaves it")
	flags.StringVar(&f.delimiter, "delimiter", "",
		"what stands between fields: one character, or tab; by default as the file looks")
	flags.StringVar(&f.header, "header", "", "whether the first line names the columns, yes or no; by default as it looks")
	flags.StringSliceVar(&f.columns, "columns", nil, "names of the columns, separated by commas")
	flags.StringSliceVar(&f.text, "text", nil, "columns whose values all stay text")
	flags.BoolVar(&f.allText, "all-text", false, "let every field stay text")
	flags.StringVar(&f.empty, "empty", "",
		"an empty field: null, text (an empty one), or absent; the same of Parquet's nulls, which are absent by default")
	flags.StringVar(&f.null, "null", "", "a text that stands for null, as NULL does in what mysql --batch writes")
	flags.BoolVar(&f.backslash, "backslash", false,
		"fields are escaped by backslashes, as by SELECT … INTO OUTFILE and mysql --batch")
	_ = cmd.MarkFlagRequired("table")
	return cmd
}

// files are the settings of reading.
func (f *importFlags) files() (transfer.FilesOptions, error) {
	o := transfer.FilesOptions{Limit: f.limit}
	var err error
	if o.Source.Format, err = transfer.ParseFormat(f.format, transfer.Read()...); err != nil {
		return o, fmt.Errorf("--format: %w", err)
	}
	d := &o.Source.Delimited
	if d.Delimiter, err = delimited.ParseDelimiter(f.delimiter); err != nil {
		return o, fmt.Errorf("--delimiter: %w", err)
	}
	d.Header, d.Empty = delimited.Header(f.header), delimited.Empty(f.empty)
	d.Columns, d.Text, d.AllText, d.Backslash, d.Null = f.columns, f.text, f.allText, f.backslash, f.null
	for _, choice := range []struct {
		flag, given string
		of          []string
	}{
		{"header", f.header, []string{"", "yes", "no"}},
		{"empty", f.empty, []string{"", "null", "text", "absent"}},
		{"on-error", f.onError, []string{"continue", "stop"}},
		{"extended-json", f.extended, []string{"plain", "keep"}},
	} {
		if !slices.Contains(choice.of, choice.given) {
			return o, fmt.Errorf("--%s %q is not known: use one of %q", choice.flag, choice.given, choice.of)
		}
	}
	if f.limit < 0 {
		return o, fmt.Errorf("--limit %d: use a number of documents, or 0 for all", f.limit)
	}
	o.Source.KeepExtended = f.extended == "keep"
	return o, nil
}

func runImport(cmd *cobra.Command, f importFlags, names []string) (err error) {
	ctx := cmd.Context()
	var database, table string
	if !isBucket(f.store) {
		if database, table, err = splitTable(f.table); err != nil {
			return err
		}
	} else if f.id != "_id" {
		return fmt.Errorf("--id %q: the primary key of a document in a bucket is _id", f.id)
	}
	options, err := f.files()
	if err != nil {
		return err
	}
	duplicates, err := transfer.ParseDuplicates(f.duplicates)
	if err != nil {
		return fmt.Errorf("--duplicates: %w", err)
	}
	if f.onError == "stop" {
		f.maxErrors = 0
	}
	if path, err := document.ParseKeypath(f.id); err != nil {
		return fmt.Errorf("--id %q: %w", f.id, err)
	} else if slices.ContainsFunc(path, func(s document.Step) bool { return s.Array }) {
		return fmt.Errorf("--id %q: a primary key can't lie in an array", f.id)
	}
	if cmd.Flags().Changed("dsn") && f.store != "" {
		return errors.New("--dsn and --store exclude each other")
	}
	files, err := transfer.OpenFiles(ctx, names, cmd.InOrStdin(), options)
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	for _, name := range files.Empty {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: the file is empty\n", name)
	}
	for _, line := range files.Detected {
		fmt.Fprintln(cmd.ErrOrStderr(), line)
	}
	// A table is made for documents alone: the first one is read before.
	any, err := files.Any()
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	var sink transfer.Sink = transfer.NoSink{}
	if any {
		var closeSink func() error
		if sink, closeSink, err = openSink(ctx, f, duplicates, database, table); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, closeSink()) }()
	}
	var p transfer.Progress
	show := newProgress(cmd.ErrOrStderr(), files, &p)
	err = transfer.Import(ctx, files, sink, &p, transfer.ImportOptions{
		MaxErrors: f.maxErrors,
		Refused: func(r transfer.Refusal) {
			show.line(fmt.Sprintf("%s: refused: %v", r.Place, r.Reason))
		},
	})
	show.end()
	fmt.Fprintln(cmd.OutOrStdout(), summary(&p, files, f.table))
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if n := p.Refused.Load(); n > 0 {
		return fmt.Errorf("import: %d documents were refused", n)
	}
	return nil
}

// summary are the words on the result of an import.
func summary(p *transfer.Progress, files *transfer.Files, table string) string {
	took := max(time.Since(p.Began), time.Millisecond)
	text := fmt.Sprintf("%d documents stored in %s (%s), %d refused", p.Stored.Load(), table, humanBytes(p.Bytes.Load()),
		p.Refused.Load())
	if n := p.Skipped.Load(); n > 0 {
		text += fmt.Sprintf(", %d skipped whose key was there", n)
	}
	text += fmt.Sprintf(", in %s (%.0f documents/s)", took.Round(time.Millisecond),
		float64(p.Stored.Load())/took.Seconds())
	if n := files.Extended; n > 0 {
		text += fmt.Sprintf("\n%d values of MongoDB's extended JSON were made plain; --extended-json keep leaves them "+
			"as they are", n)
	}
	if n := files.Odd; n > 0 {
		text += fmt.Sprintf("\n%d values stayed text in columns that seemed to hold numbers or the like; --text "+
			"COLUMN lets all stay text", n)
	}
	return text
}

func openSink(ctx context.Context, f importFlags, duplicates transfer.Duplicates, database,
	table string) (transfer.Sink, func() error, error) {
	if f.store == "" {
		db, err := openDSN(f.dsn)
		if err != nil {
			return nil, nil, err
		}
		sink, err := transfer.NewServerSink(ctx, db, database, table, f.id, duplicates)
		if err != nil {
			return nil, nil, errors.Join(err, db.Close())
		}
		return sink, func() error { return errors.Join(sink.Close(), db.Close()) }, nil
	}
	if isBucket(f.store) {
		at, err := placeOf(ctx, f.store, f.table)
		if err != nil {
			return nil, nil, err
		}
		c, err := at.open(ctx, false)
		if err != nil {
			return nil, nil, err
		}
		sink := transfer.NewBucketSink(c, duplicates)
		return sink, sink.Close, nil
	}
	store, cat, err := openStore(ctx, f.store, kvopen.Options{})
	if err != nil {
		return nil, nil, err
	}
	def, made, err := ensureTable(ctx, cat, database, table, f.id)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	sink, err := transfer.NewStoreSink(cat, def, duplicates)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return sink, func() error {
		err := sink.Close()
		if made != nil && !sink.Stored() {
			err = errors.Join(err, made(context.WithoutCancel(ctx)))
		}
		return errors.Join(err, store.Close())
	}, nil
}

// openDSN returns a pool of connections to a running server.
func openDSN(dsn string) (*sql.DB, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("--dsn %q: %w", dsn, err)
	}
	// Parameters are put into the statement's text, which saves a round trip
	// for statements that run once.
	cfg.InterpolateParams = true
	// The rows that a statement changes show how many documents were stored, and how many left out.
	cfg.ClientFoundRows = false
	// The driver logs lost connections; the command reports the error itself.
	cfg.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("--dsn %q: %w", dsn, err)
	}
	return sql.OpenDB(connector), nil
}

// ensureTable finds a table, or makes an open one keyed by the text at key; then undo drops it again.
func ensureTable(ctx context.Context, cat *catalog.Catalog, database, table, key string) (def *catalog.Table,
	undo func(context.Context) error, err error) {
	tx, err := cat.Store().Begin(ctx, kvSnapshot)
	if err != nil {
		return nil, nil, err
	}
	view, err := cat.View(tx.Snapshot())
	tx.Cancel()
	if err != nil {
		return nil, nil, err
	}
	if def, ok := view.Table(database, table); ok {
		return def, nil, nil
	}
	undo = func(ctx context.Context) error { return cat.DropTable(ctx, database, table) }
	switch err := cat.CreateDatabase(ctx, database, ""); {
	case err == nil:
		undo = func(ctx context.Context) error { return cat.DropDatabase(ctx, database) }
	case !errors.Is(err, catalog.ErrDatabaseExists):
		return nil, nil, err
	}
	def, err = cat.CreateTable(ctx, &catalog.Table{
		Database: database, Name: table, Open: true, DocumentColumn: 1,
		Columns:    []catalog.Column{{Name: key, Type: "varchar(255)", Length: 255}},
		PrimaryKey: []int{0},
	})
	return def, undo, err
}
