package tables

import (
	"bytes"
	"context"
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
	What   string // what is wrong, for people
	PK     []byte // the document concerned, if one is
	Key    []byte // the key concerned, if one is
	Detail string
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

// Summary is what Check has gone through.
type Summary struct {
	Documents, DocumentBytes int64
	Entries, EntryBytes      int64
	Keypaths                 int64
	Changes                  int64 // tombstones included
	Violations               int64
}

// Check proves at one version that documents = entries = counts = changes, and
// reports every violation. The reader must not see uncommitted writes: an unresolved
// sequence has no place in the feed yet.
//
// The entries that the documents must have and those that are stored are compared
// as two sums of keyed 128-bit hashes, each from one walk in key order; only
// when they differ are they compared one by one, to name what is wrong.
func (c *Collection) Check(ctx context.Context, r kv.Reader, report func(Violation)) (Summary, error) {
	k := &checker{c: c, ctx: ctx, r: r, report: report, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		counts: map[counterKey]costing.Count{}}
	steps := []func() error{k.documents, k.entries, k.counters, k.changes}
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

type checker struct {
	c      *Collection
	ctx    context.Context
	r      kv.Reader
	report func(Violation)
	seeds  [2]maphash.Seed
	sum    Summary
	want   multiset // of the entries' keys that the documents must have
	counts map[counterKey]costing.Count
}

func (k *checker) violation(v Violation) {
	k.sum.Violations++
	k.report(v)
}

// documents walks documents and metas side by side: each document has a meta that
// says it lives, each meta without a document says that it was deleted.
func (k *checker) documents() error {
	metas := k.r.Range(k.c.keys.Metas(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer metas.Close()
	rows := k.c.Scan(k.r, indexes.Everything(), ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	var metaPK []byte
	var meta changes.Meta
	nextMeta := func() (bool, error) {
		if !metas.Next() {
			metaPK = nil
			return false, metas.Err()
		}
		pk, err := k.c.keys.SplitMeta(metas.Key())
		if err != nil {
			return false, err
		}
		metaPK = append(metaPK[:0], pk...)
		meta, _, err = changes.DecodeMeta(metas.Value())
		return err == nil, err
	}
	more, err := nextMeta()
	if err != nil {
		return err
	}
	orphan := func() {
		if !meta.Deleted {
			k.violation(Violation{What: "a revision says that the document lives, but it is not there", PK: bytes.Clone(metaPK)})
		}
	}
	for rows.Next() {
		if err := k.ctx.Err(); err != nil {
			return err
		}
		pk := rows.PK()
		for more && bytes.Compare(metaPK, pk) < 0 {
			orphan()
			if more, err = nextMeta(); err != nil {
				return err
			}
		}
		switch {
		case !more || !bytes.Equal(metaPK, pk):
			k.violation(Violation{What: "a document has no revision", PK: bytes.Clone(pk)})
		default:
			if meta.Deleted {
				k.violation(Violation{What: "a document is there, but its revision says that it was deleted", PK: bytes.Clone(pk)})
			}
			if more, err = nextMeta(); err != nil {
				return err
			}
		}
		if err := k.document(pk, rows.Document()); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for more {
		orphan()
		if more, err = nextMeta(); err != nil {
			return err
		}
	}
	return nil
}

// document adds up what one document must have.
func (k *checker) document(pk []byte, d document.Document) error {
	k.sum.Documents++
	k.sum.DocumentBytes += int64(d.Len())
	parsed, err := document.Parse(d.Raw(), document.Limits{})
	if err != nil {
		k.violation(Violation{What: "a document is not valid", PK: bytes.Clone(pk), Detail: err.Error()})
		return nil
	}
	if parsed.Text() != d.Text() {
		k.violation(Violation{What: "a document is not stored compactly", PK: bytes.Clone(pk)})
	}
	delta, err := k.c.maintainer.Entries(k.ctx, pk, d, func(key []byte) error {
		k.want.add(k.seeds, key)
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

// entries compares the stored entries with those that the documents must have.
func (k *checker) entries() error {
	var have multiset
	it := k.r.Range(k.c.keys.Entries(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		have.add(k.seeds, it.Key())
		k.sum.Entries++
		k.sum.EntryBytes += int64(len(it.Key()))
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
		k.violation(Violation{What: "the entries differ from the documents", Detail: fmt.Sprintf("%d stored, %d expected", have.n, k.want.n)})
	}
	return nil
}

// missing names the entries that documents must have and have not.
func (k *checker) missing() error {
	rows := k.c.Scan(k.r, indexes.Everything(), ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for rows.Next() {
		pk := rows.PK()
		_, err := k.c.maintainer.Entries(k.ctx, pk, rows.Document(), func(key []byte) error {
			v, err := k.r.Get(key).Get()
			if err == nil && v == nil {
				k.violation(Violation{What: "an entry is missing", PK: bytes.Clone(pk), Key: bytes.Clone(key), Detail: k.describe(key)})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// dangling names the entries that no document accounts for.
func (k *checker) dangling() error {
	it := k.r.Range(k.c.keys.Entries(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		key := it.Key()
		pk, err := k.c.keys.SplitEntryPK(key)
		if err != nil {
			k.violation(Violation{What: "an entry's key is malformed", Key: bytes.Clone(key), Detail: err.Error()})
			continue
		}
		d, ok, err := k.c.Get(k.r, pk).Get()
		if err != nil {
			return err
		}
		found := false
		if ok {
			_, err = k.c.maintainer.Entries(k.ctx, pk, d, func(want []byte) error {
				found = found || bytes.Equal(want, key)
				return nil
			})
			if err != nil {
				return err
			}
		}
		if !found {
			k.violation(Violation{What: "an entry has no value in a document", PK: bytes.Clone(pk), Key: bytes.Clone(key), Detail: k.describe(key)})
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

// counters compares the stored counts with those added up from the documents.
func (k *checker) counters() error {
	stats := k.c.Statistics(k.r)
	stored, err := stats.Keypaths()
	if err != nil {
		return err
	}
	seen := map[int64]bool{}
	wrong := func(number int64, kind document.Kind, have, want costing.Count) {
		name, ok := k.c.dictionary.Name(number)
		if !ok {
			name = fmt.Sprintf("number %d", number)
		}
		k.violation(Violation{What: "a count is wrong",
			Detail: fmt.Sprintf("keypath %s, %s: %+v stored, %+v counted", name, kind, have, want),
			Key:    k.c.keys.Counter(number, int64(kind))})
	}
	for at, want := range k.counts {
		seen[at.keypath] = true
		if have := stored[at.keypath][at.kind]; have != want {
			wrong(at.keypath, at.kind, have, want)
		}
	}
	for number, kinds := range stored {
		for kind, have := range kinds {
			if _, ok := k.counts[counterKey{number, kind}]; !ok {
				wrong(number, kind, have, costing.Count{})
			}
		}
	}
	k.sum.Keypaths = int64(len(seen))
	entries, entryBytes, err := stats.Entries()
	if err != nil {
		return err
	}
	if entries != k.sum.Entries || entryBytes != k.sum.EntryBytes {
		k.violation(Violation{What: "the count of all entries is wrong", Key: k.c.keys.InfoEntries(),
			Detail: fmt.Sprintf("%d of %d bytes stored, %d of %d bytes counted", entries, entryBytes, k.sum.Entries, k.sum.EntryBytes)})
	}
	documents, documentBytes, err := stats.Documents()
	if err != nil {
		return err
	}
	if documents != k.sum.Documents || documentBytes != k.sum.DocumentBytes {
		k.violation(Violation{What: "the count of documents is wrong", Key: k.c.keys.InfoDocuments(),
			Detail: fmt.Sprintf("%d of %d bytes stored, %d of %d bytes counted", documents, documentBytes, k.sum.Documents, k.sum.DocumentBytes)})
	}
	return nil
}

// changes compares the feed with the revisions: each revision's sequence has its
// change, and nothing else is in the feed.
func (k *checker) changes() error {
	var metas int64
	it := k.r.Range(k.c.keys.Metas(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		metas++
	}
	if err := it.Err(); err != nil {
		return err
	}
	feed := k.c.log.Read(k.r, changes.ReadOptions{})
	defer feed.Close()
	for feed.Next() {
		ch := feed.Change()
		k.sum.Changes++
		meta, ok, err := k.c.Rev(k.r, ch.PK)
		if err != nil {
			return err
		}
		want := changes.Meta{Rev: ch.Rev, Deleted: ch.Deleted, Sequence: ch.Sequence}
		if !ok {
			k.violation(Violation{What: "a change belongs to no revision", PK: ch.PK, Detail: "sequence " + ch.Sequence.String()})
		} else if meta != want {
			k.violation(Violation{What: "a change differs from the revision", PK: ch.PK,
				Detail: fmt.Sprintf("%s %s deleted=%t in the feed, %s %s deleted=%t in the revision",
					ch.Sequence, ch.Rev, ch.Deleted, meta.Sequence, meta.Rev, meta.Deleted)})
		}
	}
	if err := feed.Err(); err != nil {
		return err
	}
	if k.sum.Changes != metas {
		k.violation(Violation{What: "the feed is incomplete", Detail: fmt.Sprintf("%d changes, %d revisions", k.sum.Changes, metas)})
	}
	return nil
}
