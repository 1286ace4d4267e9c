package bench

import (
	"context"
	"testing"
)

// BenchmarkKey is a document by its key, prepared, with a program and without.
func BenchmarkKey(b *testing.B) {
	conn := serveStore(b)
	ctx := context.Background()
	for _, set := range []string{"ON", "OFF"} {
		b.Run("programs="+set, func(b *testing.B) {
			if _, err := conn.ExecContext(ctx, "SET sqlfdb_programs = "+set); err != nil {
				b.Fatal(err)
			}
			stmt, err := conn.PrepareContext(ctx, "SELECT _doc FROM narrow WHERE _id = ?")
			if err != nil {
				b.Fatal(err)
			}
			defer stmt.Close()
			for b.Loop() {
				var doc string
				if err := stmt.QueryRowContext(ctx, "k00000100").Scan(&doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
