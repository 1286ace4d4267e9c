package server

import (
	"strings"
	"testing"

	querypb "github.com/dolthub/vitess/go/vt/proto/query"
)

func TestParameters(t *testing.T) {
	for text, ok := range map[string]bool{"NaN": false, "+Inf": false, "-Inf": false, "1e308": true, "0": true} {
		p := map[string]*querypb.BindVariable{"v1": {Type: querypb.Type_FLOAT64, Value: []byte(text)}, "v2": nil, "v3": {Type: querypb.Type_VARCHAR, Value: []byte("NaN")}}
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
