package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
)

// conn is one session.
type conn struct {
	inner *server.Connection
	times bool // as time.Time
}

var (
	_ driver.Conn               = (*conn)(nil)
	_ driver.ConnBeginTx        = (*conn)(nil)
	_ driver.ConnPrepareContext = (*conn)(nil)
	_ driver.ExecerContext      = (*conn)(nil)
	_ driver.QueryerContext     = (*conn)(nil)
	_ driver.Pinger             = (*conn)(nil)
	_ driver.SessionResetter    = (*conn)(nil)
	_ driver.Validator          = (*conn)(nil)
	_ driver.NamedValueChecker  = (*conn)(nil)
)

// failure is an error as programs know it: the context's where that has ended, MySQL's of a statement.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if errors.Is(err, server.ErrGone) {
		return driver.ErrBadConn
	}
	var e *server.Error
	if errors.As(err, &e) {
		told := &mysql.MySQLError{Number: e.Number, Message: e.Message}
		copy(told.SQLState[:], e.State)
		return told
	}
	return err
}

// Prepare implements driver.Conn.
func (c *conn) Prepare(text string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), text)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *conn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	number, parameters, err := c.inner.Prepare(ctx, text)
	if err != nil {
		return nil, failure(ctx, err)
	}
	return &stmt{conn: c, number: number, parameters: parameters}, nil
}

// Close implements driver.Conn.
func (c *conn) Close() error { return c.inner.Close() }

// Begin implements driver.Conn.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// levels are MySQL's, each at least what the one of database/sql asks for.
var levels = map[sql.IsolationLevel]string{
	sql.LevelReadUncommitted: "READ UNCOMMITTED",
	sql.LevelReadCommitted:   "READ COMMITTED",
	sql.LevelWriteCommitted:  "READ COMMITTED",
	sql.LevelRepeatableRead:  "REPEATABLE READ",
	sql.LevelSnapshot:        "REPEATABLE READ",
	sql.LevelSerializable:    "SERIALIZABLE",
	sql.LevelLinearizable:    "SERIALIZABLE",
}

// BeginTx implements driver.ConnBeginTx. A transaction that asks for no level has the session's.
func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if asked := sql.IsolationLevel(opts.Isolation); asked != sql.LevelDefault {
		level, ok := levels[asked]
		if !ok {
			return nil, fmt.Errorf("sqlfdb: no isolation level %v", asked)
		}
		if _, err := c.ExecContext(ctx, "SET TRANSACTION ISOLATION LEVEL "+level, nil); err != nil {
			return nil, err
		}
	}
	text := "START TRANSACTION"
	if opts.ReadOnly {
		text += " READ ONLY"
	}
	if _, err := c.ExecContext(ctx, text, nil); err != nil {
		return nil, err
	}
	return tx{c}, nil
}

type tx struct{ conn *conn }

// Commit implements driver.Tx.
func (t tx) Commit() error { return t.end("COMMIT") }

// Rollback implements driver.Tx.
func (t tx) Rollback() error { return t.end("ROLLBACK") }

func (t tx) end(text string) error {
	_, err := t.conn.ExecContext(context.Background(), text, nil)
	return err
}

// ExecContext implements driver.ExecerContext. What has parameters is prepared by database/sql.
func (c *conn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip
	}
	return exec(ctx, func(receive func(server.Part) error) error { return c.inner.Query(ctx, text, receive) })
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	if len(args) > 0 {
		return nil, driver.ErrSkip
	}
	return c.begin(ctx, func(ctx context.Context, receive func(server.Part) error) error {
		return c.inner.Query(ctx, text, receive)
	})
}

// Ping implements driver.Pinger.
func (c *conn) Ping(context.Context) error { return c.ResetSession(context.Background()) }

// ResetSession implements driver.SessionResetter.
func (c *conn) ResetSession(context.Context) error {
	if c.inner.Gone() {
		return driver.ErrBadConn
	}
	return nil
}

// IsValid implements driver.Validator.
func (c *conn) IsValid() bool { return !c.inner.Gone() }

// CheckNamedValue implements driver.NamedValueChecker: numbers keep all their digits, and JSON is a text.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if v.Name != "" {
		return errors.New("sqlfdb: parameters have no names")
	}
	switch value := v.Value.(type) {
	case uint64:
		return nil
	case uint:
		v.Value = uint64(value)
		return nil
	case json.RawMessage:
		v.Value = any(nil)
		if value != nil {
			v.Value = string(value)
		}
		return nil
	}
	var err error
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	return err
}

// stmt is a prepared statement.
type stmt struct {
	conn       *conn
	number     uint32
	parameters int
}

var (
	_ driver.StmtExecContext  = (*stmt)(nil)
	_ driver.StmtQueryContext = (*stmt)(nil)
)

// Close implements driver.Stmt.
func (s *stmt) Close() error {
	s.conn.inner.Forget(s.number)
	return nil
}

// NumInput implements driver.Stmt.
func (s *stmt) NumInput() int { return s.parameters }

// Exec implements driver.Stmt.
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), named(args))
}

// Query implements driver.Stmt.
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), named(args))
}

func named(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

func valuesOf(args []driver.NamedValue) []any {
	out := make([]any, len(args))
	for i, v := range args {
		out[i] = v.Value
	}
	return out
}

// ExecContext implements driver.StmtExecContext.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return exec(ctx, func(receive func(server.Part) error) error {
		return s.conn.inner.Execute(ctx, s.number, valuesOf(args), receive)
	})
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.begin(ctx, func(ctx context.Context, receive func(server.Part) error) error {
		return s.conn.inner.Execute(ctx, s.number, valuesOf(args), receive)
	})
}

// exec runs a statement whose rows nobody wants.
func exec(ctx context.Context, run func(func(server.Part) error) error) (driver.Result, error) {
	var r result
	err := run(func(p server.Part) error {
		r = result{affected: int64(p.Affected), id: int64(p.InsertID)}
		return nil
	})
	return r, failure(ctx, err)
}

// result counts what a statement has done.
type result struct{ affected, id int64 }

// LastInsertId implements driver.Result.
func (r result) LastInsertId() (int64, error) { return r.id, nil }

// RowsAffected implements driver.Result.
func (r result) RowsAffected() (int64, error) { return r.affected, nil }
