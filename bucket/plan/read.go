package plan

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/document"
)

const (
	// firstWindow and lastWindow are how many documents are read at once, at first and after a while.
	firstWindow, lastWindow = 16, 256
	// attempts is how often an entry is read whose documents change their order meanwhile, before all of them are
	// sorted.
	attempts = 3
)

// Read calls fn with the documents on the path, each once, until fn says that it is enough or fails. A sorted path's
// documents come in the wanted order. fn reports whether it wants more; match reports whether a document counts for
// Query.Limit. It fails with collection.ErrIndex if the index has been dropped since.
func (p Path) Read(ctx context.Context, c *collection.Collection, match func(*collection.Doc) (bool, error),
	fn func(*collection.Doc) (more bool, err error)) error {
	if err := p.current(ctx, c); err != nil {
		return err
	}
	if p.Sorted {
		return p.readSorted(ctx, c, match, fn)
	}
	found := 0
	read := func(ids []string) (bool, error) {
		return p.fetch(ctx, c, ids, func(d *collection.Doc) (bool, error) {
			ok, err := match(d)
			if err != nil || !ok {
				return err == nil, err
			}
			found++
			more, err := fn(d)
			return more && (p.Query.Limit == 0 || p.Query.Order != nil || found < p.Query.Limit), err
		})
	}
	switch p.Kind {
	case ByID:
		_, err := read(unique(p.Query.IDs))
		return err
	case ByEntry:
		ids, err := p.ids(ctx, c)
		if err != nil {
			return err
		}
		_, err = read(ids)
		return err
	}
	return p.list(ctx, c, read)
}

// current fails with collection.ErrIndex if the path's index is not one that may be read.
func (p Path) current(ctx context.Context, c *collection.Collection) error {
	if p.Kind != ByEntry {
		return nil
	}
	if err := c.Refresh(ctx); err != nil {
		return err
	}
	return c.Current(p.Index)
}

// list reads the ids that are listed, in pieces.
func (p Path) list(ctx context.Context, c *collection.Collection, read func([]string) (bool, error)) error {
	var ids []string
	err := c.List(ctx, p.Query.Prefix, func(id string) error {
		if ids = append(ids, id); len(ids) < 1000 {
			return nil
		}
		more, err := read(ids)
		ids = ids[:0]
		if err == nil && !more {
			err = errEnough
		}
		return err
	})
	if err == errEnough {
		return nil
	}
	if err == nil {
		_, err = read(ids)
	}
	return err
}

type enough struct{}

func (enough) Error() string { return "enough" }

var errEnough error = enough{}

// IDs calls fn with the ids on a path that covers its query, each once, until fn wants no more. No document is read.
func (p Path) IDs(ctx context.Context, c *collection.Collection, fn func(id string) (more bool, err error)) error {
	if p.Kind != ByEntry {
		return p.list(ctx, c, func(ids []string) (bool, error) { return p.each(ids, fn) })
	}
	if err := p.current(ctx, c); err != nil {
		return err
	}
	ids, err := p.ids(ctx, c)
	if err == nil {
		_, err = p.each(ids, fn)
	}
	return err
}

// kept are the ids that are not passed over.
func (p Path) kept(ids []string) []string {
	if p.Skip == nil {
		return ids
	}
	return slices.DeleteFunc(slices.Clone(ids), p.Skip)
}

func (p Path) each(ids []string, fn func(id string) (bool, error)) (bool, error) {
	for _, id := range p.kept(ids) {
		if more, err := fn(id); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

func unique(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		was := seen[id]
		seen[id] = true
		return was
	})
}

// bounds is the range in the order of the index.
func (p Path) bounds() (low, high *document.Value) {
	if p.Index.Last().Desc {
		return p.Range.High, p.Range.Low
	}
	return p.Range.Low, p.Range.High
}

// ids reads the entries side by side: the ids that they name within the range, each once.
func (p Path) ids(ctx context.Context, c *collection.Collection) ([]string, error) {
	lists := make([][]string, len(p.Keys))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(32)
	for i, key := range p.Keys {
		g.Go(func() error {
			e, ids, err := p.entry(ctx, c, key)
			lists[i] = append(e.Moving, ids...)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return unique(slices.Concat(lists...)), nil
}

// bounded reports whether the path asks for a part of its entries.
func (p Path) bounded() bool { return p.Index.Compound() && p.Range != (Range{}) }

// entry reads an entry, and finds the ids within the range. Where they begin and end is known from documents that are
// read after the entry: that none has moved meanwhile is seen by the entry.
func (p Path) entry(ctx context.Context, c *collection.Collection, key string) (collection.Entry, []string, error) {
	for attempt := 1; ; attempt++ {
		e, err := c.Entry(ctx, p.Index, key)
		if err != nil || !p.bounded() || attempt > attempts {
			return e, e.IDs, err
		}
		ids, err := p.within(ctx, c, key, e)
		if err != nil {
			return e, nil, err
		}
		if same, err := c.Unmoved(ctx, p.Index, key, e); err != nil || same {
			return e, ids, err
		}
	}
}

func (p Path) within(ctx context.Context, c *collection.Collection, key string, e collection.Entry) ([]string, error) {
	low, high := p.bounds()
	return c.Bounds(ctx, p.Index, key, e.IDs, low, high)
}

// fetch reads documents in growing windows, and calls fn with the existing ones, in the order of ids.
func (p Path) fetch(ctx context.Context, c *collection.Collection, ids []string,
	fn func(*collection.Doc) (bool, error)) (more bool, err error) {
	window := firstWindow
	if p.Query.Limit > 0 && (p.Query.Order == nil || p.Sorted) {
		window = p.Query.Limit
	}
	window = min(window, lastWindow)
	ids = p.kept(ids)
	for len(ids) > 0 {
		n := min(window, len(ids))
		docs, err := c.Get(ctx, ids[:n])
		if err != nil {
			return false, err
		}
		for _, d := range docs {
			if d == nil {
				continue
			}
			if more, err := fn(d); err != nil || !more {
				return false, err
			}
		}
		ids = ids[n:]
		window = min(2*window, lastWindow)
	}
	return true, nil
}

// readSorted reads the documents of one entry in its order, or the other way round.
func (p Path) readSorted(ctx context.Context, c *collection.Collection, match func(*collection.Doc) (bool, error),
	fn func(*collection.Doc) (bool, error)) error {
	var rows []*collection.Doc
	for attempt := 1; ; attempt++ {
		var inOrder bool
		var err error
		rows, inOrder, err = p.sorted(ctx, c, match, attempt > attempts)
		if err != nil {
			return err
		}
		if inOrder {
			break
		}
	}
	for _, d := range rows {
		if more, err := fn(d); err != nil || !more {
			return err
		}
	}
	return nil
}

// sorted reads the first Limit documents that match in order; all of them, sorted, if all. It reports false if the
// documents were not in order: they have changed since their entry was read.
func (p Path) sorted(ctx context.Context, c *collection.Collection, match func(*collection.Doc) (bool, error),
	all bool) (
	[]*collection.Doc, bool, error) {
	key := p.Keys[0]
	e, err := c.Entry(ctx, p.Index, key)
	if err != nil {
		return nil, false, err
	}
	ids, moving := e.IDs, e.Moving
	if p.bounded() && !all {
		if ids, err = p.within(ctx, c, key, e); err != nil {
			return nil, false, err
		}
	}
	if p.Query.Order.Desc != p.Index.Last().Desc {
		ids = slices.Clone(ids)
		slices.Reverse(ids)
	}
	limit := p.Query.Limit
	if all || limit == 0 {
		limit = len(ids) + len(moving)
	}
	var rows []*collection.Doc
	keep := func(d *collection.Doc) (bool, error) {
		if at, _ := p.Index.Place(d.Body); at != key {
			return true, nil
		}
		ok, err := match(d)
		if ok {
			rows = append(rows, d)
		}
		return len(rows) < limit, err
	}
	if limit > 0 {
		if _, err := p.fetch(ctx, c, ids, keep); err != nil {
			return nil, false, err
		}
	}
	if part := p.bounded() || p.Query.Limit > 0 && len(rows) == limit; part && !all && len(ids) > 0 {
		same := slices.IsSortedFunc(rows, p.compare)
		if same {
			same, err = c.Unmoved(ctx, p.Index, key, e)
		}
		if !same || err != nil {
			return nil, false, err
		}
	}
	if len(moving) > 0 {
		n := limit
		limit = len(rows) + len(moving) + 1
		if _, err := p.fetch(ctx, c, moving, keep); err != nil {
			return nil, false, err
		}
		limit = n
	}
	slices.SortStableFunc(rows, p.compare)
	if p.Query.Limit > 0 && len(rows) > p.Query.Limit {
		rows = rows[:p.Query.Limit]
	}
	return rows, true, nil
}

// compare orders documents as it is wanted.
func (p Path) compare(a, b *collection.Doc) int {
	_, x := p.Index.Place(a.Body)
	_, y := p.Index.Place(b.Body)
	if p.Query.Order.Desc != p.Index.Last().Desc {
		return -p.Index.Compare(x, y)
	}
	return p.Index.Compare(x, y)
}
