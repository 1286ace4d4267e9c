package sqlbackend

import (
	"strings"
	"testing"
)

func TestJSONColumnsKeepBytes(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, j JSON, n INT DEFAULT 7)")
	const doc = `{"b":9007199254740993,"a":1.50,"c":[1e400,"\u00e9"]}`
	m.exec(`INSERT INTO t (id, j) VALUES (1, '{ "b" : 9007199254740993, "a": 1.50, "c":[1e400, "\\u00e9"]}')`)
	m.want("SELECT j, n FROM t WHERE id = 1", doc+" 7")
	m.exec("INSERT INTO t SELECT id + 1, j, n FROM t WHERE id = 1")
	m.want("SELECT j FROM t WHERE id = 2", doc)
	m.exec(`INSERT INTO t SELECT 3, '{"z":1,"y":2.0}', 1`)
	m.want("SELECT j FROM t WHERE id = 3", `{"z":1,"y":2.0}`)
	m.exec(`UPDATE t SET j = '{"z":2}' WHERE id = 3`)
	m.exec(`UPDATE t SET j = '{"z":1.0,"y":2}' WHERE id = 3`)
	m.want("SELECT j FROM t WHERE id = 3", `{"z":1.0,"y":2}`)
	m.exec(`UPDATE t SET j = JSON_SET(j, '$.y', 3.10, '$.new', 'x') WHERE id = 3`)
	m.want("SELECT j FROM t WHERE id = 3", `{"z":1.0,"y":3.10,"new":"x"}`)
	m.exec(`UPDATE t SET j = JSON_REMOVE(j, '$.z') WHERE id = 3`)
	m.want("SELECT j FROM t WHERE id = 3", `{"y":3.10,"new":"x"}`)
	m.exec(`REPLACE INTO t VALUES (3, '[1.0, 2]', NULL)`)
	m.want("SELECT j FROM t WHERE id = 3", `[1.0,2]`)
	m.exec(`INSERT INTO t VALUES (3, '7', 1) ON DUPLICATE KEY UPDATE j = '{"dup":1.00}'`)
	m.want("SELECT j FROM t WHERE id = 3", `{"dup":1.00}`)
	m.exec(`INSERT INTO t VALUES (3, '{"v":2.00}', 1) ON DUPLICATE KEY UPDATE j = VALUES(j)`)
	m.want("SELECT j FROM t WHERE id = 3", `{"v":2.00}`)
	m.exec(`INSERT INTO t VALUES (4, NULL, 1), (5, 'null', 1), (6, '"s"', 1), (7, 12, 1), (8, true, 1)`)
	m.want("SELECT j, JSON_TYPE(j) FROM t WHERE id BETWEEN 4 AND 8 ORDER BY id",
		`NULL NULL|null NULL|"s" STRING|12 INTEGER|true BOOLEAN`)
	m.exec(`PREPARE s FROM 'INSERT INTO t VALUES (?, ?, 1)'`)
	m.exec(`SET @id = 20, @doc = '{"p":1.000}'`)
	m.exec(`EXECUTE s USING @id, @doc`)
	m.want("SELECT j FROM t WHERE id = 20", `{"p":1.000}`)
	m.exec(`CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.j = '{"trigger":1.0}'`)
	m.exec(`INSERT INTO t VALUES (30, '{}', 1)`)
	m.want("SELECT j FROM t WHERE id = 30", `{"trigger":1.0}`)
}

func TestJSONTextIsRefused(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, j JSON)")
	m.exec(`INSERT INTO t VALUES (1, '{}')`)
	for _, q := range []string{
		`INSERT INTO t VALUES (2, '{"a":}')`,
		`UPDATE t SET j = '{"a":}'`,
		`INSERT IGNORE INTO t VALUES (2, '{"a":}')`,
	} {
		m.wantError(q, `Invalid JSON text:`, `at position 5 in value for column 't.j'`, "errno 3140", "sqlstate 22032")
	}
	m.wantError(`INSERT INTO t VALUES (2, '{"a":1,"b":{"x":1,"x":2}}')`, `Duplicate key "x" (b.x)`, "at position 18",
		"errno 3140")
	m.wantError(`INSERT INTO t VALUES (2, '')`, "at position 0", "errno 3140")
	m.wantError(`INSERT INTO t VALUES (2, '`+strings.Repeat("[", 200)+`')`, "maximum depth", "errno 3157")
	m.want("SELECT COUNT(*) FROM t", "1")
}
