package sqltests

import (
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

var (
	aggregateSeed = flag.Uint64("aggregate-seed", 0,
		"seed of the random documents and aggregates; 0 takes the one of all random tests")
	aggregateStatements = flag.Int("aggregate-statements", 250,
		"how many random aggregates to run in each of two collections")
)

// TestAggregates: random aggregates over random documents give the same rows from
// counters and entries as from documents, within a transaction that has written too.
func TestAggregates(t *testing.T) {
	seed := testseed.Of(t, "aggregate-seed", *aggregateSeed)
	s := harness.Start(t)
	pool := harness.Connect(t, s.Addr(), "", "")
	if _, err := pool.Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	pool = harness.Connect(t, s.Addr(), "d", "")
	for i, table := range []string{
		"CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		`CREATE TABLE t (_id INT PRIMARY KEY, n BIGINT, k DECIMAL(20,3), d DOUBLE, s VARCHAR(200) COLLATE utf8mb4_bin,
			c VARCHAR(200) COLLATE utf8mb4_0900_ai_ci,
			day DATE, at DATETIME(3), y YEAR, e ENUM('q','b','é'), h TIME, f FLOAT, _doc JSON, KEY ns (n, s), KEY sky (s, k,
				y), KEY de (day, e, at)) ENGINE_ATTRIBUTE = '{"string_limit": 12}'`,
	} {
		a := &aggregates{seed: seed, r: rand.New(rand.NewPCG(seed, uint64(i))), declared: i == 1}
		t.Run([]string{"open", "declared"}[i], func(t *testing.T) { a.run(t, pool, table) })
		if _, err := pool.Exec("DROP TABLE t"); err != nil {
			t.Fatal(err)
		}
	}
}

// aggregates makes documents and statements.
type aggregates struct {
	seed     uint64 // of r
	r        *rand.Rand
	declared bool
	next     int
}

func (a *aggregates) pick(of ...string) string { return of[a.r.IntN(len(of))] }

func (a *aggregates) run(t *testing.T, pool *sql.DB, table string) {
	ctx := context.Background()
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(stmt string) {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
	}
	exec(table)
	for range 6 {
		exec(a.insert(25))
	}
	for i := range *aggregateStatements {
		switch i % 40 {
		case 10:
			exec("BEGIN")
			exec(a.insert(10))
		case 20:
			exec(fmt.Sprintf("DELETE FROM t WHERE _id > %d AND _id < %d", a.next-30, a.next-20))
		case 30:
			exec(a.pick("ROLLBACK", "COMMIT"))
		}
		stmt := a.statement()
		on := unordered(conn, stmt)
		exec("SET sqlfdb_use_index = OFF")
		off := unordered(conn, stmt)
		exec("SET sqlfdb_use_index = ON")
		if slices.ContainsFunc(off, func(line string) bool { return strings.HasPrefix(line, "ERROR") }) {
			continue // a value can't be compared; with fewer rows to look at it may not be met
		}
		if !slices.Equal(on, off) {
			plan := harness.Query(conn, "EXPLAIN FORMAT=TREE "+stmt)
			t.Fatalf("-aggregate-seed %d, statement %d: %s\nwith the index    %q\nwithout the index %q\n%s", a.seed, i, stmt, on,
				off, plan)
		}
	}
	exec("COMMIT")
	harness.Check(t, pool, "t")
}

// unordered is the rows of a statement in no order, or its error.
func unordered(conn *sql.Conn, stmt string) []string {
	lines := strings.Split(harness.Query(conn, stmt), "\n")
	slices.Sort(lines)
	return lines
}

// insert adds documents.
func (a *aggregates) insert(n int) string {
	var rows []string
	for range n {
		a.next++
		fields := []string{fmt.Sprintf(`"_id":%q`, fmt.Sprint(a.next))}
		if a.declared {
			fields[0] = fmt.Sprintf(`"_id":%d`, a.next)
		}
		for _, f := range []struct {
			name   string
			values []string
		}{
			{"n", []string{"0", "1", "-5", "7", "12", "9007199254740993", "-0"}},
			{"k", []string{"0.5", "0.50", "1.25", "-3", "1e2", "0.1", "100.0"}},
			{"d", []string{"0.1", "0.2", "1e300", "-1e300", "-0.0", "0", "0.30000000000000004", "7", "1e-5"}},
			{"s", []string{`"a"`, `"b"`, `"B"`, `"é"`, `"e"`, `""`, `"a long string that is cut"`,
				`"a long string that is cut too"`, `"1"`}},
			{"c", []string{`"a"`, `"A"`, `"á"`, `"b"`, `"B"`}},
			{"day", []string{`"2024-02-29"`, `"1999-12-31"`, `"2024-03-01"`}},
			{"at", []string{`"2024-02-29 10:00:00"`, `"2024-02-29 10:00:00.500"`, `"1999-12-31 23:59:59"`}},
			{"y", []string{"1999", "2024", "1901"}},
			{"e", []string{`"q"`, `"b"`, `"é"`}},
			{"h", []string{`"-10:00:00"`, `"10:00:00"`, `"09:59:59"`}},
			{"f", []string{"0.5", "0.1", "-0.0", "16777217", "3"}},
			{"b", []string{"true", "false"}},
			{"m", []string{"1", "1.0", `"1"`, `"a"`, `"\u0061"`, "true", "1e0", "false", "2", `"b"`, "-0", "0"}},
			{"x", []string{"1", `"a"`, `[1,"a"]`, `[]`, `{"z":1}`, `["b"]`, `[2,2]`}},
			{"o.p", []string{"1", "2", `"s"`}},
		} {
			switch a.r.IntN(8) {
			case 0:
				continue
			case 1:
				fields = append(fields, fmt.Sprintf("%q:null", f.name))
				continue
			}
			value := a.pick(f.values...)
			if name, inner, nested := strings.Cut(f.name, "."); nested {
				fields = append(fields, fmt.Sprintf("%q:{%q:%s}", name, inner, value))
				continue
			}
			fields = append(fields, fmt.Sprintf("%q:%s", f.name, value))
		}
		text := "{" + strings.Join(fields, ",") + "}"
		rows = append(rows, "('"+strings.ReplaceAll(text, `\`, `\\`)+"')")
	}
	return "INSERT INTO t (_doc) VALUES " + strings.Join(rows, ",")
}

func (a *aggregates) column() string {
	if a.r.IntN(3) == 0 {
		path := a.pick("n", "k", "d", "s", "b", "m", "m", "x", "o.p", "_id", "nothing", "e", "c", "n", "s", "day")
		return fmt.Sprintf(a.pick("_doc->'$.%[1]s'", "_doc->'$.%[1]s'", "_doc->>'$.%[1]s'", "_doc->>'$.%[1]s'",
			"JSON_EXTRACT(_doc, '$.%[1]s')",
			"JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.%[1]s'))", "JSON_VALUE(_doc, '$.%[1]s')",
			"JSON_VALUE(_doc, '$.%[1]s' RETURNING DECIMAL(20,3))",
			"JSON_TYPE(_doc->'$.%[1]s')", "CONCAT(_doc->>'$.%[1]s', '!')", "_doc->>'$.%[1]s[0]'"), path)
	}
	return a.pick("n", "k", "d", "s", "day", "at", "y", "e", "h", "f", "b", "m", "x", "`o.p`", "_id", "_id", "n", "d", "s",
		"m", "c", "nothing")
}

// statement is a random aggregate, mostly over a single column.
func (a *aggregates) statement() string {
	column := a.column()
	where := ""
	other := a.column()
	if column == "m" || strings.HasPrefix(column, "_doc->'") || strings.HasPrefix(column, "JSON_EXTRACT") {
		// by another one's ranges another one of equal values, which are spelled differently, would be the first
		other = column
	}
	if a.r.IntN(2) == 0 {
		where = " WHERE " + a.condition(column)
		if a.r.IntN(3) == 0 {
			where = " WHERE " + a.condition(other)
		}
		if a.r.IntN(3) == 0 {
			where += a.pick(" AND ", " OR ") + a.condition(a.pick(column, column, other))
		}
	}
	var selected []string
	for range 1 + a.r.IntN(3) {
		of := column
		if a.r.IntN(15) == 0 {
			of = other
		}
		selected = append(selected, a.aggregate(of))
	}
	list := strings.Join(selected, ", ")
	if column == "c" {
		// Which of equal strings is shown is up to the server.
		list, column = a.pick("COUNT(c), COUNT(*)", "COUNT(DISTINCT c)", "COUNT(*)"), "LOWER(c) COLLATE utf8mb4_bin"
	}
	if a.r.IntN(5) == 0 {
		return a.severalColumns()
	}
	switch a.r.IntN(7) {
	case 0:
		return fmt.Sprintf("SELECT %s, %s FROM t%s GROUP BY %s", column, list, where, column)
	case 1:
		return fmt.Sprintf("SELECT %s, %s, COUNT(*) q FROM t u%s GROUP BY %s HAVING q > 1 ORDER BY %s", column, list, where,
			column, column)
	case 2:
		return fmt.Sprintf("SELECT DISTINCT %s FROM t%s", column, where)
	case 3:
		return fmt.Sprintf("SELECT v.* FROM (SELECT %s FROM t%s) v", list, where)
	case 4:
		return fmt.Sprintf("SELECT %s FROM t%s UNION ALL SELECT %s FROM t", list, where, list)
	case 5:
		return fmt.Sprintf("SELECT _id FROM t WHERE (SELECT COUNT(*) FROM t w%s) > 3 ORDER BY _id LIMIT 3", where)
	}
	return fmt.Sprintf("SELECT %s FROM t%s", list, where)
}

// severalColumns is a random aggregate of columns that a declared index has.
func (a *aggregates) severalColumns() string {
	columns := strings.Split(a.pick("n,s", "n,s", "s,k,y", "s,y", "k,s", "day,e,at", "e,day"), ",")
	where := ""
	for range a.r.IntN(3) {
		where += map[bool]string{true: " WHERE ", false: " AND "}[where == ""] + a.condition(a.pick(columns...))
	}
	both, of := strings.Join(columns, ", "), a.pick(columns...)
	switch a.r.IntN(4) {
	case 0:
		return fmt.Sprintf("SELECT DISTINCT %s FROM t%s", both, where)
	case 1:
		return fmt.Sprintf("SELECT COUNT(DISTINCT %s), COUNT(*), %s FROM t%s", both, a.aggregate(of), where)
	case 2:
		return fmt.Sprintf("SELECT %s, %s, COUNT(*) FROM t%s GROUP BY %s", columns[0], a.aggregate(of), where, columns[0])
	}
	return fmt.Sprintf("SELECT %s, %s, COUNT(*) FROM t%s GROUP BY %s", both, a.aggregate(of), where, both)
}

func (a *aggregates) aggregate(column string) string {
	one := a.pick("COUNT(*)", "COUNT(1)", "COUNT(%s)", "COUNT(%s)", "MIN(%s)", "MAX(%s)", "MIN(%s)", "MAX(%s)", "SUM(%s)",
		"AVG(%s)",
		"COUNT(DISTINCT %s)", "SUM(DISTINCT %s)", "COUNT(%s) + 1", "SUM(%s + 1)", "MAX(CONCAT(%s, 'x'))",
		"COUNT(NULLIF(%s, 1))", "SUM(%s IS NULL)", "BIT_OR(1)", "GROUP_CONCAT(DISTINCT 'x')")
	if strings.Contains(one, "%s") {
		return fmt.Sprintf(one, column)
	}
	return one
}

func (a *aggregates) condition(column string) string {
	constant := a.pick("1", "0", "7", "0.5", "'a'", "'b'", "'2024-02-29'", "-5", "1999", "TRUE", "NULL", "100")
	return fmt.Sprintf(a.pick("%[1]s = %[2]s", "%[1]s > %[2]s", "%[1]s <= %[2]s", "%[1]s <> %[2]s", "%[1]s IS NULL",
		"%[1]s IS NOT NULL",
		"%[1]s IN (%[2]s, 1, 'b')", "%[1]s BETWEEN %[2]s AND 20", "NOT %[1]s >= %[2]s", "%[1]s <=> %[2]s"), column, constant)
}
