package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// errFullScan is MySQL's number for a statement that safe updates refuse.
const errFullScan = 1175

// allowScan applies sqlfdb_full_scans to a statement that is about to read a
// whole collection.
func (s *Session) allowScan(ctx *sql.Context, d *definition) error {
	s.work.scanned = true
	mode := setting(ctx, VarFullScans)
	if mode != "warn" && mode != "deny" || !s.readsAll() {
		return nil
	}
	rebuilding := ""
	if d.Rebuilding() {
		rebuilding = "; its index is being rebuilt, see " + systemDatabase + ".jobs"
	}
	if mode == "deny" {
		if rebuilding != "" {
			return mysql.NewSQLError(errFullScan, "HY000", "The statement reads all of %s, and %s is deny%s", d, VarFullScans, rebuilding)
		}
		return mysql.NewSQLError(errFullScan, "HY000",
			"The statement reads all of %s, and %s is deny; add a condition that a keypath's index can use, or a LIMIT", d, VarFullScans)
	}
	key := "scan\x00" + d.String()
	if !s.warned[key] {
		if s.warned == nil {
			s.warned = map[string]bool{}
		}
		s.warned[key] = true
		warn(ctx, errFullScan, "The statement reads all of %s%s", d, rebuilding)
	}
	return nil
}

// readsAll reports whether the running command is one that a full scan matters
// to: no definition, and no SELECT that stops after some rows.
func (s *Session) readsAll() bool {
	if len(s.parsed) == 0 {
		return false
	}
	switch stmt := s.parsed[0].(type) {
	case *ast.Select:
		return stmt.Limit == nil || len(stmt.OrderBy) > 0 || len(stmt.GroupBy) > 0
	case *ast.SetOp, *ast.Insert, *ast.Update, *ast.Delete, *ast.ParenSelect:
		return true
	}
	return false
}
