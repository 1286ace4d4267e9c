package transfer

import (
	"bufio"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// FollowOptions are the settings of Follow.
type FollowOptions struct {
	// Since is the sequence after which changes are written; empty is from the first.
	Since string
	// Forever goes on when there are no more, until the context ends.
	Forever bool
	// Lost is told each time that the server was lost, and why; nil is nobody.
	Lost func(error)
}

const (
	followBatch    = 1000
	followPatience = 20 * time.Second // of one wait for changes
	followAgain    = 100 * time.Millisecond
	followLongest  = 5 * time.Second
)

// Follow writes the changes of a table as JSON lines, in the order of their commits, and
// returns the sequence of the last one: give it to the next Follow, and nothing is
// missed or repeated. A line has the columns of the table's changes. A document that has
// changed again before its change was read appears once, at the later one.
//
// A server that is lost is looked for again, for as long as the context lives, when Follow
// goes on forever.
func Follow(ctx context.Context, db *sql.DB, database, table string, w io.Writer, opts FollowOptions) (last string, err error) {
	f := follower{db: db, out: bufio.NewWriterSize(w, 1<<16), last: opts.Since,
		table: QuoteName(database) + "." + QuoteName(table), feed: QuoteName(database) + "." + QuoteName(table+"__changes")}
	if f.last == "" {
		f.last = strings.Repeat("0", 26)
	}
	again := followAgain
	for {
		n, err := f.batch(ctx)
		if err == nil && n == 0 && opts.Forever {
			err = f.wait(ctx)
		}
		switch {
		case errors.Is(err, errWriting):
			return f.last, err
		case ctx.Err() != nil:
			return f.last, nil
		case err == nil && n == 0 && !opts.Forever:
			return f.last, nil
		case err == nil:
			again = followAgain
			continue
		case !opts.Forever || !passing(err):
			return f.last, fmt.Errorf("transfer: read the changes of %s.%s: %w", database, table, err)
		}
		if opts.Lost != nil {
			opts.Lost(err)
		}
		select {
		case <-ctx.Done():
			return f.last, nil
		case <-time.After(again):
		}
		again = min(2*again, followLongest)
	}
}

var errWriting = errors.New("transfer: write")

// passing reports whether an error is of the connection or of the moment.
func passing(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == errShutdown || answer.Number == errDeadlock || answer.Number == errLockWait
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

type follower struct {
	db          *sql.DB
	table, feed string
	out         *bufio.Writer
	last        string // the sequence of the last change that was written
}

// wait returns when there are changes, or after a while.
func (f *follower) wait(ctx context.Context) error {
	var newer sql.NullInt64
	return f.db.QueryRowContext(ctx, "SELECT sqlfdb_wait_changes(?, ?, ?)", f.table, f.last, followPatience.Milliseconds()).Scan(&newer)
}

// batch writes the next changes and returns their number.
func (f *follower) batch(ctx context.Context) (int, error) {
	rows, err := f.db.QueryContext(ctx, fmt.Sprintf("SELECT * FROM %s WHERE seq > ? ORDER BY seq LIMIT %d", f.feed, followBatch), f.last)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return 0, err
	}
	values := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	n := 0
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		if err := f.line(columns, values); err != nil {
			return n, fmt.Errorf("%w: %w", errWriting, err)
		}
		f.last = string(values[0])
		n++
	}
	if err := f.out.Flush(); err != nil {
		return n, fmt.Errorf("%w: %w", errWriting, err)
	}
	return n, rows.Err()
}

// line writes one change.
func (f *follower) line(columns []*sql.ColumnType, values []sql.RawBytes) error {
	line := []byte{'{'}
	for i, v := range values {
		if i > 0 {
			line = append(line, ',')
		}
		name, err := json.Marshal(columns[i].Name())
		if err != nil {
			return err
		}
		line = append(append(line, name...), ':')
		kind := columns[i].DatabaseTypeName()
		switch {
		case v == nil:
			line = append(line, "null"...)
		case columns[i].Name() == "deleted":
			line = append(line, fmt.Sprint(string(v) != "0")...)
		case kind == "JSON" || strings.Contains(kind, "INT") || kind == "DECIMAL" || kind == "DOUBLE" || kind == "FLOAT" || kind == "YEAR":
			line = append(line, v...)
		default:
			text, err := json.Marshal(string(v))
			if err != nil {
				return err
			}
			line = append(line, text...)
		}
	}
	_, err := f.out.Write(append(line, '}', '\n'))
	return err
}
