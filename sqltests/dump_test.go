package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	osexec "os/exec"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// dumpTables are tables whose rows a dump must give back.
var dumpTables = []string{
	"CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
	`INSERT INTO o (_doc) VALUES ('{"_id":"1","a":9007199254740993,"b":{"c":[1,{"d":"x\\ny"}]},` +
		`"z":1.50,"t":"it''s \\"q\\" \\\\ \\u00e9 é 😀"}'),
		('{"_id":"2"}'), ('{"_id":"3","a":null,"e":{},"f":[],"k y":"zip","a.b":1,"big":1e400}')`,
	"CREATE TABLE dc (k INT, name VARCHAR(20), _id VARCHAR(20) PRIMARY KEY, d DATE, _doc JSON, b VARBINARY(10), p " +
		"DECIMAL(10,2)) ENGINE_ATTRIBUTE='{\"max_depth\": 3}'",
	"INSERT INTO dc (_id, name, d, b, p, k) VALUES ('1', 'n', '2020-01-02', x'00ff', 1.50, 3)",
	`INSERT INTO dc (_doc) VALUES ('{"_id":"2","other":[1,2]}')`,
	"INSERT INTO dc (_id, name) VALUES ('3', NULL)",
	"CREATE TABLE h (_doc JSON)",
	`INSERT INTO h VALUES ('{"x":1}'), ('{"x":1}')`,
	"CREATE TABLE cl (id INT AUTO_INCREMENT PRIMARY KEY, a INT, g INT GENERATED ALWAYS AS (a + 1) STORED, t TEXT " +
		"COLLATE utf8mb4_0900_ai_ci, b BLOB, j JSON, bt BIT(9), u BIGINT UNSIGNED, e ENUM('a','b''c'), UNIQUE KEY (a)," +
		" CONSTRAINT c CHECK (a > 0))",
	`INSERT INTO cl (a, t, b, j, bt, u, e) VALUES (1, 'a\\b\n''', x'00ff27', '{"b":1,"a":1.0}', b'101', ` +
		`18446744073709551615, 'b''c'), (2, NULL, NULL, NULL, NULL, NULL, NULL)`,
	"CREATE TABLE `we``ird ta.ble` (`a b` INT PRIMARY KEY, `order` VARCHAR(5) DEFAULT 'x', CONSTRAINT `ch k` CHECK " +
		"(`a b` < 100))",
	"INSERT INTO `we``ird ta.ble` VALUES (1, 'q')",
	"CREATE VIEW v AS SELECT _id, a FROM o WHERE a IS NOT NULL",
	`CREATE MAP INDEX by_a ON o AS 'function (doc) { /* it''s */ emit(doc.a, "\\n\\\\"); // a\n }' INTERACTIVE`,
	"CREATE MAP INDEX behind ON o AS 'function (doc) { emit(doc._id, 1); }'",
	`CALL sqlfdb_put_design('dc', '{"_id":"_design/des","views":{"v":{"map":"function (doc) { emit(doc.name, ` +
		`doc.k); }"}}}')`,
}

var dumpQueries = []string{"SELECT * FROM o ORDER BY _id", "SELECT _doc FROM o ORDER BY _id",
	"SELECT * FROM dc ORDER BY _id", "SELECT _doc FROM dc ORDER BY _id",
	"SELECT * FROM h ORDER BY _id", "SELECT * FROM cl ORDER BY id", "SELECT * FROM `we``ird ta.ble`",
	"SELECT * FROM v ORDER BY _id", "SHOW CREATE TABLE o",
	"SHOW CREATE TABLE dc", "SHOW CREATE TABLE cl", "SHOW CREATE TABLE `we``ird ta.ble`", "SHOW TABLES",
	"SELECT * FROM o__map__by_a", "SELECT * FROM o__map__behind", "SELECT `key`, value FROM dc__des__v",
	"SELECT `table`, `index`, signature, mode, definition FROM sqlfdb.map_indexes WHERE `database` = DATABASE()"}

// TestDump: what mariadb-dump writes of a database, mariadb reads into an equal one.
func TestDump(t *testing.T) {
	for _, program := range []string{"mariadb-dump", "mariadb"} {
		if _, err := osexec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	s, db := harness.Database(t)
	harness.MustExec(t, db, dumpTables...)
	for i, options := range []string{"", "--single-transaction --hex-blob", "--complete-insert --skip-extended-insert",
		"--skip-opt"} {
		name := "copy" + string(rune('a'+i))
		harness.MustExec(t, db, "CREATE DATABASE "+name)
		text := client(t, s.Addr(), "", "mariadb-dump", append(strings.Fields(options), "d")...)
		client(t, s.Addr(), text, "mariadb", name)
		copied := harness.Connect(t, s.Addr(), name, "?interpolateParams=true")
		sameRows(t, options, db, copied)
	}
	harness.CheckAll(t, db)
	// All databases: those that tell of others can't be restored.
	text := client(t, s.Addr(), "", "mariadb-dump", "--all-databases")
	for name, dumped := range map[string]bool{"copya": true, "d": true, "sqlfdb": false, "mysql": false, "sys": false} {
		if strings.Contains(text, "USE `"+name+"`") != dumped {
			t.Errorf("a dump of all databases has %s: %t", name, !dumped)
		}
	}
	restored := harness.Start(t)
	client(t, restored.Addr(), text, "mariadb")
	sameRows(t, "--all-databases", db, harness.Connect(t, restored.Addr(), "d", "?interpolateParams=true"))
}

// client runs one of MySQL's programs against the server.
func client(t *testing.T, addr net.Addr, input, program string, args ...string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		t.Fatal(err)
	}
	cmd := osexec.Command(program, append([]string{"--no-defaults", "-h" + host, "-P" + port, "-uroot", "--protocol=tcp"},
		args...)...)
	cmd.Stdin = strings.NewReader(input)
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil || errors.Len() > 0 {
		t.Fatalf("%s %v: %v\n%s", program, args, err, errors.String())
	}
	return out.String()
}

func sameRows(t *testing.T, what string, db, copied *sql.DB) {
	t.Helper()
	ctx := context.Background()
	for _, q := range dumpQueries {
		var out [2]string
		for i, pool := range []*sql.DB{db, copied} {
			c, err := pool.Conn(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_, out[i], _ = strings.Cut(harness.Query(c, q), "\n")
			_ = c.Close()
		}
		if out[0] != out[1] {
			t.Errorf("dump %s: %s\n%s\nrestored\n%s", what, q, out[0], out[1])
		}
	}
}

// TestDumpStatements: what the statements of dump programs are answered with, and
// that nobody else's are answered so.
func TestDumpStatements(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, dumpTables...)
	ctx := context.Background()
	person, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	dump, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer dump.Close()
	harness.MustExec(t, person, "SET sql_quote_show_create = 1, autocommit = 1") // as Adminer says when it connects
	harness.MustExec(t, dump, "/*!40103 SET TIME_ZONE='+00:00' */")
	harness.MustExec(t, dump,
		"SET SQL_QUOTE_SHOW_CREATE=1/*!40102 ,SQL_MODE=concat(@@sql_mode, _utf8 ',NO_KEY_OPTIONS,NO_TABLE_OPTIONS,"+
			"NO_FIELD_OPTIONS') */")
	first := func(c *sql.Conn, q string) string {
		t.Helper()
		header, _, _ := strings.Cut(harness.Query(c, q), "\n")
		return header
	}
	names := func(c *sql.Conn, q string) string {
		t.Helper()
		var out []string
		each(t, c, q, func(row []string) { out = append(out, row[0]) })
		return strings.Join(out, " ")
	}
	const listed = "select column_name, extra, generation_expression, data_type from information_schema.columns " +
		"where table_schema=database() and table_name='%' order by ordinal_position"
	for _, c := range []struct{ table, dumped, shown string }{
		{"o", "_id _doc", `_id a b.c z t f k y "a.b" big`},
		{"dc", "_id _doc", "k name _id d b p other"},
		{"h", "_doc", "_id x"},
		{"cl", "id a g t b j bt u e", "id a g t b j bt u e"},
	} {
		if got := names(dump, strings.Replace(listed, "%", c.table, 1)); got != c.dumped {
			t.Errorf("a dump of %s is shown %s, want %s", c.table, got, c.dumped)
		}
		if got := names(dump, "show fields from `"+c.table+"`"); got != c.dumped {
			t.Errorf("a dump of %s is shown the fields %s, want %s", c.table, got, c.dumped)
		}
		star := strings.ReplaceAll(c.dumped, " ", " | ")
		if got := first(dump, "SELECT /*!40001 SQL_NO_CACHE */ * FROM `"+c.table+"`"); got != star {
			t.Errorf("a dump of %s reads %s, want %s", c.table, got, star)
		}
		if got := first(person, "SELECT /*!40001 SQL_NO_CACHE */ * FROM `"+c.table+"`"); got != star {
			t.Errorf("the mark of a dump of %s reads %s, want %s", c.table, got, star)
		}
		if got := names(person, strings.Replace(listed, "%", c.table, 1)); got != c.shown {
			t.Errorf("%s is shown with %s, want %s", c.table, got, c.shown)
		}
	}
	if got := first(person, "SELECT SQL_NO_CACHE * FROM o"); !strings.Contains(got, "b.c") ||
		strings.Contains(got, "_doc") {
		t.Errorf("a person's SELECT * reads %s", got)
	}
	harness.MustExec(t, db, `INSERT INTO dc VALUES ('9', '{"_id":"9","name":"r"}')`,
		"INSERT INTO cl VALUES (9, 9, 't', NULL, NULL, NULL, 1, 'a')")
	if got := names(person, "SELECT name FROM dc WHERE _id = '9'"); got != "r" {
		t.Errorf("a restored document has the name %q", got)
	}
	if got := harness.Query(person, "INSERT INTO dc VALUES ('8')"); !strings.HasPrefix(got, "ERROR 1136") {
		t.Errorf("an INSERT of too few values: %s", got)
	}
	harness.CheckAll(t, db)
}

// TestRestoreOthers: a dump of MariaDB's is read, though it has tables of its own, JSON as text with a check, more rows
// in an INSERT than a transaction takes, and each table's rows in a transaction.
func TestRestoreOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 12 MB")
	}
	_, db := harness.Database(t)
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c, "SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO', UNIQUE_CHECKS=0, FOREIGN_KEY_CHECKS=0",
		"USE mysql", "DROP TABLE IF EXISTS `column_stats`",
		"CREATE TABLE `column_stats` (`a` int(11) NOT NULL, PRIMARY KEY (`a`)) ENGINE=Aria PAGE_CHECKSUM=1",
		"LOCK TABLES `column_stats` WRITE", "ALTER TABLE `column_stats` DISABLE KEYS",
		"INSERT INTO `column_stats` VALUES (1)", "UNLOCK TABLES",
		"USE d", "CREATE TABLE o (`_id` varchar(255) NOT NULL, `_doc` longtext DEFAULT NULL CHECK "+
			"(json_valid(`_doc`)), PRIMARY KEY (`_id`)) ENGINE=InnoDB",
		"SET autocommit=0")
	var insert strings.Builder
	insert.WriteString("INSERT INTO o VALUES ")
	for i := range 1200 {
		if i > 0 {
			insert.WriteString(",")
		}
		fmt.Fprintf(&insert, `('%d', '{"_id":"%d","n":%d,"s":"%s"}')`, i, i, i, strings.Repeat("x", 10_000))
	}
	harness.MustExec(t, c, insert.String())
	other, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if got := harness.Query(other, "SELECT COUNT(*), SUM(n) FROM o"); !strings.HasSuffix(strings.TrimSpace(got),
		"1200 | 719400") {
		t.Errorf("what another client reads of the restored table: %s", got)
	}
	if got := harness.Query(other, "SHOW CREATE TABLE o"); strings.Contains(got, "CHECK") {
		t.Errorf("the document has a check: %s", got)
	}
	// The mode alone is not a dump's.
	harness.MustExec(t, other, "CREATE TABLE p (a INT PRIMARY KEY)",
		"SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO', autocommit=0",
		"INSERT INTO p VALUES (1)", "ROLLBACK")
	if got := harness.Query(other, "SELECT COUNT(*) FROM p"); !strings.HasSuffix(strings.TrimSpace(got), "0") {
		t.Errorf("rows after ROLLBACK: %s", got)
	}
	harness.CheckAll(t, db)
}
