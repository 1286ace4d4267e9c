package sqltests

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestStatus: the counters that monitoring reads are those of this server and session.
func TestStatus(t *testing.T) {
	_, db := harness.Database(t)
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	before, global := statusOf(t, c, "SESSION"), statusOf(t, c, "GLOBAL")
	long := "SELECT '" + strings.Repeat("x", 10_000) + "'"
	harness.MustExec(t, c, "CREATE TABLE s (a INT PRIMARY KEY)", "INSERT INTO s VALUES (1)", "UPDATE s SET a = 2",
		"BEGIN",
		"DELETE FROM s", "ROLLBACK", "CREATE VIEW v AS SELECT a FROM s", "DROP VIEW v", "SET long_query_time = 0",
		"SELECT COUNT(*) FROM s WHERE a > 0",
		"SET long_query_time = 10", "ALTER TABLE s ADD COLUMN b INT", "TRUNCATE TABLE s")
	harness.Query(c, long)
	harness.Query(c, "SHOW COLUMNS FROM s")
	after, globalAfter := statusOf(t, c, "SESSION"), statusOf(t, c, "GLOBAL")
	for name, least := range map[string]int64{"Com_create_table": 1, "Com_insert": 1, "Com_update": 1, "Com_delete": 1,
		"Com_begin": 1, "Com_rollback": 1,
		"Com_create_view": 1, "Com_drop_view": 1, "Com_set_option": 2, "Com_alter_table": 1, "Com_truncate": 1,
		"Com_show_fields": 1, "Com_show_status": 2,
		"Slow_queries": 1, "Bytes_received": 10_000, "Bytes_sent": 10_000} {
		if got := after[name] - before[name]; got < least || got > least*20 {
			t.Errorf("%s of the session went up by %d, want %d or a little more", name, got, least)
		}
		if got := globalAfter[name] - global[name]; got < least {
			t.Errorf("%s went up by %d, want %d", name, got, least)
		}
	}
	deadline := time.Now().Add(10 * time.Second)
	for ; statusOf(t, c, "GLOBAL")["Uptime"] == 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("Uptime stays 0")
		}
	}
	if statusOf(t, c, "GLOBAL")["Threads_created"] == 0 {
		t.Error("Threads_created is 0")
	}
}

// statusOf are the status variables that are numbers.
func statusOf(t *testing.T, c *sql.Conn, scope string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	each(t, c, "SHOW "+scope+" STATUS", func(row []string) {
		if n, err := strconv.ParseInt(row[len(row)-1], 10, 64); err == nil && len(row) == 2 {
			out[row[0]] = n
		}
	})
	return out
}
