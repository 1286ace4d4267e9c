package aggregate

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Rows are the rows of a Path. Of the table's columns only the one that is read is set.
type Rows struct {
	ctx    *sql.Context
	table  *table.Table
	Path   *Path
	from   kv.Reader
	reader table.EntryReader

	behind  bool                // documents without the keypath are still to be counted, and given after the others
	within  map[string]struct{} // primary keys of the documents that count; nil: all
	left    int64               // how many of within have not been met yet
	rows    []weighted          // to be given next
	spare   []weighted          // their memory
	walk    *tables.Entries
	keypath int64 // its number
	on      bool  // the walk's current entry has not been given
	seen    int

	Count  int64   // documents that the last row stands for
	reused sql.Row // each row is written into it, if the caller keeps no row; nil: each row is a new one
	work   tables.Work
	over   bool
}

// weighted is a row that stands for several documents.
type weighted struct {
	value any
	count int64
}

// aggregate starts reading.
func aggregate(t *table.Table, ctx *sql.Context, p *Path) (*Rows, error) {
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	i := &Rows{ctx: ctx, table: t, Path: p, from: r}
	if err := i.open(); err != nil {
		_ = i.Close(ctx)
		return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", t.Def, err))
	}
	return i, nil
}

func (i *Rows) open() error {
	p := i.Path
	if err := p.ConfirmCertain(i.from); err != nil {
		return err
	}
	switch {
	case p.tuple != nil:
		return i.openTuples()
	case p.use.column == noColumn:
		return i.countDocuments()
	case p.column.PrimaryKeyPart > 0:
		return i.keyEnds()
	}
	i.reader = p.entryReader()
	part := &pushdown.Part{Column: p.column, Spans: indexes.Everything()}
	if p.Candidate != nil {
		part = &p.Candidate.Parts[0]
	}
	number, known, err := i.number(part)
	if err != nil {
		return err
	}
	if p.method == readEnds && p.Candidate == nil && p.filter == nil && !p.use.counted && known {
		return i.onlyEnds(number)
	}
	if p.filter != nil {
		return i.openFiltered(number, known, part)
	}
	var counts kindCounts
	switch {
	case p.Candidate != nil:
	case p.descending:
		// Every writer moves the counters. If the reader stops before them, it conflicts only with writers of what it
		// read.
		i.behind = true
	default:
		if counts, err = i.counts(number, known); err != nil {
			return err
		}
		if err := i.giveValue(document.Value{}, counts.missing); err != nil {
			return err
		}
	}
	switch {
	case !known:
		return nil
	case p.method == readCounters:
		return i.giveCounted(number, part)
	case p.method == readEnds:
		return i.ends(number, counts, part)
	}
	streaming := kv.StreamAll
	if p.method == readValues {
		streaming = kv.StreamIterate // each seek starts a new read
	}
	i.keypath = number
	i.walk = i.entries(number, part, tables.ScanOptions{Reverse: p.descending, Streaming: streaming})
	i.on = i.walk.Next()
	return i.walk.Err()
}

// number returns the number of a part's keypath. If the part relies on all documents having the keypath, the
// counters are checked first.
func (i *Rows) number(part *pushdown.Part) (int64, bool, error) {
	// Read through the statement's reader, so that a writer that adds the keypath in the meantime conflicts.
	number, known, err := i.table.Def.Collection.Number(i.from, part.Column.Keypath)
	if err == nil && i.Path.Candidate != nil && i.Path.NeedsPresent(part) {
		err = i.Path.Confirm(i.table, i.from, part, number, known)
	}
	return number, known, err
}

// entries are the entries of a part.
func (i *Rows) entries(number int64, part *pushdown.Part, opts tables.ScanOptions) *tables.Entries {
	d := i.table.Def
	return d.Collection.Entries(i.from, number, d.Versions(part.Column, part.Spans), opts)
}

// end closes a walk and adds its work.
func (i *Rows) end(walk *tables.Entries) {
	walk.Close()
	i.work = i.work.Plus(walk.Read())
}

// give adds a row.
func (i *Rows) give(value any, count int64) {
	if count > 0 {
		i.rows = append(i.rows, weighted{value, count})
		i.spare = i.rows
	}
}

// giveValue adds a row for a value as the column reads it; the zero Value is a missing one.
func (i *Rows) giveValue(v document.Value, count int64) error {
	if count == 0 {
		return nil
	}
	value, err := i.read(v)
	i.give(value, count)
	return err
}

// giveCounted adds rows for the number of a part's documents with NULL, and with another value.
func (i *Rows) giveCounted(number int64, part *pushdown.Part) error {
	nulls, others, err := i.countSpans(number, part)
	if err != nil {
		return err
	}
	if !i.Path.keepsNull() {
		i.give(nil, nulls)
		i.give(int8(1), others) // any value that is not NULL
		return nil
	}
	if err := i.giveValue(document.NullValue(), nulls); err != nil {
		return err
	}
	return i.giveValue(document.BoolValue(true), others)
}

// keepsNull reports whether the aggregation treats a JSON null as a value.
func (p *Path) keepsNull() bool {
	return p.use.path != nil || p.Table.Columns[p.use.column].KeepsNull
}

// ends gives the first and the last value, and NULL. The first given value stands for all documents with a value.
func (i *Rows) ends(number int64, counts kindCounts, part *pushdown.Part) error {
	if err := i.giveNull(number, counts, part); err != nil {
		return err
	}
	present := *part
	present.Spans = part.Spans.Intersect(indexes.Spans{{Start: ordered.ClassEnd(ordered.ClassNull)}})
	for _, end := range []struct{ asked, reverse bool }{{i.Path.use.min, false}, {i.Path.use.max, true}} {
		if !end.asked {
			continue
		}
		values, err := i.extreme(number, &present, tables.ScanOptions{Reverse: end.reverse, Streaming: kv.StreamSmall})
		if err != nil {
			return err
		}
		for _, v := range values {
			i.rows = append(i.rows, weighted{v, counts.others})
			counts.others = 0
		}
	}
	return nil
}

// giveNull gives the JSON nulls: as NULL, or as a value like others.
func (i *Rows) giveNull(number int64, counts kindCounts, part *pushdown.Part) error {
	if !i.Path.keepsNull() || counts.kinds != nil {
		return i.giveValue(document.NullValue(), counts.nulls)
	}
	null := *part
	null.Spans = part.Spans.Intersect(indexes.Spans{{Start: ordered.ClassStart(ordered.ClassNull),
		End: ordered.ClassEnd(ordered.ClassNull)}})
	values, err := i.extreme(number, &null, tables.ScanOptions{Streaming: kv.StreamSmall})
	for _, v := range values {
		i.rows = append(i.rows, weighted{v, 0})
	}
	return err
}

// onlyEnds reads the first and the last value, where the number of other values does not matter. The counters, which
// every writer moves, are read only if there is no value.
func (i *Rows) onlyEnds(number int64) error {
	all := &pushdown.Part{Column: i.Path.column, Spans: indexes.Everything()}
	if err := i.ends(number, kindCounts{}, all); err != nil || len(i.rows) > 0 {
		return err
	}
	counts, err := i.counts(number, true)
	if err != nil {
		return err
	}
	return i.giveValue(document.Value{}, counts.total)
}

// keyEnds gives the values of the first and the last document, in the order of the
// primary key.
func (i *Rows) keyEnds() error {
	spans, documents := indexes.Everything(), int64(0)
	if c := i.Path.Candidate; c != nil {
		spans = c.Parts[0].Spans
	} else if i.Path.use.counted {
		var err error
		if documents, _, err = i.table.Def.Collection.Statistics(i.from).Documents(); err != nil {
			return err
		}
		i.work.Counters++
	}
	for _, end := range []struct{ asked, reverse bool }{{i.Path.use.min, false}, {i.Path.use.max, true}} {
		if !end.asked {
			continue
		}
		if err := i.keyEnd(spans, end.reverse, &documents); err != nil {
			return err
		}
	}
	return nil
}

func (i *Rows) keyEnd(spans indexes.Spans, reverse bool, documents *int64) error {
	docs := i.table.Def.Collection.Scan(i.from, spans, tables.ScanOptions{Reverse: reverse, Streaming: kv.StreamSmall})
	defer func() {
		docs.Close()
		i.work = i.work.Plus(docs.Read())
	}()
	if !docs.Next() {
		return docs.Err()
	}
	v, _ := docs.Document().Lookup(i.table.Columns[i.Path.use.column].Keypath)
	value, err := i.read(v)
	i.rows = append(i.rows, weighted{value, *documents})
	*documents = 0
	return err
}

// extreme reads the values of the first entry. There may be several if the entry doesn't hold its value exactly.
func (i *Rows) extreme(number int64, part *pushdown.Part, opts tables.ScanOptions) ([]any, error) {
	walk := i.entries(number, part, opts)
	defer i.end(walk)
	var values []any
	for walk.Next() && (values == nil || walk.Same()) {
		v, tells, err := i.reader.Value(walk.Value())
		if err != nil {
			return nil, err
		}
		if tells == table.FidelityEqual && opts.Reverse {
			// Of equal values the first document's is shown.
			same := pushdown.Part{Column: part.Column, Spans: indexes.Point(bytes.Clone(walk.Value()))}
			return i.extreme(number, &same, tables.ScanOptions{Streaming: kv.StreamSmall})
		}
		if tells != table.FidelityExact {
			if v, err = i.fetch(walk); errors.Is(err, session.ErrLeft) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		value, err := i.read(v)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
		if tells != table.FidelityPartial {
			break
		}
	}
	return values, walk.Err()
}

// Next implements sql.RowIter.
func (i *Rows) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for len(i.rows) == 0 && i.on {
		if err := i.step(ctx); err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.Def, err))
		}
	}
	if len(i.rows) == 0 && i.behind {
		if err := i.giveMissing(); err != nil {
			return nil, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.Def, err))
		}
	}
	if len(i.rows) == 0 {
		return nil, io.EOF
	}
	next := i.rows[0]
	i.rows = i.rows[1:]
	if i.Count = next.count; len(i.rows) == 0 {
		i.rows = i.spare[:0]
	}
	row := i.reused
	if row == nil {
		row = make(sql.Row, len(i.table.Columns))
	}
	if values, ok := next.value.([]any); ok && i.Path.tuple != nil {
		for n, c := range i.Path.tuple {
			row[c.at] = values[n]
		}
		return row, nil
	}
	if c := i.Path.use.column; c >= 0 {
		row[c] = next.value
	}
	return row, nil
}

// giveMissing counts the documents without the keypath, and gives a row for them.
func (i *Rows) giveMissing() error {
	i.behind = false
	number, known, err := i.table.Def.Collection.Number(i.from, i.Path.column.Keypath)
	if err != nil {
		return err
	}
	counts, err := i.counts(number, known)
	if err != nil {
		return err
	}
	return i.giveValue(document.Value{}, counts.missing)
}

// step gives the value of the walk's current entry and moves to the next value. Where the entry doesn't hold its
// value, it is read from the document, and only this entry is passed.
func (i *Rows) step(ctx *sql.Context) error {
	if i.Path.tuple != nil {
		return i.stepTuple(ctx)
	}
	if n, ok := ordered.Int64(i.walk.Value()); ok && i.reader.Unit == session.UnitInt64 && i.Path.use.path == nil &&
		i.within == nil {
		return i.giveAlike(ctx, n)
	}
	v, tells, err := i.reader.Value(i.walk.Value())
	if tells == table.FidelityEqual && i.Path.use.computed {
		tells = table.FidelityPartial
	}
	if err == nil && tells == table.FidelityPartial && i.Path.Ordered {
		return i.stepAlike(ctx)
	}
	switch {
	case err != nil || tells == table.FidelityExact:
	case tells == table.FidelityEqual && i.Path.descending:
		v, err = i.fetchFirst(i.walk.Value())
	default:
		v, err = i.fetch(i.walk)
	}
	if errors.Is(err, session.ErrLeft) {
		i.on = i.walk.Next()
		return i.walk.Err()
	}
	if err != nil {
		return err
	}
	value, err := i.read(v)
	if err != nil {
		return err
	}
	switch {
	case i.within != nil:
		count, err := i.countFiltered(tells)
		if err != nil {
			return err
		}
		i.give(value, count)
		return i.walk.Err()
	case tells == table.FidelityPartial:
		i.on = i.walk.Next()
		i.give(value, 1)
		return i.walk.Err()
	}
	return i.giveAlike(ctx, value)
}

// giveAlike gives a value for all entries with the bytes of the walk's current entry, and moves past them.
func (i *Rows) giveAlike(ctx *sql.Context, value any) error {
	count := int64(1)
	if i.Path.method == readValues {
		i.on = i.walk.NextValue()
	} else {
		for i.on = i.walk.Next(); i.on && i.walk.Same(); i.on = i.walk.Next() {
			if count++; count%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	i.give(value, count)
	return i.walk.Err()
}

// read converts a value to the column's type; the zero Value is a missing one. With a path, the result is a document
// with only that value.
func (i *Rows) read(v document.Value) (any, error) {
	if i.Path.use.path != nil {
		d, err := holding(i.Path.column.Path[len(i.Path.use.above()):], v)
		return value.NewJSON(d), err
	}
	return session.FromJSON(i.ctx, &i.table.Columns[i.Path.use.column], v)
}

// fetch reads the value of a walk's current entry from its document.
func (i *Rows) fetch(walk *tables.Entries) (document.Value, error) {
	d, ok, err := walk.Document()
	if err == nil && !ok {
		err = session.ErrLeft
	}
	if err != nil {
		return document.Value{}, err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	v, _ := d.Lookup(i.Path.column.Path)
	return v, nil
}

// fetchFirst reads a value from the first document that has it, as the first of equal values is shown. A descending
// walk meets that document last.
func (i *Rows) fetchFirst(encoded []byte) (document.Value, error) {
	part := pushdown.Part{Column: i.Path.column, Spans: indexes.Point(bytes.Clone(encoded))}
	walk := i.entries(i.keypath, &part, tables.ScanOptions{Streaming: kv.StreamSmall})
	defer i.end(walk)
	if !walk.Next() {
		if err := walk.Err(); err != nil {
			return document.Value{}, err
		}
		return document.Value{}, session.ErrLeft
	}
	return i.fetch(walk)
}

// Close implements sql.RowIter.
func (i *Rows) Close(*sql.Context) error {
	if i.over {
		return nil
	}
	i.over = true
	if i.walk != nil {
		i.end(i.walk)
	}
	i.table.Session.Work.Note(i.Path.AccessPath, i.work)
	return nil
}
