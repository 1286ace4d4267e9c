package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	executorSeed       = flag.Uint64("executor-seed", 0, "seed of the random aggregates; 0: of all random tests")
	executorStatements = flag.Int("executor-statements", 150, "how many random aggregates to run with each executor")
)

// executors makes rows of every type that the batch executor reads, and aggregates of them.
type executors struct {
	r *rand.Rand
}

func (x *executors) pick(of ...string) string { return of[x.r.IntN(len(of))] }

// executorTables have the same columns: declared, or as documents have them.
var executorTables = []string{
	`CREATE TABLE declared (id INT PRIMARY KEY, i INT, m INT, e DECIMAL(9,1), n BIGINT,
		u BIGINT UNSIGNED, s SMALLINT UNSIGNED, y TINYINT(1),
		k DECIMAL(10,2), w DECIMAL(18,4), d DOUBLE, day DATE, at DATETIME, f DATETIME(3),
		t VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, b VARCHAR(40) COLLATE utf8mb4_bin)`,
	"CREATE TABLE open (id INT PRIMARY KEY, _doc JSON)",
	"CREATE TABLE side (sid INT PRIMARY KEY, si INT, sk DECIMAL(10,2))",
	"INSERT INTO side VALUES (1, 0, 1.5), (2, 0, 0.5), (3, 1, NULL), (4, 12, 7), (5, NULL, 3), (6, 99, 2), (7, -7, 1.01)",
}

// executorValues are what the columns have: a value that is far from all others seldom.
var executorValues = []struct {
	name         string
	values, rare []string
}{
	{"i", []string{"0", "1", "-7", "12"}, []string{"2147483647", "-2147483648"}},
	{"m", executorSpread("%d"), []string{"-2147483648"}},
	{"e", executorSpread("%d.5"), []string{"0.0", "-1.0"}},
	{"n", []string{"0", "3", "-5", "1000"}, []string{"9223372036854775807", "-9223372036854775808", "9007199254740993"}},
	{"u", []string{"0", "3", "8"}, []string{"18446744073709551615", "9223372036854775808"}},
	{"s", []string{"0", "2", "65535"}, []string{"1"}},
	{"y", []string{"true", "false"}, []string{"true"}},
	{"k", []string{"0.00", "1.50", "-2.25", "100", "0.1"}, []string{"99999999.99", "-99999999.99"}},
	{"w", []string{"0.5", "1.2345", "-3"}, []string{"99999999999999.9999"}},
	{"d", []string{"0.1", "0.2", "-0.0", "2.5", "3"}, []string{"1e308", "5e-324", "0.30000000000000004"}},
	{"day", []string{`"2024-02-29"`, `"1999-12-31"`, `"2024-03-01"`}, []string{`"0001-01-01"`, `"9999-12-31"`}},
	{"at", []string{`"2024-02-29 10:00:00"`, `"1999-12-31 23:59:59"`}, []string{`"1000-01-01 00:00:00"`}},
	{"f", []string{`"2024-02-29 10:00:00.500"`, `"2024-02-29 10:00:00.000"`}, []string{`"1969-12-31 23:59:59.999"`}},
	{"t", []string{`"a"`, `"A"`, `"á"`, `"b"`, `""`, `"say \"b\""`}, []string{`"ẞ"`, `"a "`}},
	{"b", []string{`"a"`, `"A"`, `"b"`, `"10"`}, []string{`"\\"`, `"é"`}},
}

// executorSpread are many values.
func executorSpread(format string) (out []string) {
	for i := range 400 {
		out = append(out, fmt.Sprintf(format, i*7-300))
	}
	return out
}

// insert are statements that put the same rows into both tables; strange: some values are rare.
func (x *executors) insert(from, n int, strange bool) []string {
	var open, declared []string
	for id := from; id < from+n; id++ {
		document, row := fmt.Sprintf(`{"id":%d`, id), fmt.Sprintf("(%d", id)
		for _, c := range executorValues {
			value := x.pick(c.values...)
			switch from := x.r.IntN(10); {
			case from == 0:
				row += ", NULL"
				continue
			case from == 1:
				value = "null"
			case from == 2 && strange:
				value = x.pick(c.rare...)
			}
			document += fmt.Sprintf(",%q:%s", c.name, value)
			row += ", " + value
		}
		open = append(open, "('"+strings.ReplaceAll(document, `\`, `\\`)+"}')")
		declared = append(declared, row+")")
	}
	return []string{"INSERT INTO open (_doc) VALUES " + strings.Join(open, ", "),
		"INSERT INTO declared VALUES " + strings.Join(declared, ", ")}
}

func (x *executors) number(depth int) string {
	if depth == 0 || x.r.IntN(3) == 0 {
		return x.pick("i", "n", "u", "s", "y", "k", "w", "d", "i", "k", "d", "1", "2", "0.5", "1e0", "i", "n", "k")
	}
	a, b := x.number(depth-1), x.number(depth-1)
	if x.r.IntN(8) == 0 {
		return x.pick("("+a+" DIV "+b+")", "("+a+" / 2)", "-("+a+")", "(i % "+b+")")
	}
	return x.pick("("+a+" + "+b+")", "("+a+" - "+b+")", "("+a+" * "+b+")", "(i % 5)", "(n % 997)", "(n DIV 3)")
}

func (x *executors) condition(depth int) string {
	if depth > 0 {
		switch x.r.IntN(4) {
		case 0:
			return "(" + x.condition(depth-1) + " AND " + x.condition(depth-1) + ")"
		case 1:
			return "(" + x.condition(depth-1) + " OR " + x.condition(depth-1) + ")"
		case 2:
			return "NOT (" + x.condition(depth-1) + ")"
		}
	}
	op := x.pick(" = ", " < ", " <= ", " > ", " >= ", " <> ")
	switch x.r.IntN(9) {
	case 0:
		return x.pick("day", "at", "f") + op + x.pick("DATE '2024-02-29'", "'2000-01-01'", "TIMESTAMP '2024-02-29 10:00:00'")
	case 1:
		return x.pick("t", "b") + op + x.pick("'a'", "'b'", "'Á'", "''")
	case 2:
		return x.pick("t", "b") + x.pick(" LIKE 'a%'", " NOT LIKE '_'", " IN ('a', 'b')", " NOT IN ('A', 'x')", " = b")
	case 3:
		return x.pick("i", "n", "k", "d", "t", "day", "y") + x.pick(" IS NULL", " IS NOT NULL")
	case 4:
		return x.pick("i", "n", "s") + x.pick(" IN (0, 1, 12)", " NOT IN (3, 2)", " IN (1, NULL)", " BETWEEN 0 AND 5")
	case 5:
		return x.pick("k", "w", "d") + x.pick(" BETWEEN 0 AND 1.5", " < 0.30", " >= -2.250", " = 0.1", " > 1", " <> 2.5e0")
	}
	return x.number(1) + op + x.number(1)
}

func (x *executors) aggregate() string {
	of := x.number(2)
	switch x.r.IntN(8) {
	case 0:
		return "SUM(CASE WHEN " + x.condition(1) + " THEN " + x.number(1) + " ELSE " + x.number(0) + " END)"
	case 1:
		return "SUM(IF(" + x.condition(0) + ", 1, 0))"
	case 2:
		return "COUNT(CASE WHEN " + x.condition(0) + " THEN 1 END)"
	}
	if x.r.IntN(3) == 0 {
		of = x.pick("t", "b", "day", "at", "f", "k", "y")
		return fmt.Sprintf(x.pick("MIN(%s)", "MAX(%s)", "COUNT(%s)"), of)
	}
	return fmt.Sprintf(x.pick("SUM(%s)", "AVG(%s)", "MIN(%s)", "MAX(%s)", "COUNT(%s)", "SUM(%s)", "COUNT(*), AVG(%s)"), of)
}

// alone is an aggregation of one column, which entries tell.
func (x *executors) alone() string {
	c := x.pick("m", "m", "e", "i", "n", "k", "d", "u", "s", "day", "b")
	where := x.pick("", " WHERE c > 5", " WHERE c IS NOT NULL", " WHERE c <> 12")
	if c != "day" && c != "b" {
		where = x.pick(where, " WHERE c % 7 = 3", " WHERE c * 2 > 8", " WHERE c % 5 = 1 OR c IS NULL",
			" WHERE (c + 1) * 3 < 90", " WHERE c > -100 AND c % 3 = 1")
	}
	of := x.pick("COUNT(*)", "SUM(c)", "AVG(c), COUNT(c)", "SUM(c * 2), COUNT(*)", "MIN(c + 1), MAX(c - 1)", "SUM(c * c)",
		"MIN(c), COUNT(c)", "SUM(CASE WHEN c > 3 THEN 1 ELSE 0 END)", "MAX(c)", "COUNT(c)")
	by := x.pick("", "", " GROUP BY c", " GROUP BY c % 10", " GROUP BY c DIV 50")
	if by != "" {
		of += ", " + strings.TrimPrefix(by, " GROUP BY ")
	}
	return strings.NewReplacer("(c", "("+c, "c)", c+")", " c ", " "+c+" ", " c,", " "+c+",").Replace(
		"SELECT " + of + " FROM " + x.pick("declared", "open") + where + by + " ")
}

func (x *executors) statement() string {
	if x.r.IntN(3) == 0 {
		return x.alone()
	}
	if x.r.IntN(4) == 0 {
		return "SELECT id, " + x.pick("i, t", "k, d", "n + 1, b", "day, at, u", "*") + " FROM " + x.pick("declared", "open") +
			" WHERE " + x.condition(2) + x.pick("", "", " LIMIT 9", " LIMIT 90 OFFSET 5", " ORDER BY t, id LIMIT 7")
	}
	var selected []string
	for range 1 + x.r.IntN(3) {
		selected = append(selected, x.aggregate())
	}
	where, end := "", ""
	if x.r.IntN(3) > 0 {
		where = " WHERE " + x.condition(2)
	}
	if x.r.IntN(3) > 0 {
		by := x.pick("i", "k", "y", "t", "b", "day", "d", "t, b", "i, y", "s, day", "n % 7", "k * 2", "w, at",
			"YEAR(day)", "DATE_FORMAT(day, '%Y-%m')", "LOWER(b)", "YEAR(at), MONTH(day)",
			"SUBSTRING(b, 2, 2)", "RIGHT(t, 1)", "LEFT(b, 1), SUBSTRING(t, 1, 1)")
		selected = append(selected, by)
		end = " GROUP BY " + by + x.pick("", "", " HAVING COUNT(*) > 3")
	}
	return "SELECT " + strings.Join(selected, ", ") + " FROM " + x.source() + where + end
}

// source is a table, a join or a derived table with the columns of declared.
func (x *executors) source() string {
	t := x.pick("declared", "open")
	switch x.r.IntN(6) {
	case 0:
		return t + " JOIN side ON i = si"
	case 1:
		return t + " LEFT JOIN side ON i = si AND sk > 1"
	case 2:
		return "(SELECT i, m, e, n, u, s, y, k * 2 AS k, w, d, day, at, f, t, b FROM " + t + " WHERE m > -100) AS derived"
	}
	return t
}

var readFor = regexp.MustCompile(`.*The statement read [0-9,]+ index keys and [0-9,]+ documents.*\n?`)

// toldOf is what a client sees of a statement: rows in their order, types, warnings, the error.
func toldOf(c *sql.Conn, stmt string) string {
	var out strings.Builder
	rows, err := c.QueryContext(context.Background(), stmt)
	if err == nil {
		defer rows.Close()
		columns, _ := rows.ColumnTypes()
		values, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i, t := range columns {
			precision, scale, _ := t.DecimalSize()
			fmt.Fprintf(&out, "%s %s %d %d\n", t.Name(), t.DatabaseTypeName(), precision, scale)
			into[i] = &values[i]
		}
		for rows.Next() && rows.Scan(into...) == nil {
			fmt.Fprintf(&out, "%q\n", values)
		}
		err = rows.Err()
	}
	// A filter in batches may have read ahead of a LIMIT.
	warnings := readFor.ReplaceAllString(harness.Query(c, "SHOW WARNINGS"), "")
	return fmt.Sprintf("%s%v\n%s", &out, err, warnings)
}

// TestExecutors: random aggregates give the same in batches and row by row: rows, their order, types, warnings, errors.
func TestExecutors(t *testing.T) {
	seed := testseed.Of(t, "executor-seed", *executorSeed)
	x := &executors{rand.New(rand.NewPCG(seed, 0))}
	s := harness.Start(t)
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	pool := harness.Connect(t, s.Addr(), "d", "")
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c, executorTables...)
	harness.MustExec(t, c, x.insert(0, 200, false)...)
	harness.MustExec(t, c, x.insert(200, 900, false)...)
	batches := map[bool]int{}
	for i := range *executorStatements {
		if i == *executorStatements*2/3 { // now with what makes batches give up, in a transaction of its own,
			// whose reads are not checked, or filters would not run in batches.
			harness.MustExec(t, c, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "BEGIN")
			harness.MustExec(t, c, x.insert(2000, 200, true)...)
		}
		stmt := x.statement()
		harness.MustExec(t, c, "SET sqlfdb_use_index = "+x.pick("ON", "OFF")+", sqlfdb_executor = interpreted")
		want := toldOf(c, stmt)
		harness.MustExec(t, c, "SET sqlfdb_executor = batch")
		got := toldOf(c, stmt)
		batches[strings.Contains(harness.Query(c, "SHOW STATUS LIKE 'sqlfdb_last_batch_rows'"), "batch_rows")]++
		if got != want {
			t.Fatalf("-executor-seed %d, statement %d: %s\nrow by row:\n%s\nin batches:\n%s", seed, i, stmt, want, got)
		}
	}
	harness.MustExec(t, c, "ROLLBACK")
	t.Logf("%d statements ran in batches, %d did not", batches[true], batches[false])
	if batches[true] < *executorStatements/10 {
		t.Errorf("%d statements of %d ran in batches", batches[true], *executorStatements)
	}
	harness.CheckAll(t, pool)
}
