package transfer

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// serverSink writes through a running server.
type serverSink struct {
	db    *sql.DB
	table string // quoted
}

// NewServerSink returns a sink that inserts into a table through a server. The
// database and the table are made, open and keyed by the column key, when they are not there.
func NewServerSink(ctx context.Context, db *sql.DB, database, table, key string) (Sink, error) {
	s := &serverSink{db: db, table: QuoteName(database) + "." + QuoteName(table)}
	if _, err := db.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS "+QuoteName(database)); err != nil {
		return nil, fmt.Errorf("transfer: create database %s: %w", database, err)
	}
	create := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s VARCHAR(255) PRIMARY KEY, _doc JSON)", s.table, QuoteName(key))
	if _, err := db.ExecContext(ctx, create); err != nil {
		return nil, fmt.Errorf("transfer: create table %s.%s: %w", database, table, err)
	}
	return s, nil
}

// QuoteName quotes a SQL identifier.
func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func (s *serverSink) Workers() int { return 2 }

func (s *serverSink) Close() error { return nil }

func (s *serverSink) Write(ctx context.Context, batch []Item) ([]error, error) {
	refused := notStored(batch)
	return refused, s.write(ctx, batch, refused)
}

// write inserts the batch in one statement; one that the server refuses is cut in
// two, until the refused documents stand alone.
func (s *serverSink) write(ctx context.Context, batch []Item, refused []error) error {
	err := s.insert(ctx, batch)
	var answer *mysql.MySQLError
	switch {
	case err == nil:
		clear(refused)
		return nil
	case !errors.As(err, &answer) || fatal(answer.Number):
		return err
	case len(batch) == 1:
		refused[0] = err
		return nil
	}
	half := len(batch) / 2
	if err := s.write(ctx, batch[:half], refused[:half]); err != nil {
		return err
	}
	return s.write(ctx, batch[half:], refused[half:])
}

// Numbers of MySQL errors.
const (
	errDeadlock      = 1213 // a conflict: the statement wrote nothing and may run again
	errLockWait      = 1205 // the store is unavailable for now
	errChanged       = 1412 // the definition of a table has changed meanwhile
	errAccessDB      = 1044
	errAccess        = 1045
	errNoDatabase    = 1049
	errShutdown      = 1053
	errUnknown       = 1180 // nobody knows whether the statement wrote
	errNoTablePerm   = 1142
	errNoTable       = 1146
	errDiskFull      = 1021
	errOnWrite       = 1026 // the store has failed
	errReadOnly      = 1290
	conflictAttempts = 20
)

// fatal reports whether an answer of the server concerns more than a document.
func fatal(number uint16) bool {
	switch number {
	case errDeadlock, errAccessDB, errAccess, errNoDatabase, errShutdown, errUnknown, errLockWait, errNoTablePerm, errNoTable, errDiskFull, errOnWrite, errReadOnly:
		return true
	}
	return false
}

// insert runs one INSERT, again when it meets a conflict: the one loop of its
// kind outside the server, on the client's side of the protocol.
func (s *serverSink) insert(ctx context.Context, batch []Item) error {
	var b strings.Builder
	b.WriteString("INSERT INTO " + s.table + " (_doc) VALUES ")
	args := make([]any, len(batch))
	for i, item := range batch {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(?)")
		args[i] = item.Document.Text()
	}
	var err error
	for attempt := 1; attempt <= conflictAttempts; attempt++ {
		var answer *mysql.MySQLError
		if _, err = s.db.ExecContext(ctx, b.String(), args...); !errors.As(err, &answer) || answer.Number != errDeadlock && answer.Number != errLockWait {
			return err
		}
		select {
		case <-time.After(time.Duration(attempt) * 5 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

// ExportServer writes a table's documents as JSON lines, read through a server, and returns their number
// and at how many versions they were read: one, unless the store can't keep one for so long. Then each document is as it
// was at one of them.
func ExportServer(ctx context.Context, db *sql.DB, database, table string, w io.Writer) (documents, versions int64, err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("transfer: connect: %w", err)
	}
	defer conn.Close()
	// A server that does not know this says by an error when the time of its read version is over.
	_, _ = conn.ExecContext(ctx, "SET sqlfdb_long_reads = 'hold'")
	rows, err := conn.QueryContext(ctx, "SELECT _doc FROM "+QuoteName(database)+"."+QuoteName(table))
	if err != nil {
		return 0, 0, fmt.Errorf("transfer: read %s.%s: %w", database, table, err)
	}
	defer rows.Close()
	out := bufio.NewWriterSize(w, 1<<20)
	var n int64
	for rows.Next() {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return n, 0, fmt.Errorf("transfer: read %s.%s: %w", database, table, err)
		}
		_, err := out.Write(text)
		if err == nil {
			err = out.WriteByte('\n')
		}
		if err != nil {
			return n, 0, fmt.Errorf("transfer: write: %w", err)
		}
		n++
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return n, 0, fmt.Errorf("transfer: read %s.%s: %w", database, table, err)
	}
	if err := out.Flush(); err != nil {
		return n, 0, fmt.Errorf("transfer: write: %w", err)
	}
	var name string
	if err := conn.QueryRowContext(ctx, "SHOW STATUS LIKE 'sqlfdb_last_read_versions'").Scan(&name, &versions); err != nil {
		return n, 0, nil // it does not tell
	}
	return n, versions, nil
}
