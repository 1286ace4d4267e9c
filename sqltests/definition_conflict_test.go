package sqltests

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// usedDefinitions are transactions, what another session defines before they commit, and whether they may.
var usedDefinitions = []struct {
	uses      string // in the transaction, which changes table a at its end
	defines   string
	conflicts bool
}{
	// Definitions of what the transaction does not use.
	{"", "CREATE TABLE n (id INT PRIMARY KEY); DROP TABLE n", false},
	{"", "ALTER TABLE b ADD COLUMN n INT NOT NULL DEFAULT 4", false},
	{"", "ALTER TABLE b MODIFY k VARCHAR(30); ALTER TABLE b ADD UNIQUE INDEX u (id, k); DROP INDEX u ON b", false},
	{"", "DROP TABLE b", false},
	{"", "TRUNCATE TABLE b; RENAME TABLE b TO c; ALTER TABLE c RENAME TO b", false},
	{"", "CREATE VIEW w AS SELECT * FROM a; CREATE OR REPLACE VIEW v AS SELECT 1; DROP VIEW v, w", false},
	{"", "CREATE DATABASE d2; CREATE TABLE d2.a (id INT); DROP DATABASE d2", false},
	{
		"",
		"CREATE TABLE n (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id)); DROP TABLE child", false,
	},
	{"", "ALTER TABLE o ENGINE_ATTRIBUTE '{\"max_depth\": 2}'; OPTIMIZE TABLE o", false},
	{"SELECT * FROM o; INSERT INTO child VALUES (2, 1)", "ALTER TABLE b ADD COLUMN n INT; DROP VIEW v", false},
	{
		"CREATE TEMPORARY TABLE tt AS SELECT id FROM a; DROP TEMPORARY TABLE tt",
		"ALTER TABLE b ADD COLUMN n INT", false,
	},
	{
		"SET @n = (SELECT COUNT(*) FROM a); SELECT @@version, DATABASE(); SAVEPOINT s; ROLLBACK TO s",
		"DROP TABLE b", false,
	},
	{"SELECT * FROM a__changes; DESCRIBE a; SHOW CREATE TABLE a; SHOW INDEX FROM a", "DROP TABLE b", false},
	{"EXPLAIN SELECT * FROM a JOIN o ON a.k = o.k WHERE a.id > 1", "DROP TABLE b", false},
	{"SELECT SQLFDB_LAST_SEQ('d.a')", "DROP TABLE b", false},
	{
		"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'd' AND table_name = 'a' AND " +
			"table_type = 'BASE TABLE'; " +
			"SELECT table_rows FROM information_schema.tables WHERE table_schema = 'd' AND table_name = 'a'; " +
			"SHOW COLUMNS FROM a",
		"DROP TABLE b; CREATE TABLE n (id INT)", false,
	},
	// Of what it uses.
	{"", "ALTER TABLE a ADD COLUMN n INT", true},
	{"", "ALTER TABLE a COMMENT 'x'", true},
	{"", "ALTER TABLE a MODIFY k VARCHAR(30)", true},
	{"", "CREATE INDEX ik ON a (k, id)", true},
	{"", "CREATE UNIQUE INDEX ik ON a (k)", true},
	{"", "ALTER TABLE a DROP PRIMARY KEY", true},
	{"", "TRUNCATE TABLE a", true},
	{"", "DROP TABLE a", true},
	{"", "RENAME TABLE a TO c", true},
	{"", "DROP DATABASE d", true},
	{"SELECT * FROM b", "ALTER TABLE b ADD COLUMN n INT", true},
	{"SELECT * FROM b WHERE id = 1; SELECT * FROM b WHERE id = 2", "DROP TABLE b", true},
	{"SELECT 1 FROM a WHERE EXISTS (SELECT 1 FROM b)", "TRUNCATE TABLE b", true},
	{"INSERT INTO a SELECT id + 100, k FROM b", "RENAME TABLE b TO c", true},
	{"SELECT * FROM b__changes", "ALTER TABLE b ADD COLUMN n INT", true},
	{
		"CREATE TEMPORARY TABLE tt AS SELECT id FROM b; DROP TEMPORARY TABLE tt",
		"ALTER TABLE b ADD COLUMN n INT", true,
	},
	// Foreign keys, from both sides.
	{"INSERT INTO child VALUES (2, 1)", "ALTER TABLE parent ADD COLUMN n INT", true},
	{"INSERT INTO child VALUES (2, NULL)", "SET foreign_key_checks = 0; DROP TABLE parent", true},
	{"INSERT INTO child VALUES (2, 1)", "RENAME TABLE parent TO mother", true},
	{"INSERT INTO parent VALUES (2)", "ALTER TABLE child ADD COLUMN n INT", true},
	{
		"DELETE FROM parent WHERE id = 3",
		"CREATE TABLE n (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id))", true,
	},
	{
		"DELETE FROM parent WHERE id = 3",
		"ALTER TABLE b ADD COLUMN p INT, ADD FOREIGN KEY (p) REFERENCES parent (id)", true,
	},
	{"DELETE FROM parent WHERE id = 3", "ALTER TABLE child DROP FOREIGN KEY child_ibfk_1", true},
	{"", "CREATE TABLE n (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES a (id))", true},
	{"INSERT INTO orphan VALUES (2, NULL)", "CREATE TABLE later (id INT PRIMARY KEY)", true},
	// Views, names that there were none of, and lists.
	{"SELECT * FROM v", "CREATE OR REPLACE VIEW v AS SELECT 1", true},
	{"SELECT * FROM v", "DROP VIEW v", true},
	{"SELECT * FROM v", "ALTER TABLE b ADD COLUMN n INT", true},
	{"SELECT * FROM nothing", "CREATE TABLE nothing (id INT)", true},
	{"SELECT * FROM nothing", "CREATE VIEW nothing AS SELECT 1", true},
	{"SHOW TABLES", "CREATE TABLE n (id INT)", true},
	{"SELECT COUNT(*) FROM sqlfdb.tables", "DROP TABLE b", true},
	{"SELECT COUNT(*) FROM information_schema.columns", "ALTER TABLE b ADD COLUMN n INT", true},
	{
		"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'd' AND table_name = 'n'",
		"CREATE TABLE n (id INT)", true,
	},
	{
		"SELECT COUNT(*) FROM information_schema.views WHERE table_schema = 'd' AND table_name = 'n'",
		"CREATE VIEW n AS SELECT 1", true,
	},
	{"DESCRIBE b", "ALTER TABLE b ADD COLUMN n INT", true},
	{"SHOW DATABASES", "CREATE DATABASE d2; DROP DATABASE d2", true},
	{"SHOW CREATE DATABASE d", "ALTER DATABASE d COLLATE utf8mb4_bin", true},
}

// usedTables are made before each of them.
var usedTables = []string{
	"USE d", "CREATE TABLE a (id INT PRIMARY KEY, k VARCHAR(20))", "CREATE TABLE b (id INT PRIMARY KEY, k VARCHAR(20))",
	"CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, _doc JSON)", "CREATE TABLE parent (id INT PRIMARY KEY)",
	"CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id))",
	"CREATE VIEW v AS SELECT id FROM b", "INSERT INTO a VALUES (1, 'x'), (2, 'y')",
	"INSERT INTO b VALUES (1, 'x'), (2, 'y')",
	`INSERT INTO o (_doc) VALUES ('{"_id":"1","k":"x"}')`,
	"INSERT INTO parent VALUES (1), (3)", "INSERT INTO child VALUES (1, 1)",
	"SET foreign_key_checks = 0",
	"CREATE TABLE orphan (id INT PRIMARY KEY, l INT, FOREIGN KEY (l) REFERENCES later (id))",
	"SET foreign_key_checks = 1",
}

// TestDefinitionConflicts: a transaction that writes conflicts with changes of the definitions that it uses, and with
// no others.
func TestDefinitionConflicts(t *testing.T) {
	s, _ := harness.Database(t)
	db := harness.Connect(t, s.Addr(), "", "?interpolateParams=true")
	for _, c := range usedDefinitions {
		harness.MustExec(t, db, "DROP DATABASE IF EXISTS d", "CREATE DATABASE d")
		one, other := harness.NewSession(t, db), harness.NewSession(t, db)
		harness.MustExec(t, other, usedTables...)
		harness.MustExec(t, one, "USE d", "BEGIN")
		for _, q := range strings.FieldsFunc(c.uses, isSemicolon) {
			if have := harness.Answered(one, q); strings.HasPrefix(have, "error") && have != "error 1146" {
				t.Errorf("%s: %s", q, have)
			}
		}
		harness.MustExec(t, one, "UPDATE a SET k = 'z' WHERE id = 2")
		harness.MustExec(t, other, strings.FieldsFunc(c.defines, isSemicolon)...)
		_, err := one.ExecContext(context.Background(), "COMMIT")
		if want := map[bool]uint16{true: 1213}[c.conflicts]; harness.ErrorNumber(err) != want || !c.conflicts &&
			err != nil {
			t.Errorf("%q, then %q: %v", c.uses, c.defines, err)
		}
		harness.MustExec(t, other, "SET foreign_key_checks = 1")
		_, _ = one.Close(), other.Close()
		harness.CheckAll(t, db)
	}
}

func isSemicolon(r rune) bool { return r == ';' }

// TestDefinitionsBesideWriters: while other tables are created, altered in all ways and dropped, transactions on a
// table of their own never meet a conflict.
func TestDefinitionsBesideWriters(t *testing.T) {
	_, db := harness.Database(t)
	const clients = 3
	var stop atomic.Bool
	var running sync.WaitGroup
	var done, conflicts atomic.Int64
	for i := range clients {
		harness.MustExec(t, db,
			fmt.Sprintf("CREATE TABLE w%d (id INT PRIMARY KEY AUTO_INCREMENT, n INT, v TEXT, _doc JSON)", i))
		one := harness.NewSession(t, db)
		running.Go(func() {
			for n := 0; !stop.Load(); n++ {
				for _, q := range []string{"BEGIN", "INSERT INTO w%d (n, v) VALUES (1, 'a')",
					"UPDATE w%d SET n = n + 1, `k.e` = n WHERE id = LAST_INSERT_ID()",
					"SELECT COUNT(*) FROM w%d", "COMMIT"} {
					if strings.Contains(q, "%d") {
						q = fmt.Sprintf(q, i)
					}
					if have := harness.Answered(one, q); have == "error 1213" {
						conflicts.Add(1)
						t.Errorf("%s: %s", q, have)
						break
					} else if strings.HasPrefix(have, "error") {
						t.Errorf("%s: %s", q, have)
						return
					}
				}
				done.Add(1)
			}
		})
	}
	defined := 0
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		stmts := []string{"CREATE TABLE m (id INT PRIMARY KEY, a INT, b VARCHAR(20))",
			"INSERT INTO m VALUES (1, 2, '3'), (2, 3, '4')", "ALTER TABLE m ADD COLUMN c INT NOT NULL DEFAULT 3",
			"ALTER TABLE m MODIFY b INT", "CREATE UNIQUE INDEX ab ON m (a, b)", "ALTER TABLE m DROP COLUMN b",
			"CREATE TABLE m2 (id INT PRIMARY KEY, m INT, FOREIGN KEY (m) REFERENCES m (id))",
			"CREATE VIEW mv AS SELECT * FROM m", "RENAME TABLE m TO m3", "TRUNCATE TABLE m2",
			"DROP VIEW mv", "DROP TABLE m2, m3"}
		harness.MustExec(t, db, stmts...)
		defined += len(stmts)
	}
	stop.Store(true)
	running.Wait()
	t.Logf("%d transactions beside %d definitions, %d conflicts", done.Load(), defined, conflicts.Load())
	if done.Load() == 0 {
		t.Error("no transaction")
	}
	harness.CheckAll(t, db)
}
