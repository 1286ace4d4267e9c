package ddl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// CreateTable is CREATE TABLE in a database. A column `_doc` of type JSON makes
// the table an open collection.
func CreateTable(ctx *sql.Context, database, name string, schema sql.PrimaryKeySchema, coll sql.CollationID,
	comment string) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	return createTable(ctx, database, name, schema, coll, comment, func(c *catalog.Change, def *catalog.Table) error {
		if keys := extracted[catalog.ForeignKey](s, extractedForeignKeys); len(keys) > 0 {
			if err := declareForeignKeys(s, ctx, c.View().Stored(), def, keys); err != nil {
				return err
			}
		}
		_, err := c.CreateTable(def)
		return err
	})
}

// createTable makes the definition of a table; create adds it to the other definitions.
func createTable(ctx *sql.Context, database, name string, schema sql.PrimaryKeySchema, coll sql.CollationID,
	comment string,
	create func(*catalog.Change, *catalog.Table) error) error {
	if err := refuseIndexKinds(ctx); err != nil {
		return err
	}
	if companion.IsName(name) {
		return mysqlerr.Unsupported("the name %s is reserved for a companion table", name)
	}
	attribute, err := tableOptions(ctx, comment)
	if err != nil {
		return err
	}
	if i := information.KeyOfDump(ctx, schema); i >= 0 {
		columns := slices.Clone(schema.Schema)
		columns[i] = columns[i].Copy()
		columns[i].PrimaryKey = true
		schema = sql.NewPrimaryKeySchema(columns)
	}
	written := writtenCollations(ctx)
	def := &catalog.Table{
		Database:       database,
		Name:           name,
		DocumentColumn: -1,
		Collation:      written.OfTable(coll),
		Comment:        comment,
		Options:        attribute.Options,
	}
	// The index of each column of the schema in the definition.
	places := make([]int, len(schema.Schema))
	for i, c := range schema.Schema {
		if strings.EqualFold(c.Name, session.DocumentColumn) {
			if c.Type.Type() != sqltypes.TypeJSON && !information.RestoredDocument(ctx, c) || c.PrimaryKey {
				return mysqlerr.Unsupported("column %s must have the type JSON, and can't be part of the primary key",
					session.DocumentColumn)
			}
			if c.Generated != nil || c.Default != nil && !information.RestoredDocument(ctx, c) {
				return mysqlerr.Unsupported("column %s can't have a default or be generated", session.DocumentColumn)
			}
			def.Open = true
			def.DocumentColumn = len(def.Columns)
			places[i] = -1
			continue
		}
		column, err := table.Declare(c)
		if err != nil {
			return err
		}
		if own, ok := value.CollationOfType(c.Type); ok && column.Class == "" && (def.Collation != "" || c.PrimaryKey) {
			column.Collation = own.Name() // as in CREATE TABLE … LIKE: its own collation
		} else if !ok && column.Collation == collation.Default.Name() && def.Collation == "" &&
			!written.Columns[strings.ToLower(c.Name)] {
			column.Collation = "" // the table's collation is the default
		}
		places[i] = len(def.Columns)
		def.Columns = append(def.Columns, column)
	}
	for i := range def.Columns {
		def.Columns[i].KeepsNull = keepsNull(&def.Columns[i], def.Open)
	}
	for _, ordinal := range schema.PkOrdinals {
		if c := schema.Schema[ordinal]; types.IsJSON(c.Type) {
			return sql.ErrJSONIndex.New(c.Name)
		}
		def.PrimaryKey = append(def.PrimaryKey, places[ordinal])
	}
	KeyCollations(def)
	written.BinaryColumns(def.Columns)
	if _, there := def.Column(tables.HiddenKey); there && len(def.PrimaryKey) == 0 {
		return mysqlerr.Unsupported("a column %s must be the primary key", tables.HiddenKey)
	}
	if err := checkColumns(def); err != nil {
		return err
	}
	for i := range def.Columns {
		if err := table.RefuseReads(def, i); err != nil {
			return err
		}
	}
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	for _, idx := range extracted[catalog.Index](s, extractedIndexes) {
		addIndex(def, idx)
		def.Indexes[len(def.Indexes)-1].Building = 0 // there are no documents
	}
	maps := attribute.Maps
	if like := table.Likened(s); like != nil {
		of, err := information.ShownTable(s, ctx, like.DbQualifier.String(), like.Name.String())
		if err != nil {
			return err
		}
		if of != nil && !s.Parsed.IsTemporary() {
			maps = information.MapOptions(of)
		}
	}
	if err := information.DefineMaps(ctx, s, def, maps); err != nil {
		return err
	}
	at, err := bucketPlace(ctx, s, database, name)
	if err == nil && at != nil {
		err = declareBucket(ctx, s, def, at)
	}
	if err != nil {
		return buckettable.Error(ctx, err)
	}
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		err := create(c, def)
		if errors.Is(err, catalog.ErrTableExists) {
			return sql.ErrTableAlreadyExists.New(name) // IF NOT EXISTS checks for this error
		}
		return err
	})
	if err != nil {
		return err
	}
	partial := extracted[catalog.Index](s, syntax.ExtractedExpressions)
	if like := table.Likened(s); like != nil {
		partial = append(partial, partialIndexes(s, ctx, *like)...)
	}
	for _, idx := range partial {
		made, ok, err := FindTable(ctx, database, name)
		if err != nil {
			return err
		}
		t, isTable := made.(*table.Table)
		if !ok || !isTable {
			return sql.ErrTableNotFound.New(name)
		}
		if err := t.CreateIndex(ctx, syntax.DefinitionOf(idx)); err != nil {
			return err
		}
	}
	return nil
}

// keepsNull reports whether a JSON null is a value of a newly declared column. Writers of documents may leave a
// member out or write null, so in an open table both are NULL.
func keepsNull(c *catalog.Column, open bool) bool { return c.Type == "json" && !open }

// KeyCollations makes the strings of a primary key compare as bytes unless they, or the table, were declared with
// another collation.
func KeyCollations(def *catalog.Table) {
	for _, i := range def.PrimaryKey {
		c := &def.Columns[i]
		if c.Collation == "" && c.Class == "" {
			c.Collation = collation.Binary.Name()
			if coll, ok := collation.Lookup(def.Collation); ok && coll.IsBinary() {
				c.Collation = coll.Name()
			}
		}
	}
}

// writtenCollations returns the collations that the running statement named when it was parsed: the engine writes
// collations into the columns of its syntax tree.
func writtenCollations(ctx *sql.Context) session.Written {
	if s, err := session.Of(ctx); err == nil {
		return s.Parsed.Written
	}
	return session.Written{}
}

// NoteCollations notes the collations that a statement names.
func NoteCollations(s *session.Session, stmt ast.Statement) {
	var statements []*ast.DDL
	switch stmt := stmt.(type) {
	case *ast.DDL:
		statements = []*ast.DDL{stmt}
	case *ast.AlterTable:
		statements = stmt.Statements
	default:
		return
	}
	w := session.Written{Columns: map[string]bool{}, Binary: map[string]bool{}}
	for _, ddl := range statements {
		if ddl.AlterCollationSpec != nil && ddl.AlterCollationSpec.Collation != "" {
			w.Table = ddl.AlterCollationSpec.Collation
		}
		if ddl.TableSpec == nil {
			continue
		}
		for _, o := range ddl.TableSpec.TableOpts {
			if strings.HasSuffix(strings.ToLower(o.Name), "collate") {
				w.Table = o.Value
			}
		}
		for _, c := range ddl.TableSpec.Columns {
			if c.Type.Collate != "" {
				name := strings.ToLower(c.Name.String())
				w.Columns[name] = true
				w.Binary[name] = strings.EqualFold(c.Type.Collate, collation.Binary.Name())
			}
		}
	}
	s.Parsed.Written = w
}

// checkColumns refuses columns that can't share a document.
func checkColumns(def *catalog.Table) error {
	seen := map[string]string{}
	paths := make([]document.Keypath, len(def.Columns))
	for i := range def.Columns {
		name := def.Columns[i].Name
		path, err := session.ColumnKeypath(name)
		if err != nil {
			return err
		}
		paths[i] = path
		lower := strings.ToLower(name)
		if strings.EqualFold(name, session.HiddenKeyColumn) || len(name) > len(table.HiddenPart) &&
			strings.EqualFold(name[:len(table.HiddenPart)], table.HiddenPart) && !def.Columns[i].Hidden {
			return mysqlerr.Unsupported("the column name %s is reserved", name)
		}
		if _, twice := seen[lower]; twice {
			return sql.ErrDuplicateColumn.New(name)
		}
		seen[lower] = name
	}
	for i, a := range paths {
		for j, b := range paths {
			if i != j && len(a) < len(b) && slices.Equal(a, b[:len(a)]) {
				return mysqlerr.Unsupported("column %s lies within column %s", def.Columns[j].Name, def.Columns[i].Name)
			}
		}
	}
	return nil
}

// tableOptions reads the options that MySQL has no words for: a JSON object in ENGINE_ATTRIBUTE, or in the comment.
func tableOptions(ctx *sql.Context, comment string) (information.TableAttribute, error) {
	text := engineAttribute(ctx)
	if text == "" && strings.HasPrefix(strings.TrimSpace(comment), "{") {
		text = comment
	}
	if text == "" {
		return information.TableAttribute{}, nil
	}
	return parseOptions(ctx, text)
}

// parseOptions reads the JSON object of ENGINE_ATTRIBUTE.
func parseOptions(ctx *sql.Context, text string) (information.TableAttribute, error) {
	var o information.TableAttribute
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&o); err != nil {
		var typ *json.UnmarshalTypeError
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &typ) && typ.Field != "":
			return o, mysqlerr.Unsupported("table options: %s can't be a JSON %s",
				strings.TrimPrefix(typ.Field, "Options."), typ.Value)
		case typ != nil, errors.As(err, &syntax), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return o, mysqlerr.Unsupported("table options must be a JSON object, not %.100s", text)
		}
		return o, mysqlerr.Unsupported("table options: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if o.MaxDepth < 0 || o.StringLimit < 0 || o.ListedColumns < 0 || o.MaxDepth > 100 || o.StringLimit > 4096 {
		return o, mysqlerr.Unsupported(
			"table options: max_depth is at most 100, string_limit at most 4096, and none is negative")
	}
	switch o.KeyScheme {
	case "document":
		o.KeyScheme = ""
	case "", catalog.KeySchemeField:
	default:
		return o, mysqlerr.Unsupported("table options: key_scheme is document or %s, not %s", catalog.KeySchemeField,
			o.KeyScheme)
	}
	if o.Collation != "" {
		c, ok := collation.Lookup(o.Collation)
		if !ok {
			return o, sql.ErrCollationUnknown.New(o.Collation)
		}
		o.Collation = session.IndexCollation(c.Name())
	}
	for i, p := range o.Excluded {
		path, err := document.ParseKeypath(p)
		if err != nil {
			return o, mysqlerr.Of(ctx, fmt.Errorf("table options: excluded: %w", err))
		}
		o.Excluded[i] = path.String()
	}
	return o, nil
}

// refuseIndexKinds refuses a CREATE TABLE with unsupported kinds of indexes before anything is created: the engine
// would create the table first.
func refuseIndexKinds(ctx *sql.Context) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	for _, p := range s.Parsed.All {
		ddl, ok := p.(*ast.DDL)
		if !ok || ddl.TableSpec == nil {
			continue
		}
		for _, idx := range ddl.TableSpec.Indexes {
			if idx.Info.Spatial || idx.Info.Fulltext || idx.Info.Vector {
				return mysqlerr.Unsupported("FULLTEXT, SPATIAL and VECTOR indexes are not supported")
			}
		}
	}
	return nil
}

// engineAttribute returns the ENGINE_ATTRIBUTE of the running CREATE TABLE, which the engine drops.
func engineAttribute(ctx *sql.Context) string {
	s, err := session.Of(ctx)
	if err != nil {
		return ""
	}
	for _, p := range s.Parsed.All {
		ddl, ok := p.(*ast.DDL)
		if !ok || ddl.TableSpec == nil {
			continue
		}
		if text := optionOf(ddl.TableSpec, "engine_attribute"); text != "" {
			return text
		}
	}
	return ""
}

// optionOf returns the value of a table option in a statement.
func optionOf(spec *ast.TableSpec, name string) string {
	for _, o := range spec.TableOpts {
		if strings.EqualFold(o.Name, name) {
			return o.Value
		}
	}
	return ""
}
