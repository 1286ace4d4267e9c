package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// prepare fills a table with n documents of the given number of keypaths.
func fill(b *testing.B, db *sql.DB, table string, n, keypaths int) {
	b.Helper()
	harness.MustExec(b, db, "CREATE TABLE "+table+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	var stmt strings.Builder
	for i := 0; i < n; {
		stmt.Reset()
		stmt.WriteString("INSERT INTO " + table + " (_doc) VALUES ")
		for j := 0; j < 50 && i < n; j, i = j+1, i+1 {
			if j > 0 {
				stmt.WriteString(",")
			}
			fmt.Fprintf(&stmt, `('{"_id":"k%d","n":%d`, i, i%1000)
			for k := range 10 {
				fmt.Fprintf(&stmt, `,"p%d":"value %d"`, (i*10+k)%keypaths, i+k)
			}
			stmt.WriteString("}')")
		}
		harness.MustExec(b, db, stmt.String())
	}
}

func benchmarkQuery(b *testing.B, db *sql.DB, query string, prepared bool, args ...any) {
	b.Helper()
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	var stmt *sql.Stmt
	if prepared {
		if stmt, err = c.PrepareContext(ctx, query); err != nil {
			b.Fatal(err)
		}
		defer stmt.Close()
	}
	b.ResetTimer()
	for range b.N {
		var rows *sql.Rows
		if prepared {
			rows, err = stmt.QueryContext(ctx, args...)
		} else {
			rows, err = c.QueryContext(ctx, query)
		}
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
		rows.Close()
	}
}

func BenchmarkSelect(b *testing.B) {
	_, db := harness.Database(b)
	fill(b, db, "few", 5000, 10)
	fill(b, db, "many", 5000, 3000)
	b.Run("one", func(b *testing.B) { benchmarkQuery(b, db, "SELECT 1", false) })
	b.Run("oneprepared", func(b *testing.B) { benchmarkQuery(b, db, "SELECT 1", true) })
	for _, table := range []string{"few", "many"} {
		b.Run(table+"/pkdoc", func(b *testing.B) {
			benchmarkQuery(b, db, "SELECT _doc FROM "+table+" WHERE _id = 'k4000'", false)
		})
		b.Run(table+"/pkcolumn", func(b *testing.B) {
			benchmarkQuery(b, db, "SELECT p1, n FROM "+table+" WHERE _id = 'k4000'", false)
		})
		b.Run(table+"/pkprepared", func(b *testing.B) {
			benchmarkQuery(b, db, "SELECT _doc FROM "+table+" WHERE _id = ?", true, "k4000")
		})
		b.Run(table+"/equality", func(b *testing.B) {
			benchmarkQuery(b, db, "SELECT _doc FROM "+table+" WHERE n = 500", false)
		})
	}
	i := 0
	b.Run("insert", func(b *testing.B) {
		c, err := db.Conn(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		for range b.N {
			i++
			harness.MustExec(b, c, fmt.Sprintf(`INSERT INTO few (_doc) VALUES ('{"_id":"i%d","n":%d,"p1":"x"}')`, i, i))
		}
	})
}
