// Package mount shows, by an example that is run, how a program that is built on go-mysql-server serves a store's
// databases beside databases of its own.
package mount

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/server"
	gms "github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	_ "github.com/go-sql-driver/mysql"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// fleet is a database of the program's own, with one table.
type fleet struct{ vans vans }

// Name implements sql.Database.
func (fleet) Name() string { return "fleet" }

// GetTableInsensitive implements sql.Database.
func (f fleet) GetTableInsensitive(_ *gms.Context, name string) (gms.Table, bool, error) {
	return f.vans, strings.EqualFold(name, f.vans.Name()), nil
}

// GetTableNames implements sql.Database.
func (f fleet) GetTableNames(*gms.Context) ([]string, error) { return []string{f.vans.Name()}, nil }

// vans are the cities of vans, by their numbers.
type vans []string

// Name implements sql.Table.
func (vans) Name() string { return "vans" }

// String implements sql.Table.
func (vans) String() string { return "vans" }

// Collation implements sql.Table.
func (vans) Collation() gms.CollationID { return gms.Collation_Default }

// Schema implements sql.Table.
func (vans) Schema() gms.Schema {
	return gms.Schema{
		{Name: "id", Type: types.Int64, Source: "vans", DatabaseSource: "fleet"},
		{Name: "city", Type: types.Text, Source: "vans", DatabaseSource: "fleet", Nullable: true},
	}
}

// whole is the one part that a table is read in.
type whole struct{}

// Key implements sql.Partition.
func (whole) Key() []byte { return []byte("whole") }

// Partitions implements sql.Table.
func (vans) Partitions(*gms.Context) (gms.PartitionIter, error) {
	return gms.PartitionsToPartitionIter(whole{}), nil
}

// PartitionRows implements sql.Table.
func (v vans) PartitionRows(*gms.Context, gms.Partition) (gms.RowIter, error) {
	var rows []gms.Row
	for id, city := range v {
		rows = append(rows, gms.Row{int64(id + 1), city})
	}
	return gms.RowsToRowIter(rows...), nil
}

// mount serves a store beside a database, and tells where.
func mount(dir string, own gms.Database) (address string, stop func()) {
	store, err := kvopen.Open("pebble:"+dir, kvopen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		log.Fatal(err)
	}
	backend, err := sqlbackend.NewEngine(store, cat, sqlbackend.Options{Databases: []gms.Database{own}})
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	config := server.Config{Protocol: "tcp", Address: listener.Addr().String(), Listener: listener}
	s, err := server.NewServer(config, backend.Engine, gms.NewContext, backend.NewSession, nil)
	if err != nil {
		log.Fatal(err)
	}
	backend.Jobs().Start() // rebuilds of indexes, and the sweep
	go func() { _ = s.Start() }()
	return listener.Addr().String(), func() {
		_ = s.Close()
		_ = backend.Close()
		_ = store.Close()
	}
}

// TestMount: a query joins documents of the store with rows of the program.
func TestMount(t *testing.T) {
	logrus.SetLevel(logrus.PanicLevel)
	address, stop := mount(t.TempDir(), fleet{vans{"Zürich", "Bern"}})
	defer stop()
	db, err := sql.Open("mysql", "root@tcp("+address+")/")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{
		"CREATE DATABASE shop",
		"CREATE TABLE shop.orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`INSERT INTO shop.orders (_doc) VALUES ('{"_id":"a","address":{"city":"Bern"}}')`,
		`INSERT INTO shop.orders (_doc) VALUES ('{"_id":"b","address":{"city":"Genève"}}')`,
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT COUNT(*) FROM fleet.vans", "2"},
		{"SELECT CONCAT(o._id, ' goes with van ', v.id) FROM shop.orders o JOIN fleet.vans v ON v.city = o.`address.city`",
			"a goes with van 2"},
		{"SELECT v.city FROM fleet.vans v WHERE v.city NOT IN (SELECT `address.city` FROM shop.orders)", "Zürich"},
		{"SELECT GROUP_CONCAT(schema_name ORDER BY 1) FROM information_schema.schemata " +
			"WHERE schema_name IN ('fleet', 'shop')", "fleet,shop"},
		{"SELECT _id FROM shop.orders WHERE `address.city` = 'Bern'", "a"},
	} {
		var have string
		if err := db.QueryRow(c.query).Scan(&have); err != nil || have != c.want {
			t.Errorf("%s: %q, %v", c.query, have, err)
		}
	}
	for _, s := range []string{"CREATE DATABASE Fleet", "DROP DATABASE fleet"} {
		if _, err := db.Exec(s); err == nil {
			t.Errorf("%s is run", s)
		}
	}
	var name, op, kind, text string
	if err := db.QueryRow("CHECK TABLE shop.orders").Scan(&name, &op, &kind, &text); err != nil || text != "OK" {
		t.Error(fmt.Sprint(name, op, kind, text), err)
	}
}
