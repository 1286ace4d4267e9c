package harness

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"
)

// Session is one connection, which knows its number.
type Session struct {
	*sql.Conn
	ID int64
}

// NewSession opens a connection, which is closed when the test ends.
func NewSession(t testing.TB, db *sql.DB) Session {
	t.Helper()
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	s := Session{Conn: c}
	if err := c.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&s.ID); err != nil {
		t.Fatal(err)
	}
	return s
}

// Begin runs a statement and reads all its rows.
func (s Session) Begin(ctx context.Context, stmt string) <-chan error {
	done := make(chan error, 1)
	go func() {
		rows, err := s.QueryContext(ctx, stmt)
		if err == nil {
			for rows.Next() {
				continue
			}
			err = rows.Err()
			_ = rows.Close()
		}
		done <- err
	}()
	return done
}

// Gone waits until a connection has ended.
func Gone(t testing.TB, db *sql.DB, id int64) {
	t.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(10 * time.Millisecond) {
		if Number(t, db, fmt.Sprintf("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = %d", id)) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("connection %d is still there", id)
		}
	}
}
