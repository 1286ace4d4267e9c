package feeds

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// feedOperations counts what transactions do in the feeds of all collections, and to the keys that tell
// of changes.
type feedOperations struct {
	reads, clears, added, newest int
}

// tallyStore is a store that counts them.
type tallyStore struct {
	kv.Store
	mu  sync.Mutex
	ops feedOperations
}

// Tags of keys, as docs/rfcs/0001 and 0009 have them.
const (
	tagOfCollections = 40
	tagOfChanges     = 60
	tagOfNewest      = 80
)

// place is the tag of a key below its collection; 0 for others.
func placeOf(key []byte) int64 {
	root := tuple.AppendInt(tuple.AppendString(nil, "sf"), tagOfCollections)
	rest, ok := bytes.CutPrefix(key, root)
	if !ok {
		return 0
	}
	rest, err := tuple.Skip(rest)
	if err != nil {
		return 0
	}
	_, tag, err := tuple.DecodeInt(rest)
	if err != nil {
		return 0
	}
	return tag
}

func (s *tallyStore) count(key []byte, of func(*feedOperations)) {
	if tag := placeOf(key); tag == tagOfChanges {
		s.mu.Lock()
		defer s.mu.Unlock()
		of(&s.ops)
	} else if tag == tagOfNewest {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ops.newest++
	}
}

// taken are the operations since it was last asked.
func (s *tallyStore) taken() feedOperations {
	s.mu.Lock()
	defer s.mu.Unlock()
	ops := s.ops
	s.ops = feedOperations{}
	return ops
}

func (s *tallyStore) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &tallyTransaction{tx, tallyReader{tx, s}, s}, nil
}

type tallyReader struct {
	r     kv.Reader
	store *tallyStore
}

func (r tallyReader) Get(key []byte) kv.FutureValue {
	r.store.count(key, func(o *feedOperations) { o.reads++ })
	return r.r.Get(key)
}

func (r tallyReader) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	r.store.count(of.Start, func(o *feedOperations) { o.reads++ })
	return r.r.Range(of, opts)
}

func (r tallyReader) EstimateSize(of kv.Range) kv.FutureInt64 { return r.r.EstimateSize(of) }

type tallyTransaction struct {
	kv.Transaction
	reads tallyReader
	store *tallyStore
}

func (t *tallyTransaction) Get(key []byte) kv.FutureValue { return t.reads.Get(key) }

func (t *tallyTransaction) Snapshot() kv.Reader {
	return tallyReader{t.Transaction.Snapshot(), t.store}
}

func (t *tallyTransaction) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.reads.Range(of, opts)
}

func (t *tallyTransaction) Set(key, value []byte) {
	t.store.count(key, func(o *feedOperations) { o.added++ })
	t.Transaction.Set(key, value)
}

func (t *tallyTransaction) Clear(key []byte) {
	t.store.count(key, func(o *feedOperations) { o.clears++ })
	t.Transaction.Clear(key)
}

func (t *tallyTransaction) ClearRange(r kv.Range) {
	t.store.count(r.Start, func(o *feedOperations) { o.clears++ })
	t.Transaction.ClearRange(r)
}

func (t *tallyTransaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	t.store.count(key, func(o *feedOperations) { o.added++ })
	t.Transaction.SetVersionstampedKey(key, offset, value)
}

func (t *tallyTransaction) SetVersionstampedValue(key, value []byte, offset int) {
	t.store.count(key, func(*feedOperations) {})
	t.Transaction.SetVersionstampedValue(key, value, offset)
}

// TestFeedOperations: an insert adds one key to the feed; an update, a delete and an insert after a delete clear one
// and add one; nothing reads the feed; and a commit sets the key that tells of changes once.
func TestFeedOperations(t *testing.T) {
	base := harness.NewStore(t)
	store := &tallyStore{Store: base}
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close(context.Background())
		store.Close()
	})
	db := harness.Connect(t, s.Addr(), "", "?multiStatements=true")
	db.SetMaxOpenConns(1)
	harness.ExecAll(t, db, "CREATE DATABASE d", "USE d")
	for name, option := range map[string]string{"documents": "", "fields": ` ENGINE_ATTRIBUTE '{"key_scheme": "field"}'`} {
		harness.ExecAll(t, db, fmt.Sprintf("CREATE TABLE %s (_id VARCHAR(255) PRIMARY KEY, _doc JSON)%s", name, option))
		for _, c := range []struct {
			text string
			want feedOperations
		}{
			{"INSERT INTO t (_id, n) VALUES ('a', 1)", feedOperations{added: 1, newest: 1}},
			{"INSERT INTO t (_id, n) VALUES ('b', 1), ('c', 2), ('d', 3)", feedOperations{added: 3, newest: 1}},
			{"UPDATE t SET n = 2 WHERE _id = 'a'", feedOperations{added: 1, clears: 1, newest: 1}},
			{"UPDATE t SET n = n + 1", feedOperations{added: 4, clears: 4, newest: 1}},
			{"UPDATE t SET n = n", feedOperations{}},
			{"UPDATE t SET n = 9 WHERE _id = 'none'", feedOperations{}},
			{"DELETE FROM t WHERE _id = 'a'", feedOperations{added: 1, clears: 1, newest: 1}},
			{"DELETE FROM t WHERE n > 3", feedOperations{added: 1, clears: 1, newest: 1}},
			// takes the tombstone's place
			{"INSERT INTO t (_id, n) VALUES ('a', 7)", feedOperations{added: 1, clears: 1, newest: 1}},
			{"INSERT INTO t (_id, n) VALUES ('a', 1), ('e', 1) ON DUPLICATE KEY UPDATE n = n + 1",
				feedOperations{added: 2, clears: 1, newest: 1}},
			{"INSERT IGNORE INTO t (_id, n) VALUES ('a', 1), ('f', 1)", feedOperations{added: 1, newest: 1}},
			{"REPLACE INTO t (_id, n) VALUES ('a', 3), ('g', 1)", feedOperations{added: 2, clears: 1, newest: 1}},
			{"BEGIN; UPDATE t SET n = 20 WHERE _id = 'a'; UPDATE t SET n = 21 WHERE _id = 'a'; UPDATE t SET n = 22 WHERE " +
				"_id = 'a'; COMMIT", feedOperations{added: 1, clears: 1, newest: 1}},
			{"BEGIN; INSERT INTO t (_id, n) VALUES ('x', 1); UPDATE t SET n = 2 WHERE _id = 'x'; DELETE FROM t WHERE _id " +
				"= 'x'; INSERT INTO t (_id) VALUES ('x'); COMMIT", feedOperations{added: 1, newest: 1}},
			{"BEGIN; UPDATE t SET n = 30 WHERE _id = 'a'; ROLLBACK", feedOperations{}},
			{"BEGIN; UPDATE t SET n = 40 WHERE _id = 'a'; SAVEPOINT s; DELETE FROM t WHERE _id = 'b'; ROLLBACK TO s; COMMIT",
				feedOperations{added: 1, clears: 1, newest: 1}},
		} {
			store.taken()
			text := strings.ReplaceAll(strings.ReplaceAll(c.text, " t ", " "+name+" "), "FROM t;", "FROM "+name+";")
			harness.MustExec(t, db, text)
			if got := store.taken(); got != c.want {
				t.Errorf("%s: %+v, want %+v", text, got, c.want)
			}
		}
		harness.Check(t, db, name)
	}
}

// TestFeedConflicts: who reads the feed conflicts with no writer, sees no pending change, not its own either, and
// reads at one version; a checkpoint's row conflicts.
func TestFeedConflicts(t *testing.T) {
	_, db := harness.Database(t)
	ctx := context.Background()
	harness.ExecAll(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE seen (id INT PRIMARY KEY, seq VARCHAR(26))",
		"INSERT INTO seen VALUES (1, '')", "INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 1)")
	reader, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	feeds := []string{"SELECT _id, rev, _doc FROM t__changes WHERE seq > '0' ORDER BY seq",
		"SELECT _id, rev FROM t__changes WHERE _id IN ('a', 'b', 'new')",
		"SELECT MAX(seq) FROM t__changes", "SELECT COUNT(*) FROM t__changes"}
	for round := range 3 {
		harness.MustExec(t, reader, "BEGIN", "SELECT 1 FROM t__changes LIMIT 1")
		var before []string
		for _, f := range feeds {
			before = append(before, strings.Join(harness.Texts(t, reader, f), "\n"))
		}
		// The transaction's own changes are pending; another's are committed after it began.
		harness.MustExec(t, reader, fmt.Sprintf("INSERT INTO t (_id, n) VALUES ('own%d', 1)", round))
		harness.MustExec(t, db, "UPDATE t SET n = n + 1 WHERE _id = 'a'",
			fmt.Sprintf("INSERT INTO t (_id) VALUES ('other%d')", round))
		for i, f := range feeds {
			if after := strings.Join(harness.Texts(t, reader, f), "\n"); after != before[i] {
				t.Errorf("%s changes within a transaction: %s, before %s", f, after, before[i])
			}
		}
		harness.MustExec(t, reader, "COMMIT") // has read what has changed, through the feed alone
	}
	if n := harness.Texts(t, db, "SELECT COUNT(*), SUM(rev LIKE '4-%') FROM t__changes"); n[0] != "8 | 1" {
		t.Errorf("%v", n)
	}
	// Two consumers of one checkpoint: the second one to commit conflicts.
	harness.MustExec(t, reader, "BEGIN", "SELECT seq FROM seen WHERE id = 1 FOR UPDATE",
		"SELECT _id FROM t__changes WHERE seq > ''", "UPDATE seen SET seq = 'first' WHERE id = 1")
	harness.MustExec(t, db, "UPDATE seen SET seq = 'second' WHERE id = 1")
	if got := harness.Exec(reader, "COMMIT"); !strings.Contains(got, "1213") {
		t.Errorf("the first consumer's commit: %s", got)
	}
	harness.CheckAll(t, db)
}

// TestRevisions: the same edits give the same revisions, whichever way and wherever they are made; the position counts
// the changes, a deletion is one of them, and a revision locks optimistically.
func TestRevisions(t *testing.T) {
	_, db := harness.Database(t)
	harness.ExecAll(t, db, "CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`CREATE TABLE b (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"key_scheme": "field"}'`)
	revs := func() []string {
		return harness.Texts(t, db, "SELECT a.rev, b.rev FROM a__changes a JOIN b__changes b ON a._id = b._id")
	}
	for i, c := range []struct{ a, b, position string }{
		{`INSERT INTO a (_doc) VALUES ('{"_id":"k","n":1}')`, `INSERT INTO b (_doc) VALUES ('{ "_id" : "k", "n" : 1 }')`,
			"1-"},
		{"UPDATE a SET n = 2 WHERE _id = 'k'", `UPDATE b SET _doc = '{"_id":"k","n":2}'`, "2-"},
		{"UPDATE a SET n = 2 WHERE _id = 'k'", "UPDATE b SET n = n", "2-"}, // changes nothing
		{"DELETE FROM a WHERE _id = 'k'", "DELETE FROM b", "3-"},
		{`INSERT INTO a (_doc) VALUES ('{"_id":"k","x":[1,{"y":null}]}')`,
			`INSERT INTO b (_doc) VALUES ('{"_id": "k", "x": [1, {"y": null}]}')`, "4-"},
	} {
		harness.MustExec(t, db, c.a, c.b)
		got := revs()
		if len(got) != 1 {
			t.Fatalf("%d: %v", i, got)
		}
		if a, b, _ := strings.Cut(got[0], " | "); a != b || !strings.HasPrefix(a, c.position) {
			t.Errorf("%s, %s: %s and %s, want %s…", c.a, c.b, a, b, c.position)
		}
	}
	rev := harness.Texts(t, db, "SELECT sqlfdb_rev('a', 'k')")[0]
	for i, affected := range []int64{1, 0} {
		res, err := db.Exec("UPDATE a SET n = n + 1, m = ? WHERE _id = 'k' AND sqlfdb_rev('d.a', _id) = ?", i, rev)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := res.RowsAffected(); n != affected {
			t.Errorf("try %d with the revision %s: %d rows", i, rev, n)
		}
	}
	// Several updates in one transaction are as many positions, and one change.
	before := harness.Texts(t, db, "SELECT COUNT(*), sqlfdb_last_seq('a') FROM a__changes")[0]
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	harness.MustExec(t, conn, "BEGIN", "UPDATE a SET n = 10", "UPDATE a SET n = 11", "DELETE FROM a",
		`INSERT INTO a (_id, n) VALUES ('k', 12)`, "COMMIT")
	after := harness.Texts(t, db, "SELECT COUNT(*), sqlfdb_last_seq('a') FROM a__changes")[0]
	if got := harness.Texts(t, db, "SELECT rev FROM a__changes"); len(got) != 1 || !strings.HasPrefix(got[0], "9-") ||
		after <= before || after[:1] != "1" {
		t.Errorf("%v; %s after %s", got, after, before)
	}
	harness.CheckAll(t, db)
}
