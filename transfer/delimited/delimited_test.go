package delimited_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/delimited"
)

// read returns `line: document` for every record, or `line: !error`.
func read(t rapid.TB, text string, o delimited.Options) ([]string, error) {
	t.Helper()
	open := func() (*delimited.File, error) {
		return delimited.Open(bufio.NewReaderSize(strings.NewReader(text), 1<<16), o)
	}
	f, err := open()
	if err != nil {
		return nil, err
	}
	again, err := open()
	if err == nil {
		err = f.Learn(context.Background(), again)
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for {
		line, fields, err := f.Next()
		if err == io.EOF {
			return out, nil
		}
		var d document.Document
		if err == nil {
			d, err = f.Document(fields)
		} else if !errors.Is(err, delimited.ErrQuote) {
			return out, err
		}
		if err != nil {
			out = append(out, fmt.Sprintf("%d: !%v", line, err))
		} else {
			out = append(out, fmt.Sprintf("%d: %s", line, d))
		}
	}
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          delimited.Options
		want       string
	}{
		{"plain", "a,b\n1,x\n2,y\n", delimited.Options{}, `2: {"a":1,"b":"x"}|3: {"a":2,"b":"y"}`},
		{"ends of lines", "a,b\r\n1,x\r\n\r\n2,y", delimited.Options{}, `2: {"a":1,"b":"x"}|4: {"a":2,"b":"y"}`},
		{"returns", "a,b\r1,x\r2,y\r", delimited.Options{}, `2: {"a":1,"b":"x"}|3: {"a":2,"b":"y"}`},
		{"a mark", "\xef\xbb\xbfa;b\n1;x\n", delimited.Options{}, `2: {"a":1,"b":"x"}`},
		{"Excel's line", "sep=|\na|b\n1|x\n", delimited.Options{}, `3: {"a":1,"b":"x"}`},
		{"decimal commas", "a;b\n1,5;2,5\n3,5;4\n", delimited.Options{}, `2: {"a":"1,5","b":"2,5"}|3: {"a":"3,5","b":"4"}`},
		{"quotes", "a,b\n\"x,\"\"y\"\"\",\"two\nlines\"\n5\" disk,\"\"\n", delimited.Options{},
			`2: {"a":"x,\"y\"","b":"two\nlines"}|4: {"a":"5\" disk","b":""}`},
		{"a long field before a new line in quotes", "a,b\n" + strings.Repeat("x", 5000) + ",\"1\n2\"\n", delimited.Options{},
			`2: {"a":"` + strings.Repeat("x", 5000) + `","b":"1\n2"}`},
		{"behind a quote", "a,b\n\"x\"y,1\nz,2\n", delimited.Options{},
			`2: !a field goes on behind its closing quote: "\"y,1\n"|3: {"a":"z","b":2}`},
		{"ragged", "a,b\n1\n1,2\n1,2,3\n", delimited.Options{},
			`2: !1 fields, where the header has 2|3: {"a":1,"b":2}|4: !3 fields, where the header has 2`},
		{"digits", "a\n0.10\n12345678901234567890123\n1e2\n", delimited.Options{Delimiter: ','},
			`2: {"a":0.10}|3: {"a":12345678901234567890123}|4: {"a":1e2}`},
		{"leading zeros", "zip,n\n10001,1\n02134,2\n", delimited.Options{},
			`2: {"zip":"10001","n":1}|3: {"zip":"02134","n":2}`},
		{"no numbers", "a,b,c\n+1,.5,1_000\n", delimited.Options{}, `2: {"a":"+1","b":".5","c":"1_000"}`},
		{"booleans", "a,b,c\nTrue,false,yes\nFalse,true,no\n", delimited.Options{},
			`2: {"a":true,"b":false,"c":"yes"}|3: {"a":false,"b":true,"c":"no"}`},
		{"dates", "a,b\n2024-01-02,1\n", delimited.Options{}, `2: {"a":"2024-01-02","b":1}`},
		{"arrays", "a,b\n\"[1,{}]\",[sic]\n\"[]\",x\n", delimited.Options{},
			`2: {"a":[1,{}],"b":"[sic]"}|3: {"a":[],"b":"x"}`},
		{"quotes tell texts", "a,b\n\"1\",1\n\"2\",2\n", delimited.Options{}, `2: {"a":"1","b":1}|3: {"a":"2","b":2}`},
		{"all in quotes", "\"a\",\"b\"\n\"1\",\"x\"\n", delimited.Options{}, `2: {"a":1,"b":"x"}`},
		{"empty", "a,b\n,1\n\"\",2\n", delimited.Options{}, `2: {"a":null,"b":1}|3: {"a":"","b":2}`},
		{"empty text", "a,b\n,1\n", delimited.Options{Empty: delimited.EmptyText}, `2: {"a":"","b":1}`},
		{"absent", "a.x,a.y,b\n,,1\n2,,\n", delimited.Options{Empty: delimited.EmptyAbsent}, `2: {"b":1}|3: {"a":{"x":2}}`},
		{"null", "a,b\nNULL,\"NULL\"\n", delimited.Options{Null: "NULL"}, `2: {"a":null,"b":"NULL"}`},
		{"no header", "1,x\n2,y\n", delimited.Options{}, `1: {"c1":1,"c2":"x"}|2: {"c1":2,"c2":"y"}`},
		{"a header said", "1,x\n2,y\n", delimited.Options{Header: delimited.HeaderYes}, `2: {"1":2,"x":"y"}`},
		{"names", "1,x\n2,y\n", delimited.Options{Columns: []string{"n", "t"}}, `1: {"n":1,"t":"x"}|2: {"n":2,"t":"y"}`},
		{"names instead", "a,b\n2,y\n", delimited.Options{Columns: []string{"n", "t"},
			Header: delimited.HeaderYes}, `2: {"n":2,"t":"y"}`},
		{"an unnamed column", ",a\n0,x\n", delimited.Options{}, `2: {"c1":0,"a":"x"}`},
		{"keypaths", "a.b,a.c,\"\"\"x.y\"\"\",No.\n1,2,3,4\n", delimited.Options{}, `2: {"a":{"b":1,"c":2},"x.y":3,"No.":4}`},
		{"keypaths that contradict", "a,a.b\n1,2\n", delimited.Options{}, `2: {"a":1,"a.b":2}`},
		{"text said", "a,b\n1,2\n", delimited.Options{Text: []string{"a"}}, `2: {"a":"1","b":2}`},
		{"all text", "a,b\n1,true\n", delimited.Options{AllText: true}, `2: {"a":"1","b":"true"}`},
		{"backslashes", "a\tb\tc\n\\N\tx\\ty\\\nz\\\\\t1\n", delimited.Options{Backslash: true},
			`2: {"a":null,"b":"x\ty\nz\\","c":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(t, c.text, c.o)
			if err != nil || strings.Join(got, "|") != c.want {
				t.Errorf("%s, %v\nwant %s", strings.Join(got, "|"), err, c.want)
			}
		})
	}
}

// TestReadFails: what can't be read as a whole.
func TestReadFails(t *testing.T) {
	for text, want := range map[string]string{
		"a,a\n1,2\n":                             "columns 1 and 2 are both named \"a\"",
		"a,b\n1,\"x\n2,y":                        "line 2: a quote that opens in the record of this line is not closed",
		"\n\n":                                   "there is no record",
		"a,b\n\"" + strings.Repeat("x\n", 9<<20): "too large",
	} {
		if _, err := read(t, text, delimited.Options{Header: delimited.HeaderYes}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestBackProperty: documents whose columns have one type each come back as they were.
func TestBackProperty(t *testing.T) {
	texts := []string{"x", "", " a ", "1", "true", "a,b", "a\tb", "\"", "a\nb", "\r", "ü", "007", "1,5", "NULL",
		`\N`, "-", "- 1", "{", "sep=,"}
	numbers := []string{"0", "-1", "1.50", "12345678901234567890123", "1e400", "-0.0"}
	arrays := []string{"[]", `[1,"x\"",{"a":[null]}]`, `["a,b"]`}
	rapid.Check(t, func(t *rapid.T) {
		var columns []int
		for range rapid.IntRange(1, 5).Draw(t, "columns") {
			columns = append(columns, rapid.IntRange(0, 3).Draw(t, "type"))
		}
		var documents []string
		for i := range rapid.IntRange(1, 6).Draw(t, "documents") {
			text := fmt.Sprintf(`{"_id":"d%d"`, i)
			for n, column := range columns {
				v := "null"
				switch {
				case i > 0 && rapid.IntRange(0, 4).Draw(t, "null") == 0:
				case column == 0:
					quoted, _ := document.AppendQuoted(nil, rapid.SampledFrom(texts).Draw(t, "text"))
					v = string(quoted)
				case column == 1:
					v = rapid.SampledFrom(numbers).Draw(t, "number")
				case column == 2:
					v = rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
				default:
					v = rapid.SampledFrom(arrays).Draw(t, "array")
				}
				if n%2 == 0 {
					text += fmt.Sprintf(`,"n%d":%s`, n, v)
				} else {
					text += fmt.Sprintf(`,"o%d":{"a.b":%s}`, n, v)
				}
			}
			documents = append(documents, text+"}")
		}
		for _, delimiter := range []byte{',', '\t'} {
			var c delimited.Columns
			var parsed []document.Document
			for _, text := range documents {
				d, err := document.Parse([]byte(text), document.Limits{})
				if err == nil {
					err = c.Add(d)
				}
				if err != nil {
					t.Fatal(text, err)
				}
				parsed = append(parsed, d)
			}
			var out bytes.Buffer
			w, err := delimited.NewWriter(&out, delimiter, c.Keypaths())
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed {
				if err := w.Write(d); err != nil {
					t.Fatal(err)
				}
			}
			got, err := read(t, out.String(), delimited.Options{})
			if err != nil || len(got) != len(documents) {
				t.Fatalf("%d of %d, %v\n%s", len(got), len(documents), err, out.String())
			}
			for i := range got {
				if _, text, _ := strings.Cut(got[i], ": "); text != documents[i] {
					t.Fatalf("%s\ncomes back as %s\nfrom\n%s", documents[i], text, out.String())
				}
			}
		}
	})
}
