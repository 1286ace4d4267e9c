package keyspace

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// CollectionsFrom is the range of everything that the collections hold whose
// numbers are not below number.
func CollectionsFrom(number int64) kv.Range {
	return kv.Range{Start: key(tagCollection, number), End: kv.PrefixEnd(key(tagCollection))}
}

// CollectionOf takes the collection's number out of a key in CollectionsFrom.
func CollectionOf(k []byte) (int64, error) { return numberAt(k, 2) }

// DictionariesFrom is the range of the dictionaries of the collections whose
// numbers are not below number.
func DictionariesFrom(number int64) kv.Range {
	return kv.Range{Start: key(tagCatalog, catalogKeypaths, number), End: kv.PrefixEnd(key(tagCatalog, catalogKeypaths))}
}

// DictionaryOf takes the collection's number out of a key in DictionariesFrom.
func DictionaryOf(k []byte) (int64, error) { return numberAt(k, 3) }

// numberAt is the integer behind so many elements of a key.
func numberAt(k []byte, elements int) (int64, error) {
	rest := k
	var err error
	for range elements {
		if rest, err = tuple.Skip(rest); err != nil {
			return 0, fmt.Errorf("keyspace: key %x: %w", k, err)
		}
	}
	_, n, err := tuple.DecodeInt(rest)
	if err != nil {
		return 0, fmt.Errorf("keyspace: key %x: %w", k, err)
	}
	return n, nil
}

// Definitions is the number under which the markers of changes of definitions stand. No
// collection has it.
const Definitions = 0

// DefinitionMarker is the key of the idempotency marker of a change of definitions.
func DefinitionMarker(id []byte) []byte { return NewCollection(Definitions, 1).Marker(id) }

// DefinitionMarkers is the range of all DefinitionMarker keys.
func DefinitionMarkers() kv.Range { return NewCollection(Definitions, 1).Markers() }

// Markers is the range of the collection's idempotency markers.
func (c *Collection) Markers() kv.Range { return kv.PrefixRange(c.markers) }
