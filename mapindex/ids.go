package mapindex

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// IDS is the list of a document's rows: a byte of its format, one that is 1 if a function has failed, and the rows.
// If it is too long for a value it has the second format, in which a third byte is the number of further parts. Each
// part except the last has maxIDs bytes.
const (
	idsWhole = 1
	idsParts = 2
	idsHead  = 2 // bytes before the number of parts
)

// furtherIDs is how many parts there are behind the first one.
func furtherIDs(raw []byte) int64 {
	if len(raw) > idsHead && raw[0] == idsParts {
		return int64(raw[idsHead])
	}
	return 0
}

// wholeIDs reads IDS with its parts.
type wholeIDs struct {
	first kv.FutureValue
	r     kv.Reader
	keys  *keyspace.Maps
	pk    []byte
	whole []byte
}

// Get implements kv.FutureValue.
func (i *wholeIDs) Get() ([]byte, error) {
	if i.whole != nil {
		return i.whole, nil
	}
	raw, err := i.first.Get()
	if err != nil || furtherIDs(raw) == 0 {
		return raw, err
	}
	var rest []kv.FutureValue
	for part := range furtherIDs(raw) {
		rest = append(rest, i.r.Get(i.keys.IDPart(i.pk, part+1)))
	}
	whole := append([]byte(nil), raw...)
	for at, f := range rest {
		part, err := f.Get()
		if err != nil {
			return nil, err
		}
		if part == nil {
			return nil, fmt.Errorf("mapindex: part %d of what a document emitted is not there: %w", at+1, ErrCorrupt)
		}
		whole = append(whole, part...)
	}
	i.whole = whole
	return whole, nil
}

// setIDs replaces the IDS of a document; nil is none.
func (g *Group) setIDs(w kv.Writer, pk, old, ids []byte) {
	parts := int64(0)
	for left := ids; len(left) > 0; parts++ {
		n := min(maxIDs, len(left))
		key := g.Keys.ID(pk)
		if parts > 0 {
			key = g.Keys.IDPart(pk, parts)
		}
		w.Set(key, left[:n])
		left = left[n:]
	}
	if parts == 0 && old != nil {
		w.Clear(g.Keys.ID(pk))
	}
	for part := max(1, parts); part <= furtherIDs(old); part++ {
		w.Clear(g.Keys.IDPart(pk, part))
	}
}
