package buckets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

// TestSameAnswers: a table in a bucket, with indexes and without, answers as one that reads all documents does, and as
// an ordinary table of the same collation. Values of all types meet in the same keypaths.
func TestSameAnswers(t *testing.T) {
	b := start(t, nil)
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 25))
	const columns = " (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"
	b.create("mixed", "")
	b.create("clean", "")
	const bytes = " COLLATE utf8mb4_0900_bin"
	b.run("CREATE TABLE mixed0"+columns+bytes, "CREATE TABLE clean0"+columns+bytes)
	long := strings.Repeat("long ", 60)
	values := []string{"1", `"1"`, "1.0", "2", "-3", "2.5", "true", "false", "null", `"null"`, `""`, `"a"`, `"A"`, `"b c"`,
		`"é|x"`, "[1]", "{}", "1e2", "100", `"` + long + `"`, `"` + long + `x"`, "9007199254740993", "9007199254740992"}
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	insert := func(table, id string, members ...string) {
		doc := `{"_id":"` + id + `"`
		for i := 0; i < len(members); i += 2 {
			if r.IntN(6) > 0 {
				doc += `,"` + members[i] + `":` + members[i+1]
			}
		}
		for _, at := range []string{table, table + "0"} {
			b.run("REPLACE INTO " + at + " (_doc) VALUES ('" + doc + "}')")
		}
	}
	fill := func(n int) {
		for range n {
			id := fmt.Sprintf("%s%d", pick("a", "b", "B"), r.IntN(40))
			insert("mixed", id, "x", pick(values...), "y", pick(values...), "z", pick(values...))
			insert("clean", id, "x", pick(`"red"`, `"green"`, `"Red"`, `""`), "y", pick("1", "2", "3"), "z",
				fmt.Sprint(r.IntN(20)), "f", pick("0.5", "1", "2.25"), "t", pick("true", "false"))
		}
	}
	// A bucket remembers that a member has had arrays or objects once they are gone; other tables count the ones that are
	// there. What a column is compared as depends on it, so some stay.
	for _, at := range []string{"mixed", "mixed0"} {
		b.run("INSERT INTO " + at + ` (_doc) VALUES ('{"_id":"kept","x":[1],"y":{},"z":[1]}')`)
	}
	fill(60)
	b.run("CREATE INDEX x_1 ON mixed (x)", "CREATE INDEX x_1_y_1 ON mixed (x, y)",
		"CREATE INDEX x_1_z_1 ON clean (x, z)", "CREATE INDEX x_1_y_1_z_1 ON clean (x, y, z)",
		"CREATE INDEX t_1 ON clean (t)",
		"CREATE INDEX f_1_z_1 ON clean (f, z)", "CREATE INDEX y_1 ON clean (y)")
	fill(30)
	literal := func(column string) string {
		switch column {
		case "_id":
			return pick("'a1'", "'b7'", "'a'", "'B3'", "'zz'")
		case "f":
			return pick("0.5", "1", "2.25", "'1'")
		case "t":
			return pick("true", "false", "1", "0")
		}
		return pick("1", "2", "'1'", "'a'", "'A'", "'red'", "'green'", "''", "10", "2.5", "true", "NULL", "-3", "100",
			"'"+long+"'", "9007199254740993", "'null'")
	}
	condition := func(names []string) string {
		c := names[r.IntN(len(names))]
		switch r.IntN(12) {
		case 0, 1, 2, 3, 4:
			return c + " = " + literal(c)
		case 5:
			return c + " IN (" + literal(c) + ", " + literal(c) + ")"
		case 6:
			return c + pick(" > ", " < ", " >= ", " <= ", " <> ", " <=> ") + literal(c)
		case 7:
			return c + " BETWEEN " + literal(c) + " AND " + literal(c)
		case 8:
			return c + pick(" IS NULL", " IS NOT NULL")
		case 9:
			return c + " LIKE '" + pick("a", "r", "B1", "") + "%'"
		case 10:
			return "(" + c + " = " + literal(c) + " OR " + c + " = " + literal(c) + ")"
		}
		return "NOT " + c + " = " + literal(c)
	}
	answer := func(query string) (string, error) {
		rows, err := b.conn.QueryContext(context.Background(), query)
		if err != nil {
			return "", err
		}
		rows.Close()
		return b.rows(query), nil
	}
	sorted := func(text string) string {
		lines := strings.Split(text, "; ")
		slices.Sort(lines)
		return strings.Join(lines, "; ")
	}
	byIndex := 0
	for i := range 600 {
		table, names := "mixed", []string{"_id", "x", "y", "z", "x", "x"}
		if i%2 == 1 {
			table, names = "clean", []string{"_id", "x", "y", "z", "f", "t", "x", "x", "y"}
		}
		var where []string
		for range 1 + r.IntN(3) {
			where = append(where, condition(names))
		}
		if i%4 == 3 { // an interval of the last field
			where = append(where[:0], "x = "+pick("'red'", "'green'"), "z"+pick(" > ", " < ", " >= ", " <= ", " <=> ")+
				pick("5", "12", "0", "'7'", "3.5", "-1", "NULL"))
			if r.IntN(2) == 0 {
				where = append(where, "z"+pick(" > ", " < ", " <> ")+pick("4", "9", "11"))
			}
			if r.IntN(3) == 0 {
				where = append(where, "y = "+pick("1", "2", "'3'"))
			}
		}
		order := names[1+r.IntN(3)]
		selected := pick("_id", "_id, x", "_id, _doc", "COUNT(*)", "COUNT(*), COUNT(x)")
		tail := " WHERE " + strings.Join(where, " AND ")
		limited := r.IntN(3) == 0 && table == "clean" && !strings.HasPrefix(selected, "COUNT")
		if limited { // of rows that are equal in the order any may be taken: so their order alone is compared
			selected = order
			tail += " ORDER BY " + order + pick("", " DESC") + fmt.Sprintf(" LIMIT %d", 1+r.IntN(6)) + pick("", " OFFSET 2")
		}
		query := "SELECT " + selected + " FROM " + table + tail
		want, failed := answer("SELECT " + selected + " FROM " + table + "0" + tail)
		have, err := answer(query)
		b.run("SET sqlfdb_use_index = OFF")
		scanned, scanErr := answer(query)
		b.run("SET sqlfdb_use_index = ON")
		if !limited {
			want, have, scanned = sorted(want), sorted(have), sorted(scanned)
		}
		if (err == nil) != (scanErr == nil) || have != scanned {
			t.Fatalf("%s:\n%s %v\nby reading all\n%s %v\n%s", query, have, err, scanned, scanErr,
				b.rows("EXPLAIN FORMAT=TREE "+query))
		}
		if (err == nil) != (failed == nil) || have != want {
			t.Errorf("%s:\n%s %v\nan ordinary table has\n%s %v", query, have, err, want, failed)
		}
		if strings.Contains(b.rows("EXPLAIN FORMAT=TREE "+query), "Bucket read of "+table+": index") {
			byIndex++
		}
	}
	if byIndex < 100 {
		t.Errorf("%d of 600 questions are answered by an index", byIndex)
	}
	b.run("CREATE TABLE few"+columns+bytes, `INSERT INTO few (_doc) VALUES ('{"_id": "a1", "d": "red", "e": 1}'),
		('{"_id": "b7", "d": "1", "e": "green", "n": 2}'), ('{"_id": "zz", "e": null, "n": 1.0}'),
		('{"_id": "B3", "d": "a7", "e": [1], "n": null}'), ('{"_id": "f", "d": "`+long+`", "e": 9007199254740993}')`,
		"CREATE TABLE typed (_id VARCHAR(20) PRIMARY KEY, _doc JSON, d TEXT, e INT, n DOUBLE)",
		"INSERT INTO typed (_id, d, e, n) VALUES ('a1', 'red', 1, 2.5), ('b7', 'green', 3, 1e2), ('c', NULL, NULL, NULL)")
	lookedUp := 0
	for i := range 300 {
		table, other := "mixed", pick("few", "typed")
		names := []string{"_id", "x", "y", "z"}
		if i%2 == 1 {
			table, names = "clean", append(names, "f", "t")
		}
		on := []string{"p." + names[r.IntN(len(names))] + pick(" = ", " = ", " <=> ") + "o." + pick("_id", "d", "e", "n")}
		if r.IntN(3) == 0 {
			on = append(on, "p."+names[r.IntN(len(names))]+pick(" = ", " > ")+"o."+pick("_id", "d", "e", "n"))
		}
		if r.IntN(4) == 0 {
			on = append(on, condition([]string{"p.x"}))
		}
		form := pick("SELECT o._id, p._id FROM "+other+" o JOIN %s p ON %s", "SELECT o._id, p._id FROM %s p JOIN "+other+
			" o ON %s", "SELECT o._id, p._id FROM "+other+" o LEFT JOIN %s p ON %s",
			"SELECT o._id FROM "+other+" o WHERE EXISTS (SELECT 1 FROM %s p WHERE %s)",
			"SELECT o._id FROM "+other+" o WHERE NOT EXISTS (SELECT 1 FROM %s p WHERE %s)",
			"SELECT COUNT(*) FROM %s p WHERE EXISTS (SELECT 1 FROM "+other+" o WHERE %s)")
		query := fmt.Sprintf(form, table, strings.Join(on, " AND "))
		want, failed := answer(fmt.Sprintf(form, table+"0", strings.Join(on, " AND ")))
		have, err := answer(query)
		told := b.rows("EXPLAIN FORMAT=TREE " + query)
		if sorted(have) != sorted(want) || (err == nil) != (failed == nil) {
			t.Errorf("%s:\n%s %v\nan ordinary table has\n%s %v\n%s", query, sorted(have), err, sorted(want), failed, told)
		}
		if strings.Contains(told, "Bucket look-ups") {
			lookedUp++
		}
	}
	if lookedUp < 20 {
		t.Errorf("%d of 300 joins look up", lookedUp)
	}
	b.is("CHECK TABLE mixed, clean", "d.mixed check status OK; d.clean check status OK")
}
