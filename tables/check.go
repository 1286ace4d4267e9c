package tables

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Violation is one place where a collection disagrees with itself.
type Violation struct {
	What   string // the violation in words, for people
	PK     []byte // the document concerned, if one is
	Key    []byte // the key concerned, if one is
	Detail string
	// Misfit is set for a value that does not fit its column's type, which is
	// worth a warning: nothing disagrees.
	Misfit *Misfit
	// mend repairs it from the documents; nil where that is not possible.
	mend func(*Tx) error
}

// Error is the violation as one line.
func (v Violation) Error() string {
	s := v.What
	if v.PK != nil {
		s += fmt.Sprintf(", primary key %x", v.PK)
	}
	if v.Detail != "" {
		s += ": " + v.Detail
	}
	if v.Key != nil {
		s += fmt.Sprintf(" (key %x)", v.Key)
	}
	return s
}

// Summary counts the keys that Check has gone through.
type Summary struct {
	Documents, DocumentBytes int64
	Entries, EntryBytes      int64
	Keypaths                 int64
	Changes                  int64 // tombstones included
	Violations               int64
	Former                   int64 // documents that are not in the index until it is rebuilt
	Misfits                  int64 // values that do not fit their columns' types
	Declared                 int64 // entries of declared indexes
}

// Check proves at one version that documents = entries = counts = changes, and
// reports every violation. The reader must not see uncommitted writes: an unresolved
// sequence has no place in the feed yet.
//
// The entries that the documents must have and the stored entries are compared as two sums
// of keyed 128-bit hashes, each from one walk in key order. Only when the sums differ are
// they compared one by one, to name the violations.
func (c *Collection) Check(ctx context.Context, r kv.Reader, report func(Violation)) (Summary, error) {
	k := &checker{c: c, ctx: ctx, r: r, report: report, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		counts: map[counterKey]costing.Count{}, declared: map[int64]multiset{}}
	steps := []func() error{k.documents, k.entries, k.declaredEntries, k.counters, k.changes, k.checkMaps}
	for _, step := range steps {
		if err := step(); err != nil {
			return k.sum, fmt.Errorf("tables: check %s: %w", c.def, err)
		}
	}
	return k.sum, nil
}

type counterKey struct {
	keypath int64
	kind    document.Kind
}

// multiset is a hash of a set of keys that does not depend on their order.
type multiset struct {
	a, b, n uint64
}

func (m *multiset) add(seeds [2]maphash.Seed, key []byte) {
	m.a += maphash.Bytes(seeds[0], key)
	m.b += maphash.Bytes(seeds[1], key)
	m.n++
}

func (m multiset) plus(seeds [2]maphash.Seed, key []byte) multiset {
	m.add(seeds, key)
	return m
}

type checker struct {
	c      *Collection
	ctx    context.Context
	r      kv.Reader
	report func(Violation)
	seeds  [2]maphash.Seed
	sum    Summary
	want   multiset // of the entries' keys that the documents must have
	counts map[counterKey]costing.Count
	metas  int64
	// declared are the keys that documents must have in declared indexes, by number.
	declared map[int64]multiset
	// present are the documents that are in the present version of the index, formers the
	// documents in former ones.
	present costing.Count
	formers []formerSum
}

func (k *checker) violation(v Violation) {
	k.sum.Violations++
	k.report(v)
}

// documents walks documents and metas side by side: each document must have a meta of a
// living document, each meta without a document must be of a deletion.
func (k *checker) documents() error {
	metas := &metaWalk{k: k, it: k.r.Range(k.c.keys.Metas(), kv.RangeOptions{Streaming: kv.StreamAll})}
	defer metas.it.Close()
	metas.next()
	err := k.walk(k.violation, func(pk []byte, d indexes.Versioned) error {
		for metas.pk != nil && bytes.Compare(metas.pk, pk) < 0 {
			if err := metas.orphan(); err != nil {
				return err
			}
			metas.next()
		}
		if metas.pk == nil || !bytes.Equal(metas.pk, pk) {
			k.violation(Violation{What: "a document has no revision", PK: bytes.Clone(pk),
				mend: k.revises(pk, changes.Meta{}, d)})
		} else {
			if metas.good && metas.meta.Deleted {
				k.violation(Violation{What: "a document is there, but its revision says that it was deleted", PK: bytes.Clone(pk),
					mend: k.revises(pk, metas.meta, d)})
			}
			metas.next()
		}
		return k.document(pk, d)
	})
	if err != nil {
		return err
	}
	for metas.pk != nil {
		if err := metas.orphan(); err != nil {
			return err
		}
		metas.next()
	}
	return metas.it.Err()
}

// metaWalk walks the metas and names the unreadable ones.
type metaWalk struct {
	k    *checker
	it   kv.Iterator
	pk   []byte // nil at the end
	meta changes.Meta
	good bool // meta could be read
}

func (w *metaWalk) next() {
	for w.it.Next() {
		pk, err := w.k.c.keys.SplitMeta(w.it.Key())
		if err == nil && !bytes.Equal(w.k.c.keys.Meta(pk), w.it.Key()) {
			err = errors.New("nobody looks for its primary key there")
		}
		if err != nil {
			w.k.violation(Violation{What: "a revision's key is malformed", Key: bytes.Clone(w.it.Key()), Detail: err.Error(),
				mend: clears(w.it.Key())})
			continue
		}
		w.k.metas++
		w.pk = append(w.pk[:0], pk...)
		w.meta, _, err = changes.DecodeMeta(w.it.Value())
		if w.good = err == nil; !w.good {
			w.k.violation(Violation{What: "a revision is malformed", PK: bytes.Clone(pk), Detail: err.Error(),
				mend: clears(w.it.Key())})
		}
		return
	}
	w.pk = nil
}

func (w *metaWalk) orphan() error {
	if !w.good || w.meta.Deleted {
		return nil
	}
	mend, err := w.k.revisesStored(w.pk, w.meta)
	if err != nil {
		return err
	}
	w.k.violation(Violation{What: "a revision says that the document lives, but it is not there or can't be read",
		PK: bytes.Clone(w.pk), mend: mend})
	return nil
}

// walk visits every document that can be read, in the order of primary keys, and reports
// the others.
func (k *checker) walk(tell func(Violation), visit func(pk []byte, d indexes.Versioned) error) error {
	it := k.r.Range(k.c.keys.Documents(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	damaged := func(key []byte, err error) {
		tell(Violation{What: "a document can't be read", Key: bytes.Clone(key), Detail: err.Error()})
	}
	var parts assembly
	for it.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		unfinished := !parts.complete()
		complete, err := parts.add(k.c.keys, it.Key(), it.Value())
		if err != nil && unfinished {
			damaged(it.Key(), err)
			parts = assembly{}
			complete, err = parts.add(k.c.keys, it.Key(), it.Value()) // it may begin the next one
		}
		if err != nil {
			damaged(it.Key(), err)
			parts = assembly{}
			continue
		}
		if !complete {
			continue
		}
		d, err := parts.document()
		if err != nil {
			damaged(it.Key(), err)
			continue
		}
		if err := visit(parts.pk, d.Versioned); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if !parts.complete() {
		damaged(k.c.keys.Document(parts.pk, 0), fmt.Errorf("%w: %d of %d chunks", ErrCorrupt, parts.have, parts.want))
	}
	return nil
}

// document adds up the entries and counts that one document must have.
func (k *checker) document(pk []byte, d indexes.Versioned) error {
	k.sum.Documents++
	k.sum.DocumentBytes += int64(d.Len())
	if _, former := k.c.def.FormerOf(d.Generation); former {
		k.sum.Former++
	} else {
		k.present = k.present.Add(costing.Count{Documents: 1, Bytes: int64(d.Len())})
	}
	parsed, err := document.Parse(d.Raw(), document.Limits{})
	if err != nil {
		k.violation(Violation{What: "a document is not valid", PK: bytes.Clone(pk), Detail: err.Error()})
		return nil
	}
	if parsed.Text() != d.Text() {
		k.violation(Violation{What: "a document is not stored compactly", PK: bytes.Clone(pk)})
	}
	if DerivesKeys(k.c.def) {
		if own, _, err := PrimaryKeyOf(k.c.def, d.Document); err != nil || !bytes.Equal(own, pk) {
			detail := fmt.Sprintf("its own is %x", own)
			if err != nil {
				detail = err.Error()
			}
			k.violation(Violation{What: "a document stands at another primary key than its own", PK: bytes.Clone(pk),
				Detail: detail})
		}
	}
	if err := k.equalKey(pk); err != nil {
		return err
	}
	if err := k.misfits(pk, d); err != nil {
		return err
	}
	if ok, err := k.former(pk, d); ok || err != nil {
		return err
	}
	delta, err := k.c.maintainer.All(k.ctx, pk, d, func(declared int64, key []byte) error {
		if declared != 0 {
			k.declared[declared] = k.declared[declared].plus(k.seeds, key)
		} else {
			k.want.add(k.seeds, key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range delta {
		at := counterKey{x.Keypath, x.Kind}
		k.counts[at] = k.counts[at].Add(costing.Count{Documents: x.Documents, Entries: x.Entries, Bytes: x.Bytes})
	}
	return nil
}

// misfits names the values that do not fit their columns' types, upgrades a document
// of an earlier generation for that, and proves that it can be.
func (k *checker) misfits(pk []byte, d indexes.Versioned) error {
	now, err := k.c.upgraded(d)
	if errors.Is(err, ErrUntyped) {
		return err
	}
	if err == nil {
		err = k.c.typing.Misfits(now, func(m Misfit) {
			k.sum.Misfits++
			k.report(Violation{What: "a value does not fit its column and reads as NULL", PK: bytes.Clone(pk),
				Detail: fmt.Sprintf("column %s, value %.200s", m.Column, m.Value.Text()), Misfit: &m})
		})
	}
	if err != nil {
		k.violation(Violation{What: "a document can't be upgraded", PK: bytes.Clone(pk), Detail: err.Error()})
	}
	return nil
}

// entries compares the stored entries with the entries that the documents must have.
func (k *checker) entries() error {
	var have multiset
	it := k.r.Range(k.c.keys.Entries(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		have.add(k.seeds, it.Key())
		k.sum.Entries++
		k.sum.EntryBytes += int64(len(it.Key()))
		if len(it.Value()) > 0 {
			k.violation(Violation{What: "an entry has a value", Key: bytes.Clone(it.Key()), Detail: k.describe(it.Key()),
				mend: empties(it.Key())})
		}
		if have.n%4096 == 0 {
			if err := k.ctx.Err(); err != nil {
				return err
			}
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	if have == k.want {
		return nil
	}
	before := k.sum.Violations
	if err := k.missing(); err != nil {
		return err
	}
	if err := k.dangling(); err != nil {
		return err
	}
	if k.sum.Violations == before {
		k.violation(Violation{What: "the entries differ from the documents",
			Detail: fmt.Sprintf("%d stored, %d expected", have.n, k.want.n)})
	}
	return nil
}

// missing reports the entries that documents must have and lack.
func (k *checker) missing() error {
	return k.walk(func(Violation) {}, func(pk []byte, d indexes.Versioned) error {
		if _, former := k.c.def.FormerOf(d.Generation); former {
			return nil
		}
		_, err := k.c.maintainer.Entries(k.ctx, pk, d, func(key []byte) error {
			v, err := k.r.Get(key).Get()
			if err == nil && v == nil {
				k.violation(Violation{What: "an entry is missing", PK: bytes.Clone(pk), Key: bytes.Clone(key),
					Detail: k.describe(key), mend: empties(key)})
			}
			return err
		})
		return err
	})
}

// dangling names the entries that no document accounts for.
func (k *checker) dangling() error {
	it := k.r.Range(k.c.keys.Entries(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		key := it.Key()
		pk, err := k.c.keys.SplitEntryPK(key)
		if err != nil {
			k.violation(Violation{What: "an entry's key is malformed", Key: bytes.Clone(key), Detail: err.Error(),
				mend: clears(key)})
			continue
		}
		d, ok, err := k.c.Get(k.r, pk).stored()
		if err != nil && !errors.Is(err, ErrCorrupt) {
			return err
		}
		found := false
		if _, former := k.c.def.FormerOf(d.Generation); ok && !former {
			_, err = k.c.maintainer.Entries(k.ctx, pk, d.Versioned, func(want []byte) error {
				found = found || bytes.Equal(want, key)
				return nil
			})
			if err != nil {
				return err
			}
		}
		if !found {
			k.violation(Violation{What: "an entry has no value in a document", PK: bytes.Clone(pk), Key: bytes.Clone(key),
				Detail: k.describe(key),
				mend:   clears(key)})
		}
	}
	return it.Err()
}

// describe names an entry's keypath.
func (k *checker) describe(key []byte) string {
	e, err := k.c.keys.SplitEntry(key)
	if err != nil {
		return err.Error()
	}
	if name, ok := k.c.dictionary.Name(e.Keypath); ok {
		return "keypath " + name
	}
	return fmt.Sprintf("keypath number %d", e.Keypath)
}

// counters compares the stored counts with the counts added up from the documents.
func (k *checker) counters() error {
	stored, err := k.storedCounts()
	if err != nil {
		return err
	}
	seen := map[int64]bool{}
	wrong := func(at counterKey, have, want costing.Count) {
		name, ok := k.c.dictionary.Name(at.keypath)
		if !ok {
			name = fmt.Sprintf("number %d", at.keypath)
		}
		k.violation(Violation{What: "a count is wrong",
			Detail: fmt.Sprintf("keypath %s, %s: %+v stored, %+v counted", name, at.kind, have, want),
			Key:    k.c.keys.Counter(at.keypath, int64(at.kind)),
			mend:   recounts(k.c.keys.Counter(at.keypath, int64(at.kind)), want)})
	}
	for at, want := range k.counts {
		seen[at.keypath] = true
		if have := stored[at]; have != want {
			wrong(at, have, want)
		}
	}
	for at, have := range stored {
		if _, ok := k.counts[at]; !ok && !have.IsZero() {
			wrong(at, have, costing.Count{})
		}
	}
	k.sum.Keypaths = int64(len(seen))
	total := func(what string, key []byte, want costing.Count) error {
		raw, err := k.r.Get(key).Get()
		if err != nil {
			return err
		}
		have, err := costing.DecodeCounter(raw)
		if err != nil || have != want {
			v := Violation{What: what, Key: key, Detail: fmt.Sprintf("%+v stored, %+v counted", have, want),
				mend: recounts(key, want)}
			if err != nil {
				v.Detail = err.Error()
			}
			k.violation(v)
		}
		return nil
	}
	err = total("the count of all entries is wrong", k.c.keys.InfoEntries(),
		costing.Count{Entries: k.sum.Entries, Bytes: k.sum.EntryBytes})
	if err != nil {
		return err
	}
	if err := total("the count of documents is wrong", k.c.keys.InfoDocuments(), k.present); err != nil {
		return err
	}
	return k.formerCounters()
}

// storedCounts reads the counters of all keypaths and names the unreadable ones.
func (k *checker) storedCounts() (map[counterKey]costing.Count, error) {
	stored := map[counterKey]costing.Count{}
	it := k.r.Range(k.c.keys.AllCounters(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		number, kind, err := k.c.keys.SplitCounter(it.Key())
		at := counterKey{number, document.Kind(kind)}
		if err == nil && !bytes.Equal(k.c.keys.Counter(number, int64(at.kind)), it.Key()) {
			err = fmt.Errorf("no kind of values has the key %x", it.Key())
		}
		if err == nil {
			stored[at], err = costing.DecodeCounter(it.Value())
		}
		if err != nil {
			k.violation(Violation{What: "a count is malformed", Key: bytes.Clone(it.Key()), Detail: err.Error(),
				mend: clears(it.Key())})
		}
	}
	return stored, it.Err()
}

// changes compares the feed with the revisions: each revision's sequence has its
// change, and nothing else is in the feed.
func (k *checker) changes() error {
	matched := int64(0)
	it := k.r.Range(k.c.keys.Changes(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		k.sum.Changes++
		ch, err := k.c.log.Decode(kv.KeyValue{Key: it.Key(), Value: it.Value()})
		if err != nil {
			k.violation(Violation{What: "a change is malformed", Key: bytes.Clone(it.Key()), Detail: err.Error(),
				mend: clears(it.Key())})
			continue
		}
		meta, ok, err := k.c.Rev(k.r, ch.PK)
		if errors.Is(err, changes.ErrFormat) {
			continue // named already
		}
		if err != nil {
			return err
		}
		want := changes.Meta{Rev: ch.Rev, Deleted: ch.Deleted, Sequence: ch.Sequence}
		if !ok {
			k.violation(Violation{What: "a change belongs to no revision", PK: ch.PK, Detail: "sequence " + ch.Sequence.String(),
				mend: clears(it.Key())})
		} else if meta != want {
			k.violation(Violation{What: "a change differs from the revision", PK: ch.PK,
				Detail: fmt.Sprintf("%s %s deleted=%t in the feed, %s %s deleted=%t in the revision",
					ch.Sequence, ch.Rev, ch.Deleted, meta.Sequence, meta.Rev, meta.Deleted), mend: clears(it.Key())})
		} else {
			matched++
		}
	}
	if err := it.Err(); err != nil || matched == k.metas {
		return err
	}
	return k.unchanged()
}

// unchanged names the revisions that have no change in the feed.
func (k *checker) unchanged() error {
	it := k.r.Range(k.c.keys.Metas(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		pk, err := k.c.keys.SplitMeta(it.Key())
		if err != nil {
			continue // named already, and the next too
		}
		meta, _, err := changes.DecodeMeta(it.Value())
		if err != nil {
			continue
		}
		v, err := k.r.Get(k.c.keys.Change(meta.Sequence.Incarnation(), meta.Sequence.Stamp())).Get()
		if err != nil {
			return err
		}
		if v == nil {
			mend, err := k.revisesStored(pk, meta)
			if err != nil {
				return err
			}
			k.violation(Violation{What: "a revision has no change in the feed", PK: bytes.Clone(pk),
				Detail: "sequence " + meta.Sequence.String(), mend: mend})
		}
	}
	return it.Err()
}
