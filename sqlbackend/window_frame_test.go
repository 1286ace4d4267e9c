package sqlbackend

import "testing"

func TestWindowsWithPeers(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE g (id INT PRIMARY KEY, x DECIMAL(10,2), i INT)")
	m.exec("INSERT INTO g VALUES (1, 1.00, 5), (2, 1.0, 5), (3, 2, NULL), (4, 2, 7)")
	for _, c := range []struct{ query, rows string }{
		{"SELECT id, RANK() OVER (ORDER BY x), DENSE_RANK() OVER (ORDER BY x) FROM g ORDER BY id", "1 1 1|2 1 1|3 3 2|4 3 2"},
		{"SELECT id, COUNT(*) OVER (ORDER BY i), MAX(id) OVER (ORDER BY i), MIN(id) OVER (ORDER BY i DESC) FROM g " +
			"ORDER BY id", "1 3 3 1|2 3 3 1|3 1 3 1|4 4 4 4"},
		{"SELECT id, COUNT(i) OVER (PARTITION BY x ORDER BY id), COUNT(*) OVER (PARTITION BY x), COUNT(*) OVER () " +
			"FROM g ORDER BY id", "1 1 2 4|2 2 2 4|3 0 2 4|4 1 2 4"},
		{"SELECT id, SUM(id) OVER (ORDER BY x), AVG(id) OVER (ORDER BY x, id) FROM g ORDER BY id",
			"1 3 1.0000|2 3 1.5000|3 10 2.0000|4 10 2.5000"},
		{"SELECT id, ROW_NUMBER() OVER (ORDER BY x DESC, id), LAG(id) OVER (ORDER BY x, id) FROM g ORDER BY id",
			"1 3 NULL|2 4 1|3 1 2|4 2 3"},
	} {
		m.want(c.query, c.rows)
	}
}
