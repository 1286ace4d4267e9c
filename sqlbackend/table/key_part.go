package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// HiddenPart is the prefix of the names of hidden columns; a number unused in the table follows.
const HiddenPart = "_sqlfdb_part"

// maxPrefix is the length in bytes of MySQL's longest part of a key.
const maxPrefix = 3072

// KeyPart is a part of a new index.
type KeyPart struct {
	Name   string
	Length int64           // of a prefix, in characters or bytes; 0: the whole column
	Hidden *catalog.Column // for a unique prefix or an expression; nil: the column itself
	Value  *ComputedColumn // for an expression
}

// KeyParts returns the parts of an index that a statement declares.
func (t *Table) KeyParts(ctx *sql.Context, def sql.IndexDef) ([]KeyPart, error) {
	parts := make([]KeyPart, len(def.Columns))
	for i, c := range def.Columns {
		p := &parts[i]
		text, computed := syntax.MarkedExpression(c.Name)
		if computed && t.Def.Open {
			return nil, mysqlerr.Unsupported("an index on an expression in an open collection")
		}
		if computed {
			hidden, value, err := computedPart(t, ctx, def.Name, text)
			if err != nil {
				return nil, err
			}
			p.Hidden, p.Value = hidden, value
			continue
		}
		p.Name, p.Length = c.Name, c.Length
		declared := t.Def.ColumnNamed(c.Name)
		if c.Length == 0 || declared == nil {
			if c.Length > 0 && def.IsUnique() {
				return nil, mysqlerr.Unsupported("a unique index on the beginning of a column that is not declared")
			}
			continue
		}
		of := &t.Def.Columns[declared.Declared]
		switch {
		case !Prefixed(of) || of.Length > 0 && c.Length > of.Length:
			return nil, mysqlerr.WrongPrefix()
		case of.Length == c.Length:
			p.Length = 0
		case def.IsUnique() && c.Length > maxPrefix:
			return nil, mysqlerr.PrefixTooLong()
		case def.IsUnique() && t.Def.Open:
			return nil, mysqlerr.Unsupported("a unique index on the beginning of a column in an open collection")
		case def.IsUnique():
			p.Hidden = &catalog.Column{Name: of.Name, PrefixOf: of.Name, PrefixLength: c.Length}
		}
	}
	return parts, nil
}

// Prefixed reports whether a key may be on a prefix of a column.
func Prefixed(c *catalog.Column) bool {
	typ, err := session.ParseType(c.Type)
	return err == nil && types.IsText(typ) && !types.IsEnum(typ) && !types.IsSet(typ)
}

// FollowColumn gives a hidden column, which is a prefix of another column, that column's type with the prefix's
// length.
func FollowColumn(hidden, of *catalog.Column) {
	typ := "varchar"
	if of.Class == catalog.ClassBytes {
		typ = "varbinary"
	}
	n := hidden.PrefixLength
	*hidden = catalog.Column{Name: hidden.Name, Hidden: true, PrefixOf: of.Name, PrefixLength: n,
		Type: fmt.Sprintf("%s(%d)", typ, n), Nullable: of.Nullable, Class: of.Class, Length: n, Collation: of.Collation}
}

// computedPart returns the hidden column for an expression.
func computedPart(t *Table, ctx *sql.Context, index, text string) (*catalog.Column, *ComputedColumn, error) {
	before := *t // t becomes the altered table later
	value, err := before.Bind(ctx, text)
	if err != nil {
		return nil, nil, t.bindError(ctx, text, err)
	}
	if _, ok := value.(*expression.GetField); ok {
		return nil, nil, mysqlerr.ComputedColumn()
	}
	var refused error
	reads := Constraints{Reads: map[int]bool{}}
	transform.InspectExpr(value, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			reads.Reads[e.Index()] = true
			declared := t.Columns[e.Index()].Declared
			if declared >= 0 && t.Def.Columns[declared].AutoIncrement {
				refused = mysqlerr.ComputedCounter(index)
			}
		case *plan.Subquery, *expression.UserVar, *expression.SystemVar:
			refused = mysqlerr.ComputedFunction(index)
		case sql.Aggregation, sql.WindowAdaptableExpression:
			refused = mysqlerr.ComputedFunction(index)
		}
		if changesBetween(e) {
			refused = mysqlerr.ComputedFunction(index)
		}
		return false
	})
	if refused != nil {
		return nil, nil, refused
	}
	typ, err := partType(ctx, value)
	if err != nil {
		return nil, nil, err
	}
	hidden, err := Declare(&sql.Column{Name: HiddenPart, Type: typ, Nullable: true})
	if err != nil {
		return nil, nil, err
	}
	hidden.Hidden, hidden.Generated = true, t.plainText(value)
	if value, err = before.evaluable(ctx, value); err != nil {
		return nil, nil, err
	}
	return &hidden, &ComputedColumn{&before, reads, value, true}, nil
}

// bindError returns the engine's error for an expression that can't be bound; Bind may only know that it failed.
func (t *Table) bindError(ctx *sql.Context, text string, failed error) error {
	engine := t.Session.Backend.Engine
	query := "SELECT " + text + " FROM " + sql.QuoteIdentifier(t.Def.Database) + "." + sql.QuoteIdentifier(t.Def.Name)
	stmt, err := engine.Parser.ParseSimple(query)
	if err == nil {
		b := planbuilder.New(ctx, engine.Analyzer.Catalog, nil, engine.Parser)
		b.DisableAuth()
		_, _, err = b.BindOnly(stmt, query, nil)
	}
	if err == nil {
		return failed
	}
	return err
}

// plainText returns an expression's text without tables' names, and with columns' names spelled as declared.
func (t *Table) plainText(e sql.Expression) string {
	plain, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			name := f.Name()
			if c := t.Def.ColumnNamed(name); c != nil {
				name = c.Name
			}
			return f.WithTable("").WithName(name), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	if err != nil {
		return e.String()
	}
	return plain.String()
}

// betweenNames are functions whose value depends on more than their arguments.
var betweenNames = []string{"benchmark", "connection_id", "curdate", "current_date", "current_role", "current_time",
	"current_timestamp", "current_user", "curtime", "database", "found_rows", "get_lock", "is_free_lock", "is_used_lock",
	"last_insert_id", "load_file", "localtime", "localtimestamp", "now", "rand", "random_bytes", "release_all_locks",
	"release_lock", "row_count", "schema", "session_user", "sleep", "sysdate", "system_user", "user",
	"utc_date", "utc_time", "utc_timestamp", "uuid", "uuid_short", "version"}

// changesBetween reports whether an expression may have one value when a row is written and another when it is read.
func changesBetween(e sql.Expression) bool {
	if f, ok := e.(sql.FunctionExpression); ok {
		name := strings.ToLower(f.FunctionName())
		if slices.Contains(betweenNames, name) || name == "unix_timestamp" && len(e.Children()) == 0 {
			return true
		}
	}
	n, ok := e.(sql.NonDeterministicExpression)
	return functions.IsVolatile(e) || ok && n.IsNonDeterministic()
}

// partType returns a type that holds every value of an expression unchanged.
func partType(ctx *sql.Context, e sql.Expression) (sql.Type, error) {
	typ := e.Type()
	switch {
	case types.IsJSON(typ):
		return nil, mysqlerr.ComputedJSON()
	case types.IsText(typ) && session.ClassOf(typ) == catalog.ClassBytes:
		return types.LongBlob, nil
	case types.IsText(typ):
		coll, _ := sql.GetCoercibility(ctx, e)
		return types.CreateLongText(coll), nil
	case types.IsUnsigned(typ):
		return types.Uint64, nil
	case types.IsInteger(typ), types.IsBoolean(typ):
		return types.Int64, nil
	case types.IsDecimal(typ):
		return types.CreateDecimalType(types.DecimalTypeMaxPrecision, types.DecimalTypeMaxScale)
	case types.IsFloat(typ):
		return types.Float64, nil
	}
	return typ, nil
}

// RemoveHidden removes hidden columns with these names from a definition.
func RemoveHidden(def *catalog.Table, names []string) {
	def.Columns = slices.DeleteFunc(def.Columns, func(c catalog.Column) bool {
		return c.Hidden && slices.Contains(names, c.Name)
	})
}

// Without returns a document without the values of some columns.
func Without(d *session.Definition, doc document.Document, names []string) (document.Document, error) {
	for _, name := range names {
		c := d.ColumnNamed(name)
		if _, there := doc.Lookup(c.Keypath); !there {
			continue
		}
		var err error
		if doc, err = doc.Without(c.Keypath); err != nil {
			return doc, err
		}
	}
	return doc, nil
}

// WithoutHidden returns a document without the hidden columns' values, as statements see it.
func WithoutHidden(d *session.Definition, doc document.Document) (document.Document, error) {
	var names []string
	for _, c := range d.Columns[d.Visible():] {
		names = append(names, c.Name)
	}
	return Without(d, doc, names)
}

// HiddenOf returns the names of the hidden columns of an index.
func HiddenOf(def *catalog.Table, idx *catalog.Index) (names []string) {
	for _, name := range idx.Columns {
		if i, ok := def.Column(name); ok && def.Columns[i].Hidden {
			names = append(names, name)
		}
	}
	return names
}

// PrefixesOf returns the names of the hidden columns that are prefixes of a column.
func PrefixesOf(def *catalog.Table, column string) (names []string) {
	for _, c := range def.Columns[def.Visible():] {
		if c.PrefixOf != "" && strings.EqualFold(c.PrefixOf, column) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Computes reports whether a hidden column's expression may read a column; any mention of the name counts.
func Computes(def *catalog.Table, column string) bool {
	return slices.ContainsFunc(def.Columns[def.Visible():], func(c catalog.Column) bool {
		return strings.Contains(strings.ToLower(c.Generated), strings.ToLower(column))
	})
}

// FillPrefix sets a hidden column to its prefix of another column.
func FillPrefix(d *session.Definition, ctx *sql.Context, doc document.Document, c *session.Column) (document.Document,
	error) {
	def := &d.Columns[c.Declared]
	of := d.ColumnNamed(def.PrefixOf)
	v, there := doc.Lookup(of.Keypath)
	if !there || v.IsNull() {
		return doc.With(c.Keypath, document.NullValue())
	}
	x, err := session.ReadColumn(ctx, of, v)
	if err != nil {
		return doc, err
	}
	switch s := x.(type) {
	case string:
		x = functions.FirstCharacters(s, def.PrefixLength)
	case []byte:
		x = s[:min(int64(len(s)), def.PrefixLength)]
	}
	value, err := session.ToJSON(ctx, c, x)
	if err != nil {
		return doc, err
	}
	return doc.With(c.Keypath, value)
}

// ComputeParts sets the hidden columns of a document whose other columns the engine has computed.
func (t *Table) ComputeParts(ctx *sql.Context, d document.Document) (document.Document, error) {
	return t.computeFrom(ctx, d, t.Def.Visible())
}

// ShownPartOf returns a part of an index as it was declared: a column, with the length of its prefix or 0, or an
// expression.
func ShownPartOf(d *session.Definition, idx *catalog.Index, n int) (column string, length int64, expression string) {
	name := idx.Columns[n]
	if i, ok := d.Table.Column(name); ok && d.Columns[i].Hidden {
		c := &d.Columns[i]
		if c.PrefixOf != "" {
			return c.PrefixOf, c.PrefixLength, ""
		}
		return "", 0, session.WithoutParentheses(d.QuoteColumns(c.Generated))
	}
	if n < len(idx.Lengths) {
		length = idx.Lengths[n]
	}
	return name, length, ""
}

// PartTexts returns the parts of an index as in CREATE TABLE; name quotes names.
func PartTexts(d *session.Definition, idx *catalog.Index, name func(string) string) []string {
	parts := make([]string, len(idx.Columns))
	for i := range idx.Columns {
		column, length, expression := ShownPartOf(d, idx, i)
		switch {
		case expression != "":
			parts[i] = "(" + expression + ")"
		case length > 0:
			parts[i] = name(column) + "(" + strconv.FormatInt(length, 10) + ")"
		default:
			parts[i] = name(column)
		}
	}
	return parts
}

// indexWith returns the name of the index that a hidden column is a part of.
func indexWith(d *session.Definition, hidden string) string {
	for i := range d.Indexes {
		if slices.Contains(d.Indexes[i].Columns, hidden) {
			return d.Indexes[i].Name
		}
	}
	return ""
}

// FreePartName returns a free name for an unnamed index that begins with an expression.
func FreePartName(def *catalog.Table) string {
	name := "functional_index"
	for n := 2; FindIndex(def, name) >= 0; n++ {
		name = "functional_index_" + strconv.Itoa(n)
	}
	return name
}
