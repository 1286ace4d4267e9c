package pushdown

import "testing"

// BenchmarkSplit is the analysis of a few usual WHERE clauses.
func BenchmarkSplit(b *testing.B) {
	bench := newBench()
	for _, where := range []string{
		"_id = 'k000123'",
		"n = 5",
		"s = 'pending' AND n > 10 AND `address.zipcode` IN ('10462', '10463')",
		"_doc->>'$.a.b' = 'x'",
		"n = 5 OR s = 'x'",
		"JSON_CONTAINS(tags, '\"x\"')",
		"DATE(s) = '2020-05-01'",
		"n IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20)",
	} {
		conjuncts, err := bench.parse(where)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(where, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Split(bench.ctx, conjuncts, bench.resolver, Options{})
			}
		})
	}
}
