package enginesuite

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	inmemory "github.com/dolthub/go-mysql-server/memory"
	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/sirupsen/logrus"
)

// inMemory runs a script on the engine's own memory backend, and tells which assertions fail there. Those that a failed
// set-up hides fail, too.
func inMemory(t *testing.T, u suite, name string, script queries.ScriptTest) map[string]bool {
	t.Helper()
	logrus.SetOutput(io.Discard)
	provider := inmemory.NewDBProviderWithOpts(inmemory.NativeIndexProvider(true)).(*inmemory.DbProvider)
	made := sqle.NewDefault(provider)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := gms.Config{Protocol: "tcp", Address: listener.Addr().String(), Listener: listener}
	s, err := gms.NewServer(config, made, sql.NewContext, inmemory.NewSessionBuilder(provider), nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Start() }()
	defer func() { _ = s.Close() }()
	g := newTarget(t, listener.Addr())
	defer g.pool.Close()
	for wait := time.Now(); g.pool.Ping() != nil; time.Sleep(time.Millisecond) {
		if time.Since(wait) > patience {
			t.Fatal("the memory backend does not answer")
		}
	}
	if err := g.clean(); err != nil {
		t.Fatal(fmt.Errorf("memory backend: %w", err))
	}
	fails := map[string]bool{}
	for _, o := range g.run(name, u.tablesFor(script), script).outcomes {
		if o.why != "" {
			fails[o.key] = true
		}
	}
	return fails
}
