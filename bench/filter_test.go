package bench

import (
	"context"
	"testing"
)

// BenchmarkFilter is what is computed of a number of each document, of which some share a value.
func BenchmarkFilter(b *testing.B) {
	conn := serveStore(b)
	for _, q := range []struct{ name, text string }{
		{"count", "SELECT COUNT(*) FROM narrow WHERE n % 997 = 5"},
		{"many", "SELECT COUNT(*) FROM narrow WHERE tenth % 997 = 5"},
		{"rows", "SELECT _doc FROM narrow WHERE n % 997 = 5"},
		{"group", "SELECT n % 10, SUM(n), AVG(n) FROM narrow GROUP BY n % 10"},
	} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				rows, err := conn.QueryContext(context.Background(), q.text)
				if err != nil {
					b.Fatal(err)
				}
				for rows.Next() {
				}
				if err := rows.Err(); err != nil {
					b.Fatal(err)
				}
				_ = rows.Close()
			}
		})
	}
}
