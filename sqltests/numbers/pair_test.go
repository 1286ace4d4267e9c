package numbers

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// pairs calls f for pairs of columns, a column with itself too.
func (n *numberTest) pairs(of int, f func(a, b *numberColumn)) {
	at := n.drawn
	for _, a := range n.columns {
		for _, b := range n.columns {
			if at++; sampled(at, of) {
				f(a, b)
			}
		}
	}
}

// matches expects rows of two ids.
func wantPairs(a, b *numberColumn, holds func(int) bool) func([][]string) string {
	var want []string
	for i, v := range a.values {
		for j, w := range b.values {
			if v != nil && w != nil && holds(v.Cmp(w)) {
				want = append(want, fmt.Sprint(i, " ", j))
			}
		}
	}
	slices.Sort(want)
	return func(rows [][]string) string {
		var got []string
		for _, r := range rows {
			got = append(got, strings.Join(r, " "))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			return "pairs differ: " + pairDifference(got, want)
		}
		return ""
	}
}

// difference tells which strings only one of two lists has.
func pairDifference(got, want []string) string {
	var out []string
	for _, g := range got {
		if !slices.Contains(want, g) {
			out = append(out, "+"+g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			out = append(out, "-"+w)
		}
	}
	return fmt.Sprintf("%d, want %d: %.300s", len(got), len(want), strings.Join(out, ", "))
}

func (n *numberTest) join() {
	hints := []string{"", "/*+ MERGE_JOIN(a,b) */", "/*+ HASH_JOIN(a,b) */", "/*+ INNER_JOIN(a,b) */",
		"/*+ LOOKUP_JOIN(a,b) */"}
	at := n.drawn
	equal := func(o int) bool { return o == 0 }
	n.pairs(1, func(a, b *numberColumn) {
		for _, hint := range hints {
			if at++; !sampled(at, 23) {
				continue
			}
			n.rows(fmt.Sprintf("SELECT %s a._id, b._id FROM %s a JOIN %s b ON %s = %s", hint, a.table, b.table, a.of("a"),
				b.of("b")), nil, wantPairs(a, b, equal))
		}
		if at%23 == 0 || *numbersAll {
			n.rows(fmt.Sprintf("SELECT a._id, b._id FROM %s a JOIN %s b ON %s <= %s", a.table, b.table, a.of("a"), b.of("b")),
				nil, wantPairs(a, b, func(o int) bool { return o <= 0 }))
			n.rows(fmt.Sprintf("SELECT a._id, b._id FROM %s a JOIN %s b ON (%s, 1) = (%s, 1) AND %s >= %s", a.table, b.table,
				a.of("a"), b.of("b"), a.of("a"), b.of("b")), nil, wantPairs(a, b, equal))
			n.rows(fmt.Sprintf("SELECT a._id, b._id FROM %s a LEFT JOIN %s b ON %s = %s WHERE b._id IS NOT NULL", a.table,
				b.table, a.of("a"), b.of("b")), nil, wantPairs(a, b, equal))
		}
	})
}

// contains reports whether a column has a number; -1 if that is unknown.
func (c *numberColumn) contains(v *big.Rat) sqlTruth { return inNumbers(v, c.values...) }

func (n *numberTest) sets() {
	n.pairs(7, func(a, b *numberColumn) {
		all := append(slices.Clone(a.values), b.values...)
		union := (&numberColumn{values: all}).groups()
		both, only := 0, 0
		for _, g := range a.groups() {
			v := a.values[g[0]]
			there := slices.ContainsFunc(b.values, func(w *big.Rat) bool { return lessRat(v, w) == 0 })
			if there {
				both++
			} else {
				only++
			}
		}
		sides := []any{a.name, a.table, b.name, b.table}
		count := func(k int) func([][]string) string {
			return func(rows [][]string) string {
				if len(rows) != k {
					return fmt.Sprintf("%d rows, want %d: %.600v", len(rows), k, rows)
				}
				return ""
			}
		}
		n.rows(fmt.Sprintf("SELECT %s AS v FROM %s UNION SELECT %s FROM %s", sides...), nil, count(len(union)))
		n.rows(fmt.Sprintf("SELECT %s AS v FROM %s INTERSECT SELECT %s FROM %s", sides...), nil, count(both))
		n.rows(fmt.Sprintf("SELECT %s AS v FROM %s EXCEPT SELECT %s FROM %s", sides...), nil, count(only))
		n.rows(fmt.Sprintf("SELECT %s AS v FROM %s UNION ALL SELECT %s FROM %s ORDER BY v", sides...), nil,
			func(rows [][]string) string {
				if len(rows) != len(all) {
					return fmt.Sprintf("%d rows", len(rows))
				}
				for i, id := range (&numberColumn{values: all}).sorted(false) {
					if !sameNumber(rows[i][0], all[id]) {
						return fmt.Sprintf("row %d: got %s, want %s", i, rows[i][0], ratText(all[id]))
					}
				}
				return ""
			})
	})
}

func (n *numberTest) subqueries() {
	n.pairs(17, func(a, b *numberColumn) {
		var in, notIn, exists, above, atMost []int
		sorted := b.sorted(false)
		most := b.values[sorted[len(sorted)-1]]
		for id, v := range a.values {
			switch b.contains(v) {
			case 1:
				in = append(in, id)
				exists = append(exists, id)
			case 0:
				notIn = append(notIn, id)
			}
			if compareRats(v, most, func(o int) bool { return o > 0 }) == 1 {
				above = append(above, id)
			}
			if compareRats(v, most, func(o int) bool { return o == 0 }) == 1 {
				atMost = append(atMost, id)
			}
		}
		from := func(where string, args ...any) string {
			return fmt.Sprintf("SELECT a._id FROM %s a WHERE ", a.table) + fmt.Sprintf(where, args...)
		}
		n.rows(from("%s IN (SELECT %s FROM %s b)", a.of("a"), b.of("b"), b.table), nil, wantIDs(in))
		n.rows(from("%s NOT IN (SELECT %s FROM %s b)", a.of("a"), b.of("b"), b.table), nil, wantIDs(notIn))
		n.rows(from("EXISTS (SELECT 1 FROM %s b WHERE %s = %s)", b.table, b.of("b"), a.of("a")), nil, wantIDs(exists))
		n.rows(from("%s > (SELECT MAX(%s) FROM %s b)", a.of("a"), b.of("b"), b.table), nil, wantIDs(above))
		n.rows(from("%s = (SELECT %s FROM %s b ORDER BY %s DESC LIMIT 1)", a.of("a"), b.of("b"), b.table, b.of("b")), nil,
			wantIDs(atMost))
		n.rows(from("(SELECT COUNT(*) FROM %s b WHERE %s = %s) > 0", b.table, b.of("b"), a.of("a")), nil, wantIDs(exists))
	})
}

func (n *numberTest) windows() {
	for _, c := range n.columns {
		sorted := c.sorted(false)
		rank, dense, peers, sofar := map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}
		before := 0
		for g, group := range c.groups() {
			for _, id := range group {
				rank[id], dense[id], peers[id], sofar[id] = before+1, g+1, len(group), before+len(group)
			}
			before += len(group)
		}
		position := map[int]int{}
		for i, id := range sorted {
			position[id] = i
		}
		at := func(i int) *big.Rat {
			if i < 0 || i >= len(sorted) {
				return nil
			}
			return c.values[sorted[i]]
		}
		least := c.values[sorted[0]]
		columns := []struct {
			text string
			want func(id int) *big.Rat
		}{
			{"RANK() OVER (ORDER BY %[1]s)", func(id int) *big.Rat { return big.NewRat(int64(rank[id]), 1) }},
			{"DENSE_RANK() OVER (ORDER BY %[1]s)", func(id int) *big.Rat { return big.NewRat(int64(dense[id]), 1) }},
			{"ROW_NUMBER() OVER (ORDER BY %[1]s, _id)", func(id int) *big.Rat { return big.NewRat(int64(position[id]+1), 1) }},
			{"LAG(%[1]s) OVER (ORDER BY %[1]s, _id)", func(id int) *big.Rat { return at(position[id] - 1) }},
			{"LEAD(%[1]s) OVER (ORDER BY %[1]s, _id)", func(id int) *big.Rat { return at(position[id] + 1) }},
			{"FIRST_VALUE(%[1]s) OVER (ORDER BY %[1]s, _id)", func(int) *big.Rat { return least }},
			{"LAST_VALUE(%[1]s) OVER (ORDER BY %[1]s)", func(id int) *big.Rat { return c.values[id] }},
			{"COUNT(*) OVER (PARTITION BY %[1]s)", func(id int) *big.Rat { return big.NewRat(int64(peers[id]), 1) }},
			{"COUNT(*) OVER (ORDER BY %[1]s)", func(id int) *big.Rat { return big.NewRat(int64(sofar[id]), 1) }},
			{"MAX(%[1]s) OVER (ORDER BY %[1]s)", func(id int) *big.Rat { return c.values[id] }},
			{"MIN(%[1]s) OVER (ORDER BY %[1]s DESC)", func(id int) *big.Rat {
				for i := 0; c.values[id] == nil; i++ {
					id = sorted[i]
				}
				return c.values[id]
			}},
			{"MAX(%[1]s) OVER ()", func(int) *big.Rat { return c.values[sorted[len(sorted)-1]] }},
			{"MAX(%[1]s) OVER (PARTITION BY %[1]s)", func(id int) *big.Rat { return c.values[id] }},
			{"COUNT(*) OVER (ORDER BY %[1]s RANGE BETWEEN CURRENT ROW AND CURRENT ROW)",
				func(id int) *big.Rat { return big.NewRat(int64(peers[id]), 1) }},
			{"COUNT(*) OVER (ORDER BY %[1]s RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
				func(id int) *big.Rat { return big.NewRat(int64(sofar[id]), 1) }},
			{"COUNT(*) OVER (ORDER BY %[1]s RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)", func(id int) *big.Rat {
				near := int64(0)
				for _, v := range c.values {
					switch w := c.values[id]; {
					case v == nil || w == nil:
						near += int64(sqlTruthOf(v == nil && w == nil))
					default:
						d := new(big.Rat).Sub(v, w)
						near += int64(sqlTruthOf(d.Abs(d).Cmp(big.NewRat(1, 1)) <= 0))
					}
				}
				return big.NewRat(near, 1)
			}},
		}
		for _, w := range columns {
			n.rows(fmt.Sprintf("SELECT _id, "+w.text+" FROM %[2]s", c.name, c.table), nil, func(rows [][]string) string {
				if len(rows) != len(c.values) {
					return fmt.Sprintf("%d rows", len(rows))
				}
				for _, r := range rows {
					id, _ := strconv.Atoi(r[0])
					if want := w.want(id); !sameNumber(r[1], want) {
						return fmt.Sprintf("row %d (%s): got %s, want %s", id, ratText(c.values[id]), r[1], ratText(want))
					}
				}
				return ""
			})
		}
	}
}

func (n *numberTest) functions() {
	n.pairs(1, func(a, b *numberColumn) {
		if a.table != b.table {
			return
		}
		columns := []struct {
			text string
			want func(v, w *big.Rat) *big.Rat
		}{
			{"GREATEST(%[1]s, %[2]s)", func(v, w *big.Rat) *big.Rat { return extremeRat(v, w, 1) }},
			{"LEAST(%[1]s, %[2]s)", func(v, w *big.Rat) *big.Rat { return extremeRat(v, w, -1) }},
			{"COALESCE(%[1]s, %[2]s)", firstRat},
			{"IFNULL(%[1]s, %[2]s)", firstRat},
			{"CASE WHEN %[1]s IS NULL THEN %[2]s ELSE %[1]s END", firstRat},
			{"IF(%[1]s IS NULL, %[2]s, %[1]s)", firstRat},
			{"NULLIF(%[1]s, %[2]s)", func(v, w *big.Rat) *big.Rat {
				if v != nil && w != nil && v.Cmp(w) == 0 {
					return nil
				}
				return v
			}},
			{"%[1]s <=> %[2]s", func(v, w *big.Rat) *big.Rat { return big.NewRat(int64(sqlTruthOf(lessRat(v, w) == 0)), 1) }},
			{"FIELD(%[1]s, %[2]s)", func(v, w *big.Rat) *big.Rat {
				return big.NewRat(int64(sqlTruthOf(v != nil && w != nil && v.Cmp(w) == 0)), 1)
			}},
		}
		list := make([]string, len(columns))
		for i, c := range columns {
			list[i] = fmt.Sprintf(c.text, a.name, b.name)
		}
		n.rows(fmt.Sprintf("SELECT _id, %s FROM %s", strings.Join(list, ", "), a.table), nil, func(rows [][]string) string {
			var wrong []string
			for i, c := range columns {
				for _, r := range rows {
					id, _ := strconv.Atoi(r[0])
					if want := c.want(a.values[id], b.values[id]); !sameNumber(r[i+1], want) {
						wrong = append(wrong, fmt.Sprintf("%s of %s and %s: got %s, want %s", list[i], ratText(a.values[id]),
							ratText(b.values[id]), r[i+1], ratText(want)))
						break
					}
				}
			}
			return strings.Join(wrong, "\n  ")
		})
	})
}

func extremeRat(v, w *big.Rat, sign int) *big.Rat {
	switch {
	case v == nil || w == nil:
		return nil
	case v.Cmp(w)*sign > 0:
		return v
	}
	return w
}

func firstRat(v, w *big.Rat) *big.Rat {
	if v != nil {
		return v
	}
	return w
}
