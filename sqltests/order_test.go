package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	orderSeed  = flag.Uint64("order-seed", 0, "seed of the random orders; 0 takes the one of all random tests")
	orderAsked = flag.Int("order-statements", 150, "how many random orders to ask for")
)

// orderWorld makes documents and statements for TestOrders.
type orderWorld struct{ *rand.Rand }

func (w orderWorld) pick(list ...string) string { return list[w.IntN(len(list))] }

// value is a JSON value; few are met often.
func (w orderWorld) value() string {
	long := strings.Repeat("long ", 8)
	return w.pick("null", "true", "false", "1", "1.0", "2", "-3", "1e3", `"a"`, `"A"`, `"b"`, `"á"`, `""`,
		`"`+long+`x"`, `"`+long+`a"`, `"`+strings.ToUpper(long)+`"`, "[]", "[1,2]", "[1]", "{}", `{"x":1}`, `{"x":0}`,
		fmt.Sprint(w.IntN(40)))
}

func (w orderWorld) text() string {
	return w.pick(`"a"`, `"A"`, `"b"`, `"á"`, `""`, `"zz"`, `"`+strings.Repeat("long ", 8)+w.pick("x", "a", "X")+`"`)
}

// document is a document without its key; half of its members may be missing.
func (w orderWorld) document() string {
	var members []string
	add := func(share int, name, value string) {
		if w.IntN(100) < share {
			members = append(members, fmt.Sprintf("%q:%s", name, value))
		}
	}
	add(70, "mixed", w.value())
	add(100, "n", fmt.Sprint(w.IntN(12)))
	add(60, "rare", w.pick("null", fmt.Sprint(w.IntN(9))))
	add(90, "s", w.text())
	add(80, "ci", w.text())
	add(80, "d", w.pick("null", `"2020-01-01"`, `"2021-05-06"`, `"1999-12-31"`))
	add(80, "x", fmt.Sprintf("%d.%d", w.IntN(4), w.IntN(100)))
	add(50, "deep", w.pick(`{"n":1}`, `{"n":2}`, `{"n":[1]}`, `[{"n":3}]`, `{}`, "7"))
	return strings.Join(members, ",")
}

// condition is a part of a WHERE clause.
func (w orderWorld) condition() string {
	return w.pick("n = 3", "n IN (1, 2)", "n > 4", "n BETWEEN 2 AND 7", "rare IS NULL", "rare IS NOT NULL", "rare < 4",
		"s = 'a'", "s > 'a'",
		"ci = 'A'", "mixed = 1", "mixed > 'a'", "mixed IS NULL", "_id > 'k050'", "_id < 'k070'", "d >= '2020-01-01'", "x < 2",
		"`deep.n` = 1",
		"n + 1 > 3", "n = 3 OR n = 5", "(n, _id) > (4, 'k050')", "(n, _id) <= (6, 'k030')",
		"rare > 3 OR (rare = 3 AND _id > 'k040')",
		"n < 7 OR (n = 7 AND _id < 'k060')", "rare > 3 OR _id > 'k040'", "_doc->'$.mixed' IS NOT NULL")
}

// from is what follows the SELECT list, without a limit: its order is total.
func (w orderWorld) from(table string) string {
	text := " FROM " + table
	for i := range w.IntN(3) {
		text += []string{" WHERE ", " AND "}[i] + "(" + w.condition() + ")"
	}
	fields := []string{}
	for range w.IntN(3) {
		fields = append(fields, w.pick("n", "n", "rare", "s", "ci", "mixed", "d", "x", "`deep.n`", "_doc->'$.mixed'",
			"_doc->'$.rare'", "n + 1"))
	}
	direction := w.pick("", " DESC")
	for i := range fields {
		fields[i] += direction
		if w.IntN(5) == 0 {
			direction = w.pick("", " DESC")
		}
	}
	return text + " ORDER BY " + strings.Join(append(fields, "_id"+direction), ", ")
}

func (w orderWorld) limit() string {
	switch w.IntN(4) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" LIMIT %d OFFSET %d", w.IntN(12), w.IntN(40))
	}
	return fmt.Sprintf(" LIMIT %d", 1+w.IntN(15))
}

// statement selects in some order.
func (w orderWorld) statement(table string) string {
	columns := w.pick("_id", "_id, n", "_id, s", "_id, mixed, rare", "_id, ci", "*", "_id, n + 1 AS m")
	from := w.from(table)
	switch w.IntN(6) {
	case 0:
		return "SELECT * FROM (SELECT _id" + from + w.limit() + ") AS q"
	case 1:
		return "SELECT _id FROM " + table + " AS o WHERE _id IN (SELECT _id FROM (SELECT _id" + from + w.limit() +
			") AS q) ORDER BY _id"
	case 2:
		return "(SELECT _id" + from + w.limit() + ") UNION (SELECT _id" + w.from(table) + w.limit() + ") ORDER BY _id" +
			w.limit()
	}
	return "SELECT " + columns + from + w.limit()
}

// TestOrders: a total order gives the same rows in turn with the index on and off,
// whatever documents lack or hold, in a transaction that has written too; and UPDATE and
// DELETE in an order with a LIMIT change the same documents.
func TestOrders(t *testing.T) {
	seed := testseed.Of(t, "order-seed", *orderSeed)
	w := orderWorld{rand.New(rand.NewPCG(seed, 0))}
	pool := harness.Serve(t)
	ctx := context.Background()
	c, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c,
		"CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, ci VARCHAR(400) COLLATE utf8mb4_0900_ai_ci, d DATE, x "+
			"DECIMAL(10,1), _doc JSON) ENGINE_ATTRIBUTE='{\"string_limit\":16}'")
	insert := func(from, n int) string {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = fmt.Sprintf("('k%03d', '{%s}')", from+i, w.document())
		}
		return "INSERT INTO t (_id, _doc) VALUES " + strings.Join(rows, ", ")
	}
	harness.MustExec(t, c, insert(0, 110))
	ask := func(stmt string) {
		t.Helper()
		off, on := ordered(c, "OFF", stmt), ordered(c, "ON", stmt)
		if off != on || strings.HasPrefix(off, "ERROR") {
			t.Errorf("-order-seed %d: %s\nON:\n%s\nOFF:\n%s\n%s", seed, stmt, on, off, harness.Query(c,
				"EXPLAIN FORMAT=TREE "+stmt))
		}
	}
	for n := range *orderAsked {
		if t.Failed() {
			break
		}
		switch {
		case n%60 == 30:
			harness.MustExec(t, c, "BEGIN", insert(200, 10), "DELETE FROM t WHERE n = 5",
				"UPDATE t SET rare = n WHERE n > 7",
				"UPDATE t SET s = NULL WHERE n = 1")
		case n%60 == 59:
			harness.MustExec(t, c, "ROLLBACK")
		}
		ask(w.statement("t"))
	}
	harness.MustExec(t, c, "ROLLBACK")
	for range *orderAsked / 12 {
		change := w.pick("DELETE", "UPDATE t SET n = n + 100", "UPDATE t SET rare = 5")
		from := w.from("t")
		if strings.HasPrefix(change, "UPDATE") {
			from = strings.TrimPrefix(from, " FROM t")
		}
		stmt := change + from + fmt.Sprintf(" LIMIT %d", 1+w.IntN(9))
		var after [2]string
		for i, setting := range []string{"OFF", "ON"} {
			harness.MustExec(t, c, "BEGIN", "SET sqlfdb_use_index = "+setting, stmt)
			after[i] = ordered(c, "OFF", "SELECT _id, _doc FROM t ORDER BY _id")
			harness.MustExec(t, c, "ROLLBACK")
		}
		if after[0] != after[1] {
			t.Errorf("-order-seed %d: %s\nON:\n%s\nOFF:\n%s", seed, stmt, after[1], after[0])
		}
	}
	harness.Check(t, pool, "d.t")
}

// ordered is the answer of a statement with the index on or off.
func ordered(c *sql.Conn, setting, stmt string) string {
	if _, err := c.ExecContext(context.Background(), "SET sqlfdb_use_index = "+setting); err != nil {
		return err.Error()
	}
	return harness.Query(c, stmt)
}

// TestPages: the pages of keyset paging, each with the last row of the one before,
// are all the rows in turn.
func TestPages(t *testing.T) {
	seed := testseed.Of(t, "order-seed", *orderSeed)
	w := orderWorld{rand.New(rand.NewPCG(seed, 1))}
	pool := harness.Serve(t)
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	rows := make([]string, 150)
	for i := range rows {
		rows[i] = fmt.Sprintf(`('{"_id":"k%03d","a":%d}')`, w.IntN(1000), w.IntN(5))
	}
	harness.MustExec(t, c, "REPLACE INTO t (_doc) VALUES "+strings.Join(rows, ", "))
	for _, p := range []struct{ order, page string }{
		{"a, _id", "(a, _id) > (%[1]s, '%[2]s')"},
		{"a, _id", "a > %[1]s OR (a = %[1]s AND _id > '%[2]s')"},
		{"a, _id", "a >= %[1]s AND (a > %[1]s OR _id > '%[2]s')"},
		{"a DESC, _id DESC", "(a, _id) < (%[1]s, '%[2]s')"},
		{"a DESC, _id", "a < %[1]s OR (a = %[1]s AND _id > '%[2]s')"},
	} {
		all := strings.Split(strings.TrimSpace(ordered(c, "OFF", "SELECT a, _id FROM t ORDER BY "+p.order)), "\n")[1:]
		var met []string
		where := ""
		for len(met) <= len(all) {
			page := strings.Split(strings.TrimSpace(ordered(c, "ON",
				"SELECT a, _id FROM t"+where+" ORDER BY "+p.order+" LIMIT 7")), "\n")[1:]
			if len(page) == 0 {
				break
			}
			met = append(met, page...)
			a, id, _ := strings.Cut(page[len(page)-1], " | ")
			where = " WHERE " + fmt.Sprintf(p.page, a, id)
		}
		if strings.Join(met, ",") != strings.Join(all, ",") {
			t.Errorf("-order-seed %d: pages by %s:\n%v\nwant\n%v", seed, p.page, met, all)
		}
	}
}
