package console

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of a feed.
const (
	feedRows  = 200                    // read at a time
	feedPause = 250 * time.Millisecond // between two reads
	feedWait  = 10 * time.Second       // how long a feed is silent before it sends a sign of life
	feedBytes = 4096                   // of a document
)

// change is one row of a table's changes.
type change struct {
	Seq     string    `json:"seq"`
	Key     []*string `json:"key"`
	Rev     string    `json:"rev"`
	Deleted bool      `json:"deleted"`
	Doc     *string   `json:"doc"`
	Cut     bool      `json:"cut,omitempty"` // the document is longer
}

// changeLine is one line of a feed.
type changeLine struct {
	Since   string   `json:"since"`
	Changes []change `json:"changes,omitempty"`
	Error   *failure `json:"error,omitempty"`
}

// feed sends the changes of a table as they come, until the browser goes.
func (l *logIn) feed(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked struct {
		Database, Table string
		Before          int // how many of the changes before now are sent first
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	select {
	case l.streams <- struct{}{}:
		defer func() { <-l.streams }()
	default:
		fail(w, http.StatusTooManyRequests,
			fmt.Errorf("%d feeds are open, which is as many as there may be: close one", maxFeeds))
		return
	}
	ctx, cancel := context.WithCancel(l.context)
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	f := &follower{db: l.following, table: quote(asked.Database) + "." + quote(asked.Table+"__changes"),
		name: quote(asked.Database) + "." + quote(asked.Table)}
	if err := f.begin(ctx, min(max(asked.Before, 0), feedRows)); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	to := newLines(w)
	for ctx.Err() == nil {
		found, err := f.next(ctx)
		if err != nil {
			told := failureOf(err)
			_ = to.write(changeLine{Since: f.since, Error: &told})
			return
		}
		if to.write(changeLine{Since: f.since, Changes: found}) != nil {
			return
		}
		if len(found) == 0 {
			err = f.wait(ctx)
		} else {
			select {
			case <-ctx.Done():
			case <-time.After(feedPause):
			}
		}
		if err != nil && ctx.Err() == nil {
			told := failureOf(err)
			_ = to.write(changeLine{Since: f.since, Error: &told})
			return
		}
	}
}

// follower reads a table's changes.
type follower struct {
	db          *sql.DB
	table, name string
	columns     []string // all of them, the key's between the first and the last three
	since       string
}

var errNoFeed = errors.New("the table has no feed")

// begin looks where the feed stands.
func (f *follower) begin(ctx context.Context, before int) error {
	rows, err := f.db.QueryContext(ctx, "SHOW COLUMNS FROM "+f.table)
	if err != nil {
		return err
	}
	defer rows.Close()
	next := newRow(6) // Field, Type, Null, Key, Default, Extra
	for rows.Next() {
		if err := rows.Scan(next.places...); err != nil {
			return err
		}
		texts, _ := next.texts()
		f.columns = append(f.columns, *texts[0])
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	const others = 4 // seq, rev, deleted, _doc
	if len(f.columns) <= others {
		return errNoFeed
	}
	if err := f.db.QueryRowContext(ctx, "SELECT sqlfdb_last_seq(?)", f.name).Scan(&f.since); err != nil {
		return err
	}
	if before == 0 {
		return nil
	}
	var from sql.NullString
	err = f.db.QueryRowContext(ctx, "SELECT seq FROM "+f.table+" ORDER BY seq DESC LIMIT 1 OFFSET ?", before).Scan(&from)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		f.since = strings.Repeat("0", len(f.since))
	case err != nil:
		return err
	default:
		f.since = from.String
	}
	return nil
}

// next reads the changes that are there.
func (f *follower) next(ctx context.Context) ([]change, error) {
	names := make([]string, len(f.columns))
	for i, c := range f.columns {
		names[i] = quote(c)
	}
	rows, err := f.db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s WHERE seq > ? ORDER BY seq LIMIT %d",
		strings.Join(names, ", "), f.table, feedRows), f.since)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []change
	next := newRow(len(f.columns))
	for rows.Next() {
		if err := rows.Scan(next.places...); err != nil {
			return nil, err
		}
		v, _ := next.texts()
		n := len(v)
		c := change{Seq: *v[0], Key: v[1 : n-3], Rev: *v[n-3], Deleted: *v[n-2] != "0", Doc: v[n-1]}
		if c.Doc != nil && len(*c.Doc) > feedBytes {
			end := feedBytes
			for !utf8.RuneStart((*c.Doc)[end]) {
				end--
			}
			short := (*c.Doc)[:end]
			c.Doc, c.Cut = &short, true
		}
		found = append(found, c)
		f.since = c.Seq
	}
	return found, rows.Err()
}

// wait waits for a change.
func (f *follower) wait(ctx context.Context) error {
	var found any
	return f.db.QueryRowContext(ctx, "SELECT sqlfdb_wait_changes(?, ?, ?)", f.name, f.since,
		feedWait.Milliseconds()).Scan(&found)
}
