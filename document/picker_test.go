package document

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPicker: what is picked of objects of any order, with and without the members, is what Lookup finds.
func TestPicker(t *testing.T) {
	names := []string{"a", "b", "c.d", "é", "", `q"t`, "long name of a member"}
	r := rand.New(rand.NewPCG(1, 2))
	var object func(depth int) string
	object = func(depth int) string {
		var members []string
		for _, i := range r.Perm(len(names))[:r.IntN(len(names)+1)] {
			value := fmt.Sprint(r.IntN(100))
			if depth > 0 && r.IntN(2) == 0 {
				value = object(depth - 1)
			} else if r.IntN(4) == 0 {
				value = `["a",{"b":1}]`
			}
			key := strings.ReplaceAll(names[i], `"`, `\"`)
			if r.IntN(5) == 0 && names[i] == "a" {
				key = `\u0061`
			}
			members = append(members, `"`+key+`":`+value)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	paths := []Keypath{{{Name: "a"}}, {{Name: "a"}, {Name: "b"}}, {{Name: "c.d"}, {Name: "é"}}, {{Name: ""}},
		{{Name: "a", Array: true}}, {{Name: "a"}}, {{Name: "nothing"}}, {{Name: `q"t`}, {Name: "a"}, {Name: "b"}}}
	p, found := NewPicker(paths), make([]Value, len(paths))
	for range 2000 {
		d, err := Parse([]byte(object(2)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p.Pick(d.Value, found)
		for i, path := range paths {
			if want, _ := d.Lookup(path); found[i] != want {
				t.Fatalf("%s: %v: %q, want %q", d, path, found[i], want)
			}
		}
	}
}
