package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/sqlfdb/sqlfdb/document"
)

// Document returns the i-th of an endless sequence of documents of about 500
// bytes with 20 scalars, the same ones every time. `tenth` has the same value in ten
// of a million documents, `unique` in one.
func Document(i int) (document.Document, error) {
	r := rand.New(rand.NewPCG(500, uint64(i)))
	hex := func() string { return fmt.Sprintf("%016x%08x", r.Uint64(), r.Uint32()) }
	text := fmt.Appendf(nil,
		`{"_id":"doc-%09d","unique":%d,"tenth":%d,"status":"%s","customer":{"id":%d,"name":"Customer %d","zip":"%05d",`+
			`"active":%t},`,
		i, i, i%100_000, []string{"pending", "paid", "shipped", "returned"}[r.IntN(4)], r.IntN(50_000), r.IntN(50_000),
		r.IntN(99_999), r.IntN(2) == 0)
	text = fmt.Appendf(text,
		`"price":%d.%02d,"quantity":%d,"rating":%.1f,"session":"%s","token":"%s","comment":"the quick brown fox `+
			`number %d jumps over lazy dogs",`,
		r.IntN(1000), r.IntN(100), r.IntN(20), r.Float64()*5, hex(), hex(), r.IntN(100))
	text = fmt.Appendf(text,
		`"created":"2024-%02d-%02dT%02d:00:00Z","updated":%d,"country":"%s","city":"City %d","flags":{"a":%t,"b":%t},`+
			`"score":%d}`,
		1+r.IntN(12), 1+r.IntN(28), r.IntN(24), 1_700_000_000+r.IntN(10_000_000),
		[]string{"DE", "FR", "SE", "CH", "US"}[r.IntN(5)], r.IntN(500), r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(1_000_000))
	return document.Parse(text, document.Limits{})
}
