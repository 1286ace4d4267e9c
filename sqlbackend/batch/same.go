package batch

import (
	"bytes"
	"encoding/json"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// A statement in batches that writes to its driving table does not read what was written since it began: by itself, or
// by others, which can't be distinguished. Between the end of a run that was interrupted and the next one only others
// write: what they do then is read.

// interval is the sequences of changes behind after, up to until.
type interval struct {
	After string `json:"after"`
	Until string `json:"until"`
}

// noteSince notes in the first batch of a run what the newest change of the driving table is, if the statement writes
// to that.
func (b *Run) noteSince(t *table.Table, r kv.Reader) error {
	if !b.Shape.Same || b.At.Batches > 0 && b.At.Until == "" {
		return nil
	}
	newest, _, err := t.Def.Collection.Log().Last(r)
	b.since, b.driving = newest.String(), t.Def.Collection
	return err
}

// markSince notes in the next marker since when changes are not read, and the changes made while earlier runs ran.
func (b *Run) markSince() {
	if b.At.Until != "" {
		b.next.Runs, b.next.Until = append(b.At.Runs[:len(b.At.Runs):len(b.At.Runs)], interval{b.At.Since, b.At.Until}), ""
	}
	if b.At.Until != "" || b.At.Batches == 0 {
		b.next.Since = b.since
	}
}

// newer reports whether a document of the driving table has been written since the run began or while an earlier one
// ran, which may have done so itself: it then is not read.
func (b *Run) newer(t *table.Table, from kv.Reader, pk []byte) (bool, error) {
	if !b.Shape.Same || b.At.Batches == 0 {
		return false, nil
	}
	meta, there, err := t.Def.Collection.Rev(from, pk)
	if err != nil || !there {
		return false, err
	}
	for _, run := range append(b.At.Runs[:len(b.At.Runs):len(b.At.Runs)], interval{b.At.Since, b.At.Until}) {
		after, err := changes.ParseSequence(run.After)
		if err != nil {
			return false, err
		}
		if bytes.Compare(meta.Sequence[:], after[:]) <= 0 {
			continue
		}
		if run.Until == "" {
			return true, nil
		}
		until, err := changes.ParseSequence(run.Until)
		if err != nil || bytes.Compare(meta.Sequence[:], until[:]) <= 0 {
			return true, err
		}
	}
	return false, nil
}

// interrupted notes in the marker of a statement that has failed what the newest change of its driving table is then.
// Where that does not succeed, all that comes before the next run counts as written by this one.
func interrupted(s *session.Session, b *Run) {
	if !b.Shape.Same || b.stored == nil || b.driving == nil || b.At.Until != "" {
		return
	}
	key := b.driving.Keys().Bulk(b.digest)
	_ = kv.Transact(s.Backend.Ctx, s.Backend.Store, kv.TransactOptions{Attempts: 3, Repeatable: true},
		func(tx kv.Transaction) error {
			stored, err := tx.Get(key).Get()
			if err != nil || !bytes.Equal(stored, b.stored) {
				return err // another run goes on
			}
			newest, _, err := b.driving.Log().Last(tx.Snapshot())
			if err != nil {
				return err
			}
			ended := b.At
			ended.Until = newest.String()
			raw, err := json.Marshal(ended)
			if err != nil {
				return err
			}
			tx.Set(key, raw)
			return nil
		})
}
