package value

import (
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

func TestJSONPaths(t *testing.T) {
	for _, c := range []struct{ doc, path, value string }{
		{`{"a":1}`, "$", `{"a":1}`},
		{`{"a":{"b c":[1,2]}}`, `$.a."b c"[last]`, "2"},
		{`{"a":{"b.c":1}}`, `$ . a . "b.c"`, "1"},
		{`{"é":1}`, `$.é`, "1"},
		{`{"a-b":1,"$x":2}`, `$.a-b`, "1"},
		{`[1,2,3]`, `$[last-1]`, "2"},
		{`[1,2,3]`, `$[5]`, ""},
		{`[1,2,3]`, `$[last-3]`, ""},
		{`[1,2,3]`, `$[1 to 7]`, "[2,3]"},
		{`5`, `$[0]`, "5"},
		{`5`, `$[last]`, "5"},
		{`5`, `$[1]`, ""},
		{`{"a":{"x":1},"b":[{"x":2}]}`, `$**.x`, "[1,2]"},
		{`{"a":1,"b":2}`, `$.*`, "[1,2]"},
		{`{"a":1}`, `$.b`, ""},
		{`{"a":1}`, `$.a.b`, ""},
		{`{}`, `a`, "error"},
		{`{}`, `$.`, "error"},
		{`{}`, `$[`, "error"},
		{`{}`, `$[-1]`, "error"},
		{`{}`, `$**`, "error"},
		{`{}`, `$."a`, "error"},
		{`{}`, `$x`, "error"},
		{`{}`, "$" + strings.Repeat(".a", 200), "error"},
	} {
		j, err := ParseJSON(c.doc)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		w, err := j.Lookup(t.Context(), c.path)
		switch {
		case err != nil:
			got = "error"
		case w != nil:
			got = w.(JSON).String()
		}
		if got != c.value {
			t.Errorf("%s of %s: got %q, want %q", c.path, c.doc, got, c.value)
		}
	}
}

func TestJSONEdits(t *testing.T) {
	for _, c := range []struct {
		op               EditOperation
		doc, path, value string
		result           string
	}{
		{EditSet, `{"a":1,"b":2}`, "$.a", "9", `{"a":9,"b":2}`},
		{EditSet, `{}`, "$.a", "9", `{"a":9}`},
		{EditSet, `{"a":1}`, "$.b.c", "9", `{"a":1}`},
		{EditSet, `{"a":1}`, "$", "9", `9`},
		{EditSet, `[1,2]`, "$[5]", "9", `[1,2,9]`},
		{EditSet, `[]`, "$[0]", "9", `[9]`},
		{EditSet, `[1,2]`, "$[last-5]", "9", `[9,1,2]`},
		{EditSet, `1`, "$[0]", "9", `9`},
		{EditSet, `1`, "$[1]", "9", `[1,9]`},
		{EditInsert, `{"a":1}`, "$.a", "9", `{"a":1}`},
		{EditInsert, `[1]`, "$[1]", "9", `[1,9]`},
		{EditReplace, `{"a":1}`, "$.b", "9", `{"a":1}`},
		{EditRemove, `{"a":1,"b":2,"c":3}`, "$.a", "", `{"b":2,"c":3}`},
		{EditRemove, `{"a":1,"b":2,"c":3}`, "$.c", "", `{"a":1,"b":2}`},
		{EditRemove, `{"a":1}`, "$.a", "", `{}`},
		{EditRemove, `[1,[2,"a]"],3]`, "$[1]", "", `[1,3]`},
		{EditRemove, `[1]`, "$[0]", "", `[]`},
		{EditRemove, `[1]`, "$[last-1]", "", `[1]`},
		{EditArrayAppend, `{"a":[1]}`, "$.a", "9", `{"a":[1,9]}`},
		{EditArrayAppend, `{"a":1}`, "$.a", "9", `{"a":[1,9]}`},
		{EditArrayAppend, `{"a":1}`, "$.b", "9", `{"a":1}`},
		{EditArrayInsert, `[1,2]`, "$[1]", "9", `[1,9,2]`},
		{EditArrayInsert, `[1,2]`, "$[7]", "9", `[1,2,9]`},
		{EditSet, `{"\u0061":1, "b" : "x\"}"}`, "$.a", "2", `{"\u0061":2,"b":"x\"}"}`},
	} {
		j, err := ParseJSON(c.doc)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParseJSONPath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := EditValue(c.op, j.Held, p, []byte(c.value))
		got := v.Text()
		if err != nil {
			got = err.Error()
		}
		if got != c.result {
			t.Errorf("edit %d of %s at %s: got %s, want %s", c.op, c.doc, c.path, got, c.result)
		}
	}
}

// genJSON draws JSON text.
func genJSON(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kinds := 6
		if depth == 0 {
			kinds = 4
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
		case 1:
			return rapid.SampledFrom([]string{"0", "-0", "1", "1.0", "1e0", "10e-1", "1e400", "-1e-400", "9007199254740993",
				"9007199254740992.0", "0.1", "1E+2", "100"}).Draw(t, "number")
		case 2, 3:
			return string(AppendString(nil, rapid.SampledFrom([]string{"", "a", "A", "é", "e\u0301", "\"", "\\", "\u2028",
				"b"}).Draw(t, "string")))
		case 4:
			return "[" + strings.Join(rapid.SliceOfN(genJSON(depth-1), 0, 3).Draw(t, "array"), ",") + "]"
		}
		var members []string
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "é", "x y", `"`}), 0, 3,
			rapid.ID[string]).Draw(t, "names") {
			members = append(members, string(AppendString(nil, name))+":"+genJSON(depth-1).Draw(t, "member"))
		}
		return "{" + strings.Join(members, ",") + "}"
	})
}

// TestJSONHashAgreesWithEquality: what the engine hashes is the same for equal
// values, and different for others.
func TestJSONHashAgreesWithEquality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := ParseJSON(genJSON(2).Draw(t, "a"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseJSON(genJSON(2).Draw(t, "b"))
		if err != nil {
			t.Fatal(err)
		}
		order, err := a.Compare(b)
		if err != nil {
			t.Fatal(err)
		}
		ah, _ := sql.HashOf(t.Context(), sql.Row{a})
		bh, _ := sql.HashOf(t.Context(), sql.Row{b})
		if (order == 0) != (ah == bh) {
			t.Fatalf("%s and %s: compare %d, hashes %x %x", a, b, order, ah, bh)
		}
	})
}

// TestJSONSurvivesInterface: what the engine makes of a value through
// ToInterface still is the same value.
func TestJSONSurvivesInterface(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, err := ParseJSON(genJSON(2).Draw(t, "a"))
		if err != nil {
			t.Fatal(err)
		}
		inner, err := a.ToInterface()
		if err != nil {
			t.Fatal(err)
		}
		back, err := ValueOf(types.JSONDocument{Val: []interface{}{inner}})
		if err != nil {
			t.Fatal(err)
		}
		e, _ := back.Element(0)
		if document.Compare(e, a.Held, nil) != 0 && a.Held.Type() != document.TypeString {
			t.Fatalf("%s became %s", a, e)
		}
	})
}
