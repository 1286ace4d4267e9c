package session

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// FailingStatement is a statement that fails when it runs: an error of the parser would count as a syntax error.
type FailingStatement struct {
	Err error
}

// Failing returns a statement that fails with err when it runs.
func Failing(err error) ast.Statement {
	return ast.InjectedStatement{Statement: FailingStatement{err},
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

// WithResolvedChildren implements ast.Injectable.
func (f FailingStatement) WithResolvedChildren([]any) (any, error) { return f, nil }

// Resolved implements sql.Node.
func (FailingStatement) Resolved() bool { return true }

// String implements sql.Node.
func (f FailingStatement) String() string { return f.Err.Error() }

// Schema implements sql.Node.
func (FailingStatement) Schema() sql.Schema { return nil }

// Children implements sql.Node.
func (FailingStatement) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (f FailingStatement) WithChildren(...sql.Node) (sql.Node, error) { return f, nil }

// IsReadOnly implements sql.Node.
func (FailingStatement) IsReadOnly() bool { return true }

// RowIter implements sql.ExecSourceRel.
func (f FailingStatement) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) { return nil, f.Err }
