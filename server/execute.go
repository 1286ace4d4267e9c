package server

import (
	"context"
	"errors"
	"io"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Bounds on the part of a result that waits to be sent. The engine's own handler lets 640 rows wait, of any length,
// and uses four goroutines for a result.
const (
	rowsWaiting  = 128
	bytesWaiting = 1 << 20
)

// execute runs a statement and sends its result. Of several statements it runs the first, and gives the rest of the
// text.
func (h *handler) execute(ctx context.Context, c *mysql.Conn, query string, several bool,
	parameters map[string]*querypb.BindVariable, send mysql.ResultSpoolFn) (rest string, err error) {
	defer func() {
		if err != nil {
			err = sql.CastSQLError(err)
		}
	}()
	sqlCtx, err := h.sessions.NewContextWithQuery(ctx, c, query)
	if err != nil {
		return "", err
	}
	// A process is done once its rows are sent.
	if sqlCtx, err = sqlCtx.ProcessList.BeginQuery(sqlCtx, query); err != nil {
		return "", err
	}
	defer sqlCtx.ProcessList.EndQuery(sqlCtx)
	if err := sql.SessionCommandBegin(sqlCtx.Session); err != nil {
		return "", err
	}
	defer sql.SessionCommandEnd(sqlCtx.Session)

	if request, ok, err := parseBackup(query); ok {
		if err == nil {
			err = h.backUp(sqlCtx, c, request, send)
		}
		return "", err
	}
	flags := &sql.QueryFlags{}
	flags.Set(sql.QFlagDeferProjections)
	schema, rows, ran, err := h.backend.RunProgram(sqlCtx, query, parameters, flags)
	if err != nil {
		return "", err
	}
	if !ran {
		if schema, rows, rest, err = h.plan(sqlCtx, query, several, parameters, flags); err != nil {
			return rest, err
		}
	}
	if schema != nil && !types.IsOkResultSchema(schema) {
		h.planned(c, query[:len(query)-len(rest)])
	}
	buffer := sql.ByteBufPool.Get().(*sql.ByteBuffer)
	defer func() { // rows that wait to be sent are in it
		buffer.Reset()
		sql.ByteBufPool.Put(buffer)
	}()
	s := sending{ctx: sqlCtx, schema: schema, more: rest != "", send: send, buffer: buffer}
	last, err := s.result(rows)
	if err == nil {
		err = noteStatus(sqlCtx, c)
	}
	if err != nil || last == nil {
		return rest, err
	}
	return rest, send(last, s.more)
}

// planned gives back the room that the text of a connection's command needs no longer.
func (h *handler) planned(c *mysql.Conn, query string) {
	h.mu.Lock()
	var bytes int64
	if cl := h.clients[c.ConnectionID]; cl != nil {
		bytes = cl.text
	}
	h.mu.Unlock()
	if s, ok := h.backend.Client(c.ConnectionID); ok {
		s.Memory().Planned(bytes, func() int64 { return statement.CountWords(query) })
	}
}

// plan reads and plans a statement and begins to run it.
func (h *handler) plan(ctx *sql.Context, query string, several bool, parameters map[string]*querypb.BindVariable,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, rest string, err error) {
	bindings, err := expressionsOf(parameters)
	if err != nil {
		return nil, nil, "", err
	}
	engine := h.backend.Engine
	var parsed sqlparser.Statement
	if several {
		if _, prepared := engine.PreparedDataCache.GetCachedStmt(ctx.Session.ID(), query); !prepared {
			var first string
			if parsed, first, rest, err = engine.Parser.Parse(ctx, query, true); err != nil {
				return nil, nil, "", err
			}
			if first != "" {
				query = first
			}
		}
	}
	schema, rows, err = h.backend.Query(ctx, query, parsed, bindings, flags)
	return schema, rows, rest, err
}

// expressionsOf are the values of parameters as the engine takes them.
func expressionsOf(parameters map[string]*querypb.BindVariable) (map[string]sqlparser.Expr, error) {
	out := make(map[string]sqlparser.Expr, len(parameters))
	for name, p := range parameters {
		v, err := sqltypes.BindVariableToValue(p)
		if err != nil {
			return nil, err
		}
		if out[name], err = sqlparser.ExprFromValue(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// noteStatus makes the connection report whether a transaction is open.
func noteStatus(ctx *sql.Context, c *mysql.Conn) error {
	v, err := ctx.GetSessionVariable(ctx, sql.AutoCommitSessionVar)
	if err != nil {
		return err
	}
	auto, err := sql.ConvertToBool(ctx, v)
	if err != nil {
		return err
	}
	c.StatusFlags &^= uint16(mysql.ServerStatusAutocommit) | uint16(mysql.ServerInTransaction)
	if auto {
		c.StatusFlags |= uint16(mysql.ServerStatusAutocommit)
	}
	if ctx.GetTransaction() != nil {
		c.StatusFlags |= uint16(mysql.ServerInTransaction)
	}
	return nil
}

// sending is a result on its way.
type sending struct {
	ctx    *sql.Context
	schema sql.Schema
	more   bool // results follow
	send   mysql.ResultSpoolFn
	buffer *sql.ByteBuffer // of the values that are not sent yet
}

// result reads rows to their end and closes them, which commits an autocommit statement. It sends all parts except
// the last, which it returns; nil if everything is sent.
func (s *sending) result(rows sql.RowIter) (last *sqltypes.Result, err error) {
	counts := s.schema == nil || types.IsOkResultSchema(s.schema)
	rows, shown := gms.GetDeferredProjections(rows)
	ended := false
	defer func() {
		if counts && !ended {
			return // closing a writing iterator would commit its writes; the session ends it with the command
		}
		if closed := rows.Close(s.ctx); err == nil {
			err = closed
		}
	}()
	var fields []*querypb.Field
	if !counts {
		fields = fieldsOf(s.ctx, s.schema)
	}
	encode := sqlbackend.ResultEncoder(s.ctx)
	if counts {
		encode = nil
	}
	part, bytes, sent := &sqltypes.Result{Fields: fields}, 0, false
	for {
		row, err := rows.Next(s.ctx)
		if errors.Is(err, io.EOF) {
			ended = true
			break
		}
		if err != nil {
			return nil, err
		}
		if types.IsOkResult(row) {
			part = countsOf(s.ctx, row[0].(types.OkResult))
			continue
		}
		out, err := gms.RowToSQL(s.ctx, s.schema, row, shown, s.buffer)
		if err != nil {
			return nil, err
		}
		if encode != nil {
			for i, v := range out {
				if !v.IsNull() && (v.Type() == sqltypes.TypeJSON || fields[i].Charset != uint32(sql.Collation_binary)) {
					out[i] = sqltypes.MakeTrusted(v.Type(), encode(v.Raw()))
				}
			}
		}
		part.Rows = append(part.Rows, out)
		part.RowsAffected++
		for _, v := range out {
			bytes += v.Len()
		}
		if len(part.Rows) < rowsWaiting && bytes < bytesWaiting {
			continue
		}
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.send(part, s.more); err != nil {
			return nil, err
		}
		s.buffer.Reset()
		part, bytes, sent = &sqltypes.Result{Fields: fields}, 0, true
	}
	if sent && part.RowsAffected == 0 {
		return nil, nil
	}
	return part, nil
}

// countsOf is the result of a statement that gives no rows.
func countsOf(ctx *sql.Context, r types.OkResult) *sqltypes.Result {
	out := &sqltypes.Result{RowsAffected: r.RowsAffected, InsertID: r.InsertID}
	if s, ok := sqlbackend.ClientOf(ctx.Session); ok {
		out.Info = s.Info(r)
	}
	return out
}

// fieldsOf describes a result's columns; describe completes it.
func fieldsOf(ctx *sql.Context, schema sql.Schema) []*querypb.Field {
	wanted, encode := sqlbackend.WantedResults(ctx), sqlbackend.ResultEncoder(ctx)
	fields := make([]*querypb.Field, len(schema))
	for i, c := range schema {
		name, table := c.Name, c.Source
		if encode != nil {
			name, table = string(encode([]byte(name))), string(encode([]byte(table)))
		}
		f := &querypb.Field{Name: name, OrgName: name, Table: table, OrgTable: table, Database: c.DatabaseSource,
			Type: c.Type.Type(), Charset: uint32(sql.Collation_Default.CharacterSet()),
			ColumnLength: c.Type.MaxTextResponseByteLength(ctx)}
		if t, ok := c.Type.(sql.TypeWithCollation); ok {
			f.Charset = uint32(t.Collation().CharacterSet())
		}
		switch {
		case types.IsBinaryType(c.Type):
			f.Charset = uint32(sql.Collation_binary)
		case wanted != sql.CharacterSet_Unspecified:
			f.Charset = uint32(wanted)
		}
		for _, flag := range []struct {
			is   bool
			flag querypb.MySqlFlag
		}{
			{!c.Nullable, querypb.MySqlFlag_NOT_NULL_FLAG},
			{c.AutoIncrement, querypb.MySqlFlag_AUTO_INCREMENT_FLAG},
			{c.PrimaryKey, querypb.MySqlFlag_PRI_KEY_FLAG},
			{types.IsUnsigned(c.Type), querypb.MySqlFlag_UNSIGNED_FLAG},
		} {
			if flag.is {
				f.Flags |= uint32(flag.flag)
			}
		}
		switch t := c.Type.(type) {
		case sql.DecimalType:
			f.Decimals = uint32(t.Scale())
		case sql.DatetimeType:
			f.Decimals = uint32(t.Precision())
		case sql.NumberType:
			if t.DisplayWidth() == 1 && c.Source != "" { // by which clients know a boolean
				f.ColumnLength = 1
			}
		}
		fields[i] = f
	}
	return fields
}
