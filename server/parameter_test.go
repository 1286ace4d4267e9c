package server

import (
	"strings"
	"testing"

	querypb "github.com/dolthub/vitess/go/vt/proto/query"
)

func TestParameters(t *testing.T) {
	for text, ok := range map[string]bool{"NaN": false, "+Inf": false, "-Inf": false, "1e308": true, "0": true} {
		p := map[string]*querypb.BindVariable{"v1": {Type: querypb.Type_FLOAT64, Value: []byte(text)}, "v2": nil,
			"v3": {Type: querypb.Type_VARCHAR, Value: []byte("NaN")}}
		if err := checkParameters(p); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := checkPlaceholders("SELECT ?" + strings.Repeat(",?", 65_535)); err == nil {
		t.Error("65,536 placeholders are accepted")
	}
	if err := checkPlaceholders("SELECT ?" + strings.Repeat(",?", 65_534)); err != nil {
		t.Error(err)
	}
}

func TestSpelledTemporals(t *testing.T) {
	for _, test := range []struct {
		text string
		kind querypb.Type
		want string
	}{
		{"2026-1-2 3:4:5.6", querypb.Type_DATETIME, "2026-01-02 03:04:05.000006"},
		{"2026-1-2 3:4:5.500000", querypb.Type_TIMESTAMP, "2026-01-02 03:04:05.500000"},
		{"2026-1-2 3:4:5.0", querypb.Type_DATETIME, "2026-01-02 03:04:05"},
		{"2026-1-2 3:4:5", querypb.Type_DATETIME, "2026-01-02 03:04:05"},
		{"2026-1-2", querypb.Type_DATETIME, "2026-01-02 00:00:00"},
		{"2026-1-2", querypb.Type_DATE, "2026-01-02"},
		{" ", querypb.Type_DATETIME, "0000-00-00 00:00:00"},
		{" ", querypb.Type_DATE, "0000-00-00"},
		{"00:00:00", querypb.Type_TIME, "00:00:00"},
		{"-34:5:6.70", querypb.Type_TIME, "-34:05:06.000070"},
		{"838:59:59", querypb.Type_TIME, "838:59:59"},
		{"x", querypb.Type_DATE, ""},
		{"1:2", querypb.Type_TIME, ""},
	} {
		if got, ok := spelledTemporal(test.text, test.kind); got != test.want || ok != (test.want != "") {
			t.Errorf("%q as %v: %q, %v", test.text, test.kind, got, ok)
		}
	}
}
