package limits

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// kinds are statements of every kind that the parser knows, and of some that it does not, in an order in which they can
// run, with the numbers of the errors that a client gets for the text and for the prepared statement; 0: none.
var kinds = []struct {
	statement      string
	text, prepared uint16
}{
	{"", 0, 1065},
	{"/* nothing */", 0, 1065},
	{"SELECT 1", 0, 0},
	{"SELECT * FROM t", 0, 0},
	{"(SELECT n FROM t) UNION ALL (SELECT n FROM u) ORDER BY 1", 0, 0},
	{"SELECT n FROM t INTERSECT SELECT n FROM u", 0, 0},
	{"SELECT n FROM t EXCEPT SELECT n FROM u", 0, 0},
	{"WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT * FROM r", 0, 0},
	{"VALUES ROW(1, 2), ROW(3, 4)", 0, 0},
	{"TABLE t", 0, 0},
	{"SELECT n INTO @x FROM t WHERE id = 1", 0, 0},
	{"SELECT n FROM t WHERE id = 1 INTO @x", 0, 0},
	{"SELECT * FROM t INTO OUTFILE '/nowhere/x'", 1290, 1290},
	{"SELECT * FROM t INTO DUMPFILE '/nowhere/x'", 1290, 1290},
	{"SELECT n FROM t FOR UPDATE", 0, 0},
	{"SELECT n FROM t LOCK IN SHARE MODE", 0, 0},
	{"SELECT * FROM nothing", 1146, 1146},
	{"STREAM * FROM t", 1235, 1235},
	{"INSERT INTO t VALUES (10, 10)", 0, 0},
	{"INSERT INTO t SET id = 11, n = 11", 0, 0},
	{"INSERT IGNORE INTO t VALUES (10, 10)", 0, 0},
	{"INSERT INTO t VALUES (10, 10)", 1062, 1062},
	{"INSERT INTO t VALUES (10, 12) ON DUPLICATE KEY UPDATE n = VALUES(n)", 0, 0},
	{"INSERT INTO t SELECT id + 100, n FROM t", 0, 0},
	{"REPLACE INTO t VALUES (10, 10)", 0, 0},
	{"REPLACE INTO t SELECT id, n FROM u", 0, 0},
	{"INSERT INTO t VALUES (50, 50) RETURNING id", 1235, 1235},
	{"UPDATE t SET n = 3 WHERE id = 1", 0, 0},
	{"UPDATE t SET n = 3 ORDER BY id LIMIT 1", 0, 0},
	{"UPDATE t JOIN u ON t.id = u.id SET t.n = u.n", 0, 0},
	{"UPDATE t SET n = 3 LIMIT 2, 5", 1064, 1064},
	{"UPDATE t SET n = 3 LIMIT 2 OFFSET 5", 1064, 1064},
	{"DELETE FROM t WHERE id = 10", 0, 0},
	{"DELETE FROM t ORDER BY id LIMIT 1", 0, 0},
	{"DELETE t FROM t JOIN u ON t.id = u.id WHERE u.id = 2", 0, 0},
	{"DELETE FROM t LIMIT 2, 5", 1064, 1064},
	{"DELETE FROM t LIMIT 2 OFFSET 5", 1064, 1064},
	{"LOAD DATA INFILE '/nowhere/x' INTO TABLE t", 1290, 1295},
	{"LOAD DATA LOCAL INFILE 'Reader::kinds' INTO TABLE t", 0, 1295},
	{"DO 1", 0, 0},
	{"DO SLEEP(0)", 0, 0},
	{"SET @x = 1", 0, 0},
	{"SET sqlfdb_use_index = ON", 0, 0},
	{"SET SESSION sql_mode = ''", 0, 0},
	{"SET NAMES utf8mb4", 0, 0},
	{"SET CHARACTER SET utf8mb4", 0, 0},
	{"SET TRANSACTION ISOLATION LEVEL READ COMMITTED", 0, 0},
	{"SET SESSION TRANSACTION READ WRITE", 0, 0},
	{"SET PASSWORD FOR nobody = 'x'", 1396, 1396},
	{"SET DEFAULT ROLE NONE TO root", 0, 0},
	{"SET ROLE NONE", 0, 0},
	{"SET no_such = 1", 1193, 1193},
	{"CREATE DATABASE IF NOT EXISTS other", 0, 0},
	{"ALTER DATABASE other COLLATE utf8mb4_0900_bin", 0, 0},
	{"DROP DATABASE other", 0, 0},
	{"DROP SCHEMA IF EXISTS other", 0, 0},
	{"CREATE TABLE c (id INT PRIMARY KEY, a INT)", 0, 0},
	{"CREATE TABLE IF NOT EXISTS c (id INT PRIMARY KEY)", 0, 0},
	{"CREATE TABLE d1 LIKE c", 0, 0},
	{"CREATE TABLE e1 SELECT * FROM t", 0, 0},
	{"CREATE TEMPORARY TABLE f1 (id INT PRIMARY KEY)", 0, 0},
	{"ALTER TABLE c ADD COLUMN b INT", 0, 0},
	{"ALTER TABLE c ADD COLUMN b2 INT, COMMENT = 'two'", 0, 0},
	{"ALTER TABLE c COMMENT = 'three'", 0, 0},
	{"ALTER TABLE c ENGINE_ATTRIBUTE = '{}'", 0, 0},
	{"ALTER TABLE c MODIFY b BIGINT", 0, 0},
	{"ALTER TABLE c CHANGE b b3 BIGINT", 0, 0},
	{"ALTER TABLE c RENAME COLUMN b3 TO b", 0, 0},
	{"ALTER TABLE c ALTER COLUMN b SET DEFAULT 5", 0, 0},
	{"ALTER TABLE c ADD INDEX i (a)", 0, 0},
	{"ALTER TABLE c RENAME INDEX i TO j", 0, 0},
	{"ALTER TABLE c DROP INDEX j", 0, 0},
	{"ALTER TABLE c ADD CONSTRAINT k CHECK (a > 0)", 0, 0},
	{"ALTER TABLE c DROP CHECK k", 0, 0},
	{"ALTER TABLE c ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES t (id)", 0, 0},
	{"ALTER TABLE c DROP FOREIGN KEY f", 0, 0},
	{"ALTER TABLE c DROP COLUMN b2", 0, 0},
	{"ALTER TABLE c AUTO_INCREMENT = 5", 0, 0},
	{"ALTER TABLE c DISABLE KEYS", 0, 0},
	{"ALTER TABLE c ENABLE KEYS", 0, 0},
	{"ALTER TABLE c COLLATE utf8mb4_0900_bin", 0, 0},
	{"ALTER TABLE c ORDER BY a", 1064, 1064},
	{"ALTER TABLE c RENAME TO c2", 0, 0},
	{"ALTER TABLE c2 PARTITION BY HASH (id)", 0, 0},
	{"RENAME TABLE c2 TO c", 0, 0},
	{"CREATE INDEX i ON c (a)", 0, 0},
	{"CREATE UNIQUE INDEX v ON c (a)", 0, 0},
	{"DROP INDEX v ON c", 0, 0},
	{"CREATE FULLTEXT INDEX f ON c (a)", 1235, 1235},
	{"CREATE SPATIAL INDEX f ON c (a)", 1235, 1235},
	{"CREATE VIEW w AS SELECT n FROM t", 0, 0},
	{"CREATE OR REPLACE VIEW w AS SELECT id FROM t", 0, 0},
	{"ALTER VIEW w AS SELECT n FROM t", 0, 1295},
	{"SELECT * FROM w", 0, 0},
	{"DROP VIEW w", 0, 0},
	{"CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.n = 1", 1235, 1235},
	{"DROP TRIGGER g", 1360, 1360},
	{"CREATE PROCEDURE p1 () SELECT 1", 1235, 1235},
	{"CREATE PROCEDURE p2 () BEGIN DECLARE i INT; DECLARE c CURSOR FOR SELECT 1; OPEN c; FETCH c INTO i; CLOSE c; END",
		1235, 1235},
	{"DROP PROCEDURE p1", 1305, 1305},
	{"CREATE FUNCTION f2 () RETURNS INT RETURN 1", 1235, 1235},
	{"DROP FUNCTION f2", 1235, 1235},
	{"CREATE EVENT e2 ON SCHEDULE EVERY 1 DAY DO SELECT 1", 1235, 1235},
	{"ALTER EVENT e2 DISABLE", 1235, 1235},
	{"DROP EVENT e2", 1235, 1235},
	{"CALL nothing()", 1305, 1305},
	{"CALL nothing", 1305, 1305},
	{"CALL d.nothing(1, @x)", 1305, 1305},
	{"CALL nowhere.nothing()", 1049, 1049},
	{"CREATE SPATIAL REFERENCE SYSTEM 5000 NAME 'x' DEFINITION 'y'", 1235, 1235},
	{"TRUNCATE TABLE e1", 0, 0},
	{"TRUNCATE d1", 0, 0},
	{"DROP TABLE d1, e1", 0, 0},
	{"DROP TABLE IF EXISTS d1", 0, 0},
	{"ANALYZE TABLE t", 0, 0},
	{"ANALYZE TABLE t UPDATE HISTOGRAM ON n USING DATA '{}'", 0, 0},
	{"ANALYZE TABLE t DROP HISTOGRAM ON n", 0, 0},
	{"OPTIMIZE TABLE t", 0, 0},
	{"REPAIR TABLE t", 0, 0},
	{"CHECK TABLE t", 0, 0},
	{"CHECKSUM TABLE t", 0, 0},
	{"EXPLAIN SELECT * FROM t", 0, 0},
	{"EXPLAIN FORMAT=TREE UPDATE t SET n = 1", 0, 0},
	{"EXPLAIN FORMAT=JSON DELETE FROM t", 0, 0},
	{"EXPLAIN ANALYZE SELECT * FROM t", 0, 0},
	{"EXPLAIN INSERT INTO t VALUES (7, 7)", 0, 0},
	{"DESCRIBE t", 0, 0},
	{"DESC t n", 0, 0},
	{"EXPLAIN t", 0, 0},
	{"SHOW DATABASES", 0, 0},
	{"SHOW TABLES", 0, 0},
	{"SHOW FULL TABLES FROM d", 0, 0},
	{"SHOW TABLE STATUS", 0, 0},
	{"SHOW COLUMNS FROM t", 0, 0},
	{"SHOW INDEX FROM t", 0, 0},
	{"SHOW CREATE TABLE t", 0, 0},
	{"SHOW CREATE DATABASE d", 0, 0},
	{"SHOW CREATE VIEW t", 1347, 1347},
	{"SHOW CREATE TRIGGER g", 1360, 1360},
	{"SHOW CREATE PROCEDURE p1", 1305, 1305},
	{"SHOW CREATE FUNCTION p1", 1235, 1235},
	{"SHOW CREATE EVENT p1", 1235, 1235},
	{"SHOW PROCEDURE STATUS", 0, 0},
	{"SHOW FUNCTION STATUS", 0, 0},
	{"SHOW TRIGGERS", 0, 0},
	{"SHOW EVENTS", 0, 0},
	{"SHOW VARIABLES LIKE 'sqlfdb%'", 0, 0},
	{"SHOW GLOBAL STATUS LIKE 'Uptime'", 0, 0},
	{"SHOW PROCESSLIST", 0, 0},
	{"SHOW WARNINGS", 0, 0},
	{"SHOW ERRORS", 0, 0},
	{"SHOW COUNT(*) WARNINGS", 0, 0},
	{"SHOW ENGINES", 0, 0},
	{"SHOW ENGINE INNODB STATUS", 0, 0},
	{"SHOW PLUGINS", 0, 0},
	{"SHOW CHARACTER SET", 0, 0},
	{"SHOW COLLATION", 0, 0},
	{"SHOW GRANTS", 0, 0},
	{"SHOW GRANTS FOR root", 0, 0},
	{"SHOW PRIVILEGES", 0, 0},
	{"SHOW BINARY LOGS", 0, 0},
	{"SHOW MASTER STATUS", 0, 0},
	{"SHOW BINARY LOG STATUS", 0, 0},
	{"SHOW REPLICA STATUS", 0, 0},
	{"SHOW SLAVE STATUS", 0, 0},
	{"SHOW OPEN TABLES", 0, 0},
	{"SHOW PROFILES", 0, 0},
	{"USE d", 0, 0},
	{"USE nowhere", 1049, 1049},
	{"BEGIN", 0, 0},
	{"SAVEPOINT s", 0, 0},
	{"ROLLBACK TO SAVEPOINT s", 0, 0},
	{"RELEASE SAVEPOINT s", 0, 0},
	{"COMMIT", 0, 0},
	{"START TRANSACTION READ ONLY", 0, 0},
	{"ROLLBACK", 0, 0},
	{"START TRANSACTION WITH CONSISTENT SNAPSHOT", 0, 0},
	{"COMMIT AND CHAIN", 0, 0},
	{"ROLLBACK AND NO CHAIN", 0, 0},
	{"XA START 'x'", 1235, 1235},
	{"LOCK TABLES t READ, u WRITE", 0, 0},
	{"UNLOCK TABLES", 0, 0},
	{"LOCK INSTANCE FOR BACKUP", 1235, 1235},
	{"UNLOCK INSTANCE", 1235, 1235},
	{"FLUSH TABLES", 0, 0},
	{"FLUSH PRIVILEGES", 0, 0},
	{"FLUSH STATUS", 0, 0},
	{"FLUSH BINARY LOGS", 0, 0},
	{"FLUSH TABLES WITH READ LOCK", 0, 0},
	{"RESET PERSIST", 1235, 1235},
	{"PURGE BINARY LOGS TO 'x'", 1235, 1235},
	{"PURGE BINARY LOGS BEFORE '2020-01-01'", 1235, 1235},
	{"CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'x'", 1235, 1235},
	{"CHANGE REPLICATION FILTER REPLICATE_DO_TABLE = (d.t)", 1235, 1235},
	{"START REPLICA", 1235, 1235},
	{"STOP REPLICA", 1235, 1235},
	{"RESET REPLICA", 1235, 1235},
	{"RESET REPLICA ALL", 1235, 1235},
	{"KILL QUERY 4000000", 1094, 1094},
	{"KILL CONNECTION 4000000", 1094, 1094},
	{"KILL 4000000", 1094, 1094},
	{"CREATE USER x IDENTIFIED BY 'y'", 0, 0},
	{"ALTER USER x IDENTIFIED BY 'z'", 0, 0},
	{"CREATE ROLE r", 0, 0},
	{"DROP ROLE r", 0, 0},
	{"GRANT SELECT ON *.* TO x", 0, 0},
	{"GRANT x TO y", 3523, 3523},
	{"GRANT PROXY ON x TO y", 1235, 1235},
	{"REVOKE SELECT ON *.* FROM x", 0, 0},
	{"REVOKE ALL PRIVILEGES, GRANT OPTION FROM x", 0, 0},
	{"RENAME USER x TO y", 0, 0},
	{"DROP USER y", 0, 0},
	{"REVOKE x FROM y", 3523, 3523},
	{"REVOKE PROXY ON x FROM y", 1235, 1235},
	{"PREPARE q FROM 'SELECT 1'", 0, 1295},
	{"PREPARE q FROM @nothing", 1064, 1295},
	{"EXECUTE q", 1243, 1295},
	{"DEALLOCATE PREPARE q", 1243, 1295},
	{"DROP PREPARE q", 1243, 1295},
	{"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'x'", 1644, 1644},
	{"RESIGNAL", 1235, 1235},
	{"HANDLER t OPEN", 1235, 1235},
	{"GET DIAGNOSTICS @n = NUMBER", 1235, 1235},
	{"HELP 'x'", 1235, 1235},
	{"BINLOG 'x'", 1235, 1235},
	{"INSTALL PLUGIN x SONAME 'y'", 1235, 1235},
	{"SHUTDOWN", 1235, 1235},
	{"RESTART", 1235, 1235},
	{"BEGIN SELECT 1; END", 1064, 1064},
	{"BEGIN NOT ATOMIC SELECT 1; END", 1064, 1064},
	{"IF 1 THEN SELECT 1; END IF", 1064, 1064},
	{"CASE 1 WHEN 1 THEN SELECT 1; END CASE", 1064, 1064},
	{"LOOP SELECT 1; END LOOP", 1064, 1064},
	{"REPEAT SELECT 1; UNTIL 1 END REPEAT", 1064, 1064},
	{"WHILE 0 DO SELECT 1; END WHILE", 1064, 1064},
	{"DECLARE x INT", 1064, 1064},
	{"OPEN c", 1064, 1064},
	{"FETCH c INTO x", 1064, 1064},
	{"CLOSE c", 1064, 1064},
	{"LEAVE x", 1064, 1064},
	{"ITERATE x", 1064, 1064},
	{"RETURN 1", 1064, 1064},
}

// TestKindsOfStatements: a statement of whatever kind gives a result or an error with a number of MySQL's, however it
// is sent; the connection lives, and nothing panics.
func TestKindsOfStatements(t *testing.T) {
	harness.RegisterText("kinds", "700\t7\n701\t8\n")
	log := &harness.Output{}
	s := harness.ServeStore(t, harness.NewStore(t), server.Options{Log: log})
	ctx := context.Background()
	admin := harness.Connect(t, s.Addr(), "", "")
	for _, way := range []struct {
		name string
		run  func(c *sql.Conn, statement string) error
	}{
		{"text", func(c *sql.Conn, statement string) error { return harness.ReadAll(c.QueryContext(ctx, statement)) }},
		{"prepared", func(c *sql.Conn, statement string) error {
			p, err := c.PrepareContext(ctx, statement)
			if err != nil {
				return err
			}
			defer p.Close()
			return harness.ReadAll(p.Query())
		}},
		{"PREPARE", func(c *sql.Conn, statement string) error {
			if _, err := c.ExecContext(ctx, "PREPARE kind FROM "+literal(statement)); err != nil {
				return err
			}
			return harness.ReadAll(c.QueryContext(ctx, "EXECUTE kind"))
		}},
	} {
		for _, used := range []string{"d", ""} {
			name := way.name
			if used == "" {
				name += " without a database"
			}
			t.Run(name, func(t *testing.T) {
				harness.MustExec(t, admin, "SET GLOBAL local_infile = 1", "DROP DATABASE IF EXISTS d",
					"CREATE DATABASE d",
					"CREATE TABLE d.t (id INT PRIMARY KEY, n INT)", "CREATE TABLE d.u (id INT PRIMARY KEY, n INT)",
					"INSERT INTO d.t VALUES (1, 1), (2, 2), (3, 3)", "INSERT INTO d.u VALUES (1, 1), (2, 2), (4, 4)")
				c := oneConnection(t, harness.Connect(t, s.Addr(), used, ""))
				id := harness.TextOf(t, c, "SELECT CONNECTION_ID()")
				seen := len(log.String())
				for _, k := range kinds {
					err := way.run(c, k.statement)
					var e *mysql.MySQLError
					number := uint16(0)
					if errors.As(err, &e) {
						number = e.Number
					}
					want := k.prepared
					if way.name == "text" {
						want = k.text
					}
					switch {
					case err != nil && (number == 0 || number == 1105):
						t.Errorf("%s: %v", k.statement, err)
					case used != "" && number != want:
						t.Errorf("%s: %v, want %d", k.statement, err, want)
					}
					if logged := log.String()[seen:]; strings.Contains(logged, "panic") {
						t.Errorf("%s: the server logs %.200s", k.statement, logged)
					}
					seen = len(log.String())
					if now := harness.TextOf(t, c, "SELECT CONNECTION_ID()"); now != id {
						t.Fatalf("%s: the connection is %s, was %s", k.statement, now, id)
					}
				}
				harness.CheckAll(t, admin)
			})
		}
	}
}

// TestPreparedDefinitions: a definition that is prepared does all that it says, in either protocol.
func TestPreparedDefinitions(t *testing.T) {
	b := newBadInput(t)
	b.exec("CREATE TABLE t (id INT PRIMARY KEY, n INT)")
	b.exec("INSERT INTO t VALUES (1, 5)")
	for i, prepare := range []func(statement string){
		func(statement string) {
			p, err := b.conn.PrepareContext(context.Background(), statement)
			if err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			defer p.Close()
			if _, err := p.Exec(); err != nil {
				t.Errorf("%s: %v", statement, err)
			}
		},
		func(statement string) {
			b.exec("PREPARE p FROM " + literal(statement))
			b.exec("EXECUTE p")
		},
		func(statement string) {
			b.exec("SET @s = " + literal(statement))
			b.exec("PREPARE p FROM @s")
			b.exec("SET @s = 'SELECT 1'")
			b.exec("EXECUTE p")
		},
	} {
		b.Logf("way %d", i)
		prepare(fmt.Sprintf("ALTER TABLE t ADD COLUMN c%d INT DEFAULT 3, COMMENT = 'it''s %[1]d', ENGINE_ATTRIBUTE "+
			"'{\"max_depth\": %[2]d}'", i, i+6))
		if got := b.text("SELECT GROUP_CONCAT(TABLE_COMMENT, ' ', (SELECT COUNT(*) FROM information_schema.COLUMNS " +
			"WHERE TABLE_NAME = 't')) FROM information_schema.TABLES WHERE TABLE_NAME " +
			"= 't'"); got != fmt.Sprintf("it's %d %d", i, i+3) {
			t.Errorf("the table's comment and columns are %q", got)
		}
		var name, create string
		if err := b.conn.QueryRowContext(context.Background(), "SHOW CREATE TABLE t").Scan(&name, &create); err != nil ||
			!strings.Contains(create, fmt.Sprintf(`"max_depth":%d`, i+6)) {
			t.Errorf("the table is %s (%v)", create, err)
		}
		prepare(fmt.Sprintf("CREATE OR REPLACE VIEW v AS SELECT n + %d AS m FROM t", i))
		if n := b.number("SELECT m FROM v"); n != int64(5+i) {
			t.Errorf("the view gives %d", n)
		}
		var rest [2]string
		if err := b.conn.QueryRowContext(context.Background(), "SHOW CREATE VIEW v").Scan(&name, &create, &rest[0],
			&rest[1]); err != nil || !strings.Contains(create, fmt.Sprintf("SELECT n + %d AS m FROM t", i)) ||
			strings.Contains(create, "EXECUTE") {
			t.Errorf("the view is %s (%v)", create, err)
		}
		prepare("CHECK TABLE t")
	}
	// What fails to be prepared takes the name from what had it.
	b.exec("PREPARE p FROM 'SELECT 1'")
	b.refuse("42000", []uint16{1064}, "PREPARE p FROM 'SELEKT 1'")
	b.refuse("HY000", []uint16{1243}, "EXECUTE p")
	b.refuse("42000", []uint16{1064}, "PREPARE p FROM 'SELECT 1; SELECT 2'")
	for _, several := range []string{"SELECT 1; SELECT 2", "SELECT 1; SELEKT", "SELECT 1;; DROP TABLE t"} {
		_, err := b.conn.PrepareContext(context.Background(), several)
		b.refused(err, "42000", []uint16{1064}, several)
	}
	for _, one := range []string{"SELECT 1;", "SELECT 1 ; -- one", "/* one */ SELECT 1 ; ;\n"} {
		if n := b.number(one); n != 1 {
			t.Errorf("%q: %d", one, n)
		}
		if p, err := b.conn.PrepareContext(context.Background(), one); err != nil {
			t.Errorf("%q: %v", one, err)
		} else {
			_ = p.Close()
		}
	}
	b.exec("DROP VIEW v")
	b.refuse("42S02", []uint16{1051}, "DROP TABLE nothing")
	b.refuse("42S02", []uint16{1051}, "PREPARE p FROM 'DROP TABLE nothing'")
	b.exec("CREATE TABLE going (id INT PRIMARY KEY)")
	b.exec("PREPARE p FROM 'DROP TABLE going'")
	b.exec("EXECUTE p")
	b.refuse("42S02", []uint16{1051}, "EXECUTE p")
	other := harness.Connect(t, b.server.Addr(), "", "?multiStatements=true")
	harness.MustExec(t, other,
		"PREPARE p FROM 'ALTER TABLE d.t COMMENT ''many'', ADD COLUMN last INT'; EXECUTE p; INSERT INTO d.t (id, "+
			"last) VALUES (9, 9)")
	if got := b.text("SELECT CONCAT(TABLE_COMMENT, (SELECT last FROM t WHERE id = 9)) FROM " +
		"information_schema.TABLES WHERE TABLE_NAME = 't'"); got != "many9" {
		t.Errorf("several statements in one text: %q", got)
	}
	alone := oneConnection(t, harness.Connect(t, b.server.Addr(), "", ""))
	harness.WantError(t, alone, "CALL nothing()", 1046, "database")
}

// oneConnection is a connection of a pool that is used for all that follows.
func oneConnection(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}
