package pushdown

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// The property, for predicates about arrays: a document that makes a random
// predicate true has an entry in a part of every candidate, and one that has an
// entry in a candidate that answers the whole predicate tightly makes it true.
// The predicates are evaluated on the documents, by MySQL's rules written down
// a second time.

// arrayPredicate is a predicate's SQL and its value.
type arrayPredicate struct {
	text string
	eval func(d document.Value) truth
}

// pathModel is a JSON path: its SQL, and all that it leads to.
type pathModel struct {
	text   string
	follow func(v document.Value) []document.Value
	many   bool
}

func genPath(t *rapid.T, root document.Keypath) pathModel {
	p := pathModel{follow: func(v document.Value) []document.Value { return []document.Value{v} }}
	then := func(text string, step func(v document.Value) []document.Value) {
		before := p.follow
		p.text += text
		p.follow = func(v document.Value) (out []document.Value) {
			for _, at := range before(v) {
				out = append(out, step(at)...)
			}
			return out
		}
	}
	member := func(name string) {
		then("."+name, func(v document.Value) []document.Value {
			if m, ok := v.Member(name); ok && v.Type() == document.TypeObject {
				return []document.Value{m}
			}
			return nil
		})
	}
	for _, step := range root {
		member(step.Name)
	}
	for range rapid.IntRange(0, 3).Draw(t, "legs") {
		switch rapid.IntRange(0, 9).Draw(t, "leg") {
		case 0, 1, 2:
			n := rapid.IntRange(0, 2).Draw(t, "index")
			then(fmt.Sprintf("[%d]", n), func(v document.Value) []document.Value { return cells(v, n, n) })
		case 3:
			n := rapid.IntRange(0, 1).Draw(t, "index")
			then([]string{"[last]", "[last-1]"}[n], func(v document.Value) []document.Value {
				at := length(v) - 1 - n
				return cells(v, at, at)
			})
		case 4, 5:
			p.many = true
			then("[*]", func(v document.Value) []document.Value {
				return slices.Collect(func(yield func(document.Value) bool) {
					for _, e := range v.Elements() {
						if !yield(e) {
							return
						}
					}
				})
			})
		case 6:
			p.many = true
			then("[1 to last]", func(v document.Value) []document.Value { return cells(v, 1, length(v)-1) })
		default:
			member(rapid.SampledFrom([]string{"k", "l"}).Draw(t, "name"))
		}
	}
	return p
}

func length(v document.Value) int {
	if v.Type() == document.TypeArray {
		return v.Count()
	}
	return 1
}

// cells is the elements of an array from one to another; a value that is no
// array is an array of one.
func cells(v document.Value, from, to int) (out []document.Value) {
	elements := []document.Value{v}
	if v.Type() == document.TypeArray {
		elements = elements[:0]
		for _, e := range v.Elements() {
			elements = append(elements, e)
		}
	}
	for i, e := range elements {
		if i >= from && i <= to {
			out = append(out, e)
		}
	}
	return out
}

func sameJSON(a, b document.Value) bool { return document.Compare(a, b, nil) == 0 }

func modelContains(target, v document.Value) bool {
	switch target.Type() {
	case document.TypeObject:
		if v.Type() != document.TypeObject {
			return false
		}
		for name, m := range v.Members() {
			if at, ok := target.Member(name); !ok || !modelContains(at, m) {
				return false
			}
		}
		return true
	case document.TypeArray:
		wanted := []document.Value{v}
		if v.Type() == document.TypeArray {
			wanted = cells(v, 0, v.Count())
		}
		for _, w := range wanted {
			if !slices.ContainsFunc(cells(target, 0, target.Count()), func(e document.Value) bool {
				return (w.Type() != document.TypeArray || e.Type() == document.TypeArray) && modelContains(e, w)
			}) {
				return false
			}
		}
		return true
	}
	return sameJSON(target, v)
}

func modelOverlaps(a, b document.Value) bool {
	isArray := func(v document.Value) bool { return v.Type() == document.TypeArray }
	if a.Type() == document.TypeObject && b.Type() == document.TypeObject {
		for name, m := range a.Members() {
			if other, ok := b.Member(name); ok && sameJSON(m, other) {
				return true
			}
		}
		return false
	}
	if !isArray(a) && !isArray(b) {
		return sameJSON(a, b)
	}
	for _, x := range cells(a, 0, length(a)) {
		if slices.ContainsFunc(cells(b, 0, length(b)), func(y document.Value) bool { return sameJSON(x, y) }) {
			return true
		}
	}
	return false
}

func modelMember(v, array document.Value) bool {
	return slices.ContainsFunc(cells(array, 0, length(array)), func(e document.Value) bool { return sameJSON(e, v) })
}

var soughtScalars = rapid.SampledFrom([]string{"1", "1.0", "2", `"x"`, `"y"`, `"X"`, `""`, "true", "false", "null"})

func genNested(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 7).Draw(t, "type")
	if depth == 0 || kind < 3 {
		return soughtScalars.Draw(t, "scalar")
	}
	n := rapid.IntRange(0, 3).Draw(t, "count")
	var parts []string
	if kind < 6 {
		for range n {
			parts = append(parts, genNested(t, depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for _, name := range []string{"k", "l", "m"}[:n] {
		parts = append(parts, jsonText(name)+":"+genNested(t, depth-1))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// genTarget is a place that a predicate asks about: a value or none.
func genTarget(t *rapid.T) (sql string, many bool, value func(d document.Value) (document.Value, bool)) {
	root := rapid.SampledFrom([]string{"tags", "tags", "ci", "ci", "hidden", "p.q.r.s"}).Draw(t, "root")
	keypath, _ := document.ParseKeypath(root)
	if root == "tags" && rapid.IntRange(0, 2).Draw(t, "column") == 0 {
		return "tags", false, func(d document.Value) (document.Value, bool) {
			v, ok := d.Member("tags")
			return v, ok && v.Type() != document.TypeNull
		}
	}
	p := genPath(t, keypath)
	return "_doc->'$" + p.text + "'", p.many, func(d document.Value) (document.Value, bool) {
		found := p.follow(d)
		if !p.many {
			if len(found) == 0 {
				return document.Value{}, false
			}
			return found[0], true
		}
		var texts []string
		for _, v := range found {
			texts = append(texts, string(v.Raw()))
		}
		return mustValue("[" + strings.Join(texts, ",") + "]"), len(found) > 0
	}
}

func genArrayLeaf(t *rapid.T) arrayPredicate {
	target, many, value := genTarget(t)
	ask := func(text string, test func(v document.Value) bool) arrayPredicate {
		return arrayPredicate{text, func(d document.Value) truth {
			v, ok := value(d)
			if !ok {
				return truthNull
			}
			return truthOfBool(test(v))
		}}
	}
	sought := genNested(t, rapid.IntRange(0, 2).Draw(t, "depth"))
	v := mustValue(sought)
	switch rapid.IntRange(0, 11).Draw(t, "function") {
	case 10:
		return ask(fmt.Sprintf("MEMBER_OF(%s, '%s')", target, sought),
			func(at document.Value) bool { return modelMember(at, v) })
	case 11:
		return ask(fmt.Sprintf("JSON_CONTAINS('%s', %s)", sought, target),
			func(at document.Value) bool { return modelContains(v, at) })
	case 0, 1:
		return ask(fmt.Sprintf("JSON_CONTAINS(%s, '%s')", target, sought),
			func(at document.Value) bool { return modelContains(at, v) })
	case 2:
		text := fmt.Sprintf("JSON_OVERLAPS(%s, '%s')", target, sought)
		if rapid.Bool().Draw(t, "turned") {
			text = fmt.Sprintf("JSON_OVERLAPS('%s', %s)", sought, target)
		}
		return ask(text, func(at document.Value) bool { return modelOverlaps(at, v) })
	case 3:
		value := sought
		if v.Type() == document.TypeString {
			value = "'" + v.Str() + "'"
		} else if v.Type() != document.TypeNumber {
			value = "CAST('" + sought + "' AS JSON)"
		}
		return ask(fmt.Sprintf("MEMBER_OF(%s, %s)", value, target),
			func(at document.Value) bool { return modelMember(v, at) })
	case 4:
		p := genPath(t, document.Keypath{{Name: "tags"}})
		mode := rapid.SampledFrom([]string{"one", "all"}).Draw(t, "mode")
		q := genPath(t, document.Keypath{{Name: "tags"}})
		return arrayPredicate{fmt.Sprintf("JSON_CONTAINS_PATH(_doc, '%s', '$%s', '$%s')", mode, p.text, q.text),
			func(d document.Value) truth {
				a, b := len(p.follow(d)) > 0, len(q.follow(d)) > 0
				return truthOfBool(mode == "one" && (a || b) || a && b)
			}}
	case 5:
		n := rapid.IntRange(0, 3).Draw(t, "n")
		op := rapid.SampledFrom([]string{"=", "<", ">", "<=", ">=", "<>"}).Draw(t, "op")
		return ask(fmt.Sprintf("JSON_LENGTH(%s) %s %d", target, op, n), func(at document.Value) bool {
			size := 1
			if at.Type() == document.TypeArray || at.Type() == document.TypeObject {
				size = at.Count()
			}
			return holdsOf(op, size-n)
		})
	case 7:
		pattern := rapid.SampledFrom([]string{"x", "X", "x%", "%", "", "_"}).Draw(t, "pattern")
		sql := fmt.Sprintf("JSON_SEARCH(%s, 'one', '%s') IS NOT NULL", target, pattern)
		return arrayPredicate{sql, func(d document.Value) truth {
			v, ok := value(d)
			return truthOfBool(ok && holdsLike(v, pattern))
		}}
	case 6:
		if !many {
			return arrayPredicate{target + " IS NOT NULL", func(d document.Value) truth {
				_, ok := value(d)
				return truthOfBool(ok)
			}}
		}
	}
	constant := genNested(t, rapid.IntRange(0, 2).Draw(t, "depth of the constant"))
	k := mustValue(constant)
	op := rapid.SampledFrom([]string{"=", "<", ">", "<=", ">=", "<>"}).Draw(t, "op")
	return ask(fmt.Sprintf("%s %s CAST('%s' AS JSON)", target, op, constant), func(at document.Value) bool {
		return holdsOf(op, document.Compare(at, k, collation.Default))
	})
}

// holdsLike reports whether a value is or holds a string, of one character at
// most, that is like a pattern.
func holdsLike(v document.Value, pattern string) bool {
	if v.Type() == document.TypeString {
		s := v.Str()
		return s == pattern || pattern == "%" || pattern == "_" && len(s) == 1 || pattern == "x%" && s == "x"
	}
	for _, e := range v.Elements() {
		if holdsLike(e, pattern) {
			return true
		}
	}
	for _, m := range v.Members() {
		if holdsLike(m, pattern) {
			return true
		}
	}
	return false
}

func holdsOf(op string, cmp int) bool {
	switch op {
	case "=":
		return cmp == 0
	case "<>":
		return cmp != 0
	case "<":
		return cmp < 0
	case "<=":
		return cmp <= 0
	case ">":
		return cmp > 0
	}
	return cmp >= 0
}

func genArrayPredicate(t *rapid.T, depth int) arrayPredicate {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 || kind > 2 {
		return genArrayLeaf(t)
	}
	a := genArrayPredicate(t, depth-1)
	if kind == 0 {
		return arrayPredicate{"NOT (" + a.text + ")", func(d document.Value) truth { return negate(a.eval(d)) }}
	}
	b := genArrayPredicate(t, depth-1)
	if kind == 1 {
		return arrayPredicate{"(" + a.text + ") AND (" + b.text + ")",
			func(d document.Value) truth { return andTruth(a.eval(d), b.eval(d)) }}
	}
	return arrayPredicate{"(" + a.text + ") OR (" + b.text + ")", func(d document.Value) truth {
		return negate(andTruth(negate(a.eval(d)), negate(b.eval(d))))
	}}
}

func andTruth(a, b truth) truth {
	switch {
	case a == truthFalse || b == truthFalse:
		return truthFalse
	case a == truthNull || b == truthNull:
		return truthNull
	}
	return truthTrue
}

// entriesOf is a document's entries by keypath, as the test's resolver says.
func entriesOf(t *rapid.T, r testResolver, d document.Document) map[string][][]byte {
	out := map[string][][]byte{}
	options := document.FlattenOptions{Excluded: func(path []byte) bool {
		return string(path) == "secret" || string(path) == "hidden[*]"
	}}
	err := document.Flatten(d, options, func(l document.Leaf) error {
		path, err := document.ParseKeypath(string(l.Path))
		if err != nil {
			return err
		}
		c, _, ok := r.Keypath(path)
		if !ok {
			return fmt.Errorf("an entry at %s, which has none", l.Path)
		}
		encoded, _, err := ordered.AppendValue(nil, l.Value,
			ordered.ValueOptions{Collation: c.Collation, Limit: c.StringLimit, Stub: l.Stub})
		out[c.Keypath] = append(out[c.Keypath], encoded)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestContainsApart: what is asked apart is true of the same documents, and its ranges are those of each.
func TestContainsApart(t *testing.T) {
	b := newBench()
	object := func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && f.Name() == "_doc"
	}
	apart, met, refused := 0, 0, 0
	testseed.Check(t, func(t *rapid.T) {
		target, _, value := genTarget(t)
		sought := genNested(t, 2)
		if rapid.IntRange(0, 3).Draw(t, "whole document") == 0 {
			target, value = "_doc", func(d document.Value) (document.Value, bool) { return d, true }
			sought = fmt.Sprintf(`{"tags":%s,"ci":%s}`, genNested(t, 2), genNested(t, 1))
		}
		v := mustValue(sought)
		conjuncts, err := b.parse(fmt.Sprintf("JSON_CONTAINS(%s, '%s')", target, sought))
		if err != nil {
			t.Fatal(err)
		}
		parts := SplitContains(b.ctx, conjuncts[0], object)
		if parts == nil {
			return
		}
		apart++
		if again := SplitContains(b.ctx, parts[0], object); len(again) > 0 {
			t.Fatalf("%s is taken apart again: %v", parts[0], again)
		}
		r := Split(b.ctx, parts, b.resolver, Options{})
		for range rapid.IntRange(4, 12).Draw(t, "documents") {
			text := fmt.Sprintf(`{"tags":%s,"hidden":%s,"ci":%s,"p":{"q":{"r":{"s":%s}}}}`, genNested(t, 3), genNested(t, 2),
				genNested(t, 2), genNested(t, 2))
			d, err := document.Parse([]byte(text), document.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			at, ok := value(d.Value)
			is := ok && modelContains(at, v)
			each := ok
			for _, part := range parts {
				asked, _ := constantOf(b.ctx, part.Children()[1])
				each = each && modelContains(at, mustValue(asked.text))
			}
			if is != each {
				t.Fatalf("JSON_CONTAINS(%s, '%s') is %t of %s, and %t of it apart: %v", target, sought, is, text, each, parts)
			}
			entries := entriesOf(t, b.resolver, d)
			answered := map[int]bool{}
			for _, c := range r.Candidates {
				in := slices.ContainsFunc(c.Parts, func(p Part) bool {
					return slices.ContainsFunc(entries[p.Column.Keypath],
						p.Spans.Contains)
				})
				if is && !in {
					t.Fatalf("JSON_CONTAINS(%s, '%s') is true of %s, which is not in %s", target, sought, text, c)
				}
				for _, i := range c.Answers {
					answered[i] = answered[i] || c.Tight && in
				}
			}
			switch {
			case !is && len(answered) == len(parts) && !slices.Contains(slices.Collect(maps.Values(answered)), false):
				t.Fatalf("JSON_CONTAINS(%s, '%s') is not true of %s, which the parts' ranges hold, said to be tight", target,
					sought, text)
			case is:
				met++
			default:
				refused++
			}
		}
	}, func() bool { return apart > 0 && met > 0 && refused > 0 })
	t.Logf("%d conditions were taken apart; %d documents satisfied them, %d did not", apart, met, refused)
}

func TestArrayPartsHoldWhatSatisfies(t *testing.T) {
	b := newBench()
	found, tight, satisfied, refused := 0, 0, 0, 0
	testseed.Check(t, func(t *rapid.T) {
		p := genArrayPredicate(t, 2)
		conjuncts, err := b.parse(p.text)
		if err != nil {
			t.Fatalf("%s: %v", p.text, err)
		}
		r := Split(b.ctx, conjuncts, b.resolver, Options{Explain: true})
		for range rapid.IntRange(4, 12).Draw(t, "documents") {
			text := fmt.Sprintf(`{"tags":%s,"hidden":%s,"ci":%s,"p":{"q":{"r":{"s":%s}}}}`, genNested(t, 3), genNested(t, 2),
				genNested(t, 2), genNested(t, 2))
			if rapid.IntRange(0, 5).Draw(t, "missing") == 0 {
				text = `{"other":1}`
			}
			d, err := document.Parse([]byte(text), document.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			entries := entriesOf(t, b.resolver, d)
			is := p.eval(d.Value) == truthTrue
			for _, c := range r.Candidates {
				in := c.NeedsAllPresent && entries[c.Column.Keypath] == nil
				for _, part := range c.Parts {
					in = in || part.NeedsPresent && entries[part.Column.Keypath] == nil ||
						slices.ContainsFunc(entries[part.Column.Keypath], part.Spans.Contains)
				}
				switch whole := c.Tight && len(c.Residual) == 0; {
				case is && !in:
					t.Fatalf("%s is true of %s, which is not in %s", p.text, text, c)
				case !is && in && whole && !c.NeedsAllPresent:
					t.Fatalf("%s is not true of %s, which is in %s, said to be tight", p.text, text, c)
				case is:
					satisfied++
				case !in:
					refused++
				}
				found++
				if c.Tight {
					tight++
				}
			}
		}
	}, func() bool { return found > 0 && tight > 0 && satisfied > 0 && refused > 0 })
	t.Logf("%d documents for candidates, %d of tight ones; %d satisfied the predicate, %d were kept out", found, tight,
		satisfied, refused)
}

// deepResolver has entries at any depth.
type deepResolver struct{ testResolver }

func (r deepResolver) Keypath(p document.Keypath) (Column, string, bool) {
	return Column{Keypath: p.String(), Path: p, Shape: ShapeJSON, Collation: collation.Default}, "", true
}

func (deepResolver) Stubs(document.Keypath, byte) bool { return false }

// TestManyPlaces: what could lie in arrays at every level has too many keypaths to
// try them all.
func TestManyPlaces(t *testing.T) {
	b := newBench()
	nested := strings.Repeat(`{"a":{"b":1,"c":`, 40) + "1" + strings.Repeat("}}", 40)
	for _, where := range []string{
		"_doc->'$" + strings.Repeat(".a[0]", 40) + "' = 1",
		"JSON_CONTAINS(_doc, '" + nested + "')",
		"JSON_CONTAINS(_doc->'$.x', '[" + nested + "," + nested + "]')",
		"JSON_OVERLAPS(_doc->'$.x', '" + nested + "')",
	} {
		conjuncts, err := b.parse(where)
		if err != nil {
			t.Fatal(err)
		}
		r := Split(b.ctx, conjuncts, deepResolver{b.resolver}, Options{})
		for _, c := range r.Candidates {
			if len(c.Parts) > 500 {
				t.Errorf("%.60s: %d parts", where, len(c.Parts))
			}
		}
	}
}
