package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// KindSweep clears the remains of processes that died: markers of commits, and keys of tables and map indexes that
// are gone. There is one such job, which rests between two walks.
//
// A marker holds no time. One that two walks meet is older than the rest between them, and its owner, which looks for
// it within seconds when it must, is gone. The rest is measured by one process that lives through it, so that no
// clock need be right.
const KindSweep = "sweep"

const (
	// sweepRest is the time between two walks, in seconds.
	sweepRest = int64(kv.MarkerLife / time.Second)
	// sweptMarkers bounds the markers that a walk remembers.
	sweptMarkers = 400
	// sweptCollections is the number of collections that a step looks at.
	sweptCollections = 100
)

// sweepCheckpoint is where the walk is.
type sweepCheckpoint struct {
	Next int64    // the number of the next collection
	Seen [][]byte // markers that the walk before has met
	Met  [][]byte // markers that this one has met
	// Beats are the counters of the owners of temporary tables at the walk before, by the owners' names.
	Beats map[string][]byte `json:",omitempty"`
	// Young collections have numbers from this one on, which they got since the walk before began: the transactions that
	// make their tables may not have committed yet. NextYoung is that number for the next walk.
	Young, NextYoung int64 `json:",omitempty"`
}

// BatchLife is for how long a statement in batches that was interrupted goes on where it was.
const BatchLife = 24 * time.Hour

// BatchMoved is when a statement in batches has last written its marker.
type BatchMoved struct {
	Moved   time.Time `json:"moved"`             // by the clock of its server
	Version int64     `json:"version,omitempty"` // its read version, where versions follow the time; 0: not known
}

// Outlived reports whether that is longer than BatchLife ago, by this server's clock at a version. Of servers that
// share a store one may have a wrong clock, so the store's versions have to agree. They have no say in a store that was
// restored, where a version may be of another store, and be ahead.
func (m BatchMoved) Outlived(store kv.Store, now time.Time, version int64) bool {
	if now.Sub(m.Moved) <= BatchLife {
		return false
	}
	rate := store.VersionRate()
	return rate == 0 || m.Version == 0 || version < m.Version || version-m.Version > int64(BatchLife/time.Second)*rate
}

// Sweep is the kind of KindSweep. now is this server's clock.
func Sweep(cat *catalog.Catalog, now func() time.Time) Kind {
	return Kind{Quiet: true, Step: func(ctx context.Context, tx *tables.Tx, job *Job) (bool, error) {
		var at sweepCheckpoint
		if len(job.Checkpoint) > 0 {
			if err := json.Unmarshal(job.Checkpoint, &at); err != nil {
				return false, fmt.Errorf("jobs: checkpoint of job %d: %w", job.ID, err)
			}
		}
		view, err := cat.View(tx)
		if err != nil {
			return false, err
		}
		if at.Next == 0 {
			if at.NextYoung, err = cat.NextNumber(tx.Snapshot()); err != nil {
				return false, err
			}
		}
		for range sweptCollections {
			number, err := nextCollection(tx.Snapshot(), at.Next)
			if err != nil {
				return false, err
			}
			if number < 0 {
				beats, more, err := sweepTemporaries(tx, at.Beats, &job.Progress)
				if err != nil {
					return false, err
				}
				if more {
					break
				}
				at = sweepCheckpoint{Seen: at.Met, Beats: beats, Young: at.NextYoung}
				job.Rest = sweepRest
				break
			}
			at.Next = number + 1
			if number == keyspace.Definitions {
				if err := sweepMarkers(tx, keyspace.DefinitionMarkers(), &at, &job.Progress); err != nil {
					return false, err
				}
				continue
			}
			if t, ok := view.TableByID(number); ok {
				if err := sweepMarkers(tx, t.Keys().Markers(), &at, &job.Progress); err != nil {
					return false, err
				}
				if err := sweepBatches(tx, cat.Store(), t, now(), &job.Progress); err != nil {
					return false, err
				}
				if err := sweepMaps(tx, t, &job.Progress); err != nil {
					return false, err
				}
				continue
			}
			if number >= at.Young {
				continue
			}
			tx.ClearRange(keyspace.NewCollection(number, 1).All())
			tx.ClearRange(keyspace.Keypaths(number))
			tx.ClearRange(keyspace.AutoIncrements(number))
			job.Progress.Converted++
			job.Progress.Message = fmt.Sprintf("cleared what was left of collection %d", number)
		}
		job.Checkpoint, err = json.Marshal(at)
		return false, err
	}}
}

// nextCollection is the least number from next on under which there are keys; -1
// when there is none.
func nextCollection(r kv.Reader, next int64) (int64, error) {
	found := int64(-1)
	for _, w := range []struct {
		all    kv.Range
		number func([]byte) (int64, error)
	}{
		{keyspace.CollectionsFrom(next), keyspace.CollectionOf},
		{keyspace.DictionariesFrom(next), keyspace.DictionaryOf},
	} {
		it := r.Range(w.all, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
		there := it.Next()
		var number int64
		err := it.Err()
		if there {
			number, err = w.number(it.Key())
		}
		it.Close()
		if err != nil {
			return 0, fmt.Errorf("jobs: sweep: %w", err)
		}
		if there && (found < 0 || number < found) {
			found = number
		}
	}
	return found, nil
}

// sweepMarkers clears the markers that the walk before has met too.
func sweepMarkers(tx *tables.Tx, markers kv.Range, at *sweepCheckpoint, p *Progress) error {
	it := tx.Snapshot().Range(markers, kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
		key := it.Key()
		if slices.ContainsFunc(at.Seen, func(seen []byte) bool { return bytes.Equal(seen, key) }) {
			tx.Clear(key)
			p.Done++
		} else if len(at.Met) < sweptMarkers {
			at.Met = append(at.Met, bytes.Clone(key))
		}
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("jobs: sweep markers: %w", err)
	}
	return nil
}

// EnsureSweep enqueues the sweep of a store that has none.
func EnsureSweep(ctx context.Context, cat *catalog.Catalog) error {
	if err := ensureSweep(ctx, cat); err != nil {
		return fmt.Errorf("jobs: enqueue the sweep: %w", err)
	}
	return nil
}

// sweepBatches clears the markers of interrupted statements in batches that are too old. A statement that goes on now
// conflicts.
func sweepBatches(tx *tables.Tx, store kv.Store, t *catalog.Table, now time.Time, p *Progress) error {
	version, err := tx.ReadVersion()
	if err != nil {
		return fmt.Errorf("jobs: sweep statements in batches: %w", err)
	}
	it := tx.Range(t.Keys().Bulks(), kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
		var m BatchMoved
		if err := json.Unmarshal(it.Value(), &m); err != nil {
			return fmt.Errorf("jobs: sweep statements in batches: %w", err)
		}
		if m.Outlived(store, now, version) {
			tx.Clear(it.Key())
			p.Done++
		}
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("jobs: sweep statements in batches: %w", err)
	}
	return nil
}

// sweepMaps clears the rows of groups of map indexes that the table lacks. A transaction that adds one conflicts,
// since the sweep has read the definitions.
func sweepMaps(tx *tables.Tx, t *catalog.Table, p *Progress) error {
	if t.Understood() != nil {
		return nil
	}
	for at := t.Keys().AllMaps(); ; {
		it := tx.Snapshot().Range(at, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
		there := it.Next()
		var number int64
		err := it.Err()
		if there {
			number, err = t.Keys().MapGroup(it.Key())
		}
		it.Close()
		if err != nil {
			return fmt.Errorf("jobs: sweep map indexes of %s: %w", t, err)
		}
		if !there {
			return nil
		}
		group := t.Keys().Maps(number).All()
		if _, ok := t.GroupOf(number); !ok {
			tx.ClearRange(group)
			p.Converted++
			p.Message = fmt.Sprintf("cleared what was left of group %d of map indexes of %s", number, t)
		}
		at.Start = group.End
	}
}

func ensureSweep(ctx context.Context, cat *catalog.Catalog) error {
	return kv.Transact(ctx, cat.Store(), kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		// Through JobNext, which Enqueue reads, two processes that do this conflict.
		all, err := listRange(tx.Snapshot(), keyspace.ActiveJobs())
		if err != nil {
			return err
		}
		for _, l := range all {
			if l.job.Kind == KindSweep {
				return nil
			}
		}
		_, err = Enqueue(tx, Job{Kind: KindSweep})
		return err
	})
}
