package sqlbackend

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/kv"
)

// keysPerCheck is how many keys are walked between looks at whether the statement has
// been killed.
const keysPerCheck = 1024

// stoppableReader ends walks whose statement has been killed: some meet many keys
// before they have a row to give, as one that collects the keys of an intersection does.
// Documents are fetched by several goroutines.
type stoppableReader struct {
	kv.Reader
	ctx  context.Context
	keys atomic.Int64 // walked by all iterators
}

// Range implements kv.Reader.
func (r *stoppableReader) Range(keys kv.Range, opts kv.RangeOptions) kv.Iterator {
	return &stoppableIterator{Iterator: r.Reader.Range(keys, opts), r: r}
}

type stoppableIterator struct {
	kv.Iterator
	r   *stoppableReader
	err error
}

// Next implements kv.Iterator.
func (i *stoppableIterator) Next() bool {
	if i.r.keys.Add(1)%keysPerCheck == 0 && i.err == nil {
		if err := i.r.ctx.Err(); err != nil {
			i.err = fmt.Errorf("sqlbackend: walk keys: %w", err)
		}
	}
	return i.err == nil && i.Iterator.Next()
}

// Err implements kv.Iterator.
func (i *stoppableIterator) Err() error {
	if i.err != nil {
		return i.err
	}
	return i.Iterator.Err()
}
