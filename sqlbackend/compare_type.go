package sqlbackend

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// textType is a string type whose values compare in one of our collations.
//
// The engine compares strings with weights of its own, which are not the
// Unicode collation algorithm's, so every string column of our tables has a
// textType, and the comparison rule gives one to every other string that is
// compared or sorted. To the engine it is a types.StringType in
// utf8mb4_0900_bin, which is what hashing (GROUP BY, DISTINCT, IN, joins) sees:
// hashes stay exact for the collations in which only identical strings are
// equal. For the others the rule puts weightKey around what is hashed.
//
// It implements types.ExtendedType because types.IsText knows no other way for
// a type that is not a types.StringType itself.
type textType struct {
	types.StringType
	coll *collation.Collation
}

var (
	_ sql.StringType        = textType{}
	_ sql.TypeWithCollation = textType{}
	_ types.ExtendedType    = textType{}
	_ pushdown.Collated     = textType{}
)

// newTextType is the type of undeclared strings: longtext in a collation.
func newTextType(coll *collation.Collation) textType {
	return textType{StringType: longText, coll: coll}
}

// longText is what undeclared and computed strings look like to the engine.
var longText = types.CreateLongText(sql.Collation_utf8mb4_0900_bin).(types.StringType)

// collated is the type for a declared column: t with our comparison, if t is a
// character type and coll is one of ours; any other type is returned as it is.
func collated(t sql.Type, coll *collation.Collation) sql.Type {
	if already, ok := t.(textType); ok {
		already.coll = coll
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
	return textType{StringType: st, coll: coll}
}

// collationOfType is the collation that a type compares strings in, if it is ours.
func collationOfType(t sql.Type) (*collation.Collation, bool) {
	if tt, ok := t.(textType); ok {
		return tt.coll, true
	}
	return nil, false
}

// PushdownCollation implements pushdown.Collated.
func (t textType) PushdownCollation() *collation.Collation { return t.coll }

// Compare implements sql.Type.
func (t textType) Compare(ctx context.Context, a, b interface{}) (int, error) {
	if hasNulls, res := types.CompareNulls(a, b); hasNulls {
		return res, nil
	}
	as, err := textOf(ctx, a)
	if err != nil {
		return 0, err
	}
	bs, err := textOf(ctx, b)
	if err != nil {
		return 0, err
	}
	return t.compareStrings(as, bs), nil
}

// compareStrings is SQL's comparison: strings that the collation holds equal
// are equal, whatever their bytes.
func (t textType) compareStrings(a, b string) int {
	if a == b || t.coll.Equal(a, b) {
		return 0
	}
	if t.coll.Compare(a, b) < 0 {
		return -1
	}
	return 1
}

// textOf is the string of a row's value.
func textOf(ctx context.Context, v interface{}) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	case types.Timespan:
		return v.String(), nil
	case JSON:
		if v.value.Type() == document.TypeString {
			return v.value.Str(), nil
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
	return types.ConvertToString(ctx, v, longText, nil)
}

// Convert implements sql.Type. JSON becomes its own text.
func (t textType) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if j, ok := v.(JSON); ok {
		v = string(j.value.Raw())
	}
	return t.StringType.Convert(ctx, v)
}

// Equals implements sql.Type: columns of the same kind of string in the same
// collation compare with each other as they are, whatever their lengths.
func (t textType) Equals(other sql.Type) bool {
	o, ok := other.(textType)
	return ok && o.coll == t.coll && o.StringType.Type() == t.StringType.Type()
}

// Promote implements sql.Type.
func (t textType) Promote() sql.Type { return newTextType(t.coll) }

// Collation implements sql.TypeWithCollation: what hashing is to use.
func (t textType) Collation() sql.CollationID { return sql.Collation_utf8mb4_0900_bin }

// CollationCoercibility implements sql.CollationCoercible.
func (t textType) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_utf8mb4_0900_bin, 4
}

// WithNewCollation implements sql.TypeWithCollation.
func (t textType) WithNewCollation(id sql.CollationID) (sql.Type, error) {
	return textType{StringType: t.StringType, coll: collation.Nearest(id.Name())}, nil
}

// StringWithTableCollation implements sql.TypeWithCollation. In a table of the
// default collation a column that says nothing is in it, or compares as bytes if it is the key.
func (t textType) StringWithTableCollation(table sql.CollationID) string {
	s := t.StringType.StringWithTableCollation(sql.Collation_utf8mb4_0900_bin)
	inherited := t.coll == collation.Default || t.coll == collation.Binary
	if table != sql.Collation_Default {
		inherited = t.coll == collation.Nearest(table.Name())
	}
	if !inherited {
		s += " COLLATE " + t.coll.Name()
	}
	return s
}

// String implements fmt.Stringer: the type as SQL declares it.
func (t textType) String() string { return t.StringType.String() }

// SerializedCompare implements types.ExtendedType.
func (t textType) SerializedCompare(_ context.Context, a, b []byte) (int, error) {
	return t.compareStrings(string(a), string(b)), nil
}

// SerializeValue implements types.ExtendedType.
func (t textType) SerializeValue(ctx context.Context, v any) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	s, err := textOf(ctx, v)
	return []byte(s), err
}

// DeserializeValue implements types.ExtendedType.
func (t textType) DeserializeValue(_ context.Context, v []byte) (any, error) {
	if v == nil {
		return nil, nil
	}
	return string(v), nil
}

// FormatValue implements types.ExtendedType.
func (t textType) FormatValue(v any) (string, error) {
	if v == nil {
		return "", nil
	}
	return textOf(context.Background(), v)
}

// MaxSerializedWidth implements types.ExtendedType.
func (t textType) MaxSerializedWidth() types.ExtendedTypeSerializedWidth {
	return types.ExtendedTypeSerializedWidth_Unbounded
}

// ConvertToType implements types.ExtendedType.
func (t textType) ConvertToType(ctx *sql.Context, _ types.ExtendedType, v any) (any, error) {
	converted, _, err := t.Convert(ctx, v)
	return converted, err
}
