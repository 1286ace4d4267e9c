package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// listening keeps what the server sends last.
type listening struct {
	net.Conn
	last []byte
}

func (l *listening) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.last = append(l.last, p[:n]...)
	return n, err
}

// Write begins another exchange.
func (l *listening) Write(p []byte) (int, error) {
	l.last = l.last[:0]
	return l.Conn.Write(p)
}

// info is the text of the packet that ends a statement without rows: behind the numbers of rows and of the last
// row, each of up to three bytes here, the status and the count of warnings.
func (l *listening) info(t *testing.T) string {
	t.Helper()
	b := l.last
	if len(b) < 11 || int(b[0])|int(b[1])<<8+4 != len(b) || b[4] != 0 {
		t.Fatalf("no packet that ends a statement: %x", b)
	}
	b = b[5:]
	for range 2 {
		if b[0] == 0xfc {
			b = b[2:]
		}
		b = b[1:]
	}
	if len(b) == 4 {
		return ""
	}
	return string(b[5:]) // behind its length
}

// TestInfo: what a statement tells beside its counts. The texts are MariaDB's, which was asked the same.
func TestInfo(t *testing.T) {
	addr := harness.Start(t).Addr().String()
	l := &listening{}
	mysql.RegisterDialContext("listening", func(context.Context, string) (net.Conn, error) {
		var err error
		l.Conn, err = net.Dial("tcp", addr)
		return l, err
	})
	db, err := sql.Open("mysql", "root@listening(x)/?allowAllFiles=true")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	loaded := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(loaded, []byte("1,1,1\n200,20,2\n201,30,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ statement, want string }{
		{"CREATE DATABASE d", ""},
		{"CREATE TABLE d.t (a INT PRIMARY KEY, b INT, c TINYINT, UNIQUE (b))", ""},
		{"INSERT INTO d.t VALUES (3,3,3)", ""},
		{"INSERT INTO d.t VALUES (1,1,1),(2,2,2)", "Records: 2  Duplicates: 0  Warnings: 0"},
		{"INSERT IGNORE INTO d.t VALUES (1,1,1)", ""},
		{"INSERT IGNORE INTO d.t VALUES (1,1,1),(4,4,4)", "Records: 2  Duplicates: 1  Warnings: 1"},
		{"INSERT INTO d.t (a,c) SELECT a+10,c FROM d.t", "Records: 4  Duplicates: 0  Warnings: 0"},
		{"INSERT INTO d.t (a,c) SELECT a+20,c FROM d.t WHERE a > 90", "Records: 0  Duplicates: 0  Warnings: 0"},
		{"UPDATE d.t SET c=5 WHERE a<4", "Rows matched: 3  Changed: 3  Warnings: 0"},
		{"UPDATE d.t SET c=5 WHERE a<4", "Rows matched: 3  Changed: 0  Warnings: 0"},
		{"REPLACE INTO d.t VALUES (1,1,1),(2,9,9)", "Records: 2  Duplicates: 2  Warnings: 0"},
		{"REPLACE INTO d.t VALUES (1,9,1),(3,2,9)", "Records: 2  Duplicates: 3  Warnings: 0"},
		{"INSERT INTO d.t(a,b) VALUES (1,1),(77,1) ON DUPLICATE KEY UPDATE c=c+1", "Records: 2  Duplicates: 1  Warnings: 0"},
		{"INSERT INTO d.t(a,b) VALUES (1,1),(78,11) ON DUPLICATE KEY UPDATE c=c", "Records: 2  Duplicates: 0  Warnings: 0"},
		{"INSERT INTO d.t(a,b) SELECT 1,1 UNION SELECT 79,12 ON DUPLICATE KEY UPDATE c=c+1",
			"Records: 2  Duplicates: 1  Warnings: 0"},
		{"DELETE FROM d.t WHERE a > 10", ""},
		{"SET sql_mode=''", ""},
		{"INSERT INTO d.t(a,c) VALUES (100,999),(101,1)", "Records: 2  Duplicates: 0  Warnings: 1"},
		{"SET GLOBAL local_infile=1", ""},
		{"LOAD DATA LOCAL INFILE '" + loaded + "' INTO TABLE d.t FIELDS TERMINATED BY ','",
			"Records: 3  Deleted: 0  Skipped: 1  Warnings: 1"},
		{"LOAD DATA LOCAL INFILE '" + loaded + "' REPLACE INTO TABLE d.t FIELDS TERMINATED BY ','",
			"Records: 3  Deleted: 3  Skipped: 0  Warnings: 0"},
		{"CREATE TABLE d.t2 AS SELECT * FROM d.t", fmt.Sprintf("Records: %d  Duplicates: 0  Warnings: 0", 7)},
		{"DROP TABLE d.t2", ""},
		{"SET GLOBAL local_infile=0", ""},
	} {
		if _, err := db.Exec(c.statement); err != nil {
			t.Fatalf("%s: %v", c.statement, err)
		}
		if got := l.info(t); got != c.want {
			t.Errorf("%s: %q, want %q", c.statement, got, c.want)
		}
	}
	var column, rest string
	for _, c := range []struct{ statement, want string }{
		{"SHOW TABLES FROM d LIKE 't%'", "Tables_in_d (t%)"},
		{"SHOW DATABASES LIKE 'd'", "Database (d)"},
	} {
		rows, err := db.Query(c.statement)
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err == nil && rows.Next() {
			err = rows.Scan(&rest)
		}
		if column = strings.Join(names, ","); err != nil || rows.Close() != nil || column != c.want {
			t.Errorf("%s: %s, %v", c.statement, column, err)
		}
	}
	if got := harness.Text(t, db, "CHECK TABLE d.t"); got != "OK" {
		t.Error(got)
	}
}
