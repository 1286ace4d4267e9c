package prompt

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// connection is a session on the server, and a second one beside it.
type connection struct {
	config   *mysql.Config
	db       *sql.DB
	session  *sql.Conn // nil: lost
	id       int64
	database string
	version  string
	aside    *sql.DB // opened when it is needed
}

func connect(ctx context.Context, config *mysql.Config) (*connection, error) {
	c := &connection{config: config}
	return c, c.open(ctx)
}

// open begins a session.
func (c *connection) open(ctx context.Context) error {
	connector, err := mysql.NewConnector(c.config)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	session, err := db.Conn(ctx)
	if err != nil {
		return errors.Join(unreachable(c.config, err), db.Close())
	}
	var database sql.NullString
	row := session.QueryRowContext(ctx, "SELECT CONNECTION_ID(), DATABASE(), VERSION()")
	if err := row.Scan(&c.id, &database, &c.version); err != nil {
		return errors.Join(err, session.Close(), db.Close())
	}
	c.db, c.session, c.database = db, session, database.String
	return nil
}

// unreachable words the error of a connection that could not be made.
func unreachable(config *mysql.Config, err error) error {
	var refused *net.OpError
	if errors.As(err, &refused) {
		return fmt.Errorf("can't connect to a server at %s: %w", config.Addr, refused.Err)
	}
	return err
}

// another is a pool of connections beside the session.
func (c *connection) another() (*sql.DB, error) {
	if c.aside != nil {
		return c.aside, nil
	}
	connector, err := mysql.NewConnector(c.config)
	if err != nil {
		return nil, err
	}
	c.aside = sql.OpenDB(connector)
	c.aside.SetMaxOpenConns(2)
	c.aside.SetConnMaxIdleTime(time.Minute)
	return c.aside, nil
}

// asidePatience is how long a statement of the second connection may take.
const asidePatience = 3 * time.Second

// kill ends the session's running statement, and leaves the session.
func (c *connection) kill() error {
	db, err := c.another()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), asidePatience)
	defer cancel()
	_, err = db.ExecContext(ctx, fmt.Sprintf("KILL QUERY %d", c.id))
	return err
}

// work is how many keys and documents the running statement has read; ok is false where the
// server does not say.
func (c *connection) work(ctx context.Context) (keys, documents int64, ok bool) {
	db, err := c.another()
	if err != nil {
		return 0, 0, false
	}
	query := fmt.Sprintf("SELECT keys_read, documents_read FROM sqlfdb.processes WHERE id = %d", c.id)
	err = db.QueryRowContext(ctx, query).Scan(&keys, &documents)
	return keys, documents, err == nil
}

// lost reports whether an error means that the connection is gone.
func lost(err error) bool {
	var network net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network)
}

// retries and pause are how often and with which waits a lost connection is restored.
const (
	retries = 5
	pause   = 500 * time.Millisecond
)

// again restores a lost connection, in the same database.
func (c *connection) again(ctx context.Context) error {
	database := c.database
	c.close()
	var err error
	for n := range retries {
		if n > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if err = c.open(ctx); err == nil {
			break
		}
	}
	if err != nil {
		c.database = database
		return err
	}
	if database != "" && database != c.database {
		if _, err := c.session.ExecContext(ctx, "USE "+quoteName(database)); err == nil {
			c.database = database
		}
	}
	return nil
}

// close ends both connections.
func (c *connection) close() {
	if c.session != nil {
		_ = c.session.Close()
		_ = c.db.Close()
		c.session = nil
	}
	if c.aside != nil {
		_ = c.aside.Close()
		c.aside = nil
	}
}

// noteDatabase asks for the current database behind a USE.
func (c *connection) noteDatabase(ctx context.Context) {
	var database sql.NullString
	if c.session.QueryRowContext(ctx, "SELECT DATABASE()").Scan(&database) == nil {
		c.database = database.String
	}
}

func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func quoteText(text string) string {
	return "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(text) + "'"
}

// quoteTable quotes a name as it is typed: t, d.t, or either in backquotes already.
func quoteTable(name string) string {
	if strings.HasPrefix(name, "`") || strings.HasSuffix(name, "`") {
		return name
	}
	if database, table, ok := strings.Cut(name, "."); ok {
		return quoteName(database) + "." + quoteName(table)
	}
	return quoteName(name)
}

// Describe words an error as MySQL's clients do; at is put behind its number.
func Describe(err error, at string) string {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return fmt.Sprintf("ERROR %d (%s)%s: %s", answer.Number, answer.SQLState[:], at, answer.Message)
	}
	return "ERROR" + at + ": " + err.Error()
}
