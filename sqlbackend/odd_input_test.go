package sqlbackend

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOddInput calls every function and operator of ours with arguments that
// make no sense. Errors are fine, panics are not, unless it is the engine that
// panics: the server recovers from those.
func TestOddInput(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, j JSON, s TEXT, d DOUBLE, x DECIMAL(20,5), dt DATETIME, e ENUM('a'," +
		"'b'), b BLOB)")
	m.exec(`INSERT INTO t VALUES (1, '{"a":[1,{"b":null}],"":"","é":1e400}', 'é', 1.5, 2.5, '2020-02-02', 'a', ` +
		`x'ff00'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL), (3, '[]', '', -0e0, 0, '1000-01-01', 'b', '')`)
	args := []string{
		"NULL", "''", "'{'", "'a'", "'$'", "'$.a'", "'$**'", "'$[0]'", "'$[last]'", "'$.*'", "'one'", "'ALL'", "0", "-1",
		"18446744073709551615", "1e308", "-0e0", "1.50",
		"b'101'", "x'ff'", "true", "DATE '2020-01-01'", "CAST('null' AS JSON)", "CAST('[1,[2]]' AS JSON)",
		"CAST('1e400' AS JSON)", "CAST('{\"a\":1e-2147483647}' AS JSON)",
		"REPEAT('x', 70000)", "CONCAT('$', REPEAT('.a', 300))", "REPEAT('[', 500)", "j", "s", "d", "x", "dt", "e", "b",
		"(1, 2)", "(SELECT 1)", "(SELECT NULL)", "_utf8mb4'é'", "'x' COLLATE utf8mb4_0900_ai_ci",
		"'x' COLLATE utf8mb4_general_ci", "INTERVAL 1 DAY",
	}
	var names []string
	for name := range sqlFunctions {
		names = append(names, name)
	}
	names = append(names, "nullif", "strcmp", "coalesce", "ifnull", "if", "min", "max", "json_arrayagg", "json_objectagg")
	slices.Sort(names)
	binary := []string{"=", "<=>", "<", ">=", "<>", "LIKE", "MEMBER OF", "->", "->>", "AND", "+", "IN", "REGEXP"}
	rapid.Check(t, func(t *rapid.T) {
		arg := rapid.SampledFrom(args)
		expr := ""
		if rapid.Bool().Draw(t, "function") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			expr = name + "(" + strings.Join(rapid.SliceOfN(arg, 0, 5).Draw(t, "args"), ", ") + ")"
		} else {
			op := rapid.SampledFrom(binary).Draw(t, "operator")
			right := arg.Draw(t, "right")
			if op == "IN" || op == "MEMBER OF" {
				right = "(" + right + ")"
			}
			expr = arg.Draw(t, "left") + " " + op + " " + right
		}
		for _, q := range []string{
			"SELECT %s FROM t", "SELECT id FROM t WHERE %s", "SELECT id FROM t ORDER BY %s",
			"SELECT COUNT(*) FROM t GROUP BY %s", "SELECT DISTINCT %s FROM t",
			"SELECT CAST(%s AS CHAR), CAST(%[1]s AS JSON) FROM t", "SELECT a.id FROM t a JOIN t b ON a.j = b.j",
			"SELECT id FROM t WHERE j IN (SELECT %s)", "SELECT MAX(%s) OVER (ORDER BY s) FROM t",
		} {
			if strings.Contains(q, "%") {
				q = fmt.Sprintf(q, expr)
			}
			survive(t, m, q)
		}
		survive(t, m, "UPDATE t SET j = "+expr+", s = "+expr+" WHERE id = 1")
		survive(t, m, "REPLACE INTO t (id, j) VALUES (9, "+expr+")")
	})
}

func survive(t *rapid.T, m *memoryEngine, q string) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		var pcs [64]uintptr
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
		for {
			f, more := frames.Next()
			if !more || !strings.HasPrefix(f.Function, "runtime.") {
				if !strings.Contains(f.Function, "go-mysql-server") {
					t.Fatalf("%s: panic in %s: %v", q, f.Function, r)
				}
				t.Logf("%s: panic in %s: %v", q, f.Function, r)
				return
			}
		}
	}()
	_, _ = m.query(q)
}
