package sqltests

import (
	"database/sql"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var rewriteTPCH = flag.String(
	"rewrite-tpch", "", "a database of another server, as the driver is told it: what the queries of TPC-H give "+
		"there is written")

// tpchTables are the tables of TPC-H, with its keys; comments are shorter than there.
var tpchTables = []string{
	`CREATE TABLE region (r_regionkey INT PRIMARY KEY, r_name CHAR(25) NOT NULL, r_comment VARCHAR(152))`,
	`CREATE TABLE nation (n_nationkey INT PRIMARY KEY, n_name CHAR(25) NOT NULL, n_regionkey INT NOT NULL, ` +
		`n_comment VARCHAR(152), KEY (n_regionkey))`,
	`CREATE TABLE supplier (s_suppkey INT PRIMARY KEY, s_name CHAR(25) NOT NULL, s_address VARCHAR(40) NOT NULL,
		s_nationkey INT NOT NULL,
		s_phone CHAR(15) NOT NULL, s_acctbal DECIMAL(15,2) NOT NULL, s_comment VARCHAR(101) NOT NULL, KEY (s_nationkey))`,
	`CREATE TABLE part (p_partkey INT PRIMARY KEY, p_name VARCHAR(55) NOT NULL, p_mfgr CHAR(25) NOT NULL,
		p_brand CHAR(10) NOT NULL,
		p_type VARCHAR(25) NOT NULL, p_size INT NOT NULL, p_container CHAR(10) NOT NULL,
			p_retailprice DECIMAL(15,2) NOT NULL)`,
	`CREATE TABLE partsupp (ps_partkey INT NOT NULL, ps_suppkey INT NOT NULL, ps_availqty INT NOT NULL,
		ps_supplycost DECIMAL(15,2) NOT NULL,
		PRIMARY KEY (ps_partkey, ps_suppkey), KEY (ps_suppkey))`,
	`CREATE TABLE customer (c_custkey INT PRIMARY KEY, c_name VARCHAR(25) NOT NULL, c_address VARCHAR(40) NOT NULL,
		c_nationkey INT NOT NULL,
		c_phone CHAR(15) NOT NULL, c_acctbal DECIMAL(15,2) NOT NULL, c_mktsegment CHAR(10) NOT NULL,
			c_comment VARCHAR(117) NOT NULL, KEY (c_nationkey))`,
	`CREATE TABLE orders (o_orderkey INT PRIMARY KEY, o_custkey INT NOT NULL, o_orderstatus CHAR(1) NOT NULL,
		o_totalprice DECIMAL(15,2) NOT NULL,
		o_orderdate DATE NOT NULL, o_orderpriority CHAR(15) NOT NULL, o_shippriority INT NOT NULL,
			o_comment VARCHAR(79) NOT NULL, KEY (o_custkey))`,
	`CREATE TABLE lineitem (l_orderkey INT NOT NULL, l_partkey INT NOT NULL, l_suppkey INT NOT NULL,
		l_linenumber INT NOT NULL,
		l_quantity DECIMAL(15,2) NOT NULL, l_extendedprice DECIMAL(15,2) NOT NULL, l_discount DECIMAL(15,2) NOT NULL,
			l_tax DECIMAL(15,2) NOT NULL,
		l_returnflag CHAR(1) NOT NULL, l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL,
			l_receiptdate DATE NOT NULL,
		l_shipinstruct CHAR(25) NOT NULL, l_shipmode CHAR(10) NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber),
			KEY (l_partkey, l_suppkey))`,
	`CREATE VIEW revenue0 (supplier_no, total_revenue) AS SELECT l_suppkey, SUM(l_extendedprice * (1 - l_discount))
		FROM lineitem
		WHERE l_shipdate >= DATE '1996-01-01' AND l_shipdate < DATE '1996-01-01' + INTERVAL '3' MONTH GROUP BY l_suppkey`,
}

// tpchRows makes rows of TPC-H's tables, the same each time: of fewer kinds of parts and suppliers than TPC-H has, so
// that each query gives rows of these few.
type tpchRows struct {
	times  int // as many rows as the results are of
	state  uint64
	tables []string
	rows   map[string][]string
}

func (g *tpchRows) below(n int) int {
	g.state = g.state*6364136223846793005 + 1442695040888963407
	return int(g.state>>33) % n
}

func (g *tpchRows) of(words ...string) string { return words[g.below(len(words))] }

func (g *tpchRows) add(table, format string, values ...any) {
	if g.rows[table] == nil {
		g.tables = append(g.tables, table)
	}
	g.rows[table] = append(g.rows[table], "("+fmt.Sprintf(format, values...)+")")
}

func (g *tpchRows) phone(nation int) string {
	return fmt.Sprintf("%d-%03d-%03d-%04d", nation+10, g.below(1000), g.below(1000), g.below(10000))
}

func (g *tpchRows) comment(rare string) string {
	words := []string{"ironic", "special", "pending", "requests", "deposits", "foxes", "regular", "packages", "bold",
		"accounts"}
	if g.below(8) == 0 {
		return rare
	}
	return g.of(words...) + " " + g.of(words...) + " " + g.of(words...)
}

const (
	tpchSuppliers, tpchParts, tpchCustomers, tpchOrders = 50, 400, 300, 2500 // times once
	tpchDays                                            = 2405               // from 1992-01-01 to the last order
)

var tpchNations = strings.Fields(
	"ALGERIA-0 ARGENTINA-1 BRAZIL-1 CANADA-1 EGYPT-4 ETHIOPIA-0 FRANCE-3 GERMANY-3 INDIA-2 INDONESIA-2 IRAN-4 " +
		"IRAQ-4 JAPAN-2 " +
		"JORDAN-4 KENYA-0 MOROCCO-0 MOZAMBIQUE-0 PERU-1 CHINA-2 ROMANIA-3 SAUDI_ARABIA-4 VIETNAM-2 RUSSIA-3 " +
		"UNITED_KINGDOM-3 UNITED_STATES-1")

func newTPCHRows(times int) *tpchRows {
	g := &tpchRows{times: times, state: 42, rows: map[string][]string{}}
	for i, name := range []string{"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"} {
		g.add("region", "%d, '%s', '%s'", i, name, g.comment("carefully"))
	}
	for i, nation := range tpchNations {
		name, region, _ := strings.Cut(nation, "-")
		g.add("nation", "%d, '%s', %s, '%s'", i, strings.ReplaceAll(name, "_", " "), region, g.comment("furiously"))
	}
	for i := 1; i <= times*tpchSuppliers; i++ {
		nation := g.below(25)
		if i%3 == 0 {
			nation = []int{3, 6, 7, 20, 2}[i/3%5] // of whom the queries ask
		}
		g.add("supplier", "%d, 'Supplier#%09d', 'street %d', %d, '%s', %d.%02d, '%s'", i, i, g.below(10000), nation,
			g.phone(nation), g.below(11000)-999,
			g.below(100), g.comment("sly Customer foxes Complaints"))
	}
	price := func(part int) int { return 90000 + part*10%20001 + part%1000*100 }
	for i := 1; i <= times*tpchParts; i++ {
		m := 1 + g.below(5)
		g.add("part", "%d, '%s %s', 'Manufacturer#%d', 'Brand#%d%d', '%s %s %s', %d, '%s %s', %d.%02d", i,
			g.of("almond", "forest", "green", "blush", "ivory"), g.of("lace", "green", "khaki", "linen"), m, m, 1+g.below(5),
			g.of("STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"), g.of("ANODIZED", "BURNISHED", "POLISHED"),
			g.of("TIN", "STEEL", "BRASS"),
			1+g.below(20), g.of("SM", "LG", "MED"), g.of("CASE", "BOX", "PACK"), price(i)/100, price(i)%100)
		for s := range 4 {
			g.add("partsupp", "%d, %d, %d, %d.%02d", i, g.supplier(i, s), 1+g.below(200), 1+g.below(1000), g.below(100))
		}
	}
	for i := 1; i <= times*tpchCustomers; i++ {
		nation := g.below(25)
		g.add("customer", "%d, 'Customer#%09d', 'road %d', %d, '%s', %d.%02d, '%s', '%s'", i, i, g.below(10000), nation,
			g.phone(nation), g.below(11000)-999,
			g.below(100), g.of("AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"), g.comment("slyly"))
	}
	first := time.Date(1992, 1, 1, 0, 0, 0, 0, time.UTC)
	day := func(n int) string { return first.AddDate(0, 0, n).Format(time.DateOnly) }
	now := 1263 // 1995-06-17
	for i := 1; i <= times*tpchOrders; i++ {
		key, date, total, open, lines := i*4-i%4, g.below(tpchDays-151), 0, 0, 1+g.below(7)
		for line := 1; line <= lines; line++ {
			part, quantity, discount, tax := 1+g.below(times*tpchParts), 1+g.below(50), g.below(11), g.below(9)
			extended := quantity * price(part)
			shipped, commit := date+1+g.below(121), date+30+g.below(61)
			received := shipped + 1 + g.below(30)
			flag, status := "N", "F"
			if received <= now {
				flag = g.of("R", "A")
			}
			if shipped > now {
				status = "O"
				open++
			}
			total += extended * (100 - discount) / 100 * (100 + tax) / 100
			g.add("lineitem", "%d, %d, %d, %d, %d, %d.%02d, 0.%02d, 0.%02d, '%s', '%s', '%s', '%s', '%s', '%s', '%s'", key, part,
				g.supplier(part, g.below(4)), line,
				quantity, extended/100, extended%100, discount, tax, flag, status, day(shipped), day(commit), day(received),
				g.of("DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"),
				g.of("REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"))
		}
		status := "P"
		switch open {
		case 0:
			status = "F"
		case lines:
			status = "O"
		}
		customer := 1 + g.below(times*tpchCustomers)
		for customer%3 == 0 { // a third of them orders nothing
			customer = 1 + g.below(times*tpchCustomers)
		}
		g.add("orders", "%d, %d, '%s', %d.%02d, '%s', '%s', 0, '%s'", key, customer, status, total/100, total%100, day(date),
			g.of("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"), g.comment("quick special bold requests"))
	}
	return g
}

// supplier is one of the four suppliers of a part.
func (g *tpchRows) supplier(part, nth int) int {
	of := g.times * tpchSuppliers
	return (part+nth*(of/4+1))%of + 1
}

func (g *tpchRows) load(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, statement := range tpchTables {
		harness.MustExec(t, db, statement)
	}
	for _, table := range g.tables {
		for rows := g.rows[table]; len(rows) > 0; {
			n := min(1000, len(rows))
			harness.MustExec(t, db, "INSERT INTO "+table+" VALUES "+strings.Join(rows[:n], ", "))
			rows = rows[n:]
		}
	}
}

// tpchLong are the queries that compare each row with each without the index: they take from ten seconds to a minute.
var tpchLong = []int{17, 18, 19, 20, 21}

// TestTPCH runs the queries of TPC-H over 10,000 line items, with the index and without it. What they give is as
// MariaDB gave it.
func TestTPCH(t *testing.T) {
	g := newTPCHRows(1)
	queries := tpchPartsOf(t, "queries.txt")
	if *rewriteTPCH != "" {
		db, err := sql.Open("mysql", *rewriteTPCH)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		g.load(t, db)
		var out strings.Builder
		for i, q := range queries {
			began := time.Now()
			got := tpchAnswer(t, db, q)
			t.Logf("query %d there: %d rows in %v", i+1, len(got), time.Since(began))
			fmt.Fprintf(&out, "-- %d\n%s", i+1, strings.Join(append(got, ""), "\n"))
		}
		if err := os.WriteFile(filepath.Join("testdata", "tpch", "results.txt"), []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := harness.Start(t)
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	results := tpchPartsOf(t, "results.txt")
	db := harness.Connect(t, s.Addr(), "d", "")
	began := time.Now()
	g.load(t, db)
	t.Logf("%d line items loaded in %v", len(g.rows["lineitem"]), time.Since(began))
	db.SetMaxOpenConns(1)
	for _, index := range []string{"ON", "OFF"} {
		harness.MustExec(t, db, "SET sqlfdb_use_index = "+index+", sqlfdb_executor = batch")
		for i, q := range queries {
			if index == "OFF" && slices.Contains(tpchLong, i+1) {
				continue
			}
			began := time.Now()
			got := tpchAnswer(t, db, q)
			t.Logf("query %d, index %s: %d rows in %v", i+1, index, len(got), time.Since(began))
			if want := strings.Split(results[i], "\n"); !tpchSame(got, want) {
				t.Errorf("query %d, index %s:\n%s\nwant:\n%s", i+1, index, strings.Join(got, "\n"), results[i])
			}
		}
	}
}

// tpchPartsOf are the parts of a file, each under a line "-- NUMBER".
func tpchPartsOf(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "tpch", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, part := range strings.Split("\n"+string(text), "\n-- ")[1:] {
		number, rest, _ := strings.Cut(part, "\n")
		if number != strconv.Itoa(i+1) {
			t.Fatalf("%s: part %d is numbered %s", name, i+1, number)
		}
		out = append(out, strings.TrimSuffix(rest, "\n"))
	}
	return out
}

// tpchAnswer are the rows of a query, values separated by |.
func tpchAnswer(t *testing.T, db *sql.DB, q string) []string {
	t.Helper()
	rows, err := db.Query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, v := range values {
			if !v.Valid {
				v.String = "NULL"
			}
			texts = append(texts, v.String)
		}
		out = append(out, strings.Join(texts, "|"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// tpchSame compares rows; numbers may differ by how quotients are rounded.
func tpchSame(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		g, w := strings.Split(got[i], "|"), strings.Split(want[i], "|")
		if len(g) != len(w) {
			return false
		}
		for j := range g {
			a, errA := strconv.ParseFloat(g[j], 64)
			b, errB := strconv.ParseFloat(w[j], 64)
			if g[j] != w[j] && (errA != nil || errB != nil || math.Abs(a-b) > 1e-4*max(1, 1e-6*math.Abs(b))) {
				return false
			}
		}
	}
	return true
}
