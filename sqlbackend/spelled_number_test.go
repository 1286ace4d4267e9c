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
	for _, hint := range []string{"", "/*+ HASH_JOIN(a,b) */", "/*+ LOOKUP_JOIN(a,b) */", "/*+ MERGE_JOIN(a,b) */",
		"/*+ INNER_JOIN(a,b) */"} {
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

// TestTextsAsNumbers: a text counts for the number that it begins with.
func TestTextsAsNumbers(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE a (id INT PRIMARY KEY, i BIGINT, x DECIMAL(20,3), d DOUBLE, s VARCHAR(30))")
	m.exec("INSERT INTO a VALUES (1, 5, 5, 5, '5x'), (2, 2024, 2024, 2024, '2024-01-01'), (3, 0, 0, 0, 'x'), (4, " +
		"9007199254740993, 9007199254740993, 1, '9007199254740993'), (5, NULL, NULL, NULL, '1e400'), (6, -1, -1.5, " +
		"-1.5, '-1.5e')")
	for where, rows := range map[string]string{
		"s = 5": "1", "s = 2024": "2", "s IN (5, 2024)": "1|2", "s > 1e308": "5", "s BETWEEN -2 AND -1": "6", "-1.5 = s": "6",
		"s = 0":    "3",
		"i = '5x'": "1", "i < ''": "6", "x = '-1.5e'": "6", "i IN ('5 of them', 'x')": "1|3", "i BETWEEN '1x' AND '6x'": "1",
		"x < '1e400'": "1|2|3|4|6", "i >= '1e70'": "", "d > '-1e400'": "1|2|3|4|6", "x BETWEEN '5x' AND '1e99'": "1|2|4",
		"i = s": "1|2|3|4", "x = s": "1|2|3|4|6", "d >= s": "1|2|3|6", "s BETWEEN '4x' AND 5": "1",
		"(i BETWEEN '5x' AND 5.3) IS TRUE": "1", "(d NOT BETWEEN '5x' AND 0.3) IS TRUE": "1|2|3|4|6",
		"('5' BETWEEN 3 AND 'x') IS FALSE AND id = 1": "1", "(x BETWEEN -2 AND '-1x') IS TRUE": "6",
		"(1e308 BETWEEN '5x' AND 0.3) IS FALSE AND id = 1": "1", "s <> 0 AND s < 6": "1|6",
		"'5x' = 5 AND id = 1": "1", "s": "1|2|4|5|6", "NOT s": "3", "s AND i": "1|2|4|6", "s IS FALSE": "3",
		"IF(s, id = 1, id = 3)": "1|3",
	} {
		m.want("SELECT id FROM a WHERE "+where+" ORDER BY id", rows)
	}
	m.want("SELECT SUM(s) FROM a WHERE id IN (1, 2, 6)", "2027.5")
}
