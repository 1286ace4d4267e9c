package sqlbackend

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
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
	shownColumns
	column    *catalog.Column // of the primary key
	parameter int             // whose value it is
}

// keyReadOf is the key read that stands for a plan which has been made of the program for values; nil if none does.
func (p *tableProgram) keyReadOf(t *Table, n sql.Node, values program.Values) *keyRead {
	field, parameter, ok := p.template.Equality()
	if !ok || t.def.Temporary() || len(t.def.PrimaryKey) != 1 || !t.isKeyColumn(field) {
		return nil
	}
	shown, n, ok := t.shownBy(n)
	if !ok {
		return nil
	}
	k := &keyRead{shownColumns: shown, parameter: parameter, column: &t.def.Columns[t.def.PrimaryKey[0]]}
	typ := t.def.columns[t.def.PrimaryKey[0]].typ
	if !types.IsInteger(typ) && typ.Type() != sqltypes.VarChar { // others read values as more than they are
		return nil
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
	return k
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
	return &shownRows{rowIter{table: t, docs: t.def.collection.ScanKey(r, pk)}, k.columns, 1}, true, nil
}
