package sqlbackend

import (
	"fmt"
	"testing"
)

// TestNumbersBesideText: whatever join the engine chooses, strings count as the
// numbers that they spell.
func TestNumbersBesideText(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE a (id INT PRIMARY KEY, i TINYINT, KEY(i))")
	m.exec("CREATE TABLE b (id INT PRIMARY KEY, s VARCHAR(10), u VARCHAR(10), KEY(s))")
	m.exec("INSERT INTO a VALUES (1, 1), (2, 9), (3, 10), (4, NULL), (5, -1)")
	m.exec("INSERT INTO b VALUES (1, '1', '10'), (2, '9', '9'), (3, '10', '9'), (4, NULL, '1'), (5, '-5', '1.0')")
	for _, hint := range []string{"", "/*+ HASH_JOIN(a,b) */", "/*+ LOOKUP_JOIN(a,b) */", "/*+ MERGE_JOIN(a,b) */", "/*+ INNER_JOIN(a,b) */"} {
		for _, c := range []struct{ on, rows string }{
			{"a.i = b.s", "1 1|2 2|3 3"},
			{"b.s = a.i", "1 1|2 2|3 3"},
			{"a.i = b.u", "1 4|1 5|2 2|2 3|3 1"},
			{"a.i BETWEEN b.s AND b.u", "1 1|1 5|2 1|2 2|3 1|5 5"},
			{"a.i >= b.s AND a.i <= b.u", "1 1|1 5|2 1|2 2|3 1|5 5"},
		} {
			m.want(fmt.Sprintf("SELECT %s a.id, b.id FROM a JOIN b ON %s ORDER BY 1, 2", hint, c.on), c.rows)
		}
	}
	m.want("SELECT id FROM a WHERE i IN (SELECT s FROM b) ORDER BY id", "1|2|3")
	m.want("SELECT id FROM a WHERE i = '9'", "2")
	m.want("SELECT id FROM b WHERE s = 9", "2")
}

// TestNumberAtStart: a string beside a number is the number that it begins with.
func TestNumberAtStart(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(20), n BIGINT, j JSON)")
	m.exec(`INSERT INTO t VALUES (1, '2024-01-01', 2024, '"2024-01-01"'), (2, ' 7x', 7, '"x"'), (3, 'x', 0, '"0x"'), (4, '1e999', 1, '"1e999"'), (5, NULL, NULL, NULL)`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT id FROM t WHERE s = 2024", "1"},
		{"SELECT id FROM t WHERE s BETWEEN 0 AND 1e1 ORDER BY id", "2|3"},
		{"SELECT id FROM t WHERE s IN (7, 0) ORDER BY id", "2|3"},
		{"SELECT id FROM t WHERE s = n ORDER BY id", "1|2|3"},
		{"SELECT id FROM t WHERE n = '7 apples'", "2"},
		{"SELECT id FROM t WHERE n = 'apples'", "3"},
		{"SELECT id FROM t WHERE n < '1e999' ORDER BY id", "1|2|3|4"},
		{"SELECT id FROM t WHERE s > 1.7e308", "4"},
		{"SELECT id FROM t WHERE s ORDER BY id", "1|2|4"},
		{"SELECT id FROM t WHERE NOT s ORDER BY id", "3"},
		{"SELECT id FROM t WHERE j ORDER BY id", "1|4"},
		{"SELECT a.id FROM t a JOIN t b ON a.s = b.n ORDER BY a.id", "1|2|3"},
	} {
		m.want(c.query, c.rows)
	}
}
