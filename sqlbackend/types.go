package sqlbackend

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
)

// typeText is a SQL type as text that parseType reads back.
func typeText(t sql.Type) (string, error) {
	switch t := t.(type) {
	case sql.EnumType:
		return listText("enum", t.Values(), t.Collation()), nil
	case sql.SetType:
		return listText("set", t.Values(), t.Collation()), nil
	case value.TextType:
		return typeText(t.StringType)
	case types.StringType:
		// The definition tells the collation apart from the type.
		if plain, ok := value.Collated(t, collation.Default).(value.TextType); ok {
			return plain.StringType.String(), nil
		}
	}
	switch {
	case types.IsGeometry(t):
		return "", mysqlerr.Unsupported("columns of type %s are not supported", t)
	}
	text := t.String()
	if _, err := parseType(text); err != nil {
		return "", mysqlerr.Unsupported("columns of type %s are not supported", t)
	}
	return text, nil
}

func listText(kind string, values []string, c sql.CollationID) string {
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

// parseType reads a type that typeText wrote.
func parseType(text string) (sql.Type, error) {
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

// classOf is how the index and the primary key encode a declared column's
// values where JSON alone does not say it.
func classOf(t sql.Type) string {
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

// lengthOf is the greatest length of a string type that has one.
func lengthOf(t sql.Type) int64 {
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

// collationOf is the name of the collation that a declared type asks for; empty
// means the table's. The engine gives every string type a collation, its own
// default where the statement named none.
func collationOf(t sql.Type) string {
	c, ok := t.(sql.TypeWithCollation)
	if !ok || !types.IsTextOnly(t) && !types.IsText(t) || classOf(t) == catalog.ClassBytes {
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

// columnCollation is the collation that a declared column's strings compare
// in. Primary keys compare as bytes unless declared otherwise.
func columnCollation(t *catalog.Table, column int) *collation.Collation {
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
	return collationOr(t.Collation, collation.Default)
}

// undeclaredCollation is the collation of a table's undeclared strings.
func undeclaredCollation(t *catalog.Table) *collation.Collation {
	return collationOr(t.UndeclaredCollation(), collation.Default)
}

// collationOr is the collation of that name, or another where there is no such name.
func collationOr(name string, otherwise *collation.Collation) *collation.Collation {
	if c, ok := collation.Lookup(name); ok {
		return c
	}
	return otherwise
}

var (
	bigDecimal   = types.MustCreateDecimalType(65, 0)
	inferredBool = types.MustCreateNumberTypeWithDisplayWidth(sqltypes.Int8, 1)
)

// inferredType is the type of an undeclared keypath that the counts prove:
// every value that is there, but null, fits it without loss.
func inferredType(counts costing.Keypath, strings *collation.Collation) sql.Type {
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
		// Whether smaller integers are negative the counts don't tell.
		if has(document.KindInt53) || has(document.KindInt64) {
			return bigDecimal
		}
		return types.Uint64
	}
	return types.Int64
}
