package session

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// errFullScan is MySQL's number for a statement that safe updates refuse.
const errFullScan = 1175

// Patience is the number of documents that a statement may read from the beginning of a table if a LIMIT may end the
// scan that early.
const Patience = 1_000

// AllowScan applies sqlfdb_full_scans to a statement that is about to read a whole collection of its plan.
func (s *Session) AllowScan(ctx *sql.Context, d *Definition) error {
	hint := ""
	if d.Rebuilding() {
		hint = "; its index is being rebuilt, see " + SystemDatabase + ".jobs"
	}
	return s.AllowReading(ctx, d.String(), hint)
}

// AllowReading fails where sqlfdb_full_scans refuses reading all of a table, named d. The hint adds further text to
// the error.
func (s *Session) AllowReading(ctx *sql.Context, d, hint string) error {
	s.Work.scanned = true
	mode := setting.Of(ctx, setting.FullScans)
	if mode != "warn" && mode != "deny" || !s.Parsed.readsRows() {
		return nil
	}
	if mode == "deny" {
		if hint != "" {
			return mysql.NewSQLError(errFullScan, "HY000", "The statement reads all of %s, and %s is deny%s", d,
				setting.FullScans, hint)
		}
		return mysql.NewSQLError(errFullScan, "HY000",
			"The statement reads all of %s, and %s is deny; add a condition that a keypath's index can use, or a LIMIT", d,
			setting.FullScans)
	}
	key := "scan\x00" + d
	if !s.Warned[key] {
		if s.Warned == nil {
			s.Warned = map[string]bool{}
		}
		s.Warned[key] = true
		functions.Warn(ctx, errFullScan, "The statement reads all of %s%s", d, hint)
	}
	return nil
}

// early says how a scan may end before the whole table has been read.
type early int

const (
	ReachesEnd early = iota
	MayEnd           // a LIMIT is above, with a condition in between that rows may not satisfy
	endsEarly        // after a known number of rows
)

// BeginScan is AllowScan for a table of the plan that is about to be read from its beginning. If later is set, the
// caller must call AllowScan if the scan goes on for long.
func (s *Session) BeginScan(ctx *sql.Context, table sql.Table, d *Definition) (later bool, err error) {
	switch s.Work.Ending(table) {
	case endsEarly:
		return false, nil
	case MayEnd:
		return true, nil
	}
	return false, s.AllowScan(ctx, d)
}

// Ending returns how the scan of a table ends in the plan of the running statement. A LIMIT counts if the nodes
// between pass rows on one by one.
func (l *workLog) Ending(table sql.Table) early {
	if l.Plan == nil {
		return ReachesEnd
	}
	return endingIn(l.Plan, table, ReachesEnd)
}

// endingIn looks for the table below a node whose rows may end in that way.
func endingIn(n sql.Node, table sql.Table, asked early) early {
	switch n := n.(type) {
	case *plan.Limit:
		return endingIn(n.Child, table, endsEarly)
	case *plan.Filter:
		return endingIn(n.Child, table, min(asked, MayEnd))
	case *plan.Project:
		return endingIn(n.Child, table, asked)
	case *plan.Offset:
		return endingIn(n.Child, table, asked)
	case *plan.TableAlias:
		return endingIn(n.Child, table, asked)
	case *plan.SubqueryAlias:
		return endingIn(n.Child, table, asked)
	case *plan.JoinNode: // its left side is read row by row
		return max(endingIn(n.Left(), table, min(asked, MayEnd)), endingIn(n.Right(), table, ReachesEnd))
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
	return ReachesEnd
}
