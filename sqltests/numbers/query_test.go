package numbers

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestNumbers proves that numbers of any types compare exactly in every
// construct that compares, with the index and without: each statement's answer
// is compared with one that is computed here.
func TestNumbers(t *testing.T) {
	n := newNumberTest(t)
	for _, part := range []struct {
		name string
		run  func(*numberTest)
	}{
		{"where", (*numberTest).where}, {"values", (*numberTest).conditions}, {"sort", (*numberTest).sort},
		{"group", (*numberTest).group},
		{"join", (*numberTest).join}, {"sets", (*numberTest).sets}, {"subqueries", (*numberTest).subqueries},
		{"windows", (*numberTest).windows}, {"functions", (*numberTest).functions},
	} {
		t.Run(part.name, func(t *testing.T) {
			n.T, n.failed, n.asked = t, 0, 0
			part.run(n)
			t.Logf("%d statements, %d wrong", n.asked, n.failed)
		})
	}
	harness.CheckAll(t, n.pool)
}

// sqlTruth is SQL's: -1 NULL, 0 false, 1 true.
type sqlTruth int

func sqlTruthOf(b bool) sqlTruth {
	if b {
		return 1
	}
	return 0
}

func (v sqlTruth) not() sqlTruth {
	if v < 0 {
		return v
	}
	return 1 - v
}

func compareRats(a, b *big.Rat, holds func(int) bool) sqlTruth {
	if a == nil || b == nil {
		return -1
	}
	return sqlTruthOf(holds(a.Cmp(b)))
}

// predicate is a condition over a column, C, and a constant, K.
type numberPredicate struct {
	text  string // %[1]s is the column, %[2]s the constant; each once
	value func(c, k *big.Rat) sqlTruth
}

func numberOperator(holds func(int) bool) func(c, k *big.Rat) sqlTruth {
	return func(c, k *big.Rat) sqlTruth { return compareRats(c, k, holds) }
}

func inNumbers(c *big.Rat, list ...*big.Rat) sqlTruth {
	out := sqlTruth(0)
	for _, v := range list {
		switch compareRats(c, v, func(o int) bool { return o == 0 }) {
		case 1:
			return 1
		case -1:
			out = -1
		}
	}
	return out
}

var numberPredicates = []numberPredicate{
	{text: "%[1]s = %[2]s", value: numberOperator(func(o int) bool { return o == 0 })},
	{text: "%[2]s = %[1]s", value: numberOperator(func(o int) bool { return o == 0 })},
	{text: "%[1]s <> %[2]s", value: numberOperator(func(o int) bool { return o != 0 })},
	{text: "NOT %[1]s = %[2]s", value: numberOperator(func(o int) bool { return o != 0 })},
	{text: "%[1]s < %[2]s", value: numberOperator(func(o int) bool { return o < 0 })},
	{text: "%[1]s <= %[2]s", value: numberOperator(func(o int) bool { return o <= 0 })},
	{text: "%[1]s > %[2]s", value: numberOperator(func(o int) bool { return o > 0 })},
	{text: "%[1]s >= %[2]s", value: numberOperator(func(o int) bool { return o >= 0 })},
	{text: "%[2]s < %[1]s", value: numberOperator(func(o int) bool { return o > 0 })},
	{text: "%[2]s >= %[1]s", value: numberOperator(func(o int) bool { return o <= 0 })},
	{text: "NOT %[1]s >= %[2]s", value: numberOperator(func(o int) bool { return o < 0 })},
	{text: "%[1]s <=> %[2]s", value: func(c, k *big.Rat) sqlTruth { return sqlTruthOf(c != nil && c.Cmp(k) == 0) }},
	{text: "%[1]s IN (%[2]s)", value: numberOperator(func(o int) bool { return o == 0 })},
	{text: "%[1]s NOT IN (%[2]s)", value: numberOperator(func(o int) bool { return o != 0 })},
	{text: "%[1]s IN (%[2]s, 0.1, 9007199254740993, 1e308)", value: func(c, k *big.Rat) sqlTruth {
		return inNumbers(c, k, ratOf("0.1"), ratOf("9007199254740993"), ratOf("1e308"))
	}},
	{text: "%[1]s NOT IN (5, %[2]s, NULL)", value: func(c,
		k *big.Rat) sqlTruth {
		return inNumbers(c, k, ratOf("5"), nil).not()
	}},
	{text: "%[1]s BETWEEN %[2]s AND 9007199254740993", value: func(c, k *big.Rat) sqlTruth {
		if c == nil {
			return -1
		}
		return sqlTruthOf(c.Cmp(k) >= 0 && c.Cmp(ratOf("9007199254740993")) <= 0)
	}},
	{text: "%[1]s NOT BETWEEN 0.1 AND %[2]s", value: func(c, k *big.Rat) sqlTruth {
		if c == nil {
			return -1
		}
		return sqlTruthOf(c.Cmp(ratOf("0.1")) < 0 || c.Cmp(k) > 0)
	}},
	{text: "%[2]s BETWEEN %[1]s AND 1e308", value: func(c, k *big.Rat) sqlTruth {
		if c == nil {
			if k.Cmp(ratOf("1e308")) > 0 {
				return 0
			}
			return -1
		}
		return sqlTruthOf(c.Cmp(k) <= 0 && k.Cmp(ratOf("1e308")) <= 0)
	}},
	{text: "(%[1]s, 1) = (%[2]s, 1)", value: numberOperator(func(o int) bool { return o == 0 })},
	{text: "(%[1]s, 1) IN ((%[2]s, 1), (5, 5))", value: func(c,
		k *big.Rat) sqlTruth {
		return compareRats(c, k, func(o int) bool { return o == 0 })
	}},
	{text: "CASE %[1]s WHEN %[2]s THEN 1 ELSE 0 END = 1",
		value: func(c, k *big.Rat) sqlTruth { return sqlTruthOf(c != nil && c.Cmp(k) == 0) }},
	{text: "CASE WHEN %[1]s > %[2]s THEN 1 ELSE 0 END = 1",
		value: func(c, k *big.Rat) sqlTruth { return sqlTruthOf(c != nil && c.Cmp(k) > 0) }},
	{text: "IF(%[1]s < %[2]s, 1, 0)", value: func(c, k *big.Rat) sqlTruth { return sqlTruthOf(c != nil && c.Cmp(k) < 0) }},
	{text: "NULLIF(%[1]s, %[2]s) IS NULL", value: func(c,
		k *big.Rat) sqlTruth {
		return sqlTruthOf(c == nil || c.Cmp(k) == 0)
	}},
	{text: "FIELD(%[1]s, 77, %[2]s) = 2", value: func(c,
		k *big.Rat) sqlTruth {
		return sqlTruthOf(c != nil && c.Cmp(ratOf("77")) != 0 && c.Cmp(k) == 0)
	}},
	{text: "GREATEST(%[1]s, %[2]s) = %[1]s", value: func(c, k *big.Rat) sqlTruth {
		return compareRats(c, k, func(o int) bool { return o >= 0 })
	}},
	{text: "LEAST(%[2]s, %[1]s) = %[1]s", value: func(c, k *big.Rat) sqlTruth {
		return compareRats(c, k, func(o int) bool { return o <= 0 })
	}},
	{text: "(%[1]s > %[2]s) IS NOT TRUE", value: func(c,
		k *big.Rat) sqlTruth {
		return sqlTruthOf(c == nil || c.Cmp(k) <= 0)
	}},
	{text: "COALESCE(%[1]s, 5) = %[2]s", value: func(c, k *big.Rat) sqlTruth {
		if c == nil {
			c = ratOf("5")
		}
		return sqlTruthOf(c.Cmp(k) == 0)
	}},
}

// sampled reports whether a combination is among those of a short run.
func sampled(n, of int) bool { return *numbersAll || n%of == 0 }

func (n *numberTest) where() {
	at := n.drawn
	for _, c := range n.columns {
		for _, k := range numberConstants() {
			for _, p := range numberPredicates {
				if at++; !sampled(at, 41) {
					continue
				}
				var want []int
				for id, v := range c.values {
					if p.value(v, k.value) == 1 {
						want = append(want, id)
					}
				}
				n.rows(fmt.Sprintf("SELECT _id FROM %s WHERE ", c.table)+fmt.Sprintf(p.text, c.name, k.text), k.args, wantIDs(want))
			}
		}
	}
}

// conditions asks for the value of each predicate and not for the rows.
func (n *numberTest) conditions() {
	constants := numberConstants()
	at := n.drawn
	for _, c := range n.columns {
		for _, k := range constants {
			if at++; !sampled(at, 17) {
				continue
			}
			list := make([]string, len(numberPredicates))
			var args []any
			for i, p := range numberPredicates {
				list[i] = fmt.Sprintf(p.text, c.name, k.text)
				args = append(args, k.args...)
			}
			n.rows(fmt.Sprintf("SELECT _id, %s FROM %s", strings.Join(list, ", "), c.table), args, func(rows [][]string) string {
				for _, r := range rows {
					id, _ := strconv.Atoi(r[0])
					for i, p := range numberPredicates {
						want := []string{"NULL", "0", "1"}[p.value(c.values[id], k.value)+1]
						if r[i+1] != want {
							return fmt.Sprintf("%s of %s is %s, want %s", list[i], ratText(c.values[id]), r[i+1], want)
						}
					}
				}
				if len(rows) != len(c.values) {
					return fmt.Sprintf("%d rows", len(rows))
				}
				return ""
			})
		}
	}
}

// less orders rows of a column: NULL first.
func lessRat(a, b *big.Rat) int {
	switch {
	case a == nil || b == nil:
		return cmp.Compare(sqlTruthOf(a != nil), sqlTruthOf(b != nil))
	}
	return a.Cmp(b)
}

func (c *numberColumn) sorted(down bool) []int {
	out := make([]int, len(c.values))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int {
		if o := lessRat(c.values[a], c.values[b]); o != 0 {
			if down {
				return -o
			}
			return o
		}
		return cmp.Compare(a, b)
	})
	return out
}

func wantOrder(want []int) func([][]string) string {
	return func(rows [][]string) string {
		got := make([]string, len(rows))
		for i, r := range rows {
			got[i] = r[0]
		}
		if g, w := strings.Join(got, " "), strings.Trim(fmt.Sprint(want), "[]"); g != w {
			return fmt.Sprintf("got %s, want %s", g, w)
		}
		return ""
	}
}

func (n *numberTest) sort() {
	for _, c := range n.columns {
		for _, down := range []bool{false, true} {
			direction := map[bool]string{false: "", true: " DESC"}[down]
			want := c.sorted(down)
			by := fmt.Sprintf("SELECT _id FROM %s ORDER BY %s%s, _id", c.table, c.name, direction)
			n.rows(by, nil, wantOrder(want))
			n.rows(by+" LIMIT 7", nil, wantOrder(want[:min(7, len(want))]))
			n.rows(by+" LIMIT 4 OFFSET 3", nil, wantOrder(want[min(3, len(want)):min(7, len(want))]))
			n.rows(fmt.Sprintf("SELECT _id FROM (SELECT _id, %s AS v FROM %s) s ORDER BY v%s, _id", c.name, c.table, direction),
				nil, wantOrder(want))
		}
		sorted := c.sorted(false)
		least, most := (*big.Rat)(nil), c.values[sorted[len(sorted)-1]]
		for _, id := range sorted {
			if least = c.values[id]; least != nil {
				break
			}
		}
		n.rows(fmt.Sprintf("SELECT MIN(%[1]s), MAX(%[1]s) FROM %[2]s", c.name, c.table), nil, wantNumbers(least, most))
		n.rows(fmt.Sprintf("SELECT MIN(%[1]s) FROM %[2]s WHERE %[1]s IS NOT NULL", c.name, c.table), nil, wantNumbers(least))
		n.rows(fmt.Sprintf("SELECT MAX(%[1]s) FROM %[2]s HAVING MAX(%[1]s) >= 1", c.name, c.table), nil, wantNumbers(most))
		n.rows(fmt.Sprintf("SELECT %[1]s FROM %[2]s ORDER BY %[1]s DESC LIMIT 1", c.name, c.table), nil, wantNumbers(most))
	}
}

// numbers expects one row.
func wantNumbers(want ...*big.Rat) func([][]string) string {
	return func(rows [][]string) string {
		if len(rows) != 1 {
			return fmt.Sprintf("%d rows", len(rows))
		}
		for i, w := range want {
			if !sameNumber(rows[0][i], w) {
				return fmt.Sprintf("column %d: got %s, want %s", i, rows[0][i], ratText(w))
			}
		}
		return ""
	}
}

// groups are the rows that have the same number, each in order, by their first.
func (c *numberColumn) groups() [][]int {
	var out [][]int
	for _, id := range c.sorted(false) {
		if len(out) > 0 && lessRat(c.values[out[len(out)-1][0]], c.values[id]) == 0 {
			out[len(out)-1] = append(out[len(out)-1], id)
			continue
		}
		out = append(out, []int{id})
	}
	return out
}

func (n *numberTest) group() {
	for _, c := range n.columns {
		groups := c.groups()
		var want []string
		distinct := 0
		for _, g := range groups {
			want = append(want, strings.ReplaceAll(strings.Trim(fmt.Sprint(g), "[]"), " ", ","))
			if c.values[g[0]] != nil {
				distinct++
			}
		}
		lists := func(rows [][]string) string {
			var got []string
			for _, r := range rows {
				got = append(got, r[0])
			}
			if !slices.Equal(got, want) {
				return fmt.Sprintf("got %v, want %v", got, want)
			}
			return ""
		}
		count := func(k int) func([][]string) string {
			return func(rows [][]string) string {
				if len(rows) != k {
					return fmt.Sprintf("%d rows, want %d", len(rows), k)
				}
				return ""
			}
		}
		total := ratOf(fmt.Sprint(distinct))
		n.rows(fmt.Sprintf("SELECT GROUP_CONCAT(_id ORDER BY _id) FROM %s GROUP BY %s ORDER BY %s", c.table, c.name, c.name),
			nil, lists)
		n.rows(fmt.Sprintf("SELECT DISTINCT %s FROM %s", c.name, c.table), nil, count(len(groups)))
		n.rows(fmt.Sprintf("SELECT DISTINCT %s AS v, 1 FROM %s", c.name, c.table), nil, count(len(groups)))
		n.rows(fmt.Sprintf("SELECT %[1]s FROM %[2]s UNION SELECT %[1]s FROM %[2]s", c.name, c.table), nil, count(len(groups)))
		n.rows(fmt.Sprintf("SELECT COUNT(DISTINCT %s) FROM %s", c.name, c.table), nil, wantNumbers(total))
		n.rows(fmt.Sprintf("SELECT COUNT(DISTINCT %s, 1) FROM %s", c.name, c.table), nil, wantNumbers(total))
		n.rows(fmt.Sprintf("SELECT %[1]s AS v FROM %[2]s GROUP BY %[1]s HAVING COUNT(*) > 0 AND v IS NOT NULL", c.name,
			c.table), nil, count(distinct))
	}
}
