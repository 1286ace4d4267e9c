package numbers

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var matrixAll = flag.Bool("matrix-all", false, "ask every predicate in every construct")

// predicateOperand is what a condition may be about, with constants that its values, and values near them,
// are equal to.
type predicateOperand struct {
	text      string
	constants []string
}

// predicateColumns are declared columns of every type, in the order of the table, each with what documents
// hold there.
var predicateColumns = []struct{ name, typ, values, constants string }{
	{"i", "INT", "1; 5; -7; 0; 20; 2147483647; null", "5; '5'; 5.0; 5e0; '5x'; TRUE; 2.5; -7"},
	{"bu", "BIGINT UNSIGNED", "1; 5; 0; 18446744073709551615; 9007199254740993; null",
		"5; '5'; 18446744073709551615; -1; 9007199254740992e0; 1.5"},
	{"de", "DECIMAL(12,2)", "1.50; 5; -7.25; 0; 1e3; null", "5; 1.5; '1.5'; 1.5e0; -7.251; '5x'"},
	{"f", "DOUBLE", "0.1; 5; -7.5; 0; 1e300; null", "5; 0.1; '0.1'; 0.1e0; -7.5"},
	{"fl", "FLOAT", "0.1; 5; -7.5; 0; 1e30; null", "5; 0.1; '0.1'; 0.1e0; -7.5"},
	{"s", "VARCHAR(40)", `"a"; "5"; "05"; "abc"; "A"; "é"; "pending"; ""; "2020-01-02"; "10:00:00"; "ı"; "İ"; "ſ"; ` +
		`"K"; null`, "'a'; 'abc'; 5; 'A'; '5'; 5.0; DATE'2020-01-02'; 0; x'61'"},
	{"ci", "VARCHAR(40) COLLATE utf8mb4_0900_ai_ci", `"a"; "5"; "abc"; "A"; "é"; "pending"; ""; "ı"; "İ"; "ſ"; "K"; null`,
		"'a'; 'ABC'; 5; 'E'; 0; 'b'"},
	{"bn", "VARCHAR(40) COLLATE utf8mb4_bin", `"a"; "5"; "abc"; "A"; "é"; "pending"; ""; null`, "'a'; 'abc'; 5; 'A'"},
	{"ch", "CHAR(8)", `"a"; "5"; "abc"; "A"; "é"; null`, "'a'; 'abc'; 5; 'A'"},
	{"d", "DATE", `"2020-01-02"; "2020-02-29"; "2021-12-31"; "1999-05-06"; "2020-1-2"; null`,
		"'2020-01-02'; DATE'2020-02-29'; 20200102; TIMESTAMP'2020-01-02 00:00:00'; '2020'; 20200102.0; '2020-01-02 " +
			"03:04:05'"},
	{"dt", "DATETIME", `"2020-01-02 00:00:00"; "2020-01-02 03:04:05"; "2021-12-31 23:59:59"; "1999-05-06 ` +
		`00:00:00"; "2020-01-02 ` +
		`03:04:05.4"; null`, "'2020-01-02 03:04:05'; DATE'2020-01-02'; 20200102030405; '2020-01-02'; 20200102; " +
		"TIMESTAMP'2021-12-31 23:59:59'"},
	{"ts", "TIMESTAMP", `"2020-01-02 00:00:00"; "2020-01-02 03:04:05"; "2021-12-31 23:59:59"; null`,
		"'2020-01-02 03:04:05'; DATE'2020-01-02'; 20200102030405; '2020-01-02'"},
	{"ti", "TIME", `"10:00:00"; "-01:00:00"; "100:00:00"; "03:04:05"; null`,
		"'10:00:00'; TIME'03:04:05'; 100000; '3:4:5'; 30405"},
	{"y", "YEAR", "2020; 1999; 2000; 1901; null", "2020; '2020'; 99; '1999'; 2020.0; 0"},
	{"en", "ENUM('b','a','c','5')", `"b"; "a"; "c"; "5"; null`, "'a'; 2; '5'; 'x'; 1; 4.0; '2'"},
	{"st", "SET('a','b','c')", `"a"; "b"; "a,b"; "c"; ""; null`, "'a'; 'a,b'; 'b,a'; 3; 0; 'x'"},
	{"bo", "BOOLEAN", "true; false; null", "TRUE; 1; 0; '1'; 2; 'x'"},
	{"ty", "TINYINT", "1; 5; 0; -128; 127; null", "5; 300; '5'; 1.5; TRUE"},
	{"bt", "BIT(8)", "1; 5; 0; 255; null", "5; b'101'; '5'; 300"},
	{"vb", "VARBINARY(20)", `"YQ=="; "NQ=="; "YWJj"; null`, "'a'; x'61'; 5; 'abc'"},
	{"js", "JSON", `1; 5; "a"; "5"; true; [5]; {"a": 5}; 2.5; null`,
		"5; 'a'; '5'; TRUE; CAST('5' AS JSON); CAST('[5]' AS JSON); 2.5; 5e0"},
}

// predicateKeypaths are keypaths that no column declares.
var predicateKeypaths = []struct{ name, values, constants string }{
	{"un", "1; 5; -7; 0; 20; 9007199254740993; null", "5; '5'; 5.0; 5e0; '5x'; TRUE; 2.5; -7"},
	{"ux", "1; 2.5; -7.25; 0; 1e300; null", "2.5; 1; '2.5'; 2.5e0; 0"},
	{"us", `"a"; "5"; "05"; "abc"; "A"; "é"; "pending"; ""; "2020-01-02"; "ı"; "İ"; "ſ"; "K"; null`,
		"'a'; 'abc'; 5; '5'; DATE'2020-01-02'; 0"},
	{"ub", "true; false; null", "TRUE; 1; 0; '1'; 'true'"},
	{"um", `1; 5; "5"; "a"; true; false; 2.5; [5]; {"a": 5}; "2020-01-02"; "1e2"; " 7"; 9007199254740993; -7.5; null`,
		"5; '5'; 'a'; TRUE; 2.5; CAST('5' AS JSON); DATE'2020-01-02'; 100"},
	{"ud", `"2020-01-02"; "2020-02-29 03:04:05"; "2021-12-31"; "x"; null`,
		"'2020-01-02'; DATE'2020-01-02'; TIMESTAMP'2020-02-29 03:04:05'; 2020"},
}

// predicateForms are the operands that a path into the document makes; {P} is the path's name.
var predicateForms = []string{
	"_doc->'$.{P}'", "_doc->>'$.{P}'", "JSON_EXTRACT(_doc, '$.{P}')", "JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.{P}'))",
	"JSON_VALUE(_doc, '$.{P}')",
	"JSON_VALUE(_doc, '$.{P}' RETURNING SIGNED)", "JSON_VALUE(_doc, '$.{P}' RETURNING UNSIGNED)",
	"JSON_VALUE(_doc, '$.{P}' RETURNING DECIMAL(10,2))", "JSON_VALUE(_doc, '$.{P}' RETURNING CHAR)",
	"JSON_VALUE(_doc, '$.{P}' RETURNING CHAR(3))",
	"JSON_VALUE(_doc, '$.{P}' RETURNING DATE)", "JSON_VALUE(_doc, '$.{P}' RETURNING DATETIME)",
	"JSON_VALUE(_doc, '$.{P}' RETURNING DOUBLE)",
	"JSON_VALUE(_doc, '$.{P}' RETURNING JSON)", "JSON_VALUE(_doc, '$.{P}' RETURNING SIGNED NULL ON EMPTY NULL ON ERROR)",
	"CAST(_doc->'$.{P}' AS SIGNED)", "CAST(_doc->'$.{P}' AS UNSIGNED)", "CAST(_doc->'$.{P}' AS CHAR)",
	"CAST(_doc->>'$.{P}' AS SIGNED)", "CAST(_doc->>'$.{P}' AS CHAR)", "CAST(_doc->>'$.{P}' AS DECIMAL(10,2))",
	"CAST(_doc->'$.{P}' AS DECIMAL(10,2))",
	"CAST(_doc->>'$.{P}' AS DATE)", "CAST(_doc->>'$.{P}' AS DATETIME)", "CAST(_doc->>'$.{P}' AS DOUBLE)",
	"CAST(_doc->'$.{P}' AS DOUBLE)", "DATE(_doc->>'$.{P}')", "YEAR(_doc->>'$.{P}')", "_doc->>'$.{P}' + 0",
	"_doc->'$.{P}' + 0",
}

// predicateShapes are conditions; {X} is the operand, {A} and {B} are constants.
var predicateShapes = []string{
	"{X} = {A}", "{A} = {X}", "{X} <=> {A}", "{X} <> {A}", "{X} < {A}", "{X} <= {A}", "{X} > {A}", "{A} >= {X}",
	"{X} BETWEEN {A} AND {B}", "{X} NOT BETWEEN {A} AND {B}", "{X} IN ({A}, {B})", "{X} NOT IN ({A}, {B})",
	"{X} IN ({A}, NULL)",
	"{X} NOT IN ({A}, NULL)", "NOT {X} = {A}", "NOT ({X} = {A} OR {X} = {B})", "NOT ({X} > {A} AND {X} < {B})",
	"{X} = {A} OR {X} = {B}", "{X} > {A} AND {X} < {B}", "({X}, _id) = ({A}, 'k05')", "({X}, 1) = ({A}, 1)",
	"({X}, _id) < ({A}, 'k05')", "({X}, 1) IN (({A}, 1), ({B}, 1))",
	"{X} IS NULL", "{X} IS NOT NULL", "{X}", "NOT {X}", "{X} IS TRUE", "{X} IS FALSE", "{X} IS NOT TRUE",
	"{X} IS NOT FALSE", "{X} IS UNKNOWN", "({X} = {A}) IS TRUE", "({X} = {A}) IS NOT TRUE", "({X} = {A}) IS UNKNOWN",
	"({X} > {A}) IS FALSE",
	"{X} LIKE 'a%'", "{X} LIKE '5%'", "{X} LIKE 'a|%' ESCAPE '|'", "{X} NOT LIKE 'a%'", "{X} LIKE {A}", "{X} REGEXP '^a'",
	"{X} REGEXP '^ab?c'", "{A} BETWEEN {X} AND {B}", "{A} IN ({X}, {B})", "{X} = ({A})", "{X} <=> NULL", "{X} = NULL",
	"({X} = {A}) = 1", "({X} = {A}) XOR FALSE",
	"COALESCE({X}, {A}) = {A}", "IFNULL({X}, 0) = {A}", "IF({X} = {A}, 1, 0) = 1", "NULLIF({X}, {A}) IS NULL",
	"CASE {X} WHEN {A} THEN 1 ELSE 0 END = 1", "UPPER({X}) = 'A'", "LOWER({X}) = 'a'", "UPPER({X}) = {A}",
	"UPPER({X}) IN ('I', 'S', 'ABC', '5')", "LOWER({X}) IN ('i', 'k', 'pending', 'true')", "UPPER({X}) <> 'A'",
	"LEFT({X}, 1) = 'a'", "LEFT({X}, 3) IN ('abc', 'a', '5', 'nul')",
	"SUBSTRING({X}, 1, 2) = 'ab'", "SUBSTRING({X}, 2, 1) = 'b'", "LEFT({X}, 2) = {A}", "LEFT({X}, 0) = ''",
	"{X} REGEXP '^a.*c$'", "{X} NOT REGEXP '^5'", "{X} REGEXP '^p[a-z]+g$'", "REGEXP_LIKE({X}, '^A', 'i')",
	"{X} REGEXP '^a|5'", "LENGTH({X}) = 1", "CONCAT({X}, '') = {A}", "CAST({X} AS CHAR) = {A}",
	"CAST({X} AS SIGNED) = {A}", "YEAR({X}) = 2020", "DATE({X}) = '2020-01-02'",
	"DATE_ADD({X}, INTERVAL 1 MONTH) > {A}", "{X} - INTERVAL 14 MONTH <= {A}",
	"{X} + INTERVAL 25 HOUR BETWEEN {A} AND {B}",
	"DATE_ADD({X}, INTERVAL 12 MONTH) = '2022-12-31'", "DATE_SUB({X}, INTERVAL 1 DAY) IN ({A}, {B}, '2020-02-28')",
	"NOT {X} + INTERVAL 1 YEAR < {A}", "FLOOR({X}) IN ({A}, {B})", "ROUND({X}) NOT IN (5, 0.0)", "{X} - 6 < {A}",
	"7 - {X} > {A}", "{X} * 2 <= {A}", "{X} + -3 >= {A}", "{X} DIV 2 IN (2, 10)",
	"MONTH({X}) = 1", "{X} + 0 = {A}", "{X} + 1 > {A}", "-{X} = {A}", "ABS({X}) = {A}", "ROUND({X}) = {A}",
	"FLOOR({X}) = {A}", "LEFT({X}, 1) = 'a'", "SUBSTRING({X}, 1, 1) = 'a'", "TRIM({X}) = 'a'",
	"BINARY {X} = {A}", "{X} COLLATE utf8mb4_bin = {A}", "GREATEST({X}, {A}) = {A}", "{X} MEMBER OF ('[5, \"a\"]')",
	"{X} = CAST({A} AS CHAR)", "{X} = CAST({A} AS SIGNED)", "{X} = {A} + 0", "{X} >= ALL (SELECT {A})",
	"{X} = ANY (SELECT {A})", "{X} IN (SELECT {A})",
}

// predicateArguments are parameters of each type.
var predicateArguments = []any{int64(5), uint64(5), 5.0, 0.1, "5", "a", "2020-01-02", []byte("a"),
	time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC), true, nil}

// newPredicateTable makes the table p, whose documents hold values of each column and keypath, nulls, or nothing there.
func newPredicateTable(t *testing.T) *numberTest {
	s := harness.Start(t)
	if _, err := harness.Connect(t, s.Addr(), "", "").Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	n := &numberTest{T: t, pool: harness.Connect(t, s.Addr(), "d", "?interpolateParams=false")}
	n.on, n.off = n.with("ON"), n.with("OFF")
	defs := []string{"_id VARCHAR(20) PRIMARY KEY"}
	for _, c := range predicateColumns {
		defs = append(defs, c.name+" "+c.typ)
	}
	n.exec("CREATE TABLE p (" + strings.Join(defs, ", ") + ", _doc JSON)")
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 2))
	for i := range 60 {
		members := []string{fmt.Sprintf(`"_id": "k%02d"`, i)}
		add := func(name, values string) {
			list := strings.Split(values, "; ")
			if at := r.IntN(len(list) + 1); at < len(list) {
				members = append(members, fmt.Sprintf("%q: %s", name, list[at]))
			}
		}
		for _, c := range predicateColumns {
			add(c.name, c.values)
		}
		for _, k := range predicateKeypaths {
			add(k.name, k.values)
		}
		n.exec("INSERT INTO p (_doc) VALUES ('{" + strings.Join(members, ", ") + "}')")
	}
	return n
}

// predicateOperands are the operands of the matrix.
func predicateOperands() (operands []predicateOperand) {
	for _, c := range predicateColumns {
		operands = append(operands, predicateOperand{c.name, strings.Split(c.constants, "; ")})
	}
	for _, k := range predicateKeypaths {
		constants := strings.Split(k.constants, "; ")
		operands = append(operands, predicateOperand{k.name, constants})
		for _, form := range predicateForms {
			operands = append(operands, predicateOperand{strings.ReplaceAll(form, "{P}", k.name), constants})
		}
	}
	return operands
}

// TestPredicateMatrix asks every condition of every operand, with the index and without: the answer is the same, or the
// same error. By flag all are asked; else some of each condition and of each operand.
func TestPredicateMatrix(t *testing.T) {
	n := newPredicateTable(t)
	const some = 61 // one in so many; a prime
	at, asked := int(testseed.Of(t, "", 0)%some), 0
	for _, o := range predicateOperands() {
		for _, shape := range predicateShapes {
			for i, a := range o.constants {
				if i > 0 && !strings.Contains(shape, "{A}") {
					break
				}
				if at++; at%some != 0 && !*matrixAll {
					continue
				}
				asked++
				b := o.constants[(i+1)%len(o.constants)]
				n.sameAnswer(strings.NewReplacer("{X}", o.text, "{A}", a, "{B}", b).Replace(shape))
				if strings.Contains(shape, "{A}") {
					arg := predicateArguments[asked%len(predicateArguments)]
					args := slices.Repeat([]any{arg}, strings.Count(shape, "{A}"))
					n.sameAnswer(strings.NewReplacer("{X}", o.text, "{A}", "?", "{B}", b).Replace(shape), args...)
				}
			}
		}
	}
	t.Logf("%d of %d conditions", asked, at)
	harness.CheckAll(t, n.pool)
}

// sameAnswer asks a condition both ways.
func (n *numberTest) sameAnswer(condition string, args ...any) {
	n.Helper()
	stmt := "SELECT _id FROM p WHERE " + condition + " ORDER BY _id"
	on, err := fetchRows(n.on, stmt, args)
	off, offErr := fetchRows(n.off, stmt, args)
	if offErr != nil && strings.Contains(offErr.Error(), "wrong type in collated expression") {
		return // of a number, which is not evaluated where what it is compared with tells enough
	}
	if fmt.Sprint(on, err) != fmt.Sprint(off, offErr) {
		n.Errorf("%s %v\nwith the index    %v %v\nwithout the index %v %v", stmt, args, on, err, off, offErr)
	}
}
