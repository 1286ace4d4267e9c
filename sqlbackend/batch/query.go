package batch

import (
	"io"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// An INSERT of a query that reads no stored table, as WITH RECURSIVE makes test data, is run in batches over its rows.
// They are made once and held; each batch takes the ones behind the batch before. A run that goes on where another one
// was interrupted makes them anew, in the same order: values that it selects may differ, and no more.

// readsNoTable reports whether an INSERT … SELECT reads nothing but its own WITH, derived tables and JSON_TABLE, and no
// variable.
func readsNoTable(s *session.Session, n *ast.Insert) bool {
	own := map[string]bool{"dual": true}
	reads := false
	note := func(node ast.SQLNode) (bool, error) {
		if w, ok := node.(*ast.With); ok && w != nil {
			for _, c := range w.Ctes {
				own[strings.ToLower(c.As.String())] = true
			}
		}
		return true, nil
	}
	look := func(node ast.SQLNode) (bool, error) {
		switch node := node.(type) {
		case *ast.AliasedTableExpr:
			if name, ok := node.Expr.(ast.TableName); ok {
				reads = reads || !name.DbQualifier.IsEmpty() || !own[strings.ToLower(name.Name.String())]
			}
		case *ast.TableFuncExpr:
			reads = true
		case *ast.Select:
			reads = reads || len(node.Window) > 0 // which a walk leaves out
		case *ast.ColName:
			reads = reads || strings.HasPrefix(node.Name.String(), "@")
		case *ast.FuncExpr:
			name := strings.ToLower(node.Name.String())
			reads = reads || strings.HasPrefix(name, "sqlfdb_") || sessionFunctions[name]
		}
		return !reads, nil
	}
	_ = statement.Walk(note, n)
	if _ = statement.Walk(look, n); reads {
		return false
	}
	view, err := s.Readers.Definitions()
	for name := range own { // a name may stand for a stored one outside of its WITH
		if err == nil {
			_, stored := view.Table(placeOfName(s, ast.TableName{Name: ast.NewTableIdent(name)}))
			_, viewed := view.View(placeOfName(s, ast.TableName{Name: ast.NewTableIdent(name)}))
			reads = reads || stored || viewed
		}
	}
	return err == nil && !reads
}

// sessionFunctions give something else in the session that goes on with a statement.
var sessionFunctions = map[string]bool{
	"last_insert_id": true, "connection_id": true, "user": true, "current_user": true, "session_user": true,
	"system_user": true, "row_count": true, "found_rows": true, "database": true, "schema": true,
}

// steady reports whether a query gives the same number of rows each time, in the same order: RAND(), NOW() and their
// like stand in the values that it selects alone.
func steady(n *ast.Insert, rows ast.InsertRows) bool {
	calls := func(of ast.SQLNode) (count int) {
		_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
			if f, ok := node.(*ast.FuncExpr); ok && transientFunctions[f.Name.Lowered()] {
				count++
			}
			return true, nil
		}, of)
		return count
	}
	all := calls(n)
	if all == 0 {
		return true
	}
	q, ok := rows.(*ast.Select)
	return ok && all == calls(q.SelectExprs)+calls(n.OnDup) && !q.QueryOpts.Distinct && q.Having == nil &&
		len(q.GroupBy) == 0 && !sortsByTransient(q.OrderBy, q.SelectExprs)
}

// heldRows are the rows of a query, which the batches of a statement share.
type heldRows struct {
	rows     []sql.Row
	bytes    int            // that the session counts
	warnings []*sql.Warning // of making them, until a batch is committed
}

// holdRows makes the rows of a query, unless a batch before has.
func (b *Run) holdRows(ctx *sql.Context, engine sql.NodeExecBuilder, query sql.Node, outer sql.Row) error {
	if b.held != nil {
		for _, w := range b.held.warnings { // the attempt that has made the rows came to nothing
			ctx.Session.Warn(w)
		}
		return nil
	}
	warned := len(ctx.Session.Warnings())
	iter, err := engine.Build(ctx, query, outer)
	if err != nil {
		return err
	}
	defer func() { b.Began = time.Now() }() // the rows take their time before, once
	memory, held, made := ctx.Session.(*session.Session).Memory(), &heldRows{}, 0
	keep := func() error {
		err := memory.Keep(ctx, made)
		if err == nil {
			held.bytes += made
			made = 0
		}
		return err
	}
	var owner hold.RowOwner
	rows := hold.StoppableIter{RowIter: iter}
	for err == nil {
		var row sql.Row
		if row, err = rows.Next(ctx); err != nil {
			break
		}
		row = owner.Own(row, 0)
		held.rows = append(held.rows, row)
		if made += hold.RowBytes(row); made >= bytesPerCount {
			err = keep()
		}
	}
	if err == io.EOF {
		err = keep()
	}
	if closed := iter.Close(ctx); err == nil {
		err = closed
	}
	if err != nil {
		_ = memory.Keep(ctx, -held.bytes) // which can't fail
		return err
	}
	if int64(len(held.rows)) < b.At.Met {
		_ = memory.Keep(ctx, -held.bytes) // which can't fail
		return mysql.NewSQLError(mysqlerr.Unknown, "HY000",
			"An earlier run of the statement has inserted %s rows, of which this one makes no more than %s; change its text "+
				"to begin anew",
			session.Grouped(b.At.Met), session.Grouped(int64(len(held.rows))))
	}
	if made := ctx.Session.Warnings(); len(made) > warned {
		held.warnings = made[warned:]
	}
	b.held = held
	return nil
}

// bytesPerCount is how many bytes of rows are counted at once.
const bytesPerCount = 1 << 20

// letGo forgets the rows.
func (b *Run) letGo(s *session.Session) {
	if b.held != nil {
		_ = s.Memory().Keep(nil, -b.held.bytes) // which can't fail
		b.held = nil
	}
}

// queryRows is a query in a batch: its rows behind the ones that batches before have met.
type queryRows struct{ plan.UnaryNode }

var (
	_ operator.Node          = (*queryRows)(nil)
	_ sql.CollationCoercible = (*queryRows)(nil)
)

// heldSource is the source of an INSERT whose query gives the rows that are held: below the projection that fills the
// columns of the table.
func heldSource(source sql.Node) (sql.Node, error) {
	switch n := source.(type) {
	case *GivenRows, *table.AheadSource:
		child, err := heldSource(n.Children()[0])
		if err != nil {
			return nil, err
		}
		return n.WithChildren(child)
	case *plan.Project:
		return n.WithChildren(&queryRows{plan.UnaryNode{Child: n.Child}})
	}
	return nil, mysqlerr.Unsupported("batches of an INSERT whose rows come from something that is no query")
}

// Resolved implements sql.Node.
func (n *queryRows) Resolved() bool { return n.Child.Resolved() }

// IsReadOnly implements sql.Node.
func (n *queryRows) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements sql.Node.
func (n *queryRows) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *queryRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &queryRows{plan.UnaryNode{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *queryRows) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// Build implements operator.Node.
func (n *queryRows) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	b := Running(ctx)
	if err := b.holdRows(ctx, engine, n.Child, row); err != nil {
		return nil, err
	}
	return &queryIter{batch: b, tx: tx, at: b.At.Met}, nil
}

// queryIter gives the rows of a query that are left for a batch, until that is full.
type queryIter struct {
	batch *Run
	tx    *session.Transaction
	at    int64
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends.
func (i *queryIter) Next(*sql.Context) (sql.Row, error) {
	rows := i.batch.held.rows
	if i.at >= int64(len(rows)) {
		return nil, io.EOF
	}
	if i.batch.Full(i.tx) {
		i.batch.Stopped = true
		return nil, io.EOF
	}
	row := rows[i.at]
	i.at++
	i.batch.Given++
	return row, nil
}

// Close implements sql.RowIter.
func (*queryIter) Close(*sql.Context) error { return nil }
