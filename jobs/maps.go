package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// KindMap makes the rows of a group of map indexes for the documents of before it, or for a part of them.
const KindMap = "map"

// mapCheckpoint is where such a job is.
type mapCheckpoint struct {
	Group int64
	Next  []byte `json:",omitempty"` // the primary key to go on from
	End   []byte `json:",omitempty"` // the first one that is not the job's
}

// EnqueueMap begins the build of a group, as a part of the transaction that adds it to the definition. There is a job
// for each part of the documents between the primary keys that divide them. It returns the jobs.
func EnqueueMap(tx Transaction, def *catalog.Table, group int64, between [][]byte, p Progress) (jobs []int64,
	err error) {
	what, beside := p.Message, ""
	if len(between) > 0 {
		beside = fmt.Sprintf("map %d.%d", def.ID, group)
	}
	p.Of /= int64(len(between) + 1)
	var from []byte
	for i := range len(between) + 1 {
		at := mapCheckpoint{Group: group, Next: from}
		if i < len(between) {
			at.End, from = between[i], between[i]
		}
		text, err := json.Marshal(at)
		if err != nil {
			return nil, fmt.Errorf("jobs: begin a map index: %w", err)
		}
		if beside != "" {
			p.Message = fmt.Sprintf("%s, part %d of %d", what, i+1, len(between)+1)
		}
		id, err := Enqueue(tx, Job{Kind: KindMap, Collection: def.ID, Database: def.Database, Table: def.Name,
			Beside: beside, Checkpoint: text, Progress: p})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, id)
	}
	return jobs, nil
}

// maxParts is how many jobs build one group.
const maxParts = 16

// MapParts are primary keys that divide documents into parts of about so many bytes.
func MapParts(r kv.Reader, c *tables.Collection, part int64) ([][]byte, error) {
	return c.Split(r, part, maxParts)
}

// BuildMaps is the kind of KindMap.
func BuildMaps(cat *catalog.Catalog, open OpenCollection) Kind {
	return Kind{Step: func(ctx context.Context, tx *tables.Tx, job *Job) (bool, error) {
		var at mapCheckpoint
		if err := json.Unmarshal(job.Checkpoint, &at); err != nil {
			return false, fmt.Errorf("jobs: checkpoint of job %d: %w: %w", job.ID, ErrPermanent, err)
		}
		def := job.Definition
		if g, ok := def.GroupOf(at.Group); !ok || !slices.Contains(g.Builders(), job.ID) {
			job.Progress.Message = "the map index is gone, or built"
			return true, nil
		}
		c, err := open(def)
		if err != nil {
			return false, err
		}
		g, err := c.MapGroup(at.Group)
		if err != nil {
			return false, err
		}
		out, err := c.BuildMap(ctx, tx, g, tables.Part{From: at.Next, To: at.End},
			tables.UpgradeBudget{Bytes: job.Budget, Size: stepSize})
		if err != nil {
			return false, err
		}
		p := &job.Progress
		p.Done += out.Documents
		p.Converted += out.Entered
		p.Failed += out.Failed
		p.Of = max(p.Of, p.Done)
		if out.Next == nil {
			p.Of = p.Done
			_, err := cat.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
				t.MapPartBuilt(at.Group, job.ID)
				t.DropUnusedMaps(tx)
				return nil
			})
			return err == nil, err
		}
		at.Next = out.Next
		job.Checkpoint, err = json.Marshal(at)
		return false, err
	}, Lost: func(tx *tables.Tx, job *Job) error {
		view, err := cat.ViewIn(tx)
		if err != nil {
			return err
		}
		def, ok := view.TableByID(job.Collection)
		if !ok {
			return nil
		}
		_, err = cat.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
			t.MapLost(job.ID, job.Error)
			return nil
		})
		return err
	}}
}

// followBudget bounds the bytes of documents that a step of FollowMap reads.
const followBudget = 1 << 20

// FollowMap brings a group in the background on by one step of at most batch changes. out.Done reports that no change
// is left; nothing is done while jobs build the group. It fails with catalog.ErrNoMap where the group or the
// collection is gone.
func FollowMap(ctx context.Context, cat *catalog.Catalog, open OpenCollection, collection, group int64,
	batch int) (out tables.Followed, err error) {
	for n := batch; ; n /= 4 {
		n = max(1, n)
		err = kv.Transact(ctx, cat.Store(), kv.TransactOptions{
			Transaction: kv.TransactionOptions{NoReadYourWrites: true}, Attempts: stepAttempts,
		}, func(base kv.Transaction) error {
			tx := tables.Within(base)
			if out, err = followWithin(ctx, tx, cat, open, collection, group, n); err != nil {
				return err
			}
			return tx.Commit()
		})
		if errors.Is(err, kv.ErrTooLarge) && n > 1 {
			continue
		}
		return out, err
	}
}

func followWithin(ctx context.Context, tx *tables.Tx, cat *catalog.Catalog, open OpenCollection, collection,
	group int64, batch int) (out tables.Followed, err error) {
	view, err := cat.ViewIn(tx)
	if err != nil {
		return out, err
	}
	def, ok := view.TableByID(collection)
	if !ok {
		return out, fmt.Errorf("jobs: group %d of collection %d: %w", group, collection, catalog.ErrNoMap)
	}
	of, ok := def.GroupOf(group)
	if !ok {
		return out, fmt.Errorf("jobs: group %d of %s: %w", group, def, catalog.ErrNoMap)
	}
	if out.Building = of.Building != 0; out.Building {
		return out, nil
	}
	c, err := open(def)
	if err != nil {
		return out, err
	}
	g, err := c.MapGroup(group)
	if err != nil {
		return out, err
	}
	if out, err = c.FollowMap(ctx, tx, g, batch, followBudget); err != nil || !out.Done {
		return out, err
	}
	for _, m := range def.Maps {
		if m.Next == nil || m.Next.Group != group {
			continue
		}
		_, err := cat.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
			t.MapBuilt(group)
			t.DropUnusedMaps(tx)
			return nil
		})
		return out, err
	}
	return out, nil
}

// FollowMaps brings each group in the background on by one step, and reports how many there are, and whether one had
// something to do. batch is of changes.
func FollowMaps(ctx context.Context, cat *catalog.Catalog, open OpenCollection, batch int) (groups int, worked bool,
	err error) {
	type behind struct{ collection, group int64 }
	var all []behind
	err = kv.Transact(ctx, cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
		all = nil
		view, err := cat.View(tx.Snapshot())
		if err != nil {
			return err
		}
		for _, database := range view.Databases() {
			for _, def := range view.Tables(database) {
				for i := range def.MapGroups {
					g := &def.MapGroups[i]
					if g.Interactive || def.Understood() != nil {
						continue
					}
					if groups++; g.Building != 0 {
						continue
					}
					late, err := late(tx.Snapshot(), open, def, g.Number)
					if err != nil {
						return err
					}
					if late {
						all = append(all, behind{def.ID, g.Number})
					}
				}
			}
		}
		return nil
	})
	for _, b := range all {
		out, failed := FollowMap(ctx, cat, open, b.collection, b.group, batch)
		switch {
		case failed == nil:
			worked = worked || out.Changes > 0
		case errors.Is(failed, catalog.ErrNoMap), kv.Retryable(failed):
		default:
			err = errors.Join(err, failed)
		}
	}
	return groups, worked, err
}

// late reports whether a group has changes before it, or a definition that waits for it to have none.
func late(r kv.Reader, open OpenCollection, def *catalog.Table, group int64) (bool, error) {
	for _, m := range def.Maps {
		if m.Next != nil && m.Next.Group == group {
			return true, nil
		}
	}
	c, err := open(def)
	if err != nil {
		return false, err
	}
	g, err := c.MapGroup(group)
	if err != nil {
		return false, err
	}
	upTo, err := c.MapUpTo(r, g)
	if err != nil {
		return false, err
	}
	last, ok, err := c.Log().Last(r)
	return ok && string(last[:]) > string(upTo[:]), err
}
