package tables

import "github.com/sqlfdb/sqlfdb/kv"

// IntersectedKeys walks the primary keys of the documents that are in all members of an intersection, each once, and
// reads no document. It must be closed; it is not safe for concurrent use.
type IntersectedKeys struct {
	of     *intersection
	window int
	pk     []byte
}

// IntersectKeys walks the keys of the documents that Intersect walks. The reader must read at one version: an entry
// that was read at an older version is not checked again.
func (c *Collection) IntersectKeys(r kv.Reader, members []Member, opts IntersectOptions) *IntersectedKeys {
	return &IntersectedKeys{of: c.intersect(r, members, opts), window: firstWindow}
}

// Next moves to the next key.
func (k *IntersectedKeys) Next() bool {
	i := k.of
	for i.err == nil {
		if len(i.keys) > 0 {
			k.pk, i.keys = i.keys[0], i.keys[1:]
			return true
		}
		if i.over {
			return false
		}
		if i.first == nil && len(i.looked) == 0 {
			i.merge(k.window)
		} else {
			i.collect()
		}
		k.window = min(2*k.window, maxWindow)
	}
	return false
}

// PK is the current key, valid until Next.
func (k *IntersectedKeys) PK() ([]byte, error) { return k.pk, nil }

// Err is the failure that ended the walk, if one did.
func (k *IntersectedKeys) Err() error { return k.of.err }

// Read is the work of the reads so far.
func (k *IntersectedKeys) Read() Work { return k.of.Read() }

// Close ends the walk.
func (k *IntersectedKeys) Close() { k.of.Close() }
