package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
)

// ErrGone: the connection has ended, by KILL for one.
var ErrGone = errors.New("server: the connection has ended")

// Error is MySQL's error of a statement.
type Error struct {
	Number         uint16
	State, Message string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("Error %d (%s): %s", e.Number, e.State, e.Message) }

// Column describes a column of a result.
type Column struct {
	Name     string
	Type     string // as SQL names it: BIGINT, UNSIGNED BIGINT, JSON
	Nullable bool
	Length   int64
	Decimals int64
}

// Part is a part of a result. One without columns is the last, and counts.
type Part struct {
	Columns []Column
	// Rows hold int64, uint64, float32, float64, string for texts, decimals and times, and []byte for JSON and bytes.
	Rows               [][]any
	Affected, InsertID uint64
}

// Connection is a client within the process: its statements go the same way as a remote client's, but not over a
// wire. It runs one at a time.
type Connection struct {
	handler *handler
	conn    *mysql.Conn
	turn    sync.Mutex  // held by the command that runs
	gone    atomic.Bool // no command begins any more
	ended   chan struct{}
}

// firstLocal is the number of the first connection within a process. The remote connections' numbers begin at 1.
const firstLocal = 1 << 31

var locals atomic.Uint32

// Connect begins a session of root's within the process. The caller closes it.
func (s *Server) Connect() (*Connection, error) {
	c := &Connection{handler: s.handler, ended: make(chan struct{})}
	c.conn = &mysql.Conn{Conn: &inside{c}, ConnectionID: firstLocal + locals.Add(1), User: accounts.RootUser,
		UserData: sql.MysqlConnectionUser{User: accounts.RootUser, Host: "%"}, PrepareData: map[uint32]*mysql.PrepareData{}}
	s.handler.NewConnection(c.conn)
	if _, err := s.handler.session(c.conn); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close ends the session, once its command has ended.
func (c *Connection) Close() error {
	c.conn.Close()
	<-c.ended
	return nil
}

// Gone reports whether the connection has ended.
func (c *Connection) Gone() bool { return c.gone.Load() }

// Prepare reads a statement that is to be run several times, and counts its parameters. The caller forgets it.
func (c *Connection) Prepare(ctx context.Context, text string) (statement uint32, parameters int, err error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.gone.Load() {
		return 0, 0, ErrGone
	}
	c.conn.StatementID++
	p := &mysql.PrepareData{StatementID: c.conn.StatementID}
	c.conn.PrepareData[p.StatementID] = p
	if _, err := c.handler.ComPrepare(ctx, c.conn, text, p); err != nil {
		return 0, 0, errorOf(err)
	}
	return p.StatementID, int(p.ParamsCount), nil
}

// Forget forgets a prepared statement.
func (c *Connection) Forget(statement uint32) {
	c.turn.Lock()
	defer c.turn.Unlock()
	delete(c.conn.PrepareData, statement)
}

// Query runs a statement and hands over the parts of its result. It ends when the context does, and the session goes
// on.
func (c *Connection) Query(ctx context.Context, text string, receive func(Part) error) error {
	c.turn.Lock()
	defer c.turn.Unlock()
	if c.gone.Load() {
		return ErrGone
	}
	send := func(r *sqltypes.Result, _ bool) error { return receive(partOf(r)) }
	return errorOf(c.handler.ComQuery(ctx, c.conn, text, send))
}

// Execute runs a prepared statement as Query runs a text.
func (c *Connection) Execute(ctx context.Context, statement uint32, values []any, receive func(Part) error) error {
	c.turn.Lock()
	defer c.turn.Unlock()
	p := c.conn.PrepareData[statement]
	if c.gone.Load() || p == nil {
		return ErrGone
	}
	p.BindVars = make(map[string]*querypb.BindVariable, len(values))
	for i, v := range values {
		bound, err := bind(v)
		if err != nil {
			return err
		}
		p.BindVars["v"+strconv.Itoa(i+1)] = bound
	}
	return errorOf(c.handler.ComStmtExecute(ctx, c.conn, p, func(r *sqltypes.Result) error { return receive(partOf(r)) }))
}

// bind is a value as a client sends it.
func bind(v any) (*querypb.BindVariable, error) {
	of := func(t querypb.Type, text string) (*querypb.BindVariable, error) {
		return &querypb.BindVariable{Type: t, Value: []byte(text)}, nil
	}
	switch v := v.(type) {
	case nil:
		return &querypb.BindVariable{Type: querypb.Type_NULL_TYPE}, nil
	case int64:
		return of(querypb.Type_INT64, strconv.FormatInt(v, 10))
	case uint64:
		return of(querypb.Type_UINT64, strconv.FormatUint(v, 10))
	case float64:
		return of(querypb.Type_FLOAT64, strconv.FormatFloat(v, 'g', -1, 64))
	case bool:
		return of(querypb.Type_INT8, map[bool]string{true: "1", false: "0"}[v])
	case []byte:
		return of(querypb.Type_VARBINARY, string(v))
	case string:
		return of(querypb.Type_VARCHAR, v)
	case decimal.Decimal:
		return of(querypb.Type_DECIMAL, v.String())
	case time.Time:
		if v.IsZero() {
			return of(querypb.Type_VARCHAR, "0000-00-00 00:00:00")
		}
		return of(querypb.Type_VARCHAR, v.Format("2006-01-02 15:04:05.999999"))
	}
	return nil, fmt.Errorf("server: a parameter of type %T", v)
}

// errorOf is an error without the types of the protocol.
func errorOf(err error) error {
	var e *mysql.SQLError
	if errors.As(err, &e) {
		return &Error{Number: uint16(e.Num), State: e.State, Message: e.Message}
	}
	return err
}

// partOf copies a part of a result, whose memory is used again.
func partOf(r *sqltypes.Result) Part {
	if len(r.Fields) == 0 {
		return Part{Affected: r.RowsAffected, InsertID: r.InsertID}
	}
	p := Part{Columns: make([]Column, len(r.Fields)), Rows: make([][]any, len(r.Rows))}
	for i, f := range r.Fields {
		p.Columns[i] = Column{Name: f.Name, Type: typeName(f), Length: int64(f.ColumnLength), Decimals: int64(f.Decimals),
			Nullable: f.Flags&uint32(querypb.MySqlFlag_NOT_NULL_FLAG) == 0}
	}
	for n, row := range r.Rows {
		p.Rows[n] = make([]any, len(row))
		for i, v := range row {
			p.Rows[n][i] = valueOf(v, r.Fields[i].Type)
		}
	}
	return p
}

func valueOf(v sqltypes.Value, of querypb.Type) any {
	text := v.Raw()
	switch {
	case v.IsNull():
		return nil
	case sqltypes.IsUnsigned(of) && of != querypb.Type_YEAR:
		if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return n
		}
	case sqltypes.IsIntegral(of):
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return n
		}
	case of == querypb.Type_FLOAT32:
		if n, err := strconv.ParseFloat(string(text), 32); err == nil {
			return float32(n)
		}
	case of == querypb.Type_FLOAT64:
		if n, err := strconv.ParseFloat(string(text), 64); err == nil {
			return n
		}
	case of == querypb.Type_JSON, of == querypb.Type_BIT, sqltypes.IsBinary(of):
		return bytes.Clone(text)
	}
	return string(text)
}

// typeName is how SQL, and go-sql-driver, name a column's type.
func typeName(f *querypb.Field) string {
	name := map[querypb.Type]string{
		querypb.Type_INT8: "TINYINT", querypb.Type_INT16: "SMALLINT", querypb.Type_INT24: "MEDIUMINT",
		querypb.Type_INT32: "INT", querypb.Type_INT64: "BIGINT", querypb.Type_UINT8: "UNSIGNED TINYINT",
		querypb.Type_UINT16: "UNSIGNED SMALLINT", querypb.Type_UINT24: "UNSIGNED MEDIUMINT",
		querypb.Type_UINT32: "UNSIGNED INT", querypb.Type_UINT64: "UNSIGNED BIGINT",
		querypb.Type_FLOAT32: "FLOAT", querypb.Type_FLOAT64: "DOUBLE", querypb.Type_NULL_TYPE: "NULL",
	}[f.Type]
	if name == "" {
		name = strings.TrimSuffix(f.Type.String(), "_TYPE")
	}
	return name
}

// inside stands for the socket of a connection within the process: nothing is read from it or written to it. Closing
// it, as KILL does and a server that closes, ends the session.
type inside struct{ c *Connection }

// address is the address of connections within the process.
var address = &net.UnixAddr{Net: "unix", Name: "localhost"}

// errNoWire is the error of statements that ask the client for data, as LOAD DATA LOCAL does.
var errNoWire = errors.New("a session within the process has no client that could be asked: " +
	"LOAD DATA without LOCAL reads a file")

func (*inside) Read([]byte) (int, error)         { return 0, errNoWire }
func (*inside) Write([]byte) (int, error)        { return 0, errNoWire }
func (*inside) LocalAddr() net.Addr              { return address }
func (*inside) RemoteAddr() net.Addr             { return address }
func (*inside) SetDeadline(time.Time) error      { return nil }
func (*inside) SetReadDeadline(time.Time) error  { return nil }
func (*inside) SetWriteDeadline(time.Time) error { return nil }

// Close implements net.Conn. It does not wait: its callers hold locks that the end of a session takes.
func (i *inside) Close() error {
	if i.c.gone.Swap(true) {
		return nil
	}
	go func() {
		i.c.turn.Lock()
		defer i.c.turn.Unlock()
		i.c.handler.ConnectionClosed(i.c.conn)
		close(i.c.ended)
	}()
	return nil
}
