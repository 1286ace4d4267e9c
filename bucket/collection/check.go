package collection

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/document"
)

// Violation is something that is not as it should be.
type Violation struct {
	File string
	Text string
}

func (v Violation) String() string { return v.File + ": " + v.Text }

// Report is the result of Check.
type Report struct {
	Documents, Entries int
	Violations         []Violation
}

// Check reads everything and reports violations. They are files that hold no document or one of another id, and files
// that belong to nothing. In entries they are ids that are missing, wrong, twice there or out of order. While it runs
// nobody writes. It notes the documents' keypaths. With Repair, it rewrites wrong entries, and still reports them.
func (c *Collection) Check(ctx context.Context, o CheckOptions) (Report, error) {
	var r Report
	if err := c.enter(ctx); err != nil {
		return r, err
	}
	defer c.leave()
	in := intent{}
	c.writer.repairs = o.Repair
	defer func() { c.writer.repairs = false }()
	if err := c.acquire(ctx, &in); err != nil {
		return r, err
	}
	c.writer.long = &in
	defer func() { c.writer.long = nil }()
	err := c.check(ctx, o, &r)
	slices.SortFunc(r.Violations, func(a, b Violation) int { return strings.Compare(a.File, b.File) })
	if errors.Is(err, errLost) {
		return r, err
	}
	if err != nil && in.Writes != nil {
		c.writer.mine, c.writer.etag = false, ""
		return r, fmt.Errorf("%w: %w", ErrUnfinished, err) // the documents are written, their entries may not be
	}
	return r, errors.Join(err, c.release(ctx))
}

// CheckOptions are the settings of Check.
type CheckOptions struct {
	Repair bool
}

func (c *Collection) check(ctx context.Context, o CheckOptions, r *Report) error {
	if err := c.readCatalog(ctx); err != nil {
		return err
	}
	bad := func(file, format string, args ...any) {
		r.Violations = append(r.Violations, Violation{file, fmt.Sprintf(format, args...)})
	}
	docs := map[string]document.Document{}
	if err := c.checkDocuments(ctx, docs, r, bad); err != nil {
		return err
	}
	seen := Keypaths{}.clone()
	for _, id := range slices.Sorted(maps.Keys(docs)) {
		seen.add(docs[id])
	}
	if err := c.note(ctx, seen); err != nil {
		return err
	}
	found, err := c.adopt(ctx)
	if err != nil {
		return err
	}
	if o.Repair && !c.inCatalog() { // readers take no entries for whole that are being written
		if err := c.editCatalog(ctx, func(*catalog) {}); err != nil {
			return err
		}
	}
	indexes := c.kept()
	for _, x := range found { // nobody is writing: a definition under a dropped name has come since
		if _, ok := c.keptIndex(x.Name); !ok && c.mayCreate(x) == nil {
			indexes = append(indexes, x)
		}
	}
	files := map[string]bool{}
	for _, x := range indexes {
		n := len(r.Violations)
		files[c.name.Definition(x.Name)] = true
		switch now, err := c.readDefinition(ctx, x.Name); {
		case errors.Is(err, store.ErrNotFound):
			bad(c.name.Definition(x.Name), "it is missing")
		case err != nil:
			return err
		case !now.Equal(x):
			bad(c.name.Definition(x.Name), "it is not what the catalog says")
		}
		if err := c.checkIndex(ctx, x, docs, o, r, bad); err != nil {
			return err
		}
		if _, known := c.Index(x.Name); !known && (o.Repair || n == len(r.Violations)) {
			if err := c.changeCatalog(ctx, x, created); err != nil {
				return err
			}
		}
	}
	return store.Keys(ctx, c.st, c.name.Indices(), func(key string) error {
		known := files[key] || slices.ContainsFunc(indexes, func(x layout.Index) bool {
			return strings.HasPrefix(key, c.name.Entries(x.Name))
		})
		if !known {
			bad(key, "it belongs to no index")
		}
		return nil
	})
}

func (c *Collection) checkDocuments(ctx context.Context, docs map[string]document.Document, r *Report,
	bad func(string, string, ...any)) error {
	var ids []string
	err := store.Keys(ctx, c.st, c.name.Data(), func(key string) error {
		if id, ok := c.name.DocumentID(key); ok {
			ids = append(ids, id)
		} else {
			bad(key, "its name is that of no document")
		}
		return nil
	})
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, 1000) {
		if err := c.renew(ctx); err != nil {
			return err
		}
		read := make([]*Doc, len(batch))
		broken := make([]error, len(batch))
		err := c.each(ctx, len(batch), func(ctx context.Context, i int) (err error) {
			if read[i], err = c.read(ctx, batch[i]); errors.Is(err, ErrDocument) {
				broken[i], err = err, nil
			}
			return err
		})
		if err != nil {
			return err
		}
		for i, d := range read {
			file := c.name.Document(batch[i])
			switch {
			case broken[i] != nil:
				bad(file, "%v", broken[i])
				continue
			case d == nil:
				bad(file, "it is listed, but not there")
				continue
			}
			if id, ok := d.Body.Member(layout.ID); !ok || id.Type() != document.TypeString || id.Str() != d.ID {
				bad(file, "its _id is not %q", d.ID)
			}
			docs[d.ID] = d.Body
		}
	}
	r.Documents = len(docs)
	return nil
}

func (c *Collection) checkIndex(ctx context.Context, x layout.Index, docs map[string]document.Document,
	o CheckOptions, r *Report,
	bad func(string, string, ...any)) error {
	n := len(r.Violations)
	places := make(map[string]place, len(docs))
	for id, d := range docs {
		key, last := x.Place(d)
		places[id] = place{key: key, last: last}
	}
	want, err := entries(x, places)
	if err != nil {
		return err
	}
	var keys []string
	err = store.All(ctx, c.st, c.name.Entries(x.Name), func(i store.Info) error {
		if key, ok := c.name.EntryKey(x.Name, i.Key); ok {
			keys = append(keys, key)
		} else {
			bad(i.Key, "it is no entry")
		}
		return nil
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for batch := range slices.Chunk(keys, 1000) {
		if err := c.renew(ctx); err != nil {
			return err
		}
		read := make([]entry, len(batch))
		broken := make([]error, len(batch))
		err := c.each(ctx, len(batch), func(ctx context.Context, i int) (err error) {
			read[i], err = c.entry(ctx, x.Name, batch[i])
			if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
				broken[i], err = err, nil
			} else if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
				broken[i], err = err, nil
			}
			return err
		})
		if err != nil {
			return err
		}
		for i, e := range read {
			key := batch[i]
			file := c.name.Entry(x.Name, key)
			seen[key] = true
			r.Entries += len(e.ids)
			if broken[i] != nil {
				bad(file, "%v", broken[i])
				continue
			}
			checkEntry(x, key, e.ids, want[key], places, func(format string, args ...any) {
				bad(file, format,
					args...)
			})
		}
	}
	for key, ids := range want {
		if !seen[key] {
			bad(c.name.Entry(x.Name, key), "it is missing, for %d documents", len(ids))
		}
	}
	if o.Repair && len(r.Violations) > n {
		return c.writeEntries(ctx, x, want)
	}
	return nil
}

// checkEntry compares an entry with the ids that it should hold, and calls bad for each violation. Documents with the
// same value may stand in any order.
func checkEntry(x layout.Index, key string, ids, want []string, places map[string]place, bad func(string, ...any)) {
	have := map[string]bool{}
	var last *place
	for _, id := range ids {
		p, ok := places[id]
		switch {
		case have[id]:
			bad("%q is twice there", id)
			continue
		case !ok:
			bad("%q is no document", id)
		case p.key != key:
			bad("%q has another value", id)
		default:
			if x.Compound() && last != nil && x.Compare(last.last, p.last) > 0 {
				bad("%q is out of order", id)
			}
			last = &p
		}
		have[id] = true
	}
	for _, id := range want {
		if !have[id] {
			bad("%q is missing", id)
		}
	}
	if len(ids) == 0 {
		bad("it is empty")
	}
}
