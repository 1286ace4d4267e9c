package server

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestSparingLog: of many lines a few are written, and their number.
func TestSparingLog(t *testing.T) {
	var out bytes.Buffer
	log, err := NewLog(&out, LogText, "")
	if err != nil {
		t.Fatal(err)
	}
	l := &sparingLog{to: &out, log: log}
	for range 1000 {
		if n, err := l.Write([]byte("line\n")); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	if n := strings.Count(out.String(), "line"); n != sparingLines {
		t.Errorf("%d lines", n)
	}
	l.began = time.Now().Add(-2 * logPause)
	_, _ = l.Write([]byte("later\n"))
	if s := out.String(); !strings.HasSuffix(s, "level=warning msg=\"980 more lines like these\"\nlater\n") {
		t.Errorf("%q", s)
	}
}
