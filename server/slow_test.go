package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// TestSlowStatements: what takes longer than long_query_time is logged with its
// figures, and what reads far more than it gives gets a warning.
func TestSlowStatements(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := dial(t, store, Options{})
	defer w.close()
	w.exec("CREATE DATABASE d", "USE d", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	var rows []string
	for i := range 1200 {
		rows = append(rows, fmt.Sprintf(`('{"_id":"%04d","n":%d,"s":"a%d"}')`, i, i, i%7))
	}
	w.exec("INSERT INTO t (_doc) VALUES "+strings.Join(rows, ","), "SET long_query_time = 0")
	w.rows("SELECT s FROM t WHERE n = 5")
	if got := w.log.String(); strings.Contains(got, "slow statement") {
		t.Errorf("slow_query_log is OFF, and it says %s", got)
	}
	w.exec("SET GLOBAL slow_query_log = ON")
	defer w.exec("SET GLOBAL slow_query_log = OFF")
	logged := func(query string) string {
		w.log.Reset()
		w.rows(query)
		return w.log.String()
	}
	got := logged("SELECT s FROM t WHERE n = 5")
	for _, want := range []string{"slow statement", "n = 5", "documents=1", "keys=1", "rows=1", "database=d", "user=root",
		"seconds="} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in the log: %s", want, got)
		}
	}
	if got := logged("SELECT s FROM t WHERE n = 5 AND s <> '" + strings.Repeat("ä", 2000) + "'"); len(got) > 2600 ||
		!strings.Contains(got, "ä…") {
		t.Errorf("a long statement is logged in %d bytes", len(got))
	}
	w.exec("SET min_examined_row_limit = 100")
	if got := logged("SELECT s FROM t WHERE n = 5"); got != "" {
		t.Errorf("it read one document, and is logged: %s", got)
	}
	w.exec("SET min_examined_row_limit = 0, long_query_time = 10")
	if got := logged("SELECT n FROM t WHERE REVERSE(s) = '1a'"); got != "" {
		t.Errorf("quick, and logged: %s", got)
	}
	w.exec("SET GLOBAL log_queries_not_using_indexes = ON")
	defer w.exec("SET GLOBAL log_queries_not_using_indexes = OFF")
	if got := logged("SELECT n FROM t WHERE REVERSE(s) = '1a'"); !strings.Contains(got, "documents=1200") {
		t.Errorf("a full scan is not logged: %s", got)
	}
	if got := logged("SELECT s FROM t WHERE n = 5"); got != "" {
		t.Errorf("a lookup is logged: %s", got)
	}
	for query, warned := range map[string]bool{
		"SELECT _id FROM t WHERE CONCAT(s, n) = 'a55'": true,
		"SELECT _id FROM t WHERE REVERSE(s) = '1a'":    false, // one in seven
		"SELECT COUNT(*), MAX(s) FROM t WHERE n > 3":   false,
		"SELECT DISTINCT UPPER(s) FROM t":              false,
		"SELECT s FROM t WHERE n = 5":                  false,
	} {
		w.rows(query)
		if got := w.rows("SHOW WARNINGS"); strings.Contains(got, "The statement read") != warned {
			t.Errorf("%s: warnings %q", query, got)
		}
	}
	if got := w.rows("CHECK TABLE d.t"); !strings.Contains(got, "OK") {
		t.Error(got)
	}
}
