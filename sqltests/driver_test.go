package sqltests

import (
	"database/sql"
	"flag"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "github.com/sqlfdb/sqlfdb/driver"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var driverShare = flag.Int("driver-share", 12,
	"of so many scripts one is run through the driver in the process; 1: all")

// openInProcess opens a fresh store within this process.
func openInProcess(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlfdb", harness.StoreIn(t, filepath.Join(t.TempDir(), "store"))+"?database=d&parseTime=false")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	harness.Eventually(t, func() string { return "the first sweep does not end" }, func() bool {
		return harness.Number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs") == 0
	})
	return db
}

// ofTheWire are scripts that tell of what is there only between two processes: where a client is, how the binary
// protocol spells a time, how a driver words that its connection has ended.
var ofTheWire = map[string]bool{"binary_results.sql": true, "sessions.sql": true, "system_schema.sql": true}

// TestScriptsInProcess runs a share of the scripts through the driver that opens the store in the process.
func TestScriptsInProcess(t *testing.T) {
	runShare(t, *driverShare, func(t *testing.T, path string) {
		if !ofTheWire[filepath.Base(path)] {
			runScript(t, path, openInProcess(t))
		}
	})
}

var distantShare = flag.Int("distant-share", 12,
	"of so many scripts one is run over the embedded engine with the limits of a cluster; 1: all")

// TestScriptsDistant runs a share of the scripts over the embedded engine with the limits of a cluster, and those that
// came out otherwise once.
func TestScriptsDistant(t *testing.T) {
	harness.Embedded(t)
	*harness.UnderTest = "distant"
	t.Cleanup(func() { *harness.UnderTest = "pebble" })
	once := []string{"aggregate_groups.sql", "join_members.sql", "map_couchdb.sql"}
	run := func(t *testing.T, path string) { runScript(t, path, scriptDatabase(t)) }
	for _, name := range once {
		t.Run(name, func(t *testing.T) { run(t, filepath.Join("testdata", name)) })
	}
	runShare(t, *distantShare, func(t *testing.T, path string) {
		if !slices.Contains(once, filepath.Base(path)) {
			run(t, path)
		}
	})
}

// runShare runs one of so many scripts, which the seed draws.
func runShare(t *testing.T, share int, run func(t *testing.T, path string)) {
	t.Helper()
	if f := flag.Lookup("rewrite"); f != nil && f.Value.String() == "true" {
		t.Skip("TestScripts writes them")
	}
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	drawn := uint32(testseed.Of(t, "", 0) % uint64(share))
	for _, path := range files {
		if crc32.ChecksumIEEE([]byte(path))%uint32(share) != drawn {
			continue
		}
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) { run(t, path) })
	}
}
