package sqlbackend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestRememberedPaths: a statement reads the same along the path that was chosen by what the process remembers as
// along the one that was chosen by asking the store, alone and in a join.
func TestRememberedPaths(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	run := func(query string) (read tables.Work, expected float64) {
		t.Helper()
		err := p.command(func(ctx *sql.Context) error {
			err := p.each(ctx, query, func(sql.Row) {})
			read, expected = p.session.Work.Running.Work, join.Joiner{Ctx: ctx}.SizeOf(p.session.Work.Plan).Rows
			return err
		})
		if err != nil {
			t.Fatalf("%.200s: %v", query, err)
		}
		return read, expected
	}
	load := func(table string, n int, document func(i int) string) {
		run("CREATE TABLE " + table + " (_id INT PRIMARY KEY, _doc JSON)")
		var values []string
		for i := range n {
			if values = append(values, fmt.Sprintf("(%d, '%s')", i, document(i))); len(values) == 500 || i == n-1 {
				run("INSERT INTO " + table + " VALUES " + strings.Join(values, ", "))
				values = nil
			}
		}
	}
	load("o", 4000, func(i int) string {
		return fmt.Sprintf(`{"tenth":%d,"half":%d,"few":%d,"k":%d,"text":"%040d"}`, i%10, i%2, i%500, i/10*7%300, i)
	})
	load("u", 300, func(i int) string { return fmt.Sprintf(`{"k":%d,"text":"%040d"}`, i, i) })
	statements := []string{
		"SELECT text FROM o WHERE tenth = 3",
		"SELECT text FROM o WHERE half = 1",
		"SELECT text FROM o WHERE half = 1 AND few = 7",
		"SELECT text FROM o WHERE tenth = 3 AND half = 1",
		"SELECT o.text, u.text FROM o JOIN u ON u.k = o.k WHERE o.tenth = 3",
	}
	first := make([]tables.Work, len(statements))
	for i, q := range statements {
		first[i], _ = run(q) // what it has asked and counted is remembered
		if again, _ := run(q); again != first[i] {
			t.Errorf("%s: read %+v, then %+v", q, first[i], again)
		}
	}
	for i, q := range statements {
		if again, _ := run(q); again != first[i] {
			t.Errorf("%s: read %+v, and after other statements %+v", q, first[i], again)
		}
	}
	// A lone range that is known to be worth reading is not counted for the choice, one that may hold most documents is.
	planned := func(query string) *table.AccessPath {
		t.Helper()
		var path *table.AccessPath
		if err := p.command(func(ctx *sql.Context) error {
			n, err := p.backend.Engine.AnalyzeQuery(ctx, query)
			transform.Inspect(n, func(n sql.Node) bool {
				if access, ok := n.(*plan.IndexedTableAccess); ok {
					path, _ = plan.GetIndexLookup(access).Ranges.(*table.AccessPath)
				}
				return path == nil
			})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreseen := false
	for range 10 { // what is remembered lasts for some seconds
		run(statements[0])
		path := planned(statements[0])
		if path == nil {
			t.Fatalf("%s: no path", statements[0])
		}
		if e := path.Estimates[path.Chosen]; e.Least && e.Keys == 0 {
			foreseen = true
			break
		}
	}
	if !foreseen {
		t.Errorf("%s is counted each time", statements[0])
	}
	if path := planned("SELECT text FROM o WHERE tenth >= 2"); path != nil {
		t.Errorf("most documents are read by their keys: %+v", path.Estimates)
	}
	// A join is told how many rows there are, not how many were counted until the path was chosen.
	if _, rows := run(statements[0]); rows < 200 || rows > 800 {
		t.Errorf("%s: %v rows are expected, there are 400", statements[0], rows)
	}
}
