package catalog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// How often transactions beside a statement's own are repeated. Numbers are reserved in short transactions, many at
// once, and a statement that gets none runs again itself. A change of definitions reads and writes much, and does not
// run again: it is tried for about half a minute.
const (
	numberAttempts     = 80
	numberLongestWait  = 50 * time.Millisecond
	definitionAttempts = 60
)

// Transact runs a transaction that changes definitions, like kv.Transact. A commit
// without an answer is looked for by a marker, so that the change happens once. The
// marker is cleared by the next change, or by the sweep.
func (c *Catalog) Transact(ctx context.Context, opts kv.TransactionOptions, do func(kv.Transaction) error) error {
	id, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("catalog: make a marker: %w", err)
	}
	marker := keyspace.DefinitionMarker(id[:])
	spent := c.takeSpent()
	err = kv.Transact(ctx, c.store, kv.TransactOptions{Transaction: opts, Marker: marker, Attempts: definitionAttempts},
		func(tx kv.Transaction) error {
			for _, k := range spent {
				tx.Clear(k)
			}
			return do(tx)
		})
	switch {
	case err == nil:
		c.addSpent(marker)
	case !errors.Is(err, kv.ErrUnknownCommit):
		c.addSpent(spent...)
	}
	return err
}

// takeSpent takes the markers whose outcome is known.
func (c *Catalog) takeSpent() [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	spent := c.spent
	c.spent = nil
	return spent
}

func (c *Catalog) addSpent(markers ...[]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent = append(c.spent, markers...)
}
