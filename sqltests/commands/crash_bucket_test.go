package commands

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// chooseOfBucket is choose for a table in a bucket, where a statement is a transaction by itself.
func (w *crashWriter) chooseOfBucket() change {
	key, ok := w.some()
	other, two := w.some()
	switch n := w.rand.IntN(10); {
	case ok && n < 2:
		doc := w.document(key, w.rand.IntN(1000))
		return change{[]string{"UPDATE t SET _doc = ? WHERE _id = ?"}, [][]any{{doc, key}}, []string{key}, []string{doc}}
	case ok && two && key != other && n < 5: // two documents, which move in both indexes
		a, b := w.document(key, w.rand.IntN(1000)), w.document(other, w.rand.IntN(1000))
		return change{[]string{"UPDATE t SET _doc = IF(_id = ?, ?, ?) WHERE _id IN (?, ?)"},
			[][]any{{key, a, b, key, other}}, []string{key, other}, []string{a, b}}
	case ok && two && key != other && n < 6:
		return change{[]string{"DELETE FROM t WHERE _id IN (?, ?)"}, [][]any{{key, other}}, []string{key, other},
			[]string{absent, absent}}
	}
	a, b, c := w.fresh(), w.fresh(), w.fresh()
	da, db, dc := w.document(a, 1), w.document(b, 2), w.document(c, 3)
	return change{[]string{"INSERT INTO t (_doc) VALUES (?), (?), (?)"}, [][]any{{da, db, dc}}, []string{a, b, c},
		[]string{da, db, dc}}
}

// TestCrashBucket kills a server while clients write to a table in a bucket, and while it is moved there and back: what
// was acknowledged is there, each statement is there whole or not at all, and CHECK TABLE finds nothing.
func TestCrashBucket(t *testing.T) {
	seed := testseed.Of(t, "crash-seed", *crashSeed)
	random := rand.New(rand.NewPCG(seed, 1))
	dir, shelf := t.TempDir(), t.TempDir()
	writers := make([]*crashWriter, crashWriters)
	for i := range writers {
		writers[i] = &crashWriter{id: i, rand: rand.New(rand.NewPCG(seed, uint64(100+i))), known: map[string]string{}}
		writers[i].pick = writers[i].chooseOfBucket
	}
	into := func(folder string) string {
		return " ENGINE=BUCKET CONNECTION='file://" + shelf + "?collection=" + folder + "'"
	}
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON, KEY v_1 (v), KEY w_1_v_1 (`nested.writer`, v))"+into("t"))
	for round := range max(2, *crashRounds/2) {
		db := harness.Connect(t, p.Addr, "d", "")
		var running sync.WaitGroup
		for _, w := range writers {
			conn, err := db.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			running.Add(1)
			go func() {
				defer running.Done()
				w.work(t, conn)
				_ = conn.Close()
			}()
		}
		if round%2 == 1 {
			running.Add(1)
			go func() {
				defer running.Done()
				for n := 0; ; n++ {
					time.Sleep(50 * time.Millisecond)
					_, err := db.Exec("ALTER TABLE t ENGINE=SQLFDB")
					if err == nil {
						_, err = db.Exec("ALTER TABLE t" + into(fmt.Sprintf("t%d_%d", round, n)))
					}
					if err != nil {
						t.Logf("round %d: move %d: %v", round, n, err)
						return
					}
				}
			}()
		}
		time.Sleep(time.Duration(100+random.IntN(1500)) * time.Millisecond)
		p.Kill()
		running.Wait()
		_ = db.Close()
		// The writer that was killed is taken for gone after a minute.
		marks, err := filepath.Glob(filepath.Join(shelf, "*", "sqlfdb", "writer.json"))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * time.Minute)
		for _, mark := range marks {
			if err := os.Chtimes(mark, old, old); err != nil {
				t.Fatal(err)
			}
		}
		p = harness.Spawn(t, harness.ServeCall(t, dir))
		db = harness.Connect(t, p.Addr, "d", "")
		verifyCrashed(t, db, writers)
		acked := 0
		for _, w := range writers {
			acked += w.acked
		}
		t.Logf("round %d: %d changes acknowledged so far", round, acked)
		if acked == 0 && round > 0 {
			t.Error("nobody writes")
		}
		_ = db.Close()
		if t.Failed() {
			t.FailNow()
		}
	}
	p.Stop()
}

// verifyCrashed compares the table with what the writers know.
func verifyCrashed(t *testing.T, db *sql.DB, writers []*crashWriter) {
	t.Helper()
	harness.Check(t, db, "d.t") // which ends what was begun
	all := stored(t, db, "d.t")
	for _, w := range writers {
		var n int
		mine := 0
		for id := range all {
			if len(id) > 2 && id[:2] == fmt.Sprintf("w%d", w.id) {
				mine++
			}
		}
		if err := db.QueryRow("SELECT COUNT(*) FROM t WHERE `nested.writer` = ?", w.id).Scan(&n); err != nil || n != mine {
			t.Errorf("writer %d: the index has %d documents, there are %d (%v)", w.id, n, mine, err)
		}
		w.verify(t, all)
	}
	for id, doc := range all {
		t.Errorf("a document that nobody has written: %s %.100s", id, doc)
	}
}
