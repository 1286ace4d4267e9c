package value

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// TextType is a string type whose values compare in one of our collations.
//
// The engine compares strings with weights of its own, which are not the Unicode collation
// algorithm's. So every string column of our tables has a TextType, and the comparison rule
// gives one to every other string that is compared or sorted. To the engine it is a
// types.StringType in utf8mb4_0900_bin, which hashing (GROUP BY, DISTINCT, IN, joins) sees:
// hashes stay exact for the collations in which only identical strings are equal. For the
// others the rule puts weightKey around the hashed expression.
//
// It implements types.ExtendedType because types.IsText knows no other way for a type other
// than types.StringType itself.
type TextType struct {
	types.StringType
	Coll *collation.Collation
}

var (
	_ sql.StringType        = TextType{}
	_ sql.TypeWithCollation = TextType{}
	_ types.ExtendedType    = TextType{}
	_ pushdown.Collated     = TextType{}
)

// NewTextType is the type of undeclared strings: longtext in a collation.
func NewTextType(coll *collation.Collation) TextType {
	return TextType{StringType: LongText, Coll: coll}
}

// LongText is the engine's type of undeclared and computed strings.
var LongText = types.CreateLongText(sql.Collation_utf8mb4_0900_bin).(types.StringType)

// Collated is the type for a declared column: t with our comparison, if t is a character
// type and coll is one of ours. Any other type is returned as it is.
func Collated(t sql.Type, coll *collation.Collation) sql.Type {
	if already, ok := t.(TextType); ok {
		already.Coll = coll
		return already
	}
	st, ok := t.(types.StringType)
	if !ok || coll == nil || !types.IsTextOnly(st) {
		return t
	}
	if st.Collation() != sql.Collation_utf8mb4_0900_bin {
		binary, err := st.WithNewCollation(sql.Collation_utf8mb4_0900_bin)
		if err != nil {
			return t
		}
		if st, ok = binary.(types.StringType); !ok {
			return t
		}
	}
	return TextType{StringType: st, Coll: coll}
}

// CollationOfType is the collation that a type compares strings in, if it is ours.
func CollationOfType(t sql.Type) (*collation.Collation, bool) {
	if tt, ok := t.(TextType); ok {
		return tt.Coll, true
	}
	return nil, false
}

// PushdownCollation implements pushdown.Collated.
func (t TextType) PushdownCollation() *collation.Collation { return t.Coll }

// Compare implements sql.Type.
func (t TextType) Compare(ctx context.Context, a, b interface{}) (int, error) {
	if hasNulls, res := types.CompareNulls(a, b); hasNulls {
		return res, nil
	}
	as, err := TextOf(ctx, a)
	if err != nil {
		return 0, err
	}
	bs, err := TextOf(ctx, b)
	if err != nil {
		return 0, err
	}
	return t.CompareStrings(as, bs), nil
}

// CompareStrings is SQL's comparison: strings that are equal in the collation are equal,
// even with different bytes.
func (t TextType) CompareStrings(a, b string) int {
	if a == b || t.Coll.Equal(a, b) {
		return 0
	}
	if t.Coll.Compare(a, b) < 0 {
		return -1
	}
	return 1
}

// TextOf is the string of a row's value.
func TextOf(ctx context.Context, v interface{}) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case types.Timespan:
		return v.String(), nil
	case JSON:
		if v.Held.Type() == document.TypeString {
			return v.Held.Str(), nil
		}
		return v.String(), nil
	}
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return "", err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	return types.ConvertToString(ctx, v, LongText, nil)
}

// Convert implements sql.Type. JSON becomes its own text.
func (t TextType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if j, ok := v.(JSON); ok {
		v = string(j.Held.Raw())
	}
	return t.StringType.Convert(ctx, v)
}

// Equals implements sql.Type: columns of the same kind of string in the same collation
// compare with each other without a conversion, even with different lengths.
func (t TextType) Equals(other sql.Type) bool {
	o, ok := other.(TextType)
	return ok && o.Coll == t.Coll && o.StringType.Type() == t.StringType.Type()
}

// Promote implements sql.Type.
func (t TextType) Promote() sql.Type { return NewTextType(t.Coll) }

// Collation implements sql.TypeWithCollation: the collation for hashing.
func (t TextType) Collation() sql.CollationID { return sql.Collation_utf8mb4_0900_bin }

// CollationCoercibility implements sql.CollationCoercible.
func (t TextType) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_0900_bin, 4
}

// WithNewCollation implements sql.TypeWithCollation.
func (t TextType) WithNewCollation(id sql.CollationID) (sql.Type, error) {
	return TextType{StringType: t.StringType, Coll: collation.Nearest(id.Name())}, nil
}

// StringWithTableCollation implements sql.TypeWithCollation. In a table of the default
// collation, a column without a collation is in that one, or compares as bytes if it is the
// key.
func (t TextType) StringWithTableCollation(table sql.CollationID) string {
	s := t.StringType.StringWithTableCollation(sql.Collation_utf8mb4_0900_bin)
	inherited := t.Coll == collation.Default || t.Coll == collation.Binary
	if table != sql.Collation_Default {
		inherited = t.Coll == collation.Nearest(table.Name())
	}
	if !inherited {
		s += " COLLATE " + t.Coll.Name()
	}
	return s
}

// String implements fmt.Stringer: the type as SQL declares it.
func (t TextType) String() string { return t.StringType.String() }

// SerializedCompare implements types.ExtendedType.
func (t TextType) SerializedCompare(_ context.Context, a, b []byte) (int, error) {
	return t.CompareStrings(string(a), string(b)), nil
}

// SerializeValue implements types.ExtendedType.
func (t TextType) SerializeValue(ctx context.Context, v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	s, err := TextOf(ctx, v)
	return []byte(s), err
}

// DeserializeValue implements types.ExtendedType.
func (t TextType) DeserializeValue(_ context.Context, v []byte) (any, error) {
	if v == nil {
		return nil, nil
	}
	return string(v), nil
}

// FormatValue implements types.ExtendedType.
func (t TextType) FormatValue(v any) (string, error) {
	if v == nil {
		return "", nil
	}
	return TextOf(context.Background(), v)
}

// MaxSerializedWidth implements types.ExtendedType.
func (t TextType) MaxSerializedWidth() types.ExtendedTypeSerializedWidth {
	return types.ExtendedTypeSerializedWidth_Unbounded
}

// ConvertToType implements types.ExtendedType.
func (t TextType) ConvertToType(ctx *sql.Context, _ types.ExtendedType, v any) (any, error) {
	converted, _, err := t.Convert(ctx, v)
	return converted, err
}

// IsBytes reports whether an expression is a byte string: BINARY, VARBINARY, a
// BLOB, or a hexadecimal literal.
func IsBytes(e sql.Expression) bool {
	if !e.Resolved() {
		return false
	}
	switch t := e.Type().(type) {
	case TextType:
		return false
	case sql.StringType:
		return types.IsBinaryType(t)
	}
	return false
}
