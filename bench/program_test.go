package bench

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/processor"
)

// BenchmarkPrograms are short statements, prepared, with programs and without, and as texts with them.
func BenchmarkPrograms(b *testing.B) {
	const documents = 20_000
	conn := serveStore(b)
	ctx := context.Background()
	for _, text := range []string{"CREATE TABLE p (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE r (id INT PRIMARY KEY, k INT, c VARCHAR(120), KEY (k))"} {
		if err := execute(ctx, conn, text); err != nil {
			b.Fatal(err)
		}
	}
	for i := 0; i < documents; i += 100 {
		docs, rows := "INSERT INTO p (_doc) VALUES ", "INSERT INTO r VALUES "
		for j := i; j < i+100; j++ {
			if j > i {
				docs, rows = docs+",", rows+","
			}
			docs += fmt.Sprintf(`('{"_id":"k%08d","str":"word %d","num":%d,"hundred":%d,"some":"text","arr":["a%d","b"]}')`,
				j, j, j, j%(documents/100), j%200)
			rows += fmt.Sprintf("(%d,%d,'some text of a row %d')", j, j%(documents/100), j)
		}
		for _, text := range []string{docs, rows} {
			if err := execute(ctx, conn, text); err != nil {
				b.Fatal(err)
			}
		}
	}
	next := documents
	key := func() string { return fmt.Sprintf("k%08d", rand.IntN(documents)) }
	number := func() int { return rand.IntN(documents) }
	for _, w := range []struct {
		name, text string
		args       func() []any
	}{
		{"key", "SELECT _doc FROM p WHERE _id = ?", func() []any { return []any{key()} }},
		{"row", "SELECT c FROM r WHERE id = ?", func() []any { return []any{number()} }},
		{"equality1", "SELECT _doc FROM p WHERE str = ?", func() []any { return []any{fmt.Sprint("word ", number())} }},
		{"equality100", "SELECT _doc FROM p WHERE hundred = ?", func() []any { return []any{number() % (documents / 100)} }},
		{"range", "SELECT _doc FROM p WHERE num >= ? AND num < ? + 200",
			func() []any { n := number(); return []any{n, n} }},
		{"conjunction", "SELECT _doc FROM p WHERE hundred = ? AND num < 2000",
			func() []any { return []any{number() % (documents / 100)} }},
		{"in", "SELECT str, num FROM p WHERE num IN (?, ?, ?)", func() []any { return []any{number(), number(), number()} }},
		{"member", "SELECT _doc FROM p WHERE ? MEMBER OF (arr)",
			func() []any { return []any{fmt.Sprint("a", number()%200)} }},
		{"order", "SELECT _doc FROM p WHERE num >= ? ORDER BY num LIMIT 10", func() []any { return []any{number()} }},
		{"sum", "SELECT SUM(k) FROM r WHERE id BETWEEN ? AND ?", func() []any { n := number(); return []any{n, n + 99} }},
		{"insert", "INSERT INTO p (_id, _doc) VALUES (?, ?)", func() []any {
			next++
			return []any{fmt.Sprintf("k%08d", next), fmt.Sprintf(`{"str":"word %d","num":%d,"arr":["a1","b"]}`, next, next)}
		}},
		{"insertrow", "INSERT INTO r (id, k, c) VALUES (?, ?, ?)", func() []any {
			next++
			return []any{next, 1, "some text"}
		}},
		{"update", "UPDATE p SET some = ? WHERE _id = ?",
			func() []any { return []any{fmt.Sprint("text ", number()), key()} }},
		{"updaterow", "UPDATE r SET k = k + 1 WHERE id = ?", func() []any { return []any{number()} }},
		{"delete", "DELETE FROM p WHERE _id = ?", func() []any { next--; return []any{fmt.Sprintf("k%08d", next)} }},
	} {
		for _, set := range []string{"ON", "OFF"} {
			b.Run(w.name+"/programs="+set, func(b *testing.B) {
				if err := execute(ctx, conn, "SET sqlfdb_programs = "+set); err != nil {
					b.Fatal(err)
				}
				stmt, err := conn.PrepareContext(ctx, w.text)
				if err != nil {
					b.Fatal(err)
				}
				defer stmt.Close()
				measure(b, func() (*sql.Rows, error) { return stmt.QueryContext(ctx, w.args()...) })
			})
		}
		b.Run(w.name+"/text", func(b *testing.B) {
			if err := execute(ctx, conn, "SET sqlfdb_programs = ON"); err != nil {
				b.Fatal(err)
			}
			measure(b, func() (*sql.Rows, error) {
				text := w.text
				for _, v := range w.args() {
					literal := fmt.Sprint(v)
					if s, is := v.(string); is {
						literal = "'" + s + "'"
					}
					text = strings.Replace(text, "?", literal, 1)
				}
				return conn.QueryContext(ctx, text)
			})
		})
	}
}

// measure runs a statement and reads what it gives, and reports the processor time of it too: of client and server.
func measure(b *testing.B, run func() (*sql.Rows, error)) {
	used := processor.Time()
	for b.Loop() {
		rows, err := run()
		if err != nil {
			b.Fatal(err)
		}
		var values [2]sql.RawBytes
		columns, _ := rows.Columns()
		into := []any{&values[0], &values[1]}[:len(columns)]
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				b.Fatal(err)
			}
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
		rows.Close()
	}
	b.ReportMetric(float64((processor.Time()-used).Microseconds())/float64(b.N), "cpu-µs/op")
}
