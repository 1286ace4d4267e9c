package collection

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// nameRest is how long an index of other fields can't get the name of a dropped index, as somebody may still read by
// the old one.
const nameRest = time.Minute

// place is where one document stands in an index.
type place struct {
	etag string
	key  string
	last document.Value
}

// scan reads all documents whose ETags differ from known, and returns where each stands. It notes their keypaths in
// seen, and calls between between batches.
func (c *Collection) scan(ctx context.Context, x layout.Index, known map[string]place, seen *Keypaths,
	between func(context.Context) error) (map[string]place, error) {
	places := map[string]place{}
	var want []string
	err := store.All(ctx, c.st, c.name.Data(), func(i store.Info) error {
		id, ok := c.name.DocumentID(i.Key)
		if !ok {
			return nil
		}
		if old, ok := known[id]; ok && old.etag == i.ETag {
			places[id] = old
		} else {
			want = append(want, id)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(want, 1000) {
		docs, err := c.Get(ctx, batch)
		if err != nil {
			return nil, err
		}
		if err := between(ctx); err != nil {
			return nil, err
		}
		for _, d := range docs {
			if d != nil {
				seen.add(d.Body)
				key, last := x.Place(d.Body)
				places[d.ID] = place{d.ETag, key, last}
			}
		}
	}
	return places, nil
}

// entries are the ids that an index's entries must hold: in order, by key.
func entries(x layout.Index, places map[string]place) (map[string][]string, error) {
	lists := map[string][]string{}
	for id, p := range places {
		lists[p.key] = append(lists[p.key], id)
	}
	for key, ids := range lists {
		if len(ids) > MaxEntry {
			return nil, fmt.Errorf("%w: %d at %s, over %d", ErrEntryFull, len(ids), key, MaxEntry)
		}
		slices.SortFunc(ids, func(a, b string) int {
			if x.Compound() {
				if c := x.Compare(places[a].last, places[b].last); c != 0 {
					return c
				}
			}
			return strings.Compare(a, b)
		})
	}
	return lists, nil
}

// CreateIndex makes an index of all documents. Others may write while the documents are read, and wait while the
// entries are written. It fails with ErrIndex, layout.ErrDefinition, ErrEntryFull, and as Write does. A crash leaves
// no index.
func (c *Collection) CreateIndex(ctx context.Context, x layout.Index) error {
	if err := x.Check(); err != nil {
		return err
	}
	if err := c.mayCreate(x); err != nil {
		return err
	}
	seen := Keypaths{}.clone()
	known, err := c.scan(ctx, x, nil, &seen, func(ctx context.Context) error { return ctx.Err() })
	if err != nil {
		return err
	}
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	in := intent{Create: &x}
	if err := c.acquire(ctx, &in); err != nil {
		return err
	}
	c.writer.long = &in
	err = c.build(ctx, x, known, seen)
	c.writer.long = nil
	if err == nil {
		_ = c.release(ctx) // the index is there
		return nil
	}
	if errors.Is(err, errLost) {
		return err
	}
	// The part of the index that was made is deleted.
	return errors.Join(err, c.finish(ctx, in, false))
}

func (c *Collection) mayCreate(x layout.Index) error {
	if _, ok := c.keptIndex(x.Name); ok {
		return fmt.Errorf("%w: %s is there already", ErrIndex, x.Name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.catalog.Dropped {
		if d.Name == x.Name && !d.Equal(x) && time.Since(d.At) < nameRest {
			return fmt.Errorf("%w: another %s was dropped less than a minute ago, and may still be read: "+
				"give it another name, or wait", ErrIndex, x.Name)
		}
	}
	return nil
}

// build makes the index, while nobody else writes.
func (c *Collection) build(ctx context.Context, x layout.Index, known map[string]place, seen Keypaths) error {
	if err := c.readCatalog(ctx); err != nil {
		return err
	}
	if err := c.mayCreate(x); err != nil {
		return err
	}
	if _, err := c.st.Get(ctx, c.name.Definition(x.Name), ""); !errors.Is(err, store.ErrNotFound) {
		if err == nil {
			err = fmt.Errorf("%w: %s is there already", ErrIndex, x.Name)
		}
		return err
	}
	places, err := c.scan(ctx, x, known, &seen, c.renew)
	if err != nil {
		return err
	}
	lists, err := entries(x, places)
	if err != nil {
		return err
	}
	if err := c.writeEntries(ctx, x, lists); err != nil {
		return err
	}
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if err := c.renew(ctx); err != nil {
		return err
	}
	err = c.insistPut(ctx, c.name.Definition(x.Name), append(text, '\n'), store.Condition{Absent: true})
	if err != nil {
		return err
	}
	if err := c.insist(ctx, func() error { return c.changeCatalog(ctx, x, created) }); err != nil {
		return err
	}
	return c.note(ctx, seen)
}

// writeEntries makes lists the entries of an index, by key, and deletes all others.
func (c *Collection) writeEntries(ctx context.Context, x layout.Index, lists map[string][]string) error {
	have := map[string]string{}
	err := store.All(ctx, c.st, c.name.Entries(x.Name), func(i store.Info) error {
		have[i.Key] = i.ETag
		return nil
	})
	if err != nil {
		return err
	}
	bodies := map[string][]string{}
	for key, ids := range lists {
		bodies[c.name.Entry(x.Name, key)] = ids
	}
	for file := range have {
		if _, ok := bodies[file]; !ok {
			bodies[file] = nil
		}
	}
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(bodies)), 1000) {
		if err := c.renew(ctx); err != nil {
			return err
		}
		err := c.each(ctx, len(batch), func(ctx context.Context, i int) error {
			file := batch[i]
			cond := store.Condition{Match: have[file], Absent: have[file] == ""}
			if ids := bodies[file]; len(ids) > 0 {
				return c.insistPut(ctx, file, layout.FormatEntry(ids), cond)
			}
			return c.insist(ctx, func() error { return c.st.Delete(ctx, file, cond) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// insistPut writes a file, also if it does not hear at first that it has.
func (c *Collection) insistPut(ctx context.Context, file string, body []byte, cond store.Condition) error {
	tries := 0
	return c.insist(ctx, func() error {
		_, err := c.st.Put(ctx, file, body, cond)
		if tries++; tries > 1 && errors.Is(err, store.ErrPrecondition) {
			obj, readErr := c.st.Get(ctx, file, "")
			if readErr == nil && bytes.Equal(obj.Body, body) {
				return nil // the first one was carried out
			}
		}
		return err
	})
}

// insist makes a request, which may be made twice, until it is answered, or has failed a few times.
func (c *Collection) insist(ctx context.Context, request func() error) error {
	for attempt := 0; ; attempt++ {
		err := request()
		if err == nil || store.Refused(err) {
			return err
		}
		c.doubt(err)
		if attempt == 4 || sleep(ctx, rand.N(c.o.Pause<<attempt)) != nil {
			return err
		}
	}
}

// renew shows that a writer with long work is still alive.
func (c *Collection) renew(ctx context.Context) error {
	if c.writer.long == nil || time.Since(c.writer.since) < c.o.Hold/4 {
		return nil
	}
	c.writer.long.Token += "+"
	err := c.place(ctx, *c.writer.long, c.writer.etag)
	if errors.Is(err, store.ErrPrecondition) {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// errLost: another process has held this writer for lost and become the writer. This one sends nothing more.
var errLost = errors.New("another writer has ended the work, as this one gave no sign of life")

// changeCatalog adds x to the catalog, or removes it. It may be called again after a failure.
func (c *Collection) changeCatalog(ctx context.Context, x layout.Index, o catalogChange) error {
	return c.editCatalog(ctx, func(cat *catalog) {
		cat.Indexes = slices.DeleteFunc(slices.Clone(cat.Indexes),
			func(y layout.Index) bool { return y.Name == x.Name })
		cat.Dropped = slices.DeleteFunc(slices.Clone(cat.Dropped), func(d droppedIndex) bool {
			return d.Name == x.Name
		})
		if o == dropped {
			cat.Dropped = append(cat.Dropped, droppedIndex{x, time.Now()})
			return
		}
		cat.Indexes = append(cat.Indexes, x)
		slices.SortFunc(cat.Indexes, layout.ByName)
	})
}

// catalogChange is a kind of change of an index in the catalog.
type catalogChange int

const (
	created catalogChange = iota
	dropped
)

// editCatalog changes the catalog, while nobody else writes.
func (c *Collection) editCatalog(ctx context.Context, edit func(*catalog)) error {
	for attempt := 0; ; attempt++ {
		err := c.editCatalogOnce(ctx, edit)
		// A late request may have been carried out in between: then the change is there already.
		if !errors.Is(err, store.ErrPrecondition) || attempt == 4 {
			return c.doubt(err)
		}
	}
}

func (c *Collection) editCatalogOnce(ctx context.Context, edit func(*catalog)) error {
	if err := c.readCatalog(ctx); err != nil {
		return err
	}
	if !c.inCatalog() {
		if _, err := c.adopt(ctx); err != nil {
			return err
		}
	}
	c.mu.Lock()
	cat, etag := c.catalog, c.etag
	c.mu.Unlock()
	cat.Format = format
	cat.Keypaths = cat.Keypaths.clone()
	edit(&cat)
	body, err := json.Marshal(cat)
	if err != nil {
		return err
	}
	got, err := c.st.Put(ctx, c.name.Catalog(), append(body, '\n'), store.Condition{Match: etag, Absent: etag == ""})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sengos = cat.without(c.sengos)
	c.catalog, c.etag, c.at = cat, got, time.Now()
	return nil
}

// cleanIndex ends the making of an index by a writer that is gone: if it has a definition, it is there, else nothing
// is left of it.
func (c *Collection) cleanIndex(ctx context.Context, x layout.Index) error {
	if err := sleep(ctx, c.dubious()); err != nil {
		return err // a late request would be carried out after the cleaning
	}
	if err := c.readCatalog(ctx); err != nil {
		return err
	}
	now, err := c.readDefinition(ctx, x.Name)
	if errors.Is(err, store.ErrNotFound) {
		return c.writeEntries(ctx, x, nil)
	}
	if err != nil {
		return err
	}
	if y, ok := c.Index(x.Name); ok && y.Equal(now) && c.inCatalog() {
		return nil
	}
	return c.changeCatalog(ctx, now, created)
}

func (c *Collection) inCatalog() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.etag != ""
}

// DropIndex takes an index away. It fails with ErrIndex, and as Write does.
func (c *Collection) DropIndex(ctx context.Context, name string) error {
	x, ok := c.keptIndex(name)
	if !ok {
		return fmt.Errorf("%w: there is no %s", ErrIndex, name)
	}
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.leave()
	in := intent{Drop: &x}
	if err := c.acquire(ctx, &in); err != nil {
		return err
	}
	return c.finish(ctx, in, true)
}

// dropIndex removes the index from the catalog, then its definition, then its entries: a reader that finds no entry
// checks whether the index still exists.
func (c *Collection) dropIndex(ctx context.Context, x layout.Index) error {
	if err := c.readCatalog(ctx); err != nil {
		return err
	}
	if _, ok := c.keptIndex(x.Name); ok || !c.inCatalog() {
		if err := c.changeCatalog(ctx, x, dropped); err != nil {
			return err
		}
	}
	if err := c.st.Delete(ctx, c.name.Definition(x.Name), store.Condition{}); err != nil {
		return c.doubt(err)
	}
	return c.writeEntries(ctx, x, nil)
}
