package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// serverSink writes through a running server.
type serverSink struct {
	db              *sql.DB
	name            string // of the database
	database, table string // quoted
	duplicates      Duplicates
	made            []string // statements that drop the databases and tables that were made
	stored          atomic.Bool
	rows            *rowTable // nil: the table holds documents
}

// NewServerSink returns a sink that inserts into a table through a server: documents, or rows where the table has
// declared columns alone. Connections of db must not count the rows that are found (clientFoundRows). The database and
// the table are made, open and keyed by the column key, when they are not there. They go again when nothing has been
// stored.
func NewServerSink(ctx context.Context, db *sql.DB, database, table, key string, duplicates Duplicates) (Sink, error) {
	s := &serverSink{db: db, name: database, database: QuoteName(database), duplicates: duplicates}
	s.table = s.database + "." + QuoteName(table)
	rows, err := db.QueryContext(ctx, "SELECT _doc FROM "+s.table+" LIMIT 0")
	if err == nil {
		return s, rows.Close()
	}
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		switch answer.Number {
		case errNoColumn:
			s.rows, err = readRowTable(ctx, db, database, table)
			return s, err
		case errNoDatabase, errNoTable:
			return s, s.make(ctx, database, table, key)
		}
	}
	return nil, fmt.Errorf("transfer: look at %s.%s: %w", database, table, err)
}

// make makes the table, and the database when that is not there.
func (s *serverSink) make(ctx context.Context, database, table, key string) error {
	var answer *mysql.MySQLError
	switch _, err := s.db.ExecContext(ctx, "CREATE DATABASE "+s.database); {
	case err == nil:
		s.made = append(s.made, "DROP DATABASE "+s.database)
	case errors.As(err, &answer) && (answer.Number == errDatabaseExists || answer.Number == errAccessDB):
	default:
		return fmt.Errorf("transfer: create database %s: %w", database, err)
	}
	create := fmt.Sprintf("CREATE TABLE %s (%s VARCHAR(255) PRIMARY KEY, _doc JSON)", s.table, QuoteName(key))
	switch _, err := s.db.ExecContext(ctx, create); {
	case err == nil:
		s.made = append([]string{"DROP TABLE " + s.table}, s.made...)
	case errors.As(err, &answer) && answer.Number == errTableExists:
	default:
		return errors.Join(fmt.Errorf("transfer: create table %s.%s: %w", database, table, err), s.Close())
	}
	return nil
}

// Close takes back the table that nothing was stored in, unless others have stored something there.
func (s *serverSink) Close() error {
	made := s.made
	s.made = nil
	if s.stored.Load() || len(made) == 0 {
		return nil
	}
	var n int
	err := s.db.QueryRow("SELECT 1 FROM " + s.table + " LIMIT 1").Scan(&n)
	if err == nil {
		return nil
	}
	for _, drop := range made {
		if strings.HasPrefix(drop, "DROP DATABASE") {
			err := s.db.QueryRow("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?", s.name).Scan(&n)
			if err != nil || n > 0 {
				return err
			}
		}
		if _, err := s.db.Exec(drop); err != nil {
			return fmt.Errorf("transfer: %s: %w", drop, err)
		}
	}
	return nil
}

// QuoteName quotes a SQL identifier.
func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func (s *serverSink) Workers() int {
	if s.duplicates == ReplaceDuplicates {
		return 1 // the last one stays
	}
	return 2
}

func (s *serverSink) Stored() bool { return s.stored.Load() }

func (s *serverSink) Write(ctx context.Context, batch []Item) ([]error, error) {
	refused := notStored(batch)
	return refused, s.write(ctx, batch, refused)
}

// write inserts the batch in one statement; one that the server refuses is cut in
// two, until the refused documents stand alone.
func (s *serverSink) write(ctx context.Context, batch []Item, refused []error) error {
	if s.rows != nil && len(batch) > s.rows.most() {
		half := len(batch) / 2
		if err := s.write(ctx, batch[:half], refused[:half]); err != nil {
			return err
		}
		return s.write(ctx, batch[half:], refused[half:])
	}
	stored, err := s.insert(ctx, batch)
	if stored > 0 {
		s.stored.Store(true)
	}
	var answer *mysql.MySQLError
	row := errors.As(err, new(refusedRow))
	switch {
	case err == nil:
		clear(refused)
		for i := range int64(len(batch)) - stored { // the server does not say which ones
			refused[i] = ErrSkipped
		}
		return nil
	case !row && (!errors.As(err, &answer) || fatal(answer.Number)):
		return err
	case len(batch) == 1:
		if answer != nil {
			answer.Message = strings.TrimSuffix(answer.Message, " at row 1") // the document's place is known already
		}
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
	errDeadlock       = 1213 // a conflict: the statement wrote nothing and may run again
	errLockWait       = 1205 // the store is unavailable for now
	errChanged        = 1412 // the definition of a table has changed meanwhile
	errDatabaseExists = 1007
	errTableExists    = 1050
	errNoColumn       = 1054
	errAccessDB       = 1044
	errAccess         = 1045
	errNoDatabase     = 1049
	errShutdown       = 1053
	errUnknown        = 1180 // nobody knows whether the statement wrote
	errNoTablePerm    = 1142
	errNoTable        = 1146
	errDiskFull       = 1021
	errOnWrite        = 1026 // the store has failed
	errReadOnly       = 1290
	conflictAttempts  = 20
)

// fatal reports whether an answer of the server concerns more than a document.
func fatal(number uint16) bool {
	switch number {
	case errDeadlock, errAccessDB, errAccess, errNoDatabase, errShutdown, errUnknown, errLockWait, errNoTablePerm,
		errNoTable, errDiskFull, errOnWrite, errReadOnly:
		return true
	}
	return false
}

// insert runs one INSERT and returns how many documents it stored. It runs it again when it meets a conflict: the one
// loop of its kind outside the server, on the client's side of the protocol.
func (s *serverSink) insert(ctx context.Context, batch []Item) (stored int64, err error) {
	verb, unchanged := "INSERT", "_doc = _doc"
	if s.duplicates == ReplaceDuplicates {
		verb = "REPLACE"
	}
	var text string
	var args []any
	if s.rows != nil {
		unchanged = s.rows.unchanged()
		if text, args, err = s.rows.insertion(verb, s.table, batch); err != nil {
			return 0, refusedRow{err}
		}
	} else {
		text = verb + " INTO " + s.table + " (_doc) VALUES (?)" + strings.Repeat(",(?)", len(batch)-1)
		for _, item := range batch {
			args = append(args, item.Document.Text())
		}
	}
	if s.duplicates == SkipDuplicates {
		text += " ON DUPLICATE KEY UPDATE " + unchanged
	}
	for attempt := 1; attempt <= conflictAttempts; attempt++ {
		var answer *mysql.MySQLError
		var result sql.Result
		if result, err = s.db.ExecContext(ctx, text, args...); err == nil {
			if s.duplicates != SkipDuplicates {
				return int64(len(batch)), nil
			}
			return result.RowsAffected()
		}
		if !errors.As(err, &answer) || answer.Number != errDeadlock && answer.Number != errLockWait {
			return 0, err
		}
		select {
		case <-time.After(time.Duration(attempt) * 5 * time.Millisecond):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return 0, err
}
