package statement_test

import (
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// TestCheckText: a statement has so many words and signs, of an INSERT each row, and names have a length.
func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		name, text, refused string
	}{
		{"list", "SELECT 1 IN (" + strings.Repeat("1234,", 200_000) + "1)", ""},
		{"long list", "SELECT 1 IN (" + strings.Repeat("1234,", 300_000) + "1)", ""},
		{"longer list", "DELETE FROM t WHERE id IN (1" + strings.Repeat(", -1.5e+3, 'a,''b' ", 250_000) + ")", ""},
		{"longest list", "SELECT 1 IN (" + strings.Repeat("1,", 700_000) + "1)", "constants"},
		{"list of names", "SELECT 1 IN (" + strings.Repeat("a,", 300_000) + "a)", "words and signs"},
		{"list of sums", "SELECT 1 IN (" + strings.Repeat("1+1,", 200_000) + "1)", "words and signs"},
		{"selected", "SELECT " + strings.Repeat("1,", 300_000) + "1", "words and signs"},
		{"statements", "BEGIN;" + strings.Repeat("UPDATE t SET a = 1 WHERE id = 2;", 60_000) + "COMMIT", ""},
		{"statement behind others", strings.Repeat("SELECT 1;", 60_000) + "SELECT " + strings.Repeat("a,", 300_000) + "a",
			"words and signs"},
		{"inserts behind others", "CREATE TABLE t (id INT);" + strings.Repeat("INSERT INTO t VALUES (1),(2);", 100_000), ""},
		{"rows behind others", "SELECT 1; INSERT INTO t VALUES " + strings.Repeat("(1),", 300_000) + "(1)", ""},
		{"program", "CREATE PROCEDURE p() BEGIN " + strings.Repeat("SET @a = 1; ", 120_000) + "END", "words and signs"},
		{"program with branches", "CREATE DEFINER = a@b PROCEDURE p() " +
			strings.Repeat("IF 1 THEN SET @a = 1; END IF; ", 120_000), "words and signs"},
		{"signs", "SELECT " + strings.Repeat("] ", 600_000), "words and signs"},
		{"parameters", "SELECT " + strings.Repeat("?,", 300_000) + "?", "words and signs"},
		{"digits", "SELECT " + strings.Repeat("9", 2_000_000), ""},
		{"hexadecimal", "SELECT 0x" + strings.Repeat("a1", 1_000_000), ""},
		{"rows", "INSERT INTO t VALUES " + strings.Repeat("(1),", 300_000) + "(1)", ""},
		{"rows of columns", "replace into `t` (a) VALUES " + strings.Repeat("(1),", 300_000) + "(1)", ""},
		{"one row", "INSERT INTO t VALUES (" + strings.Repeat("1,", 300_000) + "1)", "words and signs"},
		{"set", "INSERT INTO t SET " + strings.Repeat("a = 1,", 300_000) + "a = 1", "words and signs"},
		{"behind rows", "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE " + strings.Repeat("a=(1),", 300_000) + "a = 1",
			"words and signs"},
		{"of a query", "INSERT INTO t SELECT " + strings.Repeat("(1),", 300_000) + "1", "words and signs"},
		{"name", "SELECT " + strings.Repeat("a", 60_000), ""},
		{"long name", "SELECT " + strings.Repeat("a", 70_000), "invalid identifier"},
		{"long quoted name", "SELECT `" + strings.Repeat("a", 70_000) + "`", "invalid identifier"},
		{"long variable", "SELECT @" + strings.Repeat("a", 70_000), "invalid identifier"},
	} {
		err := statement.CheckText(c.text)
		if (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
