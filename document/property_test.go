package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

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
		if n := max(1, strings.Count(string(l.Path), "[*]")); !strings.Contains(string(l.Path), `"`) &&
			n != len(l.Positions) {
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
			// An array in the place of a scalar is no longer an array of one.
			back, err := changed["set"].Set(p, old)
			if err != nil || back.Text() != v.Text() && to.Type() != document.TypeArray {
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
