package sqlbackend

import (
	"strings"
	"testing"
)

// strictCalls are calls of functions that are NULL if an argument is, with values for them.
var strictCalls = []string{
	"ABS(-5)", "ACOS(0.5)", "ASCII('a')", "ASIN(0.5)", "ATAN(0.5)", "BIN(5)", "BIT_LENGTH('a')", "CEIL(1.5)",
	"CEILING(1.5)", "CHAR_LENGTH('a')", "CHARACTER_LENGTH('a')", "CONCAT('a', 'b')", "COS(1)", "COT(1)", "CRC32('a')",
	"DATE('2020-01-02')", "DATE_FORMAT('2020-01-02', '%Y')", "DATEDIFF('2020-01-02', '2020-01-01')", "DAY('2020-01-02')",
	"DAYNAME('2020-01-02')", "DAYOFMONTH('2020-01-02')", "DAYOFWEEK('2020-01-02')",
	"DAYOFYEAR('2020-01-02')", "DEGREES(1)", "EXP(1)", "FIND_IN_SET('a', 'a,b')", "FLOOR(1.5)", "FROM_BASE64('YQ==')",
	"GREATEST(1, 2)", "HEX('a')", "HOUR('2020-01-02 10:00:00')", "INSTR('ab', 'b')", "LAST_DAY('2020-01-02')",
	"LCASE('A')",
	"LEAST(1, 2)", "LEFT('ab', 1)", "LENGTH('a')", "LN(2)", "LOCATE('b', 'ab')", "LOG10(2)", "LOG2(2)", "LOWER('A')",
	"LPAD('a', 3, 'b')", "LTRIM(' a')", "MD5('a')", "MICROSECOND('2020-01-02 10:00:00.5')", "MID('abc', 2, 1)",
	"MINUTE('2020-01-02 10:00:00')",
	"MOD(7, 4)", "MONTH('2020-01-02')", "MONTHNAME('2020-01-02')", "OCTET_LENGTH('a')", "ORD('a')", "POW(2, 3)",
	"POWER(2, 3)", "QUARTER('2020-01-02')", "RADIANS(1)", "REGEXP_LIKE('abc', 'b')", "REPEAT('a', 3)",
	"REGEXP_LIKE('abc', 'b', 'i')", "LOCATE('b', 'ab', 1)", "REPLACE('abc', 'b', 'c')", "REVERSE('ab')", "RIGHT('ab', 1)",
	"ROUND(1.5)", "ROUND(1.55, 1)", "RPAD('a', 3, 'b')", "RTRIM('a ')", "SECOND('2020-01-02 10:00:05')", "SHA('a')",
	"SHA1('a')", "SHA2('a', 256)", "SIGN(-5)", "SIN(1)", "SOUNDEX('a')", "SQRT(4)",
	"STRCMP('a', 'b')", "SUBSTR('abc', 2)", "SUBSTRING('abc', 2, 1)", "SUBSTRING_INDEX('a.b', '.', 1)", "TAN(1)",
	"TIME('10:00:00')", "TIME_TO_SEC('2020-01-02 10:00:00')", "TO_BASE64('a')", "TO_DAYS('2020-01-02')", "TRIM(' a ')",
	"TRUNCATE(1.55, 1)", "UCASE('a')", "UNHEX('61')", "UNIX_TIMESTAMP('2020-01-02')", "UPPER('a')",
	"WEEKDAY('2020-01-02')", "WEEKOFYEAR('2020-01-02')", "YEAR('2020-01-02')",
	"DATE_ADD('2020-01-02', INTERVAL 1 DAY)", "DATE_SUB('2020-01-02', INTERVAL 1 DAY)",
	"TIMESTAMPDIFF(DAY, '2020-01-02', '2020-01-03')",
}

// TestStrictFunctions calls the functions that conditions on documents with a keypath rest on, with NULL for each of
// their arguments: the whole is NULL. So it is of values of which nothing is.
func TestStrictFunctions(t *testing.T) {
	b := newPredicateBench(t)
	b.must("CREATE TABLE none (_id INT PRIMARY KEY, n BIGINT, s VARCHAR(20), d DATE, _doc JSON)")
	b.must("INSERT INTO none (_id) VALUES (1)")
	for _, call := range strictCalls {
		rows, err := b.query("SELECT " + call + " IS NOT NULL")
		if err != nil || len(rows) != 1 || rows[0] != "true" {
			t.Errorf("%s: %v %v", call, rows, err)
			continue
		}
		name, rest, _ := strings.Cut(call, "(")
		args := strings.Split(strings.TrimSuffix(rest, ")"), ", ")
		for i, arg := range args {
			if strings.HasPrefix(arg, "INTERVAL") || arg == "DAY" {
				continue
			}
			nulls := []string{"NULL", "n", "s", "_doc->'$.x'", "_doc->>'$.x'"}
			if strings.Contains(arg, "20") {
				nulls = append(nulls, "d")
			}
			for _, null := range nulls {
				with := append([]string(nil), args...)
				with[i] = null
				e := name + "(" + strings.Join(with, ", ") + ")"
				rows, err := b.query("SELECT " + e + " IS NULL FROM none")
				if err != nil || len(rows) != 1 || rows[0] != "true" {
					t.Errorf("%s: %v %v", e, rows, err)
				}
			}
			with := append([]string(nil), args...)
			with[i] = "undeclared"
			e := name + "(" + strings.Join(with, ", ") + ") = 1"
			if _, err := b.query("SELECT 1 FROM t WHERE " + e); err != nil {
				continue
			}
			_, found, err := b.split("SELECT 1 FROM t WHERE " + e)
			if err != nil || len(found.Candidates) != 1 {
				t.Errorf("%s: %v %v", e, found, err)
			}
		}
	}
}
