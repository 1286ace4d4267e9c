package collection

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// edit is the change of one entry.
type edit struct {
	index layout.Index
	key   string
	file  string
	want  map[string]*placing // by id; nil for ids that must go
	entry entry
	known bool // entry has been read
	once  once // whether each of the entry's ids stands once
}

// once is whether each id of an entry stands once. Finding out counts them all, so it is done as seldom as possible.
type once int

const (
	unknown once = iota
	yes
	no
)

// seen is an empty set for noting ids of the entry, so that each is used once; nil if no id stands twice.
func (e *edit) seen() map[string]bool {
	if e.once == unknown {
		e.once = yes
		ids := make(map[string]struct{}, len(e.entry.ids))
		for _, id := range e.entry.ids {
			ids[id] = struct{}{}
		}
		if len(ids) < len(e.entry.ids) {
			e.once = no
		}
	}
	if e.once == yes {
		return nil
	}
	return make(map[string]bool, len(e.entry.ids))
}

// placing is where a document comes in an entry.
type placing struct {
	id   string
	last document.Value
	at   int // before which of the ids that stay
}

func (e *edit) read(ctx context.Context, c *Collection) error {
	var err error
	e.entry, err = c.entry(ctx, e.index.Name, e.key)
	e.known, e.once = err == nil, unknown
	return err
}

// edits are the changes of entries by their files.
type edits struct {
	c     *Collection
	files map[string]*edit
	docs  map[string]*Doc // read for comparison
}

// collect notes the changes of entries that states make; it returns the new edits.
func (ed *edits) collect(states []state, indexes []layout.Index) []*edit {
	var added []*edit
	at := func(x layout.Index, key string) *edit {
		file := ed.c.name.Entry(x.Name, key)
		e, ok := ed.files[file]
		if !ok {
			e = &edit{index: x, key: key, file: file, want: map[string]*placing{}}
			ed.files[file] = e
			added = append(added, e)
		}
		return e
	}
	for _, s := range states {
		for _, x := range indexes {
			var key string
			var last document.Value
			if s.target != nil {
				key, last = x.Place(*s.target)
			}
			gone := []*document.Document{s.old}
			if s.now != nil {
				gone = append(gone, &s.now.Body)
			}
			if s.New != nil && !s.todo {
				if d, err := parsed(s.New); err == nil {
					gone = append(gone, d)
				}
			}
			same := false // where it is, it stays
			for i, d := range gone {
				if d == nil {
					continue
				}
				oldKey, oldLast := x.Place(*d)
				switch {
				case s.target == nil || oldKey != key:
					e := at(x, oldKey)
					if _, ok := e.want[s.ID]; !ok {
						e.want[s.ID] = nil
					}
				case i == 0 && s.todo:
					same = !x.Compound() || x.Compare(oldLast, last) == 0
				}
			}
			if s.target != nil && !same {
				at(x, key).want[s.ID] = &placing{id: s.ID, last: last}
			}
		}
	}
	return added
}

// more notes the edits anew, now that the documents and the catalog are read, and keeps the entries that were read.
func (ed *edits) more(states []state) {
	read := ed.files
	ed.files = map[string]*edit{}
	ed.collect(states, ed.c.kept())
	for file, e := range ed.files {
		if r := read[file]; r != nil && r.known && r.index.Equal(e.index) {
			e.entry, e.known, e.once = r.entry, true, r.once
		}
	}
}

func (ed *edits) all() []*edit {
	list := make([]*edit, 0, len(ed.files))
	for _, e := range ed.files {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *edit) int { return strings.Compare(a.file, b.file) })
	return list
}

// load reads the entries that are not read yet. If the work is fresh, it fails for entries that would get too long.
func (ed *edits) load(ctx context.Context, fresh bool) error {
	var left []*edit
	for _, e := range ed.all() {
		if !e.known {
			left = append(left, e)
		}
	}
	if err := ed.c.each(ctx, len(left), func(ctx context.Context, i int) error {
		return left[i].read(ctx, ed.c)
	}); err != nil {
		return err
	}
	for _, e := range ed.files {
		if !fresh || len(e.entry.ids)+len(e.want) <= MaxEntry {
			continue
		}
		if n := e.size(); n > MaxEntry && n > len(e.entry.ids) {
			return fmt.Errorf("%w: over %d of %s", ErrEntryFull, MaxEntry, e.file)
		}
	}
	return nil
}

// size is how many ids the entry will have at the end.
func (e *edit) size() int {
	return len(e.stays()) + len(e.placings())
}

// stays are the ids of an entry that are not being changed, each once.
func (e *edit) stays() []string {
	ids := make([]string, 0, len(e.entry.ids))
	seen := e.seen()
	for _, id := range e.entry.ids {
		if _, changed := e.want[id]; changed || seen[id] {
			continue
		}
		ids = append(ids, id)
		if seen != nil {
			seen[id] = true
		}
	}
	return ids
}

// phase is a state of entries: as they must be before the documents are written, or after.
type phase int

const (
	before phase = iota
	after
)

// list is the entry's ids in a phase. Before, these are all old and new ids; after, the wanted ids, each once.
func (e *edit) list(p phase) []string {
	places := e.placings()
	ids := make([]string, 0, len(e.entry.ids)+len(places))
	n := 0 // ids that stay and are in the list
	add := func() {
		for len(places) > 0 && places[0].at <= n {
			ids = append(ids, places[0].id)
			places = places[1:]
		}
	}
	seen := e.seen()
	for _, id := range e.entry.ids {
		if _, changed := e.want[id]; changed {
			if p == before {
				ids = append(ids, id)
			}
			continue
		}
		if seen[id] {
			continue
		}
		if seen != nil {
			seen[id] = true
		}
		add()
		ids = append(ids, id)
		n++
	}
	add()
	return ids
}

// placings are where documents come in, in their order.
func (e *edit) placings() []*placing {
	var places []*placing
	for _, p := range e.want {
		if p != nil {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b *placing) int {
		if a.at != b.at {
			return a.at - b.at
		}
		if e.index.Compound() {
			if c := e.index.Compare(a.last, b.last); c != 0 {
				return c
			}
		}
		return strings.Compare(a.id, b.id)
	})
	return places
}

// put writes the entries of a phase.
func (ed *edits) put(ctx context.Context, p phase) error {
	list := ed.all()
	return ed.c.each(ctx, len(list), func(ctx context.Context, i int) error {
		e := list[i]
		if e.index.Compound() {
			ids := e.list(p)
			if p == before && slices.Equal(e.list(after), e.entry.ids) {
				ids = e.entry.ids // all stay where they are: between neighbours that they stay between
			}
			return ed.c.putEntry(ctx, e, ids)
		}
		return ed.c.putEntry(ctx, e, e.flat(p))
	})
}

// flat is list for an index of one field, in which no order need be kept: ids that are there stay where they are.
func (e *edit) flat(p phase) []string {
	ids := make([]string, 0, len(e.entry.ids)+len(e.want))
	seen := e.seen()
	there := map[string]bool{} // wanted ids in the list
	for _, id := range e.entry.ids {
		place, changed := e.want[id]
		if gone := changed && place == nil; seen[id] || p == after && gone {
			continue
		}
		ids = append(ids, id)
		if seen != nil {
			seen[id] = true
		}
		if changed {
			there[id] = true
		}
	}
	for _, place := range e.placings() {
		if !there[place.id] {
			ids = append(ids, place.id)
		}
	}
	return ids
}

// putEntry makes the entry hold ids. It is deleted when it holds none.
func (c *Collection) putEntry(ctx context.Context, e *edit, ids []string) error {
	if slices.Equal(ids, e.entry.ids) {
		return nil
	}
	cond := store.Condition{Match: e.entry.etag, Absent: !e.entry.there}
	if len(ids) == 0 {
		if err := c.st.Delete(ctx, e.file, cond); err != nil {
			return c.doubt(err)
		}
		e.entry, e.once = entry{}, unknown
		return nil
	}
	etag, err := c.st.Put(ctx, e.file, layout.FormatEntry(ids), cond)
	if err != nil {
		return c.doubt(err)
	}
	e.entry.etag, e.entry.there, e.entry.ids, e.once = etag, true, ids, unknown
	return nil
}

// find finds the places of new ids in the entries of compound indexes: by halving, for all of them at once, a few
// documents of each in one round.
func (ed *edits) find(ctx context.Context) error {
	ed.docs = map[string]*Doc{}
	var searches []*search
	for _, e := range ed.all() {
		stays := e.stays()
		for _, p := range e.placings() {
			p.at = len(stays)
			if e.index.Compound() && len(stays) > 0 {
				s := newSearch(e.index, e.key, p.last, stays)
				s.done = func(at int) { p.at = at }
				searches = append(searches, s)
			}
		}
	}
	return ed.c.halve(ctx, searches, ed.docs)
}
