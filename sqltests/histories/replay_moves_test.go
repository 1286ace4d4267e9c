package histories

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Numbers that documents have: small, so that transactions meet.
const (
	replayIDs    = 24
	replayNs     = 50
	replayGroups = 4
	replayUs     = 16
	replayWs     = 7
	replayTags   = 8
	replayPs     = 5
)

func newInt(n int) *int { return &n }

// nBetween are the documents whose n is in a range.
func nBetween(from, to int) func(replayRow) bool {
	return func(r replayRow) bool { return r.n != nil && *r.n >= from && *r.n <= to }
}

func inGroup(g int) func(replayRow) bool { return func(r replayRow) bool { return r.g == g } }

func anyRow(replayRow) bool { return true }

func (s *replayState) count(pass func(replayRow) bool) string {
	return strconv.Itoa(len(s.where(pass)))
}

func (s *replayState) sum(pass func(replayRow) bool) string {
	sum := 0
	for _, id := range s.where(pass) {
		if n := s.t[id].n; n != nil {
			sum += *n
		}
	}
	return strconv.Itoa(sum)
}

// values are the values of n, in order.
func (s *replayState) values(pass func(replayRow) bool) []int {
	var values []int
	for _, id := range s.where(pass) {
		if n := s.t[id].n; n != nil {
			values = append(values, *n)
		}
	}
	slices.Sort(values)
	return values
}

// byN are keys in the order of n, those without first.
func (s *replayState) byN(ids []int) []int {
	slices.SortStableFunc(ids, func(a, b int) int {
		x, y := s.t[a].n, s.t[b].n
		switch {
		case x == nil && y == nil:
			return 0
		case x == nil:
			return -1
		case y == nil:
			return 1
		}
		return *x - *y
	})
	return ids
}

func joined(numbers []int, most int) string {
	var texts []string
	for _, n := range numbers[:min(most, len(numbers))] {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, "|")
}

// unorderedRows are rows whose order doesn't matter.
func unorderedRows(rows []string) string {
	slices.Sort(rows)
	return strings.Join(rows, "|")
}

// groups are the groups of documents that pass.
func (s *replayState) groups(row func(g int, ids []int) string) string {
	by := map[int][]int{}
	for _, id := range s.ids() {
		by[s.t[id].g] = append(by[s.t[id].g], id)
	}
	var rows []string
	for g, ids := range by {
		if text := row(g, ids); text != "" {
			rows = append(rows, text)
		}
	}
	return unorderedRows(rows)
}

func least(values []int) string {
	if len(values) == 0 {
		return "-1000"
	}
	return strconv.Itoa(values[0])
}

func most(values []int) string {
	if len(values) == 0 {
		return "-1000"
	}
	return strconv.Itoa(values[len(values)-1])
}

// replayQuestion is a SELECT. The scalar ones have one row of one column.
func replayQuestion(r *rand.Rand, scalar bool) move {
	a, g, tag := r.IntN(replayNs), r.IntN(replayGroups), r.IntN(replayTags)
	b, id, u, w := a+r.IntN(12), r.IntN(replayIDs), r.IntN(replayUs), r.IntN(replayWs)
	ask := func(query string, apply func(*replayState) string) move { return move{query: query, apply: apply} }
	const scalars, all = 25, 42
	n := r.IntN(all)
	if scalar {
		n = r.IntN(scalars)
	}
	switch n {
	case 0:
		return ask("SELECT COUNT(*) FROM t", func(s *replayState) string { return s.count(anyRow) })
	case 1:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE n BETWEEN %d AND %d", a, b),
			func(s *replayState) string { return s.count(nBetween(a, b)) })
	case 2:
		return ask("SELECT COALESCE(SUM(n), 0) FROM t", func(s *replayState) string { return s.sum(anyRow) })
	case 3:
		return ask(fmt.Sprintf("SELECT COALESCE(SUM(n), 0) FROM t WHERE g = %d", g),
			func(s *replayState) string { return s.sum(inGroup(g)) })
	case 4:
		return ask("SELECT COALESCE(MIN(n), -1000) FROM t", func(s *replayState) string { return least(s.values(anyRow)) })
	case 5:
		return ask("SELECT COALESCE(MAX(n), -1000) FROM t", func(s *replayState) string { return most(s.values(anyRow)) })
	case 6:
		return ask(fmt.Sprintf("SELECT COALESCE(MIN(n), -1000) FROM t WHERE n > %d", a),
			func(s *replayState) string { return least(s.values(nBetween(a+1, 1e6))) })
	case 7:
		return ask(fmt.Sprintf("SELECT COALESCE(MAX(n), -1000) FROM t WHERE n < %d", a),
			func(s *replayState) string { return most(s.values(nBetween(-1e6, a-1))) })
	case 8:
		return ask("SELECT COUNT(n) FROM t", func(s *replayState) string { return strconv.Itoa(len(s.values(anyRow))) })
	case 9:
		return ask("SELECT COUNT(*) FROM t WHERE n IS NULL",
			func(s *replayState) string { return s.count(func(r replayRow) bool { return r.n == nil }) })
	case 10:
		return ask("SELECT COUNT(*) FROM t WHERE z = 1",
			func(s *replayState) string { return s.count(func(r replayRow) bool { return r.z }) })
	case 11:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE n < %d OR g = %d", a, g), func(s *replayState) string {
			return s.count(func(r replayRow) bool { return r.g == g || nBetween(-1e6, a-1)(r) })
		})
	case 12:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t__tags WHERE _value = %d", tag), func(s *replayState) string {
			count := 0
			for _, r := range s.t {
				for _, x := range r.tags {
					if x == tag {
						count++
					}
				}
			}
			return strconv.Itoa(count)
		})
	case 13:
		return ask("SELECT COALESCE(SUM(_value), 0) FROM t__tags", func(s *replayState) string {
			sum := 0
			for _, r := range s.t {
				for _, x := range r.tags {
					sum += x
				}
			}
			return strconv.Itoa(sum)
		})
	case 14:
		return ask(fmt.Sprintf("SELECT COALESCE(SUM(n), 0) FROM t WHERE n + 0 >= %d", a),
			func(s *replayState) string { return s.sum(nBetween(a, 1e6)) })
	case 15:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE JSON_EXTRACT(_doc, '$.n') >= %d", a),
			func(s *replayState) string { return s.count(nBetween(a, 1e6)) })
	case 16:
		return ask("SELECT COUNT(DISTINCT g) FROM t", func(s *replayState) string {
			return strconv.Itoa(strings.Count(s.groups(func(g int, _ []int) string { return "g" }), "g"))
		})
	case 17:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE n >= %d AND g = %d", a, g), func(s *replayState) string {
			return s.count(func(r replayRow) bool { return r.g == g && nBetween(a, 1e6)(r) })
		})
	case 18:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE _id BETWEEN %d AND %d", id, id+5), func(s *replayState) string {
			return strconv.Itoa(len(slices.DeleteFunc(s.ids(), func(k int) bool { return k < id || k > id+5 })))
		})
	case 19:
		return ask("SELECT COUNT(*) FROM p JOIN t ON t.n = p.k", func(s *replayState) string {
			count := 0
			for _, k := range s.p {
				count += len(s.where(nBetween(k, k)))
			}
			return strconv.Itoa(count)
		})
	case 20:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE u = %d", u), func(s *replayState) string {
			return s.count(func(r replayRow) bool { return r.u != nil && *r.u == u })
		})
	case 21:
		return ask("SELECT COALESCE(MAX(_id), -1000) FROM t", func(s *replayState) string { return most(s.ids()) })
	case 22:
		return ask(fmt.Sprintf("SELECT COUNT(*) FROM t WHERE g = %d AND w = %d", g, w), func(s *replayState) string {
			return s.count(func(r replayRow) bool { return r.g == g && r.w != nil && *r.w == w })
		})
	case 23:
		return ask(fmt.Sprintf("SELECT COALESCE(MAX(n), -1000) FROM t FORCE INDEX (gn) WHERE g = %d AND n <= %d", g, b),
			func(s *replayState) string {
				return most(s.values(func(r replayRow) bool { return r.g == g && nBetween(-1e6, b)(r) }))
			})
	case 24:
		return ask("SELECT COUNT(*) FROM t__tags WHERE _idx = 1", func(s *replayState) string {
			return s.count(func(r replayRow) bool { return len(r.tags) > 1 })
		})
	case 25:
		return ask(fmt.Sprintf("SELECT _id FROM t WHERE n >= %d ORDER BY n, _id LIMIT 3", a),
			func(s *replayState) string { return joined(s.byN(s.where(nBetween(a, 1e6))), 3) })
	case 26:
		return ask("SELECT _id FROM t ORDER BY n, _id LIMIT 4",
			func(s *replayState) string { return joined(s.byN(s.ids()), 4) })
	case 27:
		return ask("SELECT _id FROM t ORDER BY _id DESC LIMIT 2", func(s *replayState) string {
			ids := s.ids()
			slices.Reverse(ids)
			return joined(ids, 2)
		})
	case 28:
		return ask("SELECT g, COUNT(*) FROM t GROUP BY g", func(s *replayState) string {
			return s.groups(func(g int, ids []int) string { return fmt.Sprintf("%d,%d", g, len(ids)) })
		})
	case 29:
		return ask("SELECT g, COALESCE(SUM(n), 0) FROM t GROUP BY g HAVING COUNT(*) > 2", func(s *replayState) string {
			return s.groups(func(g int, ids []int) string {
				if len(ids) <= 2 {
					return ""
				}
				return fmt.Sprintf("%d,%s", g, s.sum(inGroup(g)))
			})
		})
	case 30:
		return ask("SELECT DISTINCT g FROM t", func(s *replayState) string {
			return s.groups(func(g int,
				_ []int) string {
				return strconv.Itoa(g)
			})
		})
	case 31:
		return ask(fmt.Sprintf("SELECT _id, n FROM t WHERE n >= %d AND g = %d", a, g), func(s *replayState) string {
			return s.pairs(s.where(func(r replayRow) bool { return r.g == g && nBetween(a, 1e6)(r) }))
		})
	case 32:
		return ask("SELECT p._id, t._id FROM p JOIN t ON t.n = p.k", func(s *replayState) string {
			var rows []string
			for id, k := range s.p {
				for _, other := range s.where(nBetween(k, k)) {
					rows = append(rows, fmt.Sprintf("%d,%d", id, other))
				}
			}
			return unorderedRows(rows)
		})
	case 33:
		return ask("SELECT _id FROM p WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.n = p.k)", func(s *replayState) string {
			var rows []string
			for id, k := range s.p {
				if len(s.where(nBetween(k, k))) == 0 {
					rows = append(rows, strconv.Itoa(id))
				}
			}
			return unorderedRows(rows)
		})
	case 34:
		return ask(fmt.Sprintf("SELECT _id FROM t WHERE %d MEMBER OF (tags)", tag), func(s *replayState) string {
			return s.keys(s.where(func(r replayRow) bool { return slices.Contains(r.tags, tag) }))
		})
	case 35:
		return ask(fmt.Sprintf("SELECT n FROM t WHERE n BETWEEN %d AND %d ORDER BY n", a, b),
			func(s *replayState) string { return joined(s.values(nBetween(a, b)), 1000) })
	case 36:
		return ask(fmt.Sprintf("SELECT _id, n FROM t WHERE _id >= %d AND n IS NOT NULL", id), func(s *replayState) string {
			return s.pairs(slices.DeleteFunc(s.where(nBetween(-1e6, 1e6)), func(k int) bool { return k < id }))
		})
	case 37:
		return ask(fmt.Sprintf("SELECT _id FROM t WHERE n IN (%d, %d, %d)", a, b, b+7), func(s *replayState) string {
			return s.keys(s.where(func(r replayRow) bool { return r.n != nil && slices.Contains([]int{a, b, b + 7}, *r.n) }))
		})
	case 38:
		return ask(fmt.Sprintf("SELECT _id FROM t WHERE u = %d FOR UPDATE", u), func(s *replayState) string {
			return s.keys(s.where(func(r replayRow) bool { return r.u != nil && *r.u == u }))
		})
	case 39:
		return ask(fmt.Sprintf("SELECT _id FROM t FORCE INDEX (gw) WHERE g = %d AND w > %d", g, w),
			func(s *replayState) string {
				return s.keys(s.where(func(r replayRow) bool { return r.g == g && r.w != nil && *r.w > w }))
			})
	case 40:
		return ask(fmt.Sprintf(
			"SELECT t._id, e._value FROM t JOIN t__tags e ON e._id = t._id WHERE t.g = %d AND e._value >= %d", g, tag),
			func(s *replayState) string {
				var rows []string
				for _, id := range s.where(inGroup(g)) {
					for _, x := range s.t[id].tags {
						if x >= tag {
							rows = append(rows, fmt.Sprintf("%d,%d", id, x))
						}
					}
				}
				return unorderedRows(rows)
			})
	}
	return ask(fmt.Sprintf("SELECT _id FROM t WHERE g = %d ORDER BY n DESC, _id LIMIT 2", g), func(s *replayState) string {
		ids := s.where(inGroup(g))
		slices.SortStableFunc(ids, func(a, b int) int {
			return -slices.Compare(ordinal(s.t[a].n), ordinal(s.t[b].n))
		})
		return joined(ids, 2)
	})
}

// ordinal makes missing numbers the least.
func ordinal(n *int) []int {
	if n == nil {
		return nil
	}
	return []int{*n}
}

func (s *replayState) keys(ids []int) string {
	var rows []string
	for _, id := range ids {
		rows = append(rows, strconv.Itoa(id))
	}
	return unorderedRows(rows)
}

func (s *replayState) pairs(ids []int) string {
	var rows []string
	for _, id := range ids {
		rows = append(rows, fmt.Sprintf("%d,%d", id, *s.t[id].n))
	}
	return unorderedRows(rows)
}

// collides reports whether two documents can't be there both.
func (r replayRow) collides(other replayRow) bool {
	same := func(a, b *int) bool { return a != nil && b != nil && *a == *b }
	return same(r.u, other.u) || r.g == other.g && same(r.w, other.w)
}

// takes reports whether a document other than id has what is unique of a row.
func (s *replayState) takes(row replayRow, id int) bool {
	for other, r := range s.t {
		if other != id && row.collides(r) {
			return true
		}
	}
	return false
}

// randomRow is a document and its text.
func randomRow(r *rand.Rand, id int) (replayRow, string) {
	row := replayRow{g: r.IntN(replayGroups)}
	text := fmt.Sprintf(`{"_id": %d, "g": %d`, id, row.g)
	if r.IntN(8) > 0 {
		row.n = newInt(r.IntN(replayNs))
		text += fmt.Sprintf(`, "n": %d`, *row.n)
	}
	if r.IntN(2) > 0 {
		row.u = newInt(r.IntN(replayUs))
		text += fmt.Sprintf(`, "u": %d`, *row.u)
	}
	if r.IntN(2) > 0 {
		row.w = newInt(r.IntN(replayWs))
		text += fmt.Sprintf(`, "w": %d`, *row.w)
	}
	var tags []string
	for range r.IntN(4) {
		row.tags = append(row.tags, r.IntN(replayTags))
		tags = append(tags, strconv.Itoa(row.tags[len(row.tags)-1]))
	}
	return row, text + fmt.Sprintf(`, "tags": [%s]}`, strings.Join(tags, ", "))
}

// replayChange is one statement that writes. Its answer is the number of rows found, or "duplicate".
func replayChange(r *rand.Rand) move {
	id, other, g, a := r.IntN(replayIDs), r.IntN(replayIDs), r.IntN(replayGroups), r.IntN(replayNs)
	d := 1 + r.IntN(9)
	do := func(apply func(*replayState) string, format string, args ...any) move {
		return move{query: fmt.Sprintf(format, args...), apply: apply}
	}
	// each changes documents.
	each := func(which func(*replayState) []int, change func(*replayRow)) func(*replayState) string {
		return func(s *replayState) string {
			ids := which(s)
			for _, id := range ids {
				row := s.t[id]
				change(&row)
				s.t[id] = row
			}
			return strconv.Itoa(len(ids))
		}
	}
	one := func(s *replayState) []int {
		if _, there := s.t[id]; there {
			return []int{id}
		}
		return nil
	}
	of := func(pass func(replayRow) bool) func(*replayState) []int {
		return func(s *replayState) []int { return s.where(pass) }
	}
	plus := func(d int) func(*replayRow) {
		return func(r *replayRow) {
			if r.n != nil {
				r.n = newInt(*r.n + d)
			}
		}
	}
	remove := func(which func(*replayState) []int) func(*replayState) string {
		return func(s *replayState) string {
			ids := which(s)
			for _, id := range ids {
				delete(s.t, id)
			}
			return strconv.Itoa(len(ids))
		}
	}
	// unlessTaken changes one document, unless another has what is unique of it then.
	unlessTaken := func(s *replayState, change func(*replayRow)) string {
		row, there := s.t[id]
		if change(&row); there && s.takes(row, id) {
			return "duplicate"
		}
		return each(one, change)(s)
	}
	switch r.IntN(19) {
	case 0, 1: // a transfer in one statement
		return do(func(s *replayState) string {
			found := 0
			for k, row := range s.t {
				switch k {
				case id:
					plus(-d)(&row)
				case other:
					plus(d)(&row)
				default:
					continue
				}
				s.t[k] = row
				found++
			}
			return strconv.Itoa(found)
		}, "UPDATE t SET n = CASE _id WHEN %d THEN n - %d ELSE n + %[2]d END WHERE _id IN (%[1]d, %[3]d)", id, d, other)
	case 2, 3, 4:
		row, text := randomRow(r, id)
		return do(func(s *replayState) string {
			if _, there := s.t[id]; there || s.takes(row, id) {
				return "duplicate"
			}
			s.t[id] = row
			return "1"
		}, "INSERT INTO t (_doc) VALUES ('%s')", text)
	case 5: // two, or none
		row, text := randomRow(r, id)
		second, its := randomRow(r, other)
		return do(func(s *replayState) string {
			_, there := s.t[id]
			_, too := s.t[other]
			if there || too || id == other || s.takes(row, id) || s.takes(second, other) || row.collides(second) {
				return "duplicate"
			}
			s.t[id], s.t[other] = row, second
			return "2"
		}, "INSERT INTO t (_doc) VALUES ('%s'), ('%s')", text, its)
	case 6:
		return do(remove(one), "DELETE FROM t WHERE _id = %d", id)
	case 7:
		return do(remove(of(nBetween(a, a+1))), "DELETE FROM t WHERE n BETWEEN %d AND %d", a, a+1)
	case 8:
		return do(remove(func(s *replayState) []int {
			ids := s.byN(s.where(nBetween(-1e6, 1e6)))
			return ids[:min(1, len(ids))]
		}), "DELETE FROM t WHERE n IS NOT NULL ORDER BY n, _id LIMIT 1")
	case 9:
		return do(each(of(nBetween(a, a+8)), plus(d)), "UPDATE t SET n = n + %d WHERE n BETWEEN %d AND %d", d, a, a+8)
	case 10:
		return do(each(of(inGroup(g)), plus(-1)), "UPDATE t SET n = n - 1 WHERE g = %d", g)
	case 11:
		u := r.IntN(replayUs)
		return do(func(s *replayState) string {
			return unlessTaken(s, func(r *replayRow) { r.u = &u })
		}, "UPDATE t SET u = %d WHERE _id = %d", u, id)
	case 16:
		w := r.IntN(replayWs)
		return do(func(s *replayState) string {
			return unlessTaken(s, func(r *replayRow) { r.w = &w })
		}, "UPDATE t SET w = %d WHERE _id = %d", w, id)
	case 17:
		return do(func(s *replayState) string {
			return unlessTaken(s, func(r *replayRow) { r.g = g })
		}, "UPDATE t SET g = %d WHERE _id = %d", g, id)
	case 12:
		return do(func(s *replayState) string {
			if len(one(s)) > 0 {
				return "duplicate"
			}
			values := s.values(anyRow)
			n := 1
			if len(values) > 0 {
				n += values[len(values)-1]
			}
			s.t[id] = replayRow{g: g, n: &n}
			return "1"
		}, "INSERT INTO t (_id, n, g) SELECT %d, COALESCE(MAX(n), 0) + 1, %d FROM t", id, g)
	case 13:
		p := r.IntN(replayPs)
		return do(func(s *replayState) string {
			s.p[p] = a
			return "1"
		}, "UPDATE p SET k = %d WHERE _id = %d", a, p)
	case 14:
		return do(each(one, func(r *replayRow) { r.z = !r.z }), "UPDATE t SET z = IF(z = 1, NULL, 1) WHERE _id = %d", id)
	case 15:
		tag := r.IntN(replayTags)
		return do(each(one, func(r *replayRow) {
			if len(r.tags) > 0 {
				r.tags = append(slices.Clone(r.tags), tag)
			}
		}), "UPDATE t SET tags = IF(JSON_LENGTH(tags) > 0, JSON_ARRAY_APPEND(tags, '$', %d), tags) WHERE _id = %d", tag, id)
	}
	row, text := randomRow(r, id)
	return do(func(s *replayState) string {
		removed := 0
		for k, r := range s.t {
			if k == id || row.collides(r) {
				delete(s.t, k)
				removed++
			}
		}
		s.t[id] = row
		return strconv.Itoa(1 + removed)
	}, "REPLACE INTO t (_doc) VALUES ('%s')", text)
}
