package mapindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Fault is one place where a group disagrees with itself or with the documents.
type Fault struct {
	What, Detail string
	PK, Key      []byte // the document and the row that it concerns, if any
}

// Check proves that the rows of a group are the rows that its functions emit for the documents, by running them
// again. It also checks the rows against IDS and the counters. Documents are given to it in any order, with the rest
// at the end.
type Check struct {
	g      *Group
	r      kv.Reader
	report func(Fault)
	owned  int64 // IDS keys that documents account for
}

// NewCheck begins a check at the version of a reader.
func NewCheck(g *Group, r kv.Reader, report func(Fault)) *Check {
	return &Check{g: g, r: r, report: report}
}

// Document checks the rows of a document. settled reports whether its rows must be of its present text; else they may
// be of an earlier text, or not made yet. emitted says whether it has rows.
func (c *Check) Document(pk, text []byte, settled func(emitted bool) (bool, error)) error {
	raw, err := c.g.Start(c.r, pk).Get()
	if err != nil {
		return err
	}
	if raw != nil {
		c.owned++
	}
	is, err := settled(raw != nil)
	if err != nil || !is {
		return err
	}
	e := c.g.Run(pk, text)
	if want := e.ids(); !bytes.Equal(raw, want) {
		c.report(Fault{What: "a document has other rows in a map index than its functions emit", PK: bytes.Clone(pk),
			Detail: fmt.Sprintf("group %d: %d bytes are stored of them, %d expected", c.g.Number, len(raw), len(want))})
		return nil
	}
	for _, row := range e.rows {
		key := c.g.Keys.Row(row.view, row.encoded, pk, row.n)
		have, err := c.r.Get(key).Get()
		if err != nil {
			return err
		}
		if !bytes.Equal(have, row.value) {
			what := "a row of a map index has another value"
			if have == nil {
				what = "a row of a map index is missing"
			}
			c.report(Fault{What: what, PK: bytes.Clone(pk), Key: key, Detail: fmt.Sprintf("group %d", c.g.Number)})
		}
	}
	for view := range int64(len(c.g.functions)) {
		have, err := c.r.Get(c.g.Keys.Error(pk, view)).Get()
		if err != nil {
			return err
		}
		if _, failed := e.failures[view]; failed != (have != nil) {
			c.report(Fault{What: "what a function of a map index failed with is not what is kept", PK: bytes.Clone(pk),
				Detail: fmt.Sprintf("group %d", c.g.Number)})
		}
	}
	return nil
}

// Rest checks IDS, rows and counters against each other, once all documents have been given.
func (c *Check) Rest(ctx context.Context) error {
	counts := map[int64]costing.Count{}
	total := int64(0)
	ids := int64(0)
	var parts int64 // of the document at hand, behind the first
	err := each(ctx, c.r, c.g.Keys.IDs(), func(key, value []byte) error {
		pk, part, err := c.g.Keys.SplitID(key)
		if err == nil && part > parts {
			err = fmt.Errorf("part %d of %d", part, parts)
		}
		if err != nil {
			c.report(Fault{What: "a key of a map index is malformed", Key: bytes.Clone(key), Detail: err.Error()})
			return nil
		}
		if part > 0 {
			return nil // read with the first one
		}
		ids++
		if parts = furtherIDs(value); parts > 0 {
			if value, err = c.g.Start(c.r, pk).Get(); err != nil && !errors.Is(err, ErrCorrupt) {
				return err
			}
		}
		rows, _, err := readIDs(value)
		if err != nil {
			c.report(Fault{What: "what a document emitted can't be read", PK: bytes.Clone(pk),
				Key: bytes.Clone(key), Detail: err.Error()})
			return nil
		}
		views := map[int64]bool{}
		for _, r := range rows {
			total++
			views[r.view] = true
			counts[r.view] = counts[r.view].Add(costing.Count{Entries: 1, Bytes: r.size})
			at := c.g.Keys.Row(r.view, r.encoded, pk, r.n)
			have, err := c.r.Get(at).Get()
			if err != nil {
				return err
			}
			if have == nil || int64(len(have)+len(r.encoded)) != r.size {
				c.report(Fault{What: "a document has emitted a row that a map index has not", PK: bytes.Clone(pk),
					Key: at})
			}
		}
		for view := range views {
			counts[view] = counts[view].Add(costing.Count{Documents: 1})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if ids != c.owned && c.g.Interactive {
		c.report(Fault{What: "a map index has rows of documents that are not there",
			Detail: fmt.Sprintf("group %d: %d documents have rows or failures, %d are there", c.g.Number, ids,
				c.owned)})
	}
	stored := int64(0)
	if err := each(ctx, c.r, c.g.Keys.Rows(), func(key, value []byte) error {
		stored++
		if _, _, err := SplitRow(value); err != nil {
			c.report(Fault{What: "a row of a map index can't be read", Key: bytes.Clone(key), Detail: err.Error()})
		}
		return nil
	}); err != nil {
		return err
	}
	if stored != total {
		c.report(Fault{What: "a map index has rows that no document has emitted",
			Detail: fmt.Sprintf("group %d: %d rows are stored, %d emitted", c.g.Number, stored, total)})
	}
	have := map[int64]costing.Count{}
	if err := each(ctx, c.r, c.g.Keys.Infos(), func(key, value []byte) error {
		view, err := c.g.Keys.SplitInfo(key)
		if err == nil {
			have[view], err = costing.DecodeCounter(value)
		}
		if err != nil {
			c.report(Fault{What: "a count of a map index is malformed", Key: bytes.Clone(key), Detail: err.Error()})
		}
		return nil
	}); err != nil {
		return err
	}
	var views []int64
	for view := range have {
		views = append(views, view)
	}
	for view := range counts {
		views = append(views, view)
	}
	slices.Sort(views)
	for _, view := range slices.Compact(views) {
		if have[view] != counts[view] {
			c.report(Fault{What: "a count of a map index is wrong", Key: c.g.Keys.Info(view),
				Detail: fmt.Sprintf("group %d: %+v stored, %+v counted", c.g.Number, have[view], counts[view])})
		}
	}
	return nil
}

func each(ctx context.Context, r kv.Reader, in kv.Range, visit func(key, value []byte) error) error {
	it := r.Range(in, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(it.Key(), it.Value()); err != nil {
			return err
		}
	}
	return it.Err()
}
