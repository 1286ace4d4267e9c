package indexes

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Encoder turns the values of one table into entries' values. It is immutable
// and safe for concurrent use.
type Encoder struct {
	collation *collation.Collation
	limit     int
	declared  map[string]encoderOf // by spelled keypath
}

// encoderOf is how the values of one declared column are encoded.
type encoderOf struct {
	class     string
	collation *collation.Collation
	version   int64
	bytes     bool // byte strings have entries
}

// NewEncoder returns the encoder of a table. Columns of the primary key compare as
// bytes unless they declare a collation, also where they are not used as the key.
func NewEncoder(t *catalog.Table) (*Encoder, error) {
	e := &Encoder{limit: t.Options.SortKeyLimit()}
	var err error
	if e.collation, err = lookupCollation(t.UndeclaredCollation(), collation.Default); err != nil {
		return nil, fmt.Errorf("indexes: table %s: %w", t, err)
	}
	ofTable, err := lookupCollation(t.Collation, collation.Default)
	if err != nil {
		return nil, fmt.Errorf("indexes: table %s: %w", t, err)
	}
	for i := range t.Columns {
		col := &t.Columns[i]
		otherwise := ofTable
		if slices.Contains(t.PrimaryKey, i) {
			otherwise = collation.Binary
		}
		if col.Class == "" && col.Collation == "" && col.FieldVersion == 0 && otherwise == e.collation {
			continue
		}
		own := encoderOf{class: col.Class, version: col.FieldVersion, bytes: t.BytesIndexed(col.Name)}
		if own.collation, err = lookupCollation(col.Collation, otherwise); err != nil {
			return nil, fmt.Errorf("indexes: column %s of %s: %w", col.Name, t, err)
		}
		if e.declared == nil {
			e.declared = map[string]encoderOf{}
		}
		e.declared[col.Name] = own
	}
	return e, nil
}

func lookupCollation(name string, otherwise *collation.Collation) (*collation.Collation, error) {
	if name == "" {
		return otherwise, nil
	}
	c, ok := collation.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("unknown collation %s", name)
	}
	return c, nil
}

// Collation is the order of the strings at a spelled keypath.
func (e *Encoder) Collation(keypath string) *collation.Collation {
	if own, ok := e.declared[keypath]; ok {
		return own.collation
	}
	return e.collation
}

// Class is the declared class of a spelled keypath (catalog.ClassX), or empty.
func (e *Encoder) Class(keypath string) string { return e.declared[keypath].class }

// Limit is the number of bytes of a sort key that are indexed.
func (e *Encoder) Limit() int { return e.limit }

// AppendLeaf appends the encoding of a flattened value and returns its field
// version. indexed is false when values of its kind have no entries here.
func (e *Encoder) AppendLeaf(dst []byte, leaf document.Leaf) (value []byte, version int64, indexed bool, err error) {
	own, declared := e.declared[string(leaf.Path)]
	coll := e.collation
	if declared {
		coll, version = own.collation, own.version
	}
	switch leaf.Kind {
	case document.KindObject, document.KindArray:
		class := ordered.ClassObject
		if leaf.Kind == document.KindArray {
			class = ordered.ClassArray
		}
		flag := ordered.ContainerIndexed
		if leaf.Stub {
			flag = ordered.ContainerStub
		} else if leaf.Value.IsEmpty() {
			flag = ordered.ContainerEmpty
		}
		return ordered.AppendContainer(dst, class, flag), version, true, nil
	case document.KindNull:
		return ordered.AppendNull(dst), version, true, nil
	case document.KindBool:
		return ordered.AppendBool(dst, leaf.Value.Bool()), version, true, nil
	case document.KindString:
		if declared && own.class != "" {
			return appendDeclared(dst, own, leaf.Value.Str(), e.limit)
		}
		value, _ = ordered.AppendString(dst, coll, leaf.Value.Str(), e.limit)
		return value, version, true, nil
	}
	value, err = ordered.AppendNumber(dst, leaf.Value.Number())
	return value, version, err == nil, err
}

// errOtherType: a string in a column of another type.
var errOtherType = errors.New("not a value of the declared type")

// appendDeclared encodes a string of a column whose declared type is not a
// string type. One that does not read as that type is kept as a string: it sorts
// with the strings, and no range of the type finds it.
func appendDeclared(dst []byte, own encoderOf, s string, limit int) ([]byte, int64, bool, error) {
	n := len(dst)
	var err error
	switch own.class {
	case catalog.ClassBytes:
		if !own.bytes {
			return dst, own.version, false, nil
		}
		var raw []byte
		if raw, err = base64.StdEncoding.DecodeString(s); err == nil {
			dst = ordered.AppendBytes(dst, raw[:min(len(raw), limit)])
		}
	case catalog.ClassDate:
		dst, err = ordered.AppendDate(dst, s)
	case catalog.ClassTime:
		dst, err = ordered.AppendTime(dst, s)
	case catalog.ClassDatetime:
		dst, err = ordered.AppendDatetime(dst, s)
	default:
		err = errOtherType
	}
	if err != nil {
		dst, _ = ordered.AppendString(dst[:n], own.collation, s, limit)
	}
	return dst, own.version, true, nil
}
