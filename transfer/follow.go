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
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Place is where a reader of changes stands.
type Place struct {
	// Sequence is the sequence of the last change that was read; empty is before the first.
	Sequence string
	// Collection is the number of the collection that it was a change of; 0 is not known. TRUNCATE and CREATE TABLE give a
	// new one, so another number is another feed.
	Collection int64
}

// FollowOptions are the settings of Follow.
type FollowOptions struct {
	// Since is the place after which changes are written.
	Since Place
	// Forever goes on when there are no more, until the context ends.
	Forever bool
	// Lost is called each time that the server was lost, with the cause, unless it is nil.
	Lost func(error)
	// Ahead is called, unless it is nil, when Since is later than the newest change, or after a lost server the last
	// change that was read is. Then the feed is another one, has begun again, or the store was restored from an older
	// backup.
	Ahead func(last, newest string)
	// Anew is called, unless it is nil, when the table's feed is another one than the feed of the changes before.
	Anew func(former, collection int64)
}

// ErrSequence: a text that is no sequence.
var ErrSequence = errors.New("not a sequence: want 26 digits 0-9 and a-f, as they are in the column seq")

// ErrGone: a table whose changes were read is not there any more.
var ErrGone = errors.New("the table was dropped or renamed")

// beforeAll stands before every sequence.
const beforeAll = "00000000000000000000000000"

// checkSequence refuses a text that the server would compare as it is, and so miss or repeat changes.
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

// Follow writes the changes of a table as JSON lines, in the order of their commits, and returns the place of the
// last one. Given to the next Follow, it makes nothing missed or repeated. After a failure to write, more changes
// than up to that place may have been written, but none before it is missing. A line has the columns of the table's
// changes. A document that has changed again before its change was read appears once, at the later one.
//
// Where the table has got another feed (TRUNCATE, DROP and CREATE, RENAME of another table to its name), a line says so
//
//	{"event":"new feed","collection":13,"former":12}
//
// and all changes of the new feed follow, from its first: the documents of the former feed's changes are gone,
// without deletions. A table that is dropped or renamed ends it with ErrGone.
//
// A server that is lost is looked for again, for as long as the context lives, when Follow
// goes on forever.
func Follow(ctx context.Context, db *sql.DB, database, table string, w io.Writer, opts FollowOptions) (last Place,
	err error) {
	f := follower{db: db, out: bufio.NewWriterSize(w, 1<<16), last: opts.Since, opts: opts,
		table: QuoteName(database) + "." + QuoteName(table), feed: QuoteName(database) + "." + QuoteName(table+"__changes")}
	if f.last.Sequence == "" {
		f.last.Sequence = beforeAll
	}
	if err := checkSequence(f.last.Sequence); err != nil {
		return f.last, err
	}
	f.written = f.last
	f.compare = f.last.Sequence != beforeAll
	again := followAgain
	for {
		n, err := f.batch(ctx)
		if err == nil && n == 0 {
			n, err = f.look(ctx)
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
			if f.last.Collection != 0 && missing(err) {
				err = fmt.Errorf("%w: %w", ErrGone, err)
			}
			return f.last, fmt.Errorf("transfer: read the changes of %s.%s: %w", database, table, err)
		}
		if opts.Lost != nil {
			opts.Lost(err)
		}
		f.compare = true // the server that answers again may have a store that was restored from an older backup
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
		return answer.Number == errShutdown || answer.Number == errDeadlock || answer.Number == errLockWait ||
			answer.Number == errChanged
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// missing reports whether an error means that there is no such table.
func missing(err error) bool {
	var answer *mysql.MySQLError
	return errors.As(err, &answer) && (answer.Number == errNoTable || answer.Number == errNoDatabase)
}

type follower struct {
	db          *sql.DB
	opts        FollowOptions
	table, feed string
	out         *bufio.Writer
	last        Place // of the last change that was read
	written     Place // of the last one that has left the buffer
	compare     bool  // the newest change is to be compared with the last one
}

// look is for a reader at the end of the feed. It checks whether the feed is another one, and whether the last change
// was of this store. It returns 1 if there is more to read.
func (f *follower) look(ctx context.Context) (int, error) {
	var collection int64
	var newest string
	if err := f.db.QueryRowContext(ctx, "SELECT sqlfdb_collection(?), sqlfdb_last_seq(?)", f.table,
		f.table).Scan(&collection, &newest); err != nil {
		return 0, err
	}
	if anew, err := f.stands(collection); anew || err != nil {
		return 1, err
	}
	if f.compare && newest < f.last.Sequence && f.opts.Ahead != nil {
		f.opts.Ahead(f.last.Sequence, newest)
	}
	f.compare = false
	return 0, nil
}

// stands compares the collection that is read with the one of the changes before. If it is another one, a line says
// so, and its feed is to be read from the beginning.
func (f *follower) stands(collection int64) (anew bool, err error) {
	former := f.last.Collection
	if former == 0 || former == collection {
		f.last.Collection = collection
		return false, nil
	}
	if f.opts.Anew != nil {
		f.opts.Anew(former, collection)
	}
	if _, err := fmt.Fprintf(f.out, `{"event":"new feed","collection":%d,"former":%d}`+"\n", collection,
		former); err != nil {
		return true, fmt.Errorf("%w: %w", errWriting, err)
	}
	if err := f.out.Flush(); err != nil {
		return true, fmt.Errorf("%w: %w", errWriting, err)
	}
	f.last = Place{Sequence: beforeAll, Collection: collection}
	f.written, f.compare = f.last, false
	return true, nil
}

// wait returns when there are changes, or after a while.
func (f *follower) wait(ctx context.Context) error {
	var newer sql.NullInt64
	return f.db.QueryRowContext(ctx, "SELECT sqlfdb_wait_changes(?, ?, ?)", f.table, f.last.Sequence,
		followPatience.Milliseconds()).Scan(&newer)
}

// batch writes the next changes and returns their number, or 1 if the feed is another one. If a read fails, the
// changes before it are still written.
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
	rows, err := f.db.QueryContext(
		ctx, fmt.Sprintf("SELECT *, sqlfdb_collection(?) FROM %s WHERE seq > ? ORDER BY seq LIMIT %d", f.feed, followBatch),
		f.table, f.last.Sequence)
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
	n, own := 0, len(columns)-1 // the last one is the collection
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return n, err
		}
		if n == 0 { // all rows are of one version
			collection, err := strconv.ParseInt(string(values[own]), 10, 64)
			if err != nil {
				return n, fmt.Errorf("the number of the collection: %w", err)
			}
			if anew, err := f.stands(collection); anew || err != nil {
				return 1, err
			}
		}
		if err := f.line(columns[:own], values[:own]); err != nil {
			return n, fmt.Errorf("%w: %w", errWriting, err)
		}
		f.last.Sequence = string(values[0])
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
		case kind == "JSON" || strings.Contains(kind, "INT") || kind == "DECIMAL" || kind == "DOUBLE" || kind == "FLOAT" ||
			kind == "YEAR":
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
