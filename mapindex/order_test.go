package mapindex_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/mapindex"
)

// published is the list of the chapter "Views Collation" of CouchDB's documentation, in its order.
var published = []string{
	`null`, `false`, `true`,
	`1`, `2`, `3.0`, `4`,
	`"a"`, `"A"`, `"aa"`, `"b"`, `"B"`, `"ba"`, `"bb"`,
	`["a"]`, `["b"]`, `["b","c"]`, `["b","c","a"]`, `["b","d"]`, `["b","d","e"]`,
	`{"a":1}`, `{"a":2}`, `{"b":1}`, `{"b":2}`, `{"b":2,"a":1}`, `{"b":2,"c":2}`,
}

func encoded(t *testing.T, text string) []byte {
	t.Helper()
	b, err := mapindex.EncodeKey([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b
}

func TestPublishedCollation(t *testing.T) {
	for i := range published {
		for j := range published {
			if got, want := bytes.Compare(encoded(t, published[i]), encoded(t, published[j])), sign(i-j); got != want {
				t.Errorf("%s and %s compare as %d, want %d", published[i], published[j], got, want)
			}
		}
	}
}

// The ASCII characters in the order of ICU's root locale. CouchDB's page has that of an older one, ` and ^ first.
func TestASCIICollation(t *testing.T) {
	const order = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789" +
		"aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ"
	for i := 1; i < len(order); i++ {
		a, b := fmt.Sprintf("%q", order[i-1:i]), fmt.Sprintf("%q", order[i:i+1])
		if bytes.Compare(encoded(t, a), encoded(t, b)) >= 0 {
			t.Errorf("%s is not below %s", a, b)
		}
	}
}

// TestOrder compares encodings of random values with a comparison that is written as CouchDB's couch_ejson_compare is.
func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 24))
	met := map[string]bool{}
	for range 40_000 {
		a := randomValue(rnd, 3)
		b := randomValue(rnd, 3)
		if rnd.IntN(3) == 0 {
			b = altered(rnd, a)
		}
		ea, eb := encoded(t, a), encoded(t, b)
		va, vb := document.FromCompact([]byte(a)), document.FromCompact([]byte(b))
		want := compare(va, vb)
		if got := bytes.Compare(ea, eb); got != want {
			t.Fatalf("%s and %s: bytes compare as %d, CouchDB as %d", a, b, got, want)
		}
		if want != 0 && (bytes.HasPrefix(ea, eb) || bytes.HasPrefix(eb, ea)) {
			t.Fatalf("the encoding of one of %s and %s begins that of the other", a, b)
		}
		met[fmt.Sprintf("%s %s %d", va.Type(), vb.Type(), want)] = true
	}
	for _, want := range []string{"array array 0", "array array -1", "object object 1", "string string -1",
		"number number 1", "null boolean -1", "string array -1", "array object -1"} {
		if !met[want] {
			t.Errorf("no pair was %s", want)
		}
	}
}

func randomValue(r *rand.Rand, depth int) string {
	n := 6
	if depth > 0 {
		n = 8
	}
	switch r.IntN(n) {
	case 0:
		return "null"
	case 1:
		return []string{"true", "false"}[r.IntN(2)]
	case 2, 3:
		return []string{"0", "-0", "1", "1.0", "1.5", "10", "100", "-1", "-1.5", "1e3", "1000", "0.001",
			"12345678901234567890", "12345678901234567891", "-1e-7", "99.99"}[r.IntN(16)]
	case 4, 5:
		return fmt.Sprintf("%q", randomText(r))
	case 6:
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, randomValue(r, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var parts []string
	for i := range r.IntN(4) {
		parts = append(parts, fmt.Sprintf("%q:%s", fmt.Sprint(randomText(r), i), randomValue(r, depth-1)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

var letters = []string{"a", "A", "b", "B", "z", "é", "e\u0301", "ß", "ss", " ", "-", "1", "日", "ü", "\u00ad"}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// altered is a value that begins as another one.
func altered(r *rand.Rand, text string) string {
	switch {
	case strings.HasPrefix(text, "[") && len(text) > 2:
		return "[" + text[1:len(text)-1] + "," + randomValue(r, 0) + "]"
	case strings.HasPrefix(text, `"`):
		return `"` + text[1:len(text)-1] + fmt.Sprintf("%q", randomText(r))[1:]
	}
	return text
}

func rank(v document.Value) int {
	switch v.Type() {
	case document.TypeNull:
		return 0
	case document.TypeBool:
		return 1
	case document.TypeNumber:
		return 2
	case document.TypeString:
		return 3
	case document.TypeArray:
		return 4
	}
	return 5
}

func compareTexts(a, b string) int {
	if c := collation.Default.CompareKeys(a, b); c != 0 {
		return sign(c)
	}
	return strings.Compare(a, b)
}

func compare(a, b document.Value) int {
	if ra, rb := rank(a), rank(b); ra != rb {
		return sign(ra - rb)
	}
	switch a.Type() {
	case document.TypeBool:
		return sign(strings.Compare(a.Text(), b.Text()))
	case document.TypeNumber:
		return sign(document.CompareNumbers(a.Number(), b.Number()))
	case document.TypeString:
		return compareTexts(a.Str(), b.Str())
	case document.TypeArray:
		n, m := a.Count(), b.Count()
		for i := range min(n, m) {
			x, _ := a.Element(i)
			y, _ := b.Element(i)
			if c := compare(x, y); c != 0 {
				return c
			}
		}
		return sign(n - m)
	case document.TypeObject:
		type member struct {
			name string
			v    document.Value
		}
		list := func(v document.Value) (out []member) {
			for name, e := range v.Members() {
				out = append(out, member{name, e})
			}
			return out
		}
		la, lb := list(a), list(b)
		for i := range min(len(la), len(lb)) {
			if c := compareTexts(la[i].name, lb[i].name); c != 0 {
				return c
			}
			if c := compare(la[i].v, lb[i].v); c != 0 {
				return c
			}
		}
		return sign(len(la) - len(lb))
	}
	return 0
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestDescribe(t *testing.T) {
	for _, text := range append([]string{`[1,[2.5,-3],{"a":[null]}]`, `"a\u0000b\"ü"`, `[]`, `{}`,
		`[100,12345.678,0]`}, published...) {
		want := text
		switch text {
		case "3.0":
			want = "3"
		}
		if got := mapindex.Describe(encoded(t, text)); got != want {
			t.Errorf("%s is described as %s", text, got)
		}
	}
	if prefix, ok := mapindex.Beginning(encoded(t, `["a"]`)); !ok || mapindex.Describe(prefix) != `["a"…` {
		t.Error(mapindex.Describe(prefix))
	}
}
