package sqlbackend

import "testing"

func TestEnumsAmongText(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE k (id INT PRIMARY KEY, e ENUM('p','q'), s SET('x','y'))")
	m.exec("INSERT INTO k VALUES (1, 'p', 'x,y'), (2, 'q', NULL), (3, NULL, 'y')")
	for _, c := range []struct{ query, rows string }{
		{"SELECT CAST(IFNULL(e, '') AS CHAR) FROM k ORDER BY id", "p|q|"},
		{"SELECT IFNULL(e, 'none') FROM k ORDER BY id", "p|q|none"},
		{"SELECT COALESCE(e, s, 'none') FROM k ORDER BY id", "p|q|y"},
		{"SELECT IF(id = 1, e, 'other') FROM k ORDER BY id", "p|other|other"},
		{"SELECT CASE WHEN id < 3 THEN e ELSE 'c' END FROM k ORDER BY id", "p|q|c"},
		{"SELECT CONCAT(IFNULL(e, '-'), IFNULL(s, '-')) FROM k ORDER BY id", "px,y|q-|-y"},
		{"SELECT COUNT(*) FROM k GROUP BY IFNULL(e, 'p') ORDER BY 1", "1|2"},
	} {
		m.want(c.query, c.rows)
	}
}
