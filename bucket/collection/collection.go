// Package collection keeps the documents and indexes of one collection in a bucket. It reads documents and entries,
// writes documents with their entries, makes and drops indexes, finishes work that a crash has left, and checks it
// all.
//
// It plans nothing and knows no SQL. How writes go is described in docs/rfcs/0024-collections-in-a-bucket.md. In
// short: the writer has the object "writer", which holds all that is to be written. Entries get new ids before the
// documents are written and lose old ones after. A process that finds the object of a lost writer finishes its work.
package collection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

const (
	// MaxEntry bounds the ids of one entry.
	MaxEntry = 100_000
	// MaxChanges bounds the documents of one Write.
	MaxChanges = 1000
	// maxWrite bounds the bytes of one Write.
	maxWrite = 32 << 20
)

var (
	// ErrExists is wrapped when a document that is to be new is there.
	ErrExists = errors.New("the document is there already")
	// ErrChanged is wrapped when a document is not as the change expects it.
	ErrChanged = errors.New("the document has changed")
	// ErrBusy is wrapped when another writer doesn't finish in time.
	ErrBusy = errors.New("another writes to the collection")
	// ErrUnfinished is wrapped when a write has begun and could not be ended. It will be ended by the next one.
	ErrUnfinished = errors.New("the write is begun, and will be ended when the bucket answers")
	// ErrEntryFull is wrapped when an entry would get more than MaxEntry ids.
	ErrEntryFull = errors.New("too many documents have one value")
	// ErrTooLarge is wrapped when a Write has too many changes or bytes.
	ErrTooLarge = errors.New("too much for one write to a bucket")
	// ErrDocument is wrapped when a file holds no document.
	ErrDocument = errors.New("no document")
	// ErrIndex is wrapped when an index is there already, or is not there, or can't be made now.
	ErrIndex = errors.New("index in a bucket")
)

// Options of a collection. Zero fields stand for the defaults.
type Options struct {
	Parallel int // requests at once; 32
	Probes   int // documents that are read at once to find a place in an entry; 3
	// Hold bounds how long a writer sends requests for one write; 20 s.
	Hold time.Duration
	// TakeOver is the age of a writer's object from which on the writer counts as lost; 60 s. It must be longer than
	// Hold and Late together.
	TakeOver time.Duration
	// Wait bounds how long a write waits for another; 90 s.
	Wait time.Duration
	// Late is how long a request whose answer didn't come may still be carried out; 15 s. For this time nobody else
	// writes. Negative for not at all.
	Late time.Duration
	// Linger is how long a writer stays the writer after a write, so that its next one begins at once; 50 ms.
	// Negative for not at all: a write then returns after one more request.
	Linger time.Duration
	// Pause is how long a writer waits before it repeats a failed request, and twice as long each further time; 20 ms.
	Pause time.Duration
	// Fresh is how long readers trust the definitions of indexes that they have read; 30 s.
	Fresh time.Duration
}

func (o Options) filled() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	if o.Parallel == 0 {
		o.Parallel = 32
	}
	if o.Probes == 0 {
		o.Probes = 3
	}
	def(&o.Hold, 20*time.Second)
	def(&o.TakeOver, 60*time.Second)
	def(&o.Wait, 90*time.Second)
	def(&o.Late, 15*time.Second)
	def(&o.Linger, 50*time.Millisecond)
	def(&o.Fresh, 30*time.Second)
	def(&o.Pause, 20*time.Millisecond)
	return o
}

// Doc is a document as it was read.
type Doc struct {
	ID   string
	Body document.Document
	ETag string
	file []byte
}

// Collection is one collection in a bucket. It may be used by many at once.
type Collection struct {
	st   store.Store
	name layout.Collection
	o    Options

	mu      sync.Mutex // guards the fields below
	catalog catalog
	sengos  []layout.Index // indexes found beside the catalog: they are kept, and not read before Check
	etag    string         // of the catalog; empty if there is none
	at      time.Time      // when the catalog was last known to be current

	doubts atomic.Int64 // when requests without an answer can't be carried out any more, in Unix nanoseconds

	process string // the beginning of this process's tokens

	turn   chan struct{} // holds one token while nobody of this process writes
	writer writer        // used by the holder of the token
}

// catalog is which indexes there are.
type catalog struct {
	Format   int            `json:"format"`
	Keypaths Keypaths       `json:"keypaths"`
	Indexes  []layout.Index `json:"indexes"`
	Dropped  []droppedIndex `json:"dropped,omitempty"`
}

// droppedIndex is a dropped index whose name no index has had since. For a minute no index of other fields gets the
// name, as somebody may still read the old one. A process that found its definition before learns from it that the
// index was dropped.
type droppedIndex struct {
	layout.Index
	At time.Time
}

func (d droppedIndex) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Index layout.Index `json:"index"`
		At    time.Time    `json:"at"`
	}{d.Index, d.At})
}

func (d *droppedIndex) UnmarshalJSON(text []byte) error {
	var j struct {
		Index layout.Index `json:"index"`
		At    time.Time    `json:"at"`
	}
	err := json.Unmarshal(text, &j)
	d.Index, d.At = j.Index, j.At
	return err
}

// Open returns the collection of a name. Its indexes are listed in its catalog; without one, they are the indexes
// that Sengo made.
func Open(ctx context.Context, st store.Store, name string, o Options) (*Collection, error) {
	folder, err := layout.Name(name)
	if err != nil {
		return nil, err
	}
	c := &Collection{st: st, name: folder, o: o.filled(), turn: make(chan struct{}, 1), process: uuid.NewString()}
	c.turn <- struct{}{}
	if err := c.readCatalog(ctx); err != nil {
		return nil, err
	}
	_, err = c.adopt(ctx)
	return c, err
}

// adopt finds the indexes whose definitions are there without being in the catalog. If there is no catalog, nobody but
// Sengo has written, and an index that has entries has all of them. Else nobody knows, and Check puts it in the
// catalog.
func (c *Collection) adopt(ctx context.Context) (found []layout.Index, err error) {
	var names []string
	folders := map[string]bool{}
	o := store.ListOptions{Folders: true}
	for {
		page, err := c.st.List(ctx, c.name.Indices(), o)
		if err != nil {
			return nil, err
		}
		for _, info := range page.Objects {
			if name, ok := c.name.DefinitionOf(info.Key); ok {
				names = append(names, name)
			}
		}
		for _, folder := range page.Prefixes {
			folders[folder] = true
		}
		if o.After, o.Rest = page.After, page.Rest; o.After == "" {
			break
		}
	}
	var whole []layout.Index
	for _, name := range names {
		if _, known := c.Index(name); known {
			continue
		}
		x, err := c.readDefinition(ctx, name)
		if errors.Is(err, store.ErrNotFound) {
			continue // dropped meanwhile
		}
		if err != nil {
			return nil, err
		}
		if found = append(found, x); folders[c.name.Entries(name)] {
			whole = append(whole, x)
		}
	}
	if len(found) == 0 {
		return found, nil
	}
	if !c.inCatalog() {
		page, err := c.st.List(ctx, c.name.Data(), store.ListOptions{Limit: 1})
		if err != nil {
			return nil, err
		}
		if len(page.Objects) == 0 {
			whole = found
		}
		// A writer of entries makes a catalog before: so none of these indexes is being written just now.
		if err := c.readCatalog(ctx); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.etag == "" {
		c.catalog.Indexes = append(slices.Clone(c.catalog.Indexes), whole...)
		slices.SortFunc(c.catalog.Indexes, layout.ByName)
	}
	c.sengos = c.catalog.without(found)
	return found, nil
}

// without are the found indexes that are not in the catalog, neither as existing nor as dropped.
func (cat *catalog) without(found []layout.Index) []layout.Index {
	var left []layout.Index
	for _, x := range found {
		there := slices.ContainsFunc(cat.Indexes, func(y layout.Index) bool { return y.Name == x.Name })
		dropped := slices.ContainsFunc(cat.Dropped, func(d droppedIndex) bool { return d.Name == x.Name })
		if !there && !dropped {
			left = append(left, x)
		}
	}
	return left
}

func (c *Collection) readDefinition(ctx context.Context, name string) (layout.Index, error) {
	file := c.name.Definition(name)
	obj, err := c.st.Get(ctx, file, "")
	if err != nil {
		return layout.Index{}, err
	}
	var x layout.Index
	if err := json.Unmarshal(obj.Body, &x); err != nil {
		return x, fmt.Errorf("%s: %w", file, err)
	}
	if x.Name != name {
		return x, fmt.Errorf("%s: %w: it says that its name is %s", file, layout.ErrDefinition, x.Name)
	}
	return x, nil
}

// readCatalog brings the catalog up to date. Indexes that Sengo has made are kept beside it.
func (c *Collection) readCatalog(ctx context.Context) error {
	c.mu.Lock()
	known := c.etag
	c.mu.Unlock()
	began := time.Now()
	obj, err := c.st.Get(ctx, c.name.Catalog(), known)
	var cat catalog
	switch {
	case errors.Is(err, store.ErrNotModified), errors.Is(err, store.ErrNotFound):
		c.mu.Lock()
		c.at = began
		c.mu.Unlock()
		return nil
	case err != nil:
		return err
	}
	if err := json.Unmarshal(obj.Body, &cat); err != nil {
		return fmt.Errorf("%s: %w", c.name.Catalog(), err)
	}
	if cat.Format != format {
		return fmt.Errorf("%s: format %d is not known here", c.name.Catalog(), cat.Format)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.etag == "" {
		// Indexes that another writer's catalog does not name may lack that writer's documents.
		c.sengos = append(c.sengos, c.catalog.Indexes...)
	}
	c.sengos = cat.without(c.sengos)
	c.catalog, c.etag, c.at = cat, obj.ETag, began
	return nil
}

// kept are the indexes that writes keep up to date: Indexes, and indexes that may be incomplete.
func (c *Collection) kept() []layout.Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Concat(c.catalog.Indexes, c.sengos)
}

// keptIndex is the index among kept that has the name.
func (c *Collection) keptIndex(name string) (layout.Index, bool) {
	all := c.kept()
	i := slices.IndexFunc(all, func(x layout.Index) bool { return x.Name == name })
	if i < 0 {
		return layout.Index{}, false
	}
	return all[i], true
}

// Indexes returns the indexes that are complete, by their names.
func (c *Collection) Indexes() []layout.Index {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.catalog.Indexes)
}

// Index returns the index of that name.
func (c *Collection) Index(name string) (layout.Index, bool) {
	for _, x := range c.Indexes() {
		if x.Name == name {
			return x, true
		}
	}
	return layout.Index{}, false
}

// Refresh reads the catalog of indexes again, unless it was read within Fresh. It is to be called before a read by an
// index.
func (c *Collection) Refresh(ctx context.Context) error {
	c.mu.Lock()
	fresh := time.Since(c.at) < c.o.Fresh
	c.mu.Unlock()
	if fresh {
		return nil
	}
	return c.readCatalog(ctx)
}

// each calls fn for 0 … n-1, many at once.
func (c *Collection) each(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	if n == 1 {
		return fn(ctx, 0)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(c.o.Parallel)
	for i := range n {
		g.Go(func() error { return fn(ctx, i) })
	}
	return g.Wait()
}

func (c *Collection) read(ctx context.Context, id string) (*Doc, error) {
	if id == "" {
		return nil, nil // it is no document's
	}
	file := c.name.Document(id)
	obj, err := c.st.Get(ctx, file, "")
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body, err := document.Parse(obj.Body, document.Limits{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", file, ErrDocument, err)
	}
	return &Doc{id, body, obj.ETag, obj.Body}, nil
}

// Get reads documents by their ids, many at once: one request each. A missing document is nil.
func (c *Collection) Get(ctx context.Context, ids []string) ([]*Doc, error) {
	docs := make([]*Doc, len(ids))
	err := c.each(ctx, len(ids), func(ctx context.Context, i int) (err error) {
		docs[i], err = c.read(ctx, ids[i])
		return err
	})
	return docs, err
}

// List calls fn with the ids that begin with prefix, in the order of their files' names: one request for 1,000.
func (c *Collection) List(ctx context.Context, prefix string, fn func(id string) error) error {
	return store.Keys(ctx, c.st, c.name.DocumentPrefix(prefix), func(key string) error {
		if id, ok := c.name.DocumentID(key); ok {
			return fn(id)
		}
		return nil
	})
}

// Entry is one entry as it was read. Each of its ids stands once, in the order of the index's last field. But ids
// that are in more than one place are just being moved, and are in Moving instead. An entry may name documents that
// are not there or have another value; none that are there and have it are missing.
type Entry struct {
	IDs, Moving []string
	etag        string
}

// Entry reads one entry: one request. It fails with ErrIndex if there is no such index any more.
func (c *Collection) Entry(ctx context.Context, x layout.Index, key string) (Entry, error) {
	e, err := c.entry(ctx, x.Name, key)
	if err != nil {
		return Entry{}, err
	}
	if !e.there {
		// Nobody has the value, unless there is no such index any more.
		if err := c.readCatalog(ctx); err != nil {
			return Entry{}, err
		}
		if err := c.Current(x); err != nil {
			return Entry{}, err
		}
	}
	ids, moving := parted(e.ids)
	return Entry{ids, moving, e.etag}, nil
}

// Unmoved reports whether an entry is as it was read: then no document has come, gone or moved in it since. It makes
// one request.
func (c *Collection) Unmoved(ctx context.Context, x layout.Index, key string, e Entry) (bool, error) {
	_, err := c.st.Get(ctx, c.name.Entry(x.Name, key), e.etag)
	switch {
	case errors.Is(err, store.ErrNotModified):
		return true, nil
	case errors.Is(err, store.ErrNotFound):
		return e.etag == "", nil
	}
	return false, err
}

// Current fails with ErrIndex if x is none of Indexes, as far as is known.
func (c *Collection) Current(x layout.Index) error {
	if now, ok := c.Index(x.Name); !ok || !now.Equal(x) {
		return fmt.Errorf("%w: %s was dropped just now", ErrIndex, x.Name)
	}
	return nil
}

// parted separates the ids that stand once from the ids that stand more often.
func parted(all []string) (once, more []string) {
	n := make(map[string]int, len(all))
	twice := false
	for _, id := range all {
		n[id]++
		twice = twice || n[id] > 1
	}
	if !twice {
		return all, nil
	}
	for _, id := range all {
		switch n[id] {
		case 0:
		case 1:
			once = append(once, id)
		default:
			more = append(more, id)
			n[id] = 0
		}
	}
	return once, more
}

// entry is an entry as it was read.
type entry struct {
	ids   []string
	etag  string
	there bool
}

func (c *Collection) entry(ctx context.Context, index, key string) (entry, error) {
	file := c.name.Entry(index, key)
	obj, err := c.st.Get(ctx, file, "")
	if errors.Is(err, store.ErrNotFound) {
		return entry{}, nil
	}
	if err != nil {
		return entry{}, err
	}
	ids, err := layout.ParseEntry(obj.Body)
	if err != nil {
		return entry{}, fmt.Errorf("%s: %w", file, err)
	}
	return entry{ids, obj.ETag, true}, nil
}

// String is the address of the collection.
func (c *Collection) String() string { return c.st.String() + " " + string(c.name) }
