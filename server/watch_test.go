package server

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// failingReads is a store that reads nothing of a collection once it is told to.
type failingReads struct {
	kv.Store
	of     atomic.Int64
	broken atomic.Bool // all of it
}

type failingTx struct {
	kv.Transaction
	store *failingReads
}

type failingReader struct {
	kv.Reader
	store *failingReads
}

type failed struct{}

func (failed) Get() ([]byte, error) { return nil, errors.New("no time is left") }

func (s *failingReads) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if s.broken.Load() {
		return nil, errors.New("nothing answers")
	}
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil || s.of.Load() == 0 {
		return tx, err
	}
	return failingTx{tx, s}, nil
}

// Snapshot implements kv.Transaction.
func (tx failingTx) Snapshot() kv.Reader { return failingReader{tx.Transaction.Snapshot(), tx.store} }

// Get implements kv.Reader.
func (r failingReader) Get(key []byte) kv.FutureValue {
	if number, _ := keyspace.CollectionOf(key); number == r.store.of.Load() {
		return failed{}
	}
	return r.Reader.Get(key)
}

// TestScrapes: the figures of a table cost some keys, however many keypaths it has; what can't be read in time leaves
// the others told, and the store one that can be read.
func TestScrapes(t *testing.T) {
	engine, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	store := &failingReads{Store: engine}
	w := dial(t, store, Options{})
	defer w.close()
	w.exec("CREATE DATABASE d", "USE d", "CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE z (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`INSERT INTO a (_doc) VALUES ('{"_id": "1", "x": 1, "y": [2]}')`)
	h := w.s.handler
	told := func() (names []string, values map[string]float64) {
		values = map[string]float64{}
		for _, f := range h.stored(t.Context()) {
			name := strings.Join(append([]string{f.Name}, f.Labels...), " ")
			names, values[name] = append(names, name), f.Value
		}
		return names, values
	}
	names, values := told()
	for name, want := range map[string]float64{"up": 1, "table_keypaths database d table a": 4,
		"table_documents database d table a": 1, "table_documents database d table z": 0} {
		if got, there := values[name]; !there || got != want {
			t.Errorf("%s: %v of %v, want %v", name, got, names, want)
		}
	}
	tx, err := engine.Begin(t.Context(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	view, err := h.backend.Catalog().View(tx.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	z, ok := view.Table("d", "z")
	if !ok {
		t.Fatal("no table")
	}
	store.of.Store(z.ID)
	names, values = told()
	if _, there := values["table_documents database d table z"]; values["up"] != 1 || there ||
		values["table_documents database d table a"] != 1 {
		t.Errorf("where a table can't be read: %v", names)
	}
	store.broken.Store(true)
	if names, values = told(); len(names) != 1 || values["up"] != 0 {
		t.Errorf("where nothing can be read: %v", names)
	}
	store.broken.Store(false)
	store.of.Store(0)
}

func TestKindOf(t *testing.T) {
	w := newWatch(nil)
	for query, want := range map[string]string{
		"SELECT 1": "select", " (\n(select 1": "select", "WITH x AS": "select", "/* a */SELECT 1": "select",
		"-- a\n  # b\n/*c*/ ( /**/ Update t": "update", "/*!40101 SET x*/": otherKind, "/* never ends": otherKind,
		"--1": otherKind, "# only": otherKind, "": otherKind, "/*/ SELECT */INSERT": "insert",
		strings.Repeat("/**/", maxComments+1) + "SELECT":     otherKind,
		"/*" + strings.Repeat("x", maxComment) + "*/ SELECT": otherKind,
	} {
		if got := w.kindOf(query); got != want {
			t.Errorf("%.40q is %s, want %s", query, got, want)
		}
	}
}
