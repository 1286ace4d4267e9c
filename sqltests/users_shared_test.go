package sqltests

import (
	"context"
	"io"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestUsersOfServers: what a statement does to accounts, roles and privileges on one server counts on another server of
// the store at the next statement, and at the next log-in.
func TestUsersOfServers(t *testing.T) {
	store := harness.NewStore(t)
	var at []people
	for range 2 {
		s, err := server.Start(context.Background(), store, server.Options{Listen: "127.0.0.1:0", Output: io.Discard,
			Log: harness.TestLog{T: t}, RootPassword: "p", HoldJobs: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close(context.Background()) })
		at = append(at, people{t, s})
	}
	root := at[0].as("root:p")
	shopOf(t, root)
	harness.MustExec(t, root, "CREATE USER u IDENTIFIED BY 'x'", "CREATE ROLE r")
	u := at[1].as("u:x")
	step := func(stmt string, want ...[2]string) {
		t.Helper()
		harness.MustExec(t, root, stmt)
		inOrder(t, u, want...)
	}
	const reads = "SELECT COUNT(*) FROM shop.orders"
	step("SELECT 1", [2]string{reads, "1142"})
	step("GRANT SELECT ON shop.* TO u", [2]string{reads, "=2"})
	step("REVOKE SELECT ON shop.* FROM u", [2]string{reads, "1142"})
	step("GRANT SELECT (total) ON shop.orders TO u", [2]string{"SELECT MAX(total) FROM shop.orders", "=7"})
	step("REVOKE SELECT (total) ON shop.orders FROM u", [2]string{"SELECT MAX(total) FROM shop.orders", "1142"})
	step("GRANT r TO u", [2]string{"SET ROLE r", ""}, [2]string{reads, "1142"})
	step("GRANT SELECT ON shop.orders TO r", [2]string{reads, "=2"})
	step("REVOKE r FROM u", [2]string{reads, "1142"}, [2]string{"SELECT CURRENT_ROLE()", "=NONE"})
	harness.MustExec(t, root, "ALTER USER u IDENTIFIED BY 'y'")
	if _, err := at[1].try("u:x"); err == nil {
		t.Error("the old password is taken")
	}
	at[1].as("u:y")
	step("DROP USER u", [2]string{reads, "1142"})
	if _, err := at[1].try("u:y"); err == nil {
		t.Error("a dropped user logs in")
	}
}
