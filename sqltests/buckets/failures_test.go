package buckets

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// distant is a store that answers late, or not at all.
type distant struct {
	store.Store
	delay atomic.Int64 // nanoseconds before each answer
	fails atomic.Bool  // with an error of its own
}

var errBroken = errors.New("broken on purpose")

func (d *distant) meet(ctx context.Context) error {
	select {
	case <-time.After(time.Duration(d.delay.Load())):
	case <-ctx.Done():
		return ctx.Err()
	}
	if d.fails.Load() {
		return errBroken
	}
	return nil
}

// Get implements store.Store.
func (d *distant) Get(ctx context.Context, key, known string) (store.Object, error) {
	if err := d.meet(ctx); err != nil {
		return store.Object{}, err
	}
	return d.Store.Get(ctx, key, known)
}

// Put implements store.Store.
func (d *distant) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	if err := d.meet(ctx); err != nil {
		return "", err
	}
	return d.Store.Put(ctx, key, body, cond)
}

// Delete implements store.Store.
func (d *distant) Delete(ctx context.Context, key string, cond store.Condition) error {
	if err := d.meet(ctx); err != nil {
		return err
	}
	return d.Store.Delete(ctx, key, cond)
}

// List implements store.Store.
func (d *distant) List(ctx context.Context, prefix string, o store.ListOptions) (store.Page, error) {
	if err := d.meet(ctx); err != nil {
		return store.Page{}, err
	}
	return d.Store.List(ctx, prefix, o)
}

// startDistant is start over a store that is told when it answers.
func startDistant(t *testing.T) (*bucket, *distant) {
	t.Helper()
	d := &distant{}
	b := start(t, func(s store.Store) store.Store {
		d.Store = s
		return d
	})
	return b, d
}

// TestLate: 30 ms away, documents come side by side; and a statement that waits for a bucket that does not answer ends
// when it is killed, and when its time is over.
func TestLate(t *testing.T) {
	b, d := startDistant(t)
	b.create("pets", ", KEY kind_1 (kind)")
	b.run("INSERT INTO pets (_id, kind, n) WITH RECURSIVE s (i) AS " +
		"(SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 300) " +
		"SELECT CONCAT('p', i), IF(i % 3, 'cat', 'dog'), i FROM s")
	d.delay.Store(int64(30 * time.Millisecond))
	began := time.Now()
	b.is("SELECT COUNT(*), SUM(n) FROM pets WHERE kind = 'dog'", "100 15150")
	// 30 ms for the entry, and for each of four rounds of documents. One after the other would be three seconds.
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("100 documents take %s", took)
	}
	d.delay.Store(int64(time.Hour))
	b.fails("SELECT /*+ MAX_EXECUTION_TIME(200) */ n FROM pets WHERE kind = 'dog'", 3024, "")
	other, err := b.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var id int64
	if err := other.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"SELECT SUM(n) FROM pets", "UPDATE pets SET n = 0 WHERE _id = 'p1'",
		"INSERT INTO pets (_id) VALUES ('new')"} {
		ended := make(chan error, 1)
		go func() {
			_, err := other.ExecContext(context.Background(), statement)
			ended <- err
		}()
		time.Sleep(100 * time.Millisecond)
		b.run(fmt.Sprintf("KILL QUERY %d", id))
		select {
		case err := <-ended:
			if harness.ErrorNumber(err) != 1317 {
				t.Errorf("%s: %v", statement, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s outlives KILL QUERY", statement)
		}
	}
}

// TestBroken: a bucket that fails is told of, and what is in other tables is there meanwhile; a table in it can be
// shown and dropped.
func TestBroken(t *testing.T) {
	b, d := startDistant(t)
	b.create("pets", "")
	b.run("INSERT INTO pets (_id, n) VALUES ('a', 1)", "CREATE TABLE plain (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"INSERT INTO plain (_id, n) VALUES ('a', 2)")
	b.is("SELECT n FROM pets", "1")
	d.fails.Store(true)
	b.fails("SELECT n FROM pets WHERE _id = 'a'", 1430, "The bucket can't be used")
	b.is("SELECT n FROM plain", "2")
	b.is("SHOW TABLES", "pets; plain")
	if shown := b.rows("SHOW CREATE TABLE pets"); !strings.Contains(shown, "ENGINE=BUCKET") {
		t.Error(shown)
	}
	d.fails.Store(false)
	b.is("SELECT n FROM pets", "1")
	d.fails.Store(true)
	b.run("DROP TABLE pets")
	b.is("SHOW TABLES", "plain")
}

// TestRestart: a server that starts again has its tables in buckets.
func TestRestart(t *testing.T) {
	b := start(t, nil)
	dir := t.TempDir()
	for i, want := range []string{"Milo", "Milo Rex", "Milo Rex Rex"} {
		kept, err := pebblekv.Open(dir, pebblekv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.Start(context.Background(), kept, server.Options{Listen: "127.0.0.1:0", Log: harness.TestLog{T: t}})
		if err != nil {
			t.Fatal(err)
		}
		db := harness.Connect(t, s.Addr(), "", "")
		if i == 0 {
			harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.pets (_id VARCHAR(255) PRIMARY KEY, _doc JSON) "+
				"ENGINE=BUCKET CONNECTION='"+b.address("")+"'", "INSERT INTO d.pets (_id, name) VALUES ('a', 'Milo')")
		} else {
			harness.MustExec(t, db, fmt.Sprintf("INSERT INTO d.pets (_id, name) VALUES ('r%d', 'Rex')", i))
		}
		if have := harness.Text(t, db, "SELECT GROUP_CONCAT(name ORDER BY _id SEPARATOR ' ') FROM d.pets"); have != want {
			t.Errorf("%q, want %q", have, want)
		}
		db.Close()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestChangedMeanwhile: a document that another has changed since it was read is not overwritten.
func TestChangedMeanwhile(t *testing.T) {
	b := start(t, nil)
	b.create("counters", "")
	b.run("INSERT INTO counters (_id, n) VALUES ('a', 0)")
	ended := make(chan error, 4)
	for range 4 {
		go func() {
			for range 5 {
				for {
					_, err := b.db.Exec("UPDATE counters SET n = n + 1 WHERE _id = 'a'")
					if harness.ErrorNumber(err) == 1213 {
						continue
					}
					if err != nil {
						ended <- err
						return
					}
					break
				}
			}
			ended <- nil
		}()
	}
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	b.is("SELECT n FROM counters", "20")
}
