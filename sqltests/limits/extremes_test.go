package limits

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// functionsAsked are names of functions that take any arguments.
const functionsAsked = `abs acos adddate any_value ascii asin atan atan2 avg bin bin_to_uuid bit_and bit_count
	bit_length
	bit_or bit_xor ceil ceiling char char_length coalesce concat concat_ws conv convert_tz cos cot count crc32 date
	date_add date_format
	datediff day dayname dayofyear degrees elt exp export_set field find_in_set floor format
	from_base64 from_days from_unixtime greatest group_concat hex hour if ifnull inet_aton inet_ntoa insert instr
	interval isnull json_array json_arrayagg json_array_append json_contains json_extract json_insert json_object
	json_quote json_set json_unquote json_value last_day last_insert_id lcase least left length ln locate log log10
	log2 lpad ltrim make_set makedate maketime max md5 microsecond mid min minute mod month monthname nullif oct ord
	period_add period_diff pow quarter quote radians rand repeat replace reverse right round rpad second sec_to_time
	sha1 sha2 sign sin soundex space sqrt stddev str_to_date strcmp substr substring_index sum tan time time_format
	time_to_sec timediff timestamp to_base64 to_days to_seconds trim truncate ucase unhex unix_timestamp
	uuid_to_bin var_pop week weekday weekofyear year yearweek nth_value lag lead ntile`

// TestHugeExponents: numbers of a few characters whose digits would fill the memory, in each conversion: of values that
// are stored, in keys too, and of arguments of functions and operators. The second server starts reads before they are
// asked for.
func TestHugeExponents(t *testing.T) {
	for _, s := range []struct {
		name string
		b    *badInput
	}{{"embedded", newBadInput(t)}, {"waiting", newBadInputOver(t, harness.StartWaiting(t))}} {
		b := s.b
		ask := func(stmt string) {
			t.Helper()
			began := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
			defer cancel()
			err := b.attemptIn(ctx, stmt)
			if err != nil && harness.ErrorNumber(err) == 0 {
				t.Fatalf("%s: %s: %v", s.name, stmt, err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%s: %s: %v", s.name, stmt, took)
			}
		}
		extremes := []string{"'1e2147483640'", "'1e-2147483640'", "'-1e999999999'", "CAST('1e2147483640' AS JSON)",
			"'1e99999999999999999999'", "CAST('[1e2147483640]' AS JSON)", "CAST('{\"a\":1e999999999}' AS JSON)->'$.a'",
			"' 1e100000000 '", "1e308", "1e2147483640", "1e-2147483640"}
		types := []string{"INT", "BIGINT UNSIGNED", "DECIMAL(20,5)", "DECIMAL(65,30)", "DOUBLE", "FLOAT", "BIT(64)", "YEAR",
			"DATETIME", "TIMESTAMP", "DATE", "TIME", "VARCHAR(20)", "VARBINARY(20)", "ENUM('a','b')", "SET('a','b')", "BOOLEAN"}
		for i, typ := range types {
			name := fmt.Sprintf("t%d", i)
			b.exec(fmt.Sprintf("CREATE TABLE %s (k %s PRIMARY KEY, v %[2]s, u %[2]s, UNIQUE KEY (u), KEY (v))",
				name, typ))
			for _, e := range extremes {
				ask(fmt.Sprintf("INSERT INTO %s (k) VALUES (%s)", name, e))
				ask(fmt.Sprintf("INSERT INTO %s (k) VALUES (%s), (%[2]s)", name, e))
				ask(fmt.Sprintf("REPLACE INTO %s VALUES (1, %s, %[2]s), (2, %[2]s, 3)", name, e))
				ask(fmt.Sprintf("INSERT IGNORE INTO %s VALUES (3, %s, %[2]s), (%[2]s, 4, 5)", name, e))
				ask(fmt.Sprintf("UPDATE IGNORE %s SET u = %s WHERE k = %[2]s OR v < %[2]s OR u IN (%[2]s, 1)", name, e))
				ask(fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE v = %s OR v BETWEEN 1 AND %[2]s OR v + %[2]s > 3", name, e))
				ask(fmt.Sprintf("DELETE FROM %s WHERE k = %s", name, e))
			}
		}
		if s.name == "waiting" {
			break
		}
		for _, e := range extremes {
			for _, f := range strings.Fields(functionsAsked) {
				ask(fmt.Sprintf("SELECT LENGTH(%s(%s))", f, e))
				ask(fmt.Sprintf("SELECT LENGTH(%s(%s, 2))", f, e))
				ask(fmt.Sprintf("SELECT LENGTH(%s(2, %s))", f, e))
				ask(fmt.Sprintf("SELECT LENGTH(%s(1, 2, %s))", f, e))
				ask(fmt.Sprintf("SELECT LENGTH(%s(%s, %[2]s))", f, e))
				ask(fmt.Sprintf("SELECT LENGTH(%s(CAST(1 AS DECIMAL(5,2)), %s))", f, e))
			}
			for _, op := range strings.Fields("+ - * / DIV % | & ^ << >> = < <=> LIKE AND XOR") {
				for _, other := range []string{"2", "2.5", "1e0", "CAST(1 AS DECIMAL(5,2))", "DATE'2020-01-01'", "'x'", e} {
					ask(fmt.Sprintf("SELECT LENGTH(%s %s %s)", e, op, other))
					ask(fmt.Sprintf("SELECT LENGTH(%s %s %s)", other, op, e))
				}
			}
			for _, typ := range []string{"SIGNED", "UNSIGNED", "DECIMAL", "DECIMAL(65,30)", "DOUBLE", "FLOAT", "CHAR", "BINARY",
				"DATE", "TIME", "DATETIME(6)", "YEAR", "JSON", "REAL"} {
				ask(fmt.Sprintf("SELECT LENGTH(CAST(%s AS %s))", e, typ))
			}
			ask(fmt.Sprintf("SELECT DATE'2020-01-01' + INTERVAL %s DAY, "+
				"DATE'2020-01-01' - INTERVAL %[1]s SECOND_MICROSECOND", e))
			ask(fmt.Sprintf("SELECT -%s, ~%[1]s, NOT %[1]s, CASE %[1]s WHEN 1.5 THEN 1 END, 1.5 IN (%[1]s)", e))
			ask("SET @x = " + e)
			ask("SELECT @x + 1.5, LENGTH(CONCAT(@x))")
		}
	}
}
