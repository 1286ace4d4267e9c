package console

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Bounds of a result. Behind them it is cut, and its statement ended.
const (
	maxRows    = 100_000
	someRows   = 1_000
	maxBytes   = 16 << 20
	lineBytes  = 64 << 10 // of the rows that are sent together
	lineTime   = 200 * time.Millisecond
	killPause  = 5 * time.Second // behind it a session whose statement does not end is ended
	killAgain  = 50 * time.Millisecond
	maxWarning = 100
)

// request is a request to run statements.
type request struct {
	SQL      string `json:"sql"`
	Database string `json:"database"`
	Rows     int    `json:"rows"`
	// Side runs them beside the user's session, so that neither waits for the other.
	Side bool `json:"side"`
	// Watching: the page asks by itself, again and again: that is no sign of a user's presence.
	Watching bool `json:"watching"`
	// Explain asks for the statements' plans: "plan" without running them, "analyze" with.
	Explain string `json:"explain"`
}

// explaining are the words before a statement whose plan is wanted. They are put before each statement, so that none
// is run by accident.
var explaining = map[string]string{"": "", "plan": "EXPLAIN FORMAT=JSON ", "analyze": "EXPLAIN ANALYZE FORMAT=JSON "}

var errExplains = errors.New("it is an EXPLAIN already: run it")

// column describes one of a result's.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Kind string `json:"kind"` // number, json, bytes or text
}

// line is one line of the answer. Each statement gives a line with its text, one with its columns if it has any,
// lines of rows, and one with its outcome.
type line struct {
	Statement *string     `json:"statement,omitempty"`
	Columns   []column    `json:"columns,omitempty"`
	Rows      [][]*string `json:"rows,omitempty"`
	End       *ending     `json:"end,omitempty"`
	Error     *failure    `json:"error,omitempty"`
	Database  *string     `json:"database,omitempty"`
}

// ending is the outcome of a statement.
type ending struct {
	Rows     int64             `json:"rows"`
	Affected int64             `json:"affected"` // -1 for a statement with columns
	Seconds  float64           `json:"seconds"`
	Cut      string            `json:"cut,omitempty"` // why rows are missing
	Warnings [][]*string       `json:"warnings,omitempty"`
	Figures  map[string]string `json:"figures,omitempty"`
}

// lines writes an answer line by line. A browser that does not read has patience's time.
type lines struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newLines(w http.ResponseWriter) *lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	return &lines{w, http.NewResponseController(w)}
}

func (l *lines) write(v any) error {
	_ = l.control.SetWriteDeadline(time.Now().Add(patience))
	if err := json.NewEncoder(l.w).Encode(v); err != nil {
		return err
	}
	return l.control.Flush()
}

var errBusy = errors.New("a statement of this session runs: stop it first")

// run runs statements, one behind the other, until one fails. They end when the browser goes.
func (l *logIn) run(w http.ResponseWriter, r *http.Request, body []byte) {
	var asked request
	if err := json.Unmarshal(body, &asked); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	if !asked.Watching {
		l.touch()
	}
	if asked.Rows <= 0 {
		asked.Rows = someRows
	}
	asked.Rows = min(asked.Rows, maxRows)
	if _, known := explaining[asked.Explain]; !known {
		fail(w, http.StatusBadRequest, errors.New("explain is plan or analyze"))
		return
	}
	if asked.Side {
		l.beside(w, r, asked)
		return
	}
	select {
	case l.turn <- struct{}{}:
	default:
		fail(w, http.StatusConflict, errBusy)
		return
	}
	defer func() {
		l.touch()
		<-l.turn
	}()
	if err := l.connect(l.context); err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return
	}
	running, cancel := context.WithCancel(l.context)
	defer cancel()
	number := l.number
	gone := make(chan struct{})
	stop := context.AfterFunc(r.Context(), func() {
		defer close(gone)
		// One that comes before the statement has begun ends nothing.
		for end := time.Now().Add(killPause); running.Err() == nil && time.Now().Before(end); {
			l.endStatement(number)
			select {
			case <-running.Done():
			case <-time.After(killAgain):
			}
		}
		cancel() // which ends the session, if its statement has not ended
	})
	ask := &asking{conn: l.session, end: func() { l.endStatement(number) }, request: asked, to: newLines(w)}
	ask.all(running, r.Context())
	if !stop() {
		cancel()
		<-gone // a KILL that is late would end the next statement
	}
	if l.session.PingContext(l.context) != nil {
		_ = l.session.Close()
		l.session = nil
	}
}

// endStatement ends the running statement of one of the user's connections.
func (l *logIn) endStatement(number uint64) {
	ctx, cancel := context.WithTimeout(l.context, killPause)
	defer cancel()
	_, _ = l.kill.ExecContext(ctx, fmt.Sprintf("KILL QUERY %d", number))
}

// beside runs statements on a connection that nothing is expected of.
func (l *logIn) beside(w http.ResponseWriter, r *http.Request, asked request) {
	ctx, cancel := context.WithCancel(l.context)
	defer cancel()
	defer context.AfterFunc(r.Context(), cancel)()
	conn, err := l.side.Conn(ctx)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return
	}
	ask := &asking{conn: conn, end: cancel, request: asked, to: newLines(w)}
	ask.all(ctx, ctx)
	// The next session begins without this one's settings.
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
}

// asking is a text of statements that is being run.
type asking struct {
	request
	conn *sql.Conn
	end  func() // ends the statement that runs
	to   *lines
}

// all runs the statements. stopped ends when nobody waits for them any more.
func (a *asking) all(ctx, stopped context.Context) {
	if a.Database != "" && !a.uses(ctx, a.Database) {
		if _, err := a.conn.ExecContext(ctx, "USE "+quote(a.Database)); err != nil {
			told := failureOf(err)
			_ = a.to.write(line{Error: &told})
			return
		}
	}
	for rest := a.SQL; rest != "" && stopped.Err() == nil; {
		var text string
		text, rest = statement.Cut(rest)
		if statement.NextToken(text, 0).Kind == statement.TokenEnd {
			continue
		}
		text = strings.TrimSpace(text)
		if a.to.write(line{Statement: &text}) != nil {
			return
		}
		var end *ending
		var err error
		if a.Explain != "" && explains(text) {
			err = errExplains
		} else {
			end, err = a.one(ctx, explaining[a.Explain]+text)
		}
		if err != nil {
			told := failureOf(err)
			_ = a.to.write(line{Error: &told})
			break
		}
		if a.to.write(line{End: end}) != nil {
			return
		}
	}
	if a.Side {
		return
	}
	var database sql.NullString
	if a.conn.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&database) == nil {
		_ = a.to.write(line{Database: &database.String})
	}
}

// uses reports whether the session's database is the one.
func (a *asking) uses(ctx context.Context, name string) bool {
	var now sql.NullString
	err := a.conn.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&now)
	return err == nil && now.Valid && now.String == name
}

// quote is a name as SQL takes it.
func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// one runs a statement.
func (a *asking) one(ctx context.Context, text string) (*ending, error) {
	began := time.Now()
	out := &ending{Affected: -1}
	var err error
	if changes(text) {
		var result sql.Result
		if result, err = a.conn.ExecContext(ctx, text); err == nil {
			out.Affected, _ = result.RowsAffected()
		}
	} else {
		err = a.query(ctx, text, out)
	}
	if err != nil {
		return nil, err
	}
	out.Seconds = time.Since(began).Seconds()
	if !a.Side {
		if out.Cut == "" { // else they say that the statement was ended
			out.Warnings = a.few(ctx, "SHOW WARNINGS")
		}
		out.Figures = map[string]string{}
		for _, row := range a.few(ctx, "SHOW STATUS LIKE 'sqlfdb\\_last\\_%'") {
			if len(row) == 2 && row[0] != nil && row[1] != nil {
				out.Figures[strings.TrimPrefix(*row[0], "sqlfdb_last_")] = *row[1]
			}
		}
	}
	return out, nil
}

// changes reports whether a statement gives a number instead of rows.
func changes(text string) bool {
	t := statement.NextToken(text, 0)
	if t.Is(text, "WITH") {
		t = skipWith(text, t)
	}
	switch strings.ToUpper(text[t.Start:t.End]) {
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD":
		return true
	}
	return false
}

// skipWith returns the first word after common table expressions: a word after parentheses other than AS.
func skipWith(text string, t statement.Token) statement.Token {
	depth, closed := 0, false
	for ; t.Kind != statement.TokenEnd; t = statement.NextToken(text, t.End) {
		switch {
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		case depth == 0 && closed && t.Kind == statement.TokenWord && !t.Is(text, "AS"):
			return t
		}
		closed = t.Is(text, ")")
	}
	return t
}

// explains reports whether a statement is an EXPLAIN.
func explains(text string) bool {
	t := statement.NextToken(text, 0)
	switch strings.ToUpper(text[t.Start:t.End]) {
	case "EXPLAIN", "DESCRIBE", "DESC":
		return true
	}
	return false
}

// few are the rows of a statement that has few.
func (a *asking) few(ctx context.Context, text string) (found [][]*string) {
	rows, err := a.conn.QueryContext(ctx, text)
	if err != nil {
		return nil
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil
	}
	next := newRow(len(columns))
	for rows.Next() && len(found) < maxWarning {
		if rows.Scan(next.places...) != nil {
			return nil
		}
		row, _ := next.texts()
		found = append(found, row)
	}
	return found
}

// query runs a statement that gives rows, and sends them.
func (a *asking) query(ctx context.Context, text string, out *ending) error {
	rows, err := a.conn.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	if len(types) == 0 {
		out.Affected = 0
		return rows.Close()
	}
	var columns []column
	for _, t := range types {
		columns = append(columns, column{Name: t.Name(), Type: t.DatabaseTypeName(), Kind: kindOf(t.DatabaseTypeName())})
	}
	if err := a.to.write(line{Columns: columns}); err != nil {
		a.end()
		return err
	}
	var batch [][]*string
	bytes, all := 0, 0
	sent := time.Now()
	next := newRow(len(columns))
	for rows.Next() {
		if out.Rows == int64(a.Rows) {
			out.Cut = fmt.Sprintf("there are more rows than the %d that were asked for", a.Rows)
		} else if all > maxBytes {
			out.Cut = fmt.Sprintf("the rows have more than %d MiB", maxBytes>>20)
		}
		if out.Cut != "" {
			a.end() // or all the rest would be read
			break
		}
		if err := rows.Scan(next.places...); err != nil {
			return err
		}
		row, size := next.texts()
		batch = append(batch, row)
		out.Rows++
		bytes += size
		all += size
		if bytes > lineBytes || time.Since(sent) > lineTime {
			if err := a.to.write(line{Rows: batch}); err != nil {
				a.end()
				return err
			}
			batch, bytes, sent = nil, 0, time.Now()
		}
	}
	if out.Cut == "" {
		if err := rows.Err(); err != nil {
			return err
		}
	}
	_ = rows.Close() // it fails where the statement was ended here
	if len(batch) > 0 {
		return a.to.write(line{Rows: batch})
	}
	return nil
}

func kindOf(name string) string {
	switch {
	case name == "JSON":
		return "json"
	case strings.Contains(name, "INT"), name == "DECIMAL", name == "DOUBLE", name == "FLOAT", name == "YEAR":
		return "number"
	case strings.Contains(name, "BLOB"), strings.Contains(name, "BINARY"), name == "BIT":
		return "bytes"
	}
	return "text"
}

// row takes the values of a row.
type row struct {
	values []any
	places []any
}

func newRow(columns int) *row {
	r := &row{values: make([]any, columns), places: make([]any, columns)}
	for i := range r.values {
		r.places[i] = &r.values[i]
	}
	return r
}

// texts are the values as MySQL spells them, and about how many bytes they take.
func (r *row) texts() (out []*string, size int) {
	out = make([]*string, len(r.values))
	for i, v := range r.values {
		if v != nil {
			text := spell(v)
			out[i] = &text
			size += len(text)
		}
		size += 8
	}
	return out, size
}

// Bounds between which MySQL spells a double without an exponent.
const (
	leastPlain    = 1e-15
	greatestPlain = 1e15
)

// spell is a value as MySQL spells it.
func spell(v any) string {
	switch v := v.(type) {
	case []byte:
		if utf8.Valid(v) {
			return string(v)
		}
		return "0x" + strings.ToUpper(hex.EncodeToString(v))
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float32:
		return double(float64(v), 32)
	case float64:
		return double(v, 64)
	}
	return fmt.Sprint(v)
}

func double(v float64, bits int) string {
	if a := math.Abs(v); v == 0 || a >= leastPlain && a < greatestPlain {
		return strconv.FormatFloat(v, 'f', -1, bits)
	}
	return strings.Replace(strconv.FormatFloat(v, 'e', -1, bits), "e+", "e", 1)
}
