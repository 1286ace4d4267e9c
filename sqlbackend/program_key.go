package sqlbackend

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/tables"
)

// keyRead is how a program gives columns of the one document that a primary key names, without a plan.
type keyRead struct {
	column    *catalog.Column // of the primary key
	parameter int             // whose value it is
	shown     []int           // columns of the table
	schema    sql.Schema
}

// keyReadOf is the key read that stands for a plan which has been made of the program for values; nil if none does.
func (p *tableProgram) keyReadOf(t *Table, n sql.Node, values program.Values) *keyRead {
	k := &keyRead{schema: n.Schema()}
	field, parameter, ok := p.template.Equality()
	if !ok || t.def.Temporary() || len(t.def.PrimaryKey) != 1 || !t.isKeyColumn(field) {
		return nil
	}
	k.parameter, k.column = parameter, &t.def.Columns[t.def.PrimaryKey[0]]
	typ := t.def.columns[t.def.PrimaryKey[0]].typ
	if !types.IsInteger(typ) && typ.Type() != sqltypes.VarChar { // others read values as more than they are
		return nil
	}
	if project, is := n.(*plan.Project); is {
		n = project.Child
		for _, e := range project.Projections {
			if a, is := e.(*expression.Alias); is {
				e = a.Child
			}
			at := t.fieldAt(e)
			if at < 0 {
				return nil
			}
			k.shown = append(k.shown, at)
		}
	}
	access, is := n.(*plan.IndexedTableAccess)
	if !is {
		return nil
	}
	path, is := plan.GetIndexLookup(access).Ranges.(*accessPath)
	if !is || !path.isOneDocument() || len(path.residual) > 0 || path.covered != nil || path.order != nil ||
		len(path.members) > 0 {
		return nil
	}
	// The path's span is what the key must be, also in other runs: texts are equal where their bytes are.
	pk, ok := k.key(values)
	if !ok || !bytes.Equal(pk, tuple.AppendBytes(nil, path.candidate.Spans[0].Start)) {
		return nil
	}
	if k.shown == nil {
		for i := range t.columns {
			k.shown = append(k.shown, i)
		}
	}
	return k
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

// key is the primary key that values have; not ok where a plan is to tell.
func (k *keyRead) key(values program.Values) (pk []byte, ok bool) {
	var v document.Value
	var err error
	switch given := &values[k.parameter]; {
	case given.Kind == program.Text && utf8.ValidString(given.Text) && k.column.Class == "":
		v, err = document.StringValue(given.Text)
	case given.Kind == program.Int && k.column.Class == catalog.ClassNumber:
		v, err = document.NumberValue(strconv.FormatInt(given.Int, 10))
	default:
		return nil, false
	}
	if err == nil {
		pk, err = tables.AppendKeyValue(nil, k.column, v)
	}
	return pk, err == nil
}

// rows begins to read the document. It has not where the statement is to be planned for these values.
func (k *keyRead) rows(ctx *sql.Context, t *Table, values program.Values) (rows sql.RowIter, ok bool, err error) {
	pk, ok := k.key(values)
	if !ok {
		return nil, false, nil
	}
	r, err := t.reader(ctx)
	if err != nil {
		return nil, false, mysqlerr.Of(ctx, err)
	}
	return &keyRows{rowIter{table: t, docs: t.def.collection.ScanKey(r, pk)}, k.shown}, true, nil
}

// finished adds to rows what the engine adds: the commit of a statement that commits by itself, and FOUND_ROWS.
func (k *keyRead) finished(ctx *sql.Context, s *Session, rows sql.RowIter, flags *sql.QueryFlags) (sql.RowIter, error) {
	s.work.executed = true
	rows, err := rowexec.AddTransactionCommittingIter(ctx, flags, rows)
	if err != nil {
		return nil, err
	}
	tracked := plan.NewTrackedRowIter(nil, rows, nil, nil)
	tracked.QueryType, tracked.ShouldSetFoundRows = plan.QueryTypeSelect, true
	return tracked, nil
}

// keyRows gives the columns that are shown of a document.
type keyRows struct {
	rowIter
	shown []int
}

// Next implements sql.RowIter.
func (k *keyRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := k.rowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	shown := make(sql.Row, len(k.shown))
	for i, at := range k.shown {
		shown[i] = row[at]
	}
	return shown, nil
}
