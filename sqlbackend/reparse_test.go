package sqlbackend

import (
	"fmt"
	"testing"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// TestReparsedIsBounded: statements that could not be prepared are not noted for ever; those that are kept, are.
func TestReparsedIsBounded(t *testing.T) {
	engine := sqle.New(analyzer.NewDefault(nil), nil)
	s := &session.Session{BaseSession: sql.NewBaseSession(), Backend: &session.Instance{Engine: engine}}
	engine.PreparedDataCache.CacheStmt(s.ID(), "kept", &ast.Update{})
	noteReparse(s, "kept")
	for i := range 10 * maxReparsed {
		noteReparse(s, fmt.Sprint("refused ", i))
	}
	if n := len(s.Reparsed); n > maxReparsed || !s.Reparsed["kept"] {
		t.Errorf("%d are noted, the one that is kept: %v", n, s.Reparsed["kept"])
	}
}
