package statement

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"orders", "products", "people", "t"}
	for name, want := range map[string]string{
		"order": "orders", "Orders": "orders", "oders": "orders", "prodcuts": "products", "poeple": "people",
		"oder": "orders", "persons": "", "u": "", "nothing": "", "": "",
	} {
		if have := Nearest(name, names); have != want {
			t.Errorf("%q: %q, want %q", name, have, want)
		}
	}
}
