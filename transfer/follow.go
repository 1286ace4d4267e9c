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
	// Ahead is told when Since, or after the server was lost the last change that was read, is behind the newest change: the
	// feed is another one, has begun anew, or the store was restored from an older backup. nil is nobody.
	Ahead func(last, newest string)
}

// ErrSequence: a text that is no sequence.
var ErrSequence = errors.New("not a sequence: want 26 digits 0-9 and a-f, as they are in the column seq")

// beforeAll stands before every sequence.
const beforeAll = "00000000000000000000000000"

// checkSequence refuses what the server would compare as it is, and so miss or repeat changes.
func checkSequence(s string) error {
	if len(s) == len(beforeAll) && strings.Trim(s, "0123456789abcdef") == "" {
		return nil
	}
	return fmt.Errorf("%q: %w", s, ErrSequence)
}

const (
	followBatch    = 1000
	followFlush    = 32 << 10         // bytes that are kept back at most within a batch
	followPatience = 20 * time.Second // of one wait for changes
	followAgain    = 100 * time.Millisecond
	followLongest  = 5 * time.Second
)

// Follow writes the changes of a table as JSON lines, in the order of their commits, and
// returns the sequence of the last one: give it to the next Follow, and nothing is
// missed or repeated. After a failure to write, which may have written more, it is one before which nothing is missed.
// A line has the columns of the table's changes. A document that has
// changed again before its change was read appears once, at the later one.
//
// A server that is lost is looked for again, for as long as the context lives, when Follow
// goes on forever.
func Follow(ctx context.Context, db *sql.DB, database, table string, w io.Writer, opts FollowOptions) (last string, err error) {
	f := follower{db: db, out: bufio.NewWriterSize(w, 1<<16), last: opts.Since,
		table: QuoteName(database) + "." + QuoteName(table), feed: QuoteName(database) + "." + QuoteName(table+"__changes")}
	if f.last == "" {
		f.last = beforeAll
	}
	if err := checkSequence(f.last); err != nil {
		return f.last, err
	}
	f.written = f.last
	told := f.last == beforeAll || opts.Ahead == nil
	again := followAgain
	for {
		n, err := f.batch(ctx)
		if err == nil && n == 0 && !told {
			var newest string
			if newest, err = f.newest(ctx); err == nil && newest < f.last {
				opts.Ahead(f.last, newest)
			}
			told = err == nil
		}
		if err == nil && n == 0 && opts.Forever {
			err = f.wait(ctx)
		}
		switch {
		case errors.Is(err, errWriting):
			return f.written, err
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
		told = opts.Ahead == nil // what is found again may be a store that was restored from an older backup
		if n > 0 {
			again = followAgain
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
	last        string // the sequence of the last change that was read
	written     string // of the last one that has left the buffer
}

// newest is the sequence of the table's last change.
func (f *follower) newest(ctx context.Context) (s string, err error) {
	return s, f.db.QueryRowContext(ctx, "SELECT sqlfdb_last_seq(?)", f.table).Scan(&s)
}

// wait returns when there are changes, or after a while.
func (f *follower) wait(ctx context.Context) error {
	var newer sql.NullInt64
	return f.db.QueryRowContext(ctx, "SELECT sqlfdb_wait_changes(?, ?, ?)", f.table, f.last, followPatience.Milliseconds()).Scan(&newer)
}

// batch writes the next changes and returns their number. What it has read of them is written
// also when the rest can't be read.
func (f *follower) batch(ctx context.Context) (int, error) {
	n, err := f.read(ctx)
	if flushErr := f.out.Flush(); flushErr != nil {
		return n, fmt.Errorf("%w: %w", errWriting, flushErr)
	}
	if !errors.Is(err, errWriting) {
		f.written = f.last
	}
	return n, err
}

func (f *follower) read(ctx context.Context) (int, error) {
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
		if f.out.Buffered() > followFlush {
			if err := f.out.Flush(); err != nil {
				return n, fmt.Errorf("%w: %w", errWriting, err)
			}
			f.written = f.last
		}
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
