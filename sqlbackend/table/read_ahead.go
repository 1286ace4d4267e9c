package table

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// AheadSource reads many rows from its child before it returns the first, and starts all reads that an editor will
// do for them. The rows are inserted into a table, or were read from it and are changed.
type AheadSource struct {
	plan.UnaryNode
	table   *Table
	inserts bool
	twice   bool // a row may replace another, which makes two changes
}

var (
	_ operator.Node          = (*AheadSource)(nil)
	_ sql.CollationCoercible = (*AheadSource)(nil)
)

// Resolved implements sql.Node.
func (n *AheadSource) Resolved() bool { return n.Child.Resolved() }

// IsReadOnly implements sql.Node.
func (n *AheadSource) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements sql.Node.
func (n *AheadSource) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *AheadSource) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	next := *n
	next.Child = children[0]
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *AheadSource) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// BuildInsert builds an INSERT that reads ahead; nil for any other.
func BuildInsert(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.InsertInto, row sql.Row) (sql.RowIter, error) {
	next := insertAhead(n)
	if next == nil {
		return nil, nil
	}
	return engine.Build(ctx, next, row)
}

// BuildDelete builds a DELETE that reads ahead; nil for any other.
func BuildDelete(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.DeleteFrom, row sql.Row) (sql.RowIter, error) {
	child := ChangeAhead(n.Child)
	if child == nil {
		return nil, nil
	}
	next := *n
	next.Child = child
	return engine.Build(ctx, &next, row)
}

// BuildUpdate builds an UPDATE that reads ahead; nil for any other.
func BuildUpdate(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.UpdateSource, row sql.Row) (sql.RowIter, error) {
	child := ChangeAhead(n.Child)
	if child == nil {
		return nil, nil
	}
	next := *n
	next.Child = child
	return engine.Build(ctx, &next, row)
}

// insertAhead makes an INSERT of several rows read ahead; nil for others. With a trigger it must not: a trigger that
// runs before each row may read what the previous row has written.
func insertAhead(n *plan.InsertInto) *plan.InsertInto {
	insertable, err := plan.GetInsertable(n.Destination)
	if err != nil {
		return nil
	}
	t, ok := insertable.(*Table)
	if !ok || !readsAhead(t) {
		return nil
	}
	several := true
	transform.Inspect(n.Source, func(at sql.Node) bool {
		switch at := at.(type) {
		case *plan.Values:
			several = several && len(at.ExpressionTuples) > 1
		case *AheadSource, *plan.TriggerExecutor:
			several = false
		}
		return several
	})
	if !several {
		return nil
	}
	next := *n
	next.Source = &AheadSource{UnaryNode: plan.UnaryNode{Child: n.Source}, table: t, inserts: true, twice: n.IsReplace ||
		len(n.OnDupExprs) > 0}
	return &next
}

// ChangeAhead returns the rows of an UPDATE or a DELETE, read ahead; nil if they are not one table's rows.
func ChangeAhead(child sql.Node) sql.Node {
	var of *Table
	single := true
	transform.Inspect(child, func(at sql.Node) bool {
		switch at := at.(type) {
		case *AheadSource, *plan.TriggerExecutor, *plan.JoinNode, *plan.SubqueryAlias, *plan.SetOp:
			single = false
		case sql.TableNode: // a table, or a lookup in a table
			t := DocumentsOf(at.UnderlyingTable())
			single = single && t != nil && of == nil
			of = t
		}
		return single
	})
	if !single || of == nil || len(child.Schema()) != len(of.Layout) || !readsAhead(of) {
		return nil
	}
	return &AheadSource{UnaryNode: plan.UnaryNode{Child: child}, table: of}
}

// DocumentsOf returns the table whose documents another table reads; nil if it reads something else.
func DocumentsOf(t sql.Table) *Table {
	switch t := t.(type) {
	case *Table:
		return t
	case *LookupTable:
		return t.Table
	case sql.TableWrapper:
		return DocumentsOf(t.Underlying())
	}
	return nil
}

// readsAhead reports whether a statement may read ahead for rows of a table that it has not written yet.
func readsAhead(t *Table) bool { return !t.Def.Rebuilding() }

// Limits of the rows read ahead: their number, and about how many bytes.
const (
	MaxRowsAhead  = 256
	maxBytesAhead = 1 << 20
)

// Build implements operator.Node.
func (n *AheadSource) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	child, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	t, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	w, err := t.Begin()
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	at := ahead.Of(w)
	if at == nil || n.inserts && !at.Starts() {
		return child, nil
	}
	return &aheadIter{RowIter: child, table: n.table, inserts: n.inserts, twice: n.twice, tx: t, at: at}, nil
}

// aheadIter returns the rows of its child and starts reads for them.
type aheadIter struct {
	sql.RowIter
	table   *Table
	inserts bool
	twice   bool
	tx      *session.Transaction
	at      *ahead.Tx

	rows    []sql.Row // read, but not returned yet
	lines   []int64   // their lines in the file that is loaded; nil: no file
	failed  sql.Row   // the row that the child returned with err
	err     error     // the child's, to be returned after rows
	started [][]byte  // primary keys of the rows read last
}

// Next implements sql.RowIter.
func (i *aheadIter) Next(ctx *sql.Context) (sql.Row, error) {
	if len(i.rows) == 0 && i.err == nil {
		fill(i, ctx)
	}
	if len(i.rows) > 0 {
		row := i.rows[0]
		i.rows = i.rows[1:]
		if f := i.table.Session.Load; f != nil && len(i.lines) > 0 {
			f.Dealing, i.lines = i.lines[0], i.lines[1:]
		}
		return row, nil
	}
	if f := i.table.Session.Load; f != nil {
		f.Dealing = 0 // no row's: the line read last
	}
	row, err := i.failed, i.err
	i.failed, i.err = nil, nil
	return row, err
}

// fill reads further rows. An UPDATE reads the documents of rows that it has found once more.
func fill(i *aheadIter, ctx *sql.Context) {
	forget(i)
	if !i.inserts {
		i.at.Keep()
	}
	size, maxRows, maxBytes := 0, MaxRowsAhead, maxBytesAhead
	if b := i.table.Session.Batch; b != nil { // a batch checks whether it is full when the next row is read
		rows, bytes := b.Room(i.tx)
		if i.twice {
			rows = (rows + 1) / 2
		}
		maxRows, maxBytes = int(min(rows, MaxRowsAhead)), int(min(bytes, maxBytesAhead))
	}
	for len(i.rows) < maxRows && size < maxBytes {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			i.failed, i.err = row, err
			break
		}
		i.rows = append(i.rows, row)
		if f := i.table.Session.Load; f != nil {
			i.lines = append(i.lines, f.Line())
		}
		size += roughSize(row)
	}
	i.at.Leave()
	if i.inserts && len(i.rows) < 2 {
		return // no gain
	}
	c := i.table.Def.Collection
	for _, row := range i.rows {
		if len(row) != len(i.table.Columns) {
			continue
		}
		pk := i.table.startRow(ctx, i.at, row, i.inserts)
		if pk == nil {
			continue
		}
		c.Start(i.at, pk)
		i.started = append(i.started, pk)
	}
}

// forget drops the reads for rows that have been written.
func forget(i *aheadIter) {
	for _, pk := range i.started {
		i.table.Def.Collection.Forget(i.at, pk)
	}
	i.started = i.started[:0]
}

// Close implements sql.Closer.
func (i *aheadIter) Close(ctx *sql.Context) error {
	i.at.Leave()
	forget(i)
	return i.RowIter.Close(ctx)
}

// roughSize estimates how much memory a row takes, in bytes.
func roughSize(row sql.Row) int {
	n := 0
	for _, v := range row {
		switch v := v.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		case value.JSON:
			n += v.Held.Len()
		}
		n += 16
	}
	return n
}

// startRow starts the reads of unique indexes for an inserted row, and returns the row's primary key; nil if it is
// not known yet. Reads that depend on more than the row are done in their turn.
func (t *Table) startRow(ctx *sql.Context, at *ahead.Tx, row sql.Row, inserts bool) []byte {
	if !inserts {
		pk, err := t.KeyOf(ctx, row)
		if err != nil || len(pk) > tables.MaxPrimaryKey {
			return nil
		}
		return pk
	}
	converted := make(sql.Row, len(row))
	for i, v := range row {
		if v == nil {
			continue
		}
		typ := t.Columns[i].Typ
		if d, ok := typ.(sql.DecimalType); ok { // as the statement assigns it, with the column's digits
			typ = value.AssignedDecimal{DecimalType: d}
		}
		c, _, err := typ.Convert(ctx, v)
		if err != nil {
			return nil
		}
		converted[i] = c
	}
	if !t.unique() {
		if pk := t.givenKey(ctx, converted); pk != nil {
			return pk
		}
	}
	d, err := t.compose(ctx, converted)
	if err != nil {
		return nil
	}
	pk, d, _, err := Identify(t.Def, ctx, d)
	if err != nil || len(pk) > tables.MaxPrimaryKey {
		return nil
	}
	starter := at.Starter()
	for i := range t.Def.Table.Indexes {
		if idx := &t.Def.Table.Indexes[i]; idx.Unique {
			_, _, _ = FindDuplicate(t.Def, ctx, starter, idx, pk, d)
		}
	}
	return pk
}

// givenKey returns the primary key of a row to be inserted that has all of its columns; nil for others.
func (t *Table) givenKey(ctx *sql.Context, row sql.Row) []byte {
	if t.Def.Hidden() {
		return nil
	}
	for _, i := range t.Def.PrimaryKey {
		if row[i] == nil {
			return nil
		}
	}
	pk, err := t.KeyOf(ctx, row)
	if err != nil || len(pk) > tables.MaxPrimaryKey {
		return nil
	}
	return pk
}

// unique reports whether the table has a unique index.
func (t *Table) unique() bool {
	for i := range t.Def.Table.Indexes {
		if t.Def.Table.Indexes[i].Unique {
			return true
		}
	}
	return false
}
