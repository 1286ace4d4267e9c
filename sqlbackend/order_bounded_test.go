package sqlbackend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/tables"
)

// correlated is a document of a collection in which what `far`, `near` and `lean` say goes together with the order of
// n: the 60 documents that are far have the greatest n, those that are near the least; of all documents one in five
// lacks m, and all of those are lean that have the least keys.
func correlated(i, all int) string {
	var b strings.Builder
	n := i * 7919 % all
	fmt.Fprintf(&b, `{"_id":"k%05d","n":%d`, i, n)
	if n >= all-60 {
		b.WriteString(`,"far":1`)
	}
	if n < 60 {
		b.WriteString(`,"near":1`)
	}
	if i%5 != 0 {
		fmt.Fprintf(&b, `,"m":%d`, n)
	} else if i >= all-300 {
		b.WriteString(`,"lean":1`)
	}
	fmt.Fprintf(&b, `,"many":%t,"c":%d,"p":"%040d"}`, n > all/2, i%4, i)
	return b.String()
}

// TestBoundedOrder: a walk in the order that is asked for is given up once it has cost what sorting costs, wherever the
// rows lie in that order. What is read is compared with what sorting reads, which hiding the index of the order shows.
func TestBoundedOrder(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	const all = 3000
	var documents []string
	for i := range all {
		documents = append(documents, correlated(i, all))
	}
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for chunk := range slices.Chunk(documents, 250) {
		p.run("INSERT INTO t (_doc) VALUES ('" + strings.Join(chunk, "'), ('") + "')")
	}
	ask := func(query string) (rows []string, read tables.Work) {
		t.Helper()
		if err := p.command(func(ctx *sql.Context) error {
			err := p.each(ctx, query, func(r sql.Row) { rows = append(rows, fmt.Sprint(r)) })
			read = p.session.Work.Running.Work
			return err
		}); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return rows, read
	}
	givenUp := 0
	for _, where := range []string{"far = 1", "near = 1", "many", "many AND c = 1", "far = 1 AND c = 2", "lean = 1",
		"n > 2900 AND c = 3", "far = 1 AND m IS NULL", "n + 1 > 2950"} {
		for _, order := range []string{"n", "n DESC", "m", "m DESC", "n, _id DESC", "m, c", "_id", "c, _id DESC"} {
			for _, limit := range []string{"LIMIT 3", "LIMIT 5 OFFSET 4", "LIMIT 200"} {
				from := func(hint string) string {
					last := ""
					if !strings.Contains(order, "_id") {
						last = ", _id"
						if strings.Contains(order, "DESC") {
							last = ", _id DESC"
						}
					}
					return fmt.Sprintf("SELECT _id, p FROM t %s WHERE %s ORDER BY %s%s %s", hint, where, order, last, limit)
				}
				p.run("SET sqlfdb_use_index = OFF")
				want, _ := ask(from(""))
				p.run("SET sqlfdb_use_index = ON")
				got, read := ask(from(""))
				if !slices.Equal(got, want) {
					t.Errorf("%s\ngave %v\nwant %v", from(""), got, want)
				}
				by := strings.TrimSuffix(strings.Split(order, ",")[0], " DESC")
				sorts, sorting := ask(from("IGNORE INDEX (`" + strings.Replace(by, "_id", "PRIMARY", 1) + "`)"))
				if !slices.Equal(sorts, want) {
					t.Errorf("%s sorted: %v, want %v", from(""), sorts, want)
				}
				// What is compared in memory counts for sorting too, and the walk overshoots by what it has fetched ahead.
				if weight(read, false) > 2.2*weight(sorting, false)+100 {
					t.Errorf("%s: read %+v, sorting reads %+v", from(""), read, sorting)
				}
				if read.Entries+read.Documents > sorting.Entries+sorting.Documents {
					givenUp++
				}
			}
		}
	}
	if givenUp == 0 {
		t.Error("no walk was given up")
	}
}
