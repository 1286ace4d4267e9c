package driver_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/sqlfdb/sqlfdb/driver"
)

func Example() {
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	db, err := sql.Open("sqlfdb", "pebble:"+filepath.Join(dir, "store")+"?database=shop")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE people (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"); err != nil {
		log.Fatal(err)
	}
	zoe := json.RawMessage(`{"_id":"a","name":"Zoë","address":{"city":"Zürich"},"balance":12.50}`)
	if _, err := db.Exec("INSERT INTO people (_doc) VALUES (?)", zoe); err != nil {
		log.Fatal(err)
	}
	var name string
	var doc json.RawMessage
	err = db.QueryRow("SELECT name, _doc FROM people WHERE `address.city` = ?", "Zürich").Scan(&name, &doc)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name, string(doc))
	// Output: Zoë {"_id":"a","name":"Zoë","address":{"city":"Zürich"},"balance":12.50}
}

// TestGuide: what the page shows of Go stands in programs that are run.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/go.md")
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, path := range []string{"example_test.go", "../sqltests/mount/mount_test.go"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			run[strings.TrimSpace(line)] = true
		}
	}
	blocks := 0
	for i, block := range strings.Split(string(page), "```") {
		text, is := strings.CutPrefix(block, "go\n")
		if i%2 == 0 || !is {
			continue
		}
		blocks++
		for _, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line != "" && !run[line] {
				t.Errorf("no program has the line %s", line)
			}
		}
	}
	if blocks == 0 {
		t.Error("the page shows no Go")
	}
}
