package sqlbackend

import "testing"

// TestRowsWithNull: a comparison of row values is NULL where SQL's logic of
// their parts says so, not false, and NULL is not equal to NULL.
func TestRowsWithNull(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, a INT, s VARCHAR(10))")
	m.exec("INSERT INTO t VALUES (1, 1, 'x'), (2, NULL, 'x'), (3, 1, NULL), (4, NULL, NULL), (5, 2, 'y')")
	for _, test := range []struct{ expr, want string }{
		{"(a, s) = (1, 'x')", "1 NULL NULL NULL 0"},
		{"(a, s) <> (1, 'x')", "0 NULL NULL NULL 1"},
		{"(a, s) = (3, 'x')", "0 NULL 0 NULL 0"},
		{"(a, s) <=> (NULL, 'x')", "0 1 0 0 0"},
		{"(a, s) < (1, 'y')", "1 NULL NULL NULL 0"},
		{"(a, s) >= (2, 'x')", "0 NULL 0 NULL 1"},
		{"(a, s) IN ((1, 'x'), (2, 'z'))", "1 NULL NULL NULL 0"},
		{"(a, s) NOT IN ((1, 'x'), (2, 'y'))", "0 NULL NULL NULL 0"},
		{"(a, s) IN ((NULL, NULL))", "NULL NULL NULL NULL NULL"},
		{"((a, s), id) = ((1, 'x'), 1)", "1 0 0 0 0"},
		{"a IN ('1', 7)", "1 NULL 1 NULL 0"},
		{"a IN ('1.0', NULL)", "1 NULL 1 NULL NULL"},
		{"s IN (0, 'q')", "1 1 NULL NULL 1"},
		{"a NOT IN (CAST('1' AS JSON), TRUE)", "0 NULL 0 NULL 1"},
	} {
		got := ""
		for id := range 5 {
			v, err := m.query("SELECT " + test.expr + " FROM t WHERE id = " + string(rune('1'+id)))
			if err != nil {
				t.Fatalf("%s: %v", test.expr, err)
			}
			if id > 0 {
				got += " "
			}
			got += v
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.expr, got, test.want)
		}
	}
}

// TestNullSafe: <=> finds what = finds, and NULL.
func TestNullSafe(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, q TIME(6), e ENUM('b', 'a'), s SET('x', 'y'))")
	m.exec("INSERT INTO t VALUES (1, '-00:00:01', 'a', 'x,y'), (2, NULL, NULL, NULL), (3, '10:00:00', 'b', 'y')")
	for _, test := range []struct{ where, want string }{
		{"q <=> '-00:00:01'", "1"}, {"'10:00:00' <=> q", "3"}, {"q <=> NULL", "2"}, {"NOT q <=> '10:00:00'", "1|2"},
		{"e <=> 'a'", "1"}, {"e <=> NULL", "2"}, {"s <=> 'x,y'", "1"}, {"NULL <=> s", "2"}, {"q <=> q", "1|2|3"},
	} {
		if got, err := m.query("SELECT id FROM t WHERE " + test.where + " ORDER BY id"); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.where, got, err, test.want)
		}
	}
}
