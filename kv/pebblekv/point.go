package pebblekv

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"
)

const (
	// plainGets is how many keys a transaction gets by Pebble's Get. That opens the tables in
	// which the key may be each time, and takes 1.5 to 2 times as long as a seek of an open
	// iterator. To open one costs as much as several gets. See spare.
	plainGets = 4
	// maxPoints is how many iterators a transaction keeps to get keys with: as many as
	// goroutines fetch at a time.
	maxPoints = 2
)

// base copies a value out of the store: nil when the key is absent. Needs mu shared.
func (t *transaction) base(key []byte) ([]byte, error) {
	if v := t.state.image.sums.get(key); v != nil {
		return bytes.Clone(v), nil
	}
	if len(key) == 0 {
		return t.state.image.stored(key) // an empty prefix is none to an iterator of Pebble that is new
	}
	p, err := t.openPoint()
	if p == nil && err == nil {
		return t.state.image.stored(key)
	}
	if err != nil {
		return nil, err
	}
	// The whole key is its prefix: tables whose filter lacks it are left out, and a key
	// behind the last one is looked for from there.
	var out []byte
	if p.SeekPrefixGE(key) {
		v, err := p.ValueAndErr()
		if err != nil {
			t.store.closeIterators(t.work, p)
			return nil, err
		}
		out = append(make([]byte, 0, len(v)), v...)
	}
	if err := p.Error(); err != nil {
		t.store.closeIterators(t.work, p)
		return nil, err
	}
	t.closePoint(p)
	return out, nil
}

// openPoint returns an iterator over all keys, or none where few keys are got; closePoint takes it back.
func (t *transaction) openPoint() (*pebble.Iterator, error) {
	t.readMu.Lock()
	if n := len(t.points); n > 0 {
		p := t.points[n-1]
		t.points = t.points[:n-1]
		t.readMu.Unlock()
		return p, nil
	}
	t.readMu.Unlock()
	if p := t.state.spare.take(&t.store.work, &t.state.spare.points); p != nil {
		return p, nil
	}
	// At a version at which many transactions read, the iterator is left to the next.
	if t.gets.Add(1) <= plainGets && t.state.gets.Add(1) <= plainGets*fewOffered {
		return nil, nil
	}
	return t.state.image.snap.NewIter(nil)
}

func (t *transaction) closePoint(p *pebble.Iterator) {
	t.readMu.Lock()
	if len(t.points) < maxPoints {
		t.points = append(t.points, p)
		t.idleUsed = true
		t.readMu.Unlock()
		return
	}
	t.readMu.Unlock()
	t.store.closeIterators(t.work, p)
}
