package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
)

// peer is a server with the documents.
type peer struct {
	name, dialect, data string
	db                  *sql.DB
	tables              []string // statements that make the tables
	insert              func(rows int) string
	elements            bool // elements of arrays lie in a table of their own
	server              *exec.Cmd
}

func (p *peer) close() {
	if p.db != nil {
		_ = p.db.Close()
	}
	_ = p.server.Process.Signal(syscall.SIGTERM)
	_ = p.server.Wait()
}

const rowsAtOnce = 100

// load makes the tables and fills them, in statements of some rows.
func (p *peer) load(ctx context.Context, n int) (time.Duration, error) {
	for _, s := range p.tables {
		if _, err := p.db.ExecContext(ctx, s); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	if err := p.fill(ctx, 0, n); err != nil {
		return 0, err
	}
	took := time.Since(began)
	_, _ = p.db.ExecContext(ctx, "ANALYZE TABLE d") // as each of them spells it; sqlfdb counts exactly without
	_, _ = p.db.ExecContext(ctx, "ANALYZE d")
	return took, nil
}

// fill inserts the documents from one number up to another.
func (p *peer) fill(ctx context.Context, from, to int) error {
	var args, elements []any
	flush := func() error {
		if len(args) > 0 {
			if _, err := p.db.ExecContext(ctx, p.insert(len(args)/2), args...); err != nil {
				return err
			}
		}
		if len(elements) > 0 {
			text := "INSERT INTO elements (element, _id) VALUES (?,?)" + strings.Repeat(",(?,?)", len(elements)/2-1)
			if _, err := p.db.ExecContext(ctx, text, elements...); err != nil {
				return err
			}
		}
		args, elements = args[:0], elements[:0]
		return nil
	}
	for i := from; i < to; i++ {
		id, text, array := document(i)
		if args = append(args, id, text); p.elements {
			for _, e := range array {
				elements = append(elements, e, id)
			}
		}
		if len(args) == 2*rowsAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func questionMarks(rows int) string { return "(?,?)" + strings.Repeat(",(?,?)", rows-1) }

// size is what the files of a folder take, in bytes.
func size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

func startSQLFDB(ctx context.Context, dir string) (*peer, error) {
	binary, data := filepath.Join(dir, "sqlfdb"), filepath.Join(dir, "sqlfdb-data")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/sqlfdb/sqlfdb/cmd/sqlfdb")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build sqlfdb: %w: %s", err, out)
	}
	c := exec.Command(binary, "serve", "--store", "pebble:"+data, "--listen", "127.0.0.1:0")
	c.Stderr = os.Stderr // what it ends of
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &peer{name: "sqlfdb", data: data, server: c, tables: []string{"CREATE DATABASE b",
		"CREATE TABLE b.d (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"}}
	p.insert = func(rows int) string { return "INSERT INTO d (_id, _doc) VALUES " + questionMarks(rows) }
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() {
				for lines.Scan() { //nolint:revive // what else it prints is read, so that it never waits
				}
			}()
			return p, p.connect(ctx, "mysql", fmt.Sprintf("root@tcp(%s)/", address), fmt.Sprintf("root@tcp(%s)/b", address))
		}
	}
	return nil, fmt.Errorf("sqlfdb did not start")
}

func startMariaDB(ctx context.Context, dir string) (*peer, error) {
	daemon, err := exec.LookPath("mariadbd")
	if err != nil {
		return nil, nil
	}
	data, socket := filepath.Join(dir, "mariadb-data"), filepath.Join(dir, "mariadb.sock")
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	install := exec.CommandContext(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--user="+me.Username,
		"--auth-root-authentication-method=normal")
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mariadb-install-db: %w: %s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	c := exec.Command(daemon, "--no-defaults", "--datadir="+data, "--user="+me.Username, "--socket="+socket,
		"--bind-address=127.0.0.1", "--port="+port, "--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=1G",
		"--skip-name-resolve")
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &peer{name: "MariaDB", dialect: "mariadb", data: data, server: c, elements: true}
	p.tables = []string{"CREATE DATABASE b",
		`CREATE TABLE b.d (_id VARCHAR(255) PRIMARY KEY, _doc JSON,
			str1 VARCHAR(255) AS (JSON_VALUE(_doc, '$.str1')) VIRTUAL,
			num BIGINT AS (JSON_VALUE(_doc, '$.num')) VIRTUAL,
			thousandth INT AS (JSON_VALUE(_doc, '$.thousandth')) VIRTUAL, KEY (str1), KEY (num), KEY (thousandth))`,
		"CREATE TABLE b.elements (element VARCHAR(255), _id VARCHAR(255), KEY (element))"}
	p.insert = func(rows int) string { return "INSERT INTO d (_id, _doc) VALUES " + questionMarks(rows) }
	address := "root@tcp(127.0.0.1:" + port + ")/"
	return p, p.connect(ctx, "mysql", address, address+"b")
}

func startPostgreSQL(ctx context.Context, dir string) (*peer, error) {
	bin := ""
	if path, err := exec.LookPath("initdb"); err == nil {
		bin = filepath.Dir(path)
	} else if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin"); len(found) > 0 {
		bin = found[len(found)-1]
	} else {
		return nil, nil
	}
	data, err := os.MkdirTemp("", "compare-postgresql")
	if err != nil {
		return nil, err
	}
	as := func(c *exec.Cmd) *exec.Cmd { return c }
	if os.Geteuid() == 0 { // it refuses to run as root
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, nil //nolint:nilerr // there is nobody to run it as
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(data, uid, gid); err != nil {
			return nil, err
		}
		as = func(c *exec.Cmd) *exec.Cmd {
			c.Dir = data
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
			return c
		}
	}
	files := filepath.Join(data, "data")
	initdb := as(exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "-D", files, "-U", "root", "--auth=trust",
		"-E", "UTF8", "--locale=C"))
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w: %s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	c := as(exec.Command(filepath.Join(bin, "postgres"), "-D", files, "-p", port, "-k", data, "-c", "shared_buffers=1GB"))
	if err := c.Start(); err != nil {
		return nil, err
	}
	p := &peer{name: "PostgreSQL", dialect: "postgres", data: files, server: c, tables: []string{
		"CREATE TABLE d (id text PRIMARY KEY, doc jsonb)",
		"CREATE INDEX ON d ((doc->>'str1'))",
		"CREATE INDEX ON d (((doc->>'num')::bigint))",
		"CREATE INDEX ON d (((doc->>'thousandth')::bigint))",
		"CREATE INDEX ON d USING gin ((doc->'nested_arr'))"}}
	p.insert = func(rows int) string {
		var b strings.Builder
		b.WriteString("INSERT INTO d (id, doc) VALUES ")
		for i := range rows {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "($%d,$%d)", 2*i+1, 2*i+2)
		}
		return b.String()
	}
	dsn := "postgres://root@127.0.0.1:" + port + "/postgres?sslmode=disable"
	return p, p.connect(ctx, "pgx", dsn, dsn)
}

// connect waits for a server and connects to it: first as it begins, then to the database of the documents.
func (p *peer) connect(ctx context.Context, driver, first, then string) error {
	db, err := sql.Open(driver, first)
	for tries := 0; err == nil; tries++ {
		if err = db.PingContext(ctx); err == nil || tries == 300 {
			break
		}
		err = nil
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		return fmt.Errorf("connect to %s: %w", p.name, err)
	}
	if first != then {
		for len(p.tables) > 0 {
			if _, err := db.ExecContext(ctx, p.tables[0]); err != nil {
				return err
			}
			p.tables = p.tables[1:]
		}
		_ = db.Close()
		if db, err = sql.Open(driver, then); err != nil {
			return err
		}
	}
	db.SetMaxIdleConns(64)
	p.db = db
	return nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
