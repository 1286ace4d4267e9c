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

// Patience is how many documents a statement may read of a table that it reads
// from the beginning, if a LIMIT may end that soon.
const Patience = 1_000

// AllowScan applies sqlfdb_full_scans to a statement that is about to read a
// whole collection, by a table of its plan.
func (s *Session) AllowScan(ctx *sql.Context, d *Definition) error {
	hint := ""
	if d.Rebuilding() {
		hint = "; its index is being rebuilt, see " + SystemDatabase + ".jobs"
	}
	return s.AllowReading(ctx, d.String(), hint)
}

// AllowReading fails where sqlfdb_full_scans refuses reading all of a table, d. A hint says what else there is
// to know of it.
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

// early is how a scan may end before all of the table has been read.
type early int

const (
	ReachesEnd early = iota
	MayEnd           // a LIMIT stands above, and a condition that rows may not satisfy between
	endsEarly        // after a known number of rows
)

// BeginScan is AllowScan for a table of the plan that is about to be read from its
// beginning. later says that it is to be asked again if that goes on for long.
func (s *Session) BeginScan(ctx *sql.Context, table sql.Table, d *Definition) (later bool, err error) {
	switch s.Work.Ending(table) {
	case endsEarly:
		return false, nil
	case MayEnd:
		return true, nil
	}
	return false, s.AllowScan(ctx, d)
}

// Ending says how the scan of a table ends in the plan of the running statement:
// a LIMIT counts if what stands between takes the rows as they come.
func (l *workLog) Ending(table sql.Table) early {
	if l.Plan == nil {
		return ReachesEnd
	}
	return endingIn(l.Plan, table, ReachesEnd)
}

// endingIn looks for the table below a node that asks for rows in that way.
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
	case *plan.JoinNode: // its left side is taken row by row
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
