package document_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

// names draws keys that are rich in what keypaths and escapes trip over.
func names() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "b", "c", "a.b", "a[*]", "[", `"`, `\`, "\x00", "\n", "\u007f", "é", "𝄞", "*",
			"$", " ", "last", "1", "A", "long_name_of_a_key"}),
		rapid.StringOfN(rapid.RuneFrom([]rune(`ab."[]*\é$ `)), 0, 5, -1),
	)
}

func numbers() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Map(rapid.Int64(), func(n int64) string { return strconv.FormatInt(n, 10) }),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?`),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?`),
		rapid.StringMatching(`-?[12]{1,3}0{0,3}(\.0{1,3}[12]?)?([eE][+-]?[0-3])?`),
	)
}

// escapedString writes s as JSON with escapes where none are needed.
func escapedString(t *rapid.T, s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r < 0x20 || r == '"' || r == '\\' || rapid.IntRange(0, 9).Draw(t, "escape") == 0:
			if r > 0xffff {
				fmt.Fprintf(&b, `\u%04x\u%04X`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

type writer struct {
	t     *rapid.T
	b     strings.Builder
	space bool // white space between tokens
}

func (w *writer) gap() {
	if w.space {
		w.b.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n  "}).Draw(w.t, "space"))
	}
}

func (w *writer) value(depth int) {
	w.gap()
	defer w.gap()
	kind := rapid.IntRange(0, 9).Draw(w.t, "kind")
	if depth <= 0 && kind > 6 {
		kind = 0
	}
	switch kind {
	case 0:
		w.b.WriteString("null")
	case 1:
		w.b.WriteString("true")
	case 2:
		w.b.WriteString("false")
	case 3, 4:
		w.b.WriteString(numbers().Draw(w.t, "number"))
	case 5, 6:
		w.b.WriteString(escapedString(w.t, names().Draw(w.t, "string")))
	case 7:
		w.b.WriteByte('[')
		w.gap()
		for i := range rapid.IntRange(0, 4).Draw(w.t, "length") {
			if i > 0 {
				w.b.WriteByte(',')
			}
			w.value(depth - 1)
		}
		w.b.WriteByte(']')
	default:
		w.object(depth)
	}
}

func (w *writer) object(depth int) {
	keys := rapid.SliceOfNDistinct(names(), 0, 5, rapid.ID[string]).Draw(w.t, "keys")
	w.b.WriteByte('{')
	w.gap()
	for i, key := range keys {
		if i > 0 {
			w.b.WriteByte(',')
			w.gap()
		}
		w.b.WriteString(escapedString(w.t, key))
		w.gap()
		w.b.WriteByte(':')
		w.value(depth - 1)
	}
	w.b.WriteByte('}')
}

// drawObject draws the text of an object.
func drawObject(t *rapid.T) string {
	w := writer{t: t, space: rapid.Bool().Draw(t, "spaces")}
	w.gap()
	w.object(rapid.IntRange(0, 5).Draw(t, "depth"))
	w.gap()
	return w.b.String()
}

func drawDocument(t *rapid.T) document.Document {
	text := drawObject(t)
	d, err := document.Parse([]byte(text), document.Limits{})
	if err != nil {
		t.Fatalf("parse %s: %v", text, err)
	}
	return d
}

func drawValue(t *rapid.T, depth int) document.Value {
	w := writer{t: t}
	w.value(depth)
	v, err := document.ParseValue([]byte(w.b.String()), document.Limits{})
	if err != nil {
		t.Fatalf("parse %s: %v", w.b.String(), err)
	}
	return v
}

func drawKeypath(t *rapid.T) document.Keypath {
	k := make(document.Keypath, rapid.IntRange(1, 4).Draw(t, "steps"))
	for i := range k {
		k[i] = document.Step{Name: names().Draw(t, "name"), Array: rapid.IntRange(0, 3).Draw(t, "array") == 0}
	}
	return k
}

func drawPath(t *rapid.T) document.JSONPath {
	p := make(document.JSONPath, rapid.IntRange(0, 4).Draw(t, "steps"))
	for i := range p {
		if rapid.Bool().Draw(t, "member") {
			p[i].Name = names().Draw(t, "name")
		} else {
			index := rapid.Uint32Range(0, 3).Draw(t, "index")
			p[i] = document.PathStep{Kind: document.PathElement,
				From: document.ArrayIndex{N: index, FromEnd: rapid.Bool().Draw(t, "from end")}}
		}
	}
	return p
}
