package sqltests

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// What holds for every collation: comparisons, ORDER BY, grouping, joins,
// UNIQUE and the index agree, about strings that are hard to tell apart. The order
// that they are to have was made by golang.org/x/text/collate, without any of
// our code: collation/testdata/orders.

var (
	collationStrings = flag.Int("collation-strings", 16,
		"of how many strings every pair is compared in each collation, and how many probe the index")
	allCollations = flag.Bool("collations-all", false,
		"test every collation of collation/testdata/orders, not one of each kind")
)

// oneOfEachKind are the collations that are tested without -collations-all.
var oneOfEachKind = []string{"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_cs", "utf8mb4_bin", "utf8mb4_cs_0900_ai_ci",
	"utf8mb4_da_0900_as_cs"}

// ranked is a string with its place in a collation: strings of one class are
// equal to it where case or accents don't count.
type ranked struct {
	id, class int
	s         string
}

// ranking is a collation with the strings in order.
type ranking struct {
	name     string
	identity bool // only identical strings are equal
	strings  []ranked
}

func (r *ranking) compare(a, b ranked) int {
	if r.identity && a.class == b.class {
		return strings.Compare(a.s, b.s)
	}
	return cmp.Compare(a.class, b.class)
}

// rankings reads the strings in order of every collation.
func rankings(t testing.TB) []*ranking {
	t.Helper()
	f, err := os.Open("../collation/testdata/orders")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []*ranking
	var ids map[string]int
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "collation "); ok {
			all = append(all, &ranking{name: name, identity: !strings.HasSuffix(name, "_ci")})
			continue
		}
		if line == "" {
			continue
		}
		r := all[len(all)-1]
		class := 0
		if n := len(r.strings); n > 0 {
			class = r.strings[n-1].class + 1
		}
		for line != "" {
			s, rest, err := readSpelled(line)
			if err != nil {
				t.Fatal(err)
			}
			r.strings, line = append(r.strings, ranked{class: class, s: s}), strings.TrimPrefix(rest, " ")
		}
	}
	// A string has one number in all of them, which says nothing of its place.
	for _, r := range all {
		if ids == nil {
			ids = map[string]int{}
			for i, x := range r.strings {
				ids[x.s] = (i*97)%len(r.strings) + 1
			}
		}
		for i := range r.strings {
			r.strings[i].id = ids[r.strings[i].s]
		}
	}
	return all
}

// readSpelled reads "string" or "head"+"piece"*COUNT+"tail".
func readSpelled(line string) (s, rest string, err error) {
	rest = line
	for {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", "", fmt.Errorf("%s: %w", line, err)
		}
		piece, err := strconv.Unquote(quoted)
		if err != nil {
			return "", "", err
		}
		rest = rest[len(quoted):]
		if after, ok := strings.CutPrefix(rest, "*"); ok {
			digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
			n, err := strconv.Atoi(digits)
			if err != nil {
				return "", "", err
			}
			piece, rest = strings.Repeat(piece, n), after[len(digits):]
		}
		s += piece
		after, more := strings.CutPrefix(rest, "+")
		if !more {
			return s, rest, nil
		}
		rest = after
	}
}

// some are n of the strings, others for each collation, near each other in order.
func (r *ranking) some(n, seed int) []ranked {
	if n >= len(r.strings) {
		return r.strings
	}
	var out []ranked
	for i := range n / 4 {
		at := (i*len(r.strings)*4/n + seed*7) % len(r.strings)
		for j := range 4 {
			out = append(out, r.strings[(at+j)%len(r.strings)])
		}
	}
	return out
}

// collated is the test of one collation on one connection.
type collated struct {
	t  *testing.T
	r  *ranking
	c  *sql.Conn
	db *sql.DB
}

// rows are the rows of a statement, their columns joined by " ".
func (c *collated) rows(stmt string, args ...any) []string {
	c.t.Helper()
	rows, err := c.c.QueryContext(context.Background(), stmt, args...)
	if err != nil {
		c.t.Errorf("%s %+q: %v", stmt, args, err)
		return nil
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	var out []string
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			c.t.Errorf("%s: %v", stmt, err)
			return nil
		}
		texts := make([]string, len(values))
		for i, v := range values {
			if texts[i] = v.String; !v.Valid {
				texts[i] = "NULL"
			}
		}
		out = append(out, strings.Join(texts, " "))
	}
	if err := rows.Err(); err != nil {
		c.t.Errorf("%s %+q: %v", stmt, args, err)
	}
	return out
}

func (c *collated) exec(stmt string, args ...any) {
	c.t.Helper()
	if _, err := c.c.ExecContext(context.Background(), stmt, args...); err != nil {
		c.t.Fatalf("%.200s: %v", stmt, err)
	}
}

// expect compares the rows of a statement with others, in any order.
func (c *collated) expect(want []string, stmt string, args ...any) {
	c.t.Helper()
	got := c.rows(stmt, args...)
	slices.Sort(got)
	want = slices.Clone(want)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.t.Errorf("%s: %s %.200q\n got %.300q\nwant %.300q%s", c.r.name, stmt, args, got, want, c.difference(got, want))
	}
}

// difference names the rows that one side has and the other has not.
func (c *collated) difference(got, want []string) string {
	var out strings.Builder
	name := func(row string) string {
		for _, x := range c.r.strings {
			if strconv.Itoa(x.id) == row {
				return fmt.Sprintf("%.40q", x.s)
			}
		}
		return row
	}
	for i, n := 0, 0; i < len(got) && n < 8; i++ {
		if !slices.Contains(want, got[i]) {
			fmt.Fprintf(&out, "\n  too many: %s", name(got[i]))
			n++
		}
	}
	for i, n := 0, 0; i < len(want) && n < 8; i++ {
		if !slices.Contains(got, want[i]) {
			fmt.Fprintf(&out, "\n  missing: %s", name(want[i]))
			n++
		}
	}
	return out.String()
}

// ids are the numbers of the strings that a condition holds for.
func (c *collated) ids(holds func(ranked) bool) []string {
	var out []string
	for _, x := range c.r.strings {
		if holds(x) {
			out = append(out, strconv.Itoa(x.id))
		}
	}
	return out
}

// quotedText is a string as SQL writes it.
func quotedText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`).Replace(s) + "'"
}

func TestCollations(t *testing.T) {
	s := harness.Start(t)
	admin := harness.Connect(t, s.Addr(), "", "")
	if _, err := admin.Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	db := harness.Connect(t, s.Addr(), "d", "?maxAllowedPacket=0")
	for i, r := range rankings(t) {
		if !*allCollations && !slices.Contains(oneOfEachKind, r.name) {
			continue
		}
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c := &collated{t: t, r: r, c: conn, db: db}
		t.Run(r.name, func(t *testing.T) {
			c.t = t
			c.fill()
			for _, column := range []string{"s", "u"} {
				c.sorting(column)
				c.grouping(column)
				c.pairs(column, r.some(*collationStrings, i))
				c.index(column, r.some(*collationStrings/2, i+3))
				c.likes(column, r.some(*collationStrings, i+9))
			}
			c.uniqueness()
			c.keys(r.some(*collationStrings/2, i+5))
		})
		_ = conn.Close()
	}
	harness.CheckAll(t, db)
}

// fill makes the table: s is declared, u is not, and both have all strings.
func (c *collated) fill() {
	c.exec("DROP TABLE IF EXISTS t")
	c.exec("CREATE TABLE t (_id INT PRIMARY KEY, s VARCHAR(700) COLLATE " + c.r.name + ", _doc JSON) COLLATE " + c.r.name)
	var rows []string
	for _, x := range c.r.strings {
		rows = append(rows, fmt.Sprintf("(%d, %s, %[2]s)", x.id, quotedText(x.s)))
	}
	c.exec("INSERT INTO t (_id, s, u) VALUES " + strings.Join(rows, ","))
}

// sorting: ORDER BY, MIN, MAX and ranks.
func (c *collated) sorting(column string) {
	c.t.Helper()
	sorted := slices.Clone(c.r.strings)
	slices.SortFunc(sorted, func(a, b ranked) int { return cmp.Or(c.r.compare(a, b), cmp.Compare(a.id, b.id)) })
	check := func(stmt string, want []string) {
		c.t.Helper()
		got := c.rows(stmt)
		if !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			c.t.Errorf("%s: %s: row %d is wrong: %q, want %q", c.r.name, stmt, i, got[min(i, len(got)):min(i+3, len(got))],
				want[min(i, len(want)):min(i+3, len(want))])
		}
	}
	var up, down, rank, dense []string
	first, classes := 0, 0
	for i, x := range sorted {
		up = append(up, strconv.Itoa(x.id))
		if i == 0 || c.r.compare(sorted[i-1], x) != 0 {
			first, classes = i, classes+1
		}
		rank, dense = append(rank, fmt.Sprintf("%d %d", x.id, first+1)), append(dense, fmt.Sprintf("%d %d", x.id, classes))
	}
	slices.SortFunc(sorted, func(a, b ranked) int { return cmp.Or(c.r.compare(b, a), cmp.Compare(a.id, b.id)) })
	for _, x := range sorted {
		down = append(down, strconv.Itoa(x.id))
	}
	check("SELECT _id FROM t ORDER BY "+column+", _id", up)
	check("SELECT _id FROM t ORDER BY "+column+" DESC, _id", down)
	check("SELECT _id FROM t ORDER BY "+column+", _id LIMIT 20 OFFSET 50", up[50:70])
	check("SELECT _id FROM (SELECT _id, "+column+" AS x FROM t) AS q ORDER BY x, _id", up)
	check("SELECT _id, RANK() OVER (ORDER BY "+column+") AS r FROM t ORDER BY r, _id", rank)
	check("SELECT _id, DENSE_RANK() OVER (ORDER BY "+column+") AS r FROM t ORDER BY r, _id", dense)
	least, most := c.r.strings[0], c.r.strings[len(c.r.strings)-1]
	for _, f := range []struct {
		name string
		want ranked
	}{{"MIN", least}, {"MAX", most}} {
		got := c.rows("SELECT " + f.name + "(" + column + ") FROM t")
		if len(got) != 1 || !slices.ContainsFunc(c.r.strings,
			func(x ranked) bool { return x.s == got[0] && c.r.compare(x, f.want) == 0 }) {
			c.t.Errorf("%s: %s of %s is %q, want %q", c.r.name, f.name, column, got, f.want.s)
		}
	}
}

// grouping: GROUP BY, DISTINCT, UNION, partitions and joins.
func (c *collated) grouping(column string) {
	c.t.Helper()
	equal := func(a, b ranked) bool { return c.r.compare(a, b) == 0 }
	var sizes, members, pairs []string
	groups := 0
	for _, x := range c.r.strings {
		n, least := 0, x.id
		for _, y := range c.r.strings {
			if equal(x, y) {
				n, least = n+1, min(least, y.id)
				pairs = append(pairs, fmt.Sprintf("%d %d", x.id, y.id))
			}
		}
		members = append(members, fmt.Sprintf("%d %d", x.id, n))
		if least == x.id {
			groups++
			sizes = append(sizes, fmt.Sprintf("%d %d", least, n))
		}
	}
	count := []string{strconv.Itoa(groups)}
	c.expect(sizes, "SELECT MIN(_id), COUNT(*) FROM t GROUP BY "+column)
	c.expect(count, "SELECT COUNT(*) FROM (SELECT "+column+" FROM t GROUP BY "+column+" HAVING "+column+" >= '') AS q")
	c.expect(count, "SELECT COUNT(DISTINCT "+column+") FROM t")
	c.expect(count, "SELECT COUNT(*) FROM (SELECT DISTINCT "+column+" FROM t) AS q")
	c.expect(count, "SELECT COUNT(*) FROM (SELECT "+column+" FROM t UNION SELECT "+column+" FROM t) AS q")
	c.expect(members, "SELECT _id, COUNT(*) OVER (PARTITION BY "+column+") FROM t")
	c.expect(pairs, "SELECT a._id, b._id FROM t a JOIN t b ON a."+column+" = b."+column)
	c.expect(pairs, "SELECT a._id, b._id FROM t a, t b WHERE a.s = b.u")
	few := slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool {
		left, right, _ := strings.Cut(pair, " ")
		return len(left) > 2 || len(right) > 2
	})
	c.expect(few, "SELECT a._id, b._id FROM t a LEFT JOIN t b ON a."+column+" <=> b."+column+
		" AND b._id < 100 WHERE a._id < 100")
	some := func(a ranked) bool {
		return slices.ContainsFunc(c.r.strings, func(b ranked) bool { return b.id <= 100 && equal(a, b) })
	}
	c.expect(c.ids(some), "SELECT _id FROM t WHERE "+column+" IN (SELECT "+column+" FROM t WHERE _id <= 100)")
	c.expect(c.ids(func(x ranked) bool { return !some(x) }),
		"SELECT _id FROM t WHERE "+column+" NOT IN (SELECT "+column+" FROM t WHERE _id <= 100)")
	c.expect(c.ids(func(x ranked) bool { return x.id < 60 && some(x) }),
		"SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b."+column+" = a."+column+
			" AND b._id <= 100) AND _id < 60")
}

// pairs: what compares two strings, for every two of some.
func (c *collated) pairs(column string, some []ranked) {
	c.t.Helper()
	list := make([]string, len(some))
	for i, x := range some {
		list[i] = strconv.Itoa(x.id)
	}
	in := " IN (" + strings.Join(list, ",") + ")"
	stmt := ("SELECT a._id, b._id, a.s < b.s, a.s <= b.s, a.s > b.s, a.s >= b.s, a.s = b.s, a.s <=> b.s, a.s <> " +
		"b.s, STRCMP(a.s, b.s), NULLIF(a.s, b.s) IS NULL," +
		" CASE a.s WHEN b.s THEN 1 ELSE 0 END, IF(a.s = b.s, 1, 0), a.s IN (b.s, '~no such~'), a.s NOT IN (b.s), a.s " +
		"BETWEEN b.s AND b.s, a.s NOT BETWEEN b.s AND b.s," +
		" GREATEST(a.s, b.s) = b.s, LEAST(a.s, b.s) = b.s, (a.s, 1) = (b.s, 1), (a.s, 1) < (b.s, 2), INTERVAL(1, 2)" +
		" FROM t a, t b WHERE a._id" + in + " AND b._id" + in)
	stmt = strings.NewReplacer("a.s", "a."+column, "b.s", "b."+column, ", INTERVAL(1, 2)", "").Replace(stmt)
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	var want []string
	for _, a := range some {
		for _, b := range some {
			o := c.r.compare(a, b)
			eq := bit(o == 0)
			want = append(want, strings.Trim(fmt.Sprint([]int{a.id, b.id, bit(o < 0), bit(o <= 0), bit(o > 0), bit(o >= 0), eq,
				eq, 1 - eq, o, eq,
				eq, eq, eq, 1 - eq, eq, 1 - eq, bit(o <= 0), bit(o >= 0), eq, bit(o <= 0)}), "[]"))
		}
	}
	c.expect(want, stmt)
}

// index: predicates that the index answers, with it and without.
func (c *collated) index(column string, probes []ranked) {
	c.t.Helper()
	for _, setting := range []string{"ON", "OFF"} {
		if setting == "OFF" && len(probes) > 8 {
			probes = probes[:8] // what pairs checks already
		}
		c.exec("SET sqlfdb_use_index = " + setting)
		for i, p := range probes {
			q := probes[(i+3)%len(probes)]
			if c.r.compare(p, q) > 0 {
				p, q = q, p
			}
			where := func(want func(x ranked) bool, condition string, args ...string) {
				c.t.Helper()
				stmt, given := "SELECT _id FROM t WHERE "+column+" "+condition, []any(nil)
				for _, a := range args {
					if i%2 == 0 {
						given = append(given, a)
					} else {
						stmt = strings.Replace(stmt, "?", quotedText(strings.ReplaceAll(a, "?", "\ue001")), 1)
					}
				}
				c.expect(c.ids(want), stmt, given...)
			}
			less := func(x, y ranked) bool { return c.r.compare(x, y) < 0 }
			where(func(x ranked) bool { return c.r.compare(x, p) == 0 }, "= ?", p.s)
			where(func(x ranked) bool { return c.r.compare(x, p) == 0 }, "<=> ?", p.s)
			where(func(x ranked) bool { return c.r.compare(x, p) != 0 }, "<> ?", p.s)
			where(func(x ranked) bool { return less(x, p) }, "< ?", p.s)
			where(func(x ranked) bool { return !less(p, x) }, "<= ?", p.s)
			where(func(x ranked) bool { return less(p, x) }, "> ?", p.s)
			where(func(x ranked) bool { return !less(x, p) }, ">= ?", p.s)
			where(func(x ranked) bool { return !less(x, p) && !less(q, x) }, "BETWEEN ? AND ?", p.s, q.s)
			where(func(x ranked) bool { return less(x, p) || less(q, x) }, "NOT BETWEEN ? AND ?", p.s, q.s)
			where(func(x ranked) bool { return c.r.compare(x, p) == 0 || c.r.compare(x, q) == 0 }, "IN (?, ?)", p.s, q.s)
			where(func(x ranked) bool { return c.r.compare(x, p) != 0 && c.r.compare(x, q) != 0 }, "NOT IN (?, ?)", p.s, q.s)
			if c.r.identity {
				pattern := strings.NewReplacer("%", `\%`, "_", `\_`, `\`, `\\`).Replace(p.s)
				where(func(x ranked) bool { return strings.HasPrefix(x.s, p.s) }, "LIKE ?", pattern+"%")
				where(func(x ranked) bool { return x.s == p.s }, "LIKE ?", pattern)
				where(func(x ranked) bool { return !strings.HasPrefix(x.s, p.s) }, "NOT LIKE ?", pattern+"%")
			}
		}
	}
	c.exec("SET sqlfdb_use_index = ON")
}

// likes: LIKE finds the same with the index and without, where characters that
// differ may be equal: at least what begins with the very characters, and as much for a pattern of
// one character as =, but for marks, which are equal to marks alone.
func (c *collated) likes(column string, probes []ranked) {
	c.t.Helper()
	if c.r.identity {
		return // compared with what is to be, by index
	}
	for _, p := range probes {
		plain := strings.NewReplacer("%", `\%`, "_", `\_`, `\`, `\\`).Replace(p.s)
		for _, pattern := range []string{plain + "%", plain, plain + "_", plain + "%a"} {
			stmt := "SELECT _id FROM t WHERE " + column + " LIKE ?"
			c.exec("SET sqlfdb_use_index = OFF")
			off := c.rows(stmt, pattern)
			c.exec("SET sqlfdb_use_index = ON")
			c.expect(off, stmt, pattern)
			for _, x := range c.r.strings {
				found := slices.Contains(off, strconv.Itoa(x.id))
				if strings.HasPrefix(x.s, p.s) && strings.HasSuffix(pattern, "%") && !found {
					c.t.Errorf("%s: LIKE %q does not find %q", c.r.name, pattern, x.s)
				}
				// U+034F is one that combines with nothing.
				mark := func(s string) bool {
					return strings.IndexFunc(s, func(r rune) bool { return unicode.IsMark(r) && r != 0x34f }) >= 0
				}
				if mark(p.s) != mark(x.s) {
					continue
				}
				if pattern == plain && len([]rune(p.s)) == 1 && len([]rune(x.s)) == 1 && found != (c.r.compare(x, p) == 0) {
					c.t.Errorf("%s: %q LIKE %q is %v", c.r.name, x.s, pattern, found)
				}
			}
		}
	}
}

// uniqueness: a unique key and a primary key hold one string of each class.
func (c *collated) uniqueness() {
	c.t.Helper()
	var rows, kept []string
	byID := slices.Clone(c.r.strings)
	slices.SortFunc(byID, func(a, b ranked) int { return cmp.Compare(a.id, b.id) })
	for i, x := range byID {
		rows = append(rows, fmt.Sprintf("(%s, %d)", quotedText(x.s), x.id))
		if !slices.ContainsFunc(byID[:i], func(y ranked) bool { return c.r.compare(x, y) == 0 }) {
			kept = append(kept, strconv.Itoa(x.id))
		}
	}
	for _, table := range []string{"(s VARCHAR(700) COLLATE %s, n INT PRIMARY KEY, UNIQUE KEY one (s))",
		"(s VARCHAR(700) COLLATE %s PRIMARY KEY, n INT)", "(s VARCHAR(700) PRIMARY KEY, n INT) COLLATE %s"} {
		if c.r.name == "utf8mb4_0900_as_cs" && strings.HasSuffix(table, "%s") {
			continue // the default of tables, and keys compare as bytes in those
		}
		c.exec("DROP TABLE IF EXISTS k")
		c.exec("CREATE TABLE k " + fmt.Sprintf(table, c.r.name))
		c.exec("INSERT IGNORE INTO k (s, n) VALUES " + strings.Join(rows, ","))
		c.expect(kept, "SELECT n FROM k")
	}
}

// keys: reads of a primary key in the collation. The table is left by uniqueness.
func (c *collated) keys(probes []ranked) {
	c.t.Helper()
	var kept []ranked
	for _, n := range c.rows("SELECT n FROM k") {
		i := slices.IndexFunc(c.r.strings, func(x ranked) bool { return strconv.Itoa(x.id) == n })
		kept = append(kept, c.r.strings[i])
	}
	of := func(holds func(int) bool, p ranked) (out []string) {
		for _, x := range kept {
			if holds(c.r.compare(x, p)) {
				out = append(out, strconv.Itoa(x.id))
			}
		}
		return out
	}
	for _, p := range probes {
		c.expect(of(func(o int) bool { return o == 0 }, p), "SELECT n FROM k WHERE s = ?", p.s)
		c.expect(of(func(o int) bool { return o < 0 }, p), "SELECT n FROM k WHERE s < ?", p.s)
		c.expect(of(func(o int) bool { return o >= 0 }, p), "SELECT n FROM k WHERE s >= ?", p.s)
		c.exec("UPDATE k SET s = ? WHERE s = ?", p.s, p.s)
		want := []string{p.s}
		if len(of(func(o int) bool { return o == 0 }, p)) == 0 {
			want = nil
		}
		c.expect(want, "SELECT s FROM k WHERE s = ?", p.s)
	}
}
