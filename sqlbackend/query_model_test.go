package sqlbackend

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// modelValue is a value of the model: nil is NULL, a *big.Rat a number of any
// type, a string a string.
type modelValue any

type modelRow map[string]modelValue

// modelTable is a table of the model; its columns are i (BIGINT), x
// (DECIMAL(20,3)), d (DOUBLE), s (text) and c (text in a collation without case).
type modelTable struct {
	name string
	rows []modelRow
}

var modelColumns = []string{"i", "x", "d", "s", "c"}

// key spells a value so that equal values, and no others, have the same key.
// Column c is compared without case.
func (v modelCell) key() string {
	switch x := v.value.(type) {
	case nil:
		return "NULL"
	case *big.Rat:
		return x.RatString()
	case string:
		if v.fold {
			return "'" + strings.ToLower(x)
		}
		return "'" + x
	}
	return "?"
}

type modelCell struct {
	value modelValue
	fold  bool
}

func cell(r modelRow, column string) modelCell { return modelCell{r[column], column == "c"} }

func equalCells(a, b modelCell) bool {
	if a.value == nil || b.value == nil {
		return false
	}
	if _, ok := a.value.(string); ok {
		return modelCell{a.value, a.fold || b.fold}.key() == modelCell{b.value, a.fold || b.fold}.key()
	}
	return a.key() == b.key()
}

func drawTable(t *rapid.T, name string) modelTable {
	m := modelTable{name: name}
	for range rapid.IntRange(0, 6).Draw(t, name+" rows") {
		r := modelRow{}
		for _, c := range modelColumns {
			if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
				r[c] = nil
				continue
			}
			switch c {
			case "i":
				r[c] = rat(rapid.SampledFrom([]string{"0", "1", "2", "-1", "9007199254740993", "9007199254740992"}).Draw(t, c))
			case "x":
				r[c] = rat(rapid.SampledFrom([]string{"0", "1", "2", "0.5", "-1", "9007199254740993", "1.125"}).Draw(t, c))
			case "d":
				r[c] = rat(rapid.SampledFrom([]string{"0", "1", "2", "0.5", "-1", "9007199254740992"}).Draw(t, c))
			default:
				r[c] = rapid.SampledFrom([]string{"", "a", "A", "b", "B"}).Draw(t, c)
			}
		}
		m.rows = append(m.rows, r)
	}
	return m
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

func (m modelTable) literal(v modelValue) string {
	switch x := v.(type) {
	case *big.Rat:
		return x.FloatString(3)
	case string:
		return "'" + x + "'"
	}
	return "NULL"
}

func (m modelTable) fill(t *rapid.T, e *memoryEngine) {
	must := func(q string) {
		if _, err := e.query(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	must("DELETE FROM " + m.name)
	for n, r := range m.rows {
		values := []string{fmt.Sprint(n)}
		for _, c := range modelColumns {
			values = append(values, m.literal(r[c]))
		}
		must("INSERT INTO " + m.name + " VALUES (" + strings.Join(values, ", ") + ")")
	}
}

// result is a result in which the order of rows and the spelling of numbers
// don't matter.
func result(rows []string) string {
	slices.Sort(rows)
	return strings.Join(rows, "\n")
}

// rows runs a query; folded columns give any of the strings that are equal.
func (m *memoryEngine) modelRows(q string, fold ...bool) (string, error) {
	ctx := m.context()
	_, iter, _, err := m.engine.Query(ctx, q)
	if err != nil {
		return "", err
	}
	got, err := sql.RowIterToRows(ctx, iter)
	if err != nil {
		return "", err
	}
	var out []string
	for _, r := range got {
		var cells []string
		for i, v := range r {
			cells = append(cells, modelCell{fromEngine(v), i < len(fold) && fold[i]}.key())
		}
		out = append(out, strings.Join(cells, " "))
	}
	return result(out), nil
}

func fromEngine(v any) modelValue {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return v
	case bool:
		if v {
			return rat("1")
		}
		return rat("0")
	}
	literal, err := value.NumberLiteral(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return rat(literal)
}

func keyOfCells(cells []modelCell) string {
	var out []string
	for _, c := range cells {
		out = append(out, c.key())
	}
	return strings.Join(out, " ")
}

// TestQueriesAgainstModel runs random SELECTs over small random tables and
// compares with an evaluation that knows nothing of plans.
func TestQueriesAgainstModel(t *testing.T) {
	e := newMemoryEngine(t)
	for _, name := range []string{"a", "b"} {
		e.table(name,
			&sql.Column{Name: "id", Type: types.Int32, PrimaryKey: true},
			&sql.Column{Name: "i", Type: types.Int64, Nullable: true},
			&sql.Column{Name: "x", Type: types.MustCreateColumnDecimalType(20, 3), Nullable: true},
			&sql.Column{Name: "d", Type: types.Float64, Nullable: true},
			&sql.Column{Name: "s", Type: value.NewTextType(collation.Default), Nullable: true},
			&sql.Column{Name: "c", Type: value.NewTextType(mustCollation(t, "utf8mb4_0900_ai_ci")), Nullable: true},
		)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTable(t, "a"), drawTable(t, "b")
		a.fill(t, e)
		b.fill(t, e)
		column := rapid.SampledFrom(modelColumns)
		for range 4 {
			q, fold, want := drawQuery(t, a, b, column)
			got, err := e.modelRows(q, fold...)
			if err != nil {
				t.Fatalf("%s: %v", q, err)
			}
			if want = result(strings.Split(want, "\n")); got != strings.TrimPrefix(want, "\n") {
				t.Fatalf("%s\ngot\n%s\nwant\n%s", q, got, want)
			}
		}
	})
}

// drawQuery makes a query and what it must give.
func drawQuery(t *rapid.T, a, b modelTable, column *rapid.Generator[string]) (q string, fold []bool, want string) {
	var out []string
	add := func(cells ...modelCell) { out = append(out, keyOfCells(cells)) }
	p, r := column.Draw(t, "p"), column.Draw(t, "r")
	number := rapid.SampledFrom([]string{"i", "x"}).Draw(t, "number")
	other := rapid.SampledFrom([]string{"i", "x", "d"}).Draw(t, "other")
	text := rapid.SampledFrom([]string{"s", "c"}).Draw(t, "text")
	fold = []bool{p == "c", r == "c"}
	switch rapid.SampledFrom([]string{"distinct", "group", "having", "condition", "union", "intersect", "except", "join",
		"left", "between", "exists", "not exists", "in", "not in", "count"}).Draw(t, "kind") {
	case "distinct":
		seen := map[string]bool{}
		for _, row := range a.rows {
			if k := keyOfCells([]modelCell{cell(row, p), cell(row, r)}); !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
		q = fmt.Sprintf("SELECT DISTINCT %s, %s FROM a", p, r)
	case "group", "having":
		groups, order := map[string][]modelRow{}, []string{}
		for _, row := range a.rows {
			k := cell(row, p).key()
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], row)
		}
		for _, k := range order {
			sum, n := sumOfRows(groups[k], number)
			if n > 0 {
				out = append(out, fmt.Sprintf("%s %d %s", k, len(groups[k]), sum.RatString()))
			}
		}
		q = fmt.Sprintf("SELECT %s, COUNT(*), SUM(%s) FROM a GROUP BY %s HAVING SUM(%[2]s) IS NOT NULL", p, number, p)
	case "condition":
		groups := map[string]int{}
		for _, row := range a.rows {
			k := "NULL"
			if v, ok := row[number].(*big.Rat); ok {
				if row[other] != nil {
					k = bit(v.Cmp(row[other].(*big.Rat)) > 0)
				}
			}
			groups[k]++
		}
		for k, n := range groups {
			out = append(out, fmt.Sprintf("%s %d", k, n))
		}
		q = fmt.Sprintf("SELECT %s > %s, COUNT(*) FROM a GROUP BY %[1]s > %[2]s", number, other)
		fold = nil
	case "union", "intersect", "except":
		op := rapid.SampledFrom([]string{"UNION", "INTERSECT", "EXCEPT"}).Draw(t, "op")
		left, right := number, other
		if rapid.Bool().Draw(t, "texts") {
			left, right = text, text
		}
		inB := map[string]bool{}
		for _, row := range b.rows {
			inB[cell(row, right).key()] = true
		}
		set := map[string]bool{}
		for _, row := range a.rows {
			k := cell(row, left).key()
			if op == "UNION" || inB[k] == (op == "INTERSECT") {
				set[k] = true
			}
		}
		if op == "UNION" {
			for k := range inB {
				set[k] = true
			}
		}
		if left != right && (left == "d" || right == "d") {
			// A DOUBLE can't tell all of them apart.
			q = "SELECT i FROM a WHERE FALSE"
			break
		}
		for k := range set {
			out = append(out, k)
		}
		q = fmt.Sprintf("SELECT %s FROM a %s SELECT %s FROM b", left, op, right)
		fold = []bool{left == "c"}
	case "join", "left":
		left := rapid.Bool().Draw(t, "outer")
		x, y := number, other
		if rapid.Bool().Draw(t, "texts") {
			x, y = text, rapid.SampledFrom([]string{"s", "c"}).Draw(t, "text of b")
		}
		for n, ra := range a.rows {
			found := false
			for m, rb := range b.rows {
				if equalCells(cell(ra, x), cell(rb, y)) {
					found = true
					out = append(out, fmt.Sprintf("%d %d", n, m))
				}
			}
			if left && !found {
				out = append(out, fmt.Sprintf("%d NULL", n))
			}
		}
		kind := "JOIN"
		if left {
			kind = "LEFT JOIN"
		}
		hint := rapid.SampledFrom([]string{"", "/*+ HASH_JOIN(a,b) */ ", "/*+ MERGE_JOIN(a,b) */ ",
			"/*+ INNER_JOIN(a,b) */ "}).Draw(t, "hint")
		q = fmt.Sprintf("SELECT %sa.id, b.id FROM a %s b ON a.%s = b.%s", hint, kind, x, y)
		fold = nil
	case "between":
		for n, ra := range a.rows {
			for m, rb := range b.rows {
				v, lo, hi := ra[number], rb[other], rb[number]
				if v != nil && lo != nil && hi != nil && v.(*big.Rat).Cmp(lo.(*big.Rat)) >= 0 &&
					v.(*big.Rat).Cmp(hi.(*big.Rat)) <= 0 {
					out = append(out, fmt.Sprintf("%d %d", n, m))
				}
			}
		}
		q = fmt.Sprintf("SELECT a.id, b.id FROM a JOIN b ON a.%s BETWEEN b.%s AND b.%[1]s", number, other)
		fold = nil
	case "exists", "not exists", "in", "not in":
		negated, in := rapid.Bool().Draw(t, "negated"), rapid.Bool().Draw(t, "in")
		x, y := number, other
		if rapid.Bool().Draw(t, "texts") {
			x, y = text, text
		}
		for n, ra := range a.rows {
			found, unknown := false, false
			for _, rb := range b.rows {
				found = found || equalCells(cell(ra, x), cell(rb, y))
				unknown = unknown || ra[x] == nil || rb[y] == nil
			}
			holds := found
			if negated {
				holds = !found && !(in && unknown)
			}
			if holds {
				out = append(out, fmt.Sprint(n))
			}
		}
		not := ""
		if negated {
			not = "NOT "
		}
		if in {
			q = fmt.Sprintf("SELECT id FROM a WHERE %s %sIN (SELECT %s FROM b)", x, not, y)
		} else {
			q = fmt.Sprintf("SELECT id FROM a WHERE %sEXISTS (SELECT 1 FROM b WHERE b.%s = a.%s)", not, y, x)
		}
		fold = nil
	case "count":
		distinct := map[string]bool{}
		total, n := sumOfRows(a.rows, number)
		for _, row := range a.rows {
			if row[p] != nil {
				distinct[cell(row, p).key()] = true
			}
		}
		sum := modelCell{}
		if n > 0 {
			sum.value = total
		}
		add(modelCell{rat(fmt.Sprint(len(distinct))), false}, sum)
		q = fmt.Sprintf("SELECT COUNT(DISTINCT %s), SUM(%s) FROM a", p, number)
		fold = nil
	}
	return q, fold, strings.Join(out, "\n")
}

func sumOfRows(rows []modelRow, column string) (*big.Rat, int) {
	sum, n := new(big.Rat), 0
	for _, r := range rows {
		if v, ok := r[column].(*big.Rat); ok {
			sum.Add(sum, v)
			n++
		}
	}
	return sum, n
}
