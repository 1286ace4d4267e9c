package numbers

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestNumbersAsKeys: keys hold a number once, whatever its spelling, and tell
// apart numbers that are not the same.
func TestNumbersAsKeys(t *testing.T) {
	n := newNumberTest(t)
	for i, c := range []struct {
		typ      string
		distinct []string
		again    []string // equal to the first of distinct
	}{
		{"DECIMAL(65,30)", []string{"9007199254740993", "9007199254740993.000000000000000000000000000001",
			"9007199254740992"}, []string{"9007199254740993.0", "9007199254740993.000"}},
		{"DECIMAL(65,0)", []string{nines65, "-" + nines65, nines65[1:] + "8"}, []string{nines65}},
		{"BIGINT", []string{"9007199254740993", "9007199254740992", "9223372036854775807", "-9223372036854775808"},
			[]string{"9007199254740993.0"}},
		{"BIGINT UNSIGNED", []string{"18446744073709551615", "18446744073709551614", "9223372036854775808",
			"9223372036854775807"}, []string{"18446744073709551615"}},
		{"DOUBLE", []string{"9007199254740992", "9007199254740994", "1e308", "5e-324", "1e-308"},
			[]string{"9007199254740993e0", "9007199254740992.0"}},
		{"DOUBLE", []string{"0", "5e-324", "-5e-324"}, []string{"-0.0", "-0e0", "0.0"}},
		{"FLOAT", []string{"0.1", "0.3", "16777216"}, []string{"0.1e0", "0.10000000149011612e0"}},
		{"YEAR", []string{"2020", "1999"}, []string{"20"}},
		{"BIT(64)", []string{"18446744073709551615", "9223372036854775808", "0"}, []string{"18446744073709551615"}},
		{"TIME(6)", []string{"'10:00:00'", "'10:00:00.000001'", "'-10:00:00'"}, []string{"'10:0:0'", "100000"}},
		{"DATETIME(6)", []string{"'2020-01-02 03:04:05'", "'2020-01-02 03:04:05.000001'"},
			[]string{"'2020-01-02 03:04:05.000000'"}},
		{"VARBINARY(10)", []string{"x'61'", "x'41'", "x'6100'", "x''"}, []string{"'a'"}},
		{"ENUM('a','b')", []string{"'a'", "'b'"}, []string{"1"}},
	} {
		for _, kind := range []string{"PRIMARY KEY", "UNIQUE"} {
			table := fmt.Sprintf("keys%d%c", i, kind[0])
			id := "_id INT, "
			if kind == "UNIQUE" {
				id = "_id INT PRIMARY KEY, "
			}
			n.exec("CREATE TABLE " + table + " (" + id + "k " + c.typ + " NOT NULL, times INT DEFAULT 1, " + kind + " (k))")
			for j, v := range c.distinct {
				n.exec(fmt.Sprintf("INSERT INTO %s (_id, k) VALUES (%d, %s)", table, j, v))
			}
			for j, v := range c.again {
				_, err := n.on.ExecContext(context.Background(),
					fmt.Sprintf("INSERT INTO %s (_id, k) VALUES (%d, %s)", table, 100+j, v))
				if err == nil || !strings.Contains(err.Error(), "1062") {
					t.Errorf("%s %s: %s after %s: %v", c.typ, kind, v, c.distinct[0], err)
				}
				n.exec(fmt.Sprintf("INSERT INTO %s (_id, k) VALUES (%d, %s) ON DUPLICATE KEY UPDATE times = times + 1", table,
					100+j, v))
			}
			n.rows("SELECT COUNT(*), MAX(times), COUNT(DISTINCT k) FROM "+table, nil, func(rows [][]string) string {
				if got, want := fmt.Sprint(rows), fmt.Sprintf("[[%d %d %d]]", len(c.distinct), 1+len(c.again),
					len(c.distinct)); got != want {
					return c.typ + " " + kind + ": got " + got + ", want " + want
				}
				return ""
			})
		}
	}
	n.exec("CREATE TABLE docs (_id INT PRIMARY KEY, _doc JSON)")
	n.exec(`INSERT INTO docs (_doc) VALUES ('{"_id":1,"n":1}'), ('{"_id":2,"n":9007199254740993}'), ('{"_id":3,` +
		`"n":9007199254740992}')`)
	n.exec("CREATE UNIQUE INDEX n ON docs (n)")
	n.exec(`INSERT INTO docs (_doc) VALUES ('{"_id":4,"n":1e400}'), ('{"_id":5,"n":"1"}'), ('{"_id":6,"n":true}')`)
	for _, again := range []string{"1.0", "10e-1", "9007199254740993.0", "9.007199254740992e15", "10e399", `"1"`, "true"} {
		if _, err := n.on.ExecContext(context.Background(),
			`INSERT INTO docs (_doc) VALUES ('{"_id":7,"n":`+again+`}')`); err == nil || !strings.Contains(err.Error(), "1062") {
			t.Errorf("%s is there already: %v", again, err)
		}
	}
	n.exec(`INSERT INTO docs (_doc) VALUES ('{"_id":8,"n":9007199254740994}'), ('{"_id":9,"n":1e401}'), ` +
		`('{"_id":10,"n":"1.0"}')`)
	harness.CheckAll(t, n.pool)
}
