package numbers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// typedColumn is a declared column and the literals of its values, which differ
// and stand in the order in which they compare. The last row has NULL.
type typedColumn struct {
	name, typ string
	values    []string
	sorted    []int // the order of ORDER BY, if it is another one; NULL is left out
	indexed   bool  // a condition on the column reads the index
}

var typedColumns = []typedColumn{
	{name: "d", typ: "DATE", indexed: true, values: []string{"'1000-01-01'", "'1999-12-31'", "'2020-01-02'",
		"'9999-12-31'"}},
	{name: "dt", typ: "DATETIME", indexed: true, values: []string{"'1000-01-01 00:00:00'", "'2020-01-02 03:04:05'",
		"'2020-01-02 03:04:06'", "'9999-12-31 23:59:59'"}},
	{name: "dt6", typ: "DATETIME(6)", indexed: true, values: []string{"'2020-01-02 03:04:05'",
		"'2020-01-02 03:04:05.000001'", "'2020-01-02 03:04:05.1'", "'2020-01-02 03:04:06'", "'9999-12-31 23:59:59.999999'"}},
	{name: "ts", typ: "TIMESTAMP", indexed: true, values: []string{"'1970-01-02 00:00:01'", "'2020-01-02 03:04:05'",
		"'2020-01-02 03:04:06'", "'2038-01-18 03:14:07'"}},
	{name: "t", typ: "TIME(6)", indexed: true, values: []string{"'-838:59:59'", "'-01:00:00'", "'-00:00:00.000001'",
		"'00:00:00'", "'00:00:00.000001'", "'09:59:59.999999'", "'10:00:00'", "'838:59:59'"}},
	{name: "e", typ: "ENUM('c','a','b')", indexed: true, values: []string{"'a'", "'b'", "'c'"}, sorted: []int{2, 0, 1}},
	{name: "s", typ: "SET('x','y','z')", indexed: true, values: []string{"''", "'x'", "'x,z'", "'z'"},
		sorted: []int{0, 1, 3, 2}},
	{name: "vb", typ: "VARBINARY(20)", values: []string{"x''", "x'00'", "x'0001'", "x'41'", "x'61'", "x'6100'", "x'6161'",
		"x'7f'", "x'80'", "x'ff'", "x'ff00'"}},
	{name: "bl", typ: "BLOB", values: []string{"x''", "x'00'", "x'41'", "x'61'", "x'c3a9'", "x'ff'"}},
	{name: "bn", typ: "BINARY(2)", values: []string{"x'0000'", "x'0001'", "x'4100'", "x'6100'", "x'ffff'"}},
	{name: "f", typ: "FLOAT", indexed: true, values: []string{"-1e30", "-0.1", "0", "1e-40", "0.1", "0.3", "16777216",
		"1e30"}},
	{name: "y", typ: "YEAR", indexed: true, values: []string{"0", "1901", "1999", "2000", "2155"}},
	{name: "b", typ: "BIT(8)", indexed: true, values: []string{"0", "1", "5", "255"}},
	{name: "tf", typ: "BOOLEAN", indexed: true, values: []string{"FALSE", "TRUE"}},
}

// TestDeclaredTypes proves that values of declared columns compare as their
// types do, in every construct, with the index and without.
func TestDeclaredTypes(t *testing.T) {
	n := newNumberTest(t)
	most := 0
	defs := []string{"_id INT PRIMARY KEY"}
	for _, c := range typedColumns {
		defs = append(defs, c.name+" "+c.typ)
		most = max(most, len(c.values))
	}
	n.exec("CREATE TABLE k (" + strings.Join(defs, ", ") + ")")
	for id := range most + 1 {
		row := []string{fmt.Sprint(id)}
		for _, c := range typedColumns {
			if id < len(c.values) {
				row = append(row, c.values[id])
			} else {
				row = append(row, "NULL")
			}
		}
		n.exec("INSERT INTO k VALUES (" + strings.Join(row, ", ") + ")")
	}
	n.exec("INSERT INTO k (_id) SELECT 100 + i FROM doc WHERE i BETWEEN 3 AND 9") // so that ranges pay
	for i := range 40 {
		n.exec(fmt.Sprintf("INSERT INTO k (_id) VALUES (%d)", 200+i))
	}
	for condition, want := range map[string][]int{
		"d = 20200102": {2}, "d > 19991231": {2, 3}, "20200102 >= d": {0, 1, 2}, "d BETWEEN 991231 AND 20200102": {1, 2},
		"d IN (20200102, '1999-12-31')": {1, 2},
		"dt = 20200102030405":           {1}, "dt > 20200102": {1, 2, 3}, "ts < 200102030406": {0, 1},
		"dt6 <= 20200102030405": {0}, "d <> 5": {0, 1, 2, 3},
	} {
		n.rows("SELECT _id FROM k WHERE "+condition, nil, wantIDs(want))
	}
	for _, c := range typedColumns {
		t.Run(c.typ, func(t *testing.T) {
			n.T, n.failed = t, 0
			n.typed(c)
		})
	}
	harness.CheckAll(t, n.pool)
}

func (n *numberTest) typed(c typedColumn) {
	which := func(holds func(i int) bool) []int {
		var out []int
		for i := range c.values {
			if holds(i) {
				out = append(out, i)
			}
		}
		return out
	}
	where := func(condition string, want []int) {
		n.Helper()
		n.rows("SELECT _id FROM k WHERE "+condition, nil, wantIDs(want))
	}
	for k, v := range c.values {
		if k != 1 && k != len(c.values)-1 && !*numbersAll {
			continue
		}
		for op, holds := range map[string]func(i int) bool{
			"=": func(i int) bool { return i == k }, "<>": func(i int) bool { return i != k },
			"<=>": func(i int) bool { return i == k },
			"<":   func(i int) bool { return i < k }, "<=": func(i int) bool { return i <= k },
			">": func(i int) bool { return i > k }, ">=": func(i int) bool { return i >= k },
		} {
			where(c.name+" "+op+" "+v, which(holds))
		}
		where(v+" > "+c.name, which(func(i int) bool { return i < k }))
		where(c.name+" IN ("+v+", "+c.values[0]+")", which(func(i int) bool { return i == k || i == 0 }))
		where(c.name+" NOT IN ("+v+", "+c.values[0]+")", which(func(i int) bool { return i != k && i != 0 }))
		where(c.name+" BETWEEN "+c.values[0]+" AND "+v, which(func(i int) bool { return i <= k }))
		where("CASE "+c.name+" WHEN "+v+" THEN 1 END = 1", which(func(i int) bool { return i == k }))
		where("NULLIF("+c.name+", "+v+") IS NULL AND "+c.name+" IS NOT NULL", which(func(i int) bool { return i == k }))
		where(c.name+" = (SELECT "+c.name+" FROM k x WHERE x._id = "+fmt.Sprint(k)+")",
			which(func(i int) bool { return i == k }))
		where(c.name+" IN (SELECT "+c.name+" FROM k x WHERE x._id = "+fmt.Sprint(k)+")",
			which(func(i int) bool { return i == k }))
	}
	all := which(func(int) bool { return true })
	order := c.sorted
	if order == nil {
		order = all
	}
	down := slices.Clone(order)
	slices.Reverse(down)
	present := " FROM k WHERE " + c.name + " IS NOT NULL "
	n.rows("SELECT _id"+present+"ORDER BY "+c.name, nil, wantOrder(order))
	n.rows("SELECT _id FROM k ORDER BY "+c.name+" DESC LIMIT "+fmt.Sprint(len(down)), nil, wantOrder(down))
	n.rows("SELECT _id"+present+"ORDER BY RANK() OVER (ORDER BY "+c.name+")", nil, wantOrder(order))
	n.rows("SELECT COUNT(*), COUNT(DISTINCT "+c.name+"), COUNT("+c.name+")"+present, nil, func(rows [][]string) string {
		if got, want := fmt.Sprint(rows), fmt.Sprintf("[[%[1]d %[1]d %[1]d]]", len(all)); got != want {
			return got + ", want " + want
		}
		return ""
	})
	n.rows("SELECT _id FROM k WHERE "+c.name+" = (SELECT MIN("+c.name+") FROM k)", nil, wantIDs([]int{0}))
	n.rows("SELECT _id FROM k WHERE "+c.name+" = (SELECT MAX("+c.name+") FROM k)", nil, wantIDs([]int{len(all) - 1}))
	n.rows("SELECT MIN(_id)"+present+"GROUP BY "+c.name+" ORDER BY 1", nil, wantOrder(all))
	for _, hint := range []string{"", "/*+ MERGE_JOIN(x,z) */", "/*+ HASH_JOIN(x,z) */", "/*+ INNER_JOIN(x,z) */"} {
		n.rows("SELECT "+hint+" x._id FROM k x JOIN k z ON x."+c.name+" = z."+c.name, nil, wantIDs(all))
	}
	explain, err := fetchRows(n.on, "EXPLAIN FORMAT=TREE SELECT _id FROM k WHERE "+c.name+" = "+c.values[1], nil)
	if plan := fmt.Sprint(explain); err != nil || strings.Contains(plan, "Table scan on") == c.indexed {
		n.Errorf("%s = %s: read along the index, want %v: %v\n%s", c.name, c.values[1], c.indexed, err, plan)
	}
}

// TestOddlySpelled: documents hold values of declared columns as they came. What
// a column makes of them is what its ranges find.
func TestOddlySpelled(t *testing.T) {
	n := newNumberTest(t)
	n.exec("CREATE TABLE o (_id INT PRIMARY KEY, t TIME, ts TIMESTAMP, d DATE, e ENUM('a','b','2'), y YEAR, f " +
		"FLOAT, b BIT(8), dd DECIMAL(10,2), _doc JSON)")
	odd := map[string][]string{
		"t": {`"10:00:00"`, `"1:2:3"`, `"10:00"`, `"-00:00:01"`, `"00:00:00.5"`, `"10:00:00.999999"`},
		"ts": {`"2020-01-02 03:04:05"`, `"2020-01-02 03:04:05.7"`, `"2020-01-02 03:04:05.2"`, `"2020-01-02T03:04:05"`,
			`"2020-01-02"`},
		"d":  {`"2020-01-02"`, `"2020-1-2"`, `"2020-01-02 10:00:00"`},
		"e":  {`"a"`, `"b"`, `"2"`},
		"y":  {`2020`, `20`, `99`, `1999`, `0`},
		"f":  {`0.1`, `0.100000001`, `0.10000001`, `16777217`, `16777216`, `1e-50`, `123456789`, `1`},
		"b":  {`0`, `1`, `255`},
		"dd": {`0.005`, `0.004`, `0.01`, `1e2`, `100.004`},
	}
	id := 0
	for column, values := range odd {
		for _, v := range values {
			id++
			if _, err := n.on.ExecContext(context.Background(),
				fmt.Sprintf(`INSERT INTO o (_doc) VALUES ('{"_id":%d,%q:%s}')`, id, column, v)); err != nil {
				t.Logf("%s %s is refused: %v", column, v, err)
			}
		}
	}
	for i := range 60 {
		n.exec(fmt.Sprintf(`INSERT INTO o (_doc) VALUES ('{"_id":%d}')`, 1000+i))
	}
	constants := map[string][]string{
		"t":  {"'10:00:00'", "'01:02:03'", "'00:00:01'", "'00:00:00.5'", "'-00:00:01'"},
		"ts": {"'2020-01-02 03:04:05'", "'2020-01-02 03:04:06'", "'2020-01-02'"},
		"d":  {"'2020-01-02'", "'2020-01-01'"}, "e": {"'a'", "'b'", "'2'", "2", "'q'"}, "y": {"2020", "20", "1999", "0"},
		"f": {"0.1", "16777216", "0", "1", "0.10000001", "1.234568e8", "123456792"}, "b": {"1", "255", "256", "-1"},
		"dd": {"0.01", "0", "100", "0.005"},
	}
	for column, list := range constants {
		for _, v := range list {
			for _, op := range []string{"=", "<>", "<", "<=", ">", ">=", "<=>"} {
				stmt := fmt.Sprintf("SELECT _id FROM o WHERE %s %s %s ORDER BY _id", column, op, v)
				on, err := fetchRows(n.on, stmt, nil)
				off, offErr := fetchRows(n.off, stmt, nil)
				if fmt.Sprint(on, err) != fmt.Sprint(off, offErr) {
					t.Errorf("%s\nwith the index %v %v\nwithout %v %v", stmt, on, err, off, offErr)
				}
			}
		}
	}
	harness.CheckAll(t, n.pool)
}

// TestLongLiterals: a literal with more digits than the engine's DECIMAL is the
// number that it spells.
func TestLongLiterals(t *testing.T) {
	n := newNumberTest(t)
	n.exec("CREATE TABLE t (id INT PRIMARY KEY, d DECIMAL(65,30), i INT)")
	n.exec("INSERT INTO t VALUES (1, 0.1, 5), (2, 0.2, 0), (3, NULL, NULL)")
	const long = "0.1000000000000000055511151231257827"
	for _, c := range []struct{ query, rows string }{
		{"SELECT id FROM t WHERE d < " + long, "1"},
		{"SELECT id FROM t WHERE " + long + " < d", "2"},
		{"SELECT id FROM t WHERE i < " + long, "2"},
		{"SELECT _id FROM doc WHERE x = 0.1000000000000000055511151231257827 ORDER BY _id", "7"},
		{"SELECT _id FROM doc WHERE _doc->'$.x' = 0.1000000000000000055511151231257827", "7"},
		{"SELECT id FROM t WHERE i IN (" + long + ", 5)", "1"},
		{"SELECT id FROM t WHERE d BETWEEN -" + long + " AND " + long, "1"},
		{"SELECT id FROM t WHERE (i, d) = (5, " + long + ")", ""},
		{"SELECT id FROM t WHERE d < " + nines65 + " ORDER BY id", "1|2"},
		{"SELECT id FROM t WHERE d > -" + nines65 + " ORDER BY id", "1|2"},
		{"SELECT COUNT(*) FROM t WHERE d <> " + nines65, "2"},
		{"SELECT GREATEST(i, " + nines65 + ") = i, LEAST(" + nines65 + ", i) = i FROM t WHERE id = 1", "0"},
		{"SELECT CASE d WHEN " + long + " THEN 1 ELSE 0 END FROM t WHERE id = 1", "0"},
		{"SELECT GREATEST(d, " + long + ") = d FROM t WHERE id < 3 ORDER BY id", "0|1"},
	} {
		n.rows(c.query, nil, func(rows [][]string) string {
			var got []string
			for _, r := range rows {
				got = append(got, r[0])
			}
			if g := strings.Join(got, "|"); g != c.rows {
				return "got " + g + ", want " + c.rows
			}
			return ""
		})
	}
}
