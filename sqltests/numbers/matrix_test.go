package numbers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// matrixColumns are columns of each kind, with four values of which some are
// equal to values of other kinds. A fifth row has NULLs.
var matrixColumns = []struct{ name, typ, values string }{
	{"ti", "TIME", "'10:00:00'; '01:02:03'; '-00:00:05'; '00:00:10'"},
	{"d", "DATE", "'2020-01-02'; '1999-12-31'; '2010-10-10'; '2020-01-02'"},
	{"dt", "DATETIME", "'2020-01-02 00:00:00'; '1999-12-31 10:00:00'; '2010-10-10 10:10:10'; '2020-01-02 03:04:05'"},
	{"ts", "TIMESTAMP", "'2020-01-02 00:00:00'; '1999-12-31 10:00:00'; '2010-10-10 10:10:10'; '2020-01-02 03:04:05'"},
	{"y", "YEAR", "2020; 1999; 2010; 2001"},
	{"b", "BIT(8)", "1; 2; 7; 10"}, // unsigned: with -00:00:05 it makes no sum below 0, which is refused
	{"st", "SET('a','b','c','10')", "'a'; 'b'; 'a,b'; '10'"},
	{"en", "ENUM('a','b','c','10')", "'a'; 'b'; 'c'; '10'"},
	{"i", "BIGINT", "1; 20200102; 100000; 10"},
	{"de", "DECIMAL(20,4)", "1; 2.5; 10203; 20200102000000"},
	{"f", "DOUBLE", "1; 2.5; 100000; 2020"},
	{"tx", "VARCHAR(50)", "'10:00:00'; '2020-01-02'; 'a'; '10'"},
	{"ci", "VARCHAR(50) COLLATE utf8mb4_0900_ai_ci", "'10:00'; '2020-01-02 00:00:00'; 'A'; '2020'"},
	{"vb", "VARBINARY(50)", "'10:00:00'; '2020-01-02'; 'a'; '10'"},
	{"js", "JSON", "'\"10:00:00\"'; '\"2020-01-02\"'; '\"a\"'; '10'"},
}

// newMatrix makes the table k with the columns, and rows enough that joins and
// ranges have a choice.
func newMatrix(t *testing.T) *numberTest {
	n := newNumberTest(t)
	defs := []string{"_id INT PRIMARY KEY"}
	rows := []string{"1", "2", "3", "4", "5"}
	for _, c := range matrixColumns {
		defs = append(defs, c.name+" "+c.typ)
		for i, v := range strings.Split(c.values, "; ") {
			rows[i] += ", " + v
		}
		rows[4] += ", NULL"
	}
	n.exec("CREATE TABLE m (" + strings.Join(defs, ", ") + ")")
	n.exec("INSERT INTO m VALUES (" + strings.Join(rows, "), (") + ")")
	n.exec("INSERT INTO m (_id) SELECT a._id * 100 + b._id FROM m a, m b")
	return n
}

// agreed gives the rows of a query, which must be the same with the index and
// without, and no error.
func (n *numberTest) agreed(stmt string) [][]string {
	n.Helper()
	on, err := fetchRows(n.on, stmt, nil)
	off, offErr := fetchRows(n.off, stmt, nil)
	if err != nil || offErr != nil || fmt.Sprint(on) != fmt.Sprint(off) {
		n.Errorf("%s\nwith the index    %v %v\nwithout the index %v %v", stmt, on, err, off, offErr)
	}
	return on
}

// comparable is agreed for a statement with a constant, which may be refused: what
// is no date, and is compared with one.
func (n *numberTest) comparable(stmt string) {
	n.Helper()
	on, err := fetchRows(n.on, stmt, nil)
	off, offErr := fetchRows(n.off, stmt, nil)
	refused := err != nil && (strings.HasPrefix(err.Error(), "Error 1292 ") ||
		strings.HasPrefix(err.Error(), "Error 1525 "))
	if fmt.Sprint(on, err) != fmt.Sprint(off, offErr) || err != nil && !refused {
		n.Errorf("%s\nwith the index    %v %v\nwithout the index %v %v", stmt, on, err, off, offErr)
	}
}

// TestTypeMatrix compares columns of all types with each other. All constructs
// that compare must agree on what is equal, whatever they convert, and none may fail.
func TestTypeMatrix(t *testing.T) {
	n := newMatrix(t)
	hints := []string{"HASH_JOIN(k,z)", "MERGE_JOIN(k,z)", "LOOKUP_JOIN(k,z)", "INNER_JOIN(k,z)"}
	for i, a := range matrixColumns {
		for j, b := range matrixColumns {
			if (2*i+j)%3 == 1 && !*numbersAll {
				continue
			}
			rows := n.agreed(fmt.Sprintf(`SELECT k._id, z._id, k.%[1]s = z.%[2]s, k.%[1]s <=> z.%[2]s, k.%[1]s IN (z.%[2]s,
				NULL), k.%[1]s BETWEEN z.%[2]s AND z.%[2]s,
				CASE k.%[1]s WHEN z.%[2]s THEN 1 ELSE 0 END, NULLIF(k.%[1]s, z.%[2]s) IS NULL, NOT (k.%[1]s <> z.%[2]s),
					(k.%[1]s, 1) = (z.%[2]s, 1), z.%[2]s = k.%[1]s
				FROM m k, m z WHERE k._id < 6 AND z._id < 6 ORDER BY 1, 2`, a.name, b.name))
			var pairs [][]string
			var ids []string
			for _, r := range rows {
				equal := r[2] == "1"
				if equal {
					pairs, ids = append(pairs, r[:2]), append(ids, r[0])
				}
				null := r[0] == "5" && r[1] == "5"
				ok := (r[3] == "1") == (equal || null) && (r[6] == "1") == equal && (r[7] == "1") == (equal || r[0] == "5")
				for _, same := range []int{5, 8, 9, 10} {
					ok = ok && r[same] == r[2]
				}
				if in := r[4] == "1"; !ok || in != equal {
					n.Errorf("%s = %s: %v: =, <=>, IN, BETWEEN, CASE, NULLIF, <>, row, = reversed", a.name, b.name, r)
				}
			}
			n.agreed(fmt.Sprintf(`SELECT _id, GREATEST(%[1]s, %[2]s), LEAST(%[1]s, %[2]s), IF(_id = 1, %[1]s, %[2]s),
				COALESCE(%[1]s, %[2]s), IFNULL(%[1]s, %[2]s), CASE WHEN _id = 1 THEN %[1]s ELSE %[2]s END,
				NULLIF(%[1]s, %[2]s), CONCAT(%[1]s, %[2]s), %[1]s + %[2]s, FIELD(%[1]s, %[2]s) FROM m WHERE _id < 6 ORDER BY 1`,
				a.name, b.name))
			n.agreed(fmt.Sprintf("SELECT %s FROM m UNION SELECT %s FROM m ORDER BY 1", a.name, b.name))
			hint := hints[(i+j)%len(hints)]
			joined := n.agreed(fmt.Sprintf("SELECT /*+ %s */ k._id, z._id FROM m k JOIN m z ON k.%s = z.%s ORDER BY 1, 2", hint,
				a.name, b.name))
			if fmt.Sprint(joined) != fmt.Sprint(pairs) {
				n.Errorf("%s of %s = %s: %v, want %v", hint, a.name, b.name, joined, pairs)
			}
			ids = slices.Compact(ids)
			var in, notIn []string
			for _, r := range n.agreed(fmt.Sprintf("SELECT _id FROM m WHERE %s IN (SELECT %s FROM m z) ORDER BY 1", a.name,
				b.name)) {
				in = append(in, r[0])
			}
			for _, r := range n.agreed(
				fmt.Sprintf("SELECT _id FROM m WHERE %s NOT IN (SELECT %[2]s FROM m z WHERE %[2]s IS NOT NULL AND _id < 2) "+
					"ORDER BY 1", a.name, b.name)) {
				notIn = append(notIn, r[0])
			}
			if !slices.Equal(in, ids) {
				n.Errorf("%s IN (SELECT %s): %v, want %v", a.name, b.name, in, ids)
			}
			want := []string{"1", "2", "3", "4"}
			for _, r := range rows {
				if r[1] == "1" && r[2] != "0" {
					want = slices.DeleteFunc(want, func(id string) bool { return id == r[0] })
				}
			}
			if !slices.Equal(notIn, want) {
				n.Errorf("%s NOT IN (SELECT %s of row 1): %v, want %v", a.name, b.name, notIn, want)
			}
		}
	}
	harness.CheckAll(t, n.pool)
}

// TestTypeFunctions computes with columns of all types, alone and beside
// constants. Nothing may fail.
func TestTypeFunctions(t *testing.T) {
	n := newMatrix(t)
	constants := []string{"NULL", "10", "-1", "1e0", "2.5", "TRUE", "FALSE", "x'61'", "20200102", "CAST('\"a\"' AS JSON)",
		"TIME'10:00:00'", "DATE'2020-01-02'", "TIMESTAMP'2020-01-02 00:00:00'", "b'1010'", "99"}
	for i, c := range matrixColumns {
		n.agreed(strings.ReplaceAll(
			"SELECT SUM(x), AVG(x), MIN(x), MAX(x), COUNT(DISTINCT x), SUM(DISTINCT x), STDDEV(x), VARIANCE(x), "+
				"BIT_OR(x), GROUP_CONCAT(x ORDER BY x) FROM m", "x", c.name))
		n.agreed(strings.ReplaceAll(
			"SELECT x + 0, -x, x / 2, x DIV 2, x % 7, x & 1, ABS(x), ROUND(x), FLOOR(x), SIGN(x), SQRT(x), MOD(x, 7), "+
				"CAST(x AS SIGNED), CAST(x AS DECIMAL(30,2)), CAST(x AS DOUBLE) FROM m WHERE _id < 6 ORDER BY _id", "x", c.name))
		n.agreed(strings.ReplaceAll(
			"SELECT CONCAT(x, '!'), UPPER(x), LENGTH(x), LEFT(x, 2), HEX(x), CAST(x AS CHAR), CAST(x AS BINARY), x IS "+
				"TRUE, NOT x, x LIKE '1%', JSON_ARRAY(x) FROM m WHERE _id < 6 ORDER BY _id", "x", c.name))
		n.agreed(strings.ReplaceAll(
			"SELECT _id, RANK() OVER (ORDER BY x), SUM(x) OVER (ORDER BY _id), MIN(x) OVER (PARTITION BY x ORDER BY _id) "+
				"FROM m WHERE _id < 6 ORDER BY 1", "x", c.name))
		n.agreed(strings.ReplaceAll("SELECT x, COUNT(*) FROM m GROUP BY x ORDER BY x", "x", c.name))
		n.agreed(strings.ReplaceAll("SELECT DISTINCT x FROM m ORDER BY x DESC", "x", c.name))
		for j, v := range constants {
			if (i+j)%2 == 1 && !*numbersAll {
				continue
			}
			n.comparable(strings.NewReplacer("x", c.name, "V",
				v).Replace("SELECT _id FROM m WHERE x = V OR x <=> V OR x < V OR x BETWEEN V AND V OR x IN (V) OR (x, 1) IN " +
				"((V, 1)) OR CASE x WHEN V THEN 1 END ORDER BY 1"))
			n.comparable(strings.NewReplacer("x", c.name, "V",
				v).Replace("SELECT _id, GREATEST(x, V), IF(_id = 1, x, V), COALESCE(x, V), CASE WHEN _id = 1 THEN x ELSE V " +
				"END, NULLIF(x, V), x + V FROM m WHERE _id < 6 ORDER BY 1"))
		}
	}
}
