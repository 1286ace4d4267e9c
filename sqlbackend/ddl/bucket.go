package ddl

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// BucketRule plans how tables in buckets are read.
func BucketRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return buckettable.Plan(ctx, n)
}

// BucketWritesRule is BucketRule for statements that the engine plans with its short list of rules.
func BucketWritesRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.Update, *plan.DeleteFrom:
		return BucketRule(ctx, a, n, scope, sel, flags)
	}
	return n, transform.SameTree, nil
}

// openBucket returns a table in a bucket for the running command. To drop a table, its bucket need not be reachable.
func openBucket(database string, ctx *sql.Context, s *session.Session, def *catalog.Table) (sql.Table, error) {
	if drops(s) {
		return information.NewSystemTable(database, def.Name, nil), nil
	}
	s.UsesBuckets = true
	full, err := s.Backend.Definitions.Of(def)
	if err != nil {
		return nil, err
	}
	if _, err := full.Bucket.Open(ctx); err != nil {
		return nil, buckettable.Error(ctx, err)
	}
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	sh, err := companion.TableShape(s, ctx, full, r)
	if err != nil {
		return nil, err
	}
	rows, err := table.NewTable(s, full, r, sh)
	if err != nil {
		return nil, err
	}
	rows.NameWritten(s)
	return buckettable.New(rows), nil
}

// bucketPlace returns the place where the running CREATE TABLE puts a table in a bucket; nil for an ordinary table.
func bucketPlace(ctx *sql.Context, s *session.Session, database, name string) (*catalog.Bucket, error) {
	engine, address := "", ""
	for _, p := range s.Parsed.All {
		if ddl, ok := p.(*ast.DDL); ok && ddl.TableSpec != nil {
			engine, address = optionOf(ddl.TableSpec, "engine"), optionOf(ddl.TableSpec, "connection")
		}
	}
	switch own := s.Backend.Bucket != "" && !s.Parsed.IsTemporary(); {
	case own && engine == "", own && strings.EqualFold(engine, information.BucketEngine) && address == "":
		return ownPlace(ctx, s, database, name)
	case strings.EqualFold(engine, information.BucketEngine):
	case own:
		return nil, keptElsewhere(s)
	default:
		return nil, nil
	}
	return placeAt(s, address, name)
}

// keptElsewhere refuses an ordinary table on a server whose store is a bucket.
func keptElsewhere(s *session.Session) error {
	return mysqlerr.Unsupported("this server keeps its definitions in a bucket, %s, and tables in buckets alone: "+
		"CREATE TABLE … (_id VARCHAR(255) PRIMARY KEY, _doc JSON) without ENGINE, or with ENGINE=%s", s.Backend.Bucket,
		information.BucketEngine)
}

// ownFolders bounds the folders that are tried in the search for an unused one.
const ownFolders = 100

// ownPlace returns an empty folder, which no other table has, in the bucket that is the store. Folders with files of
// a table that was dropped or renamed are not used.
func ownPlace(ctx *sql.Context, s *session.Session, database, name string) (*catalog.Bucket, error) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, d := range view.Databases() {
		for _, t := range view.Tables(d) {
			if t.Bucket != nil && t.Bucket.Address == catalog.Below(database) {
				taken[t.Bucket.Collection] = true
			}
		}
	}
	at := &catalog.Bucket{Address: catalog.Below(database), Collection: name, CacheBytes: pool.DefaultCache}
	for n := 2; ; n++ {
		there := taken[at.Collection]
		if !there {
			if there, err = s.Backend.Buckets.Of(s.Backend.Place(at)).Exists(ctx); err != nil {
				return nil, err
			}
		}
		if !there {
			break
		}
		if n > ownFolders {
			return nil, mysqlerr.Unsupported("%s.%s: the bucket has %d folders of that name; say which with ENGINE=%s "+
				"CONNECTION='%s?collection=FOLDER'", database, name, ownFolders, information.BucketEngine, at.In(s.Backend.Bucket))
		}
		at.Collection = fmt.Sprintf("%s-%d", name, n)
	}
	if at.Collection != name {
		s.Warn(&sql.Warning{Level: "Note", Code: mysqlerr.Unknown, Message: fmt.Sprintf("The folder %s has files of another "+
			"table: those of %s.%s are in %s", name, database, name, at.Collection)})
	}
	return at, nil
}

// placeAt returns the place of a table of that name at an address.
func placeAt(s *session.Session, address, name string) (*catalog.Bucket, error) {
	a, err := s.Login.Account()
	if err != nil {
		return nil, err
	}
	if !a.IsRoot() && !a.Global().Has(accounts.File) {
		// The server's own credentials and folders are used.
		return nil, accounts.Needed("FILE")
	}
	if address == "" {
		return nil, mysqlerr.Unsupported("ENGINE=%s without CONNECTION='s3://BUCKET/PREFIX?region=REGION'",
			information.BucketEngine)
	}
	place, err := pool.ParsePlace(address, name)
	if err != nil {
		return nil, err
	}
	return &catalog.Bucket{Address: place.Address, Collection: place.Collection, CacheBytes: place.CacheBytes}, nil
}

// declareBucket turns a definition into one of a table in a bucket, and makes the indexes there that the statement
// declares.
func declareBucket(ctx *sql.Context, s *session.Session, def *catalog.Table, at *catalog.Bucket) error {
	if s.Parsed.IsTemporary() {
		return mysqlerr.Unsupported("a temporary table in a bucket")
	}
	wanted, err := putIntoBucket(def, at)
	if err != nil {
		return err
	}
	return buckettable.Error(ctx, buckettable.Prepare(ctx, s.Backend.Buckets.Of(s.Backend.Place(at)), wanted))
}

// putIntoBucket turns a definition into one of a table in a bucket, and returns the indexes that it had.
func putIntoBucket(def *catalog.Table, at *catalog.Bucket) ([]catalog.Index, error) {
	def.Bucket = at
	switch {
	case !def.Open:
		return nil, mysqlerr.Unsupported("a table in a bucket has a column %s JSON: CREATE TABLE … (_id VARCHAR(255) "+
			"PRIMARY KEY, %[1]s JSON)", session.DocumentColumn)
	case len(def.PrimaryKey) != 1 || !strings.EqualFold(def.Columns[def.PrimaryKey[0]].Name, "_id") ||
		def.Columns[def.PrimaryKey[0]].Class != "":
		return nil, mysqlerr.Unsupported("a table in a bucket has the primary key _id: CREATE TABLE … " +
			"(_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	case len(def.ForeignKeys) > 0 || len(def.Maps) > 0:
		return nil, mysqlerr.Unsupported("foreign keys and map indexes of a table in a bucket")
	case len(def.Checks) > 0:
		return nil, mysqlerr.Unsupported("a table in a bucket has no CHECK constraints")
	case def.Options.KeyScheme != "":
		return nil, mysqlerr.Unsupported("key_scheme of a table in a bucket")
	}
	for _, idx := range def.Indexes {
		if len(table.HiddenOf(def, &idx)) > 0 {
			return nil, mysqlerr.Unsupported("index %s: an index of a table in a bucket is on whole columns", idx.Name)
		}
		if idx.Unique {
			return nil, mysqlerr.Unsupported("index %s: a table in a bucket has no unique indexes", idx.Name)
		}
	}
	for i := range def.Columns {
		c := &def.Columns[i]
		if c.Generated != "" || c.AutoIncrement || c.Hidden {
			return nil, mysqlerr.Unsupported("column %s of a table in a bucket: generated columns and AUTO_INCREMENT", c.Name)
		}
		if !bucketCollation(c.Collation) {
			return nil, mysqlerr.Unsupported("column %s: strings of a table in a bucket compare by their bytes, in %s", c.Name,
				collation.Binary.Name())
		}
		c.Collation = ""
	}
	if !bucketCollation(def.Collation) {
		return nil, mysqlerr.Unsupported("strings of a table in a bucket compare by their bytes, in %s",
			collation.Binary.Name())
	}
	def.Collation = collation.Binary.Name()
	def.Columns[def.PrimaryKey[0]].Collation = collation.Binary.Name()
	wanted := def.Indexes
	def.Indexes = nil
	return wanted, nil
}

// bucketCollation reports whether strings of a table in a bucket may be declared in a collation: one that compares
// bytes, or the default, which then compares bytes too.
func bucketCollation(name string) bool {
	c, ok := collation.Lookup(name)
	return name == "" || ok && (c.IsBinary() || c == collation.Default)
}

// alteredInBucket is the error of an ALTER TABLE that tables in buckets do not support.
func alteredInBucket(name string) error {
	return mysqlerr.Unsupported("%s is in a bucket: of ALTER TABLE it knows indexes, RENAME and ENGINE, "+
		"which stands alone", name)
}

// namesBucket reports whether a clause of an ALTER TABLE, given by the text after the table's name, puts the table
// into a bucket.
func namesBucket(text string) bool {
	s := statement.Scanner{Rest: text}
	for s.Rest != "" {
		if s.Word("ENGINE") {
			s.Symbol('=')
			if strings.EqualFold(s.Name(), information.BucketEngine) {
				return true
			}
		}
		s.Rest = syntax.NextClause(s.Rest)
	}
	return false
}

// RefusedOfBucket refuses clauses of definitions that tables in buckets do not support.
func RefusedOfBucket(s *session.Session, clauses ...*ast.DDL) error {
	for _, c := range clauses {
		if c.OptLike != nil && len(c.OptLike.LikeTables) > 0 {
			if of, ok := batch.CatalogTableAt(s, c.OptLike.LikeTables[0]); ok && of.Bucket != nil {
				return session.InBucket(of, "copy of its definition: both would have the same documents")
			}
		}
		if c.Action != ast.AlterStr || c.IndexSpec != nil && c.IndexSpec.Action != ast.RenameStr {
			continue
		}
		if of, ok := batch.KnownTableAt(s, c.Table); ok && of.Bucket != nil {
			return alteredInBucket(of.Database + "." + of.Name)
		}
	}
	return nil
}

// NoteLeft notes, for tables that were dropped or moved out of a bucket, that their files are still there.
func NoteLeft(s *session.Session, dropped []*catalog.Table) {
	for _, of := range dropped {
		if of.Bucket != nil {
			s.Warn(&sql.Warning{Level: "Note", Code: mysqlerr.Unknown, Message: fmt.Sprintf("The files of %s.%s stay in the "+
				"bucket, in the folder %s. TRUNCATE TABLE deletes documents", of.Database, of.Name, of.Bucket.Collection)})
		}
	}
}
