package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/kv/kvopen"
)

// Name is the driver's.
const Name = "sqlfdb"

// sql.Open finds drivers by their names: this is the one package that registers itself.
func init() { sql.Register(Name, Driver{}) }

// Driver implements driver.Driver.
type Driver struct{}

// Open implements driver.Driver.
func (d Driver) Open(name string) (driver.Conn, error) {
	c, err := d.OpenConnector(name)
	if err != nil {
		return nil, err
	}
	return c.Connect(context.Background())
}

// OpenConnector implements driver.DriverContext.
func (d Driver) OpenConnector(name string) (driver.Connector, error) {
	store, settings, _ := strings.Cut(name, "?")
	values, err := url.ParseQuery(settings)
	if err != nil {
		return nil, fmt.Errorf("sqlfdb: %q: %w", name, err)
	}
	c := &connector{store: store, times: true}
	for key := range values {
		v := values.Get(key)
		switch key {
		case "database":
			c.database = v
		case "parseTime":
			c.times, err = strconv.ParseBool(v)
		case "cache":
			c.options.BlockCacheBytes, err = strconv.ParseInt(v, 10, 64)
		default:
			err = errors.New("there is no such setting; there are database, parseTime and cache")
		}
		if err != nil {
			return nil, fmt.Errorf("sqlfdb: %q: %s: %w", name, key, err)
		}
	}
	return c, nil
}

// connector begins the sessions of one sql.DB.
type connector struct {
	store, database string
	times           bool
	options         kvopen.Options
	use             use
}

// Driver implements driver.Connector.
func (*connector) Driver() driver.Driver { return Driver{} }

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	s, err := c.use.server(ctx, c.store, c.options)
	if err != nil {
		return nil, err
	}
	inner, err := s.Connect()
	if err != nil {
		return nil, failure(ctx, err)
	}
	made := &conn{inner: inner, times: c.times}
	if c.database != "" {
		name := "`" + strings.ReplaceAll(c.database, "`", "``") + "`"
		for _, statement := range []string{"USE " + name, "CREATE DATABASE IF NOT EXISTS " + name, "USE " + name} {
			if _, err = made.ExecContext(ctx, statement, nil); err == nil && statement[0] == 'U' {
				break
			}
		}
		if err != nil {
			return nil, errors.Join(err, made.Close())
		}
	}
	return made, nil
}

// Close implements io.Closer: sql.DB calls it with its own Close.
func (c *connector) Close() error { return c.use.end() }

var (
	_ driver.DriverContext = Driver{}
)
