package sqltests

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// BenchmarkJoins runs joins of a large collection with a small one, with itself and
// with the elements of its arrays; each with the index and without.
func BenchmarkJoins(b *testing.B) {
	_, db := harness.Database(b)
	const large, small = 10_000, 200
	harness.MustExec(b, db, "CREATE TABLE movies (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE people (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	fill := func(table string, n int, document func(i int) string) {
		for from := 0; from < n; from += 500 {
			var rows []string
			for i := from; i < min(n, from+500); i++ {
				rows = append(rows, "('"+document(i)+"')")
			}
			harness.MustExec(b, db, "INSERT INTO "+table+" (_doc) VALUES "+strings.Join(rows, ","))
		}
	}
	fill("movies", large, func(i int) string {
		return fmt.Sprintf(`{"_id":"m%05d","title":"title %d","year":%d,"director":"p%d","cast":["p%d","p%d"],`+
			`"extract":"%s"}`,
			i, i%9000, 1900+i*100/large, i*7%2000, i%300, i%70, strings.Repeat("x", 300))
	})
	fill("people", small, func(i int) string {
		return fmt.Sprintf(`{"_id":"p%d","name":"name %d","born":%d}`, i, i,
			1850+i)
	})
	c, err := db.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for _, join := range []struct{ name, stmt string }{
		{"few-in-large", "SELECT p.name, m.title FROM people p JOIN movies m ON m.director = p._id WHERE p.born < 1855"},
		{"few-left-large", "SELECT p.name, m.title FROM people p LEFT JOIN movies m ON m.director = p._id AND m.year " +
			"> 1950 WHERE p.born < 1855"},
		{"large-with-small", "SELECT COUNT(*), MIN(p.name) FROM movies m JOIN people p ON p._id = m.director"},
		{"self-by-key", "SELECT COUNT(*), MIN(n.title) FROM movies m JOIN movies n ON n._id = m._id WHERE m.year = 1950"},
		{"self-and-range", "SELECT COUNT(*), MIN(m.title) FROM movies m JOIN movies n ON m.title = n.title AND m.year " +
			"< n.year"},
		{"three", "SELECT p.name, n.title FROM people p JOIN movies m ON m.director = p._id JOIN movies n ON n.title " +
			"= m.title WHERE p.born < 1855"},
		{"semi", "SELECT COUNT(*), MIN(m.title) FROM movies m WHERE EXISTS (SELECT 1 FROM people p WHERE p._id = " +
			"m.director AND p.born < 1855)"},
		{"in-keys", "SELECT _id, title FROM movies WHERE _id IN (SELECT _id FROM movies WHERE director = 'p7')"},
		{"anti", "SELECT COUNT(*) FROM people p WHERE p.born < 1855 AND NOT EXISTS (SELECT 1 FROM movies m WHERE " +
			"p._id = m.director)"},
		{"elements", "SELECT m.title, c._value FROM movies m JOIN movies__cast c ON c._id = m._id WHERE m.director = 'p7'"},
	} {
		for _, setting := range []string{"ON", "OFF"} {
			if setting == "OFF" && join.name == "self-and-range" {
				continue // a nested loop of a hundred million rows
			}
			b.Run(join.name+"/"+setting, func(b *testing.B) {
				harness.MustExec(b, c, "SET sqlfdb_use_index = "+setting)
				for b.Loop() {
					if got := harness.Query(c, join.stmt); strings.Contains(got, "ERROR") {
						b.Fatal(got)
					}
				}
			})
		}
	}
}
