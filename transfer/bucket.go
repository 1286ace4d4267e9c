package transfer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/document"
)

// bucketSink writes to a collection in a bucket.
type bucketSink struct {
	to         *collection.Collection
	duplicates Duplicates
	stored     atomic.Bool
}

// NewBucketSink returns a sink that writes to a collection in a bucket, of which others may write at the same time. A
// document without _id gets one; one whose _id is no string is refused.
func NewBucketSink(to *collection.Collection, duplicates Duplicates) Sink {
	return &bucketSink{to: to, duplicates: duplicates}
}

// Workers is one: one writes to a collection at a time, and many documents at once.
func (s *bucketSink) Workers() int { return 1 }

func (s *bucketSink) Stored() bool { return s.stored.Load() }

// Close lets others write at once.
func (s *bucketSink) Close() error { return s.to.Flush(context.Background()) }

func (s *bucketSink) Write(ctx context.Context, batch []Item) ([]error, error) {
	refused := notStored(batch)
	var left []placed
	for i, d := range texts(batch) {
		id, d, err := bucketID(d)
		if err != nil {
			refused[i] = err
			continue
		}
		left = append(left, placed{i, id, d})
	}
	for len(left) > 0 {
		// Documents of one id come one after the other, as they stand.
		var now, later []placed
		seen := map[string]bool{}
		for _, p := range left {
			if seen[p.id] {
				later = append(later, p)
			} else {
				now = append(now, p)
			}
			seen[p.id] = true
		}
		if err := s.write(ctx, now, refused); err != nil {
			return refused, err
		}
		left = later
	}
	return refused, nil
}

// placed is a document with its place in the batch.
type placed struct {
	i   int
	id  string
	doc document.Document
}

// bucketID is the id of a document, which gets one if it has none.
func bucketID(d document.Document) (string, document.Document, error) {
	v, ok := d.Member(layout.ID)
	if !ok {
		u, err := uuid.NewV7()
		if err != nil {
			return "", d, err
		}
		id, err := document.StringValue(u.String())
		if err != nil {
			return "", d, err
		}
		d, err = d.Prepend(layout.ID, id)
		return u.String(), d, err
	}
	if v.Type() != document.TypeString {
		return "", d, fmt.Errorf("its _id is %s: in a bucket it is a string", v.Text())
	}
	return v.Str(), d, layout.CheckID(v.Str())
}

// write stores documents of different ids.
func (s *bucketSink) write(ctx context.Context, docs []placed, refused []error) error {
	for attempt := 0; ; attempt++ {
		changes, err := s.changes(ctx, docs, refused, attempt > 0 || s.duplicates == ReplaceDuplicates)
		if err != nil {
			return err
		}
		err = s.to.Write(ctx, changes)
		if (errors.Is(err, collection.ErrExists) || errors.Is(err, collection.ErrChanged)) && attempt < 20 {
			continue // others write too, or one of the documents is there
		}
		if errors.Is(err, collection.ErrEntryFull) && len(docs) > 1 {
			// One of them is refused: they are tried one by one.
			for _, p := range docs {
				if err := s.write(ctx, []placed{p}, refused); err != nil {
					return err
				}
			}
			return nil
		}
		if errors.Is(err, collection.ErrEntryFull) || errors.Is(err, collection.ErrTooLarge) && len(docs) == 1 {
			refused[docs[0].i] = err
			return nil
		}
		if err != nil {
			return err
		}
		for _, p := range docs {
			if errors.Is(refused[p.i], ErrNotStored) {
				refused[p.i] = nil
				s.stored.Store(true)
			}
		}
		return nil
	}
}

// changes are the changes to be written. If look is set, the documents that exist are read first; otherwise all count
// as new.
func (s *bucketSink) changes(ctx context.Context, docs []placed, refused []error, look bool) ([]collection.Change,
	error) {
	there := make([]*collection.Doc, len(docs))
	if look {
		ids := make([]string, len(docs))
		for k, p := range docs {
			ids[k] = p.id
		}
		var err error
		if there, err = s.to.Get(ctx, ids); err != nil {
			return nil, err
		}
	}
	var changes []collection.Change
	for k, p := range docs {
		refused[p.i] = ErrNotStored
		if there[k] != nil && s.duplicates != ReplaceDuplicates {
			if refused[p.i] = ErrSkipped; s.duplicates == RefuseDuplicates {
				refused[p.i] = fmt.Errorf("%w: _id %q", collection.ErrExists, p.id)
			}
			continue
		}
		changes = append(changes, collection.Change{ID: p.id, Old: there[k], New: &docs[k].doc})
	}
	return changes, nil
}

// ExportBucket writes the documents of a collection in a bucket. Each is as it was at some moment meanwhile.
func ExportBucket(ctx context.Context, c *collection.Collection, to Encoder) (n int64, err error) {
	var ids []string
	write := func() error {
		docs, err := c.Get(ctx, ids)
		ids = ids[:0]
		if err != nil {
			return err
		}
		for _, d := range slices.DeleteFunc(docs, func(d *collection.Doc) bool { return d == nil }) {
			if err := to.Write(d.Body); err != nil {
				return err
			}
			n++
		}
		return nil
	}
	err = c.List(ctx, "", func(id string) error {
		if ids = append(ids, id); len(ids) < batchDocuments {
			return nil
		}
		return write()
	})
	if err == nil {
		err = write()
	}
	return n, err
}
