package value

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// A part of AppendRowKey's key, for one value: a tag, so that values of different kinds
// differ, then the length of the rest and the rest.
const (
	KeyNull   = '0'
	keyNumber = 'n'
	keyText   = 't'
	keyWeight = 'w' // a hash by a collation that only the engine has
	KeyJSON   = 'j'
	keyOther  = 'x'
)

// AppendRowKey appends a value as part of the key of its row: the keys of two values of the
// type are the same if SQL holds the values equal. NULL equals NULL here, as in GROUP BY,
// DISTINCT and UNION. The engine's own keys differ for 1 and 1.0, and know none of our
// collations.
func AppendRowKey(ctx context.Context, dst []byte, v interface{}, t sql.Type) ([]byte, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return dst, err
	}
	if v == nil {
		return append(dst, KeyNull), nil
	}
	if types.IsJSON(t) {
		value, err := ValueOf(v)
		if err != nil {
			return dst, err
		}
		return AppendKeyPart(dst, KeyJSON, AppendCanonical(nil, value)), nil
	}
	switch v := v.(type) {
	case JSON:
		return AppendKeyPart(dst, KeyJSON, AppendCanonical(nil, v.Held)), nil
	case string:
		return appendTextKey(dst, v, t)
	case []byte:
		return appendTextKey(dst, string(v), t)
	case time.Time:
		return AppendKeyPart(dst, keyOther, v.UTC().AppendFormat(nil, time.RFC3339Nano)), nil
	case decimal.Decimal:
		if v.IsZero() {
			return AppendKeyPart(dst, keyNumber, []byte("0")), nil
		}
	}
	if literal, err := NumberLiteral(v); err == nil {
		return AppendKeyPart(dst, keyNumber, []byte(CanonicalNumber(literal))), nil
	}
	return AppendKeyPart(dst, keyOther, fmt.Append(nil, v)), nil
}

// AppendKeyPart appends a part of a key behind its tag, with its length.
func AppendKeyPart(dst []byte, tag byte, part []byte) []byte {
	dst = append(dst, tag)
	dst = binary.AppendUvarint(dst, uint64(len(part)))
	return append(dst, part...)
}

func appendTextKey(dst []byte, s string, t sql.Type) ([]byte, error) {
	if coll, ok := CollationOfType(t); ok {
		if coll.IsIdentity() {
			return AppendKeyPart(dst, keyText, []byte(s)), nil
		}
		return AppendKeyPart(dst, keyText, coll.AppendKey(nil, s)), nil
	}
	st, ok := t.(sql.StringType)
	if !ok || !types.IsTextOnly(t) || st.Collation() == sql.Collation_Default {
		return AppendKeyPart(dst, keyText, []byte(s)), nil
	}
	hash := xxhash.New()
	if err := st.Collation().WriteWeightString(hash, s); err != nil {
		return dst, err
	}
	return AppendKeyPart(dst, keyWeight, hash.Sum(nil)), nil
}

// RowKey is the key of a row of a schema. Within a subquery the rows begin with the outer
// query's row, which does not change within a run.
func RowKey(ctx context.Context, row sql.Row, schema sql.Schema) ([]byte, error) {
	var key []byte
	var err error
	before := max(len(row)-len(schema), 0)
	for i, v := range row[before:] {
		if key, err = AppendRowKey(ctx, key, v, schema[i].Type); err != nil {
			return nil, err
		}
	}
	return key, nil
}

// ExpressionKey is the key of the values of expressions for a row.
func ExpressionKey(ctx *sql.Context, exprs []sql.Expression, row sql.Row) (string, error) {
	key, err := AppendExpressionKey(ctx, nil, exprs, row)
	return string(key), err
}

// AppendExpressionKey appends ExpressionKey's key.
func AppendExpressionKey(ctx *sql.Context, key []byte, exprs []sql.Expression, row sql.Row) ([]byte, error) {
	for _, e := range exprs {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if key, err = AppendRowKey(ctx, key, v, e.Type()); err != nil {
			return nil, err
		}
	}
	return key, nil
}
