package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
)

// document is the i-th of NoBench's, with a number that 100 of 100,000 have, and the member that says so.
func document(i int) (id, text string, array []string) {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	word := func(n int) string { return fmt.Sprintf("GBRDCMBQ%08x", n*2654435761&0xffffffff) }
	doc := map[string]any{
		"str1": word(i), "str2": word(r.IntN(10_000)), "num": i, "bool": i%2 == 0, "thousandth": i % 1000,
		"dyn1": any(i), "dyn2": word(i), "nested_obj": map[string]any{"str": word(r.IntN(100_000)), "num": r.IntN(100_000)},
	}
	if i%2 == 1 {
		doc["dyn1"] = fmt.Sprint(i)
	}
	for range r.IntN(7) {
		array = append(array, word(r.IntN(3_000)))
	}
	if array == nil {
		array = []string{}
	}
	doc["nested_arr"] = array
	cluster := r.IntN(100) * 10
	for k := range 10 {
		doc[fmt.Sprintf("sparse_%03d", cluster+k)] = word(r.IntN(1000))
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		panic(err) // of strings, numbers and booleans
	}
	return fmt.Sprintf("k%08d", i), string(raw), array
}

// work is a statement in the words of each dialect, and what its parameters are.
type work struct {
	name string
	text map[string]string // by dialect; "" is of all others
	args func() []any
	rows bool // it gives rows
	// spends is not nil where each run takes away a document that was laid in for it: the number of the first of so many.
	spends func(documents int) (first int)
}

// errSpent: no document is left to be taken away.
var errSpent = errors.New("nothing is left")

// prepare makes a work ready on a connection.
func (w work) prepare(ctx context.Context, c *sql.Conn, text string) (func() error, error) {
	s, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return func() error {
		args := w.args()
		if args == nil && w.spends != nil {
			return errSpent
		}
		if !w.rows {
			done, err := s.ExecContext(ctx, args...)
			if err != nil || w.spends == nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n != 1 {
				return fmt.Errorf("%v: %d rows: %w", args, n, err)
			}
			return nil
		}
		rows, err := s.QueryContext(ctx, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		n := 0
		var value sql.RawBytes
		for rows.Next() {
			if err := rows.Scan(&value); err != nil {
				return err
			}
			n++
		}
		if n == 0 && rows.Err() == nil {
			return fmt.Errorf("no rows")
		}
		return rows.Err()
	}, nil
}

func works(n int) []work {
	any1 := func(of func(i int) any) func() []any {
		return func() []any { return []any{of(rand.IntN(n))} }
	}
	id := func(i int) any { return fmt.Sprintf("k%08d", i) }
	word := func(i int) any { return fmt.Sprintf("GBRDCMBQ%08x", i*2654435761&0xffffffff) }
	thousandth := func(i int) any { return i % 1000 }
	part := max(n/100, 1)
	var next atomic.Int64
	next.Store(int64(n))
	inserted := func() []any {
		id, text, _ := document(int(next.Add(1)))
		return []any{id, text}
	}
	bigint := func(path string) string { return "(doc->>'" + path + "')::bigint" }
	selected := func(where string) map[string]string {
		return map[string]string{"": "SELECT _doc FROM d WHERE " + where}
	}
	and := func(texts map[string]string, dialect, text string) map[string]string {
		texts[dialect] = text
		return texts
	}
	postgres := func(texts map[string]string, where string) map[string]string {
		return and(texts, "postgres", "SELECT doc FROM d WHERE "+where)
	}
	number, thousandths := bigint("num"), bigint("thousandth")
	return []work{
		{"document by key", postgres(selected(`_id = ?`), `id = $1`), any1(id), true, nil},
		{"equality, 1", postgres(selected(`str1 = ?`), `doc->>'str1' = $1`), any1(word), true, nil},
		{"equality, 100", postgres(selected(`thousandth = ?`), thousandths+` = $1`), any1(thousandth), true, nil},
		{"range of 1 %", postgres(selected(fmt.Sprintf(`num >= ? AND num < ? + %d`, part)),
			fmt.Sprintf(`%[1]s >= $1::bigint AND %[1]s < $2::bigint + %[2]d`, number, part)),
			func() []any { i := rand.IntN(n - part); return []any{i, i} }, true, nil},
		{"conjunction", postgres(selected(fmt.Sprintf(`thousandth = ? AND num < %d`, n/10)),
			fmt.Sprintf(`%s = $1 AND %s < %d`, thousandths, number, n/10)),
			any1(func(i int) any { return i % 1000 % (n / 10) }), true, nil},
		{"array membership", and(postgres(selected(`? MEMBER OF (nested_arr)`), `doc->'nested_arr' ? $1`),
			"mariadb", `SELECT _doc FROM d JOIN elements USING (_id) WHERE element = ?`),
			func() []any { return []any{word(rand.IntN(3_000))} }, true, nil},
		{"ORDER BY LIMIT 10", postgres(selected(`num >= ? ORDER BY num LIMIT 10`),
			fmt.Sprintf(`%[1]s >= $1 ORDER BY %[1]s LIMIT 10`, number)), any1(func(i int) any { return i }), true, nil},
		{"GROUP BY, 1,000 values", map[string]string{"": `SELECT COUNT(*) FROM d GROUP BY thousandth`,
			"postgres": `SELECT COUNT(*) FROM d GROUP BY ` + thousandths}, func() []any { return nil }, true, nil},
		{"COUNT of a filter", map[string]string{"": `SELECT COUNT(*) FROM d WHERE num % 997 = 5`,
			"postgres": `SELECT COUNT(*) FROM d WHERE ` + number + ` % 997 = 5`}, func() []any { return nil }, true, nil},
		{"insert", map[string]string{"": `INSERT INTO d (_id, _doc) VALUES (?, ?)`,
			"postgres": `INSERT INTO d (id, doc) VALUES ($1, $2)`}, inserted, false, nil},
		{"update of one path", map[string]string{"": `UPDATE d SET str2 = ? WHERE _id = ?`,
			"mariadb":  `UPDATE d SET _doc = JSON_SET(_doc, '$.str2', ?) WHERE _id = ?`,
			"postgres": `UPDATE d SET doc = jsonb_set(doc, '{str2}', to_jsonb($1::text)) WHERE id = $2`},
			func() []any { return []any{word(rand.IntN(10_000)), id(rand.IntN(n))} }, false, nil},
		{"delete", map[string]string{"": `DELETE FROM d WHERE _id = ?`, "postgres": `DELETE FROM d WHERE id = $1`},
			nil, false, func(documents int) int { return int(next.Add(int64(documents))) - documents + 1 }},
	}
}
