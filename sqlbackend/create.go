package sqlbackend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ValidateSchema implements sql.SchemaValidator.
func (d *Database) ValidateSchema(schema sql.Schema) error {
	for _, c := range schema {
		if strings.EqualFold(c.Name, documentColumn) {
			continue
		}
		if _, err := typeText(c.Type); err != nil {
			return err
		}
	}
	return nil
}

// CreateTable implements sql.TableCreator. A column `_doc` of type JSON makes
// the table an open collection.
func (d *Database) CreateTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, coll sql.CollationID,
	comment string) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	return d.createTable(ctx, name, schema, coll, comment, func(c *catalog.Change, def *catalog.Table) error {
		if keys := takenOf[catalog.ForeignKey](s, takenForeignKeys); len(keys) > 0 {
			if err := s.declareForeignKeys(ctx, c.View().Stored(), def, keys); err != nil {
				return err
			}
		}
		_, err := c.CreateTable(def)
		return err
	})
}

// createTable makes the definition of a table, which create adds to the others.
func (d *Database) createTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, coll sql.CollationID,
	comment string,
	create func(*catalog.Change, *catalog.Table) error) error {
	if err := refuseIndexKinds(ctx); err != nil {
		return err
	}
	if isCompanionName(name) {
		return mysqlerr.Unsupported("the name %s is reserved for a companion table", name)
	}
	attribute, err := tableOptions(ctx, comment)
	if err != nil {
		return err
	}
	if i := keyOfDump(ctx, schema); i >= 0 {
		columns := slices.Clone(schema.Schema)
		columns[i] = columns[i].Copy()
		columns[i].PrimaryKey = true
		schema = sql.NewPrimaryKeySchema(columns)
	}
	written := writtenCollations(ctx)
	def := &catalog.Table{
		Database:       d.name,
		Name:           name,
		DocumentColumn: -1,
		Collation:      written.ofTable(coll),
		Comment:        comment,
		Options:        attribute.Options,
	}
	// Where each column of the schema stands in the definition.
	places := make([]int, len(schema.Schema))
	for i, c := range schema.Schema {
		if strings.EqualFold(c.Name, documentColumn) {
			if c.Type.Type() != sqltypes.TypeJSON && !restoredDocument(ctx, c) || c.PrimaryKey {
				return mysqlerr.Unsupported("column %s must have the type JSON, and can't be part of the primary key",
					documentColumn)
			}
			if c.Generated != nil || c.Default != nil && !restoredDocument(ctx, c) {
				return mysqlerr.Unsupported("column %s can't have a default or be generated", documentColumn)
			}
			def.Open = true
			def.DocumentColumn = len(def.Columns)
			places[i] = -1
			continue
		}
		column, err := declare(c)
		if err != nil {
			return err
		}
		if own, ok := value.CollationOfType(c.Type); ok && column.Class == "" && (def.Collation != "" || c.PrimaryKey) {
			column.Collation = own.Name() // as in CREATE TABLE … LIKE: not the table's
		} else if !ok && column.Collation == collation.Default.Name() && def.Collation == "" &&
			!written.columns[strings.ToLower(c.Name)] {
			column.Collation = "" // the table's, which is the default
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
	keyCollations(def)
	written.binaryColumns(def.Columns)
	if _, there := def.Column(tables.HiddenKey); there && len(def.PrimaryKey) == 0 {
		return mysqlerr.Unsupported("a column %s must be the primary key", tables.HiddenKey)
	}
	if err := checkColumns(def); err != nil {
		return err
	}
	for i := range def.Columns {
		if err := refuseReads(def, i); err != nil {
			return err
		}
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	for _, idx := range takenOf[catalog.Index](s, takenIndexes) {
		addIndex(def, idx)
		def.Indexes[len(def.Indexes)-1].Building = 0 // there are no documents
	}
	maps := attribute.Maps
	if like := s.likened(); like != nil {
		of, err := s.shownTable(ctx, like.DbQualifier.String(), like.Name.String())
		if err != nil {
			return err
		}
		if of != nil && !s.temporaryStatement() {
			maps = mapOptions(of)
		}
	}
	if err := defineMaps(ctx, def, maps, s.temporaryStatement()); err != nil {
		return err
	}
	err = changeDefinitions(ctx, func(c *catalog.Change) error {
		err := create(c, def)
		if errors.Is(err, catalog.ErrTableExists) {
			return sql.ErrTableAlreadyExists.New(name) // what IF NOT EXISTS looks for
		}
		return err
	})
	if err != nil {
		return err
	}
	partial := takenOf[catalog.Index](s, syntax.TakenExpressions)
	if like := s.likened(); like != nil {
		partial = append(partial, s.partialIndexes(ctx, *like)...)
	}
	for _, idx := range partial {
		made, ok, err := d.GetTableInsensitive(ctx, name)
		if err != nil {
			return err
		}
		t, isTable := made.(*Table)
		if !ok || !isTable {
			return sql.ErrTableNotFound.New(name)
		}
		if err := t.CreateIndex(ctx, syntax.DefinitionOf(idx)); err != nil {
			return err
		}
	}
	return nil
}

// declare is the catalog's column of an engine's.
func declare(c *sql.Column) (catalog.Column, error) {
	text, err := typeText(c.Type)
	if err != nil {
		return catalog.Column{}, err
	}
	if c.AutoIncrement && !types.IsInteger(c.Type) && !types.IsFloat(c.Type) {
		return catalog.Column{}, mysql.NewSQLError(mysql.ERWrongFieldSpec, "42000",
			"Incorrect column specifier for column '%s'", c.Name)
	}
	if err := refuseVariables(c); err != nil {
		return catalog.Column{}, err
	}
	if !validDefault(c) {
		return catalog.Column{}, mysql.NewSQLError(mysqlerr.InvalidDefault, "42000",
			"Invalid default value for '%s'", c.Name)
	}
	return catalog.Column{
		Name:          c.Name,
		Type:          text,
		Nullable:      c.Nullable,
		Default:       expressionText(c.Default),
		OnUpdate:      expressionText(c.OnUpdate),
		Generated:     expressionText(c.Generated),
		NamedVirtual:  c.Generated != nil && (c.Virtual || c.Extra == virtualGenerated),
		AutoIncrement: c.AutoIncrement,
		Comment:       c.Comment,
		Class:         classOf(c.Type),
		Length:        lengthOf(c.Type),
		Collation:     indexCollation(collationOf(c.Type)),
	}, nil
}

// keepsNull reports whether a JSON null is a value of a column that is declared now. Who writes documents may leave a
// member out or write null, so in an open table both are NULL.
func keepsNull(c *catalog.Column, open bool) bool { return c.Type == "json" && !open }

// validDefault tells whether a number or text that is a default is one of the column's type. The engine's own check
// takes an integer that is beyond 2^64, and the number of an ENUM's member.
func validDefault(c *sql.Column) bool {
	if c.Default == nil || !types.IsInteger(c.Type) && !types.IsEnum(c.Type) {
		return true
	}
	if _, long := c.Default.Expr.(*tree.Retype); !c.Default.Literal && !long {
		return true
	}
	ctx := sql.NewEmptyContext()
	v, err := c.Default.Expr.Eval(ctx, nil)
	if err != nil || v == nil {
		return true
	}
	if types.IsEnum(c.Type) {
		return !types.IsNumber(c.Default.Expr.Type())
	}
	_, in, err := compare.ExactType(c.Type).Convert(ctx, v)
	return err == nil && in == sql.InRange
}

// refuseVariables refuses variables in a default and in what a column is generated of: they are not the table's.
func refuseVariables(c *sql.Column) error {
	reads := func(e *sql.ColumnDefaultValue) bool {
		return e != nil && tree.ReadsVariable(e)
	}
	switch {
	case reads(c.Default):
		return mysql.NewSQLError(mysqlerr.DefaultVariables, "HY000",
			"Default value expression of column '%s' cannot refer user or system variables.", c.Name)
	case reads(c.Generated):
		return mysql.NewSQLError(mysqlerr.GeneratedVariables, "HY000",
			"Expression of generated column '%s' cannot refer user or system variables.", c.Name)
	}
	return nil
}

// expressionText is a default as text that the engine reads back: its columns
// without the names of tables.
func expressionText(e *sql.ColumnDefaultValue) string {
	if e == nil {
		return ""
	}
	if l, ok := e.Expr.(*expression.Literal); ok {
		if t, ok := l.Type().(value.TimeType); ok && l.Val != nil { // the engine has made a TIME of a literal
			if span, err := t.ConvertToTimespan(l.Val); err == nil {
				return "'" + t.Spelled(span) + "'"
			}
		}
	}
	plain, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			return f.WithTable(""), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	if err != nil {
		return e.String()
	}
	return plain.String()
}

// indexCollation is the name of the collation that the index orders by, for one
// that a statement names.
func indexCollation(name string) string {
	if name == "" {
		return ""
	}
	return collation.Nearest(name).Name()
}

// keyCollations makes the strings of a primary key compare as bytes unless
// they, or the table, were declared otherwise.
func keyCollations(def *catalog.Table) {
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

// written is what the running statement says of collations. To the engine
// utf8mb4_0900_bin is what a table or column has that says nothing.
type written struct {
	table   string          // the collation of the table; empty if none is named
	columns map[string]bool // the columns, in lower case, that name one
	binary  map[string]bool // those that name utf8mb4_0900_bin
}

// writtenCollations is what the running statement said when it was parsed: the engine
// writes collations into the columns of its syntax tree.
func writtenCollations(ctx *sql.Context) written {
	if s, err := sessionOf(ctx); err == nil {
		return s.written
	}
	return written{}
}

// noteCollations keeps what a statement says of collations.
func (s *Session) noteCollations(stmt ast.Statement) {
	var statements []*ast.DDL
	switch stmt := stmt.(type) {
	case *ast.DDL:
		statements = []*ast.DDL{stmt}
	case *ast.AlterTable:
		statements = stmt.Statements
	default:
		return
	}
	w := written{columns: map[string]bool{}, binary: map[string]bool{}}
	for _, ddl := range statements {
		if ddl.AlterCollationSpec != nil && ddl.AlterCollationSpec.Collation != "" {
			w.table = ddl.AlterCollationSpec.Collation
		}
		if ddl.TableSpec == nil {
			continue
		}
		for _, o := range ddl.TableSpec.TableOpts {
			if strings.HasSuffix(strings.ToLower(o.Name), "collate") {
				w.table = o.Value
			}
		}
		for _, c := range ddl.TableSpec.Columns {
			if c.Type.Collate != "" {
				name := strings.ToLower(c.Name.String())
				w.columns[name] = true
				w.binary[name] = strings.EqualFold(c.Type.Collate, collation.Binary.Name())
			}
		}
	}
	s.written = w
}

// ofTable is the collation of a table of which the engine has that one: empty for the
// default. utf8mb4_0900_bin gets the other name of its order, which is no default of the engine.
func (w written) ofTable(id sql.CollationID) string {
	if strings.EqualFold(w.table, collation.Binary.Name()) {
		return "utf8mb4_bin"
	}
	name := indexCollation(collationName(id))
	if name == collation.Default.Name() {
		return ""
	}
	return name
}

// binaryColumns makes the columns compare as bytes for which the statement says so.
func (w written) binaryColumns(columns []catalog.Column) {
	for i := range columns {
		if w.binary[strings.ToLower(columns[i].Name)] && columns[i].Class == "" {
			columns[i].Collation = "utf8mb4_bin"
		}
	}
}

// checkColumns refuses columns that can't share a document.
func checkColumns(def *catalog.Table) error {
	seen := map[string]string{}
	paths := make([]document.Keypath, len(def.Columns))
	for i := range def.Columns {
		name := def.Columns[i].Name
		path, err := columnKeypath(name)
		if err != nil {
			return err
		}
		paths[i] = path
		lower := strings.ToLower(name)
		if strings.EqualFold(name, hiddenKeyColumn) || len(name) > len(hiddenPart) &&
			strings.EqualFold(name[:len(hiddenPart)], hiddenPart) && !def.Columns[i].Hidden {
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

// tableOptions reads the options that MySQL has no word for: a JSON object in
// ENGINE_ATTRIBUTE, or in the comment.
func tableOptions(ctx *sql.Context, comment string) (tableAttribute, error) {
	text := engineAttribute(ctx)
	if text == "" && strings.HasPrefix(strings.TrimSpace(comment), "{") {
		text = comment
	}
	if text == "" {
		return tableAttribute{}, nil
	}
	return parseOptions(ctx, text)
}

// parseOptions reads the JSON object of ENGINE_ATTRIBUTE.
func parseOptions(ctx *sql.Context, text string) (tableAttribute, error) {
	var o tableAttribute
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
		o.Collation = indexCollation(c.Name())
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

// refuseIndexKinds refuses a CREATE TABLE with indexes of kinds that there are not before anything
// is created: the engine would create the table first.
func refuseIndexKinds(ctx *sql.Context) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	for _, p := range s.parsed {
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

// engineAttribute finds ENGINE_ATTRIBUTE in the running CREATE TABLE: the
// engine does not hand it on.
func engineAttribute(ctx *sql.Context) string {
	s, err := sessionOf(ctx)
	if err != nil {
		return ""
	}
	for _, p := range s.parsed {
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

// optionOf is an option of a table as a statement says it.
func optionOf(spec *ast.TableSpec, name string) string {
	for _, o := range spec.TableOpts {
		if strings.EqualFold(o.Name, name) {
			return o.Value
		}
	}
	return ""
}
