package tables

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// lacking walks the documents that have no entry at a keypath, in the order of their
// primary keys. The keys of the documents that have one are collected first. Then all
// documents' keys are walked, and the documents of the other keys are fetched.
type lacking struct {
	c       *Collection
	r       kv.Reader
	walk    *orderedWalk // the walk that it is read for
	present *KeySet
	keys    *Keys
	expect  int64 // documents still to be met; no more are fetched ahead
	fetching
}

// lacking begins the walk of the documents without the keypath.
func (o *orderedWalk) lacking() (*lacking, error) {
	present := &KeySet{Keypath: o.opts.Keypath, Versions: []indexes.VersionSpans{{Version: o.opts.Version,
		Spans: indexes.Everything()}}}
	if err := present.read(o.c, o.r); err != nil {
		return nil, err
	}
	return &lacking{
		c: o.c, r: o.r, walk: o, present: present, expect: o.opts.Lacking,
		fetching: fetching{window: firstWindow, work: present.work},
		keys:     o.c.ScanKeys(o.r, indexes.Everything(), ScanOptions{Reverse: o.opts.Reverse, Streaming: kv.StreamAll}),
	}, nil
}

// Next implements Rows.
func (l *lacking) Next() bool {
	for l.err == nil {
		p := l.next(l.fill)
		if p == nil {
			return false
		}
		d, ok, err := p.Get()
		if err != nil {
			l.err = err
			return false
		}
		if !ok {
			continue
		}
		l.give(p.pk, d)
		return true
	}
	return false
}

// fill starts reads of further documents up to the window, and no more than are expected
// while some of them are ahead. Skipped documents are not fetched.
func (l *lacking) fill() {
	var pks [][]byte
	for l.keys != nil && len(l.ahead)+len(pks) < l.window && (l.expect > 0 || len(l.ahead)+len(pks) == 0) {
		if !l.keys.Next() {
			l.err = l.keys.Err()
			l.end()
			break
		}
		if l.walk.givesUp() {
			l.err = l.walk.err
			break
		}
		if l.present.has(l.keys.PK()) {
			continue
		}
		l.expect--
		if o := l.walk; o.opts.Skip > 0 && o.opts.Among == nil && len(l.ahead)+len(pks) == 0 {
			o.opts.Skip--
			o.met++
			continue
		}
		pks = append(pks, bytes.Clone(l.keys.PK()))
	}
	l.send(l.c, l.r, pks)
}

func (l *lacking) end() {
	if l.keys != nil {
		l.work = l.work.Plus(l.keys.Read())
		l.keys.Close()
		l.keys = nil
	}
}

// Read implements Rows.
func (l *lacking) Read() Work {
	if l.keys == nil {
		return l.work
	}
	return l.work.Plus(l.keys.Read())
}

// Close implements Rows.
func (l *lacking) Close() {
	l.end()
	l.ahead, l.present = nil, nil
}

// openMissing begins the walk of the documents without the keypath. A walk that goes on at
// newer versions reads the documents themselves: keys of two versions don't show which
// documents lack it.
func (o *orderedWalk) openMissing() {
	if o.fetchesMissing() {
		l, err := o.lacking()
		if o.err = err; err == nil {
			o.scan = l
		}
		return
	}
	o.scan, o.began = o.c.Scan(o.r, indexes.Everything(), ScanOptions{Reverse: o.opts.Reverse}), o.long.Epoch()
}

// fetchesMissing reports whether the documents without the keypath are found by keys.
func (o *orderedWalk) fetchesMissing() bool {
	return o.opts.MissingByKeys && o.long == nil && !o.opts.Unknown
}

// nextMissing finds the next document without the keypath.
func (o *orderedWalk) nextMissing() bool {
	for !o.allMet() && !o.givesUp() && o.scan.Next() {
		doc := o.scan.Document()
		if _, has := doc.Lookup(o.opts.Path); has {
			continue
		}
		o.met++
		if !o.opts.Among.has(o.scan.PK()) {
			continue
		}
		o.pk, o.doc = append(o.pk[:0], o.scan.PK()...), doc
		return true
	}
	if o.err == nil {
		o.err = o.scan.Err()
	}
	o.endScan()
	return false
}

// allMet reports whether as many documents without the keypath have been met as there are.
// Once it seems so, the counters are read, so that a write that adds one is a conflict.
func (o *orderedWalk) allMet() bool {
	if o.opts.Lacking == 0 || o.met != o.opts.Lacking || o.long.Epoch() != o.began {
		return false
	}
	stats := o.c.Statistics(o.r)
	documents, _, err := stats.Documents()
	var present int64
	o.work.Counters++
	if err == nil && !o.opts.Unknown {
		counts, failure := stats.Keypath(o.opts.Keypath)
		present, err = counts.Total().Documents, failure
		o.work.Counters += int64(len(counts))
	}
	if err != nil {
		o.err = err
		return true
	}
	return documents-present == o.met && o.long.Epoch() == o.began
}
