package commands

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestLogOfServer: a server's log is lines of JSON where they are asked for, each with a level; clients that fail and
// break off are no news.
func TestLogOfServer(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	dir := t.TempDir()
	call := harness.ServeCall(t, filepath.Join(dir, "store"))
	call.Args = append(call.Args, "--log-format", "json")
	p := harness.Spawn(t, call)
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "SET GLOBAL slow_query_log = ON",
		"SET GLOBAL long_query_time = 0", "CREATE USER x IDENTIFIED BY 'right'")
	harness.Texts(t, harness.Connect(t, p.Addr, "", ""), "SELECT COUNT(*) FROM d.t")
	for _, wrong := range []string{"SELEC 1", "SELECT * FROM d.none", "INSERT INTO d.t VALUES (1), (1)"} {
		if _, err := db.Exec(wrong); err == nil {
			t.Errorf("%s succeeds", wrong)
		}
		if _, err := db.Prepare(wrong); err == nil && !strings.HasPrefix(wrong, "INSERT") {
			t.Errorf("%s is prepared", wrong)
		}
	}
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--dsn", "x:wrong@tcp(" + p.Addr.String() + ")/",
		filepath.Join(dir, "copy")}}); o.Exit == 0 {
		t.Error("a wrong password is taken")
	}
	p.Stop()
	met := map[string]int{}
	lines := bufio.NewScanner(strings.NewReader(p.Stderr.String()))
	for lines.Scan() {
		var line struct{ Level, Msg, Time, User, Peer, Statement string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line.Time == "" {
			t.Errorf("%s: %v", lines.Text(), err)
			continue
		}
		met[line.Level+": "+line.Msg]++
		switch line.Msg {
		case "a log-in is refused":
			if line.User != "x" || !strings.HasPrefix(line.Peer, "127.0.0.1:") {
				t.Errorf("%s", lines.Text())
			}
		case "slow statement":
			if line.Statement == "" {
				t.Errorf("%s", lines.Text())
			}
		}
		if line.Level == "error" {
			t.Errorf("%s", lines.Text())
		}
	}
	for _, want := range []string{"warning: a log-in is refused", "warning: slow statement",
		"info: stopping: running statements go on for a while"} {
		if met[want] == 0 {
			t.Errorf("no line %q among %v", want, met)
		}
	}
	for _, wrong := range [][]string{{"--log-format", "xml"}, {"--log-level", "loud"}} {
		o := harness.Run(t, harness.Call{Args: append([]string{"serve", "--store", "pebble:" + filepath.Join(dir, "other")},
			wrong...)})
		if o.Exit == 0 || !strings.Contains(o.Stderr, wrong[1]) {
			t.Errorf("%v: %+v", wrong, o)
		}
	}
}
