package commands

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestMetricsToken: metrics that other machines reach need a token, or nothing is served and no store is made; with one
// they are told to who shows it alone.
func TestMetricsToken(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	store := filepath.Join(t.TempDir(), "store")
	_, port, _ := strings.Cut(unusedAddress(t), ":")
	args := []string{"serve", "--store", "pebble:" + store, "--listen", "127.0.0.1:0", "--metrics", "0.0.0.0:" + port}
	o := harness.Run(t, harness.Call{Args: args})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "SQLFDB_METRICS_TOKEN") || strings.Contains(o.Stdout, "listening") {
		t.Errorf("without a token: %+v", o)
	}
	if _, err := os.Stat(store); err == nil {
		t.Error("a store was made")
	}
	harness.Spawn(t, harness.Call{Args: args, Env: []string{"SQLFDB_METRICS_TOKEN=secret"}})
	harness.Eventually(t, func() string { return "metrics are not served" }, func() bool {
		answer, err := http.Get("http://127.0.0.1:" + port + "/healthz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	for token, want := range map[string]int{"": http.StatusUnauthorized, "Bearer wrong": http.StatusUnauthorized,
		"Bearer secret": http.StatusOK} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+"/metrics", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%q: %s", token, answer.Status)
		}
	}
}
