package plancache

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
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// keyed is the one document that a program's only condition, on the primary key, leads to.
type keyed struct {
	column    *catalog.Column // of the primary key
	parameter int             // whose value it is
	path      *table.AccessPath
}

// keyedOf is the document that a plan reads, which has been made of the program for values; nil if it reads others.
func (p *tableProgram) keyedOf(t *table.Table, n sql.Node, values program.Values) *keyed {
	field, parameter, ok := p.template.Equality()
	if !ok || t.Def.Temporary() || len(t.Def.PrimaryKey) != 1 || !t.IsKeyColumn(field) {
		return nil
	}
	typ := t.Def.SQLColumns[t.Def.PrimaryKey[0]].Typ
	if !types.IsInteger(typ) && typ.Type() != sqltypes.VarChar { // others read values as more than they are
		return nil
	}
	access, is := n.(*plan.IndexedTableAccess)
	if !is {
		return nil
	}
	path, is := plan.GetIndexLookup(access).Ranges.(*table.AccessPath)
	if !is || !path.IsOneDocument() || len(path.Residual) > 0 || path.Covered != nil || path.Order != nil ||
		len(path.Members) > 0 {
		return nil
	}
	k := &keyed{parameter: parameter, column: &t.Def.Columns[t.Def.PrimaryKey[0]]}
	// The key must be in the path's span, also in other runs: texts are equal if their bytes are.
	pk, ok := k.key(values)
	if !ok || !bytes.Equal(pk, tuple.AppendBytes(nil, path.Candidate.Spans[0].Start)) {
		return nil
	}
	k.path = path.WithoutRun()
	return k
}

// keyRead is how a program gives columns of the one document that a primary key names, without a plan.
type keyRead struct {
	shownColumns
	*keyed
}

// keyReadOf is the key read that stands for a plan which has been made of the program for values; nil if none does.
func (p *tableProgram) keyReadOf(t *table.Table, n sql.Node, values program.Values) *keyRead {
	shown, n, ok := shownColumnsOf(t, n)
	if !ok {
		return nil
	}
	k := p.keyedOf(t, n, values)
	if k == nil {
		return nil
	}
	return &keyRead{shown, k}
}

// key is the primary key that values have; not ok where the statement is to be planned.
func (k *keyed) key(values program.Values) (pk []byte, ok bool) {
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

// start begins to read the document that values name, if there is one alone and reads wait for an answer: it is on its
// way while the definitions are looked at.
func (p *tableProgram) start(s *session.Session, values program.Values) {
	k := p.key.Load()
	if tx, ok := s.GetTransaction().(*session.Transaction); k == nil || ok && tx.Writes != nil {
		return // a transaction that has read knows the definitions
	}
	r, err := s.Readers.Committed()
	at := ahead.Of(r)
	if err != nil || !at.Starts() {
		return // the read of the definitions meets the error
	}
	if pk, ok := k.key(values); ok {
		at.Start(p.table.Def.Collection.Keys().Document(pk, 0))
	}
}

// rows begins to read the document. It returns no rows if the statement is to be planned for these values.
func (k *keyRead) rows(ctx *sql.Context, t *table.Table, values program.Values) (rows sql.RowIter, ok bool, err error) {
	pk, ok := k.key(values)
	if !ok {
		return nil, false, nil
	}
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, false, mysqlerr.Of(ctx, err)
	}
	return &shownRows{table.RowIter{Table: t, Docs: t.Def.Collection.ScanKey(r, pk)}, k.columns, 1}, true, nil
}
