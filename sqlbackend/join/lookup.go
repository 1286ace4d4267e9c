package join

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Limits of the rows found for a batch. If it finds more, smaller batches are looked up. If one row alone finds
// more, its rows are read while they are joined.
const (
	batchFinds      = 20_000
	batchFoundBytes = 32 << 20
	batchKeys       = 50_000 // values looked up together: a row may have an array of them
)

// lookupSource finds rows of a table by its index.
type lookupSource struct {
	of    *batchJoin
	legs  []*lookupLeg
	nulls []foundNulls // by leg
	whole *lookupLeg   // reads all rows
	alone bool         // the next row finds so many rows that it is looked up alone
	// Limits of the found rows held: their number and their bytes.
	most, maxBytes int
}

// lookupLeg finds rows by one keypath.
type lookupLeg struct {
	// spans returns the values that a row looks up; null: it also matches NULL.
	spans  func(ctx *sql.Context, joined sql.Row) (spans indexes.Spans, null bool, err error)
	isNull func(ctx *sql.Context, joined sql.Row) (bool, error)
	open   func(ctx *sql.Context) (sql.RowIter, error)
	batch  batch
}

// foundNulls are the rows whose operand of a leg is NULL.
type foundNulls struct {
	read, many bool // many: too many to be held
	rows       []foundRow
}

func (i *batchJoin) lookupSource(side *Side, below func(sql.Node) sql.Node) (*lookupSource, error) {
	conjuncts := expression.SplitConjunction(i.join.Filter)
	l := &lookupSource{of: i, most: batchFinds, maxBytes: batchFoundBytes}
	reading := func(by *leg) (*lookupLeg, error) {
		out := &lookupLeg{batch: batch{leg: by}}
		bound, err := side.bound(&out.batch)
		if err != nil {
			return nil, err
		}
		read := below(bound)
		out.open = func(ctx *sql.Context) (sql.RowIter, error) {
			if s, ok := ctx.Session.(*session.Session); ok && s.Work.Analysis != nil {
				s.Work.Analysis.Stand(bound, side.Child)
			}
			return i.engine.Build(ctx, read, i.parent)
		}
		return out, nil
	}
	for _, by := range side.way.Legs {
		for _, c := range by.conjuncts() {
			if c >= len(conjuncts) {
				return nil, fmt.Errorf("sqlbackend: a join by %s has lost a part of its condition", by)
			}
		}
		leg, err := reading(by)
		if err != nil {
			return nil, err
		}
		leg.spans = func(ctx *sql.Context, joined sql.Row) (indexes.Spans, bool, error) {
			return by.seek.spans(ctx, conjuncts, joined)
		}
		operand := within(conjuncts, by.first().operand)
		leg.isNull = func(ctx *sql.Context, joined sql.Row) (bool, error) {
			v, err := operand.Eval(ctx, joined)
			return v == nil, err
		}
		l.legs = append(l.legs, leg)
	}
	var err error
	l.whole, err = reading(nil)
	return l, err
}

// together is how many rows of the other side may be looked up in the first batch.
func (w *Way) together() int {
	if !w.Legs.equal() && w.Documents <= batchFinds {
		return MaxBatch // a batch finds at most all documents
	}
	return rowsThatFind(w.PerKey, batchFinds)
}

// rowsThatFind returns how many rows together find half of most, if each finds each rows.
func rowsThatFind(each float64, most int) int {
	return int(min(MaxBatch, max(1, float64(most)/2/max(each, math.SmallestNonzeroFloat64))))
}

// sought is what a batch of rows looks up, by leg.
type sought struct {
	keys  [][]key
	nulls [][]int // indexes of the rows that match NULL
}

// find implements joinSource.
func (l *lookupSource) find(ctx *sql.Context, rows []sql.Row) ([]*candidates, int, error) {
	if l.alone {
		l.alone, rows = false, rows[:1]
	}
	for {
		s, n, err := l.sought(ctx, rows)
		if err != nil {
			return nil, 0, err
		}
		rows = rows[:n]
		if len(rows) == 1 {
			return []*candidates{l.single(s)}, MaxBatch, nil
		}
		found, n, err := l.read(ctx, s, len(rows))
		if err != nil {
			return nil, 0, err
		}
		if found != nil {
			return found, rowsThatFind(float64(n)/float64(len(rows)), l.most), nil
		}
		rows = rows[:n]
	}
}

// sought returns what the first n of rows look up. n is limited so that about batchKeys values are looked up
// together.
func (l *lookupSource) sought(ctx *sql.Context, rows []sql.Row) (s sought, n int, err error) {
	s = sought{keys: make([][]key, len(l.legs)), nulls: make([][]int, len(l.legs))}
	keys := 0
	for at, row := range rows {
		if keys > batchKeys {
			return s, at, nil
		}
		joined := l.of.alone(row)
		for n, leg := range l.legs {
			spans, null, err := leg.spans(ctx, joined)
			if err != nil {
				return s, 0, err
			}
			keys += len(spans)
			for _, span := range spans {
				s.keys[n] = append(s.keys[n], key{span: span, row: at})
			}
			if null {
				s.nulls[n] = append(s.nulls[n], at)
			}
		}
	}
	return s, len(rows), nil
}

// single returns the candidates of one row, which are read while they are joined.
func (l *lookupSource) single(s sought) *candidates {
	c := &candidates{}
	rest := &streamed{source: l}
	null := false
	for n, keys := range s.keys {
		if len(s.nulls[n]) > 0 {
			null = true
		}
		if spans, _ := segments(keys); len(spans) > 0 {
			l.legs[n].batch.spans = spans
			rest.legs = append(rest.legs, l.legs[n])
		}
	}
	if null {
		rest.legs = []*lookupLeg{l.whole} // which has all matches
	}
	if len(rest.legs) > 1 {
		c.met = map[string]struct{}{}
	}
	if len(rest.legs) > 0 {
		c.rest = rest
	}
	return c
}

// read looks a batch of rows up. n is the number of rows found. If they are more than can be held, found is nil and
// n is how many of the batch's rows to try instead.
func (l *lookupSource) read(ctx *sql.Context, s sought, rows int) (found []*candidates, n int, err error) {
	found = make([]*candidates, rows)
	for at := range found {
		found[at] = &candidates{}
		if len(l.legs) > 1 {
			found[at].met = map[string]struct{}{}
		}
	}
	bytes := 0
	for i, leg := range l.legs {
		spans, of := segments(s.keys[i])
		if len(spans) > 0 {
			leg.batch.spans = spans
			list, starts, whole, err := l.held(ctx, leg, n, &bytes)
			if err != nil {
				return nil, 0, err
			}
			if !whole {
				return nil, l.fewer(starts, len(list), of, rows), nil
			}
			for len(starts) <= len(spans) {
				starts = append(starts, len(list))
			}
			n += len(list)
			for _, e := range of {
				if some := list[starts[e.from]:starts[e.to]]; len(some) > 0 {
					found[e.row].lists = append(found[e.row].lists, some)
				}
			}
		}
		if len(s.nulls[i]) == 0 {
			continue
		}
		nulls, err := l.nullsOf(ctx, i)
		if err != nil {
			return nil, 0, err
		}
		if first := s.nulls[i][0]; nulls.many {
			l.alone = first > 0
			return nil, max(1, first), nil
		}
		for _, at := range s.nulls[i] {
			found[at].lists = append(found[at].lists, nulls.rows)
		}
	}
	return found, n, nil
}

// held returns the rows that a leg finds, and the index of the first row of each of its spans. whole is false if
// they are more than can be held; beside is the number of rows already held.
func (l *lookupSource) held(ctx *sql.Context, leg *lookupLeg, beside int, bytes *int) (list []foundRow, starts []int,
	whole bool, err error) {
	it, err := leg.open(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	documents := int64(0)
	for {
		row, err := it.Next(ctx)
		if err == io.EOF {
			return list, starts, true, it.Close(ctx)
		}
		if err != nil {
			_ = it.Close(ctx)
			return nil, nil, false, err
		}
		for len(starts) <= leg.batch.docs.Span() {
			starts = append(starts, len(list))
		}
		list = append(list, l.row(leg, row))
		*bytes += l.bytesOf(leg, row, &documents)
		if beside+len(list) > l.most || *bytes > l.maxBytes {
			return list, starts, false, it.Close(ctx)
		}
	}
}

// bytesOf is the memory used by a found row, in bytes, which may keep its document. documents is the number of
// documents read up to the previous row.
func (l *lookupSource) bytesOf(leg *lookupLeg, row sql.Row, documents *int64) int {
	n := hold.RowBytes(row)
	if d := leg.batch.docs.Read().Documents; d != *documents {
		*documents = d
		n += leg.batch.docs.Document().Len()
	}
	return n
}

// nullsOf returns the rows whose operand of a leg is NULL. They are searched for in all rows, once: the index
// doesn't have documents that lack a keypath.
func (l *lookupSource) nullsOf(ctx *sql.Context, of int) (*foundNulls, error) {
	if l.nulls == nil {
		l.nulls = make([]foundNulls, len(l.legs))
	}
	nulls := &l.nulls[of]
	if nulls.read {
		return nulls, nil
	}
	it, err := l.whole.open(ctx)
	if err != nil {
		return nil, err
	}
	bytes, documents := 0, int64(0)
	for {
		row, err := it.Next(ctx)
		if err == io.EOF {
			break
		}
		isNull := false
		if err == nil {
			isNull, err = l.legs[of].isNull(ctx, l.of.joined(nil, row))
		}
		if err != nil {
			_ = it.Close(ctx)
			return nil, err
		}
		if !isNull {
			continue
		}
		nulls.rows = append(nulls.rows, l.row(l.whole, row))
		bytes += l.bytesOf(l.whole, row, &documents)
		if nulls.many = len(nulls.rows) > l.most || bytes > l.maxBytes; nulls.many {
			nulls.rows = nil
			break
		}
	}
	nulls.read = true
	return nulls, it.Close(ctx)
}

// fewer returns how many of the batch's rows to try next if all have found too much. If one span has at least half
// of the found rows, these are the rows before the first that looks it up. That row is then looked up alone:
// whatever is read together with the span would be read again for each such row.
func (l *lookupSource) fewer(starts []int, read int, of []extent, rows int) int {
	heaviest, most := 0, 0
	for s, from := range starts {
		to := read
		if s+1 < len(starts) {
			to = starts[s+1]
		}
		if to-from > most {
			heaviest, most = s, to-from
		}
	}
	l.alone = 2*most >= read
	if !l.alone {
		return max(1, rows/4)
	}
	first := rows
	for _, e := range of {
		if e.from <= heaviest && heaviest < e.to {
			first = min(first, e.row)
		}
	}
	if first == 0 {
		l.alone, first = false, 1
	}
	return first
}

// row returns a found row as it is held.
func (l *lookupSource) row(leg *lookupLeg, row sql.Row) foundRow {
	f := foundRow{row: row}
	if l.of.given != nil || len(l.legs) > 1 {
		f.pk = string(leg.batch.docs.PK())
	}
	return f
}

// streamed reads what one row finds by several legs, one leg after the other.
type streamed struct {
	source *lookupSource
	legs   []*lookupLeg // the current leg, and the legs after it
	it     sql.RowIter  // of the current leg; nil before it is opened
}

func (s *streamed) next(ctx *sql.Context) (foundRow, error) {
	for len(s.legs) > 0 {
		if s.it == nil {
			it, err := s.legs[0].open(ctx)
			if err != nil {
				return foundRow{}, err
			}
			s.it = it
		}
		row, err := s.it.Next(ctx)
		if err == nil {
			return s.source.row(s.legs[0], row), nil
		}
		if err != io.EOF {
			return foundRow{}, err
		}
		if err := s.close(ctx); err != nil {
			return foundRow{}, err
		}
		s.legs = s.legs[1:]
	}
	return foundRow{}, io.EOF
}

func (s *streamed) close(ctx *sql.Context) error {
	if s.it == nil {
		return nil
	}
	it := s.it
	s.it = nil
	return it.Close(ctx)
}

// key is a span that a row of the batch looks up.
type key struct {
	span indexes.Span
	row  int
}

// extent is the segments that a key consists of: from the index from up to before to.
type extent struct {
	row, from, to int
}

// segments cuts the spans that rows look up at all of their ends. The result is sorted and disjoint, and each key is
// a run of its spans.
func segments(keys []key) (spans indexes.Spans, of []extent) {
	ends := make([][]byte, 0, 2*len(keys))
	for _, k := range keys {
		if ends = append(ends, k.span.Start); k.span.End != nil {
			ends = append(ends, k.span.End)
		}
	}
	slices.SortFunc(ends, bytes.Compare)
	ends = slices.CompactFunc(ends, bytes.Equal)
	of = make([]extent, len(keys))
	begin := make([]int, len(ends)+1) // how many keys begin at each end, minus how many end there
	for i, k := range keys {
		from, _ := slices.BinarySearchFunc(ends, k.span.Start, bytes.Compare)
		to := len(ends)
		if k.span.End != nil {
			to, _ = slices.BinarySearchFunc(ends, k.span.End, bytes.Compare)
		}
		of[i] = extent{row: k.row, from: from, to: to}
		begin[from]++
		begin[to]--
	}
	number := make([]int, len(ends)+1) // index in spans of the segment that begins at each end
	covered := 0
	for i, start := range ends {
		number[i] = len(spans)
		if covered += begin[i]; covered == 0 {
			continue
		}
		s := indexes.Span{Start: start}
		if i+1 < len(ends) {
			s.End = ends[i+1]
		}
		spans = append(spans, s)
	}
	number[len(ends)] = len(spans)
	for i := range of {
		of[i].from, of[i].to = number[of[i].from], number[of[i].to]
	}
	return spans, of
}
