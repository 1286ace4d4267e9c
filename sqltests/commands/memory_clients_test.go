package commands

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// crowding are clients of one server that want more memory together than it has.
type crowding struct {
	t       *testing.T
	p       *harness.Process
	clients int
}

// crowdedBytes is what each client wants, as much as one may have.
const crowdedBytes = 60_000_000

// crowds are the attacks of TestMemoryOfClients, in the order in which they are made.
func crowds() []struct {
	name string
	of   func(*crowding, int, *tapped) error
} {
	long := strings.Repeat("a", crowdedBytes)
	return []struct {
		name string
		of   func(*crowding, int, *tapped) error
	}{
		{"half of a statement", func(_ *crowding, _ int, c *tapped) error {
			return c.part(comQuery, "SELECT '"+long)
		}},
		{"half of a statement to prepare", func(_ *crowding, _ int, c *tapped) error {
			return c.part(comPrepare, "SELECT '"+long)
		}},
		{"statements", func(_ *crowding, _ int, c *tapped) error {
			return throughAll(c.conn.QueryContext(c.ctx, "SELECT '"+long+"'"))
		}},
		{"statements that sleep", func(_ *crowding, _ int, c *tapped) error {
			return throughAll(c.conn.QueryContext(c.ctx, "SELECT SLEEP(8), '"+long[:3_000_000]+"'"))
		}},
		{"prepared statements", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.PrepareContext(c.ctx, "SELECT ?, '"+long+"'")
			return err
		}},
		{"PREPARE", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "PREPARE p FROM 'SELECT /* "+long+" */ 1'")
			return err
		}},
		{"parameters sent ahead", func(_ *crowding, _ int, c *tapped) error {
			if _, err := c.conn.PrepareContext(c.ctx, "SELECT ?"); err != nil {
				return err
			}
			statement := binary.LittleEndian.AppendUint32(nil, 1)
			for range 4 {
				if err := c.part(comSendLongData, string(statement)+"\x00\x00"+long[:15_000_000]); err != nil {
					return err
				}
			}
			return nil
		}},
		{"results that nobody reads", func(_ *crowding, _ int, c *tapped) error {
			return c.part(comQuery, fmt.Sprintf("SELECT REPEAT('a', %d) FROM t", crowdedBytes))
		}},
		{"variables", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("SET @v = REPEAT('a', %d)", crowdedBytes))
			return err
		}},
		{"variables of literals", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "SET @v = '"+long+"'")
			return err
		}},
		{"open transactions", func(_ *crowding, i int, c *tapped) error {
			if _, err := c.conn.ExecContext(c.ctx, "BEGIN"); err != nil {
				return err
			}
			for j := range 3 {
				if _, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("INSERT INTO w VALUES (%d, %q)", 10*i+j, `{"a":"`+
					long[:3_000_000]+`"}`)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"open transactions of keypaths", func(_ *crowding, i int, c *tapped) error {
			if _, err := c.conn.ExecContext(c.ctx, "BEGIN"); err != nil {
				return err
			}
			var doc strings.Builder
			for j := range 30_000 {
				fmt.Fprintf(&doc, `,"k%d":%d`, j, j)
			}
			for j := range 9 {
				if _, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("INSERT INTO w VALUES (%d, '{%s}')", 10*i+j,
					doc.String()[1:])); err != nil {
					return err
				}
			}
			return nil
		}},
		{"temporary tables", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY, a LONGTEXT)")
			for i := 0; i < 20 && err == nil; i++ {
				_, err = c.conn.ExecContext(c.ctx, fmt.Sprintf("INSERT INTO own VALUES (%d, REPEAT('a', 3000000))", i))
			}
			return err
		}},
		{"savepoints", func(_ *crowding, _ int, c *tapped) error {
			if _, err := c.conn.ExecContext(c.ctx, "BEGIN"); err != nil {
				return err
			}
			for i := range 5_000 {
				if _, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("SAVEPOINT %s%d", long[:50], i)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"a name of a savepoint", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "BEGIN")
			if err == nil {
				_, err = c.conn.ExecContext(c.ctx, "SAVEPOINT "+long)
			}
			return err
		}},
		{"names of locks", func(_ *crowding, i int, c *tapped) error {
			return throughAll(c.conn.QueryContext(c.ctx, fmt.Sprintf("SELECT GET_LOCK('%d%s', 0)", i, long)))
		}},
		{"a file of one line", func(_ *crowding, _ int, c *tapped) error {
			name := fmt.Sprintf("crowd-%p", c)
			mysql.RegisterReaderHandler(name, func() io.Reader { return &endless{left: 2 * crowdedBytes} })
			defer mysql.DeregisterReaderHandler(name)
			_, err := c.conn.ExecContext(c.ctx, "LOAD DATA LOCAL INFILE 'Reader::"+name+"' INTO TABLE w")
			return err
		}},
		{"a text of a variable of the system", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "SET SESSION sql_mode = '"+long+"'")
			return err
		}},
		{"a text of a global variable", func(_ *crowding, _ int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, "SET GLOBAL init_connect = '"+long+"'")
			return err
		}},
		{"views", func(_ *crowding, i int, c *tapped) error {
			_, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("CREATE VIEW v%d AS SELECT '%s'", i, long[:9_000_000]))
			return err
		}},
		{"views in the end", func(_ *crowding, i int, c *tapped) error {
			for j := range 8 {
				if _, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("CREATE VIEW y%d_%d AS SELECT '%s'", i, j,
					long[:3_000_000])); err != nil {
					return err
				}
			}
			return nil
		}},
		{"keypaths", func(_ *crowding, i int, c *tapped) error {
			for j := range 10 {
				var doc strings.Builder
				for k := range 10_000 {
					fmt.Fprintf(&doc, `,"c%d-%d-%d":%d`, i, j, k, k)
				}
				if _, err := c.conn.ExecContext(c.ctx, fmt.Sprintf("INSERT INTO w VALUES (%d, '{%s}')", 10*i+j,
					doc.String()[1:])); err != nil {
					return err
				}
			}
			return nil
		}},
		{"statements that are planned once", func(_ *crowding, i int, c *tapped) error {
			for j := range 100 {
				stmt := fmt.Sprintf("SELECT i AS `%s%d` FROM t WHERE i IN (%s%d)", long[:30], j, strings.Repeat("1,", 5000), j*i)
				for range 2 {
					if err := throughAll(c.conn.QueryContext(c.ctx, stmt)); err != nil {
						return err
					}
				}
			}
			return nil
		}},
		{"warnings", func(_ *crowding, _ int, c *tapped) error {
			if _, err := c.conn.ExecContext(c.ctx, "SET max_error_count = 65535"); err != nil {
				return err
			}
			return throughAll(c.conn.QueryContext(c.ctx, "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n"+
				" WHERE i < 9000) SELECT CAST(CONCAT(REPEAT('a', 50000), i) AS SIGNED) FROM n"))
		}},
	}
}

// endless is a text without lines.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), e.left)]
	for i := range p {
		p[i] = 'a'
	}
	e.left -= len(p)
	return len(p), nil
}

// TestMemoryOfClients: clients that each want what one may have, at once, get it or an error; the server neither ends
// nor takes more memory than it was given, and answers others when they have gone.
func TestMemoryOfClients(t *testing.T) {
	p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + t.TempDir(), "--listen",
		"127.0.0.1:0", "--memory", givenMemory, "--cache", "32MiB"}})
	confine(t, p)
	db := harness.Connect(t, p.Addr, "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "SET GLOBAL local_infile = 1",
		"CREATE TABLE d.t (i INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1), (2), (3), (4), (5)",
		"CREATE TABLE d.w (_id INT PRIMARY KEY, _doc JSON)")
	c := &crowding{t, p, 60}
	all := crowds()
	if *crowdName == "" {
		c.clients = 20
		random := rand.New(rand.NewPCG(testseed.Of(t, "memory-seed", *memorySeed), 1))
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:1]
	}
	for _, crowd := range all {
		if ok, _ := regexp.MatchString(*crowdName, crowd.name); ok {
			c.come(crowd.name, crowd.of)
		}
	}
}

// come lets the clients come, does one thing with each, and lets them go.
func (c *crowding) come(name string, do func(*crowding, int, *tapped) error) {
	began := time.Now()
	var clients sync.WaitGroup
	var mu sync.Mutex
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	outcomes := map[string]int{}
	all := make([]*tapped, c.clients)
	for i := range all {
		clients.Go(func() {
			one, err := c.tap(ctx)
			if err == nil {
				all[i] = one
				err = do(c, i, one)
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[fmt.Sprintf("%.100v", err)]++
		})
	}
	clients.Wait()
	time.Sleep(time.Second)
	others, done := context.WithTimeout(context.Background(), harness.Patience)
	defer done()
	select {
	case <-c.p.Ended:
		c.t.Fatalf("%s: the server has ended: %s", name, c.p.Stderr.String())
	default:
	}
	used := memoryField(c.t, c.p, "VmRSS:")
	db := harness.Connect(c.t, c.p.Addr, "d", "")
	var n int
	if err := db.QueryRowContext(others, "SELECT COUNT(*) FROM t").Scan(&n); err != nil || n != 5 {
		c.t.Errorf("%s: others get %d, %v", name, n, err)
	}
	for _, one := range all {
		if one != nil {
			one.close()
		}
	}
	if err := db.QueryRowContext(others, "SELECT COUNT(*) FROM t").Scan(&n); err != nil || n != 5 {
		c.t.Fatalf("%s: behind it, others get %d, %v; the server said\n%s", name, n, err, c.p.Stderr.String())
	}
	peak := peakMemory(c.t, c.p)
	c.t.Logf("%-30s %6.1f s, %5d MiB in use, %5d MiB at most: %v", name, time.Since(began).Seconds(), used>>20, peak>>20,
		outcomes)
	if peak > maxMemory {
		c.t.Errorf("%s: the server took %d bytes", name, peak)
	}
}

const (
	comQuery        = 3
	comPrepare      = 22
	comSendLongData = 24
)

// tapped is a session whose connection can be written to past its driver.
type tapped struct {
	ctx  context.Context
	db   *sql.DB
	conn *sql.Conn
	wire net.Conn
}

func (c *crowding) tap(ctx context.Context) (*tapped, error) {
	config := mysql.NewConfig()
	config.User, config.Net, config.Addr, config.DBName = "root", "tcp", c.p.Addr.String(), "d"
	config.MaxAllowedPacket = 1 << 30
	one := &tapped{ctx: ctx}
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		var err error
		one.wire, err = (&net.Dialer{}).DialContext(ctx, network, addr)
		return one.wire, err
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	one.db = sql.OpenDB(connector)
	one.db.SetMaxOpenConns(1)
	if one.conn, err = one.db.Conn(ctx); err != nil {
		return nil, errors.Join(err, one.db.Close())
	}
	return one, nil
}

// part writes a command past the driver; of a long one that is the beginning alone.
func (c *tapped) part(command byte, text string) error {
	const most = 1<<24 - 1
	payload := append([]byte{command}, text...)
	_ = c.wire.SetWriteDeadline(time.Now().Add(harness.Patience))
	for number := byte(0); len(payload) > 0; number++ {
		n := min(len(payload), most)
		if n < most && number > 0 {
			payload = payload[:n-1] // what ends the command does not come
		}
		if _, err := c.wire.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), number}); err != nil {
			return err
		}
		if _, err := c.wire.Write(payload[:min(n, len(payload))]); err != nil {
			return err
		}
		payload = payload[min(n, len(payload)):]
	}
	return nil
}

func (c *tapped) close() {
	_ = c.wire.Close()
	_ = c.conn.Close()
	_ = c.db.Close()
}
