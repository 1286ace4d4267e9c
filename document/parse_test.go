package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/processor"
)

// nasty are texts that parsers are known to disagree on, in the manner of
// JSONTestSuite.
var nasty = []string{
	``, ` `, `{`, `}`, `[`, `]`, `"`, `"\`, `{}`, `[]`, `""`, `0`, `-`, `-0`, `--0`, `+0`, `00`, `-00`, `0.`, `.0`, `0.e1`,
	`0.0`, `0e`, `0e+`,
	`0E-0`, `1E400`, `-1e-400`, `1e+00000000000000000000001`, `1.2.3`, `1e2e3`, `1e2.3`, `0x1`, `1_000`, `1,000`,
	`Infinity`, `-Infinity`, `NaN`, `-NaN`,
	`true`, `tru`, `True`, `TRUE`, `truefalse`, `nul`, `null `, ` null`, "\tnull\r\n", "\vnull", "\fnull", "\u00a0null",
	"\u2028null", "\ufeffnull", "null\x00", "\x00",
	`[null`, `[null,`, `[null,]`, `[,null]`, `[,]`, `[null null]`, `[null,,null]`, `[[]`, `[]]`, `[}`, `{]`, `[1,2}`,
	`{"a":1]`,
	`{"a"}`, `{"a":}`, `{"a",}`, `{:1}`, `{"a":1,}`, `{,"a":1}`, `{"a":1 "b":2}`, `{"a":1,,"b":2}`, `{"a":1;"b":2}`,
	`{"a"=1}`, `{a:1}`, `{'a':1}`, `{1:1}`, `{null:1}`, `{"a":1}x`,
	`{"a":"b":"c"}`, `{"a":{"b":{"c":{}}}}`, `[[[[[[]]]]]]`, `[{"a":[{"b":[]}]}]`, `/**/1`, `1//`, `#1`, `'a'`, "`a`",
	`“a”`,
	`"\a"`, `"\u"`, `"\u1"`, `"\u12"`, `"\u123"`, `"\u123g"`, `"\U0041"`, `"\u 041"`, `"\u+041"`, `"\x41"`, `"\0"`, `"\'"`,
	`"\/"`, `"\\"`, `"\\\"`, `"\""`, `"\\""`,
	`"\uD834\uDD1E"`, `"\ud834"`, `"\uDD1E"`, `"\uD834\u0041"`, `"\uD834x"`, `"\uD834\n"`, `"\uDD1E\uD834"`, `"\u0000"`,
	`"\uFFFF"`, `"\uFEFF"`,
	"\"\x00\"", "\"\x1f\"", "\"\t\"", "\"\n\"", "\"\x7f\"", "\"\x80\"", "\"\xc0\x80\"", "\"\xc3\"", "\"\xe2\x82\"",
	"\"\xed\xa0\xbd\"", "\"\xf0\x9d\x84\x9e\"", "\"\xf4\x90\x80\x80\"", "\"\xf8\x88\x80\x80\x80\"", "\"\xef\xbf\xbe\"",
	`{"a":1,"a":1}`, `{"":1,"":2}`, `{"\u0061":1,"a":2}`, `{"a\/":1,"a/":2}`, `{"a":1,"A":2}`, `{"é":1,"é":2}`,
	"{\"\xff\":1}", `{"a":{"a":{"a":1}}}`, `[{"a":1},{"a":1}]`,
	"[1\n,2\r,3\t,4 ]", "{\"a\"\n:\r1\t}", "\x1e{}\n", "{}\x00", "\xef\xbb{}", "\xff\xfe{\x00}\x00", "a\xcc\x81", `["a\
b"]`,
}

// checkAgainstStandard parses one text and compares with encoding/json, whose
// only other disagreements are our stricter rules. It returns whether the text
// was taken.
func checkAgainstStandard(t *testing.T, text []byte) bool {
	t.Helper()
	before := bytes.Clone(text)
	v, err := document.ParseValue(text, document.Limits{})
	if !bytes.Equal(text, before) {
		t.Fatalf("%q was changed to %q", before, text)
	}
	valid := json.Valid(text)
	if err == nil {
		var compact bytes.Buffer
		if !valid {
			t.Fatalf("%q is taken as %s but is not JSON", text, v)
		}
		if err := json.Compact(&compact, text); err != nil || compact.String() != v.Text() {
			t.Fatalf("%q: got %s, want %s", text, v, &compact)
		}
		return true
	}
	var syntax *document.SyntaxError
	switch {
	case errors.As(err, &syntax):
		if syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Line < 1 || syntax.Column < 1 || syntax.Message == "" {
			t.Fatalf("%q: %#v", text, syntax)
		}
		stricter := strings.Contains(syntax.Message, "UTF-8") || strings.Contains(syntax.Message, "surrogate") ||
			strings.Contains(syntax.Message, "exponent beyond")
		if valid && !stricter {
			t.Fatalf("%q is JSON, but %v", text, err)
		}
	case errors.Is(err, document.ErrDuplicateKey), errors.Is(err, document.ErrTooDeep),
		errors.Is(err, document.ErrTooLarge):
	default:
		t.Fatalf("%q: %v", text, err)
	}
	return false
}

func TestNastyTexts(t *testing.T) {
	taken := 0
	for _, text := range nasty {
		if checkAgainstStandard(t, []byte(text)) {
			taken++
		}
		checkAgainstStandard(t, []byte(`[`+text+`]`))
		checkAgainstStandard(t, []byte(`{"a":`+text+`}`))
		checkAgainstStandard(t, []byte(`{"some other key":{"k":1}, `+strings.TrimPrefix(text, "{")))
	}
	if taken != 32 {
		t.Errorf("%d texts are taken", taken)
	}
}

// Every prefix of a good text is refused, and says so at its end.
func TestTruncatedTexts(t *testing.T) {
	const text = `{"key \u0041 \ud834\udd1e é": [1.5e-3, {"a": true, "b": [false, null]}, "𝄞\n"], "k": {}, "l": []}`
	if _, err := document.Parse([]byte(text), document.Limits{}); err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		_, err := document.Parse([]byte(text[:n]), document.Limits{})
		var syntax *document.SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("%s: %v", text[:n], err)
		}
		// Cut within a character, that character is the error.
		if syntax.Offset < n-3 {
			t.Errorf("%s: %v", text[:n], err)
		}
		checkAgainstStandard(t, []byte(text[:n]))
	}
}

func TestDepthLimit(t *testing.T) {
	at := func(depth int) error {
		_, err := document.Parse([]byte(strings.Repeat(`{"a":[`, depth/2)+strings.Repeat(`]}`, depth/2)), document.Limits{})
		return err
	}
	if err := at(document.DefaultMaxDepth); err != nil {
		t.Error(err)
	}
	if err := at(document.DefaultMaxDepth + 2); !errors.Is(err, document.ErrTooDeep) {
		t.Error(err)
	}
	start := processor.Time() // which others on the machine don't change
	for _, text := range []string{
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		strings.Repeat("[", 1_000_000),
		strings.Repeat(`{"":`, 1_000_000),
		strings.Repeat("[\n", 1_000_000),
	} {
		_, err := document.Parse([]byte(text), document.Limits{})
		var deep *document.DepthError
		if !errors.As(err, &deep) || !errors.Is(err, document.ErrTooDeep) || deep.Limit != document.DefaultMaxDepth {
			t.Errorf("%.10s…: %v", text, err)
		}
	}
	if d := processor.Time() - start; d > 5*time.Second {
		t.Errorf("refusing deep texts took %v", d)
	}
	d, err := document.Parse([]byte(`{}`), document.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	deep := make(document.Keypath, document.DefaultMaxDepth)
	d, err = d.With(deep, document.NullValue())
	if err != nil || d.Within(document.Limits{}) != nil {
		t.Error(err, d.Within(document.Limits{}))
	}
	d, err = d.With(deep, document.ArrayValue())
	if err != nil || !errors.Is(d.Within(document.Limits{}), document.ErrTooDeep) {
		t.Error(err, d.Within(document.Limits{}))
	}
}

func TestSizeLimit(t *testing.T) {
	body := func(size int) string { return `{"a":"` + strings.Repeat("x", size-len(`{"a":""}`)) + `"}` }
	if _, err := document.Parse([]byte(body(document.DefaultMaxSize)), document.Limits{}); err != nil {
		t.Error(err)
	}
	for _, size := range []int{document.DefaultMaxSize + 1, 5 << 20} {
		_, err := document.Parse([]byte(body(size)), document.Limits{})
		var large *document.SizeError
		if !errors.As(err, &large) || !errors.Is(err, document.ErrTooLarge) || large.Size != size ||
			large.Limit != document.DefaultMaxSize {
			t.Errorf("%d bytes: %v", size, err)
		}
		// White space counts for nothing, wherever it stands.
		spaced := strings.Repeat(" ", size) + body(100) + strings.Repeat("\n", size)
		if d, err := document.Parse([]byte(spaced), document.Limits{}); err != nil || d.Len() != 100 {
			t.Errorf("%d bytes of white space: %v", size, err)
		}
		spaced = "{ " + body(size)[1:]
		if _, err := document.Parse([]byte(spaced), document.Limits{}); !errors.As(err, &large) || large.Size != size {
			t.Errorf("%d bytes with a space: %v", size, err)
		}
		d, err := document.Parse([]byte(body(size)), document.Limits{MaxSize: 6 << 20})
		if err != nil || !errors.Is(d.Within(document.Limits{}), document.ErrTooLarge) {
			t.Errorf("%d bytes within 6 MiB: %v", size, err)
		}
	}
}

// An object of very many keys costs no square of their number.
func TestManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteByte('{')
	const n = 200_000
	for i := range n {
		fmt.Fprintf(&b, `"key%06d":1,`, i)
	}
	text := b.String()
	start := processor.Time() // which others on the machine don't change
	d, err := document.Parse([]byte(text+`"last":1}`), document.Limits{})
	if err != nil || d.Count() != n+1 {
		t.Fatal(err)
	}
	_, err = document.Parse([]byte(text+`"key000100":1}`), document.Limits{})
	var duplicate *document.DuplicateKeyError
	if !errors.As(err, &duplicate) || duplicate.Key != "key000100" || duplicate.Offset != len(text) {
		t.Error(err)
	}
	if took := processor.Time() - start; took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// Duplicates are found wherever the two stand, among few keys and many.
func TestDuplicateKeys(t *testing.T) {
	for _, n := range []int{1, 2, 5, 15, 16, 17, 40} {
		for first := range n {
			var b strings.Builder
			b.WriteString(`{"x":[{`)
			for i := range n {
				fmt.Fprintf(&b, `"k%d":{"k0":0,"k%d":1},`, i, i+1)
			}
			fmt.Fprintf(&b, `"k%d":2}]}`, first)
			_, err := document.Parse([]byte(b.String()), document.Limits{})
			var duplicate *document.DuplicateKeyError
			if !errors.As(err, &duplicate) || duplicate.Path != fmt.Sprintf("x[*].k%d", first) {
				t.Fatalf("%d keys, %d twice: %v", n, first, err)
			}
		}
	}
}

// Numbers with more digits or a larger exponent than any machine type are
// compared without being written out.
func TestHugeNumbers(t *testing.T) {
	start := processor.Time() // which others on the machine don't change
	nines := strings.Repeat("9", 1_000_000)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1e2000000000", "1e2000000001", -1},
		{"-1e2000000000", "1", -1},
		{"0." + strings.Repeat("0", 1_000_000) + "1", "1e-1000001", 0},
		{nines, nines + ".1", -1},
		{nines, "1e1000000", -1},
		{nines + "0", nines + "e1", 0},
	} {
		if got := document.CompareNumbers(c.a, c.b); got != c.want {
			t.Errorf("%.20s… and %.20s…: %d", c.a, c.b, got)
		}
	}
	if allocs := testing.AllocsPerRun(10, func() { document.CompareNumbers("1e2000000000", "123.5e-10") }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if took := processor.Time() - start; took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestBuilderErrors(t *testing.T) {
	null := document.NullValue()
	for _, c := range []struct {
		b    *document.ObjectBuilder
		want error
	}{
		{document.NewObject().Add("a", null).Add("a", null).Add("b", null), document.ErrDuplicateKey},
		{document.NewObject().Add("a\xff", null).Add("b", null), document.ErrString},
	} {
		if _, err := c.b.Document(); !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
	if _, err := document.NewObject().Add("a", document.Value{}).Document(); err == nil {
		t.Error("a member without a value is taken")
	}
	if _, err := document.StringValue("\xff"); !errors.Is(err, document.ErrString) {
		t.Error(err)
	}
	for _, literal := range []string{"", "1.", "+1", "01", "1 ", " 1", "x", "-", "1e9999999999", "NaN", "1,0"} {
		if _, err := document.NumberValue(literal); !errors.Is(err, document.ErrNumber) {
			t.Errorf("%q: %v", literal, err)
		}
	}
	b := document.NewObject().Add("i", document.IntValue(-1)).Add("u", document.UintValue(1<<64-1)).Add("b",
		document.BoolValue(true))
	first, err := b.Document()
	if err != nil {
		t.Fatal(err)
	}
	b.Add("c", document.BoolValue(false))
	if second, _ := b.Document(); first.Text() != `{"i":-1,"u":18446744073709551615,"b":true}` ||
		second.Text() != `{"i":-1,"u":18446744073709551615,"b":true,"c":false}` {
		t.Errorf("%s, %s", first, second)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range nasty {
		f.Add([]byte(text))
		f.Add([]byte(`{"a":[` + text + `]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !checkAgainstStandard(t, text) {
			return
		}
		v, _ := document.ParseValue(text, document.Limits{})
		if document.Compare(v, v, nil) != 0 {
			t.Fatalf("%s is not itself", v)
		}
		d, err := v.Document()
		if err != nil {
			return
		}
		err = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
			k, err := document.ParseKeypath(string(l.Path))
			if err != nil || k.String() != string(l.Path) {
				t.Fatalf("%s: keypath %s: %v", d, l.Path, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
