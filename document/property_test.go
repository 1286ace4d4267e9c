package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

// names draws keys that are rich in what keypaths and escapes trip over.
func names() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "a", "b", "c", "a.b", "a[*]", "[", `"`, `\`, "\x00", "\n", "\u007f", "é", "𝄞", "*", "$", " ", "last", "1", "A", "long_name_of_a_key"}),
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

// drawText draws a JSON text, an object if depth < 0 is not given.
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

// Parsing gives what json.Compact gives, takes its own result as it is, and
// leaves the input alone.
func TestParseIsCompact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawObject(t)
		input := []byte(text)
		d, err := document.Parse(input, document.Limits{})
		if err != nil {
			t.Fatalf("parse %s: %v", text, err)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if d.Text() != want.String() {
			t.Fatalf("parse %s: got %s, want %s", text, d, &want)
		}
		clear(input)
		again, err := document.Parse(d.Raw(), document.Limits{})
		if err != nil || again.Text() != want.String() {
			t.Fatalf("parse %s again: %s, %v", d, again, err)
		}
		if err := d.Within(document.Limits{}); err != nil {
			t.Fatal(err)
		}
	})
}

// rebuild makes a document anew from what the views show.
func rebuild(t *rapid.T, v document.Value) any {
	switch v.Type() {
	case document.TypeObject:
		m := make(map[string]any)
		for name, member := range v.Members() {
			m[name] = rebuild(t, member)
			if found, ok := v.Member(name); !ok || found.Text() != member.Text() {
				t.Fatalf("%s: member %q is %s, found %s", v, name, member, found)
			}
		}
		return m
	case document.TypeArray:
		list := []any{}
		for i, e := range v.Elements() {
			list = append(list, rebuild(t, e))
			if found, ok := v.Element(i); !ok || found.Text() != e.Text() {
				t.Fatalf("%s: element %d is %s, found %s", v, i, e, found)
			}
		}
		return list
	case document.TypeString:
		return v.Str()
	case document.TypeNumber:
		return json.Number(v.Number())
	case document.TypeBool:
		return v.Bool()
	}
	return nil
}

// The views show what encoding/json decodes.
func TestViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		decoder := json.NewDecoder(strings.NewReader(d.Text()))
		decoder.UseNumber()
		var want any
		if err := decoder.Decode(&want); err != nil {
			t.Fatal(err)
		}
		// Go prints maps in the order of their keys.
		if got := fmt.Sprintf("%#v", rebuild(t, d.Value)); got != fmt.Sprintf("%#v", want) {
			t.Fatalf("%s: got %s, want %#v", d, got, want)
		}
	})
}

func drawKeypath(t *rapid.T) document.Keypath {
	k := make(document.Keypath, rapid.IntRange(1, 4).Draw(t, "steps"))
	for i := range k {
		k[i] = document.Step{Name: names().Draw(t, "name"), Array: rapid.IntRange(0, 3).Draw(t, "array") == 0}
	}
	return k
}

// A keypath's spelling reads back, as a keypath and as a JSON path, and two
// keypaths don't share one.
func TestKeypathSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, other := drawKeypath(t), drawKeypath(t)
		back, err := document.ParseKeypath(k.String())
		if err != nil || !back.Equal(k) {
			t.Fatalf("%#v: spelled %s, read back as %#v, %v", k, k, back, err)
		}
		if k.Equal(other) != (k.String() == other.String()) {
			t.Fatalf("%#v and %#v are spelled %s and %s", k, other, k, other)
		}
		p, err := document.ParseJSONPath(k.JSONPath())
		if err != nil {
			t.Fatalf("%#v: JSON path %s: %v", k, k.JSONPath(), err)
		}
		if back, ok := p.Keypath(); !ok || !back.Equal(k) {
			t.Fatalf("%#v: JSON path %s is the keypath %#v", k, k.JSONPath(), back)
		}
		if p.String() != k.JSONPath() {
			t.Fatalf("%s is spelled %s", k.JSONPath(), p)
		}
	})
}

// Whatever ParseKeypath takes has one spelling.
func TestKeypathTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune(`ab."[]*\u0061é`)), 0, 12, -1).Draw(t, "text")
		k, err := document.ParseKeypath(s)
		if err != nil {
			if !errors.Is(err, document.ErrKeypath) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		back, err := document.ParseKeypath(k.String())
		if err != nil || !back.Equal(k) {
			t.Fatalf("%q: spelled %s, read back as %#v, %v", s, k, back, err)
		}
	})
}

type leaf struct {
	path, value, positions string
	kind                   document.Kind
	empty, stub            bool
}

func flatten(t *rapid.T, d document.Document, o document.FlattenOptions) []leaf {
	var all []leaf
	err := document.Flatten(d, o, func(l document.Leaf) error {
		if l.Kind != l.Value.Kind() {
			t.Fatalf("%s: kind %v of %s", l.Path, l.Kind, l.Value)
		}
		if n := max(1, strings.Count(string(l.Path), "[*]")); !strings.Contains(string(l.Path), `"`) && n != len(l.Positions) {
			t.Fatalf("%s has positions %v", l.Path, l.Positions)
		}
		all = append(all, leaf{string(l.Path), l.Value.Text(), fmt.Sprint(l.Positions), l.Kind, l.Empty, l.Stub})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// At each keypath, Flatten gives the values and positions that All gives.
func TestFlattenAndAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		o := document.FlattenOptions{MaxDepth: rapid.IntRange(1, 6).Draw(t, "max depth")}
		byPath := make(map[string][]leaf)
		for _, l := range flatten(t, d, o) {
			byPath[l.path] = append(byPath[l.path], l)
		}
		stubs := make(map[string]bool)
		for path, leaves := range byPath {
			k, err := document.ParseKeypath(path)
			if err != nil || k.String() != path {
				t.Fatalf("%s: path %s: %v", d, path, err)
			}
			if len(k) > o.MaxDepth {
				t.Fatalf("%s: path %s is deeper than %d", d, path, o.MaxDepth)
			}
			i := 0
			for positions, v := range d.All(k) {
				if i >= len(leaves) || leaves[i].value != v.Text() || leaves[i].positions != fmt.Sprint(positions) {
					t.Fatalf("%s: at %s All gives %v %s, Flatten %v", d, path, positions, v, leaves)
				}
				stubs[path] = stubs[path] || leaves[i].stub
				i++
			}
			if i != len(leaves) {
				t.Fatalf("%s: at %s All gives %d values, Flatten %v", d, path, i, leaves)
			}
			if !k.HasArray() {
				v, ok := d.Lookup(k)
				if !ok || v.Text() != leaves[0].value {
					t.Fatalf("%s: at %s Lookup gives %s", d, path, v)
				}
			}
		}
		// A keypath without a leaf finds nothing, unless a stub is above it.
		k := drawKeypath(t)
		if byPath[k.String()] == nil {
			for i := range k {
				above := slices.Clone(k[:i+1])
				if i+1 == len(k) && !above[i].Array {
					continue
				}
				if stubs[above.String()] {
					return
				}
				above[i].Array = false
				if stubs[above.String()] {
					return
				}
			}
			for _, v := range d.All(k) {
				t.Fatalf("%s: at %s there is %s, but no leaf", d, k, v)
			}
		}
	})
}

// Excluding a keypath takes away it and what is below it, and nothing else.
func TestFlattenExcluded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		all := flatten(t, d, document.FlattenOptions{})
		if len(all) == 0 {
			return
		}
		excluded := rapid.SampledFrom(all).Draw(t, "excluded").path
		var want []leaf
		for _, l := range all {
			switch {
			case l.path == excluded, strings.HasPrefix(l.path, excluded+"."), strings.HasPrefix(l.path, excluded+"[*]"):
				continue
			case l.path+"[*]" == excluded && l.kind == document.KindArray && !l.empty:
				l.stub = true
			}
			want = append(want, l)
		}
		got := flatten(t, d, document.FlattenOptions{Excluded: func(path []byte) bool { return string(path) == excluded }})
		if !slices.Equal(got, want) {
			t.Fatalf("%s without %s: got %v, want %v", d, excluded, got, want)
		}
	})
}

// After With a keypath has the value; leaves that aren't at, above or below it
// are as before; Without undoes what With added.
func TestWith(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		k := drawKeypath(t)
		for i := range k {
			k[i].Array = false
		}
		if all := flatten(t, d, document.FlattenOptions{}); len(all) > 0 && rapid.Bool().Draw(t, "existing") {
			if there, _ := document.ParseKeypath(rapid.SampledFrom(all).Draw(t, "path").path); !there.HasArray() {
				k = there
			}
		}
		v := drawValue(t, 2)
		changed, err := d.With(k, v)
		if err != nil {
			var on *document.PathError
			if !errors.As(err, &on) || !errors.Is(err, document.ErrNotObjectOnPath) {
				t.Fatal(err)
			}
			above, ok := d.Lookup(on.Above)
			if !ok || above.Type() == document.TypeObject || above.Type() != on.Type || len(on.Above) >= len(k) {
				t.Fatalf("%s with %s: %v, but there is %s", d, k, err, above)
			}
			return
		}
		if _, err := document.Parse(changed.Raw(), document.Limits{}); err != nil {
			t.Fatalf("%s with %s = %s gives %s: %v", d, k, v, changed, err)
		}
		if got, ok := changed.Lookup(k); !ok || got.Text() != v.Text() {
			t.Fatalf("%s with %s = %s gives %s, where it is %s", d, k, v, changed, got)
		}
		elsewhere := func(d document.Document) (rest []leaf) {
			for _, l := range flatten(t, d, document.FlattenOptions{MaxDepth: 10}) {
				path, _ := document.ParseKeypath(l.path)
				common := 0
				for common < min(len(path), len(k)) && path[common].Name == k[common].Name {
					common++
				}
				if common < len(k) && common < len(path) {
					rest = append(rest, l)
				}
			}
			return rest
		}
		if before, after := elsewhere(d), elsewhere(changed); !slices.Equal(before, after) {
			t.Fatalf("%s with %s = %s gives %s: elsewhere %v, before %v", d, k, v, changed, after, before)
		}
		back, err := changed.Without(k)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := document.Parse(back.Raw(), document.Limits{}); err != nil {
			t.Fatalf("%s without %s gives %s: %v", changed, k, back, err)
		}
		if _, ok := back.Lookup(k); ok {
			t.Fatalf("%s without %s gives %s", changed, k, back)
		}
		if old, ok := d.Lookup(k); ok {
			again, err := changed.With(k, old)
			if err != nil || again.Text() != d.Text() {
				t.Fatalf("%s with %s = %s and then %s gives %s", d, k, v, old, again)
			}
		} else if _, ok := d.Lookup(k[:len(k)-1]); ok && back.Text() != d.Text() {
			t.Fatalf("%s with and without %s gives %s", d, k, back)
		}
	})
}

type foldCase struct{}

func (foldCase) Compare(a, b string) int {
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// Compare is a total order.
func TestCompareIsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c document.StringComparer
		if rapid.Bool().Draw(t, "fold case") {
			c = foldCase{}
		}
		var v [3]document.Value
		for i := range v {
			v[i] = drawValue(t, 2)
		}
		for _, x := range v {
			if document.Compare(x, x, c) != 0 {
				t.Fatalf("%s is not itself", x)
			}
			for _, y := range v {
				xy := document.Compare(x, y, c)
				if xy != -document.Compare(y, x, c) {
					t.Fatalf("%s and %s: %d and %d", x, y, xy, document.Compare(y, x, c))
				}
				for _, z := range v {
					if yz := document.Compare(y, z, c); xy <= 0 && yz <= 0 && document.Compare(x, z, c) != min(xy, yz) {
						t.Fatalf("%s %s %s %s, but %s %s %s", x, sign(xy), y, sign(yz)+" "+z.Text(), x, sign(document.Compare(x, z, c)), z)
					}
				}
			}
		}
	})
}

// CompareNumbers agrees with exact rational numbers, and so does the kind.
func TestNumbersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers().Draw(t, "a"), numbers().Draw(t, "b")
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		if !okX || !okY {
			t.Fatalf("%s, %s", a, b)
		}
		if got := document.CompareNumbers(a, b); got != x.Cmp(y) {
			t.Fatalf("%s %s %s", a, sign(got), b)
		}
		d, err := document.ParseDecimal(a)
		if err != nil {
			t.Fatal(err)
		}
		again := fmt.Sprintf("0.%s%se%d", d.Whole, d.Fraction, d.Exponent)
		if d.Negative {
			again = "-" + again
		}
		if d.IsZero() {
			again = "0"
		}
		if z, _ := new(big.Rat).SetString(again); z == nil || z.Cmp(x) != 0 {
			t.Fatalf("%s taken apart is %s", a, again)
		}
		v, err := document.NumberValue(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := v.Kind(), referenceKind(a, x); got != want {
			t.Fatalf("%s is %s, want %s", a, got, want)
		}
	})
}

func referenceKind(literal string, value *big.Rat) document.Kind {
	if !strings.ContainsAny(literal, ".eE") {
		n := value.Num()
		switch {
		case new(big.Int).Abs(n).Cmp(big.NewInt(1<<53)) <= 0:
			return document.KindInt53
		case n.IsInt64():
			return document.KindInt64
		case n.IsUint64():
			return document.KindUint64
		case len(strings.TrimPrefix(literal, "-")) <= 65:
			return document.KindBigInt
		}
		return document.KindBigNum
	}
	f, _ := strconv.ParseFloat(literal, 64)
	shortest, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if ok && shortest.Cmp(value) == 0 {
		return document.KindFloat
	}
	return document.KindBigNum
}

// Every finite float64 becomes a number of KindFloat that reads back as itself.
func TestFloatValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		v, err := document.FloatValue(f)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			if !errors.Is(err, document.ErrNumber) {
				t.Fatalf("%v: %v", f, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checked, err := document.NumberValue(v.Text())
		if err != nil || checked.Kind() != document.KindFloat {
			t.Fatalf("%v is %s of kind %s, %v", f, v, checked.Kind(), err)
		}
		if back, err := strconv.ParseFloat(v.Number(), 64); err != nil || back != f {
			t.Fatalf("%v is %s, which reads as %v", f, v, back)
		}
	})
}

// Strings and keys survive quoting.
func TestStringValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, name := rapid.String().Draw(t, "s"), rapid.String().Draw(t, "name")
		v, err := document.StringValue(s)
		if err != nil {
			t.Fatal(err)
		}
		d, err := document.NewObject().Add(name, v).Add(name+"x", document.ArrayValue(v, document.Value{})).Document()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := document.Parse(d.Raw(), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		found, _ := parsed.Member(name)
		if v.Str() != s || found.Str() != s || string(found.AppendStr([]byte("."))) != "."+s {
			t.Fatalf("%q became %s", s, d)
		}
	})
}

// Extract of a path made of names finds what Lookup finds, and one with [*] the
// values of All.
func TestExtractAndAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		k := drawKeypath(t)
		if all := flatten(t, d, document.FlattenOptions{MaxDepth: 9}); len(all) > 0 {
			k, _ = document.ParseKeypath(rapid.SampledFrom(all).Draw(t, "path").path)
		}
		p, err := document.ParseJSONPath(k.JSONPath())
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, v := range d.All(k) {
			want = append(want, v.Text())
		}
		for v := range d.Find(p) {
			got = append(got, v.Text())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: at %s All gives %v, Find %v", d, k, want, got)
		}
	})
}

func drawPath(t *rapid.T) document.JSONPath {
	p := make(document.JSONPath, rapid.IntRange(0, 4).Draw(t, "steps"))
	for i := range p {
		if rapid.Bool().Draw(t, "member") {
			p[i].Name = names().Draw(t, "name")
		} else {
			index := rapid.Uint32Range(0, 3).Draw(t, "index")
			p[i] = document.PathStep{Kind: document.PathElement, From: document.ArrayIndex{N: index, FromEnd: rapid.Bool().Draw(t, "from end")}}
		}
	}
	return p
}

// Whatever MySQL's changes do, JSON comes out; what was set is there, and what
// was removed is gone.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, to, p := drawValue(t, 3), drawValue(t, 1), drawPath(t)
		old, there := v.Extract(p)
		changed := make(map[string]document.Value)
		for name, change := range map[string]func(document.JSONPath, document.Value) (document.Value, error){
			"set": v.Set, "insert": v.Insert, "replace": v.Replace, "append": v.ArrayAppend, "array-insert": v.ArrayInsert,
			"remove": func(p document.JSONPath, _ document.Value) (document.Value, error) { return v.Remove(p) },
		} {
			c, err := change(p, to)
			if err != nil {
				if !errors.Is(err, document.ErrJSONPath) || name != "remove" && name != "array-insert" {
					t.Fatalf("%s: %s %s: %v", v, name, p, err)
				}
				continue
			}
			changed[name] = c
			again, err := document.ParseValue(c.Raw(), document.Limits{})
			if err != nil || again.Text() != c.Text() {
				t.Fatalf("%s: %s %s gives %s: %v", v, name, p, c, err)
			}
		}
		same := func(name string, want document.Value) {
			if changed[name].Text() != want.Text() {
				t.Fatalf("%s: %s %s gives %s, want %s", v, name, p, changed[name], want)
			}
		}
		if there {
			same("replace", changed["set"])
			same("insert", v)
			back, err := changed["set"].Set(p, old)
			if err != nil || back.Text() != v.Text() {
				t.Fatalf("%s: set %s gives %s, and back %s", v, p, changed["set"], back)
			}
		} else {
			same("insert", changed["set"])
			same("replace", v)
			same("append", v)
			if c, ok := changed["remove"]; ok && c.Text() != v.Text() {
				t.Fatalf("%s: remove %s gives %s", v, p, c)
			}
		}
	})
}

// Views of damaged text never panic.
func TestDamagedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawDocument(t).Text())
		if rapid.Bool().Draw(t, "cut") {
			text = text[:rapid.IntRange(0, len(text)).Draw(t, "at")]
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			if len(text) > 0 {
				text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte(`{}[]",:\1u`)).Draw(t, "byte")
			}
		}
		v := document.FromCompact(text)
		p, _ := document.ParseJSONPath("$**.a[0 to last]")
		v.Extract(p)
		for _, p := range []document.JSONPath{drawPath(t), {{Name: "a"}, {Kind: document.PathElement}}} {
			v.Set(p, document.NullValue())
			v.Remove(p)
			v.ArrayAppend(p, document.NullValue())
			v.ArrayInsert(p, document.NullValue())
		}
		v.Within(document.Limits{})
		document.Compare(v, drawValue(t, 2), nil)
		v.Str()
		v.Kind()
		if d, err := v.Document(); err == nil {
			flatten(t, d, document.FlattenOptions{})
			k := document.Keypath{{Name: "a"}, {Name: "b"}}
			d.With(k, document.NullValue())
			d.Without(k)
			d.Prepend("x", document.NullValue())
			for range d.All(k) {
			}
		}
	})
}
