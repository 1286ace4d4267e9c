package sqltests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestColumnPrivileges: who has privileges on some columns reads and writes those alone, wherever a statement names
// them. The numbers are those of MariaDB 10.11.
func TestColumnPrivileges(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, a INT, b INT, c INT, KEY (b))",
		"CREATE TABLE d.u (id INT PRIMARY KEY, a INT, e INT)", "INSERT INTO d.t VALUES (1, 2, 3, 4)",
		"INSERT INTO d.u VALUES (1, 2, 3)", "CREATE VIEW d.v AS SELECT a, b FROM d.t",
		"CREATE USER w IDENTIFIED BY 'w'", "GRANT SELECT ON d.u TO w", "GRANT SELECT (a) ON d.v TO w")
	inOrder(t, root, [][2]string{
		{"GRANT SELECT (a, id), INSERT (a, id), UPDATE (c), REFERENCES (b) ON d.t TO w", ""},
		{"GRANT SELECT (nosuch) ON d.t TO w", "1054"},
		{"GRANT DELETE (a) ON d.t TO w", "1144"},
		{"GRANT SELECT (a) ON d.* TO w", "1144"},
		{"GRANT SELECT (a) ON d.none TO w", "1146"},
		{"SHOW GRANTS FOR w", "=GRANT USAGE ON *.* TO `w`@`%`\nGRANT SELECT ON `d`.`u` TO `w`@`%`\n" +
			"GRANT SELECT (`a`) ON `d`.`v` TO `w`@`%`\n" +
			"GRANT SELECT (`a`, `id`), INSERT (`a`, `id`), UPDATE (`c`), REFERENCES (`b`) ON `d`.`t` TO `w`@`%`"},
		{"SELECT column_name, privilege_type FROM information_schema.column_privileges WHERE table_name = 't'",
			"=a|SELECT\na|INSERT\nid|SELECT\nid|INSERT\nc|UPDATE\nb|REFERENCES"},
		{"SELECT column_name, column_priv FROM mysql.columns_priv WHERE table_name = 't' ORDER BY 1",
			"=a|Select,Insert\nb|References\nc|Update\nid|Select,Insert"},
		{"SELECT CONCAT(table_name, ':', table_priv, ':', column_priv) FROM mysql.tables_priv ORDER BY 1",
			"=t::Select,Insert,Update,References\nu:Select:\nv::Select"},
	}...)
	w := p.as("w:w")
	harness.MustExec(t, w, "USE d")
	inOrder(t, w, [][2]string{
		{"SELECT * FROM t", "1142"}, {"SELECT t.* FROM t", "1142"}, {"SELECT t.*, 1 FROM u, t", "1142"},
		{"SELECT u.* FROM u JOIN t ON t.a = u.a", "=1|2|3"},
		{"SELECT a, id FROM t", "=2|1"}, {"SELECT A FROM t", "=2"},
		{"SELECT x.a FROM d.t x", "=2"}, {"SELECT 1 FROM t", "=1"},
		{"SELECT COUNT(*) FROM t", "=1"}, {"SELECT EXISTS (SELECT * FROM t)", "=1"},
		{"SELECT EXISTS (SELECT * FROM t WHERE b = 3)", "1143"},
		{"SELECT b FROM t", "1143"}, {"SELECT x.b FROM d.t x", "1143"}, {"SELECT nosuch FROM t", "1143"},
		{"SELECT a FROM t WHERE b = 1", "1143"}, {"SELECT a FROM t ORDER BY b", "1143"},
		{"SELECT a FROM t GROUP BY a, b", "1143"}, {"SELECT a FROM t GROUP BY a HAVING MAX(b) > 1", "1143"},
		{"SELECT a AS b FROM t ORDER BY b", "=2"}, {"SELECT a AS n FROM t GROUP BY n HAVING n > 1 ORDER BY n + 1", "=2"},
		{"SELECT a FROM t LIMIT 1", "=2"},
		{"SELECT t.a FROM t JOIN u ON t.a = u.a", "=2"}, {"SELECT t.a FROM t JOIN u USING (a)", "=2"},
		{"SELECT t.a FROM t JOIN u ON t.b = u.a", "1143"}, {"SELECT t.a FROM t NATURAL JOIN u", "=2"},
		{"SELECT e FROM t JOIN u ON t.a = u.a", "=3"}, {"SELECT e FROM u WHERE a IN (SELECT a FROM t)", "=3"},
		{"SELECT e FROM u WHERE a IN (SELECT b FROM t)", "1143"},
		{"SELECT e FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.a = e)", "="},
		{"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE b = e)", "1143"},
		{"SELECT (SELECT MAX(b) FROM t)", "1143"}, {"SELECT * FROM (SELECT a FROM t) x", "=2"},
		{"SELECT * FROM (SELECT b FROM t) x", "1143"},
		{"WITH q AS (SELECT b FROM t) SELECT 1 FROM q", "1143"}, {"WITH q AS (SELECT a FROM t) SELECT * FROM q", "=2"},
		{"SELECT a FROM t UNION SELECT b FROM t", "1143"}, {"SELECT a FROM t UNION SELECT id FROM t ORDER BY a", "=1\n2"},
		{"EXPLAIN SELECT b FROM t", "1143"}, {"EXPLAIN SELECT a FROM t", ""}, {"SET @x = (SELECT b FROM t)", "1143"},
		{"SELECT a FROM t FOR UPDATE", "=2"}, {"DO (SELECT b FROM t)", "1"}, {"SELECT a INTO @x FROM t", ""},
		{"SELECT a FROM v", "=2"}, {"SELECT b FROM v", "1143"}, {"SELECT * FROM v", "1142"},
		{"INSERT INTO t (id, a) VALUES (2, 2)", ""}, {"INSERT INTO t (id, b) VALUES (3, 3)", "1143"},
		{"INSERT INTO t VALUES (3, 3, 3, 3)", "1142"}, {"INSERT INTO t (id, a) SELECT b, a FROM t", "1143"},
		{"INSERT INTO t (id, a) SELECT e, a FROM u", ""}, {"REPLACE INTO t (id, a) VALUES (2, 2)", "1142"},
		{"INSERT INTO t (id, a) VALUES (2, 3) ON DUPLICATE KEY UPDATE c = 1", ""},
		{"INSERT INTO t (id, a) VALUES (2, 3) ON DUPLICATE KEY UPDATE b = 1", "1143"},
		{"INSERT INTO t (id, a) VALUES (2, 3) ON DUPLICATE KEY UPDATE c = b", "1143"},
		{"INSERT INTO t (id, a) VALUES (2, 3) ON DUPLICATE KEY UPDATE c = VALUES(b)", "1143"},
		{"UPDATE t SET c = 1", ""}, {"UPDATE t SET c = a WHERE id = 2", ""}, {"UPDATE t SET c = b", "1143"},
		{"UPDATE t SET a = 1", "1143"}, {"UPDATE t SET c = 1 WHERE b = 1", "1143"}, {"UPDATE t SET c = c + 1", "1143"},
		{"UPDATE t SET c = 2 ORDER BY b LIMIT 1", "1143"}, {"UPDATE t x SET x.c = 3 WHERE x.a = 3", ""},
		{"UPDATE u SET e = 1 ORDER BY a LIMIT 1", "1142"},
		{"DELETE FROM t", "1142"}, {"DELETE FROM t WHERE a = 1", "1142"}, {"TRUNCATE TABLE t", "1142"},
		{"SELECT column_name, privileges FROM information_schema.columns WHERE table_name = 't' ORDER BY 1",
			"=a|insert,select\nb|references\nc|update\nid|insert,select"},
		{"SHOW CREATE TABLE t", "1142"}, {"GRANT SELECT (a) ON d.t TO w", "1142"},
		{"CREATE VIEW v2 AS SELECT a FROM t", "1142"},
		{"CREATE TABLE t2 AS SELECT a FROM t", "1142"}, {"SELECT * FROM t__changes", "1142"},
		{"SELECT COUNT(*) FROM sqlfdb.keypaths WHERE `table` = 't'", "=0"},
	}...)
	// Each kind of expression shows the column within it.
	for _, e := range strings.Fields(`b+1 -b NOT(b) b=1 b<=>1 b|1 (b,1)=(1,1) ABS(b) IF(b,1,2) IFNULL(b,1) COALESCE(1,b)
		CASE␣b␣WHEN␣1␣THEN␣1␣END CASE␣WHEN␣b␣THEN␣1␣END CASE␣WHEN␣1␣THEN␣b␣END b␣BETWEEN␣1␣AND␣2 1␣BETWEEN␣b␣AND␣2
		b␣IN(1) 1␣IN(b) b␣IS␣NULL b␣LIKE␣1 'x'␣LIKE␣b␣ESCAPE␣'|' b␣REGEXP␣1 CAST(b␣AS␣CHAR) CONVERT(b,CHAR)
		CONVERT(b␣USING␣utf8mb4) SUBSTRING('abc',b) SUBSTR('abc'␣FROM␣b␣FOR␣1) TRIM(b␣FROM␣'abc') TRIM(LEADING␣'a'␣FROM␣b)
		EXTRACT(DAY␣FROM␣b) DATE_ADD('2020-01-01',INTERVAL␣b␣DAY) '2020-01-01'+INTERVAL␣b␣DAY TIMESTAMPDIFF(DAY,b,b)
		TIMESTAMPADD(DAY,b,'2020-01-01') POSITION('a'␣IN␣b) CHAR(b) CONCAT('a',b) MAX(b) COUNT(b) COUNT(DISTINCT␣b)
		GROUP_CONCAT(a␣ORDER␣BY␣b) GROUP_CONCAT(b) SUM(a)␣OVER(PARTITION␣BY␣b) SUM(a)␣OVER(ORDER␣BY␣b) LAG(b)␣OVER(ORDER␣BY␣a)
		JSON_OBJECT('k',b) JSON_ARRAY(b) b␣COLLATE␣utf8mb4_bin BINARY␣b b␣DIV␣2 b␣MEMBER␣OF('[1]') @y:=b`) {
		e = strings.ReplaceAll(e, "␣", " ")
		for _, column := range []string{"b", "t.b"} {
			q := "SELECT " + strings.ReplaceAll(strings.ReplaceAll(e, "b", column), "utf8m"+column+"4", "utf8mb4") + " FROM t"
			q = strings.NewReplacer("a"+column+"c", "abc", "SU"+column, "SUB", "_"+column+"in", "_bin").Replace(q)
			if got := harness.Exec(w, q); !strings.HasPrefix(got, "ERROR 1143") && !strings.HasPrefix(got, "ERROR 1064") {
				t.Errorf("%s: %s", q, got)
			}
			allowed := strings.ReplaceAll(q, column, strings.ReplaceAll(column, "b", "a"))
			if got := harness.Exec(w, allowed); strings.Contains(got, "denied") {
				t.Errorf("%s: %s", allowed, got)
			}
		}
	}
	// Prepared, and by its key as programs are.
	for i := range 3 {
		for column, want := range map[string]string{"a": "", "b": "1143"} {
			_, err := w.ExecContext(t.Context(), "SELECT "+column+" FROM t WHERE id = ?", 1)
			if fmt.Sprint(err) != "<nil>" && want == "" || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%d: %s: %v", i, column, err)
			}
		}
	}
	inOrder(t, root, [][2]string{{"REVOKE SELECT (a) ON d.t FROM w", ""}, {"CREATE ROLE r", ""},
		{"GRANT SELECT (b) ON d.t TO r", ""}, {"GRANT r TO w", ""}}...)
	inOrder(t, w, [][2]string{{"SELECT id FROM t LIMIT 1", "=1"}, {"SELECT a FROM t", "1143"}, {"SELECT b FROM t", "1143"},
		{"SET ROLE r", ""}, {"SELECT b FROM t WHERE id = 1", "=3"}}...)
	inOrder(t, root, [][2]string{{"REVOKE SELECT ON d.t FROM w", ""}, {"REVOKE SELECT (a) ON d.u FROM w", ""},
		{"REVOKE INSERT (a), UPDATE (c), INSERT (id), REFERENCES (b) ON d.t FROM w", ""},
		{"REVOKE SELECT ON d.t FROM w", "1147"}}...)
	inOrder(t, w, [][2]string{{"SET ROLE NONE", ""}, {"SELECT id FROM t", "1142"}}...)
}

// TestKeypathPrivileges: a column of documents is a keypath and what is below it; the whole document needs the table.
func TestKeypathPrivileges(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE d", "USE d", "CREATE TABLE docs (_id VARCHAR(9) PRIMARY KEY, _doc JSON)",
		`INSERT INTO docs (_doc) VALUES ('{"_id":"1","a":{"b":1,"c":2},"n":3,"secret":4,"lines":[{"x":1}]}')`,
		"CREATE USER k IDENTIFIED BY 'k'", "GRANT SELECT (_id, a, `lines`), INSERT (_id, n), UPDATE (`a.b`) ON d.docs TO k")
	k := p.as("k:k")
	harness.MustExec(t, k, "USE d")
	inOrder(t, k, [][2]string{
		{"SELECT `a.b`, `a.c`, a FROM docs", `=1|2|{"b":1,"c":2}`}, {"SELECT _id FROM docs WHERE `a.b` = 1", "=1"},
		{"SELECT * FROM docs", "1142"}, {"SELECT _doc FROM docs", "1143"}, {"SELECT _doc->'$.a' FROM docs", "1143"},
		{"SELECT secret FROM docs", "1143"}, {"SELECT n FROM docs", "1143"}, {"SELECT SECRET FROM docs", "1143"},
		{"SELECT COUNT(*) FROM docs WHERE secret = 4", "1143"}, {"SELECT _id FROM docs ORDER BY secret", "1143"},
		{"SELECT aa FROM docs", "1143"}, {"SELECT `lines` FROM docs", `=[{"x":1}]`}, {"SELECT * FROM docs__lines", "1142"},
		{"SELECT `lines` AS l FROM docs GROUP BY l", `=[{"x":1}]`},
		{"SELECT * FROM docs__changes", "1142"}, {"SELECT sqlfdb_last_seq('d.docs')", "1142"},
		{"INSERT INTO docs (_id, n) VALUES ('2', 5)", ""}, {"INSERT INTO docs (_id, secret) VALUES ('3', 5)", "1143"},
		{"INSERT INTO docs (_doc) VALUES ('{\"_id\":\"3\"}')", "1143"},
		{"UPDATE docs SET `a.b` = 9 WHERE _id = '1'", ""}, {"UPDATE docs SET a = NULL", "1143"},
		{"UPDATE docs SET _doc = '{}'", "1143"}, {"UPDATE docs SET `a.b` = secret", "1143"},
		{"SELECT column_name FROM information_schema.columns WHERE table_name = 'docs' ORDER BY 1",
			"=_id\na.b\na.c\nlines\nn"},
		{"SELECT keypath FROM sqlfdb.keypaths", "="},
	}...)
	inOrder(t, root, [2]string{"SELECT `a.b` FROM d.docs WHERE _id = '1'", "=9"})
	harness.MustExec(t, root, "CHECK TABLE d.docs")
}

// TestColumnsOfOuterTables: a bare name is the outer table's unless an inner one surely has it, and means none that is
// known not to have it.
func TestColumnsOfOuterTables(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE shop", "CREATE DATABASE mine",
		"CREATE TABLE shop.rel (id INT PRIMARY KEY, pub INT, sec INT)", "INSERT INTO shop.rel VALUES (1, 2, 3)",
		"CREATE TABLE shop.people (_id VARCHAR(9) PRIMARY KEY, _doc JSON)",
		`INSERT INTO shop.people (_doc) VALUES ('{"_id":"1","name":"a","salary":5,":col":6,"@col":7}')`,
		"CREATE TABLE mine.tricky (`salary.x` INT, k INT PRIMARY KEY)", "INSERT INTO mine.tricky VALUES (1, 1)",
		"CREATE TABLE mine.dec1 (k INT PRIMARY KEY, sec INT, salary INT)", "INSERT INTO mine.dec1 VALUES (1, 1, 1)",
		"CREATE TABLE mine.rel (k INT PRIMARY KEY, sec INT)", "INSERT INTO mine.rel VALUES (1, 1)",
		"CREATE USER clerk IDENTIFIED BY 'c'", "GRANT SELECT (id, pub) ON shop.rel TO clerk",
		"GRANT SELECT (_id, name) ON shop.people TO clerk", "GRANT ALL ON mine.* TO clerk")
	c := p.as("clerk:c")
	harness.MustExec(t, c, "USE mine")
	inOrder(t, c, [][2]string{
		{"SELECT (SELECT salary FROM tricky LIMIT 1) FROM shop.people", "1143"},
		{"WITH dec1 AS (SELECT 1 AS z) SELECT (SELECT sec FROM dec1) FROM shop.rel", "1143"},
		{"SELECT (SELECT d.x FROM dec1 RIGHT JOIN (SELECT salary AS x) d ON 1=1) y FROM shop.people", "1143"},
		{"SELECT (SELECT d.x FROM (SELECT rel.sec AS x) d JOIN mine.rel ON 1=1) y FROM shop.rel", "1143"},
		{"SELECT (SELECT COUNT(*) FROM tricky a JOIN tricky b ON sec = 3 JOIN dec1) y FROM shop.rel", "1143"},
		{"SELECT (SELECT shop.rel.sec FROM mine.rel LIMIT 1) FROM shop.rel", "1143"},
		{"SELECT `:col` FROM shop.people", "1143"}, {"SELECT people.`@col` FROM shop.people", "1143"},
		{"CREATE VIEW v AS SELECT (SELECT sec FROM dec1) AS s FROM shop.rel", "1142"},
		{"CREATE VIEW v AS SELECT (SELECT d.sec FROM dec1 d) AS s, id FROM shop.rel", ""}, {"SELECT * FROM v", "=1|1"},
		{"CREATE VIEW v2 AS SELECT pub FROM shop.rel JOIN dec1 ON k = id", ""}, {"SELECT * FROM v2", "=2"},
		{"SELECT (SELECT sec FROM dec1) FROM shop.rel", "=1"},
		{"SELECT (SELECT a.sec FROM dec1 a JOIN dec1 b ON a.k = b.k AND b.sec = 1) FROM shop.rel", "=1"},
		{"SELECT z FROM shop.rel, (SELECT 1 AS z) y", "=1"},
		{"WITH w AS (SELECT id AS wid FROM shop.rel) SELECT wid FROM shop.rel JOIN w ON wid = id", "=1"},
		{"SELECT z FROM shop.rel, JSON_TABLE('[4]', '$[*]' COLUMNS (z INT PATH '$')) j", "=4"},
		{"SELECT id, (SELECT MAX(z) FROM (SELECT 1 AS z) y) AS m FROM shop.rel", "=1|1"},
		{"SELECT sec FROM shop.rel, (SELECT 1 AS z) y", "1143"}, {"SELECT nosuch FROM shop.rel", "1143"},
	}...)
}
