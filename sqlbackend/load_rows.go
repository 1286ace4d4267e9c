package sqlbackend

import (
	"errors"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// load is the rows of a LOAD DATA. The engine's own reader takes no field that holds a delimiter,
// and drops what is escaped.
func (x *executor) load(ctx *sql.Context, n *plan.LoadData) (sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	format := loadFormat{fieldEnd: n.FieldsTerminatedBy, lineStart: n.LinesStartingBy, lineEnd: n.LinesTerminatedBy,
		enclosed: -1, escape: -1}
	if n.FieldsEnclosedBy != "" {
		format.enclosed = int(n.FieldsEnclosedBy[0])
	}
	if n.FieldsEscapedBy != "" {
		format.escape = int(n.FieldsEscapedBy[0])
	}
	tx, err := currentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	set, err := newSetQuery(ctx, s, n)
	if err != nil {
		return nil, err
	}
	i := &loadIter{session: s, tx: tx, node: n, format: format, set: set}
	listed := len(n.ColNames)
	if stmt, ok := s.statement().(*ast.Load); ok && len(stmt.Columns) > 0 {
		listed = len(stmt.Columns)
	}
	names := n.ColNames
	if len(names) == 0 {
		for _, c := range n.DestSch {
			names = append(names, c.Name)
		}
		listed = len(names)
	}
	source := n.DestSch[0].Source
	for _, name := range names {
		i.columns = append(i.columns, n.DestSch.IndexOf(name, source))
	}
	for f, c := 0, 0; f < listed && f < len(n.UserVars); f++ {
		if n.UserVars[f] != nil {
			i.fields = append(i.fields, -1)
			continue
		}
		if c == len(names) {
			break
		}
		i.fields = append(i.fields, c)
		c++
	}
	return i, nil
}

// loadIter gives the rows of a file: the values of the columns that the statement lists, in that order,
// and behind them those that only SET names.
type loadIter struct {
	session *Session
	tx      *Transaction
	node    *plan.LoadData
	format  loadFormat
	set     *setQuery // nil: SET has no subquery
	columns []int     // in the schema: of each column of a row
	fields  []int     // in columns: of each field; -1: a user variable
	record  []loadField
	count   int
}

// open finds the file, which an earlier attempt may have opened.
func (i *loadIter) open(ctx *sql.Context) (*loadFile, error) {
	s := i.session
	if s.load == nil {
		file, err := openLoad(ctx, i.node)
		if err != nil {
			return nil, err
		}
		_, why := s.batchable()
		s.load = newLoadFile(file, i.format, why == "" && s.repeatable && s.inBatches())
	}
	f := s.load
	if i.count > 0 {
		return f, nil
	}
	i.count++
	if b := s.batch; b != nil && b.at.Offset > f.base {
		if err := f.goTo(b.at.Offset, b.at.Sum); err != nil {
			return nil, err
		}
	}
	if f.base == 0 && f.pos == 0 {
		f.skipLines(i.node.IgnoreNum)
	}
	return f, nil
}

// openLoad asks the client for the file. The server reads none of its own, as with MySQL's
// secure_file_priv = NULL.
func openLoad(ctx *sql.Context, n *plan.LoadData) (io.ReadCloser, error) {
	if !n.Local {
		return nil, mysql.NewSQLError(mysqlerr.OptionPrevents, "HY000",
			"The server reads no files of its own (secure_file_priv is NULL): LOAD DATA LOCAL INFILE takes one of the client's")
	}
	if _, on, ok := sql.SystemVariables.GetGlobal("local_infile"); !ok || on == int8(0) {
		return nil, mysql.NewSQLError(mysqlerr.LocalInfile, "42000",
			"Loading local data is disabled: SET GLOBAL local_infile = 1 enables it, for clients that allow it too")
	}
	return ctx.LoadInfile(n.File)
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends.
func (i *loadIter) Next(ctx *sql.Context) (sql.Row, error) {
	f, err := i.open(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	b := i.session.batch
	if b != nil && (b.full(i.tx) || b.given > 0 && f.pos >= loadKept) {
		b.stopped = true
		return nil, io.EOF
	}
	if b == nil && f.batches && f.pos >= loadKept {
		return nil, mysqlerr.Of(ctx, &kv.SizeError{Err: kv.ErrTooLarge, Size: int64(f.pos), Limit: loadKept})
	}
	if i.count++; i.count%rowsPerCheck == 0 {
		if err := ctx.Err(); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	record, ok, err := f.next(i.record)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if !ok {
		return nil, io.EOF
	}
	i.record = record
	if b != nil {
		b.given++
	}
	return i.row(ctx, record)
}

// row makes a row of a record. Fields that are missing are what the columns have by default.
func (i *loadIter) row(ctx *sql.Context, record []loadField) (sql.Row, error) {
	schema := i.node.DestSch
	row, values := make(sql.Row, max(len(i.columns), len(schema))), make(sql.Row, len(schema))
	given := make([]bool, len(i.columns))
	for f, c := range i.fields {
		if f == len(record) {
			break
		}
		var v any
		if !record[f].null {
			v = record[f].text
		}
		if c < 0 {
			set, ok := i.node.UserVars[f].(*expression.SetField)
			if !ok {
				continue
			}
			name, ok := set.LeftChild.(*expression.UserVar)
			if !ok {
				continue
			}
			if err := ctx.SetUserVariable(ctx, name.Name, v, types.ApproximateTypeFromValue(v)); err != nil {
				return nil, err
			}
			continue
		}
		at := i.columns[c]
		if at < 0 {
			continue
		}
		if v == "" {
			if _, text := schema[at].Type.(sql.StringType); !text {
				if schema[at].Default != nil {
					continue
				}
				v = nil
			}
		}
		row[c], values[at], given[c] = v, v, true
	}
	queried := sql.Row(nil)
	if i.set != nil {
		var err error
		if queried, err = i.set.values(ctx, values); err != nil {
			return nil, err
		}
	}
	for c, at := range i.columns {
		var e sql.Expression
		if at >= 0 && len(i.node.SetExprs) > at {
			e = i.node.SetExprs[at]
		}
		if i.set != nil && slices.Contains(i.set.columns, at) {
			row[c] = queried[at]
			continue
		}
		switch {
		case e != nil:
		case !given[c] && at >= 0 && schema[at].Default != nil:
			e = schema[at].Default
		default:
			continue
		}
		v, err := e.Eval(ctx, values)
		if err != nil {
			return nil, err
		}
		row[c] = v
	}
	return row, nil
}

// Close implements sql.RowIter. The file stays open, for another attempt.
func (*loadIter) Close(*sql.Context) error { return nil }

// endLoad ends the file of a statement that has come to its end, and tells of an error in which line it was.
func (s *Session) endLoad(err error) error {
	f := s.load
	if f == nil {
		return err
	}
	s.load = nil
	f.close()
	var e *mysql.SQLError
	if !errors.As(err, &e) || f.dealing == 0 && f.at == f.pos {
		return err
	}
	line := f.dealing
	if line == 0 {
		line = f.line()
	}
	return mysql.NewSQLError(e.Num, e.State, "%s, in line %s of the file", e.Message, grouped(line))
}
