package pool

import (
	"context"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Tally counts the requests that are made within a context. The zero Tally has counted nothing.
type Tally struct {
	gets, puts, deletes, lists, read, written atomic.Int64
}

// Requests are the requests that have been counted.
func (t *Tally) Requests() store.Requests {
	return store.Requests{Gets: t.gets.Load(), Puts: t.puts.Load(), Deletes: t.deletes.Load(), Lists: t.lists.Load(),
		BytesRead: t.read.Load(), BytesWritten: t.written.Load()}
}

type tallyKey struct{}

// Within is a context whose requests a tally counts.
func (t *Tally) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, tallyKey{}, t)
}

// metered counts requests for the tally of their context.
type metered struct{ store.Store }

// spare is for contexts without a tally.
var spare Tally

func tallyOf(ctx context.Context) *Tally {
	if t, ok := ctx.Value(tallyKey{}).(*Tally); ok {
		return t
	}
	return &spare
}

// Get implements store.Store.
func (m metered) Get(ctx context.Context, key, known string) (store.Object, error) {
	t := tallyOf(ctx)
	t.gets.Add(1)
	o, err := m.Store.Get(ctx, key, known)
	t.read.Add(int64(len(o.Body)))
	return o, err
}

// Put implements store.Store.
func (m metered) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	t := tallyOf(ctx)
	t.puts.Add(1)
	t.written.Add(int64(len(body)))
	return m.Store.Put(ctx, key, body, cond)
}

// Delete implements store.Store.
func (m metered) Delete(ctx context.Context, key string, cond store.Condition) error {
	tallyOf(ctx).deletes.Add(1)
	return m.Store.Delete(ctx, key, cond)
}

// List implements store.Store.
func (m metered) List(ctx context.Context, prefix string, o store.ListOptions) (store.Page, error) {
	tallyOf(ctx).lists.Add(1)
	return m.Store.List(ctx, prefix, o)
}
