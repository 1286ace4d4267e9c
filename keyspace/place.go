package keyspace

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Place is the part of the store that a key is in, as a copy of a whole store must know it.
type Place int

// Places of keys.
const (
	PlaceOther  Place = iota
	PlaceMeta         // facts on the store itself
	PlaceMarker       // a commit's idempotency marker
)

var (
	metaPrefix       = key(tagMeta)
	collectionPrefix = key(tagCollection)
)

// PlaceOf finds a key's place.
func PlaceOf(k []byte) Place {
	if bytes.HasPrefix(k, metaPrefix) {
		return PlaceMeta
	}
	rest, ok := bytes.CutPrefix(k, collectionPrefix)
	if !ok {
		return PlaceOther
	}
	rest, err := tuple.Skip(rest)
	if err != nil {
		return PlaceOther
	}
	if _, tag, err := tuple.DecodeInt(rest); err != nil || tag != tagMarker {
		return PlaceOther
	}
	return PlaceMarker
}
