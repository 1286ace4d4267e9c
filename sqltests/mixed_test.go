package sqltests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestMixedColumns: conditions on an undeclared column of several types of scalars find the same with the index and
// without, and the rows of a condition, of its opposite and of its unknown are all rows.
func TestMixedColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 21))
	pool := harness.Serve(t)
	ctx := context.Background()
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(stmt string) {
		t.Helper()
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			t.Fatalf("%s: %v", stmt, err)
		}
	}
	exec("CREATE TABLE mixed (_id INT PRIMARY KEY, _doc JSON)")
	values := []string{"5", "5.0", "77.7", "-3", "0", "9007199254740993", "1e2", `"5"`, `"5.0"`, `"77.7"`, `"The Cat"`,
		`"the cat"`, `"Ab"`, `""`, `"1776"`,
		"1776", "null", "true", "false", `"true"`, `"-3"`, `" 5"`, `"é"`}
	const documents = 60
	for i := range documents {
		doc := fmt.Sprintf(`{"_id":%d,"o":%d}`, i, i)
		if r.IntN(10) > 0 {
			doc = fmt.Sprintf(`{"_id":%d,"o":%d,"m":%s}`, i, i, values[r.IntN(len(values))])
		}
		exec("INSERT INTO mixed (_doc) VALUES ('" + doc + "')")
	}
	literals := []string{"'5'", "'5.0'", "'77.7'", "'-3'", "'The Cat'", "'1776'", "'abc'", "''", "5", "77.7", "'1e2'",
		"' 5'", "'true'", "100"}
	patterns := []string{"'The %'", "'5%'", "'%5'", "'17_6'", "'%'", "'_b'", "'-%'"}
	one := func(of []string) string { return of[r.IntN(len(of))] }
	var condition func(depth int) string
	condition = func(depth int) string {
		switch n := r.IntN(12); {
		case depth > 0 && n < 2:
			return "(" + condition(depth-1) + one([]string{" AND ", " OR "}) + condition(depth-1) + ")"
		case n < 5:
			return "m " + one([]string{"=", "<=>", "<", "<=", ">", ">=", "<>"}) + " " + one(literals)
		case n == 5:
			return one(literals) + " " + one([]string{"=", "<", ">="}) + " m"
		case n == 6:
			return "m BETWEEN " + one(literals) + " AND " + one(literals)
		case n == 7:
			return "m " + one([]string{"", "NOT "}) + "IN (" + one(literals) + ", " + one(literals) + ")"
		case n < 10:
			return "m " + one([]string{"", "NOT "}) + "LIKE " + one(patterns)
		case n == 10:
			return one([]string{"UPPER", "LEFT", "CONCAT"}) + "(m" + one([]string{"", ", 1"}) + ") = " + one(literals)
		default:
			return "m REGEXP '^[0-9T]'"
		}
	}
	count := func(stmt string) (string, error) {
		rows, err := conn.QueryContext(ctx, stmt)
		if err != nil {
			return "", err
		}
		defer rows.Close()
		var ids []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				return "", err
			}
			ids = append(ids, id)
		}
		return strings.Join(ids, " "), rows.Err()
	}
	asked := 0
	for range 300 {
		where := condition(2)
		found := 0
		for _, part := range []string{where, "NOT (" + where + ")", "(" + where + ") IS NULL"} {
			stmt := "SELECT _id FROM mixed WHERE " + part + " ORDER BY _id"
			exec("SET sqlfdb_use_index = ON")
			on, err := count(stmt)
			exec("SET sqlfdb_use_index = OFF")
			off, without := count(stmt)
			if on != off || (err == nil) != (without == nil) {
				t.Fatalf("%s\nwith the index %q %v\nwithout        %q %v", stmt, on, err, off, without)
			}
			if err != nil {
				found = documents
				break // such as UPPER(m, 1)
			}
			found += len(strings.Fields(on))
			asked++
		}
		if found != documents {
			t.Fatalf("%s, its opposite and its unknown have %d rows of %d", where, found, documents)
		}
	}
	if asked < 300 {
		t.Errorf("%d statements were answered", asked)
	}
}
