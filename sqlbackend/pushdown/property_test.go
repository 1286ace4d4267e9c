package pushdown

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// The property: a value that makes a random predicate true lies in the spans
// of the predicate's candidate, and in the spans of a candidate that answers the
// whole predicate tightly lies no other value. A model evaluates the predicates,
// by SQL's rules written down a second time and without spans.

// operandModel is a left side with the values that it can read.
type operandModel struct {
	text   string
	column string // whose encoding the entries have; "" is the path a
	values *rapid.Generator[string]
	// order compares the operand's value with a constant; ok is false when the
	// comparison gives NULL, or must not be predicted.
	order func(v document.Value, c constantModel) (cmp int, ok bool)
	// null tells which values read as NULL.
	null func(v document.Value) bool
	// constants that the operand is compared with.
	constants *rapid.Generator[constantModel]
	// like tells the text that LIKE sees; ok is false where LIKE isn't tried.
	like func(v document.Value) (string, bool)
}

// constantModel is a constant: its SQL and its value as JSON.
type constantModel struct {
	text  string
	value document.Value
}

func mustValue(text string) document.Value {
	v, err := document.ParseValue([]byte(text), document.Limits{})
	if err != nil {
		panic(err)
	}
	return v
}

func constants(g *rapid.Generator[string]) *rapid.Generator[constantModel] {
	return rapid.Map(g, func(s string) constantModel {
		v := mustValue(s)
		text := s
		if v.Type() == document.TypeString {
			text = "'" + strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(v.Str()) + "'"
		}
		return constantModel{text: text, value: v}
	})
}

// decimals are literals that SQL reads as exact numbers.
var decimals = rapid.OneOf(
	rapid.Map(rapid.IntRange(-12, 12), strconv.Itoa),
	rapid.SampledFrom([]string{"0", "1", "0.5", "1.0", "1.50", "-1.5", "9007199254740992", "9007199254740993",
		"-9223372036854775808",
		"9223372036854775807", "18446744073709551615", "123456789012345678901234567890.5", "0.1", "100"}),
)

var numbers = rapid.OneOf(decimals, rapid.SampledFrom([]string{"-0", "1e0", "0.1e1", "1e2", "1e300", "-1e-300",
	"123e30", "1E+2"}))

var stringsOf = rapid.Map(rapid.OneOf(
	rapid.StringOfN(rapid.SampledFrom([]rune("aAbáä -_é1ß\u0301你")), 0, 5, -1),
	rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 10, 90, -1),
	// Around the limit of what is indexed, where strings share their encodings.
	rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat("a", rapid.SampledFrom([]int{20, 31, 32, 33, 60, 62, 63, 64, 65, 66, 70}).Draw(t, "length")) +
			rapid.SampledFrom([]string{"", "b", "B", "á"}).Draw(t, "end")
	}),
	rapid.SampledFrom([]string{"", "a", "ab", "abc", "5", "5.0", "-1", "true", "null", "{", "[1]", "1e1"}),
), func(s string) string { return jsonText(s) })

var anything = rapid.OneOf(numbers, stringsOf, rapid.SampledFrom([]string{"null", "true", "false", "{}", `{"b":1}`,
	"[]", "[1,2]", "[[1]]"}))

func isJSONNull(v document.Value) bool { return v.Type() == document.TypeNull }

func orderBy(c *collation.Collation) func(document.Value, constantModel) (int, bool) {
	return func(v document.Value, k constantModel) (int, bool) {
		if c.Equal(v.Str(), k.value.Str()) {
			return 0, true
		}
		if !c.IsIdentity() {
			return c.CompareKeys(v.Str(), k.value.Str()), true
		}
		return c.Compare(v.Str(), k.value.Str()), true
	}
}

func orderNumbers(v document.Value, k constantModel) (int, bool) {
	if k.value.Type() == document.TypeString {
		a, _ := strconv.ParseFloat(v.Number(), 64)
		b, err := strconv.ParseFloat(strings.TrimSpace(k.value.Str()), 64)
		if err != nil {
			return 0, false
		}
		switch {
		case a < b:
			return -1, true
		case a > b:
			return 1, true
		}
		return 0, true
	}
	return document.CompareNumbers(v.Number(), k.value.Number()), true
}

var numberInText = regexp.MustCompile(`^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?`)

// textAsNumber is how SQL reads text as a number: as far as it goes.
func textAsNumber(s string) float64 {
	f, _ := strconv.ParseFloat(numberInText.FindString(s), 64)
	return f
}

func textOfValue(v document.Value) string {
	if v.Type() == document.TypeString {
		return v.Str()
	}
	return string(v.Raw())
}

func stringText(v document.Value) (string, bool) { return v.Str(), true }

func noText(document.Value) (string, bool) { return "", false }

func operandModels() []operandModel {
	ci, _ := collation.Lookup("utf8mb4_0900_ai_ci")
	stringColumn := func(name string, c *collation.Collation) operandModel {
		m := operandModel{
			text: name, column: name, values: rapid.OneOf(stringsOf, rapid.Just("null")),
			order: orderBy(c), null: isJSONNull, constants: constants(stringsOf), like: stringText,
		}
		if !c.IsIdentity() {
			m.like = noText
		}
		return m
	}
	jsonOrder := func(v document.Value, k constantModel) (int, bool) {
		return document.Compare(v, k.value, collation.Default), true
	}
	scalars := rapid.OneOf(
		constants(rapid.OneOf(decimals, stringsOf, rapid.SampledFrom([]string{"true", "false"}))),
		rapid.Map(rapid.SampledFrom([]string{"null", "5", "1.5", "true", "\"a\"", "{}", "[1]", `{"b":1}`}),
			func(s string) constantModel {
				return constantModel{text: "CAST('" + s + "' AS JSON)", value: mustValue(s)}
			}),
	)
	return []operandModel{
		{
			text: "n", column: "n", values: rapid.OneOf(numbers, rapid.Just("null")), order: orderNumbers, null: isJSONNull,
			constants: constants(rapid.OneOf(decimals, rapid.SampledFrom([]string{`"5"`, `"-1.5"`, `"007"`, `"1e2"`,
				`"9007199254740993"`, `"18446744073709551615"`}))), like: noText,
		},
		{
			text: "flag", column: "flag", values: rapid.SampledFrom([]string{"true", "false", "null"}), null: isJSONNull,
			order: func(v document.Value, k constantModel) (int, bool) {
				number := "0"
				if v.Bool() {
					number = "1"
				}
				return document.CompareNumbers(number, k.value.Number()), true
			},
			constants: constants(decimals), like: noText,
		},
		stringColumn("s", collation.Default),
		stringColumn("b", collation.Binary),
		stringColumn("ci", ci),
		{text: "j", column: "j", values: anything, order: jsonOrder, null: isJSONNull, constants: scalars, like: noText},
		{
			text: "_doc->'$.a'", values: anything, order: jsonOrder, constants: scalars, like: noText,
			null: func(document.Value) bool { return false },
		},
		textModel("_doc->>'$.a'", func(document.Value) bool { return false }),
		textModel("JSON_VALUE(_doc, '$.a')", func(v document.Value) bool {
			return v.Type() == document.TypeNull || v.Type() == document.TypeArray || v.Type() == document.TypeObject
		}),
	}
}

// textModel is an operand that is the text of a value.
func textModel(text string, null func(document.Value) bool) operandModel {
	return operandModel{
		text: text, values: anything, constants: constants(rapid.OneOf(stringsOf, decimals)),
		null: null,
		order: func(v document.Value, k constantModel) (int, bool) {
			text := textOfValue(v)
			if k.value.Type() == document.TypeString {
				return collation.Default.Compare(text, k.value.Str()), true
			}
			a, b := textAsNumber(text), textAsNumber(k.value.Number())
			switch {
			case a < b:
				return -1, true
			case a > b:
				return 1, true
			}
			return 0, true
		},
		like: func(v document.Value) (string, bool) { return textOfValue(v), true },
	}
}

// predicateModel is a predicate's SQL and its value for a document's value;
// there is false for a document without the keypath. known is false where the
// model has no opinion.
type predicateModel struct {
	text string
	eval func(v document.Value, there bool) (value truth, known bool)
}

func truthOfBool(b bool) truth {
	if b {
		return truthTrue
	}
	return truthFalse
}

func negate(t truth) truth {
	switch t {
	case truthTrue:
		return truthFalse
	case truthFalse:
		return truthTrue
	}
	return truthNull
}

func genLeaf(t *rapid.T, m operandModel) predicateModel {
	isNull := func(v document.Value, there bool) bool { return !there || m.null(v) }
	compare := func(test func(cmp int) bool, c constantModel) func(document.Value, bool) (truth, bool) {
		return func(v document.Value, there bool) (truth, bool) {
			if isNull(v, there) {
				return truthNull, true
			}
			cmp, ok := m.order(v, c)
			return truthOfBool(ok && test(cmp)), ok
		}
	}
	switch rapid.IntRange(0, 9).Draw(t, "leaf") {
	case 0:
		return predicateModel{m.text + " IS NULL", func(v document.Value, there bool) (truth, bool) {
			return truthOfBool(isNull(v, there)), true
		}}
	case 1:
		low, high := m.constants.Draw(t, "low"), m.constants.Draw(t, "high")
		return predicateModel{fmt.Sprintf("%s BETWEEN %s AND %s", m.text, low.text, high.text),
			func(v document.Value, there bool) (truth, bool) {
				a, ok := compare(func(cmp int) bool { return cmp >= 0 }, low)(v, there)
				b, ok2 := compare(func(cmp int) bool { return cmp <= 0 }, high)(v, there)
				return min(a, b), ok && ok2 && (a == truthNull) == (b == truthNull)
			}}
	case 2:
		list := rapid.SliceOfN(m.constants, 1, 4).Draw(t, "list")
		null := rapid.IntRange(0, 3).Draw(t, "null") == 0
		var texts []string
		for _, c := range list {
			texts = append(texts, c.text)
		}
		if null {
			texts = append(texts, "NULL")
		}
		return predicateModel{fmt.Sprintf("%s IN (%s)", m.text, strings.Join(texts, ", ")),
			func(v document.Value, there bool) (truth, bool) {
				if isNull(v, there) {
					return truthNull, true
				}
				result := truthFalse
				if null {
					result = truthNull
				}
				for _, c := range list {
					cmp, ok := m.order(v, c)
					if !ok {
						return truthNull, false
					}
					if cmp == 0 {
						result = truthTrue
					}
				}
				return result, true
			}}
	case 3:
		c := m.constants.Draw(t, "constant")
		return predicateModel{fmt.Sprintf("%s <=> %s", m.text, c.text), func(v document.Value, there bool) (truth, bool) {
			r, ok := compare(func(cmp int) bool { return cmp == 0 }, c)(v, there)
			return truthOfBool(r == truthTrue), ok
		}}
	case 4:
		if _, ok := m.like(mustValue(`"x"`)); !ok {
			break
		}
		prefix := mustValue(stringsOf.Draw(t, "prefix")).Str()
		tail := rapid.SampledFrom([]string{"%", "", "_", "%b%", "_%"}).Draw(t, "tail")
		pattern := strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(prefix) + tail
		re := regexp.MustCompile("(?s)^" + regexp.QuoteMeta(prefix) + strings.NewReplacer("%", ".*", "_", ".").Replace(tail) +
			"$")
		return predicateModel{fmt.Sprintf("%s LIKE '%s'", m.text, strings.NewReplacer(`'`, `''`, `\`, `\\`).Replace(pattern)),
			func(v document.Value, there bool) (truth, bool) {
				if isNull(v, there) {
					return truthNull, true
				}
				text, ok := m.like(v)
				return truthOfBool(re.MatchString(text)), ok
			}}
	}
	c := m.constants.Draw(t, "constant")
	if rapid.IntRange(0, 19).Draw(t, "null") == 0 {
		return predicateModel{m.text + " < NULL", func(document.Value, bool) (truth, bool) { return truthNull, true }}
	}
	op := rapid.SampledFrom([]struct {
		text, flipped string
		test          func(int) bool
	}{
		{"=", "=", func(c int) bool { return c == 0 }},
		{"<>", "<>", func(c int) bool { return c != 0 }},
		{"<", ">", func(c int) bool { return c < 0 }},
		{"<=", ">=", func(c int) bool { return c <= 0 }},
		{">", "<", func(c int) bool { return c > 0 }},
		{">=", "<=", func(c int) bool { return c >= 0 }},
	}).Draw(t, "op")
	text := fmt.Sprintf("%s %s %s", m.text, op.text, c.text)
	if rapid.Bool().Draw(t, "flip") {
		text = fmt.Sprintf("%s %s %s", c.text, op.flipped, m.text)
	}
	return predicateModel{text, compare(op.test, c)}
}

func genPredicate(t *rapid.T, m operandModel, depth int) predicateModel {
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 || kind > 3 {
		return genLeaf(t, m)
	}
	a := genPredicate(t, m, depth-1)
	switch kind {
	case 0:
		return predicateModel{"NOT (" + a.text + ")", func(v document.Value, there bool) (truth, bool) {
			r, ok := a.eval(v, there)
			return negate(r), ok
		}}
	case 1:
		is := rapid.SampledFrom([]string{"TRUE", "FALSE"}).Draw(t, "is")
		return predicateModel{"(" + a.text + ") IS " + is, func(v document.Value, there bool) (truth, bool) {
			r, ok := a.eval(v, there)
			if is == "FALSE" {
				r = negate(r)
			}
			return truthOfBool(r == truthTrue), ok
		}}
	}
	b := genPredicate(t, m, depth-1)
	or := kind == 2
	word := "AND"
	if or {
		word = "OR"
	}
	return predicateModel{fmt.Sprintf("(%s) %s (%s)", a.text, word, b.text),
		func(v document.Value, there bool) (truth, bool) {
			x, ok := a.eval(v, there)
			y, ok2 := b.eval(v, there)
			if or {
				x, y = negate(x), negate(y)
			}
			r := truthTrue
			switch {
			case x == truthFalse || y == truthFalse:
				r = truthFalse
			case x == truthNull || y == truthNull:
				r = truthNull
			}
			if or {
				r = negate(r)
			}
			return r, ok && ok2
		}}
}

func TestSpansHoldWhatSatisfies(t *testing.T) {
	b := newBench()
	models := operandModels()
	found, tight, satisfied := 0, 0, 0
	testseed.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(models).Draw(t, "operand")
		p := genPredicate(t, m, 3)
		conjuncts, err := b.parse(p.text)
		if err != nil {
			t.Fatalf("%s: %v", p.text, err)
		}
		r := Split(b.ctx, conjuncts, b.resolver, Options{Explain: true})
		for _, c := range r.Candidates {
			// Those through the elements of an array are another test's.
			if len(c.Parts) != 1 || c.Parts[0].Repeats() {
				continue
			}
			found++
			whole := c.Tight && len(c.Residual) == 0
			if whole {
				tight++
			}
			check := func(v document.Value, there, in bool) {
				value, known := p.eval(v, there)
				if !known {
					return
				}
				is := value == truthTrue
				if is {
					satisfied++
				}
				if is && !in {
					t.Fatalf("%s is true of %s, which is not in %s", p.text, v.Raw(), c.Text)
				}
				if !is && in && whole {
					t.Fatalf("%s is not true of %s, which is in %s, said to be tight", p.text, v.Raw(), c.Text)
				}
			}
			check(document.Value{}, false, c.NeedsAllPresent)
			column := c.Column
			for _, text := range rapid.SliceOfN(m.values, 1, 12).Draw(t, "values") {
				v := mustValue(text)
				encoded, _, err := ordered.AppendValue(nil, v,
					ordered.ValueOptions{Collation: column.Collation, Limit: column.StringLimit})
				if err != nil {
					t.Fatal(err)
				}
				check(v, true, c.Spans.Contains(encoded))
			}
		}
	}, func() bool { return found > 0 && tight > 0 && satisfied > 0 })
	t.Logf("%d predicates had spans, %d of them tight; %d values satisfied theirs", found, tight, satisfied)
}

func jsonText(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}
