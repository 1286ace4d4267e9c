package sqltests

import (
	"context"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// BenchmarkLookups compares what a statement costs with SELECT 1: one document
// by its primary key, ten by a value, with few keypaths and with many.
func BenchmarkLookups(b *testing.B) {
	s := harness.Start(b)
	admin := harness.Connect(b, s.Addr(), "", "")
	for _, stmt := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.narrow (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.wide (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
	} {
		if _, err := admin.Exec(stmt); err != nil {
			b.Fatal(err)
		}
	}
	db := harness.Connect(b, s.Addr(), "d", "?interpolateParams=true")
	const documents = 2000
	for i := range documents {
		doc := fmt.Sprintf(`{"_id":"k%06d","g":%d,"name":"name %d","address":{"city":"c%d"}}`, i, i/10, i, i%7)
		if _, err := db.Exec("INSERT INTO narrow (_doc) VALUES (?)", doc); err != nil {
			b.Fatal(err)
		}
		doc = fmt.Sprintf(`{"_id":"k%06d","g":%d,"name":"name %d","p%d":1,"q%d":2}`, i, i/10, i, i, i)
		if _, err := db.Exec("INSERT INTO wide (_doc) VALUES (?)", doc); err != nil {
			b.Fatal(err)
		}
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	run := func(name string, rows int, stmt func(i int) string) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				r, err := c.QueryContext(context.Background(), stmt(i))
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for r.Next() {
					n++
				}
				if err := r.Err(); err != nil || n != rows {
					b.Fatalf("%s: %d rows, %v", stmt(i), n, err)
				}
			}
		})
	}
	run("select-1", 1, func(int) string { return "SELECT 1" })
	for _, table := range []string{"narrow", "wide"} {
		run(table+"/key", 1, func(i int) string {
			return fmt.Sprintf("SELECT _id, name FROM %s WHERE _id = 'k%06d'", table, i%documents)
		})
		run(table+"/value", 10, func(i int) string {
			return fmt.Sprintf("SELECT _id, name FROM %s WHERE g = %d", table, i%(documents/10))
		})
		run(table+"/residual", 1, func(i int) string {
			return fmt.Sprintf("SELECT _id FROM %s WHERE g = %d AND name = 'name %d'", table, i%(documents/10),
				i%(documents/10)*10)
		})
	}
}
