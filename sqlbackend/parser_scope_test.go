package sqlbackend

import "testing"

func TestExistsInChanges(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, a INT)")
	m.exec("CREATE TABLE k (id INT PRIMARY KEY, b INT)")
	m.exec("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3), (4, NULL), (5, 5)")
	m.exec("INSERT INTO k VALUES (1, 2), (2, 3), (3, 30)")
	m.exec("UPDATE t SET a = a + 100 WHERE NOT EXISTS (SELECT 1 FROM k WHERE k.b = t.a) AND id < 3")
	m.want("SELECT id, a FROM t ORDER BY id", "1 101|2 2|3 3|4 NULL|5 5")
	m.exec("UPDATE t SET a = EXISTS (SELECT 1 FROM k WHERE k.b = t.a) WHERE id = 3 OR id = 5")
	m.want("SELECT id, a FROM t ORDER BY id", "1 101|2 2|3 1|4 NULL|5 0")
	m.exec("UPDATE t SET a = (SELECT MAX(b) FROM k WHERE k.id <= t.id) WHERE EXISTS (SELECT 1 FROM k WHERE k.id = t.id)")
	m.want("SELECT id, a FROM t ORDER BY id", "1 2|2 3|3 30|4 NULL|5 0")
	m.exec("DELETE FROM t WHERE (a = 0 OR NOT EXISTS (SELECT 1 FROM k WHERE k.b = t.a)) AND NOT (EXISTS (SELECT 1 " +
		"FROM k WHERE b = 99))")
	m.want("SELECT id, a FROM t ORDER BY id", "1 2|2 3|3 30")
	m.exec("DELETE FROM t WHERE EXISTS (SELECT 1 FROM k) ORDER BY id LIMIT 1")
	m.want("SELECT id, a FROM t ORDER BY id", "2 3|3 30")
	m.exec("DELETE t FROM t JOIN k ON t.a = k.b WHERE EXISTS (SELECT 1 FROM k x WHERE x.b = t.a AND x.b > 20)")
	m.want("SELECT id, a FROM t ORDER BY id", "2 3")
	m.exec("INSERT INTO t SELECT id + 10, b FROM k WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.a = k.b) ORDER BY (b)")
	m.want("SELECT id, a FROM t ORDER BY id", "2 3|11 2|13 30")
}

func TestSortKeysInParentheses(t *testing.T) {
	m := newMemoryEngine(t)
	for _, c := range []struct{ query, rows string }{
		{"WITH c AS (SELECT 2 i UNION ALL SELECT 1) SELECT i FROM c ORDER BY (i)", "1|2"},
		{"WITH c AS (SELECT 1 i UNION ALL SELECT 2) SELECT i FROM c ORDER BY ((i)) DESC", "2|1"},
		{"SELECT i + 1 j FROM (SELECT 2 i UNION ALL SELECT 1) d ORDER BY (j)", "2|3"},
		{"SELECT COUNT(*) FROM (SELECT 2 i UNION ALL SELECT 1) d GROUP BY (i)", "1|1"},
		{"SELECT (SELECT i FROM (SELECT 2 i UNION ALL SELECT 1) d ORDER BY (i) LIMIT 1)", "1"},
	} {
		m.want(c.query, c.rows)
	}
}

// TestNotExistsOfNulls: a condition that is NULL finds nothing.
func TestNotExistsOfNulls(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE v (id INT PRIMARY KEY, n INT, KEY (n))")
	m.exec("CREATE TABLE w (id INT PRIMARY KEY, n INT)")
	m.exec("INSERT INTO v VALUES (1, 7), (2, 1), (3, NULL)")
	m.exec("INSERT INTO w VALUES (1, 1), (2, 2), (3, NULL)")
	for _, c := range []struct{ query, rows string }{
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n) ORDER BY id", "2|3"},
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n AND v.id > 0) ORDER BY id", "2|3"},
		{"SELECT id FROM w WHERE NOT (EXISTS (SELECT 1 FROM v WHERE v.n = w.n) OR id = 2) ORDER BY id", "3"},
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n < w.n) ORDER BY id", "1|3"},
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n OR v.n > 6) ORDER BY id", ""},
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.id = w.n) ORDER BY id", "3"},
		{"SELECT id FROM v WHERE NOT EXISTS (SELECT 1 FROM w WHERE w.id = v.n) ORDER BY id", "1|3"},
		{"SELECT id FROM w WHERE n NOT IN (SELECT n FROM v) ORDER BY id", ""},
		{"SELECT id FROM w WHERE n NOT IN (SELECT n FROM v WHERE n IS NOT NULL) ORDER BY id", "2"},
		{"SELECT id FROM w WHERE n NOT IN (SELECT n FROM v WHERE id > 9) ORDER BY id", "1|2|3"},
		{"SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.id > 9 AND v.n = w.n) ORDER BY id", "1|2|3"},
		{"SELECT /*+ HASH_JOIN(w,v) */ id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n) ORDER BY id", "2|3"},
		{"SELECT /*+ LOOKUP_JOIN(w,v) */ id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n) ORDER BY id", "2|3"},
		{"SELECT /*+ MERGE_JOIN(w,v) */ id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE v.n = w.n) ORDER BY id", "2|3"},
	} {
		m.want(c.query, c.rows)
	}
}
