package sqltests

import (
	"context"
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
	computedSeed    = flag.Uint64("computed-seed", 0, "seed of queries by computed keys; 0 is that of all random tests")
	computedQueries = flag.Int("computed-queries", 250, "how many queries by computed keys to run")
)

// TestComputedKeys asks for rows by expressions that keys and generated columns have the values of, in their order and
// in joins, with the index and without it.
func TestComputedKeys(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "computed-seed", *computedSeed), 0))
	_, db := harness.Database(t)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustExec(t, conn,
		"CREATE TABLE k (id INT PRIMARY KEY, v VARCHAR(12) COLLATE utf8mb4_0900_ai_ci, w VARCHAR(8), "+
			"c CHAR(6), n INT, p DECIMAL(8,2), d DATETIME, x DOUBLE, vu VARCHAR(20) COLLATE utf8mb4_0900_ai_ci AS (UPPER(V)), "+
			"vb VARCHAR(20) AS (REVERSE(v)), wl TEXT AS (LOWER(w)), cl CHAR(9) AS (CONCAT(c, ' ')), n7 BIGINT AS (n * 7), "+
			"nt SMALLINT AS (n - 1), pn DECIMAL(14,2) AS (p * n), pt DECIMAL(6,1) AS (p / 3), dd DATE AS (DATE(d)), "+
			"x2 DOUBLE AS (x * 2), xi INT AS (ROUND(x)), KEY (vu), KEY (wl(9)), KEY (n7, id), KEY (pn), KEY (dd), "+
			"KEY ((LOWER(v)), n), KEY ((n + 1)), KEY ((p + n)), KEY ((CONCAT(w, v))), KEY ((x + 1)), "+
			"KEY ((n % 3), (LENGTH(w))))")
	text := func() string {
		if random.IntN(8) == 0 {
			return "NULL"
		}
		out := ""
		for range random.IntN(4) {
			out += pick(random, []string{"a", "A", "á", "b", "B", "ß", "s", "z", "Z", " "})
		}
		return "'" + out + "'"
	}
	number := func(decimals string) string {
		if random.IntN(8) == 0 {
			return "NULL"
		}
		return fmt.Sprint(random.IntN(24)-8) + decimals
	}
	for id := range 120 {
		d := "NULL"
		if random.IntN(8) > 0 {
			d = fmt.Sprintf("'2020-01-0%d %02d:00:00'", 1+random.IntN(5), random.IntN(24))
		}
		decimals := pick(random, []string{"", ".5", ".25", ".99"})
		harness.MustExec(t, conn,
			fmt.Sprintf("INSERT INTO k (id, v, w, c, n, p, d, x) VALUES (%d, %s, %s, %s, %s, %s, %s, %s)", id,
				text(), text(), text(), number(""), number(decimals), d, number(pick(random, []string{"", ".5", ".1"}))))
	}
	kinds := []struct {
		expressions []string
		constant    func() string
	}{
		{[]string{"UPPER(v)", "REVERSE(v)", "lower(w)", "CONCAT(c, ' ')", "LOWER(v)", "concat(w, V)",
			"UPPER(v) COLLATE utf8mb4_bin"}, text},
		{[]string{"n * 7", "n - 1", "n + 1", "n % 3", "LENGTH(w)", "ROUND(x)", "(N+1)"}, func() string { return number("") }},
		{[]string{"p * n", "p / 3", "p + n", "x * 2", "x + 1"}, func() string {
			return number(pick(random, []string{"", ".5", ".25", ".3"}))
		}},
		{[]string{"DATE(d)"}, func() string { return fmt.Sprintf("'2020-01-0%d'", 1+random.IntN(6)) }},
	}
	rows := func(query string) []string {
		all, err := conn.QueryContext(context.Background(), query)
		if err != nil {
			return []string{err.Error()}
		}
		defer all.Close()
		columns, _ := all.Columns()
		var out []string
		for all.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(any)
			}
			if err := all.Scan(row...); err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, p := range row {
				parts = append(parts, fmt.Sprintf("%v", *p.(*any)))
			}
			out = append(out, strings.Join(parts, "|"))
		}
		return out
	}
	seen := map[string]bool{}
	for range *computedQueries {
		kind := kinds[random.IntN(len(kinds))]
		e := pick(random, kind.expressions)
		comparison := func(e string) string {
			switch random.IntN(6) {
			case 0:
				return e + " IS NULL"
			case 1:
				return e + " BETWEEN " + kind.constant() + " AND " + kind.constant()
			case 2:
				return e + " IN (" + kind.constant() + ", " + kind.constant() + ")"
			}
			return e + " " + pick(random, []string{"=", "<=>", "<", "<=", ">", ">=", "<>"}) + " " + kind.constant()
		}
		where := ""
		if random.IntN(2) == 0 {
			where = " WHERE " + comparison(e)
			if random.IntN(3) == 0 {
				where += pick(random, []string{" AND ", " OR "}) + comparison(pick(random, kind.expressions))
			}
		}
		direction := pick(random, []string{"", " DESC"})
		order := " ORDER BY " + e + direction + pick(random, []string{"", ", id", ", n, id", ", id" + direction})
		limit := pick(random, []string{"", " LIMIT 3", " LIMIT 10", " LIMIT 4 OFFSET 5"})
		var query string
		switch random.IntN(5) {
		case 0:
			other := pick(random, kind.expressions)
			query = "SELECT a.id, b.id FROM k a " + pick(random, []string{"JOIN", "LEFT JOIN"}) + " k b ON " +
				on(e, "a") + " = " + on(other, "b") + " AND a.id < 20 ORDER BY 1, 2"
		case 1:
			query = "SELECT COUNT(*), MIN(id) FROM k" + where + " GROUP BY " + e + " ORDER BY 2"
		default:
			// Without the key behind it, rows that the order does not tell apart may be any of them.
			selected := "id, v, "
			if !strings.Contains(order, "id") {
				selected = ""
				if strings.Contains(order, "COLLATE") || kind.expressions[0] == "UPPER(v)" {
					continue
				}
			}
			query = "SELECT " + selected + e + " AS e FROM k" + where + order + limit
		}
		got := rows(query)
		for _, line := range rows("EXPLAIN FORMAT=TREE " + query) {
			for _, met := range []string{"order: ", "Look up in batches", "range: "} {
				seen[met] = seen[met] || strings.Contains(line, met)
			}
		}
		harness.MustExec(t, conn, "SET sqlfdb_use_index = OFF")
		want := rows(query)
		harness.MustExec(t, conn, "SET sqlfdb_use_index = ON")
		if !slices.Equal(got, want) {
			t.Fatalf("%s:\n%q\nwithout the index:\n%q", query, got, want)
		}
	}
	if *computedQueries >= 250 && len(seen) != 3 {
		t.Fatalf("met only %v", seen)
	}
	harness.CheckTables(t, conn, "k")
}

// on is an expression with its columns those of a table.
func on(expression, table string) string {
	for _, column := range []string{"v", "V", "w", "c", "n", "N", "p", "d", "x"} {
		out := ""
		for i := range len(expression) {
			alone := expression[i:i+1] == column && !isLetter(expression, i-1) && !isLetter(expression, i+1)
			if alone {
				out += table + "."
			}
			out += expression[i : i+1]
		}
		expression = out
	}
	return expression
}

func isLetter(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.'
}
