package sqlbackend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/tables"
)

// TestAggregateEnd: MIN and MAX under a condition on other keypaths read no more than ORDER BY … LIMIT 1 does under the
// same condition, wherever in that order its rows lie.
func TestAggregateEnd(t *testing.T) {
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
	ask := func(query string) (answer string, read tables.Work) {
		t.Helper()
		if err := p.command(func(ctx *sql.Context) error {
			err := p.each(ctx, query, func(r sql.Row) { answer += fmt.Sprint(r) })
			read = p.session.Work.Running.Work
			return err
		}); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return answer, read
	}
	less := 0
	for _, where := range []string{
		"far = 1", "near = 1", "many", "many AND c = 1", "c <> 2", "far = 1 AND c = 2", "lean = 1", "n > 100 AND c = 3",
		"far = 1 AND m IS NULL",
		"n + 1 > 2950", "c = 7", "nothing = 1", "n = 5 AND c = 1", "_doc->'$.c' = 1", "p LIKE '%7'", "c = 1 OR far = 1",
	} {
		for _, of := range []string{"n", "m", "_doc->'$.n'", "_doc->'$.m'", "_id", "p", "nothing"} {
			for function, order := range map[string]string{"MIN": "", "MAX": " DESC"} {
				query := fmt.Sprintf("SELECT %s(%s) FROM t WHERE %s", function, of, where)
				p.run("SET sqlfdb_use_index = OFF")
				want, _ := ask(query)
				p.run("SET sqlfdb_use_index = ON")
				got, read := ask(query)
				if got != want {
					t.Errorf("%s gave %s, without the index %s", query, got, want)
				}
				_, first := ask(fmt.Sprintf("SELECT %[1]s FROM t WHERE (%[2]s) AND %[1]s IS NOT NULL ORDER BY %[1]s%[3]s LIMIT 1",
					of, where, order))
				_, others := ask(fmt.Sprintf("SELECT SUM(%s) FROM t WHERE %s", of, where))
				if weight(read, false) > 2.2*weight(first, false)+100 {
					t.Errorf("%s: read %+v, ORDER BY LIMIT 1 reads %+v", query, read, first)
				}
				if weight(read, false)*10 < weight(others, false) {
					less++
				}
			}
		}
	}
	if less < 20 {
		t.Errorf("%d statements read a tenth of what reading all takes", less)
	}
}
