package pushdown

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// TestGrowth checks that what an analysis takes grows as the statement does: ten times
// the elements take little more than ten times the memory. Time is not asked, which says
// little on a busy machine.
func TestGrowth(t *testing.T) {
	b := newBench()
	columns := map[string]sql.Expression{}
	for i, name := range []string{"n", "s", "j"} {
		typ := []sql.Type{types.Int64, types.LongText, types.JSON}[i]
		columns[name] = expression.NewGetFieldWithTable(i, 1, typ, "db", "t", name, true)
	}
	number := func(i int) sql.Expression { return expression.NewLiteral(int64(i), types.Int64) }
	text := func(i int) sql.Expression { return expression.NewLiteral(fmt.Sprintf("v%d", i), types.LongText) }
	list := func(n int, of func(int) sql.Expression) expression.Tuple {
		out := make(expression.Tuple, n)
		for i := range out {
			out[i] = of(i * 7919 % n)
		}
		return out
	}
	equal := func(i int) sql.Expression { return expression.NewEquals(columns["n"], number(2*i)) }
	row := func(i int) sql.Expression { return expression.NewTuple(number(i), text(i)) }
	leftDeep := func(n int, of func(int) sql.Expression, join func(l, r sql.Expression) sql.Expression) sql.Expression {
		e := of(0)
		for i := 1; i < n; i++ {
			e = join(e, of(i))
		}
		return e
	}
	or := func(l, r sql.Expression) sql.Expression { return expression.NewOr(l, r) }
	and := func(l, r sql.Expression) sql.Expression { return expression.NewAnd(l, r) }
	var halves func(from, to int) sql.Expression
	halves = func(from, to int) sql.Expression {
		if to-from == 1 {
			return equal(from)
		}
		middle := (from + to) / 2
		return expression.NewNot(expression.NewAnd(expression.NewNot(halves(from, middle)),
			expression.NewNot(halves(middle, to))))
	}
	for name, where := range map[string]func(n int) sql.Expression{
		"IN":          func(n int) sql.Expression { return expression.NewInTuple(columns["n"], list(n, number)) },
		"IN of texts": func(n int) sql.Expression { return expression.NewInTuple(columns["s"], list(n, text)) },
		"NOT IN": func(n int) sql.Expression {
			return expression.NewNot(expression.NewInTuple(columns["n"], list(n, number)))
		},
		"IN of JSON": func(n int) sql.Expression { return expression.NewInTuple(columns["j"], list(n, number)) },
		"IN of rows": func(n int) sql.Expression {
			return expression.NewInTuple(expression.NewTuple(columns["n"], columns["s"]), list(n, row))
		},
		"OR": func(n int) sql.Expression { return leftDeep(n, equal, or) },
		"OR of two keypaths": func(n int) sql.Expression {
			return leftDeep(n, func(i int) sql.Expression {
				if i%2 == 0 {
					return equal(i)
				}
				return expression.NewEquals(columns["s"], text(i))
			}, or)
		},
		"OR of AND": func(n int) sql.Expression {
			return leftDeep(n, func(i int) sql.Expression { return and(equal(i), expression.NewEquals(columns["s"], text(i))) },
				or)
		},
		"AND of NOT": func(n int) sql.Expression {
			return leftDeep(n, func(i int) sql.Expression { return expression.NewNot(equal(i)) }, and)
		},
		"NOT of AND of NOT": func(n int) sql.Expression { return halves(0, n) },
	} {
		t.Run(name, func(t *testing.T) {
			took := func(n int) uint64 {
				conjuncts := expression.SplitConjunction(where(n))
				var r Result
				took := allocated(func() { r = Split(b.ctx, conjuncts, b.resolver, Options{}) })
				if len(r.Candidates) == 0 {
					t.Fatal("no range")
				}
				return took
			}
			const n = 1000
			one, ten := took(n), took(10*n)
			if ratio := float64(ten) / float64(one); ratio > 16 {
				t.Errorf("%d elements take %d bytes, %d take %d: %.1f times", n, one, 10*n, ten, ratio)
			}
			t.Logf("%d bytes an element", ten/(10*n))
		})
	}
}

// TestConstantGrowth checks that an analysis takes few bytes for each character of a constant: one that copies the text
// for each takes half as many as it has characters. Buffers are pooled, so that what is taken for one length says
// nothing.
func TestConstantGrowth(t *testing.T) {
	const n, most = 100_000, 1000
	b := newBench()
	for _, where := range []string{
		"s = 'v%s'", "b < 'v%s'", "ci = 'v%s'", "s <> 'v%s'", "s BETWEEN 'a%[1]s' AND 'b%[1]s'", "s IN ('a%[1]s', 'b%[1]s')",
		"(s, n) > ('v%s', 1)",
		"s LIKE 'v%s'", "s LIKE 'v%s%%'", "ci LIKE 'v%s%%'", "s LIKE 'v%%%s'", "_doc->>'$.a' LIKE 'v%s%%'",
		"UPPER(s) = 'V%s'", "LOWER(s) = 'v%s'", "UPPER(s) = 'IVI%s'", "UPPER(_doc->>'$.a') = 'IV%s'", "UPPER(ci) = 'IVI%s'",
		"LEFT(s, 2000000) = 'v%s'",
		"DATE_FORMAT(day, '%%Y%s') = '2020%[1]s'", "day > '2020-01-01%s'", "day LIKE '2020-01%s'",
		"j = 'v%s'", "JSON_CONTAINS(tags, '\"v%s\"')", "JSON_CONTAINS(j, '{\"v%s\": 1}')", "member_of('v%s', tags)",
		"JSON_OVERLAPS(tags, '[\"v%s\"]')", "_doc->'$.\"v%s\"' = 1",
		"n = '1%s'",
	} {
		t.Run(fmt.Sprintf(where, "…"), func(t *testing.T) {
			// Only such characters are DATE_FORMAT's and nothing to LIKE and REGEXP.
			conjuncts, err := b.parse(fmt.Sprintf(where, strings.Repeat("-", n)))
			if err != nil {
				t.Fatal(err)
			}
			if took := allocated(func() { Split(b.ctx, conjuncts, b.resolver, Options{Explain: true}) }) / n; took > most {
				t.Errorf("%d bytes a character", took)
			}
		})
	}
	for _, pattern := range []string{"^%s", "^%s$", "^%s+"} {
		pattern = fmt.Sprintf(pattern, strings.Repeat("-", n))
		if took := allocated(func() { regexpBeginning(pattern) }) / n; took > most {
			t.Errorf("REGEXP '%.3s…': %d bytes a character", pattern, took)
		}
	}
}

// TestNesting: one condition within another, ninety deep, does not double the work with each level.
func TestNesting(t *testing.T) {
	b := newBench()
	const depth = 90
	nested := func(before, innermost, after string) string {
		return strings.Repeat(before, depth) + innermost + strings.Repeat(after, depth)
	}
	for name, where := range map[string]string{
		"IN":           nested("(", "n", " IN (1, 2))"),
		"NOT IN":       nested("(", "n", " NOT IN (1, 2))"),
		"BETWEEN":      nested("(", "n", " BETWEEN 0 AND 1)"),
		"=":            nested("(", "n", " = 1)"),
		"<=>":          nested("(", "n", " <=> 1)"),
		"IS NULL":      nested("(", "n", " IS NULL)"),
		"IS TRUE":      nested("(", "n", " IS NOT TRUE)"),
		"XOR":          "n = 1" + strings.Repeat(" XOR s = 'a'", depth),
		"XOR right":    nested("(s = 'a' XOR ", "n = 1", ")"),
		"IF":           nested("IF(", "n = 1", ", s = 'a', x > 3)"),
		"IF of values": nested("IF(s = 'a', 2, ", "n", ")") + " = 3",
		"CASE":         nested("CASE WHEN ", "n = 1", " THEN s = 'a' ELSE x > 3 END"),
		"CASE of":      nested("CASE ", "n", " WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END") + " = 4",
		"COALESCE":     nested("COALESCE(n, ", "u", ", 7)") + " = 3",
		"AND and OR":   nested("(s = 'a' AND (x > 3 OR ", "n = 1", "))"),
		"OR and AND":   nested("((s = 'a' OR x > 3) AND ", "n = 1", ")"),
		"arithmetic":   nested("(1 - ", "n", ")") + " = 3",
		"LOWER":        nested("LOWER(", "s", ")") + " = 'a'",
		"LIKE":         nested("(", "s", " LIKE 'a%')"),
	} {
		t.Run(name, func(t *testing.T) {
			conjuncts, err := b.parse(where)
			if err != nil {
				t.Fatal(err)
			}
			Split(b.ctx, conjuncts, b.resolver, Options{Explain: true})
		})
	}
}

// TestManyTargets: of conditions on very many keypaths not each keypath lists all conditions that it does not answer.
func TestManyTargets(t *testing.T) {
	b := newBench()
	const n, most = 5000, 60_000
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("_doc->'$.p%d' = %[1]d", i)
	}
	conjuncts, err := b.parse(strings.Join(parts, " AND "))
	if err != nil {
		t.Fatal(err)
	}
	var found Result
	if took := allocated(func() { found = Split(b.ctx, conjuncts, b.resolver, Options{}) }) / n; took > most ||
		len(found.Candidates) == 0 {
		t.Errorf("%d bytes a condition, %d candidates", took, len(found.Candidates))
	} else {
		t.Logf("%d bytes a condition, %d candidates", took, len(found.Candidates))
	}
}

// allocated is how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
