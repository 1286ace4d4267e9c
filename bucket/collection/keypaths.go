package collection

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// maxKeypaths bounds the keypaths that are noted.
const maxKeypaths = 5000

// Keypaths are the keypaths that documents have, with the kinds of their values, as document.Kind names them. There may
// be some that no document has any more; none that one has is missing, if Complete.
type Keypaths struct {
	Kinds map[string][]string `json:"kinds,omitempty"`
	// Order are the keypaths in the order in which they were first seen.
	Order []string `json:"order,omitempty"`
	// Complete: every document that is there has been looked at. It is so of a collection that was empty when the first
	// document was written here, and of any after CreateIndex, Check or Learn. Documents that other programs write are
	// not noted.
	Complete bool `json:"complete,omitempty"`
	// Full: there were more than are noted.
	Full bool `json:"full,omitempty"`
}

// clone returns a copy that may be changed.
func (k Keypaths) clone() Keypaths {
	k.Order = slices.Clone(k.Order)
	k.Kinds = maps.Clone(k.Kinds)
	if k.Kinds == nil {
		k.Kinds = map[string][]string{}
	}
	return k
}

// misses reports whether a document has a keypath or a kind that is not noted.
func (k Keypaths) misses(d document.Document) bool {
	found := false
	_ = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
		found = found || !slices.Contains(k.Kinds[string(l.Path)], l.Kind.String())
		return nil
	})
	return found && !k.Full
}

// add notes a document's keypaths. k must be a clone.
func (k *Keypaths) add(d document.Document) {
	_ = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
		kinds, known := k.Kinds[string(l.Path)]
		kind := l.Kind.String()
		switch {
		case slices.Contains(kinds, kind):
		case !known && len(k.Order) == maxKeypaths:
			k.Full, k.Complete = true, false
		default:
			path := string(l.Path)
			if !known {
				k.Order = append(k.Order, path)
			}
			k.Kinds[path] = append(slices.Clip(kinds), kind)
			slices.Sort(k.Kinds[path])
		}
		return nil
	})
}

// merge notes the keypaths of other.
func (k *Keypaths) merge(other Keypaths) {
	for _, path := range other.Order {
		kinds, known := k.Kinds[path]
		if !known {
			if len(k.Order) == maxKeypaths {
				k.Full, k.Complete = true, false
				continue
			}
			k.Order = append(k.Order, path)
		}
		kinds = append(slices.Clip(kinds), other.Kinds[path]...)
		slices.Sort(kinds)
		k.Kinds[path] = slices.Compact(kinds)
	}
}

// equal reports whether both are the same.
func (k Keypaths) equal(other Keypaths) bool {
	return k.Complete == other.Complete && k.Full == other.Full && slices.Equal(k.Order, other.Order) &&
		maps.EqualFunc(k.Kinds, other.Kinds, func(a, b []string) bool { return slices.Equal(a, b) })
}

// Keypaths returns the known keypaths of the documents.
func (c *Collection) Keypaths() Keypaths {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.catalog.Keypaths.clone()
}

// note notes the keypaths of all documents in the catalog, while nobody else writes.
func (c *Collection) note(ctx context.Context, seen Keypaths) error {
	now := c.Keypaths()
	now.merge(seen)
	now.Complete = !now.Full
	if now.equal(c.Keypaths()) {
		return nil
	}
	return c.editCatalog(ctx, func(cat *catalog) {
		cat.Keypaths.merge(seen)
		cat.Keypaths.Complete = !cat.Keypaths.Full
	})
}

// learn notes in the catalog the keypaths of the documents that are about to be written, while nobody else writes.
func (c *Collection) learn(ctx context.Context, states []state) error {
	known := c.Keypaths()
	missing := false
	for _, s := range states {
		missing = missing || s.todo && s.target != nil && known.misses(*s.target)
	}
	if !missing {
		return nil
	}
	empty := false
	if !c.inCatalog() {
		page, err := c.st.List(ctx, c.name.Data(), store.ListOptions{Limit: 1})
		if err != nil {
			return err
		}
		empty = len(page.Objects) == 0
	}
	return c.editCatalog(ctx, func(cat *catalog) {
		cat.Keypaths.Complete = cat.Keypaths.Complete || empty
		for _, s := range states {
			if s.todo && s.target != nil {
				cat.Keypaths.add(*s.target)
			}
		}
	})
}

// Learn reads all documents and notes their keypaths, unless they are known of all: other programs may have written
// some. Others may write meanwhile. If the store can't be written to, the keypaths are kept in memory alone.
func (c *Collection) Learn(ctx context.Context) error {
	if k := c.Keypaths(); k.Complete || k.Full {
		return nil
	}
	seen := Keypaths{}.clone()
	var ids []string
	if err := c.List(ctx, "", func(id string) error { ids = append(ids, id); return nil }); err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, 1000) {
		docs, err := c.Get(ctx, batch)
		if err != nil {
			return err
		}
		for _, d := range docs {
			if d != nil {
				seen.add(d.Body)
			}
		}
	}
	err := c.Hold(ctx, func(func(context.Context) error) error { return c.note(ctx, seen) })
	if !errors.Is(err, store.ErrUnconditional) && !errors.Is(err, store.ErrRefused) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.catalog.Keypaths.clone()
	known.merge(seen)
	known.Complete = !known.Full
	c.catalog.Keypaths = known
	return nil
}
