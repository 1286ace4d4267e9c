package tables

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
)

// ErrNoMapGroup: the definition has no group of map indexes of that number.
var ErrNoMapGroup = errors.New("no such group of map indexes")

// openMaps opens the groups of map indexes of the definition.
func (c *Collection) openMaps() {
	for i := range c.def.MapGroups {
		c.maps = append(c.maps, mapindex.Open(c.keys, &c.def.MapGroups[i]))
	}
	for _, column := range c.def.Columns[c.def.Visible():] {
		c.unseen = append(c.unseen, document.NamedKeypath(column.Name))
	}
}

// MapGroup is the group of map indexes of a number.
func (c *Collection) MapGroup(number int64) (*mapindex.Group, error) {
	for _, g := range c.maps {
		if g.Number == number {
			return g, nil
		}
	}
	return nil, fmt.Errorf("tables: group %d of %s: %w", number, c.def, ErrNoMapGroup)
}

// mapped is the text of a document that functions get: without the keypaths that no statement sees.
func (c *Collection) mapped(d document.Document) ([]byte, error) {
	for _, path := range c.unseen {
		if _, there := d.Lookup(path); there {
			var err error
			if d, err = d.Without(path); err != nil {
				return nil, err
			}
		}
	}
	return d.Raw(), nil
}

// run is the emission of a group's functions for a stored document.
func (c *Collection) run(g *mapindex.Group, pk []byte, d document.Document) (mapindex.Emission, error) {
	text, err := c.mapped(d)
	if err != nil {
		return mapindex.Emission{}, fmt.Errorf("tables: the document of a map index: %w", err)
	}
	return g.Run(pk, text), nil
}

// nothingEmitted is the empty list of rows of a document that did not exist.
type nothingEmitted struct{}

// Get implements kv.FutureValue.
func (nothingEmitted) Get() ([]byte, error) { return nil, nil }

// startMaps begins to read the lists of the written document's rows in the interactive groups.
func (c *Collection) startMaps(r kv.Reader, pk []byte, old *record) []kv.FutureValue {
	var out []kv.FutureValue
	for _, g := range c.maps {
		switch {
		case !g.Interactive:
		case old == nil:
			out = append(out, nothingEmitted{})
		default:
			out = append(out, g.Start(r, pk))
		}
	}
	return out
}

// putMaps makes the rows of interactive groups follow the document's new text; nil: it is deleted.
func (c *Collection) putMaps(w kv.Writer, pk []byte, before []kv.FutureValue, new *document.Document) error {
	for _, g := range c.maps {
		if !g.Interactive {
			continue
		}
		var e mapindex.Emission
		if new != nil {
			var err error
			if e, err = c.run(g, pk, *new); err != nil {
				return err
			}
		}
		if err := g.Apply(w, pk, before[0], e); err != nil {
			return err
		}
		before = before[1:]
	}
	return nil
}

// MapBatch is how many documents functions are called with at once, and how many changes are read.
const MapBatch = 100

// mapping is a document on its way into a group.
type mapping struct {
	pk      []byte
	pending *Pending // nil where the document is known
	doc     document.Document
	there   bool
	before  kv.FutureValue
	out     mapindex.Emission
	err     error
}

// apply calls the functions on all processors, and writes the rows that they emit. Slow functions don't get to all
// documents: done is how many were done.
func (c *Collection) apply(ctx context.Context, g *mapindex.Group, w kv.Writer, all []mapping) (done int, failed int64,
	err error) {
	done = mapindex.Each(ctx, len(all), func(i int) {
		if m := &all[i]; m.there {
			m.out, m.err = c.run(g, m.pk, m.doc)
		}
	})
	if err := ctx.Err(); err != nil {
		return done, 0, err
	}
	for i := range done {
		m := &all[i]
		if m.err != nil {
			return done, failed, m.err
		}
		failed += int64(m.out.Failures())
		if err := g.Apply(w, m.pk, m.before, m.out); err != nil {
			return done, failed, err
		}
	}
	return done, failed, nil
}

// Part are the documents with primary keys in [From, To); nil is the first, and no end.
type Part struct{ From, To []byte }

// BuildMap makes the rows of a group for documents of before it. A document that has emitted already is left alone.
// Writers keep an interactive group meanwhile: one that is written while the step runs is a conflict. They do nothing
// for a group in the background, which follows their changes later, and so nothing of theirs is a conflict.
func (c *Collection) BuildMap(ctx context.Context, tx *Tx, g *mapindex.Group, of Part,
	budget UpgradeBudget) (Built, error) {
	var out Built
	var all []mapping
	var length int64
	err := c.eachStored(ctx, tx, of.From, func(pk []byte, rec record) (bool, error) {
		if of.To != nil && bytes.Compare(pk, of.To) >= 0 {
			return false, nil
		}
		if out.Documents > 0 && (out.Documents >= MapBatch || budget.spent(out.Documents, length, tx.Size())) {
			out.Next = bytes.Clone(pk)
			return false, nil
		}
		out.Documents++
		length += int64(rec.Len())
		pk = bytes.Clone(pk)
		all = append(all, mapping{pk: pk, doc: rec.Document, there: true, before: g.Start(tx, pk)})
		if g.Interactive {
			tx.AddReadConflict(kv.PointRange(c.keys.Meta(pk)))
			tx.AddReadConflict(kv.PointRange(c.keys.Document(pk, 0)))
		}
		return true, nil
	})
	if err != nil {
		return out, fmt.Errorf("tables: build a map index of %s: %w", c.def, err)
	}
	kept, places := all[:0], []int(nil) // places are their indexes in all
	for i, m := range all {
		raw, err := m.before.Get()
		if err != nil {
			return out, fmt.Errorf("tables: build a map index of %s: %w", c.def, err)
		}
		if raw == nil {
			kept, places = append(kept, m), append(places, i)
		}
	}
	done, failed, err := c.apply(ctx, g, tx, kept)
	if err != nil {
		return out, fmt.Errorf("tables: build a map index of %s: %w", c.def, err)
	}
	if done < len(kept) {
		out.Next, out.Documents = kept[done].pk, int64(places[done])
	}
	out.Entered, out.Failed = int64(done), failed
	return out, nil
}

// Followed is the result of one step of FollowMap.
type Followed struct {
	Changes, Failed int64
	// Done: no change is behind the last one.
	Done bool
	// Building: the documents of before are not all in it yet, and nothing was done.
	Building bool
	UpTo     changes.Sequence // of the last change, if there was one
}

// MapUpTo is the sequence up to which the rows of a group in the background are of; the zero Sequence of none.
func (c *Collection) MapUpTo(r kv.Reader, g *mapindex.Group) (s changes.Sequence, err error) {
	raw, err := r.Get(g.Keys.UpTo()).Get()
	if err == nil && raw != nil && len(raw) != changes.SequenceSize {
		err = fmt.Errorf("%w: the sequence %x", mapindex.ErrCorrupt, raw)
	}
	if err != nil {
		return s, fmt.Errorf("tables: how far a map index of %s is: %w", c.def, err)
	}
	copy(s[:], raw)
	return s, nil
}

// MapFrom makes a group in the background follow the changes from the last one on that r sees.
func (c *Collection) MapFrom(w kv.Writer, r kv.Reader, group int64) error {
	last, ok, err := c.log.Last(r)
	if ok && err == nil {
		w.Set(c.keys.Maps(group).UpTo(), last[:])
	}
	return err
}

// Split finds primary keys that divide the documents into parts of about so many bytes each, at most most of them. It
// rests on the store's estimates.
func (c *Collection) Split(r kv.Reader, part int64, most int) ([][]byte, error) {
	all := c.keys.Documents()
	size, err := r.EstimateSize(all).Get()
	n := min(int64(most), size/max(1, part))
	if err != nil || n < 2 {
		return nil, err
	}
	first, last, err := ends(r, all)
	if err != nil || first == nil {
		return nil, err
	}
	var out [][]byte
	for i := int64(1); i < n; i++ {
		at, err := splitAt(r, all.Start, first, last, size*i/n, size/(8*n))
		if err != nil {
			return nil, err
		}
		it := r.Range(kv.Range{Start: at, End: all.End}, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
		if it.Next() {
			pk, _, err := c.keys.SplitDocument(it.Key())
			if err != nil {
				it.Close()
				return nil, err
			}
			if len(out) == 0 || bytes.Compare(pk, out[len(out)-1]) > 0 {
				out = append(out, bytes.Clone(pk))
			}
		}
		err = it.Err()
		it.Close()
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ends are the first and the last key of a range.
func ends(r kv.Reader, of kv.Range) (first, last []byte, err error) {
	for _, reverse := range []bool{false, true} {
		it := r.Range(of, kv.RangeOptions{Limit: 1, Reverse: reverse, Streaming: kv.StreamSmall})
		if it.Next() {
			first, last = last, bytes.Clone(it.Key())
		}
		err = errors.Join(err, it.Err())
		it.Close()
	}
	return first, last, err
}

// splitAt finds a key between first and last before which about want bytes lie from start on, give or take near.
func splitAt(r kv.Reader, start, first, last []byte, want, near int64) ([]byte, error) {
	const digits, rounds = 16, 48 // bytes behind the keys' common beginning; halvings
	common := 0
	for common < len(first) && common < len(last) && first[common] == last[common] {
		common++
	}
	number := func(key []byte) *big.Int {
		var b [digits]byte
		copy(b[:], key[common:])
		return new(big.Int).SetBytes(b[:])
	}
	low, high := number(first), number(last)
	at := first
	for range rounds {
		middle := new(big.Int).Add(low, high)
		middle.Rsh(middle, 1)
		at = append(bytes.Clone(first[:common]), middle.FillBytes(make([]byte, digits))...)
		before, err := r.EstimateSize(kv.Range{Start: start, End: at}).Get()
		switch {
		case err != nil:
			return nil, err
		case before > want+near:
			high = middle
		case before < want-near:
			low = middle
		default:
			return at, nil
		}
	}
	return at, nil
}

// FollowMap brings a group in the background on, by at most batch changes (MapBatch for 0) and about so many bytes of
// documents. Another one that does so at the same time is a conflict; writers are none.
func (c *Collection) FollowMap(ctx context.Context, tx *Tx, g *mapindex.Group, batch int, budget int64) (Followed,
	error) {
	out, err := c.followMap(ctx, tx, g, batch, budget)
	if err != nil {
		return out, fmt.Errorf("tables: follow the changes of %s: %w", c.def, err)
	}
	return out, nil
}

func (c *Collection) followMap(ctx context.Context, tx *Tx, g *mapindex.Group, batch int, budget int64) (Followed,
	error) {
	if batch <= 0 {
		batch = MapBatch
	}
	var out Followed
	after, err := c.MapUpTo(tx, g)
	if err != nil {
		return out, err
	}
	r := tx.Snapshot()
	feed := c.log.Read(r, changes.ReadOptions{Bounds: changes.Bounds{After: &after}, Limit: batch})
	defer feed.Close()
	var all []mapping
	var upTo []changes.Sequence
	for feed.Next() {
		ch := feed.Change()
		all, upTo = append(all, mapping{pk: ch.PK, there: !ch.Deleted}), append(upTo, ch.Sequence)
	}
	if err := feed.Err(); err != nil {
		return out, err
	}
	out.Done = len(all) < batch
	read, err := c.readMapped(ctx, r, g, all, budget)
	if err != nil {
		return out, err
	}
	if read < len(all) {
		all, upTo, out.Done = all[:read], upTo[:read], false
	}
	done, failed, err := c.apply(ctx, g, tx, all)
	if err != nil {
		return out, err
	}
	out.Done = out.Done && done == len(all)
	if out.Failed, out.Changes = failed, int64(done); done > 0 {
		out.UpTo = upTo[done-1]
		tx.Set(g.Keys.UpTo(), out.UpTo[:])
	}
	return out, nil
}

// firstMapped is how many documents are read ahead before it is known how long they are.
const firstMapped = 4

// readMapped reads documents and the lists of their rows: as many of the first ones as have about budget bytes, but
// one at least. It reads ahead no more than would be within the budget if they were as long as the earlier ones.
func (c *Collection) readMapped(ctx context.Context, r kv.Reader, g *mapindex.Group, all []mapping,
	budget int64) (read int, err error) {
	started := 0
	var length int64
	for i := range all {
		if err := ctx.Err(); err != nil {
			return i, err
		}
		ahead := int64(firstMapped)
		if i > 0 {
			ahead = (budget - length) * int64(i) / max(length, 1)
		}
		for ; started < len(all) && (budget <= 0 || started == i || int64(started-i) < ahead); started++ {
			m := &all[started]
			if m.before = g.Start(r, m.pk); m.there {
				m.pending = c.fetch(r, m.pk)
			}
		}
		m := &all[i]
		emitted, err := m.before.Get()
		if err != nil {
			return i, err
		}
		length += int64(len(emitted))
		if m.pending != nil {
			stored, there, err := m.pending.stored()
			if err != nil {
				return i, err
			}
			m.there, m.doc = there, stored.Document
			length += int64(stored.Len())
		}
		if budget > 0 && length > budget && i > 0 {
			return i, nil
		}
	}
	return len(all), nil
}

// checkMaps proves the rows of map indexes, by calling the functions on each document.
func (k *checker) checkMaps() error {
	if err := k.unknownMaps(); err != nil || len(k.c.maps) == 0 {
		return err
	}
	type under struct {
		g     *mapindex.Group
		upTo  changes.Sequence
		check *mapindex.Check
	}
	var all []under
	for _, g := range k.c.maps {
		upTo, err := k.c.MapUpTo(k.r, g)
		if err != nil {
			return err
		}
		all = append(all, under{g, upTo, mapindex.NewCheck(g, k.r, func(f mapindex.Fault) {
			k.violation(Violation{What: f.What, Detail: f.Detail, PK: f.PK, Key: f.Key})
		})})
	}
	err := k.c.eachStoredOf(k.ctx, k.r, nil, func(pk []byte, rec record) (bool, error) {
		text, err := k.c.mapped(rec.Document)
		if err != nil {
			return false, err
		}
		for _, u := range all {
			err := u.check.Document(pk, text, func(emitted bool) (bool, error) {
				settled := emitted || u.g.Building == 0
				if u.g.Interactive {
					return settled, nil
				}
				meta, _, err := k.c.Rev(k.r, pk)
				return settled && bytes.Compare(meta.Sequence[:], u.upTo[:]) <= 0, err
			})
			if err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if errors.Is(err, ErrCorrupt) {
		return nil // named already
	}
	for _, u := range all {
		if err == nil {
			err = u.check.Rest(k.ctx)
		}
	}
	return err
}

// unknownMaps reports the groups in the store that the definition lacks.
func (k *checker) unknownMaps() error {
	at := k.c.keys.AllMaps()
	for {
		it := k.r.Range(at, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
		if !it.Next() {
			err := it.Err()
			it.Close()
			return err
		}
		key := bytes.Clone(it.Key())
		it.Close()
		n, err := k.c.keys.MapGroup(key)
		if err != nil {
			k.violation(Violation{What: "a key of a map index is malformed", Key: key, Detail: err.Error(),
				mend: clears(key)})
			at.Start = append(key, 0)
			continue
		}
		group := k.c.keys.Maps(n).All()
		if _, ok := k.c.def.GroupOf(n); !ok {
			k.violation(Violation{What: "there are rows of a map index that is not there", Key: key,
				mend: func(tx *Tx) error { tx.ClearRange(group); return nil }})
		}
		at.Start = group.End
	}
}

// DropStrayMaps removes the stored rows of groups that the definition lacks, and returns the number of these groups.
func (c *Collection) DropStrayMaps(ctx context.Context, tx *Tx) (int, error) {
	k := &checker{c: c, ctx: ctx, r: tx.Snapshot(), report: func(v Violation) {
		if v.mend != nil {
			_ = v.mend(tx) // it only clears
		}
	}}
	err := k.unknownMaps()
	return int(k.sum.Violations), err
}
