package sqlbackend

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestAggregatePath compares what aggregations with several conditions read with what reading
// the same documents takes: it never costs much more, and both have the same answer.
func TestAggregatePath(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	p.run("CREATE TABLE orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	r := rand.New(rand.NewPCG(13, 1))
	for from := 0; from < *choiceDocuments; from += 250 {
		var documents []string
		for i := from; i < min(*choiceDocuments, from+250); i++ {
			documents = append(documents, skewedOrder(r, i))
		}
		p.run("INSERT INTO orders (_doc) VALUES ('" + strings.Join(documents, "'), ('") + "')")
	}
	// The rows as text, and what was read.
	answer := func(query string) (string, tables.Work) {
		t.Helper()
		var rows []string
		var read tables.Work
		if err := p.command(func(ctx *sql.Context) error {
			err := p.each(ctx, query, func(r sql.Row) { rows = append(rows, fmt.Sprint(r...)) })
			read = p.session.Work.Running.Work
			return err
		}); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return strings.Join(rows, "\n"), read
	}
	cost := func(w tables.Work) float64 { return aggregate.CollectedKey*float64(w.Entries) + 2*float64(w.Documents) }
	entriesOnly := 0
	for range 100 {
		where := " FROM orders WHERE " + skewedCondition(r)
		for n := 1 + r.IntN(2); n > 0; n-- {
			where += " AND " + skewedCondition(r)
		}
		_, documents := answer("SELECT payload, status, price" + where)
		for _, selected := range []string{"COUNT(*)", "COUNT(status)", "SUM(price), COUNT(*)"} {
			got, read := answer("SELECT " + selected + where)
			if read.Documents == 0 {
				entriesOnly++
			}
			// Keys are estimated, or counted up to a bound.
			if (cost(read)+10)/(cost(documents)+10) >= 1.5 {
				t.Errorf("SELECT %s%s: read %+v, where the documents take %+v", selected, where, read, documents)
			}
			p.run("SET sqlfdb_use_index = OFF")
			want, _ := answer("SELECT " + selected + where)
			p.run("SET sqlfdb_use_index = ON")
			if got != want {
				t.Errorf("SELECT %s%s: %s with the index, %s without", selected, where, got, want)
			}
		}
	}
	if entriesOnly < 30 {
		t.Errorf("%d statements read no documents", entriesOnly)
	}
	t.Logf("%d of 300 statements read no documents", entriesOnly)
}
