package sqltests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var coveredSeed = flag.Uint64(
	"covered-seed", 0, "seed of the random statements over entries alone; 0 takes the one of all random tests")

// coveredColumns are columns with values that a statement may compare them with.
var coveredColumns = map[string][]string{
	"`int`": {"0", "1", "-1", "7", "9007199254740993", "NULL"},
	"`dec`": {"0", "1.50", "-2.25", "99999.99", "0.01"},
	"dbl":   {"0", "-0e0", "1.5", "1e300", "0.1", "-7"},
	"flt":   {"0", "1.5", "0.1", "16777217"},
	"txt": {"''", "'a'", "'A'", "'á'", "'ab'", "'long long long long long long long long x'",
		"'long long long long long long long long y'", "'a '"},
	"ci":    {"''", "'a'", "'A'", "'á'", "'ab'", "'AB'"},
	"`day`": {"'2024-01-31'", "'1999-12-31'", "'2024-02-29'"},
	"tim":   {"'2024-01-31 10:00:00'", "'2024-01-31 10:00:00.5'", "'1999-12-31 23:59:59'"},
	"clock": {"'10:00:00'", "'-100:00:01'", "'00:00:00'"},
	"enm":   {"'x'", "'y'", "'z'"},
	"flag":  {"TRUE", "FALSE"},
	"yr":    {"1999", "2024"},
}

// TestCoveredRows: rows that are made of entries, or of keys, are those that are made
// of documents: for every type, in open and declared tables, with the writes of the
// statement's own transaction.
func TestCoveredRows(t *testing.T) {
	seed := testseed.Of(t, "covered-seed", *coveredSeed)
	r := rand.New(rand.NewPCG(seed, 1))
	s := harness.Start(t)
	admin := harness.Connect(t, s.Addr(), "", "")
	columns := "`int` BIGINT, `dec` DECIMAL(8,2), dbl DOUBLE, flt FLOAT, txt VARCHAR(60), ci VARCHAR(20) COLLATE " +
		"utf8mb4_0900_ai_ci, `day` DATE, tim DATETIME(1), clock TIME, enm ENUM('x','y','z'), flag TINYINT(1), yr YEAR"
	for _, stmt := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.declared (_id INT PRIMARY KEY, " + columns + `) ENGINE_ATTRIBUTE='{"string_limit":24}'`,
		"CREATE TABLE d.pair (a VARCHAR(20), id BIGINT UNSIGNED, " + columns + ", PRIMARY KEY (a, id))",
		"CREATE TABLE d.anycase (_id VARCHAR(20) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, " + columns + ")",
		"CREATE TABLE d.keyless (id INT, " + columns + ")",
		"CREATE TABLE d.open (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.mixed (_id VARCHAR(255) PRIMARY KEY, _doc JSON) COLLATE utf8mb4_0900_ai_ci",
	} {
		if _, err := admin.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	db := harness.Connect(t, s.Addr(), "d", "?interpolateParams=true")
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	names := []string{"`int`", "`dec`", "dbl", "flt", "txt", "ci", "`day`", "tim", "clock", "enm", "flag", "yr"}
	write := func(i int) {
		t.Helper()
		var list, values, members []string
		for _, name := range names {
			v := pick(r, coveredColumns[name])
			switch r.IntN(8) {
			case 0:
				continue
			case 1:
				v = "NULL"
			}
			list, values = append(list, name), append(values, v)
			key := strings.Trim(name, "`")
			switch {
			case v == "NULL":
				v = "null"
			case strings.HasPrefix(v, "'"):
				v = `"` + strings.Trim(v, "'") + `"`
			case key == "flag":
				v = strings.ToLower(v)
			}
			members = append(members, fmt.Sprintf("%q:%s", key, v))
		}
		for _, stmt := range []string{
			fmt.Sprintf("INSERT INTO declared (%s) VALUES (%s)", strings.Join(append(list, "_id"), ","),
				strings.Join(append(values, fmt.Sprint(i-20)), ",")),
			fmt.Sprintf("INSERT INTO pair (%s) VALUES (%s)", strings.Join(append(list, "a", "id"), ","),
				strings.Join(append(values, fmt.Sprintf("'%d'", i%3), fmt.Sprint(i)), ",")),
			fmt.Sprintf("INSERT INTO anycase (%s) VALUES (%s)", strings.Join(append(list, "_id"), ","),
				strings.Join(append(values, fmt.Sprintf("'K%d'", i)), ",")),
			fmt.Sprintf("INSERT INTO keyless (%s) VALUES (%s)", strings.Join(append(list, "id"), ","),
				strings.Join(append(values, fmt.Sprint(i)), ",")),
			fmt.Sprintf(`INSERT INTO open (_doc) VALUES ('{"_id":"k%03d"%s}')`, i,
				strings.Join(append([]string{""}, members...), ",")),
			fmt.Sprintf(`INSERT INTO mixed (_doc) VALUES ('{"_id":"k%03d","txt":%s,"other":%d}')`, i,
				pick(r, []string{"1.0", `"a"`, `"A"`, "null", "true", "1e0", "[1]", "{}"}), i%4),
		} {
			if _, err := conn.ExecContext(context.Background(), stmt); err != nil {
				t.Fatalf("%s: %v", stmt, err)
			}
		}
	}
	entries, statements := 0, 0
	compare := func(n int) {
		t.Helper()
		for range n {
			name := pick(r, names)
			table := pick(r, []string{"declared", "pair", "anycase", "keyless", "open", "mixed"})
			selected := pick(r, []string{"%s", "%s, _id", "_id", "COUNT(%s)", "MAX(_id)", "%s AS x", "DISTINCT %s", "HEX(%s)",
				"CONCAT(%s, '|')"})
			if strings.Contains(selected, "%") {
				selected = fmt.Sprintf(selected, name)
			}
			if strings.HasPrefix(selected, "DISTINCT") { // any of several equal values may stand for them
				switch name {
				case "ci":
					selected = "UPPER(ci)"
				case "dbl":
					selected = "DISTINCT dbl + 0e0" // -0 is 0
				}
			}
			where := ""
			order := ""
			if table == "declared" || table == "open" || table == "mixed" {
				order = pick(r, []string{"", "", "", " ORDER BY _id LIMIT 7", " ORDER BY %s, _id LIMIT 5 OFFSET 2",
					" ORDER BY %s DESC, _id DESC LIMIT 9"})
				order = strings.ReplaceAll(order, "%s", name)
			}
			if strings.Contains(selected, "(") || strings.HasPrefix(selected, "DISTINCT") {
				order = ""
			}
			other := pick(r, names)
			switch v := pick(r, coveredColumns[name]); r.IntN(10) {
			case 0:
			case 7:
				where = fmt.Sprintf(" WHERE %s = %s AND %s %s %s", name, v, other, pick(r, []string{"=", "<=", ">"}),
					pick(r, coveredColumns[other]))
			case 8:
				where = fmt.Sprintf(" WHERE %s = %s OR %s IN (%s, %s)", name, v, other, pick(r, coveredColumns[other]),
					pick(r, coveredColumns[other]))
			case 9:
				where = fmt.Sprintf(" WHERE (%s, _id) > (%s, %s)", name, v, pick(r, []string{"5", "'k02'", "'k04'"}))
			case 1:
				where = " WHERE " + name + " IS " + pick(r, []string{"NULL", "NOT NULL"})
			case 2:
				where = fmt.Sprintf(" WHERE %s IN (%s, %s)", name, v, pick(r, coveredColumns[name]))
			case 3:
				where = " WHERE _id > " + pick(r, []string{"5", "'k02'", "'K3'"})
			default:
				where = fmt.Sprintf(" WHERE %s %s %s", name, pick(r, []string{"=", "=", "<", ">=", "<>", "<=>"}), v)
			}
			from := table
			if r.IntN(5) == 0 {
				from = fmt.Sprintf("(SELECT _id, %s FROM %s%s) AS x", name, table, where)
				where, order = "", ""
			}
			if table == "pair" || table == "keyless" {
				selected, from, where = strings.ReplaceAll(selected, "_id", "id"), strings.ReplaceAll(from, "_id", "id"),
					strings.ReplaceAll(where, "_id", "id")
			}
			stmt := fmt.Sprintf("SELECT %s FROM %s%s%s", selected, from, where, order)
			on, off, same := bothWays(conn, stmt)
			if !same && !refused(on) && !refused(off) {
				t.Errorf("seed %d: %s\nwith the index %q\nwithout %q\n%s", seed, stmt, on, off,
					harness.Query(conn, "EXPLAIN FORMAT=TREE "+stmt))
			}
			statements++
			if strings.Contains(harness.Query(conn, "EXPLAIN FORMAT=TREE "+stmt), "entries only") {
				entries++
			}
		}
	}
	for i := range 60 {
		write(i)
	}
	compare(150)
	if _, err := conn.ExecContext(context.Background(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	for i := 60; i < 90; i++ {
		write(i)
	}
	for _, stmt := range []string{"DELETE FROM declared WHERE _id < -10", "UPDATE declared SET txt = 'ab' WHERE ci = 'a'",
		"DELETE FROM open WHERE _id < 'k010'", "UPDATE open SET `int` = 7 WHERE dbl = 0"} {
		if _, err := conn.ExecContext(context.Background(), stmt); err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
	}
	compare(150)
	if _, err := conn.ExecContext(context.Background(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d statements read entries only", entries, statements)
	if entries < statements/5 {
		t.Errorf("%d of %d statements read entries only", entries, statements)
	}
	harness.CheckAll(t, db)
}
