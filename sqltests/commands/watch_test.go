package commands

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// fetch gets a page of a server's metrics.
func fetch(t *testing.T, url string) (status int, text string) {
	t.Helper()
	answer, err := http.Get(url) //nolint:gosec // an address of the test's own
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// unusedAddress is an address that nobody listens at.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestWatching: a server whose flags stand in a file tells its figures, whether it lives and whether it serves; what it
// tells counts what clients have done; and each query of the dashboard asks for metrics that there are.
func TestWatching(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	work := t.TempDir()
	metrics := unusedAddress(t)
	config := filepath.Join(work, "conf")
	text := fmt.Sprintf("# flags\n\nstore = pebble:%s\nlisten=127.0.0.1:1\n  metrics = %s\n",
		filepath.Join(work, "store"), metrics)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--config", config, "--listen", "127.0.0.1:0"}})
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for i := range 20 {
		harness.MustExec(t, db, fmt.Sprintf(`INSERT INTO d.t (_doc) VALUES ('{"_id": "%d", "n": %d}')`, i, i))
	}
	harness.Texts(t, db, "WITH x AS (SELECT n FROM d.t WHERE n > 4) SELECT * FROM x")
	if _, err := db.Exec("DELETE FROM d.nothing"); err == nil {
		t.Error("what is not there was deleted")
	}
	for _, page := range []string{"healthz", "readyz"} {
		if status, text := fetch(t, "http://"+metrics+"/"+page); status != http.StatusOK {
			t.Errorf("%s: %d %s", page, status, text)
		}
	}
	_, told := fetch(t, "http://"+metrics+"/metrics")
	for _, line := range []string{`sqlfdb_statement_seconds_count{kind="insert"} 20`,
		`sqlfdb_statement_seconds_bucket{kind="insert",le="+Inf"} 20`, `sqlfdb_statement_errors_total{kind="delete"} 1`,
		`sqlfdb_table_documents{database="d",table="t"} 20`, `sqlfdb_table_keypaths{database="d",table="t"} 2`,
		"sqlfdb_up 1",
		"sqlfdb_store_failed 0", `sqlfdb_jobs{kind="sweep"`, `sqlfdb_store_level_bytes{level="6"}`,
		"sqlfdb_build_info{version="} {
		if !strings.Contains(told, "\n"+line) {
			t.Errorf("not told: %s", line)
		}
	}
	for _, name := range []string{"sqlfdb_rows_total", "sqlfdb_documents_read_total", "sqlfdb_store_commits_total",
		"sqlfdb_store_commit_seconds_count", "sqlfdb_store_commit_seconds_sum", "sqlfdb_store_sync_seconds_count",
		"sqlfdb_store_sync_seconds_sum", `sqlfdb_store_sync_seconds_bucket{le="+Inf"}`, "sqlfdb_sent_bytes_total"} {
		if strings.Contains(told, "\n"+name+" 0\n") || !strings.Contains(told, "\n"+name+" ") {
			t.Errorf("%s is 0, or not told", name)
		}
	}
	dashboard(t, told)
	p.Stop()
	for what, c := range map[string]struct{ text, want string }{
		"no flag":       {"nope = 1\n", "line 1: \"nope\" is no flag"},
		"no value":      {"\nlisten\n", "line 2: \"listen\": want NAME = VALUE"},
		"twice":         {"listen = a\nlisten = b\n", "line 2: listen stands in line 1 already"},
		"a wrong value": {"# x\ncache = much\n", "line 2:"},
		"within itself": {"config = x\n", "is no flag"},
		"a comment":     {"store = pebble:/nowhere # main\n", "a line of its own"},
		"quotes":        {"store = \"pebble:/nowhere\"\n", "leave them out"},
	} {
		if err := os.WriteFile(config, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if o := harness.Run(t, harness.Call{Args: []string{"serve", "--config", config}}); o.Exit == 0 ||
			!strings.Contains(o.Stderr, c.want) {
			t.Errorf("%s: %+v", what, o)
		}
	}
	if o := harness.Run(t, harness.Call{Args: []string{"--version"}}); o.Exit != 0 ||
		!strings.HasPrefix(o.Stdout, "sqlfdb ") {
		t.Errorf("--version: %+v", o)
	}
	pages := filepath.Join(work, "man")
	if o := harness.Run(t, harness.Call{Args: []string{"manual", pages}}); o.Exit != 0 {
		t.Errorf("manual: %+v", o)
	}
	if page, err := os.ReadFile(filepath.Join(pages, "sqlfdb-serve.1")); err != nil ||
		!strings.Contains(string(page), "shutdown\\-grace") && !strings.Contains(string(page), "shutdown-grace") {
		t.Errorf("the manual page of serve: %v", err)
	}
}

// metricName finds the names of metrics in a query of Prometheus' language.
var metricName = regexp.MustCompile(`\b(?:sqlfdb|go|process)_[a-z0-9_]+`)

// dashboard proves that each query of the dashboard asks for metrics that a server tells.
func dashboard(t *testing.T, told string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(harness.ModuleRoot(t), "deploy", "grafana", "sqlfdb.json"))
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			names := metricName.FindAllString(target.Expr, -1)
			if len(names) == 0 {
				t.Errorf("%s: %s asks for nothing", p.Title, target.Expr)
			}
			for _, name := range names {
				asked[name] = true
				if !strings.Contains(told, "\n"+name+" ") && !strings.Contains(told, "\n"+name+"{") {
					t.Errorf("%s: there is no %s", p.Title, name)
				}
			}
		}
	}
	for _, line := range strings.Split(told, "\n") {
		if name, ok := strings.CutPrefix(line, "# TYPE sqlfdb_"); ok {
			name, _, _ = strings.Cut(name, " ")
			if name = "sqlfdb_" + name; !asked[name] && !asked[name+"_count"] && !asked[name+"_bucket"] &&
				name != "sqlfdb_build_info" && name != "sqlfdb_table_entries" {
				t.Errorf("the dashboard does not show %s", name)
			}
		}
	}
}
