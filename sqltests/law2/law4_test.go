package law2

import (
	"cmp"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var law4Seed = flag.Uint64("law4-seed", 0, "seed of the random values of law 4; 0 takes the one of all random tests")

// orderedType is a type with values whose order a model knows.
type orderedType struct {
	name, column string
	literals     []string // SQL; of JSON, CAST(… AS JSON)
	compare      func(i, j int) int
}

func byNumber(literals ...string) func(i, j int) int {
	return func(i, j int) int { return compareSpelled(literals[i], literals[j]) }
}

func numberType4(name, column string, literals ...string) orderedType {
	return orderedType{name, column, literals, byNumber(literals...)}
}

func timeType4(name, column string, texts ...string) orderedType {
	t := orderedType{name: name, column: column, compare: func(i, j int) int {
		a, aok := timeOf(texts[i])
		b, bok := timeOf(texts[j])
		if !aok || !bok {
			panic(texts[i] + " or " + texts[j])
		}
		return cmp.Compare(a, b)
	}}
	for _, s := range texts {
		t.literals = append(t.literals, "'"+s+"'")
	}
	return t
}

func textType4(o order, texts []string) orderedType {
	t := orderedType{name: orderNames[o], column: "VARCHAR(400) COLLATE " + orderNames[o],
		compare: func(i, j int) int { return compareStrings(o, texts[i], texts[j]) }}
	for _, s := range texts {
		t.literals = append(t.literals, quotedSQL(s))
	}
	return t
}

func jsonType4(name string, w *world, n int) orderedType {
	values := []jsonModel{{}, boolModel(true), boolModel(false), arrayModel(), {typ: jsonObject}, arrayModel(jsonModel{})}
	for range n {
		values = append(values, w.any(3))
	}
	t := orderedType{name: name, column: "JSON", compare: func(i, j int) int { return compareJSON(values[i], values[j]) }}
	for _, v := range values {
		t.literals = append(t.literals, jsonLiteral(v).spelled)
	}
	return t
}

// TestLaw4 is law 4 over the wire: what < = > say of two values, ORDER BY and
// the ranges of the index are one order.
func TestLaw4(t *testing.T) {
	seed := testseed.Of(t, "law4-seed", *law4Seed)
	db := harness.Serve(t)
	c, err := open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	w := &world{r: rand.New(rand.NewPCG(seed, 4))}
	texts := slices.Concat(plainTexts, oddTexts, longTexts[:10])
	types := []orderedType{
		numberType4("bigint", "BIGINT", "0", "1", "-1", "9007199254740992", "9007199254740993", "9007199254740991",
			"-9223372036854775808", "9223372036854775807", "10", "9"),
		numberType4("unsigned", "BIGINT UNSIGNED", "0", "1", "9223372036854775807", "9223372036854775808",
			"18446744073709551615", "18446744073709551614", "9007199254740993"),
		numberType4("small", "TINYINT", "-128", "127", "0", "-1"),
		numberType4("decimal", "DECIMAL(65,30)", "0", "0.000000000000000000000000000001", "-0.000000000000000000000000000001",
			"99999999999999999999999999999999999", "99999999999999999999999999999999998.999999999999999999999999999999", "1",
			"-1", "1.5", "9007199254740993", "9007199254740992"),
		numberType4("double", "DOUBLE", "0e0", "1e308", "-1e308", "1.7976931348623157e308", "5e-324", "-5e-324", "0.1e0",
			"0.30000000000000004e0", "0.3e0", "9007199254740992e0", "1e0", "-1e0", "100e0", "1e-7"),
		numberType4("year", "YEAR", "1901", "1999", "2024", "2155"),
		timeType4("date", "DATE", "2024-01-01", "0001-01-01", "9999-12-31", "1969-12-31", "1970-01-01", "2024-02-29",
			"2024-03-01"),
		timeType4("datetime", "DATETIME(6)", "2024-01-01 00:00:00", "2024-01-01 00:00:00.000001",
			"2023-12-31 23:59:59.999999", "1000-01-01 00:00:00", "9999-12-31 23:59:59", "2024-01-01 00:00:01",
			"1969-12-31 23:59:59"),
		timeType4("time", "TIME(6)", "00:00:00", "-00:00:01", "-838:59:59", "838:59:59", "00:00:00.000001",
			"-00:00:00.000001", "10:00:00", "09:59:59.999999", "100:00:00"),
		textType4(unicodeOrder, texts), textType4(byteOrder, texts), textType4(letterOrder, texts),
		textType4(accentOrder, texts), textType4(swedishOrder, texts),
		jsonType4("json", w, 60),
	}
	for _, ty := range types {
		t.Run(ty.name, func(t *testing.T) { ty.check(t, w, c) })
	}
	harness.CheckAll(t, db)
}

func (ty orderedType) check(t *testing.T, w *world, c connections) {
	ctx := context.Background()
	table := "v_" + ty.name
	mustExec := func(stmt string) {
		if _, err := c.on.ExecContext(ctx, stmt); err != nil {
			t.Fatalf("%v\n%s", err, stmt)
		}
	}
	// Half of the documents lack the value, so that ranges are cheaper than scans.
	mustExec("CREATE TABLE " + table + " (_id VARCHAR(255) PRIMARY KEY, v " + ty.column + ", _doc JSON)")
	var values, lacking []string
	for i, l := range ty.literals {
		values = append(values, fmt.Sprintf("('%03d', %s)", i, l))
		for j := range 3 {
			lacking = append(lacking, fmt.Sprintf(`('{"_id":"z%03d%d"}')`, i, j))
		}
	}
	mustExec("INSERT INTO " + table + " (_id, v) VALUES " + strings.Join(values, ", "))
	mustExec("INSERT INTO " + table + " (_doc) VALUES " + strings.Join(lacking, ", "))

	// ORDER BY, both ways.
	sorted := make([]int, len(ty.literals))
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, ty.compare)
	ids := func(list []int) []string {
		out := make([]string, len(list))
		for k, i := range list {
			out[k] = fmt.Sprintf("%03d", i)
		}
		return out
	}
	both := func(stmt string, want []string) {
		t.Helper()
		for name, conn := range map[string]*sql.Conn{"ON": c.on, "OFF": c.off} {
			got := column1(conn, stmt)
			if !slices.Equal(got, want) {
				t.Errorf("index %s: %s\ngot  %s\nwant %s", name, stmt, shown(got), shown(want))
			}
		}
	}
	// A JSON null is SQL NULL as a column; the paths into _doc keep it.
	v := "v"
	if ty.column == "JSON" {
		v = "_doc->'$.v'"
	}
	both("SELECT _id FROM "+table+" WHERE _id < 'z' ORDER BY "+v+", _id", ids(sorted))

	// < = > of pairs.
	for range 40 {
		i, j := w.r.IntN(len(ty.literals)), w.r.IntN(len(ty.literals))
		want := ty.compare(i, j)
		columns := fmt.Sprintf(
			"SELECT CONCAT(x.%[2]s < y.%[2]s, x.%[2]s = y.%[2]s, x.%[2]s > y.%[2]s) FROM %[1]s x JOIN %[1]s y WHERE "+
				"x._id = '%03[3]d' AND y._id = '%03[4]d'", table, v, i, j)
		literal := fmt.Sprintf("SELECT CONCAT(%[2]s < %[4]s, %[2]s = %[4]s, %[2]s > %[4]s) FROM %[1]s WHERE _id = '%03[3]d'",
			table, v, i, ty.literals[j])
		bits := []string{fmt.Sprintf("%d%d%d", bit(want < 0), bit(want == 0), bit(want > 0))}
		both(columns, bits)
		both(literal, bits)
	}

	// The ranges that the index finds.
	for range 12 {
		j := w.r.IntN(len(ty.literals))
		for _, op := range []string{"<", "<=", "=", ">=", ">", "<>"} {
			var want []int
			for i := range ty.literals {
				if opHolds(op, ty.compare(i, j)) {
					want = append(want, i)
				}
			}
			both(fmt.Sprintf("SELECT _id FROM %s WHERE %s %s %s ORDER BY _id", table, v, op, ty.literals[j]), ids(want))
		}
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// column1 is the first column of a query's rows, or its error.
func column1(c *sql.Conn, stmt string) []string {
	rows, err := c.QueryContext(context.Background(), stmt)
	if err != nil {
		return []string{harness.ErrorText(err)}
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			return []string{harness.ErrorText(err)}
		}
		if !s.Valid {
			s.String = "NULL"
		}
		out = append(out, s.String)
	}
	if err := rows.Err(); err != nil {
		return []string{harness.ErrorText(err)}
	}
	return out
}
