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

// HiddenPart begins the names of hidden columns; a number that the table has not given before follows.
const HiddenPart = "_sqlfdb_part"

// maxPrefix is MySQL's longest part of a key, in bytes.
const maxPrefix = 3072

// KeyPart is a part of an index that is being made.
type KeyPart struct {
	Name   string
	Length int64           // characters or bytes of the column; 0: all
	Hidden *catalog.Column // nil: the part is the column of that name
	Value  *ComputedColumn // of an expression
}

// KeyParts are the parts of an index that a statement declares.
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

// Prefixed reports whether a key may be on the beginning of a column's values.
func Prefixed(c *catalog.Column) bool {
	typ, err := session.ParseType(c.Type)
	return err == nil && types.IsText(typ) && !types.IsEnum(typ) && !types.IsSet(typ)
}

// FollowColumn gives a hidden column that is the beginning of another that one's type, of any length up to its own.
func FollowColumn(hidden, of *catalog.Column) {
	typ := "varchar"
	if of.Class == catalog.ClassBytes {
		typ = "varbinary"
	}
	n := hidden.PrefixLength
	*hidden = catalog.Column{Name: hidden.Name, Hidden: true, PrefixOf: of.Name, PrefixLength: n,
		Type: fmt.Sprintf("%s(%d)", typ, n), Nullable: of.Nullable, Class: of.Class, Length: n, Collation: of.Collation}
}

// computedPart is the hidden column of an expression.
func computedPart(t *Table, ctx *sql.Context, index, text string) (*catalog.Column, *ComputedColumn, error) {
	before := *t // t becomes the altered table
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

// bindError is what the engine says of an expression that can't be bound: bind has only that it failed.
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

// plainText is an expression's text without the names of tables, and with those of columns as they are declared.
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

// betweenNames are functions whose value is not that of their arguments alone.
var betweenNames = []string{"benchmark", "connection_id", "curdate", "current_date", "current_role", "current_time",
	"current_timestamp", "current_user", "curtime", "database", "found_rows", "get_lock", "is_free_lock", "is_used_lock",
	"last_insert_id", "load_file", "localtime", "localtimestamp", "now", "rand", "random_bytes", "release_all_locks",
	"release_lock", "row_count", "schema", "session_user", "sleep", "sysdate", "system_user", "user",
	"utc_date", "utc_time", "utc_timestamp", "uuid", "uuid_short", "version"}

// changesBetween reports whether an expression may give one value when a row is written and another when it is read.
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

// partType is a type that holds every value of an expression as it is.
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

// RemoveHidden takes the hidden columns of an index out of a definition.
func RemoveHidden(def *catalog.Table, names []string) {
	def.Columns = slices.DeleteFunc(def.Columns, func(c catalog.Column) bool {
		return c.Hidden && slices.Contains(names, c.Name)
	})
}

// Without is a document without the values of some columns.
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

// WithoutHidden is a document as statements may see it.
func WithoutHidden(d *session.Definition, doc document.Document) (document.Document, error) {
	var names []string
	for _, c := range d.Columns[d.Visible():] {
		names = append(names, c.Name)
	}
	return Without(d, doc, names)
}

// HiddenOf are the hidden columns that an index has.
func HiddenOf(def *catalog.Table, idx *catalog.Index) (names []string) {
	for _, name := range idx.Columns {
		if i, ok := def.Column(name); ok && def.Columns[i].Hidden {
			names = append(names, name)
		}
	}
	return names
}

// PrefixesOf are the hidden columns that are the beginning of a column.
func PrefixesOf(def *catalog.Table, column string) (names []string) {
	for _, c := range def.Columns[def.Visible():] {
		if c.PrefixOf != "" && strings.EqualFold(c.PrefixOf, column) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Computes reports whether a hidden column is an expression that reads a column; doubt about a name in its text counts.
func Computes(def *catalog.Table, column string) bool {
	return slices.ContainsFunc(def.Columns[def.Visible():], func(c catalog.Column) bool {
		return strings.Contains(strings.ToLower(c.Generated), strings.ToLower(column))
	})
}

// FillPrefix gives a hidden column its prefix of another column.
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

// ComputeParts gives the hidden columns of a document their values, where the engine has computed the others.
func (t *Table) ComputeParts(ctx *sql.Context, d document.Document) (document.Document, error) {
	return t.computeFrom(ctx, d, t.Def.Visible())
}

// ShownPartOf is a part of an index as people know it: a column, with the length of its beginning or 0, or an
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

// PartTexts are the parts of an index as CREATE TABLE takes them, where name quotes names.
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

// indexWith is the name of the index that a hidden column is a part of.
func indexWith(d *session.Definition, hidden string) string {
	for i := range d.Indexes {
		if slices.Contains(d.Indexes[i].Columns, hidden) {
			return d.Indexes[i].Name
		}
	}
	return ""
}

// FreePartName is the name of an index that begins with an expression and was given none.
func FreePartName(def *catalog.Table) string {
	name := "functional_index"
	for n := 2; FindIndex(def, name) >= 0; n++ {
		name = "functional_index_" + strconv.Itoa(n)
	}
	return name
}
