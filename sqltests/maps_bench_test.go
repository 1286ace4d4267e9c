package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var mapDocuments = flag.Int("map-documents", 10_000, "documents of BenchmarkMapIndexes")

// BenchmarkMapIndexes measures the first build of a map index in the background, and of one that is kept in the
// transaction; what an INSERT of 100 documents costs with one function and without; and 1,000 rows of a map index
// beside a range of a keypath with as many. The units are documents a second, and the time of a statement.
func BenchmarkMapIndexes(b *testing.B) {
	s := harness.Start(b)
	admin := harness.Connect(b, s.Addr(), "", "")
	harness.MustExec(b, admin, "CREATE DATABASE d")
	db := harness.Connect(b, s.Addr(), "d", "?interpolateParams=true")
	fill := func(table string, from, n int) {
		var rows []string
		for i := from; i < from+n; i++ {
			rows = append(rows, fmt.Sprintf(`('{"_id":"k%07d","n":%d,"tags":["t%d","u%d"],"name":"name %d","text":"%s"}')`, i, i,
				i%100, i%7, i, strings.Repeat("x", 300)))
		}
		harness.MustExec(b, db, "INSERT INTO "+table+" (_doc) VALUES "+strings.Join(rows, ","))
	}
	harness.MustExec(b, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	for i := 0; i < *mapDocuments; i += 1000 {
		fill("t", i, 1000)
	}
	const function = "'function (doc) { emit(doc.n, doc.name); }'"
	for _, mode := range []string{"BACKGROUND", "INTERACTIVE"} {
		b.Run("build/"+mode, func(b *testing.B) {
			for b.Loop() {
				began := time.Now()
				harness.MustExec(b, db, "DROP MAP INDEX IF EXISTS m ON t", "CREATE MAP INDEX m ON t AS "+function+" "+mode)
				var rows int
				for rows != *mapDocuments { // a statement waits for half a minute
					_ = db.QueryRow("SELECT COUNT(*) FROM t__map__m").Scan(&rows)
				}
				b.ReportMetric(float64(*mapDocuments)/time.Since(began).Seconds(), "documents/s")
			}
		})
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	read := func(name, query string) {
		b.Run("read/"+name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				from := (i * 997) % (*mapDocuments - 1000)
				if n := rowsOf(b, c, fmt.Sprintf(query, from, from+999)); n != 1000 {
					b.Fatalf("%d rows", n)
				}
			}
		})
	}
	read("map", "SELECT `key`, value FROM t__map__m WHERE `key` BETWEEN %d AND %d")
	read("keypath", "SELECT n, name FROM t WHERE n BETWEEN %d AND %d")
	read("keypath alone", "SELECT n FROM t WHERE n BETWEEN %d AND %d")
	read("map with documents", "SELECT `key`, doc FROM t__map__m WHERE `key` BETWEEN %d AND %d")
	for i, with := range []string{"nothing", "one function", "one in the background"} {
		table := fmt.Sprint("i", i)
		harness.MustExec(b, db, "CREATE TABLE "+table+" (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
		switch i {
		case 1:
			harness.MustExec(b, db, "CREATE MAP INDEX m ON "+table+" AS "+function+" INTERACTIVE")
		case 2:
			harness.MustExec(b, db, "SET GLOBAL sqlfdb_jobs = hold", "CREATE MAP INDEX m ON "+table+" AS "+function)
		}
		n := 0
		b.Run("insert 100/"+with, func(b *testing.B) {
			for ; b.Loop(); n += 100 {
				fill(table, n, 100)
			}
		})
	}
	harness.MustExec(b, db, "SET GLOBAL sqlfdb_jobs = run")
}

// rowsOf counts the rows of a query.
func rowsOf(b *testing.B, c *sql.Conn, query string) (n int) {
	rows, err := c.QueryContext(context.Background(), query)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return n
}
