package costing

import (
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// maxKnown bounds the keypaths whose counts are kept.
const maxKnown = 4096

// Known keeps the counts that were read at one version of the store, so that a
// statement that asks for them several times, or the next one at the same version,
// reads them once. It is safe for concurrent use.
type Known struct {
	mu        sync.RWMutex
	keypaths  map[knownKey]Keypath
	documents map[int64]Count
}

type knownKey struct{ collection, keypath int64 }

// NewKnown knows nothing yet.
func NewKnown() *Known {
	return &Known{keypaths: map[knownKey]Keypath{}, documents: map[int64]Count{}}
}

// Remember makes the Statistics read through r use known and add to it. All
// readers that share it must see exactly the same: one version of the store, and
// no writes of a transaction's own.
func Remember(r kv.Reader, known *Known) kv.Reader { return remembering{r, known} }

type remembering struct {
	kv.Reader
	known *Known
}

// knownOf is what Remember has given the reader, or nil.
func knownOf(r kv.Reader) *Known {
	if m, ok := r.(remembering); ok {
		return m.known
	}
	return nil
}

func (k *Known) keypath(key knownKey) (Keypath, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	c, ok := k.keypaths[key]
	return c, ok
}

func (k *Known) putKeypath(key knownKey, c Keypath) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.keypaths) >= maxKnown {
		clear(k.keypaths)
	}
	k.keypaths[key] = c
}

func (k *Known) documentsOf(collection int64) (Count, bool) {
	if k == nil {
		return Count{}, false
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	c, ok := k.documents[collection]
	return c, ok
}

func (k *Known) putDocuments(collection int64, c Count) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.documents) >= maxKnown {
		clear(k.documents)
	}
	k.documents[collection] = c
}
