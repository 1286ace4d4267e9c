package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// errFullScan is MySQL's number for a statement that safe updates refuse.
const errFullScan = 1175

// patience is how many documents a statement may read of a table that it reads
// from the beginning, if a LIMIT may end that soon.
const patience = 1_000

// allowScan applies sqlfdb_full_scans to a statement that is about to read a
// whole collection, by a table of its plan.
func (s *Session) allowScan(ctx *sql.Context, d *definition) error {
	return s.allowReading(ctx, d.String(), d.Rebuilding())
}

// allowScanOf is allowScan for a feed of changes.
func (s *Session) allowScanOf(ctx *sql.Context, t *changesTable) error {
	return s.allowReading(ctx, t.def.Database+"."+t.Name(), false)
}

func (s *Session) allowReading(ctx *sql.Context, d string, unindexed bool) error {
	s.work.scanned = true
	mode := setting.Of(ctx, setting.FullScans)
	if mode != "warn" && mode != "deny" || !s.readsRows() {
		return nil
	}
	rebuilding := ""
	if unindexed {
		rebuilding = "; its index is being rebuilt, see " + systemDatabase + ".jobs"
	}
	if mode == "deny" {
		if rebuilding != "" {
			return mysql.NewSQLError(errFullScan, "HY000", "The statement reads all of %s, and %s is deny%s", d,
				setting.FullScans, rebuilding)
		}
		return mysql.NewSQLError(errFullScan, "HY000",
			"The statement reads all of %s, and %s is deny; add a condition that a keypath's index can use, or a LIMIT", d,
			setting.FullScans)
	}
	key := "scan\x00" + d
	if !s.warned[key] {
		if s.warned == nil {
			s.warned = map[string]bool{}
		}
		s.warned[key] = true
		functions.Warn(ctx, errFullScan, "The statement reads all of %s%s", d, rebuilding)
	}
	return nil
}

// ReadsRows reports whether the running command is one that a full scan matters
// to: it reads or changes rows, and no definition.
func (s *Session) readsRows() bool {
	for _, stmt := range s.parsed {
		switch stmt := stmt.(type) {
		case *ast.Select, *ast.SetOp, *ast.Insert, *ast.Update, *ast.Delete, *ast.ParenSelect:
			return true
		case *ast.Explain:
			return stmt.Analyze
		case *ast.Execute:
		default:
			return false
		}
	}
	return false
}

// early is how a scan may end before all of the table has been read.
type early int

const (
	reachesEnd early = iota
	mayEnd           // a LIMIT stands above, and a condition that rows may not satisfy between
	endsEarly        // after a known number of rows
)

// beginScan is allowScan for a table of the plan that is about to be read from its
// beginning. later says that it is to be asked again if that goes on for long.
func (s *Session) beginScan(ctx *sql.Context, table sql.Table, d *definition) (later bool, err error) {
	switch s.ending(table) {
	case endsEarly:
		return false, nil
	case mayEnd:
		return true, nil
	}
	return false, s.allowScan(ctx, d)
}

// ending says how the scan of a table ends in the plan of the running statement:
// a LIMIT counts if what stands between takes the rows as they come.
func (s *Session) ending(table sql.Table) early {
	if s.work.plan == nil {
		return reachesEnd
	}
	return endingIn(s.work.plan, table, reachesEnd)
}

// endingIn looks for the table below a node that asks for rows in that way.
func endingIn(n sql.Node, table sql.Table, asked early) early {
	switch n := n.(type) {
	case *plan.Limit:
		return endingIn(n.Child, table, endsEarly)
	case *plan.Filter:
		return endingIn(n.Child, table, min(asked, mayEnd))
	case *plan.Project:
		return endingIn(n.Child, table, asked)
	case *plan.Offset:
		return endingIn(n.Child, table, asked)
	case *plan.TableAlias:
		return endingIn(n.Child, table, asked)
	case *plan.SubqueryAlias:
		return endingIn(n.Child, table, asked)
	case *plan.JoinNode: // its left side is taken row by row
		return max(endingIn(n.Left(), table, min(asked, mayEnd)), endingIn(n.Right(), table, reachesEnd))
	case *plan.DescribeQuery:
		return endingIn(n.Child, table, asked)
	case *plan.Update:
		return endingIn(n.Child, table, asked)
	case *plan.UpdateSource:
		return endingIn(n.Child, table, asked)
	case *plan.DeleteFrom:
		return endingIn(n.Child, table, asked)
	case *plan.ResolvedTable:
		if n.UnderlyingTable() == table {
			return asked
		}
	}
	return reachesEnd
}
