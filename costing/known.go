package costing

import (
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// maxKnown bounds the keypaths whose counts are kept.
const maxKnown = 4096

// Known keeps the counts that were read at one version of the store. So a statement that
// needs them several times, or the next one at the same version, reads them once. It is
// safe for concurrent use.
type Known struct {
	mu        sync.RWMutex
	keypaths  map[knownKey]Keypath
	documents map[int64]Count
	absent    map[knownKey][]kv.Range
	sizes     *sizes
}

type knownKey struct{ collection, keypath int64 }

// NewKnown knows nothing yet.
func NewKnown() *Known { return NewKnownAt(time.Now) }

// NewKnownAt is NewKnown with another clock: the estimates remembered from other versions age by it.
func NewKnownAt(now func() time.Time) *Known {
	return &Known{
		keypaths: map[knownKey]Keypath{}, documents: map[int64]Count{}, absent: map[knownKey][]kv.Range{},
		sizes: &sizes{now: now, of: map[string]*sizedWhole{}, counted: map[string]countedPart{}},
	}
}

// Next is for another version of the same store. It keeps only the sizes of keypaths and of
// ranges in them, which are estimates in any case.
func (k *Known) Next() *Known {
	next := NewKnown()
	next.sizes = k.sizes
	return next
}

// sizes are the remembered estimates of the store. They are shared by all versions; the callers decide where an old
// estimate will do.
type sizes struct {
	now func() time.Time
	mu  sync.Mutex
	// of are the bytes of all entries at keypaths and the like, by the bounds of their range. They are wanted as often
	// as a range's bytes, and cost as much.
	of map[string]*sizedWhole
	// counted are ranges that were not counted to their ends, by their bounds.
	counted map[string]countedPart
}

// sizedWhole is the bytes of all keys at a keypath, and how they spread over it.
type sizedWhole struct {
	age
	bytes  int64
	spread spread
}

// age is when an estimate was requested, and how many keys the keypath had then.
type age struct {
	at   time.Time
	keys int64
}

const (
	// sizesLast is how long a size is believed: files are compacted, and take less room then.
	sizesLast = 5 * time.Second
	// sizesDrift is the part of the keys that may have come or gone since: one in so many.
	sizesDrift = 8
)

// fresh reports whether an estimate of that age still holds for a keypath that has so many keys now.
func (s *sizes) fresh(a age, keys int64) bool {
	return s.now().Sub(a.at) <= sizesLast && max(a.keys-keys, keys-a.keys) <= a.keys/sizesDrift
}

// nameOf is the name by which a range is remembered.
func nameOf(r kv.Range) string {
	return string(append(append(make([]byte, 0, len(r.Start)+len(r.End)), r.Start...), r.End...))
}

// size is the bytes of a whole.
func (k *Known) size(w wholeKeypath) (bytes int64, ok bool) {
	if k == nil {
		return 0, false
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	s := k.sizes.of[nameOf(w.Range)]
	if s == nil || !k.sizes.fresh(s.age, w.keys) {
		return 0, false
	}
	return int64(float64(s.bytes) * float64(w.keys) / float64(s.keys)), true
}

func (k *Known) putSize(w wholeKeypath, bytes int64) {
	if k == nil || w.keys == 0 {
		return
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	if len(k.sizes.of) >= maxKnown {
		clear(k.sizes.of)
	}
	k.sizes.of[nameOf(w.Range)] = &sizedWhole{age: age{k.sizes.now(), w.keys}, bytes: bytes}
}

// Remember makes the Statistics read through r use known and add to it. All
// readers that share it must see exactly the same: one version of the store, and
// no writes of a transaction's own.
func Remember(r kv.Reader, known *Known) kv.Reader { return remembering{r, known} }

type remembering struct {
	kv.Reader
	known *Known
}

// Unwrap is the reader below.
func (r remembering) Unwrap() kv.Reader { return r.Reader }

// knownOf is the Known that Remember has given the reader, or nil.
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

func (k *Known) absentOf(key knownKey) ([]kv.Range, bool) {
	if k == nil {
		return nil, false
	}
	k.mu.RLock()
	defer k.mu.RUnlock()
	r, ok := k.absent[key]
	return r, ok
}

func (k *Known) putAbsent(key knownKey, r []kv.Range) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.absent) >= maxKnown {
		clear(k.absent)
	}
	k.absent[key] = r
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
