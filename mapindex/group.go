package mapindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
)

// ErrCorrupt: bytes of a map index that can't be read.
var ErrCorrupt = errors.New("a map index is damaged")

// Group makes and keeps the rows of one group of map indexes. It is immutable and safe for concurrent use.
type Group struct {
	*catalog.MapGroup
	Keys      *keyspace.Maps
	functions []*sandbox.Function // nil where the text does not compile
}

// Open compiles the functions of a group. One that does not compile fails on every document.
func Open(keys *keyspace.Collection, def *catalog.MapGroup) *Group {
	g := &Group{MapGroup: def, Keys: keys.Maps(def.Number)}
	for _, source := range def.Functions {
		f, _ := sandbox.Compile(source)
		g.functions = append(g.functions, f)
	}
	return g
}

// row is one of a document's, as it is stored.
type row struct {
	view    int64
	n       int64
	encoded []byte
	value   []byte // nil where only its size is known
	size    int64  // of encoded and value
}

// Failure is the failure of a function on a document.
type Failure struct {
	Error string `json:"error"`
	Line  int    `json:"line,omitempty"`
}

// Emission are the rows and failures of a group's functions for a document. The zero Emission is of no document.
type Emission struct {
	rows     []row
	failures map[int64]Failure // by view
}

// maxIDs bounds the bytes of an IDS value, mostIDs how many of them a document has. maxStored bounds the bytes of a
// document's rows in a transaction: values, and keys with their conflict ranges. Old and new rows fit into one
// transaction.
const (
	maxIDs    = 90_000
	mostIDs   = 10
	maxStored = 4 << 20
)

// Run calls the functions with a document, compact JSON. pk is its primary key, which counts for the length of keys.
// It reads and writes nothing, and may run in several goroutines at once.
func (g *Group) Run(pk, text []byte) Emission {
	var e Emission
	fail := func(view int64, f Failure) {
		if e.failures == nil {
			e.failures = map[int64]Failure{}
		}
		e.failures[view] = f
	}
	length, stored, most := 0, 0, maxIDs
	if g.Long {
		most *= mostIDs
	}
	for i, f := range g.functions {
		view := int64(i)
		if f == nil {
			fail(view, Failure{Error: "the function does not compile"})
			continue
		}
		emitted, err := f.Run(text)
		if err != nil {
			failure := Failure{Error: err.Error()}
			if of, ok := err.(*sandbox.Failure); ok {
				failure = Failure{Error: of.Message, Line: of.Line}
			}
			fail(view, failure)
			continue
		}
		rows, err := g.encode(view, pk, emitted)
		ids, bytes := 0, 0
		for _, r := range rows {
			ids += len(appendID(nil, r))
			bytes += 3*len(g.Keys.Row(view, r.encoded, pk, r.n)) + len(r.value)
		}
		switch {
		case err != nil:
		case length+ids > most:
			err = fmt.Errorf("the keys of the document's rows have more than %d bytes as they are stored", most)
		case stored+bytes > maxStored:
			err = fmt.Errorf("the document's rows have more than %d bytes as they are stored", maxStored)
		}
		if err != nil {
			fail(view, Failure{Error: err.Error()})
			continue
		}
		e.rows = append(e.rows, rows...)
		length, stored = length+ids, stored+bytes
	}
	return e
}

// encode makes stored rows of the emitted rows of a function.
func (g *Group) encode(view int64, pk []byte, emitted []sandbox.Row) ([]row, error) {
	equal := map[string]int64{}
	out := make([]row, 0, len(emitted))
	for _, e := range emitted {
		if _, err := document.ParseValue(e.Value, document.Limits{}); err != nil {
			return nil, fmt.Errorf("an emitted value: %w", err)
		}
		encoded, err := EncodeKey(e.Key)
		if err != nil {
			return nil, fmt.Errorf("an emitted key: %w", err)
		}
		if g.Long {
			encoded = cut(encoded)
		} else if len(encoded) > sandbox.MaxKey {
			return nil, fmt.Errorf("an emitted key has %d bytes in its order, the limit is %d", len(encoded),
				sandbox.MaxKey)
		}
		n := equal[string(encoded)]
		equal[string(encoded)] = n + 1
		if size := len(g.Keys.Row(view, encoded, pk, n)); size > kv.MaxKeySize {
			return nil, fmt.Errorf("an emitted key has %d bytes with the primary key, the limit is %d", size,
				kv.MaxKeySize)
		}
		value := binary.AppendUvarint(nil, uint64(len(e.Key)))
		value = append(append(value, e.Key...), e.Value...)
		out = append(out, row{view: view, n: n, encoded: encoded, value: value, size: int64(len(encoded) + len(value))})
	}
	return out, nil
}

// SplitRow splits the value of a row: key and value as they were emitted, slices of raw.
func SplitRow(raw []byte) (key, value []byte, err error) {
	n, at := binary.Uvarint(raw)
	if at <= 0 || n > uint64(len(raw)-at) {
		return nil, nil, fmt.Errorf("mapindex: row %x: %w", raw, ErrCorrupt)
	}
	return raw[at : at+int(n)], raw[at+int(n):], nil
}

func (e *Emission) ids() []byte {
	if len(e.rows) == 0 && len(e.failures) == 0 {
		return nil
	}
	out := []byte{idsWhole, byte(min(1, len(e.failures)))}
	for _, r := range e.rows {
		out = appendID(out, r)
	}
	if len(out) > maxIDs {
		further := byte(len(out) / maxIDs) // of a text that is one byte longer
		out[0] = idsParts
		out = slices.Insert(out, idsHead, further)
	}
	return out
}

func appendID(out []byte, r row) []byte {
	for _, n := range []int64{r.view, r.n, r.size, int64(len(r.encoded))} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return append(out, r.encoded...)
}

// readIDs reads IDS, its parts put together; nil is for a document that has emitted nothing.
func readIDs(raw []byte) (rows []row, failed bool, err error) {
	if raw == nil {
		return nil, false, nil
	}
	if len(raw) < idsHead || raw[0] != idsWhole && (raw[0] != idsParts || len(raw) == idsHead) || raw[1] > 1 {
		return nil, false, fmt.Errorf("mapindex: what a document emitted, %x: %w", raw, ErrCorrupt)
	}
	failed = raw[1] == 1
	rest := raw[idsHead:]
	if raw[0] == idsParts {
		rest = rest[1:]
	}
	for len(rest) > 0 {
		var n [4]uint64
		for i := range n {
			v, at := binary.Uvarint(rest)
			if at <= 0 {
				return nil, false, fmt.Errorf("mapindex: what a document emitted, %x: %w", raw, ErrCorrupt)
			}
			n[i], rest = v, rest[at:]
		}
		if n[3] > uint64(len(rest)) {
			return nil, false, fmt.Errorf("mapindex: what a document emitted, %x: %w", raw, ErrCorrupt)
		}
		rows = append(rows, row{view: int64(n[0]), n: int64(n[1]), size: int64(n[2]), encoded: rest[:n[3]]})
		rest = rest[n[3]:]
	}
	return rows, failed, nil
}

// Writer is a transaction that rows are written to.
type Writer interface {
	kv.Reader
	kv.Writer
}

// Start begins to read a document's IDS, which Apply needs.
func (g *Group) Start(r kv.Reader, pk []byte) kv.FutureValue {
	first := r.Get(g.Keys.ID(pk))
	if !g.Long {
		return first
	}
	return &wholeIDs{first: first, r: r, keys: g.Keys, pk: bytes.Clone(pk)}
}

// Apply replaces the rows of the document pk by an emission's, or by none with the zero Emission, for a deleted
// document. before is the result of Start.
func (g *Group) Apply(w kv.Writer, pk []byte, before kv.FutureValue, e Emission) error {
	raw, err := before.Get()
	if err != nil {
		return fmt.Errorf("mapindex: read what a document has emitted: %w", err)
	}
	old, failed, err := readIDs(raw)
	if err != nil {
		return err
	}
	counts := make(map[int64]costing.Count, len(g.functions))
	documents := map[int64]int64{}
	count := func(r row, sign int64) {
		c := counts[r.view]
		counts[r.view] = c.Add(costing.Count{Entries: sign, Bytes: sign * r.size})
	}
	set := make(map[string]struct{}, len(e.rows))
	for _, r := range e.rows {
		key := g.Keys.Row(r.view, r.encoded, pk, r.n)
		set[string(key)] = struct{}{}
		w.Set(key, r.value)
		count(r, 1)
		documents[r.view] |= 1
	}
	for _, r := range old {
		key := g.Keys.Row(r.view, r.encoded, pk, r.n)
		if _, stays := set[string(key)]; !stays {
			w.Clear(key)
		}
		count(r, -1)
		documents[r.view] |= 2
	}
	for view, was := range documents {
		c := counts[view]
		switch was {
		case 1:
			c.Documents = 1
		case 2:
			c.Documents = -1
		}
		if !c.IsZero() {
			w.Add(g.Keys.Info(view), costing.AppendCounter(nil, c))
		}
	}
	if failed {
		w.ClearRange(g.Keys.ErrorsOf(pk))
	}
	for view, f := range e.failures {
		b, err := json.Marshal(f)
		if err != nil {
			return fmt.Errorf("mapindex: encode a failure: %w", err)
		}
		w.Set(g.Keys.Error(pk, view), b)
	}
	g.setIDs(w, pk, raw, e.ids())
	return nil
}

// Failures is how many functions have failed.
func (e *Emission) Failures() int { return len(e.failures) }

// Rows is how many rows there are.
func (e *Emission) Rows() int { return len(e.rows) }

// Count is the counter of a view's rows.
func (g *Group) Count(r kv.Reader, view int64) (costing.Count, error) {
	raw, err := r.Get(g.Keys.Info(view)).Get()
	if err != nil {
		return costing.Count{}, fmt.Errorf("mapindex: read a count: %w", err)
	}
	return costing.DecodeCounter(raw)
}

// eachFor is how long Each begins calls: a function may take a second, and a transaction has few.
const eachFor = 500 * time.Millisecond

// Each calls run with the numbers from 0 up, below n, on all processors. It begins no call after half a second, or
// when the context has ended, but at least one. It returns how many calls there were: they have the lowest numbers.
func Each(ctx context.Context, n int, run func(i int)) int {
	var mu sync.Mutex
	began, next := time.Now(), 0
	take := func() (i int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next >= n || next > 0 && (ctx.Err() != nil || time.Since(began) > eachFor) {
			return 0, false
		}
		next++
		return next - 1, true
	}
	work := func() {
		for i, ok := take(); ok; i, ok = take() {
			run(i)
		}
	}
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return next
}
