package harness

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Querier is a pool of connections, or one of them.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Texts are the rows of a query, each as one text.
func Texts(t testing.TB, db Querier, query string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]sql.NullString, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		row := make([]string, len(values))
		for i, v := range values {
			if row[i] = v.String; !v.Valid {
				row[i] = "NULL"
			}
		}
		out = append(out, strings.Join(row, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// RegisterText makes a text the file Reader::name of LOAD DATA LOCAL.
func RegisterText(name, text string) {
	mysql.RegisterReaderHandler(name, func() io.Reader { return strings.NewReader(text) })
}

// Stuck gives what is before it, and its end when a channel is closed: a file that is not all there yet.
type Stuck struct {
	io.Reader
	Until <-chan struct{}
}

// Read implements io.Reader.
func (s Stuck) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err == io.EOF {
		<-s.Until
	}
	return n, err
}

// text joins the rows of a query.
func TextOf(t *testing.T, conn *sql.Conn, query string) string {
	t.Helper()
	rows, err := RowsOf(conn, query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.ReplaceAll(strings.Join(rows, " "), "true:", "")
}

// WantText fails unless the rows of a query are a text.
func WantText(t *testing.T, conn *sql.Conn, query, want string) {
	t.Helper()
	if have := TextOf(t, conn, query); have != want {
		t.Errorf("%s: %s, want %s", query, have, want)
	}
}

// MustExec runs statements that must not fail.
func MustExec(t testing.TB, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, stmts ...string) {
	t.Helper()
	for _, s := range stmts {
		if _, err := db.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// Number is the one number that a query gives.
func Number(t testing.TB, db *sql.DB, query string) int64 {
	t.Helper()
	var n int64
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// ExecAll runs statements that must not fail, each on whichever connection.
func ExecAll(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// ReadAll reads the rows of a query to their end.
func ReadAll(rows *sql.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		continue
	}
	return rows.Err()
}

// Text is the last column of a statement's first row.
func Text(t *testing.T, db *sql.DB, stmt string) string {
	t.Helper()
	rows, err := db.Query(stmt)
	if err != nil {
		t.Fatalf("%s: %v", stmt, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil || !rows.Next() {
		t.Fatalf("%s: no row: %v", stmt, rows.Err())
	}
	values := make([]any, len(columns))
	var last string
	for i := range values {
		values[i] = new(any)
	}
	values[len(values)-1] = &last
	if err := rows.Scan(values...); err != nil {
		t.Fatal(err)
	}
	return last
}

// ExecOn runs statements on one connection until one fails.
func ExecOn(conn *sql.Conn, statements ...string) error {
	for _, s := range statements {
		if _, err := conn.ExecContext(context.Background(), s); err != nil {
			return err
		}
	}
	return nil
}

// RowsOf runs a query on a connection; rows are texts of their columns.
func RowsOf(conn *sql.Conn, query string) ([]string, error) {
	rows, err := conn.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		var b strings.Builder
		for _, v := range values {
			fmt.Fprintf(&b, "%v:%.300s|", v.Valid, v.String)
		}
		out = append(out, b.String())
	}
	return out, rows.Err()
}

// MustRun runs statements on one connection; none must fail.
func MustRun(t *testing.T, conn *sql.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := conn.ExecContext(context.Background(), s); err != nil {
			t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// WantError runs a statement that must fail with that number and text.
func WantError(t *testing.T, conn *sql.Conn, statement string, number uint16, texts ...string) {
	t.Helper()
	_, err := RowsOf(conn, statement)
	var e *mysql.MySQLError
	if !errors.As(err, &e) || e.Number != number {
		t.Fatalf("%s: %v, want %d", statement, err, number)
	}
	for _, text := range texts {
		if !strings.Contains(e.Message, text) {
			t.Fatalf("%s: %q does not say %q", statement, e.Message, text)
		}
	}
}

// Quoted is a name as SQL takes it, whatever it holds.
func Quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// Connect opens a pool of connections.
func Connect(t testing.TB, addr net.Addr, database, params string) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", "root@tcp("+addr.String()+")/"+database+params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Exec runs statements separated by ";\n". It says for each how many rows it has affected, or its error.
func Exec(c *sql.Conn, text string, args ...any) string {
	var out strings.Builder
	for _, stmt := range strings.Split(text, ";\n") {
		stmt = strings.TrimSuffix(strings.TrimSpace(stmt), ";")
		if stmt == "" {
			continue
		}
		res, err := c.ExecContext(context.Background(), stmt, args...)
		if err != nil {
			out.WriteString(ErrorText(err) + "\n")
			continue
		}
		n, _ := res.RowsAffected()
		fmt.Fprintf(&out, "ok, %d rows", n)
		if id, _ := res.LastInsertId(); id != 0 {
			fmt.Fprintf(&out, ", id %d", id)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Values that differ from run to run.
var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	sequences = regexp.MustCompile(`\b00[0-9a-f]{24}\b`)
)

func masked(s string) string {
	return sequences.ReplaceAllString(uuids.ReplaceAllString(s, "<uuid>"), "<sequence>")
}

// Query runs one statement: the names of its columns, then a line for each row, or the error.
func Query(c *sql.Conn, text string, args ...any) string {
	rows, err := c.QueryContext(context.Background(), text, args...)
	if err != nil {
		return ErrorText(err) + "\n"
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return ErrorText(err) + "\n"
	}
	var out strings.Builder
	out.WriteString(strings.Join(columns, " | ") + "\n")
	for rows.Next() {
		values := make([]sql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return ErrorText(err) + "\n"
		}
		texts := make([]string, len(columns))
		for i, v := range values {
			texts[i] = "NULL"
			if v.Valid {
				texts[i] = v.String
			}
		}
		out.WriteString(strings.TrimRight(strings.Join(texts, " | "), " ") + "\n")
	}
	if err := rows.Err(); err != nil {
		out.WriteString(ErrorText(err) + "\n")
	}
	return masked(out.String())
}

// ErrorText is an error as the files of testdata spell it.
func ErrorText(err error) string {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return masked(fmt.Sprintf("ERROR %d (%s): %s", e.Number, e.SQLState[:], e.Message))
	}
	return "error: " + err.Error()
}

// Answered is what a statement answers: its rows, or its error.
func Answered(db Querier, query string) string {
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		var e *mysql.MySQLError
		if errors.As(err, &e) {
			return fmt.Sprintf("error %d", e.Number)
		}
		return err.Error()
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	var out []string
	for rows.Next() {
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err.Error()
		}
		var row []string
		for _, v := range values {
			row = append(row, v.String)
		}
		out = append(out, strings.Join(row, " "))
	}
	if err := rows.Err(); err != nil {
		return err.Error()
	}
	return strings.Join(out, "; ")
}

// Running waits until a connection runs a statement that began with a text.
func Running(t testing.TB, db *sql.DB, id int64, stmt string) {
	t.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(time.Millisecond) {
		var state, info sql.NullString
		err := db.QueryRow("SELECT STATE, INFO FROM information_schema.PROCESSLIST WHERE ID = ? AND COMMAND = 'Query'",
			id).Scan(&state, &info)
		if err == nil && strings.HasPrefix(info.String, stmt) {
			if state.String != "running" {
				t.Errorf("the state of %s is %q", stmt, state.String)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not run: %v", stmt, err)
		}
	}
}

// ErrorNumber is MySQL's number of an error; 0 if it has none.
func ErrorNumber(err error) uint16 {
	var e *mysql.MySQLError
	if errors.As(err, &e) {
		return e.Number
	}
	return 0
}
