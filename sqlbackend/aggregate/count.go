package aggregate

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// kindCounts are the counters of one keypath that does not lead through an array.
type kindCounts struct {
	kinds          costing.Keypath
	nulls, others  int64
	missing, total int64 // documents without the keypath, and all
}

// counts reads the counters of a keypath at one version, with their conflict ranges.
func (i *Rows) counts(number int64, known bool) (kindCounts, error) {
	long := longread.Of(i.from)
	for {
		epoch := long.Epoch()
		c, err := i.countsNow(number, known)
		if err != nil || long.Epoch() == epoch {
			i.work.Counters += 1 + int64(len(c.kinds))
			return c, err
		}
	}
}

func (i *Rows) countsNow(number int64, known bool) (kindCounts, error) {
	stats := i.table.Def.Collection.Statistics(i.from)
	var c kindCounts
	var err error
	if c.total, _, err = stats.Documents(); err != nil {
		return c, err
	}
	if known {
		if c.kinds, err = stats.Keypath(number); err != nil {
			return c, err
		}
	}
	for kind, n := range c.kinds {
		switch kind {
		case indexes.KindOmitted:
			return c, fmt.Errorf("a value has no entry: %w", kv.ErrConflict)
		case document.KindNull:
			c.nulls += n.Documents
		default:
			c.others += n.Documents
		}
	}
	c.missing = c.total - c.nulls - c.others
	return c, nil
}

// countSpans counts the documents with NULL and with another value within the spans of a part. It reads counters if
// each kind of values is all inside or all outside of the spans, otherwise the keys.
func (i *Rows) countSpans(number int64, part *pushdown.Part) (nulls, others int64, err error) {
	if i.Path.counters {
		counts, err := i.counts(number, true)
		if err != nil {
			return 0, 0, err
		}
		if nulls, others, ok := counts.within(part.Spans); ok {
			return nulls, others, nil
		}
	}
	walk := i.entries(number, part, tables.ScanOptions{Streaming: kv.StreamAll})
	defer i.end(walk)
	for walk.Next() {
		if walk.Value()[0] == ordered.ClassNull {
			nulls++
		} else {
			others++
		}
		if (nulls+others)%1024 == 0 && i.ctx.Err() != nil {
			return 0, 0, i.ctx.Err()
		}
	}
	return nulls, others, walk.Err()
}

// within adds up the kinds whose values all lie within spans. ok is false if a kind has values inside and outside.
func (c kindCounts) within(spans indexes.Spans) (nulls, others int64, ok bool) {
	outside := spans.Complement()
	for kind, n := range c.kinds {
		values := costing.SpansOfKind(kind)
		switch {
		case len(values.Intersect(spans)) == 0:
		case len(values.Intersect(outside)) > 0:
			return 0, 0, false
		case kind == document.KindNull:
			nulls += n.Documents
		default:
			others += n.Documents
		}
	}
	return nulls, others, true
}

// countDocuments gives one row for the documents of the candidate, or for all.
func (i *Rows) countDocuments() error {
	c := i.Path.Candidate
	if c == nil {
		documents, _, err := i.table.Def.Collection.Statistics(i.from).Documents()
		i.give(nil, documents)
		i.work.Counters++
		return err
	}
	var count int64
	var err error
	if len(c.Parts) == 1 && !c.Parts[0].Repeats() {
		count, err = i.countPart(&c.Parts[0])
	} else {
		count, err = i.countUnion(c.Parts)
	}
	i.give(nil, count)
	return err
}

// countPart counts the documents of a part; each document has one entry there.
func (i *Rows) countPart(part *pushdown.Part) (int64, error) {
	number, known, err := i.number(part)
	if err != nil || !known {
		return 0, err
	}
	nulls, others, err := i.countSpans(number, part)
	return nulls + others, err
}

// countUnion counts the documents that have an entry in one of the parts or in several.
func (i *Rows) countUnion(parts []pushdown.Part) (int64, error) {
	seen := map[string]struct{}{}
	for n := range parts {
		number, known, err := i.number(&parts[n])
		if err == nil && known {
			err = i.collect(number, &parts[n], seen)
		}
		if err != nil {
			return 0, err
		}
	}
	return int64(len(seen)), nil
}

// collect adds the primary keys of a part's entries.
func (i *Rows) collect(number int64, part *pushdown.Part, seen map[string]struct{}) error {
	walk := i.entries(number, part, tables.ScanOptions{Streaming: kv.StreamAll})
	defer i.end(walk)
	for n := 0; walk.Next(); n++ {
		if n%1024 == 0 && i.ctx.Err() != nil {
			return i.ctx.Err()
		}
		pk, err := walk.PK()
		if err != nil {
			return err
		}
		if _, again := seen[string(pk)]; !again {
			seen[string(pk)] = struct{}{}
		}
	}
	return walk.Err()
}
