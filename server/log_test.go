package server

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"
)

// TestLog: a log's lines have a level, and are text or JSON.
func TestLog(t *testing.T) {
	for _, wrong := range [][2]string{{"xml", ""}, {"", "loud"}, {"json", "panic"}, {"text", "warn"}} {
		if _, err := NewLog(new(bytes.Buffer), wrong[0], wrong[1]); err == nil {
			t.Errorf("%q is a log", wrong)
		}
	}
	var out bytes.Buffer
	for level, want := range map[string]int{"error": 1, "warning": 2, "info": 3, "": 3, "debug": 4} {
		out.Reset()
		log, err := NewLog(&out, LogJSON, level)
		if err != nil {
			t.Fatal(err)
		}
		log.Error("a")
		log.WithField("peer", "x").Warn("b")
		log.Info("c")
		log.Debug("d")
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != want {
			t.Errorf("level %q: %q", level, lines)
		}
		for _, line := range lines {
			var fields struct{ Level, Msg, Time string }
			if err := json.Unmarshal([]byte(line), &fields); err != nil || fields.Level == "" || fields.Msg == "" ||
				fields.Time == "" {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}

// TestEngineTalk: what the engine calls an error is none of ours, unless it is a panic.
func TestEngineTalk(t *testing.T) {
	for level, want := range map[string]int{"info": 1, "debug": 2} {
		var out bytes.Buffer
		log, err := NewLog(&out, LogText, level)
		if err != nil {
			t.Fatal(err)
		}
		engine := logrus.New()
		engine.SetFormatter(engineTalk{log.Formatter, log.Level})
		engine.SetOutput(&sparingLog{to: &out, log: log})
		engine.Error("Error reading packet from client 1: connection reset by peer")
		engine.Error("mysql_server caught panic: x")
		if got := strings.Count(out.String(), "\n"); got != want || strings.Count(out.String(), "level=error") != 1 {
			t.Errorf("level %s: %s", level, out.String())
		}
	}
}
