package tables_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestUpdateOfMembers: entries and counts are those of the documents after updates that leave, change, move, add and
// take away members; among them names too long for a number, which count together, and what an index leaves out.
func TestUpdateOfMembers(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 0))
	f := open(t, catalog.Options{})
	names := []string{"a", "b", `\u0061b`, "c.d", "e", strings.Repeat("x", 8001), strings.Repeat("y", 8001)}
	values := []string{"1", "2", `"s"`, "null", "[1,2,1]", "[]", "{}", `{"a":1,"e":[{"b":2},{"b":3}]}`,
		`"` + strings.Repeat("z", 9000) + `"`}
	members := make(map[string][]string) // by document, as they stand
	text := func(id string) string {
		return fmt.Sprintf(`{"_id":%q%s}`, id, strings.Join(append([]string{""}, members[id]...), ","))
	}
	for round := range 400 {
		id := fmt.Sprint("k", rng.IntN(3))
		of, there := members[id]
		for range 1 + rng.IntN(2) {
			member := fmt.Sprintf(`"%s":%s`, names[rng.IntN(len(names))], values[rng.IntN(len(values))])
			name, _, _ := strings.Cut(member, ":")
			at := -1
			for i, m := range of {
				if strings.HasPrefix(m, name+":") {
					at = i
				}
			}
			switch {
			case at < 0:
				at = rng.IntN(len(of) + 1)
				of = append(of[:at:at], append([]string{member}, of[at:]...)...)
			case rng.IntN(4) == 0:
				of = append(of[:at:at], of[at+1:]...)
			case rng.IntN(4) == 0:
				of = append(append(of[:at:at], of[at+1:]...), of[at])
			default:
				of = append(append(of[:at:at], member), of[at+1:]...)
			}
		}
		members[id] = of
		f.must(func(tx *tables.Tx) error {
			if !there {
				return f.insert(tx, text(id))
			}
			return f.update(tx, text(id))
		})
		if round%5 == 0 {
			f.clean()
		}
	}
	f.clean()
}
