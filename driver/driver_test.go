package driver_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	_ "github.com/sqlfdb/sqlfdb/driver"
)

func open(t testing.TB, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlfdb", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

var engine = flag.String("engine", "pebble", "where the stores are: pebble, or fdb in a build under that tag")

func fresh(t testing.TB) (db *sql.DB, name string) {
	path := filepath.Join(t.TempDir(), "store")
	if *engine == "fdb" {
		clusterAt(t, path)
	}
	name = *engine + ":" + path
	return open(t, name+"?database=shop"), name
}

func exec(t testing.TB, db interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
}, text string, args ...any) sql.Result {
	t.Helper()
	r, err := db.ExecContext(t.Context(), text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

func one[T any](t testing.TB, db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, text string, args ...any) (v T) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), text, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// TestValues: every value comes back as it went in.
func TestValues(t *testing.T) {
	db, _ := fresh(t)
	exec(t, db, `CREATE TABLE v (id INT PRIMARY KEY AUTO_INCREMENT, u BIGINT UNSIGNED, i BIGINT, n DECIMAL(30, 10),
		f DOUBLE, s VARCHAR(50), b BLOB, d DATE, at DATETIME(6), ts TIMESTAMP, tm TIME, j JSON, ok BOOLEAN, y YEAR)`)
	at := time.Date(2024, 2, 29, 23, 59, 58, 123456000, time.UTC)
	bytes := []byte{0, 0xff, '\'', '\\', 10}
	doc := json.RawMessage(`{"price":12.50,"big":12345678901234567890123,"s":"\u00e9"}`)
	r := exec(t, db, "INSERT INTO v (u, i, n, f, s, b, d, at, ts, tm, j, ok, y) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		uint64(math.MaxUint64), int64(math.MinInt64), "12345678901234567890.0123456789", 0.1, "Zoë's \\ 日本", bytes,
		at, at, at, "12:34:56", doc, true, 2024)
	if id, err := r.LastInsertId(); id != 1 || err != nil {
		t.Error(id, err)
	}
	exec(t, db, "INSERT INTO v (s) VALUES (?)", nil)
	for _, text := range []string{"SELECT * FROM v WHERE id = 1", "SELECT * FROM v WHERE id = ?"} {
		args := []any{1}[:strings.Count(text, "?")]
		rows, err := db.Query(text, args...)
		if err != nil {
			t.Fatal(err)
		}
		types, err := rows.ColumnTypes()
		if err != nil || !rows.Next() {
			t.Fatal(err, rows.Err())
		}
		values, into := make([]any, len(types)), make([]any, len(types))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		day := at.Truncate(24 * time.Hour)
		want := []any{int64(1), uint64(math.MaxUint64), int64(math.MinInt64), "12345678901234567890.0123456789", 0.1,
			"Zoë's \\ 日本", bytes, day, at, at.Truncate(time.Second), "12:34:56", nil, int64(1), int64(2024)}
		for i, v := range values {
			if types[i].DatabaseTypeName() == "JSON" {
				if types[i].ScanType() != reflect.TypeFor[json.RawMessage]() {
					t.Errorf("JSON is scanned into %v", types[i].ScanType())
				}
				continue
			}
			if !reflect.DeepEqual(v, want[i]) {
				t.Errorf("%s: %s is %T %v, want %T %v", text, types[i].Name(), v, v, want[i], want[i])
			}
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
	have := one[json.RawMessage](t, db, "SELECT j FROM v WHERE id = 1")
	if !json.Valid(have) || !strings.Contains(string(have), "12345678901234567890123") {
		t.Errorf("%s", have)
	}
	if have := one[string](t, db, "SELECT j->'$.price' FROM v WHERE id = 1"); have != "12.50" {
		t.Error(have)
	}
	if n := one[sql.NullTime](t, db, "SELECT at FROM v WHERE id = 2"); n.Valid {
		t.Error(n)
	}
	count := "SELECT COUNT(*) FROM v WHERE at = ? AND u = ? AND j->>'$.s' = ?"
	if n := one[int](t, db, count, at, uint64(math.MaxUint64), "é"); n != 1 {
		t.Error(n)
	}
}

// TestStatements: prepared statements, transactions, errors.
func TestStatements(t *testing.T) {
	db, _ := fresh(t)
	exec(t, db, "CREATE TABLE people (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	insert, err := db.Prepare("INSERT INTO people (_doc) VALUES (?)")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		r, err := insert.Exec(json.RawMessage(`{"_id":"` + name + `","age":41,"address":{"city":"Bern"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := r.RowsAffected(); n != 1 {
			t.Error(n)
		}
	}
	if err := insert.Close(); err != nil {
		t.Error(err)
	}
	if n := one[int](t, db, "SELECT COUNT(*) FROM people WHERE `address.city` = ?", "Bern"); n != 3 {
		t.Error(n)
	}
	tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelSerializable})
	if err != nil {
		t.Fatal(err)
	}
	exec(t, tx, "DELETE FROM people")
	if n := one[int](t, tx, "SELECT COUNT(*) FROM people"); n != 0 {
		t.Error(n)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if tx, err = db.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	var e *mysql.MySQLError
	if _, err := tx.Exec("DELETE FROM people"); !errors.As(err, &e) || e.Number != 1792 {
		t.Error(err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	for text, number := range map[string]uint16{
		"SELECT * FROM peeple": 1146, "SELEC": 1064, "INSERT INTO people (_id) VALUES ('a')": 1062,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE people": 0,
	} {
		if _, err := db.Exec(text); err == nil || number != 0 && (!errors.As(err, &e) || e.Number != number) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := db.Query("SELECT ?", 1, 2); err == nil {
		t.Error("a parameter too many")
	}
	if n := one[int](t, db, "SELECT COUNT(*) FROM people"); n != 3 {
		t.Error(n)
	}
}

// TestConflict: of two transactions that meet, one is told to run again.
func TestConflict(t *testing.T) {
	db, _ := fresh(t)
	exec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)")
	exec(t, db, "INSERT INTO t VALUES (1, 0)")
	a, errA := db.Begin()
	b, errB := db.Begin()
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	exec(t, a, "UPDATE t SET n = n + 1")
	exec(t, b, "UPDATE t SET n = n + 1")
	var e *mysql.MySQLError
	if err := errors.Join(a.Commit(), b.Commit()); !errors.As(err, &e) || e.Number != 1213 {
		t.Error(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				if _, err := db.Exec("UPDATE t SET n = n + 1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := one[int](t, db, "SELECT n FROM t"); n != 81 {
		t.Error(n)
	}
}

// TestIsolation: a transaction has the level that is asked for. Below serializable, what it has read may change.
func TestIsolation(t *testing.T) {
	db, _ := fresh(t)
	exec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT)")
	exec(t, db, "INSERT INTO t VALUES (1, 0), (2, 0)")
	for level := sql.LevelDefault; level <= sql.LevelLinearizable; level++ {
		tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level})
		if err != nil {
			t.Fatal(level, err)
		}
		one[int](t, tx, "SELECT n FROM t WHERE id = 1")
		exec(t, tx, "UPDATE t SET n = n + 1 WHERE id = 2")
		exec(t, db, "UPDATE t SET n = n + 1 WHERE id = 1")
		free := level != sql.LevelDefault && level < sql.LevelSerializable
		if err := tx.Commit(); (err == nil) != free {
			t.Errorf("%v: %v", level, err)
		}
	}
	if _, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: 99}); err == nil {
		t.Error("a level that there is not")
	}
}

// TestContexts: a context that ends, ends its statement; the session goes on.
func TestContexts(t *testing.T) {
	db, _ := fresh(t)
	exec(t, db, "CREATE TABLE n (i INT PRIMARY KEY)")
	exec(t, db, "INSERT INTO n WITH RECURSIVE c AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM c WHERE i < 900) "+
		"SELECT i FROM c")
	c, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	exec(t, c, "SET @kept = 7")
	const long = "SELECT COUNT(*) FROM n a, n b, n c WHERE a.i + b.i + c.i < 0"
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := c.ExecContext(ctx, long); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	var n int
	if err := c.QueryRowContext(ctx, long).Scan(&n); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Rows that are left behind.
	rows, err := c.QueryContext(t.Context(), "SELECT a.i FROM n a, n b, n c")
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	if n := one[int](t, c, "SELECT @kept"); n != 7 {
		t.Error(n)
	}
}

// TestOneStore: a program's databases that name one store share it, and others are kept out until the last is closed.
func TestOneStore(t *testing.T) {
	db, name := fresh(t)
	exec(t, db, "CREATE TABLE t (id INT PRIMARY KEY)")
	dir := strings.TrimPrefix(name, *engine+":")
	t.Chdir(filepath.Dir(dir))
	other := open(t, *engine+":./store?database=shop")
	exec(t, other, "INSERT INTO t VALUES (1)")
	if n := one[int](t, db, "SELECT COUNT(*) FROM t"); n != 1 {
		t.Error(n)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if n := one[int](t, other, "SELECT COUNT(*) FROM t"); n != 1 {
		t.Error(n)
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
	again := open(t, name+"?database=shop&parseTime=false&cache=16777216")
	if n := one[string](t, again, "SELECT CAST('2024-01-02' AS DATE)"); n != "2024-01-02" {
		t.Error(n)
	}
	c, err := again.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	exec(t, again, "KILL "+one[string](t, c, "SELECT CONNECTION_ID()"))
	if err := c.PingContext(t.Context()); err == nil {
		t.Error("a killed session answers")
	}
	if n := one[int](t, again, "SELECT COUNT(*) FROM t"); n != 1 {
		t.Error(n)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"": "want pebble:DIR", "nowhere": "want pebble:DIR", "sqlite:x": "unknown engine", "pebble:x?databse=y": "databse",
		"pebble:x?parseTime=perhaps": "parseTime", "pebble:/dev/null/x": "not a directory",
	} {
		db, err := sql.Open("sqlfdb", name)
		if err == nil {
			err = db.Ping()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestQuiet: the engine writes nothing into its host's log.
func TestQuiet(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = w
	defer func() { os.Stderr = stderr }()
	db, _ := fresh(t)
	_, _ = db.Exec("SELECT * FROM nothing")
	_, _ = db.Prepare("SELECT * FROM nothing")
	_ = db.Close()
	_ = w.Close()
	text := make([]byte, 1024)
	if n, _ := r.Read(text); n > 0 {
		t.Errorf("%s", text[:n])
	}
}
