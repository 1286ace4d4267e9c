package batch

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// GivenRows counts the rows that an INSERT is given.
type GivenRows struct{ plan.UnaryNode }

var (
	_ operator.Node          = (*GivenRows)(nil)
	_ sql.CollationCoercible = (*GivenRows)(nil)
)

// Resolved implements sql.Node.
func (n *GivenRows) Resolved() bool { return n.Child.Resolved() }

// IsReadOnly implements sql.Node.
func (n *GivenRows) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements sql.Node.
func (n *GivenRows) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *GivenRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &GivenRows{plan.UnaryNode{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *GivenRows) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// Build implements operator.Node.
func (n *GivenRows) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := engine.Build(ctx, n.Child, row)
	return givenIter{RowIter: rows, Of: &ctx.Session.(*session.Session).Insertion}, err
}

// givenIter counts the rows that an INSERT is given.
type givenIter struct {
	sql.RowIter
	Of *session.Insertion
}

// Next implements sql.RowIter.
func (i givenIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err == nil {
		i.Of.Given++
	}
	return row, err
}

// CountGiven builds an INSERT that counts the rows it is given; nil where it does, or need not.
func CountGiven(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.InsertInto, row sql.Row) (sql.RowIter, error) {
	next := countGiven(ctx, n)
	if next == nil {
		return nil, nil
	}
	return engine.Build(ctx, next, row)
}

// countGiven makes an INSERT of several rows, or of a query, count its rows; nil where it does, or need not.
func countGiven(ctx *sql.Context, n *plan.InsertInto) *plan.InsertInto {
	s, ok := ctx.Session.(*session.Session)
	if !ok {
		return nil
	}
	switch source := n.Source.(type) {
	case *GivenRows:
		return nil
	case *table.AheadSource:
		if _, counted := source.Child.(*GivenRows); counted {
			return nil
		}
	}
	counts := session.Insertion{Several: true, Ignores: n.Ignore, Updates: len(n.OnDupExprs) > 0}
	transform.Inspect(n.Source, func(at sql.Node) bool {
		switch at := at.(type) {
		case *plan.LoadData:
			counts.Loads = true
		case *plan.Values:
			counts.Several = len(at.ExpressionTuples) > 1
		}
		return true
	})
	if !counts.Several {
		return nil
	}
	s.Insertion = counts
	next := *n
	next.Source = &GivenRows{plan.UnaryNode{Child: n.Source}}
	return &next
}

// InsertInfo is the text of an OK packet beside its counts, as MySQL words it.
func InsertInfo(s *session.Session, r types.OkResult) string {
	i := s.Insertion
	switch {
	case r.Info != nil:
		return r.Info.String()
	case !i.Several:
		return ""
	}
	duplicates, affected := uint64(0), r.RowsAffected+uint64(s.Replaced)
	switch {
	case i.Ignores:
		duplicates = i.Given - min(i.Given, affected)
	case i.Updates &&
		s.Client().Capabilities&mysql.CapabilityClientFoundRows != 0: // where a row that stays as it is counts one
		duplicates = affected - min(i.Given, affected)
	case i.Updates:
		duplicates = (affected - min(i.Inserted, affected)) / 2
	default: // of a REPLACE, and none of a plain INSERT
		duplicates = affected - min(i.Given, affected)
	}
	if i.Loads {
		deleted, skipped := duplicates, uint64(0)
		if i.Ignores {
			deleted, skipped = 0, duplicates
		}
		return fmt.Sprintf("Records: %d  Deleted: %d  Skipped: %d  Warnings: %d", i.Given, deleted, skipped,
			s.WarningCount())
	}
	return fmt.Sprintf("Records: %d  Duplicates: %d  Warnings: %d", i.Given, duplicates, s.WarningCount())
}
