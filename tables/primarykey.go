package tables

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// HiddenKey is the member that holds the key of a table declared without one.
const HiddenKey = "_id"

// ErrBadKey: a value that can't be a primary key.
var ErrBadKey = errors.New("primary key has no usable value")

// PrimaryKeyOf derives a document's primary key from its members. A missing
// single text key is filled with a UUIDv7, put in front of the document, which is
// why the document is returned. Keys of text columns compare as bytes unless the column
// declares a collation; a number in the document is keyed by its literal there.
func PrimaryKeyOf(t *catalog.Table, d document.Document) (pk []byte, filled document.Document, err error) {
	if len(t.PrimaryKey) == 0 {
		return keyColumn(nil, &catalog.Column{Name: HiddenKey}, d, keyOptions{fill: true})
	}
	for _, i := range t.PrimaryKey {
		col := &t.Columns[i]
		fill := len(t.PrimaryKey) == 1 && col.Class == "" && !col.AutoIncrement
		if pk, d, err = keyColumn(pk, col, d, keyOptions{fill: fill}); err != nil {
			return nil, d, err
		}
	}
	return pk, d, nil
}

// DerivesKeys reports whether PrimaryKeyOf makes the keys that the SQL layer
// makes for the table: where all key columns are text. The keys of other tables depend
// on SQL types, which this package does not know.
func DerivesKeys(t *catalog.Table) bool {
	for _, i := range t.PrimaryKey {
		col := &t.Columns[i]
		name, _, _ := strings.Cut(strings.ToLower(col.Type), "(")
		if name != "varchar" && name != "char" || col.Class != "" {
			return false
		}
	}
	return len(t.PrimaryKey) > 0
}

type keyOptions struct {
	fill bool // make a key when there is none
}

func keyColumn(dst []byte, col *catalog.Column, d document.Document, opts keyOptions) ([]byte, document.Document,
	error) {
	path := document.NamedKeypath(col.Name)
	v, ok := d.Lookup(path)
	if !ok && opts.fill {
		id, err := uuid.NewV7()
		if err != nil {
			return nil, d, fmt.Errorf("tables: make a primary key: %w", err)
		}
		text := id.String()
		quoted, err := document.AppendQuoted(nil, text)
		if err != nil {
			return nil, d, err
		}
		if v = document.FromCompact(quoted); len(path) == 1 {
			d, err = d.Prepend(path[0].Name, v)
		} else {
			d, err = d.With(path, v)
		}
		if err != nil {
			return nil, d, fmt.Errorf("tables: fill primary key %s: %w", col.Name, err)
		}
	} else if !ok {
		return nil, d, fmt.Errorf("tables: %w: %s is missing", ErrBadKey, col.Name)
	}
	dst, err := AppendKeyValue(dst, col, v)
	return dst, d, err
}

// AppendKeyValue appends one column's element of a primary key for a JSON value.
func AppendKeyValue(dst []byte, col *catalog.Column, v document.Value) ([]byte, error) {
	bad := func(why string) ([]byte, error) {
		return nil, fmt.Errorf("tables: %w: %s is %s", ErrBadKey, col.Name, why)
	}
	var value []byte
	var err error
	switch typ := v.Type(); {
	case typ == document.TypeNull:
		return bad("null")
	case typ == document.TypeObject:
		return bad("an object")
	case typ == document.TypeArray:
		return bad("an array")
	case col.Class == "" || col.Class == catalog.ClassBytes && typ == document.TypeString:
		text := v.Text()
		if typ == document.TypeString {
			text = v.Str()
		}
		length := int64(utf8.RuneCountInString(text))
		if col.Class == catalog.ClassBytes {
			raw, decodeErr := base64.StdEncoding.DecodeString(text)
			if decodeErr != nil {
				return bad("not base64")
			}
			value = ordered.AppendBytes(nil, raw)
			length = int64(len(raw))
		} else if value, err = keyText(col, text); err != nil {
			return nil, err
		}
		if col.Length > 0 && length > col.Length {
			return bad(fmt.Sprintf("of length %d, the limit is %d", length, col.Length))
		}
	case col.Class == catalog.ClassNumber && typ == document.TypeNumber:
		value, err = ordered.AppendNumber(nil, v.Number())
	case typ == document.TypeString && col.Class == catalog.ClassDate:
		value, err = ordered.AppendDate(nil, v.Str())
	case typ == document.TypeString && col.Class == catalog.ClassTime:
		value, err = ordered.AppendTime(nil, v.Str())
	case typ == document.TypeString && col.Class == catalog.ClassDatetime:
		value, err = ordered.AppendDatetime(nil, v.Str())
	default:
		return bad(fmt.Sprintf("a JSON %s, not a %s", typ, col.Class))
	}
	if err != nil {
		return nil, fmt.Errorf("tables: %w: %s: %w", ErrBadKey, col.Name, err)
	}
	return tuple.AppendBytes(dst, value), nil
}

// keyText encodes a text key in the column's collation, by default the binary one.
func keyText(col *catalog.Column, text string) ([]byte, error) {
	coll := collation.Binary
	if col.Collation != "" {
		var ok bool
		if coll, ok = collation.Lookup(col.Collation); !ok {
			return nil, fmt.Errorf("tables: primary key %s: unknown collation %s", col.Name, col.Collation)
		}
	}
	value, truncated := ordered.AppendString(nil, coll, text, MaxPrimaryKey)
	if truncated {
		return nil, fmt.Errorf("tables: %w: %s has %d bytes, the limit is %d", ErrKeyTooLong, col.Name, len(text),
			MaxPrimaryKey)
	}
	return value, nil
}
