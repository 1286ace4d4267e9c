package costing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// TestChoose runs the choice over injected statistics: one candidate a line,
// `name keys=N [documents=N] [bound=N] [missing=N] [least] [pk] [point] [ranges=N] [mergeable]
// [tested=N,N] [entries-only] [needs-all] [incomplete]`.
func TestChoose(t *testing.T) {
	datadriven.RunTest(t, "testdata/choose", func(t *testing.T, d *datadriven.TestData) string {
		var documents int64
		d.ScanArgs(t, "documents", &documents)
		var candidates []Candidate
		var estimates []Estimate
		for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			c := Candidate{Name: fields[0], Spans: indexes.Everything()}
			var e Estimate
			for _, f := range fields[1:] {
				name, value, _ := strings.Cut(f, "=")
				var n int64
				if value != "" && name != "tested" {
					if _, err := fmt.Sscan(value, &n); err != nil {
						d.Fatalf(t, "%s: %v", line, err)
					}
				}
				switch name {
				case "keys":
					e.Keys = n
				case "documents":
					e.Documents = n
				case "least":
					e.Least = true
				case "ranges":
					for i := range n {
						c.Parts = append(c.Parts, Part{Keypath: c.Name, Spans: indexes.Point([]byte{byte(i)})})
					}
				case "mergeable":
					c.Mergeable = true
				case "tested": // 1,2: the conjuncts that are; the key tells all else
					c.KeyCovers = true
					for _, conjunct := range strings.Split(value, ",") {
						c.Tested = append(c.Tested, int(conjunct[0]-'0'))
					}
				case "entries-only":
					c.EntriesOnly = true
				case "bound":
					e.Bound = n
				case "missing":
					e.Missing = n
				case "pk":
					c.PrimaryKey = true
				case "point":
					c.Spans = indexes.Point([]byte("x"))
				case "needs-all":
					c.NeedsAllPresent = true
				case "incomplete":
					e.Incomplete = true
				default:
					d.Fatalf(t, "%s: unknown %s", line, name)
				}
			}
			candidates, estimates = append(candidates, c), append(estimates, e)
		}
		choice := Choose(documents, candidates, estimates)
		var out strings.Builder
		name := "full scan"
		if len(choice.Members) > 0 {
			fmt.Fprintf(&out, "intersection of about %d documents, from ", choice.Joint)
		}
		if choice.Chosen >= 0 {
			name = candidates[choice.Chosen].Name
		}
		fmt.Fprintf(&out, "%s, cost %.2f\n", name, choice.Cost)
		for i, why := range choice.Why {
			fmt.Fprintf(&out, "  %s: %s\n", candidates[i].Name, why)
		}
		return out.String()
	})
}
