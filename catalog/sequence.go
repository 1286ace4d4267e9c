package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// autoIncrementBlock is how many AUTO_INCREMENT values a process takes at a
// time, so that writers don't meet on the counter. Values that a process has
// taken and not used when it ends are lost, as MySQL's are.
const autoIncrementBlock = 64

// ErrNoAutoIncrement: the greatest AUTO_INCREMENT value has been handed out.
var ErrNoAutoIncrement = errors.New("AUTO_INCREMENT has no values left")

// sequence hands out one table's AUTO_INCREMENT values.
type sequence struct {
	mu          sync.Mutex
	next, limit uint64 // next is handed out while below limit
}

func (c *Catalog) sequence(collection int64) *sequence {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sequences[collection]
	if s == nil {
		s = &sequence{}
		c.sequences[collection] = s
	}
	return s
}

// NextAutoIncrement takes the next value; it is never handed out again.
func (c *Catalog) NextAutoIncrement(ctx context.Context, collection int64) (uint64, error) {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next >= s.limit {
		start, end, err := c.reserve(ctx, collection, 0)
		if err != nil {
			return 0, err
		}
		s.next, s.limit = start, end
	}
	s.next++
	return s.next - 1, nil
}

// PeekAutoIncrement is the next value as far as the store and this process know.
func (c *Catalog) PeekAutoIncrement(r kv.Reader, collection int64) (uint64, error) {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next < s.limit {
		return s.next, nil
	}
	raw, err := r.Get(keyspace.AutoIncrement(collection)).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read AUTO_INCREMENT: %w", err)
	}
	return max(1, getUint(raw)), nil
}

// RaiseAutoIncrement makes the next value at least next: an INSERT named a
// value itself, or ALTER TABLE … AUTO_INCREMENT = next.
func (c *Catalog) RaiseAutoIncrement(ctx context.Context, collection int64, next uint64) error {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	if next <= s.next {
		return nil // also when the block is used up: the next one begins after it
	}
	if next < s.limit {
		s.next = next
		return nil
	}
	start, end, err := c.reserve(ctx, collection, next)
	if err != nil {
		return err
	}
	s.next, s.limit = start, end
	return nil
}

// reserve takes the block [start, end) of values, which does not begin below least. A
// block that was taken without an answer is lost.
func (c *Catalog) reserve(ctx context.Context, collection int64, least uint64) (start, end uint64, err error) {
	err = kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		k := keyspace.AutoIncrement(collection)
		raw, err := tx.Get(k).Get()
		if err != nil {
			return err
		}
		start = max(1, least, getUint(raw))
		if start == math.MaxUint64 {
			return ErrNoAutoIncrement
		}
		end = start + min(autoIncrementBlock, math.MaxUint64-start)
		tx.Set(k, putUint(end))
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("catalog: reserve AUTO_INCREMENT values: %w", err)
	}
	return start, end, nil
}
