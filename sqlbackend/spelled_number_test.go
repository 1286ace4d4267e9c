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
