package server

import (
	"bytes"
	"context"
	"testing"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestBackupOfChangingDefinition: a live copy leaves a table for its next round whose definition has changed while the
// tables before it were copied at newer and newer versions.
func TestBackupOfChangingDefinition(t *testing.T) {
	ctx := context.Background()
	s, db := served(t)
	store := s.handler.backend.Catalog().Store()
	exec := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			if _, err := db.Exec(text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	}
	exec("CREATE DATABASE d", "CREATE TABLE d.before (id INT PRIMARY KEY)", "INSERT INTO d.before VALUES (1), (2), (3)",
		"CREATE TABLE d.changing (_id VARCHAR(9) PRIMARY KEY, _doc JSON)", "INSERT INTO d.changing (_id, n) VALUES ('a', 1)")
	if _, err := catalog.EnsureStoreID(ctx, store); err != nil {
		t.Fatal(err)
	}
	changed := 0
	open := func(def *catalog.Table) (*tables.Collection, error) {
		if def.Name == "before" && changed < 3 {
			if changed++; changed == 3 {
				exec("DROP TABLE d.changing")
			} else {
				exec("ALTER TABLE d.changing ADD COLUMN c INT DEFAULT 7, MODIFY COLUMN _id VARCHAR(9)",
					"UPDATE d.changing SET n = n + 1", "ALTER TABLE d.changing MODIFY c VARCHAR(9)",
					"INSERT INTO d.changing (_id) VALUES (UUID_SHORT() % 1000)", "ALTER TABLE d.changing DROP COLUMN c")
			}
		}
		return s.handler.backend.OpenCollection(def)
	}
	var file bytes.Buffer
	_, err := backup.Write(ctx, store, &file, backup.Header{Program: "test"}, &backup.Progress{},
		backup.Options{Step: 1, Open: open})
	if err != nil || changed == 0 {
		t.Fatal(changed, err)
	}
}
