package sqltests

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestCharacterSets: a client that speaks latin1, which is Windows' 1252, sends it and gets it, however it says
// so; what is stored is the same text.
func TestCharacterSets(t *testing.T) {
	addr := harness.Start(t).Addr().String()
	session := func(parameters string) *sql.DB {
		db, err := sql.Open("mysql", "root@tcp("+addr+")/?multiStatements=true&"+parameters)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		db.SetMaxOpenConns(1)
		return db
	}
	utf8 := session("charset=utf8mb4")
	for _, s := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (id INT PRIMARY KEY, s VARCHAR(20), b VARBINARY(9), j JSON)",
		"INSERT INTO d.t VALUES (1, 'ü€', x'fc', '{\"k\":\"ü\"}'), (2, '漢', NULL, NULL)",
	} {
		if _, err := utf8.Exec(s); err != nil {
			t.Fatal(s, err)
		}
	}
	named := session("charset=latin1") // by SET NAMES
	greeted := session("collation=latin1_swedish_ci")
	later := session("")
	const several = "SELECT 'ü'; SET NAMES latin1; " +
		"INSERT INTO d.t VALUES (3, '\xe4', _binary'\xff\xd8', '{\"\xe4\": 1}')"
	if _, err := later.Exec(several); err != nil {
		t.Fatal(err)
	}
	for name, db := range map[string]*sql.DB{"named": named, "greeted": greeted, "later": later} {
		var s, wide, key, of string
		var b, j []byte
		if err := db.QueryRow("SELECT s, b, j, @@character_set_client FROM d.t WHERE s = '\xfc\x80'").Scan(&s,
			&b, &j, &of); err != nil {
			t.Fatal(name, err)
		}
		if s != "\xfc\x80" || string(b) != "\xfc" || string(j) != "{\"k\":\"\xfc\"}" || of != "latin1" {
			t.Errorf("%s: %q %q %q, %s", name, s, b, j, of)
		}
		// Parameters, and texts that latin1 has no characters for.
		if err := db.QueryRow("SELECT s, '\xfc' FROM d.t WHERE s <> ? AND s <> '\xe4'", "\xfc\x80").Scan(&wide,
			&key); err != nil {
			t.Fatal(name, err)
		}
		rows, err := db.Query("SELECT id AS `\xfc` FROM d.t WHERE id = 1")
		if err != nil {
			t.Fatal(name, err)
		}
		columns, err := rows.Columns()
		if err := errors.Join(err, rows.Close()); err != nil {
			t.Fatal(name, err)
		}
		if wide != "?" || key != "\xfc" || columns[0] != "\xfc" {
			t.Errorf("%s: %q, %q, %q", name, wide, key, columns)
		}
	}
	var s, b, j string
	if err := utf8.QueryRow("SELECT s, HEX(b), j FROM d.t WHERE id = 3").Scan(&s, &b, &j); err != nil ||
		s != "ä" || b != "FFD8" || j != `{"ä":1}` {
		t.Errorf("%q %s %s %v", s, b, j, err)
	}
	if _, err := utf8.Exec("SET character_set_results = latin1"); err != nil {
		t.Fatal(err)
	}
	if err := utf8.QueryRow("SELECT s FROM d.t WHERE s = 'ü€'").Scan(&s); err != nil || s != "\xfc\x80" {
		t.Errorf("%q, %v", s, err)
	}
	for set, want := range map[string]string{"utf8": "é😀", "utf8mb3": "é😀", "ascii": "??", "latin1": "\xe9?"} {
		if err := session("charset=" + set).QueryRow("SELECT CONCAT(CHAR(195, 169 USING utf8mb4), " +
			"CHAR(240, 159, 152, 128 USING utf8mb4))").Scan(&s); err != nil || s != want {
			t.Errorf("%s: %q, %v; want %q", set, s, err, want)
		}
	}
	for statement, want := range map[string]uint16{
		"SET NAMES gbk": 1235, "SET NAMES utf16": 1231, "SET NAMES cp1252": 1115, "SET character_set_results = latin2": 1235,
		"SET NAMES utf8mb3": 0, "SET NAMES utf8": 0, "SET NAMES binary": 0, "SET NAMES ascii": 0,
		"SET character_set_results = NULL": 0,
	} {
		_, err := later.Exec(statement)
		var answer *mysql.MySQLError
		if errors.As(err, &answer); (want == 0) != (err == nil) || want != 0 && (answer == nil || answer.Number != want) {
			t.Errorf("%s: %v, want %d", statement, err, want)
		}
	}
	if got := harness.Text(t, named, "CHECK TABLE d.t"); !strings.Contains(got, "OK") {
		t.Error(got)
	}
}
