package session

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TypeText returns a SQL type as text that ParseType reads back.
func TypeText(t sql.Type) (string, error) {
	switch t := t.(type) {
	case sql.EnumType:
		return ListText("enum", t.Values(), t.Collation()), nil
	case sql.SetType:
		return ListText("set", t.Values(), t.Collation()), nil
	case value.TextType:
		return TypeText(t.StringType)
	case types.StringType:
		// The definition keeps the collation separate from the type.
		if plain, ok := value.Collated(t, collation.Default).(value.TextType); ok {
			return plain.StringType.String(), nil
		}
	}
	switch {
	case types.IsGeometry(t):
		return "", mysqlerr.Unsupported("columns of type %s are not supported", t)
	}
	text := t.String()
	if _, err := ParseType(text); err != nil {
		return "", mysqlerr.Unsupported("columns of type %s are not supported", t)
	}
	return text, nil
}

// ListText returns the type ENUM or SET with its values, as SHOW CREATE TABLE has it.
func ListText(kind string, values []string, c sql.CollationID) string {
	var b strings.Builder
	b.WriteString(kind)
	b.WriteByte('(')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\'')
		b.WriteString(strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(v))
		b.WriteByte('\'')
	}
	b.WriteByte(')')
	if c != sql.Collation_Default && c != sql.Collation_Unspecified && c.Name() != collation.Default.Name() {
		b.WriteString(" CHARACTER SET " + c.CharacterSet().String() + " COLLATE " + c.String())
	}
	return b.String()
}

// ParseType reads a type that TypeText wrote.
func ParseType(text string) (sql.Type, error) {
	if t, ok := value.ParseTimeType(text); ok {
		return t, nil
	}
	t, err := planbuilder.ParseColumnTypeString(text)
	if err != nil {
		return nil, fmt.Errorf("sqlbackend: column type %s: %w", text, err)
	}
	if c, ok := t.(sql.TypeWithCollation); ok && c.Collation() == sql.Collation_Unspecified {
		return c.WithNewCollation(sql.Collation_Default)
	}
	return t, nil
}

// ClassOf returns the encoding of a declared column's values in the index and the primary key, where JSON alone does
// not determine it.
func ClassOf(t sql.Type) string {
	switch t.Type() {
	case sqltypes.Bit, sqltypes.Year, sqltypes.Decimal, sqltypes.Float32, sqltypes.Float64:
		return catalog.ClassNumber
	case sqltypes.Date:
		return catalog.ClassDate
	case sqltypes.Datetime, sqltypes.Timestamp:
		return catalog.ClassDatetime
	case sqltypes.Time:
		return catalog.ClassTime
	case sqltypes.Binary, sqltypes.VarBinary, sqltypes.Blob:
		return catalog.ClassBytes
	}
	if types.IsInteger(t) {
		return catalog.ClassNumber
	}
	return ""
}

// LengthOf returns the greatest length of a string type that has one.
func LengthOf(t sql.Type) int64 {
	switch s, ok := t.(sql.StringType); {
	case !ok:
		return 0
	case t.Type() == sqltypes.Char, t.Type() == sqltypes.VarChar:
		return s.MaxCharacterLength()
	case t.Type() == sqltypes.Binary, t.Type() == sqltypes.VarBinary:
		return s.MaxByteLength()
	}
	return 0
}

// CollationOf returns the name of the collation that a declared type names; empty means the table's. The engine gives
// every string type a collation, its own default where the statement named none.
func CollationOf(t sql.Type) string {
	c, ok := t.(sql.TypeWithCollation)
	if !ok || !types.IsTextOnly(t) && !types.IsText(t) || ClassOf(t) == catalog.ClassBytes {
		return ""
	}
	if tt, ok := t.(value.TextType); ok {
		if tt.Coll == collation.Default {
			return ""
		}
		return tt.Coll.Name()
	}
	if id := c.Collation(); id != sql.Collation_Default && id != sql.Collation_Unspecified {
		return id.Name()
	}
	return ""
}

// ColumnCollation returns the collation in which a declared column's strings compare. Primary keys compare as bytes
// unless declared otherwise.
func ColumnCollation(t *catalog.Table, column int) *collation.Collation {
	if name := t.Columns[column].Collation; name != "" {
		if c, ok := collation.Lookup(name); ok {
			return c
		}
	}
	for _, k := range t.PrimaryKey {
		if k == column {
			return collation.Binary
		}
	}
	return CollationOr(t.Collation, collation.Default)
}

// UndeclaredCollation returns the collation of a table's undeclared strings.
func UndeclaredCollation(t *catalog.Table) *collation.Collation {
	return CollationOr(t.UndeclaredCollation(), collation.Default)
}

// CollationOr returns the collation of that name, or another where there is no such name.
func CollationOr(name string, otherwise *collation.Collation) *collation.Collation {
	if c, ok := collation.Lookup(name); ok {
		return c
	}
	return otherwise
}

var (
	bigDecimal   = types.MustCreateDecimalType(65, 0)
	inferredBool = types.MustCreateNumberTypeWithDisplayWidth(sqltypes.Int8, 1)
)

// InferredType returns the type of an undeclared keypath that the counts prove: every value there, except null, fits
// it without loss.
func InferredType(counts costing.Keypath, strings *collation.Collation) sql.Type {
	has := func(k document.Kind) bool { return counts[k].Documents > 0 || counts[k].Entries > 0 }
	integers := has(document.KindInt53) || has(document.KindInt64) || has(document.KindUint64) || has(document.KindBigInt)
	numbers := integers || has(document.KindFloat) || has(document.KindBigNum)
	families := 0
	for _, there := range []bool{numbers, has(document.KindBool), has(document.KindString), has(document.KindObject) ||
		has(document.KindArray)} {
		if there {
			families++
		}
	}
	switch {
	case families != 1:
		return types.JSON
	case has(document.KindString):
		return value.NewTextType(strings)
	case has(document.KindBool):
		return inferredBool
	case !numbers || has(document.KindBigNum):
		return types.JSON
	case has(document.KindFloat):
		if has(document.KindInt64) || has(document.KindUint64) || has(document.KindBigInt) {
			return types.JSON
		}
		return types.Float64
	case has(document.KindBigInt):
		return bigDecimal
	case has(document.KindUint64):
		// The counts don't show whether smaller integers are negative.
		if has(document.KindInt53) || has(document.KindInt64) {
			return bigDecimal
		}
		return types.Uint64
	}
	return types.Int64
}

// indexedType is the type that the engine sees for an undeclared column of an index being made. It accepts no index
// on JSON or on long text, but here every keypath is indexed with any values.
var indexedType = types.MustCreateStringWithDefaults(sqltypes.VarChar, 255)

// CollationName returns the name of one of the engine's collations in the catalog; empty for our default, which is
// the engine's default too.
func CollationName(id sql.CollationID) string {
	if id == sql.Collation_Default || id == sql.Collation_Unspecified {
		return ""
	}
	return id.Name()
}

// IndexCollation returns the name of the collation that the index orders by, for one that a statement names.
func IndexCollation(name string) string {
	if name == "" {
		return ""
	}
	return collation.Nearest(name).Name()
}

// Written has the collations that the running statement names. The engine gives utf8mb4_0900_bin to tables and
// columns that name none.
type Written struct {
	Table   string          // the collation of the table; empty if none is named
	Columns map[string]bool // the columns, in lower case, that name one
	Binary  map[string]bool // the columns that name utf8mb4_0900_bin
}

// OfTable returns the collation of a table with that collation in the engine: empty for the default. Instead of
// utf8mb4_0900_bin it returns utf8mb4_bin, the other name of the same order, which is not the engine's default.
func (w Written) OfTable(id sql.CollationID) string {
	if strings.EqualFold(w.Table, collation.Binary.Name()) {
		return "utf8mb4_bin"
	}
	name := IndexCollation(CollationName(id))
	if name == collation.Default.Name() {
		return ""
	}
	return name
}

// BinaryColumns makes the columns compare as bytes for which the statement names utf8mb4_0900_bin.
func (w Written) BinaryColumns(columns []catalog.Column) {
	for i := range columns {
		if w.Binary[strings.ToLower(columns[i].Name)] && columns[i].Class == "" {
			columns[i].Collation = "utf8mb4_bin"
		}
	}
}

// typing reads a table's documents by the SQL types of its definition.
type typing struct {
	Ctx *sql.Context // for conversions: no session takes part in them
	// Unsettled are the columns whose documents may hold a former type's values, or values that did not fit.
	Unsettled []unsettledColumn
}

// unsettledColumn is a column with its former types.
type unsettledColumn struct {
	now     Column
	earlier []earlierColumn // the oldest first
}

// earlierColumn is a column as documents below a generation hold it.
type earlierColumn struct {
	Column
	below  int64
	absent document.Value // see catalog.Encoding
}

var _ tables.Typing = (*typing)(nil)

// newTyping returns the typing of a table; columns are its declared ones.
func newTyping(t *catalog.Table, columns []Column) (*typing, error) {
	y := &typing{}
	for i := range t.Columns {
		if !t.Columns[i].Unsettled() {
			continue
		}
		u := unsettledColumn{now: columns[i]}
		for _, e := range t.Columns[i].Earlier {
			c, err := ColumnAt(t.At(e.Below-1), i)
			if err != nil {
				return nil, err
			}
			var absent document.Value
			if e.Absent != "" {
				if absent, err = document.ParseValue([]byte(e.Absent), document.Limits{}); err != nil {
					return nil, fmt.Errorf("sqlbackend: column %s of %s: what absent values read as: %w", t.Columns[i].Name, t, err)
				}
			}
			u.earlier = append(u.earlier, earlierColumn{c, e.Below, absent})
		}
		y.Unsettled = append(y.Unsettled, u)
	}
	if len(y.Unsettled) > 0 {
		y.Ctx = sql.NewEmptyContext()
		y.Ctx.GetCharacterSetResults() // the session looks it up once, and is shared from here on
	}
	return y, nil
}

// ColumnAt returns the declared column at an index of a table.
func ColumnAt(t *catalog.Table, place int) (Column, error) {
	def := &t.Columns[place]
	path, err := ColumnKeypath(def.Name)
	if err != nil {
		return Column{}, fmt.Errorf("sqlbackend: column %s of %s: %w", def.Name, t, err)
	}
	if def.Type == "" {
		return Column{Name: def.Name, Keypath: path, Typ: types.JSON, Declared: place, Unit: UnitJSON, Undeclared: true}, nil
	}
	typ, err := ParseType(def.Type)
	if err != nil {
		return Column{}, err
	}
	typ = value.Collated(typ, ColumnCollation(t, place))
	return Column{Name: def.Name, Keypath: path, Typ: typ, Declared: place, Unit: UnitOf(typ), Unsettled: def.Unsettled(),
		KeepsNull: def.KeepsNull}, nil
}

// Upgrade implements tables.Typing: each value goes through all the types that its column has had since. A missing
// value begins as the column's default at that time.
func (y *typing) Upgrade(d document.Document, generation int64) (document.Document, error) {
	for i := range y.Unsettled {
		u := &y.Unsettled[i]
		v, there := d.Lookup(u.now.Keypath)
		next := v
		for j := range u.earlier {
			if generation >= u.earlier[j].below {
				continue
			}
			from, to := &u.earlier[j].Column, &u.now
			if from.ReadsNull(next) && !u.earlier[j].absent.IsZero() {
				next = u.earlier[j].absent
				continue
			}
			if j+1 < len(u.earlier) {
				to = &u.earlier[j+1].Column
			}
			next, _ = ConvertStored(y.Ctx, from, to, next)
		}
		if !there && next.IsZero() || there && next.Text() == v.Text() {
			continue
		}
		var err error
		if d, err = u.now.Put(d, next); err != nil {
			return d, fmt.Errorf("sqlbackend: column %s: %w", u.now.Name, err)
		}
	}
	return d, nil
}

// Misfits implements tables.Typing.
func (y *typing) Misfits(d document.Document, visit func(tables.Misfit)) error {
	for i := range y.Unsettled {
		c := &y.Unsettled[i].now
		v, there := d.Lookup(c.Keypath)
		if !there {
			continue
		}
		if _, err := ReadStored(y.Ctx, c, v); err != nil {
			visit(tables.Misfit{Column: c.Name, Value: v})
		}
	}
	return nil
}

// OpenCollection opens the collection of a table outside of the SQL engine: its
// documents are read by the types that the table declares.
func OpenCollection(cat *catalog.Catalog, def *catalog.Table) (*tables.Collection, error) {
	d, err := NewDefinition(cat, def)
	if err != nil {
		return nil, err
	}
	return d.Collection, nil
}

// MaxMisfitWarnings bounds the warnings of one command about values that do
// not fit their column.
const MaxMisfitWarnings = 64

// ReadColumn is FromJSON, but NULL for a value that does not fit an unsettled column.
func ReadColumn(ctx *sql.Context, c *Column, v document.Value) (any, error) {
	if !c.Unsettled {
		return FromJSON(ctx, c, v)
	}
	if x, err := ReadStored(ctx, c, v); err == nil {
		return x, nil
	}
	return nil, nil
}

// TypeName returns a column's type as messages spell it, without its collation.
func TypeName(t sql.Type) string {
	if text, err := TypeText(t); err == nil {
		return text
	}
	return t.String()
}

// KeyName returns an encoded primary key as clients see it.
func (d *Definition) KeyName(ctx *sql.Context, pk []byte) string {
	values, err := d.DecodeKey(ctx, pk)
	if err != nil {
		return fmt.Sprintf("%x", pk)
	}
	if d.Hidden() {
		return fmt.Sprint(values...)
	}
	return d.KeyText(ctx, values)
}
