package sqlbackend

import (
	"fmt"
	"testing"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TestAnewIsBounded: statements that could not be prepared are not noted for ever; those that are kept, are.
func TestAnewIsBounded(t *testing.T) {
	engine := sqle.New(analyzer.NewDefault(nil), nil)
	s := &Session{BaseSession: sql.NewBaseSession(), backend: &Backend{Engine: engine}}
	engine.PreparedDataCache.CacheStmt(s.ID(), "kept", &ast.Update{})
	s.keepAnew("kept")
	for i := range 10 * mostAnew {
		s.keepAnew(fmt.Sprint("refused ", i))
	}
	if n := len(s.anew); n > mostAnew || !s.anew["kept"] {
		t.Errorf("%d are noted, the one that is kept: %v", n, s.anew["kept"])
	}
}
