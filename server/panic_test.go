package server

import (
	"context"
	stdsql "database/sql"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// bomb is a function that panics where it is told to: "eval" while a row is
// made, "send" while it is put into the protocol's form, "type" while the
// statement is planned.
type bomb struct {
	expression.UnaryExpression
	where string
}

func (b *bomb) Type() sql.Type {
	switch b.where {
	case "type":
		panic("type on purpose")
	case "send":
		return unsendable{types.Int64}
	}
	return types.Int64
}

func (b *bomb) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := b.Child.Eval(ctx, row)
	if b.where == "eval" && v != int32(1) {
		panic("eval on purpose")
	}
	return int64(1), err
}

func (b *bomb) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return &bomb{expression.UnaryExpression{Child: children[0]}, b.where}, nil
}

func (b *bomb) String() string { return "bomb(" + b.Child.String() + ")" }

// anyType is embedded under a name that is none of its methods.
type anyType = sql.Type

type unsendable struct{ anyType }

func (unsendable) SQL(*sql.Context, []byte, interface{}) (sqltypes.Value, error) {
	panic("send on purpose")
}

// TestPanicsOfTheEngine: wherever in the engine's goroutines a statement
// panics, it fails, and its connection and the process go on.
func TestPanicsOfTheEngine(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx := context.Background()
	s, err := Start(ctx, store, Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(ctx)
	for _, where := range []string{"eval", "send", "type"} {
		s.Backend().Engine.Analyzer.Catalog.RegisterFunction(sql.NewEmptyContext(),
			sql.Function1{Name: "bomb_" + where, Fn: func(e sql.Expression) sql.Expression {
				return &bomb{expression.UnaryExpression{Child: e}, where}
			}})
	}
	pool, err := stdsql.Open("mysql", "root@tcp("+s.Addr().String()+")/")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	c, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, n INT)",
		"INSERT INTO d.t VALUES (1, 1), (2, 2), (3, 3)"} {
		if _, err := c.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	for _, where := range []string{"eval", "send", "type"} {
		for _, q := range []string{
			"SELECT bomb_%s(n) FROM d.t",
			"SELECT bomb_%s(n) FROM d.t WHERE id = 2",
			"SELECT bomb_%s(n) FROM d.t ORDER BY 1",
			"SELECT DISTINCT bomb_%s(n) FROM d.t",
			"SELECT a.id, bomb_%s(a.n) FROM d.t a JOIN d.t b ON a.n = b.n",
			"SELECT bomb_%s(n) FROM d.t UNION SELECT bomb_%[1]s(n) FROM d.t",
			"SELECT MAX(bomb_%s(n)) OVER (ORDER BY id) FROM d.t",
		} {
			q = fmt.Sprintf(q, where)
			err := readAll(ctx, c, q)
			var e *mysql.MySQLError
			if !errors.As(err, &e) {
				t.Errorf("%s: the error is %v", q, err)
			}
			if err := readAll(ctx, c, "SELECT id FROM d.t"); err != nil {
				t.Fatalf("after %s: %v", q, err)
			}
		}
	}
	if _, err := c.ExecContext(ctx, "UPDATE d.t SET n = bomb_eval(n) + 5"); err == nil {
		t.Error("an UPDATE that panics succeeds")
	}
	var sum int
	if err := c.QueryRowContext(ctx, "SELECT SUM(n) FROM d.t").Scan(&sum); err != nil || sum != 6 {
		t.Errorf("after an UPDATE that panicked the sum is %d: %v", sum, err)
	}
}

func readAll(ctx context.Context, c *stdsql.Conn, q string) error {
	rows, err := c.QueryContext(ctx, q)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}
