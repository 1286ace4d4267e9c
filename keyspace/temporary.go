package keyspace

import (
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Temporaries is the range of the records of all processes' temporary tables.
func Temporaries() kv.Range { return kv.PrefixRange(key(tagCatalog, catalogTemporary)) }

// TemporaryAll are the ranges of all keys of the temporary tables of all processes: their numbers are below 0.
func TemporaryAll() []kv.Range {
	below := func(tags ...int64) kv.Range {
		return kv.Range{Start: kv.PrefixRange(key(tags...)).Start, End: key(append(tags, 0)...)}
	}
	return []kv.Range{Temporaries(), below(tagCatalog, catalogKeypaths), below(tagCatalog, catalogAutoinc),
		below(tagCollection)}
}

// TemporaryOwner is the key of the counter by which a process shows that it is alive.
func TemporaryOwner(process string) []byte {
	return tuple.AppendBytes(key(tagCatalog, catalogTemporary), []byte(process))
}

// Temporary is the key that stands as long as the collection of a temporary table belongs to a process.
func Temporary(process string, collection int64) []byte {
	return tuple.AppendInt(TemporaryOwner(process), collection)
}

// TemporaryOf decodes the process and the collection from a key in Temporaries. In an owner's key the collection is
// 0.
func TemporaryOf(k []byte) (process string, collection int64, err error) {
	rest := k
	for range 3 {
		if rest, err = tuple.Skip(rest); err != nil {
			return "", 0, err
		}
	}
	rest, owner, err := tuple.DecodeBytes(rest)
	if err != nil || len(rest) == 0 {
		return string(owner), 0, err
	}
	_, collection, err = tuple.DecodeInt(rest)
	return string(owner), collection, err
}
