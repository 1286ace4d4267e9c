package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// insertion is what an INSERT, a REPLACE or a LOAD DATA of several rows tells of itself beside its counts.
type insertion struct {
	told                    bool // it is such a statement
	loads, ignores, updates bool
	given, inserted         uint64 // rows: those that it was given, and those that took no other's place
}

// givenRows counts the rows that an INSERT is given.
type givenRows struct{ plan.UnaryNode }

var (
	_ sql.Node               = (*givenRows)(nil)
	_ sql.CollationCoercible = (*givenRows)(nil)
)

// Resolved implements sql.Node.
func (n *givenRows) Resolved() bool { return n.Child.Resolved() }

// IsReadOnly implements sql.Node.
func (n *givenRows) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements sql.Node.
func (n *givenRows) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *givenRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &givenRows{plan.UnaryNode{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *givenRows) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

type givenIter struct {
	sql.RowIter
	of *insertion
}

// Next implements sql.RowIter.
func (i givenIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err == nil {
		i.of.given++
	}
	return row, err
}

// countGiven makes an INSERT of several rows, or of those of a query, count them; nil where it does, or need not.
func countGiven(ctx *sql.Context, n *plan.InsertInto) *plan.InsertInto {
	s, ok := ctx.Session.(*Session)
	if !ok {
		return nil
	}
	switch source := n.Source.(type) {
	case *givenRows:
		return nil
	case *aheadSource:
		if _, counted := source.Child.(*givenRows); counted {
			return nil
		}
	}
	counts := insertion{told: true, ignores: n.Ignore, updates: len(n.OnDupExprs) > 0}
	transform.Inspect(n.Source, func(at sql.Node) bool {
		switch at := at.(type) {
		case *plan.LoadData:
			counts.loads = true
		case *plan.Values:
			counts.told = len(at.ExpressionTuples) > 1
		}
		return true
	})
	if !counts.told {
		return nil
	}
	s.insertion = counts
	next := *n
	next.Source = &givenRows{plan.UnaryNode{Child: n.Source}}
	return &next
}

// Info is what a statement that gives no rows tells beside its counts, as MySQL words it.
func (s *Session) Info(r types.OkResult) string {
	i := s.insertion
	switch {
	case r.Info != nil:
		return r.Info.String()
	case !i.told:
		return ""
	}
	duplicates, affected := uint64(0), r.RowsAffected+uint64(s.replaced)
	switch {
	case i.ignores:
		duplicates = i.given - min(i.given, affected)
	case i.updates &&
		s.Client().Capabilities&mysql.CapabilityClientFoundRows != 0: // where a row that stays as it is counts one
		duplicates = affected - min(i.given, affected)
	case i.updates:
		duplicates = (affected - min(i.inserted, affected)) / 2
	default: // of a REPLACE, and none of a plain INSERT
		duplicates = affected - min(i.given, affected)
	}
	if i.loads {
		deleted, skipped := duplicates, uint64(0)
		if i.ignores {
			deleted, skipped = 0, duplicates
		}
		return fmt.Sprintf("Records: %d  Deleted: %d  Skipped: %d  Warnings: %d", i.given, deleted, skipped, s.WarningCount())
	}
	return fmt.Sprintf("Records: %d  Duplicates: %d  Warnings: %d", i.given, duplicates, s.WarningCount())
}
