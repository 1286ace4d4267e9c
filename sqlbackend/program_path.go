package sqlbackend

import (
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// shownColumns are the columns of a table that a program gives, and nothing that is computed of them.
type shownColumns struct {
	columns []int
	schema  sql.Schema
}

// shownBy finds the columns that a plan shows of its table, and what is below. It is not ok where it computes any.
func (t *Table) shownBy(n sql.Node) (shown shownColumns, below sql.Node, ok bool) {
	shown.schema = n.Schema()
	project, is := n.(*plan.Project)
	if !is {
		for i := range t.columns {
			shown.columns = append(shown.columns, i)
		}
		return shown, n, true
	}
	for _, e := range project.Projections {
		if a, is := e.(*expression.Alias); is {
			e = a.Child
		}
		at := t.fieldAt(e)
		if at < 0 {
			return shown, nil, false
		}
		shown.columns = append(shown.columns, at)
	}
	return shown, project.Child, true
}

// fieldAt is the place among the table's columns of what an expression is; -1 if it is none of them.
func (t *Table) fieldAt(e sql.Expression) int {
	f, is := e.(*expression.GetField)
	if !is || !t.place.Holds(f) {
		return -1
	}
	at := -1
	for i := range t.columns {
		if strings.EqualFold(t.columns[i].name, f.Name()) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// finished adds to rows what the engine adds: the commit of a statement that commits by itself, and FOUND_ROWS.
func (*shownColumns) finished(ctx *sql.Context, s *Session, rows sql.RowIter, flags *sql.QueryFlags) (sql.RowIter,
	error) {
	s.work.executed = true
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
	needed []bool     // by column of the table
	order  *pathOrder // in which few rows are taken; nil: all are, in any order
}

// pathReadOf is the path read that stands for a plan; nil if none does.
func pathReadOf(t *Table, n sql.Node) *pathRead {
	limit, limited := n.(*plan.Limit)
	if limited {
		n = limit.Child
	}
	shown, n, ok := t.shownBy(n)
	if !ok || !t.readsByColumn() {
		return nil
	}
	if at, is := n.(*plan.Limit); is && !limited {
		limit, limited, n = at, true, at.Child
	}
	access, is := n.(*plan.IndexedTableAccess)
	if !is || limited && limit.CalcFoundRows {
		return nil
	}
	path, is := plan.GetIndexLookup(access).Ranges.(*accessPath)
	if !is || path.candidate == nil || len(path.residual) > 0 || limited != (path.order != nil) ||
		limited && !path.order.isWalk() {
		return nil
	}
	p := &pathRead{shownColumns: shown, needed: make([]bool, len(t.columns)), order: path.order}
	for _, at := range shown.columns {
		p.needed[at] = true
	}
	return p
}

// isWalk reports whether the first entries of one range are read in the order of their values, and that is all.
func (o *pathOrder) isWalk() bool {
	return o.field != nil && o.field.part == 0 && o.field.column.Shape != pushdown.ShapeJSON && !o.field.apart &&
		o.part != nil && o.part.Declared == nil && o.part.Column.Keypath == o.field.column.Keypath && !o.scan &&
		!o.missing && !o.allPresent && !o.apart && o.among == nil && o.skip == 0 && o.rows > 0 && o.prefix == 0 &&
		o.bound.Cost == 0 && o.keyText == "" && len(o.columns) == 0
}

// rows begins to read along a path; nil where it needs a plan. most is how many rows are taken in the order of a
// column.
func (p *pathRead) rows(ctx *sql.Context, t *Table, path *accessPath, most int64) (sql.RowIter, error) {
	if path == nil || path.candidate == nil || len(path.residual) > 0 || path.order != nil {
		return nil, nil
	}
	left := int64(-1)
	if p.order != nil {
		// Of one value the sort has nothing to do: its documents may come another way.
		if !path.walked {
			return nil, nil
		}
		part := &path.candidate.Parts[0]
		if most < 1 || len(part.Spans) == 0 || part.Spans.IsPoint() ||
			!alikeInOrder(&part.Column, &p.order.field.column) {
			return nil, nil
		}
		order := *p.order
		order.part, order.spans, order.rows = part, orderedSpans(part.Spans), most
		path.order, left = &order, most
	}
	path.covered = path.coverable(p.needed)
	rows, err := (&lookupTable{t}).PartitionRows(ctx, pathPartition{path})
	if err != nil {
		return nil, err
	}
	if docs, is := rows.(*rowIter); is {
		return &shownRows{*docs, p.columns, left}, nil
	}
	return &pickedRows{rows, p.columns, left}, nil
}

// alikeInOrder reports whether the entries of a column order its values as they did when another plan was made.
func alikeInOrder(a, b *pushdown.Column) bool {
	return a.Keypath == b.Keypath && a.Shape == b.Shape && a.Collation == b.Collation && a.Rounded == b.Rounded &&
		a.StringLimit == b.StringLimit
}

// shownRows gives columns of documents.
type shownRows struct {
	rowIter
	columns []int
	left    int64 // rows at most; negative: all
}

// Next implements sql.RowIter.
func (k *shownRows) Next(ctx *sql.Context) (sql.Row, error) {
	if k.left == 0 {
		return nil, io.EOF
	}
	k.left--
	t := k.table
	if len(k.columns) > lookupsInstead && t.walk != nil {
		row, err := k.rowIter.Next(ctx)
		return picked(row, k.columns, err)
	}
	if err := k.advance(ctx); err != nil {
		return nil, err
	}
	row := make(sql.Row, len(k.columns))
	pk, d := k.docs.PK(), k.docs.Document()
	for i, at := range k.columns {
		var err error
		if row[i], err = t.shown(ctx, pk, d, &t.columns[at]); err != nil {
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
