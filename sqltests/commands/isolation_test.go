package commands

import (
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestIsolationFlag: sessions that ask for no level have the server's, and one that there is not is refused.
func TestIsolationFlag(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	args := []string{"serve", "--store", "pebble:" + t.TempDir() + "/store", "--listen", "127.0.0.1:0", "--isolation"}
	if o := harness.Run(t, harness.Call{Args: append(args, "NONSENSE")}); o.Exit == 0 {
		t.Errorf("a level that there is not: %+v", o)
	}
	p := harness.Spawn(t, harness.Call{Args: append(args, "REPEATABLE-READ")})
	db := harness.Connect(t, p.Addr, "", "")
	if got := harness.Text(t, db, "SELECT @@transaction_isolation"); got != "REPEATABLE-READ" {
		t.Error(got)
	}
	// The default of all is the variable's own, and not what it is set to.
	harness.MustExec(t, db, "SET GLOBAL transaction_isolation = DEFAULT", "SET @@GLOBAL.max_allowed_packet = 2048",
		"SET @@GLOBAL.max_allowed_packet = DEFAULT")
	got := harness.Text(t, db, "SELECT CONCAT(@@GLOBAL.transaction_isolation, ' ', @@GLOBAL.max_allowed_packet)")
	if got != "SERIALIZABLE 67108864" {
		t.Error(got)
	}
}
