package hold

import (
	"context"
	"errors"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
)

// endless is a reader of ranges that have no end.
type endless struct{ kv.Reader }

func (endless) Range(kv.Range, kv.RangeOptions) kv.Iterator { return endlessIterator{} }

type endlessIterator struct{ kv.Iterator }

func (endlessIterator) Next() bool { return true }
func (endlessIterator) Err() error { return nil }

// TestStoppable: walks end when the statement is killed, short ones too where they
// are many.
func TestStoppable(t *testing.T) {
	for _, steps := range []int{1 << 20, 3} {
		ctx, kill := context.WithCancel(context.Background())
		r := &StoppableReader{Reader: endless{}, Ctx: ctx}
		var err error
		walked := 0
		for err == nil && walked < 1<<20 {
			it := r.Range(kv.Range{}, kv.RangeOptions{})
			for n := 0; n < steps && it.Next(); n++ {
				if walked++; walked == 5000 {
					kill()
				}
			}
			err = it.Err()
		}
		kill()
		if !errors.Is(err, context.Canceled) || walked > 5000+keysPerCheck {
			t.Errorf("walks of %d keys: %v after %d", steps, err, walked)
		}
	}
}
