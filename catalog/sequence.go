package catalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// autoIncrementBlock is how many AUTO_INCREMENT values a process reserves at a time, so
// that writers don't meet on the counter. Values that a process has reserved and not used
// when it ends are lost, as MySQL's are.
const autoIncrementBlock = 64

// ErrNoAutoIncrement: the greatest AUTO_INCREMENT value has been handed out.
var ErrNoAutoIncrement = errors.New("AUTO_INCREMENT has no values left")

// sequence hands out one table's AUTO_INCREMENT values.
type sequence struct {
	mu          sync.Mutex
	next, limit uint64 // next is handed out while below limit
	// from: no other process has any of the values from it up to limit.
	from  uint64
	given uint64 // the greatest value that a client of this process has chosen itself
	// void is the greatest void value that this process has met; see AutoIncrementVoid.
	void uint64
}

// taken is the stored record of a table's reserved values.
type taken struct {
	next  uint64 // all values below it have been reserved by some process
	owner string // the process that reserved the last ones, 8 bytes; empty in older records
	from  uint64 // the first of the last ones
}

func decodeTaken(raw []byte) taken {
	s := taken{next: max(1, getUint(raw))}
	if len(raw) == 24 {
		s.owner, s.from = string(raw[8:16]), getUint(raw[16:])
	}
	return s
}

// encode begins with the next value: programs that know no owners read that alone.
func (s taken) encode() []byte {
	if s.owner == "" {
		return putUint(s.next)
	}
	b := append(putUint(s.next), s.owner...)
	return binary.LittleEndian.AppendUint64(b, s.from)
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

// AutoIncrementVoid is the greatest AUTO_INCREMENT value that no process may hand out any more. A client may have
// stored values up to it that another process than its own had reserved. A transaction that stores a value that was
// handed out must have read it.
func (c *Catalog) AutoIncrementVoid(r kv.Reader, collection int64) (uint64, error) {
	raw, err := r.Get(keyspace.AutoIncrementVoid(collection)).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read AUTO_INCREMENT: %w", err)
	}
	return getUint(raw), nil
}

// NextAutoIncrement takes the next value, which is greater than void; it is never handed out again.
func (c *Catalog) NextAutoIncrement(ctx context.Context, collection int64, void uint64) (uint64, error) {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skip(void)
	if s.next >= s.limit {
		if err := c.reserve(ctx, collection, s, 0); err != nil {
			return 0, err
		}
	}
	s.next++
	return s.next - 1, nil
}

// AutoIncrementFree reports whether a value that NextAutoIncrement has given, for a transaction that did not commit,
// may be stored by another one of the same statement, which has read void. It may if no client has chosen it itself
// meanwhile.
func (c *Catalog) AutoIncrementFree(collection int64, value, void uint64) bool {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skip(void)
	return value > s.void && value > s.given
}

// skip leaves the void values out.
func (s *sequence) skip(void uint64) {
	s.void = max(s.void, void)
	if s.next <= s.void {
		s.next = s.void + 1
	}
}

// PeekAutoIncrement is the next value as far as the store and this process know.
func (c *Catalog) PeekAutoIncrement(r kv.Reader, collection int64) (uint64, error) {
	void, err := c.AutoIncrementVoid(r, collection)
	if err != nil {
		return 0, err
	}
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skip(void)
	if s.next < s.limit {
		return s.next, nil
	}
	raw, err := r.Get(keyspace.AutoIncrement(collection)).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read AUTO_INCREMENT: %w", err)
	}
	return decodeTaken(raw).next, nil
}

// GivenAutoIncrement notes a value that a client has given itself, before it is stored: no process hands
// it out afterwards, and this one hands out greater ones.
func (c *Catalog) GivenAutoIncrement(ctx context.Context, collection int64, value uint64) error {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given = max(s.given, value)
	switch {
	case s.from <= value && value < s.limit:
		s.next = max(s.next, value+1)
		return nil
	case value <= s.void || value == math.MaxUint64:
		return nil
	}
	return c.reserve(ctx, collection, s, value+1)
}

// RaiseAutoIncrement makes the next value, whichever process takes it, at least next: ALTER TABLE … AUTO_INCREMENT =
// next.
func (c *Catalog) RaiseAutoIncrement(ctx context.Context, collection int64, next uint64) error {
	s := c.sequence(collection)
	s.mu.Lock()
	defer s.mu.Unlock()
	if next <= 1 {
		return nil
	}
	var void uint64
	err := kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true, Attempts: definitionAttempts},
		func(tx kv.Transaction) (err error) {
			void, err = c.raiseWithin(tx, collection, next)
			return err
		})
	if err != nil {
		return fmt.Errorf("catalog: raise AUTO_INCREMENT: %w", err)
	}
	s.skip(void)
	return nil
}

// raiseWithin is RaiseAutoIncrement as a part of tx. It returns the greatest void value.
func (c *Catalog) raiseWithin(tx kv.Transaction, collection int64, next uint64) (void uint64, err error) {
	if next <= 1 {
		return 0, nil
	}
	k := keyspace.AutoIncrement(collection)
	raw, err := tx.Get(k).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read AUTO_INCREMENT: %w", err)
	}
	if void, err = c.AutoIncrementVoid(tx, collection); err != nil {
		return 0, err
	}
	if t := decodeTaken(raw); t.next < next {
		tx.Set(k, taken{next: next}.encode())
	}
	if void < next-1 {
		void = next - 1
		tx.Set(keyspace.AutoIncrementVoid(collection), putUint(void))
	}
	return void, nil
}

// reserve reserves the next block of values for s. least, unless it is 0, is the value behind one that a client has
// chosen. If nobody has reserved it, the block begins there. Otherwise reserve makes void the values that other
// processes may still have. A block that was reserved without an answer is lost.
func (c *Catalog) reserve(ctx context.Context, collection int64, s *sequence, least uint64) error {
	var got taken
	var start, void uint64
	err := kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true, Attempts: numberAttempts,
		LongestWait: numberLongestWait}, func(tx kv.Transaction) error {
		k := keyspace.AutoIncrement(collection)
		raw, err := tx.Get(k).Get()
		if err != nil {
			return err
		}
		if void, err = c.AutoIncrementVoid(tx, collection); err != nil {
			return err
		}
		now := decodeTaken(raw)
		got = now
		if now.owner != c.process {
			got.owner, got.from = c.process, now.next
		}
		if start = 0; least != 0 && least <= now.next {
			// Values of this process alone are its own matter. All others below were reserved before them.
			if others := got.from - 1; others > void {
				void = others
				tx.Set(keyspace.AutoIncrementVoid(collection), putUint(void))
			}
			return nil
		}
		if start = max(now.next, least); start == math.MaxUint64 {
			return ErrNoAutoIncrement
		}
		got.next = start + min(autoIncrementBlock, math.MaxUint64-start)
		tx.Set(k, got.encode())
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalog: reserve AUTO_INCREMENT values: %w", err)
	}
	if start != 0 {
		s.next, s.limit, s.from = start, got.next, got.from
	}
	s.skip(void)
	return nil
}
