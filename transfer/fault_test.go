package transfer_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/tables"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// TestImportFaults: whatever an operation of the store meets, each document is stored once and counted, and no marker
// of a commit is left.
func TestImportFaults(t *testing.T) {
	ctx := context.Background()
	const lines = "{\"_id\": \"a\", \"n\": 1}\n{\"n\": 2}\n{\"_id\": \"b\", \"n\": 3}\n{\"_id\": \"a\", \"n\": " +
		"4}\n{\"n\": 5, \"tags\": [1, 2]}\n"
	for _, fault := range faultkv.Faults() {
		met := 0
		for at := int64(1); ; at++ {
			what := fmt.Sprintf("%v at operation %d", fault, at)
			base, _, _ := openTable(t, "_id")
			store := faultkv.New(base)
			cat, err := catalog.Open(ctx, store)
			if err != nil {
				t.Fatal(err)
			}
			def := definitionOf(t, cat)
			store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Number == at {
					return fault
				}
				return faultkv.None
			})
			sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
			if err != nil {
				t.Fatal(err)
			}
			src, err := transfer.NewSource(strings.NewReader(lines), "lines", transfer.FormatAuto)
			if err != nil {
				t.Fatal(err)
			}
			var p transfer.Progress
			var refused []int64
			err = transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: -1,
				Refused: func(r transfer.Refusal) { refused = append(refused, r.Line) }})
			if err := errors.Join(err, sink.Close()); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			calls, hits := store.Inject(nil)
			met += int(hits)
			if p.Stored.Load() != 4 || len(refused) != 1 || refused[0] != 4 {
				t.Fatalf("%s: %d stored, refused lines %v", what, p.Stored.Load(), refused)
			}
			verify(t, what, store, cat, def, 4)
			_ = store.Close()
			if calls < at {
				break
			}
		}
		if met == 0 {
			t.Errorf("%v is never met", fault)
		}
	}
}

// definitionOf is d.t.
func definitionOf(t *testing.T, cat *catalog.Catalog) (def *catalog.Table) {
	t.Helper()
	err := kv.Transact(context.Background(), cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
		view, err := cat.View(tx)
		if err == nil {
			def, _ = view.Table("d", "t")
		}
		return err
	})
	if err != nil || def == nil {
		t.Fatal(def, err)
	}
	return def
}

// verify proves a collection of so many documents, and that no marker is there.
func verify(t *testing.T, what string, store kv.Store, cat *catalog.Catalog, def *catalog.Table, documents int64) {
	t.Helper()
	ctx := context.Background()
	c, err := tables.Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	summary, err := c.Check(ctx, tx.Snapshot(), func(v tables.Violation) { t.Errorf("%s: %v", what, v) })
	if err != nil || summary.Documents != documents {
		t.Fatalf("%s: %d documents (%v)", what, summary.Documents, err)
	}
	it := tx.Snapshot().Range(def.Keys().Markers(), kv.RangeOptions{})
	defer it.Close()
	if it.Next() {
		t.Errorf("%s: a marker is left", what)
	}
}

// unsureServer is a server that does not know what has become of an INSERT.
type unsureServer struct{ inserts int }

func (s *unsureServer) Connect(context.Context) (driver.Conn, error) { return unsureConn{s}, nil }
func (s *unsureServer) Driver() driver.Driver                        { return nil }

type unsureConn struct{ s *unsureServer }

func (unsureConn) Prepare(string) (driver.Stmt, error) { return nil, driver.ErrSkip }
func (unsureConn) Close() error                        { return nil }
func (unsureConn) Begin() (driver.Tx, error)           { return nil, driver.ErrSkip }

func (c unsureConn) ExecContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Result, error) {
	if strings.HasPrefix(query, "INSERT") {
		c.s.inserts++
		return nil, &mysql.MySQLError{Number: 1180, Message: "outcome of the commit is unknown"}
	}
	return driver.RowsAffected(0), nil
}

func (unsureConn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return noRows{}, nil
}

type noRows struct{}

func (noRows) Columns() []string         { return []string{"_doc"} }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }

// TestImportUnsure: documents that a server has perhaps stored are not sent again: those without a key would be there
// twice.
func TestImportUnsure(t *testing.T) {
	ctx := context.Background()
	s := &unsureServer{}
	db := sql.OpenDB(s)
	defer db.Close()
	sink, err := transfer.NewServerSink(ctx, db, "d", "t", "_id", transfer.RefuseDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	src, err := transfer.NewSource(strings.NewReader("{\"n\": 1}\n{\"n\": 2}\n"), "lines", transfer.FormatAuto)
	if err != nil {
		t.Fatal(err)
	}
	var p transfer.Progress
	err = transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: -1})
	if err == nil || p.Stored.Load() != 0 || s.inserts != 1 {
		t.Errorf("%v, %d stored, %d inserts", err, p.Stored.Load(), s.inserts)
	}
}

// blindServer tells of no columns of a table that has no documents.
type blindServer struct{ unsureConn }

func (s blindServer) Connect(context.Context) (driver.Conn, error) { return s, nil }
func (blindServer) Driver() driver.Driver                          { return nil }

func (blindServer) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if strings.HasPrefix(query, "SELECT _doc") {
		return nil, &mysql.MySQLError{Number: 1054, Message: "Unknown column"}
	}
	return noColumns{}, nil
}

type noColumns struct{ noRows }

func (noColumns) Columns() []string { return []string{"name", "type", "generated"} }

// TestImportNoColumns: a table that nothing is told of is an error that names it.
func TestImportNoColumns(t *testing.T) {
	db := sql.OpenDB(blindServer{})
	defer db.Close()
	_, err := transfer.NewServerSink(t.Context(), db, "d", "t", "_id", transfer.RefuseDuplicates)
	if err == nil || !strings.Contains(err.Error(), "no columns of d.t") {
		t.Error(err)
	}
}
