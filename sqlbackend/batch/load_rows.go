package batch

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// LoadRows are the rows of a LOAD DATA. The engine's own reader takes no field that holds a delimiter,
// and drops what is escaped.
func LoadRows(ctx *sql.Context, n *plan.LoadData) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	format := session.LoadFormat{FieldEnd: n.FieldsTerminatedBy, LineStart: n.LinesStartingBy,
		LineEnd:  n.LinesTerminatedBy,
		Enclosed: -1, Escape: -1}
	if n.FieldsEnclosedBy != "" {
		format.Enclosed = int(n.FieldsEnclosedBy[0])
	}
	if n.FieldsEscapedBy != "" {
		format.Escape = int(n.FieldsEscapedBy[0])
	}
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	set, err := newSetQuery(ctx, s, n)
	if err != nil {
		return nil, err
	}
	i := &loadIter{session: s, tx: tx, node: n, format: format, set: set}
	listed := len(n.ColNames)
	if stmt, ok := s.Parsed.Statement().(*ast.Load); ok && len(stmt.Columns) > 0 {
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
	session *session.Session
	tx      *session.Transaction
	node    *plan.LoadData
	format  session.LoadFormat
	set     *setQuery // nil: SET has no subquery
	columns []int     // in the schema: of each column of a row
	fields  []int     // in columns: of each field; -1: a user variable
	record  []session.LoadField
	count   int
}

// open finds the file, which an earlier attempt may have opened.
func (i *loadIter) open(ctx *sql.Context) (*session.LoadFile, error) {
	s := i.session
	if s.Load == nil {
		file, err := openLoad(ctx, i.node)
		if err != nil {
			return nil, err
		}
		_, why := Batchable(s)
		s.Load = session.NewLoadFile(file, i.format)
		s.Load.Batches = why == "" && s.Repeatable && inBatches(s)
	}
	f := s.Load
	if i.count > 0 {
		return f, nil
	}
	i.count++
	f.Room = func(bytes int) error { return s.Held.EnterFile(ctx, int64(bytes)) }
	if b := runOf(s); b != nil && b.At.Offset > f.Base {
		if err := f.GoTo(b.At.Offset, b.At.Sum); err != nil {
			return nil, err
		}
	}
	if f.Base == 0 && f.Pos == 0 {
		f.SkipLines(i.node.IgnoreNum)
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
	b := runOf(i.session)
	if b != nil && (b.Full(i.tx) || b.Given > 0 && f.Pos >= session.LoadKept) {
		b.Stopped = true
		return nil, io.EOF
	}
	if b == nil && f.Batches && f.Pos >= session.LoadKept {
		return nil, mysqlerr.Of(ctx, &kv.SizeError{Err: kv.ErrTooLarge, Size: int64(f.Pos), Limit: session.LoadKept})
	}
	if i.count++; i.count%table.RowsPerCheck == 0 {
		if err := ctx.Err(); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	record, ok, err := f.Next(i.record)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if !ok {
		return nil, io.EOF
	}
	i.record = record
	if b != nil {
		b.Given++
	}
	return i.row(ctx, record)
}

// row makes a row of a record. Fields that are missing are what the columns have by default.
func (i *loadIter) row(ctx *sql.Context, record []session.LoadField) (sql.Row, error) {
	schema := i.node.DestSch
	row, values := make(sql.Row, max(len(i.columns), len(schema))), make(sql.Row, len(schema))
	given := make([]bool, len(i.columns))
	for f, c := range i.fields {
		if f == len(record) {
			break
		}
		var v any
		if !record[f].Null {
			v = record[f].Text
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

// endLoad ends the file of a statement that has come to its end, and adds the line to its error.
func endLoad(s *session.Session, err error) error {
	f := s.Load
	if f == nil {
		return err
	}
	s.Load = nil
	f.Close()
	var e *mysql.SQLError
	if !errors.As(err, &e) || f.Dealing == 0 && f.At == f.Pos {
		return err
	}
	line := f.Dealing
	if line == 0 {
		line = f.Line()
	}
	return mysql.NewSQLError(e.Num, e.State, "%s, in line %s of the file", e.Message, session.Grouped(line))
}
