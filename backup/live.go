package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Errors of copies that go on from another one. They are wrapped.
var (
	// ErrAnotherStore: the copy to go on from is of another store.
	ErrAnotherStore = errors.New("the copy to go on from is of another store")
	// ErrAhead: the copy to go on from is of a later state than the store's.
	ErrAhead = errors.New("the copy to go on from is of a later state than the store is in")
	// ErrTooFast: the store changes faster than it is copied.
	ErrTooFast = errors.New("the store changes faster than it is copied")
)

// maxRounds bounds the number of rounds for changes that come meanwhile.
const maxRounds = 30

// table is a table with the parts that a copy records of it.
type table struct {
	key    []byte
	def    *catalog.Table
	digest string
}

// survey reads the position and the tables of a store, without the version. The tables are sorted by their
// collections' numbers. With keys, a table with background work counts as changed, since the feed does not show
// changes of keys alone.
func survey(r kv.Reader, keys bool) (p Position, all []table, err error) {
	id, err := catalog.Identify(r)
	if err != nil {
		return p, nil, err
	}
	p.Incarnation, p.Tables = id.Incarnation, map[int64]string{}
	if p.Store, err = catalog.StoreID(r); err != nil {
		return p, nil, err
	}
	busy, err := jobs.Busy(r)
	if err != nil {
		return p, nil, err
	}
	it := r.Range(keyspace.Tables(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		t := table{key: slices.Clone(it.Key()), def: &catalog.Table{}}
		if err := json.Unmarshal(it.Value(), t.def); err != nil {
			return p, nil, fmt.Errorf("table definition at %x: %w", it.Key(), err)
		}
		if !keys || !busy[t.def.ID] {
			t.digest = digest(it.Value())
		}
		p.Tables[t.def.ID] = t.digest
		all = append(all, t)
		last, ok, err := changes.Log{Keys: t.def.Keys()}.Last(r)
		if err != nil {
			return p, nil, err
		}
		if ok {
			p.Last = max(p.Last, last.String())
		}
	}
	slices.SortFunc(all, func(a, b table) int { return cmp.Compare(a.def.ID, b.def.ID) })
	return p, all, it.Err()
}

func digest(definition []byte) string {
	sum := sha256.Sum256(definition)
	return hex.EncodeToString(sum[:12])
}

// live copies a store that is written to: the changes since a position, in rounds, until a round is read at one
// version. Each round copies the changes since the start of the round before.
type live struct {
	ctx   context.Context
	store kv.Store
	to    *writer
	opts  Options

	tx     kv.Transaction
	began  time.Time
	steps  int      // of this round
	since  Position // the position up to which is copied already
	now    Position // of the round
	skips  map[int64]bool
	atOnce bool // one transaction reads for as long as it takes
}

func (l *live) write() error {
	l.atOnce = l.opts.Step == 0
	if l.opts.Since != nil {
		l.since = *l.opts.Since
	}
	defer func() {
		if l.tx != nil {
			l.tx.Cancel()
		}
	}()
	for n := 0; n < maxRounds; n++ {
		if err := l.step(); err != nil {
			return err
		}
		l.steps, l.skips = 0, map[int64]bool{}
		if err := l.round(n == 0); err != nil {
			return err
		}
		for id := range l.skips {
			delete(l.now.Tables, id)
		}
		if l.steps == 0 {
			if s := l.opts.Since; s != nil {
				l.now.Last = max(l.now.Last, s.Last)
			}
			return l.to.end(l.now)
		}
		l.since = l.now
	}
	return ErrTooFast
}

// step begins the next transaction.
func (l *live) step() error {
	if l.tx != nil {
		l.tx.Cancel()
	}
	var err error
	if l.tx, err = l.store.Begin(l.ctx, kv.TransactionOptions{NoReadYourWrites: true, Hold: l.atOnce}); err != nil {
		l.tx = nil
		return err
	}
	l.began = time.Now()
	l.steps++
	return nil
}

// old reports whether the transaction should be read no longer.
func (l *live) old() bool { return !l.atOnce && time.Since(l.began) > l.opts.Step }

// round copies the changes since l.since, at the transaction's version, and at newer ones where it takes longer than
// a step may.
func (l *live) round(first bool) error {
	r := l.tx.Snapshot()
	var all []table
	var err error
	if l.now, all, err = survey(r, l.atOnce); err != nil {
		return err
	}
	if l.now.Version, err = l.tx.ReadVersion(); err != nil {
		return err
	}
	l.now.At = time.Now().UTC()
	if first {
		if err := l.begin(r); err != nil {
			return err
		}
	}
	if l.now.Store != l.to.header.Store || l.now.Incarnation != l.to.header.Incarnation {
		return catalog.ErrReplaced
	}
	shared := l.shared()
	clears := shared
	replace := func(id int64, r kv.Range) {
		if clears = append(clears, r); !l.atOnce {
			clears = append(clears, keyspace.Keypaths(id))
		}
	}
	for id := range l.since.Tables {
		if _, there := l.now.Tables[id]; !there {
			replace(id, keyspace.NewCollection(id, 1).All())
		}
	}
	for _, t := range all {
		if l.whole(t) {
			replace(t.def.ID, t.def.Keys().All())
		} else {
			clears = append(clears, t.def.Keys().Beside())
		}
	}
	slices.SortFunc(clears, func(a, b kv.Range) int { return slices.Compare(a.Start, b.Start) })
	if err := l.to.section(clears); err != nil {
		return err
	}
	if err := l.pairs(r, keyspace.Metas()); err != nil {
		return err
	}
	for _, part := range shared {
		if err := l.pairs(r, part); err != nil {
			return err
		}
	}
	for _, t := range all {
		part := t.def.Keys().Beside()
		if l.atOnce && l.whole(t) {
			part = t.def.Keys().All()
		}
		if err := l.pairs(r, part); err != nil {
			return err
		}
	}
	for _, t := range all {
		if err := l.documents(t); err != nil {
			return err
		}
	}
	return nil
}

// begin checks the position that the copy goes on from, and writes the header.
func (l *live) begin(r kv.Reader) error {
	if s := l.opts.Since; s != nil {
		switch {
		case s.Store == "" || s.Store != l.now.Store || s.Incarnation != l.now.Incarnation:
			return ErrAnotherStore
		case s.Version > l.now.Version:
			return ErrAhead
		}
		l.to.header.Since = s.Version
	}
	return l.to.begin(r, l.now)
}

// whole reports whether all documents of a table are copied: changes alone don't show how the other documents are
// stored.
func (l *live) whole(t table) bool {
	before := l.since.Tables[t.def.ID]
	return before == "" || before != t.digest
}

// shared are the keys that belong to no collection. Where documents are written instead of keys, restoring numbers
// their keypaths anew. A document as its table has it now can have keypaths that no stored document has.
func (l *live) shared() []kv.Range {
	all, numbers := keyspace.Shared(), keyspace.Dictionaries()
	if l.atOnce {
		return []kv.Range{all}
	}
	return []kv.Range{{Start: all.Start, End: numbers.Start}, {Start: numbers.End, End: all.End}}
}

// pairs copies all keys of a range but markers.
func (l *live) pairs(r kv.Reader, all kv.Range) error {
	it := r.Range(all, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for n := 0; it.Next(); n++ {
		if n%256 == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if keyspace.PlaceOf(it.Key()) == keyspace.PlaceMarker {
			continue
		}
		if err := l.to.pair(it.Key(), it.Value()); err != nil {
			return err
		}
	}
	return it.Err()
}

// errRenew: the next document is to be read by a new transaction.
var errRenew = errors.New("backup: the transaction is old")

// documents copies the documents of a table that have changed, or all of them if they were not copied as keys.
func (l *live) documents(t table) error {
	whole := l.whole(t)
	if whole && l.atOnce {
		return nil
	}
	c, err := l.opts.Open(t.def)
	if err != nil {
		return err
	}
	// The transaction may be a newer one than the round began with.
	if still, err := l.still(t); err != nil || !still {
		return err
	}
	metas := c.Keys().Metas()
	after, upto := l.since.behind(), l.now.behind()
	for {
		visit := func(d tables.Copied) error {
			if err := l.ctx.Err(); err != nil {
				return err
			}
			if err := l.to.document(t.def.ID, d); err != nil {
				return err
			}
			if whole {
				metas.Start = append(c.Keys().Meta(d.PK), 0)
			} else if m, _, err := changes.DecodeMeta(d.Meta); err == nil {
				after = m.Sequence
			}
			if l.old() {
				return errRenew
			}
			return nil
		}
		if whole {
			err = c.CopyKeys(l.tx.Snapshot(), metas, visit)
		} else {
			err = c.CopyChanges(l.tx.Snapshot(), changes.Bounds{After: &after, Upto: &upto}, visit)
		}
		if !errors.Is(err, errRenew) {
			return err
		}
		if still, err := l.renew(t); err != nil || !still {
			return err
		}
	}
}

// renew begins the next transaction within a table's documents.
func (l *live) renew(t table) (still bool, err error) {
	if err := l.step(); err != nil {
		return false, err
	}
	return l.still(t)
}

// still reports whether a table has the definition that the round began with. Otherwise it is left for the next round.
func (l *live) still(t table) (bool, error) {
	raw, err := l.tx.Snapshot().Get(t.key).Get()
	if err != nil {
		return false, err
	}
	var now catalog.Table
	if raw == nil || json.Unmarshal(raw, &now) != nil || now.ID != t.def.ID || now.Generation != t.def.Generation ||
		now.IndexVersion != t.def.IndexVersion {
		l.skips[t.def.ID] = true
		return false, nil
	}
	return true, nil
}
