package jobs_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A job that fails again and again does not keep another collection's from being
// worked off.
func TestAdvance(t *testing.T) {
	ctx := context.Background()
	cat := open(t)
	broken, sound := table(t, cat, "broken"), table(t, cat, "sound")
	failed := 0
	r := jobs.NewRunner(cat, map[string]jobs.Kind{
		"counting": {Step: counting},
		"failing": {Step: func(context.Context, *tables.Tx, *jobs.Job) (bool, error) {
			failed++
			return false, errors.New("as always")
		}},
	}, jobs.Options{})
	enqueue(t, cat, jobs.Job{Kind: "failing", Collection: broken.ID})
	id := enqueue(t, cat, jobs.Job{Kind: "counting", Collection: sound.ID, Progress: jobs.Progress{Of: 3}})
	for n := range 4 {
		worked, err := r.Advance(ctx, sound.ID)
		if err != nil || worked != (n < 3) {
			t.Errorf("step %d: %v, %v", n, worked, err)
		}
	}
	if job := find(t, cat, id); job.State != jobs.StateDone || failed != 0 {
		t.Errorf("the job is %s, the other one was tried %d times", job.State, failed)
	}
	if _, err := r.Advance(ctx, broken.ID); err == nil || failed != 1 {
		t.Errorf("the failing job: %v, tried %d times", err, failed)
	}
}
