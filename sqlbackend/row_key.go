package sqlbackend

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

// What a key of appendRowKey holds of one value: a tag, so that values of
// different kinds differ, then the length of the rest and the rest.
const (
	keyNull   = '0'
	keyNumber = 'n'
	keyText   = 't'
	keyWeight = 'w' // a hash by a collation that only the engine has
	keyJSON   = 'j'
	keyOther  = 'x'
)

// appendRowKey appends a value as part of the key of its row: the keys of two
// values of the type are the same if SQL holds the values equal. NULL equals
// NULL here, as in GROUP BY, DISTINCT and UNION. The engine's own keys tell 1
// from 1.0 and know none of our collations.
func appendRowKey(ctx context.Context, dst []byte, v interface{}, t sql.Type) ([]byte, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return dst, err
	}
	if v == nil {
		return append(dst, keyNull), nil
	}
	if types.IsJSON(t) {
		value, err := valueOf(v)
		if err != nil {
			return dst, err
		}
		return appendKeyPart(dst, keyJSON, appendCanonical(nil, value)), nil
	}
	switch v := v.(type) {
	case JSON:
		return appendKeyPart(dst, keyJSON, appendCanonical(nil, v.value)), nil
	case string:
		return appendTextKey(dst, v, t)
	case []byte:
		return appendTextKey(dst, string(v), t)
	case time.Time:
		return appendKeyPart(dst, keyOther, v.UTC().AppendFormat(nil, time.RFC3339Nano)), nil
	case decimal.Decimal:
		if v.IsZero() {
			return appendKeyPart(dst, keyNumber, []byte("0")), nil
		}
	}
	if literal, err := numberLiteral(v); err == nil {
		return appendKeyPart(dst, keyNumber, []byte(canonicalNumber(literal))), nil
	}
	return appendKeyPart(dst, keyOther, fmt.Append(nil, v)), nil
}

func appendKeyPart(dst []byte, tag byte, part []byte) []byte {
	dst = append(dst, tag)
	dst = binary.AppendUvarint(dst, uint64(len(part)))
	return append(dst, part...)
}

func appendTextKey(dst []byte, s string, t sql.Type) ([]byte, error) {
	if coll, ok := collationOfType(t); ok {
		if coll.IsIdentity() {
			return appendKeyPart(dst, keyText, []byte(s)), nil
		}
		return appendKeyPart(dst, keyText, coll.AppendKey(nil, s)), nil
	}
	st, ok := t.(sql.StringType)
	if !ok || !types.IsTextOnly(t) || st.Collation() == sql.Collation_Default {
		return appendKeyPart(dst, keyText, []byte(s)), nil
	}
	hash := xxhash.New()
	if err := st.Collation().WriteWeightString(hash, s); err != nil {
		return dst, err
	}
	return appendKeyPart(dst, keyWeight, hash.Sum(nil)), nil
}

// rowKey is the key of a row of a schema. Within a subquery the rows begin with
// those of the outer query, which are the same all through it.
func rowKey(ctx context.Context, row sql.Row, schema sql.Schema) ([]byte, error) {
	var key []byte
	var err error
	before := max(len(row)-len(schema), 0)
	for i, v := range row[before:] {
		if key, err = appendRowKey(ctx, key, v, schema[i].Type); err != nil {
			return nil, err
		}
	}
	return key, nil
}

// expressionKey is the key of what expressions give for a row.
func expressionKey(ctx *sql.Context, exprs []sql.Expression, row sql.Row) (string, error) {
	var key []byte
	for _, e := range exprs {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return "", err
		}
		if key, err = appendRowKey(ctx, key, v, e.Type()); err != nil {
			return "", err
		}
	}
	return string(key), nil
}
