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
