package sqltests

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// countingStore counts the keys that are read.
type countingStore struct {
	kv.Store
	keys atomic.Int64
}

func (s *countingStore) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return countingTransaction{tx, s}, nil
}

type countingTransaction struct {
	kv.Transaction
	s *countingStore
}

func (t countingTransaction) Get(key []byte) kv.FutureValue {
	return countingReader{t.Transaction, t.s}.Get(key)
}

func (t countingTransaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return countingReader{t.Transaction, t.s}.Range(r, opts)
}

func (t countingTransaction) Snapshot() kv.Reader {
	return countingReader{t.Transaction.Snapshot(), t.s}
}

type countingReader struct {
	kv.Reader
	s *countingStore
}

func (r countingReader) Get(key []byte) kv.FutureValue {
	r.s.keys.Add(1)
	return r.Reader.Get(key)
}

func (r countingReader) Range(rg kv.Range, opts kv.RangeOptions) kv.Iterator {
	return countingIterator{r.Reader.Range(rg, opts), r.s}
}

type countingIterator struct {
	kv.Iterator
	s *countingStore
}

func (i countingIterator) Next() bool {
	if !i.Iterator.Next() {
		return false
	}
	i.s.keys.Add(1)
	return true
}

// TestMetadataReadsNoDocuments: what information_schema and SHOW read does not grow
// with the collections.
func TestMetadataReadsNoDocuments(t *testing.T) {
	store := harness.NewStore(t)
	counted := &countingStore{Store: store}
	s, err := server.Start(context.Background(), counted,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: harness.TestLog{T: t}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.Close(context.Background())
		_ = store.Close()
	})
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	db := harness.Connect(t, s.Addr(), "d", "")
	harness.MustExec(t, db, "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)",
		"CREATE TABLE u (_id INT PRIMARY KEY, a INT, INDEX (a))", "SET GLOBAL sqlfdb_jobs = hold")
	t.Cleanup(func() { harness.MustExec(t, db, "SET GLOBAL sqlfdb_jobs = run") })
	filled := 0
	fill := func(n int) {
		var documents, rows []string
		for range n {
			filled++
			documents = append(documents, fmt.Sprintf(`('{"_id":%d,"a":%d,"b":{"c":"x%d"},"list":[1,{"p":2}]}')`, filled,
				filled%7, filled))
			rows = append(rows, fmt.Sprintf("(%d,%d)", filled, filled%7))
		}
		harness.MustExec(t, db, "INSERT INTO t (_doc) VALUES "+strings.Join(documents, ","),
			"INSERT INTO u VALUES "+strings.Join(rows, ","))
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	statements := []string{
		"SELECT * FROM information_schema.tables WHERE table_schema = 'd'",
		"SELECT * FROM information_schema.columns WHERE table_schema = 'd'",
		"SELECT * FROM information_schema.statistics WHERE table_schema = 'd'",
		"SELECT t.table_name, c.column_name FROM information_schema.tables t JOIN information_schema.columns c ON " +
			"c.table_name = t.table_name AND c.table_schema = t.table_schema WHERE t.table_schema = 'd'",
		"SELECT k.column_name FROM information_schema.table_constraints t JOIN information_schema.key_column_usage k " +
			"USING (constraint_name, table_schema, table_name) WHERE t.table_schema = 'd'",
		"SELECT table_name FROM information_schema.tables WHERE table_name IN (SELECT table_name FROM " +
			"information_schema.columns WHERE column_name = 'a')",
		"SHOW TABLES", "SHOW TABLE STATUS", "SHOW COLUMNS FROM t", "SHOW FULL COLUMNS FROM u", "SHOW INDEX FROM u",
		"SHOW CREATE TABLE t", "DESCRIBE t",
		"SELECT * FROM sqlfdb.tables", "SELECT * FROM sqlfdb.keypaths WHERE `table` = 't'",
	}
	read := func() map[string]int64 {
		out := map[string]int64{}
		for _, stmt := range statements {
			if got := harness.Query(c, stmt); strings.Contains(got, "ERROR") {
				t.Fatalf("%s: %s", stmt, got)
			}
			before := counted.keys.Load()
			harness.Query(c, stmt)
			out[stmt] = counted.keys.Load() - before
		}
		return out
	}
	fill(20)
	few := read()
	for range 4 {
		fill(250)
	}
	for stmt, keys := range read() {
		if keys > few[stmt]+20 {
			t.Errorf("%s: %d keys read with 20 documents, %d with %d", stmt, few[stmt], keys, filled)
		}
	}
}
