package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestAutocommitRetry: statements that are transactions of their own don't show
// conflicts to their clients, and none is applied twice.
func TestAutocommitRetry(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		`INSERT INTO t (_doc) VALUES ('{"_id":"a","n":0}')`)
	const clients, each = 3, 50 // where many more meet, an unlucky one may be told 1213
	var wg sync.WaitGroup
	for range clients {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c, err := db.Conn(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for range each {
				if _, err := c.ExecContext(context.Background(), "UPDATE t SET n = n + 1 WHERE _id = 'a'"); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if n := harness.Number(t, db, "SELECT n FROM t"); n != clients*each {
		t.Errorf("n is %d after %d increments", n, clients*each)
	}
	harness.CheckAll(t, db)
}

// TestConflictInTransaction: within BEGIN … COMMIT the client gets 1213 and
// decides itself; COMMIT is not run again, which would lose the writes.
func TestConflictInTransaction(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 0)")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	harness.MustExec(t, tx, "UPDATE t SET n = n + 1")
	harness.MustExec(t, db, "UPDATE t SET n = n + 10")
	var e *mysql.MySQLError
	if err := tx.Commit(); !errors.As(err, &e) || e.Number != 1213 || string(e.SQLState[:]) != "40001" {
		t.Errorf("commit: %v", err)
	}
	if n := harness.Number(t, db, "SELECT n FROM t"); n != 10 {
		t.Errorf("n is %d", n)
	}
}

// TestDisconnect: a client that is gone commits nothing and blocks nobody.
func TestDisconnect(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)")
	other := harness.Connect(t, s.Addr(), "d", "")
	c, err := other.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	harness.MustExec(t, c, "BEGIN", "INSERT INTO t VALUES (1)")
	var id int64
	if err := c.QueryRowContext(context.Background(), "SELECT connection_id()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	if err := c.Raw(func(conn any) error { return conn.(interface{ Close() error }).Close() }); err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	harness.MustExec(t, db, "INSERT INTO t VALUES (1)")
	harness.Eventually(t, func() string { return "the session outlives its connection" }, func() bool {
		_, there := s.Backend().Session(uint32(id))
		return !there
	})
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// TestNewKeypathEverywhere: a keypath that one connection writes can be named
// by the next statement of every other, open ones included.
func TestNewKeypathEverywhere(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	ctx := context.Background()
	conns := make([]*sql.Conn, 3)
	for i := range conns {
		c, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns[i] = c
	}
	for i := range 20 {
		writer, name := conns[i%3], fmt.Sprintf("k%d", i)
		harness.MustExec(t, writer, fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"%d","%s":%d}')`, i, name, i))
		for _, c := range conns {
			var n int64
			if err := c.QueryRowContext(ctx, "SELECT "+name+" FROM t WHERE "+name+" IS NOT NULL").Scan(&n); err != nil ||
				n != int64(i) {
				t.Fatalf("%s: %d, %v", name, n, err)
			}
		}
	}
}

// TestThousandthRow: a statement that fails on its thousandth row leaves
// nothing behind, in and outside a transaction.
func TestThousandthRow(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	var b strings.Builder
	b.WriteString("INSERT INTO t (_doc) VALUES ")
	for i := range 999 {
		fmt.Fprintf(&b, `('{"_id":"r%d","n":%d}'),`, i, i)
	}
	good := strings.TrimSuffix(b.String(), ",")
	bad := b.String() + `('{"_id":"r5"}')`
	if _, err := db.Exec(bad); err == nil {
		t.Fatal("the duplicate was taken")
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 0 {
		t.Errorf("%d rows", n)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	harness.MustExec(t, tx, `INSERT INTO t (_doc) VALUES ('{"_id":"before"}')`)
	if _, err := tx.Exec(bad); err == nil {
		t.Fatal("the duplicate was taken")
	}
	harness.MustExec(t, tx, `INSERT INTO t (_doc) VALUES ('{"_id":"after"}')`, good)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 1001 {
		t.Errorf("%d rows", n)
	}
	harness.CheckAll(t, db)
}

// TestTooLarge: what exceeds a limit is refused with the size and the limit.
func TestTooLarge(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	doc := `{"_id":"big","s":"` + strings.Repeat("x", 5<<20) + `"}`
	_, err := db.Exec("INSERT INTO t (_doc) VALUES ('" + doc + "')")
	var e *mysql.MySQLError
	if !errors.As(err, &e) || e.Number != 1406 || !strings.Contains(e.Message, "4194304") {
		t.Errorf("a document of 5 MiB: %.300v", err)
	}
	if _, err = db.Exec("INSERT INTO t (_doc) VALUES ('" + strings.Repeat(`{"a":`, 10000) + "1" + strings.Repeat("}",
		10000) + "')"); !errors.As(err, &e) || e.Number != 3157 {
		t.Errorf("10,000 levels: %.300v", err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for i := 0; ; i++ {
		if i == 10 {
			t.Fatal("30 MB were taken in one transaction")
		}
		_, err = tx.Exec(fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"%d","s":"%s"}')`, i,
			strings.Repeat("y", 3_000_000)))
		if err != nil {
			break
		}
	}
	if !errors.As(err, &e) || e.Number != 1197 || !strings.Contains(e.Message, "10,000,000 bytes") {
		t.Errorf("a transaction of more than 10 MB: %.300v", err)
	}
	if err := tx.Commit(); err != nil {
		t.Errorf("the transaction doesn't go on: %v", err)
	}
	harness.CheckAll(t, db)
}

// TestHostileInput: statements and documents that no client should send get
// errors, and the server goes on.
func TestHostileInput(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	for _, stmt := range []string{
		"", ";", "SELECT", "SELECT * FROM", "CHECK TABLE", "CHECK TABLE `", "SELECT * FROM sqlfdb.`check\x1f`",
		"SELECT * FROM sqlfdb.`check\x1fa`",
		"INSERT INTO t (`a[*]`) VALUES (1)", "SELECT `a[*].b` FROM t", "SELECT `a[` FROM t", "SELECT `\"` FROM t",
		"SELECT `` FROM t",
		"INSERT INTO t (_doc) VALUES ('\x00')", "INSERT INTO t (_doc) VALUES ('{\"a\":\"\xff\"}')",
		"INSERT INTO t (x) VALUES ('\xff\xfe')",
		"INSERT INTO t (_doc) VALUES (5)", "INSERT INTO t (_doc) VALUES (NULL)",
		"INSERT INTO t (_doc, _doc) VALUES ('{}', '{}')",
		"INSERT INTO t (`a.b`, a) VALUES (1, 2)", "INSERT INTO t (_id) VALUES ('" + strings.Repeat("k", 5000) + "')",
		"UPDATE t SET _doc = NULL", "UPDATE t SET _doc = 5", "UPDATE t SET _id = NULL",
		"ALTER TABLE t DROP COLUMN _id", "ALTER TABLE t ADD COLUMN _doc JSON", "ALTER TABLE nothing ADD COLUMN x INT",
		"DROP DATABASE sqlfdb", "CREATE DATABASE sqlfdb", "INSERT INTO sqlfdb.tables VALUES (1)", "DELETE FROM t__changes",
		"INSERT INTO t__changes VALUES (1)",
		"CREATE TABLE x (_doc INT)", "CREATE TABLE x (a INT, A INT)", "CREATE TABLE x (_doc JSON PRIMARY KEY)",
		"CREATE TABLE sqlfdb.x (a INT)",
		"SELECT 1/0", "EXECUTE nothing", "KILL 999999", "SET sqlfdb_use_index = 'maybe'", "COMMIT", "ROLLBACK",
		"ROLLBACK TO SAVEPOINT nothing", "RELEASE SAVEPOINT nothing",
	} {
		_, err := db.Exec(stmt)
		var e *mysql.MySQLError
		if errors.As(err, &e) && strings.Contains(e.Message, "internal error") {
			t.Errorf("%.80q: %v", stmt, err)
		}
		if err := db.Ping(); err != nil {
			t.Fatalf("%.80q: the server is gone: %v", stmt, err)
		}
	}
	harness.CheckAll(t, db)
}

// TestPassword: beyond this machine only with a password, which is then asked for.
func TestPassword(t *testing.T) {
	store := harness.NewStore(t)
	defer store.Close()
	ctx := context.Background()
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.com:0"} {
		if s, err := server.Start(ctx, store, server.Options{Listen: address}); !errors.Is(err, server.ErrNoPassword) {
			t.Errorf("%s: %v", address, err)
			if s != nil {
				_ = s.Close(ctx)
			}
		}
	}
	s, err := server.Start(ctx, store, server.Options{Listen: "0.0.0.0:0", RootPassword: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(ctx)
	port := s.Addr().(*net.TCPAddr).Port
	for _, c := range []struct {
		dsn string
		ok  bool
	}{{"root:secret", true}, {"root", false}, {"root:wrong", false}, {"nobody", false}} {
		db, err := sql.Open("mysql", fmt.Sprintf("%s@tcp(127.0.0.1:%d)/", c.dsn, port))
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		if err = db.Ping(); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.dsn, err)
		}
		if c.ok {
			harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(36) PRIMARY KEY, _doc JSON)",
				`INSERT INTO d.t (_doc) VALUES ('{"a":1}')`, "UPDATE d.t SET a = 2", "USE d", "CREATE VIEW v AS SELECT a FROM t")
			if n := harness.Number(t, db, "SELECT a FROM v"); n != 2 {
				t.Errorf("a is %d", n)
			}
			harness.MustExec(t, db, "DELETE FROM d.t", "DROP DATABASE d")
		}
		db.Close()
	}
}

// TestRestart: what was acknowledged is there after the server has gone and
// come back on the same store.
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	for round := range 3 {
		store := harness.OpenIn(t, dir)
		s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("mysql", "root@tcp("+s.Addr().String()+")/")
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY AUTO_INCREMENT, n INT)")
		}
		harness.MustExec(t, db, fmt.Sprintf("INSERT INTO d.t (n) VALUES (%d)", round))
		if n := harness.Number(t, db, "SELECT COUNT(*) FROM d.t"); n != int64(round+1) {
			t.Errorf("%d rows in round %d", n, round)
		}
		harness.CheckAll(t, db)
		_ = db.Close()
		if err := s.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoadData: LOAD DATA LOCAL takes documents and columns; the server's own
// files are not to be had.
func TestLoadData(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(36) PRIMARY KEY, _doc JSON)", "SET GLOBAL local_infile = 1")
	mysql.RegisterReaderHandler("documents", func() io.Reader {
		return strings.NewReader("{\"_id\":\"a\",\"n\":12345678901234567890123}\n{\"_id\":\"b\"}\n")
	})
	mysql.RegisterReaderHandler("columns", func() io.Reader { return strings.NewReader("c;5;x\nd;6;y\n") })
	mysql.RegisterReaderHandler("duplicate", func() io.Reader { return strings.NewReader("e;1;x\nc;2;y\n") })
	harness.MustExec(t, db,
		"LOAD DATA LOCAL INFILE 'Reader::columns' INTO TABLE t FIELDS TERMINATED BY ';' (_id, n, `s.t`)",
		"LOAD DATA LOCAL INFILE 'Reader::documents' INTO TABLE t FIELDS TERMINATED BY ';' (_doc)")
	// As in MySQL, LOCAL leaves out duplicates with a warning.
	harness.MustExec(t, db,
		"LOAD DATA LOCAL INFILE 'Reader::duplicate' INTO TABLE t FIELDS TERMINATED BY ';' (_id, n, s)")
	if n := harness.Number(t, db, "SELECT COUNT(*) FROM t"); n != 5 {
		t.Errorf("%d rows", n)
	}
	for _, stmt := range []string{"LOAD DATA INFILE '/etc/hostname' INTO TABLE t (_id)",
		"SELECT 1 INTO OUTFILE '/tmp/sqlfdb-test-outfile'"} {
		if _, err := db.Exec(stmt); err == nil {
			t.Errorf("%s was allowed", stmt)
		}
	}
	var content sql.NullString
	if err := db.QueryRow("SELECT LOAD_FILE('/etc/hostname')").Scan(&content); err == nil && content.Valid {
		t.Error("LOAD_FILE read the server's file")
	}
	harness.CheckAll(t, db)
}

// TestShutdownFinishes: what runs when the server is told to stop runs to its
// end; nothing new begins.
func TestShutdownFinishes(t *testing.T) {
	ctx := context.Background()
	store := harness.NewStore(t)
	defer store.Close()
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)")
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.ExecContext(ctx, "INSERT INTO d.t SELECT 1 + SLEEP(1)")
		done <- err
	}()
	harness.Eventually(t, func() string { return "the statement does not run" }, func() bool {
		return len(done) > 0 || harness.Number(
			t, db, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'INSERT INTO d.t%'") == 1
	})
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("the running statement: %v", err)
	}
	if err := db.Ping(); err == nil {
		t.Error("the server still answers")
	}
}
