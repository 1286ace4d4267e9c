package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

var (
	ctx      = context.Background()
	seedFlag = flag.Uint64("bucket-plan-seed", 0, "the seed of random queries")
	quick    = collection.Options{Linger: -1, Late: -1}
)

func value(t testing.TB, text string) document.Value {
	t.Helper()
	v, err := document.ParseValue([]byte(text), document.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func values(t testing.TB, texts ...string) []document.Value {
	var vs []document.Value
	for _, text := range texts {
		vs = append(vs, value(t, text))
	}
	return vs
}

const (
	byCategory = `{"name":"category_1_priority_1","keys":[{"field":"category","order":1},
		{"field":"priority","order":1}]}`
	byName   = `{"name":"name_1","keys":[{"field":"name","order":1}]}`
	byStatus = `{"name":"status_1_priority_-1","keys":[{"field":"status","order":1},{"field":"priority","order":-1}]}`
)

func index(t testing.TB, text string) layout.Index {
	t.Helper()
	var x layout.Index
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// tasks fills a bucket with n documents and makes the indexes.
func tasks(t testing.TB, st store.Store, n int, indexes ...string) *collection.Collection {
	t.Helper()
	c, err := collection.Open(ctx, st, "tasks", quick)
	if err != nil {
		t.Fatal(err)
	}
	var changes []collection.Change
	for i := range n {
		id := fmt.Sprintf("t%05d", i)
		d, err := document.Parse(fmt.Appendf(nil, `{"_id":%q,"category":"c%d","status":%d,"name":"n%d","priority":%d}`,
			id, i%10, i%2, i%100, i*7919%n), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		changes = append(changes, collection.Change{ID: id, New: &d})
		if len(changes) == collection.MaxChanges || i == n-1 {
			if err := c.Write(ctx, changes); err != nil {
				t.Fatal(err)
			}
			changes = nil
		}
	}
	for _, text := range indexes {
		if err := c.CreateIndex(ctx, index(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// satisfies is the condition of a query, looked at without an index.
func satisfies(q plan.Query, d *collection.Doc) bool {
	at := func(path string) document.Value {
		v, ok := d.Body.Lookup(document.NamedKeypath(path))
		if !ok {
			return document.NullValue()
		}
		return v
	}
	for path, vs := range q.Equal {
		if !slices.ContainsFunc(vs, func(v document.Value) bool { return document.Equal(v, at(path)) }) {
			return false
		}
	}
	for path, r := range q.Range {
		v := at(path)
		if r.Low != nil && document.Compare(v, *r.Low, nil) < 0 || r.High != nil && document.Compare(v, *r.High,
			nil) > 0 {
			return false
		}
	}
	return (!q.HasIDs || slices.Contains(q.IDs, d.ID)) && strings.HasPrefix(d.ID, q.Prefix)
}

// run reads what a query wants on the path that is chosen.
func run(t testing.TB, c *collection.Collection, q plan.Query) (plan.Path, []*collection.Doc) {
	t.Helper()
	p, _ := plan.Choose(q, c.Indexes(), plan.DefaultPrices)
	return p, read(t, c, p)
}

func read(t testing.TB, c *collection.Collection, p plan.Path) []*collection.Doc {
	t.Helper()
	var rows []*collection.Doc
	err := p.Read(ctx, c, func(d *collection.Doc) (bool, error) { return satisfies(p.Query, d), nil },
		func(d *collection.Doc) (bool, error) {
			rows = append(rows, d)
			return true, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func ids(rows []*collection.Doc) string {
	var list []string
	for _, d := range rows {
		list = append(list, d.ID)
	}
	return strings.Join(list, " ")
}

// Each of these reads just what is said.
func TestRequests(t *testing.T) {
	count := store.NewCount(store.NewMem())
	c := tasks(t, count, 1000, byCategory, byName, byStatus)
	low, high := value(t, "300"), value(t, "310")
	for _, test := range []struct {
		name        string
		q           plan.Query
		rows        int
		gets, lists int64
	}{
		{"the first five of a category", plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c3"`)},
			Order: &plan.Order{Path: "priority"}, Limit: 5}, 5, 7, 0},
		{"the last five", plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c3"`)},
			Order: &plan.Order{Path: "priority", Desc: true}, Limit: 5}, 5, 7, 0},
		{"by an index in descending order", plan.Query{Equal: map[string][]document.Value{"status": values(t, `1`)},
			Order: &plan.Order{Path: "priority", Desc: true}, Limit: 3}, 3, 5, 0},
		{"one name", plan.Query{Equal: map[string][]document.Value{"name": values(t, `"n17"`)}}, 10, 11, 0},
		{"a name that nobody has", plan.Query{Equal: map[string][]document.Value{"name": values(t, `"nobody"`)}}, 0,
			2, 0},
		{"two names", plan.Query{Equal: map[string][]document.Value{"name": values(t, `"n1"`, `"n2"`)}}, 20, 22, 0},
		{"an id", plan.Query{IDs: []string{"t00007"}, HasIDs: true}, 1, 1, 0},
		{"ids, one twice, one not there", plan.Query{IDs: []string{"t00007", "x", "t00007"}, HasIDs: true}, 1, 2, 0},
		{"a prefix", plan.Query{Prefix: "t0001"}, 10, 10, 1},
		{"everything", plan.Query{Documents: 1000}, 1000, 1000, 1},
		{"the first of everything", plan.Query{Documents: 1000, Limit: 2}, 2, 2, 1},
	} {
		before := count.Requests()
		p, rows := run(t, c, test.q)
		got := count.Requests().Minus(before)
		if len(rows) != test.rows || got.Gets != test.gets || got.Lists != test.lists || got.Puts+got.Deletes != 0 {
			t.Errorf("%s, by %s: %d rows, %+v, want %d rows, %d gets, %d lists",
				test.name, p, len(rows), got, test.rows, test.gets, test.lists)
		}
	}
	// A range of the last field finds its ends by halving, four rounds of three documents each at most.
	before := count.Requests()
	q := plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c3"`)},
		Range: map[string]plan.Range{"priority": {Low: &low, High: &high}}}
	p, rows := run(t, c, q)
	got := count.Requests().Minus(before)
	if p.Index.Name != "category_1_priority_1" || len(rows) == 0 || got.Gets > int64(2+2*4*3+len(rows)) {
		t.Errorf("by %s: %d rows, %+v", p, len(rows), got)
	}
}

// Ids alone, counts and whether there is one read no document where the entry proves the condition.
func TestCovered(t *testing.T) {
	count := store.NewCount(store.NewMem())
	c := tasks(t, count, 300, byCategory, byName, byStatus)
	for _, test := range []struct {
		q      plan.Query
		covers bool
		ids    int
	}{
		{plan.Query{Equal: map[string][]document.Value{"name": values(t, `"n1"`, `"n2"`)}, OnlyIDs: true}, true, 6},
		{plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c1"`)}, OnlyIDs: true}, true, 30},
		{plan.Query{Prefix: "t0000", OnlyIDs: true}, true, 10},
		{plan.Query{OnlyIDs: true}, true, 300},
		// An order is that of documents' values.
		{plan.Query{OnlyIDs: true, Order: &plan.Order{Path: "priority"}}, false, 0},
		{plan.Query{Prefix: "t0000", OnlyIDs: true, Order: &plan.Order{Path: "priority"}}, false, 0},
		{plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c1"`)}, OnlyIDs: true,
			Order: &plan.Order{Path: "priority"}}, false, 0},
		// A number and the same digits as a string share an entry.
		{plan.Query{Equal: map[string][]document.Value{"status": values(t, `1`)}, OnlyIDs: true}, false, 0},
		{plan.Query{Equal: map[string][]document.Value{"name": values(t, `"1"`)}, OnlyIDs: true}, false, 0},
		{plan.Query{Equal: map[string][]document.Value{"name": values(t, `null`)}, OnlyIDs: true}, false, 0},
		{plan.Query{Equal: map[string][]document.Value{"name": values(t, `"n1"`), "status": values(t, `1`)},
			OnlyIDs: true},
			false, 0},
		{plan.Query{Equal: map[string][]document.Value{"name": {value(t, `"`+strings.Repeat("x", 300)+`"`)}},
			OnlyIDs: true},
			false, 0},
	} {
		p, _ := plan.Choose(test.q, c.Indexes(), plan.DefaultPrices)
		if p.Covers != test.covers {
			t.Errorf("%s: covers is %v", p, p.Covers)
			continue
		}
		if !p.Covers {
			continue
		}
		before := count.Requests()
		n := 0
		err := p.IDs(ctx, c, func(string) (bool, error) { n++; return true, nil })
		got := count.Requests().Minus(before)
		if err != nil || n != test.ids || got.Gets != int64(len(p.Keys)) {
			t.Errorf("%s: %d ids, %v, %+v", p, n, err, got)
		}
	}
}

// Whatever path is taken, the answer is that of looking at every document.
func TestPathNeverChangesTheAnswer(t *testing.T) {
	seed := testseed.Of(t, "bucket-plan-seed", *seedFlag)
	draw := rand.New(rand.NewPCG(seed, seed))
	pool := []string{`"a"`, `"b"`, `"1"`, `1`, `1.0`, `2`, `-3.5`, `null`, `true`, `[1]`, `{"x":1}`, `""`, `"null"`,
		`1e300`, ""}
	one := func() string { return pool[draw.IntN(len(pool))] }
	st := store.NewMem()
	c, err := collection.Open(ctx, st, "mixed", quick)
	if err != nil {
		t.Fatal(err)
	}
	var all []*collection.Doc
	for i := range 300 {
		text := fmt.Sprintf(`{"_id":"%03d"`, i)
		for _, name := range []string{"a", "b", "p"} {
			if v := one(); v != "" {
				text += fmt.Sprintf(`,%q:%s`, name, v)
			}
		}
		d, err := document.Parse([]byte(text+"}"), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &collection.Doc{ID: fmt.Sprintf("%03d", i), Body: d})
	}
	for chunk := range slices.Chunk(all, 100) {
		var changes []collection.Change
		for _, d := range chunk {
			changes = append(changes, collection.Change{ID: d.ID, New: &d.Body})
		}
		if err := c.Write(ctx, changes); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{`{"name":"a","keys":[{"field":"a","order":1}]}`,
		`{"name":"ap","keys":[{"field":"a","order":1},{"field":"p","order":1}]}`,
		`{"name":"abp","keys":[{"field":"a","order":1},{"field":"b","order":1},{"field":"p","order":-1}]}`} {
		if err := c.CreateIndex(ctx, index(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	kinds := map[string]int{}
	for range 300 {
		q := plan.Query{Equal: map[string][]document.Value{}, Range: map[string]plan.Range{}, Documents: 300}
		some := func() document.Value {
			for {
				if v := one(); v != "" {
					return value(t, v)
				}
			}
		}
		for _, name := range []string{"a", "b", "p"} {
			if draw.IntN(2) == 0 {
				for range 1 + draw.IntN(3)*draw.IntN(2) {
					q.Equal[name] = append(q.Equal[name], some())
				}
			}
		}
		if draw.IntN(3) == 0 {
			low, high := some(), some()
			r := plan.Range{Low: &low}
			if draw.IntN(2) == 0 {
				r.High = &high
			}
			q.Range["p"] = r
		}
		if draw.IntN(6) == 0 {
			q.Prefix = fmt.Sprintf("%d", draw.IntN(3))
		}
		if draw.IntN(2) == 0 {
			q.Order = &plan.Order{Path: "p", Desc: draw.IntN(2) == 0}
		}
		q.Limit = draw.IntN(2) * draw.IntN(10)
		var want []string
		byP := map[string]document.Value{}
		for _, d := range all {
			if satisfies(q, d) {
				want = append(want, d.ID)
			}
			p, ok := d.Body.Member("p")
			if !ok {
				p = document.NullValue()
			}
			byP[d.ID] = p
		}
		p, lost := plan.Choose(q, c.Indexes(), plan.DefaultPrices)
		paths := []plan.Path{p}
		for _, l := range lost {
			if l.Path.Keys != nil || l.Path.Kind != plan.ByEntry {
				paths = append(paths, l.Path)
			}
		}
		for _, p := range paths {
			kinds[p.Name()]++
			rows := read(t, c, p)
			var got []string
			for _, d := range rows {
				got = append(got, d.ID)
			}
			limited := q.Limit > 0 && (q.Order == nil || p.Sorted)
			n := len(want)
			if limited {
				n = min(n, q.Limit)
			}
			if len(got) != n {
				t.Fatalf("%+v by %s: %d rows, want %d", q, p, len(got), n)
			}
			for i, id := range got {
				if !slices.Contains(want, id) {
					t.Fatalf("%+v by %s: %s does not satisfy it", q, p, id)
				}
				if p.Sorted && i > 0 {
					if c := document.Compare(byP[got[i-1]], byP[id], nil); c > 0 != q.Order.Desc && c != 0 {
						t.Fatalf("%+v by %s: %v is out of order", q, p, got)
					}
				}
			}
			if p.Sorted && limited && n > 0 { // the last of them is no farther than the n-th of all
				slices.SortStableFunc(want, func(x, y string) int {
					c := document.Compare(byP[x], byP[y], nil)
					if q.Order.Desc {
						return -c
					}
					return c
				})
				if document.Compare(byP[want[n-1]], byP[got[n-1]], nil) != 0 {
					t.Fatalf("%+v by %s: %v, want the values of %v", q, p, got, want[:n])
				}
			}
		}
	}
	for _, name := range []string{"a", "ap", "abp", "scan", "_id prefix"} {
		if kinds[name] == 0 {
			t.Errorf("no query was answered by %s", name)
		}
	}
}

// With 30 ms for each request, 1,000 documents by an index take below 1.5 s, and entries are read side by side.
func TestLatency(t *testing.T) {
	slow := &storetest.Faulty{Store: store.NewMem()}
	c := tasks(t, slow, 2000, byName, byStatus)
	slow.Delay = 30 * time.Millisecond
	began := time.Now()
	if _, rows := run(t, c, plan.Query{Equal: map[string][]document.Value{"status": values(t,
		`1`)}}); len(rows) != 1000 {
		t.Errorf("%d rows", len(rows))
	}
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("1,000 documents took %v", took)
	} else {
		t.Logf("1,000 documents took %v", took)
	}
	var names []document.Value
	for i := range 30 {
		names = append(names, value(t, fmt.Sprintf(`"n%d"`, i)))
	}
	began = time.Now()
	n := 0
	p, _ := plan.Choose(plan.Query{Equal: map[string][]document.Value{"name": names}, OnlyIDs: true}, c.Indexes(),
		plan.DefaultPrices)
	if err := p.IDs(ctx, c, func(string) (bool, error) { n++; return true, nil }); err != nil || n != 600 {
		t.Errorf("%d ids, %v", n, err)
	}
	if took := time.Since(began); took > 150*time.Millisecond {
		t.Errorf("30 entries side by side took %v", took)
	}
}

// Beside writers that move documents within an entry, the first few come in order, whatever has happened meanwhile.
func TestSortedBesideWriters(t *testing.T) {
	st := store.NewMem()
	c := tasks(t, st, 60, byCategory)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		w, err := collection.Open(ctx, st, "tasks", quick)
		if err != nil {
			t.Error(err)
			return
		}
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			id := fmt.Sprintf("t%05d", i*10%60)
			docs, err := w.Get(ctx, []string{id})
			if err != nil {
				t.Error(err)
				return
			}
			d, err := docs[0].Body.With(document.NamedKeypath("priority"), document.IntValue(int64(i*31%60)))
			if err != nil {
				t.Error(err)
				return
			}
			if err := w.Write(ctx, []collection.Change{{ID: id, Old: docs[0], New: &d}}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 500 {
		_, rows := run(t, c, plan.Query{Equal: map[string][]document.Value{"category": values(t, `"c0"`)},
			Order: &plan.Order{Path: "priority"}, Limit: 4})
		last := int64(-1)
		for _, d := range rows {
			v, _ := d.Body.Member("priority")
			var n int64
			fmt.Sscan(v.Number(), &n)
			if n < last {
				t.Fatalf("out of order: %s", ids(rows))
			}
			last = n
		}
		if len(rows) != 4 {
			t.Fatalf("%d rows", len(rows))
		}
	}
	close(stop)
	wg.Wait()
}

func TestChoice(t *testing.T) {
	indexes := []layout.Index{index(t, byCategory), index(t, byName), index(t, byStatus)}
	for _, test := range []struct {
		q         plan.Query
		path      string
		requests  string
		losers    string
		documents int
	}{
		{q: plan.Query{Equal: map[string][]document.Value{"category": values(t, `"work"`)},
			Order: &plan.Order{Path: "priority"},
			Limit: 5}, path: "index category_1_priority_1: work, in order", requests: "1 entry, 5 documents"},
		{q: plan.Query{Equal: map[string][]document.Value{"name": values(t, `"Milo"`, `"Bella"`)}},
			path: "index name_1: Bella, Milo", requests: "2 entries, 2002 documents"},
		{q: plan.Query{Equal: map[string][]document.Value{"age": values(t, `1`)}, Documents: 2000},
			path:     "all documents",
			requests: "3 lists, 2000 documents"},
		{q: plan.Query{IDs: []string{"a"}, HasIDs: true, Equal: map[string][]document.Value{"name": values(t,
			`"Milo"`)}},
			path: "documents by _id: 1", requests: "1 document"},
		{q: plan.Query{Prefix: "a", OnlyIDs: true}, path: `_id begins with "a", without documents`, requests: "1 list"},
	} {
		p, lost := plan.Choose(test.q, indexes, plan.DefaultPrices)
		if p.String() != test.path || p.Requests() != test.requests {
			t.Errorf("%s: %s, want %s: %s", p, p.Requests(), test.path, test.requests)
		}
		if len(lost) == 0 {
			t.Error("nothing lost")
		}
		for _, l := range lost {
			if l.Why == "" {
				t.Errorf("%s lost without a reason", l.Path)
			}
		}
	}
}

func TestPrices(t *testing.T) {
	p, err := plan.ParsePrices("get=0.0004, put=0.005,list=0.005,delete=0,gb=0.09")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := plan.ParsePrices(p.String()); err != nil || again != p {
		t.Errorf("%v, %v", again, err)
	}
	got := p.Of(store.Requests{Gets: 6_000_000, Puts: 1000, Lists: 2000, BytesRead: 1e9})
	if want := 2.4 + 0.005 + 0.01 + 0.09; got < want-1e-9 || got > want+1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	for _, text := range []string{"", "get", "get=x", "get=-1", "got=1", "get=NaN", "get=Inf", "get=1;put=1"} {
		if _, err := plan.ParsePrices(text); !errors.Is(err, plan.ErrPrices) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A path by an index that is no more what it was is refused: its entries are those of another.
func TestIndexOfBefore(t *testing.T) {
	c := tasks(t, store.NewMem(), 20, byName)
	p, _ := plan.Choose(plan.Query{Equal: map[string][]document.Value{"name": values(t, `"n1"`)}, OnlyIDs: true},
		c.Indexes(), plan.DefaultPrices)
	p.Index = index(t, strings.ReplaceAll(byName, `"field":"name"`, `"field":"category"`))
	err := p.Read(ctx, c, func(*collection.Doc) (bool, error) { return true, nil },
		func(*collection.Doc) (bool, error) { return true, nil })
	if !errors.Is(err, collection.ErrIndex) {
		t.Errorf("Read: %v", err)
	}
	if err := p.IDs(ctx, c, func(string) (bool, error) { return true, nil }); !errors.Is(err, collection.ErrIndex) {
		t.Errorf("IDs: %v", err)
	}
}

// A document that moves between the reading of its entry and its own hides no others.
func TestMovedMeanwhile(t *testing.T) {
	low := value(t, "100")
	for _, test := range []struct {
		name string
		q    plan.Query
		to   string // what the documents that are read move to
	}{
		{"the first", plan.Query{Order: &plan.Order{Path: "priority"}, Limit: 4}, "1000"},
		{"the last", plan.Query{Order: &plan.Order{Path: "priority", Desc: true}, Limit: 4}, "-1"},
		{"a range", plan.Query{Range: map[string]plan.Range{"priority": {Low: &low}}}, "-1"},
		{"the first of a range", plan.Query{Range: map[string]plan.Range{"priority": {Low: &low}}, Limit: 60,
			Order: &plan.Order{Path: "priority"}}, "-1"},
	} {
		for _, times := range []int{1, 1000} { // after a few times the whole entry is read
			mem := store.NewMem()
			w := tasks(t, mem, 600, byCategory)
			armed, moved := false, 0
			c, err := collection.Open(ctx, &storetest.Faulty{Store: mem,
				Choose: func(n int, what, key string) storetest.Fault {
					if strings.Contains(key, "/indices/") {
						armed = true
						return storetest.Fine
					}
					id, ok := strings.CutPrefix(key, "tasks/data/")
					if !ok || !armed || moved == times {
						return storetest.Fine
					}
					armed = false
					moved++
					docs, err := w.Get(ctx, []string{strings.TrimSuffix(id, ".json")})
					if err != nil {
						t.Error(err)
						return storetest.Fine
					}
					d, err := docs[0].Body.With(document.NamedKeypath("priority"), value(t, test.to))
					if err == nil {
						err = w.Write(ctx, []collection.Change{{ID: docs[0].ID, Old: docs[0], New: &d}})
					}
					if err != nil {
						t.Error(err)
					}
					return storetest.Fine
				}}, "tasks", quick)
			if err != nil {
				t.Fatal(err)
			}
			test.q.Equal = map[string][]document.Value{"category": values(t, `"c0"`)}
			p, rows := run(t, c, test.q)
			if moved == 0 || p.Index.Name != "category_1_priority_1" {
				t.Errorf("%s: %d moved, by %s", test.name, moved, p)
			}
			armed = false
			_, want := run(t, w, test.q)
			got, all := strings.Fields(ids(rows)), strings.Fields(ids(want))
			if times == 1 && ids(rows) != ids(want) && test.q.Order != nil {
				t.Errorf("%s: %v, want %v", test.name, got, all)
			}
			for _, id := range all {
				if !slices.Contains(got, id) {
					t.Errorf("%s, %d moved: %s is missing", test.name, moved, id)
				}
			}
		}
	}
}
