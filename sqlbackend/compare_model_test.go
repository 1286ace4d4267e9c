package sqlbackend

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// operand is an expression and the value that it has, as a JSON literal or a
// string.
type operand struct{ expr, value string }

// numberOperands spells numbers as every SQL type that can hold them.
var numberModel = func() []operand {
	var out []operand
	for _, n := range []string{"0", "1", "-1", "5", "5.5", "0.1", "200", "9007199254740992", "9007199254740993",
		"9223372036854775807", "-9223372036854775808", "18446744073709551615", "123456789012345678901.5"} {
		out = append(out, operand{n, n}, operand{"CAST('" + n + "' AS JSON)", n},
			operand{"CAST('" + n + "' AS DECIMAL(40,5))", n})
	}
	for _, n := range []string{"1e0", "5.5e0", "1e-1", "9007199254740992e0", "1e19", "-9.223372036854776e18", "1e300",
		"1e-300"} {
		out = append(out, operand{n, n}, operand{"CAST('" + n + "' AS JSON)", n})
	}
	for _, n := range []string{"0", "1", "-1", "9007199254740993", "9223372036854775807"} {
		out = append(out, operand{"CAST(" + n + " AS SIGNED)", n})
	}
	for _, n := range []string{"0", "1", "9007199254740993", "18446744073709551615"} {
		out = append(out, operand{"CAST(" + n + " AS UNSIGNED)", n})
	}
	return out
}()

// TestNumbersAgainstModel compares numbers of all types in all ways that SQL
// has, and checks each answer against the exact order.
func TestNumbersAgainstModel(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE one (x INT PRIMARY KEY)")
	m.exec("INSERT INTO one VALUES (1)")
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(numberModel).Draw(t, "a")
		b := rapid.SampledFrom(numberModel).Draw(t, "b")
		c := rapid.SampledFrom(numberModel).Draw(t, "c")
		checkOrder(t, m, a, b, c, document.CompareNumbers)
	})
}

// TestStringsAgainstModel does the same for strings.
func TestStringsAgainstModel(t *testing.T) {
	m := newMemoryEngine(t)
	values := []string{"", "a", "A", "b", "B", "é", "e", "f", "ab", "aB", "z", "Z", "æ", "ß", "ss", " ", "1", "10", "9",
		"\u00e9\u0301"}
	ci := mustCollation(t, "utf8mb4_0900_ai_ci")
	columns := []*sql.Column{
		{Name: "id", Type: types.Int64, PrimaryKey: true},
		{Name: "s", Type: value.NewTextType(collation.Default)},
		{Name: "v", Type: value.Collated(types.MustCreateStringWithDefaults(6165, 20), collation.Default)},
		{Name: "ci", Type: value.NewTextType(ci)},
	}
	m.table("t", columns...)
	for i, v := range values {
		m.exec(fmt.Sprintf("INSERT INTO t VALUES (%d, '%s', '%s', '%s')", i, v, v, v))
	}
	for _, c := range []struct {
		coll    *collation.Collation
		columns []string
	}{
		{collation.Default, []string{"s", "v"}},
		{ci, []string{"ci"}},
	} {
		order := func(a, b string) int {
			if c.coll.Equal(a, b) {
				return 0
			}
			return c.coll.Compare(a, b)
		}
		rapid.Check(t, func(t *rapid.T) {
			draw := func(label string) operand {
				i := rapid.IntRange(0, len(values)-1).Draw(t, label)
				column := rapid.SampledFrom(c.columns).Draw(t, label+" column")
				spelled := fmt.Sprintf("(SELECT %s FROM t WHERE id = %d)", column, i)
				if rapid.Bool().Draw(t, label+" literal") && label != "a" {
					spelled = "'" + values[i] + "'"
				} else if rapid.Bool().Draw(t, label+" computed") {
					spelled = fmt.Sprintf("(SELECT CONCAT(%s, '') FROM t WHERE id = %d)", column, i)
				}
				return operand{spelled, values[i]}
			}
			if c.coll.IsIdentity() { // a subquery's result has no collation of its own
				checkOrder(t, m, draw("a"), draw("b"), draw("c"), order)
			}
			i := rapid.IntRange(0, len(values)-1).Draw(t, "row")
			j := rapid.IntRange(0, len(values)-1).Draw(t, "literal")
			column := rapid.SampledFrom(c.columns).Draw(t, "column")
			for op, holds := range operators {
				q := fmt.Sprintf("SELECT COUNT(*) FROM t WHERE id = %d AND %s %s '%s'", i, column, op, values[j])
				if got, _ := m.query(q); got != bit(holds(order(values[i], values[j]))) {
					t.Fatalf("%s: %s", q, got)
				}
			}
		})
	}
}

var operators = map[string]func(int) bool{
	"=":   func(o int) bool { return o == 0 },
	"<=>": func(o int) bool { return o == 0 },
	"<>":  func(o int) bool { return o != 0 },
	"<":   func(o int) bool { return o < 0 },
	"<=":  func(o int) bool { return o <= 0 },
	">":   func(o int) bool { return o > 0 },
	">=":  func(o int) bool { return o >= 0 },
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// checkOrder compares three operands in one statement, in a condition and
// outside of one.
func checkOrder(t *rapid.T, m *memoryEngine, a, b, c operand, order func(a, b string) int) {
	var exprs, want []string
	add := func(expr string, holds bool) {
		exprs, want = append(exprs, expr), append(want, bit(holds))
	}
	for op, holds := range operators {
		add(a.expr+" "+op+" "+b.expr, holds(order(a.value, b.value)))
	}
	equalB, equalC := order(a.value, b.value) == 0, order(a.value, c.value) == 0
	add(a.expr+" IN ("+b.expr+", "+c.expr+")", equalB || equalC)
	add(a.expr+" NOT IN ("+b.expr+", "+c.expr+")", !equalB && !equalC)
	add(a.expr+" BETWEEN "+b.expr+" AND "+c.expr, order(a.value, b.value) >= 0 && order(a.value, c.value) <= 0)
	add("CASE "+a.expr+" WHEN "+b.expr+" THEN 1 ELSE 0 END", equalB)
	add("NULLIF("+a.expr+", "+b.expr+") IS NULL", equalB)
	add("("+a.expr+", 1) = ("+b.expr+", 1)", equalB)
	add("("+a.expr+", 1) IN (("+b.expr+", 1), ("+c.expr+", 1))", equalB || equalC)
	q := "SELECT " + strings.Join(exprs, ", ")
	got, err := m.query(q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	for i, g := range strings.Split(got, " ") {
		if g != want[i] {
			t.Fatalf("SELECT %s: got %s, want %s", exprs[i], g, want[i])
		}
	}
}
