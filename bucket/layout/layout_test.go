package layout

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

func doc(t testing.TB, text string) document.Document {
	t.Helper()
	d, err := document.Parse([]byte(text), document.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func index(t testing.TB, text string) Index {
	t.Helper()
	var x Index
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

// The paths that the description of Sengo's layout shows.
func TestSengosExamples(t *testing.T) {
	pets, err := Name("pets")
	if err != nil {
		t.Fatal(err)
	}
	milo := doc(t, `{"_id": "64a1f2c3e4b5d6789a0b1c2d", "name": "Milo"}`)
	name1 := index(t, `{"name": "name_1", "keys": [{ "field": "name", "order": 1 }]}`)
	work := doc(t, `{"_id":"task1_id","category":"work","status":"active","priority":1}`)
	two := index(t,
		`{"name":"category_1_priority_1","keys":[{"field":"category","order":1},{"field":"priority","order":1}]}`)
	three := index(t, `{"name":"category_1_status_1_priority_1","keys":[{"field":"category","order":1},
		{"field":"status","order":1},{"field":"priority","order":1}]}`)
	entry := func(c Collection, x Index, d document.Document) string {
		key, _ := x.Place(d)
		return c.Entry(x.Name, key)
	}
	for _, test := range []struct{ got, want string }{
		{pets.Document("64a1f2c3e4b5d6789a0b1c2d"), "pets/data/64a1f2c3e4b5d6789a0b1c2d.json"},
		{pets.Definition("name_1"), "pets/indices/name_1.json"},
		{entry(pets, name1, milo), "pets/indices/name_1/Milo.json"},
		{entry("tasks", two, work), "tasks/indices/category_1_priority_1/work.json"},
		{entry("collection", three, work), "collection/indices/category_1_status_1_priority_1/work|active.json"},
		{string(FormatEntry([]string{"task1_id", "task2_id"})), "[\"task1_id\", \"task2_id\"]\n"},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	text, err := json.Marshal(name1)
	if err != nil || string(text) != `{"name":"name_1","keys":[{"field":"name","order":1}]}` {
		t.Errorf("%s, %v", text, err)
	}
	if _, last := two.Place(work); last.Number() != "1" {
		t.Errorf("the value that orders is %s", last.Text())
	}
}

func TestParts(t *testing.T) {
	for _, test := range []struct{ value, part string }{
		{`"Milo"`, "Milo"}, {`""`, ""}, {`"milo"`, "milo"}, {`"a b|c/d%"`, "a%20b%7Cc%2Fd%25"}, {`"ü"`, "%C3%BC"},
		{`"it's (1)!~*"`, "it's%20(1)!~*"}, {`1`, "1"}, {`"1"`, "1"}, {`1.0`, "1"}, {`1e0`, "1"}, {`100e-2`, "1"},
		{`-0.0`, "0"},
		{`0.1`, "0.1"}, {`1e20`, "100000000000000000000"}, {`1e21`, "1e%2B21"}, {`1.5e-7`, "1.5e-7"}, {`0.000001`,
			"0.000001"},
		{`-1e-10`, "-1e-10"}, {`9007199254740993`, "9007199254740992"}, {`1e400`, "Infinity"}, {`-1e400`, "-Infinity"},
		{`null`, "null"}, {`true`, "true"}, {`false`, "false"}, {`[1,2]`, "%5B%5D"}, {`{"a":1}`, "%7B%7D"},
	} {
		v, err := document.ParseValue([]byte(test.value), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := Part(v); got != test.part {
			t.Errorf("%s gives %s, want %s", test.value, got, test.part)
		}
	}
	x := index(t, `{"name":"i","keys":[{"field":"a.b","order":1},{"field":"c","order":-1}]}`)
	for text, want := range map[string]string{`{}`: "null", `{"a":{"b":"x"}}`: "x", `{"a":[{"b":"x"}]}`: "null",
		`{"a":{"b":null}}`: "null"} {
		if key, _ := x.Place(doc(t, text)); key != want {
			t.Errorf("%s is at %s, want %s", text, key, want)
		}
	}
}

func TestLongKeys(t *testing.T) {
	long := strings.Repeat("ü", 200)
	a, b := Key([]string{encode(long), "x"}), Key([]string{encode(long), "y"})
	if a == b || len(a) > maxKey || strings.Contains(a, "%~") || strings.Contains(a, "%C~") {
		t.Errorf("%s and %s", a, b)
	}
	if CheckID(strings.Repeat("x", MaxName)) != nil || CheckID(strings.Repeat("x", MaxName+1)) == nil ||
		CheckID("") == nil {
		t.Error("the bounds of an id")
	}
}

// Numbers that are equal have one part, whatever their digits.
func TestEqualNumbersShareAPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		v, err := document.FloatValue(f)
		if err != nil {
			t.Skip("no number of JSON")
		}
		digits := v.Number()
		w, err := document.NumberValue(digits + map[bool]string{true: "", false: "e0"}[strings.ContainsAny(digits,
			"eE")])
		if err != nil {
			t.Fatal(err)
		}
		if Part(v) != Part(w) {
			t.Fatalf("%s and %s", Part(v), Part(w))
		}
	})
}

func TestNamesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringN(1, 40, 80).Draw(t, "id")
		c := Collection("pets")
		if got, ok := c.DocumentID(c.Document(id)); !ok || got != id {
			t.Fatalf("%q is read as %q, %v", id, got, ok)
		}
		if strings.Count(c.Document(id), "/") != 2 {
			t.Fatalf("%q is in another folder", id)
		}
		prefix := id[:len(id)/2]
		if !strings.HasPrefix(c.Document(id), c.DocumentPrefix(prefix)) {
			t.Fatalf("%q is not below its prefix %q", id, prefix)
		}
	})
	for _, name := range []string{"pets/data/a b.json", "pets/data/a%2fb.json", "pets/data/%zz.json", "pets/data/x",
		"pets/data/.json",
		"pets/data/a/b.json", "cats/data/x.json"} {
		if id, ok := Collection("pets").DocumentID(name); ok {
			t.Errorf("%s is a document, %q", name, id)
		}
	}
}

func TestDefinitionsRefused(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `{"name":"a","keys":[]}`, `{"name":"","keys":[{"field":"a","order":1}]}`,
		`{"name":"a","keys":[{"field":"a","order":2}]}`, `{"name":"a","keys":[{"field":"a[*].b","order":1}]}`,
		`{"name":"a","keys":[{"field":"a","order":1},{"field":"a","order":1}]}`,
		`{"name":"a","keys":[{"field":"_id","order":1}]}`,
		`{"name":"a","keys":[{"field":"a","order":"text"}]}`} {
		var x Index
		if err := json.Unmarshal([]byte(text), &x); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
