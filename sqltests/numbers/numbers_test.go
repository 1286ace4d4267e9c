package numbers

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// numbersAll runs every pair of a column and a constant, and every pair of
// columns; without it each construct sees a part of them.
var numbersAll = flag.Bool("numbers-all", false, "run all combinations of the number tests")

// rat is the exact number of a literal.
func ratOf(literal string) *big.Rat {
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		panic("no number: " + literal)
	}
	return r
}

// shortest is the number that a floating point value of so many bits stands
// for: the shortest decimal that reads back as it.
func shortestRat(literal string, bits int) *big.Rat {
	f, err := strconv.ParseFloat(literal, bits)
	if err != nil {
		panic(err)
	}
	return ratOf(strconv.FormatFloat(f, 'e', -1, bits))
}

// numberColumn is a column and the numbers that it has, by row. The row's
// number is its `_id`; nil is NULL.
type numberColumn struct {
	table, name string
	values      []*big.Rat
}

func (c *numberColumn) String() string { return c.table + "." + c.name }

// of is the column under another name of its table. A path into the document
// is named with a blank for it.
func (c *numberColumn) of(alias string) string {
	if path, ok := strings.CutPrefix(c.name, "_doc->"); ok {
		return alias + "._doc->" + path
	}
	return alias + "." + c.name
}

var (
	nines65      = strings.Repeat("9", 65)
	numberDigits = struct{ signed, unsigned, whole, decimals, money, doubles, floats []string }{
		signed: []string{"0", "1", "-1", "2", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740992",
			"-9007199254740993",
			"9223372036854775806", "9223372036854775807", "-9223372036854775807", "-9223372036854775808"},
		unsigned: []string{"0", "1", "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808",
			"9223372036854775809",
			"18446744073709551614", "18446744073709551615"},
		whole: []string{"0", "-1", nines65, nines65[1:] + "8", "-" + nines65, "18446744073709551615", "18446744073709551616",
			"9007199254740993", "9223372036854775808"},
		decimals: []string{"0", "0.1", "0.100000000000000000000000000001", "-0.1", "0.3", "9007199254740993",
			"9007199254740993.000000000000000000000000000001",
			"9007199254740992.5", "12345678901234567890123456789012345.123456789012345678901234567890",
			"12345678901234567890123456789012345.123456789012345678901234567891",
			"-12345678901234567890123456789012345.123456789012345678901234567890", "0.000000000000000000000000000001"},
		money: []string{"0", "0.1", "1.0000", "0.3", "2.5", "9007199254740992.9999", "9007199254740993.0000",
			"9999999999999999.9999", "-9999999999999999.9999"},
		doubles: []string{"0", "-0.0", "0.1", "1", "0.3", "0.30000000000000004", "9007199254740992", "9007199254740994",
			"9223372036854775807", "18446744073709551615", "1e22", "1e23",
			"1e308", "-1e308", "1.7976931348623157e308", "1e-308", "5e-324", "-5e-324"},
		floats: []string{"0", "0.1", "1", "1.5", "0.3", "16777216", "16777218", "3.402823466e38", "-3.402823466e38", "1e-45",
			"1e22"},
	}
	// Spelled as documents may have them.
	mixedNumbers = []string{"-0", "-0.0", "0e5", "1.0", "10e-1", "0.1", "0.10000000000000001",
		"0.1000000000000000055511151231257827", "0.3", "0.30000000000000004",
		"9007199254740991", "9007199254740992.0", "9007199254740992", "9007199254740993", "9007199254740993.0",
		"9.007199254740993e15", "9007199254740992.5", "-9007199254740993",
		"9223372036854775807", "9223372036854775808", "9.223372036854775807e18", "-9223372036854775808",
		"-9223372036854775809", "18446744073709551615", "18446744073709551616", "1.8446744073709551615e19",
		nines65, nines65 + "0", nines65[1:] + "8.5", "1e22", "1e23", "1e308", "-1e308", "1e-308", "5e-324", "4e-324", "1e400",
		"1.0000000000000000000001e400", "-1e400", "1e-400", "-1e-400",
		"12345678901234567890123456789012345.123456789012345678901234567891"}
)

// numberTest holds the tables and a connection with the index and one without.
type numberTest struct {
	*testing.T
	pool    *sql.DB
	on, off *sql.Conn
	columns []*numberColumn
	failed  int
	asked   int
	drawn   int // which combinations a short run asks
}

// newNumberTest makes an open table, doc, whose documents have the numbers
// undeclared, and a closed one, decl, with a column of each type.
func newNumberTest(t *testing.T) *numberTest {
	s := harness.Start(t)
	pool := harness.Connect(t, s.Addr(), "", "?interpolateParams=false")
	if _, err := pool.Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	n := &numberTest{T: t, pool: harness.Connect(t, s.Addr(), "d", "?interpolateParams=false"),
		drawn: int(testseed.Of(t, "", 0) % 1000)}
	n.on, n.off = n.with("ON"), n.with("OFF")
	n.documents()
	n.declared()
	return n
}

// with is a connection that uses the index, or doesn't.
func (n *numberTest) with(setting string) *sql.Conn {
	n.Helper()
	c, err := n.pool.Conn(context.Background())
	if err != nil {
		n.Fatal(err)
	}
	n.Cleanup(func() { _ = c.Close() })
	if _, err := c.ExecContext(context.Background(), "SET sqlfdb_use_index = "+setting); err != nil {
		n.Fatal(err)
	}
	return c
}

func (n *numberTest) exec(stmt string) {
	n.Helper()
	if _, err := n.on.ExecContext(context.Background(), stmt); err != nil {
		n.Fatalf("%v: %.300s", err, stmt)
	}
}

func (n *numberTest) documents() {
	n.exec("CREATE TABLE doc (_id INT PRIMARY KEY, _doc JSON)")
	lists := []struct {
		key    string
		values []string
	}{{"i", numberDigits.signed}, {"w", append(slices.Clone(numberDigits.signed), numberDigits.unsigned...)},
		{"u", numberDigits.unsigned[4:6]}, {"f", []string{"0.5", "-0.0", "1e308", "-1e308", "1e-308", "5e-324", "0.1", "0.3",
			"1", "9007199254740991", "1e22"}}, {"x", mixedNumbers}}
	var rows []string
	columns := make([]*numberColumn, len(lists))
	for i := range lists {
		columns[i] = &numberColumn{table: "doc", name: lists[i].key}
	}
	for id := range len(mixedNumbers) + 2 {
		fields := []string{fmt.Sprintf(`"_id":%d`, id)}
		for i, l := range lists {
			var v *big.Rat
			if id < len(l.values) {
				fields = append(fields, fmt.Sprintf("%q:%s", l.key, l.values[id]))
				v = ratOf(l.values[id])
				if l.key == "f" {
					v = shortestRat(l.values[id], 64)
				}
			} else if id == len(l.values) && l.key != "x" {
				fields = append(fields, fmt.Sprintf("%q:null", l.key))
			}
			columns[i].values = append(columns[i].values, v)
		}
		rows = append(rows, "('{"+strings.Join(fields, ",")+"}')")
	}
	n.exec("INSERT INTO doc (_doc) VALUES " + strings.Join(rows, ","))
	n.columns = append(n.columns, columns...)
	n.columns = append(n.columns, &numberColumn{table: "doc", name: "_doc->'$.x'", values: columns[len(columns)-1].values})
}

func (n *numberTest) declared() {
	types := []struct {
		name, typ string
		values    []string
		bits      int // of a floating point type
	}{
		{"i8", "TINYINT", []string{"0", "1", "-1", "127", "-128"}, 0},
		{"i32", "INT UNSIGNED", []string{"0", "1", "4294967295"}, 0},
		{"i64", "BIGINT", numberDigits.signed, 0},
		{"u64", "BIGINT UNSIGNED", numberDigits.unsigned, 0},
		{"d0", "DECIMAL(65,0)", numberDigits.whole, 0},
		{"d30", "DECIMAL(65,30)", numberDigits.decimals, 0},
		{"d4", "DECIMAL(20,4)", numberDigits.money, 0},
		{"f64", "DOUBLE", numberDigits.doubles, 64},
		{"f32", "FLOAT", numberDigits.floats, 32},
		{"b64", "BIT(64)", numberDigits.unsigned, 0},
		{"y", "YEAR", []string{"0", "1901", "1999", "2000", "2155"}, 0},
	}
	defs, rows := "_id INT PRIMARY KEY", []string{}
	columns := make([]*numberColumn, len(types))
	most := 0
	for i, typ := range types {
		defs += ", " + typ.name + " " + typ.typ
		columns[i] = &numberColumn{table: "decl", name: typ.name}
		most = max(most, len(typ.values))
	}
	n.exec("CREATE TABLE decl (" + defs + ")")
	for id := range most + 1 {
		row := fmt.Sprint(id)
		for i, typ := range types {
			var v *big.Rat
			text := "NULL"
			if id < len(typ.values) {
				text, v = typ.values[id], ratOf(typ.values[id])
				if typ.bits != 0 {
					v = shortestRat(text, typ.bits)
				}
			}
			row += ", " + text
			columns[i].values = append(columns[i].values, v)
		}
		rows = append(rows, "("+row+")")
	}
	n.exec("INSERT INTO decl VALUES " + strings.Join(rows, ","))
	n.columns = append(n.columns, columns...)
}

// numberConstant is a number as a statement gives it: its literal, or "?" and
// an argument.
type numberConstant struct {
	text  string
	args  []any
	value *big.Rat
}

func (c numberConstant) String() string { return fmt.Sprint(c.text, c.args) }

func numberConstants() []numberConstant {
	var out []numberConstant
	for _, l := range []string{"0", "1", "-1", "9007199254740991", "9007199254740992", "9007199254740993",
		"-9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "18446744073709551615", "18446744073709551616", "2000", nines65, "0.1", "0.3", "1.0",
		"9007199254740992.5", "9007199254740993.0", "9223372036854775807.5",
		"0.100000000000000000000000000001", "12345678901234567890123456789012345.123456789012345678901234567891", "-0.0",
		"127.5"} {
		out = append(out, numberConstant{text: l, value: ratOf(l)})
	}
	for _, l := range []string{"0e0", "-0e0", "1e0", "9007199254740992e0", "9007199254740993e0", "9223372036854775807e0",
		"18446744073709551615e0", "1e22", "1e308", "-1e308", "1e-308", "5e-324", "3.4028235e38", "1e-1", "3e-1"} {
		out = append(out, numberConstant{text: l, value: shortestRat(l, 64)})
	}
	for _, l := range []string{"9007199254740993", "9007199254740992.0", "18446744073709551616", "1e400", "-1e400",
		"1e-400", "0.10000000000000001", "-0", "4e-324"} {
		out = append(out, numberConstant{text: "CAST('" + l + "' AS JSON)", value: ratOf(l)})
	}
	for _, v := range []any{int64(0), int64(9007199254740993), int64(-9007199254740993), int64(-9223372036854775808),
		uint64(9223372036854775808), uint64(18446744073709551615), 0.1, 9007199254740992.0, 1e308, 5e-324,
		9223372036854775807.0} {
		c := numberConstant{text: "?", args: []any{v}, value: shortestRat(fmt.Sprint(v), 64)}
		switch v.(type) {
		case int64, uint64:
			c.value = ratOf(fmt.Sprint(v))
		}
		out = append(out, c)
	}
	return out
}

// rows runs a query with the index and without and gives the rows of both.
func (n *numberTest) rows(stmt string, args []any, check func(rows [][]string) string) {
	n.Helper()
	for name, c := range map[string]*sql.Conn{"with the index": n.on, "without the index": n.off} {
		n.asked++
		got, err := fetchRows(c, stmt, args)
		message := ""
		if err != nil {
			message = err.Error()
		} else {
			message = check(got)
		}
		if message == "" {
			continue
		}
		if n.failed++; n.failed <= 500 {
			n.Errorf("%s %v\n%s: %s", stmt, args, name, message)
		}
	}
}

func fetchRows(c *sql.Conn, stmt string, args []any) ([][]string, error) {
	rows, err := c.QueryContext(context.Background(), stmt, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(columns))
		for i, v := range values {
			if row[i] = "NULL"; v.Valid {
				row[i] = v.String
				if columns[i].DatabaseTypeName() == "DOUBLE" {
					row[i] = readAsDouble + row[i]
				}
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// ids expects the rows of one column, in any order.
func wantIDs(want []int) func([][]string) string {
	return func(rows [][]string) string {
		got := make([]int, 0, len(rows))
		for _, r := range rows {
			id, err := strconv.Atoi(r[0])
			if err != nil {
				return err.Error()
			}
			got = append(got, id)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			return fmt.Sprintf("got %v, want %v", got, want)
		}
		return ""
	}
}

// readAsDouble marks what the client got as a DOUBLE: an exact number in such a
// column is read by the driver as the nearest.
const readAsDouble = "~"

// sameNumber compares a value as the client gets it with a number.
func sameNumber(got string, want *big.Rat) bool {
	if want == nil || got == "NULL" {
		return want == nil && got == "NULL"
	}
	if got, double := strings.CutPrefix(got, readAsDouble); double {
		f, _ := want.Float64()
		return got == strconv.FormatFloat(f, 'g', -1, 64) ||
			sameNumber(got, shortestRat(strconv.FormatFloat(f, 'e', -1, 64), 64))
	}
	r, ok := new(big.Rat).SetString(got)
	if !ok && len(got) == 8 { // BIT(64)
		r, ok = new(big.Rat).SetInt(new(big.Int).SetBytes([]byte(got))), true
	}
	return ok && r.Cmp(want) == 0
}

func ratText(r *big.Rat) string {
	if r == nil {
		return "NULL"
	}
	return r.RatString()
}
