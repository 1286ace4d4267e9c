package plancache

import (
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// shownColumns are the columns of a table that a program gives, and nothing that is computed of them.
type shownColumns struct {
	columns []int
	schema  sql.Schema
}

// shownColumnsOf finds the table's columns that a plan gives, and the node below its projection. ok is false if the
// plan computes a column.
func shownColumnsOf(t *table.Table, n sql.Node) (shown shownColumns, below sql.Node, ok bool) {
	shown.schema = n.Schema()
	project, is := n.(*plan.Project)
	if !is {
		for i := range t.Columns {
			shown.columns = append(shown.columns, i)
		}
		return shown, n, true
	}
	for _, e := range project.Projections {
		if a, is := e.(*expression.Alias); is {
			e = a.Child
		}
		at := fieldAt(t, e)
		if at < 0 {
			return shown, nil, false
		}
		shown.columns = append(shown.columns, at)
	}
	return shown, project.Child, true
}

// fieldAt is the index of the table's column that an expression is; -1 if it is none.
func fieldAt(t *table.Table, e sql.Expression) int {
	f, is := e.(*expression.GetField)
	if !is || !t.Place.Holds(f) {
		return -1
	}
	at := -1
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, f.Name()) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// finished adds to rows the same steps as the engine: the commit of a statement that commits by itself, and
// FOUND_ROWS.
func (*shownColumns) finished(ctx *sql.Context, s *session.Session, rows sql.RowIter,
	flags *sql.QueryFlags) (sql.RowIter,
	error) {
	s.Work.Executed = true
	rows, err := rowexec.AddTransactionCommittingIter(ctx, flags, rows)
	if err != nil {
		return nil, err
	}
	tracked := plan.NewTrackedRowIter(nil, rows, nil, nil)
	tracked.QueryType, tracked.ShouldSetFoundRows = plan.QueryTypeSelect, true
	return tracked, nil
}

// pathRead is how a program gives columns of the documents on an access path that leaves nothing to filter. The path is
// chosen by each run; the nodes of a plan would do no more than to read along it.
type pathRead struct {
	shownColumns
	needed []bool           // by column of the table
	order  *table.PathOrder // the order in which few rows are read; nil: all rows, in any order
}

// pathReadOf is the path read that stands for a plan; nil if none does.
func pathReadOf(t *table.Table, n sql.Node) *pathRead {
	limit, limited := n.(*plan.Limit)
	if limited {
		n = limit.Child
	}
	shown, n, ok := shownColumnsOf(t, n)
	if !ok || !t.ReadsByColumn() {
		return nil
	}
	if at, is := n.(*plan.Limit); is && !limited {
		limit, limited, n = at, true, at.Child
	}
	access, is := n.(*plan.IndexedTableAccess)
	if !is || limited && limit.CalcFoundRows {
		return nil
	}
	path, is := plan.GetIndexLookup(access).Ranges.(*table.AccessPath)
	if !is || path.Candidate == nil || len(path.Residual) > 0 || limited != (path.Order != nil) ||
		limited && !isWalk(path.Order) {
		return nil
	}
	p := &pathRead{shownColumns: shown, needed: make([]bool, len(t.Columns)), order: path.Order}
	for _, at := range shown.columns {
		p.needed[at] = true
	}
	return p
}

// isWalk reports whether the first entries of one range are read in the order of their values, and that is all.
func isWalk(o *table.PathOrder) bool {
	return o.Field != nil && o.Field.Part == 0 && o.Field.Column.Shape != pushdown.ShapeJSON && !o.Field.NullsMoved &&
		o.Part != nil && o.Part.Declared == nil && o.Part.Column.Keypath == o.Field.Column.Keypath && !o.Scan &&
		!o.Missing && !o.AllPresent && !o.NullsMoved && o.Among == nil && o.Skip == 0 && o.Rows > 0 && o.Prefix == 0 &&
		o.Bound.Cost == 0 && o.KeyText == "" && len(o.Columns) == 0
}

// rows begins to read along a path; nil where the path needs a plan. most is how many rows are read in the order of a
// column.
func (p *pathRead) rows(ctx *sql.Context, t *table.Table, path *table.AccessPath, most int64) (sql.RowIter, error) {
	if path == nil || path.Candidate == nil || len(path.Residual) > 0 || path.Order != nil {
		return nil, nil
	}
	left := int64(-1)
	if p.order != nil {
		// Of one value the sort has nothing to do: its documents may come another way.
		if !path.Walked {
			return nil, nil
		}
		part := &path.Candidate.Parts[0]
		if most < 1 || len(part.Spans) == 0 || part.Spans.IsPoint() ||
			!alikeInOrder(&part.Column, &p.order.Field.Column) {
			return nil, nil
		}
		if mixed, err := spelledOtherwise(t, part.Column); mixed || err != nil {
			return nil, err
		}
		order := *p.order
		order.Part, order.Spans, order.Rows = part, table.OrderedSpans(part.Spans), most
		path.Order, left = &order, most
	}
	path.Covered = path.Coverable(p.needed)
	rows, err := (&table.LookupTable{Table: t}).PartitionRows(ctx, table.PathPartition{Path: path})
	if err != nil {
		return nil, err
	}
	if docs, is := rows.(*table.RowIter); is {
		return &shownRows{*docs, p.columns, left}, nil
	}
	return &pickedRows{rows, p.columns, left}, nil
}

// spelledOtherwise is table.LookupResolver.SpelledOtherwise: any write may change that.
func spelledOtherwise(t *table.Table, c pushdown.Column) (bool, error) {
	read, err := t.Session.Readers.Plan()
	if err != nil {
		return false, err
	}
	r := &table.LookupResolver{Table: t, Read: read}
	return r.SpelledOtherwise(c), r.Err
}

// alikeInOrder reports whether the entries of a column order its values as they did when another plan was made.
func alikeInOrder(a, b *pushdown.Column) bool {
	return a.Keypath == b.Keypath && a.Shape == b.Shape && a.Collation == b.Collation && a.Rounded == b.Rounded &&
		a.StringLimit == b.StringLimit
}

// shownRows gives columns of documents.
type shownRows struct {
	table.RowIter
	columns []int
	left    int64 // rows at most; negative: all
}

// Next implements sql.RowIter.
func (k *shownRows) Next(ctx *sql.Context) (sql.Row, error) {
	if k.left == 0 {
		return nil, io.EOF
	}
	k.left--
	t := k.Table
	if len(k.columns) > session.LookupsInstead && t.Walk != nil {
		row, err := k.RowIter.Next(ctx)
		return picked(row, k.columns, err)
	}
	if err := k.Advance(ctx); err != nil {
		return nil, err
	}
	row := make(sql.Row, len(k.columns))
	pk, d := k.Docs.PK(), k.Docs.Document()
	for i, at := range k.columns {
		var err error
		if row[i], err = t.Shown(ctx, pk, d, &t.Columns[at]); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	return row, nil
}

// pickedRows gives columns of rows.
type pickedRows struct {
	sql.RowIter
	columns []int
	left    int64 // as shownRows has it
}

// Next implements sql.RowIter.
func (k *pickedRows) Next(ctx *sql.Context) (sql.Row, error) {
	if k.left == 0 {
		return nil, io.EOF
	}
	k.left--
	row, err := k.RowIter.Next(ctx)
	return picked(row, k.columns, err)
}

func picked(row sql.Row, columns []int, err error) (sql.Row, error) {
	if err != nil {
		return nil, err
	}
	out := make(sql.Row, len(columns))
	for i, at := range columns {
		out[i] = row[at]
	}
	return out, nil
}
