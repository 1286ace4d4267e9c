package table

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// CheckSize counts a row that has been written, and fails where the statement is to be
// committed in batches or has to be.
func CheckSize(t *session.Transaction) error {
	t.Changed++
	if t.WholeRows > 0 && t.Changed > t.WholeRows && t.Session.Batch == nil {
		return &kv.SizeError{Err: kv.ErrTooLarge, Size: t.Writes.Size(), Limit: kv.MaxTransactionSize}
	}
	return t.Writes.CheckSize()
}

// batchWay is how a statement in batches goes on behind a batch.
type batchWay int

const (
	ByKeys     batchWay = iota // behind the last primary key of the driving table
	ByTuples                   // behind the last row of VALUES
	ByRows                     // behind the last row of a query that reads no stored table
	ByFile                     // in the file of LOAD DATA
	ByDeleting                 // from the beginning: what was met is gone
)

// BatchShape is what of a statement matters for batches.
type BatchShape struct {
	Text            string // the statement's, in one spelling
	By              batchWay
	Database, Table string        // the driving table; empty unless ByKeys
	Target          ast.TableName // the table that is written to
	Same            bool          // the rows go into the table that they are read from
	Limited         bool          // LIMIT counts rows over all batches
	Unordered       bool          // ORDER BY does not matter, and is left out
	Ranked          bool          // ORDER BY and LIMIT say which rows
	Joined          bool          // the driving table is read with others, in windows
	// how the statement calls the driving table of a join, which it may read again by another name; empty: it may not
	Called string
}

// Order notes what ORDER BY and LIMIT mean for a statement that meets its rows in the order of the primary key.
func (shape *BatchShape) Order(by ast.OrderBy, limit *ast.Limit) {
	shape.Limited = limit != nil
	shape.Ranked = limit != nil && len(by) > 0
	shape.Unordered = limit == nil && len(by) > 0
}

// MaxNamedColumns is how many keypaths of a table a statement may name: the engine looks through all of them for each.
const MaxNamedColumns = 10_000

// CompleteInsert writes the columns of an INSERT that lists none into it, when
// its ON DUPLICATE KEY UPDATE names keypaths: they become columns of the
// statement's table, and the engine would want values for them. An INSERT of a dump
// gets the columns that dumps hold.
func CompleteInsert(s *session.Session, ctx *sql.Context, insert *ast.Insert) {
	if statement.EmptyRows(insert.Rows) {
		return
	}
	t := NamedTable(s, ctx, insert.Table)
	if t == nil {
		return
	}
	restoreGenerated(s, ctx, t, insert)
	if len(insert.Columns) > 0 {
		return
	}
	if names := restoredColumns(t, insert); names != nil {
		for _, name := range names {
			insert.Columns = append(insert.Columns, ast.NewColIdent(name))
		}
		return
	}
	_, selects := insert.Rows.(ast.SelectStatement) // whose values VALUES() finds by their columns
	if !givesDefaults(t, insert) && (len(insert.OnDup) == 0 || !t.Open && !selects) {
		return
	}
	for i := range t.Visible() {
		insert.Columns = append(insert.Columns, ast.NewColIdent(t.Columns[i].Name))
	}
	if t.Open {
		insert.Columns = append(insert.Columns, ast.NewColIdent(session.DocumentColumn))
	}
}
