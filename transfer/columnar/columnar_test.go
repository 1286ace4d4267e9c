package columnar_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/columnar"
)

// write makes a file of documents.
func write(t rapid.TB, documents []document.Document) []byte {
	t.Helper()
	var shape columnar.Shape
	for _, d := range documents {
		if err := shape.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	w, err := columnar.NewWriter(&out, &shape)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range documents {
		if err := w.Write(d); err != nil {
			t.Fatal(d, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func read(t rapid.TB, file []byte) (documents []document.Document) {
	t.Helper()
	r, err := columnar.Open(bytes.NewReader(file), int64(len(file)), columnar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		row, d, err, fatal := r.Next()
		if fatal == io.EOF {
			return documents
		}
		if err != nil || fatal != nil || row != int64(len(documents)+1) {
			t.Fatal(row, err, fatal)
		}
		documents = append(documents, d)
	}
}

func parse(t rapid.TB, text string) document.Document {
	t.Helper()
	d, err := document.Parse([]byte(text), document.Limits{})
	if err != nil {
		t.Fatal(text, err)
	}
	return d
}

// TestBack: what is written comes back, equal by value, but that a null member is lacking.
func TestBack(t *testing.T) {
	for _, text := range []string{
		`{"a":1}`,
		`{"a":1,"b":null}|{"b":2.5}|{"b":3}`,
		`{"a":[]}|{"a":[1,null,3]}|{}`,
		`{"a":[[1],[],[2,3]]}|{"a":[null,[null]]}`,
		`{"o":{}}|{"o":{"x":{"y":[{"z":1},{"z":2,"w":[true]},{}]}}}|{"o":null}`,
		`{"o":{}}`,
		`{"m":1}|{"m":"x"}|{"m":{"n":[1]}}|{"m":null}`,
		`{"n":12345678901234567890123}|{"n":0.1}|{"n":1e400}`,
		`{"n":18446744073709551615}`,
		`{"n":9223372036854775807}|{"n":-9223372036854775808}`,
		`{"":1,"a.b":2,"K":3,"k":4,"ü \"x\"":5}`,
		`{"a":` + strings.Repeat(`{"x":[`, 40) + `1` + strings.Repeat(`]}`, 40) + `}`,
	} {
		var documents []document.Document
		for _, one := range strings.Split(text, "|") {
			documents = append(documents, parse(t, one))
		}
		compare(t, documents)
	}
}

func compare(t rapid.TB, documents []document.Document) {
	t.Helper()
	got := read(t, write(t, documents))
	if len(got) != len(documents) {
		t.Fatalf("%d of %d documents", len(got), len(documents))
	}
	for i, d := range documents {
		if want := withoutNulls(d.Value); !document.Equal(got[i].Value, want) {
			t.Fatalf("%s\ncomes back as %s", want, got[i])
		}
	}
}

// withoutNulls is v without members that are null; elements stay.
func withoutNulls(v document.Value) document.Value {
	text := appendWithout(nil, v)
	return document.FromCompact(text)
}

func appendWithout(dst []byte, v document.Value) []byte {
	switch v.Type() {
	case document.TypeObject:
		dst = append(dst, '{')
		first := true
		for name, m := range v.Members() {
			if m.IsNull() {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst, _ = document.AppendQuoted(dst, name)
			dst = appendWithout(append(dst, ':'), m)
		}
		return append(dst, '}')
	case document.TypeArray:
		dst = append(dst, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendWithout(dst, e)
		}
		return append(dst, ']')
	}
	return append(dst, v.Raw()...)
}

// drawValue makes values that differ in type at the same key often enough.
func drawValue(t *rapid.T, depth int) string {
	kinds := 7
	if depth > 3 {
		kinds = 5
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case 1:
		return rapid.SampledFrom([]string{"0", "-1", "9007199254740993", "18446744073709551615", "7"}).Draw(t, "whole")
	case 2:
		return rapid.SampledFrom([]string{"0.5", "1.50", "1e10", "0.1234567890123456789", "-0.0", "1e300"}).Draw(t, "number")
	case 3:
		return rapid.SampledFrom([]string{`""`, `"x"`, `"ü\n"`, `"{}"`}).Draw(t, "text")
	case 4:
		return "null"
	case 5:
		parts := make([]string, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range parts {
			parts[i] = drawValue(t, depth+1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return drawObject(t, depth+1)
}

func drawObject(t *rapid.T, depth int) string {
	var parts []string
	for _, key := range []string{"a", "b", "c.d"} {
		if rapid.Bool().Draw(t, "there") {
			parts = append(parts, `"`+key+`":`+drawValue(t, depth))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// TestBackProperty: any documents come back. Below a value of mixed types nulls stay, so they are not drawn there.
func TestBackProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		documents := []document.Document{parse(t, `{"_id":1}`)}
		for range rapid.IntRange(1, 6).Draw(t, "documents") {
			documents = append(documents, parse(t, drawObject(t, 0)))
		}
		for i, d := range read(t, write(t, documents)) {
			if !document.Equal(withoutNulls(d.Value), withoutNulls(documents[i].Value)) {
				t.Fatalf("%s\ncomes back as %s", documents[i], d)
			}
		}
	})
}

// TestDamaged: no damage of a file makes the program fail otherwise than with an error.
func TestDamaged(t *testing.T) {
	file := write(t, []document.Document{parse(t, `{"a":[1,2],"o":{"x":"y"}}`), parse(t, `{"a":[3]}`)})
	failed := 0
	for i := range file {
		for _, flip := range []byte{0xff, 0x01} {
			damaged := bytes.Clone(file)
			damaged[i] ^= flip
			r, err := columnar.Open(bytes.NewReader(damaged), int64(len(damaged)), columnar.Options{})
			for err == nil {
				if _, _, _, err = r.Next(); err != nil {
					break
				}
			}
			if err != nil && err != io.EOF {
				failed++
			}
		}
		if _, err := columnar.Open(bytes.NewReader(file[:i]), int64(i), columnar.Options{}); err == nil {
			t.Errorf("the first %d bytes are taken for a file", i)
		}
	}
	if failed < len(file)/4 {
		t.Errorf("%d of %d damages were noticed", failed, 2*len(file))
	}
}

// TestOthers: a file that DuckDB wrote, with each of its types.
func TestOthers(t *testing.T) {
	file, err := os.ReadFile("testdata/duckdb.parquet")
	if err != nil {
		t.Fatal(err)
	}
	found := read(t, file)
	want := `{"i":1,"s":"a","st":{"x":1,"y":[1,2,null]},"ls":[{"k":"v","n":[1.5]},{"n":[]}],"m":{"a":1,"b":2},` +
		`"d":12345678901234567890.12,"d4":1.25,"ts":"2024-01-02 03:04:05.123456","tz":"2024-01-02T01:04:05.000000Z",` +
		`"dt":"2024-02-29","tm":"12:34:56.789000","b":"ab\u0000c","u":"c35ab78e-7424-4136-90da-d13282c41067",` +
		`"j":{"q":1},"h":1.7014118346046923e+38,"ub":18446744073709551615,"f":1.5,"nan":"NaN","bo":true,` +
		`"tn":"2024-01-02 03:04:05.123456789","e":"happy"}`
	if len(found) != 2 || found[0].Text() != want || found[1].Text() != "{}" {
		t.Errorf("%s\nwant\n%s", found, want)
	}
}
